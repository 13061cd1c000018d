/* The CPU loops over work items, generated from a list of kernels (RW_LIST_FILE) and built once for each instruction
 * set (RW_ISA is its name). */
#include "device/device.h"

#define RW_KERNEL_HEADERS
#include RW_LIST_FILE
#undef RW_KERNEL_HEADERS

#define RW_KERNEL(name, grain)                                                                                         \
    static void run_##name(const void *args, size_t begin, size_t end)                                                 \
    {                                                                                                                  \
        const struct rw_##name##_args *typed = (const struct rw_##name##_args *)args;                                  \
        _Pragma("omp simd") for (size_t item = begin; item < end; item++) rw_##name##_item(typed, item);               \
    }
#include RW_LIST_FILE
#undef RW_KERNEL

#define RW_LOOPS_OF_(isa) RW_LIST_NAME(loops_##isa)
#define RW_LOOPS_OF(isa) RW_LOOPS_OF_(isa)

extern const rw_cpu_loop RW_LOOPS_OF(RW_ISA)[];
const rw_cpu_loop RW_LOOPS_OF(RW_ISA)[] = {
#define RW_KERNEL(name, grain) run_##name,
#include RW_LIST_FILE
#undef RW_KERNEL
};
