/* Running a kernel of the benchmark's list on random inputs on both backends and comparing: what the kernel tests
 * share. */
#ifndef RW_TESTS_KERNEL_RUN_H
#define RW_TESTS_KERNEL_RUN_H

#include "bench/kernels.h"
#include "device/device.h"

#include "unit.h"

#define ITEMS 20000

static uint64_t seed = 1;

static inline double uniform(double low, double high)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(seed >> 11) / 9007199254740992.0;
}

/* Host arrays of a kernel: inputs filled by the test, outputs of the CPU and of what it is compared with. */
static float inputs[6][ITEMS];
static float cpu[8][ITEMS], other[8][ITEMS];

static inline void fill(float *values, double low, double high)
{
    for (size_t i = 0; i < ITEMS; i++)
        values[i] = (float)uniform(low, high);
}

static inline rw_context *context_of(rw_backend backend)
{
    rw_context_options options;
    rw_context_options_init(&options);
    options.backend = backend;
    options.threads = 1;
    rw_context *context;
    if (rw_context_create(&options, &context) == RW_OK)
        return context;
    if (backend != RW_BACKEND_CUDA)
        fail_msg("no context: %s\n", rw_last_error(context));
    rw_context_destroy(context);
    return NULL;
}

static inline void run(rw_backend backend, rw_bench_kernel kernel, const void *args, rw_kernel_array *columns,
                       size_t count)
{
    rw_context *context = context_of(backend);
    assert_non_null(context);
    assert_ok(context, rw_kernel_arrays_upload(context, backend, columns, count));
    assert_ok(context, rw_device_launch_of(context, backend, &rw_bench_kernels, (int)kernel, args, ITEMS));
    assert_ok(context, rw_kernel_arrays_fetch(context, backend, columns, count));
    rw_kernel_arrays_release(backend, columns, count);
    rw_context_destroy(context);
}

static inline int has_gpu(void)
{
    rw_context *context = context_of(RW_BACKEND_CUDA);
    int found = context != NULL;
    rw_context_destroy(context);
    return found;
}

/* From here to the other call the CPU runs with the plainest instruction set, which rounds as differently as a GPU may.
 */
static inline void plain_begin(void)
{
    if (strcmp(rw_cpu_isa(), "baseline") == 0)
        skip_test("this CPU has the baseline instruction set alone");
    setenv("RASTERWAVE_ISA", "baseline", 1);
}

static inline void plain_end(void)
{
    unsetenv("RASTERWAVE_ISA");
}

/* Largest difference of a complex value relative to its size (one hundredth where it vanishes), or to the sizes given.
 */
static inline double parity_error(int re, int im, const float *sizes)
{
    double worst = 0;
    for (size_t i = 0; i < ITEMS; i++) {
        double own = hypot(cpu[re][i], cpu[im][i]), size = sizes ? sizes[i] : own > 0.01 ? own : 0.01;
        double error = hypot((double)cpu[re][i] - other[re][i], (double)cpu[im][i] - other[im][i]) / size;
        worst = worse_of(worst, error);
    }
    return worst;
}

static inline void assert_parity(int re, int im, const float *sizes)
{
    double worst = parity_error(re, im, sizes);
    printf("largest relative difference %.1e\n", worst);
    assert_near(worst, 0, 1e-5);
}

#endif
