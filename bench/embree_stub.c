#include "bench/bench.h"

rw_status rw_embree_create(rw_context *context, const float *vertices, size_t vertex_count, const uint32_t *triangles,
                           size_t triangle_count, rw_embree **embree)
{
    (void)vertices, (void)vertex_count, (void)triangles, (void)triangle_count;
    *embree = NULL;
    return rw_fail(context, RW_UNSUPPORTED, "this build has no Embree; configure with -DRW_EMBREE=ON");
}

void rw_embree_destroy(rw_embree *embree)
{
    (void)embree;
}

rw_status rw_embree_clear(rw_context *context, rw_embree *embree, const float *from, const float *to, size_t count,
                          int packets, uint8_t *clear)
{
    (void)context, (void)embree, (void)from, (void)to, (void)count, (void)packets, (void)clear;
    return RW_UNSUPPORTED;
}
