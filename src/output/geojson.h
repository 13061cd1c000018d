/* The frame of a GeoJSON file: a collection of features, and the coordinate system that they are in. */
#ifndef RW_OUTPUT_GEOJSON_H
#define RW_OUTPUT_GEOJSON_H

#include <stdio.h>

/* Up to the first feature. crs is empty where the scene has none; provenance is a member of the collection, NULL: none.
 */
void rw_geojson_begin(FILE *stream, const char *crs, const char *provenance);
void rw_geojson_end(FILE *stream);

#endif
