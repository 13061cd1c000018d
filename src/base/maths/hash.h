/* Random numbers and hashes, the same on every machine: both mix 64-bit integers by the same steps. */
#ifndef RW_BASE_MATHS_HASH_H
#define RW_BASE_MATHS_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Random numbers that are the same on every machine: from a seed and a stream number to integers and doubles.
 *
 * The generator is splitmix64 (Steele, Lea and Flood 2014): integer arithmetic only, and any number may be a seed. Draw
 * at most one number in a call's arguments or an initialiser: compilers differ in the order they work those out. */
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

/* A 64-bit hash of bytes, to decide whether a file belongs to a scene and whether it is whole. It detects damage and
 * mistakes, not forgery. */
#define RW_HASH_START UINT64_C(0x9ae16a3b2f90404f)

/* Adds whole words: size is a multiple of 8. Bytes that come in parts are hashed by this and rw_hash for the last part,
 * and give what one call of rw_hash gives. */
static inline uint64_t rw_hash_words(uint64_t hash, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    uint64_t word;
    for (; size >= sizeof word; size -= sizeof word, at += sizeof word) {
        memcpy(&word, at, sizeof word);
        hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
    }
    return hash;
}

/* Adds bytes to a hash. The result depends on how the bytes are cut into calls. */
static inline uint64_t rw_hash(uint64_t hash, const void *bytes, size_t size)
{
    size_t word_bytes = size / sizeof(uint64_t) * sizeof(uint64_t), rest = size - word_bytes;
    hash = rw_hash_words(hash, bytes, word_bytes);
    uint64_t word = rest;
    memcpy(&word, (const unsigned char *)bytes + word_bytes, rest);
    return rw_random_mix(hash ^ word ^ (uint64_t)rest << 56);
}

#endif
