/* Values on tiles, transmitter by transmitter. */
#ifndef RW_MODELS_TILES_VALUES_H
#define RW_MODELS_TILES_VALUES_H

#include "models/rays/ray_layers.h"
#include "models/tiles/tiles.h"
#include "output/tiles/tile_map.h"

/* Layers: those of rays in cities, and what counts most where there is no line of sight. */
#define RW_TILE_LAYERS(X) RW_CITY_LAYERS(X) X(RW_TILE_LAYER_MECHANISM, "mechanism", "", NULL)
enum { RW_TILE_LAYER_MECHANISM = RW_CITY_LAYER_INDOOR + 1 };

/* Values of mechanism: in sight, by rays, over the roofs; the numbers are those of the same mechanisms in other models.
 */
enum { RW_TILE_SIGHT = 0, RW_TILE_ROOFS = 2, RW_TILE_RAYS = 4 };
void rw_tile_store_mechanism(const rw_ray_layers *layers, size_t cell, const rw_ray_sums *sums); /* values.c */

typedef struct rw_tile_values {
    rw_prediction prediction; /* whose cells are tiles, one row of them; all else is lent */
    const rw_tile_city *city;
    rw_ray_sum_kind kind;
    rw_run run; /* of the values' map */
    rw_received_memory received;
    uint32_t *all; /* numbers of all tiles: each is a receiver */
    rw_vec3 *centres;
    uint8_t *outdoors; /* zeros */
    float *power_dbm;
    rw_ray_sums *sums;
    rw_tile_map *map;
} rw_tile_values;

rw_status rw_tile_values_begin(const rw_prediction *prediction, const rw_tile_city *city, rw_ray_sum_kind kind,
                               rw_tile_values *values);

/* The sums of a solver that has run, with those of tiles. */
rw_status rw_tile_values_add(rw_tile_values *values, size_t transmitter, const rw_tile_solver *solver);

/* Places the transmitters where there are no cells: on the scene. Other models have no tiles. */
rw_status rw_tiles_locate_on_scene(rw_prediction *prediction);

/* After the last transmitter. Gives all back but the map, which it returns. */
rw_tile_map *rw_tile_values_end(rw_tile_values *values);

#endif
