/* Regions of a raster as polygons: cells of one class that share sides are one polygon, whose outline runs along the
 * sides of its cells. The area of the polygons of a class is exactly that of its cells. */
#ifndef RW_OUTPUT_VECTORS_VECTORS_H
#define RW_OUTPUT_VECTORS_VECTORS_H

#include "base/context.h"
#include "output/maps/map.h"
#include "output/pictures/layer_style.h"

#include <stdio.h>

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

/* Classes of a layer as polygons: best servers, mechanisms, ranges of levels. */

typedef struct rw_polygon_class {
    int value;       /* of the layer; of ranges their number from 0 */
    double from, to; /* of ranges; NaN: open, or no range */
    char name[RW_CLASS_NAME_MAX];
    rw_colour colour;
} rw_polygon_class;

typedef struct rw_polygons {
    const rw_map *map;
    const rw_layer_data *layer;
    const char *title;
    rw_polygon_class *classes;
    size_t class_count;
    rw_regions regions;
} rw_polygons;

/* The format that a name's end stands for: "GPKG", "GeoJSON", "ESRI Shapefile", "KML", "KMZ"; NULL: none. */
const char *rw_polygons_format(const char *path);

/* World coordinates of the rings of one class, x and y of each point; *xy is to be freed. */
rw_status rw_polygons_points(const rw_polygons *polygons, size_t class_index, double **xy, size_t *point_count);

/* polygons_kml.c: KML, or with packed KMZ with the legend as a picture. */
rw_status rw_polygons_write_kml(const rw_polygons *polygons, const char *path, int packed);

/* A zip archive of a few files in memory, stored as they are: what a KMZ file is. */

typedef struct rw_zip_file {
    const char *name;
    const void *bytes;
    size_t size;
} rw_zip_file;

/* Writes the archive to the stream. Errors of the stream are the caller's to see. Files above 4 GB are refused. */
rw_status rw_zip_write(rw_context *context, FILE *stream, const rw_zip_file *files, size_t count);

#endif
