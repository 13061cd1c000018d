/* From measurements to the places at which a model is evaluated, and the model's answers there.
 *
 * Cells are those of a map of the whole scene at the same resolution, so that the two ways to evaluate are alike. A
 * place stands at a sample, since the mean of several may lie in a building. */
#include "calibrate/measurements/sample_points.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The scene's extent in cells, from a whole multiple of their side. */
typedef struct cell_frame {
    double x0_m, y0_m, x1_m, y1_m, res_m;
    double columns, rows, levels; /* levels: 1 where heights do not count */
} cell_frame;

double rw_sample_height_m(const rw_places *places, size_t number)
{
    const rw_sample *sample = &places->measurements->samples[number];
    const rw_scene *scene = places->scene;
    double height_m = sample->z_m;
    if (places->heights == RW_HEIGHTS_NONE || isnan(height_m))
        return places->prediction->rx_height_m;
    if (places->heights == RW_HEIGHTS_ABOVE_SEA)
        height_m -=
            rw_scene_ground_m(scene, rw_vec2_make(sample->x_m - scene->origin.x, sample->y_m - scene->origin.y));
    return fmax(height_m, RW_SAMPLE_HEIGHT_MIN_M);
}

static rw_status take_heights(const char *text, rw_places *places)
{
    static const char *const names[] = {"none", "above_ground", "above_sea"};
    if (!text) {
        places->heights = places->measurements->z_named ? RW_HEIGHTS_ABOVE_GROUND : RW_HEIGHTS_NONE;
        return RW_OK;
    }
    for (int i = 0; i < 3; i++)
        if (strcmp(text, names[i]) == 0) {
            places->heights = (rw_height_kind)i;
            return RW_OK;
        }
    return rw_fail(places->scene->context, RW_BAD_CALL, "heights = %s: expected one of above_ground,above_sea,none",
                   text);
}

/* The layer of cells that a sample is in. */
static double level_of(const rw_places *places, size_t sample, double res_m)
{
    return places->heights == RW_HEIGHTS_NONE ? 0 : floor(rw_sample_height_m(places, sample) / res_m);
}

static rw_status frame_of(const rw_places *places, cell_frame *frame)
{
    const rw_scene *scene = places->scene;
    double res = places->prediction->res_m;
    if (!(res > 0) || !(res <= 1e6))
        return rw_fail(scene->context, RW_BAD_CALL, "a resolution of %g m is not possible; write for example 5", res);
    double west = scene->box_min.x + scene->origin.x, south = scene->box_min.y + scene->origin.y;
    *frame = (cell_frame){.x0_m = floor(west / res) * res, .y0_m = floor(south / res) * res, .res_m = res};
    frame->columns = fmax(1, ceil((scene->box_max.x + scene->origin.x - frame->x0_m) / res - 1e-9));
    frame->rows = fmax(1, ceil((scene->box_max.y + scene->origin.y - frame->y0_m) / res - 1e-9));
    frame->x1_m = frame->x0_m + frame->columns * res;
    frame->y1_m = frame->y0_m + frame->rows * res;
    frame->levels = 1;
    for (size_t i = 0; i < places->measurements->sample_count; i++)
        frame->levels = fmax(frame->levels, 1 + level_of(places, i, res));
    double sides = 2.0 * frame->levels * (double)places->prediction->transmitter_count * (double)places->device_count;
    if (frame->columns * frame->rows * sides < 9e15)
        return RW_OK;
    return rw_fail(scene->context, RW_TOO_LARGE, "cells of %g m are too many on this scene; raise res", res);
}

/* What is known of each sample on the way to places. */
typedef struct sample_columns {
    uint32_t *transmitters, *devices;
    const uint8_t *held_out; /* NULL: none is */
    double *loss_db;
    rw_cell_sample *items;
} sample_columns;

/* Samples on the scene, with a number for cell, transmitter, device and side of the hold-out. */
static size_t find_cells(rw_places *places, const cell_frame *frame, const sample_columns *columns)
{
    size_t used = 0;
    for (size_t i = 0; i < places->measurements->sample_count; i++) {
        const rw_sample *sample = &places->measurements->samples[i];
        if (columns->transmitters[i] == RW_NO_TRANSMITTER)
            continue;
        if (!(sample->x_m >= frame->x0_m && sample->x_m < frame->x1_m && sample->y_m >= frame->y0_m &&
              sample->y_m < frame->y1_m)) {
            places->off_map++;
            continue;
        }
        double column = fmin(frame->columns - 1, floor((sample->x_m - frame->x0_m) / frame->res_m));
        double row = fmin(frame->rows - 1, floor((sample->y_m - frame->y0_m) / frame->res_m));
        size_t side = columns->transmitters[i] * places->device_count + columns->devices[i];
        side = 2 * side + (columns->held_out ? columns->held_out[i] : 0);
        side = side * (size_t)frame->levels + (size_t)level_of(places, i, frame->res_m);
        columns->items[used++] = (rw_cell_sample){
            .sample = i, .cell = (side * (size_t)frame->rows + (size_t)row) * (size_t)frame->columns + (size_t)column};
    }
    return used;
}

static size_t nearest_to_middle(const rw_sample *samples, const rw_cell_run *run)
{
    const rw_sample *first = &samples[run->items[0].sample];
    double x = 0, y = 0, best = INFINITY;
    size_t found = run->items[0].sample;
    for (size_t i = 0; i < run->count; i++) {
        x += (samples[run->items[i].sample].x_m - first->x_m) / (double)run->count;
        y += (samples[run->items[i].sample].y_m - first->y_m) / (double)run->count;
    }
    for (size_t i = 0; i < run->count; i++) {
        const rw_sample *sample = &samples[run->items[i].sample];
        double away = hypot(sample->x_m - first->x_m - x, sample->y_m - first->y_m - y);
        if (away < best) {
            best = away;
            found = run->items[i].sample;
        }
    }
    return found;
}

static uint32_t group_of(const rw_places *places, const sample_columns *columns, size_t sample)
{
    size_t site = places->offsets.by_site ? columns->transmitters[sample] : 0;
    return (uint32_t)(site * places->device_count + columns->devices[sample]);
}

static rw_status gather(rw_places *places, const sample_columns *columns, size_t used, rw_averaging averaging)
{
    rw_context *context = places->scene->context;
    const rw_sample *samples = places->measurements->samples;
    rw_cell_run *runs;
    size_t run_count;
    RW_TRY(rw_cell_runs_find(context, columns->items, used, averaging, &runs, &run_count));
    rw_status status = rw_array_create(context, run_count, sizeof *places->items, "measured points", &places->items);
    for (size_t i = 0; i < run_count && status == RW_OK; i++) {
        size_t first = runs[i].items[0].sample;
        double loss_db = rw_average_loss_db(columns->loss_db, runs[i].items, runs[i].count, averaging);
        places->items[places->count++] = (rw_place){.sample = nearest_to_middle(samples, &runs[i]),
                                                    .first = first,
                                                    .sample_count = runs[i].count,
                                                    .transmitter = columns->transmitters[first],
                                                    .group = group_of(places, columns, first),
                                                    .held_out = columns->held_out ? columns->held_out[first] : 0,
                                                    .measured_db = (float)loss_db};
    }
    free(runs);
    return status;
}

static rw_status fail_empty(const rw_places *places)
{
    const rw_scene *scene = places->scene;
    return rw_fail(
        scene->context, RW_BAD_INPUT,
        "%s: none of its %zu measurements has a prediction: %zu off the scene, which is x %.2f to %.2f, y %.2f to "
        "%.2f, %zu inside buildings, %zu where no path was found, %zu of bad sites",
        places->measurements->csv.path, places->measurements->sample_count, places->off_map,
        scene->box_min.x + scene->origin.x, scene->box_max.x + scene->origin.x, scene->box_min.y + scene->origin.y,
        scene->box_max.y + scene->origin.y, places->in_building, places->no_path,
        places->bad_rows + places->of_bad_site);
}

/* Keeps the places that are marked; the samples of the others are added to the count. */
static rw_status keep(rw_places *places, const uint8_t *kept, size_t *left_out)
{
    size_t count = 0;
    places->samples_used = 0;
    for (size_t i = 0; i < places->count; i++) {
        if (!kept[i]) {
            *left_out += places->items[i].sample_count;
            continue;
        }
        places->samples_used += places->items[i].sample_count;
        places->items[count++] = places->items[i];
    }
    places->count = count;
    return count ? RW_OK : fail_empty(places);
}

rw_status rw_places_keep_reached(rw_places *places, const uint8_t *reached)
{
    return keep(places, reached, &places->no_path);
}

static rw_status leave_out_indoor(rw_places *places)
{
    const rw_scene *scene = places->scene;
    rw_vec3 *local;
    rw_receivers receivers = {0};
    RW_TRY(rw_array_create(scene->context, places->count, sizeof *local, "measured points", &local));
    for (size_t i = 0; i < places->count; i++) {
        const rw_sample *sample = &places->measurements->samples[places->items[i].sample];
        local[i] = rw_vec3_make(sample->x_m - scene->origin.x, sample->y_m - scene->origin.y,
                                rw_sample_height_m(places, places->items[i].sample));
    }
    rw_status status = rw_receivers_create_at(scene, scene->prepared, local, places->count, &receivers);
    for (size_t i = 0; i < places->count && status == RW_OK; i++)
        receivers.indoor[i] = !receivers.indoor[i];
    if (status == RW_OK)
        status = keep(places, receivers.indoor, &places->in_building);
    rw_receivers_destroy(&receivers);
    free(local);
    return status;
}

static rw_status leave_out_bad_sites(rw_places *places)
{
    uint8_t *kept;
    RW_TRY(rw_array_create(places->scene->context, places->count, 1, "measured points", &kept));
    rw_status status = rw_places_check_sites(places, kept);
    if (status == RW_OK)
        status = keep(places, kept, &places->of_bad_site);
    free(kept);
    return status;
}

static rw_status take_columns(const rw_places *places, sample_columns *columns)
{
    rw_context *context = places->scene->context;
    size_t count = places->measurements->sample_count;
    RW_TRY(rw_array_create(context, count, sizeof *columns->items, "measurements", &columns->items));
    RW_TRY(rw_array_create(context, count, sizeof *columns->transmitters, "measurements", &columns->transmitters));
    RW_TRY(rw_array_create(context, count, sizeof *columns->devices, "measurements", &columns->devices));
    return rw_array_create(context, count, sizeof *columns->loss_db, "measurements", &columns->loss_db);
}

static rw_status create(rw_places *places, rw_averaging averaging, sample_columns *columns)
{
    cell_frame frame = {0};
    RW_TRY(take_columns(places, columns));
    RW_TRY(rw_sample_transmitters(places, columns->transmitters));
    if (places->offsets.by_device)
        RW_TRY(rw_sample_devices(places->measurements, columns->devices, &places->device_count));
    places->group_count = places->device_count * (places->offsets.by_site ? places->prediction->transmitter_count : 1);
    RW_TRY(rw_sample_losses(places, columns->transmitters, columns->loss_db));
    RW_TRY(frame_of(places, &frame));
    size_t used = find_cells(places, &frame, columns);
    if (used == 0)
        return fail_empty(places);
    RW_TRY(gather(places, columns, used, averaging));
    RW_TRY(leave_out_bad_sites(places));
    return leave_out_indoor(places);
}

rw_status rw_places_create(const rw_scene *scene, const rw_predict_options *prediction,
                           const rw_measurements *measurements, const rw_place_options *options, rw_places *places)
{
    rw_averaging averaging;
    sample_columns columns = {.held_out = options->held_out};
    *places = (rw_places){.scene = scene,
                          .prediction = prediction,
                          .measurements = measurements,
                          .skip_bad = options->skip_bad,
                          .device_count = 1,
                          .group_count = 1};
    if (prediction->transmitter_count == 0)
        return rw_fail(scene->context, RW_BAD_CALL, "there is no transmitter");
    RW_TRY(rw_averaging_parse(scene->context, options->average, &averaging));
    RW_TRY(rw_offset_kind_parse(scene->context, options->offsets, &places->offsets));
    RW_TRY(take_heights(options->heights, places));
    rw_status status = create(places, averaging, &columns);
    free(columns.transmitters);
    free(columns.devices);
    free(columns.loss_db);
    free(columns.items);
    if (status != RW_OK)
        rw_places_destroy(places);
    return status;
}

size_t rw_places_list_offsets(const rw_places *places, size_t first, size_t count, const double *offsets_db,
                              rw_offset *offsets)
{
    size_t found = 0;
    for (size_t i = first; i < first + count; i++) {
        const rw_place *place = &places->items[i];
        rw_offset *offset = &offsets[place->group]; /* in the order of the groups at first */
        if (offset->points++ > 0)
            continue;
        offset->size = sizeof *offset;
        offset->site = places->offsets.by_site ? rw_sample_site(places->measurements, place->first) : "";
        offset->device = places->offsets.by_device ? rw_sample_device(places->measurements, place->first) : "";
        offset->offset_db = offsets_db[place->group];
    }
    for (size_t g = 0; g < places->group_count; g++)
        if (offsets[g].points > 0)
            offsets[found++] = offsets[g];
    return found;
}

void rw_places_destroy(rw_places *places)
{
    free(places->items);
    *places = (rw_places){0};
}
