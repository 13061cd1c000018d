/* A 64-bit hash of bytes, to tell whether a file belongs to a scene and whether it is whole. It is no protection
 * against anybody who means harm. */
#ifndef RW_BASE_MATHS_HASH_H
#define RW_BASE_MATHS_HASH_H

#include "base/maths/random.h"

#include <stddef.h>
#include <string.h>

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
