/* Numbers as little-endian bytes, as they stand in the blobs of a saved scene, on every machine. */
#ifndef RW_BASE_BYTES_H
#define RW_BASE_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline void rw_bytes_write(unsigned char *bytes, uint64_t value, int size)
{
    for (int i = 0; i < size; i++)
        bytes[i] = (unsigned char)(value >> 8 * i);
}

static inline uint64_t rw_bytes_get(const unsigned char *bytes, int size)
{
    uint64_t value = 0;
    for (int i = 0; i < size; i++)
        value |= (uint64_t)bytes[i] << 8 * i;
    return value;
}

static inline void rw_bytes_write_double(unsigned char *bytes, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    rw_bytes_write(bytes, bits, 8);
}

static inline void rw_bytes_write_float(unsigned char *bytes, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    rw_bytes_write(bytes, bits, 4);
}

static inline void rw_bytes_get_doubles(const unsigned char *bytes, size_t count, double *values)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t bits = rw_bytes_get(bytes + 8 * i, 8);
        memcpy(&values[i], &bits, sizeof bits);
    }
}

static inline void rw_bytes_get_words(const unsigned char *bytes, size_t count, uint32_t *values)
{
    for (size_t i = 0; i < count; i++)
        values[i] = (uint32_t)rw_bytes_get(bytes + 4 * i, 4);
}

static inline void rw_bytes_get_floats(const unsigned char *bytes, size_t count, float *values)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t bits = (uint32_t)rw_bytes_get(bytes + 4 * i, 4);
        memcpy(&values[i], &bits, sizeof bits);
    }
}

#endif
