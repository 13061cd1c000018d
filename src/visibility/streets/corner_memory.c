#include "visibility/streets/corner_memory.h"

#include "base/memory.h"
#include "discretise/scene_cache.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Bins of the fine horizon in one that is kept, and the step of its ranges. */
#define COARSE 4
#define CACHED_BINS (RW_HORIZON_BINS / COARSE)
#define RANGE_STEP_M 0.25f
#define RANGE_FAR UINT16_MAX /* nothing hides */

/* Ranges before which it is clear have 16 steps to each doubling. */
#define CLEAR_FIRST_M 0.0625f
#define CLEAR_STEPS 16.0f

/* What is cached at most: 12 bytes per link and 768 bytes per horizon, some 100 and 200 MB. */
#define LINKS_MAX ((size_t)1 << 23)
#define HORIZONS_MAX ((size_t)1 << 18)

/* On a GPU 8 kB per horizon, 2 GB. */
#define DEVICE_HORIZONS_MAX ((size_t)1 << 18)

#define UNKNOWN UINT32_MAX

typedef struct cached_horizon {
    uint16_t ranges[CACHED_BINS]; /* in steps, rounded up */
    uint8_t clear[CACHED_BINS];   /* steps to CLEAR_FIRST_M times as much, rounded down; 0: nothing is clear */
} cached_horizon;

struct rw_corner_memory {
    rw_context *context;
    size_t corner_count;
    uint32_t *link_first, *link_count; /* of each corner; first UNKNOWN */
    uint32_t *horizon;                 /* of each corner: its place; UNKNOWN */
    rw_corner_link *links;
    size_t links_used, link_capacity;
    cached_horizon *horizons;
    size_t horizons_used, horizon_capacity;
    rw_corner_horizon *on_device; /* in place of these, on a GPU */
};

static void destroy_corner_memory(void *value)
{
    rw_corner_memory *memory = value;
    free(memory->link_first);
    free(memory->link_count);
    free(memory->horizon);
    free(memory->links);
    free(memory->horizons);
    rw_device_free(memory->context->backend, memory->on_device);
    free(memory);
}

/* Two: on relief links and horizons have bounds of their own, and one would replace the other. */
static const rw_cache_kind memory_kind = {"street corners", 2, destroy_corner_memory};

static rw_status create_corner_memory(const rw_scene *scene, size_t corners, rw_corner_memory **memory_out)
{
    rw_corner_memory *memory;
    rw_context *context = scene->context;
    RW_TRY(rw_array_create(context, 1, sizeof *memory, "corners", &memory));
    *memory_out = memory;
    memory->context = context;
    memory->corner_count = corners;
    RW_TRY(rw_array_create(context, corners, sizeof *memory->link_first, "corners", &memory->link_first));
    RW_TRY(rw_array_create(context, corners, sizeof *memory->link_count, "corners", &memory->link_count));
    RW_TRY(rw_array_create(context, corners, sizeof *memory->horizon, "corners", &memory->horizon));
    memset(memory->link_first, 0xff, corners * sizeof *memory->link_first);
    memset(memory->horizon, 0xff, corners * sizeof *memory->horizon);
    return RW_OK;
}

/* In a region that has more corners than are kept, sites come by neighbourhoods: what is nearly full is of streets that
 * are behind. */
static void forget_if_full(rw_corner_memory *memory)
{
    size_t max_count = memory->context->backend == RW_BACKEND_CPU ? HORIZONS_MAX : DEVICE_HORIZONS_MAX;
    if (memory->horizons_used > max_count - max_count / 8) {
        memset(memory->horizon, 0xff, memory->corner_count * sizeof *memory->horizon);
        memory->horizons_used = 0;
    }
    if (memory->links_used > LINKS_MAX - LINKS_MAX / 8) {
        memset(memory->link_first, 0xff, memory->corner_count * sizeof *memory->link_first);
        memory->links_used = 0;
    }
}

rw_corner_memory *rw_corner_memory_borrow(const rw_scene *scene, rw_corner_bounds bounds, size_t corners)
{
    rw_corner_memory *memory = rw_scene_cache_borrow(scene, &memory_kind, &bounds, sizeof bounds);
    if (memory)
        forget_if_full(memory);
    if (memory || create_corner_memory(scene, corners, &memory) == RW_OK)
        return memory;
    if (memory)
        destroy_corner_memory(memory);
    return NULL;
}

void rw_corner_memory_return(const rw_scene *scene, rw_corner_bounds bounds, rw_corner_memory *memory)
{
    if (memory)
        rw_scene_cache_return(scene, &memory_kind, &bounds, sizeof bounds, memory);
}

const rw_corner_link *rw_corner_memory_links(const rw_corner_memory *memory, uint32_t corner, size_t *count)
{
    if (!memory || memory->link_first[corner] == UNKNOWN)
        return NULL;
    *count = memory->link_count[corner];
    return memory->links + memory->link_first[corner];
}

int rw_corner_memory_has_horizon(const rw_corner_memory *memory, uint32_t corner)
{
    return memory && memory->horizon[corner] != UNKNOWN;
}

static float steps_range_m(uint8_t steps)
{
    return CLEAR_FIRST_M * exp2f((float)steps / CLEAR_STEPS);
}

void rw_corner_memory_read_horizon(const rw_corner_memory *memory, uint32_t corner, rw_corner_horizon *horizon)
{
    const cached_horizon *cached = memory->horizons + memory->horizon[corner];
    for (size_t i = 0; i < CACHED_BINS; i++) {
        uint32_t bits =
            cached->ranges[i] == RANGE_FAR ? 0x7f7f7f7fu : rw_float_bits((float)cached->ranges[i] * RANGE_STEP_M);
        uint32_t clear = rw_float_bits(cached->clear[i] ? steps_range_m(cached->clear[i]) : 0.0f);
        for (size_t k = 0; k < COARSE; k++) {
            horizon->hidden_bits[i * COARSE + k] = bits;
            horizon->clear_bits[i * COARSE + k] = clear;
        }
    }
}

/* Room for that many more, of which as many are kept as the most; 0 where there is none. */
static int reserve_corner_entries(rw_corner_memory *memory, void *array, size_t used, size_t *capacity, size_t more,
                                  size_t size, size_t max_count)
{
    return used + more <= max_count &&
           (used + more <= *capacity ||
            rw_array_reserve(memory->context, array, capacity, used + more, size, "corners") == RW_OK);
}

/* Room for that many more on the GPU, unless the call has a budget, which is for what it needs itself. */
static int reserve_device_horizons(rw_corner_memory *memory, size_t more)
{
    rw_context *context = memory->context;
    size_t needed = memory->horizons_used + more, capacity = memory->horizon_capacity ? memory->horizon_capacity : 4096;
    if (needed > DEVICE_HORIZONS_MAX || !isinf(rw_device_buffer_bytes(context->backend, INFINITY, 1)))
        return 0;
    while (capacity < needed)
        capacity *= 2;
    if (capacity == memory->horizon_capacity)
        return 1;
    rw_account *before = rw_account_enter(NULL); /* it stays when the call is over */
    rw_status status =
        rw_device_grow(context, context->backend, &memory->on_device, memory->horizons_used * sizeof *memory->on_device,
                       capacity * sizeof *memory->on_device, "corners");
    rw_account_enter(before);
    if (status == RW_OK)
        memory->horizon_capacity = capacity;
    return status == RW_OK;
}

rw_status rw_corner_memory_exchange(rw_corner_memory *memory, const uint32_t *corners, size_t fresh, size_t count,
                                    uint32_t *slots, rw_corner_horizon *horizons)
{
    rw_context *context = memory->context;
    uint32_t *host;
    if (fresh && reserve_device_horizons(memory, fresh))
        for (size_t i = 0; i < fresh; i++)
            memory->horizon[corners[i]] = (uint32_t)memory->horizons_used++;
    RW_TRY(rw_array_create(context, count, sizeof *host, "corners", &host));
    for (size_t i = 0; i < count; i++)
        host[i] = memory->horizon[corners[i]]; /* UNKNOWN is RW_STREET_NONE */
    rw_status status = rw_device_upload(context, context->backend, slots, host, count * sizeof *host);
    free(host);
    RW_TRY(status);
    struct rw_copy_horizons_args args = {horizons, memory->on_device, slots, fresh};
    return rw_device_launch(context, context->backend, RW_KERNEL_copy_horizons, &args, count * RW_HORIZON_BINS);
}

void rw_corner_memory_store_links(rw_corner_memory *memory, const uint32_t *corners, size_t corner_count,
                                  const rw_corner_link *links, size_t link_count)
{
    if (!memory || !reserve_corner_entries(memory, &memory->links, memory->links_used, &memory->link_capacity,
                                           link_count, sizeof *links, LINKS_MAX))
        return;
    for (size_t i = 0; i < corner_count; i++)
        memory->link_count[corners[i]] = 0;
    for (size_t i = 0; i < link_count; i++)
        memory->link_count[links[i].from]++;
    for (size_t i = 0; i < corner_count; i++) {
        memory->link_first[corners[i]] = (uint32_t)memory->links_used;
        memory->links_used += memory->link_count[corners[i]];
        memory->link_count[corners[i]] = 0;
    }
    for (size_t i = 0; i < link_count; i++) {
        uint32_t from = links[i].from;
        memory->links[memory->link_first[from] + memory->link_count[from]++] = links[i];
    }
}

static uint16_t range_steps(const rw_corner_horizon *horizon, size_t bin)
{
    float farthest_m = 0;
    for (size_t k = 0; k < COARSE; k++)
        farthest_m = fmaxf(farthest_m, rw_bits_float(horizon->hidden_bits[bin * COARSE + k]));
    float steps = ceilf(farthest_m / RANGE_STEP_M);
    return steps < (float)RANGE_FAR ? (uint16_t)steps : (uint16_t)RANGE_FAR;
}

static uint8_t clear_steps(const rw_corner_horizon *horizon, size_t bin)
{
    float nearest_m = INFINITY;
    for (size_t k = 0; k < COARSE; k++)
        nearest_m = fminf(nearest_m, rw_bits_float(horizon->clear_bits[bin * COARSE + k]));
    float steps = floorf(CLEAR_STEPS * log2f(nearest_m / CLEAR_FIRST_M) - 0.01f);
    return (uint8_t)fminf(fmaxf(steps, 0), UINT8_MAX);
}

void rw_corner_memory_store_horizons(rw_corner_memory *memory, const uint32_t *corners, size_t count,
                                     const rw_corner_horizon *horizons)
{
    if (!memory || !reserve_corner_entries(memory, &memory->horizons, memory->horizons_used, &memory->horizon_capacity,
                                           count, sizeof *memory->horizons, HORIZONS_MAX))
        return;
    for (size_t i = 0; i < count; i++) {
        cached_horizon *cached = memory->horizons + memory->horizons_used;
        memory->horizon[corners[i]] = (uint32_t)memory->horizons_used++;
        for (size_t bin = 0; bin < CACHED_BINS; bin++) {
            cached->ranges[bin] = range_steps(horizons + i, bin);
            cached->clear[bin] = clear_steps(horizons + i, bin);
        }
    }
}
