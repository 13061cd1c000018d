#include "ext/zlib.h"

char *rw_gzip_compress(const void *bytes, size_t size, size_t *compressed_size)
{
    (void)bytes;
    (void)size;
    *compressed_size = 0;
    return NULL;
}

char *rw_gzip_extract(const void *bytes, size_t size, size_t max_size, size_t *extracted_size)
{
    (void)bytes;
    (void)size;
    (void)max_size;
    *extracted_size = 0;
    return NULL;
}
