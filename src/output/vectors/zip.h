/* A zip archive of a few files in memory, stored as they are: what a KMZ file is. */
#ifndef RW_OUTPUT_VECTORS_ZIP_H
#define RW_OUTPUT_VECTORS_ZIP_H

#include "base/context.h"

#include <stdio.h>

typedef struct rw_zip_file {
    const char *name;
    const void *bytes;
    size_t size;
} rw_zip_file;

/* Writes the archive to the stream. Errors of the stream are the caller's to see. Files above 4 GB are refused. */
rw_status rw_zip_write(rw_context *context, FILE *stream, const rw_zip_file *files, size_t count);

#endif
