/* A raster of weights (people in each pixel) on the cells of a map. */
#ifndef RW_OUTPUT_STATISTICS_WEIGHTS_H
#define RW_OUTPUT_STATISTICS_WEIGHTS_H

#include "output/maps/map.h"

#include <stdint.h>

/* Shares the weight of each pixel evenly among the cells that it covers, so that the sum stays; what lies off the map
 * is left out. weights: one a cell, zeros. */
rw_status rw_weights_spread(const rw_map *map, const char *path, double *weights);

/* For each cell the nearest one whose value is not NaN, itself if it has one: where the people of a building are
 * counted if nothing is predicted inside. RW_NO_RECEIVER if the map has no such cell. One owner for plan and
 * statistics. */
#define RW_NO_RECEIVER UINT32_MAX
rw_status rw_weights_find_nearest(const rw_map *map, const float *values, uint32_t *nearest);

#endif
