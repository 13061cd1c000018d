/* A GeoPackage scene that rasterwave saved (scene/stored/write_stored_scene.c), back into the scene it was: every
 * number as it was.
 */
#include "scene/stored/stored_scene.h"

#include "scene/surface/surface.h"
#include "base/memory.h"
#include "base/text/units.h"
#include "base/bytes.h"
#include "base/range.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct saved {
    rw_scene *scene;
    rw_vector_file *file;
    const char *path, *layer;
    int is_flat;
    rw_raster raster; /* of heights, being read: its rows are those that the strips had so far */
    size_t raster_rows, raster_capacity;
} saved;

int rw_saved_is(const rw_vector_file *file)
{
    for (size_t i = 0; i < rw_vector_layer_count(file); i++)
        if (strcmp(rw_vector_layer_name(file, i), RW_SAVED_SCENE) == 0)
            return 1;
    return 0;
}

static const char *describe_saved_feature(const saved *from, char description[160])
{
    snprintf(description, 160, "feature %lld of layer %s", rw_vector_feature_id(from->file), from->layer);
    return description;
}

static rw_status fail_saved_feature(const saved *from, const char *what)
{
    char description[160];
    return rw_fail(from->scene->context, RW_BAD_INPUT, "%s: %s: %s", from->path,
                   describe_saved_feature(from, description), what);
}

static double read_saved_real(const saved *from, const char *field, double otherwise)
{
    double value;
    return rw_vector_real(from->file, rw_vector_find_field(from->file, field), &value) ? value : otherwise;
}

static long long read_saved_integer(const saved *from, const char *field)
{
    long long value;
    return rw_vector_integer(from->file, rw_vector_find_field(from->file, field), &value) ? value : 0;
}

static const char *read_string_field(const saved *from, const char *field)
{
    return rw_vector_string(from->file, rw_vector_find_field(from->file, field));
}

static rw_status read_property(saved *from)
{
    rw_scene *scene = from->scene;
    const char *key = read_string_field(from, "key"), *value = read_string_field(from, "value");
    double number = 0;
    if (!key || !value)
        return RW_OK;
    rw_parse_number(value, &number);
    if (strcmp(key, "version") == 0 && number != RW_SAVED_VERSION)
        return fail_saved_feature(from, "this scene was saved by another version; import its source again");
    if (strcmp(key, "flat") == 0)
        from->is_flat = number != 0;
    if (strcmp(key, "origin_x_m") == 0 && rw_is_coordinate(number))
        scene->origin.x = number;
    if (strcmp(key, "origin_y_m") == 0 && rw_is_coordinate(number)) {
        scene->origin.y = number;
        scene->has_origin = 1;
    }
    return strcmp(key, "crs") == 0 && *value ? rw_scene_set_crs(scene, value) : RW_OK;
}

static rw_status read_building(saved *from)
{
    char source[160];
    rw_vector_shape shape;
    RW_TRY(rw_vector_polygons(from->file, &shape));
    if (shape.polygon_count != 1)
        return fail_saved_feature(from, "a building of a saved scene has exactly one polygon");
    long long id = read_saved_integer(from, "building_id");
    rw_building building = {.size = sizeof building,
                            .building_id = id > 0 && id < UINT32_MAX ? (uint32_t)id : 0,
                            .xy = shape.xy,
                            .ring_sizes = shape.ring_sizes,
                            .ring_count = shape.ring_count,
                            .ground_m = read_saved_real(from, "ground_m", NAN),
                            .base_height_m = read_saved_real(from, "base_height_m", 0),
                            .roof_height_m = read_saved_real(from, "roof_height_m", 0),
                            .surface = read_string_field(from, "surface"),
                            .source = describe_saved_feature(from, source)};
    RW_TRY(rw_scene_add_building(from->scene, &building));
    rw_part *part = &from->scene->parts.items[from->scene->parts.count - 1];
    part->height_spread_m = fmin(fmax(read_saved_real(from, "height_spread_m", 0), 0), RW_HEIGHT_SPREAD_MAX_M);
    part->height_from = rw_height_source_find(read_string_field(from, "height_from"));
    return RW_OK;
}

static rw_status read_saved_wall(saved *from)
{
    char source[160];
    rw_vector_shape shape;
    RW_TRY(rw_vector_line(from->file, &shape));
    if (shape.ring_count != 1 || shape.ring_sizes[0] != 2)
        return fail_saved_feature(from, "a wall is a line of two points");
    rw_panel panel = {.size = sizeof panel,
                      .x0_m = shape.xy[0],
                      .y0_m = shape.xy[1],
                      .x1_m = shape.xy[2],
                      .y1_m = shape.xy[3],
                      .bottom_m = read_saved_real(from, "bottom_m", NAN),
                      .top_m = read_saved_real(from, "top_m", NAN),
                      .surface = read_string_field(from, "surface"),
                      .source = describe_saved_feature(from, source)};
    return rw_scene_add_panel(from->scene, &panel);
}

static rw_status add_mesh(saved *from, const double *xyz, size_t vertices, const uint32_t *triangles, size_t count)
{
    const char *stored = read_string_field(from, "name"), *name;
    RW_TRY(rw_scene_store_string(from->scene, stored ? stored : "mesh", &name));
    rw_mesh mesh = {.size = sizeof mesh,
                    .name = name,
                    .xyz = xyz,
                    .vertex_count = vertices,
                    .triangles = triangles,
                    .triangle_count = count,
                    .surface = read_string_field(from, "surface")};
    return rw_scene_add_mesh(from->scene, &mesh);
}

static rw_status read_mesh(saved *from)
{
    rw_context *context = from->scene->context;
    size_t vertex_bytes, triangle_bytes;
    const void *blob = rw_vector_blob(from->file, rw_vector_find_field(from->file, "vertices"), &vertex_bytes);
    if (vertex_bytes % 24 != 0)
        return fail_saved_feature(from, "its vertices are no triples of 8-byte numbers");
    double *xyz;
    RW_TRY(rw_array_create(context, vertex_bytes / 8, sizeof *xyz, "a mesh", &xyz));
    rw_bytes_get_doubles(blob, vertex_bytes / 8, xyz);
    blob = rw_vector_blob(from->file, rw_vector_find_field(from->file, "triangles"), &triangle_bytes);
    uint32_t *triangles;
    rw_status status = triangle_bytes % 12 == 0
                           ? rw_array_create(context, triangle_bytes / 4, sizeof *triangles, "a mesh", &triangles)
                           : fail_saved_feature(from, "its triangles are no triples of 4-byte numbers");
    if (status == RW_OK) {
        rw_bytes_get_words(blob, triangle_bytes / 4, triangles);
        status = add_mesh(from, xyz, vertex_bytes / 24, triangles, triangle_bytes / 12);
        free(triangles);
    }
    free(xyz);
    return status;
}

static rw_status read_material(saved *from)
{
    rw_material material = {.size = sizeof material,
                            .a = read_saved_real(from, "a", 1),
                            .b = read_saved_real(from, "b", 0),
                            .c = read_saved_real(from, "c", 0),
                            .d = read_saved_real(from, "d", 0),
                            .freq_min_hz = read_saved_real(from, "freq_min_hz", 0),
                            .freq_max_hz = read_saved_real(from, "freq_max_hz", INFINITY),
                            .perfect_conductor = read_saved_integer(from, "perfect_conductor") != 0,
                            .scattering = read_saved_real(from, "scattering", 0),
                            .name = read_string_field(from, "name")};
    return rw_scene_add_material(from->scene, &material);
}

/* Layers from a text of "material TAB thickness_m" a line, which is cut into its parts. */
static rw_status cut_layers(const saved *from, char *at, rw_layer *layers, size_t *count)
{
    for (*count = 0; at && *at && *count < RW_SLAB_LAYERS_MAX; ++*count) {
        char *tab = strchr(at, '\t');
        if (!tab)
            return fail_saved_feature(from, "its layers are no list of material and thickness");
        *tab = 0;
        layers[*count] = (rw_layer){.size = sizeof *layers, .material = at, .thickness_m = NAN};
        rw_parse_number(tab + 1, &layers[*count].thickness_m);
        at = strchr(tab + 1, '\n');
        at = at ? at + 1 : NULL;
    }
    return RW_OK;
}

static rw_status add_saved_slab(saved *from, const char *name, const char *stored)
{
    rw_layer layers[RW_SLAB_LAYERS_MAX];
    size_t count;
    char *list = rw_string_copy(stored ? stored : "");
    if (!list)
        return rw_fail(from->scene->context, RW_OUT_OF_MEMORY, "no memory left for slabs");
    rw_status status = cut_layers(from, list, layers, &count);
    if (status == RW_OK) {
        rw_slab slab = {.size = sizeof slab, .name = name, .layers = layers, .layer_count = count};
        status = rw_scene_add_slab(from->scene, &slab);
    }
    free(list);
    return status;
}

static rw_status read_slab(saved *from)
{
    const char *stored = read_string_field(from, "name"), *name;
    RW_TRY(rw_scene_store_string(from->scene, stored ? stored : "", &name)); /* the next text may take its place */
    return add_saved_slab(from, name, read_string_field(from, "layers"));
}

static rw_status begin_heights(saved *from, size_t min_count)
{
    long long columns = read_saved_integer(from, "columns"), rows = read_saved_integer(from, "rows");
    if (columns < (long long)min_count || rows < (long long)min_count || columns > 1 << 20 || rows > 1 << 20)
        return fail_saved_feature(from, "the raster's size is not possible");
    from->raster_rows = (size_t)rows;
    from->raster = (rw_raster){.size = sizeof from->raster,
                               .columns = (size_t)columns,
                               .x0_m = read_saved_real(from, "x0_m", NAN),
                               .y0_m = read_saved_real(from, "y0_m", NAN),
                               .dx_m = read_saved_real(from, "dx_m", NAN),
                               .dy_m = read_saved_real(from, "dy_m", NAN)};
    return RW_OK;
}

/* Strips follow each other from the south. Memory grows with them, so that a small file takes little, whatever size it
 * states. */
static rw_status read_strip(saved *from, size_t min_count)
{
    rw_raster *raster = &from->raster;
    if (!raster->columns)
        RW_TRY(begin_heights(from, min_count));
    size_t bytes;
    const void *blob = rw_vector_blob(from->file, rw_vector_find_field(from->file, "heights"), &bytes);
    long long first = read_saved_integer(from, "first_row"), rows = read_saved_integer(from, "row_count");
    if (first < 0 || (size_t)first != raster->rows || rows < 1 || (size_t)rows > from->raster_rows - raster->rows ||
        bytes != 4 * raster->columns * (size_t)rows)
        return fail_saved_feature(from, "the strip of heights does not fit the raster");
    size_t read = raster->columns * raster->rows;
    RW_TRY(rw_array_reserve(from->scene->context, &raster->values, &from->raster_capacity, read + bytes / 4,
                            sizeof *raster->values, "heights"));
    rw_bytes_get_floats(blob, bytes / 4, raster->values + read);
    raster->rows += (size_t)rows;
    return RW_OK;
}

static rw_status read_terrain_strip(saved *from)
{
    return read_strip(from, 2);
}

static rw_status read_foliage_strip(saved *from)
{
    return read_strip(from, 1);
}

static rw_status read_saved_table(saved *from, const char *name, rw_status (*read_feature)(saved *))
{
    size_t layer = 0, count = rw_vector_layer_count(from->file);
    while (layer < count && strcmp(rw_vector_layer_name(from->file, layer), name) != 0)
        layer++;
    if (layer == count)
        return RW_OK;
    from->layer = name;
    RW_TRY(rw_vector_select(from->file, layer));
    int more;
    for (;;) {
        RW_TRY(rw_vector_next(from->file, &more));
        if (!more)
            return RW_OK;
        RW_TRY(read_feature(from));
    }
}

/* A raster of heights, strip by strip, for the scene. */
static rw_status read_heights(saved *from, const char *table, rw_status (*read)(saved *),
                              rw_status (*set)(rw_scene *, const rw_raster *))
{
    from->raster = (rw_raster){0};
    from->raster_rows = from->raster_capacity = 0;
    rw_status status = read_saved_table(from, table, read);
    if (status == RW_OK && from->raster.rows < from->raster_rows)
        status = rw_fail(from->scene->context, RW_BAD_INPUT, "%s has %zu of the %zu rows of its %s", from->path,
                         from->raster.rows, from->raster_rows, table);
    if (status == RW_OK && from->raster.values)
        status = set(from->scene, &from->raster);
    free(from->raster.values);
    return status;
}

rw_status rw_saved_read(rw_scene *scene, rw_vector_file *file, const char *path)
{
    saved from = {.scene = scene, .file = file, .path = path};
    RW_TRY(read_saved_table(&from, RW_SAVED_SCENE, read_property));
    RW_TRY(read_saved_table(&from, RW_SAVED_MATERIALS, read_material));
    RW_TRY(read_saved_table(&from, RW_SAVED_SLABS, read_slab));
    RW_TRY(read_saved_table(&from, RW_SAVED_BUILDINGS, read_building));
    RW_TRY(read_saved_table(&from, RW_SAVED_WALLS, read_saved_wall));
    RW_TRY(read_saved_table(&from, RW_SAVED_MESHES, read_mesh));
    RW_TRY(read_heights(&from, RW_SAVED_TERRAIN, read_terrain_strip, rw_scene_set_terrain));
    RW_TRY(read_heights(&from, RW_SAVED_FOLIAGE, read_foliage_strip, rw_scene_set_foliage));
    return from.is_flat ? rw_scene_set_flat(scene) : RW_OK;
}
