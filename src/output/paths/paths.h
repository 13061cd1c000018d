/* Paths in memory: vertices one after another, and where each path begins. */
#ifndef RW_OUTPUT_PATHS_PATHS_H
#define RW_OUTPUT_PATHS_PATHS_H

#include "base/maths/complex.h"
#include "base/context.h"
#include "base/maths/vector.h"

#include <stdint.h>
#include <stdio.h>

typedef struct rw_path_entry {
    size_t point, transmitter;
    size_t first_vertex, vertex_count;
    double free_space_db, loss_db;
    double length_m;        /* of the line through the vertices, in the scene's metres */
    double delay_s;         /* 0: by the length */
    rw_complex gain;        /* sqrt(P_r/P_t) with phase; 0 where a model has none */
    rw_complex transfer[4]; /* as in rw_path */
    rw_vec3
        departs; /* directions, of length 1: of departure, and towards where the wave comes from; 0: by the vertices, */
    rw_vec3 arrives; /* which stand in the middle of walls that a ray leaves beside where it entered */
    size_t stored;   /* number in the record below, plus 1; 0: it is in none */
} rw_path_entry;

struct rw_paths {
    rw_context *context;
    size_t count, capacity;
    rw_path_entry *entries;
    size_t vertex_count, vertex_capacity;
    rw_path_vertex *vertices;
    size_t point_count;
    rw_point *points;
    uint8_t *indoor;    /* of each point */
    rw_motion *motions; /* of each point; NULL: all are at rest */
    size_t transmitter_count;
    rw_transmitter *transmitters;
    double rx_azimuth_deg, rx_tilt_deg, rx_roll_deg; /* of the points' antennas */
    int own_antennas;                                /* points have antennas of their own, each turned as it is */
    char *crs;                                       /* "" where none is known */
    char **names;                                    /* that vertices and transmitters point to, each once */
    size_t name_count, name_capacity;
    struct rw_gain_record *record; /* that models keep the factors of each path in (models/gains); NULL: none */
};

/* What the paths are between. All of it is copied. */
typedef struct rw_paths_ends {
    const rw_point *points;
    size_t point_count;
    const uint8_t *indoor;
    const rw_transmitter *transmitters;
    size_t transmitter_count;
    const char *crs;
} rw_paths_ends;

rw_status rw_paths_create(rw_context *context, rw_paths **paths);
rw_status rw_paths_set_ends(rw_paths *paths, const rw_paths_ends *ends);

/* The paths' own copy of a name, for vertices to point to. NULL stays NULL. */
rw_status rw_paths_store_name(rw_paths *paths, const char *name, const char **stored);

/* How a point moves; at rest where nothing is said. */
rw_motion rw_paths_motion(const rw_paths *paths, size_t point);

/* Appends one path; vertices are copied. Its length is that of the line through them. One of infinite loss is none. */
rw_status rw_paths_add(rw_paths *paths, const rw_path_entry *entry, const rw_path_vertex *vertices);

/* Paths as tables: CSV, and layers of a GeoPackage. */

/* A line for each path, from each transmitter's first to its last; a point that nothing reaches has a line with no
 * numbers of a path. */
rw_status rw_paths_write_csv(FILE *stream, const rw_paths *paths);

/* Layers "points" and "paths". */
rw_status rw_paths_write_gpkg(const rw_paths *paths, const char *path);

#endif
