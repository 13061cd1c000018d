/* Rick and Kuhlen (2010): line of sight over the size of the grid (Figure 11), times and accuracy of the models (Tables
 * 2 and 3), speed-ups (section 7.1), the prediction along a route (Figure 12), and maps of sight, walls and field
 * (Figures 6, 7 and 10). */
#include "bench/reproduce/reproduce.h"

#include "base/memory.h"
#include "scene/scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A row of Table 2: what is predicted, and the paper's figures for it on METRO201. */
typedef struct table_row {
    const char *name, *model, *effects, *label, *paper_accuracy, *paper_time;
    const char *street_method;
} table_row;

enum { STREETS, STREETS_IN_PLANE, ROOFS, COUNTED, CUBES, DEFAULTS, ROWS };

static const table_row rows[ROWS] = {
    [STREETS] = {"street canyons with transmission depth", "shadow", "streets_polynomial,walls",
                 "streets_polynomial,walls", "0.1 / 4.5 dB", "0.05 s", NULL},
    [STREETS_IN_PLANE] = {"the same by the paper's own search: corners in the receiver plane", "shadow",
                          "streets_polynomial,walls", "streets_polynomial,walls --street-method polygons",
                          "0.1 / 4.5 dB", "0.05 s", "polygons"},
    [ROOFS] = {"over roofs, by angles", "shadow", "roofs_polynomial", "roofs_polynomial", "-0.2 / 4.7 dB", "3.05 s",
               NULL},
    [COUNTED] = {"street canyons, roofs counted, walls", "shadow", "streets_polynomial,roofs_counted,walls",
                 "streets_polynomial,roofs_counted,walls", "roughly the same", "0.05 s", NULL},
    [CUBES] = {"`cubes`, for the ray launching CORLA", "cubes", NULL, "--model cubes --roofs none --prior none",
               "0.1 / 4.2 dB", "8 s (CPU)", NULL},
    [DEFAULTS] = {"`shadow` with its defaults: Berg, Vogler, slabs, median", "shadow", NULL, "--ground none", "-", "-",
                  NULL},
};

static const rw_paper_item items[] = {
    {"Figures 1 to 5, 8 and 9", NULL, "drawings of the principle"},
    {"Figures 6 and 7", "maps of line of sight and of the number of walls", NULL},
    {"Figure 10", "map of the field", NULL},
    {"Figure 11",
     "maps per second over the size of the grid, by shadow polygons and by the default method; of the paper's curves "
     "only "
     "the values at 5 m are printed",
     NULL},
    {"Section 7.1", "speed-ups over ray launching on a CPU, with `cubes` for CORLA", NULL},
    {"Table 1", NULL, "notation"},
    {"Tables 2 and 3, Figure 12", "with the measured routes; without them times alone, and a synthetic route", NULL},
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
    int cubes = strcmp(row->model, "cubes") == 0;
    rw_predict_options_init_for(&options, row->model);
    options.ground = cubes ? NULL : "none"; /* as in the paper */
    options.transmitters = &page->transmitter;
    options.transmitter_count = 1;
    options.effects = row->effects;
    options.street_method = row->street_method;
    options.res_m = page->made->tiny ? 10 : 5;
    if (row->effects) /* the paper's own: walls by their number, nothing that is not a path */
        options.walls = "constant";
    if (row->effects || cubes)
        options.prior = "none";
    if (cubes) /* the same paths in time and accuracy */
        options.roofs = "none";
    return options;
}

/* Calibrated on the last route, its errors on all. */
static rw_status evaluate_row(const shadow_page *page, size_t number, rw_evaluation_info *of_routes)
{
    const table_row *row = &rows[number];
    rw_predict_options options = build_shadow_page_options(page, row);
    rw_calibration *calibration;
    rw_calibrate_options fitting;
    int synthetic = page->routes.are_synthetic;
    rw_calibrate_options_init(&fitting);
    fitting.folds = row->effects ? 0 : fitting.folds; /* as the paper: all points of the route, no cross-validation */
    RW_TRY(rw_calibrate(page->scene, &options, page->routes.items[RW_ROUTES - 1], &fitting, &calibration));
    options.params = rw_calibration_params(calibration);
    rw_status status = RW_OK;
    for (int i = 0; i < RW_ROUTES && status == RW_OK; i++)
        status = rw_routes_evaluate(page->made, page->scene, &options, page->routes.items[i], synthetic,
                                    number == STREETS && i == 1 ? "figure_12" : NULL, &of_routes[i]);
    rw_calibration_destroy(calibration);
    return status;
}

static rw_status report_table_2(const shadow_page *page, rw_map_times *times,
                                rw_evaluation_info of_routes[ROWS][RW_ROUTES])
{
    rw_page *out = &page->made->page;
    int measured = !page->routes.are_synthetic;
    rw_page_heading(out, measured ? "Table 2: accuracy on METRO201 and time of a map" : "Table 2: time of a map");
    rw_page_text(
        out,
        "Flat ground, cells of %d m, %s. Time: a whole call for a transmitter that no call had before. From "
        "earlier calls the scene's walls and grid are prepared, and what corners of the scene see of each other "
        "is cached as in any use of the library; nothing of a transmitter or of receivers is.%s",
        page->made->tiny ? 10 : 5, page->city_name, measured ? " Calibrated on METRO202." : "");
    rw_page_table(out, measured
                           ? "model | options | time | the paper's | outdoor cells with a value | mean / std. dev. | "
                             "points | the paper's"
                           : "model | options | time | the paper's | outdoor cells with a value");
    for (size_t i = 0; i < ROWS; i++) {
        char text[96];
        rw_bench_watch_step(page->made->watch, "shadow: Table 2, %s", rows[i].name);
        RW_TRY(rw_reproduce_time_maps(page->made, page->scene, page->city_name,
                                      build_shadow_page_options(page, &rows[i]), &times[i]));
        rw_reproduce_format_times(page->made, &times[i], text, sizeof text);
        rw_page_print(out, "| %s | `%s` | %s | %s | %.0f %% |", rows[i].name, rows[i].label, text, rows[i].paper_time,
                      100 * times[i].reached);
        if (measured || i == STREETS) /* the route of Figure 12 */
            RW_TRY(evaluate_row(page, i, of_routes[i]));
        if (measured)
            rw_page_print(out, " %.1f / %.1f dB | %zu | %s |", of_routes[i][1].prediction.mean_db,
                          of_routes[i][1].prediction.std_dev_db, of_routes[i][1].points, rows[i].paper_accuracy);
        rw_page_print(out, "\n");
    }
    rw_page_table_end(out);
    return RW_OK;
}

static void report_table_3(const shadow_page *page, rw_evaluation_info of_routes[ROWS][RW_ROUTES])
{
    rw_page *out = &page->made->page;
    rw_page_heading(out, "Table 3: accuracy on the three routes");
    rw_page_text(out,
                 "Mean error / RMSE / standard deviation, by equations (23), (21) and (22); calibrated on METRO202.");
    rw_page_table(out, "model | METRO200 | METRO201 | METRO202");
    for (size_t i = 0; i < ROWS; i++) {
        rw_page_print(out, "| %s |", rows[i].name);
        for (int k = 0; k < RW_ROUTES; k++) {
            const rw_error_statistics *errors = &of_routes[i][k].prediction;
            rw_page_print(out, " %.1f / %.1f / %.1f dB |", errors->mean_db, errors->rmse_db, errors->std_dev_db);
        }
        rw_page_print(out, "\n");
    }
    rw_page_row(out, "the paper's | %s | %s | %s", table_3[0], table_3[1], table_3[2]);
    rw_page_table_end(out);
}

/* One quotient of times; "-" if one of them was cancelled. */
static void report_speed_up(const shadow_page *page, const char *name, const rw_map_times *slow,
                            const rw_map_times *fast, const char *paper)
{
    if (slow->calls && fast->calls)
        rw_page_row(&page->made->page, "%s | %.3g | %s", name, slow->median_s / fast->median_s, paper);
    else
        rw_page_row(&page->made->page, "%s | - (over %g s) | %s", name, page->made->limit_s, paper);
}

static void report_section_7_1(const shadow_page *page, const rw_map_times *times)
{
    rw_page *out = &page->made->page;
    rw_page_heading(out, "Section 7.1: speed-ups");
    rw_page_text(
        out, "The paper compares its GPU with ray launching (CORLA) on a CPU. Here both run on the machine above, and "
             "`cubes` is the ray launching; medians of Table 2.");
    rw_page_table(out, "faster than ray launching | ours, times | the paper's");
    report_speed_up(page, "over roofs, by angles", &times[CUBES], &times[ROOFS], "2.5");
    report_speed_up(page, "street canyons with transmission depth", &times[CUBES], &times[STREETS], "160");
    rw_page_table_end(out);
}

static rw_status report_shadow_tables(const shadow_page *page)
{
    static rw_evaluation_info of_routes[ROWS][RW_ROUTES];
    rw_map_times times[ROWS];
    rw_page *out = &page->made->page;
    char caption[256];
    RW_TRY(report_table_2(page, times, of_routes));
    report_section_7_1(page, times);
    if (!page->routes.are_synthetic)
        report_table_3(page, of_routes);
    snprintf(caption, sizeof caption,
             "Figure 12: %s and predicted path loss along %s, street canyons with transmission depth",
             page->routes.are_synthetic ? "synthetic" : "measured",
             page->routes.are_synthetic ? "the second third of the synthetic route" : "METRO201");
    rw_page_heading(out, "Figure 12: along a route");
    rw_page_picture(out, "figure_12", caption);
    return RW_OK;
}

static rw_status draw_maps(const shadow_page *page)
{
    static const struct {
        const char *layer, *name, *caption;
    } pictures[] = {
        {"los", "figure_6", "Figure 6: what the transmitter sees, by shadow polygons"},
        {"walls", "figure_7", "Figure 7: walls on the straight line, by additive blending of shadow polygons"},
        {"path_loss", "figure_10", "Figure 10: path loss by street canyons, counted roofs and walls"},
    };
    rw_predict_options options = build_shadow_page_options(page, &rows[COUNTED]);
    rw_calibration *calibration = NULL;
    rw_map *map;
    if (!page->routes.are_synthetic) {
        RW_TRY(rw_calibrate(page->scene, &options, page->routes.items[RW_ROUTES - 1], NULL, &calibration));
        options.params = rw_calibration_params(calibration);
    }
    options.method = "polygons";
    options.layers = "path_loss,los,walls";
    rw_status status = rw_predict(page->scene, &options, &map);
    rw_calibration_destroy(calibration);
    RW_TRY(status);
    rw_page_heading(&page->made->page, "Figures 6, 7 and 10: maps");
    rw_page_text(&page->made->page, "Losses of Figure 10 are %s.",
                 page->routes.are_synthetic ? "theoretical: nothing was calibrated, since no measured route is there"
                                            : "calibrated on METRO202, as in the paper");
    for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++) {
        rw_map_draw_options draw;
        rw_map_draw_options_init(&draw);
        draw.layer = pictures[i].layer;
        if (strcmp(pictures[i].layer, "path_loss") ==
            0) { /* what a receiver can use; beyond it the scale would say little */
            draw.value_min = 60;
            draw.value_max = 180;
        }
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
    static const struct {
        const char *card;
        double maps_s;
    } cards[] = {{"paper, 6600 GT", 100}, {"paper, 7800 GT", 200}, {"paper, 8800 GTX", 500}};
    rw_bench_result printed[3];
    rw_page *out = &page->made->page;
    rw_reproduce_list(page->made, items, sizeof items / sizeof *items);
    rw_page_heading(out, "Figure 11: line of sight over the size of the grid");
    rw_page_text(out,
                 "At 5 m the paper has 100 maps/s (GeForce 6600 GT), 200 (7800 GT) and over 500 (8800 GTX), which is "
                 "1.6e8 receivers/s; its values at other sizes are only drawn. One source per map, nothing precomputed "
                 "but the walls of the scene. `polygons` is the paper's method, `polar` the default.");
    for (size_t i = 0; i < 3; i++)
        printed[i] = rw_reproduce_printed_point(cards[i].card, 3.26e5, cards[i].maps_s, "maps/s", "receivers");
    RW_TRY(rw_reproduce_lines_with(page->made, rw_bench_los_curve, NULL, printed, 3, "figure_11",
                                   "Figure 11: line-of-sight maps per second over the receivers of a map"));
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
