/* Which receivers have a path: as a raster both "no path" and "no receiver" are nodata, and this layer tells them apart
 * in any GIS. */
#include "output/maps/map.h"

#include <math.h>
#include <string.h>

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
