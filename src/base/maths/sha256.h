/* SHA-256 (FIPS 180-4) of bytes that come in parts. */
#ifndef RW_BASE_MATHS_SHA256_H
#define RW_BASE_MATHS_SHA256_H

#include <stddef.h>
#include <stdint.h>

#define RW_SHA256_BYTES 32
#define RW_SHA256_TEXT 65 /* hexadecimal digits and the zero at their end */

typedef struct rw_sha256 {
    uint32_t state[8];
    uint64_t length;
    unsigned char block[64];
} rw_sha256;

void rw_sha256_init(rw_sha256 *hash);
void rw_sha256_add(rw_sha256 *hash, const void *bytes, size_t size);
void rw_sha256_end(rw_sha256 *hash, unsigned char digest[RW_SHA256_BYTES]);

/* A string with its end, so that "ab", "c" and "a", "bc" differ; NULL differs from "". */
void rw_sha256_add_string(rw_sha256 *hash, const char *string);

void rw_sha256_print(const unsigned char digest[RW_SHA256_BYTES], char text[RW_SHA256_TEXT]);

#endif
