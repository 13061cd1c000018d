/* From measurements to the places at which a model is evaluated, and the model's answers there.
 *
 * Cells are those of a map of the whole scene at the same resolution, so that the two ways to evaluate are alike. A
 * place stands at a sample, since the mean of several may lie in a building. */
#include "calibrate/measurements/places.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* The scene's extent in cells, from a whole multiple of their side. */
typedef struct cell_frame {
    double x0_m, y0_m, x1_m, y1_m, res_m;
    double columns, rows;
} cell_frame;

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
    if (frame->columns * frame->rows * 2.0 * (double)places->prediction->transmitter_count < 9e15)
        return RW_OK;
    return rw_fail(scene->context, RW_TOO_LARGE, "cells of %g m are too many on this scene; raise res", res);
}

/* Samples on the scene, with a number for cell, transmitter and side of the hold-out. */
static size_t find_cells(rw_places *places, const cell_frame *frame, const uint32_t *transmitters,
                         const uint8_t *held_out, rw_cell_sample *items)
{
    size_t used = 0;
    for (size_t i = 0; i < places->measurements->sample_count; i++) {
        const rw_sample *sample = &places->measurements->samples[i];
        if (!(sample->x_m >= frame->x0_m && sample->x_m < frame->x1_m && sample->y_m >= frame->y0_m &&
              sample->y_m < frame->y1_m)) {
            places->off_map++;
            continue;
        }
        double column = fmin(frame->columns - 1, floor((sample->x_m - frame->x0_m) / frame->res_m));
        double row = fmin(frame->rows - 1, floor((sample->y_m - frame->y0_m) / frame->res_m));
        size_t side = 2 * (size_t)transmitters[i] + (held_out ? held_out[i] : 0);
        items[used++] = (rw_cell_sample){
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

static rw_status gather(rw_places *places, rw_cell_sample *items, size_t used, rw_averaging averaging,
                        const uint32_t *transmitters, const uint8_t *held_out)
{
    rw_context *context = places->scene->context;
    const rw_sample *samples = places->measurements->samples;
    rw_cell_run *runs;
    size_t run_count;
    RW_TRY(rw_cell_runs_find(context, items, used, averaging, &runs, &run_count));
    rw_status status = rw_array_create(context, run_count, sizeof *places->items, "measured points", &places->items);
    for (size_t i = 0; i < run_count && status == RW_OK; i++) {
        size_t first = runs[i].items[0].sample;
        places->items[places->count++] =
            (rw_place){.sample = nearest_to_middle(samples, &runs[i]),
                       .first = first,
                       .sample_count = runs[i].count,
                       .transmitter = transmitters[first],
                       .held_out = held_out ? held_out[first] : 0,
                       .measured_db = (float)rw_average_loss_db(samples, runs[i].items, runs[i].count, averaging)};
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
        "%.2f, %zu inside buildings, %zu where no path was found",
        places->measurements->csv.path, places->measurements->sample_count, places->off_map,
        scene->box_min.x + scene->origin.x, scene->box_max.x + scene->origin.x, scene->box_min.y + scene->origin.y,
        scene->box_max.y + scene->origin.y, places->in_building, places->no_path);
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
        local[i] =
            rw_vec3_make(sample->x_m - scene->origin.x, sample->y_m - scene->origin.y, places->prediction->rx_height_m);
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

static rw_status create(rw_places *places, rw_averaging averaging, const uint8_t *held_out, uint32_t *transmitters,
                        rw_cell_sample *items)
{
    cell_frame frame = {0};
    RW_TRY(rw_sample_transmitters(places->measurements, places->prediction, transmitters));
    RW_TRY(frame_of(places, &frame));
    size_t used = find_cells(places, &frame, transmitters, held_out, items);
    if (used == 0)
        return fail_empty(places);
    RW_TRY(gather(places, items, used, averaging, transmitters, held_out));
    return leave_out_indoor(places);
}

rw_status rw_places_create(const rw_scene *scene, const rw_predict_options *prediction,
                           const rw_measurements *measurements, const char *average, const uint8_t *held_out,
                           rw_places *places)
{
    rw_context *context = scene->context;
    rw_averaging averaging;
    uint32_t *transmitters = NULL;
    rw_cell_sample *items = NULL;
    *places = (rw_places){.scene = scene, .prediction = prediction, .measurements = measurements};
    if (prediction->transmitter_count == 0)
        return rw_fail(context, RW_BAD_CALL, "there is no transmitter");
    RW_TRY(rw_averaging_parse(context, average, &averaging));
    size_t count = measurements->sample_count;
    rw_status status = rw_array_create(context, count, sizeof *items, "measurements", &items);
    if (status == RW_OK)
        status = rw_array_create(context, count, sizeof *transmitters, "measurements", &transmitters);
    if (status == RW_OK)
        status = create(places, averaging, held_out, transmitters, items);
    free(transmitters);
    free(items);
    if (status != RW_OK)
        rw_places_destroy(places);
    return status;
}

void rw_places_destroy(rw_places *places)
{
    free(places->items);
    *places = (rw_places){0};
}
