/* Whole files in and out: reading with a limit, writing beside and renaming, so that no partial file stays behind. */
#ifndef RW_BASE_FILE_H
#define RW_BASE_FILE_H

#include "base/context.h"

#include <stdint.h>
#include <stdio.h>

/* The whole file in memory, with a zero byte after its end. Free with free(). Folders, missing and empty files fail
 * with a sentence that names the path. */
rw_status rw_file_read(rw_context *context, const char *path, char **bytes, size_t *size);

/* Reads at most size bytes from the start, to recognise a format; fewer where the file is shorter. */
rw_status rw_file_peek(rw_context *context, const char *path, char *bytes, size_t size, size_t *got);

/* The whole file as memory that the system reads on demand; to be given back with rw_file_unmap. Fails as rw_file_read
 * does. */
rw_status rw_file_map(rw_context *context, const char *path, const unsigned char **bytes, size_t *size);
void rw_file_unmap(const unsigned char *bytes, size_t size);

/* A file being written beside its final path. */
typedef struct rw_file_writer {
    FILE *stream;
    char path[4096];
    char partial[4112];
    int resumable; /* the partial file stays where the run fails */
} rw_file_writer;

rw_status rw_file_begin(rw_context *context, const char *path, rw_file_writer *writer);

/* The same for a long run that a later one can resume: the file is called path.unfinished, with what an earlier run
 * left in it, and is locked, so that two runs do not write it at once. The stream reads and writes, and is at the
 * start. */
rw_status rw_file_resume(rw_context *context, const char *path, rw_file_writer *writer);

/* Cuts off everything from there on and goes there. */
rw_status rw_file_cut(rw_context *context, rw_file_writer *writer, uint64_t at);

/* Hands what is written to the system and checks for every earlier write error. */
rw_status rw_file_flush(rw_context *context, rw_file_writer *writer);

/* Flushes, checks for every earlier write error (a full disk among them), closes and renames. On failure the partial
 * file is removed, unless it can be resumed. */
rw_status rw_file_commit(rw_context *context, rw_file_writer *writer);
void rw_file_abandon(rw_file_writer *writer);

/* Closes without removing, to be resumed. */
void rw_file_leave(rw_file_writer *writer);

/* Makes the folder and its parents. */
rw_status rw_folder_create(rw_context *context, const char *path);

#endif
