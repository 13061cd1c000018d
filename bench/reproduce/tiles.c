/* Lu, Vitucci, Degli-Esposti and others (2019): cutting and visibility of all pairs (section III.A and B, Figures 7 and
 * 8), first-level visibility of six sites (Figure 9), times of a transmitter (Table II) and maps (Figure 12). Rays
 * beside ray tracing and errors have files of their own (reproduce.h). The paper's city and measurements are not
 * public: scenes are generated, or Munich where its data are. */
#include "bench/reproduce/reproduce.h"
#include "bench/groups.h"

#include "base/memory.h"
#include "discretise/prepared.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const rw_paper_item items[] = {
    {"Figures 1 to 6, 10; Table I", NULL, "drawings of the principle, and parameters"},
    {"Figure 7 and 8, sections III.A and B", "cutting, and time and size of all pairs over the size of the map", NULL},
    {"Figure 9", "first-level visibility of six sites", NULL},
    {"Figure 11", "time over receivers, next to ray tracing", NULL},
    {"Table II", "times of a transmitter, with one scattering", NULL},
    {"Figure 12", "values on all tiles", NULL},
    {"Tables III and IV, Figures 13 and 14",
     "their columns from synthetic values: the paper's city and measurements are not public", NULL},
};

double rw_tiles_page_limit_s(const rw_reproduction *reproduction, double default_s)
{
    return reproduction->limit_s > 0 ? reproduction->limit_s : default_s;
}

rw_status rw_tiles_page_city(rw_context *context, double area_km2, int hills, rw_scene **scene)
{
    rw_city_options options;
    rw_city_options_init(&options);
    options.width_m = options.depth_m = 1e3 * sqrt(area_km2);
    options.hills = hills;
    RW_TRY(rw_generate_city(context, &options, scene));
    rw_status status = rw_scene_commit(*scene);
    if (status != RW_OK)
        rw_scene_destroy(*scene);
    return status;
}

rw_transmitter rw_tiles_page_middle(const rw_scene *scene, double height_m)
{
    rw_transmitter middle;
    rw_scene_info info = {.size = sizeof info};
    rw_transmitter_init(&middle);
    rw_scene_get_info(scene, &info);
    middle.x_m = 0.5 * (info.x_min_m + info.x_max_m);
    middle.y_m = 0.5 * (info.y_min_m + info.y_max_m);
    middle.height_m = height_m;
    return middle;
}

rw_predict_options rw_tiles_page_bounces(const char *model, const rw_transmitter *transmitter, int depth)
{
    rw_predict_options options;
    rw_predict_options_init_for(&options, model);
    options.transmitters = transmitter;
    options.transmitter_count = 1;
    options.freq_hz = 850e6;
    options.depth = depth;
    options.diffractions = depth > 3 ? 2 : 1;
    options.scatterings = 0;
    options.roofs = "none"; /* the paper's own rays */
    return options;
}

rw_status rw_tiles_page_time(const rw_scene *scene, rw_predict_options options, double tile_m2, double *seconds,
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

int rw_tiles_page_inside(const rw_scene *scene, rw_vec2 at)
{
    for (size_t i = 0; i < scene->parts.count; i++)
        if (rw_part_contains(scene, &scene->parts.items[i], at))
            return 1;
    return 0;
}

size_t rw_tiles_page_points(const rw_scene *scene, rw_point *points, size_t max_count)
{
    rw_scene_info info = {.size = sizeof info};
    size_t count = 0;
    rw_scene_get_info(scene, &info);
    for (size_t i = 0; i < 4 * max_count && count < max_count; i++) {
        double x = fmod(0.5 + 0.6180339887 * (double)i, 1), y = fmod(0.5 + 0.7548776662 * (double)i, 1);
        rw_vec2 at = {info.x_min_m + x * (info.x_max_m - info.x_min_m) - scene->origin.x,
                      info.y_min_m + y * (info.y_max_m - info.y_min_m) - scene->origin.y};
        if (!rw_tiles_page_inside(scene, at))
            points[count++] = (rw_point){.size = sizeof(rw_point),
                                         .x_m = at.x + scene->origin.x,
                                         .y_m = at.y + scene->origin.y,
                                         .height_m = 1.5};
    }
    return count;
}

/* One row: a city cut into tiles, and the time and size of the visibility of all pairs, from a sample of rows. */
static rw_status report_preprocess_row(rw_reproduction *reproduction, double area_km2, double tile_m2,
                                       const char *paper, double figures[2])
{
    rw_scene *scene;
    rw_cut_city city;
    rw_preprocess_options options;
    rw_preprocess_estimate estimate = {.size = sizeof estimate};
    char name[64];
    snprintf(name, sizeof name, "%g km2", area_km2);
    RW_TRY(rw_tiles_page_city(reproduction->context, area_km2, 0, &scene));
    RW_TRY(rw_cut_city_cut(scene, name, tile_m2, &city));
    rw_preprocess_options_init(&options);
    options.model = "tiles";
    options.tile_area_m2 = tile_m2;
    rw_status status = rw_preprocess_get_estimate(city.scene, &options, &estimate);
    if (status == RW_OK)
        rw_page_row(&reproduction->page, "%g km² generated | %g m² | %u, %u edges | %.3g s | %.3g s | %.3g MB | %s",
                    area_km2, tile_m2, city.tiles.view.tile_count, city.tiles.view.edge_count, city.cut_s,
                    estimate.seconds, 1e-6 * estimate.file_bytes, paper);
    figures[0] = estimate.seconds;
    figures[1] = 1e-6 * estimate.file_bytes;
    rw_cut_city_free(&city);
    return status;
}

static rw_status report_figure_8(rw_reproduction *reproduction)
{
    static const double areas_km2[2][3] = {{1, 2.5, 10}, {0.01, 0.02, 0.04}};
    const double *areas = areas_km2[reproduction->tiny != 0];
    double figures[2], seconds[3], megabytes[3];
    rw_page_heading(&reproduction->page, "Section III.A and B, Figure 8: cutting and visibility of all pairs");
    rw_page_text(&reproduction->page,
                 "Equations (1) to (3) cut walls, roofs and ground. Time and size of the file of all pairs are told "
                 "from a timed sample of rows (`preprocess` prints the same estimate before its work); cutting is "
                 "measured, and not part of the fifth column. The paper's Tesla K80 took 69 ms a tile.");
    rw_page_table(&reproduction->page,
                  "scene | tile area | tiles | cutting | all pairs, estimated | file | the paper's");
    RW_TRY(report_preprocess_row(reproduction, reproduction->tiny ? 0.04 : 0.5, reproduction->tiny ? 100 : 235,
                                 "0.5 km², 5100 tiles of 100 m² (fewer walls a km²)", figures));
    for (int i = 0; i < 3; i++) {
        RW_TRY(report_preprocess_row(reproduction, areas[i], 25, i == 2 ? "10 km²: less than a day, about 10 GB" : "-",
                                     figures));
        seconds[i] = figures[0];
        megabytes[i] = figures[1];
    }
    if (!reproduction->tiny)
        RW_TRY(report_preprocess_row(reproduction, 20, 87, "466 529 tiles in 5 s; 9 h; 1650 MB as CSR", figures));
    rw_page_table_end(&reproduction->page);
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
    rw_page_plot(&reproduction->page, "figure_8", &plot,
                 "Figure 8: time and file size over the size of the map, 25 m² tiles");
    return RW_OK;
}

typedef struct look_bench {
    rw_context *context;
    rw_device_view *view;
    rw_vec3 source;
    uint8_t *seen;
} look_bench;

static rw_status compute_seen_tiles(void *user)
{
    const look_bench *bench = user;
    return rw_tile_geometry_see_source(bench->context, bench->view, bench->source, bench->seen);
}

/* Seconds of one look from a source, and how many tiles it sees. */
static rw_status time_look(rw_context *context, const rw_cut_city *city, rw_vec3 source, double *seconds, size_t *count)
{
    rw_device_view view;
    uint32_t tiles = city->tiles.view.tile_count;
    uint8_t *seen = NULL;
    look_bench bench = {.context = context, .view = &view, .source = source};
    RW_TRY(rw_tile_geometry_upload(city->scene, &city->tiles, context->backend, &view));
    rw_status status = rw_device_alloc(context, context->backend, tiles, "tiles", &bench.seen);
    if (status == RW_OK)
        status = rw_array_create(context, tiles, 1, "tiles", &seen);
    if (status == RW_OK)
        status = rw_device_time(context, context->backend, compute_seen_tiles, &bench, 3, seconds);
    if (status == RW_OK)
        status = rw_device_download(context, context->backend, seen, bench.seen, tiles);
    *count = 0;
    for (uint32_t i = 0; status == RW_OK && i < tiles; i++)
        *count += seen[i];
    free(seen);
    if (bench.seen)
        rw_device_free(context->backend, bench.seen);
    rw_tile_geometry_release(&view);
    return status;
}

/* Six sites: three in streets, three over roofs. */
static rw_status report_site_times(rw_reproduction *reproduction, const rw_cut_city *city, const char *city_name,
                                   rw_context *one_thread)
{
    rw_vec3 sources[6];
    rw_vec2 centre = city->scene->prepared->grid.centre;
    double slowest_us = 0;
    rw_bench_locate_sources(city->scene, city_name, sources, 6);
    double number[6], together_ms[6], alone_ms[6];
    rw_page_table(&reproduction->page, "site | height | tiles seen | all threads or GPU | one thread | times faster");
    for (int i = 0; i < 6; i++) {
        double seconds, alone_s;
        size_t count;
        double above_m = i < 3 ? sources[i].z : 25 + 10 * i;
        rw_vec2 at = {sources[i].x, sources[i].y};
        rw_vec3 source = rw_vec3_of(at.x - centre.x, at.y - centre.y, rw_scene_ground_m(city->scene, at) + above_m);
        RW_TRY(time_look(reproduction->context, city, source, &seconds, &count));
        RW_TRY(time_look(one_thread, city, source, &alone_s, &count));
        rw_page_row(&reproduction->page, "%c | %.0f m | %zu of %u | %.3g ms | %.3g ms | %.2g", 'A' + i, above_m, count,
                    city->tiles.view.tile_count, 1e3 * seconds, 1e3 * alone_s, alone_s / seconds);
        number[i] = i + 1;
        together_ms[i] = 1e3 * seconds;
        alone_ms[i] = 1e3 * alone_s;
        slowest_us = fmax(slowest_us, 1e6 * alone_s / city->tiles.view.tile_count);
    }
    rw_page_row(&reproduction->page,
                "the paper's | micro and macro | - | 30 to 180 ms | - | 500 to 1600 (one GPU thread)");
    rw_page_table_end(&reproduction->page);
    const rw_series series[] = {{"one thread", number, alone_ms, 6, RW_SERIES_STEMS},
                                {"all threads or GPU", number, together_ms, 6, RW_SERIES_POINTS}};
    const rw_plot plot = {.title = "First-level visibility",
                          .x_label = "site, 1 is A",
                          .y_label = "ms",
                          .series = series,
                          .series_count = 2,
                          .log_y = 1};
    rw_page_plot(&reproduction->page, "figure_9", &plot, "Figure 9: first-level visibility of six sites");
    rw_page_text(&reproduction->page,
                 "A tile costs one thread at most %.3g µs here (the paper: 10 ms for a ray's leg).", slowest_us);
    return RW_OK;
}

static rw_status report_figure_9(rw_reproduction *reproduction, rw_scene *scene, const char *city_name)
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
    rw_page_heading(&reproduction->page, "Figure 9: first-level visibility of six sites");
    rw_page_text(&reproduction->page, "%s, tiles of 100 m², on %s; nothing is precomputed but the scene and its tiles.",
                 city_name, rw_context_machine(reproduction->context));
    rw_status status = rw_context_create(&options, &one_thread);
    if (status == RW_OK)
        status = report_site_times(reproduction, &city, city_name, one_thread);
    rw_context_destroy(one_thread);
    rw_tiles_destroy(&city.tiles);
    return status;
}

/* Table II: one transmitter with reflections, diffractions and a scattering, as the paper's bounces. */
static rw_predict_options build_table_2_options(const rw_transmitter *transmitter, int depth)
{
    rw_predict_options options = rw_tiles_page_bounces("tiles", transmitter, depth);
    options.scatterings = 1;
    options.roughness = 0.4;
    return options;
}

static rw_status report_table_2_row(rw_reproduction *reproduction, const rw_scene *scene, const char *scene_name,
                                    rw_predict_options options, double tile_m2, const char *paper)
{
    rw_tile_map *map = NULL;
    double first_s = 0, again_s = 0;
    int over = 0, over_again = 1;
    char again[32] = "-";
    rw_bench_watch_step(reproduction->watch, "tiles: Table II, %s, %d interactions", scene_name, options.depth);
    rw_reproduce_begin(reproduction);
    RW_TRY(rw_reproduce_end(reproduction, rw_tiles_page_time(scene, options, tile_m2, &first_s, &map), &over));
    if (!over) {
        rw_tile_map_destroy(map);
        rw_vec3 others[2];
        rw_transmitter moved = options.transmitters[0];
        rw_bench_locate_sources(scene, scene_name, others, 2);
        moved.x_m = others[1].x + scene->origin.x;
        moved.y_m = others[1].y + scene->origin.y;
        options.transmitters = &moved;
        rw_reproduce_begin(reproduction);
        RW_TRY(
            rw_reproduce_end(reproduction, rw_tiles_page_time(scene, options, tile_m2, &again_s, &map), &over_again));
    }
    if (!over_again) {
        rw_tile_map_destroy(map);
        snprintf(again, sizeof again, "%.3g s", again_s);
    }
    if (over)
        rw_page_row(&reproduction->page, "%s | %d, %d diffraction%s, 1 scattering | over %g s | - | %s", scene_name,
                    options.depth, options.diffractions, options.diffractions > 1 ? "s" : "", reproduction->limit_s,
                    paper);
    else
        rw_page_row(&reproduction->page, "%s | %d, %d diffraction%s, 1 scattering | %.3g s | %s | %s", scene_name,
                    options.depth, options.diffractions, options.diffractions > 1 ? "s" : "", first_s, again, paper);
    return RW_OK;
}

static rw_status report_tiled_city(rw_reproduction *reproduction)
{
    rw_scene *scene;
    rw_status status = RW_OK;
    RW_TRY(rw_tiles_page_city(reproduction->context, 20, 0, &scene));
    rw_transmitter middle = rw_tiles_page_middle(scene, 41);
    for (int depth = 3; depth <= 5 && status == RW_OK; depth += 2) {
        rw_predict_options options = build_table_2_options(&middle, depth);
        options.method = "online"; /* no matrix of all pairs: its time is in Figure 8 */
        status = report_table_2_row(reproduction, scene, "20 km² generated, tiles of 87 m², online", options, 87,
                                    depth == 3 ? "1584 s and 1281 s" : "3044 s and 2345 s");
    }
    rw_scene_destroy(scene);
    return status;
}

static rw_status report_tiles_table_2(rw_reproduction *reproduction, const rw_scene *scene, const char *city_name,
                                      const rw_transmitter *transmitter)
{
    rw_page *page = &reproduction->page;
    char scene_name[96];
    rw_page_heading(page, "Table II: one transmitter");
    rw_page_text(
        page,
        "850 MHz; each ray has up to the given number of interactions: reflections, the given diffractions, and "
        "one scattering (S = 0.4), which the paper's bounces contain. The first call of a scene cuts it and finds "
        "the visibility of all pairs, unless that is tested while rays are followed (online); the second call is "
        "for a transmitter 15 m farther. The paper: San Francisco, 20 km², 466 529 tiles, a Tesla K80.");
    rw_page_table(page, "scene | interactions | first call | another transmitter | the paper's, two transmitters");
    snprintf(scene_name, sizeof scene_name, "%s, tiles of 100 m²", city_name);
    for (int depth = 3; depth <= (reproduction->tiny ? 3 : 5); depth += 2)
        RW_TRY(
            report_table_2_row(reproduction, scene, scene_name, build_table_2_options(transmitter, depth), NAN, "-"));
    if (!reproduction->tiny)
        RW_TRY(report_tiled_city(reproduction));
    rw_page_table_end(page);
    return RW_OK;
}

/* Values on tiles from above and at an angle. */
static rw_status report_figure_12(rw_reproduction *reproduction, const rw_scene *scene,
                                  const rw_transmitter *transmitter)
{
    static const struct {
        const char *name, *caption;
        double elevation_deg;
    } views[] = {{"figure_12a", "Figure 12 (a): path loss on all tiles, from above", 90},
                 {"figure_12b", "Figure 12 (b): the same at an angle", 35}};
    rw_tile_map *map;
    double seconds;
    char path[4096];
    RW_TRY(
        rw_tiles_page_time(scene, build_table_2_options(transmitter, reproduction->tiny ? 2 : 3), NAN, &seconds, &map));
    rw_page_heading(&reproduction->page, "Figure 12: values on all tiles");
    rw_status status = RW_OK;
    for (int i = 0; i < 2 && status == RW_OK; i++) {
        rw_tile_write_options options;
        rw_tile_write_options_init(&options);
        options.elevation_deg = views[i].elevation_deg;
        options.width_px = 1000;
        rw_page_picture_path(&reproduction->page, views[i].name, path, sizeof path);
        status = rw_tile_map_write(map, path, &options);
        rw_page_picture(&reproduction->page, views[i].name, views[i].caption);
    }
    rw_tile_map_destroy(map);
    return status;
}

static rw_status write_tiles_page(rw_reproduction *reproduction, rw_scene *scene, const char *city_name)
{
    rw_vec3 at;
    rw_transmitter transmitter;
    rw_bench_locate_sources(scene, city_name, &at, 1);
    rw_transmitter_init(&transmitter);
    transmitter.x_m = at.x + scene->origin.x;
    transmitter.y_m = at.y + scene->origin.y;
    transmitter.height_m = at.z;
    rw_reproduce_list(reproduction, items, sizeof items / sizeof *items);
    RW_TRY(report_figure_8(reproduction));
    RW_TRY(report_figure_9(reproduction, scene, city_name));
    RW_TRY(rw_tiles_page_rays(reproduction));
    RW_TRY(report_tiles_table_2(reproduction, scene, city_name, &transmitter));
    RW_TRY(report_figure_12(reproduction, scene, &transmitter));
    return rw_tiles_page_errors(reproduction, scene, &transmitter, strcmp(city_name, "Munich") == 0);
}

rw_status rw_reproduce_tiles(rw_reproduction *reproduction)
{
    rw_bench bench = rw_reproduce_bench(reproduction);
    rw_scene *scene;
    const char *city_name;
    RW_TRY(rw_bench_city(&bench, reproduction->context, &scene, &city_name));
    rw_status status = write_tiles_page(reproduction, scene, city_name);
    rw_scene_destroy(scene);
    return status;
}
