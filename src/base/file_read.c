#include "base/file.h"

#include "base/inputs.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What a pipe or a device may give at most: one of them has no end. */
#define STREAM_BYTES_MAX ((size_t)1 << 28)

static rw_status check_kind(rw_context *context, const char *path, const struct stat *about, int allows_streams)
{
    if (S_ISDIR(about->st_mode))
        return rw_fail(context, RW_BAD_INPUT, "%s is a folder, not a file", path);
    if (!allows_streams && !S_ISREG(about->st_mode))
        return rw_fail(context, RW_BAD_INPUT, "%s is no ordinary file", path);
    return RW_OK;
}

/* allows_streams: whether it may be a pipe or a device, which is read once and from its start. */
static rw_status open_to_read(rw_context *context, const char *path, int allows_streams, int *descriptor,
                              struct stat *about)
{
    *descriptor = -1;
    if (stat(path, about) != 0)
        return rw_fail(context, RW_NOT_FOUND, "%s: %s", path, strerror(errno));
    RW_TRY(check_kind(context, path, about, allows_streams)); /* before the open, which waits for the end of a pipe */
    *descriptor = open(path, O_RDONLY | O_CLOEXEC | (allows_streams ? 0 : O_NONBLOCK));
    if (*descriptor < 0)
        return rw_fail(context, RW_NOT_FOUND, "%s cannot be read: %s", path, strerror(errno));
    rw_status status = fstat(*descriptor, about) == 0
                           ? check_kind(context, path, about, allows_streams)
                           : rw_fail(context, RW_IO, "%s: reading failed: %s", path, strerror(errno));
    if (status != RW_OK)
        close(*descriptor);
    return status;
}

/* Reads until the bytes are full or the file ends. */
static rw_status read_some(rw_context *context, const char *path, int descriptor, char *bytes, size_t size, size_t *got)
{
    *got = 0;
    while (*got < size) {
        ssize_t now = read(descriptor, bytes + *got, size - *got);
        if (now == 0)
            break;
        if (now < 0 && errno != EINTR)
            return rw_fail(context, RW_IO, "%s: reading failed: %s", path, strerror(errno));
        *got += now > 0 ? (size_t)now : 0;
    }
    return RW_OK;
}

rw_status rw_file_peek(rw_context *context, const char *path, char *bytes, size_t size, size_t *got)
{
    struct stat about;
    int descriptor;
    RW_TRY(open_to_read(context, path, 0, &descriptor, &about));
    rw_status status = read_some(context, path, descriptor, bytes, size, got);
    close(descriptor);
    return status;
}

/* Reads to the end without trusting a size from the system, so that pipes and growing files work; where there is a
 * size, room for it is made at once. */
static rw_status read_to_end(rw_context *context, const char *path, int descriptor, const struct stat *about,
                             char **bytes, size_t *size)
{
    int is_stream = !S_ISREG(about->st_mode);
    size_t capacity = 0, used = 0, wanted = is_stream ? 1 << 16 : (size_t)about->st_size + 2;
    for (;;) {
        size_t got = 0;
        RW_TRY(rw_array_reserve(context, bytes, &capacity, wanted, 1, path));
        RW_TRY(read_some(context, path, descriptor, *bytes + used, capacity - 1 - used, &got));
        used += got;
        if (used < capacity - 1)
            break;
        if (is_stream && used > STREAM_BYTES_MAX)
            return rw_fail(context, RW_TOO_LARGE, "%s gives more than %zu bytes; write it to a file", path,
                           STREAM_BYTES_MAX);
        wanted = 2 * capacity;
    }
    (*bytes)[used] = 0;
    *size = used;
    return RW_OK;
}

rw_status rw_file_read(rw_context *context, const char *path, char **bytes, size_t *size)
{
    struct stat about;
    int descriptor;
    *bytes = NULL;
    *size = 0;
    RW_TRY(open_to_read(context, path, 1, &descriptor, &about));
    rw_status status = read_to_end(context, path, descriptor, &about, bytes, size);
    close(descriptor);
    if (status == RW_OK && *size == 0)
        status = rw_fail(context, RW_BAD_INPUT, "%s is empty; make it again or give another file", path);
    if (status == RW_OK)
        status = rw_input_record_bytes(context, path, *bytes, *size);
    if (status != RW_OK) {
        free(*bytes);
        *bytes = NULL;
    }
    return status;
}

rw_status rw_file_open(rw_context *context, const char *path, rw_file_reader *reader)
{
    struct stat about;
    *reader = (rw_file_reader){.context = context, .path = path, .descriptor = -1};
    RW_TRY(open_to_read(context, path, 0, &reader->descriptor, &about));
    reader->size = (uint64_t)about.st_size;
    if (reader->size > 0)
        return RW_OK;
    rw_file_close(reader);
    return rw_fail(context, RW_BAD_INPUT, "%s is empty; make it again or give another file", path);
}

rw_status rw_file_read_at(const rw_file_reader *reader, uint64_t at, void *bytes, size_t size)
{
    for (size_t got = 0; got < size;) {
        ssize_t now = pread(reader->descriptor, (char *)bytes + got, size - got, (off_t)(at + got));
        if (now == 0)
            return rw_fail(reader->context, RW_IO, "%s became shorter while it was read", reader->path);
        if (now < 0 && errno != EINTR)
            return rw_fail(reader->context, RW_IO, "%s: reading failed: %s", reader->path, strerror(errno));
        got += now > 0 ? (size_t)now : 0;
    }
    return RW_OK;
}

void rw_file_close(rw_file_reader *reader)
{
    if (reader->descriptor >= 0)
        close(reader->descriptor);
    reader->descriptor = -1;
}
