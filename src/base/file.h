/* Whole files in and out: reading with checks, writing beside and renaming, so that no partial file stays behind. */
#ifndef RW_BASE_FILE_H
#define RW_BASE_FILE_H

#include "base/context.h"

#include <stdint.h>
#include <stdio.h>

/* --- reading (file_read.c) --- */

/* The whole file in memory, with a zero byte after its end. Free with free(). Folders, missing and empty files fail
 * with a sentence that names the path, and so does a pipe or device that gives more than 256 MB. */
rw_status rw_file_read(rw_context *context, const char *path, char **bytes, size_t *size);

/* Reads at most size bytes from the start of an ordinary file, to recognise a format; fewer where it is shorter. */
rw_status rw_file_peek(rw_context *context, const char *path, char *bytes, size_t size, size_t *got);

/* A file that is read in parts. It is never mapped: a file that another program cuts while it is read would end the
 * process. */
typedef struct rw_file_reader {
    rw_context *context;
    const char *path; /* the caller's */
    int descriptor;   /* -1: none */
    uint64_t size;    /* when it was opened */
} rw_file_reader;

/* Opens an ordinary file. Fails as rw_file_read does. */
rw_status rw_file_open(rw_context *context, const char *path, rw_file_reader *reader);

/* The bytes from there on, all of them: a file that became shorter fails. */
rw_status rw_file_read_at(const rw_file_reader *reader, uint64_t at, void *bytes, size_t size);
void rw_file_close(rw_file_reader *reader);

/* --- writing (file_write.c) --- */

/* A file being written beside its final path. */
typedef struct rw_file_writer {
    FILE *stream;              /* to write to */
    struct rw_file_sink *sink; /* what the stream writes to: the descriptor and the first error */
    struct rw_unfinished *removable;
    char path[4096];
    char partial[4128];
    int resumable; /* the partial file stays where the run fails */
} rw_file_writer;

/* Whether a file could be put there: the folder is there and can be written, and nothing but a file has the name. For
 * calls that work long before they write. */
rw_status rw_file_check_writable(rw_context *context, const char *path);

/* The file is made under a random name that nothing has, in the folder of its path. */
rw_status rw_file_begin(rw_context *context, const char *path, rw_file_writer *writer);

/* The same for a long run that a later one can resume: the file is called path.unfinished, with what an earlier run of
 * the same user left in it, and is locked, so that two runs do not write it at once. Links are refused. */
rw_status rw_file_resume(rw_context *context, const char *path, rw_file_writer *writer);

/* What an earlier run left, to be read before anything is written; it is closed with the writer. */
rw_status rw_file_left(rw_context *context, const rw_file_writer *writer, rw_file_reader *reader);

/* Cuts off everything from there on and goes there. */
rw_status rw_file_cut(rw_context *context, rw_file_writer *writer, uint64_t at);

/* Hands what is written to the system and checks for every earlier write error. */
rw_status rw_file_flush(rw_context *context, rw_file_writer *writer);

/* Flushes, checks for every earlier write error (a full disk among them), waits until the disk has it, renames and
 * closes. On failure the partial file is removed, unless it can be resumed. */
rw_status rw_file_commit(rw_context *context, rw_file_writer *writer);
void rw_file_abandon(rw_file_writer *writer);

/* Closes without removing, to be resumed. */
void rw_file_leave(rw_file_writer *writer);

/* Makes the folder and its parents. */
rw_status rw_folder_create(rw_context *context, const char *path);

/* The temporary files that this process is writing, so that a signal handler can remove them. */

typedef struct rw_unfinished rw_unfinished;

#endif
