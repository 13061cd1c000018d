/* Work items that a whole warp shares on a GPU: its threads are the lanes of one item, and loops over what the item
 * looks at are dealt out to them. On a CPU an item has one lane, and all of this is nothing.
 *
 * All lanes of an item go the same way wherever they ask each other: what they decide by is what they all know. The
 * launch has rw_lane_count() items for each that is meant. */
#ifndef RW_BASE_KERNEL_LANES_H
#define RW_BASE_KERNEL_LANES_H

#include "base/kernel/qualifiers.h"

#define RW_GPU_LANES 32

/* Warps of a block, whose shared memory is parted among them. */
#define RW_GPU_WARPS 4

/* Memory that the lanes of an item have together: declares a pointer to it. */
#ifdef __CUDA_ARCH__
#define RW_LANES_MEMORY(type, name)                                                                                    \
    __shared__ type name##_of_warps[RW_GPU_WARPS];                                                                     \
    type *name = name##_of_warps + threadIdx.x / RW_GPU_LANES
#else
#define RW_LANES_MEMORY(type, name)                                                                                    \
    type name##_here;                                                                                                  \
    type *name = &name##_here
#endif

RW_FN int rw_lane_count(void)
{
#ifdef __CUDA_ARCH__
    return RW_GPU_LANES;
#else
    return 1;
#endif
}

RW_FN int rw_lane(void)
{
#ifdef __CUDA_ARCH__
    return (int)(threadIdx.x & (RW_GPU_LANES - 1));
#else
    return 0;
#endif
}

/* What lanes wrote before it, all read after it. */
RW_FN void rw_lanes_meet(void)
{
#ifdef __CUDA_ARCH__
    __syncwarp();
#endif
}

/* A bit for each lane that says yes. */
RW_FN uint32_t rw_lanes_which(int yes)
{
#ifdef __CUDA_ARCH__
    return __ballot_sync(0xffffffffu, yes);
#else
    return yes ? 1u : 0u;
#endif
}

RW_FN int rw_lanes_any(int yes)
{
    return rw_lanes_which(yes) != 0;
}

/* The number of the first lane in a set of them that is not empty. */
RW_FN int rw_lanes_first(uint32_t which)
{
#ifdef __CUDA_ARCH__
    return __ffs((int)which) - 1;
#else
    (void)which;
    return 0;
#endif
}

/* What another lane has. */
RW_FN uint32_t rw_lanes_from(uint32_t value, int lane)
{
#ifdef __CUDA_ARCH__
    return __shfl_sync(0xffffffffu, value, lane);
#else
    (void)lane;
    return value;
#endif
}

RW_FN double rw_lanes_max(double value)
{
#ifdef __CUDA_ARCH__
    for (int apart = RW_GPU_LANES / 2; apart; apart /= 2) {
        double other = __shfl_xor_sync(0xffffffffu, value, apart);
        value = other > value ? other : value;
    }
#endif
    return value;
}

RW_FN double rw_lanes_min(double value)
{
    return -rw_lanes_max(-value);
}

/* The sum over all lanes, always added in the same order. */
RW_FN double rw_lanes_sum(double value)
{
#ifdef __CUDA_ARCH__
    for (int apart = RW_GPU_LANES / 2; apart; apart /= 2)
        value += __shfl_xor_sync(0xffffffffu, value, apart);
#endif
    return value;
}

/* Sum over the lanes before this one. */
RW_FN uint32_t rw_lanes_before(uint32_t value)
{
#ifdef __CUDA_ARCH__
    uint32_t sum = value;
    for (int apart = 1; apart < RW_GPU_LANES; apart *= 2) {
        uint32_t other = __shfl_up_sync(0xffffffffu, sum, (unsigned)apart);
        sum += rw_lane() >= apart ? other : 0u;
    }
    return sum - value;
#else
    (void)value;
    return 0;
#endif
}

/* Lanes have numbered things side by side, each from its own before on: the lane that has number index. */
RW_FN int rw_lanes_owner(uint32_t before, uint32_t index)
{
#ifdef __CUDA_ARCH__
    int owner = 0;
    for (int apart = RW_GPU_LANES / 2; apart; apart /= 2) {
        uint32_t theirs = __shfl_sync(0xffffffffu, before, owner + apart);
        owner += theirs <= index ? apart : 0;
    }
    return owner;
#else
    (void)before;
    (void)index;
    return 0;
#endif
}

#endif
