/* Lu and others (2019), errors: Tables III and IV at ground level and above it, for two transmitters, next to ray
 * tracing; Figures 13 and 14. The paper's measurements are not public: those of Munich if the user has them, which have
 * no heights, and synthetic ones on a generated city on hills, with a staircase as in the paper. */
#include "bench/reproduce/reproduce.h"

#include "base/maths/hash.h"
#include "discretise/prepared.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define STAIRS 13 /* points above each other, as in the paper */
#define STREET_MAX 60
#define NOISE_DB 6.0

/* One row of errors at ground level; picture may be NULL. */
static rw_status report_route_errors(rw_reproduction *reproduction, const rw_scene *scene, rw_predict_options options,
                                     const rw_measurements *measured, const char *name, const char *picture)
{
    rw_evaluation *evaluation;
    rw_evaluation_info info = {.size = sizeof info};
    char path[4096];
    options.res_m = 10;
    RW_TRY(rw_evaluate_model(scene, &options, measured, NULL, &evaluation));
    rw_status status = rw_evaluation_get_info(evaluation, &info);
    if (status == RW_OK && picture) {
        rw_page_picture_path(&reproduction->page, picture, path, sizeof path);
        status = rw_evaluation_draw(evaluation, RW_EVALUATION_MAP, path);
    }
    rw_evaluation_destroy(evaluation);
    if (status == RW_OK)
        rw_page_row(&reproduction->page, "%s | %.1f / %.1f dB | %zu | %zu", name, info.ground.mean_db,
                    info.ground.std_dev_db, info.ground_points, info.no_path);
    return status;
}

/* The measured or synthetic routes of the page's city. */
static rw_status report_all_routes(rw_reproduction *reproduction, const rw_scene *scene,
                                   const rw_transmitter *transmitter, int is_munich)
{
    rw_page *page = &reproduction->page;
    rw_routes routes;
    rw_predict_options options = rw_tiles_page_bounces("tiles", transmitter, 3);
    rw_page_heading(page, "Figures 13 and 14: errors along a route");
    rw_page_text(page,
                 "Without calibration, powers added, tiles of 100 m², the nearest tile of any kind as in the paper "
                 "unless stated otherwise; values of the route less predicted ones. These routes have no points "
                 "above ground level, and are not the paper's, whose errors therefore do not appear here.");
    RW_TRY(rw_routes_open(reproduction, scene, transmitter, is_munich, &routes));
    rw_page_table(page, routes.are_synthetic
                            ? "model | difference from synthetic values, mean / std. dev. | points | without a path"
                            : "model | mean / std. dev. at ground level | points | samples without a path");
    options.cells = "nearest-any";
    rw_bench_watch_step(reproduction->watch, "tiles: errors along a route");
    rw_status status =
        report_route_errors(reproduction, scene, options, routes.items[1], "tiles, 3 interactions", "figure_13");
    options.cells = "exact";
    if (status == RW_OK)
        status = report_route_errors(reproduction, scene, options, routes.items[1], "the same at the points themselves",
                                     NULL);
    options.roofs = "vogler";
    options.ground = "none"; /* as in the paper */
    if (status == RW_OK)
        status = report_route_errors(reproduction, scene, options, routes.items[1],
                                     "the same with the over-rooftop path (default)", "figure_14");
    rw_page_table_end(page);
    rw_page_picture(page, "figure_13",
                    routes.are_synthetic ? "As Figure 13, synthetic: differences of 3 interactions at the nearest tiles"
                                         : "As Figure 13: errors of 3 interactions at the nearest tiles");
    rw_page_picture(page, "figure_14",
                    routes.are_synthetic
                        ? "As Figure 14, synthetic: differences at the points, with the over-rooftop path"
                        : "As Figure 14: errors at the points, with the over-rooftop path");
    rw_routes_close(&routes);
    return status;
}

/* Two metres before the middle of the longest free wall of the highest building. */
static rw_vec2 find_stairs(const rw_scene *scene, double *top_m)
{
    rw_vec2 found = scene->box_min;
    double longest_m = 0;
    const rw_part *highest = &scene->parts.items[0];
    for (size_t i = 1; i < scene->parts.count; i++)
        if (scene->parts.items[i].top_m - scene->parts.items[i].bottom_m > highest->top_m - highest->bottom_m)
            highest = &scene->parts.items[i];
    const rw_vec2 *ring = rw_ring_points(scene, highest->first_ring);
    size_t size = rw_ring_size(scene, highest->first_ring);
    for (size_t i = 0; i < size; i++) {
        rw_vec2 a = ring[i], b = ring[(i + 1) % size];
        double length_m = hypot(b.x - a.x, b.y - a.y);
        rw_vec2 at = {0.5 * (a.x + b.x) + 2 * (b.y - a.y) / length_m, 0.5 * (a.y + b.y) - 2 * (b.x - a.x) / length_m};
        if (length_m > longest_m && !rw_tiles_page_inside(scene, at)) {
            longest_m = length_m;
            found = at;
        }
    }
    *top_m = highest->top_m - highest->bottom_m;
    return found;
}

/* Points in the streets, and behind them the stairs. */
static size_t lay_survey(const rw_scene *scene, size_t street, rw_point *points)
{
    double top_m;
    rw_vec2 stairs = find_stairs(scene, &top_m);
    size_t count = rw_tiles_page_points(scene, points, street);
    for (int i = 0; i < STAIRS; i++)
        points[count++] = (rw_point){.size = sizeof(rw_point),
                                     .x_m = stairs.x + scene->origin.x,
                                     .y_m = stairs.y + scene->origin.y,
                                     .height_m = 6 + (top_m - 6) * i / (STAIRS - 1)};
    return count;
}

/* A file of synthetic values: the best path of the shadow model, with noise. */
static rw_status write_survey(const rw_reproduction *reproduction, const rw_scene *scene,
                              const rw_transmitter *transmitter, const rw_point *points, size_t count, const char *path)
{
    double loss_db[STREET_MAX + STAIRS];
    rw_random random = rw_random_of(300, 0);
    rw_predict_options options;
    rw_paths *paths;
    rw_file_writer file;
    rw_predict_options_init_for(&options, "shadow");
    options.ground = "none";
    options.transmitters = transmitter;
    options.transmitter_count = 1;
    options.freq_hz = 850e6;
    RW_TRY(rw_trace(scene, &options, points, count, &paths));
    for (size_t i = 0; i < count; i++)
        loss_db[i] = INFINITY;
    for (size_t i = 0; i < rw_paths_count(paths); i++) {
        rw_path found = {.size = sizeof found};
        rw_paths_get(paths, i, &found);
        loss_db[found.point] = fmin(loss_db[found.point], found.loss_db);
    }
    rw_paths_destroy(paths);
    RW_TRY(rw_file_begin(reproduction->context, path, &file));
    fputs("x,y,z,path_loss\n", file.stream);
    for (size_t i = 0; i < count; i++) {
        double noise = -6;
        for (int k = 0; k < 12; k++)
            noise += rw_random_unit(&random);
        if (isfinite(loss_db[i]))
            fprintf(file.stream, "%.3f,%.3f,%.2f,%.2f\n", points[i].x_m, points[i].y_m, points[i].height_m,
                    loss_db[i] + NOISE_DB * noise);
    }
    return rw_file_commit(reproduction->context, &file);
}

/* A line of Tables III and IV. */
typedef struct error_row {
    const char *name, *model;
    int depth, rough;
} error_row;

static rw_predict_options build_error_row_options(const error_row *row, const rw_transmitter *transmitter)
{
    rw_predict_options options = rw_tiles_page_bounces(row->model, transmitter, row->depth);
    int tiles = strcmp(row->model, "tiles") == 0;
    options.res_m = 1; /* points are not averaged */
    if (tiles)
        options.cells = "nearest-any";
    else
        options.sum = "power";
    if (row->rough) {
        options.scatterings = 1;
        options.roughness = 0.4;
        options.tile_area_m2 = tiles ? NAN : 100; /* patches as large as tiles */
    }
    return options;
}

static rw_status report_tiles_row(rw_reproduction *reproduction, const rw_scene *scene, const error_row *row,
                                  const rw_transmitter transmitters[2], rw_measurements *const surveys[2])
{
    rw_evaluation_info infos[2];
    double start_s = rw_seconds();
    for (int i = 0; i < 2; i++) {
        rw_predict_options options = build_error_row_options(row, &transmitters[i]);
        RW_TRY(rw_routes_evaluate(reproduction, scene, &options, surveys[i], 1, NULL, &infos[i]));
    }
    rw_page_row(&reproduction->page,
                "%s | %.1f / %.1f, %.1f / %.1f dB | %.1f / %.1f, %.1f / %.1f dB | %zu of %zu | %.3g s", row->name,
                infos[0].ground.mean_db, infos[0].ground.std_dev_db, infos[1].ground.mean_db,
                infos[1].ground.std_dev_db, infos[0].above.mean_db, infos[0].above.std_dev_db, infos[1].above.mean_db,
                infos[1].above.std_dev_db, infos[0].points + infos[1].points,
                infos[0].points + infos[1].points + infos[0].no_path + infos[1].no_path, rw_seconds() - start_s);
    return RW_OK;
}

/* Rows in the order of their cost; one that would take longer than the limit is left out. */
static rw_status report_error_rows(rw_reproduction *reproduction, const rw_scene *scene,
                                   const rw_transmitter transmitters[2], rw_measurements *const surveys[2])
{
    static const error_row rows[] = {
        {"tiles, 3 interactions", "tiles", 3, 1},   {"tiles, 5 interactions", "tiles", 5, 1},
        {"tiles, 3, no scattering", "tiles", 3, 0}, {"rt, 2, no scattering", "rt", 2, 0},
        {"rt, 2 interactions", "rt", 2, 1},         {"rt, 3, no scattering", "rt", 3, 0}};
    double longest_s = rw_tiles_page_limit_s(reproduction, 60), before_s = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int dear = strcmp(rows[i].model, "rt") == 0 && (rows[i].depth > 2 || rows[i].rough);
        double start_s = rw_seconds();
        if ((dear && (reproduction->tiny || 60 * before_s > longest_s)) || (reproduction->tiny && rows[i].depth > 3)) {
            rw_page_row(&reproduction->page, "%s | over %g s | - | - | -", rows[i].name, longest_s);
            continue;
        }
        int over;
        rw_bench_watch_step(reproduction->watch, "tiles: Tables III and IV, %s", rows[i].name);
        rw_reproduce_begin(reproduction);
        rw_status status = report_tiles_row(reproduction, scene, &rows[i], transmitters, surveys);
        RW_TRY(rw_reproduce_end(reproduction, status, &over));
        if (over)
            rw_page_row(&reproduction->page, "%s | over %g s | - | - | -", rows[i].name, longest_s);
        if (!dear)
            before_s = rw_seconds() - start_s; /* of rt with two interactions */
    }
    return RW_OK;
}

static rw_status report_surveys(rw_reproduction *reproduction, const rw_scene *scene)
{
    rw_point points[STREET_MAX + STAIRS];
    rw_transmitter transmitters[2] = {rw_tiles_page_middle(scene, 41), rw_tiles_page_middle(scene, 34)};
    rw_measurements *surveys[2] = {NULL, NULL};
    size_t count = lay_survey(scene, reproduction->tiny ? 12 : STREET_MAX, points);
    rw_status status = RW_OK;
    transmitters[1].x_m += reproduction->tiny ? 10 : 40;
    for (int i = 0; i < 2 && status == RW_OK; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s_synthetic_tx%d.csv", reproduction->page.folder, reproduction->page.name,
                 i + 1);
        status = write_survey(reproduction, scene, &transmitters[i], points, count, path);
        if (status == RW_OK)
            status = rw_measurements_load(reproduction->context, path, NULL, &surveys[i]);
    }
    if (status == RW_OK)
        status = report_error_rows(reproduction, scene, transmitters, surveys);
    rw_measurements_destroy(surveys[0]);
    rw_measurements_destroy(surveys[1]);
    return status;
}

static rw_status report_tables_3_and_4(rw_reproduction *reproduction)
{
    rw_scene *scene;
    double area_km2 = reproduction->tiny ? 0.012 : 0.05;
    rw_page_heading(&reproduction->page, "Tables III and IV: errors at ground level and above it");
    rw_page_text(
        &reproduction->page,
        "**Synthetic values.** The paper's measurements are not public. In their place: %g dB of noise around the "
        "strongest path of the shadow model, on a generated city of %g km² on hills, so that ray tracing ends: "
        "points in streets, and %d above each other in front of the highest building, as on the paper's "
        "staircase; two transmitters, 41 m and 34 m high. They show that every column can be made, from the "
        "same scene, points and limits, and nothing about accuracy, so the paper's errors are not shown next to "
        "them. Nearest tile of any kind, 100 m², powers added; a scattering is among the interactions (S = 0.4) "
        "unless stated otherwise. Mean / standard deviation of synthetic less predicted values, first TX1, then "
        "TX2.",
        NOISE_DB, area_km2, STAIRS);
    rw_page_table(&reproduction->page,
                  "model | ground level (Table III) | above (Table IV) | points with a path | time");
    RW_TRY(rw_tiles_page_city(reproduction->context, area_km2, 1, &scene));
    rw_status status = report_surveys(reproduction, scene);
    rw_scene_destroy(scene);
    rw_page_table_end(&reproduction->page);
    return status;
}

rw_status rw_tiles_page_errors(rw_reproduction *reproduction, const rw_scene *scene, const rw_transmitter *transmitter,
                               int is_munich)
{
    RW_TRY(report_tables_3_and_4(reproduction));
    return report_all_routes(reproduction, scene, transmitter, is_munich);
}
