/* Exact marches for what the polar buffers left open: item i takes places i, i + stride and so
 * on of the list. */
#ifndef RW_VISIBILITY_MARCH_OPEN_K_H
#define RW_VISIBILITY_MARCH_OPEN_K_H

#include "visibility/polar_los.k.h"

struct rw_march_open_args {
    struct rw_polar_los_args list;
    size_t stride;
};

RW_FN void rw_march_open_item(const struct rw_march_open_args *args, size_t item)
{
    uint32_t count = *args->list.open_count;
    for (size_t i = item; i < count; i += args->stride) {
        uint64_t open = args->list.open_items[i];
        rw_march_open(&args->list.all, (size_t)(open >> 32), (size_t)(open & 0xffffffffu));
    }
}

#endif
