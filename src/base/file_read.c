#include "base/file.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static rw_status open_to_read(rw_context *context, const char *path, int *descriptor, struct stat *about)
{
    *descriptor = -1;
    if (stat(path, about) != 0)
        return rw_fail(context, RW_NOT_FOUND, "%s: %s", path, strerror(errno));
    if (S_ISDIR(about->st_mode))
        return rw_fail(context, RW_BAD_INPUT, "%s is a folder, not a file", path);
    *descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (*descriptor < 0)
        return rw_fail(context, RW_NOT_FOUND, "%s cannot be read: %s", path, strerror(errno));
    if (fstat(*descriptor, about) == 0)
        return RW_OK;
    rw_status status = rw_fail(context, RW_IO, "%s: reading failed: %s", path, strerror(errno));
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
    RW_TRY(open_to_read(context, path, &descriptor, &about));
    rw_status status = read_some(context, path, descriptor, bytes, size, got);
    close(descriptor);
    return status;
}

/* Reads to the end without trusting a size from the system, so that pipes and growing files work; where there is a
 * size, room for it is made at once. */
static rw_status read_to_end(rw_context *context, const char *path, int descriptor, double size_hint, char **bytes,
                             size_t *size)
{
    size_t capacity = 0, used = 0, wanted = size_hint < 1e15 ? (size_t)size_hint + 2 : 1 << 16;
    for (;;) {
        size_t got = 0;
        RW_TRY(rw_array_reserve(context, bytes, &capacity, wanted, 1, path));
        RW_TRY(read_some(context, path, descriptor, *bytes + used, capacity - 1 - used, &got));
        used += got;
        if (used < capacity - 1)
            break;
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
    RW_TRY(open_to_read(context, path, &descriptor, &about));
    double size_hint = S_ISREG(about.st_mode) ? (double)about.st_size : 1 << 16;
    rw_status status = read_to_end(context, path, descriptor, size_hint, bytes, size);
    close(descriptor);
    if (status == RW_OK && *size == 0)
        status = rw_fail(context, RW_BAD_INPUT, "%s is empty; make it again or give another file", path);
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
    RW_TRY(open_to_read(context, path, &reader->descriptor, &about));
    reader->size = (uint64_t)about.st_size;
    if (S_ISREG(about.st_mode) && reader->size > 0)
        return RW_OK;
    rw_file_close(reader);
    if (!S_ISREG(about.st_mode))
        return rw_fail(context, RW_BAD_INPUT, "%s is no ordinary file", path);
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
