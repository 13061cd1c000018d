/* Files of the server: written beside, synchronised with the disk and renamed, so that an end at any moment leaves the
 * old file or the new one. */
#define _GNU_SOURCE /* nftw */
#include "serve/http.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

static int write_and_sync(int fd, const char *bytes, size_t size)
{
    while (size) {
        ssize_t written = write(fd, bytes, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return 0;
        bytes += written;
        size -= (size_t)written;
    }
    return fsync(fd) == 0;
}

/* The rename itself is on the disk when its folder is. */
static void synchronise_folder(const char *path)
{
    char folder[4096];
    const char *slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return;
    fsync(fd);
    close(fd);
}

/* A new file next to path, with the permissions that the user's umask leaves (mkostemp has its own). */
static int create_temporary(const char *path, char *temporary, size_t size)
{
    for (int tries = 0; tries < 100; tries++) {
        unsigned long long number;
        if (getrandom(&number, sizeof number, 0) != (ssize_t)sizeof number)
            return -1;
        if (snprintf(temporary, size, "%s.%016llx", path, number) >= (int)size) {
            errno = ENAMETOOLONG;
            return -1;
        }
        int fd = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

int serve_store(const char *path, const void *bytes, size_t size)
{
    char temporary[4096];
    int fd = create_temporary(path, temporary, sizeof temporary);
    if (fd < 0)
        return 0;
    int good = write_and_sync(fd, bytes, size);
    good &= close(fd) == 0;
    good = good && rename(temporary, path) == 0;
    int why = errno;
    if (good)
        synchronise_folder(path);
    else
        unlink(temporary);
    errno = why;
    return good;
}

char *serve_load(const char *path, size_t max_size, size_t *size)
{
    struct stat about;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0)
        return NULL;
    char *bytes = NULL;
    *size = 0;
    if (fstat(fd, &about) == 0 && S_ISREG(about.st_mode) && (size_t)about.st_size <= max_size)
        bytes = malloc((size_t)about.st_size + 1);
    else
        errno = EFBIG;
    for (ssize_t got = 1; bytes && got > 0 && *size<(size_t)about.st_size; *size += got> 0 ? (size_t)got : 0)
        got = read(fd, bytes + *size, (size_t)about.st_size - *size);
    if (bytes)
        bytes[*size] = 0;
    close(fd);
    return bytes;
}

static int remove_folder_entry(const char *path, const struct stat *about, int kind, struct FTW *walk)
{
    (void)about;
    (void)kind;
    (void)walk;
    return remove(path);
}

void serve_remove_folder(const char *path)
{
    nftw(path, remove_folder_entry, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}
