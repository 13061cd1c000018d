/* Exact marches for what the polar buffers left open: one item is one place of the list. */
#ifndef RW_VISIBILITY_MARCH_OPEN_K_H
#define RW_VISIBILITY_MARCH_OPEN_K_H

#include "visibility/polar_los.k.h"

struct rw_march_open_args {
    struct rw_polar_los_args list;
};

RW_FN void rw_march_open_item(const struct rw_march_open_args *args, size_t item)
{
    if (item >= *args->list.open_count)
        return;
    uint64_t open = args->list.open_items[item];
    rw_march_open(&args->list.all, (size_t)(open >> 32), (size_t)(open & 0xffffffffu));
}

#endif
