/* A folder of a test's own for the files it makes, removed at its end, and calls that readers' tests share.
 *
 * TMPDIR is honoured. RASTERWAVE_KEEP names a folder that stays, to look at what a test wrote. */
#ifndef RW_TESTS_TEMPORARY_H
#define RW_TESTS_TEMPORARY_H

#include "scene/scene.h"
#include "shapes.h"

#include <dirent.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

static char rw_temporary_folder[1024];

/* The path of a file in a folder; the last four are kept. */
static inline const char *rw_temporary_join(const char *folder, const char *name)
{
    static char paths[4][2048];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static inline int rw_temporary_is_entry(const struct dirent *entry)
{
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

/* Removes the files and empty folders in the folder. */
static inline void temporary_clear(void)
{
    DIR *folder = *rw_temporary_folder && !getenv("RASTERWAVE_KEEP") ? opendir(rw_temporary_folder) : NULL;
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        const char *path = rw_temporary_join(rw_temporary_folder, entry->d_name);
        if (rw_temporary_is_entry(entry) && unlink(path) != 0)
            rmdir(path);
    }
    if (folder)
        closedir(folder);
}

static inline void rw_temporary_remove(void)
{
    temporary_clear();
    if (!getenv("RASTERWAVE_KEEP"))
        rmdir(rw_temporary_folder);
}

/* The folder itself, made at the first call. */
static inline const char *temporary_folder(void)
{
    const char *keep = getenv("RASTERWAVE_KEEP"), *parent = getenv("TMPDIR");
    if (*rw_temporary_folder)
        return rw_temporary_folder;
    snprintf(rw_temporary_folder, sizeof rw_temporary_folder, "%s%s",
             keep     ? keep
             : parent ? parent
                      : "/tmp",
             keep ? "" : "/rasterwave-test-XXXXXX");
    if (keep)
        mkdir(rw_temporary_folder, 0777);
    else if (!mkdtemp(rw_temporary_folder))
        fail_msg("no temporary folder %s\n", rw_temporary_folder);
    atexit(rw_temporary_remove);
    return rw_temporary_folder;
}

static inline const char *temporary_path(const char *name)
{
    return rw_temporary_join(temporary_folder(), name);
}

/* How many files the folder has; a failed write must not add one. */
static inline size_t temporary_count(void)
{
    size_t count = 0;
    DIR *folder = opendir(temporary_folder());
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        count += (size_t)rw_temporary_is_entry(entry);
    if (folder)
        closedir(folder);
    return count;
}

/* Until the second call no file can grow beyond so many bytes: as on a full disk. */
static inline struct rlimit full_disk_begin(size_t bytes)
{
    struct rlimit before;
    getrlimit(RLIMIT_FSIZE, &before);
    struct rlimit tight = {bytes, before.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &tight);
    return before;
}

static inline void full_disk_end(struct rlimit before)
{
    setrlimit(RLIMIT_FSIZE, &before);
}

static inline const char *write_bytes(const char *name, const void *bytes, size_t size)
{
    const char *path = temporary_path(name);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
        fail_msg("cannot write %s\n", path);
    return path;
}

static inline const char *write_text(const char *name, const char *text)
{
    return write_bytes(name, text, strlen(text));
}

/* The scene in the file as its reader left it, before commit. */
static inline rw_scene *read_uncommitted(rw_context *context, const char *path)
{
    rw_load_options options;
    rw_load_options_init(&options);
    options.commit = 0;
    rw_scene *scene = NULL;
    assert_ok(context, rw_scene_load(context, path, &options, &scene));
    return scene;
}

/* Loading must fail with this status, and the sentence must hold these words. */
static inline void refuses(rw_context *context, const char *path, rw_status expected, const char *words)
{
    rw_scene *scene = NULL;
    check_sentence(context, rw_scene_load(context, path, NULL, &scene), expected, words);
    assert_null(scene);
}

static inline size_t count_note(const rw_scene *scene, const char *what)
{
    for (size_t i = 0; i < scene->notes.count; i++)
        if (strcmp(scene->notes.items[i].what, what) == 0)
            return scene->notes.items[i].count;
    return 0;
}

#endif
