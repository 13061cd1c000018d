/* compare: how far one map is from another, and a picture of the difference. */
#include "report/json.h"

#include "command.h"

#include <stdio.h>

static void print_comparison_json(const struct settings *settings, const rw_map_layer *layer,
                                  const rw_map_difference *found)
{
    struct json json;
    json_begin(&json, stdout);
    json_string(&json, "first", settings->input);
    json_string(&json, "second", settings->second);
    json_string(&json, "layer", layer->name);
    json_string(&json, "unit", layer->unit);
    json_count(&json, "cells", found->cells);
    json_count(&json, "only_first", found->only_first);
    json_count(&json, "only_second", found->only_second);
    json_number(&json, "mean", found->mean);
    json_number(&json, "rms", found->rms);
    json_number(&json, "max", found->max);
    json_number(&json, "max_x_m", found->max_x_m);
    json_number(&json, "max_y_m", found->max_y_m);
    json_number(&json, "above", found->above);
    json_number(&json, "share_above", found->fraction_above);
    if (settings->out)
        json_string(&json, "file", settings->out);
    json_string(&json, "version", rw_version());
    json_end(&json);
}

static void print_comparison(const struct settings *settings, const rw_map_layer *layer, const rw_map_difference *found)
{
    const char *unit = layer->unit;
    printf("%s: %zu cells in both maps, %zu in the first alone, %zu in the second alone\n", layer->name, found->cells,
           found->only_first, found->only_second);
    if (found->cells) {
        printf("difference: mean %.3g %s, RMS %.3g %s, largest %.3g %s at %.10g, %.10g\n", found->mean, unit,
               found->rms, unit, found->max, unit, found->max_x_m, found->max_y_m);
        printf("above %g %s: %.3g %% of the cells\n", found->above, unit, 100 * found->fraction_above);
    }
    if (settings->out)
        puts(settings->out);
}

/* The first band of the difference. */
static int draw_difference(struct call *call, const rw_map *difference)
{
    const struct settings *settings = &call->settings;
    rw_map_draw_options options;
    rw_scene *scene = NULL;
    rw_map_draw_options_init(&options);
    options.value_min = settings->range[0];
    options.value_max = settings->range[1];
    options.width_px = settings->width_px;
    int exit_status = settings->scene ? open_scene(call, settings->scene, &scene) : 0;
    options.scene = scene;
    if (!exit_status) {
        rw_status status = rw_map_draw(difference, &options, settings->out);
        exit_status = status == RW_OK ? 0 : report_status(call, status);
    }
    rw_scene_destroy(scene);
    return exit_status;
}

static int compare_maps(struct call *call, const rw_map *first, const rw_map *second)
{
    const struct settings *settings = &call->settings;
    rw_map_compare_options options;
    rw_map_compare_options_init(&options);
    options.band = (size_t)settings->band - 1;
    options.above = settings->above;
    rw_map_difference found = {.size = sizeof found};
    rw_map_layer layer = {.size = sizeof layer};
    rw_map *difference = NULL;
    rw_status status = rw_map_compare(first, second, &options, &found, settings->out ? &difference : NULL);
    if (status == RW_OK)
        status = rw_map_get_layer(first, 0, &layer);
    int exit_status = status == RW_OK ? 0 : report_status(call, status);
    if (!exit_status && settings->out)
        exit_status = draw_difference(call, difference);
    if (!exit_status && settings->json)
        print_comparison_json(settings, &layer, &found);
    else if (!exit_status && !settings->quiet)
        print_comparison(settings, &layer, &found);
    rw_map_destroy(difference);
    return exit_status;
}

/* Checks what can be checked before anything is read. Returns the exit status. */
static int check_compare_call(const struct settings *settings)
{
    if (!settings->second)
        return report_error("compare needs two maps: rasterwave compare MAP MAP");
    if (settings->band < 1)
        return report_error("--band %d: bands are counted from 1", settings->band);
    int exit_status = check_picture_name("out", settings->out);
    return exit_status ? exit_status : check_output_file("out", settings->out);
}

int command_compare(struct call *call)
{
    const struct settings *settings = &call->settings;
    const char *inputs[2] = {settings->input, settings->second};
    rw_map *maps[2] = {NULL, NULL};
    int exit_status = check_compare_call(settings);
    for (int i = 0; !exit_status && i < 2; i++) {
        char path[MAP_PATH_SIZE];
        exit_status = find_map_file(inputs[i], settings->layer, path);
        if (exit_status)
            break;
        rw_status status = rw_map_read(call->context, path, &maps[i]);
        exit_status = status == RW_OK ? 0 : report_status(call, status);
    }
    if (!exit_status)
        exit_status = compare_maps(call, maps[0], maps[1]);
    rw_map_destroy(maps[0]);
    rw_map_destroy(maps[1]);
    return exit_status;
}
