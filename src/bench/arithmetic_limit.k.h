/* As many multiply-adds as the machine can do: what other kernels' arithmetic is compared with.
 *
 * Each item runs eight independent chains of float multiply-adds, enough to hide the latency of one, from and to one
 * float. */
#ifndef RW_BENCH_ARITHMETIC_LIMIT_K_H
#define RW_BENCH_ARITHMETIC_LIMIT_K_H

#include "base/qualifiers.h"
#include <stddef.h>

#define RW_ARITHMETIC_LIMIT_STEPS 64
#define RW_ARITHMETIC_LIMIT_FLOPS (2.0 * 8.0 * RW_ARITHMETIC_LIMIT_STEPS)

struct rw_arithmetic_limit_args {
    const float *start;
    float factor; /* below 1, so that nothing overflows */
    float *result;
};

RW_FN void rw_arithmetic_limit_item(const struct rw_arithmetic_limit_args *args, size_t item)
{
    float s = args->start[item], f = args->factor;
    float a0 = s, a1 = s + 1.0f, a2 = s + 2.0f, a3 = s + 3.0f, a4 = s + 4.0f, a5 = s + 5.0f, a6 = s + 6.0f,
          a7 = s + 7.0f;
    for (int step = 0; step < RW_ARITHMETIC_LIMIT_STEPS; step++) {
        a0 = a0 * f + s;
        a1 = a1 * f + s;
        a2 = a2 * f + s;
        a3 = a3 * f + s;
        a4 = a4 * f + s;
        a5 = a5 * f + s;
        a6 = a6 * f + s;
        a7 = a7 * f + s;
    }
    args->result[item] = ((a0 + a1) + (a2 + a3)) + ((a4 + a5) + (a6 + a7));
}

#endif
