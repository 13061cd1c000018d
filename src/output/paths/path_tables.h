/* Paths as tables: CSV, and layers of a GeoPackage. */
#ifndef RW_OUTPUT_PATHS_PATH_TABLES_H
#define RW_OUTPUT_PATHS_PATH_TABLES_H

#include "output/paths/paths.h"

#include <stdio.h>

/* A line for each path, from each transmitter's first to its last; a point that nothing reaches has a line with no
 * numbers of a path. */
rw_status rw_paths_write_csv(FILE *stream, const rw_paths *paths);

/* Layers "points" and "paths". */
rw_status rw_paths_write_gpkg(const rw_paths *paths, const char *path);

/* The kinds of interaction of a path with commas between; "" for the direct one. */
void rw_path_interactions(const rw_path *path, char *string, size_t size);

#endif
