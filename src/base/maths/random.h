/* Random numbers that are the same on every machine: from a seed and a stream number to integers and doubles.
 *
 * The generator is splitmix64 (Steele, Lea and Flood 2014): integer arithmetic only, and any number may be a seed. Draw
 * at most one number in a call's arguments or an initialiser: compilers differ in the order they work those out. */
#ifndef RW_BASE_MATHS_RANDOM_H
#define RW_BASE_MATHS_RANDOM_H

#include <stdint.h>

typedef struct rw_random {
    uint64_t state;
} rw_random;

static inline uint64_t rw_random_mix(uint64_t value)
{
    value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
    return value ^ (value >> 31);
}

/* Streams of one seed are independent, so that one part of a scene does not change when another draws more numbers. */
static inline rw_random rw_random_of(uint64_t seed, uint64_t stream)
{
    rw_random random = {rw_random_mix(seed) ^ rw_random_mix(stream * UINT64_C(0x9e3779b97f4a7c15) + 1)};
    return random;
}

static inline uint64_t rw_random_next(rw_random *random)
{
    random->state += UINT64_C(0x9e3779b97f4a7c15);
    return rw_random_mix(random->state);
}

/* A multiple of 2^-53 in [0, 1). */
static inline double rw_random_unit(rw_random *random)
{
    return (double)(rw_random_next(random) >> 11) * 0x1p-53;
}

static inline double rw_random_range(rw_random *random, double low, double high)
{
    return low + (high - low) * rw_random_unit(random);
}

static inline int rw_random_chance(rw_random *random, double probability)
{
    return rw_random_unit(random) < probability;
}

/* A whole number from 0 to count - 1. */
static inline int rw_random_index(rw_random *random, int count)
{
    return (int)(rw_random_unit(random) * count);
}

#endif
