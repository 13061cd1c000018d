#include "bench/groups.h"

#include "base/memory.h"
#include "bench/kernels.h"
#include "bench/kernels/arithmetic_limit.k.h"
#include "bench/kernels/slab_coefficients.k.h"
#include "bench/kernels/wedge_coefficients.k.h"
#include "device/device.h"

#include <math.h>
#include <stdlib.h>

/* Enough for a GPU to be full and to stand well above the cost of a launch; for one thread, of second-level cache size.
 */
#define ITEMS_CUDA ((size_t)1 << 25)
#define ITEMS_CPU ((size_t)1 << 13)
#define REPEATS 9

/* A repeatable number in [low, high) for item i of column c. */
static double hash_to_range(size_t i, size_t c, double low, double high)
{
    uint64_t bits = (i * 16 + c + 1) * 0x9e3779b97f4a7c15u;
    bits = (bits ^ (bits >> 31)) * 0xbf58476d1ce4e5b9u;
    return low + (high - low) * (double)(bits >> 40) / 16777216.0;
}

/* One kernel as rw_device_time runs it; on the CPU many rounds a time on one thread, since one is short. */
typedef struct timed_launch {
    rw_context *context;
    rw_backend backend;
    rw_bench_kernel kernel;
    const void *args;
    size_t count;
    int rounds;
} timed_launch;

static rw_status run_launch(void *user)
{
    const timed_launch *timed = user;
    if (timed->backend == RW_BACKEND_CUDA)
        return rw_device_launch_of(timed->context, timed->backend, &rw_bench_kernels, (int)timed->kernel, timed->args,
                                   timed->count);
    for (int i = 0; i < timed->rounds; i++)
        RW_TRY(rw_cpu_launch(NULL, &rw_bench_kernels, (int)timed->kernel, timed->args, timed->count));
    return RW_OK;
}

/* Median seconds of one launch on one thread or the GPU, after one to warm up. */
static rw_status time_launch(rw_context *context, rw_backend backend, rw_bench_kernel kernel, const void *args,
                             size_t count, double *seconds)
{
    timed_launch timed = {context, backend, kernel, args, count, backend == RW_BACKEND_CUDA ? 1 : 200};
    RW_TRY(rw_device_time(context, backend, run_launch, &timed, REPEATS, seconds));
    *seconds /= timed.rounds;
    return RW_OK;
}

/* Arrays for count columns of items floats, in one block. */
static rw_status make_columns(rw_context *context, rw_kernel_array *columns, size_t count, size_t items, float **block)
{
    RW_TRY(rw_array_create(context, count * items, sizeof **block, "benchmark arrays", block));
    for (size_t c = 0; c < count; c++) {
        columns[c].host = *block + c * items;
        columns[c].bytes = items * sizeof **block;
    }
    return RW_OK;
}

/* Sends, launches, fetches for the check, and times. */
static rw_status measure_kernel(rw_context *context, rw_backend backend, rw_bench_kernel kernel, const void *args,
                                rw_kernel_array *columns, size_t count, size_t items, double *seconds)
{
    rw_status status = rw_kernel_arrays_upload(context, backend, columns, count);
    if (status == RW_OK)
        status = rw_device_launch_of(context, backend, &rw_bench_kernels, (int)kernel, args, items);
    if (status == RW_OK)
        status = rw_kernel_arrays_fetch(context, backend, columns, count);
    if (status == RW_OK)
        status = time_launch(context, backend, kernel, args, items, seconds);
    rw_kernel_arrays_release(backend, columns, count);
    return status;
}

static rw_status measure_limit(rw_context *context, rw_backend backend, rw_bench_kernel kernel, double *flops_per_s)
{
    size_t items = backend == RW_BACKEND_CUDA ? ITEMS_CUDA : ITEMS_CPU;
    struct rw_arithmetic_limit_args args = {.factor = 0.5f};
    rw_kernel_array columns[] = {{.field = &args.start}, {.field = &args.result, .output = 1}};
    float *block = NULL;
    double seconds = 0.0;
    RW_TRY(make_columns(context, columns, 2, items, &block));
    for (size_t i = 0; i < items; i++)
        block[i] = (float)hash_to_range(i, 0, 0.0, 1.0);
    rw_status status = measure_kernel(context, backend, kernel, &args, columns, 2, items, &seconds);
    free(block);
    if (status == RW_OK)
        *flops_per_s = RW_ARITHMETIC_LIMIT_FLOPS * (double)items / seconds;
    return status;
}

static rw_status finish_field_result(rw_context *context, rw_backend backend, rw_bench_kernel limit, double seconds,
                                     size_t items, rw_bench_field_result *result)
{
    RW_TRY(measure_limit(context, backend, limit, &result->flops_limit_per_s));
    result->backend = backend == RW_BACKEND_CUDA ? "cuda" : "cpu, one thread";
    result->items_per_s = (double)items / seconds;
    result->percent_of_limit = 100.0 * result->items_per_s * result->flops_per_item / result->flops_limit_per_s;
    if (!(result->largest_error <= 2e-5))
        return rw_fail(context, RW_INTERNAL, "%s are wrong by %.1e, so their speed means nothing", result->name,
                       result->largest_error);
    return RW_OK;
}

/* NaN, once there, stays. */
static double worse_of(double worst, double error)
{
    return isnan(worst) || error <= worst ? worst : error;
}

/* Checks some thousand items spread over the array. */
static size_t check_step(size_t items)
{
    return items / 4096 > 0 ? items / 4096 : 1;
}

static double wedge_error(float *const *columns, size_t items, double wavenumber, rw_complex permittivity)
{
    double largest = 0.0;
    for (size_t i = 0; i < items; i += check_step(items)) {
        rw_wedge_geometry geometry = {columns[0][i], columns[1][i], columns[2][i], columns[3][i], columns[4][i]};
        rw_wedge_terms terms = rw_wedge_terms_of(&geometry, wavenumber);
        rw_wedge_faces faces = rw_wedge_faces_of(&geometry, permittivity, 0, 0);
        rw_soft_hard expected = rw_wedge_coefficients_of(&geometry, &terms, &faces);
        double scale = rw_complex_abs(expected.soft) + rw_complex_abs(expected.hard) + 0.05;
        double soft = hypot(columns[5][i] - expected.soft.re, columns[6][i] - expected.soft.im) / scale;
        double hard = hypot(columns[7][i] - expected.hard.re, columns[8][i] - expected.hard.im) / scale;
        largest = worse_of(worse_of(largest, soft), hard);
    }
    return largest;
}

rw_status rw_bench_field_wedge(rw_context *context, rw_backend backend, rw_bench_field_result *result)
{
    size_t items = backend == RW_BACKEND_CUDA ? ITEMS_CUDA : ITEMS_CPU;
    struct rw_wedge_coefficients_args args = {.wavenumber = 20.0, .permittivity = {5.24, -0.6}};
    rw_kernel_array columns[] = {{.field = &args.exterior_over_pi},     {.field = &args.source_angle_rad},
                                 {.field = &args.observer_angle_rad},   {.field = &args.sine_edge_angle},
                                 {.field = &args.distance_parameter_m}, {.field = &args.soft_re, .output = 1},
                                 {.field = &args.soft_im, .output = 1}, {.field = &args.hard_re, .output = 1},
                                 {.field = &args.hard_im, .output = 1}};
    float *block = NULL, *arrays[9];
    double seconds = 0.0;
    RW_TRY(make_columns(context, columns, 9, items, &block));
    for (size_t c = 0; c < 9; c++)
        arrays[c] = block + c * items;
    for (size_t i = 0; i < items; i++) {
        arrays[0][i] = (float)hash_to_range(i, 0, 1.1, 2.0);
        arrays[1][i] = (float)hash_to_range(i, 1, 0.0, arrays[0][i] * RW_PI);
        arrays[2][i] = (float)hash_to_range(i, 2, 0.0, arrays[0][i] * RW_PI);
        arrays[3][i] = (float)hash_to_range(i, 3, 0.3, 1.0);
        arrays[4][i] = (float)hash_to_range(i, 4, 1.0, 100.0);
    }
    rw_status status =
        measure_kernel(context, backend, RW_BENCH_KERNEL_wedge_coefficients, &args, columns, 9, items, &seconds);
    *result = (rw_bench_field_result){.name = "wedge coefficients", .bytes_per_item = 9 * sizeof(float)};
    result->target_per_s = backend == RW_BACKEND_CUDA ? 2e9 : 2e7;
    /* All in double. A term: 46 for the rational function, 52 for two sines and a cosine, 20 for the rest; four of
     * them. A face: 75. The sums: 36 each for soft and hard. Angles and scale: 20. */
    result->flops_per_item = 4 * 118 + 2 * 75 + 2 * 36 + 20;
    if (status == RW_OK)
        result->largest_error = wedge_error(arrays, items, args.wavenumber, rw_complex_of(5.24, -0.6));
    free(block);
    return status == RW_OK
               ? finish_field_result(context, backend, RW_BENCH_KERNEL_arithmetic_limit_double, seconds, items, result)
               : status;
}

static double slab_error(float *const *columns, size_t items)
{
    double largest = 0.0;
    for (size_t i = 0; i < items; i += check_step(items)) {
        rw_layer_field layer = {{columns[1][i], columns[2][i]}, columns[3][i]};
        rw_interface expected = rw_slab_stack(&layer, 1, columns[0][i], 1.0);
        const rw_complex coefficients[4] = {expected.reflection.te, expected.reflection.tm, expected.transmission.te,
                                            expected.transmission.tm};
        for (size_t coefficient = 0; coefficient < 4; coefficient++) {
            double error = hypot(columns[4 + 2 * coefficient][i] - coefficients[coefficient].re,
                                 columns[5 + 2 * coefficient][i] - coefficients[coefficient].im);
            largest = worse_of(largest, error);
        }
    }
    return largest;
}

rw_status rw_bench_field_slab(rw_context *context, rw_backend backend, rw_bench_field_result *result)
{
    size_t items = backend == RW_BACKEND_CUDA ? ITEMS_CUDA : ITEMS_CPU;
    struct rw_slab_coefficients_args args = {0};
    rw_kernel_array columns[] = {{.field = &args.cosine_incidence},
                                 {.field = &args.permittivity_re},
                                 {.field = &args.permittivity_im},
                                 {.field = &args.thickness_wavelengths},
                                 {.field = &args.reflection_te_re, .output = 1},
                                 {.field = &args.reflection_te_im, .output = 1},
                                 {.field = &args.reflection_tm_re, .output = 1},
                                 {.field = &args.reflection_tm_im, .output = 1},
                                 {.field = &args.transmission_te_re, .output = 1},
                                 {.field = &args.transmission_te_im, .output = 1},
                                 {.field = &args.transmission_tm_re, .output = 1},
                                 {.field = &args.transmission_tm_im, .output = 1}};
    float *block = NULL, *arrays[12];
    double seconds = 0.0;
    RW_TRY(make_columns(context, columns, 12, items, &block));
    for (size_t c = 0; c < 12; c++)
        arrays[c] = block + c * items;
    for (size_t i = 0; i < items; i++) {
        arrays[0][i] = (float)hash_to_range(i, 0, 0.02, 1.0);
        arrays[1][i] = (float)hash_to_range(i, 1, 1.5, 8.0);
        arrays[2][i] = (float)hash_to_range(i, 2, -2.0, 0.0);
        arrays[3][i] = (float)hash_to_range(i, 3, 0.01, 5.0);
    }
    rw_status status =
        measure_kernel(context, backend, RW_BENCH_KERNEL_slab_coefficients, &args, columns, 12, items, &seconds);
    *result = (rw_bench_field_result){.name = "slab coefficients", .bytes_per_item = 12 * sizeof(float)};
    result->target_per_s = backend == RW_BACKEND_CUDA ? 1e10 : 1e8;
    /* Index and its refinement 45, phasor 40, exponential and 1 - e^2 45, and 55 for each polarisation; set-up 25. */
    result->flops_per_item = 45 + 40 + 45 + 2 * 55 + 25;
    if (status == RW_OK)
        result->largest_error = slab_error(arrays, items);
    free(block);
    return status == RW_OK
               ? finish_field_result(context, backend, RW_BENCH_KERNEL_arithmetic_limit, seconds, items, result)
               : status;
}
