#include "output/maps/map.h"

#include "base/memory.h"
#include "base/options.h"
#include "base/parallel.h"
#include "base/range.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static rw_status store_map_strings(rw_map *map, const rw_map_info *info, const char *crs)
{
    RW_TRY(rw_string_replace(map->context, info->model ? info->model : "", &map->model));
    RW_TRY(rw_string_replace(map->context, info->backend ? info->backend : "", &map->backend));
    RW_TRY(rw_string_replace(map->context, info->prior ? info->prior : "", &map->prior));
    RW_TRY(rw_string_replace(map->context, crs, &map->crs));
    map->info.model = map->model;
    map->info.backend = map->backend;
    map->info.prior = map->prior;
    return RW_OK;
}

rw_status rw_map_check_position(rw_context *context, const rw_map_info *info, const char *path)
{
    if (!rw_is_cell_size(info->res_m))
        return rw_fail(context, RW_BAD_INPUT, "%s has cells of %g m; %g to %g m is possible", path, info->res_m,
                       RW_CELL_MIN_M, RW_CELL_MAX_M);
    double corners_m[4] = {info->x0_m, info->y0_m, info->x0_m + (double)info->columns * info->res_m,
                           info->y0_m + (double)info->rows * info->res_m};
    size_t bad = rw_find_bad_coordinate(corners_m, 4);
    if (bad < 4)
        return rw_fail(context, RW_BAD_INPUT, "%s reaches %g m, which is not on Earth", path, corners_m[bad]);
    if (!rw_is_altitude(info->rx_height_m))
        return rw_fail(context, RW_BAD_INPUT, "%s is of receivers at %g m, which is not possible", path,
                       info->rx_height_m);
    return RW_OK;
}

rw_status rw_map_create(rw_context *context, const rw_map_info *info, const char *crs, rw_map **map)
{
    RW_TRY(rw_array_create(context, 1, sizeof **map, "a map", map));
    (*map)->context = context;
    (*map)->info = *info;
    (*map)->info.size = sizeof *info;
    (*map)->info.layers = 0;
    rw_status status = store_map_strings(*map, info, crs ? crs : "");
    if (status == RW_OK)
        return RW_OK;
    rw_map_destroy(*map);
    *map = NULL;
    return status;
}

static void free_layer(rw_layer_data *layer)
{
    free(layer->name);
    free(layer->unit);
    free(layer->values);
}

void rw_map_destroy(rw_map *map)
{
    if (!map)
        return;
    for (size_t i = 0; i < map->info.layers; i++)
        free_layer(&map->layers[i]);
    free(map->histogram_values);
    for (size_t i = 0; i < map->band_count; i++)
        free(map->band_names[i]);
    free(map->band_names);
    free(map->band_positions_m);
    free(map->model);
    free(map->backend);
    free(map->prior);
    free(map->crs);
    free(map);
}

static rw_status create_layer(rw_context *context, const char *name, const char *unit, size_t bands, size_t count,
                              rw_layer_data *layer)
{
    *layer = (rw_layer_data){.bands = bands};
    rw_status status = rw_string_replace(context, name, &layer->name);
    if (status == RW_OK)
        status = rw_string_replace(context, unit, &layer->unit);
    if (status == RW_OK)
        status = rw_array_create(context, count, sizeof *layer->values, name, &layer->values);
    if (status != RW_OK)
        free_layer(layer);
    return status;
}

rw_status rw_map_add_layer_unset(rw_map *map, const char *name, const char *unit, size_t bands, float **values)
{
    rw_context *context = map->context;
    if (map->info.layers == RW_MAP_LAYERS_MAX)
        return rw_fail(context, RW_BAD_CALL, "a map holds at most %d layers", RW_MAP_LAYERS_MAX);
    rw_layer_data *layer = &map->layers[map->info.layers];
    size_t count = bands * map->info.rows * map->info.columns;
    RW_TRY(create_layer(context, name, unit, bands, count, layer));
    map->info.layers++;
    *values = layer->values;
    return RW_OK;
}

static void fill_with_nodata(void *user, size_t begin, size_t end)
{
    float *values = user;
    for (size_t i = begin; i < end; i++)
        values[i] = NAN;
}

rw_status rw_map_add_layer(rw_map *map, const char *name, const char *unit, size_t bands, float **values)
{
    size_t count = bands * map->info.rows * map->info.columns;
    RW_TRY(rw_map_add_layer_unset(map, name, unit, bands, values));
    /* Memory comes from the system where it is first written to: by all threads. */
    rw_parallel(map->context, count, (size_t)1 << 18, fill_with_nodata, *values);
    return RW_OK;
}

const char *rw_map_crs(const rw_map *map)
{
    return map->crs;
}

rw_status rw_map_get_info(const rw_map *map, rw_map_info *info)
{
    return RW_ASSIGN(map->context, &map->info, info);
}

/* Minimum, maximum and count of one band range of a layer. */
static void set_statistics(const rw_map *map, const rw_layer_data *layer, rw_map_layer *out)
{
    size_t count = layer->bands * map->info.rows * map->info.columns;
    out->min = INFINITY;
    out->max = -INFINITY;
    out->count = 0;
    for (size_t i = 0; i < count; i++) {
        double value = layer->values[i];
        out->count += !isnan(value);
        if (isfinite(value) && value < out->min)
            out->min = value;
        if (isfinite(value) && value > out->max)
            out->max = value;
    }
    if (out->min > out->max)
        out->min = out->max = NAN;
}

rw_status rw_map_find_layer(const rw_map *map, const char *name, size_t *index)
{
    char layer_names[512] = "";
    for (*index = 0; *index < map->info.layers; ++*index) {
        const char *have = map->layers[*index].name;
        if (strcmp(have, name) == 0)
            return RW_OK;
        size_t used = strlen(layer_names);
        snprintf(layer_names + used, sizeof layer_names - used, "%s%s", used ? ", " : "", have);
    }
    return rw_fail(map->context, RW_NOT_FOUND, "the map has no layer '%s'; it has %s", name,
                   *layer_names ? layer_names : "none");
}

rw_status rw_map_get_layer(const rw_map *map, size_t index, rw_map_layer *layer)
{
    if (index >= map->info.layers)
        return rw_fail(map->context, RW_BAD_CALL, "the map has %zu layers, there is no number %zu", map->info.layers,
                       index);
    const rw_layer_data *data = &map->layers[index];
    rw_map_layer map_layer = {.name = data->name, .unit = data->unit, .bands = data->bands, .values = data->values};
    set_statistics(map, data, &map_layer);
    return RW_ASSIGN(map->context, &map_layer, layer);
}
