/* Coverage: the share of a prediction's area and of its receivers above a power level, by each transmitter and by all.
 */
#include "cli/cli.h"
#include "commands/predict/predict.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int is_layer_listed(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (; *list; list += strcspn(list, ","), list += *list == ',')
        if (strcspn(list, ",") == length && strncmp(list, name, length) == 0)
            return 1;
    return 0;
}

static const char *default_layers(const char *model)
{
    for (size_t i = 0; i < rw_model_count(); i++)
        if (strcmp(rw_model_name(i), model) == 0)
            return rw_model_default_layers(i);
    return ""; /* the library says that there is no such model */
}

/* Layers of the map and those of --level. */
static int list_layers(struct prediction *prediction, const struct level_list *levels, int has_power_level)
{
    rw_predict_options *options = &prediction->request.options;
    char *list = prediction->layer_list;
    size_t size = sizeof prediction->layer_list;
    int several = !options->layers && options->transmitter_count > 1;
    int sigma = !options->layers && options->sigma != NULL && has_power_level;
    const char *layers = options->layers ? options->layers : default_layers(options->model);
    int length = snprintf(list, size, "%s", layers), added = 0;
    for (size_t i = 0; i < levels->count && length > 0 && (size_t)length < size; i++) {
        if (is_layer_listed(list, levels->items[i].layer))
            continue;
        length += snprintf(list + length, size - (size_t)length, ",%s", levels->items[i].layer);
        added++;
    }
    if (length > 0 && (size_t)length < size)
        length += snprintf(list + length, size - (size_t)length, "%s%s", several ? ",best,ci" : "",
                           sigma ? ",sigma,coverage_probability" : "");
    if (length < 0 || (size_t)length >= size)
        return report_error("--layers %.40s...: the list is too long", layers);
    if (added || several || sigma)
        options->layers = list;
    return 0;
}

int request_level_layers(const struct call *call, struct prediction *prediction)
{
    struct predict_settings *settings = call->settings;
    rw_predict_options *options = &prediction->request.options;
    rw_model_option_info info;
    for (size_t i = 0; i < settings->levels.count; i++)
        TRY(resolve_level(&settings->levels.items[i], options->layers, "power"));
    double level_dbm = find_level(&settings->levels, "power");
    if (find_model_option(options->model, "level", &info))
        options->level_dbm = level_dbm;
    return settings->levels.count ? list_layers(prediction, &settings->levels, !isnan(level_dbm)) : 0;
}

/* What cells with a receiver are: between buildings they are the streets, squares and courtyards, unless buildings have
 * values too; floor plans and rooms of meshes have none. */
static const char *receivers_of(const struct call *call, const struct prediction *prediction)
{
    rw_model_option_info info;
    rw_scene_info scene = {.size = sizeof scene};
    if (rw_scene_get_info(prediction->request.scene, &scene) != RW_OK || scene.buildings == 0)
        return "cells with a receiver";
    int outdoor_model = find_model_option(prediction->request.options.model, "indoor", &info);
    return outdoor_model && !model_argument_value(call, "indoor") ? "streets" : "cells with a receiver";
}

static const char *name_of(const struct prediction *prediction, size_t band)
{
    return band == RW_ALL_BANDS ? "all together" : prediction->request.options.transmitters[band].name;
}

static void write_coverage(struct json *json, const struct call *call, const struct prediction *prediction, size_t band,
                           const rw_coverage *coverage)
{
    json_object(json, band == RW_ALL_BANDS ? "all" : NULL);
    if (band != RW_ALL_BANDS)
        json_string(json, "name", name_of(prediction, band));
    json_count(json, "covered_cells", coverage->covered_cells);
    json_number(json, "area_percent", 100 * coverage->fraction_of_area);
    json_number(json, "receiver_percent", 100 * coverage->fraction_of_outdoor);
    if (strcmp(receivers_of(call, prediction), "streets") == 0)
        json_number(json, "street_percent", 100 * coverage->fraction_of_outdoor);
    json_object_end(json);
}

static void print_coverage(struct report *report, const struct call *call, const struct prediction *prediction,
                           size_t band, const struct level *level, const rw_coverage *coverage)
{
    char text[80];
    describe_level(level, text, sizeof text);
    report_text(report, "%s by %s: %.2f %% of the area, %.2f %% of the %s\n", text, name_of(prediction, band),
                100 * coverage->fraction_of_area, 100 * coverage->fraction_of_outdoor, receivers_of(call, prediction));
}

static size_t count_bands(const struct prediction *prediction, const char *name)
{
    size_t index;
    rw_map_layer layer = {.size = sizeof layer};
    int found = rw_map_find_layer(prediction->map, name, &index) == RW_OK &&
                rw_map_get_layer(prediction->map, index, &layer) == RW_OK;
    return found ? layer.bands : 0;
}

static void report_level(struct report *report, const struct call *call, const struct prediction *prediction,
                         const struct level *level, const char *key)
{
    size_t count = count_bands(prediction, level->layer);
    rw_coverage all = {.size = sizeof all}, coverage = {.size = sizeof coverage};
    struct json *json = &report->json;
    if (rw_map_layer_coverage(prediction->map, level->layer, RW_ALL_BANDS, level->value, &all) != RW_OK)
        return;
    json_object(json, key);
    json_string(json, "layer", level->layer);
    json_number(json, "level", level->value);
    json_string(json, "unit", level->unit);
    if (strcmp(level->unit, "dBm") == 0)
        json_number(json, "level_dbm", level->value);
    json_count(json, "cells", all.cells);
    json_count(json, "receiver_cells", all.outdoor_cells);
    if (strcmp(receivers_of(call, prediction), "streets") == 0)
        json_count(json, "street_cells", all.outdoor_cells);
    write_coverage(json, call, prediction, RW_ALL_BANDS, &all);
    json_list(json, "transmitters");
    int of_each = count == prediction->request.options.transmitter_count;
    for (size_t i = 0; of_each && i < count; i++) {
        if (rw_map_layer_coverage(prediction->map, level->layer, i, level->value, &coverage) != RW_OK)
            continue;
        write_coverage(json, call, prediction, i, &coverage);
        print_coverage(report, call, prediction, i, level, &coverage);
    }
    json_list_end(json);
    json_object_end(json);
    if (count > 1 || !of_each)
        print_coverage(report, call, prediction, RW_ALL_BANDS, level, &all);
}

void report_coverage(struct report *report, const struct call *call, const struct prediction *prediction)
{
    const struct predict_settings *settings = call->settings;
    const struct level_list *levels = &settings->levels;
    if (levels->count)
        report_level(report, call, prediction, &levels->items[0], "coverage");
    if (levels->count < 2)
        return;
    json_list(&report->json, "more_coverage");
    for (size_t i = 1; i < levels->count; i++)
        report_level(report, call, prediction, &levels->items[i], NULL);
    json_list_end(&report->json);
}
