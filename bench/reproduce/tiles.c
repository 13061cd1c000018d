/* Lu, Vitucci, Degli-Esposti and others (2019): cutting and visibility of all pairs (section III.A and B, Figures 7 and
 * 8), first-level visibility of six sites (Figure 9), time over receivers beside ray tracing (Figure 11), tiles of 25
 * and 100 m2 (section III.A), times of a transmitter (Table II), maps (Figure 12) and errors (Tables III and IV,
 * Figures 13 and 14). The paper's city and measurements are not public: scenes are generated, or Munich where its data
 * are, and measurements those of Munich or made ones. */
#include "bench/reproduce/reproduce.h"
#include "bench/reproduce/routes.h"
#include "bench/tiles.h"

#include "base/memory.h"
#include "discretise/prepared.h"
#include "scene/scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RT_MOST 512 /* receivers of Figure 11, and of the comparison with rt */

static rw_status generate(rw_context *context, double area_km2, rw_scene **scene)
{
    rw_city_options options;
    rw_city_options_init(&options);
    options.width_m = options.depth_m = 1e3 * sqrt(area_km2);
    RW_TRY(rw_generate_city(context, &options, scene));
    rw_status status = rw_scene_commit(*scene);
    if (status != RW_OK)
        rw_scene_destroy(*scene);
    return status;
}

/* One row: a city cut into tiles, and the time and size of the visibility of all pairs, from a sample of rows. */
static rw_status tell_preprocess(rw_reproduction *made, double area_km2, double tile_m2, const char *paper,
                                 double figures[2])
{
    rw_scene *scene;
    rw_cut_city city;
    rw_preprocess_options options;
    rw_preprocess_estimate estimate = {.size = sizeof estimate};
    char name[64];
    snprintf(name, sizeof name, "%g km2", area_km2);
    RW_TRY(generate(made->context, area_km2, &scene));
    RW_TRY(rw_cut_city_cut(scene, name, tile_m2, &city));
    rw_preprocess_options_init(&options);
    options.model = "tiles";
    options.tile_area_m2 = tile_m2;
    rw_status status = rw_preprocess_get_estimate(city.scene, &options, &estimate);
    if (status == RW_OK)
        rw_page_row(&made->page, "%g km² generated | %g m² | %u, %u edges | %.3g s | %.3g s | %.3g MB | %s", area_km2,
                    tile_m2, city.tiles.view.tile_count, city.tiles.view.edge_count, city.cut_s, estimate.seconds,
                    1e-6 * estimate.file_bytes, paper);
    figures[0] = estimate.seconds;
    figures[1] = 1e-6 * estimate.file_bytes;
    rw_cut_city_free(&city);
    return status;
}

static rw_status tell_figure_8(rw_reproduction *made)
{
    static const double areas_km2[2][3] = {{1, 2.5, 10}, {0.01, 0.02, 0.04}};
    const double *areas = areas_km2[made->tiny != 0];
    double figures[2], seconds[3], megabytes[3];
    rw_page_heading(&made->page, "Section III.A and B, Figure 8: cutting and visibility of all pairs");
    rw_page_text(&made->page,
                 "Equations (1) to (3) cut walls, roofs and ground. Time and size of the file of all pairs are told "
                 "from a timed sample of rows (`preprocess` prints the same estimate before its work); cutting is "
                 "measured, and not part of the fifth column. The paper's Tesla K80 took 69 ms a tile.");
    rw_page_table(&made->page, "scene | tile area | tiles | cutting | all pairs, estimated | file | the paper's");
    RW_TRY(tell_preprocess(made, made->tiny ? 0.04 : 0.5, made->tiny ? 100 : 235,
                           "0.5 km², 5100 tiles of 100 m² (fewer walls a km²)", figures));
    for (int i = 0; i < 3; i++) {
        RW_TRY(tell_preprocess(made, areas[i], 25, i == 2 ? "10 km²: less than a day, about 10 GB" : "-", figures));
        seconds[i] = figures[0];
        megabytes[i] = figures[1];
    }
    if (!made->tiny)
        RW_TRY(tell_preprocess(made, 20, 87, "466 529 tiles in 5 s; 9 h; 1650 MB as CSR", figures));
    rw_page_table_end(&made->page);
    const rw_series series[] = {{"all pairs in s", areas, seconds, 3, RW_SERIES_LINE},
                                {"file in MB", areas, megabytes, 3, RW_SERIES_LINE}};
    const rw_plot plot = {.title = "Preprocessing over the size of the map",
                          .subtitle = "tiles of 25 m2; estimated from a sample of rows",
                          .x_label = "km2",
                          .y_label = "s, MB",
                          .series = series,
                          .series_count = 2,
                          .log_x = 1,
                          .log_y = 1};
    rw_page_plot(&made->page, "figure_8", &plot, "Figure 8: time and file size over the size of the map, 25 m² tiles");
    return RW_OK;
}

typedef struct look_bench {
    rw_context *context;
    rw_placed_world *world;
    rw_vec3 source;
    uint8_t *seen;
} look_bench;

static rw_status look(void *user)
{
    const look_bench *bench = user;
    return rw_tile_world_see(bench->context, bench->world, bench->source, bench->seen);
}

/* Seconds of one look from a source, and how many tiles it sees. */
static rw_status time_look(rw_context *context, const rw_cut_city *city, rw_vec3 source, double *seconds, size_t *count)
{
    rw_placed_world world;
    uint32_t tiles = city->tiles.view.tile_count;
    uint8_t *seen = NULL;
    look_bench bench = {.context = context, .world = &world, .source = source};
    RW_TRY(rw_tile_world_place(city->scene, &city->tiles, context->backend, &world));
    rw_status status = rw_device_alloc(context, context->backend, tiles, "tiles", &bench.seen);
    if (status == RW_OK)
        status = rw_array_create(context, tiles, 1, "tiles", &seen);
    if (status == RW_OK)
        status = rw_device_time(context, context->backend, look, &bench, 3, seconds);
    if (status == RW_OK)
        status = rw_device_download(context, context->backend, seen, bench.seen, tiles);
    *count = 0;
    for (uint32_t i = 0; status == RW_OK && i < tiles; i++)
        *count += seen[i];
    free(seen);
    if (bench.seen)
        rw_device_free(context->backend, bench.seen);
    rw_tile_world_remove(&world);
    return status;
}

/* Six sites: three in streets, three over roofs. */
static rw_status tell_sites(rw_reproduction *made, const rw_cut_city *city, const char *place, rw_context *one_thread)
{
    rw_vec3 sources[6];
    rw_vec2 centre = city->scene->prepared->grid.centre;
    double slowest_us = 0;
    rw_bench_place(city->scene, place, sources, 6);
    rw_page_table(&made->page, "site | height | tiles seen | all threads or GPU | one thread | times faster");
    for (int i = 0; i < 6; i++) {
        double seconds, alone_s;
        size_t count;
        double above_m = i < 3 ? sources[i].z : 25 + 10 * i;
        rw_vec2 at = {sources[i].x, sources[i].y};
        rw_vec3 source = rw_vec3_make(at.x - centre.x, at.y - centre.y, rw_scene_ground_m(city->scene, at) + above_m);
        RW_TRY(time_look(made->context, city, source, &seconds, &count));
        RW_TRY(time_look(one_thread, city, source, &alone_s, &count));
        rw_page_row(&made->page, "%c | %.0f m | %zu of %u | %.3g ms | %.3g ms | %.2g", 'A' + i, above_m, count,
                    city->tiles.view.tile_count, 1e3 * seconds, 1e3 * alone_s, alone_s / seconds);
        slowest_us = fmax(slowest_us, 1e6 * alone_s / city->tiles.view.tile_count);
    }
    rw_page_row(&made->page, "the paper's | micro and macro | - | 30 to 180 ms | - | 500 to 1600 (one GPU thread)");
    rw_page_table_end(&made->page);
    rw_page_text(
        &made->page,
        "A tile costs one thread at most %.3g µs here. Without a matrix every leg of every ray costs that much "
        "(the paper: 10 ms, so that the 10⁸ rays of one transmitter took 80 days); the matrix costs a look "
        "into a row.",
        slowest_us);
    return RW_OK;
}

static rw_status tell_figure_9(rw_reproduction *made, rw_scene *scene, const char *place)
{
    rw_cut_city city;
    rw_tile_options tiling;
    rw_context_options options;
    rw_context *one_thread = NULL;
    rw_tile_options_init(&tiling);
    city = (rw_cut_city){.scene = scene, .area_m2 = tiling.area_m2};
    RW_TRY(rw_tiles_create(scene, &tiling, &city.tiles));
    rw_context_options_init(&options);
    options.backend = RW_BACKEND_CPU;
    options.threads = 1;
    rw_page_heading(&made->page, "Figure 9: first-level visibility of six sites");
    rw_page_text(&made->page, "%s, tiles of 100 m², on %s; nothing is precomputed but the scene and its tiles.", place,
                 rw_context_machine(made->context));
    rw_status status = rw_context_create(&options, &one_thread);
    if (status == RW_OK)
        status = tell_sites(made, &city, place, one_thread);
    rw_context_destroy(one_thread);
    rw_tiles_destroy(&city.tiles);
    return status;
}

static rw_predict_options bounces(const char *model, const rw_transmitter *transmitter, int depth)
{
    rw_predict_options options;
    rw_predict_options_init_for(&options, model);
    options.transmitters = transmitter;
    options.transmitter_count = 1;
    options.freq_hz = 850e6;
    options.depth = depth;
    options.diffractions = depth > 3 ? 2 : 1;
    options.scatterings = 0;
    options.roofs = strcmp(model, "tiles") == 0 ? "none" : NULL; /* the paper's own rays */
    return options;
}

/* Seconds of values on all tiles, with the visibility of tiles known from a call before. */
static rw_status time_tiles(const rw_scene *scene, rw_predict_options options, double tile_m2, double *seconds,
                            rw_tile_map **map)
{
    options.tile_area_m2 = tile_m2;
    options.sum = "power";
    options.layers = "path_loss";
    double start_s = rw_seconds();
    RW_TRY(rw_predict_tiles(scene, &options, map));
    *seconds = rw_seconds() - start_s;
    return RW_OK;
}

/* Outdoor points in rows over the scene. */
static size_t lay_points(const rw_scene *scene, rw_point *points, size_t most)
{
    rw_scene_info info = {.size = sizeof info};
    size_t count = 0;
    rw_scene_get_info(scene, &info);
    for (size_t i = 0; i < 4 * most && count < most; i++) {
        double x = fmod(0.5 + 0.6180339887 * (double)i, 1), y = fmod(0.5 + 0.7548776662 * (double)i, 1);
        rw_vec2 at = {info.x_min_m + x * (info.x_max_m - info.x_min_m) - scene->origin.x,
                      info.y_min_m + y * (info.y_max_m - info.y_min_m) - scene->origin.y};
        int inside = 0;
        for (size_t k = 0; k < scene->parts.count && !inside; k++)
            inside = rw_part_contains(scene, &scene->parts.items[k], at);
        if (!inside)
            points[count++] = (rw_point){sizeof(rw_point), at.x + scene->origin.x, at.y + scene->origin.y, 1.5};
    }
    return count;
}

/* Power sums of the paths to points; infinite where there is none. */
static rw_status losses_at(const rw_scene *scene, rw_predict_options options, const rw_point *points, size_t count,
                           double *loss_db, double *seconds)
{
    rw_paths *paths;
    double start_s = rw_seconds();
    RW_TRY(rw_trace(scene, &options, points, count, &paths));
    *seconds = rw_seconds() - start_s;
    for (size_t i = 0; i < count; i++)
        loss_db[i] = INFINITY;
    for (size_t i = 0; i < rw_paths_count(paths); i++) {
        rw_path path = {.size = sizeof path};
        rw_paths_get(paths, i, &path);
        loss_db[path.point] = -10 * log10(pow(10, -0.1 * loss_db[path.point]) + pow(10, -0.1 * path.loss_db));
    }
    rw_paths_destroy(paths);
    return RW_OK;
}

static int compare_numbers(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return a < b ? -1 : a > b;
}

/* Figure 11: ray tracing over receivers, tiles for all of them at once. */
static rw_status tell_figure_11(rw_reproduction *made, const rw_scene *scene, const rw_transmitter *transmitter,
                                const rw_point *points, size_t most)
{
    static double counts[3][16], seconds[3][16], ends[3][2], flat[3][2], losses[RT_MOST];
    size_t lengths[3] = {0};
    rw_tile_map *map;
    double tile_s[3], first_s;
    static const char *const paper[] = {"2 s", "6 s", "11 s"};
    rw_page_heading(&made->page, "Figure 11: time over receivers, beside ray tracing");
    RW_TRY(time_tiles(scene, bounces("tiles", transmitter, 1), NAN, &first_s, &map));
    rw_tile_map_destroy(map);
    for (int depth = 1; depth <= 3; depth++) {
        RW_TRY(time_tiles(scene, bounces("tiles", transmitter, depth), NAN, &tile_s[depth - 1], &map));
        rw_tile_map_destroy(map);
        /* an interaction more takes some fifty times as long */
        double longest_s = made->limit_s > 0 ? made->limit_s : 30;
        int affordable = depth == 1 || (lengths[depth - 2] && 50 * seconds[depth - 2][0] < longest_s);
        for (size_t count = 1; affordable && count <= most && lengths[depth - 1] < 16; count *= 4) {
            double now_s;
            RW_TRY(losses_at(scene, bounces("rt", transmitter, depth), points, count, losses, &now_s));
            counts[depth - 1][lengths[depth - 1]] = (double)count;
            seconds[depth - 1][lengths[depth - 1]++] = now_s;
            if (4 * now_s > longest_s)
                break;
        }
        ends[depth - 1][0] = 1;
        ends[depth - 1][1] = 5100;
        flat[depth - 1][0] = flat[depth - 1][1] = tile_s[depth - 1];
    }
    rw_page_text(&made->page,
                 "One transmitter, up to 1, 2 and 3 interactions, one diffraction, no scattering; `rt` enumerates all "
                 "sequences for each receiver, `tiles` has all tiles at once. Cutting and the visibility of all pairs "
                 "are not in these times; with them the first call took %.3g s. `rt` stops where the next point would "
                 "take longer than the limit.",
                 first_s);
    rw_page_table(&made->page, "interactions | tiles, all of them | the paper's | rt, one receiver | rt, most timed");
    for (int i = 0; i < 3; i++)
        if (lengths[i] > 0)
            rw_page_row(&made->page, "%d | %.3g s | %s | %.3g s | %.3g s for %.0f", i + 1, tile_s[i], paper[i],
                        seconds[i][0], seconds[i][lengths[i] - 1], counts[i][lengths[i] - 1]);
        else
            rw_page_row(&made->page, "%d | %.3g s | %s | left out: beyond the limit | -", i + 1, tile_s[i], paper[i]);
    rw_page_table_end(&made->page);
    rw_series series[6];
    static const char *const names[] = {"rt, 1", "rt, 2", "rt, 3", "tiles, 1", "tiles, 2", "tiles, 3"};
    for (int i = 0; i < 3; i++) {
        series[i] = (rw_series){names[i], counts[i], seconds[i], lengths[i], RW_SERIES_LINE};
        series[i + 3] = (rw_series){names[i + 3], ends[i], flat[i], 2, RW_SERIES_LINE};
    }
    const rw_plot plot = {.title = "Time over receivers",
                          .x_label = "receivers",
                          .y_label = "s",
                          .series = series,
                          .series_count = 6,
                          .log_x = 1,
                          .log_y = 1};
    rw_page_plot(&made->page, "figure_11", &plot, "Figure 11: ray tracing over receivers, and tiles for all at once");
    return RW_OK;
}

/* Tiles of 100 and 25 m2 against rt at the same points. */
static rw_status tell_areas(rw_reproduction *made, const rw_scene *scene, const rw_transmitter *transmitter,
                            const rw_point *points, size_t count)
{
    static const double areas_m2[] = {100, 25};
    static double exact[RT_MOST], ours[RT_MOST], errors[RT_MOST];
    double seconds, longest_s = made->limit_s > 0 ? made->limit_s : 60;
    RW_TRY(losses_at(scene, bounces("rt", transmitter, 2), points, 1, exact, &seconds));
    count = (size_t)fmin((double)count, fmax(1, longest_s / seconds));
    RW_TRY(losses_at(scene, bounces("rt", transmitter, 2), points, count, exact, &seconds));
    rw_page_heading(&made->page, "Section III.A: tiles of 25 and of 100 m²");
    rw_page_text(&made->page,
                 "Two interactions at %zu points, against `rt` in this run. The paper has about 1 dB less standard "
                 "deviation against measurements at 25 m², for four times the time.",
                 count);
    rw_page_table(&made->page,
                  "tile area | all tiles | median difference | 90 % below | points that one alone reaches");
    for (int i = 0; i < 2; i++) {
        rw_predict_options options = bounces("tiles", transmitter, 2);
        rw_tile_map *map;
        size_t both = 0, alone = 0;
        double tile_s;
        RW_TRY(time_tiles(scene, options, areas_m2[i], &tile_s, &map)); /* cuts, and sees */
        rw_tile_map_destroy(map);
        RW_TRY(time_tiles(scene, options, areas_m2[i], &tile_s, &map));
        rw_tile_map_destroy(map);
        options.tile_area_m2 = areas_m2[i];
        RW_TRY(losses_at(scene, options, points, count, ours, &seconds));
        for (size_t k = 0; k < count; k++) {
            if (isfinite(ours[k]) && isfinite(exact[k]))
                errors[both++] = fabs(ours[k] - exact[k]);
            else
                alone += isfinite(ours[k]) || isfinite(exact[k]);
        }
        qsort(errors, both, sizeof *errors, compare_numbers);
        rw_page_row(&made->page, "%g m² | %.3g s | %.2g dB | %.2g dB | %zu of %zu", areas_m2[i], tile_s,
                    both ? errors[both / 2] : NAN, both ? errors[(size_t)(0.9 * (double)(both - 1))] : NAN, alone,
                    both + alone);
    }
    rw_page_table_end(&made->page);
    return RW_OK;
}

/* Times of a transmitter, and values on tiles seen from above and at an angle. */
static rw_status tell_table_2(rw_reproduction *made, const rw_scene *scene, const rw_transmitter *transmitter)
{
    rw_tile_map *map;
    double seconds, longest_s = made->limit_s > 0 ? made->limit_s : 120;
    char path[4096];
    rw_page_heading(&made->page, "Table II and Figure 12: one transmitter");
    rw_page_table(&made->page, "interactions | time | the paper's, 20 km² on a Tesla K80");
    RW_TRY(time_tiles(scene, bounces("tiles", transmitter, 3), NAN, &seconds, &map));
    rw_page_row(&made->page, "3, one diffraction | %.3g s | 1584 s and 1281 s", seconds);
    if (!made->tiny && 150 * seconds < longest_s) {
        rw_tile_map_destroy(map);
        RW_TRY(time_tiles(scene, bounces("tiles", transmitter, 5), NAN, &seconds, &map));
        rw_page_row(&made->page, "5, two diffractions | %.3g s | 3044 s and 2345 s", seconds);
    } else {
        rw_page_row(&made->page, "5, two diffractions | left out: beyond the limit | 3044 s and 2345 s");
    }
    rw_page_table_end(&made->page);
    static const struct {
        const char *name, *caption;
        double elevation_deg;
    } views[] = {{"figure_12a", "Figure 12 (a): path loss on all tiles, from above", 90},
                 {"figure_12b", "Figure 12 (b): the same at an angle", 35}};
    rw_status status = RW_OK;
    for (int i = 0; i < 2 && status == RW_OK; i++) {
        rw_tile_write_options options;
        rw_tile_write_options_init(&options);
        options.elevation_deg = views[i].elevation_deg;
        options.width_px = 1000;
        rw_page_picture_path(&made->page, views[i].name, path, sizeof path);
        status = rw_tile_map_write(map, path, &options);
        rw_page_picture(&made->page, views[i].name, views[i].caption);
    }
    rw_tile_map_destroy(map);
    return status;
}

/* One row of Tables III and IV; picture may be NULL. */
static rw_status tell_errors(rw_reproduction *made, const rw_scene *scene, rw_predict_options options,
                             const rw_measurements *measured, const char *name, const char *paper, const char *picture)
{
    rw_evaluation *evaluation;
    rw_evaluation_info info = {.size = sizeof info};
    char path[4096];
    options.res_m = 10;
    RW_TRY(rw_evaluate_model(scene, &options, measured, NULL, &evaluation));
    rw_status status = rw_evaluation_get_info(evaluation, &info);
    if (status == RW_OK && picture) {
        rw_page_picture_path(&made->page, picture, path, sizeof path);
        status = rw_evaluation_draw(evaluation, RW_EVALUATION_MAP, path);
    }
    rw_evaluation_destroy(evaluation);
    if (status == RW_OK)
        rw_page_row(&made->page, "%s | %.1f / %.1f dB | %zu | %zu | %s", name, info.ground.mean_db,
                    info.ground.std_dev_db, info.ground_points, info.no_path, paper);
    return status;
}

static rw_status tell_tables_3_and_4(rw_reproduction *made, const rw_scene *scene, const rw_transmitter *transmitter,
                                     int is_munich)
{
    rw_routes routes;
    rw_predict_options options = bounces("tiles", transmitter, 3);
    rw_page_heading(&made->page, "Tables III and IV, Figures 13 and 14: errors");
    rw_page_text(&made->page,
                 "The paper's measurements are not public. Without calibration, powers added, tiles of 100 m², the "
                 "nearest tile of any kind as in the paper unless said otherwise; errors are measured less predicted. "
                 "These routes have no points above ground level; `evaluate` splits them where a file has heights.");
    RW_TRY(rw_routes_open(made, scene, transmitter, is_munich, &routes));
    rw_page_table(&made->page,
                  "model | mean / std. dev. at ground level | points | samples without a path | the paper's TX1, TX2");
    options.cells = "nearest-any";
    rw_status status = tell_errors(made, scene, options, routes.items[1], "tiles, 3 interactions",
                                   "-5 / 8.8, -1.6 / 8 dB; above: 0.5 / 7.3, -4.7 / 3.4 dB", "figure_13");
    options.cells = "exact";
    if (status == RW_OK)
        status = tell_errors(made, scene, options, routes.items[1], "the same at the points themselves", "-", NULL);
    options.roofs = "vogler";
    if (status == RW_OK)
        status = tell_errors(made, scene, options, routes.items[1], "the same with the way over the roofs (default)",
                             "-", "figure_14");
    rw_page_row(&made->page, "5 interactions; ray tracing with 3 | not made | - | - | -3.3 / 8.6, -0.7 / 7.8 dB; "
                             "-0.02 / 11.7, 1.0 / 8.9 dB");
    rw_page_table_end(&made->page);
    rw_page_picture(&made->page, "figure_13", "As Figure 13: errors of 3 interactions at the nearest tiles");
    rw_page_picture(&made->page, "figure_14", "As Figure 14: errors at the points, with the way over the roofs");
    rw_routes_close(&routes);
    return status;
}

static rw_status fill(rw_reproduction *made, rw_scene *scene, const char *place)
{
    static rw_point points[RT_MOST];
    rw_vec3 at;
    rw_transmitter transmitter;
    rw_scene *small;
    rw_bench_place(scene, place, &at, 1);
    rw_transmitter_init(&transmitter);
    transmitter.x_m = at.x + scene->origin.x;
    transmitter.y_m = at.y + scene->origin.y;
    transmitter.height_m = at.z;
    RW_TRY(tell_figure_8(made));
    RW_TRY(tell_figure_9(made, scene, place));
    RW_TRY(generate(made->context, made->tiny ? 0.02 : 0.5, &small));
    rw_scene_info info = {.size = sizeof info};
    rw_scene_get_info(small, &info);
    rw_transmitter middle = transmitter;
    middle.x_m = 0.5 * (info.x_min_m + info.x_max_m);
    middle.y_m = 0.5 * (info.y_min_m + info.y_max_m);
    middle.height_m = 41;
    size_t count = lay_points(small, points, made->tiny ? 16 : 256);
    rw_page_text(&made->page, "The next two sections are of a generated city of %g km².", made->tiny ? 0.02 : 0.5);
    rw_status status = tell_figure_11(made, small, &middle, points, count);
    if (status == RW_OK)
        status = tell_areas(made, small, &middle, points, count < 64 ? count : 64);
    rw_scene_destroy(small);
    RW_TRY(status);
    RW_TRY(tell_table_2(made, scene, &transmitter));
    return tell_tables_3_and_4(made, scene, &transmitter, strcmp(place, "Munich") == 0);
}

rw_status rw_reproduce_tiles(rw_reproduction *made)
{
    rw_bench bench = rw_reproduce_bench(made);
    rw_scene *scene;
    const char *place;
    RW_TRY(rw_bench_city(&bench, made->context, &scene, &place));
    rw_status status = fill(made, scene, place);
    rw_scene_destroy(scene);
    return status;
}
