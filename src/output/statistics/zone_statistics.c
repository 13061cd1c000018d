#include "output/statistics/statistics.h"

#include "base/memory.h"
#include "base/options.h"
#include "output/pictures/layer_style.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void rw_zone_options_init_sized(rw_zone_options *options, size_t size)
{
    const rw_zone_options own = {.band = RW_ALL_BANDS, .level = NAN};
    rw_defaults_copy(&own, sizeof own, options, size);
}

/* One zone being counted. */
typedef struct counting {
    const rw_map *map;
    const float *values;     /* one a cell */
    const double *weights;   /* NULL: none */
    const uint32_t *nearest; /* cell of the nearest receiver of each cell; NULL: no weights */
    size_t *class_cells;     /* of the row; NULL: the layer has values */
    size_t class_count, first_class;
    int low_is_good; /* losses and delays: covered at or below the level */
    double level;
    float *finite; /* values so far */
    rw_zone_row *row;
    size_t finite_count;
    double sum;
} counting;

static int reaches_level(const counting *of, float value)
{
    if (!isfinite(value))
        return 0;
    return of->low_is_good ? (double)value <= of->level : (double)value >= of->level;
}

/* A weight without a receiver counts at the nearest one. */
static void count_weight(counting *of, size_t cell)
{
    float value = of->values[cell];
    double weight = of->weights[cell];
    rw_zone_row *row = of->row;
    row->weight += weight;
    if (!isnan(value))
        row->receiver_weight += weight;
    else
        row->nearest_weight += weight;
    if (isnan(value) && of->nearest[cell] != RW_NO_NEAREST)
        value = of->values[of->nearest[cell]];
    if (reaches_level(of, value))
        row->covered_weight += weight;
}

static void count_class(counting *of, float value)
{
    double index = (double)value - (double)of->first_class;
    if (index >= 0 && index < (double)of->class_count)
        of->class_cells[(size_t)index]++;
}

static void count_cell(counting *of, size_t cell)
{
    float value = of->values[cell];
    rw_zone_row *row = of->row;
    row->cells++;
    if (of->weights && of->weights[cell] > 0)
        count_weight(of, cell);
    if (isnan(value))
        return;
    row->receivers++;
    if (!isfinite(value)) {
        row->without_path++;
        return;
    }
    row->covered_cells += (size_t)reaches_level(of, value);
    if (of->class_cells) {
        count_class(of, value);
        return;
    }
    of->finite[of->finite_count++] = value;
    of->sum += (double)value;
}

static void count_zone_run(void *user, size_t row, size_t first, size_t end)
{
    counting *of = user;
    for (size_t column = first; column < end; column++)
        count_cell(of, row * of->map->info.columns + column);
}

static int compare_cell_values(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static void finish_row(counting *of)
{
    rw_zone_row *row = of->row;
    size_t count = of->finite_count;
    double side = of->map->info.res_m;
    rw_sort(of->finite, count, sizeof *of->finite, compare_cell_values);
    row->area_m2 = of->map->info.in_degrees ? NAN : (double)row->cells * side * side;
    row->min = count ? (double)of->finite[0] : NAN;
    row->max = count ? (double)of->finite[count - 1] : NAN;
    row->mean = count ? of->sum / (double)count : NAN;
    row->median = count ? 0.5 * ((double)of->finite[(count - 1) / 2] + (double)of->finite[count / 2]) : NAN;
    row->covered_fraction = row->receivers ? (double)row->covered_cells / (double)row->receivers : NAN;
    row->covered_weight_fraction = row->weight > 0 ? row->covered_weight / row->weight : NAN;
}

static rw_status count_zones(const rw_zone_table *table, counting *of)
{
    const rw_map_info *info = &of->map->info;
    rw_zone_grid grid = {info->x0_m, info->y0_m, info->res_m, info->columns, info->rows};
    for (size_t i = 0; i < table->count; i++) {
        of->row = &table->rows[i];
        of->finite_count = 0;
        of->sum = 0;
        of->class_cells = table->class_cells ? table->class_cells + i * table->class_count : NULL;
        if (i < table->zones.count)
            RW_TRY(rw_zone_rasterise(&table->zones, i, &grid, count_zone_run, of));
        else
            for (size_t row = 0; row < info->rows; row++)
                count_zone_run(of, row, 0, info->columns);
        of->row->name = i < table->zones.count ? table->zones.zones[i].name : "all";
        finish_row(of);
    }
    return RW_OK;
}

/* The value of each cell: of one band, or of the best of all. No path is never the best. */
static void copy_band_values(const rw_map *map, const rw_layer_data *layer, size_t band, int low_is_good, float *values)
{
    size_t cells = map->info.columns * map->info.rows;
    for (size_t i = 0; i < cells; i++) {
        values[i] = layer->values[(band == RW_ALL_BANDS ? 0 : band) * cells + i];
        for (size_t k = 1; band == RW_ALL_BANDS && k < layer->bands; k++) {
            float other = layer->values[k * cells + i];
            int better =
                isfinite(other) && (!isfinite(values[i]) || (low_is_good ? other < values[i] : other > values[i]));
            if (better || isnan(values[i]))
                values[i] = other;
        }
    }
}

/* Layers of classes: their names, and room for the counts. */
static rw_status list_classes(const rw_map *map, const rw_layer_data *layer, const rw_layer_style *style,
                              rw_zone_table *table, counting *of)
{
    if (rw_layer_get_order(layer->name) != RW_LAYER_UNORDERED || style->kind != RW_SCALE_CLASSES)
        return RW_OK;
    table->class_count = style->class_count;
    of->class_count = table->class_count;
    of->first_class = style->of_transmitters ? 1 : 0;
    RW_TRY(
        rw_array_create(map->context, table->class_count, sizeof *table->class_names, "classes", &table->class_names));
    RW_TRY(rw_array_create(map->context, table->class_count * table->count, sizeof *table->class_cells, "classes",
                           &table->class_cells));
    for (size_t i = 0; i < table->class_count; i++)
        rw_layer_class_name(style, i, table->class_names[i]);
    return RW_OK;
}

static rw_status count_layer(const rw_map *map, const rw_zone_options *options, rw_zone_table *table, counting *of,
                             float *value_buffer, double *weights, uint32_t *nearest)
{
    size_t index = 0, cells = map->info.columns * map->info.rows;
    rw_layer_style style;
    if (options->layer)
        RW_TRY(rw_map_find_layer(map, options->layer, &index));
    if (index >= map->info.layers)
        return rw_fail(map->context, RW_BAD_CALL, "the map has no layer");
    const rw_layer_data *layer = &map->layers[index];
    if (options->band != RW_ALL_BANDS && options->band >= layer->bands)
        return rw_fail(map->context, RW_BAD_CALL, "layer %s has %zu band%s, there is no number %zu", layer->name,
                       layer->bands, layer->bands == 1 ? "" : "s", options->band + 1);
    RW_TRY(rw_layer_style_init(map, layer, 0, 0, 0, &style));
    copy_band_values(map, layer, options->band, style.bright_is_low, value_buffer);
    if (options->weights) {
        RW_TRY(rw_weights_spread(map, options->weights, weights));
        RW_TRY(rw_weights_find_nearest(map, value_buffer, nearest));
    }
    *of = (counting){.map = map,
                     .values = value_buffer,
                     .weights = options->weights ? weights : NULL,
                     .nearest = nearest,
                     .low_is_good = style.bright_is_low,
                     .level = options->level,
                     .finite = value_buffer + cells};
    RW_TRY(list_classes(map, layer, &style, table, of));
    return count_zones(table, of);
}

/* Zones or weights elsewhere, often in another coordinate system, would give zeros. */
static rw_status check_zone_overlap(const rw_map *map, const rw_zone_options *options, const rw_zone_table *table)
{
    const rw_map_info *info = &map->info;
    double x1 = info->x0_m + (double)info->columns * info->res_m, y1 = info->y0_m + (double)info->rows * info->res_m;
    size_t cells = 0;
    for (size_t i = 0; i < table->zones.count; i++)
        cells += table->rows[i].cells;
    if (table->zones.count && !cells)
        return rw_fail(map->context, RW_BAD_INPUT,
                       "%s: none of %zu zones overlaps the map, which is x %.10g to %.10g, y %.10g to %.10g",
                       options->zones ? options->zones : "the rooms", table->zones.count, info->x0_m, x1, info->y0_m,
                       y1);
    if (options->weights && !(table->rows[table->count - 1].weight > 0))
        return rw_fail(map->context, RW_BAD_INPUT,
                       "%s has no weight on the map, which is x %.10g to %.10g, y %.10g to %.10g", options->weights,
                       info->x0_m, x1, info->y0_m, y1);
    return RW_OK;
}

static rw_status make_table(const rw_map *map, const rw_zone_options *options, rw_zone_table *table)
{
    size_t cells = map->info.columns * map->info.rows;
    float *value_buffer;
    double *weights;
    uint32_t *nearest = NULL;
    counting of;
    if (map->info.has_plane)
        return rw_fail(map->context, RW_BAD_CALL, "a map on a plane in space has no zones on the ground");
    RW_TRY(rw_string_replace(map->context, map->crs, &table->crs));
    if (options->zones && options->rooms)
        return rw_fail(map->context, RW_BAD_CALL, "zones and rooms cannot both be given");
    if (options->rooms) {
        const rw_map_info *info = &map->info;
        rw_zone_grid grid = {info->x0_m, info->y0_m, info->res_m, info->columns, info->rows};
        RW_TRY(rw_zones_of_rooms(options->rooms, &grid, info->rx_height_m, &table->zones));
    }
    if (options->zones)
        RW_TRY(rw_zones_load(map->context, options->zones, map->crs, options->name_field, &table->zones));
    table->count = table->zones.count + 1;
    table->has_level = !isnan(options->level);
    table->has_weights = options->weights != NULL;
    RW_TRY(rw_array_create(map->context, table->count, sizeof *table->rows, "zones", &table->rows));
    RW_TRY(rw_array_create(map->context, 2 * cells, sizeof *value_buffer, "zones", &value_buffer));
    rw_status status = rw_array_create(map->context, cells, sizeof *weights, "weights", &weights);
    if (status == RW_OK) {
        status = options->weights ? rw_array_create(map->context, cells, sizeof *nearest, "weights", &nearest) : RW_OK;
        if (status == RW_OK)
            status = count_layer(map, options, table, &of, value_buffer, weights, nearest);
        if (status == RW_OK)
            status = check_zone_overlap(map, options, table);
        free(weights);
        free(nearest);
    }
    free(value_buffer);
    return status;
}

rw_status rw_map_zone_statistics(const rw_map *map, const rw_zone_options *user_options, rw_zone_table **table)
{
    rw_zone_options options;
    rw_zone_options_init(&options);
    *table = NULL;
    if (user_options)
        RW_TRY(RW_RESOLVE(map->context, user_options, &options));
    rw_zone_table *zone_table;
    RW_TRY(rw_array_create(map->context, 1, sizeof *zone_table, "zones", &zone_table));
    zone_table->context = map->context;
    rw_status status = make_table(map, &options, zone_table);
    if (status == RW_OK)
        *table = zone_table;
    else
        rw_zone_table_destroy(zone_table);
    return status;
}

void rw_zone_table_destroy(rw_zone_table *table)
{
    if (!table)
        return;
    rw_zones_free(&table->zones);
    free(table->rows);
    free(table->class_names);
    free(table->class_cells);
    free(table->crs);
    free(table);
}

size_t rw_zone_table_count(const rw_zone_table *table)
{
    return table->count;
}

rw_status rw_zone_table_get(const rw_zone_table *table, size_t index, rw_zone_row *row)
{
    if (index >= table->count)
        return rw_fail(table->context, RW_BAD_CALL, "there are %zu zones, there is no number %zu", table->count, index);
    return RW_ASSIGN(table->context, &table->rows[index], row);
}

size_t rw_zone_table_class_count(const rw_zone_table *table)
{
    return table->class_count;
}

rw_status rw_zone_table_get_class(const rw_zone_table *table, size_t zone, size_t index, rw_zone_class *out)
{
    if (zone >= table->count || index >= table->class_count)
        return rw_fail(table->context, RW_BAD_CALL, "there are %zu zones and %zu classes, there is no number %zu, %zu",
                       table->count, table->class_count, zone + 1, index + 1);
    size_t cells = table->class_cells[zone * table->class_count + index], receivers = table->rows[zone].receivers;
    const rw_zone_class found = {.name = table->class_names[index],
                                 .cells = cells,
                                 .fraction = receivers ? (double)cells / (double)receivers : NAN};
    return RW_ASSIGN(table->context, &found, out);
}
