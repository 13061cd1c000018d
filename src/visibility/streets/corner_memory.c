#include "visibility/streets/corner_memory.h"

#include "base/memory.h"
#include "discretise/scene_cache.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Bins of the fine horizon in one that is kept, and the step of its ranges. */
#define COARSE 4
#define KEPT_BINS (RW_HORIZON_BINS / COARSE)
#define RANGE_STEP_M 0.25f
#define RANGE_FAR UINT16_MAX /* nothing hides */

/* What is kept at most: 12 bytes a link and 512 bytes a horizon, some 100 MB of each. */
#define LINKS_MOST ((size_t)1 << 23)
#define HORIZONS_MOST ((size_t)1 << 18)

#define UNKNOWN UINT32_MAX

typedef struct kept_horizon {
    uint16_t ranges[KEPT_BINS]; /* in steps, rounded up */
} kept_horizon;

struct rw_corner_memory {
    rw_context *context;
    uint32_t *link_first, *link_count; /* of each corner; first UNKNOWN */
    uint32_t *horizon;                 /* of each corner: its place; UNKNOWN */
    rw_corner_link *links;
    size_t links_used, link_capacity;
    kept_horizon *horizons;
    size_t horizons_used, horizon_capacity;
};

static void destroy(void *value)
{
    rw_corner_memory *memory = value;
    free(memory->link_first);
    free(memory->link_count);
    free(memory->horizon);
    free(memory->links);
    free(memory->horizons);
    free(memory);
}

static const rw_cache_kind memory_kind = {"street corners", 1, destroy};

static rw_status create(const rw_scene *scene, size_t corners, rw_corner_memory **memory_out)
{
    rw_corner_memory *memory;
    rw_context *context = scene->context;
    RW_TRY(rw_array_create(context, 1, sizeof *memory, "corners", &memory));
    *memory_out = memory;
    memory->context = context;
    RW_TRY(rw_array_create(context, corners, sizeof *memory->link_first, "corners", &memory->link_first));
    RW_TRY(rw_array_create(context, corners, sizeof *memory->link_count, "corners", &memory->link_count));
    RW_TRY(rw_array_create(context, corners, sizeof *memory->horizon, "corners", &memory->horizon));
    memset(memory->link_first, 0xff, corners * sizeof *memory->link_first);
    memset(memory->horizon, 0xff, corners * sizeof *memory->horizon);
    return RW_OK;
}

rw_corner_memory *rw_corner_memory_borrow(const rw_scene *scene, rw_corner_bounds bounds, size_t corners)
{
    rw_corner_memory *memory = rw_scene_cache_borrow(scene, &memory_kind, &bounds, sizeof bounds);
    if (memory || create(scene, corners, &memory) == RW_OK)
        return memory;
    if (memory)
        destroy(memory);
    return NULL;
}

void rw_corner_memory_give(const rw_scene *scene, rw_corner_bounds bounds, rw_corner_memory *memory)
{
    if (memory)
        rw_scene_cache_give(scene, &memory_kind, &bounds, sizeof bounds, memory);
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

void rw_corner_memory_read_horizon(const rw_corner_memory *memory, uint32_t corner, rw_corner_horizon *horizon)
{
    const kept_horizon *kept = memory->horizons + memory->horizon[corner];
    for (size_t i = 0; i < KEPT_BINS; i++) {
        uint32_t bits =
            kept->ranges[i] == RANGE_FAR ? 0x7f7f7f7fu : rw_float_bits((float)kept->ranges[i] * RANGE_STEP_M);
        for (size_t k = 0; k < COARSE; k++)
            horizon->hidden_bits[i * COARSE + k] = bits;
    }
}

/* Room for that many more, of which as many are kept as the most; 0 where there is none. */
static int has_room(rw_corner_memory *memory, void *array, size_t used, size_t *capacity, size_t more, size_t size,
                    size_t most)
{
    return used + more <= most && (used + more <= *capacity || rw_array_reserve(memory->context, array, capacity,
                                                                                used + more, size, "corners") == RW_OK);
}

void rw_corner_memory_keep_links(rw_corner_memory *memory, const uint32_t *corners, size_t corner_count,
                                 const rw_corner_link *links, size_t link_count)
{
    if (!memory || !has_room(memory, &memory->links, memory->links_used, &memory->link_capacity, link_count,
                             sizeof *links, LINKS_MOST))
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
    float most = 0;
    for (size_t k = 0; k < COARSE; k++)
        most = fmaxf(most, rw_bits_float(horizon->hidden_bits[bin * COARSE + k]));
    float steps = ceilf(most / RANGE_STEP_M);
    return steps < (float)RANGE_FAR ? (uint16_t)steps : (uint16_t)RANGE_FAR;
}

void rw_corner_memory_keep_horizons(rw_corner_memory *memory, const uint32_t *corners, size_t count,
                                    const rw_corner_horizon *horizons)
{
    if (!memory || !has_room(memory, &memory->horizons, memory->horizons_used, &memory->horizon_capacity, count,
                             sizeof *memory->horizons, HORIZONS_MOST))
        return;
    for (size_t i = 0; i < count; i++) {
        kept_horizon *kept = memory->horizons + memory->horizons_used;
        memory->horizon[corners[i]] = (uint32_t)memory->horizons_used++;
        for (size_t bin = 0; bin < KEPT_BINS; bin++)
            kept->ranges[bin] = range_steps(horizons + i, bin);
    }
}
