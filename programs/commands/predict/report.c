/* The end of a prediction: what was written and how long it took, as text or as JSON. */
#include "commands/predict/predict.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

static double peak_memory_bytes(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? 1024.0 * (double)usage.ru_maxrss : 0;
}

/* Cells of each value of the layer mechanism, all transmitters together, so that it is seen without the map how many
 * receivers are reached only through walls. */
static const char *const mechanisms[] = {"line of sight", "street corners", "roofs",
                                         "walls",         "reflection",     "several kinds"};
enum { MECHANISMS = sizeof mechanisms / sizeof *mechanisms };

static int count_mechanisms(const rw_map_info *info, const rw_map_layer *layer, size_t counts[MECHANISMS])
{
    if (strcmp(layer->name, "mechanism") != 0)
        return 0;
    for (int kind = 0; kind < MECHANISMS; kind++)
        counts[kind] = 0;
    for (size_t i = 0; i < layer->bands * info->columns * info->rows; i++)
        for (int kind = 0; kind < MECHANISMS; kind++)
            counts[kind] += layer->values[i] == (float)kind;
    return 1;
}

static void report_mechanisms(struct report *report, const rw_map_info *info, const rw_map_layer *layer)
{
    size_t counts[MECHANISMS];
    int first = 1;
    if (!count_mechanisms(info, layer, counts))
        return;
    json_object(&report->json, "cells");
    for (int kind = 0; kind < MECHANISMS; kind++) {
        json_count(&report->json, mechanisms[kind], counts[kind]);
        if (!counts[kind])
            continue;
        report_text(report, "%s%zu by %s", first ? "  cells: " : ", ", counts[kind], mechanisms[kind]);
        first = 0;
    }
    json_object_end(&report->json);
    if (!first)
        report_text(report, strcmp(info->prior, "none") == 0 ? "\n" : " (of the paths, before the prior)\n");
}

/* Receivers without a path, which are no values of the layer. */
static size_t count_without_path(const rw_map_info *info, const rw_map_layer *layer)
{
    size_t count = 0;
    for (size_t i = 0; i < layer->bands * info->columns * info->rows; i++)
        count += isinf(layer->values[i]) != 0;
    return count;
}

static void report_layer(struct report *report, const rw_map_info *info, const struct written_layer *written,
                         const rw_map_layer *layer)
{
    struct json *json = &report->json;
    json_object(json, NULL);
    json_string(json, "name", layer->name);
    json_string(json, "unit", layer->unit);
    json_count(json, "bands", layer->bands);
    json_number(json, "min", layer->min);
    json_number(json, "max", layer->max);
    size_t without_path = count_without_path(info, layer);
    json_count(json, "count", layer->count - without_path);
    json_count(json, "without_path", without_path);
    if (isnan(layer->min))
        report_text(report, "%s: no value in any cell\n  %s\n", layer->name, written->raster);
    else if (without_path)
        report_text(report, "%s: %g to %g%s%s in %zu cells, no path in %zu\n  %s\n", layer->name, layer->min,
                    layer->max, layer->unit[0] ? " " : "", layer->unit, layer->count - without_path, without_path,
                    written->raster);
    else
        report_text(report, "%s: %g to %g%s%s in %zu cells\n  %s\n", layer->name, layer->min, layer->max,
                    layer->unit[0] ? " " : "", layer->unit, layer->count, written->raster);
    for (size_t i = 0; i < written->picture_count; i++)
        report_text(report, "  %s\n", written->pictures[i]);
    if (written->picture_count && layer->bands > written->picture_count)
        report_text(report, "  (%zu bands more are in the raster; rasterwave render draws them)\n",
                    layer->bands - written->picture_count);
    report_mechanisms(report, info, layer);
    json_string(json, "file", written->raster);
    json_list(json, "pictures");
    for (size_t i = 0; i < written->picture_count; i++)
        json_string(json, NULL, written->pictures[i]);
    json_list_end(json);
    json_object_end(json);
}

/* A file with a heading in the text. */
static void report_named_file(struct report *report, const char *key, const char *heading, const char *path)
{
    if (!path || !*path)
        return;
    json_string(&report->json, key, path);
    if (heading)
        report_text(report, "%s:\n  %s\n", heading, path);
}

static void report_prediction_files(struct report *report, const struct call *call, const struct prediction *of)
{
    const struct predict_settings *settings = call->settings;
    report_named_file(report, "histogram", "delays", of->histogram);
    report_named_file(report, "hdf5", "with places", of->plane_file);
    report_named_file(report, "tiles", "tiles", settings->tiles);
    report_named_file(report, "beam_outlines", NULL, settings->beam_outlines);
    report_named_file(report, "diffraction_sources", NULL, settings->diffraction_sources);
    report_named_file(report, "reuse", "paths kept for --reuse", model_argument_value(call, "reuse"));
    report_named_file(report, "storeys", "storeys", settings->storey_table);
    report_named_file(report, "report", "report", settings->report);
}

/* Defaults that the run has used, in one line. */
static void report_defaults(struct report *report, struct call *call, const struct prediction *prediction,
                            const rw_map_info *info)
{
    const struct predict_settings *settings = call->settings;
    char text[400];
    describe_defaults(call, &settings->inputs, &prediction->request, info, text, sizeof text);
    json_string(&report->json, "defaults", text);
    if (*text)
        report_text(report, "defaults: %s\n", text);
}

static void report_run(struct report *report, struct call *call, const struct prediction *prediction,
                       const rw_map_info *info)
{
    struct json *json = &report->json;
    size_t transmitters = prediction->request.options.transmitter_count;
    json_string(json, "model", info->model);
    json_string(json, "backend", info->backend);
    json_string(json, "prior", info->prior);
    json_count(json, "cells", info->columns * info->rows);
    json_count(json, "columns", info->columns);
    json_count(json, "rows", info->rows);
    json_count(json, "transmitters", transmitters);
    json_object(json, "seconds");
    json_number(json, "load", prediction->request.load_s);
    json_number(json, "prepare", prediction->prepare_s);
    json_number(json, "solve", prediction->solve_s);
    json_number(json, "write", prediction->write_s);
    json_object_end(json);
    json_number(json, "peak_memory_bytes", peak_memory_bytes());
    report_text(report, "model %s on %s: %zu x %zu cells of %g m, %zu transmitter%s\n", info->model, info->backend,
                info->columns, info->rows, info->res_m, transmitters, transmitters == 1 ? "" : "s");
    for (size_t i = 0; i < call->skipped_count; i++)
        report_text(report, "%s%s\n", i ? "  " : "sites left out:\n  ", call->skipped[i]);
    report_defaults(report, call, prediction, info);
    if (strcmp(info->prior, "none") != 0)
        report_text(report, "prior %s: losses are composed with an empirical median\n", info->prior);
}

void report_prediction(struct call *call, const struct prediction *prediction)
{
    const struct predict_settings *settings = call->settings;
    struct report report;
    rw_map_info info = {.size = sizeof info};
    rw_map_get_info(prediction->map, &info);
    report_begin(&report, call);
    report_run(&report, call, prediction, &info);
    json_list(&report.json, "layers");
    for (size_t i = 0; i < prediction->layer_count; i++) {
        rw_map_layer layer = {.size = sizeof layer};
        if (rw_map_get_layer(prediction->map, i, &layer) == RW_OK)
            report_layer(&report, &info, &prediction->layers[i], &layer);
    }
    json_list_end(&report.json);
    report_prediction_files(&report, call, prediction);
    if (settings->levels.count)
        report_coverage(&report, call, prediction);
    report_skipped(&report, call);
    report_warnings(&report, call);
    report_version(&report);
    json_string(&report.json, "machine", rw_context_machine(call->context));
    report_text(&report, "seconds: load %.3f, prepare %.3f, solve %.3f, write %.3f; peak memory %.0f MB\n",
                prediction->request.load_s, prediction->prepare_s, prediction->solve_s, prediction->write_s,
                peak_memory_bytes() / 1e6);
    report_end(&report);
}
