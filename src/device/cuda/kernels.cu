/* The kernels of a list (RW_LIST_FILE) on the GPU: one __global__ function each, generated. No mathematics here.
 *
 * A list is built in RW_CUDA_UNITS units, each from this file, which compile side by side: one for all takes two
 * minutes. Unit RW_CUDA_UNIT has the kernels whose number leaves that remainder. Kernels are templates, so that a unit
 * compiles only those that it starts. */
#include "device/cuda/cuda.h"
#include "device/device.h"

#define RW_KERNEL_HEADERS
#include RW_LIST_FILE
#undef RW_KERNEL_HEADERS

#include <cuda_runtime.h>
#include <string_view>

/* Blocks that a multiprocessor is to hold at least, 0: as many as come; long walks from memory to memory wait less
 * where there are more of them, even with registers spilled. */
static constexpr int min_blocks(std::string_view kernel)
{
    if (kernel == "trace_beams" || kernel == "query_receivers")
        return 4;
    if (kernel == "spawn_rays" || kernel == "gather_scattered")
        return 6;
    return 0;
}

/* In the order of the list, which is what a kernel's number means. */
enum kernel_number {
#define RW_KERNEL(name, grain) NUMBER_##name,
#include RW_LIST_FILE
#undef RW_KERNEL
};

#define RW_KERNEL(name, grain)                                                                                         \
    template <int number>                                                                                              \
    __global__ void __launch_bounds__(RW_CUDA_THREADS_PER_BLOCK, min_blocks(#name))                                    \
        cuda_##name(const __grid_constant__ struct rw_##name##_args args, size_t first, size_t count)                  \
    {                                                                                                                  \
        size_t item = (size_t)blockIdx.x * blockDim.x + threadIdx.x;                                                   \
        if (item < count)                                                                                              \
            rw_##name##_item(&args, first + item);                                                                     \
    }
#include RW_LIST_FILE
#undef RW_KERNEL

template <int unit>
static void start_kernel(int kernel, const void *args, size_t first, size_t count, cudaStream_t queue)
{
    unsigned blocks = (unsigned)((count + RW_CUDA_THREADS_PER_BLOCK - 1) / RW_CUDA_THREADS_PER_BLOCK);
    switch (kernel) {
#define RW_KERNEL(name, grain)                                                                                         \
    case NUMBER_##name:                                                                                                \
        if constexpr (NUMBER_##name % RW_CUDA_UNITS == unit) {                                                         \
            auto *run = cuda_##name<NUMBER_##name>;                                                                    \
            run<<<blocks, RW_CUDA_THREADS_PER_BLOCK, 0, queue>>>(*(const struct rw_##name##_args *)args, first,        \
                                                                 count);                                               \
        }                                                                                                              \
        break;
#include RW_LIST_FILE
#undef RW_KERNEL
    default:
        break;
    }
}

#define RW_UNIT_START_(unit) RW_LIST_NAME(cuda_start_unit_##unit)
#define RW_UNIT_START(unit) RW_UNIT_START_(unit)

extern "C" void RW_UNIT_START(RW_CUDA_UNIT)(int kernel, const void *args, size_t first, size_t count, void *queue)
{
    start_kernel<RW_CUDA_UNIT>(kernel, args, first, count, (cudaStream_t)queue);
}

/* Unit 0 has the call of the whole list. */
#if RW_CUDA_UNIT == 0
#if RW_CUDA_UNITS == 4
extern "C" void RW_UNIT_START(1)(int kernel, const void *args, size_t first, size_t count, void *queue);
extern "C" void RW_UNIT_START(2)(int kernel, const void *args, size_t first, size_t count, void *queue);
extern "C" void RW_UNIT_START(3)(int kernel, const void *args, size_t first, size_t count, void *queue);
static const rw_cuda_start units[] = {RW_UNIT_START(0), RW_UNIT_START(1), RW_UNIT_START(2), RW_UNIT_START(3)};
#else
static_assert(RW_CUDA_UNITS == 1, "a list is built in one unit or in four");
static const rw_cuda_start units[] = {RW_UNIT_START(0)};
#endif

extern "C" void RW_LIST_NAME(cuda_start)(int kernel, const void *args, size_t first, size_t count, void *queue)
{
    units[kernel % RW_CUDA_UNITS](kernel, args, first, count, queue);
}
#endif
