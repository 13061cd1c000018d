#include "ext/zlib.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <zlib.h>

#define WINDOW_BITS (15 + 16) /* of gzip, not of zlib's own form */
#define LEVEL 6

static z_stream stream_of(const void *bytes, size_t size)
{
    return (z_stream){.next_in = (Bytef *)(uintptr_t)bytes, .avail_in = (uInt)size};
}

char *rw_gzip_compress(const void *bytes, size_t size, size_t *compressed_size)
{
    z_stream stream = stream_of(bytes, size);
    if (size > UINT_MAX / 2 || deflateInit2(&stream, LEVEL, Z_DEFLATED, WINDOW_BITS, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return NULL;
    uLong capacity = deflateBound(&stream, (uLong)size);
    char *out = malloc(capacity);
    stream.next_out = (Bytef *)out;
    stream.avail_out = (uInt)capacity;
    int result = out ? deflate(&stream, Z_FINISH) : Z_MEM_ERROR;
    *compressed_size = stream.total_out;
    deflateEnd(&stream);
    if (result == Z_STREAM_END)
        return out;
    free(out);
    return NULL;
}

char *rw_gzip_extract(const void *bytes, size_t size, size_t max_size, size_t *extracted_size)
{
    z_stream stream = stream_of(bytes, size);
    if (size > UINT_MAX / 2 || max_size > UINT_MAX / 2 || inflateInit2(&stream, WINDOW_BITS) != Z_OK)
        return NULL;
    char *out = malloc(max_size ? max_size : 1);
    stream.next_out = (Bytef *)out;
    stream.avail_out = (uInt)max_size;
    int result = out ? inflate(&stream, Z_FINISH) : Z_MEM_ERROR;
    *extracted_size = stream.total_out;
    inflateEnd(&stream);
    if (result == Z_STREAM_END)
        return out;
    free(out);
    return NULL;
}
