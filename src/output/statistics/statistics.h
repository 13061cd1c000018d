/* The table of statistics by zones. */
#ifndef RW_OUTPUT_STATISTICS_STATISTICS_H
#define RW_OUTPUT_STATISTICS_STATISTICS_H

#include "discretise/zones/zones.h"
#include "output/maps/map.h"

#include <stdint.h>

struct rw_zone_table {
    rw_context *context;
    char *crs;
    rw_zones zones;    /* count 0: none, and the table has the whole map alone */
    rw_zone_row *rows; /* the zones, then the whole map */
    size_t count;
    int has_level, has_weights;
    size_t class_count; /* 0: the layer has values */
    char (*class_names)[64];
    size_t *class_cells; /* class by class of each row */
};

/* A raster of weights (people in each pixel) on the cells of a map. */

/* Shares the weight of each pixel evenly among the cells that it covers, so that the sum stays; what lies off the map
 * is left out. weights: one a cell, zeros. */
rw_status rw_weights_spread(const rw_map *map, const char *path, double *weights);

/* For each cell the nearest one whose value is not NaN, itself if it has one: where the people of a building are
 * counted if nothing is predicted inside. RW_NO_NEAREST if the map has no such cell. One owner for plan and
 * statistics. */
#define RW_NO_NEAREST UINT32_MAX
rw_status rw_weights_find_nearest(const rw_map *map, const float *values, uint32_t *nearest);

#endif
