/* The CUDA backend: memory, queues, launches and errors. The kernels are in kernels.cu. */
extern "C" {
#include "base/progress.h"
#include "device/cuda/cuda.h"
}

#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

static rw_status check_cuda(rw_context *context, cudaError_t error, const char *doing)
{
    if (error == cudaSuccess)
        return RW_OK;
    return rw_fail(context, RW_DEVICE, "CUDA: %s failed: %s", doing, cudaGetErrorString(error));
}

extern "C" int rw_cuda_available(char *description, size_t size)
{
    int count = 0;
    cudaError_t error = cudaGetDeviceCount(&count);
    if (error != cudaSuccess || count == 0) {
        snprintf(description, size, "%s", error == cudaSuccess ? "no GPU found" : cudaGetErrorString(error));
        cudaGetLastError();
        return 0;
    }
    cudaDeviceProp about;
    if (cudaGetDeviceProperties(&about, 0) != cudaSuccess) {
        snprintf(description, size, "the GPU does not answer");
        return 0;
    }
    snprintf(description, size, "%s, %d multiprocessors", about.name, about.multiProcessorCount);
    return 1;
}

/* Work beside the main queue: a queue of its own, and what orders the two. One of each a host thread. */
struct side_queue {
    cudaStream_t stream;
    cudaEvent_t begun, done;
};
static thread_local side_queue side;
static thread_local cudaStream_t queue; /* the one that takes what is launched now; NULL: the main queue */

static rw_status make_side(rw_context *context)
{
    if (side.done)
        return RW_OK;
    RW_TRY(check_cuda(context, cudaStreamCreateWithFlags(&side.stream, cudaStreamNonBlocking), "making a queue"));
    RW_TRY(check_cuda(context, cudaEventCreateWithFlags(&side.begun, cudaEventDisableTiming), "creating an event"));
    return check_cuda(context, cudaEventCreateWithFlags(&side.done, cudaEventDisableTiming), "creating an event");
}

extern "C" rw_status rw_cuda_side_begin(rw_context *context)
{
    RW_TRY(make_side(context));
    RW_TRY(check_cuda(context, cudaEventRecord(side.begun), "ordering two queues"));
    RW_TRY(check_cuda(context, cudaStreamWaitEvent(side.stream, side.begun), "ordering two queues"));
    queue = side.stream;
    return RW_OK;
}

extern "C" rw_status rw_cuda_side_end(rw_context *context)
{
    queue = nullptr;
    return check_cuda(context, cudaEventRecord(side.done, side.stream), "ordering two queues");
}

extern "C" rw_status rw_cuda_side_join(rw_context *context)
{
    return check_cuda(context, cudaStreamWaitEvent(nullptr, side.done), "ordering two queues");
}

/* Items of one launch: ranges of grain items, which are meant to take a CPU thread tens of microseconds each, but at
 * least four times what a GPU computes at a time. That is a few milliseconds. What is launched is waited for after as
 * much, so that a call that is cancelled leaves little behind. */
static const size_t launch_ranges = 16384, launch_items_min = (size_t)1 << 20;
static thread_local double launches_queued;

static rw_status check_between_launches(rw_context *context, double launches, size_t items, const char *what)
{
    if (!rw_is_checked(context))
        return RW_OK;
    launches_queued += launches;
    if (launches_queued >= 1) {
        launches_queued = 0;
        RW_TRY(check_cuda(context, cudaStreamSynchronize(queue), what));
    }
    return rw_check(context, items, what);
}

extern "C" rw_status rw_cuda_launch(rw_context *context, const rw_kernel_list *list, int kernel, const void *args,
                                    size_t count)
{
    const size_t block = RW_CUDA_THREADS_PER_BLOCK;
    size_t each = (std::max(list->grains[kernel] * launch_ranges, launch_items_min) + block - 1) / block * block;
    for (size_t first = 0; first < count; first += each) {
        size_t items = std::min(each, count - first);
        list->cuda_start(kernel, args, first, items, queue);
        RW_TRY(check_cuda(context, cudaGetLastError(), list->names[kernel]));
        RW_TRY(check_between_launches(context, (double)items / (double)each, items, list->names[kernel]));
    }
    return RW_OK;
}

extern "C" rw_status rw_cuda_launch_timed(rw_context *context, const rw_kernel_list *list, int kernel, const void *args,
                                          size_t count, double *seconds)
{
    cudaEvent_t before, after;
    RW_TRY(check_cuda(context, cudaEventCreate(&before), "creating an event"));
    RW_TRY(check_cuda(context, cudaEventCreate(&after), "creating an event"));
    cudaEventRecord(before, queue);
    rw_status status = rw_cuda_launch(context, list, kernel, args, count);
    cudaEventRecord(after, queue);
    cudaError_t error = cudaEventSynchronize(after);
    float milliseconds = 0;
    cudaEventElapsedTime(&milliseconds, before, after);
    cudaEventDestroy(before);
    cudaEventDestroy(after);
    RW_TRY(status);
    *seconds = 1e-3 * milliseconds;
    return check_cuda(context, error, list->names[kernel]);
}

extern "C" rw_status rw_cuda_wait(rw_context *context)
{
    return check_cuda(context, cudaDeviceSynchronize(), "a kernel");
}

extern "C" void rw_cuda_wait_silently(void)
{
    cudaDeviceSynchronize();
}

/* Memory that is given back stays in a pool for the next taker: taking it from the driver anew costs as much as a
 * kernel of a million items. */
static cudaMemPool_t memory_pool(void)
{
    static cudaMemPool_t pool = []() {
        cudaMemPool_t new_t = nullptr;
        unsigned long long threshold = ~0ull;
        if (cudaDeviceGetDefaultMemPool(&new_t, 0) == cudaSuccess)
            cudaMemPoolSetAttribute(new_t, cudaMemPoolAttrReleaseThreshold, &threshold);
        return new_t;
    }();
    return pool;
}

extern "C" rw_status rw_cuda_alloc(rw_context *context, size_t bytes, const char *what, void **pointer)
{
    cudaMemPool_t pool = memory_pool();
    cudaError_t error = cudaMallocAsync(pointer, bytes ? bytes : 1, queue);
    if (error == cudaErrorMemoryAllocation && pool) { /* what lies unused may be in pieces of other sizes */
        cudaGetLastError();
        cudaDeviceSynchronize();
        cudaMemPoolTrimTo(pool, 0);
        error = cudaMallocAsync(pointer, bytes ? bytes : 1, queue);
    }
    if (error == cudaErrorMemoryAllocation) {
        cudaGetLastError();
        return rw_fail(context, RW_TOO_LARGE, "%s would need %.3g GB of GPU memory, which is not free", what,
                       (double)bytes / 1e9);
    }
    return check_cuda(context, error, "taking memory");
}

extern "C" rw_status rw_cuda_set_bytes(rw_context *context, void *device, int byte, size_t bytes)
{
    return check_cuda(context, cudaMemsetAsync(device, byte, bytes, queue), "filling memory");
}

extern "C" void rw_cuda_free(void *pointer)
{
    cudaFreeAsync(pointer, queue);
}

extern "C" int rw_cuda_reaches(const void *pointer)
{
    cudaPointerAttributes about = {};
    if (cudaPointerGetAttributes(&about, pointer) != cudaSuccess) {
        cudaGetLastError();
        return 0;
    }
    return about.type == cudaMemoryTypeDevice || about.type == cudaMemoryTypeManaged;
}

extern "C" rw_status rw_cuda_copy(rw_context *context, void *to, const void *from, size_t bytes)
{
    return check_cuda(context, cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, queue), "copying on the GPU");
}

/* Copies behind what was launched, and waits for it. */
static cudaError_t copy_and_wait(void *to, const void *from, size_t bytes, cudaMemcpyKind kind)
{
    cudaError_t error = cudaMemcpyAsync(to, from, bytes, kind, queue);
    return error == cudaSuccess ? cudaStreamSynchronize(queue) : error;
}

extern "C" rw_status rw_cuda_upload(rw_context *context, void *device, const void *host, size_t bytes)
{
    return check_cuda(context, copy_and_wait(device, host, bytes, cudaMemcpyHostToDevice), "copying to the GPU");
}

extern "C" rw_status rw_cuda_download(rw_context *context, void *host, const void *device, size_t bytes)
{
    return check_cuda(context, copy_and_wait(host, device, bytes, cudaMemcpyDeviceToHost), "copying from the GPU");
}

/* Two pinned places that parts of an array pass through: one is the host's while the other is the GPU's. One pair a
 * host thread, kept for the next array: pinning takes longer than most copies. */
static const size_t stage_bytes = (size_t)4 << 20;

struct copy_stage {
    char *pinned[2];
    cudaEvent_t filled[2];
};
static thread_local copy_stage stage;

static rw_status make_stage(rw_context *context)
{
    for (int i = 0; i < 2; i++) {
        if (!stage.pinned[i])
            RW_TRY(check_cuda(context, cudaMallocHost((void **)&stage.pinned[i], stage_bytes), "pinning memory"));
        if (!stage.filled[i])
            RW_TRY(check_cuda(context, cudaEventCreateWithFlags(&stage.filled[i], cudaEventDisableTiming),
                              "creating an event"));
    }
    return RW_OK;
}

static rw_status fill_stage(rw_context *context, int which, const char *device, size_t bytes)
{
    RW_TRY(check_cuda(context, cudaMemcpyAsync(stage.pinned[which], device, bytes, cudaMemcpyDeviceToHost, queue),
                      "copying from the GPU"));
    return check_cuda(context, cudaEventRecord(stage.filled[which], queue), "ordering two queues");
}

extern "C" rw_status rw_cuda_read(rw_context *context, const void *device, size_t bytes, size_t unit,
                                  rw_chunk_fn consume, void *user)
{
    const char *from = (const char *)device;
    size_t chunk = stage_bytes / unit * unit;
    RW_TRY(make_stage(context));
    if (bytes)
        RW_TRY(fill_stage(context, 0, from, std::min(chunk, bytes)));
    for (size_t at = 0, which = 0; at < bytes; at += chunk, which = 1 - which) {
        size_t next = at + chunk;
        if (next < bytes)
            RW_TRY(fill_stage(context, (int)(1 - which), from + next, std::min(chunk, bytes - next)));
        RW_TRY(check_cuda(context, cudaEventSynchronize(stage.filled[which]), "copying from the GPU"));
        consume(user, stage.pinned[which], at, std::min(chunk, bytes - at));
    }
    return RW_OK;
}

extern "C" rw_status rw_cuda_write(rw_context *context, void *device, size_t bytes, rw_fill_fn fill, void *user)
{
    char *to = (char *)device;
    RW_TRY(make_stage(context));
    for (size_t at = 0, which = 0; at < bytes; at += stage_bytes, which = 1 - which) {
        size_t chunk = std::min(stage_bytes, bytes - at);
        if (at >= 2 * stage_bytes)
            RW_TRY(check_cuda(context, cudaEventSynchronize(stage.filled[which]), "copying to the GPU"));
        fill(user, stage.pinned[which], at, chunk);
        RW_TRY(check_cuda(context, cudaMemcpyAsync(to + at, stage.pinned[which], chunk, cudaMemcpyHostToDevice, queue),
                          "copying to the GPU"));
        RW_TRY(check_cuda(context, cudaEventRecord(stage.filled[which], queue), "ordering two queues"));
    }
    return check_cuda(context, cudaStreamSynchronize(queue), "copying to the GPU");
}

extern "C" rw_status rw_cuda_time(rw_context *context, rw_status (*run)(void *user), void *user, int repeats,
                                  double *seconds)
{
    cudaEvent_t before, after;
    RW_TRY(check_cuda(context, cudaEventCreate(&before), "creating an event"));
    RW_TRY(check_cuda(context, cudaEventCreate(&after), "creating an event"));
    std::vector<float> milliseconds;
    rw_status status = run(user);
    for (int i = 0; i < repeats && status == RW_OK; i++) {
        cudaEventRecord(before);
        status = run(user);
        cudaEventRecord(after);
        cudaError_t error = cudaEventSynchronize(after);
        float one = 0;
        cudaEventElapsedTime(&one, before, after);
        milliseconds.push_back(one);
        if (status == RW_OK)
            status = check_cuda(context, error, "a timed run");
    }
    cudaEventDestroy(before);
    cudaEventDestroy(after);
    RW_TRY(status);
    std::sort(milliseconds.begin(), milliseconds.end());
    *seconds = 1e-3 * milliseconds[milliseconds.size() / 2];
    return RW_OK;
}
