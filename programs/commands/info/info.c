/* info: what is in a scene or a map; the values or the delays at a point. */
#include "report/json.h"

#include "command.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Lines of "key: value". */
static void print_provenance(const char *text)
{
    for (const char *line = text; *line;) {
        size_t length = strcspn(line, "\n"), key = strcspn(line, ":");
        if (key < length)
            printf("%-10.*s %.*s\n", (int)key, line, (int)(length - key > 2 ? length - key - 2 : 0), line + key + 2);
        line += length + (line[length] == '\n');
    }
}

static void json_provenance(struct json *json, const char *text)
{
    char key[32], value[8192];
    json_object(json, "provenance");
    for (const char *line = text; *line;) {
        size_t length = strcspn(line, "\n"), colon = strcspn(line, ":");
        snprintf(key, sizeof key, "%.*s", (int)(colon < 30 ? colon : 30), line);
        snprintf(value, sizeof value, "%.*s", (int)(length > colon + 2 ? length - colon - 2 : 0), line + colon + 2);
        if (colon < length)
            json_string(json, key, value);
        line += length + (line[length] == '\n');
    }
    json_object_end(json);
}

static void print_scene_json(const rw_scene *scene, const rw_scene_info *info, const char *provenance)
{
    struct json json;
    json_begin(&json, stdout);
    json_string(&json, "kind", "scene");
    json_count(&json, "buildings", info->buildings);
    json_count(&json, "parts", info->parts);
    json_count(&json, "walls", info->walls);
    json_count(&json, "panels", info->panels);
    json_count(&json, "meshes", info->meshes);
    json_count(&json, "triangles", info->triangles);
    json_list(&json, "extent_m");
    const double extent[] = {info->x_min_m, info->y_min_m, info->x_max_m, info->y_max_m};
    for (int i = 0; i < 4; i++)
        json_number(&json, NULL, extent[i]);
    json_list_end(&json);
    json_string(&json, "crs", rw_scene_crs(scene));
    json_number(&json, "roof_min_m", info->roof_min_m);
    json_number(&json, "roof_max_m", info->roof_max_m);
    json_number(&json, "roof_mean_m", info->roof_mean_m);
    json_number(&json, "built_share", info->built_fraction);
    json_flag(&json, "has_terrain", info->has_terrain);
    json_list(&json, "materials");
    for (size_t i = 0; i < info->surfaces; i++)
        json_string(&json, NULL, rw_scene_surface_name(scene, i));
    json_list_end(&json);
    json_list(&json, "notes");
    for (size_t i = 0; i < info->notes; i++) {
        rw_note note = {.size = sizeof note};
        if (rw_scene_get_note(scene, i, &note) != RW_OK)
            continue;
        json_object(&json, NULL);
        json_string(&json, "what", note.what);
        json_string(&json, "example", note.example);
        json_count(&json, "count", note.count);
        json_object_end(&json);
    }
    json_list_end(&json);
    if (*provenance)
        json_provenance(&json, provenance);
    json_end(&json);
}

#define BAND_NAME_MAX 160

/* Names of the bands, the first and the last of many. */
static void print_band_names(const rw_map *map, size_t layer, size_t bands)
{
    char name[BAND_NAME_MAX];
    for (size_t band = 0; bands > 1 && band < bands; band++) {
        if (bands > 8 && band == 4) {
            printf("           ...\n");
            band = bands - 2;
        }
        if (rw_map_get_band_name(map, layer, band, name, sizeof name) == RW_OK && name[0])
            printf("           band %zu: %s\n", band + 1, name);
    }
}

static void json_band_names(struct json *json, const rw_map *map, size_t layer, size_t bands)
{
    char name[BAND_NAME_MAX];
    json_list(json, "band_names");
    for (size_t band = 0; band < bands; band++)
        if (rw_map_get_band_name(map, layer, band, name, sizeof name) == RW_OK)
            json_string(json, NULL, name);
    json_list_end(json);
}

static void print_scene(const rw_scene *scene, const rw_scene_info *info)
{
    printf("buildings  %zu in %zu parts, %zu walls; %zu panels; %zu meshes with %zu triangles\n", info->buildings,
           info->parts, info->walls, info->panels, info->meshes, info->triangles);
    printf("extent     %.10g, %.10g to %.10g, %.10g m\n", info->x_min_m, info->y_min_m, info->x_max_m, info->y_max_m);
    printf("crs        %.80s\n", rw_scene_crs(scene)[0] ? rw_scene_crs(scene) : "not known");
    if (info->parts)
        printf("roofs      %.4g to %.4g m, mean %.4g m; %.3g %% built over\n", info->roof_min_m, info->roof_max_m,
               info->roof_mean_m, 100 * info->built_fraction);
    if (info->has_terrain)
        printf("terrain    %zu x %zu posts, %.5g to %.5g m\n", info->terrain_columns, info->terrain_rows,
               info->terrain_min_m, info->terrain_max_m);
    printf("materials ");
    for (size_t i = 0; i < info->surfaces; i++)
        printf(" %s", rw_scene_surface_name(scene, i));
    puts(info->surfaces ? "" : " none");
    for (size_t i = 0; i < info->notes; i++) {
        rw_note note = {.size = sizeof note};
        if (rw_scene_get_note(scene, i, &note) == RW_OK)
            printf("note       %s: %zu, such as %s\n", note.what, note.count, note.example);
    }
}

static void print_map(const struct call *call, const rw_map *map, const char *provenance)
{
    struct json json;
    rw_map_info info = {.size = sizeof info};
    rw_map_get_info(map, &info);
    if (call->settings.json) {
        json_begin(&json, stdout);
        json_string(&json, "kind", "map");
        json_count(&json, "columns", info.columns);
        json_count(&json, "rows", info.rows);
        json_number(&json, "x0_m", info.x0_m);
        json_number(&json, "y0_m", info.y0_m);
        json_number(&json, "res_m", info.res_m);
        if (info.in_degrees)
            json_string(&json, "unit", "degrees");
        if (info.has_plane) {
            json_list(&json, "plane_m");
            for (int i = 0; i < 9; i++)
                json_number(&json, NULL, info.plane_m[i]);
            json_list_end(&json);
        }
        json_list(&json, "layers");
    } else {
        printf("map        %zu x %zu cells of %.6g %s from %.10g, %.10g%s\n", info.columns, info.rows,
               info.in_degrees ? 3600 * info.res_m : info.res_m, info.in_degrees ? "arc seconds" : "m", info.x0_m,
               info.y0_m, info.in_degrees ? " degrees" : "");
        const double *p = info.plane_m;
        if (info.has_plane)
            printf("plane      %g,%g,%g:%g,%g,%g:%g,%g,%g\n", p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8]);
    }
    for (size_t i = 0; i < info.layers; i++) {
        rw_map_layer layer = {.size = sizeof layer};
        if (rw_map_get_layer(map, i, &layer) != RW_OK)
            continue;
        if (!call->settings.json) {
            printf("layer      %s: ", layer.name);
            if (isnan(layer.min))
                printf("no value, ");
            else
                printf("%g to %g %s in %zu cells, ", layer.min, layer.max, layer.unit, layer.count);
            printf("%zu band%s\n", layer.bands, layer.bands == 1 ? "" : "s");
            print_band_names(map, i, layer.bands);
            continue;
        }
        json_object(&json, NULL);
        json_string(&json, "name", layer.name);
        json_string(&json, "unit", layer.unit);
        json_count(&json, "bands", layer.bands);
        json_number(&json, "min", layer.min);
        json_number(&json, "max", layer.max);
        json_count(&json, "count", layer.count);
        json_band_names(&json, map, i, layer.bands);
        json_object_end(&json);
    }
    if (!call->settings.json) {
        print_provenance(provenance);
        return;
    }
    json_list_end(&json);
    json_provenance(&json, provenance);
    json_end(&json);
}

/* A file of which only its provenance is told. */
static void print_result(const struct call *call, const char *path, const char *kind, const char *provenance)
{
    struct json json;
    if (!call->settings.json) {
        printf("%-10s %s\n", kind, path);
        print_provenance(provenance);
        return;
    }
    json_begin(&json, stdout);
    json_string(&json, "kind", kind);
    json_string(&json, "file", path);
    json_provenance(&json, provenance);
    json_end(&json);
}

static int describe_scene_file(struct call *call, const char *source, const char *provenance)
{
    rw_scene *scene = NULL;
    rw_scene_info info = {.size = sizeof info};
    int exit_status = open_scene(call, source, &scene);
    if (!exit_status) {
        rw_status status = rw_scene_get_info(scene, &info);
        exit_status = status == RW_OK ? 0 : report_status(call, status);
    }
    if (!exit_status && call->settings.json)
        print_scene_json(scene, &info, provenance);
    else if (!exit_status && !call->settings.quiet)
        print_scene(scene, &info);
    rw_scene_destroy(scene);
    return exit_status;
}

static void print_layer_value(struct json *json, const rw_map *map, size_t layer_number, size_t band, float value)
{
    rw_map_layer layer = {.size = sizeof layer};
    char name[256] = "";
    if (rw_map_get_layer(map, layer_number, &layer) != RW_OK)
        return;
    if (layer.bands > 1)
        (void)rw_map_get_band_name(map, layer_number, band, name, sizeof name);
    if (json) {
        json_object(json, NULL);
        json_string(json, "layer", layer.name);
        json_count(json, "band", band + 1);
        json_string(json, "unit", layer.unit);
        json_number(json, "value", (double)value);
        json_object_end(json);
    } else if (isfinite(value)) {
        printf("  %s%s%s: %g %s\n", layer.name, *name ? " of " : "", name, (double)value, layer.unit);
    } else {
        printf("  %s%s%s: no value\n", layer.name, *name ? " of " : "", name);
    }
}

/* The values of the cell that each --at is in. */
static int describe_map_points(struct call *call, const rw_map *map)
{
    struct json out, *json = call->settings.json ? &out : NULL;
    rw_map_info info = {.size = sizeof info};
    rw_map_get_info(map, &info);
    if (json) {
        json_begin(json, stdout);
        json_list(json, "points");
    }
    for (size_t i = 0; i < call->settings.point_count; i++) {
        double at[2] = {call->settings.points[i].x_m, call->settings.points[i].y_m};
        int exit_status = transform_points(call, rw_map_crs(map), "--at", at, 1);
        double column = floor((at[0] - info.x0_m) / info.res_m), row = floor((at[1] - info.y0_m) / info.res_m);
        if (exit_status)
            return exit_status;
        if (!(column >= 0 && row >= 0 && column < (double)info.columns && row < (double)info.rows))
            return report_error("--at %.10g,%.10g is off the map, which is x %.10g to %.10g, y %.10g to %.10g", at[0],
                                at[1], info.x0_m, info.x0_m + info.res_m * (double)info.columns, info.y0_m,
                                info.y0_m + info.res_m * (double)info.rows);
        size_t cell = (size_t)row * info.columns + (size_t)column;
        if (json) {
            json_object(json, NULL);
            json_number(json, "x", at[0]);
            json_number(json, "y", at[1]);
            json_list(json, "values");
        } else {
            printf("at %.10g, %.10g\n", at[0], at[1]);
        }
        for (size_t k = 0; k < info.layers; k++) {
            rw_map_layer layer = {.size = sizeof layer};
            for (size_t band = 0; rw_map_get_layer(map, k, &layer) == RW_OK && band < layer.bands; band++)
                print_layer_value(json, map, k, band, layer.values[band * info.columns * info.rows + cell]);
        }
        if (json) {
            json_list_end(json);
            json_object_end(json);
        }
    }
    if (json) {
        json_list_end(json);
        json_end(json);
    }
    return 0;
}

static int has_ending(const char *path, const char *end)
{
    size_t length = strlen(path), end_length = strlen(end);
    return length > end_length && strcmp(path + length - end_length, end) == 0;
}

/* Points, lines or polygons that are no scene. */
static int is_vector_result(const char *path, const char *provenance)
{
    int scene = strstr(provenance, "command: import") || strstr(provenance, "command: generate");
    int result = strstr(provenance, "command: polygons") || strstr(provenance, "command: statistics") ||
                 strstr(provenance, "command: paths") || strstr(provenance, "command: predict");
    return (has_ending(path, ".gpkg") && result) ||
           (!scene && (has_ending(path, ".geojson") || has_ending(path, ".kml") || has_ending(path, ".kmz") ||
                       has_ending(path, ".shp")));
}

int command_info(struct call *call)
{
    const char *source = call->settings.input ? call->settings.input : call->settings.scene;
    if (!source)
        return report_error("info needs a scene, a map, a database or kept paths: rasterwave info FILE");
    rw_map *map = NULL;
    if (call->settings.input && call->settings.point_count && has_ending(source, ".h5"))
        return describe_delays(call);
    if (call->settings.input && call->settings.point_count) {
        rw_status status = rw_map_read(call->context, source, &map);
        int exit_status = status == RW_OK ? describe_map_points(call, map) : report_status(call, status);
        rw_map_destroy(map);
        return exit_status;
    }
    if (!is_generator(source) && rw_stored_file_recognise(call->context, source))
        return describe_stored_file(call, source);
    if (is_generator(source))
        return describe_scene_file(call, source, "");
    char *provenance = NULL;
    int exit_status = 0, is_printed = call->settings.json || !call->settings.quiet;
    if (rw_file_provenance(call->context, source, &provenance) != RW_OK)
        return describe_scene_file(call, source, ""); /* which says why */
    if (call->settings.input && rw_map_read(call->context, source, &map) == RW_OK) {
        if (is_printed)
            print_map(call, map, provenance);
    } else if (*provenance && is_printed && has_ending(source, ".png")) {
        print_result(call, source, "picture", provenance);
    } else if (*provenance && is_printed && has_ending(source, ".h5")) {
        print_result(call, source, "hdf5", provenance);
    } else if (*provenance && is_printed && is_vector_result(source, provenance)) {
        print_result(call, source, "shapes", provenance);
    } else {
        exit_status = describe_scene_file(call, source, provenance);
        if (!exit_status && is_printed && !call->settings.json)
            print_provenance(provenance);
    }
    rw_map_destroy(map);
    rw_free(provenance);
    return exit_status;
}
