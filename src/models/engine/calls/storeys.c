/* Levels in every storey of every building: a prediction for each storey with values inside buildings, gathered over
 * the cells of each part of a building, as CSV or as polygons. */
#include "base/file.h"
#include "base/memory.h"
#include "base/options.h"
#include "discretise/walls/walls.h"
#include "ext/gdal.h"
#include "models/engine/calls/calls.h"
#include "mechanisms/indoor/indoor.h"
#include "output/maps/map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* One storey of one part of a building. */
typedef struct storey {
    uint32_t part;
    int number;
    double height_m; /* of the receivers above ground */
    size_t cells, received, covered;
    double min_dbm, median_dbm, max_dbm;
} storey;

typedef struct storeys {
    const rw_scene *scene;
    storey *items;
    size_t count, capacity;
} storeys;

/* Values of the cells of one part, run by run. */
typedef struct gathering {
    const rw_map *map;
    const float *values;
    storeys *to;
    double height_m, level_dbm;
    int number;
    float *levels; /* one a cell of the map */
    storey now;    /* of the part at hand */
    size_t count;
    rw_status status;
} gathering;

static int compare_levels(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static void finish_part(gathering *of)
{
    storey *now = &of->now;
    size_t received = of->count;
    if (!now->cells || of->status != RW_OK)
        return;
    rw_sort(of->levels, received, sizeof *of->levels, compare_levels);
    now->received = received;
    now->min_dbm = received ? (double)of->levels[0] : NAN;
    now->max_dbm = received ? (double)of->levels[received - 1] : NAN;
    now->median_dbm =
        received ? 0.5 * ((double)of->levels[(received - 1) / 2] + (double)of->levels[received / 2]) : NAN;
    of->status = rw_array_reserve(of->to->scene->context, &of->to->items, &of->to->capacity, of->to->count + 1,
                                  sizeof *of->to->items, "storeys");
    if (of->status == RW_OK)
        of->to->items[of->to->count++] = *now;
}

static void add_cell_run(void *user, const rw_part *part, size_t row, size_t first, size_t end)
{
    gathering *of = user;
    uint32_t number = (uint32_t)(part - of->to->scene->parts.items);
    if (of->height_m < part->base_height_m || of->height_m >= part->roof_height_m)
        return;
    if (of->now.part != number || !of->now.cells) {
        finish_part(of);
        of->now = (storey){.part = number, .number = of->number, .height_m = of->height_m};
        of->count = 0;
    }
    for (size_t column = first; column < end; column++) {
        float value = of->values[row * of->map->info.columns + column];
        if (isnan(value)) /* left out of the area, or a courtyard's edge */
            continue;
        of->now.cells++;
        of->now.covered += isfinite(value) && (double)value >= of->level_dbm;
        if (isfinite(value))
            of->levels[of->count++] = value;
    }
}

static rw_status gather_storey_levels(const rw_map *map, int number, double level_dbm, storeys *to)
{
    const rw_scene *scene = to->scene;
    const rw_map_info *info = &map->info;
    size_t index;
    RW_TRY(rw_map_find_layer(map, "strongest", &index));
    gathering of = {.map = map,
                    .values = map->layers[index].values,
                    .to = to,
                    .height_m = info->rx_height_m,
                    .level_dbm = level_dbm,
                    .number = number};
    RW_TRY(rw_array_create(scene->context, info->columns * info->rows, sizeof *of.levels, "storeys", &of.levels));
    rw_raster_frame frame = {info->x0_m - scene->origin.x + 0.5 * info->res_m,
                             info->y0_m - scene->origin.y + 0.5 * info->res_m,
                             info->res_m,
                             info->columns,
                             info->rows,
                             0};
    rw_status status = rw_rasterise_outlines(scene, &frame, add_cell_run, &of);
    finish_part(&of);
    free(of.levels);
    return status == RW_OK ? of.status : status;
}

static int compare_storeys(const void *a, const void *b)
{
    const storey *x = a, *y = b;
    return x->part != y->part ? (x->part > y->part) - (x->part < y->part)
                              : (x->number > y->number) - (x->number < y->number);
}

static double covered_percent(const storey *one, double level_dbm)
{
    return isnan(level_dbm) ? NAN : 100.0 * (double)one->covered / (double)one->cells;
}

static rw_status write_storeys_csv(const storeys *all, double level_dbm, const char *path)
{
    rw_file_writer writer;
    RW_TRY(rw_file_begin(all->scene->context, path, &writer));
    fputs("building,part,storey,height_m,cells,received,min_dbm,median_dbm,max_dbm,covered_pc\n", writer.stream);
    for (size_t i = 0; i < all->count; i++) {
        const storey *one = &all->items[i];
        const double numbers[] = {one->min_dbm, one->median_dbm, one->max_dbm, covered_percent(one, level_dbm)};
        fprintf(writer.stream, "%u,%u,%d,%g,%zu,%zu", all->scene->parts.items[one->part].building, one->part + 1,
                one->number, one->height_m, one->cells, one->received);
        for (int k = 0; k < 4; k++)
            if (isnan(numbers[k]))
                fputc(',', writer.stream);
            else
                fprintf(writer.stream, ",%.2f", numbers[k]);
        fputc('\n', writer.stream);
    }
    return rw_file_commit(all->scene->context, &writer);
}

/* The outline of a part in world coordinates; xy has room for all its points. */
static rw_status write_storey_outline(const rw_scene *scene, const rw_part *part, rw_vector_writer *writer)
{
    size_t points = 0, at = 0, *sizes;
    double *xy;
    for (size_t r = 0; r < part->ring_count; r++)
        points += rw_ring_size(scene, part->first_ring + r);
    RW_TRY(rw_array_create(scene->context, 2 * points + 1, sizeof *xy, "outlines", &xy));
    rw_status status = rw_array_create(scene->context, part->ring_count + 1, sizeof *sizes, "outlines", &sizes);
    if (status == RW_OK) {
        for (size_t r = 0; r < part->ring_count; r++) {
            const rw_vec2 *ring = rw_ring_points(scene, part->first_ring + r);
            sizes[r] = rw_ring_size(scene, part->first_ring + r);
            for (size_t i = 0; i < sizes[r]; i++, at++) {
                xy[2 * at] = ring[i].x + scene->origin.x;
                xy[2 * at + 1] = ring[i].y + scene->origin.y;
            }
        }
        status = rw_vector_write_polygon(writer, xy, sizes, part->ring_count);
        free(sizes);
    }
    free(xy);
    return status;
}

static rw_status write_storey_features(const storeys *all, double level_dbm, rw_vector_writer *writer)
{
    static const rw_vector_field fields[] = {{"building", RW_FIELD_INTEGER}, {"part", RW_FIELD_INTEGER},
                                             {"storey", RW_FIELD_INTEGER},   {"height_m", RW_FIELD_REAL},
                                             {"cells", RW_FIELD_INTEGER},    {"received", RW_FIELD_INTEGER},
                                             {"min_dbm", RW_FIELD_REAL},     {"median_dbm", RW_FIELD_REAL},
                                             {"max_dbm", RW_FIELD_REAL},     {"covered_pc", RW_FIELD_REAL}};
    RW_TRY(rw_vector_writer_layer(writer, "storeys", RW_SHAPE_POLYGON, fields, sizeof fields / sizeof *fields));
    for (size_t i = 0; i < all->count; i++) {
        const storey *one = &all->items[i];
        const rw_part *part = &all->scene->parts.items[one->part];
        RW_TRY(write_storey_outline(all->scene, part, writer));
        rw_vector_write_integer(writer, 0, part->building);
        rw_vector_write_integer(writer, 1, (long long)one->part + 1);
        rw_vector_write_integer(writer, 2, one->number);
        rw_vector_write_real(writer, 3, one->height_m);
        rw_vector_write_integer(writer, 4, (long long)one->cells);
        rw_vector_write_integer(writer, 5, (long long)one->received);
        rw_vector_write_real(writer, 6, one->min_dbm);
        rw_vector_write_real(writer, 7, one->median_dbm);
        rw_vector_write_real(writer, 8, one->max_dbm);
        rw_vector_write_real(writer, 9, covered_percent(one, level_dbm));
        RW_TRY(rw_vector_writer_add(writer));
    }
    return RW_OK;
}

static rw_status write_storeys_vector(const storeys *all, double level_dbm, const char *format, const char *path)
{
    rw_vector_writer *writer;
    RW_TRY(rw_vector_writer_create(all->scene->context, format, path, rw_scene_crs(all->scene), &writer));
    rw_status status = write_storey_features(all, level_dbm, writer);
    if (status == RW_OK)
        return rw_vector_writer_finish(writer);
    rw_vector_writer_abandon(writer);
    return status;
}

static const char *const formats[][2] = {
    {".csv", ""}, {".gpkg", "GPKG"}, {".geojson", "GeoJSON"}, {".shp", "ESRI Shapefile"}};

/* NULL: none that is written. */
static const char *find_storeys_format(const char *path)
{
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof formats / sizeof *formats; i++)
        if (strcasecmp(dot, formats[i][0]) == 0)
            return formats[i][1];
    return NULL;
}

/* whole: at the lowest storey. */
static rw_status solve_storeys(const rw_prediction *whole, double level_dbm, storeys *all)
{
    const rw_scene *scene = whole->scene;
    double highest_m = 0, first_m = whole->options->rx_height_m;
    for (size_t i = 0; i < scene->parts.count; i++)
        highest_m = fmax(highest_m, scene->parts.items[i].roof_height_m);
    for (int number = 0; first_m + RW_STOREY_M * number < highest_m; number++) {
        const rw_prediction_part part = {.raised_m = RW_STOREY_M * number};
        rw_prediction *storey_prediction;
        rw_map *map;
        RW_TRY(rw_prediction_create_part(whole, &part, &storey_prediction));
        RW_TRY(rw_prediction_run(storey_prediction, NULL, &map));
        rw_status status = gather_storey_levels(map, number, level_dbm, all);
        rw_map_destroy(map);
        RW_TRY(status);
    }
    rw_sort(all->items, all->count, sizeof *all->items, compare_storeys);
    return RW_OK;
}

/* The options of each storey's map; what the caller has chosen for other layers does not count. */
static rw_status create_storeys_prediction(const rw_scene *scene, const rw_predict_options *user_options,
                                           rw_prediction **prediction)
{
    rw_predict_options options;
    rw_predict_options_init(&options);
    RW_TRY(RW_RESOLVE(scene->context, user_options, &options));
    options.layers = "strongest";
    options.indoor = options.indoor ? options.indoor : "slab";
    options.floor = RW_UNSET;
    options.sigma = NULL;
    options.members = RW_UNSET;
    options.level_dbm = NAN;
    return rw_prediction_create(scene, &options, NULL, prediction);
}

rw_status rw_predict_storeys(const rw_scene *scene, const rw_predict_options *options, double level_dbm,
                             const char *path)
{
    storeys all = {.scene = scene};
    rw_prediction *prediction;
    const char *format = find_storeys_format(path);
    if (!format)
        return rw_fail(scene->context, RW_BAD_CALL, "%s: storeys are written as .csv, .gpkg, .geojson or .shp", path);
    RW_TRY(create_storeys_prediction(scene, options, &prediction));
    rw_status status = solve_storeys(prediction, level_dbm, &all);
    if (status == RW_OK && !all.count)
        status = rw_fail(scene->context, RW_BAD_INPUT, "%s: no building has a storey in the area", path);
    if (status == RW_OK)
        status =
            *format ? write_storeys_vector(&all, level_dbm, format, path) : write_storeys_csv(&all, level_dbm, path);
    free(all.items);
    rw_prediction_destroy(prediction);
    return status;
}
