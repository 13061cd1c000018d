#define _GNU_SOURCE /* fopencookie: a stream that keeps the error of its first failed write */
#include "base/file.h"

#include "base/path.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <rasterwave/rasterwave.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static rw_status fail_errno(rw_context *context, const char *path, const char *doing)
{
    int error = errno;
    int of_disk = error == ENOSPC || error == EDQUOT || error == EIO || error == EFBIG;
    return rw_fail(context, of_disk ? RW_IO : RW_NOT_WRITABLE, "%s: %s failed: %s", path, doing, strerror(error));
}

/* --- streams --- */

struct rw_file_sink {
    int descriptor;
    int error;            /* errno of the first write that failed; 0: none */
    char buffer[1 << 16]; /* of the stream, which would take 1 kB */
};

static ssize_t sink_write(void *cookie, const char *bytes, size_t size)
{
    struct rw_file_sink *sink = cookie;
    size_t written = 0;
    while (written < size && !sink->error) {
        ssize_t now = write(sink->descriptor, bytes + written, size - written);
        if (now < 0 && errno != EINTR)
            sink->error = errno;
        written += now > 0 ? (size_t)now : 0;
    }
    return sink->error ? 0 : (ssize_t)written;
}

static int sink_seek(void *cookie, off64_t *offset, int whence)
{
    struct rw_file_sink *sink = cookie;
    *offset = lseek(sink->descriptor, *offset, whence);
    return *offset < 0 ? -1 : 0;
}

/* Takes the descriptor over, and closes it where it fails. */
static rw_status open_stream(rw_context *context, rw_file_writer *writer, int descriptor)
{
    cookie_io_functions_t calls = {.write = sink_write, .seek = sink_seek};
    writer->sink = malloc(sizeof *writer->sink);
    if (writer->sink) {
        writer->sink->descriptor = descriptor;
        writer->sink->error = 0;
        writer->stream = fopencookie(writer->sink, "w", calls);
    }
    if (writer->stream) {
        setvbuf(writer->stream, writer->sink->buffer, _IOFBF, sizeof writer->sink->buffer);
        return RW_OK;
    }
    free(writer->sink);
    writer->sink = NULL;
    close(descriptor);
    return rw_fail(context, RW_OUT_OF_MEMORY, "%s: no memory left to write it", writer->path);
}

/* 0 where closing fails; errno says why. */
static int close_stream(rw_file_writer *writer)
{
    int closed = 1;
    if (writer->stream) {
        int flushed = fclose(writer->stream) == 0, error = errno;
        closed = close(writer->sink->descriptor) == 0 && flushed;
        errno = flushed ? errno : error;
    }
    free(writer->sink);
    writer->stream = NULL;
    writer->sink = NULL;
    return closed;
}

/* --- places --- */

static void folder_of(const char *path, char folder[4096])
{
    size_t length = (size_t)(rw_path_name(path) - path);
    memcpy(folder, path, length);
    strcpy(folder + length, length ? "" : ".");
}

rw_status rw_file_check_writable(rw_context *context, const char *path)
{
    struct stat about;
    char folder[4096];
    if (strlen(path) >= sizeof folder - 2)
        return rw_fail(context, RW_BAD_CALL, "the path %.60s... is too long", path);
    if (lstat(path, &about) == 0 && S_ISDIR(about.st_mode))
        return rw_fail(context, RW_NOT_WRITABLE, "%s is in the way: it is a folder", path);
    if (!*rw_path_name(path))
        return rw_fail(context, RW_NOT_WRITABLE, "'%s' is no name for a file", path);
    if (lstat(path, &about) == 0 && !S_ISREG(about.st_mode) && !S_ISLNK(about.st_mode))
        return rw_fail(context, RW_NOT_WRITABLE, "%s is in the way: it is no ordinary file", path);
    folder_of(path, folder);
    return access(folder, W_OK | X_OK) == 0 ? RW_OK : fail_errno(context, path, "creating the file");
}

static rw_status set_paths(rw_context *context, const char *path, rw_file_writer *writer)
{
    memset(writer, 0, sizeof *writer);
    RW_TRY(rw_file_check_writable(context, path));
    strcpy(writer->path, path);
    return RW_OK;
}

/* --- files under a random name --- */

static uint64_t random_number(void)
{
    uint64_t number;
    struct timespec now;
    if (getrandom(&number, sizeof number, GRND_NONBLOCK) == (ssize_t)sizeof number)
        return number;
    clock_gettime(CLOCK_MONOTONIC, &now); /* a name that can be guessed is still never one that is taken */
    return (uint64_t)now.tv_sec * 1000000007u ^ (uint64_t)now.tv_nsec << 20 ^ (uint64_t)getpid();
}

/* The end of the name stays, by which a stranger knows what the file was to be. */
static void name_partial(rw_file_writer *writer)
{
    const size_t max_bytes = 200; /* of 255 bytes that a name may have */
    const char *name = rw_path_name(writer->path), *end = name + strlen(name);
    snprintf(writer->partial, sizeof writer->partial, "%.*s.partial-%016" PRIx64 "-%s", (int)(name - writer->path),
             writer->path, random_number(), (size_t)(end - name) > max_bytes ? end - max_bytes : name);
}

/* Entries are pushed and never freed, so that a signal handler can walk the list at any time; a forgotten one is used
 * again. There are as many as files were written at once. */
enum entry_state { ENTRY_FREE, ENTRY_FILLING, ENTRY_NOTED };

struct rw_unfinished {
    struct rw_unfinished *next;
    atomic_int state;
    char path[4128];
};

static _Atomic(rw_unfinished *) first_entry;
static atomic_int process_ends;

static rw_unfinished *claim_free_entry(void)
{
    for (rw_unfinished *entry = atomic_load(&first_entry); entry; entry = entry->next) {
        int is_free = ENTRY_FREE;
        if (atomic_compare_exchange_strong(&entry->state, &is_free, ENTRY_FILLING))
            return entry;
    }
    rw_unfinished *unfinished = calloc(1, sizeof *unfinished);
    if (!unfinished)
        return NULL;
    atomic_init(&unfinished->state, ENTRY_FILLING);
    unfinished->next = atomic_load(&first_entry);
    while (!atomic_compare_exchange_weak(&first_entry, &unfinished->next, unfinished))
        ;
    return unfinished;
}

/* Notes a path before the file is made. NULL where memory is out, or where rw_remove_unfinished was called: then no
 * file is to be made. */
static rw_unfinished *note_unfinished(const char *path)
{
    if (strlen(path) >= sizeof((rw_unfinished *)0)->path || atomic_load(&process_ends))
        return NULL;
    rw_unfinished *entry = claim_free_entry();
    if (!entry)
        return NULL;
    strcpy(entry->path, path);
    atomic_store(&entry->state, ENTRY_NOTED);
    return entry;
}

/* The file has its final name or is removed. NULL is allowed. */
static void forget_unfinished(rw_unfinished *noted)
{
    if (noted)
        atomic_store(&noted->state, ENTRY_FREE);
}

static rw_status create_partial(rw_context *context, rw_file_writer *writer, int *descriptor)
{
    for (int tries = 0; tries < 16; tries++) {
        name_partial(writer);
        writer->removable = note_unfinished(writer->partial);
        if (!writer->removable)
            return rw_fail(context, RW_OUT_OF_MEMORY, "%s: no memory left to write it", writer->path);
        *descriptor = open(writer->partial, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (*descriptor >= 0)
            return RW_OK;
        forget_unfinished(writer->removable);
        writer->removable = NULL;
        if (errno != EEXIST)
            break;
    }
    return fail_errno(context, writer->path, "creating the file");
}

rw_status rw_file_begin(rw_context *context, const char *path, rw_file_writer *writer)
{
    int descriptor = -1;
    RW_TRY(set_paths(context, path, writer));
    RW_TRY(create_partial(context, writer, &descriptor));
    rw_status status = open_stream(context, writer, descriptor);
    if (status != RW_OK)
        rw_file_abandon(writer);
    return status;
}

/* --- files that can be resumed --- */

/* Opens the unfinished file, or makes it; *descriptor is -1 where it went away in between. */
static rw_status open_unfinished(rw_context *context, const char *path, int *descriptor)
{
    const int flags = O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK; /* a pipe must not make the open wait */
    struct stat about;
    *descriptor = open(path, flags | O_CREAT | O_EXCL, 0666);
    if (*descriptor >= 0)
        return RW_OK;
    int exists = errno == EEXIST;
    if (exists)
        *descriptor = open(path, flags);
    if (*descriptor < 0 && exists && errno == ENOENT)
        return RW_OK;
    if (*descriptor < 0 && errno != ELOOP)
        return fail_errno(context, path, "creating the file");
    if (*descriptor >= 0 && fstat(*descriptor, &about) == 0 && S_ISREG(about.st_mode) && about.st_nlink <= 1 &&
        about.st_uid == geteuid())
        return RW_OK;
    if (*descriptor >= 0)
        close(*descriptor);
    return rw_fail(context, RW_NOT_WRITABLE,
                   "%s is in the way: an unfinished file is an ordinary one of this user, with one name; remove it",
                   path);
}

/* Whether the path still leads to the open file: it may have got its final name, or another run may have removed it,
 * between its opening and its lock. */
static int is_at(int descriptor, const char *path)
{
    struct stat held, named;
    return fstat(descriptor, &held) == 0 && lstat(path, &named) == 0 && held.st_ino == named.st_ino &&
           held.st_dev == named.st_dev && held.st_nlink == 1;
}

static rw_status open_locked(rw_context *context, const rw_file_writer *writer, int *descriptor)
{
    for (int tries = 0; tries < 1000; tries++) {
        RW_TRY(open_unfinished(context, writer->partial, descriptor));
        if (*descriptor < 0)
            continue;
        if (flock(*descriptor, LOCK_EX | LOCK_NB) != 0) {
            close(*descriptor);
            break;
        }
        if (is_at(*descriptor, writer->partial))
            return RW_OK;
        close(*descriptor);
    }
    return rw_fail(context, RW_NOT_WRITABLE, "%s is being written by another run", writer->path);
}

rw_status rw_file_resume(rw_context *context, const char *path, rw_file_writer *writer)
{
    int descriptor = -1;
    RW_TRY(set_paths(context, path, writer));
    writer->resumable = 1;
    snprintf(writer->partial, sizeof writer->partial, "%s.unfinished", path);
    RW_TRY(open_locked(context, writer, &descriptor));
    return open_stream(context, writer, descriptor);
}

rw_status rw_file_left(rw_context *context, const rw_file_writer *writer, rw_file_reader *reader)
{
    struct stat about;
    *reader = (rw_file_reader){.context = context, .path = writer->partial, .descriptor = -1};
    if (fstat(writer->sink->descriptor, &about) != 0)
        return fail_errno(context, writer->path, "reading what an earlier run left");
    reader->descriptor = writer->sink->descriptor;
    reader->size = (uint64_t)about.st_size;
    return RW_OK;
}

rw_status rw_file_cut(rw_context *context, rw_file_writer *writer, uint64_t at)
{
    RW_TRY(rw_file_flush(context, writer));
    if (ftruncate(writer->sink->descriptor, (off_t)at) != 0 || fseeko(writer->stream, (off_t)at, SEEK_SET) != 0)
        return fail_errno(context, writer->path, "writing");
    return RW_OK;
}

/* --- the end --- */

rw_status rw_file_flush(rw_context *context, rw_file_writer *writer)
{
    int failed = fflush(writer->stream) != 0;
    if (!failed && !writer->sink->error && !ferror(writer->stream))
        return RW_OK;
    errno = writer->sink->error ? writer->sink->error : errno;
    return fail_errno(context, writer->path, "writing");
}

/* Waits until the disk has the bytes. Not every file system can say so. */
static int sync_descriptor(int descriptor)
{
    return fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EROFS;
}

/* The name is in the folder for good. Nothing is wrong with the file where that cannot be waited for. */
static void sync_folder(const char *path)
{
    char folder[4096];
    folder_of(path, folder);
    int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0)
        return;
    fsync(descriptor);
    close(descriptor);
}

/* The file is renamed while it is open: until then the lock of a resumable one is held. */
static rw_status publish_written_file(rw_context *context, rw_file_writer *writer)
{
    RW_TRY(rw_file_flush(context, writer));
    if (!sync_descriptor(writer->sink->descriptor))
        return fail_errno(context, writer->path, "writing");
    RW_TRY(rw_file_check_writable(context, writer->path));
    if (rename(writer->partial, writer->path) != 0)
        return fail_errno(context, writer->path, "renaming the finished file");
    sync_folder(writer->path);
    return RW_OK;
}

rw_status rw_file_commit(rw_context *context, rw_file_writer *writer)
{
    rw_status status = publish_written_file(context, writer);
    if (status != RW_OK && !writer->resumable) {
        rw_file_abandon(writer);
        return status;
    }
    forget_unfinished(writer->removable);
    writer->removable = NULL;
    int closed = close_stream(writer);
    return status == RW_OK && !closed ? fail_errno(context, writer->path, "writing") : status;
}

void rw_file_abandon(rw_file_writer *writer)
{
    unlink(writer->partial);
    forget_unfinished(writer->removable);
    writer->removable = NULL;
    rw_file_leave(writer);
}

void rw_file_leave(rw_file_writer *writer)
{
    close_stream(writer);
}

rw_status rw_write_file(rw_context *context, const char *path, const void *bytes, size_t size)
{
    rw_file_writer writer;
    RW_TRY(rw_file_begin(context, path, &writer));
    fwrite(bytes, 1, size, writer.stream);
    return rw_file_commit(context, &writer);
}

rw_status rw_folder_create(rw_context *context, const char *path)
{
    char prefix[4096];
    if (strlen(path) >= sizeof prefix || !*path)
        return rw_fail(context, RW_BAD_CALL, "'%.60s' is no name for a folder", path);
    strcpy(prefix, path);
    for (char *at = prefix + 1;; at++) {
        if (*at && *at != '/')
            continue;
        char end = *at;
        *at = 0;
        if (mkdir(prefix, 0777) != 0 && errno != EEXIST)
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

void rw_remove_unfinished(void)
{
    atomic_store(&process_ends, 1);
    for (rw_unfinished *entry = atomic_load(&first_entry); entry; entry = entry->next)
        if (atomic_load(&entry->state) == ENTRY_NOTED)
            unlink(entry->path);
}
