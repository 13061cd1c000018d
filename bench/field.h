/* Benchmarks of the field kernels: checked against the double reference first, then timed. */
#ifndef RW_BENCH_FIELD_H
#define RW_BENCH_FIELD_H

#include "base/context.h"

typedef struct rw_bench_field_result {
    const char *name;    /* "wedge coefficients" or "slab coefficients" */
    const char *backend; /* "cpu, one thread" or "cuda" */
    double items_per_s;
    double target_per_s;      /* what the project has set itself */
    double flops_per_item;    /* counted in the source; a multiply-add is two */
    double flops_limit_per_s; /* of the same backend and precision, by a kernel of multiply-adds */
    double percent_of_limit;
    double bytes_per_item; /* read and written */
    double largest_error;  /* against the double reference, relative to full scale */
} rw_bench_field_result;

/* Soft and hard coefficient of one ray on a lossy wedge (both together count as one). */
rw_status rw_bench_field_wedge(rw_context *context, rw_backend backend, rw_bench_field_result *result);

/* R and T, TE and TM, of one ray on a slab (all four together count as one). */
rw_status rw_bench_field_slab(rw_context *context, rw_backend backend, rw_bench_field_result *result);

#endif
