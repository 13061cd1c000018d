/* The physics group: coefficients a second of wedges and slabs, as percent of the machine's arithmetic. */
#include "bench/bench.h"
#include "bench/groups.h"

#include <stdio.h>

static void report_field_result(const rw_bench *bench, const rw_bench_field_result *result)
{
    char name[64], note[160];
    snprintf(name, sizeof name, "%s, %s", result->name, result->backend);
    snprintf(note, sizeof note, "%.0f %% of the arithmetic limit, largest error %.0e", result->percent_of_limit,
             result->largest_error);
    const rw_bench checked =
        rw_bench_checked(bench, (rw_bench_check){"the double reference", result->largest_error, 2e-5, "of full scale"});
    rw_bench_add_result(&checked, "physics", name, result->items_per_s, "1/s",
                        result->flops_limit_per_s / result->flops_per_item, result->target_per_s, note);
}

rw_status rw_bench_physics(const rw_bench *bench)
{
    if (!rw_bench_wants(bench, "physics", "physics"))
        return RW_OK;
    rw_backend last = bench->context->backend == RW_BACKEND_CUDA ? RW_BACKEND_CUDA : RW_BACKEND_CPU;
    for (int backend = RW_BACKEND_CPU; backend <= (int)last; backend++) {
        rw_bench_field_result result;
        RW_TRY(rw_bench_field_wedge(bench->context, (rw_backend)backend, &result));
        report_field_result(bench, &result);
        RW_TRY(rw_bench_field_slab(bench->context, (rw_backend)backend, &result));
        report_field_result(bench, &result);
    }
    return RW_OK;
}
