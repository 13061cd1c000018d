/* compare: how far one map is from another, and a picture of the difference. */
#include "command.h"

#include <math.h>
#include <string.h>

/* Options of compare. */
struct compare_settings {
    struct scene_options scene;
    const char *layer, *out;
    double above, range[2];
    int transmitter, width_px;
};

/* Classes, which differ or do not. */
static int is_category(const rw_map *map)
{
    rw_map_layer layer = {.size = sizeof layer};
    return rw_map_get_layer(map, 0, &layer) == RW_OK && rw_layer_get_order(layer.name) == RW_LAYER_UNORDERED &&
           strcmp(layer.unit, "deg") != 0;
}

static void report_differing_classes(struct report *report, const rw_map_difference *found)
{
    size_t different = (size_t)llround(found->fraction_above * (double)found->cells);
    json_count(&report->json, "different", found->cells ? different : 0);
    json_number(&report->json, "share_different", found->fraction_above);
    if (found->cells)
        report_text(report, "another class in %zu cells, %.3g %%\n", different, 100 * found->fraction_above);
}

static void report_difference(struct report *report, const char *unit, const rw_map_difference *found)
{
    struct json *json = &report->json;
    json_number(json, "mean", found->mean);
    json_number(json, "rms", found->rms);
    json_number(json, "max", found->max);
    json_number(json, "max_x_m", found->max_x_m);
    json_number(json, "max_y_m", found->max_y_m);
    json_number(json, "above", found->above);
    json_number(json, "share_above", found->fraction_above);
    if (!found->cells)
        return;
    report_text(report, "difference: mean %.3g %s, RMS %.3g %s, largest %.3g %s at %.10g, %.10g\n", found->mean, unit,
                found->rms, unit, found->max, unit, found->max_x_m, found->max_y_m);
    report_text(report, "above %g %s: %.3g %% of the cells\n", found->above, unit, 100 * found->fraction_above);
}

static void report_comparison(const struct call *call, const struct map_choice *choice, int is_of_classes,
                              const rw_map_layer *layer, const rw_map_difference *found)
{
    const struct compare_settings *settings = call->settings;
    struct report report;
    report_begin(&report, call);
    json_string(&report.json, "first", call->input);
    json_string(&report.json, "second", call->second);
    json_string(&report.json, "layer", layer->name);
    json_string(&report.json, "unit", layer->unit);
    json_count(&report.json, "cells", found->cells);
    json_count(&report.json, "only_first", found->only_first);
    json_count(&report.json, "only_second", found->only_second);
    report_text(&report, "%s: %zu cells in both maps, %zu in the first alone, %zu in the second alone\n", layer->name,
                found->cells, found->only_first, found->only_second);
    report_choice(&report, choice);
    if (is_of_classes)
        report_differing_classes(&report, found);
    else
        /* a difference of powers in dBm is in dB */
        report_difference(&report, strcmp(layer->unit, "dBm") == 0 ? "dB" : layer->unit, found);
    report_file(&report, "file", settings->out);
    report_version(&report);
    report_end(&report);
}

static int draw_difference_over(struct call *call, const rw_map *difference, const rw_scene *scene)
{
    const struct compare_settings *settings = call->settings;
    rw_map_draw_options options;
    rw_map_draw_options_init(&options);
    options.value_min = settings->range[0];
    options.value_max = settings->range[1];
    options.width_px = settings->width_px;
    options.scene = scene;
    TRY_RW(call, rw_map_draw(difference, &options, settings->out));
    return 0;
}

/* The first band of the difference. */
static int draw_difference(struct call *call, const rw_map *difference)
{
    const struct compare_settings *settings = call->settings;
    rw_scene *scene = NULL;
    int exit_status = settings->scene.file ? open_scene(call, &settings->scene, settings->scene.file, &scene) : 0;
    if (!exit_status)
        exit_status = draw_difference_over(call, difference, scene);
    rw_scene_destroy(scene);
    return exit_status;
}

static int compare_maps(struct call *call, const rw_map *first, const rw_map *second, const struct map_choice *choice,
                        rw_map **difference)
{
    const struct compare_settings *settings = call->settings;
    rw_map_compare_options options;
    rw_map_compare_options_init(&options);
    options.band = choice->band;
    options.above = is_category(first) ? 0.5 : settings->above;
    rw_map_difference found = {.size = sizeof found};
    rw_map_layer layer = {.size = sizeof layer};
    TRY_RW(call, rw_map_compare(first, second, &options, &found, settings->out ? difference : NULL));
    TRY_RW(call, rw_map_get_layer(first, 0, &layer));
    if (settings->out)
        TRY(draw_difference(call, *difference));
    report_comparison(call, choice, is_category(first), &layer, &found);
    return 0;
}

/* Checks what can be checked before anything is read. Returns the exit status. */
static int check_compare_call(const struct call *call)
{
    const struct compare_settings *settings = call->settings;
    if (!call->second)
        return report_error("compare needs two maps: rasterwave compare MAP MAP");
    TRY(check_transmitter_number(settings->transmitter));
    TRY(check_picture_name("out", settings->out));
    return check_output_file("out", settings->out);
}

static int read_compared_map(struct call *call, const char *input, rw_map **map, struct map_choice *choice)
{
    const struct compare_settings *settings = call->settings;
    char path[MAP_PATH_SIZE];
    TRY(find_map_file(input, settings->layer, path));
    TRY_RW(call, rw_map_read(call->context, path, map));
    return choose_transmitter_of_map(call, *map, settings->transmitter, choice);
}

static int compare_files(struct call *call, rw_map *maps[3])
{
    TRY(check_compare_call(call));
    struct map_choice choices[2];
    TRY(read_compared_map(call, call->input, &maps[0], &choices[0]));
    TRY(read_compared_map(call, call->second, &maps[1], &choices[1]));
    return compare_maps(call, maps[0], maps[1], &choices[0], &maps[2]);
}

static int run_compare(struct call *call)
{
    rw_map *maps[3] = {NULL, NULL, NULL}; /* first, second, difference */
    int exit_status = compare_files(call, maps);
    for (int i = 0; i < 3; i++)
        rw_map_destroy(maps[i]);
    return exit_status;
}

#define AT(member) offsetof(struct compare_settings, member)
static const struct command_option compare_options[] = {{"layer", AT(layer)},
                                                        {"transmitter", AT(transmitter)},
                                                        {"above", AT(above)},
                                                        {"range", AT(range)},
                                                        {"width", AT(width_px)},
                                                        {"scene", AT(scene.file)},
                                                        {"terrain", AT(scene.terrain)},
                                                        {"crs", AT(scene.crs)},
                                                        {"height-field", AT(scene.height_field)},
                                                        {"storeys-field", AT(scene.storeys_field)},
                                                        {"height-unit", AT(scene.height_unit)},
                                                        {"out", AT(out)},
                                                        {"json", OF_CALL},
                                                        {"quiet", OF_CALL},
                                                        {"allow-outside", OF_CALL},
                                                        {NULL, 0}};
#undef AT

static const struct compare_settings compare_defaults = {.transmitter = -1, .above = 10};

const struct command compare_command = {
    .name = "compare",
    .summary = "how far one map is from another; repeat: a map computed again and compared",
    .input = "MAP MAP",
    .options = compare_options,
    .settings_size = sizeof(struct compare_settings),
    .defaults = &compare_defaults,
    .examples = {"rasterwave compare out/images out/sbr",
                 "rasterwave compare a.tif b.tif --above 3dB --out difference.png"},
    .run = run_compare};
