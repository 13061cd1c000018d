/* Small inputs for tests of readers: a folder of their own, files in it, and calls that must fail with a good sentence.
 */
#ifndef RW_TESTS_TEMPORARY_H
#define RW_TESTS_TEMPORARY_H

#include "scene/scene.h"
#include "unit.h"

#include <dirent.h>

static char rw_temporary_folder[256];

static inline void rw_temporary_remove(void)
{
    DIR *folder = opendir(rw_temporary_folder);
    if (!folder)
        return;
    for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        char path[600];
        snprintf(path, sizeof path, "%s/%s", rw_temporary_folder, entry->d_name);
        if (entry->d_name[0] != '.')
            unlink(path);
    }
    closedir(folder);
    rmdir(rw_temporary_folder);
}

/* The path of a file in the temporary folder of this program, which is removed at its end. */
static inline const char *temporary_path(const char *name)
{
    static char paths[4][512];
    static int next;
    if (!*rw_temporary_folder) {
        const char *parent = getenv("TMPDIR");
        snprintf(rw_temporary_folder, sizeof rw_temporary_folder, "%s/rasterwave-test-XXXXXX",
                 parent ? parent : "/tmp");
        if (!mkdtemp(rw_temporary_folder))
            fail_msg("no temporary folder %s\n", rw_temporary_folder);
        atexit(rw_temporary_remove);
    }
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", rw_temporary_folder, name);
    return path;
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

static inline rw_context *make_context(void)
{
    rw_context_options options;
    rw_context_options_init(&options);
    options.backend = RW_BACKEND_CPU;
    rw_context *context;
    assert_int_equal(rw_context_create(&options, &context), RW_OK);
    return context;
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
static inline void check_sentence(rw_context *context, rw_status status, rw_status expected, const char *words)
{
    if (status != expected)
        fail_msg("status %d instead of %d: %s\n", status, expected, rw_last_error(context));
    if (!strstr(rw_last_error(context), words))
        fail_msg("'%s' is not in the sentence '%s'\n", words, rw_last_error(context));
}

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
