/* The tiles model before any transmitter: cutting, visibility of all pairs with its file, first-level visibility,
 * beside Lu and others (2019), section III and Figures 8 and 9, which took a Tesla K80.
 *
 * Checked before it is timed: rows against brute force in double. Limits: a pair that faces costs a march of some ten
 * cells, 1e2 operations; N tiles have N^2/2 pairs, of which a quarter faces. Where a CPU would take minutes, the time
 * of all rows is told from a sample of them. */
#include "bench/groups.h"
#include "models/tiles/database/database.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char group[] = "tiles";

rw_status rw_cut_city_cut(rw_scene *scene, const char *name, double area_m2, rw_cut_city *city)
{
    rw_tile_options options;
    *city = (rw_cut_city){.scene = scene, .area_m2 = area_m2};
    snprintf(city->name, sizeof city->name, "%s", name);
    rw_tile_options_init(&options);
    options.area_m2 = area_m2;
    double start_s = rw_seconds();
    rw_status status = rw_tiles_create(scene, &options, &city->tiles);
    city->cut_s = rw_seconds() - start_s;
    if (status != RW_OK)
        rw_cut_city_free(city);
    return status;
}

void rw_cut_city_free(rw_cut_city *city)
{
    rw_tiles_destroy(&city->tiles);
    rw_scene_destroy(city->scene);
    *city = (rw_cut_city){0};
}

static rw_status generate_tile_city(rw_context *context, double width_m, double depth_m, int hills, rw_scene **scene)
{
    rw_city_options options;
    rw_city_options_init(&options);
    options.width_m = width_m;
    options.depth_m = depth_m;
    options.hills = hills;
    RW_TRY(rw_generate_city(context, &options, scene));
    rw_status status = rw_scene_commit(*scene);
    if (status != RW_OK)
        rw_scene_destroy(*scene);
    return status;
}

/* As the paper's: 0.5 km2 in 5 100 tiles, which are larger here, since European blocks have more walls. */
rw_status rw_cut_city_small(rw_context *context, rw_cut_city *city)
{
    rw_scene *scene;
    RW_TRY(generate_tile_city(context, 707, 707, 0, &scene));
    return rw_cut_city_cut(scene, "0.5 km2", 235, city);
}

rw_status rw_cut_city_hilly(rw_context *context, rw_cut_city *city)
{
    rw_scene *scene;
    RW_TRY(generate_tile_city(context, 4000, 5000, 1, &scene));
    return rw_cut_city_cut(scene, "20 km2 on hills", 87, city);
}

/* A block of rows by both forms. */
static rw_status check_rows(const rw_cut_city *city, double fraction)
{
    rw_tile_half halves[2] = {{0}, {0}};
    rw_context *context = city->scene->context;
    uint32_t count = city->tiles.view.tile_count;
    uint32_t first = (uint32_t)(fraction * count) / RW_TILE_BLOCK * RW_TILE_BLOCK;
    uint32_t rows = count - first < RW_TILE_BLOCK ? count - first : RW_TILE_BLOCK;
    rw_status status = RW_OK;
    for (int i = 0; i < 2 && status == RW_OK; i++) {
        rw_tile_scan scan;
        halves[i].first_tile = first;
        status = rw_tile_scan_create(city->scene, &city->tiles, i ? RW_TILES_BRUTE : RW_TILES_FAST, 0, &scan);
        if (status == RW_OK) {
            status = rw_tile_scan_band(&scan, first, rows, &halves[i]);
            rw_tile_scan_destroy(&scan);
        }
    }
    size_t words = halves[0].blocks.count;
    if (status == RW_OK &&
        (words != halves[1].blocks.count || memcmp(halves[0].blocks.items, halves[1].blocks.items, 4 * words) != 0 ||
         memcmp(halves[0].masks.items, halves[1].masks.items, 4 * words) != 0))
        status = rw_fail(context, RW_INTERNAL, "rows of tiles from %u on are not those of brute force", first);
    rw_tile_half_free(&halves[0]);
    rw_tile_half_free(&halves[1]);
    return status;
}

/* Lines of what the rows of were compared above. */
static rw_bench of_checked_rows(const rw_bench *out)
{
    return rw_bench_checked(out, (rw_bench_check){"rows by brute force in double", 0, 0, "words"});
}

static void report_cut_city(const rw_bench *out, const rw_cut_city *city)
{
    char name[96], note[160];
    snprintf(name, sizeof name, "cut %s", city->name);
    snprintf(note, sizeof note, "%u tiles, %u edges; paper: 466 529 tiles in 5 s", city->tiles.view.tile_count,
             city->tiles.view.edge_count);
    rw_bench_add_result(out, group, name, city->cut_s, "s", NAN, NAN, note);
}

static rw_preprocess_options build_tile_options(const rw_cut_city *city)
{
    rw_preprocess_options options;
    rw_preprocess_options_init(&options);
    options.model = "tiles";
    options.tile_area_m2 = city->area_m2;
    return options;
}

/* The whole way from the scene to the file: tiles, all pairs, writing. The second run is timed. */
static rw_status report_tile_database(const rw_bench *out, const rw_cut_city *city, double target_s, double target_mb,
                                      const char *paper)
{
    rw_context *context = city->scene->context;
    rw_preprocess_options options = build_tile_options(city);
    rw_database_info info = {.size = sizeof info};
    const char *folder = getenv("TMPDIR");
    char path[512], name[96], note[200];
    double seconds = NAN;
    snprintf(path, sizeof path, "%s/rasterwave-bench-%ld.rwdb", folder && *folder ? folder : "/tmp", (long)getpid());
    rw_status status = RW_OK;
    for (int i = 0; i < 2 && status == RW_OK; i++) {
        double start_s = rw_seconds();
        status = rw_preprocess(city->scene, &options, path);
        seconds = rw_seconds() - start_s;
    }
    if (status == RW_OK)
        status = rw_database_read_info(context, path, &info);
    unlink(path);
    RW_TRY(status);
    snprintf(name, sizeof name, "all pairs of %s with the file, %s", city->name, rw_context_backend(context));
    snprintf(note, sizeof note, "%zu tiles, %.4g seen by each, %.3g s of it cutting%s", info.tiles,
             (double)info.entries / (double)info.tiles, city->cut_s, paper);
    rw_bench_add_result(out, group, name, seconds, "s", NAN, target_s, note);
    snprintf(name, sizeof name, "file of %s, %s", city->name, rw_context_backend(context));
    snprintf(note, sizeof note, "%.3g bytes an entry; plain columns: %.4g MB; paper: 1650 MB for 952 a tile",
             info.bytes / (double)info.entries, 4e-6 * (double)info.entries);
    rw_bench_add_result(out, group, name, info.bytes / 1e6, "MB", NAN, target_mb, note);
    rw_preprocess_estimate estimate = {.size = sizeof estimate};
    RW_TRY(rw_preprocess_get_estimate(city->scene, &options, &estimate));
    snprintf(name, sizeof name, "memory for %s, %s", city->name, rw_context_backend(context));
    snprintf(note, sizeof note, "%.3g MB of it on the GPU, in %zu bands; it was estimated to take %.3g s",
             estimate.device_bytes / 1e6, estimate.bands, estimate.seconds);
    rw_bench_add_result(out, group, name, (estimate.memory_bytes + estimate.device_bytes) / 1e6, "MB", NAN, target_mb,
                        note);
    return RW_OK;
}

static rw_status report_database_sample(const rw_bench *out, const rw_cut_city *city)
{
    rw_context *context = city->scene->context;
    rw_preprocess_options options = build_tile_options(city);
    rw_preprocess_estimate estimate = {.size = sizeof estimate};
    char name[96], note[160];
    RW_TRY(rw_preprocess_get_estimate(city->scene, &options, &estimate));
    snprintf(name, sizeof name, "all pairs of %s, %s, estimated", city->name, rw_context_backend(context));
    snprintf(note, sizeof note, "from a sample of rows; a file of %.3g MB, %.3g MB of memory",
             estimate.file_bytes / 1e6, estimate.memory_bytes / 1e6);
    rw_bench_add_result(out, group, name, estimate.seconds, "s", NAN, NAN, note);
    return RW_OK;
}

typedef struct first_bench {
    rw_context *context;
    rw_device_view view;
    rw_vec3 source;
    uint8_t *seen;
} first_bench;

static rw_status see_once(void *user)
{
    first_bench *bench = user;
    return rw_tile_geometry_see_source(bench->context, &bench->view, bench->source, bench->seen);
}

/* Ten metres over the roof of a tile in the middle: a macrocell; the worst of the paper's sites. */
static rw_vec3 over_a_roof(const rw_cut_city *city)
{
    const rw_tiles_view *view = &city->tiles.view;
    for (uint32_t i = view->tile_count / 2; i < view->tile_count; i++)
        if (view->surfaces[view->tiles[i].surface].kind == RW_TILE_ROOF)
            return rw_vec3_add(view->tiles[i].centre, rw_vec3_of(0, 0, 10));
    return rw_vec3_of(0, 0, 1000);
}

static rw_status check_first(const rw_cut_city *city, first_bench *bench, size_t *count)
{
    uint32_t tiles = city->tiles.view.tile_count;
    uint8_t *seen = malloc(tiles);
    rw_device_view here;
    if (!seen)
        return rw_fail(bench->context, RW_OUT_OF_MEMORY, "no memory left for tiles");
    rw_status status = rw_tile_geometry_upload(city->scene, &city->tiles, RW_BACKEND_CPU, &here);
    if (status == RW_OK)
        status = see_once(bench);
    if (status == RW_OK)
        status = rw_device_download(bench->context, bench->context->backend, seen, bench->seen, tiles);
    for (uint32_t i = 0; i < tiles && status == RW_OK; i++) {
        const rw_tile *tile = &city->tiles.view.tiles[i];
        *count += seen[i];
        if (i % 997 == 0 && seen[i] != (rw_tile_faces(tile, bench->source) &&
                                        rw_line_clear_exact(&here.view, rw_tile_point(tile), bench->source)))
            status = rw_fail(bench->context, RW_INTERNAL, "tile %u is not seen as by brute force", i);
    }
    rw_tile_geometry_release(&here);
    free(seen);
    return status;
}

static rw_status report_first_visibility(const rw_bench *out, const rw_cut_city *city)
{
    rw_context *context = city->scene->context;
    first_bench bench = {.context = context, .source = over_a_roof(city)};
    int gpu = context->backend == RW_BACKEND_CUDA;
    double seconds = NAN;
    size_t count = 0;
    RW_TRY(rw_tile_geometry_upload(city->scene, &city->tiles, context->backend, &bench.view));
    rw_status status = rw_device_alloc(context, context->backend, city->tiles.view.tile_count, "tiles", &bench.seen);
    if (status == RW_OK)
        status = check_first(city, &bench, &count);
    if (status == RW_OK)
        status = rw_device_time(context, context->backend, see_once, &bench, 9, &seconds);
    if (bench.seen)
        rw_device_free(context->backend, bench.seen);
    rw_tile_geometry_release(&bench.view);
    RW_TRY(status);
    char name[96], note[160];
    snprintf(name, sizeof name, "first level of %s, %s", city->name, rw_context_backend(context));
    snprintf(note, sizeof note, "%zu of %u tiles seen; paper, Fig. 9: 30 to 180 ms", count,
             city->tiles.view.tile_count);
    rw_bench checked = rw_bench_checked(out, (rw_bench_check){"each 997th tile by brute force", 0, 0, "tiles"});
    rw_bench_add_result(&checked, group, name, 1e3 * seconds, "ms", NAN, gpu ? 1 : NAN, note);
    return RW_OK;
}

static rw_status bench_tiles_city(const rw_bench *out, const rw_cut_city *city, double gpu_target_s, double target_mb,
                                  const char *paper)
{
    report_cut_city(out, city);
    RW_TRY(check_rows(city, 0.97));
    RW_TRY(check_rows(city, 0.985));
    RW_TRY(report_first_visibility(out, city));
    rw_bench checked = of_checked_rows(out);
    return city->scene->context->backend == RW_BACKEND_CUDA
               ? report_tile_database(&checked, city, gpu_target_s, target_mb, paper)
               : report_database_sample(out, city);
}

static rw_status bench_small(const rw_bench *out, rw_context *context)
{
    rw_cut_city city;
    int gpu = context->backend == RW_BACKEND_CUDA;
    RW_TRY(rw_cut_city_small(context, &city));
    report_cut_city(out, &city);
    rw_status status = check_rows(&city, 0.1);
    rw_bench checked = of_checked_rows(out);
    if (status == RW_OK)
        status = report_tile_database(&checked, &city, gpu ? NAN : 2, NAN, "");
    if (status == RW_OK && !gpu)
        status = rw_bench_tiles_embree(out, context, &city);
    rw_cut_city_free(&city);
    return status;
}

/* Figure 8: tiles of 25 m2 over the size of the map. */
static rw_status bench_sizes(const rw_bench *out, rw_context *context)
{
    static const double areas_km2[] = {1, 2.5, 10};
    static const char *const names[] = {"1 km2 in 25 m2", "2.5 km2 in 25 m2", "10 km2 in 25 m2"};
    for (int i = 0; i < 3; i++) {
        rw_scene *scene;
        rw_cut_city city;
        double side_m = 1e3 * sqrt(areas_km2[i]);
        RW_TRY(generate_tile_city(context, side_m, side_m, 0, &scene));
        RW_TRY(rw_cut_city_cut(scene, names[i], 25, &city));
        report_cut_city(out, &city);
        rw_status status =
            context->backend == RW_BACKEND_CUDA
                ? report_tile_database(out, &city, NAN, NAN, "; paper, Fig. 8: 10 km2 in less than a day, 10 GB")
                : report_database_sample(out, &city);
        rw_cut_city_free(&city);
        RW_TRY(status);
    }
    return RW_OK;
}

static rw_status bench_tiles_on_backend(const rw_bench *out, rw_context *context)
{
    rw_scene *scene;
    const char *city_name;
    rw_cut_city city;
    RW_TRY(bench_small(out, context));
    RW_TRY(rw_bench_city(out, context, &scene, &city_name));
    RW_TRY(rw_cut_city_cut(scene, city_name, 100, &city));
    rw_status status = bench_tiles_city(out, &city, 1.5, NAN, "");
    rw_cut_city_free(&city);
    RW_TRY(status);
    RW_TRY(rw_cut_city_hilly(context, &city));
    status = bench_tiles_city(out, &city, 20, 1000, "; paper: 9 h");
    rw_cut_city_free(&city);
    RW_TRY(status);
    return bench_sizes(out, context);
}

rw_status rw_bench_tiles(const rw_bench *bench)
{
    return rw_bench_wants(bench, group, group) ? rw_bench_each_backend(bench, bench_tiles_on_backend) : RW_OK;
}
