/* Regions of a raster as polygons: cells of one class that share sides are one polygon, whose outline runs along the
 * sides of its cells. The area of the polygons of a class is exactly that of its cells. */
#ifndef RW_SCENE_SURFACE_REGIONS_H
#define RW_SCENE_SURFACE_REGIONS_H

#include "base/context.h"

#define RW_NO_CLASS (-1)

/* Rings in the order of their polygons, polygons in the order of their classes. Points are corners of cells as column
 * and row, from the south-west; outer rings are counter-clockwise and the first of their polygon, holes clockwise. */
typedef struct rw_regions {
    uint32_t *points;   /* column, row */
    size_t *ring_first; /* ring_count + 1 entries, in points */
    size_t ring_count;
    size_t *polygon_first; /* polygon_count + 1 entries, in rings */
    size_t polygon_count;
    size_t *class_first; /* class_count + 1 entries, in polygons */
    size_t class_count;
    size_t *class_cells; /* cells of each class */
} rw_regions;

/* classes: one a cell, 0 to class_count - 1 or RW_NO_CLASS; rows from the south. */
rw_status rw_regions_find(rw_context *context, const int32_t *classes, size_t columns, size_t rows, size_t class_count,
                          rw_regions *regions);
void rw_regions_free(rw_regions *regions);

#endif
