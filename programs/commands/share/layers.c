/* Maps for the page: every cell of each layer as a 16-bit code, and the transmitters. */
#include "commands/share/share.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Codes of cells; values begin at CODE_VALUE. As in the answers of serve. */
enum { CODE_NONE, CODE_NO_PATH, CODE_VALUE, CODE_LAST = 65535 };
#define STEP_DB 0.01

/* One band of a layer, or the best of all. */
struct shown_band {
    const rw_map_layer *layer;
    const size_t *best; /* number of the band in each cell; NULL: `band` in all */
    size_t band, columns, rows;
    double offset, scale;
};

static float find_shown_value(const struct shown_band *of, size_t cell)
{
    size_t band = of->best ? of->best[cell] : of->band;
    return of->layer->values[band * of->columns * of->rows + cell];
}

/* Steps of 0.01 dB, of 1 for integers, or what 16 bits resolve. */
static void choose_codes(struct shown_band *of)
{
    double min = INFINITY, max = -INFINITY;
    int all_integers = 1, is_level = of->layer->unit[0] == 'd' && of->layer->unit[1] == 'B';
    for (size_t i = 0; i < of->columns * of->rows; i++) {
        float value = find_shown_value(of, i);
        if (!isfinite(value))
            continue;
        min = fmin(min, (double)value);
        max = fmax(max, (double)value);
        all_integers &= value == rintf(value);
    }
    double span = max > min ? max - min : 0, codes = CODE_LAST - CODE_VALUE - 1;
    of->offset = isfinite(min) ? is_level ? floor(min) : min : 0;
    of->scale = is_level ? STEP_DB : all_integers || span == 0 ? 1 : span / codes;
    of->scale = fmax(of->scale, (span + (is_level ? 1 : 0)) / codes);
}

static uint16_t code_value(const struct shown_band *of, float value)
{
    if (isnan(value))
        return CODE_NONE;
    if (isinf(value))
        return CODE_NO_PATH;
    double code = rint(((double)value - of->offset) / of->scale) + CODE_VALUE;
    return (uint16_t)fmax(CODE_VALUE, fmin(CODE_LAST, code));
}

static int write_band(struct share_plan *plan, struct shown_band *of, const char *transmitter)
{
    rw_map_info info = {.size = sizeof info};
    struct json *json = &plan->json;
    struct bit_writer writer = {0};
    const rw_map_layer *layer = of->layer;
    rw_map_get_info(plan->map, &info);
    choose_codes(of);
    uint16_t *codes = malloc((of->columns * of->rows + 1) * sizeof *codes);
    if (!codes)
        return report_out_of_memory("the maps");
    for (size_t i = 0; i < of->columns * of->rows; i++)
        codes[i] = code_value(of, find_shown_value(of, i));
    pack_cells(&writer, codes, of->columns, of->rows);
    free(codes);
    json_object(json, NULL);
    json_layer_facts(json, layer->name);
    json_string(json, "unit", layer->unit);
    json_string(json, "transmitter", transmitter);
    json_count(json, "nx", of->columns);
    json_count(json, "ny", of->rows);
    json_number(json, "x0", info.x0_m);
    json_number(json, "y0", info.y0_m);
    json_number(json, "step", info.res_m);
    json_number(json, "offset", of->offset);
    json_number(json, "scale", of->scale);
    int exit_status = write_packed(json, "cells", &writer);
    json_object_end(json);
    fprintf(plan->contents_stream, "%s%s%s%s%s%s: %zu x %zu cells of %g m.\n", rw_layer_title(layer->name),
            *layer->unit ? " in " : "", layer->unit, *transmitter ? " (" : "", transmitter, *transmitter ? ")" : "",
            of->columns, of->rows, info.res_m);
    plan->layer_count++;
    return exit_status;
}

/* The transmitter that is best in each cell by a layer with an order. */
static void find_best_bands(const rw_map_layer *layer, size_t cells, size_t *best)
{
    int low = rw_layer_get_order(layer->name) == RW_LAYER_LOWER_IS_BETTER;
    for (size_t i = 0; i < cells; i++) {
        best[i] = 0;
        for (size_t band = 1; band < layer->bands; band++) {
            float value = layer->values[band * cells + i], chosen = layer->values[best[i] * cells + i];
            if (isfinite(value) && (!isfinite(chosen) || (low ? value < chosen : value > chosen)))
                best[i] = band;
        }
    }
}

static int is_of_each(const struct share_plan *plan, const rw_map_layer *layer)
{
    return layer->bands > 1 && layer->bands == plan->request.options.transmitter_count;
}

/* Layers without an order, such as the mechanism, are of the transmitter that the first layer with one chooses. */
static int find_ordered_layer(const struct share_plan *plan, size_t layers, rw_map_layer *reference)
{
    for (size_t i = 0; i < layers; i++) {
        *reference = (rw_map_layer){.size = sizeof *reference};
        if (rw_map_get_layer(plan->map, i, reference) == RW_OK && is_of_each(plan, reference) &&
            rw_layer_get_order(reference->name) != RW_LAYER_UNORDERED)
            return 1;
    }
    return 0;
}

static int write_layer(struct share_plan *plan, const rw_map_layer *layer, const rw_map_info *info, size_t *best,
                       const rw_map_layer *reference)
{
    struct shown_band of = {.layer = layer, .columns = info->columns, .rows = info->rows};
    if (!is_of_each(plan, layer) || !best)
        return write_band(plan, &of, layer->bands > 1 ? plan->request.options.transmitters[0].name : "");
    int has_order = rw_layer_get_order(layer->name) != RW_LAYER_UNORDERED;
    find_best_bands(has_order ? layer : reference, info->columns * info->rows, best);
    of.best = best;
    return write_band(plan, &of, "strongest of all");
}

static int write_layers_of_map(struct call *call, struct share_plan *plan, const rw_map_info *info, size_t *best)
{
    const struct share_settings *settings = call->settings;
    rw_map_layer reference, layer;
    int has_reference = find_ordered_layer(plan, info->layers, &reference);
    for (size_t i = 0; i < info->layers; i++) {
        layer = (rw_map_layer){.size = sizeof layer};
        TRY_RW(call, rw_map_get_layer(plan->map, i, &layer));
        if (layer.bands > 1 && !is_of_each(plan, &layer))
            return report_error("share: layer %s has bands that are of no transmitter, which the page cannot show; "
                                "name the layers (--layers path_loss)",
                                layer.name);
        TRY(write_layer(plan, &layer, info, has_reference ? best : NULL, &reference));
        struct shown_band of = {.layer = &layer, .columns = info->columns, .rows = info->rows};
        for (; settings->each_transmitter && is_of_each(plan, &layer) && of.band < layer.bands; of.band++)
            TRY(write_band(plan, &of, plan->request.options.transmitters[of.band].name));
    }
    return 0;
}

static void write_site_entries(struct share_plan *plan)
{
    const rw_predict_options *options = &plan->request.options;
    struct json *json = &plan->json;
    json_list(json, "sites");
    for (size_t i = 0; i < options->transmitter_count; i++) {
        const rw_transmitter *tx = &options->transmitters[i];
        json_object(json, NULL);
        json_string(json, "name", tx->name ? tx->name : "");
        json_number(json, "x", tx->x_m);
        json_number(json, "y", tx->y_m);
        json_number(json, "height", tx->height_m);
        json_number(json, "azimuth", tx->azimuth_deg);
        json_number(json, "tilt", tx->downtilt_deg);
        json_number(json, "power", tx->power_dbm);
        json_number(json, "freq", tx->freq_hz > 0 ? tx->freq_hz : options->freq_hz);
        json_flag(json, "turned", tx->antenna && *tx->antenna && strcmp(tx->antenna, "isotropic") != 0);
        json_object_end(json);
    }
    json_list_end(json);
    fprintf(plan->contents_stream, "The table of %zu transmitters.\n", options->transmitter_count);
}

int share_layers(struct call *call, struct share_plan *plan)
{
    rw_map_info info = {.size = sizeof info};
    TRY_RW(call, rw_map_get_info(plan->map, &info));
    if (info.has_plane || info.in_degrees)
        return report_error("share: a map of a plane in space cannot be shown on the ground; leave out --plane");
    size_t *best = malloc((info.columns * info.rows + 1) * sizeof *best);
    if (!best)
        return report_out_of_memory("the maps");
    json_list(&plan->json, "layers");
    int exit_status = write_layers_of_map(call, plan, &info, best);
    json_list_end(&plan->json);
    free(best);
    write_site_entries(plan);
    return exit_status;
}
