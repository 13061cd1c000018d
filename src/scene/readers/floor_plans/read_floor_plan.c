/* Floor plans as tables: walls.csv with, beside it where given, slabs.csv and materials.csv.
 *
 *   walls.csv      x1_m, y1_m, x2_m, y2_m, z_bottom_m, z_top_m, slab; or pixels of a picture, x1_px and so on, and
 * storey slabs.csv      slab, layer, thickness_m, material    one line a layer materials.csv  material,
 * relative_permittivity, conductivity_s_per_m
 *
 * Walls become free-standing panels; materials are constant over frequency. */
#include "scene/readers/readers.h"

#include "base/text/csv.h"
#include "base/memory.h"
#include "base/file.h"
#include "base/path.h"
#include "base/range.h"
#include "scene/scene.h"
#include "scene/readers/floor_plans/floor_plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Where in which file a row stands, for messages. */
static void describe_csv_row(const rw_csv *csv, size_t row, char string[RW_MESSAGE_MAX])
{
    snprintf(string, RW_MESSAGE_MAX, "%.80s, line %zu", rw_path_name(csv->path), csv->lines[row]);
}

/* The scene's own sentence says what is wrong with a material or slab; this adds where. */
static rw_status add_row_location(rw_scene *scene, const rw_csv *csv, size_t row, rw_status status)
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
        rw_material material = {
            .size = sizeof material, .name = rw_csv_string(csv, row, name), .freq_max_hz = INFINITY};
        RW_TRY(rw_csv_required_number(csv, row, permittivity, RW_QUANTITY_NUMBER, &material.a));
        RW_TRY(rw_csv_required_number(csv, row, conductivity, RW_QUANTITY_NUMBER, &material.c));
        RW_TRY(add_row_location(scene, csv, row, rw_scene_add_material(scene, &material)));
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

static rw_status read_slab_layers(const rw_csv *csv, slab_layer *layers)
{
    size_t slab, layer = rw_csv_find(csv, "layer"), thickness, material;
    RW_TRY(rw_csv_require(csv, "slab|name", &slab));
    RW_TRY(rw_csv_require(csv, "thickness_m|thickness", &thickness));
    RW_TRY(rw_csv_require(csv, "material", &material));
    for (size_t row = 0; row < csv->row_count; row++) {
        layers[row] = (slab_layer){
            .slab = rw_csv_string(csv, row, slab), .material = rw_csv_string(csv, row, material), .row = row};
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
    describe_csv_row(csv, layer->row, example);
    return rw_scene_note(scene, "slab layers of a material that is not defined", example);
}

static rw_status add_floorplan_slab(rw_scene *scene, const rw_csv *csv, const slab_layer *layers, size_t count)
{
    rw_layer layer[RW_SLAB_LAYERS_MAX];
    for (size_t i = 0; i < count && i < RW_SLAB_LAYERS_MAX; i++) {
        layer[i] = (rw_layer){sizeof(rw_layer), layers[i].material, layers[i].thickness_m};
        RW_TRY(note_unknown_material(scene, csv, &layers[i]));
    }
    rw_slab slab = {.size = sizeof slab, .name = layers[0].slab, .layers = layer, .layer_count = count};
    return add_row_location(scene, csv, layers[0].row, rw_scene_add_slab(scene, &slab));
}

static rw_status read_slabs(rw_scene *scene, const rw_csv *csv)
{
    slab_layer *layers;
    RW_TRY(rw_array_create(scene->context, csv->row_count, sizeof *layers, "the layers of slabs", &layers));
    rw_status status = read_slab_layers(csv, layers);
    for (size_t first = 0; status == RW_OK && first < csv->row_count;) {
        size_t count = 1;
        while (first + count < csv->row_count && strcmp(layers[first].slab, layers[first + count].slab) == 0)
            count++;
        status = add_floorplan_slab(scene, csv, &layers[first], count);
        first += count;
    }
    free(layers);
    return status;
}

/* The columns of walls.csv in the order of its header, and where a wall's row has them. */
static const char *const wall_columns[6] = {"x1_m|x1",      "y1_m|y1", "x2_m|x2", "y2_m|y2", "z_bottom_m|z_bottom",
                                            "z_top_m|z_top"};

/* Walls may be traced over a picture of the plan, in pixels from its upper left corner: x1_px, y1_px, x2_px, y2_px. A
 * world file beside the table (plan.pgw, .jgw, .tfw or .wld), or two known points (points.csv: px, py, x_m, y_m), says
 * where pixels are: x = a px + b py + c, y = d px + e py + f. */
typedef struct picture_scale {
    double a, b, c, d, e, f;
} picture_scale;

static rw_status read_world_file(rw_scene *scene, const char *path, picture_scale *scale)
{
    char *bytes, *at;
    size_t size;
    double numbers[6]; /* a, d, b, e, c, f: of the centre of the upper left pixel */
    RW_TRY(rw_file_read(scene->context, path, &bytes, &size));
    at = bytes;
    int good = 1;
    for (int i = 0; i < 6 && good; i++) {
        char *end;
        numbers[i] = strtod(at, &end);
        good = end > at && rw_is_coordinate(numbers[i]);
        at = end;
    }
    free(bytes);
    if (!good)
        return rw_fail(scene->context, RW_BAD_INPUT, "%s is no world file: it has six numbers, one a line", path);
    *scale = (picture_scale){numbers[0], numbers[2], numbers[4], numbers[1], numbers[3], numbers[5]};
    return RW_OK;
}

/* Pixels are square and y runs down: a turn, a scale and a shift from two points. */
static rw_status scale_by_points(rw_scene *scene, const rw_csv *csv, picture_scale *scale)
{
    static const char *const names[4] = {"px|x_px", "py|y_px", "x_m|x", "y_m|y"};
    double at[2][4];
    size_t columns[4];
    if (csv->row_count != 2)
        return rw_fail(scene->context, RW_BAD_INPUT, "%s has %zu points; two known points scale a plan", csv->path,
                       csv->row_count);
    for (int i = 0; i < 4; i++) {
        RW_TRY(rw_csv_require(csv, names[i], &columns[i]));
        for (size_t row = 0; row < 2; row++)
            RW_TRY(rw_csv_required_number(csv, row, columns[i], RW_QUANTITY_LENGTH_M, &at[row][i]));
    }
    double u = at[1][0] - at[0][0], v = at[0][1] - at[1][1]; /* v up */
    double x = at[1][2] - at[0][2], y = at[1][3] - at[0][3], length = u * u + v * v;
    if (!(length > 0) || !(x * x + y * y > 0))
        return rw_fail(scene->context, RW_BAD_INPUT, "%s: the two points are one", csv->path);
    double along = (u * x + v * y) / length, across = (u * y - v * x) / length;
    *scale = (picture_scale){.a = along, .b = across, .d = across, .e = -along};
    scale->c = at[0][2] - scale->a * at[0][0] - scale->b * at[0][1];
    scale->f = at[0][3] - scale->d * at[0][0] - scale->e * at[0][1];
    return RW_OK;
}

static rw_status find_scale(rw_scene *scene, const char *walls_path, picture_scale *scale)
{
    static const char *const worlds[] = {"plan.pgw", "plan.jgw", "plan.tfw", "plan.wld", "walls.wld", "walls.pgw"};
    char path[RW_PATH_MAX];
    rw_csv csv;
    RW_TRY(rw_path_next_to(scene->context, walls_path, "points.csv", path));
    if (rw_path_is_regular_file(path)) {
        RW_TRY(rw_csv_read(scene->context, path, &csv));
        rw_status status = scale_by_points(scene, &csv, scale);
        rw_csv_free(&csv);
        return status;
    }
    for (size_t i = 0; i < sizeof worlds / sizeof *worlds; i++) {
        RW_TRY(rw_path_next_to(scene->context, walls_path, worlds[i], path));
        if (rw_path_is_regular_file(path))
            return read_world_file(scene, path, scale);
    }
    return rw_fail(scene->context, RW_BAD_INPUT,
                   "%s has pixels: put the picture's world file beside it (plan.pgw), or points.csv with two known "
                   "points (px,py,x_m,y_m)",
                   walls_path);
}

static void to_metres(const picture_scale *scale, double xy[4])
{
    for (int i = 0; i < 4; i += 2) {
        double px = xy[i], py = xy[i + 1];
        xy[i] = scale->a * px + scale->b * py + scale->c;
        xy[i + 1] = scale->d * px + scale->e * py + scale->f;
    }
}

/* Columns of a wall: where it is, its altitudes, what it is of. */
typedef struct wall_table {
    size_t columns[6], slab, storey, thickness;
    int pixels;
    picture_scale scale;
} wall_table;

static const char *const pixel_columns[4] = {"x1_px", "y1_px", "x2_px", "y2_px"};

static rw_status find_wall_columns(rw_scene *scene, const rw_csv *csv, wall_table *table)
{
    table->slab = rw_csv_find(csv, "slab|surface|material");
    table->storey = rw_csv_find(csv, "storey|floor|level");
    table->thickness = rw_csv_find(csv, "thickness_m|thickness");
    table->pixels = rw_csv_find(csv, "x1_px") != RW_CSV_NO_COLUMN;
    int by_storey = table->pixels || table->storey != RW_CSV_NO_COLUMN;
    for (int i = 0; i < 6; i++) {
        const char *name = table->pixels && i < 4 ? pixel_columns[i] : wall_columns[i];
        if (i < 4 || !by_storey)
            RW_TRY(rw_csv_require(csv, name, &table->columns[i]));
        else
            table->columns[i] = rw_csv_find(csv, name);
    }
    return table->pixels ? find_scale(scene, csv->path, &table->scale) : RW_OK;
}

/* A wall that names nothing is concrete, as every wall; one that names a material without a slab has the usual one. */
static rw_status find_surface(rw_scene *scene, const char *named, double thickness_m, const char *source,
                              char name[RW_PLAN_NAME_MAX])
{
    snprintf(name, RW_PLAN_NAME_MAX, "%.120s", named);
    if (!*named || rw_scene_find_slab(scene, named) || rw_scene_find_material(scene, named))
        return RW_OK;
    rw_plan_wall wall = {named, thickness_m, NAN, NAN, NAN, source};
    return rw_plan_surface(scene, &wall, name);
}

static rw_status read_floorplan_wall(rw_scene *scene, const rw_csv *csv, const wall_table *table, size_t row)
{
    double numbers[6] = {0, 0, 0, 0, NAN, NAN}, storey = 0, thickness_m = NAN;
    char source[RW_MESSAGE_MAX], surface[RW_PLAN_NAME_MAX];
    for (int i = 0; i < 6; i++)
        RW_TRY(i < 4 || (!table->pixels && table->storey == RW_CSV_NO_COLUMN)
                   ? rw_csv_required_number(csv, row, table->columns[i], RW_QUANTITY_LENGTH_M, &numbers[i])
                   : rw_csv_optional_number(csv, row, table->columns[i], RW_QUANTITY_LENGTH_M, &numbers[i]));
    RW_TRY(rw_csv_optional_number(csv, row, table->storey, RW_QUANTITY_NUMBER, &storey));
    RW_TRY(rw_csv_optional_number(csv, row, table->thickness, RW_QUANTITY_LENGTH_M, &thickness_m));
    if (table->pixels)
        to_metres(&table->scale, numbers);
    describe_csv_row(csv, row, source);
    RW_TRY(find_surface(scene, rw_csv_string(csv, row, table->slab), thickness_m, source, surface));
    double floor_m = RW_PLAN_STOREY_M * storey;
    rw_panel panel = {.size = sizeof panel,
                      .x0_m = numbers[0],
                      .y0_m = numbers[1],
                      .x1_m = numbers[2],
                      .y1_m = numbers[3],
                      .bottom_m = isnan(numbers[4]) ? floor_m : numbers[4],
                      .top_m = isnan(numbers[5]) ? floor_m + RW_PLAN_STOREY_M : numbers[5],
                      .surface = *surface ? surface : NULL,
                      .source = source};
    return rw_scene_add_panel(scene, &panel);
}

static rw_status read_floorplan_walls(rw_scene *scene, const rw_csv *csv)
{
    wall_table table = {0};
    RW_TRY(find_wall_columns(scene, csv, &table));
    for (size_t row = 0; row < csv->row_count; row++)
        RW_TRY(read_floorplan_wall(scene, csv, &table, row));
    if (csv->row_count == 0)
        return rw_fail(scene->context, RW_BAD_INPUT, "%s has a header line but no walls", csv->path);
    return table.pixels || table.storey != RW_CSV_NO_COLUMN ? rw_plan_add_floors(scene)
                                                            : rw_plan_raise_basements(scene);
}

static rw_status read_floorplan_table(rw_scene *scene, const char *path,
                                      rw_status (*read_rows)(rw_scene *, const rw_csv *))
{
    rw_csv csv;
    RW_TRY(rw_csv_read(scene->context, path, &csv));
    rw_status status = read_rows(scene, &csv);
    rw_csv_free(&csv);
    return status;
}

static rw_status read_adjacent_table(rw_scene *scene, const char *walls_path, const char *name,
                                     rw_status (*read_rows)(rw_scene *, const rw_csv *))
{
    char path[RW_PATH_MAX];
    RW_TRY(rw_path_next_to(scene->context, walls_path, name, path));
    return rw_path_is_regular_file(path) ? read_floorplan_table(scene, path, read_rows) : RW_OK;
}

static int recognise_floorplan(const char *path, const char *start, size_t size)
{
    (void)size;
    if (strcasecmp(rw_path_name(path), "walls.csv") == 0)
        return 1;
    const char *end = strchr(start, '\n'), *column = strstr(start, "x1_m"), *pixel = strstr(start, "x1_px");
    const char *top = strstr(start, "z_top_m");
    return end && ((column && top && column < end && top < end) || (pixel && pixel < end));
}

static rw_status read_floorplan_scene(rw_scene *scene, const char *path, const rw_load_options *options)
{
    (void)options;
    RW_TRY(read_adjacent_table(scene, path, "materials.csv", read_materials));
    RW_TRY(read_adjacent_table(scene, path, "slabs.csv", read_slabs));
    return read_floorplan_table(scene, path, read_floorplan_walls);
}

const rw_reader rw_reader_floorplan = {"floorplan", "floor-plan tables (walls.csv)", recognise_floorplan,
                                       read_floorplan_scene, 0};
