/* Coverage: the share of a prediction's area and of its receivers above a power level, by each transmitter and by all.
 */
#include "cli/options.h"
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

int request_power_layer(const struct call *call, struct prediction *prediction)
{
    const struct predict_settings *settings = call->settings;
    rw_predict_options *options = &prediction->request.options;
    rw_model_option_info info;
    if (find_model_option(options->model, "level", &info))
        options->level_dbm = settings->level_dbm;
    if (isnan(settings->level_dbm) || (options->layers && is_layer_listed(options->layers, "power")))
        return 0;
    int several = !options->layers && options->transmitter_count > 1;
    int sigma = !options->layers && options->sigma != RW_UNSET;
    const char *layers = options->layers ? options->layers : default_layers(options->model);
    int length = snprintf(prediction->layer_list, sizeof prediction->layer_list, "%s,power%s%s", layers,
                          several ? ",best,ci" : "", sigma ? ",sigma,coverage_probability" : "");
    if (length < 0 || (size_t)length >= sizeof prediction->layer_list)
        return report_error("--layers %.40s...: the list is too long", layers);
    options->layers = prediction->layer_list;
    return 0;
}

/* What cells with a receiver are: between buildings they are the streets, squares and courtyards, unless buildings have
 * values too; indoor models have rooms. */
static const char *receivers_of(const struct call *call, const struct prediction *prediction)
{
    rw_model_option_info info;
    rw_scene_info scene = {.size = sizeof scene};
    if (rw_scene_get_info(prediction->request.scene, &scene) != RW_OK || scene.buildings + scene.meshes == 0)
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
                           size_t band, const rw_coverage *coverage)
{
    const struct predict_settings *settings = call->settings;
    report_text(report, "%g dBm or more by %s: %.2f %% of the area, %.2f %% of the %s\n", settings->level_dbm,
                name_of(prediction, band), 100 * coverage->fraction_of_area, 100 * coverage->fraction_of_outdoor,
                receivers_of(call, prediction));
}

void report_coverage(struct report *report, const struct call *call, const struct prediction *prediction)
{
    const struct predict_settings *settings = call->settings;
    size_t count = prediction->request.options.transmitter_count;
    double level_dbm = settings->level_dbm;
    rw_coverage all = {.size = sizeof all}, coverage = {.size = sizeof coverage};
    struct json *json = &report->json;
    if (isnan(level_dbm) || rw_map_coverage(prediction->map, RW_ALL_BANDS, level_dbm, &all) != RW_OK)
        return;
    json_object(json, "coverage");
    json_number(json, "level_dbm", level_dbm);
    json_count(json, "cells", all.cells);
    json_count(json, "receiver_cells", all.outdoor_cells);
    if (strcmp(receivers_of(call, prediction), "streets") == 0)
        json_count(json, "street_cells", all.outdoor_cells);
    write_coverage(json, call, prediction, RW_ALL_BANDS, &all);
    json_list(json, "transmitters");
    for (size_t i = 0; i < count; i++) {
        if (rw_map_coverage(prediction->map, i, level_dbm, &coverage) != RW_OK)
            continue;
        write_coverage(json, call, prediction, i, &coverage);
        print_coverage(report, call, prediction, i, &coverage);
    }
    json_list_end(json);
    json_object_end(json);
    if (count > 1)
        print_coverage(report, call, prediction, RW_ALL_BANDS, &all);
}
