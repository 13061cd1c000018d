#include "base/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static rw_status fail_errno(rw_context *context, const char *path, const char *doing)
{
    int error = errno;
    if (error == ENOSPC || error == EDQUOT || error == EIO || error == EFBIG)
        return rw_fail(context, RW_IO, "%s: %s failed: %s", path, doing, strerror(error));
    return rw_fail(context, RW_NOT_WRITABLE, "%s: %s failed: %s", path, doing, strerror(error));
}

static rw_status open_to_read(rw_context *context, const char *path, FILE **file)
{
    struct stat about;
    if (stat(path, &about) != 0)
        return rw_fail(context, RW_NOT_FOUND, "%s: %s", path, strerror(errno));
    if (S_ISDIR(about.st_mode))
        return rw_fail(context, RW_BAD_INPUT, "%s is a folder, not a file", path);
    *file = fopen(path, "rb");
    if (!*file)
        return rw_fail(context, RW_NOT_FOUND, "%s cannot be read: %s", path, strerror(errno));
    return RW_OK;
}

rw_status rw_file_peek(rw_context *context, const char *path, char *bytes, size_t size, size_t *got)
{
    FILE *file = NULL;
    RW_TRY(open_to_read(context, path, &file));
    *got = fread(bytes, 1, size, file);
    int failed = ferror(file);
    fclose(file);
    return failed ? rw_fail(context, RW_IO, "%s: reading failed", path) : RW_OK;
}

/* Reads to the end without trusting a size from the system, so that pipes and growing files work. */
static rw_status read_to_end(rw_context *context, const char *path, FILE *file, char **bytes, size_t *size)
{
    size_t capacity = 1 << 16, used = 0;
    char *buffer = malloc(capacity);
    while (buffer) {
        used += fread(buffer + used, 1, capacity - 1 - used, file);
        if (used < capacity - 1)
            break;
        char *grown = realloc(buffer, capacity *= 2);
        if (!grown)
            free(buffer);
        buffer = grown;
    }
    if (!buffer)
        return rw_fail(context, RW_OUT_OF_MEMORY, "%s: no memory left to read it", path);
    if (ferror(file)) {
        free(buffer);
        return rw_fail(context, RW_IO, "%s: reading failed", path);
    }
    buffer[used] = 0;
    *bytes = buffer;
    *size = used;
    return RW_OK;
}

rw_status rw_file_read(rw_context *context, const char *path, char **bytes, size_t *size)
{
    FILE *file = NULL;
    *bytes = NULL;
    *size = 0;
    RW_TRY(open_to_read(context, path, &file));
    rw_status status = read_to_end(context, path, file, bytes, size);
    fclose(file);
    if (status == RW_OK && *size == 0) {
        free(*bytes);
        *bytes = NULL;
        return rw_fail(context, RW_BAD_INPUT, "%s is empty; make it again or give another file", path);
    }
    return status;
}

rw_status rw_file_map(rw_context *context, const char *path, const unsigned char **bytes, size_t *size)
{
    FILE *file = NULL;
    struct stat about;
    *bytes = NULL;
    *size = 0;
    RW_TRY(open_to_read(context, path, &file));
    void *mapped = MAP_FAILED;
    int known = fstat(fileno(file), &about) == 0;
    if (known && about.st_size > 0)
        mapped = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, fileno(file), 0);
    fclose(file);
    if (known && about.st_size == 0)
        return rw_fail(context, RW_BAD_INPUT, "%s is empty; make it again or give another file", path);
    if (mapped == MAP_FAILED)
        return rw_fail(context, RW_IO, "%s: reading failed: %s", path, strerror(errno));
    *bytes = mapped;
    *size = (size_t)about.st_size;
    return RW_OK;
}

void rw_file_unmap(const unsigned char *bytes, size_t size)
{
    if (bytes)
        munmap((void *)bytes, size);
}

static rw_status partial_path(rw_context *context, const char *path, char *partial, size_t size)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    int written = snprintf(partial, size, "%.*s.partial-%ld-%s", (int)(name - path), path, (long)getpid(), name);
    if (written < 0 || (size_t)written >= size)
        return rw_fail(context, RW_BAD_CALL, "the path %.60s... is too long", path);
    return RW_OK;
}

static rw_status rename_partial(rw_context *context, const char *partial, const char *path)
{
    if (rename(partial, path) == 0)
        return RW_OK;
    rw_status status = fail_errno(context, path, "renaming the finished file");
    unlink(partial);
    return status;
}

rw_status rw_file_begin(rw_context *context, const char *path, rw_file_writer *writer)
{
    memset(writer, 0, sizeof *writer);
    if (strlen(path) >= sizeof writer->path)
        return rw_fail(context, RW_BAD_CALL, "the path %.60s... is too long", path);
    strcpy(writer->path, path);
    RW_TRY(partial_path(context, path, writer->partial, sizeof writer->partial));
    writer->stream = fopen(writer->partial, "wb");
    return writer->stream ? RW_OK : fail_errno(context, path, "creating the file");
}

/* Opens the unfinished file and locks it; *again where it got another name or was removed before the lock was held. */
static rw_status open_locked(rw_context *context, rw_file_writer *writer, int *again)
{
    struct stat held, named;
    *again = 0;
    writer->stream = fopen(writer->partial, "r+b");
    if (!writer->stream)
        writer->stream = fopen(writer->partial, "w+b");
    if (!writer->stream)
        return fail_errno(context, writer->path, "creating the file");
    if (flock(fileno(writer->stream), LOCK_EX | LOCK_NB) != 0) {
        rw_file_leave(writer);
        return rw_fail(context, RW_NOT_WRITABLE, "%s is being written by another run", writer->path);
    }
    *again = fstat(fileno(writer->stream), &held) != 0 || stat(writer->partial, &named) != 0 ||
             held.st_ino != named.st_ino || held.st_dev != named.st_dev;
    if (*again)
        rw_file_leave(writer);
    return RW_OK;
}

rw_status rw_file_resume(rw_context *context, const char *path, rw_file_writer *writer)
{
    memset(writer, 0, sizeof *writer);
    writer->resumable = 1;
    if (strlen(path) >= sizeof writer->path)
        return rw_fail(context, RW_BAD_CALL, "the path %.60s... is too long", path);
    strcpy(writer->path, path);
    snprintf(writer->partial, sizeof writer->partial, "%s.unfinished", path);
    int again;
    do
        RW_TRY(open_locked(context, writer, &again));
    while (again);
    return RW_OK;
}

rw_status rw_file_cut(rw_context *context, rw_file_writer *writer, uint64_t at)
{
    if (fflush(writer->stream) != 0 || ftruncate(fileno(writer->stream), (off_t)at) != 0 ||
        fseeko(writer->stream, (off_t)at, SEEK_SET) != 0)
        return fail_errno(context, writer->path, "writing");
    return RW_OK;
}

rw_status rw_file_flush(rw_context *context, rw_file_writer *writer)
{
    int earlier_error = ferror(writer->stream);
    errno = earlier_error ? ENOSPC : 0;
    return earlier_error || fflush(writer->stream) != 0 ? fail_errno(context, writer->path, "writing") : RW_OK;
}

/* A file that can be resumed is renamed before it is closed: until then its lock is held. */
static rw_status rename_locked(rw_context *context, rw_file_writer *writer)
{
    rw_status status = RW_OK;
    if (rename(writer->partial, writer->path) != 0)
        status = fail_errno(context, writer->path, "renaming the finished file");
    rw_file_leave(writer);
    return status;
}

rw_status rw_file_commit(rw_context *context, rw_file_writer *writer)
{
    rw_status status = rw_file_flush(context, writer);
    if (status != RW_OK) {
        if (writer->resumable)
            rw_file_leave(writer);
        else
            rw_file_abandon(writer);
        return status;
    }
    if (writer->resumable)
        return rename_locked(context, writer);
    if (fclose(writer->stream) != 0) {
        status = fail_errno(context, writer->path, "writing");
        unlink(writer->partial);
        return status;
    }
    return rename_partial(context, writer->partial, writer->path);
}

void rw_file_abandon(rw_file_writer *writer)
{
    unlink(writer->partial);
    rw_file_leave(writer);
}

void rw_file_leave(rw_file_writer *writer)
{
    if (writer->stream)
        fclose(writer->stream);
    writer->stream = NULL;
}

rw_status rw_folder_create(rw_context *context, const char *path)
{
    char part[4096];
    if (strlen(path) >= sizeof part || !*path)
        return rw_fail(context, RW_BAD_CALL, "'%.60s' is no name for a folder", path);
    strcpy(part, path);
    for (char *at = part + 1;; at++) {
        if (*at && *at != '/')
            continue;
        char end = *at;
        *at = 0;
        if (mkdir(part, 0777) != 0 && errno != EEXIST)
            return fail_errno(context, path, "creating the folder");
        *at = end;
        if (!end)
            break;
    }
    struct stat about;
    if (stat(path, &about) != 0 || !S_ISDIR(about.st_mode))
        return rw_fail(context, RW_NOT_WRITABLE, "%s is in the way: it is not a folder", path);
    if (access(path, W_OK) != 0)
        return fail_errno(context, path, "writing into the folder");
    return RW_OK;
}
