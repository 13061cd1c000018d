/* A map of several transmitters as one of the strongest in each cell. */
#include "output/maps/map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* No path is never better than a path, and no receiver never better than either. */
static int is_better(float value, float than, int lower_is_better)
{
    if (isnan(than) || isnan(value))
        return isnan(than) && !isnan(value);
    if (!isfinite(than) || !isfinite(value))
        return !isfinite(than) && isfinite(value);
    return lower_is_better ? value < than : value > than;
}

static void reduce_bands(rw_layer_data *layer, size_t cells, int lower_is_better)
{
    for (size_t band = 1; band < layer->bands; band++)
        for (size_t i = 0; i < cells; i++)
            if (is_better(layer->values[band * cells + i], layer->values[i], lower_is_better))
                layer->values[i] = layer->values[band * cells + i];
    layer->bands = 1;
    float *smaller = cells ? realloc(layer->values, cells * sizeof *smaller) : NULL;
    layer->values = smaller ? smaller : layer->values;
}

/* Bands at several altitudes of one transmitter. */
static int has_altitudes(const rw_layer_data *layer)
{
    return layer->levels > 1 || strcmp(layer->name, "volume") == 0;
}

rw_status rw_map_select_strongest(rw_map *map)
{
    size_t cells = map->info.columns * map->info.rows;
    for (size_t i = 0; i < map->info.layers; i++) {
        const rw_layer_data *layer = &map->layers[i];
        if (layer->bands > 1 && !has_altitudes(layer) && rw_layer_get_order(layer->name) == RW_LAYER_UNORDERED)
            return rw_fail(map->context, RW_BAD_CALL,
                           "layer %s has no strongest of its %zu bands; choose one: --transmitter 1", layer->name,
                           layer->bands);
    }
    for (size_t i = 0; i < map->info.layers; i++)
        if (map->layers[i].bands > 1 && !has_altitudes(&map->layers[i]))
            reduce_bands(&map->layers[i], cells, rw_layer_get_order(map->layers[i].name) == RW_LAYER_LOWER_IS_BETTER);
    return RW_OK;
}
