#include "device/device.h"

#include "base/memory.h"
#include "device/cuda/cuda.h"

#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* No block is smaller; one of at most the second size serves for any smaller one. */
#define BLOCK_BYTES_MIN ((size_t)1024)
#define SMALL_BYTES ((size_t)65536)
#define LARGE_BYTES ((size_t)1 << 26)

/* Memory that an account has taken. */
typedef struct block {
    struct block *next;
    void *pointer;
    size_t bytes;
    rw_backend backend;
    rw_account *account;
} block;

struct rw_account {
    rw_memory_use uses[2]; /* of the host and of the GPU */
    block *cached;
    size_t block_count; /* used blocks: the account outlives its closing until they are given back */
    int closed;
};

/* Blocks in use by their pointers, as whoever gives memory back has nothing else; accounts are changed under the same
 * lock. */
#define BUCKETS 1024
static block *buckets[BUCKETS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local rw_account *entered;

static block **bucket_of(const void *pointer)
{
    uintptr_t bits = (uintptr_t)pointer;
    return &buckets[(bits >> 4 ^ bits >> 16) % BUCKETS];
}

/* Sizes of blocks: 4, 5, 6 and 7 times a power of two, so that what the next call takes, a little more or less, finds a
 * kept block. Large ones are those that a model takes once. */
static size_t block_size(rw_backend backend, size_t bytes)
{
    if (backend == RW_BACKEND_CUDA || bytes > LARGE_BYTES)
        return bytes;
    size_t step = BLOCK_BYTES_MIN / 4;
    while (step * 8 < bytes)
        step *= 2;
    return bytes <= BLOCK_BYTES_MIN ? BLOCK_BYTES_MIN : (bytes + step - 1) / step * step;
}

static rw_memory_use *use_of(rw_account *account, rw_backend backend)
{
    return &account->uses[backend == RW_BACKEND_CUDA];
}

static void free_to_system(rw_backend backend, void *pointer)
{
    if (backend == RW_BACKEND_CUDA)
        rw_cuda_free(pointer);
    else
        free(pointer);
}

static rw_status allocate_from_system(rw_context *context, rw_backend backend, size_t bytes, const char *what,
                                      void **pointer)
{
    if (backend == RW_BACKEND_CUDA)
        return rw_cuda_alloc(context, bytes, what, pointer);
    return rw_array_create(context, bytes, 1, what, pointer);
}

static void free_cached_blocks(rw_account *account)
{
    while (account->cached) {
        block *first = account->cached;
        account->cached = first->next;
        use_of(account, first->backend)->cached -= (double)first->bytes;
        free(first->pointer);
        free(first);
    }
}

/* Whether a kept block may serve for so many bytes. Within a budget its whole size counts, so it must fit closely. */
static int cached_block_fits(const block *cached, size_t bytes)
{
    int bounded = !isinf(use_of(cached->account, cached->backend)->limit);
    size_t max_bytes = bytes < SMALL_BYTES ? SMALL_BYTES : bytes * (bounded ? 1 : 32);
    return cached->bytes >= bytes && cached->bytes <= max_bytes;
}

/* The smallest kept block that serves. */
static block *reuse_cached_block(rw_account *account, size_t bytes)
{
    block **best = NULL;
    for (block **at = &account->cached; *at; at = &(*at)->next)
        if (cached_block_fits(*at, bytes) && (!best || (*at)->bytes < (*best)->bytes))
            best = at;
    if (!best)
        return NULL;
    block *used_block = *best;
    *best = used_block->next;
    use_of(account, used_block->backend)->cached -= (double)used_block->bytes;
    return used_block;
}

static void count_block(block *used_block)
{
    rw_memory_use *use = use_of(used_block->account, used_block->backend);
    block **bucket = bucket_of(used_block->pointer);
    use->used += (double)used_block->bytes;
    use->peak = fmax(use->peak, use->used);
    used_block->account->block_count++;
    used_block->next = *bucket;
    *bucket = used_block;
}

static rw_status reject_over_budget(rw_context *context, rw_backend backend, const rw_memory_use *use, size_t bytes,
                                    const char *what)
{
    const char *option = backend == RW_BACKEND_CUDA ? "device-memory" : "memory";
    return rw_fail(context, RW_TOO_LARGE,
                   "%s would need %.3g MB beside %.3g MB in use, more than the %.3g MB of %s; raise %s to %.0f MB or "
                   "more",
                   what, (double)bytes / 1e6, use->used / 1e6, use->limit / 1e6, option, option,
                   ceil((use->used + (double)bytes) / 1e6));
}

/* A kept block, or the record of a new one without memory. Kept memory goes where it would exceed the budget, or has
 * become more than was ever used: its sizes are then not those that are asked for. */
static rw_status plan_block(rw_context *context, rw_backend backend, size_t bytes, const char *what, block **planned)
{
    rw_memory_use *use = use_of(entered, backend);
    *planned = NULL;
    if (use->used + (double)bytes > use->limit)
        return reject_over_budget(context, backend, use, bytes, what);
    if (backend == RW_BACKEND_CPU)
        *planned = reuse_cached_block(entered, bytes);
    if (*planned && use->used + (double)(*planned)->bytes <= use->limit)
        return RW_OK;
    if (*planned) { /* larger than the budget has room for */
        free((*planned)->pointer);
        free(*planned);
    }
    if (use->used + use->cached + (double)bytes > use->limit || use->cached > use->peak)
        free_cached_blocks(entered);
    RW_TRY(rw_array_create(context, 1, sizeof **planned, what, planned));
    **planned = (block){.bytes = bytes, .backend = backend, .account = entered};
    use->blocks++;
    return RW_OK;
}

/* Memory for a planned block. Where the system has none, what the account keeps goes first. */
static rw_status fill_plan(rw_context *context, block *planned, const char *what)
{
    rw_status status = allocate_from_system(context, planned->backend, planned->bytes, what, &planned->pointer);
    if (status == RW_OK || planned->backend == RW_BACKEND_CUDA)
        return status;
    pthread_mutex_lock(&lock);
    free_cached_blocks(planned->account);
    pthread_mutex_unlock(&lock);
    return allocate_from_system(context, planned->backend, planned->bytes, what, &planned->pointer);
}

rw_status rw_device_alloc(rw_context *context, rw_backend backend, size_t bytes, const char *what, void *pointer_out)
{
    *(void **)pointer_out = NULL;
    if (!entered)
        return allocate_from_system(context, backend, bytes, what, pointer_out);
    block *planned;
    bytes = block_size(backend, bytes);
    pthread_mutex_lock(&lock);
    rw_status status = plan_block(context, backend, bytes, what, &planned);
    pthread_mutex_unlock(&lock);
    RW_TRY(status);
    if (planned->pointer)
        memset(planned->pointer, 0, bytes);
    else
        status = fill_plan(context, planned, what);
    if (status != RW_OK) {
        free(planned);
        return status;
    }
    *(void **)pointer_out = planned->pointer;
    pthread_mutex_lock(&lock);
    count_block(planned);
    pthread_mutex_unlock(&lock);
    return RW_OK;
}

static void destroy_unused(rw_account *account)
{
    if (account->closed && account->block_count == 0)
        free(account);
}

/* Takes the block out of those in use; NULL where it was taken without an account. */
static block *unlink_used_block(const void *pointer)
{
    block **at = bucket_of(pointer);
    while (*at && (*at)->pointer != pointer)
        at = &(*at)->next;
    block *found = *at;
    if (found)
        *at = found->next;
    return found;
}

/* Keeps the block or returns its memory, to be given to the system outside the lock. */
static void *stop_counting(block *freed)
{
    rw_account *account = freed->account;
    rw_memory_use *use = use_of(account, freed->backend);
    void *pointer = freed->pointer;
    use->used -= (double)freed->bytes;
    account->block_count--;
    if (freed->backend == RW_BACKEND_CPU && !account->closed) {
        freed->next = account->cached;
        account->cached = freed;
        use->cached += (double)freed->bytes;
        return NULL;
    }
    free(freed);
    destroy_unused(account);
    return pointer;
}

void rw_device_free(rw_backend backend, void *pointer)
{
    if (!pointer)
        return;
    pthread_mutex_lock(&lock);
    block *freed = unlink_used_block(pointer);
    if (freed)
        pointer = stop_counting(freed);
    pthread_mutex_unlock(&lock);
    if (pointer)
        free_to_system(backend, pointer);
}

rw_status rw_device_copy(rw_context *context, rw_backend backend, void *to, const void *from, size_t bytes)
{
    if (backend == RW_BACKEND_CUDA)
        return rw_cuda_copy(context, to, from, bytes);
    memcpy(to, from, bytes);
    return RW_OK;
}

rw_status rw_device_grow(rw_context *context, rw_backend backend, void *array_io, size_t used_bytes, size_t bytes,
                         const char *what)
{
    void *smaller = *(void **)array_io, *larger;
    if (used_bytes == 0) { /* nothing to be copied: no need for both at once */
        *(void **)array_io = NULL;
        rw_device_free(backend, smaller);
        return rw_device_alloc(context, backend, bytes, what, array_io);
    }
    RW_TRY(rw_device_alloc(context, backend, bytes, what, &larger));
    rw_status status = rw_device_copy(context, backend, larger, smaller, used_bytes);
    rw_device_free(backend, status == RW_OK ? smaller : larger);
    if (status == RW_OK)
        *(void **)array_io = larger;
    return status;
}

double rw_device_buffer_bytes(rw_backend backend, double default_bytes, double fraction)
{
    if (!entered)
        return default_bytes;
    rw_memory_use use = rw_account_use(entered, backend);
    return fmax(0, fmin(default_bytes, fraction * (use.limit - use.used)));
}

rw_status rw_account_create(rw_context *context, rw_account **account)
{
    RW_TRY(rw_array_create(context, 1, sizeof **account, "an account of memory", account));
    rw_account_set_budgets(*account, 0, 0);
    return RW_OK;
}

void rw_account_close(rw_account *account)
{
    if (!account)
        return;
    pthread_mutex_lock(&lock);
    account->closed = 1;
    free_cached_blocks(account);
    destroy_unused(account);
    pthread_mutex_unlock(&lock);
}

void rw_account_set_budgets(rw_account *account, double memory_bytes, double device_memory_bytes)
{
    pthread_mutex_lock(&lock);
    use_of(account, RW_BACKEND_CPU)->limit = memory_bytes > 0 ? memory_bytes : INFINITY;
    use_of(account, RW_BACKEND_CUDA)->limit = device_memory_bytes > 0 ? device_memory_bytes : INFINITY;
    pthread_mutex_unlock(&lock);
}

rw_memory_use rw_account_use(const rw_account *account, rw_backend backend)
{
    pthread_mutex_lock(&lock);
    rw_memory_use use = account->uses[backend == RW_BACKEND_CUDA];
    pthread_mutex_unlock(&lock);
    return use;
}

rw_account *rw_account_enter(rw_account *account)
{
    rw_account *before = entered;
    entered = account;
    return before;
}
