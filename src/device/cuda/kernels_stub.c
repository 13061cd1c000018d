/* Stand-in for builds without CUDA: a list's kernels do not start on a GPU, and rw_cuda_launch never asks for it. */
#include "device/device.h"

void RW_LIST_NAME(cuda_start)(int kernel, const void *args, size_t first, size_t count, void *queue);
void RW_LIST_NAME(cuda_start)(int kernel, const void *args, size_t first, size_t count, void *queue)
{
    (void)kernel, (void)args, (void)first, (void)count, (void)queue;
}
