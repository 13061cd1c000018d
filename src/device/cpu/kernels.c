/* The CPU loops over work items, generated from kernels.def and built once for each instruction set (RW_ISA is its
 * name). */
#include "device/cpu/launch.h"

#define RW_KERNEL_HEADERS
#include "device/kernels.def"
#undef RW_KERNEL_HEADERS

#define RW_JOIN_(a, b) a##b
#define RW_JOIN(a, b) RW_JOIN_(a, b)

#define RW_KERNEL(name, grain)                                                                                         \
    static void run_##name(const void *args, size_t begin, size_t end)                                                 \
    {                                                                                                                  \
        const struct rw_##name##_args *typed = (const struct rw_##name##_args *)args;                                  \
        _Pragma("omp simd") for (size_t item = begin; item < end; item++) rw_##name##_item(typed, item);               \
    }
#include "device/kernels.def"
#undef RW_KERNEL

const rw_cpu_loop RW_JOIN(rw_cpu_loops_, RW_ISA)[RW_KERNEL_COUNT] = {
#define RW_KERNEL(name, grain) run_##name,
#include "device/kernels.def"
#undef RW_KERNEL
};
