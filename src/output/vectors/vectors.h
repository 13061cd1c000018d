/* Maps as vectors: classes as polygons, contour lines, KML and the archive that KMZ is. */
#ifndef RW_OUTPUT_VECTORS_VECTORS_H
#define RW_OUTPUT_VECTORS_VECTORS_H

#include "base/context.h"
#include "output/maps/map.h"
#include "output/pictures/layer_style.h"
#include "scene/surface/regions.h"

#include <stdio.h>

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
