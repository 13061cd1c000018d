/* Catrein, Reyer and Rick (2007): rays a second on a grid (Figure 4), cubes, sources and what a transmitter sees
 * (Figure 2), the passes of supercubes (Figure 3), visibility by Algorithms 1 and 2, and a whole map by equation (3).
 */
#include "bench/reproduce/reproduce.h"

#include "scene/scene.h"

#include <stdio.h>
#include <string.h>

static const rw_paper_item items[] = {
    {"Figure 1", NULL, "draws the graphics pipeline and has no result"},
    {"Figures 2 and 3", "cubes, sources, what a transmitter sees, and supercubes of a real scene", NULL},
    {"Figure 4", "rays per second over the side of the grid, with the paper's two values", NULL},
    {"Algorithms 1 and 2", "visibility of all cubes, timed and compared", NULL},
    {"Equations (1) to (3)", "a whole map; the paper has no figure of it", NULL},
    {"Accuracy", "with the measured routes; without them nothing is shown", NULL},
};

typedef struct cubes_page {
    rw_reproduction *made;
    rw_scene *scene;
    rw_transmitter transmitter;
    const char *city_name;
    int block;
} cubes_page;

static rw_predict_options build_cubes_page_options(const cubes_page *page)
{
    rw_predict_options options;
    rw_predict_options_init_for(&options, "cubes");
    options.transmitters = &page->transmitter;
    options.transmitter_count = 1;
    options.roofs = options.prior = "none"; /* equation (3) alone */
    return options;
}

static rw_status report_cube_lines(const cubes_page *page)
{
    rw_page *out = &page->made->page;
    rw_page_heading(out, "Figure 4: rays a second");
    rw_page_text(
        out, "A line from the centre of a grid to each of its cells, four floats read and summed at every step. The "
             "paper: 512 x 512 cells, 1.24 s on a Xeon of 2.4 GHz (211 000 rays/s), 8.93 ms on a GeForce 8800 GTX "
             "(29 million rays/s), 140 times the CPU. Its M is 256, so that all lines lie in the four supercubes "
             "around the source and go on from nowhere: that is our *exact lines*, and the ratio is of the same "
             "work. Larger grids, where supercubes save steps, are not in the paper. Nothing is precomputed but a "
             "table of reciprocals; each result includes all of its launches and passes.");
    if (page->made->context->backend != RW_BACKEND_CUDA)
        rw_page_text(out, "This machine has no GPU that was used: only the paper's CPU column is made again.");
    if (page->made->limit_s > 0)
        rw_page_text(out, "Exact lines that would take a CPU thread more than %g s are skipped.", page->made->limit_s);
    const rw_bench_result printed[] = {
        rw_reproduce_printed_point("paper, Xeon 2.4 GHz", 512, 2.11e5, "rays/s", "cells a side"),
        rw_reproduce_printed_point("paper, 8800 GTX", 512, 2.9e7, "rays/s", "cells a side")};
    return rw_reproduce_lines_with(page->made, rw_bench_cubes, NULL, printed, 2, "figure_4",
                                   "Figure 4: rays per second over the side of the grid");
}

static void draw_cubes_layer(const cubes_page *page, const rw_map *map, const char *layer, const char *name,
                             const char *caption)
{
    rw_map_draw_options options;
    rw_map_draw_options_init(&options);
    options.layer = layer;
    options.scene = page->scene;
    options.transmitters = &page->transmitter;
    options.transmitter_count = 1;
    options.width_px = 700;
    rw_page_map(&page->made->page, name, map, &options, caption);
}

/* Pictures of the lowest layer of cubes. */
static rw_status draw_cubes(const cubes_page *page)
{
    rw_page *out = &page->made->page;
    rw_predict_options options = build_cubes_page_options(page);
    rw_map *map;
    options.reflections = options.horizontal_diffractions = options.vertical_diffractions = 0;
    options.method = "supercubes";
    options.block = page->block;
    options.layers = "visible,filled,sources,supercubes";
    RW_TRY(rw_predict(page->scene, &options, &map));
    rw_page_heading(out, "Figures 2 and 3: cubes, what is seen of them, and supercubes");
    rw_page_text(out,
                 "%s in cubes of %g m, the layer of cubes at %g m. The paper's figures are drawings of the principle; "
                 "these are the model's own cubes, by `--layers visible,filled,sources,supercubes`.",
                 page->city_name, 5.0, 1.5);
    draw_cubes_layer(page, map, "filled", "figure_2_filled", "Figure 2: filled cubes");
    draw_cubes_layer(page, map, "sources", "figure_2_sources", "Figure 2: sources of reflection and diffraction");
    draw_cubes_layer(page, map, "visible", "figure_2_visible", "Figure 2: cubes that the transmitter sees");
    draw_cubes_layer(page, map, "supercubes", "figure_3",
                     "Figure 3: the pass of Algorithm 1 in which a cube is answered");
    rw_map_destroy(map);
    return RW_OK;
}

static rw_status report_cube_visibility(const cubes_page *page)
{
    rw_page *out = &page->made->page;
    rw_page_heading(out, "Algorithms 1 and 2: visibility of all cubes");
    rw_page_text(
        out,
        "What the title is about, on %s: every cube of the scene, by the exact line of sight through surfaces, "
        "by whole lines of cubes, by the printed algorithm, and by rings of supercubes. The paper times lines "
        "alone and has no numbers for this. Cubes are laid before.",
        page->city_name);
    return rw_reproduce_lines(page->made, rw_bench_cube_sight, NULL, "visibility", "");
}

/* Mean error and standard deviation on each route, calibrated on the last. */
static rw_status evaluate_routes(const cubes_page *page, rw_routes *routes)
{
    rw_page *out = &page->made->page;
    rw_predict_options options = build_cubes_page_options(page);
    rw_calibration *calibration;
    int over;
    rw_bench_watch_step(page->made->watch, "cubes: accuracy on the measured routes");
    rw_reproduce_begin(page->made);
    RW_TRY(rw_reproduce_end(
        page->made, rw_calibrate(page->scene, &options, routes->items[RW_ROUTES - 1], NULL, &calibration), &over));
    if (over) {
        rw_page_text(out, "Calibration: over %g s.", page->made->limit_s);
        return RW_OK;
    }
    options.params = rw_calibration_params(calibration);
    rw_page_table(out, "route | points | mean | RMSE | standard deviation");
    rw_status status = RW_OK;
    for (int i = 0; i < RW_ROUTES && status == RW_OK; i++) {
        rw_evaluation *evaluation;
        rw_evaluation_info info = {.size = sizeof info};
        status = rw_evaluate_model(page->scene, &options, routes->items[i], NULL, &evaluation);
        if (status == RW_OK)
            status = rw_evaluation_get_info(evaluation, &info);
        if (status == RW_OK)
            rw_page_row(out, "%s | %zu | %.1f dB | %.1f dB | %.1f dB", routes->names[i], info.points,
                        info.prediction.mean_db, info.prediction.rmse_db, info.prediction.std_dev_db);
        rw_evaluation_destroy(evaluation);
    }
    rw_page_table_end(out);
    rw_calibration_destroy(calibration);
    return status;
}

static rw_status report_cubes_accuracy(const cubes_page *page)
{
    rw_page *out = &page->made->page;
    rw_page_heading(out, "Accuracy");
    rw_page_text(out,
                 "The paper has no measurement of its own; of CORLA it says a mean squared error of less than 7 dB.");
    int are_there = 0;
    if (strcmp(page->city_name, "Munich") == 0)
        RW_TRY(rw_routes_find(page->made, &are_there));
    if (!are_there) {
        rw_page_text(out,
                     "The measured routes METRO200, METRO201 and METRO202 are not in the data folder: **no accuracy is "
                     "shown here.**");
        return RW_OK;
    }
    rw_routes routes = {0};
    rw_status status = rw_routes_open(page->made, page->scene, &page->transmitter, 1, &routes);
    if (status == RW_OK)
        status = evaluate_routes(page, &routes);
    rw_routes_close(&routes);
    return status;
}

static rw_status write_cubes_page(const cubes_page *page)
{
    rw_page *out = &page->made->page;
    rw_reproduce_list(page->made, items, sizeof items / sizeof *items);
    RW_TRY(report_cube_lines(page));
    RW_TRY(draw_cubes(page));
    RW_TRY(report_cube_visibility(page));
    rw_page_heading(out, "Equations (1) to (3): a whole map");
    rw_page_text(out,
                 "Dominant path to every receiver, two reflections, two horizontal and two vertical diffractions. The "
                 "paper's introduction has roughly 10 s for 7 km2 on a CPU (CORLA) and no time on a GPU.");
    RW_TRY(rw_reproduce_lines(page->made, rw_bench_cubes_map, NULL, "map", ""));
    return report_cubes_accuracy(page);
}

rw_status rw_reproduce_cubes(rw_reproduction *reproduction)
{
    cubes_page page = {.made = reproduction, .block = reproduction->tiny ? 8 : 32};
    RW_TRY(rw_reproduce_city(reproduction, &page.scene, &page.city_name, &page.transmitter));
    rw_status status = write_cubes_page(&page);
    rw_scene_destroy(page.scene);
    return status;
}
