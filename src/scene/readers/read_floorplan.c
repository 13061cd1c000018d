/* Floor plans as tables: walls.csv with, beside it where given, slabs.csv and materials.csv.
 *
 *   walls.csv      x1_m, y1_m, x2_m, y2_m, z_bottom_m, z_top_m, slab
 *   slabs.csv      slab, layer, thickness_m, material    one line a layer
 *   materials.csv  material, relative_permittivity, conductivity_s_per_m
 *
 * Walls become free-standing panels; materials are constant over frequency. */
#include "scene/readers/load.h"

#include "base/text/csv.h"
#include "base/memory.h"
#include "base/path.h"
#include "scene/materials.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Where in which file a row stands, for messages. */
static void describe(const rw_csv *csv, size_t row, char text[RW_MESSAGE_MAX])
{
    snprintf(text, RW_MESSAGE_MAX, "%.80s, line %zu", rw_path_name(csv->path), csv->lines[row]);
}

/* The scene's own sentence says what is wrong with a material or slab; this adds where. */
static rw_status add_place(rw_scene *scene, const rw_csv *csv, size_t row, rw_status status)
{
    if (status != RW_BAD_INPUT)
        return status;
    char reason[RW_MESSAGE_MAX / 2];
    snprintf(reason, sizeof reason, "%s", rw_last_error(scene->context));
    return rw_fail(scene->context, status, "%s, line %zu: %s", csv->path, csv->lines[row], reason);
}

static rw_status read_materials(rw_scene *scene, const rw_csv *csv)
{
    size_t name, permittivity, conductivity;
    RW_TRY(rw_csv_require(csv, "material|name", &name));
    RW_TRY(rw_csv_require(csv, "relative_permittivity|permittivity", &permittivity));
    RW_TRY(rw_csv_require(csv, "conductivity_s_per_m|conductivity", &conductivity));
    for (size_t row = 0; row < csv->row_count; row++) {
        rw_material material = {.size = sizeof material, .name = rw_csv_text(csv, row, name), .freq_max_hz = INFINITY};
        RW_TRY(rw_csv_required_number(csv, row, permittivity, RW_QUANTITY_NUMBER, &material.a));
        RW_TRY(rw_csv_required_number(csv, row, conductivity, RW_QUANTITY_NUMBER, &material.c));
        RW_TRY(add_place(scene, csv, row, rw_scene_add_material(scene, &material)));
    }
    return RW_OK;
}

typedef struct slab_layer {
    const char *slab, *material;
    double thickness_m, layer;
    size_t row;
} slab_layer;

static int compare_layers(const void *left, const void *right)
{
    const slab_layer *a = left, *b = right;
    int order = strcmp(a->slab, b->slab);
    if (order)
        return order;
    if (a->layer != b->layer)
        return a->layer < b->layer ? -1 : 1;
    return a->row < b->row ? -1 : a->row > b->row;
}

static rw_status read_layers(const rw_csv *csv, slab_layer *layers)
{
    size_t slab, layer = rw_csv_find(csv, "layer"), thickness, material;
    RW_TRY(rw_csv_require(csv, "slab|name", &slab));
    RW_TRY(rw_csv_require(csv, "thickness_m|thickness", &thickness));
    RW_TRY(rw_csv_require(csv, "material", &material));
    for (size_t row = 0; row < csv->row_count; row++) {
        layers[row] =
            (slab_layer){.slab = rw_csv_text(csv, row, slab), .material = rw_csv_text(csv, row, material), .row = row};
        RW_TRY(rw_csv_required_number(csv, row, thickness, RW_QUANTITY_LENGTH_M, &layers[row].thickness_m));
        RW_TRY(rw_csv_optional_number(csv, row, layer, RW_QUANTITY_NUMBER, &layers[row].layer));
    }
    qsort(layers, csv->row_count, sizeof *layers, compare_layers);
    return RW_OK;
}

static rw_status note_unknown_material(rw_scene *scene, const rw_csv *csv, const slab_layer *layer)
{
    if (rw_scene_find_material(scene, layer->material) || rw_builtin_material(layer->material))
        return RW_OK;
    char example[RW_MESSAGE_MAX];
    describe(csv, layer->row, example);
    return rw_scene_note(scene, "slab layers of a material that is not defined", example);
}

static rw_status add_slab(rw_scene *scene, const rw_csv *csv, const slab_layer *layers, size_t count)
{
    rw_layer made[RW_SLAB_LAYERS_MAX];
    for (size_t i = 0; i < count && i < RW_SLAB_LAYERS_MAX; i++) {
        made[i] = (rw_layer){sizeof(rw_layer), layers[i].material, layers[i].thickness_m};
        RW_TRY(note_unknown_material(scene, csv, &layers[i]));
    }
    rw_slab slab = {.size = sizeof slab, .name = layers[0].slab, .layers = made, .layer_count = count};
    return add_place(scene, csv, layers[0].row, rw_scene_add_slab(scene, &slab));
}

static rw_status read_slabs(rw_scene *scene, const rw_csv *csv)
{
    slab_layer *layers;
    RW_TRY(rw_array_create(scene->context, csv->row_count, sizeof *layers, "the layers of slabs", &layers));
    rw_status status = read_layers(csv, layers);
    for (size_t first = 0; status == RW_OK && first < csv->row_count;) {
        size_t count = 1;
        while (first + count < csv->row_count && strcmp(layers[first].slab, layers[first + count].slab) == 0)
            count++;
        status = add_slab(scene, csv, &layers[first], count);
        first += count;
    }
    free(layers);
    return status;
}

/* The columns of walls.csv in the order of its header, and where a wall's row has them. */
static const char *const wall_columns[6] = {"x1_m|x1",      "y1_m|y1", "x2_m|x2", "y2_m|y2", "z_bottom_m|z_bottom",
                                            "z_top_m|z_top"};

static rw_status note_unknown_slab(rw_scene *scene, const char *name, const char *source)
{
    if (!*name || rw_scene_find_slab(scene, name) || rw_scene_find_material(scene, name) || rw_builtin_material(name))
        return RW_OK;
    return rw_scene_note(scene, "walls of a slab that is not defined", source);
}

static rw_status read_walls(rw_scene *scene, const rw_csv *csv)
{
    size_t columns[6], slab = rw_csv_find(csv, "slab|surface|material");
    for (int i = 0; i < 6; i++)
        RW_TRY(rw_csv_require(csv, wall_columns[i], &columns[i]));
    for (size_t row = 0; row < csv->row_count; row++) {
        double numbers[6];
        char source[RW_MESSAGE_MAX];
        for (int i = 0; i < 6; i++)
            RW_TRY(rw_csv_required_number(csv, row, columns[i], RW_QUANTITY_LENGTH_M, &numbers[i]));
        describe(csv, row, source);
        const char *surface = rw_csv_text(csv, row, slab);
        RW_TRY(note_unknown_slab(scene, surface, source));
        rw_panel panel = {.size = sizeof panel,
                          .x0_m = numbers[0],
                          .y0_m = numbers[1],
                          .x1_m = numbers[2],
                          .y1_m = numbers[3],
                          .bottom_m = numbers[4],
                          .top_m = numbers[5],
                          .surface = *surface ? surface : NULL,
                          .source = source};
        RW_TRY(rw_scene_add_panel(scene, &panel));
    }
    if (csv->row_count == 0)
        return rw_fail(scene->context, RW_BAD_INPUT, "%s has a header line but no walls", csv->path);
    return RW_OK;
}

static rw_status read_table(rw_scene *scene, const char *path, rw_status (*take)(rw_scene *, const rw_csv *))
{
    rw_csv csv;
    RW_TRY(rw_csv_read(scene->context, path, &csv));
    rw_status status = take(scene, &csv);
    rw_csv_free(&csv);
    return status;
}

static rw_status read_beside(rw_scene *scene, const char *walls_path, const char *name,
                             rw_status (*take)(rw_scene *, const rw_csv *))
{
    char path[RW_PATH_MAX];
    RW_TRY(rw_path_beside(scene->context, walls_path, name, path));
    return rw_path_is_regular_file(path) ? read_table(scene, path, take) : RW_OK;
}

static int recognises(const char *path, const char *start, size_t size)
{
    (void)size;
    if (strcasecmp(rw_path_name(path), "walls.csv") == 0)
        return 1;
    const char *end = strchr(start, '\n'), *column = strstr(start, "x1_m");
    const char *top = strstr(start, "z_top_m");
    return end && column && top && column < end && top < end;
}

static rw_status read_scene(rw_scene *scene, const char *path, const rw_load_options *options)
{
    (void)options;
    RW_TRY(read_beside(scene, path, "materials.csv", read_materials));
    RW_TRY(read_beside(scene, path, "slabs.csv", read_slabs));
    return read_table(scene, path, read_walls);
}

const rw_reader rw_reader_floorplan = {"floorplan", "floor-plan tables (walls.csv)", recognises, read_scene};
