/* Builds without CUDA: no GPU is available, so that none of the other calls is made. */
#include "device/cuda/cuda.h"

#include "base/stubs.h"

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

RW_STUB(rw_status, rw_cuda_launch,
        (rw_context * context, const rw_kernel_list *list, int kernel, const void *args, size_t count),
        reject_cuda(context))
RW_STUB(rw_status, rw_cuda_launch_timed,
        (rw_context * context, const rw_kernel_list *list, int kernel, const void *args, size_t count, double *seconds),
        reject_cuda(context))
RW_STUB(rw_status, rw_cuda_alloc, (rw_context * context, size_t bytes, const char *what, void **pointer),
        reject_cuda(context))
RW_STUB(rw_status, rw_cuda_set_bytes, (rw_context * context, void *device, int byte, size_t bytes),
        reject_cuda(context))
RW_STUB_VOID(rw_cuda_free, (void *pointer))
RW_STUB(int, rw_cuda_reaches, (const void *pointer), 0)
RW_STUB(rw_status, rw_cuda_copy, (rw_context * context, void *to, const void *from, size_t bytes), reject_cuda(context))
RW_STUB(rw_status, rw_cuda_upload, (rw_context * context, void *device, const void *host, size_t bytes),
        reject_cuda(context))
RW_STUB(rw_status, rw_cuda_download, (rw_context * context, void *host, const void *device, size_t bytes),
        reject_cuda(context))
RW_STUB(rw_status, rw_cuda_write, (rw_context * context, void *device, size_t bytes, rw_fill_fn fill, void *user),
        reject_cuda(context))
RW_STUB(rw_status, rw_cuda_read,
        (rw_context * context, const void *device, size_t bytes, size_t unit, rw_chunk_fn consume, void *user),
        reject_cuda(context))
RW_STUB_VOID(rw_cuda_wait_silently, (void))
RW_STUB(rw_status, rw_cuda_wait, (rw_context * context), reject_cuda(context))
RW_STUB(rw_status, rw_cuda_side_begin, (rw_context * context), reject_cuda(context))
RW_STUB(rw_status, rw_cuda_side_end, (rw_context * context), reject_cuda(context))
RW_STUB(rw_status, rw_cuda_side_join, (rw_context * context), reject_cuda(context))
RW_STUB(rw_status, rw_cuda_time,
        (rw_context * context, rw_status (*run)(void *user), void *user, int repeats, double *seconds),
        reject_cuda(context))
