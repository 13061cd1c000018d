/* The kernels of a list (RW_LIST_FILE) on the GPU: one __global__ function each, generated. No mathematics here. */
#include "device/cuda/blocks.h"
#include "device/kernel_list.h"

#define RW_KERNEL_HEADERS
#include RW_LIST_FILE
#undef RW_KERNEL_HEADERS

#include <cuda_runtime.h>
#include <string_view>

/* Blocks that a multiprocessor is to hold at least, 0: as many as come; long walks from memory to memory wait less
 * where there are more of them, even with registers spilled. */
constexpr int min_blocks(std::string_view kernel)
{
    if (kernel == "trace_beams" || kernel == "query_receivers")
        return 4;
    if (kernel == "spawn_rays" || kernel == "gather_scattered")
        return 6;
    return 0;
}

#define RW_KERNEL(name, grain)                                                                                         \
    __global__ void __launch_bounds__(RW_CUDA_THREADS_PER_BLOCK, min_blocks(#name))                                    \
        cuda_##name(const __grid_constant__ struct rw_##name##_args args, size_t count)                                \
    {                                                                                                                  \
        size_t item = (size_t)blockIdx.x * blockDim.x + threadIdx.x;                                                   \
        if (item < count)                                                                                              \
            rw_##name##_item(&args, item);                                                                             \
    }
#include RW_LIST_FILE
#undef RW_KERNEL

/* In the order of the list, which is what a kernel's number means. */
enum kernel_number {
#define RW_KERNEL(name, grain) NUMBER_##name,
#include RW_LIST_FILE
#undef RW_KERNEL
};

extern "C" void RW_LIST_NAME(cuda_start)(int kernel, const void *args, size_t count, void *queue)
{
    unsigned blocks = (unsigned)((count + RW_CUDA_THREADS_PER_BLOCK - 1) / RW_CUDA_THREADS_PER_BLOCK);
    switch (kernel) {
#define RW_KERNEL(name, grain)                                                                                         \
    case NUMBER_##name:                                                                                                \
        cuda_##name<<<blocks, RW_CUDA_THREADS_PER_BLOCK, 0, (cudaStream_t)queue>>>(                                    \
            *(const struct rw_##name##_args *)args, count);                                                            \
        break;
#include RW_LIST_FILE
#undef RW_KERNEL
    default:
        break;
    }
}
