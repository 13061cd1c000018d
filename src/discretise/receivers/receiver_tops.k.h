/* Altitudes of the highest receivers as kernels see them: whole numbers that are ordered as the altitudes are, so that
 * threads can raise them together. */
#ifndef RW_DISCRETISE_RECEIVERS_RECEIVER_TOPS_K_H
#define RW_DISCRETISE_RECEIVERS_RECEIVER_TOPS_K_H

#include "base/kernel/qualifiers.h"
#include <math.h>

#define RW_NO_RECEIVER 0u

RW_FN uint32_t rw_top_code(float altitude_m)
{
    uint32_t bits = rw_float_bits(altitude_m);
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

/* Minus infinity where there is no receiver. */
RW_FN float rw_top_altitude_m(uint32_t code)
{
    if (code == RW_NO_RECEIVER)
        return -INFINITY;
    return rw_bits_float(code & 0x80000000u ? code & 0x7fffffffu : ~code);
}

#endif
