/* Schmitz and others (2011): the rasterisers (Figure 2), beams (Figures 3 to 6), the matrix and the vectors of the fit
 * (Figures 7 and 8), time over interactions (Figure 9), accuracy (Tables 1 and 2, Figure 10), delays (Figure 11) and
 * maps (Figures 1 and 12). */
#include "bench/groups.h"
#include "bench/reproduce/reproduce.h"

#include "base/memory.h"
#include "calibrate/fitting/fitting.h"
#include "discretise/prepared.h"
#include "models/beams/beams.h"
#include "scene/scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const rw_paper_item items[] = {
    {"Figure 1", "path loss by all paths, with a route", NULL},
    {"Figure 2", "both rasterisers over shapes of blocks and grids", NULL},
    {"Figure 3", NULL, "defines a beam; `rw_beam` in the code"},
    {"Figures 4 to 6", "beams split, reflected and diffracted", NULL},
    {"Figures 7 and 8", "matrix and parameter vectors of the fit, of measured or synthetic routes", NULL},
    {"Figure 9", "time over interactions", NULL},
    {"Table 1", "time with one and two diffractions; accuracy with the measured routes only", NULL},
    {"Figure 10", "a route, gaps left open", NULL},
    {"Figure 11", "delays at one receiver", NULL},
    {"Table 2 and Figure 12", NULL,
     "the city model of Ilmenau and its measurements are not public; a generated city of as many vertices for time"},
};

typedef struct beams_page {
    rw_reproduction *made;
    rw_scene *scene;
    rw_transmitter transmitter;
    rw_routes routes;
    const char *city_name;
} beams_page;

static rw_predict_options build_beams_page_options(const beams_page *page)
{
    rw_predict_options options;
    rw_predict_options_init_for(&options, "beams");
    options.transmitters = &page->transmitter;
    options.transmitter_count = 1;
    options.reflections = page->made->tiny ? 2 : 4;
    options.diffractions = 1;
    options.transmissions = 0;
    options.roofs = "none";
    options.res_m = page->made->tiny ? 10 : 5;
    return options;
}

#define SIZES 4
#define BEST 10 /* configurations that the paper's figure has of each rasteriser */

/* Times of one rasteriser: the fastest and the tenth fastest configuration over the number of triangles. */
typedef struct raster_curves {
    double triangles[SIZES], fastest_ms[SIZES], tenth_ms[SIZES];
    rw_raster_timing best[RW_BENCH_TILINGS_MAX]; /* of the most triangles */
} raster_curves;

static rw_status time_rasterisers(const rw_reproduction *reproduction, raster_curves curves[2])
{
    static const int sides[SIZES] = {4, 16, 64, 128};
    for (int size = 0; size < SIZES; size++) {
        rw_raster_net *net;
        size_t count;
        int side = reproduction->tiny ? 2 << size : sides[size];
        RW_TRY(rw_raster_net_create(reproduction->context, reproduction->tiny ? 64 : 1024, side, &net));
        rw_status status = RW_OK;
        for (int method = 0; method < 2 && status == RW_OK; method++) {
            raster_curves *of = &curves[method];
            status = rw_raster_net_time(net, (rw_raster_method)method, reproduction->tiny ? 1 : 3, of->best, &count);
            of->triangles[size] = 2.0 * side * side;
            of->fastest_ms[size] = 1e3 * of->best[0].seconds;
            of->tenth_ms[size] = 1e3 * of->best[BEST - 1].seconds;
        }
        rw_raster_net_destroy(net);
        RW_TRY(status);
    }
    return RW_OK;
}

static rw_status report_rasterisers(const beams_page *page)
{
    static raster_curves curves[2];
    rw_page *out = &page->made->page;
    rw_page_heading(out, "Figure 2: the two rasterisers over shapes of blocks and grids");
    rw_page_text(
        out,
        "Triangles over a target of %d x %d pixels that cover each pixel once, which is checked before every "
        "timing; preparation (events, borders) and drawing together. A configuration is named as in the paper: "
        "pixels of a block - blocks of the grid that shares a polygon. The paper (GeForce 8800): half spaces "
        "are more than twice as fast as scanlines; no scale of its axis is legible. 35 configurations each.",
        page->made->tiny ? 64 : 1024, page->made->tiny ? 64 : 1024);
    RW_TRY(time_rasterisers(page->made, curves));
    rw_page_table(out, "place | scanlines | time | half spaces | time");
    for (int i = 0; i < BEST; i++) {
        const rw_raster_timing *a = &curves[0].best[i], *b = &curves[1].best[i];
        rw_page_row(out, "%d | %dx%d - %dx%d | %.3g ms | %dx%d - %dx%d | %.3g ms", i + 1, a->tiling.block_columns,
                    a->tiling.block_rows, a->tiling.grid_columns, a->tiling.grid_rows, 1e3 * a->seconds,
                    b->tiling.block_columns, b->tiling.block_rows, b->tiling.grid_columns, b->tiling.grid_rows,
                    1e3 * b->seconds);
    }
    rw_page_table_end(out);
    rw_page_text(out, "The ten best at %.0f triangles on this machine; half spaces take %.2f of the scanlines' time.",
                 curves[0].triangles[SIZES - 1], curves[1].best[0].seconds / curves[0].best[0].seconds);
    const rw_series series[] = {
        {"half spaces, fastest", curves[1].triangles, curves[1].fastest_ms, SIZES, RW_SERIES_LINE},
        {"half spaces, tenth", curves[1].triangles, curves[1].tenth_ms, SIZES, RW_SERIES_LINE},
        {"scanlines, fastest", curves[0].triangles, curves[0].fastest_ms, SIZES, RW_SERIES_LINE},
        {"scanlines, tenth", curves[0].triangles, curves[0].tenth_ms, SIZES, RW_SERIES_LINE}};
    const rw_plot plot = {.title = "Rasterisers",
                          .x_label = "triangles",
                          .y_label = "ms",
                          .series = series,
                          .series_count = sizeof series / sizeof *series};
    rw_page_plot(out, "figure_2", &plot, "Figure 2: time over the number of polygons");
    return RW_OK;
}

/* The map by every method and way to split and clip, beside the usual one. */
static rw_status report_beams_methods(const beams_page *page)
{
    static const struct {
        const char *name, *method, *split, *clip;
    } methods[] = {{"spans, sweep, wall grid (default)", "spans", "sweep", "grid"},
                   {"scanlines, sweep, wall grid", "scanlines", "sweep", "grid"},
                   {"half spaces, sweep, wall grid", "half-spaces", "sweep", "grid"},
                   {"half spaces, sweep, quadtree", "half-spaces", "sweep", "quadtree"},
                   {"half spaces, buffer of 1024, quadtree: the paper's", "half-spaces", "buffer", "quadtree"}};
    rw_page *out = &page->made->page;
    rw_predict_options options = build_beams_page_options(page);
    rw_map *default_map = NULL;
    rw_map_layer first = {.size = sizeof first};
    rw_map_info info = {.size = sizeof info};
    options.layers = "path_loss,paths";
    rw_page_heading(out, "Section 4: the paper's algorithms beside the default ones");
    rw_page_text(out, "One map of %s, cells of %g m, %d reflections, 1 diffraction; nothing is precomputed.",
                 page->city_name, options.res_m, options.reflections);
    rw_page_table(out, "rasteriser, splitting, clipping | solving | receivers with another number of paths");
    rw_status status = RW_OK;
    for (size_t i = 0; i < sizeof methods / sizeof *methods && status == RW_OK; i++) {
        rw_map *map;
        rw_map_layer paths = {.size = sizeof paths};
        options.method = methods[i].method;
        options.split = methods[i].split;
        options.clip = methods[i].clip;
        status = rw_predict(page->scene, &options, &map);
        if (status != RW_OK)
            break;
        rw_map_get_info(map, &info);
        status = rw_map_get_layer(map, 1, &paths);
        if (i == 0) {
            default_map = map;
            first = paths;
        }
        size_t different = 0;
        for (size_t k = 0; k < info.columns * info.rows; k++)
            different += memcmp(&first.values[k], &paths.values[k], sizeof(float)) != 0;
        rw_page_row(out, "%s | %.3g s | %zu of %zu", methods[i].name, info.solve_s, different,
                    info.columns * info.rows);
        if (i)
            rw_map_destroy(map);
    }
    rw_page_table_end(out);
    rw_map_destroy(default_map);
    return status;
}

/* Lines of polygons and walls for a picture, with gaps between. */
typedef struct line_points {
    double *x, *y;
    size_t count;
} line_points;

static void add_line_point(line_points *line, double x, double y)
{
    line->x[line->count] = x;
    line->y[line->count++] = y;
}

static void add_beam_outline(line_points *line, const rw_beam_outline *outline)
{
    for (int i = 0; i <= 4; i++)
        add_line_point(line, outline->corners[i % 4].x, outline->corners[i % 4].y);
    add_line_point(line, NAN, NAN);
}

static void add_wall_lines(line_points *line, const rw_scene *scene)
{
    const rw_wall_grid *grid = &scene->prepared->grid;
    double x = grid->centre.x + scene->origin.x, y = grid->centre.y + scene->origin.y;
    for (size_t i = 0; i < grid->view.wall_count; i++) {
        add_line_point(line, grid->exact[i].x0 + x, grid->exact[i].y0 + y);
        add_line_point(line, grid->exact[i].x1 + x, grid->exact[i].y1 + y);
        add_line_point(line, NAN, NAN);
    }
}

static rw_status draw_beams(const beams_page *page, const rw_scene *scene, const rw_beam_outline *outlines,
                            size_t count)
{
    static const char *const kinds[] = {"source", "reflected", "diffracted"};
    rw_page *out = &page->made->page;
    line_points lines[4];
    double *buffer;
    size_t walls = 3 * scene->prepared->grid.view.wall_count, each = (6 * count > walls ? 6 * count : walls) + 1;
    size_t of_kind[3] = {0, 0, 0};
    RW_TRY(rw_array_create(page->made->context, 8 * each, sizeof *buffer, "a picture", &buffer));
    for (int i = 0; i < 4; i++)
        lines[i] = (line_points){buffer + (size_t)(2 * i) * each, buffer + (size_t)(2 * i + 1) * each, 0};
    add_wall_lines(&lines[0], scene);
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            if (strcmp(outlines[i].kind, kinds[k]) == 0 && outlines[i].ends) {
                add_beam_outline(&lines[k + 1], &outlines[i]);
                of_kind[k]++;
            }
    const char *const names[] = {"walls", "from the source", "reflected", "diffracted"};
    rw_series series[4];
    for (int i = 0; i < 4; i++)
        series[i] = (rw_series){names[i], lines[i].x, lines[i].y, lines[i].count, RW_SERIES_LINE};
    const rw_plot plot = {.title = "Pieces of beams that end at walls",
                          .subtitle = "one reflection, one diffraction",
                          .x_label = "x in m",
                          .y_label = "y in m",
                          .series = series,
                          .series_count = 4,
                          .width_px = 900,
                          .height_px = 900};
    rw_page_plot(out, "figure_4", &plot,
                 "Figures 4, 5 and 6: beams split at walls, reflected at them and diffracted at their ends");
    rw_page_text(
        out,
        "%zu pieces from the source, %zu reflected, %zu diffracted end at walls. As GeoJSON for any scene: "
        "`rasterwave predict --model beams --beam-outlines beams.geojson`. Each piece is evaluated, as the odd "
        "levels of the paper's tree are (Figure 6); its even levels are the beams that pieces are cut from.",
        of_kind[0], of_kind[1], of_kind[2]);
    free(buffer);
    return RW_OK;
}

static rw_status report_beam_outlines(const beams_page *page)
{
    rw_context *context = page->made->context;
    rw_page *out = &page->made->page;
    rw_city_options city;
    rw_scene *scene;
    rw_transmitter transmitter;
    rw_beam_outline *outlines = NULL;
    size_t count = 0;
    rw_page_heading(out, "Figures 3 to 6: beams");
    rw_page_text(out, "Figure 3 defines a beam; its edges, origin and image line are `rw_beam` in the code. A small "
                      "generated city shows the others.");
    rw_city_options_init(&city);
    city.style = "grid";
    city.width_m = city.depth_m = 220;
    RW_TRY(rw_generate_city(context, &city, &scene));
    rw_status status = rw_scene_commit(scene);
    rw_predict_options options = build_beams_page_options(page);
    rw_transmitter_init(&transmitter);
    transmitter.x_m = transmitter.y_m = 110;
    transmitter.height_m = 5;
    options.transmitters = &transmitter;
    options.reflections = 1;
    if (status == RW_OK)
        status = rw_beam_outlines_create(scene, &options, 0, &outlines, &count);
    if (status == RW_OK)
        status = draw_beams(page, scene, outlines, count);
    free(outlines);
    rw_scene_destroy(scene);
    return status;
}

#define MATRIX_ROWS 60

/* The filled places of the first rows of M. */
static rw_status draw_matrix(const beams_page *page, const rw_calibration *calibration)
{
    rw_fit_data data = rw_calibration_data(calibration);
    rw_page *out = &page->made->page;
    size_t parameters = data.model->parameter_count, rows = data.count < MATRIX_ROWS ? data.count : MATRIX_ROWS;
    size_t max_paths = 0, all = 0, filled = 0;
    for (size_t i = 0; i < data.count; i++) {
        size_t paths = (size_t)rw_fit_terms(&data, i)[0];
        max_paths = paths > max_paths ? paths : max_paths;
        all += paths;
    }
    double *x;
    RW_TRY(rw_array_create(page->made->context, 2 * rows * max_paths * parameters + 2, sizeof *x, "a picture", &x));
    double *y = x + rows * max_paths * parameters + 1, coefficients[RW_PARAMETERS_MAX];
    for (size_t i = 0; i < rows; i++) {
        const float *terms = rw_fit_terms(&data, i);
        float one[RW_TERMS_MAX] = {1};
        for (size_t p = 0; p < (size_t)terms[0]; p++) {
            memcpy(one + data.model->term_count, terms + data.model->term_count + p * data.model->path_term_count,
                   data.model->path_term_count * sizeof *one);
            data.model->terms_loss_db(one, calibration->params->values, coefficients);
            for (size_t k = 0; k < parameters; k++)
                if (coefficients[k] != 0) {
                    x[filled] = (double)(p * parameters + k + 1);
                    y[filled++] = (double)(i + 1);
                }
        }
    }
    const rw_series series = {"not zero", x, y, filled, RW_SERIES_POINTS};
    const rw_plot plot = {.title = "Structure of M",
                          .subtitle = "the first rows; a block of columns is one path",
                          .x_label = "column: path, then parameter",
                          .y_label = "row: measured point",
                          .series = &series,
                          .series_count = 1};
    rw_page_plot(out, "figure_7", &plot, "Figure 7: where the matrix of the fit has entries");
    rw_page_text(out,
                 "%zu rows, %zu paths, at most %zu at one point, %zu parameters. `rasterwave calibrate --matrix M.csv` "
                 "writes it.",
                 data.count, all, max_paths, parameters);
    free(x);
    return RW_OK;
}

/* Figure 8 and the deviations: the vectors of all routes next to that of the third. */
static rw_status report_fitted_vectors(const beams_page *page, rw_calibration *const fits[RW_ROUTES])
{
    rw_page *out = &page->made->page;
    const char *const *names = page->routes.names;
    char path[4096], caption[160];
    const rw_params *others[RW_ROUTES - 1];
    int measured = !page->routes.are_synthetic;
    rw_page_heading(out, "Figure 8: parameter vectors of the three routes");
    rw_page_table(out, measured ? "route | points | skipped: no path | deviation from METRO202's | the paper's"
                                : "route | points | skipped: no path | deviation from the third's");
    for (int i = 0; i < RW_ROUTES; i++) {
        rw_calibration_info info = {.size = sizeof info};
        double deviation_db;
        RW_TRY(rw_calibration_get_info(fits[i], &info));
        RW_TRY(rw_params_deviation_db(rw_calibration_params(fits[RW_ROUTES - 1]), rw_calibration_params(fits[i]),
                                      &deviation_db));
        rw_page_row(out, "%s | %zu | %zu | %.1f dB%s", names[i], info.points, info.no_path, deviation_db,
                    !measured           ? ""
                    : i < RW_ROUTES - 1 ? " | between 3 and 4"
                                        : " | 0");
        if (i < RW_ROUTES - 1)
            others[i] = rw_calibration_params(fits[i]);
    }
    rw_page_table_end(out);
    rw_page_picture_path(out, "figure_8", path, sizeof path);
    rw_page_try(out, rw_calibration_draw_comparison(fits[RW_ROUTES - 1], others, names, RW_ROUTES - 1, path));
    snprintf(caption, sizeof caption, "Figure 8: fitted losses of %s, next to those of %s and %s", names[2], names[0],
             names[1]);
    rw_page_picture(out, "figure_8", caption);
    return RW_OK;
}

/* Time of solving with one and with two diffractions, as a row. */
static rw_status report_beams_time(const beams_page *page, rw_predict_options options, int diffractions,
                                   const rw_evaluation_info *errors)
{
    rw_page *out = &page->made->page;
    rw_beams_timing timing = {0};
    char accuracy[64] = "-", points[32] = "-";
    int over;
    options.diffractions = diffractions;
    options.layers = "path_loss,paths";
    options.delay_bins = 128;
    rw_bench_watch_step(page->made->watch, "beams: Table 1, %d diffractions", diffractions);
    rw_reproduce_begin(page->made);
    RW_TRY(rw_reproduce_end(page->made, rw_bench_time_beams(page->made->context, page->scene, &options, 2, &timing),
                            &over));
    if (errors && diffractions == 1) {
        snprintf(accuracy, sizeof accuracy, "%.2f dB", errors->prediction.std_dev_db);
        snprintf(points, sizeof points, "%zu", errors->points);
    }
    if (over)
        rw_page_row(out, "ours, %d diffractions | %g m | over %g s | - | - | -", diffractions, options.res_m,
                    page->made->limit_s);
    else
        rw_page_row(out, "ours, %d diffraction%s | %g m | %.3g s | %s | %s | %.0f %%", diffractions,
                    diffractions > 1 ? "s" : "", options.res_m, timing.seconds, accuracy, points,
                    100 * timing.reached_fraction);
    return RW_OK;
}

static void report_route_accuracy(const beams_page *page, const rw_evaluation_info *errors)
{
    rw_page *out = &page->made->page;
    rw_page_text(out, "All three routes with the parameters of METRO202 (section 5; the paper: 6 to 8 dB):");
    rw_page_table(out, "route | mean | std. dev. | points | without a path");
    for (int i = 0; i < RW_ROUTES; i++)
        rw_page_row(out, "%s | %.1f dB | %.2f dB | %zu | %zu", page->routes.names[i], errors[i].prediction.mean_db,
                    errors[i].prediction.std_dev_db, errors[i].points, errors[i].no_path);
    rw_page_table_end(out);
}

/* Table 1, and the standard deviations on all routes of section 5; synthetic routes have no accuracy. */
static rw_status report_beams_accuracy(const beams_page *page, const rw_calibration *fit)
{
    rw_page *out = &page->made->page;
    rw_predict_options options = build_beams_page_options(page);
    rw_evaluation_info errors[RW_ROUTES];
    int synthetic = page->routes.are_synthetic;
    options.params = rw_calibration_params(fit);
    for (int i = 0; i < RW_ROUTES; i++)
        RW_TRY(rw_routes_evaluate(page->made, page->scene, &options, page->routes.items[i], synthetic,
                                  i == 1 ? "figure_10" : NULL, &errors[i]));
    rw_page_heading(out, synthetic ? "Table 1: time on Munich" : "Table 1: accuracy and time on Munich");
    rw_page_text(
        out,
        "%s, flat, cells of %g m, %d reflections, no transmission, 128 bins of delay; parameters fitted to %s. Time: "
        "solving one map, nothing precomputed; the paper's is on a GeForce 8800 Ultra. The paper does not state which "
        "fraction of the receivers its map reaches.",
        page->city_name, options.res_m, options.reflections, page->routes.names[RW_ROUTES - 1]);
    rw_page_table(out, "method | cells | time | std. dev. on METRO201 | points | outdoor receivers reached");
    for (int diffractions = 1; diffractions <= (page->made->tiny ? 1 : 2); diffractions++)
        RW_TRY(report_beams_time(page, options, diffractions, synthetic ? NULL : &errors[1]));
    rw_page_row(out, "the paper's | 5 m | 1.8 s | %s | - | -", synthetic ? "-" : "6.18 dB");
    rw_page_row(out, "Wahl | 10 m | 36 s | %s | - | -", synthetic ? "-" : "6.41 dB");
    rw_page_row(out, "Rick | 5 m | 0.05 s | %s | - | -", synthetic ? "-" : "4.5 dB");
    rw_page_row(out, "Schmitz | 5 m | 9 min 20 s | %s | - | -", synthetic ? "-" : "5.82 dB");
    rw_page_table_end(out);
    if (!synthetic)
        report_route_accuracy(page, errors);
    rw_page_heading(out, "Figure 10: along a route");
    rw_page_picture(out, "figure_10",
                    synthetic ? "Figure 10: synthetic and predicted path loss along a synthetic route"
                              : "Figure 10: measured and predicted path loss along METRO201");
    return RW_OK;
}

static rw_status report_beams_fit(const beams_page *page)
{
    rw_calibration *fits[RW_ROUTES] = {NULL, NULL, NULL};
    rw_page *out = &page->made->page;
    rw_predict_options options = build_beams_page_options(page);
    rw_calibrate_options fitting;
    rw_status status = RW_OK;
    rw_calibrate_options_init(&fitting);
    fitting.folds = 0; /* as the paper: all points of the route */
    for (int i = 0; i < RW_ROUTES && status == RW_OK; i++)
        status = rw_calibrate(page->scene, &options, page->routes.items[i], &fitting, &fits[i]);
    rw_page_heading(out, "Figure 7: the matrix of the fit");
    if (status == RW_OK)
        status = draw_matrix(page, fits[RW_ROUTES - 1]);
    if (status == RW_OK)
        status = report_fitted_vectors(page, fits);
    if (status == RW_OK)
        status = report_beams_accuracy(page, fits[RW_ROUTES - 1]);
    for (int i = 0; i < RW_ROUTES; i++)
        rw_calibration_destroy(fits[i]);
    return status;
}

/* The cell with most paths: its delays are worth a picture. */
static rw_status draw_delays(const beams_page *page, const rw_map *map)
{
    rw_page *out = &page->made->page;
    rw_map_info info = {.size = sizeof info};
    rw_map_layer paths = {.size = sizeof paths};
    rw_delay_profile profile = {.size = sizeof profile};
    size_t best = 0;
    char path[4096];
    RW_TRY(rw_map_get_info(map, &info));
    RW_TRY(rw_map_get_layer(map, 1, &paths));
    for (size_t i = 1; i < info.columns * info.rows; i++)
        if (paths.values[i] > paths.values[best] || isnan(paths.values[best]))
            best = i;
    RW_TRY(rw_map_get_delay_profile(map, info.x0_m + ((double)(best % info.columns) + 0.5) * info.res_m,
                                    info.y0_m + ((double)(best / info.columns) + 0.5) * info.res_m, 0, &profile));
    rw_page_heading(out, "Figure 11: histogram of delays");
    rw_page_picture_path(out, "figure_11", path, sizeof path);
    rw_page_try(out, rw_delay_profile_draw(page->made->context, &profile, path));
    rw_page_picture(out, "figure_11", "Figure 11: delays at the receiver that most paths reach");
    rw_page_text(out, "%.0f paths, delay spread %.0f ns. For any point: `rasterwave render out/delays.h5 --at X,Y`.",
                 (double)paths.values[best], 1e9 * profile.delay_spread_s);
    rw_free(profile.power);
    return RW_OK;
}

static rw_status draw_beams_map(const beams_page *page, const rw_map *map)
{
    rw_page *out = &page->made->page;
    rw_map_draw_options draw;
    rw_measurements_info info = {.size = sizeof info};
    double *marks;
    RW_TRY(rw_measurements_get_info(page->routes.items[1], &info));
    RW_TRY(rw_array_create(page->made->context, 2 * info.samples + 1, sizeof *marks, "a route", &marks));
    for (size_t i = 0; i < info.samples; i++) {
        rw_measurement at = {.size = sizeof at};
        if (rw_measurements_get(page->routes.items[1], i, &at) != RW_OK)
            break;
        marks[2 * i] = at.x_m;
        marks[2 * i + 1] = at.y_m;
    }
    rw_map_draw_options_init(&draw);
    draw.layer = "path_loss";
    draw.scene = page->scene;
    draw.transmitters = &page->transmitter;
    draw.transmitter_count = 1;
    draw.width_px = 700;
    draw.marks_m = marks;
    draw.mark_count = info.samples;
    char caption[128];
    snprintf(caption, sizeof caption, "Figure 1: path loss by all paths, with the positions of the route %s",
             page->routes.names[1]);
    rw_page_heading(out, "Figure 1: path loss with a route");
    rw_page_map(out, "figure_1", map, &draw, caption);
    free(marks);
    return RW_OK;
}

static rw_status report_beams_maps(const beams_page *page)
{
    rw_predict_options options = build_beams_page_options(page);
    rw_map *map;
    options.layers = "path_loss,paths";
    options.delay_bins = 128;
    RW_TRY(rw_predict(page->scene, &options, &map));
    rw_status status = draw_beams_map(page, map);
    if (status == RW_OK)
        status = draw_delays(page, map);
    rw_map_destroy(map);
    return status;
}

static rw_status bench_large_page_city(const rw_bench *bench)
{
    rw_bench large = *bench;
    large.only = "beams_large";
    return rw_bench_beams(&large);
}

/* Ilmenau is not public: what can be stated without it. */
static rw_status report_ilmenau(const beams_page *page)
{
    rw_page *out = &page->made->page;
    rw_page_heading(out, "Table 2 and Figure 12: Ilmenau");
    rw_page_text(out,
                 "The city model of Ilmenau and its measurements are not public. No accuracy is shown in their place: "
                 "measurements made by a model show nothing of it. With a scene, a sites table and measurements, "
                 "`rasterwave calibrate` and `rasterwave evaluate --average linear --res 5` give the table's columns.");
    rw_page_table(out, "base station | ours | the paper's std. dev. | its samples");
    rw_page_row(out, "BS1 | not available | 6.9 dB | 842 (of more than 170 000, averaged in cells)");
    rw_page_row(out, "BS2-1 | not available | 6.2 dB | 403");
    rw_page_row(out, "BS2-2 | not available | 4.7 dB | 98");
    rw_page_table_end(out);
    if (page->made->tiny)
        return RW_OK;
    rw_page_text(out, "A generated city of as many vertices (380 000), on hills, for time alone; the paper tells no "
                      "time for Ilmenau:");
    return rw_reproduce_lines(page->made, bench_large_page_city, "city of", "table_2", "");
}

static rw_status write_beams_page(beams_page *page)
{
    rw_page *out = &page->made->page;
    rw_reproduce_list(page->made, items, sizeof items / sizeof *items);
    RW_TRY(rw_routes_open(page->made, page->scene, &page->transmitter, strcmp(page->city_name, "Munich") == 0,
                          &page->routes));
    RW_TRY(report_beams_maps(page));
    RW_TRY(report_rasterisers(page));
    RW_TRY(report_beam_outlines(page));
    RW_TRY(report_beams_methods(page));
    RW_TRY(report_beams_fit(page));
    rw_page_heading(out, "Figure 9: time over interactions");
    rw_page_text(out,
                 "%s at 5 m, theory for losses; solving one map, nothing precomputed. The paper: less than 3 s with "
                 "\"complex recursive interactions\" on a GeForce 8800 Ultra, growing about linearly.",
                 page->city_name);
    RW_TRY(rw_reproduce_lines(page->made, rw_bench_beams_curve, NULL, "figure_9",
                              "Figure 9: time over the number of reflections"));
    return report_ilmenau(page);
}

rw_status rw_reproduce_beams(rw_reproduction *reproduction)
{
    beams_page page = {.made = reproduction};
    RW_TRY(rw_reproduce_city(reproduction, &page.scene, &page.city_name, &page.transmitter));
    rw_status status = write_beams_page(&page);
    rw_routes_close(&page.routes);
    rw_scene_destroy(page.scene);
    return status;
}
