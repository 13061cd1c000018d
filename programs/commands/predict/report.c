/* The end of a prediction: what was written and how long it took, as text or as JSON. */
#include "report/json.h"
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

static void report_mechanisms(const rw_map_info *info, const rw_map_layer *layer)
{
    size_t counts[MECHANISMS];
    int first = 1;
    if (!count_mechanisms(info, layer, counts))
        return;
    for (int kind = 0; kind < MECHANISMS; kind++) {
        if (!counts[kind])
            continue;
        printf("%s%zu by %s", first ? "  cells: " : ", ", counts[kind], mechanisms[kind]);
        first = 0;
    }
    if (!first)
        puts(strcmp(info->prior, "none") == 0 ? "" : " (of the paths, before the prior)");
}

static void report_mechanisms_json(struct json *json, const rw_map_info *info, const rw_map_layer *layer)
{
    size_t counts[MECHANISMS];
    if (!count_mechanisms(info, layer, counts))
        return;
    json_object(json, "cells");
    for (int kind = 0; kind < MECHANISMS; kind++)
        json_count(json, mechanisms[kind], counts[kind]);
    json_object_end(json);
}

static void report_layer_json(struct json *json, const rw_map_info *info, const struct written_layer *written,
                              const rw_map_layer *layer)
{
    json_object(json, NULL);
    json_string(json, "name", layer->name);
    json_string(json, "unit", layer->unit);
    json_count(json, "bands", layer->bands);
    json_number(json, "min", layer->min);
    json_number(json, "max", layer->max);
    json_count(json, "count", layer->count);
    report_mechanisms_json(json, info, layer);
    json_string(json, "file", written->raster);
    json_list(json, "pictures");
    for (size_t i = 0; i < written->picture_count; i++)
        json_string(json, NULL, written->pictures[i]);
    json_list_end(json);
    json_object_end(json);
}

static void print_prediction_json(const struct call *call, const struct prediction *prediction, const rw_map_info *info)
{
    struct json json;
    json_begin(&json, stdout);
    json_string(&json, "model", info->model);
    json_string(&json, "backend", info->backend);
    json_string(&json, "prior", info->prior);
    json_count(&json, "cells", info->columns * info->rows);
    json_count(&json, "columns", info->columns);
    json_count(&json, "rows", info->rows);
    json_count(&json, "transmitters", prediction->request.options.transmitter_count);
    json_object(&json, "seconds");
    json_number(&json, "load", prediction->request.load_s);
    json_number(&json, "prepare", prediction->prepare_s);
    json_number(&json, "solve", prediction->solve_s);
    json_number(&json, "write", prediction->write_s);
    json_object_end(&json);
    json_number(&json, "peak_memory_bytes", peak_memory_bytes());
    json_list(&json, "layers");
    for (size_t i = 0; i < prediction->layer_count; i++) {
        rw_map_layer layer = {.size = sizeof layer};
        if (rw_map_get_layer(prediction->map, i, &layer) == RW_OK)
            report_layer_json(&json, info, &prediction->layers[i], &layer);
    }
    json_list_end(&json);
    if (*prediction->histogram)
        json_string(&json, "histogram", prediction->histogram);
    if (*prediction->plane_file)
        json_string(&json, "hdf5", prediction->plane_file);
    if (call->settings.tiles)
        json_string(&json, "tiles", call->settings.tiles);
    if (call->settings.beam_outlines)
        json_string(&json, "beam_outlines", call->settings.beam_outlines);
    if (call->settings.diffraction_sources)
        json_string(&json, "diffraction_sources", call->settings.diffraction_sources);
    if (model_argument_value(call, "reuse"))
        json_string(&json, "reuse", model_argument_value(call, "reuse"));
    if (call->settings.storey_table)
        json_string(&json, "storeys", call->settings.storey_table);
    if (call->settings.report)
        json_string(&json, "report", call->settings.report);
    report_coverage_json(call, prediction, &json);
    json_list(&json, "left_out");
    for (size_t i = 0; i < call->skipped_count; i++)
        json_string(&json, NULL, call->skipped[i]);
    json_list_end(&json);
    json_list(&json, "warnings");
    for (size_t i = 0; i < call->warning_count; i++)
        json_string(&json, NULL, call->warnings[i]);
    json_list_end(&json);
    json_string(&json, "version", rw_version());
    json_string(&json, "machine", rw_context_machine(call->context));
    json_end(&json);
}

static void print_prediction(const struct call *call, const struct prediction *prediction, const rw_map_info *info)
{
    printf("model %s on %s: %zu x %zu cells of %g m, %zu transmitter%s\n", info->model, info->backend, info->columns,
           info->rows, info->res_m, prediction->request.options.transmitter_count,
           prediction->request.options.transmitter_count == 1 ? "" : "s");
    for (size_t i = 0; i < call->skipped_count; i++)
        printf("%s%s\n", i ? "  " : "sites left out:\n  ", call->skipped[i]);
    if (strcmp(info->prior, "none") != 0)
        printf("prior %s: out of sight losses are drawn towards the median of cities\n", info->prior);
    for (size_t i = 0; i < prediction->layer_count; i++) {
        const struct written_layer *written = &prediction->layers[i];
        rw_map_layer layer = {.size = sizeof layer};
        if (rw_map_get_layer(prediction->map, i, &layer) != RW_OK)
            continue;
        if (isnan(layer.min))
            printf("%s: no value in any cell\n  %s\n", layer.name, written->raster);
        else
            printf("%s: %g to %g%s%s in %zu cells\n  %s\n", layer.name, layer.min, layer.max, layer.unit[0] ? " " : "",
                   layer.unit, layer.count, written->raster);
        for (size_t k = 0; k < written->picture_count; k++)
            printf("  %s\n", written->pictures[k]);
        if (written->picture_count && layer.bands > written->picture_count)
            printf("  (%zu bands more are in the raster; rasterwave render draws them)\n",
                   layer.bands - written->picture_count);
        report_mechanisms(info, &layer);
    }
    if (*prediction->histogram)
        printf("delays:\n  %s\n", prediction->histogram);
    if (*prediction->plane_file)
        printf("with places:\n  %s\n", prediction->plane_file);
    if (call->settings.tiles)
        printf("tiles:\n  %s\n", call->settings.tiles);
    if (model_argument_value(call, "reuse"))
        printf("paths kept for --reuse:\n  %s\n", model_argument_value(call, "reuse"));
    if (call->settings.storey_table)
        printf("storeys:\n  %s\n", call->settings.storey_table);
    if (call->settings.report)
        printf("report:\n  %s\n", call->settings.report);
    report_coverage(call, prediction);
    printf("seconds: load %.3f, prepare %.3f, solve %.3f, write %.3f; peak memory %.0f MB\n",
           prediction->request.load_s, prediction->prepare_s, prediction->solve_s, prediction->write_s,
           peak_memory_bytes() / 1e6);
}

void report_prediction(const struct call *call, const struct prediction *prediction)
{
    rw_map_info info = {.size = sizeof info};
    rw_map_get_info(prediction->map, &info);
    if (call->settings.json)
        print_prediction_json(call, prediction, &info);
    else
        print_prediction(call, prediction, &info);
}
