/* Compression with gzip (RFC 1952), for the server. NULL: there is no memory, what was given is not gzip, or this build
 * has no zlib. What is returned is to be freed. */
#ifndef RW_EXT_ZLIB_H
#define RW_EXT_ZLIB_H

#include <stddef.h>

char *rw_gzip_compress(const void *bytes, size_t size, size_t *compressed_size);
/* At most max_size bytes. */
char *rw_gzip_extract(const void *bytes, size_t size, size_t max_size, size_t *extracted_size);

#endif
