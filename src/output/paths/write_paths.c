/* Paths to files: JSON with everything about points and paths, and GeoJSON with a line for each path. Coordinates are
 * the scene's, z is an altitude. GeoJSON of RFC 7946 is in degrees alone; a member "crs", as in GeoJSON of 2008, says
 * what these metres are of, and GIS programs read it. */
#include "base/maths/elementary.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/text/json_write.h"
#include "output/geojson.h"
#include "output/paths/paths.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A path's numbers, after another member of the object. */
static void write_path_figures(FILE *stream, const rw_paths *paths, const rw_path *path)
{
    rw_json_write_string_member(stream, "name", paths->transmitters[path->transmitter].name);
    rw_json_write_number_member(stream, "freq_hz", paths->transmitters[path->transmitter].freq_hz);
    rw_json_write_number_member(stream, "loss_db", path->loss_db);
    rw_json_write_number_member(stream, "free_space_db", path->free_space_db);
    rw_json_write_number_member(stream, "length_m", path->length_m);
    rw_json_write_number_member(stream, "delay_s", path->delay_s);
    rw_json_write_number_member(stream, "departure_theta_deg", path->departure_theta_deg);
    rw_json_write_number_member(stream, "departure_phi_deg", path->departure_phi_deg);
    rw_json_write_number_member(stream, "arrival_theta_deg", path->arrival_theta_deg);
    rw_json_write_number_member(stream, "arrival_phi_deg", path->arrival_phi_deg);
    if (path->doppler_hz != 0)
        rw_json_write_number_member(stream, "doppler_hz", path->doppler_hz);
}

static void write_json_vertex(FILE *stream, const rw_path_vertex *vertex)
{
    fputs("{\"x_m\": ", stream);
    rw_json_write_number(stream, vertex->x_m);
    rw_json_write_number_member(stream, "y_m", vertex->y_m);
    rw_json_write_number_member(stream, "z_m", vertex->z_m);
    rw_json_write_string_member(stream, "interaction", rw_interaction_word(vertex->interaction));
    rw_json_write_number_member(stream, "turn_deg", (double)vertex->angle_rad * 180 / RW_PI);
    rw_json_write_number_member(stream, "loss_db", (double)vertex->loss_db);
    if (vertex->surface)
        rw_json_write_string_member(stream, "surface", vertex->surface);
    if (vertex->material)
        rw_json_write_string_member(stream, "material", vertex->material);
    fputc('}', stream);
}

static void write_json_path(FILE *stream, const rw_paths *paths, const rw_path *path)
{
    fprintf(stream, "{\"transmitter\": %zu", path->transmitter + 1);
    write_path_figures(stream, paths, path);
    fputs(",\n         \"vertices\": [", stream);
    for (size_t i = 0; i < path->vertex_count; i++) {
        fputs(i ? ",\n           " : "\n           ", stream);
        write_json_vertex(stream, &path->vertices[i]);
    }
    fputs("]}", stream);
}

/* Numbers of the paths, sorted by point: those of point p are order[first[p]] to order[first[p + 1] - 1]. */
typedef struct point_index {
    size_t *first, *order;
} point_index;

static rw_status index_points(const rw_paths *paths, point_index *index)
{
    RW_TRY(rw_array_create(paths->context, paths->point_count + 2, sizeof *index->first, "paths", &index->first));
    RW_TRY(rw_array_create(paths->context, paths->count + 1, sizeof *index->order, "paths", &index->order));
    for (size_t i = 0; i < paths->count; i++)
        index->first[paths->entries[i].point + 2]++;
    for (size_t p = 2; p < paths->point_count + 2; p++)
        index->first[p] += index->first[p - 1];
    for (size_t i = 0; i < paths->count; i++)
        index->order[index->first[paths->entries[i].point + 1]++] = i;
    return RW_OK;
}

static rw_status write_json_point(FILE *stream, const rw_paths *paths, const point_index *index, size_t point)
{
    fprintf(stream, "%s\n    {\"point\": %zu", point ? "," : "", point + 1);
    rw_json_write_number_member(stream, "x_m", paths->points[point].x_m);
    rw_json_write_number_member(stream, "y_m", paths->points[point].y_m);
    rw_json_write_number_member(stream, "height_m", paths->points[point].height_m);
    if (paths->motions)
        rw_json_write_number_member(stream, "time_s", paths->motions[point].time_s);
    fprintf(stream, ", \"inside_building\": %s", paths->indoor[point] ? "true" : "false");
    fputs(",\n     \"paths\": [", stream);
    for (size_t i = index->first[point]; i < index->first[point + 1]; i++) {
        rw_path path = {.size = sizeof path};
        RW_TRY(rw_paths_get(paths, index->order[i], &path));
        fputs(i > index->first[point] ? ",\n       " : "\n       ", stream);
        write_json_path(stream, paths, &path);
    }
    fputs("]}", stream);
    return RW_OK;
}

static rw_status write_paths_json(FILE *stream, const rw_paths *paths)
{
    point_index index = {0};
    rw_status status = index_points(paths, &index);
    fputs("{\n  \"version\": ", stream);
    rw_json_write_string(stream, rw_version());
    fputs(",\n  \"crs\": ", stream);
    rw_json_write_string(stream, paths->crs);
    fputs(",\n  \"transmitters\": [", stream);
    for (size_t i = 0; i < paths->transmitter_count; i++) {
        const rw_transmitter *transmitter = &paths->transmitters[i];
        fprintf(stream, "%s\n    {\"transmitter\": %zu", i ? "," : "", i + 1);
        rw_json_write_string_member(stream, "name", transmitter->name);
        rw_json_write_number_member(stream, "x_m", transmitter->x_m);
        rw_json_write_number_member(stream, "y_m", transmitter->y_m);
        rw_json_write_number_member(stream, "height_m", transmitter->height_m);
        rw_json_write_number_member(stream, "freq_hz", transmitter->freq_hz);
        fputc('}', stream);
    }
    fputs("],\n  \"points\": [", stream);
    for (size_t point = 0; point < paths->point_count && status == RW_OK; point++)
        status = write_json_point(stream, paths, &index, point);
    fputs("]\n}\n", stream);
    free(index.first);
    free(index.order);
    return status;
}

static void write_interaction_list(FILE *stream, const rw_path *path)
{
    fputs(", \"interactions\": \"", stream);
    for (size_t i = 1; i + 1 < path->vertex_count; i++)
        fprintf(stream, "%s%s", i > 1 ? "," : "", rw_interaction_word(path->vertices[i].interaction));
    fputc('"', stream);
}

static rw_status write_paths_geojson(FILE *stream, const rw_paths *paths)
{
    rw_geojson_begin(stream, paths->crs, paths->context->provenance);
    for (size_t i = 0; i < paths->count; i++) {
        rw_path path = {.size = sizeof path};
        RW_TRY(rw_paths_get(paths, i, &path));
        fprintf(stream, "%s\n{\"type\": \"Feature\", \"properties\": {\"point\": %zu, \"transmitter\": %zu",
                i ? "," : "", path.point + 1, path.transmitter + 1);
        write_path_figures(stream, paths, &path);
        write_interaction_list(stream, &path);
        fputs("},\n \"geometry\": {\"type\": \"LineString\", \"coordinates\": [", stream);
        for (size_t k = 0; k < path.vertex_count; k++)
            fprintf(stream, "%s[%.17g, %.17g, %.17g]", k ? ", " : "", path.vertices[k].x_m, path.vertices[k].y_m,
                    path.vertices[k].z_m);
        fputs("]}}", stream);
    }
    rw_geojson_end(stream);
    return RW_OK;
}

static int has_extension(const char *path, const char *end)
{
    size_t length = strlen(path), end_length = strlen(end);
    return length > end_length && strcasecmp(path + length - end_length, end) == 0;
}

rw_status rw_paths_write(const rw_paths *paths, const char *path)
{
    rw_file_writer writer;
    int is_geojson = has_extension(path, ".geojson"), is_csv = has_extension(path, ".csv");
    if (has_extension(path, ".gpkg"))
        return rw_paths_write_gpkg(paths, path);
    if (!is_geojson && !is_csv && !has_extension(path, ".json"))
        return rw_fail(paths->context, RW_BAD_CALL,
                       "%s: paths are written as NAME.json, NAME.geojson, NAME.csv or NAME.gpkg", path);
    RW_TRY(rw_file_begin(paths->context, path, &writer));
    rw_status status = is_csv       ? rw_paths_write_csv(writer.stream, paths)
                       : is_geojson ? write_paths_geojson(writer.stream, paths)
                                    : write_paths_json(writer.stream, paths);
    if (status == RW_OK)
        return rw_file_commit(paths->context, &writer);
    rw_file_abandon(&writer);
    return status;
}

rw_status rw_paths_to_json(const rw_paths *paths, char **json)
{
    size_t size;
    *json = NULL;
    FILE *stream = open_memstream(json, &size);
    if (!stream)
        return rw_fail(paths->context, RW_OUT_OF_MEMORY, "there is no memory for the text of paths");
    rw_status status = write_paths_json(stream, paths);
    int failed = ferror(stream);
    if ((fclose(stream) != 0 || failed) && status == RW_OK)
        status = rw_fail(paths->context, RW_OUT_OF_MEMORY, "there is no memory for the text of paths");
    if (status == RW_OK)
        return RW_OK;
    free(*json);
    *json = NULL;
    return status;
}
