/* A whole street graph as plain tables in host memory, and as a file: the corner database.
 *
 * The file holds a header, then the tables. It is written in the byte order of the machine, and says which; whether it
 * belongs to a scene and a receiver grid is told by a hash and by the grid's numbers. */
#ifndef RW_MODELS_SHADOW_DATABASE_STREET_TABLES_H
#define RW_MODELS_SHADOW_DATABASE_STREET_TABLES_H

#include "visibility/streets/street_graph.h"

/* What the graph was made for. Lengths in metres, positions in world coordinates. */
typedef struct rw_street_subject {
    uint64_t scene_hash;
    uint64_t columns, rows;
    double x0_m, y0_m, res_m, height_m;
} rw_street_subject;

typedef struct rw_street_tables {
    rw_street_subject subject;
    uint64_t corner_count, chunk_count, link_count, entry_count;
    uint32_t *link_firsts; /* of each corner, and one more at the end */
    uint32_t *link_to;
    float *link_highest;
    uint32_t *entry_firsts; /* of each chunk, and one more at the end */
    uint32_t *entry_corner;
    uint16_t *heights; /* RW_CHUNK an entry */
} rw_street_tables;

/* Everything that decides on a street graph of the scene: walls, corners, terrain. */
uint64_t rw_street_scene_hash(const rw_scene *scene);

/* Copies the graph from its backend, sorted, without what no receiver sees. */
rw_status rw_street_tables_fetch(const rw_street_graph *graph, rw_street_tables *tables);

/* Fills an empty graph with them. */
rw_status rw_street_tables_place(const rw_street_tables *tables, rw_street_graph *graph);
void rw_street_tables_free(rw_street_tables *tables);

rw_status rw_street_tables_write(rw_context *context, const char *path, const rw_street_tables *tables);

/* Checks everything the file says before it is believed. */
rw_status rw_street_tables_read(rw_context *context, const char *path, rw_street_tables *tables);

/* Bytes of the file. */
double rw_street_tables_bytes(const rw_street_tables *tables);

/* Whether the first bytes of a file are those of a corner database. */
int rw_street_tables_recognise(const char *bytes, size_t size);

#endif
