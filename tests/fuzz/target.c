#include "target.h"
#include "base/container.h"
#include "discretise/identity.h"

#include <rasterwave/network.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[256];

/* In place of src/base/container_hash.c. */
int rw_container_hash_agrees(uint64_t stored, uint64_t computed)
{
    (void)stored, (void)computed;
    return 1;
}

static void remove_folder(void)
{
    rmdir(folder);
}

const char *fuzz_folder(void)
{
    if (*folder)
        return folder;
    const char *parent = getenv("TMPDIR");
    if (!parent)
        parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    snprintf(folder, sizeof folder, "%s/rasterwave-fuzz-XXXXXX", parent);
    if (!mkdtemp(folder)) {
        fprintf(stderr, "no temporary folder %s\n", folder);
        exit(1);
    }
    atexit(remove_folder);
    return folder;
}

const char *fuzz_path(const char *name)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", fuzz_folder(), name);
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
    const char *path = fuzz_path(name);
    FILE *file = fopen(path, "wb");
    if (!file || (size && fwrite(bytes, 1, size, file) != size) || fclose(file) != 0) {
        fprintf(stderr, "cannot write %s\n", path);
        exit(1);
    }
    return path;
}

void fuzz_remove(const char *name)
{
    unlink(fuzz_path(name));
}

size_t fuzz_split(const uint8_t *bytes, size_t size, const uint8_t **behind)
{
    static const char separator[] = "\n---\n";
    size_t length = strlen(separator);
    for (size_t i = 0; i + length <= size; i++)
        if (memcmp(bytes + i, separator, length) == 0) {
            *behind = bytes + i + length;
            return i + 1;
        }
    *behind = NULL;
    return size;
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

static void check_values(const rw_map *map)
{
    rw_map_info info = {.size = sizeof info};
    rw_map_layer layer = {.size = sizeof layer};
    if (rw_map_get_info(map, &info) != RW_OK)
        abort();
    for (size_t i = 0; rw_map_get_layer(map, i, &layer) == RW_OK; i++)
        for (size_t k = 0; k < info.columns * info.rows * layer.bands; k++)
            if (layer.values[k] == -INFINITY)
                abort();
}

const rw_params *fuzz_params(void)
{
    static rw_params *params;
    if (!params && rw_params_create(fuzz_context(), "shadow", 2e9, &params) != RW_OK)
        exit(1);
    return params;
}

rw_status fuzz_predict(const rw_scene *scene, rw_predict_options *options, double x_m, double y_m)
{
    rw_transmitter transmitter;
    rw_map *map = NULL;
    rw_transmitter_init(&transmitter);
    transmitter.x_m = x_m;
    transmitter.y_m = y_m;
    transmitter.height_m = 5;
    options->transmitters = &transmitter;
    options->transmitter_count = 1;
    rw_status status = rw_predict(scene, options, &map);
    fuzz_check(status);
    if (status == RW_OK)
        check_values(map);
    rw_map_destroy(map);
    return status;
}

/* A few cells over the whole scene and its surroundings: large scenes are predicted coarsely, not long. */
static void predict_few(const rw_scene *scene)
{
    rw_predict_options options;
    rw_scene_info info = {.size = sizeof info};
    fuzz_check(rw_scene_get_info(scene, &info));
    double side_m = fmax(fmax(info.x_max_m - info.x_min_m, info.y_max_m - info.y_min_m), 1);
    rw_predict_options_init(&options);
    options.area_m[0] = info.x_min_m - 0.2 * side_m;
    options.area_m[1] = info.y_min_m - 0.2 * side_m;
    options.area_m[2] = info.x_max_m + 0.2 * side_m;
    options.area_m[3] = info.y_max_m + 0.2 * side_m;
    options.res_m = 0.5 * side_m;
    options.order = 1;
    options.freq_hz = 2e9;
    options.params = fuzz_params();
    fuzz_predict(scene, &options, info.x_min_m - 0.1 * side_m, info.y_min_m + 0.13 * side_m);
}

void fuzz_use_scene(rw_scene *scene)
{
    if (!scene)
        return;
    rw_status status = rw_scene_commit(scene);
    fuzz_check(status);
    if (status == RW_OK)
        predict_few(scene);
    rw_scene_destroy(scene);
}

void fuzz_scene(const char *name, const char *format, const uint8_t *bytes, size_t size)
{
    rw_load_options options;
    rw_load_options_init(&options);
    options.format = format;
    options.commit = 0;
    rw_scene *scene = NULL;
    fuzz_check(rw_scene_load(fuzz_context(), fuzz_write(name, bytes, size), &options, &scene));
    fuzz_use_scene(scene);
    fuzz_remove(name);
}

void fuzz_read_current(const char *name, rw_container_header *current)
{
    FILE *file = fopen(fuzz_path(name), "rb");
    if (!file || fread(current, sizeof *current, 1, file) != 1 || fclose(file) != 0)
        abort();
}

uint8_t *fuzz_adopt_version(const uint8_t *bytes, size_t size, const rw_scene *scene,
                            const rw_container_header *current)
{
    uint8_t *adopted = fuzz_adopt(bytes, size, scene);
    rw_container_header *header = (rw_container_header *)adopted;
    if (size >= sizeof *header && header->kind_version < current->kind_version)
        header->kind_version = current->kind_version;
    return adopted;
}

uint8_t *fuzz_adopt(const uint8_t *bytes, size_t size, const rw_scene *scene)
{
    uint8_t *copy = malloc(size + 1);
    rw_container_header *header = (rw_container_header *)copy;
    if (!copy)
        exit(1);
    memcpy(copy, bytes, size);
    if (size < sizeof *header)
        return copy;
    header->scene = rw_scene_identity(scene);
    memset(header->program, 0, sizeof header->program);
    snprintf(header->program, sizeof header->program, "%s", rw_version());
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

static void add_house(rw_scene *scene, double south_m)
{
    const double outline[] = {10, south_m, 25, south_m, 25, south_m + 12, 10, south_m + 12};
    const size_t ring = 4;
    rw_building building = {
        .size = sizeof building, .xy = outline, .ring_sizes = &ring, .ring_count = 1, .roof_height_m = 12};
    if (rw_scene_add_building(scene, &building) != RW_OK)
        abort();
}

rw_scene *fuzz_houses(void)
{
    static rw_scene *scene;
    if (scene)
        return scene;
    if (rw_scene_create(fuzz_context(), &scene) != RW_OK)
        abort();
    add_house(scene, 0);
    add_house(scene, 25);
    if (rw_scene_commit(scene) != RW_OK)
        abort();
    return scene;
}

static const char *const network_files[] = {"parts/plan", "parts/block1-group1.part"};

static const char *network_path(const char *name)
{
    static char path[600];
    snprintf(path, sizeof path, "%s/network/%s", fuzz_folder(), name);
    return path;
}

static void remove_network(void)
{
    static const char *const others[] = {"strongest.tif", "parts", ""};
    for (size_t i = 0; i < 2; i++)
        unlink(network_path(network_files[i]));
    for (size_t i = 0; i < 3; i++)
        remove(network_path(others[i]));
    remove_folder();
}

static rw_network_options network_options(void)
{
    static char path[600];
    rw_network_options options;
    rw_network_options_init(&options);
    snprintf(path, sizeof path, "%s/network", fuzz_folder());
    options.folder = path;
    options.layers = "strongest";
    return options;
}

static void write_network_file(const char *name, const uint8_t *bytes, size_t size)
{
    FILE *file = fopen(network_path(name), "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
        abort();
}

/* The files of a run, and what they are: computed once. */
static void make_network(uint8_t *files[2], size_t sizes[2])
{
    rw_transmitter site;
    rw_predict_options options;
    rw_network_options network = network_options();
    rw_transmitter_init(&site);
    site.x_m = site.y_m = 5;
    site.height_m = 20;
    rw_predict_options_init(&options);
    options.transmitters = &site;
    options.transmitter_count = 1;
    options.res_m = 10;
    if (rw_network_run(fuzz_context(), fuzz_houses(), &options, &network, NULL) != RW_OK)
        abort();
    atexit(remove_network);
    for (size_t i = 0; i < 2; i++) {
        FILE *file = fopen(network_path(network_files[i]), "rb");
        files[i] = malloc(1 << 20);
        sizes[i] = file && files[i] ? fread(files[i], 1, 1 << 20, file) : 0;
        if (sizes[i] == 0)
            abort();
        fclose(file);
    }
}

void fuzz_merge(const char *name, const uint8_t *bytes, size_t size)
{
    static uint8_t *files[2];
    static size_t sizes[2];
    if (!files[0])
        make_network(files, sizes);
    size_t own = strcmp(name, network_files[1]) == 0;
    uint8_t *adopted = malloc(size + 1);
    rw_container_header *header = (rw_container_header *)adopted;
    const rw_container_header *original = (const rw_container_header *)files[own];
    if (!adopted)
        exit(1);
    memcpy(adopted, bytes, size);
    if (size >= sizeof *header) {
        header->scene = original->scene;
        if (header->kind_version < original->kind_version) /* inputs of earlier versions go on to the sections */
            header->kind_version = original->kind_version;
        memcpy(header->program, original->program, sizeof header->program);
    }
    write_network_file(name, adopted, size);
    rw_network_options options = network_options();
    fuzz_check(rw_network_merge(fuzz_context(), &options, NULL));
    unlink(network_path("strongest.tif"));
    write_network_file(name, files[own], sizes[own]);
    free(adopted);
}
