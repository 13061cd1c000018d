/* Novak (2016): pictures of the office and of views (Figures 3 and 1, images_pictures.c), time at ray equivalency and
 * with fewer pixels (Figures 4 and 6), size of the image tree (Figure 5), the map of the office and what more pixels
 * change in it (Figure 7), and the paper's variants beside the default. */
#include "bench/reproduce/reproduce.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const rw_paper_item items[] = {
    {"Figure 1", "frame buffers along a sequence of the image tree", NULL},
    {"Figure 2", NULL, "a drawing of the principle"},
    {"Figure 3", "the office; the paper's is not published, ours is generated", NULL},
    {"Figures 4 and 6", "time over interactions, with launched rays and with images", NULL},
    {"Figure 5", "size of the image tree over pixels", NULL},
    {"Figure 7", "the map of the office, and what more pixels change", NULL},
};

/* The office that the page is about. */
typedef struct images_page {
    rw_reproduction *made;
    rw_bench_office at;
    rw_scene *scene;
    rw_transmitter transmitter;
    int depth;           /* of the maps */
    int few_px, many_px; /* pixels of the two maps of Figure 7 */
} images_page;

static rw_predict_options build_images_page_options(const images_page *page, const char *model)
{
    rw_predict_options options;
    rw_predict_options_init_for(&options, model);
    options.transmitters = &page->transmitter;
    options.transmitter_count = 1;
    options.layers = "path_loss";
    options.direct = "limited"; /* as the paper: no path beyond the depth */
    options.depth = page->depth;
    if (page->made->tiny) {
        options.res_m = 1;
        options.rays = strcmp(model, "sbr") == 0 ? 32 : options.rays;
    }
    return options;
}

static rw_status open_office(images_page *page)
{
    rw_bench_office_plan plan = rw_bench_office_paper(page->made->tiny);
    rw_office_options office;
    RW_TRY(rw_bench_office_open(page->made->context, &plan, &page->at));
    rw_transmitter_init(&page->transmitter);
    page->transmitter.antenna = "dipole";
    page->transmitter.roll_deg = 45;
    page->transmitter.freq_hz = 2.5e9;
    page->transmitter.height_m = 2.2;
    rw_bench_office_source(&page->at, &page->transmitter.x_m, &page->transmitter.y_m);
    rw_office_options_init(&office);
    office.width_m = plan.width_m;
    office.depth_m = plan.depth_m;
    RW_TRY(rw_generate_office(page->made->context, &office, &page->scene));
    return rw_scene_commit(page->scene);
}

static void report_office_setting(const images_page *page)
{
    rw_page *out = &page->made->page;
    rw_bench_office_plan plan = rw_bench_office_paper(page->made->tiny);
    rw_page_heading(out, "Setting (section 6, Figure 3)");
    rw_page_text(out, "The paper's office is not published; ours is generated (`rasterwave generate office`).");
    rw_page_table(out, "what | ours | the paper's");
    rw_page_row(out, "hardware | %s | one GPU, not named; MI on GPU and CPU, SBR on the GPU alone (OptiX)",
                rw_context_machine(page->made->context));
    rw_page_row(out, "office | %g x %g m, generated | Figure 3, size not given", plan.width_m, plan.depth_m);
    rw_page_row(out, "receivers | %u a metre, 1.1 m above the floor | 3 a metre, 1.1 m above the ground", plan.per_m);
    rw_page_row(out, "transmitter | dipole, 45 degrees, 2.2 m, 2.5 GHz | the same, near the entrance");
    rw_page_row(out, "one map | one transmitter, no batch | the same");
    rw_page_row(out,
                "precomputed | nothing; initialisation is in every time | nothing; initialisation is the offset of "
                "the curves");
    rw_page_row(out,
                "effects | reflection, transmission with refraction, coherent sum | the same, straight through walls");
    rw_page_table_end(out);
}

/* A map and its time; no map where the limit cancelled it. */
static rw_status time_images_prediction(const images_page *page, const rw_predict_options *options, rw_map **map,
                                        double *seconds)
{
    double start_s = rw_seconds();
    int over;
    *map = NULL;
    rw_reproduce_begin(page->made);
    RW_TRY(rw_reproduce_end(page->made, rw_predict(page->scene, options, map), &over));
    *seconds = rw_seconds() - start_s;
    return RW_OK;
}

/* Of the cells that are not inside a wall: those with a path. */
static double find_reached_fraction(const rw_map *map)
{
    rw_map_layer layer = {.size = sizeof layer};
    rw_map_info info = {.size = sizeof info};
    size_t outside = 0, reached = 0;
    if (rw_map_get_layer(map, 0, &layer) != RW_OK || rw_map_get_info(map, &info) != RW_OK)
        return NAN;
    for (size_t i = 0; i < info.columns * info.rows; i++) {
        outside += !isnan(layer.values[i]);
        reached += isfinite(layer.values[i]) != 0;
    }
    return (double)reached / (double)outside;
}

static rw_status report_figure_7(const images_page *page)
{
    rw_page *out = &page->made->page;
    rw_predict_options options = build_images_page_options(page, "images");
    rw_map *few = NULL, *many = NULL, *difference = NULL;
    rw_map_difference found = {.size = sizeof found};
    double few_s = 0, many_s = 0;
    options.pixels = page->few_px;
    rw_status status = time_images_prediction(page, &options, &few, &few_s);
    options.pixels = page->many_px;
    if (status == RW_OK)
        status = time_images_prediction(page, &options, &many, &many_s);
    if (status == RW_OK && few && many)
        status = rw_map_compare(few, many, NULL, &found, &difference);
    if (status == RW_OK && !(few && many))
        rw_page_text(out, "Figure 7: the map with %d pixels takes over %g s.", few ? page->many_px : page->few_px,
                     page->made->limit_s);
    if (status == RW_OK && difference) {
        rw_map_draw_options draw;
        rw_map_draw_options_init(&draw);
        draw.scene = page->scene;
        draw.transmitters = &page->transmitter;
        draw.transmitter_count = 1;
        draw.width_px = 700;
        rw_page_heading(out, "Figure 7: the map, and what more pixels change");
        rw_page_map(out, "figure_7", few, &draw, "Figure 7: predicted signal loss");
        rw_page_map(out, "figure_7_difference", difference, &draw, "What more pixels change");
        rw_page_table(out, "interactions | pixels | time | cells | RMS | largest | above 10 dB | the paper's");
        rw_page_row(out,
                    "%d | %d and %d | %.3g s and %.3g s | %zu | %.3g dB | %.3g dB | %.3g %% | 6; 2k and 5k; \"less "
                    "than 10 dB maximum deviations\" at the edges",
                    page->depth, page->few_px, page->many_px, few_s, many_s, found.cells, found.rms, found.max,
                    100 * found.fraction_above);
        rw_page_table_end(out);
        rw_page_text(out,
                     "Coherent sums: in a deep fade of a single cell one weak path more or less changes the level by "
                     "many decibels. Fraction of the map reached: %.3g %% of the cells outside walls have a path.",
                     100 * find_reached_fraction(few));
    }
    rw_map_destroy(few);
    rw_map_destroy(many);
    rw_map_destroy(difference);
    return status;
}

/* A variant of the paper beside the default of its model. */
typedef struct variant {
    const char *name, *model, *option, *value;
} variant;

static rw_status report_images_variant(const images_page *page, const variant *one, const rw_map *default_map)
{
    rw_predict_options options = build_images_page_options(page, one->model);
    rw_map *map;
    rw_map_difference found = {.size = sizeof found};
    double seconds;
    options.depth = page->made->tiny ? 1 : 3;
    RW_TRY(rw_predict_options_set(page->made->context, &options, one->option, one->value));
    rw_bench_watch_step(page->made->watch, "images: %s", one->name);
    RW_TRY(time_images_prediction(page, &options, &map, &seconds));
    if (!map) {
        rw_page_row(&page->made->page, "%s | `--model %s --%s %s` | over %g s | - | - | -", one->name, one->model,
                    one->option, one->value, page->made->limit_s);
        return RW_OK;
    }
    rw_status status = rw_map_compare(default_map, map, NULL, &found, NULL);
    rw_map_destroy(map);
    RW_TRY(status);
    rw_page_row(&page->made->page, "%s | `--model %s --%s %s` | %.3g s | %.3g dB | %.3g dB | %.3g %%", one->name,
                one->model, one->option, one->value, seconds, found.rms, found.max, 100 * found.fraction_above);
    return RW_OK;
}

static rw_status report_images_variants(const images_page *page)
{
    static const variant variants[] = {
        {"views not shifted (section 3.2)", "images", "refraction", "paths"},
        {"straight through walls (section 3.2)", "images", "refraction", "none"},
        {"the depth buffer alone decides (section 4)", "images", "validation", "none"},
        {"recursion, one frame buffer (Algorithm 1)", "images", "traversal", "recursion"},
        {"surfaces of several parts (section 3.1)", "images", "surfaces", "coplanar"},
        {"a quarter of the pixels a side", "images", "pixels", "256"},
        {"launched rays", "sbr", "rays", "256"},
        {"rays normalised by density (section 6)", "sbr", "sphere", "0.2m"},
    };
    rw_page *out = &page->made->page;
    rw_predict_options options = build_images_page_options(page, "images");
    rw_map *default_map;
    double seconds;
    options.depth = page->made->tiny ? 1 : 3;
    rw_page_heading(out, "The paper's variants next to the default");
    RW_TRY(time_images_prediction(page, &options, &default_map, &seconds));
    if (!default_map) {
        rw_page_text(out, "The default to depth %d takes over %g s.", options.depth, page->made->limit_s);
        return RW_OK;
    }
    rw_page_text(out, "Path loss against `--model images` with 1024 pixels, to depth %d, which takes %.3g s.",
                 options.depth, seconds);
    rw_page_table(out, "variant | option | time | RMS | largest | above 10 dB");
    rw_status status = RW_OK;
    for (size_t i = 0; status == RW_OK && i < sizeof variants / sizeof *variants; i++)
        status = report_images_variant(page, &variants[i], default_map);
    rw_page_table_end(out);
    rw_map_destroy(default_map);
    return status;
}

static rw_status write_images_page(images_page *page)
{
    rw_page *out = &page->made->page;
    rw_reproduce_list(page->made, items, sizeof items / sizeof *items);
    report_office_setting(page);
    RW_TRY(rw_reproduce_office(out, &page->at));
    RW_TRY(rw_reproduce_views(out, &page->at));
    rw_page_heading(out, "Figures 4 and 6: time over interactions");
    rw_page_text(out,
                 "6 x 5288² pixels are as many as the 167 772 162 rays (Figure 4); 6 x 2048² are enough for the same "
                 "accuracy (Figure 6). In the paper rasterisation is faster up to 5 interactions in Figure 4 and up "
                 "to 10 in Figure 6; its times are only drawn.");
    RW_TRY(rw_reproduce_lines(page->made, rw_bench_figure_4, NULL, "figure_4",
                              "Figures 4 and 6: time of a map over interactions"));
    rw_page_heading(out, "Figure 5: size of the image tree");
    rw_page_text(out, "Reflections and transmissions of the tree, for every depth. In the paper it \"changes only "
                      "marginally for larger framebuffers\".");
    RW_TRY(rw_reproduce_lines(page->made, rw_bench_figure_5, NULL, "figure_5",
                              "Figure 5: size of the image tree over pixels"));
    rw_page_heading(out, "Figure 6: at equal accuracy");
    rw_page_text(
        out, "The paper chose 4 megapixels by the size of the tree. Here the error of both is measured against what "
             "is neither: every sequence of surfaces in a small office, and rays doubled until they no longer "
             "change.");
    RW_TRY(rw_reproduce_lines(page->made, rw_bench_figure_6, NULL, "figure_6", ""));
    RW_TRY(report_figure_7(page));
    return report_images_variants(page);
}

rw_status rw_reproduce_images(rw_reproduction *reproduction)
{
    int tiny = reproduction->tiny;
    images_page page = {
        .made = reproduction, .depth = tiny ? 2 : 6, .few_px = tiny ? 64 : 2048, .many_px = tiny ? 128 : 5288};
    rw_status status = open_office(&page);
    if (status == RW_OK)
        status = write_images_page(&page);
    rw_bench_office_close(&page.at);
    rw_scene_destroy(page.scene);
    return status;
}
