/* A whole street graph as plain tables in host memory: what a corner database holds (models/shadow/database/stored.c).
 */
#ifndef RW_MODELS_SHADOW_DATABASE_DATABASE_H
#define RW_MODELS_SHADOW_DATABASE_DATABASE_H

#include "visibility/streets/street_graph.h"
#include "models/engine/calls/calls.h"
#include "base/container.h"

/* The receivers that the graph was made for. Lengths in metres, positions in world coordinates. */
typedef struct rw_street_subject {
    uint64_t columns, rows;
    double x0_m, y0_m, res_m, height_m;
} rw_street_subject;

typedef struct rw_street_tables {
    rw_street_subject subject;
    double bytes; /* of the file they were read from */
    size_t outdoor_bytes, corner_count, chunk_count, link_count, entry_count;
    unsigned char *outdoor; /* a bit for each cell, row by row: whether it is a receiver */
    uint32_t *link_firsts;  /* of each corner, and one more at the end */
    uint32_t *link_to;
    float *link_highest;
    uint32_t *entry_firsts; /* of each chunk, and one more at the end */
    uint32_t *entry_corner;
    uint16_t *heights; /* RW_CHUNK an entry */
} rw_street_tables;

/* Copies the graph from its backend, sorted, without what no receiver sees. */
rw_status rw_street_tables_fetch(const rw_street_graph *graph, rw_street_tables *tables);

/* Fills an empty graph with them. */
rw_status rw_street_tables_upload(const rw_street_tables *tables, rw_street_graph *graph);
void rw_street_tables_free(rw_street_tables *tables);

/* The corner database in memory: the receivers it was made for, and the street graph on the context's backend. */

typedef struct rw_corner_database {
    rw_street_subject subject;
    rw_receivers receivers;
    rw_street_graph graph;
} rw_corner_database;

extern const rw_database_calls rw_corner_database_calls;

/* The content of a database of the shadow model. */
const rw_corner_database *rw_corner_database_of(const rw_database *database);

/* The corner database as a file: a container (base/container.h) with the tables of a street graph. */

extern const rw_container_kind rw_corner_database_kind;

rw_status rw_street_tables_write(const rw_scene *scene, const char *path, const rw_street_tables *tables);

/* Checks everything the file says before it is believed. scene NULL: the file may be of any. */
rw_status rw_street_tables_read(rw_context *context, const char *path, const rw_scene *scene, rw_street_tables *tables);

#endif
