/* Embree, for the benchmark only: the usual alternative for lines of sight between points. */
#ifndef RW_BENCH_EMBREE_H
#define RW_BENCH_EMBREE_H

#include "base/context.h"

typedef struct rw_embree rw_embree;

/* A scene of triangles: three floats a vertex, three numbers of vertices a triangle. RW_UNSUPPORTED without the
 * library. */
rw_status rw_embree_create(rw_context *context, const float *vertices, size_t vertex_count, const uint32_t *triangles,
                           size_t triangle_count, rw_embree **embree);
void rw_embree_destroy(rw_embree *embree);

/* 1 for each line from one point to another that no triangle crosses, else 0. from and to have three floats a line.
 * packets 1: sixteen lines at a time, which suits lines from one point to neighbours. */
rw_status rw_embree_clear(rw_context *context, rw_embree *embree, const float *from, const float *to, size_t count,
                          int packets, uint8_t *clear);

#endif
