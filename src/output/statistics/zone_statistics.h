/* The table of statistics by zones. */
#ifndef RW_OUTPUT_STATISTICS_ZONE_STATISTICS_H
#define RW_OUTPUT_STATISTICS_ZONE_STATISTICS_H

#include "discretise/zones/zones.h"
#include "output/maps/map.h"

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

#endif
