/* Predictions for requests: one band of one layer as 16-bit numbers. */
#include "report/json.h"
#include "commands/predict/predict.h"
#include "serve/serving.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Codes of cells; values begin at CODE_VALUE. */
enum { CODE_NONE, CODE_NO_PATH, CODE_VALUE, CODE_LAST = 65535 };

#define STEP_DB 0.01

struct raster {
    const char *layer, *unit;
    size_t columns, rows;
    double x0_m, y0_m, step_m;
    double offset, scale, min, max, mean, level;
    size_t receivers, without_path, covered;
    uint16_t *codes;
};

/* All transmitters as one: the best value of each cell. */
static float find_best_value(const rw_map_layer *layer, size_t cells, size_t cell)
{
    int low = rw_layer_get_order(layer->name) == RW_LAYER_LOWER_IS_BETTER;
    float best = NAN;
    for (size_t band = 0; band < layer->bands; band++) {
        float value = layer->values[band * cells + cell];
        if (isnan(best) || (isfinite(value) && (!isfinite(best) || (low ? value < best : value > best))))
            best = value;
    }
    return best;
}

static float find_cell_value(const rw_map_layer *layer, long band, size_t cells, size_t cell)
{
    return band < 0 ? find_best_value(layer, cells, cell) : layer->values[(size_t)band * cells + cell];
}

static void find_raster_range(const rw_map_layer *layer, long band, struct raster *raster)
{
    size_t cells = raster->columns * raster->rows, finite = 0;
    int all_integers = 1;
    int low = rw_layer_get_order(layer->name) == RW_LAYER_LOWER_IS_BETTER;
    double sum = 0;
    raster->min = INFINITY;
    raster->max = -INFINITY;
    for (size_t i = 0; i < cells; i++) {
        float value = find_cell_value(layer, band, cells, i);
        raster->receivers += !isnan(value);
        raster->without_path += isinf(value) != 0;
        if (!isfinite(value))
            continue;
        raster->min = fmin(raster->min, (double)value);
        raster->max = fmax(raster->max, (double)value);
        sum += (double)value;
        finite++;
        all_integers &= value == rintf(value);
        raster->covered += low ? (double)value <= raster->level : (double)value >= raster->level;
    }
    raster->mean = finite ? sum / (double)finite : NAN;
    double span = finite ? raster->max - raster->min : 0;
    int is_level = strncmp(layer->unit, "dB", 2) == 0;
    raster->offset = !finite ? 0 : is_level ? floor(raster->min) : raster->min;
    raster->scale = all_integers && !is_level ? 1 : is_level ? STEP_DB : span / (CODE_LAST - CODE_VALUE - 1);
    if (!(raster->scale > 0))
        raster->scale = 1;
    if (span + 1 > raster->scale * (CODE_LAST - CODE_VALUE)) /* beyond any level that is */
        raster->scale = fmax(raster->scale, (span + 1) / (CODE_LAST - CODE_VALUE));
    if (!is_level && !all_integers)
        raster->scale = span > 0 ? span / (CODE_LAST - CODE_VALUE - 1) : 1;
}

static void write_raster_codes(const rw_map_layer *layer, long band, struct raster *raster)
{
    size_t cells = raster->columns * raster->rows;
    for (size_t i = 0; i < cells; i++) {
        float value = find_cell_value(layer, band, cells, i);
        double code = rint(((double)value - raster->offset) / raster->scale) + CODE_VALUE;
        if (isnan(value))
            raster->codes[i] = CODE_NONE;
        else if (isinf(value))
            raster->codes[i] = CODE_NO_PATH;
        else
            raster->codes[i] = (uint16_t)fmax(CODE_VALUE, fmin(CODE_LAST, code));
    }
}

static void write_raster_statistics(struct json *json, const struct raster *raster)
{
    json_object(json, "statistics");
    json_count(json, "cells", raster->columns * raster->rows);
    json_count(json, "receivers", raster->receivers);
    json_count(json, "without_path", raster->without_path);
    json_number(json, "mean", raster->mean);
    if (isfinite(raster->level)) {
        json_number(json, "level", raster->level);
        json_count(json, "covered", raster->covered);
        json_number(json, "covered_share",
                    raster->receivers ? (double)raster->covered / (double)raster->receivers : NAN);
    }
    json_object_end(json);
}

static char *format_raster_header(const struct call *call, const struct raster *raster, const rw_map_info *info,
                                  double start_s, size_t *size)
{
    char *string = NULL;
    struct json json;
    FILE *stream = open_memstream(&string, size);
    if (!stream)
        return NULL;
    json_begin(&json, stream);
    json_string(&json, "layer", raster->layer);
    json_string(&json, "unit", raster->unit);
    json_string(&json, "model", info->model);
    json_string(&json, "backend", info->backend);
    json_count(&json, "nx", raster->columns);
    json_count(&json, "ny", raster->rows);
    json_number(&json, "x0", raster->x0_m);
    json_number(&json, "y0", raster->y0_m);
    json_number(&json, "step", raster->step_m);
    json_number(&json, "offset", raster->offset);
    json_number(&json, "scale", raster->scale);
    json_number(&json, "min", raster->min);
    json_number(&json, "max", raster->max);
    json_object(&json, "seconds");
    json_number(&json, "prepare", info->prepare_s);
    json_number(&json, "solve", info->solve_s);
    json_number(&json, "total", now_s() - start_s);
    json_object_end(&json);
    write_raster_statistics(&json, raster);
    json_list(&json, "warnings");
    for (size_t i = 0; i < call->warning_count; i++)
        json_string(&json, NULL, call->warnings[i]);
    json_list_end(&json);
    json_end(&json);
    return fclose(stream) == 0 ? string : NULL;
}

/* band -1: the best of all. */
static int answer_map(struct served_call *served, const rw_map *map, const char *name, long band, double level,
                      double start_s, struct serve_answer *answer)
{
    size_t index, header_size = 0, size;
    rw_map_info info = {.size = sizeof info};
    rw_map_layer layer = {.size = sizeof layer};
    rw_status status = rw_map_find_layer(map, name, &index);
    if (status == RW_OK)
        status = rw_map_get_layer(map, index, &layer);
    if (status == RW_OK)
        status = rw_map_get_info(map, &info);
    if (status != RW_OK)
        return report_status(&served->call, status);
    if (layer.bands == 1)
        band = 0;
    struct raster raster = {.layer = layer.name,
                            .unit = layer.unit,
                            .columns = info.columns,
                            .rows = info.rows,
                            .x0_m = info.x0_m,
                            .y0_m = info.y0_m,
                            .step_m = info.res_m,
                            .level = level};
    find_raster_range(&layer, band, &raster);
    char *data, *header = format_raster_header(&served->call, &raster, &info, start_s, &header_size);
    char *bytes = header ? begin_binary("RWM1", header, header_size, 2 * info.columns * info.rows, &size, &data) : NULL;
    free(header);
    if (!bytes)
        return report_out_of_memory("the raster");
    raster.codes = (uint16_t *)(void *)data;
    write_raster_codes(&layer, band, &raster);
    serve_answer_bytes(answer, "application/octet-stream", bytes, size);
    return 0;
}

/* "transmitter": a number from 0, or "best" of all. With a layer that every transmitter has for itself, one alone is
 * predicted. */
static int choose_band(struct served_call *served, const rw_json *json, const char *layer, long *band)
{
    const rw_json_value *value = rw_json_member(json, &json->values[0], "transmitter");
    rw_predict_options *options = &served->request.options;
    double number = rw_json_number(value, 0);
    *band = strcmp(rw_json_string(value, ""), "best") == 0 ? -1 : 0;
    if (*band < 0 || rw_layer_is_combined(layer))
        return 0;
    if (!(number >= 0 && number < (double)options->transmitter_count) || number != floor(number))
        return report_error("transmitter: there are %zu, from 0", options->transmitter_count);
    options->transmitters += (size_t)number;
    options->transmitter_count = 1;
    return 0;
}

static int check_cell_count(struct served_call *served)
{
    const struct request *request = &served->request;
    rw_estimate estimate = {.size = sizeof estimate};
    rw_status status = rw_predict_estimate(request->scene, &request->options, &estimate);
    if (status == RW_TOO_LARGE)
        return report_error("%s, or make it a job (POST /v1/jobs): more than %d cells are not predicted here",
                            rw_last_error(served->call.context), SERVE_CELLS_MAX);
    if (status != RW_OK)
        return report_status(&served->call, status);
    if ((double)estimate.cells * (double)estimate.transmitters <= SERVE_CELLS_MAX)
        return check_duration(served, estimate.seconds);
    return report_error(
        "%zu cells for %zu transmitters are more than %d: take larger cells or a smaller area, or make it "
        "a job (POST /v1/jobs)",
        estimate.cells, estimate.transmitters, SERVE_CELLS_MAX);
}

static const char *choose_served_layer(const rw_json *json, const char *model)
{
    static _Thread_local char first[64];
    const char *layer = rw_json_string(rw_json_member(json, &json->values[0], "layer"), NULL);
    if (layer)
        return layer;
    for (size_t i = 0; rw_model_name(i); i++)
        if (strcmp(rw_model_name(i), model) == 0)
            snprintf(first, sizeof first, "%.*s", (int)strcspn(rw_model_default_layers(i), ","),
                     rw_model_default_layers(i));
    return first;
}

static int predict_request(struct engine *engine, struct serve_task *task, struct served_call *served,
                           struct serve_answer *answer)
{
    char resolution[40];
    long band;
    rw_map *map = NULL;
    double start_s = now_s();
    TRY(begin_served_call(engine, task, "predict", served));
    const rw_json *json = serve_task_json(task);
    const rw_json_value *root = &json->values[0];
    struct predict_settings *settings = served->call.settings;
    const char *layer = choose_served_layer(json, model_of(&served->call));
    double step_m = rw_json_number(rw_json_member(json, root, "resolution"), NAN);
    double level = rw_json_number(rw_json_member(json, root, "level"), NAN);
    snprintf(resolution, sizeof resolution, "%.17g", step_m);
    TRY(set_served_option(served, "layers", layer));
    if (!isnan(step_m))
        TRY(set_served_option(served, "res", resolution));
    TRY(find_warm_scene(engine, served, &served->request.scene));
    served->request.is_warm = 1;
    TRY(find_warm_database(engine, served, served->request.scene, &served->request.database));
    TRY(open_request(&served->call, &settings->inputs, &served->request));
    TRY(choose_band(served, json, layer, &band));
    TRY(check_cell_count(served));
    TRY_RW(&served->call, rw_predict(served->request.scene, &served->request.options, &map));
    int exit_status = answer_map(served, map, layer, band, level, start_s, answer);
    rw_map_destroy(map);
    return exit_status;
}

void serve_predict(void *user, struct serve_task *task, struct serve_answer *answer)
{
    answer_by(predict_request, user, task, answer);
}
