/* Which files were read, by content: SHA-256 of each. The readers of this library record every file that they open
 * (file_read.c, ext/gdal.c), so that no caller can omit one; outside of rw_inputs_begin nothing is hashed.
 *
 * A hash is reused only if size, inode, and the times of data and of metadata agree to the nanosecond, and the file was
 * older than 2 s when it was hashed: a file system may store times in steps, within which a second write would not
 * show. */
#ifndef RW_BASE_INPUTS_H
#define RW_BASE_INPUTS_H

#include "base/context.h"
#include "base/maths/sha256.h"

#include <sys/stat.h>

typedef struct rw_input {
    char *path;
    unsigned char digest[RW_SHA256_BYTES];
} rw_input;

struct rw_inputs {
    rw_input *items; /* each path and digest once */
    size_t count, capacity;
    struct rw_inputs *outer; /* while it is open */
    int is_open;
};

/* From here on this thread records in it what it reads, and in those that were open before; it may have inputs already.
 */
void rw_inputs_open(rw_inputs *inputs);
void rw_inputs_close(rw_inputs *inputs);
void rw_inputs_free(rw_inputs *inputs);

/* Records a file as read: its bytes, or the file of a path. */
rw_status rw_input_record_bytes(rw_context *context, const char *path, const void *bytes, size_t size);
rw_status rw_input_record(rw_context *context, const char *path);

/* Records all of another list, as of a scene that was read earlier. */
rw_status rw_inputs_join(rw_context *context, const rw_inputs *more);

/* Adds the digests, sorted: neither paths nor the order of reading count. */
rw_status rw_inputs_hash(rw_context *context, const rw_inputs *inputs, rw_sha256 *hash);

/* The digest of the input of that path; NULL: it was not read. */
const unsigned char *rw_inputs_find(const rw_inputs *inputs, const char *path);

/* Whether a hash of a file that was described so at that time may be used for a file that is described so now. */
int rw_input_is_same_file(const struct stat *hashed, struct timespec hashed_at, const struct stat *now);

/* Of a context: hashes of files that did not change since. NULL: no memory left. */
rw_hashed_files *rw_hashed_files_create(void);
void rw_hashed_files_destroy(rw_hashed_files *files);

#endif
