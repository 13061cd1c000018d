#include "target.h"
#include "discretise/identity.h"
#include "forge_container.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[256];

static void remove_folder(void)
{
    rmdir(folder);
}

static const char *path_of(const char *name)
{
    static char path[512];
    if (!*folder) {
        const char *parent = getenv("TMPDIR");
        snprintf(folder, sizeof folder, "%s/rasterwave-fuzz-XXXXXX", parent ? parent : "/tmp");
        if (!mkdtemp(folder)) {
            fprintf(stderr, "no temporary folder %s\n", folder);
            exit(1);
        }
        atexit(remove_folder);
    }
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

rw_context *fuzz_context(void)
{
    static rw_context *context;
    if (!context) {
        rw_context_options options;
        rw_context_options_init(&options);
        options.backend = RW_BACKEND_CPU;
        options.threads = 1;
        if (rw_context_create(&options, &context) != RW_OK)
            exit(1);
    }
    return context;
}

const char *fuzz_write(const char *name, const uint8_t *bytes, size_t size)
{
    const char *path = path_of(name);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) {
        fprintf(stderr, "cannot write %s\n", path);
        exit(1);
    }
    return path;
}

void fuzz_remove(const char *name)
{
    unlink(path_of(name));
}

void fuzz_check(rw_status status)
{
    if (status == RW_OK)
        return;
    if (status == RW_INTERNAL || strlen(rw_last_error(fuzz_context())) < 10) {
        fprintf(stderr, "status %d: '%s'\n", status, rw_last_error(fuzz_context()));
        abort();
    }
}

void fuzz_scene(const char *name, const char *format, const uint8_t *bytes, size_t size)
{
    rw_load_options options;
    rw_load_options_init(&options);
    options.format = format;
    options.commit = 0;
    rw_scene *scene = NULL;
    fuzz_check(rw_scene_load(fuzz_context(), fuzz_write(name, bytes, size), &options, &scene));
    if (scene)
        fuzz_check(rw_scene_commit(scene));
    rw_scene_destroy(scene);
    fuzz_remove(name);
}

uint8_t *fuzz_forge(const uint8_t *bytes, size_t size, const rw_scene *scene)
{
    uint8_t *copy = malloc(size + 1);
    if (!copy)
        exit(1);
    memcpy(copy, bytes, size);
    if (scene && size >= sizeof(rw_container_header)) {
        uint64_t identity = rw_scene_identity(scene);
        memcpy(copy + offsetof(rw_container_header, scene), &identity, sizeof identity);
    }
    forge_container(copy, size);
    return copy;
}

rw_scene *fuzz_wall(void)
{
    static rw_scene *scene;
    if (scene)
        return scene;
    rw_panel panel = {.size = sizeof panel, .x0_m = 0, .y0_m = 20, .x1_m = 40, .y1_m = 20, .top_m = 9};
    if (rw_scene_create(fuzz_context(), &scene) != RW_OK || rw_scene_add_panel(scene, &panel) != RW_OK ||
        rw_scene_commit(scene) != RW_OK)
        abort();
    return scene;
}
