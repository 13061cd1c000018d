/* Values of a model as a layer of a map where both lie on the same backend: one item is one cell. Cells inside
 * buildings become nodata. On the way to main memory rw_run_fetch does the same. */
#ifndef RW_MODELS_ENGINE_RUN_STORE_LAYER_K_H
#define RW_MODELS_ENGINE_RUN_STORE_LAYER_K_H

#include "base/kernel/qualifiers.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>

struct rw_store_layer_args {
    const void *from;
    int type; /* of from, an rw_value_type: 0 bytes, 1 uint32_t, 2 float */
    const uint8_t *indoor;
    float *to;
};

RW_FN void rw_store_layer_item(const struct rw_store_layer_args *args, size_t item)
{
    float value = args->type == 0   ? (float)((const uint8_t *)args->from)[item]
                  : args->type == 1 ? (float)((const uint32_t *)args->from)[item]
                                    : ((const float *)args->from)[item];
    args->to[item] = args->indoor[item] ? NAN : value;
}

#endif
