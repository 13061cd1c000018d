/* compare: how far one map is from another, also by zones, and the difference as a raster or a picture. */
#include "command.h"

#include <math.h>
#include <string.h>
#include <strings.h>

/* Options of compare. */
struct compare_settings {
    struct scene_options scene;
    const char *layer, *out, *zones, *name_field;
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

static void report_difference_zones(struct report *report, const rw_zone_table *table)
{
    struct json *json = &report->json;
    if (!table)
        return;
    json_list(json, "zones");
    report_text(report, "%-24s %9s %9s %9s %9s %9s\n", "zone", "cells", "mean", "median", "least", "largest");
    for (size_t i = 0; i < rw_zone_table_count(table); i++) {
        rw_zone_row row = {.size = sizeof row};
        if (rw_zone_table_get(table, i, &row) != RW_OK)
            continue;
        json_object(json, NULL);
        json_string(json, "name", row.name);
        json_count(json, "cells", row.receivers);
        json_number(json, "mean", row.mean);
        json_number(json, "median", row.median);
        json_number(json, "min", row.min);
        json_number(json, "max", row.max);
        json_object_end(json);
        report_text(report, "%-24.24s %9zu %9.2f %9.2f %9.2f %9.2f\n", row.name, row.receivers, row.mean, row.median,
                    row.min, row.max);
    }
    json_list_end(json);
}

static void report_comparison(const struct call *call, const struct map_choice *choice, int is_of_classes,
                              const rw_map_layer *layer, const rw_map_difference *found, const rw_zone_table *table)
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
        report_difference(&report, strncmp(layer->unit, "dB", 2) == 0 ? "dB" : layer->unit, found);
    report_difference_zones(&report, table);
    report_file(&report, "file", settings->out);
    report_version(&report);
    report_end(&report);
}

static int draw_difference_over(struct call *call, const rw_map *difference, rw_scene **scene)
{
    const struct compare_settings *settings = call->settings;
    rw_map_draw_options options;
    if (settings->scene.file)
        TRY(open_scene(call, &settings->scene, settings->scene.file, scene));
    rw_map_draw_options_init(&options);
    options.value_min = settings->range[0];
    options.value_max = settings->range[1];
    options.width_px = settings->width_px;
    options.scene = *scene;
    TRY_RW(call, rw_map_draw(difference, &options, settings->out));
    return 0;
}

/* The first band of the difference. */
static int draw_difference(struct call *call, const rw_map *difference)
{
    rw_scene *scene = NULL;
    int exit_status = draw_difference_over(call, difference, &scene);
    rw_scene_destroy(scene);
    return exit_status;
}

static int is_raster_name(const char *path)
{
    const char *dot = path ? strrchr(path, '.') : NULL;
    return dot && (strcasecmp(dot, ".tif") == 0 || strcasecmp(dot, ".tiff") == 0 || strcasecmp(dot, ".bin") == 0);
}

/* Second less first by zones. */
static int count_difference_zones(struct call *call, const rw_map *difference, rw_zone_table **table)
{
    const struct compare_settings *settings = call->settings;
    rw_zone_options options;
    if (!settings->zones)
        return 0;
    rw_zone_options_init(&options);
    options.zones = settings->zones;
    options.name_field = settings->name_field;
    options.level = NAN;
    options.band = 0;
    TRY_RW(call, rw_map_zone_statistics(difference, &options, table));
    return 0;
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
    rw_zone_table *table = NULL;
    TRY_RW(call, rw_map_compare(first, second, &options, &found, settings->out || settings->zones ? difference : NULL));
    TRY_RW(call, rw_map_get_layer(first, 0, &layer));
    if (is_raster_name(settings->out))
        TRY_RW(call, rw_map_write_file(*difference, 0, settings->out));
    else if (settings->out)
        TRY(draw_difference(call, *difference));
    TRY(count_difference_zones(call, *difference, &table));
    report_comparison(call, choice, is_category(first), &layer, &found, table);
    rw_zone_table_destroy(table);
    return 0;
}

/* Checks what can be checked before anything is read. Returns the exit status. */
static int check_compare_call(const struct call *call)
{
    const struct compare_settings *settings = call->settings;
    if (!call->second)
        return report_error("compare needs two maps: rasterwave compare MAP MAP");
    TRY(check_transmitter_number(settings->transmitter));
    if (!is_raster_name(settings->out))
        TRY(check_picture_name("out", settings->out));
    if (settings->scene.file && (!settings->out || is_raster_name(settings->out)))
        return report_error("--scene is of the picture of differences: give --out FILE.png");
    TRY(check_scene_is_named(&settings->scene));
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
                                                        {"zones", AT(zones)},
                                                        {"name-field", AT(name_field)},
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
    .is_served = 1,
    .options = compare_options,
    .settings_size = sizeof(struct compare_settings),
    .defaults = &compare_defaults,
    .examples = {"rasterwave compare out/images out/sbr",
                 "rasterwave compare a.tif b.tif --above 3dB --zones districts.gpkg --out difference.tif"},
    .run = run_compare};
