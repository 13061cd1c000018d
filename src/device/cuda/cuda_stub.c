/* Stand-in for builds without CUDA: no GPU is available, so none of the others is reached. */
#include "device/cuda/cuda.h"

#include <stdio.h>

static rw_status reject_cuda(rw_context *context)
{
    return rw_fail(context, RW_UNSUPPORTED, "this build has no CUDA; use backend cpu");
}

int rw_cuda_available(char *description, size_t size)
{
    snprintf(description, size, "this build has no CUDA");
    return 0;
}

rw_status rw_cuda_launch(rw_context *context, const rw_kernel_list *list, int kernel, const void *args, size_t count)
{
    (void)list, (void)kernel, (void)args, (void)count;
    return reject_cuda(context);
}

rw_status rw_cuda_launch_timed(rw_context *context, const rw_kernel_list *list, int kernel, const void *args,
                               size_t count, double *seconds)
{
    (void)list, (void)kernel, (void)args, (void)count, (void)seconds;
    return reject_cuda(context);
}

rw_status rw_cuda_alloc(rw_context *context, size_t bytes, const char *what, void **pointer)
{
    (void)bytes, (void)what, (void)pointer;
    return reject_cuda(context);
}

rw_status rw_cuda_set_bytes(rw_context *context, void *device, int byte, size_t bytes)
{
    (void)device, (void)byte, (void)bytes;
    return reject_cuda(context);
}

void rw_cuda_free(void *pointer)
{
    (void)pointer;
}

int rw_cuda_reaches(const void *pointer)
{
    (void)pointer;
    return 0;
}

rw_status rw_cuda_copy(rw_context *context, void *to, const void *from, size_t bytes)
{
    (void)to, (void)from, (void)bytes;
    return reject_cuda(context);
}

rw_status rw_cuda_upload(rw_context *context, void *device, const void *host, size_t bytes)
{
    (void)device, (void)host, (void)bytes;
    return reject_cuda(context);
}

rw_status rw_cuda_download(rw_context *context, void *host, const void *device, size_t bytes)
{
    (void)host, (void)device, (void)bytes;
    return reject_cuda(context);
}

rw_status rw_cuda_write(rw_context *context, void *device, size_t bytes, rw_fill_fn fill, void *user)
{
    (void)device, (void)bytes, (void)fill, (void)user;
    return reject_cuda(context);
}

rw_status rw_cuda_read(rw_context *context, const void *device, size_t bytes, size_t unit, rw_chunk_fn consume,
                       void *user)
{
    (void)device, (void)bytes, (void)unit, (void)consume, (void)user;
    return reject_cuda(context);
}

void rw_cuda_wait_silently(void)
{
}

rw_status rw_cuda_wait(rw_context *context)
{
    return reject_cuda(context);
}

rw_status rw_cuda_side_begin(rw_context *context)
{
    return reject_cuda(context);
}

rw_status rw_cuda_side_end(rw_context *context)
{
    return reject_cuda(context);
}

rw_status rw_cuda_side_join(rw_context *context)
{
    return reject_cuda(context);
}

rw_status rw_cuda_time(rw_context *context, rw_status (*run)(void *user), void *user, int repeats, double *seconds)
{
    (void)run, (void)user, (void)repeats, (void)seconds;
    return reject_cuda(context);
}
