/* Warps on a CPU: stands in for base/kernel/lanes.h in a test that includes it first. The lanes of an item are
 * coroutines that take turns; where they ask each other, all must have come to the same question, else the test fails.
 * Lanes run in rising and falling order by turns, so that what one writes and another reads without meeting shows. */
#ifndef RW_BASE_KERNEL_LANES_H
#define RW_BASE_KERNEL_LANES_H

#include "base/kernel/qualifiers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#define RW_GPU_LANES 32
#define LANE_STACK_BYTES ((size_t)1 << 18)

/* emulated 0: an item has one lane, as on a CPU. */
typedef struct emulated_warp {
    int emulated, lane;
    size_t questions;
    ucontext_t outside, lanes[RW_GPU_LANES];
    char *stacks[RW_GPU_LANES];
    int done[RW_GPU_LANES];
    int places[RW_GPU_LANES]; /* in the source, where each lane asks */
    uint64_t told[RW_GPU_LANES], answers[RW_GPU_LANES];
    void (*item)(const void *args, size_t item);
    const void *args;
    size_t index;
} emulated_warp;

static emulated_warp warp;

static void run_lane(int lane)
{
    warp.item(warp.args, warp.index * RW_GPU_LANES + (size_t)lane);
    warp.done[lane] = 1;
}

static void begin_lane(int lane)
{
    if (!warp.stacks[lane])
        warp.stacks[lane] = malloc(LANE_STACK_BYTES);
    getcontext(&warp.lanes[lane]);
    warp.lanes[lane].uc_stack.ss_sp = warp.stacks[lane];
    warp.lanes[lane].uc_stack.ss_size = LANE_STACK_BYTES;
    warp.lanes[lane].uc_link = &warp.outside;
    warp.done[lane] = 0;
    makecontext(&warp.lanes[lane], (void (*)(void))run_lane, 1, lane);
}

/* Every lane up to its next question. Returns how many are not done. */
static int run_lanes(void)
{
    int waiting = 0;
    for (int i = 0; i < RW_GPU_LANES; i++) {
        warp.lane = warp.questions % 2 ? RW_GPU_LANES - 1 - i : i;
        if (!warp.done[warp.lane])
            swapcontext(&warp.outside, &warp.lanes[warp.lane]);
        waiting += !warp.done[warp.lane];
    }
    return waiting;
}

/* One item by all lanes. Returns 0 where they went different ways. */
static int emulate_item(void (*item)(const void *args, size_t item), const void *args, size_t index)
{
    warp.item = item;
    warp.args = args;
    warp.index = index;
    warp.emulated = 1;
    for (int lane = 0; lane < RW_GPU_LANES; lane++)
        begin_lane(lane);
    int waiting, together = 1;
    while ((waiting = run_lanes()) > 0 && together) {
        for (int lane = 0; lane < RW_GPU_LANES; lane++)
            together = together && waiting == RW_GPU_LANES && warp.places[lane] == warp.places[0];
        memcpy(warp.answers, warp.told, sizeof warp.answers);
        warp.questions++;
    }
    warp.emulated = 0;
    return together;
}

/* What every lane tells at one place; one lane alone has no others to ask. */
static inline const uint64_t *ask_lanes(int place, uint64_t value)
{
    warp.told[warp.lane] = value;
    warp.places[warp.lane] = place;
    swapcontext(&warp.lanes[warp.lane], &warp.outside);
    return warp.answers;
}

#define RW_LANES_MEMORY(type, name)                                                                                    \
    static type name##_shared;                                                                                         \
    type *name = &name##_shared

static inline int rw_lane_count(void)
{
    return warp.emulated ? RW_GPU_LANES : 1;
}

static inline int rw_lane(void)
{
    return warp.emulated ? warp.lane : 0;
}

static inline uint32_t which_at(int place, int yes)
{
    if (!warp.emulated)
        return yes ? 1u : 0u;
    const uint64_t *all = ask_lanes(place, yes ? 1 : 0);
    uint32_t which = 0;
    for (int i = 0; i < RW_GPU_LANES; i++)
        which |= (uint32_t)all[i] << i;
    return which;
}

static inline int rw_lanes_first(uint32_t which)
{
    return warp.emulated ? __builtin_ctz(which) : 0;
}

static inline uint32_t from_at(int place, uint32_t value, int lane)
{
    return warp.emulated ? (uint32_t)ask_lanes(place, value)[lane] : value;
}

static inline double max_at(int place, double value)
{
    uint64_t bits;
    if (!warp.emulated)
        return value;
    memcpy(&bits, &value, sizeof bits);
    const uint64_t *all = ask_lanes(place, bits);
    for (int i = 0; i < RW_GPU_LANES; i++) {
        double other;
        memcpy(&other, &all[i], sizeof other);
        value = other > value ? other : value;
    }
    return value;
}

static inline uint32_t before_at(int place, uint32_t value)
{
    uint32_t sum = 0;
    if (!warp.emulated)
        return 0;
    const uint64_t *all = ask_lanes(place, value);
    for (int i = 0; i < warp.lane; i++)
        sum += (uint32_t)all[i];
    return sum;
}

static inline int owner_at(int place, uint32_t before, uint32_t index)
{
    int owner = 0;
    if (!warp.emulated)
        return 0;
    const uint64_t *all = ask_lanes(place, before);
    for (int i = 0; i < RW_GPU_LANES; i++)
        owner = (uint32_t)all[i] <= index ? i : owner;
    return owner;
}

#define PLACE (__LINE__ + 10000 * (int)sizeof(__func__))
#define rw_lanes_meet() ((void)which_at(PLACE, 0))
#define rw_lanes_which(yes) which_at(PLACE, yes)
#define rw_lanes_any(yes) (which_at(PLACE, yes) != 0)
#define rw_lanes_from(value, lane) from_at(PLACE, value, lane)
#define rw_lanes_max(value) max_at(PLACE, value)
#define rw_lanes_min(value) (-max_at(PLACE, -(value)))
#define rw_lanes_before(value) before_at(PLACE, value)
#define rw_lanes_owner(before, index) owner_at(PLACE, before, index)

#endif
