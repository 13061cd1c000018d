/* The CUDA backend as C sees it; cuda_stub.c replaces it in builds without CUDA. */
#ifndef RW_DEVICE_CUDA_CUDA_H
#define RW_DEVICE_CUDA_CUDA_H

#include "base/kernel/lanes.h"
#include "device/device.h"

/* How a launch is cut into blocks of threads. */
#define RW_CUDA_THREADS_PER_BLOCK (RW_GPU_LANES * RW_GPU_WARPS)

#ifdef __cplusplus
extern "C" {
#endif

/* Whether a GPU can be used; text says which, or why not. */
int rw_cuda_available(char *description, size_t size);

rw_status rw_cuda_launch(rw_context *context, const rw_kernel_list *list, int kernel, const void *args, size_t count);

/* The same, waited for, with the seconds that the kernel took. */
rw_status rw_cuda_launch_timed(rw_context *context, const rw_kernel_list *list, int kernel, const void *args,
                               size_t count, double *seconds);
rw_status rw_cuda_alloc(rw_context *context, size_t bytes, const char *what, void **pointer);
rw_status rw_cuda_set_bytes(rw_context *context, void *device, int byte, size_t bytes);
void rw_cuda_free(void *pointer);
int rw_cuda_reaches(const void *pointer); /* whether kernels can write to this memory */
rw_status rw_cuda_copy(rw_context *context, void *to, const void *from, size_t bytes); /* on the GPU */
rw_status rw_cuda_upload(rw_context *context, void *device, const void *host, size_t bytes);
rw_status rw_cuda_download(rw_context *context, void *host, const void *device, size_t bytes);

rw_status rw_cuda_write(rw_context *context, void *device, size_t bytes, rw_fill_fn fill, void *user);
rw_status rw_cuda_read(rw_context *context, const void *device, size_t bytes, size_t unit, rw_chunk_fn consume,
                       void *user);

rw_status rw_cuda_wait(rw_context *context);
void rw_cuda_wait_silently(void);
rw_status rw_cuda_side_begin(rw_context *context);
rw_status rw_cuda_side_end(rw_context *context);
rw_status rw_cuda_side_join(rw_context *context);

/* Median seconds of one run, which launches kernels: warmed up, then repeats timed with events. */
rw_status rw_cuda_time(rw_context *context, rw_status (*run)(void *user), void *user, int repeats, double *seconds);

#ifdef __cplusplus
}
#endif

#endif
