/* A folder of a test's own for the files it makes, removed at its end. */
#ifndef RW_TESTS_SCRATCH_H
#define RW_TESTS_SCRATCH_H

#include "unit.h"

#include <dirent.h>
#include <sys/stat.h>

static inline const char *scratch_folder(void)
{
    static char folder[64];
    if (!folder[0]) {
        strcpy(folder, "/tmp/rasterwave-test-XXXXXX");
        if (!mkdtemp(folder))
            abort();
    }
    return folder;
}

/* A path in the folder; the last four are kept. */
static inline const char *scratch_path(const char *name)
{
    static char paths[4][512];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", scratch_folder(), name);
    return path;
}

static inline const char *scratch_write_bytes(const char *name, const void *bytes, size_t size)
{
    const char *path = scratch_path(name);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
        abort();
    return path;
}

static inline const char *scratch_write(const char *name, const char *text)
{
    return scratch_write_bytes(name, text, strlen(text));
}

/* How many files the folder has; a failed write must not add one. */
static inline size_t scratch_count(void)
{
    size_t count = 0;
    DIR *folder = opendir(scratch_folder());
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    if (folder)
        closedir(folder);
    return count;
}

static inline void scratch_remove(void)
{
    DIR *folder = opendir(scratch_folder());
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        const char *path = scratch_path(entry->d_name);
        if (unlink(path) != 0 && entry->d_name[0] != '.')
            rmdir(path);
    }
    if (folder)
        closedir(folder);
    rmdir(scratch_folder());
}

#endif
