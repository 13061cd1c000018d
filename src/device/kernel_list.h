/* A list of kernels and how each backend runs them. All of it is made by macro from a file like kernels.def, once for
 * the library and once for the benchmark, whose kernels the library does not carry. */
#ifndef RW_DEVICE_KERNEL_LIST_H
#define RW_DEVICE_KERNEL_LIST_H

#include <stddef.h>

/* Items begin to end - 1 of one kernel, for one instruction set. */
typedef void (*rw_cpu_loop)(const void *args, size_t begin, size_t end);

/* Starts kernel number kernel of the list on the GPU; queue is a cudaStream_t. */
typedef void (*rw_cuda_start)(int kernel, const void *args, size_t count, void *queue);

typedef struct rw_kernel_list {
    const char *const *names;
    const size_t *grains;                        /* items that a CPU thread takes at a time */
    const rw_cpu_loop *baseline, *avx2, *avx512; /* NULL where the machine cannot have them */
    rw_cuda_start cuda_start;                    /* does nothing in a build without CUDA */
} rw_kernel_list;

extern const rw_kernel_list rw_library_kernels; /* device/kernels.def */

/* Names that belong to one list: RW_LIST is its name, set by the build. rw_library_kernels, rw_library_loops_avx2. */
#define RW_LIST_JOIN_(list, name) rw_##list##_##name
#define RW_LIST_JOIN(list, name) RW_LIST_JOIN_(list, name)
#define RW_LIST_NAME(name) RW_LIST_JOIN(RW_LIST, name)

#endif
