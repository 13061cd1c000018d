/* Calls that would take long on what the input asks for are refused here, behind all checks of their options, as if the
 * machine were small; everything else is the program itself. */
#include "program.h"
#include "program_main.h"
#include "target.h"

#include "base/file.h"
#include "output/maps/map.h"
#include "output/paths/paths.h"
#include "scene/scene.h"

#include <rasterwave/calibrate.h>
#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CELLS_MAX 16
#define BYTES_MAX 32e6
#define SIDE_MAX_M 120.0

static rw_status refuse(rw_context *context)
{
    return rw_fail(context, RW_TOO_LARGE, "this is too large for a run of the fuzz target");
}

static int is_at_most(int value, int most)
{
    return value == RW_UNSET || value <= most;
}

/* Also where it fails: then the call is to say why. */
static int is_small(const rw_scene *scene, const rw_predict_options *options, double cells_max)
{
    rw_estimate estimate = {.size = sizeof estimate};
    rw_predict_options all = *options;
    if (rw_predict_options_complete(scene->context, &all) != RW_OK)
        return 1;
    if (!is_at_most(all.depth, 2) || !is_at_most(all.reflections, 1) || !is_at_most(all.transmissions, 2) ||
        !is_at_most(all.diffractions, 1) || !is_at_most(all.scatterings, 1) || !is_at_most(all.order, 2) ||
        !is_at_most(all.horizontal_diffractions, 1) || !is_at_most(all.vertical_diffractions, 1) ||
        !is_at_most(all.pixels, 32) || !is_at_most(all.rays, 4) || !is_at_most(all.members, 4) ||
        !is_at_most(all.delay_bins, 64) || all.tile_area_m2 < 50)
        return 0;
    if (rw_predict_estimate(scene, options, &estimate) != RW_OK)
        return 1;
    return (double)estimate.cells * (double)estimate.transmitters <= cells_max && estimate.bytes <= BYTES_MAX;
}

/* The theory behind the shadow model's own parameters, and clearing much memory, take longer than all the rest. */
static rw_predict_options quicken(const rw_predict_options *options)
{
    rw_predict_options made = *options;
    if (!made.params && made.model && strcmp(made.model, "shadow") == 0)
        made.params = fuzz_params();
    if (isnan(made.memory_bytes))
        made.memory_bytes = 16e6;
    return made;
}

rw_status __real_rw_predict(const rw_scene *scene, const rw_predict_options *options, rw_map **map);
rw_status __wrap_rw_predict(const rw_scene *scene, const rw_predict_options *options, rw_map **map);
rw_status __wrap_rw_predict(const rw_scene *scene, const rw_predict_options *options, rw_map **map)
{
    rw_predict_options quick = quicken(options);
    *map = NULL;
    return is_small(scene, options, CELLS_MAX) ? __real_rw_predict(scene, &quick, map) : refuse(scene->context);
}

rw_status __wrap_rw_predict_tiles(const rw_scene *scene, const rw_predict_options *options, rw_tile_map **map);
rw_status __wrap_rw_predict_tiles(const rw_scene *scene, const rw_predict_options *options, rw_tile_map **map)
{
    (void)options;
    *map = NULL;
    return refuse(scene->context);
}

rw_status __wrap_rw_predict_with_tiles(const rw_scene *scene, const rw_predict_options *options, rw_map **map,
                                       rw_tile_map **tiles);
rw_status __wrap_rw_predict_with_tiles(const rw_scene *scene, const rw_predict_options *options, rw_map **map,
                                       rw_tile_map **tiles)
{
    (void)options;
    *map = NULL;
    *tiles = NULL;
    return refuse(scene->context);
}

rw_status __real_rw_trace(const rw_scene *scene, const rw_predict_options *options, const rw_point *points,
                          size_t point_count, rw_paths **paths);
rw_status __wrap_rw_trace(const rw_scene *scene, const rw_predict_options *options, const rw_point *points,
                          size_t point_count, rw_paths **paths);
rw_status __wrap_rw_trace(const rw_scene *scene, const rw_predict_options *options, const rw_point *points,
                          size_t point_count, rw_paths **paths)
{
    rw_predict_options quick = quicken(options);
    *paths = NULL;
    return is_small(scene, options, INFINITY) ? __real_rw_trace(scene, &quick, points, point_count, paths)
                                              : refuse(scene->context);
}

rw_status __real_rw_preprocess(const rw_scene *scene, const rw_preprocess_options *options, const char *path);
rw_status __wrap_rw_preprocess(const rw_scene *scene, const rw_preprocess_options *options, const char *path);
rw_status __wrap_rw_preprocess(const rw_scene *scene, const rw_preprocess_options *options, const char *path)
{
    int is_coarse = options->res_m >= 10 || options->tile_area_m2 >= 50;
    return is_coarse ? __real_rw_preprocess(scene, options, path) : refuse(scene->context);
}

rw_status __wrap_rw_preprocess_get_estimate(const rw_scene *scene, const rw_preprocess_options *options,
                                            rw_preprocess_estimate *estimate);
rw_status __wrap_rw_preprocess_get_estimate(const rw_scene *scene, const rw_preprocess_options *options,
                                            rw_preprocess_estimate *estimate)
{
    (void)options, (void)estimate;
    return refuse(scene->context);
}

rw_status __real_rw_generate_city(rw_context *context, const rw_city_options *options, rw_scene **scene);
rw_status __wrap_rw_generate_city(rw_context *context, const rw_city_options *options, rw_scene **scene);
rw_status __wrap_rw_generate_city(rw_context *context, const rw_city_options *options, rw_scene **scene)
{
    int is_large = options->width_m > SIDE_MAX_M || options->depth_m > SIDE_MAX_M;
    return is_large ? refuse(context) : __real_rw_generate_city(context, options, scene);
}

rw_status __real_rw_generate_office(rw_context *context, const rw_office_options *options, rw_scene **scene);
rw_status __wrap_rw_generate_office(rw_context *context, const rw_office_options *options, rw_scene **scene);
rw_status __wrap_rw_generate_office(rw_context *context, const rw_office_options *options, rw_scene **scene)
{
    int is_large = options->width_m > SIDE_MAX_M || options->depth_m > SIDE_MAX_M || options->storeys > 4;
    return is_large ? refuse(context) : __real_rw_generate_office(context, options, scene);
}

rw_status __real_rw_generate_terrain(rw_context *context, const rw_terrain_options *options, rw_scene **scene);
rw_status __wrap_rw_generate_terrain(rw_context *context, const rw_terrain_options *options, rw_scene **scene);
rw_status __wrap_rw_generate_terrain(rw_context *context, const rw_terrain_options *options, rw_scene **scene)
{
    int is_large = options->width_m > 10 * options->spacing_m || options->depth_m > 10 * options->spacing_m;
    return is_large ? refuse(context) : __real_rw_generate_terrain(context, options, scene);
}

/* Of a picture only its file is made: pixels would take nearly all of the time. fuzz_envi.c draws. */
static rw_status make_empty(rw_context *context, const char *path)
{
    rw_file_writer writer;
    RW_TRY(rw_file_begin(context, path, &writer));
    return rw_file_commit(context, &writer);
}

rw_status __wrap_rw_map_draw(const rw_map *map, const rw_map_draw_options *options, const char *path);
rw_status __wrap_rw_map_draw(const rw_map *map, const rw_map_draw_options *options, const char *path)
{
    (void)options;
    return make_empty(map->context, path);
}

rw_status __wrap_rw_paths_draw(const rw_paths *paths, size_t point, const char *path);
rw_status __wrap_rw_paths_draw(const rw_paths *paths, size_t point, const char *path)
{
    (void)point;
    return make_empty(paths->context, path);
}

rw_status __wrap_rw_evaluation_draw(const rw_evaluation *evaluation, rw_evaluation_plot plot, const char *path);
rw_status __wrap_rw_evaluation_draw(const rw_evaluation *evaluation, rw_evaluation_plot plot, const char *path)
{
    (void)evaluation, (void)plot;
    return make_empty(fuzz_context(), path);
}

/* It would become another program. */
struct call;
int __wrap_command_bench(struct call *call);
int __wrap_command_bench(struct call *call)
{
    (void)call;
    return 2;
}

/* It would not end. */
int (*fuzz_serve)(const struct serve_program *program);
struct serve_options;
int __wrap_serve_run(const struct serve_options *options, const struct serve_program *program, char *sentence,
                     size_t size);
int __wrap_serve_run(const struct serve_options *options, const struct serve_program *program, char *sentence,
                     size_t size)
{
    (void)options, (void)sentence, (void)size;
    return fuzz_serve ? fuzz_serve(program) : 0;
}

/* --- the folder --- */

typedef struct kept_file {
    const char *name, *text;
    ino_t inode;
} kept_file;

static kept_file files[] = {
    {"walls.csv", "x1_m,y1_m,x2_m,y2_m,z_bottom_m,z_top_m,slab\n0,20,40,20,0,9,\n0,0,0,20,0,9,\n", 0},
    {"town.res",
     "10 10 25 10 12 1 1 0\n25 10 25 22 12 1 1 0\n25 22 10 22 12 1 1 0\n10 22 10 10 12 1 1 0\n"
     "10 30 25 30 9 2 1 0\n25 30 25 40 9 2 1 0\n25 40 10 40 9 2 1 0\n10 40 10 30 9 2 1 0\n",
     0},
    {"cube.obj", "v 0 0 0\nv 9 0 0\nv 0 9 0\nv 0 0 9\nf 1 2 3\nf 1 2 4\nf 2 3 4\n", 0},
    {"sites.csv", "name,x,y,height,power\na,12,26,5,30\nb,20,25,5,43\n", 0},
    {"route.csv", "x,y,path_loss,route\n14,25,90,a\n16,28,95,a\n20,24,99,b\n24,29,97,b\n", 0},
    {"map.hdr",
     "ENVI\nsamples = 2\nlines = 2\nbands = 1\nheader offset = 0\ndata type = 4\ninterleave = bsq\nbyte order = 0\n"
     "map info = {Arbitrary, 1, 1, 0, 40, 20, 20, units=Meters}\nrasterwave layer = path_loss\nrasterwave unit = dB\n",
     0},
    {"map.bin", "ABCBEFGBIJKBMNOB", 0},
};
#define FILE_COUNT (sizeof files / sizeof *files)

static ino_t inode_of(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 ? about.st_ino : 0;
}

static void write_file(kept_file *file)
{
    fuzz_write(file->name, (const uint8_t *)file->text, strlen(file->text));
    file->inode = inode_of(fuzz_path(file->name));
}

static void remove_all(const char *path)
{
    DIR *folder = opendir(path);
    char inside[1024];
    for (struct dirent *entry = folder ? readdir(folder) : NULL; entry; entry = readdir(folder)) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        snprintf(inside, sizeof inside, "%s/%s", path, entry->d_name);
        if (unlink(inside) != 0) {
            remove_all(inside);
            rmdir(inside);
        }
    }
    if (folder)
        closedir(folder);
}

static void leave_folder(void)
{
    remove_all(fuzz_folder());
}

static void fill_folder(void)
{
    for (size_t i = 0; i < FILE_COUNT; i++)
        write_file(&files[i]);
}

static int is_retained(const struct dirent *entry)
{
    for (size_t i = 0; i < FILE_COUNT; i++)
        if (strcmp(files[i].name, entry->d_name) == 0)
            return files[i].inode == entry->d_ino;
    return entry->d_name[0] == '.' && (!entry->d_name[1] || strcmp(entry->d_name, "..") == 0);
}

static void tidy_folder(void)
{
    DIR *folder = opendir(fuzz_folder());
    size_t kept = 0, other = 0;
    for (struct dirent *entry = folder ? readdir(folder) : NULL; entry; entry = readdir(folder))
        *(is_retained(entry) ? &kept : &other) += 1;
    if (folder)
        closedir(folder);
    if (!other && kept == FILE_COUNT + 2)
        return;
    remove_all(fuzz_folder());
    fill_folder();
}

static void make_folder(void)
{
    static int made;
    if (made++)
        return;
    fill_folder();
    atexit(leave_folder);
}

void fuzz_keep_inside(char *text, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (text[i] == '/' || (text[i] == '.' && i + 1 < size && text[i + 1] == '.'))
            text[i] = '_';
}

void fuzz_run_program(int argument_count, char **arguments)
{
    make_folder();
    /* The engine has names of its own from where it was started. */
    int before = open(".", O_RDONLY | O_DIRECTORY);
    if (before < 0 || chdir(fuzz_folder()) != 0)
        exit(1);
    int exit_status = rasterwave_main(argument_count, arguments);
    if (exit_status < 0 || exit_status > 2)
        abort();
    if (fchdir(before) != 0)
        exit(1);
    close(before);
    tidy_folder();
}
