#include "output/maps/map.h"

#include "base/memory.h"
#include "base/options.h"
#include "base/parallel.h"
#include "base/range.h"
#include "base/text/units.h"

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
    return rw_parallel(map->context, count, (size_t)1 << 18, fill_with_nodata, *values);
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

#define POSITION_STRING_MAX 80 /* three numbers of 17 digits with sign, point and exponent, blanks and a comma */

rw_status rw_map_set_bands(rw_map *map, size_t count)
{
    char **names;
    RW_TRY(rw_array_create(map->context, count, sizeof *names, "band names", &names));
    for (size_t i = 0; i < map->band_count; i++)
        free(map->band_names[i]);
    free(map->band_names);
    free(map->band_positions_m);
    map->band_names = names;
    map->band_positions_m = NULL;
    map->band_count = count;
    for (size_t i = 0; i < count; i++)
        RW_TRY(rw_string_replace(map->context, "", &names[i]));
    return RW_OK;
}

rw_status rw_map_set_transmitters(rw_map *map, const rw_transmitter *transmitters, size_t count)
{
    RW_TRY(rw_map_set_bands(map, count));
    RW_TRY(
        rw_array_create(map->context, count, sizeof *map->band_positions_m, "places of bands", &map->band_positions_m));
    for (size_t i = 0; i < count; i++) {
        RW_TRY(rw_string_replace(map->context, transmitters[i].name, &map->band_names[i]));
        map->band_positions_m[i][0] = transmitters[i].x_m;
        map->band_positions_m[i][1] = transmitters[i].y_m;
        map->band_positions_m[i][2] = transmitters[i].height_m;
    }
    return RW_OK;
}

void rw_layer_band_name(const rw_map *map, const rw_layer_data *layer, size_t band, char string[RW_BAND_NAME_MAX])
{
    size_t levels = layer->levels ? layer->levels : 1, transmitter = band / levels;
    int named = layer->bands == levels * map->band_count;
    const char *name = named ? map->band_names[transmitter] : layer->levels ? "" : layer->name;
    if (layer->levels)
        snprintf(string, RW_BAND_NAME_MAX, "%.120s%s%g m", name, name[0] ? " at " : "",
                 layer->first_level_m + (double)(band % levels) * layer->level_step_m);
    else
        snprintf(string, RW_BAND_NAME_MAX, "%.150s", name);
}

rw_status rw_map_transmitters_to_string(const rw_map *map, char **string)
{
    size_t count = map->band_positions_m ? map->band_count : 0, length = 0;
    RW_TRY(rw_array_create(map->context, count * POSITION_STRING_MAX + 1, 1, "places of bands", string));
    for (size_t i = 0; i < count; i++) {
        const double *position = map->band_positions_m[i];
        length += (size_t)snprintf(*string + length, POSITION_STRING_MAX, "%s%.17g %.17g %.17g", i ? ", " : "",
                                   position[0], position[1], position[2]);
    }
    return RW_OK;
}

static int read_position(const char **at, double position_m[3])
{
    for (int i = 0; i < 3; i++) {
        size_t used = rw_parse_number(*at, &position_m[i]);
        if (used == 0 || !rw_is_coordinate(position_m[i]))
            return 0;
        *at += used;
    }
    *at += strspn(*at, " \t\r\n");
    return 1;
}

rw_status rw_map_transmitters_from_string(rw_map *map, const char *string)
{
    double(*positions_m)[3];
    RW_TRY(rw_array_create(map->context, map->band_count, sizeof *positions_m, "places of bands", &positions_m));
    size_t read = 0;
    while (read < map->band_count && read_position(&string, positions_m[read])) {
        read++;
        if (*string != ',')
            break;
        string++;
    }
    if (read < map->band_count || *string) {
        free(positions_m); /* places that are not those of the bands are worse than none */
        return RW_OK;
    }
    free(map->band_positions_m);
    map->band_positions_m = positions_m;
    return RW_OK;
}

rw_status rw_map_get_transmitter(const rw_map *map, size_t band, rw_transmitter *transmitter)
{
    rw_transmitter new_transmitter;
    rw_transmitter_init(&new_transmitter);
    if (!map->band_positions_m || band >= map->band_count)
        return rw_fail(map->context, RW_NOT_FOUND, "the map does not say where the transmitter of band %zu is",
                       band + 1);
    new_transmitter.name = map->band_names[band];
    new_transmitter.x_m = map->band_positions_m[band][0];
    new_transmitter.y_m = map->band_positions_m[band][1];
    new_transmitter.height_m = map->band_positions_m[band][2];
    return RW_ASSIGN(map->context, &new_transmitter, transmitter);
}

rw_status rw_map_get_band_name(const rw_map *map, size_t layer, size_t band, char *name, size_t size)
{
    char string[RW_BAND_NAME_MAX];
    if (layer >= map->info.layers || band >= map->layers[layer].bands)
        return rw_fail(map->context, RW_BAD_CALL, "the map has no band %zu of layer %zu", band, layer);
    rw_layer_band_name(map, &map->layers[layer], band, string);
    snprintf(name, size, "%s", string);
    return RW_OK;
}

/* Which receivers have a path: as a raster both "no path" and "no receiver" are nodata, and this layer tells them apart
 * in any GIS. */

/* A layer whose infinite values are receivers without a path. */
static const rw_layer_data *find_basis(const rw_map *map)
{
    static const char *const names[] = {"path_loss", "power", "field_strength"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        for (size_t i = 0; i < map->info.layers; i++)
            if (strcmp(map->layers[i].name, names[k]) == 0)
                return &map->layers[i];
    return NULL;
}

rw_status rw_map_add_reception(rw_map *map)
{
    const rw_layer_data *basis = find_basis(map);
    size_t count = basis ? basis->bands * map->info.columns * map->info.rows : 0, without = 0, ignored;
    float *values;
    for (size_t i = 0; i < count; i++)
        without += isinf(basis->values[i]) != 0;
    if (!without || rw_map_find_layer(map, "reception", &ignored) == RW_OK)
        return RW_OK;
    RW_TRY(rw_map_add_layer_unset(map, "reception", "", basis->bands, &values));
    for (size_t i = 0; i < count; i++)
        values[i] = isnan(basis->values[i]) ? NAN : isinf(basis->values[i]) ? 0.0f : 1.0f;
    return RW_OK;
}
