/* As many multiply-adds as the machine can do, in float and in double: what other kernels' arithmetic is compared with.
 *
 * Each item runs eight independent chains of multiply-adds, enough to hide the latency of one, from and to one float.
 */
#ifndef RW_BENCH_KERNELS_ARITHMETIC_LIMIT_K_H
#define RW_BENCH_KERNELS_ARITHMETIC_LIMIT_K_H

#include "base/kernel/qualifiers.h"
#include <stddef.h>

#define RW_ARITHMETIC_LIMIT_STEPS 64
#define RW_ARITHMETIC_LIMIT_FLOPS (2.0 * 8.0 * RW_ARITHMETIC_LIMIT_STEPS)

/* One chain a variable; eight in all. */
#define RW_ARITHMETIC_LIMIT_ITEM(type)                                                                                 \
    type s = (type)args->start[item], f = (type)args->factor;                                                          \
    type a0 = s, a1 = s + 1, a2 = s + 2, a3 = s + 3, a4 = s + 4, a5 = s + 5, a6 = s + 6, a7 = s + 7;                   \
    for (int step = 0; step < RW_ARITHMETIC_LIMIT_STEPS; step++) {                                                     \
        a0 = a0 * f + s;                                                                                               \
        a1 = a1 * f + s;                                                                                               \
        a2 = a2 * f + s;                                                                                               \
        a3 = a3 * f + s;                                                                                               \
        a4 = a4 * f + s;                                                                                               \
        a5 = a5 * f + s;                                                                                               \
        a6 = a6 * f + s;                                                                                               \
        a7 = a7 * f + s;                                                                                               \
    }                                                                                                                  \
    args->result[item] = (float)(((a0 + a1) + (a2 + a3)) + ((a4 + a5) + (a6 + a7)))

struct rw_arithmetic_limit_args {
    const float *start;
    float factor; /* below 1, so that nothing overflows */
    float *result;
};

#define rw_arithmetic_limit_double_args rw_arithmetic_limit_args

RW_FN void rw_arithmetic_limit_item(const struct rw_arithmetic_limit_args *args, size_t item)
{
    RW_ARITHMETIC_LIMIT_ITEM(float);
}

RW_FN void rw_arithmetic_limit_double_item(const struct rw_arithmetic_limit_args *args, size_t item)
{
    RW_ARITHMETIC_LIMIT_ITEM(double);
}

#endif
