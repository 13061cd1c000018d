/* A raster of weights (people in each pixel) on the cells of a map. */
#ifndef RW_OUTPUT_STATISTICS_WEIGHTS_H
#define RW_OUTPUT_STATISTICS_WEIGHTS_H

#include "output/maps/map.h"

/* Shares the weight of each pixel evenly among the cells that it covers, so that the sum stays; what lies off the map
 * is left out. weights: one a cell, zeros. */
rw_status rw_weights_spread(const rw_map *map, const char *path, double *weights);

#endif
