/* Lu and others (2019), rays: time over receivers next to ray tracing (Figure 11), differences from ray tracing at
 * tiles of 25 and 100 m2 (section III.A), and tracing with and without the visibility matrix (section III.B). On
 * generated cities, so that ray tracing ends. */
#include "bench/reproduce/reproduce.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUGHNESS 0.4
#define RT_RECEIVERS_MAX 4096 /* receivers of Figure 11 */
#define DIFFERENCES_MAX 64

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

static int compare_tile_errors(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return a < b ? -1 : a > b;
}

/* Interactions of a comparison. */
typedef struct ray_case {
    const char *name, *paper;
    int depth, diffractions, rough, hills;
} ray_case;

static rw_predict_options build_ray_case_options(const char *model, const rw_transmitter *transmitter,
                                                 const ray_case *of)
{
    rw_predict_options options = rw_tiles_page_bounces(model, transmitter, of->depth);
    options.diffractions = of->diffractions;
    options.loss_max_db = 150; /* the same for both */
    if (of->rough) {
        options.scatterings = 1;
        options.roughness = ROUGHNESS;
    }
    if (of->rough && strcmp(model, "rt") == 0)
        options.tile_area_m2 = 100; /* patches as large as the tiles */
    return options;
}

#define CURVE_MAX 8

#define POINTS_MIN 3 /* of a curve, where the limit allows it */

/* Time of ray tracing over receivers: four times as many each time, or one more where that would exceed the limit, up
 * to POINTS_MIN points. The call is cancelled at the limit, and what was timed before it counts. */
static rw_status time_receivers(const rw_scene *scene, const rw_predict_options *options, const rw_point *points,
                                size_t max_count, double longest_s, double counts[], double seconds[], size_t *length)
{
    static double losses[RT_RECEIVERS_MAX];
    double total_s = 0;
    for (size_t count = 1; count <= max_count && *length < CURVE_MAX;) {
        RW_TRY(losses_at(scene, *options, points, count, losses, &seconds[*length]));
        counts[*length] = (double)count;
        double last_s = seconds[(*length)++];
        total_s += last_s;
        int many = total_s + 4 * last_s <= longest_s;
        if (!many && *length >= POINTS_MIN)
            break;
        count = many ? 4 * count : count + 1;
    }
    return RW_OK;
}

#define FIGURE_11 4

static void draw_figure_11(rw_reproduction *reproduction, const ray_case *cases, double counts[][CURVE_MAX],
                           double seconds[][CURVE_MAX], const size_t *lengths, const double *tile_s)
{
    /* one hue for a case: ray tracing dark, tiles light */
    static const double colours[2 * FIGURE_11][3] = {{0.5, 0.16, 262}, {0.55, 0.17, 38}, {0.5, 0.13, 150},
                                                     {0.5, 0.16, 320}, {0.75, 0.1, 262}, {0.78, 0.11, 38},
                                                     {0.75, 0.1, 150}, {0.75, 0.1, 320}};
    rw_series series[2 * FIGURE_11];
    char names[2 * FIGURE_11][64];
    double ends[2] = {1, RT_RECEIVERS_MAX}, flat[FIGURE_11][2];
    for (int i = 0; i < FIGURE_11; i++) {
        flat[i][0] = flat[i][1] = tile_s[i];
        snprintf(names[i], sizeof names[i], "rt, %s", cases[i].name);
        snprintf(names[i + FIGURE_11], sizeof names[i], "tiles, %s", cases[i].name);
        series[i] = (rw_series){names[i], counts[i], seconds[i], lengths[i], RW_SERIES_LINE};
        series[i + FIGURE_11] = (rw_series){names[i + FIGURE_11], ends, flat[i], 2, RW_SERIES_LINE};
    }
    const rw_plot plot = {.title = "Time over receivers",
                          .x_label = "receivers",
                          .y_label = "s",
                          .series = series,
                          .series_count = 2 * FIGURE_11,
                          .log_x = 1,
                          .log_y = 1,
                          .colours = colours};
    rw_page_plot(&reproduction->page, "figure_11", &plot,
                 "Figure 11: ray tracing over receivers, and tiles for all at once");
}

/* Figure 11: ray tracing over receivers, tiles for all of them at once. */
static rw_status report_figure_11(rw_reproduction *reproduction, const rw_scene *scene)
{
    static const ray_case cases[FIGURE_11] = {
        {"1", "2 s", 1, 1, 0, 0}, {"2", "6 s", 2, 1, 0, 0}, {"3", "11 s", 3, 1, 0, 0}, {"2, rough", "-", 2, 1, 1, 0}};
    static rw_point points[RT_RECEIVERS_MAX];
    double counts[FIGURE_11][CURVE_MAX], seconds[FIGURE_11][CURVE_MAX], tile_s[FIGURE_11], first_s;
    double longest_s = rw_tiles_page_limit_s(reproduction, 30), before_s = 0;
    size_t lengths[FIGURE_11] = {0},
           point_count = rw_tiles_page_points(scene, points, reproduction->tiny ? 16 : RT_RECEIVERS_MAX);
    rw_transmitter middle = rw_tiles_page_middle(scene, 41);
    rw_tile_map *map;
    RW_TRY(rw_tiles_page_time(scene, build_ray_case_options("tiles", &middle, &cases[0]), NAN, &first_s, &map));
    rw_tile_map_destroy(map);
    for (int i = 0; i < FIGURE_11; i++) {
        RW_TRY(rw_tiles_page_time(scene, build_ray_case_options("tiles", &middle, &cases[i]), NAN, &tile_s[i], &map));
        rw_tile_map_destroy(map);
        /* an interaction more takes some fifty times as long, and so do rough walls */
        rw_predict_options options = build_ray_case_options("rt", &middle, &cases[i]);
        if (i == 0 || 50 * before_s < longest_s) {
            int over;
            rw_bench_watch_step(reproduction->watch, "tiles: Figure 11, rt, %s interactions", cases[i].name);
            rw_reproduce_begin(reproduction);
            rw_status status =
                time_receivers(scene, &options, points, point_count, longest_s, counts[i], seconds[i], &lengths[i]);
            RW_TRY(rw_reproduce_end(reproduction, status, &over));
        }
        size_t of = i == 2 ? 1 : (size_t)i; /* rough walls are compared with two interactions as well */
        before_s = lengths[of] ? seconds[of][0] : longest_s;
    }
    rw_page_heading(&reproduction->page, "Figure 11: time over receivers, next to ray tracing");
    rw_page_text(&reproduction->page,
                 "A generated city of %.2g km², one transmitter, up to 1, 2 and 3 interactions of which one may be a "
                 "diffraction; rough: one may be a scattering (S = %g, patches of `rt` as large as tiles). `rt` tries "
                 "all sequences for each receiver, `tiles` has all tiles at once. Cutting and the visibility of all "
                 "pairs are not in these times; with them the first call took %.3g s. `rt` stops where the next number "
                 "of receivers would take longer than %g s.",
                 reproduction->tiny ? 0.01 : 0.5, ROUGHNESS, first_s, longest_s);
    rw_page_table(&reproduction->page,
                  "interactions | tiles, all of them | the paper's | rt, one receiver | rt, most timed | "
                  "times as long as tiles");
    for (int i = 0; i < FIGURE_11; i++) {
        size_t last = lengths[i] - 1;
        if (lengths[i] > 0)
            rw_page_row(&reproduction->page, "%s | %.3g s | %s | %.3g s | %.3g s for %.0f | %.3g", cases[i].name,
                        tile_s[i], cases[i].paper, seconds[i][0], seconds[i][last], counts[i][last],
                        seconds[i][last] / tile_s[i]);
        else
            rw_page_row(&reproduction->page, "%s | %.3g s | %s | over the limit | - | -", cases[i].name, tile_s[i],
                        cases[i].paper);
    }
    rw_page_table_end(&reproduction->page);
    draw_figure_11(reproduction, cases, counts, seconds, lengths, tile_s);
    return RW_OK;
}

/* One row: how far two lists of losses are apart. */
static void report_ray_difference(rw_reproduction *reproduction, const ray_case *of, double area_m2, double tile_s,
                                  const double *exact, const double *ours, size_t count)
{
    double errors[DIFFERENCES_MAX];
    size_t both = 0, alone = 0;
    for (size_t i = 0; i < count; i++) {
        if (isfinite(ours[i]) && isfinite(exact[i]))
            errors[both++] = fabs(ours[i] - exact[i]);
        else
            alone += isfinite(ours[i]) || isfinite(exact[i]);
    }
    qsort(errors, both, sizeof *errors, compare_tile_errors);
    rw_page_row(&reproduction->page, "%s | %g m² | %.3g s | %.2f dB | %.2f dB | %zu of %zu", of->name, area_m2, tile_s,
                both ? errors[both / 2] : NAN, both ? errors[(size_t)(0.9 * (double)(both - 1))] : NAN, alone,
                both + alone);
}

static rw_status report_case_differences(rw_reproduction *reproduction, const rw_scene *scene, const ray_case *of,
                                         size_t count)
{
    static const double areas_m2[] = {100, 25, 6.25};
    static rw_point points[DIFFERENCES_MAX];
    static double exact[DIFFERENCES_MAX], ours[DIFFERENCES_MAX];
    double seconds, longest_s = rw_tiles_page_limit_s(reproduction, 60);
    rw_transmitter middle = rw_tiles_page_middle(scene, 25);
    rw_predict_options rt_options = build_ray_case_options("rt", &middle, of);
    count = rw_tiles_page_points(scene, points, count);
    RW_TRY(losses_at(scene, rt_options, points, 1, exact, &seconds));
    if (8 * seconds > longest_s) {
        rw_page_row(&reproduction->page, "%s | - | over the limit | - | - | -", of->name);
        return RW_OK;
    }
    RW_TRY(losses_at(scene, rt_options, points, count, exact, &seconds));
    for (int i = 0; i < (reproduction->tiny ? 2 : 3); i++) {
        rw_predict_options options = build_ray_case_options("tiles", &middle, of);
        rw_tile_map *map;
        double tile_s;
        for (int run = 0; run < 2; run++) { /* the first cuts, and sees */
            RW_TRY(rw_tiles_page_time(scene, options, areas_m2[i], &tile_s, &map));
            rw_tile_map_destroy(map);
        }
        options.tile_area_m2 = areas_m2[i];
        RW_TRY(losses_at(scene, options, points, count, ours, &seconds));
        report_ray_difference(reproduction, of, areas_m2[i], tile_s, exact, ours, count);
    }
    return RW_OK;
}

/* Tiles of 100, 25 and 6.25 m2 against rt at the same points. */
static rw_status report_differences(rw_reproduction *reproduction)
{
    static const ray_case cases[] = {{"2, one diffraction", NULL, 2, 1, 0, 0},
                                     {"the same on hills", NULL, 2, 1, 0, 1},
                                     {"the same, rough walls", NULL, 2, 1, 1, 0},
                                     {"2 diffractions", NULL, 2, 2, 0, 0},
                                     {"3, one diffraction", NULL, 3, 1, 0, 0}};
    double area_km2 = reproduction->tiny ? 0.01 : 0.1;
    size_t count = reproduction->tiny ? 8 : DIFFERENCES_MAX,
           case_count = reproduction->tiny ? 2 : sizeof cases / sizeof *cases;
    rw_page_heading(&reproduction->page, "Section III.A: tiles of 25 and of 100 m², against ray tracing");
    rw_page_text(
        &reproduction->page,
        "Generated cities of %g km², 850 MHz, powers added, %zu points, against `rt` in this run; time is that "
        "of the values on all tiles, with their visibility known. The paper has about 1 dB less standard "
        "deviation against measurements at 25 m² than at 100 m², for four times the time.",
        area_km2, count);
    rw_page_table(
        &reproduction->page,
        "interactions | tile area | all tiles | median difference | 90 % below | points that one alone reaches");
    rw_status status = RW_OK;
    for (size_t i = 0; i < case_count && status == RW_OK; i++) {
        rw_scene *scene;
        status = rw_tiles_page_city(reproduction->context, area_km2, cases[i].hills, &scene);
        if (status != RW_OK)
            break;
        status = report_case_differences(reproduction, scene, &cases[i], count);
        rw_scene_destroy(scene);
    }
    rw_page_table_end(&reproduction->page);
    return status;
}

/* How many values of two maps of tiles differ. */
static size_t count_different_tiles(const rw_tile_map *first, const rw_tile_map *second, size_t *tiles)
{
    rw_map_info info = {.size = sizeof info};
    rw_map_layer a = {.size = sizeof a}, b = {.size = sizeof b};
    size_t different = 0;
    rw_map_get_info(rw_tile_map_values(first), &info);
    rw_map_get_layer(rw_tile_map_values(first), 0, &a);
    rw_map_get_layer(rw_tile_map_values(second), 0, &b);
    *tiles = info.columns * info.rows;
    for (size_t i = 0; i < *tiles; i++) /* on a GPU sums of scattered power are in another order */
        different += a.values[i] != b.values[i] && !(fabsf(a.values[i] - b.values[i]) < 1e-3f);
    return different;
}

/* Visibility from the matrix, and tested while rays are followed. */
static rw_status report_online_times(rw_reproduction *reproduction, const rw_scene *scene)
{
    double making_s = 0, longest_s = rw_tiles_page_limit_s(reproduction, 60), before_s = 0;
    rw_transmitter middle = rw_tiles_page_middle(scene, 41);
    rw_page_heading(&reproduction->page, "Section III.B: with the visibility matrix, and online");
    rw_page_text(
        &reproduction->page,
        "The same city, values on all tiles; `--method online` has no matrix and tests each leg while rays are "
        "followed, where the paper estimates 80 days for the 10⁸ rays of one transmitter. Here only tiles "
        "that a ray can reach are tested, by the same march through the wall grid.");
    rw_page_table(&reproduction->page,
                  "interactions | with the matrix | making the matrix | online | times as long | tiles that "
                  "differ");
    for (int depth = 1; depth <= (reproduction->tiny ? 2 : 3); depth++) {
        rw_tile_map *maps[2];
        double seconds[2];
        size_t tiles, different;
        rw_predict_options options = rw_tiles_page_bounces("tiles", &middle, depth);
        options.scatterings = 1;
        options.roughness = ROUGHNESS;
        if (30 * before_s > longest_s) {
            rw_page_row(&reproduction->page, "%d | over the limit | - | - | - | -", depth);
            continue;
        }
        for (int online = 0; online < 2; online++) {
            options.method = online ? "online" : "matrix";
            /* tiles of an area of its own, so that the first call makes them */
            RW_TRY(rw_tiles_page_time(scene, options, 99, &seconds[online], &maps[online]));
            if (depth > 1)
                continue;
            making_s += online ? -seconds[online] : seconds[online];
            rw_tile_map_destroy(maps[online]);
            RW_TRY(rw_tiles_page_time(scene, options, 99, &seconds[online], &maps[online]));
            making_s += online ? seconds[online] : -seconds[online];
        }
        different = count_different_tiles(maps[0], maps[1], &tiles);
        rw_page_row(&reproduction->page, "%d, rough walls | %.3g s | %.3g s | %.3g s | %.2g | %zu of %zu", depth,
                    seconds[0], fmax(making_s, 0), seconds[1], seconds[1] / seconds[0], different, tiles);
        before_s = seconds[1];
        rw_tile_map_destroy(maps[0]);
        rw_tile_map_destroy(maps[1]);
    }
    rw_page_table_end(&reproduction->page);
    return RW_OK;
}

rw_status rw_tiles_page_rays(rw_reproduction *reproduction)
{
    rw_scene *scene;
    RW_TRY(rw_tiles_page_city(reproduction->context, reproduction->tiny ? 0.01 : 0.5, 0, &scene));
    rw_status status = report_figure_11(reproduction, scene);
    if (status == RW_OK)
        status = report_online_times(reproduction, scene);
    rw_scene_destroy(scene);
    return status == RW_OK ? report_differences(reproduction) : status;
}
