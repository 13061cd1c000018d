/* Rick and Kuhlen (2010): line of sight over the size of the grid (Figure 11), times and accuracy of the models (Tables
 * 2 and 3), the prediction along a route (Figure 12), and maps of sight, walls and field (Figures 6, 7 and 10). */
#include "bench/reproduce/reproduce.h"
#include "bench/reproduce/routes.h"

#include "base/memory.h"
#include "scene/scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A row of Table 2: what is predicted, and the paper's figures for it on METRO201. */
typedef struct table_row {
    const char *name, *model, *effects, *paper;
    const char *street_method;
} table_row;

static const table_row rows[] = {
    {"street canyons with transmission depth", "shadow", "streets_polynomial,walls", "0.1 / 4.5 dB, 0.05 s", NULL},
    {"the same by the paper's own search: corners in the receiver plane", "shadow", "streets_polynomial,walls",
     "0.1 / 4.5 dB, 0.05 s", "polygons"},
    {"over roofs, by angles", "shadow", "roofs_polynomial", "-0.2 / 4.7 dB, 3.05 s", NULL},
    {"street canyons, roofs counted, walls", "shadow", "streets_polynomial,roofs_counted,walls",
     "roughly the same, 0.05 s", NULL},
    {"`cubes`, for the ray launching CORLA", "cubes", NULL, "0.1 / 4.2 dB, 8 s (CPU)", NULL},
    {"`shadow` as it is by default: Berg, Vogler, slabs", "shadow", NULL, "-", NULL},
};

static const char *const table_3[RW_ROUTES] = {"2.1 / 6.2 / 5.9 dB", "0.1 / 4.5 / 4.5 dB", "-0.1 / 5.7 / 5.7 dB"};

typedef struct shadow_page {
    rw_reproduction *made;
    rw_scene *scene;
    rw_transmitter transmitter;
    rw_routes routes;
    const char *city_name;
} shadow_page;

static rw_predict_options build_shadow_page_options(const shadow_page *page, const table_row *row)
{
    rw_predict_options options;
    rw_predict_options_init_for(&options, row->model);
    options.ground = strcmp(row->model, "shadow") == 0 ? "none" : NULL; /* as in the paper */
    options.transmitters = &page->transmitter;
    options.transmitter_count = 1;
    options.effects = row->effects;
    options.street_method = row->street_method;
    options.res_m = page->made->tiny ? 10 : 5;
    if (row->effects) /* the paper's own: walls by their number, nothing that is not a path */
        options.walls = "constant";
    if (row->effects || strcmp(row->model, "cubes") == 0)
        options.prior = "none";
    return options;
}

/* Seconds of one map, as its caller feels it on a scene that was used before, and the share of outdoor cells that have
 * a value. */
static rw_status time_map(const shadow_page *page, rw_predict_options options, double *seconds, double *filled)
{
    *seconds = INFINITY;
    options.layers = "path_loss";
    for (int i = 0; i < 2; i++) {
        rw_map *map;
        rw_map_layer loss = {.size = sizeof loss};
        rw_map_info info = {.size = sizeof info};
        double start_s = rw_seconds();
        RW_TRY(rw_predict(page->scene, &options, &map));
        *seconds = fmin(*seconds, rw_seconds() - start_s);
        rw_status status = rw_map_get_layer(map, 0, &loss);
        if (status == RW_OK)
            status = rw_map_get_info(map, &info);
        size_t outdoors = 0, finite = 0;
        for (size_t k = 0; status == RW_OK && k < info.columns * info.rows; k++) {
            outdoors += !isnan(loss.values[k]);
            finite += isfinite(loss.values[k]) != 0;
        }
        *filled = outdoors ? (double)finite / (double)outdoors : 0;
        rw_map_destroy(map);
        RW_TRY(status);
    }
    return RW_OK;
}

/* A row: calibrated on METRO202, its errors on the three routes. */
static rw_status report_shadow_row(const shadow_page *page, size_t number, rw_evaluation_info *of_routes)
{
    const table_row *row = &rows[number];
    rw_page *out = &page->made->page;
    rw_predict_options options = build_shadow_page_options(page, row);
    rw_calibration *calibration;
    rw_calibrate_options fitting;
    double seconds, filled;
    rw_calibrate_options_init(&fitting);
    fitting.folds = row->effects ? 0 : fitting.folds; /* as the paper: all points of the route, no cross-validation */
    RW_TRY(time_map(page, options, &seconds, &filled));
    RW_TRY(rw_calibrate(page->scene, &options, page->routes.items[RW_ROUTES - 1], &fitting, &calibration));
    options.params = rw_calibration_params(calibration);
    rw_status status = RW_OK;
    for (int i = 0; i < RW_ROUTES && status == RW_OK; i++)
        status = rw_routes_evaluate(page->made, page->scene, &options, page->routes.items[i],
                                    number == 0 && i == 1 ? "figure_12" : NULL, &of_routes[i]);
    rw_calibration_destroy(calibration);
    RW_TRY(status);
    const rw_error_statistics *errors = &of_routes[1].prediction;
    rw_page_row(out, "%s | `%s%s` | %.1f / %.1f dB | %zu | %.0f %% | %.3g s | %s", row->name,
                row->effects ? row->effects : "default", row->street_method ? " --street-method polygons" : "",
                errors->mean_db, errors->std_dev_db, of_routes[1].points, 100 * filled, seconds, row->paper);
    return RW_OK;
}

static rw_status report_shadow_tables(const shadow_page *page)
{
    static rw_evaluation_info of_routes[sizeof rows / sizeof *rows][RW_ROUTES];
    rw_page *out = &page->made->page;
    rw_page_heading(out, "Table 2: accuracy on METRO201 and time of a map");
    rw_page_text(out,
                 "Flat ground, cells of %d m, %s. Calibrated on METRO202. Nothing is precomputed; time is that of a "
                 "whole call on a scene that was used before.",
                 page->made->tiny ? 10 : 5, page->city_name);
    rw_page_table(out, "model | effects | mean / std. dev. | points | outdoor cells with a value | time | the paper's");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        RW_TRY(report_shadow_row(page, i, of_routes[i]));
    rw_page_table_end(out);
    rw_page_heading(out, "Table 3: accuracy on the three routes");
    rw_page_text(out,
                 "Mean error / RMSE / standard deviation, by equations (23), (21) and (22); calibrated on METRO202.");
    rw_page_table(out, "model | METRO200 | METRO201 | METRO202");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        rw_page_print(out, "| %s |", rows[i].name);
        for (int k = 0; k < RW_ROUTES; k++) {
            const rw_error_statistics *errors = &of_routes[i][k].prediction;
            rw_page_print(out, " %.1f / %.1f / %.1f dB |", errors->mean_db, errors->rmse_db, errors->std_dev_db);
        }
        rw_page_print(out, "\n");
    }
    rw_page_row(out, "the paper's | %s | %s | %s", table_3[0], table_3[1], table_3[2]);
    rw_page_table_end(out);
    rw_page_heading(out, "Figure 12: along METRO201");
    rw_page_picture(out, "figure_12",
                    "Figure 12: measured and predicted path loss along METRO201, street canyons with "
                    "transmission depth");
    return RW_OK;
}

static rw_status draw_maps(const shadow_page *page)
{
    static const struct {
        const char *layer, *name, *caption;
    } pictures[] = {
        {"los", "figure_6", "Figure 6: what the transmitter sees, by shadow polygons"},
        {"walls", "figure_7", "Figure 7: walls on the straight line, by additive blending of shadow polygons"},
        {"path_loss", "figure_10", "Figure 10: the whole prediction"},
    };
    rw_predict_options options = build_shadow_page_options(page, &rows[3]);
    rw_map *map;
    options.method = "polygons";
    options.layers = "path_loss,los,walls";
    RW_TRY(rw_predict(page->scene, &options, &map));
    rw_page_heading(&page->made->page, "Figures 6, 7 and 10: maps");
    for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++) {
        rw_map_draw_options draw;
        rw_map_draw_options_init(&draw);
        draw.layer = pictures[i].layer;
        draw.scene = page->scene;
        draw.transmitters = &page->transmitter;
        draw.transmitter_count = 1;
        draw.width_px = 700;
        rw_page_map(&page->made->page, pictures[i].name, map, &draw, pictures[i].caption);
    }
    rw_map_destroy(map);
    return RW_OK;
}

static rw_status write_shadow_page(shadow_page *page)
{
    rw_page *out = &page->made->page;
    rw_page_heading(out, "Figure 11: line of sight over the size of the grid");
    rw_page_text(out,
                 "At 5 m the paper has 100 maps/s (GeForce 6600 GT), 200 (7800 GT) and over 500 (8800 GTX), which is "
                 "1.6e8 receivers/s; one source a map, nothing precomputed but the walls of the scene.");
    RW_TRY(rw_reproduce_lines(page->made, rw_bench_los_curve, NULL, "figure_11",
                              "Figure 11: line-of-sight maps a second over the receivers of a map"));
    RW_TRY(rw_routes_open(page->made, page->scene, &page->transmitter, strcmp(page->city_name, "Munich") == 0,
                          &page->routes));
    RW_TRY(report_shadow_tables(page));
    RW_TRY(draw_maps(page));
    if (page->made->tiny)
        return RW_OK;
    rw_page_heading(out, "Times of the model's parts");
    rw_page_text(out,
                 "Kernels alone. Lines with a database have what corners see precomputed; the paper has no database. "
                 "The paper gives 0.05 s a map and no transmitters a second; 20 a second is derived from it.");
    return rw_reproduce_lines(page->made, rw_bench_shadow, NULL, "times", "");
}

rw_status rw_reproduce_shadow(rw_reproduction *reproduction)
{
    shadow_page page = {.made = reproduction};
    RW_TRY(rw_reproduce_city(reproduction, &page.scene, &page.city_name, &page.transmitter));
    rw_status status = write_shadow_page(&page);
    rw_routes_close(&page.routes);
    rw_scene_destroy(page.scene);
    return status;
}
