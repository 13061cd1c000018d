/* The interface to both backends. */
#include "device/device.h"

#include "base/kernel/lanes.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "device/cuda/cuda.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* More are a mistake; where the system gives fewer, those that there are do the work. */
static const int threads_max = 1024;

rw_status rw_device_choose(rw_context *context)
{
    char gpu[128], processor[96];
    rw_backend requested = context->options.backend;
    int has_gpu = requested != RW_BACKEND_CPU && rw_cuda_available(gpu, sizeof gpu);
    context->backend = has_gpu ? RW_BACKEND_CUDA : RW_BACKEND_CPU;
    context->threads = context->options.threads > 0 ? context->options.threads : rw_cpu_thread_count();
    rw_cpu_describe(processor, sizeof processor);
    snprintf(context->machine, sizeof context->machine, "%s%s%s, %d threads, %s", has_gpu ? gpu : "",
             has_gpu ? "; " : "", processor, context->threads, rw_cpu_isa());
    if (context->options.threads > threads_max)
        return rw_fail(context, RW_BAD_CALL, "%d threads are not possible; use 1 to %d", context->options.threads,
                       threads_max);
    if (requested == RW_BACKEND_CUDA && !has_gpu)
        return rw_fail(context, RW_UNSUPPORTED, "no CUDA backend: %s; use backend cpu", gpu);
    return RW_OK;
}

static rw_status launch_on_backend(rw_context *context, rw_backend backend, const rw_kernel_list *list, int kernel,
                                   const void *args, size_t count)
{
    if (backend == RW_BACKEND_CUDA)
        return rw_cuda_launch(context, list, kernel, args, count);
    return rw_cpu_launch(context, list, kernel, args, count);
}

rw_status rw_device_launch_of(rw_context *context, rw_backend backend, const rw_kernel_list *list, int kernel,
                              const void *args, size_t count)
{
    double seconds = 0;
    if (!context->launch_s)
        return launch_on_backend(context, backend, list, kernel, args, count);
    if (backend == RW_BACKEND_CUDA) {
        RW_TRY(rw_cuda_launch_timed(context, list, kernel, args, count, &seconds));
    } else {
        double start_s = rw_seconds();
        RW_TRY(launch_on_backend(context, backend, list, kernel, args, count));
        seconds = rw_seconds() - start_s;
    }
    *context->launch_s += seconds;
    return RW_OK;
}

rw_status rw_device_launch(rw_context *context, rw_backend backend, rw_kernel kernel, const void *args, size_t count)
{
    return rw_device_launch_of(context, backend, &rw_library_kernels, (int)kernel, args, count);
}

size_t rw_device_lanes(rw_backend backend)
{
    return backend == RW_BACKEND_CUDA ? RW_GPU_LANES : 1;
}

rw_status rw_device_wait(rw_context *context, rw_backend backend)
{
    return backend == RW_BACKEND_CUDA ? rw_cuda_wait(context) : RW_OK;
}

void rw_device_wait_silently(rw_backend backend)
{
    if (backend == RW_BACKEND_CUDA)
        rw_cuda_wait_silently();
}

rw_status rw_device_side_begin(rw_context *context, rw_backend backend)
{
    return backend == RW_BACKEND_CUDA ? rw_cuda_side_begin(context) : RW_OK;
}

rw_status rw_device_side_end(rw_context *context, rw_backend backend)
{
    return backend == RW_BACKEND_CUDA ? rw_cuda_side_end(context) : RW_OK;
}

rw_status rw_device_side_join(rw_context *context, rw_backend backend)
{
    return backend == RW_BACKEND_CUDA ? rw_cuda_side_join(context) : RW_OK;
}

static int compare_run_seconds(const void *a, const void *b)
{
    double first = *(const double *)a, second = *(const double *)b;
    return first < second ? -1 : first > second;
}

rw_status rw_device_time(rw_context *context, rw_backend backend, rw_status (*run)(void *user), void *user, int repeats,
                         double *seconds)
{
    if (backend == RW_BACKEND_CUDA)
        return rw_cuda_time(context, run, user, repeats, seconds);
    double *times;
    RW_TRY(rw_array_create(context, (size_t)repeats, sizeof *times, "timings", &times));
    rw_status status = run(user);
    for (int i = 0; i < repeats && status == RW_OK; i++) {
        double start_s = rw_seconds();
        status = run(user);
        times[i] = rw_seconds() - start_s;
    }
    qsort(times, (size_t)repeats, sizeof *times, compare_run_seconds);
    *seconds = times[repeats / 2];
    free(times);
    return status;
}

int rw_device_reaches(rw_backend backend, const void *memory)
{
    return backend != RW_BACKEND_CUDA || rw_cuda_reaches(memory);
}

rw_status rw_device_set_bytes(rw_context *context, rw_backend backend, void *device, int byte, size_t bytes)
{
    if (backend == RW_BACKEND_CUDA)
        return rw_cuda_set_bytes(context, device, byte, bytes);
    memset(device, byte, bytes);
    return RW_OK;
}

rw_status rw_device_clear(rw_context *context, rw_backend backend, void *device, size_t bytes)
{
    return rw_device_set_bytes(context, backend, device, 0, bytes);
}

rw_status rw_device_read(rw_context *context, rw_backend backend, const void *device, size_t bytes, size_t unit,
                         rw_chunk_fn consume, void *user)
{
    if (backend == RW_BACKEND_CUDA)
        return rw_cuda_read(context, device, bytes, unit, consume, user);
    consume(user, device, 0, bytes);
    return RW_OK;
}

/* Copies from this size on go by parts: memory of the caller is not pinned, and the driver would copy by one thread
 * what it stages itself. */
static const size_t staged_bytes = (size_t)1 << 20;

/* The caller's side of a copy. */
typedef struct staged_copy {
    char *to;
    const char *from;
    rw_context *context;
} staged_copy;

static void copy_slice(void *user, size_t begin, size_t end)
{
    const staged_copy *copy = user;
    memcpy(copy->to + begin, copy->from + begin, end - begin);
}

static void copy_slices(char *to, const char *from, size_t bytes, rw_context *context)
{
    staged_copy copy = {to, from, context};
    rw_parallel_whole(context, bytes, (size_t)1 << 18, copy_slice, &copy);
}

static void copy_chunk_to_stage(void *user, void *chunk, size_t offset, size_t bytes)
{
    const staged_copy *copy = user;
    copy_slices(chunk, copy->from + offset, bytes, copy->context);
}

static void copy_chunk_to_host(void *user, const void *chunk, size_t offset, size_t bytes)
{
    const staged_copy *copy = user;
    copy_slices(copy->to + offset, chunk, bytes, copy->context);
}

rw_status rw_device_upload(rw_context *context, rw_backend backend, void *device, const void *host, size_t bytes)
{
    staged_copy copy = {.from = host, .context = context};
    if (!bytes) /* an empty array may have no address */
        return RW_OK;
    if (backend == RW_BACKEND_CUDA && bytes >= staged_bytes)
        return rw_cuda_write(context, device, bytes, copy_chunk_to_stage, &copy);
    if (backend == RW_BACKEND_CUDA)
        return rw_cuda_upload(context, device, host, bytes);
    memcpy(device, host, bytes);
    return RW_OK;
}

rw_status rw_device_download(rw_context *context, rw_backend backend, void *host, const void *device, size_t bytes)
{
    staged_copy copy = {.to = host, .context = context};
    if (!bytes) /* an empty array may have no address */
        return RW_OK;
    if (backend == RW_BACKEND_CUDA && bytes >= staged_bytes)
        return rw_cuda_read(context, device, bytes, 1, copy_chunk_to_host, &copy);
    if (backend == RW_BACKEND_CUDA)
        return rw_cuda_download(context, host, device, bytes);
    memcpy(host, device, bytes);
    return RW_OK;
}

const char *rw_instruction_set(void)
{
    return rw_cpu_isa();
}
