/* Which transmitters a map is of: name and place of each band, and the places as one text for the headers of map files:
 * "x y height, x y height", in metres, the height above ground. */
#include "output/maps/map.h"

#include "base/memory.h"
#include "base/options.h"
#include "base/range.h"
#include "base/text/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
