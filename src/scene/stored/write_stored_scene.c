/* A scene as a GeoPackage that reads back as the same scene, or its buildings as GeoJSON.
 *
 * Buildings and walls are layers that any GIS shows; meshes, terrain, materials and slabs are tables beside them (see
 * docs/decisions/0007-scene-file.md). The file is put at its path whole or not at all. */
#include "scene/surface/surface.h"
#include "base/memory.h"
#include "ext/gdal.h"
#include "scene/stored/stored_scene.h"
#include "base/bytes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static rw_status write_property(rw_vector_writer *writer, const char *key, const char *value)
{
    rw_vector_write_string(writer, 0, key);
    rw_vector_write_string(writer, 1, value);
    return rw_vector_writer_add(writer);
}

static rw_status write_properties(const rw_scene *scene, rw_vector_writer *writer)
{
    static const rw_vector_field fields[] = {{"key", RW_FIELD_STRING}, {"value", RW_FIELD_STRING}};
    char number[64];
    RW_TRY(rw_vector_writer_layer(writer, RW_SAVED_SCENE, RW_SHAPE_NONE, fields, COUNT(fields)));
    snprintf(number, sizeof number, "%d", RW_SAVED_VERSION);
    RW_TRY(write_property(writer, "version", number));
    RW_TRY(write_property(writer, "crs", rw_scene_crs(scene)));
    RW_TRY(write_property(writer, "flat", scene->flat ? "1" : "0"));
    if (!scene->has_origin)
        return RW_OK;
    snprintf(number, sizeof number, "%.17g", scene->origin.x);
    RW_TRY(write_property(writer, "origin_x_m", number));
    snprintf(number, sizeof number, "%.17g", scene->origin.y);
    return write_property(writer, "origin_y_m", number);
}

/* Room for the outline of one part in world coordinates. */
typedef struct outline_buffer {
    double *xy;
    size_t *ring_sizes;
    size_t xy_capacity, ring_capacity;
} outline_buffer;

static rw_status write_part_outline(const rw_scene *scene, const rw_part *part, outline_buffer *buffer,
                                    rw_vector_writer *writer)
{
    size_t first = scene->ring_first.items[part->first_ring];
    size_t points = scene->ring_first.items[part->first_ring + part->ring_count] - first;
    RW_TRY(rw_array_reserve(scene->context, &buffer->xy, &buffer->xy_capacity, 2 * points, sizeof *buffer->xy,
                            "an outline"));
    RW_TRY(rw_array_reserve(scene->context, &buffer->ring_sizes, &buffer->ring_capacity, part->ring_count,
                            sizeof *buffer->ring_sizes, "an outline"));
    for (size_t i = 0; i < points; i++) {
        buffer->xy[2 * i] = scene->points.items[first + i].x + scene->origin.x;
        buffer->xy[2 * i + 1] = scene->points.items[first + i].y + scene->origin.y;
    }
    for (size_t i = 0; i < part->ring_count; i++)
        buffer->ring_sizes[i] = rw_ring_size(scene, part->first_ring + i);
    return rw_vector_write_polygon(writer, buffer->xy, buffer->ring_sizes, part->ring_count);
}

static rw_status write_parts(const rw_scene *scene, outline_buffer *buffer, rw_vector_writer *writer)
{
    for (size_t i = 0; i < scene->parts.count; i++) {
        const rw_part *part = &scene->parts.items[i];
        RW_TRY(write_part_outline(scene, part, buffer, writer));
        rw_vector_write_integer(writer, 0, part->building);
        /* without a value, a terrain that is given when the file is read sets it */
        rw_vector_write_real(writer, 1, part->ground_is_assumed ? NAN : part->ground_m);
        rw_vector_write_real(writer, 2, part->base_height_m);
        rw_vector_write_real(writer, 3, part->roof_height_m);
        rw_vector_write_string(writer, 4, scene->surfaces.items[part->surface]);
        rw_vector_write_real(writer, 5, part->height_spread_m > 0 ? part->height_spread_m : NAN);
        rw_vector_write_string(writer, 6, rw_height_source_name(part->height_from));
        RW_TRY(rw_vector_writer_add(writer));
    }
    return RW_OK;
}

static rw_status write_buildings(const rw_scene *scene, rw_vector_writer *writer)
{
    static const rw_vector_field fields[] = {{"building_id", RW_FIELD_INTEGER}, {"ground_m", RW_FIELD_REAL},
                                             {"base_height_m", RW_FIELD_REAL},  {"roof_height_m", RW_FIELD_REAL},
                                             {"surface", RW_FIELD_STRING},      {"height_spread_m", RW_FIELD_REAL},
                                             {"height_from", RW_FIELD_STRING}};
    RW_TRY(rw_vector_writer_layer(writer, RW_SAVED_BUILDINGS, RW_SHAPE_POLYGON, fields, COUNT(fields)));
    outline_buffer buffer = {0};
    rw_status status = write_parts(scene, &buffer, writer);
    free(buffer.xy);
    free(buffer.ring_sizes);
    return status;
}

static rw_status write_walls(const rw_scene *scene, rw_vector_writer *writer)
{
    static const rw_vector_field fields[] = {
        {"bottom_m", RW_FIELD_REAL}, {"top_m", RW_FIELD_REAL}, {"surface", RW_FIELD_STRING}};
    if (scene->panels.count == 0)
        return RW_OK;
    RW_TRY(rw_vector_writer_layer(writer, RW_SAVED_WALLS, RW_SHAPE_LINE, fields, COUNT(fields)));
    for (size_t i = 0; i < scene->panels.count; i++) {
        const rw_scene_panel *panel = &scene->panels.items[i];
        double xy[4] = {panel->p0.x + scene->origin.x, panel->p0.y + scene->origin.y, panel->p1.x + scene->origin.x,
                        panel->p1.y + scene->origin.y};
        RW_TRY(rw_vector_write_line(writer, xy, 2));
        rw_vector_write_real(writer, 0, panel->bottom_m);
        rw_vector_write_real(writer, 1, panel->top_m);
        rw_vector_write_string(writer, 2, scene->surfaces.items[panel->surface]);
        RW_TRY(rw_vector_writer_add(writer));
    }
    return RW_OK;
}

static void encode_mesh_bytes(const rw_scene *scene, const rw_scene_mesh *mesh, unsigned char *vertices,
                              unsigned char *triangles)
{
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        rw_vec3 vertex = scene->vertices.items[mesh->first_vertex + i];
        rw_bytes_write_double(vertices + 24 * i, vertex.x + scene->origin.x);
        rw_bytes_write_double(vertices + 24 * i + 8, vertex.y + scene->origin.y);
        rw_bytes_write_double(vertices + 24 * i + 16, vertex.z);
    }
    for (size_t i = 0; i < 3 * mesh->triangle_count; i++)
        rw_bytes_write(triangles + 4 * i, scene->triangles.items[3 * mesh->first_triangle + i] - mesh->first_vertex, 4);
}

static rw_status write_mesh(const rw_scene *scene, const rw_scene_mesh *mesh, rw_vector_writer *writer)
{
    size_t vertex_bytes = 24 * mesh->vertex_count, triangle_bytes = 12 * mesh->triangle_count;
    if (vertex_bytes > RW_SAVED_BLOB_MAX || triangle_bytes > RW_SAVED_BLOB_MAX)
        return rw_fail(scene->context, RW_TOO_LARGE, "mesh %s has %zu vertices and is too large for a GeoPackage",
                       mesh->name, mesh->vertex_count);
    unsigned char *bytes;
    RW_TRY(rw_array_create(scene->context, vertex_bytes + triangle_bytes, 1, "a mesh", &bytes));
    encode_mesh_bytes(scene, mesh, bytes, bytes + vertex_bytes);
    rw_vector_write_string(writer, 0, mesh->name);
    rw_vector_write_string(writer, 1, scene->surfaces.items[mesh->surface]);
    rw_vector_write_blob(writer, 2, bytes, vertex_bytes);
    rw_vector_write_blob(writer, 3, bytes + vertex_bytes, triangle_bytes);
    free(bytes);
    return rw_vector_writer_add(writer);
}

static rw_status write_meshes(const rw_scene *scene, rw_vector_writer *writer)
{
    static const rw_vector_field fields[] = {{"name", RW_FIELD_STRING},
                                             {"surface", RW_FIELD_STRING},
                                             {"vertices", RW_FIELD_BLOB},
                                             {"triangles", RW_FIELD_BLOB}};
    if (scene->meshes.count == 0)
        return RW_OK;
    RW_TRY(rw_vector_writer_layer(writer, RW_SAVED_MESHES, RW_SHAPE_NONE, fields, COUNT(fields)));
    for (size_t i = 0; i < scene->meshes.count; i++)
        RW_TRY(write_mesh(scene, &scene->meshes.items[i], writer));
    return RW_OK;
}

static rw_status write_materials(const rw_scene *scene, rw_vector_writer *writer)
{
    static const rw_vector_field fields[] = {{"name", RW_FIELD_STRING},      {"a", RW_FIELD_REAL},
                                             {"b", RW_FIELD_REAL},           {"c", RW_FIELD_REAL},
                                             {"d", RW_FIELD_REAL},           {"freq_min_hz", RW_FIELD_REAL},
                                             {"freq_max_hz", RW_FIELD_REAL}, {"perfect_conductor", RW_FIELD_INTEGER},
                                             {"scattering", RW_FIELD_REAL}};
    if (scene->materials.count == 0)
        return RW_OK;
    RW_TRY(rw_vector_writer_layer(writer, RW_SAVED_MATERIALS, RW_SHAPE_NONE, fields, COUNT(fields)));
    for (size_t i = 0; i < scene->materials.count; i++) {
        const rw_scene_material *material = &scene->materials.items[i];
        const double values[] = {material->a, material->b,           material->c,
                                 material->d, material->freq_min_hz, material->freq_max_hz};
        rw_vector_write_string(writer, 0, material->name);
        for (int field = 0; field < (int)COUNT(values); field++)
            rw_vector_write_real(writer, 1 + field, values[field]);
        rw_vector_write_integer(writer, 7, material->perfect_conductor);
        rw_vector_write_real(writer, 8, material->scattering);
        RW_TRY(rw_vector_writer_add(writer));
    }
    return RW_OK;
}

/* "material TAB thickness_m" a line; to be freed. */
static rw_status format_slab_layers(rw_context *context, const rw_scene_slab *slab, char **layers)
{
    size_t size = 1, used = 0;
    for (size_t i = 0; i < slab->layer_count; i++)
        size += strlen(slab->layer_material[i]) + 40; /* a number of 17 digits, its sign and exponent, tab, line end */
    RW_TRY(rw_array_create(context, size, 1, "layers", layers));
    for (size_t i = 0; i < slab->layer_count; i++)
        used += (size_t)snprintf(*layers + used, size - used, "%s%s\t%.17g", i ? "\n" : "", slab->layer_material[i],
                                 slab->layer_thickness_m[i]);
    return RW_OK;
}

static rw_status write_slabs(const rw_scene *scene, rw_vector_writer *writer)
{
    static const rw_vector_field fields[] = {{"name", RW_FIELD_STRING}, {"layers", RW_FIELD_STRING}};
    if (scene->slabs.count == 0)
        return RW_OK;
    RW_TRY(rw_vector_writer_layer(writer, RW_SAVED_SLABS, RW_SHAPE_NONE, fields, COUNT(fields)));
    for (size_t i = 0; i < scene->slabs.count; i++) {
        char *layers;
        RW_TRY(format_slab_layers(scene->context, &scene->slabs.items[i], &layers));
        rw_vector_write_string(writer, 0, scene->slabs.items[i].name);
        rw_vector_write_string(writer, 1, layers);
        rw_status status = rw_vector_writer_add(writer);
        free(layers);
        RW_TRY(status);
    }
    return RW_OK;
}

/* A raster of heights; its corner in the world. */
typedef struct height_raster {
    const rw_raster *raster;
    double x0_m, y0_m;
} height_raster;

static void write_strip_values(const height_raster *heights, size_t first_row, size_t row_count,
                               rw_vector_writer *writer)
{
    const rw_raster *raster = heights->raster;
    rw_vector_write_integer(writer, 0, (long long)raster->columns);
    rw_vector_write_integer(writer, 1, (long long)raster->rows);
    rw_vector_write_real(writer, 2, heights->x0_m);
    rw_vector_write_real(writer, 3, heights->y0_m);
    rw_vector_write_real(writer, 4, raster->dx_m);
    rw_vector_write_real(writer, 5, raster->dy_m);
    rw_vector_write_integer(writer, 6, (long long)first_row);
    rw_vector_write_integer(writer, 7, (long long)row_count);
}

static rw_status write_strips(const height_raster *heights, unsigned char *bytes, size_t strip_rows,
                              rw_vector_writer *writer)
{
    const rw_raster *raster = heights->raster;
    for (size_t row = 0; row < raster->rows; row += strip_rows) {
        size_t rows = raster->rows - row < strip_rows ? raster->rows - row : strip_rows;
        for (size_t i = 0; i < rows * raster->columns; i++)
            rw_bytes_write_float(bytes + 4 * i, raster->values[row * raster->columns + i]);
        write_strip_values(heights, row, rows, writer);
        rw_vector_write_blob(writer, 8, bytes, 4 * rows * raster->columns);
        RW_TRY(rw_vector_writer_add(writer));
    }
    return RW_OK;
}

static rw_status write_heights(const rw_scene *scene, const char *table, const height_raster *heights,
                               rw_vector_writer *writer)
{
    static const rw_vector_field fields[] = {
        {"columns", RW_FIELD_INTEGER},   {"rows", RW_FIELD_INTEGER},      {"x0_m", RW_FIELD_REAL},
        {"y0_m", RW_FIELD_REAL},         {"dx_m", RW_FIELD_REAL},         {"dy_m", RW_FIELD_REAL},
        {"first_row", RW_FIELD_INTEGER}, {"row_count", RW_FIELD_INTEGER}, {"heights", RW_FIELD_BLOB}};
    const rw_raster *raster = heights->raster;
    if (!raster->values)
        return RW_OK;
    RW_TRY(rw_vector_writer_layer(writer, table, RW_SHAPE_NONE, fields, COUNT(fields)));
    size_t strip_rows = RW_SAVED_STRIP_BYTES / (4 * raster->columns);
    strip_rows = strip_rows < 1 ? 1 : strip_rows > raster->rows ? raster->rows : strip_rows;
    unsigned char *bytes;
    RW_TRY(rw_array_create(scene->context, strip_rows * raster->columns, 4, "heights", &bytes));
    rw_status status = write_strips(heights, bytes, strip_rows, writer);
    free(bytes);
    return status;
}

static rw_status write_terrain(const rw_scene *scene, rw_vector_writer *writer)
{
    const rw_raster *terrain = &scene->terrain;
    height_raster heights = {terrain, terrain->x0_m + scene->origin.x, terrain->y0_m + scene->origin.y};
    return write_heights(scene, RW_SAVED_TERRAIN, &heights, writer);
}

static rw_status write_foliage(const rw_scene *scene, rw_vector_writer *writer)
{
    height_raster heights = {&scene->foliage, scene->foliage.x0_m, scene->foliage.y0_m};
    return write_heights(scene, RW_SAVED_FOLIAGE, &heights, writer);
}

static rw_status write_scene_layers(const rw_scene *scene, rw_vector_writer *writer)
{
    RW_TRY(write_buildings(scene, writer));
    RW_TRY(write_walls(scene, writer));
    RW_TRY(write_meshes(scene, writer));
    RW_TRY(write_materials(scene, writer));
    RW_TRY(write_slabs(scene, writer));
    RW_TRY(write_terrain(scene, writer));
    RW_TRY(write_foliage(scene, writer));
    return write_properties(scene, writer);
}

static int path_ends_in(const char *path, const char *end)
{
    size_t length = strlen(path), end_length = strlen(end);
    return length > end_length && strcasecmp(path + length - end_length, end) == 0;
}

/* GeoJSON holds the buildings alone. */
static rw_status check_geojson(const rw_scene *scene, const char *path)
{
    if (!scene->parts.count)
        return rw_fail(scene->context, RW_BAD_CALL,
                       "%s: GeoJSON holds buildings, and the scene has none; write NAME.gpkg, which holds all of it",
                       path);
    if (scene->panels.count || scene->meshes.count || scene->terrain.values)
        rw_warn(scene->context, "%s holds the buildings alone: %s%s%s are left out; NAME.gpkg holds all of it", path,
                scene->terrain.values ? "terrain" : "",
                scene->terrain.values && (scene->panels.count || scene->meshes.count) ? ", " : "",
                scene->panels.count || scene->meshes.count ? "walls and meshes" : "");
    return RW_OK;
}

rw_status rw_scene_save(const rw_scene *scene, const char *path)
{
    int is_json = path_ends_in(path, ".geojson") || path_ends_in(path, ".json");
    if (!is_json && !path_ends_in(path, ".gpkg"))
        return rw_fail(scene->context, RW_BAD_CALL, "%s: a scene is written as NAME.gpkg or NAME.geojson", path);
    if (is_json)
        RW_TRY(check_geojson(scene, path));
    rw_vector_writer *writer;
    RW_TRY(rw_vector_writer_create(scene->context, is_json ? "GeoJSON" : "GPKG", path, rw_scene_crs(scene), &writer));
    rw_status status = is_json ? write_buildings(scene, writer) : write_scene_layers(scene, writer);
    if (status == RW_OK)
        return rw_vector_writer_finish(writer);
    rw_vector_writer_abandon(writer);
    return status;
}
