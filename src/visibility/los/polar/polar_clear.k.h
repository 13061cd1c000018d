/* Empties polar buffers and the lists of what they leave open: one item is one word of one buffer. */
#ifndef RW_VISIBILITY_LOS_POLAR_POLAR_CLEAR_K_H
#define RW_VISIBILITY_LOS_POLAR_POLAR_CLEAR_K_H

#include "visibility/los/polar/polar.k.h"

struct rw_polar_clear_args {
    rw_polar_bins *bins;
    uint32_t *counts; /* lengths of two lists */
};

/* The two ranges stand first in a buffer; what follows are bits. */
RW_FN void rw_polar_clear_item(const struct rw_polar_clear_args *args, size_t item)
{
    size_t word = item % (sizeof(rw_polar_bins) / sizeof(uint32_t));
    if (item < 2)
        args->counts[item] = 0;
    ((uint32_t *)args->bins)[item] = word < 2 * RW_POLAR_BINS ? rw_float_bits(RW_POLAR_FAR) : 0u;
}

#endif
