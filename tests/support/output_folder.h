/* A folder of its own for a test's files; TMPDIR is honoured. RASTERWAVE_KEEP names a folder that stays, to look at. */
#ifndef RW_TESTS_OUTPUT_FOLDER_H
#define RW_TESTS_OUTPUT_FOLDER_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static inline const char *rw_temporary_folder(void)
{
    static char folder[1024];
    if (folder[0])
        return folder;
    if (getenv("RASTERWAVE_KEEP")) {
        snprintf(folder, sizeof folder, "%s", getenv("RASTERWAVE_KEEP"));
        mkdir(folder, 0777);
        return folder;
    }
    const char *root = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/rasterwave-test-XXXXXX", root ? root : "/tmp");
    return mkdtemp(folder);
}

static inline const char *rw_temporary_path(const char *name)
{
    static char paths[4][2048];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", rw_temporary_folder(), name);
    return path;
}

static inline size_t rw_temporary_file_count(void)
{
    DIR *folder = opendir(rw_temporary_folder());
    size_t count = 0;
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    if (folder)
        closedir(folder);
    return count;
}

/* Empties the folder. */
static inline void rw_temporary_clear(void)
{
    if (getenv("RASTERWAVE_KEEP"))
        return;
    DIR *folder = opendir(rw_temporary_folder());
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            unlink(rw_temporary_path(entry->d_name));
    if (folder)
        closedir(folder);
}

static inline void rw_temporary_remove(void)
{
    rw_temporary_clear();
    if (!getenv("RASTERWAVE_KEEP"))
        rmdir(rw_temporary_folder());
}

#endif
