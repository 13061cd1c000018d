/* From measurements to the places at which a model is evaluated, and the model's answers there.
 *
 * Cells are those of a map of the whole scene at the same resolution, so that the two ways to evaluate are alike. A
 * place stands at a sample, since the mean of several may lie in a building. */
#include "calibrate/measurements/samples.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The scene's extent in cells, from a whole multiple of their side. */
typedef struct cell_frame {
    double x0_m, y0_m, x1_m, y1_m, res_m;
    double columns, rows, levels; /* levels: 1 where heights do not count */
} cell_frame;

double rw_sample_height_m(const rw_sample_points *sample_points, size_t number)
{
    const rw_sample *sample = &sample_points->measurements->samples[number];
    const rw_scene *scene = sample_points->scene;
    double height_m = sample->z_m;
    if (sample_points->heights == RW_HEIGHTS_NONE || isnan(height_m))
        return sample_points->prediction->rx_height_m;
    if (sample_points->heights == RW_HEIGHTS_ABOVE_SEA)
        height_m -= rw_scene_ground_m(scene, rw_vec2_of(sample->x_m - scene->origin.x, sample->y_m - scene->origin.y));
    return fmax(height_m, RW_SAMPLE_HEIGHT_MIN_M);
}

static rw_status parse_heights(const char *string, rw_sample_points *sample_points)
{
    static const char *const names[] = {"none", "above_ground", "above_sea"};
    if (!string) {
        sample_points->heights = sample_points->measurements->z_named ? RW_HEIGHTS_ABOVE_GROUND : RW_HEIGHTS_NONE;
        return RW_OK;
    }
    for (int i = 0; i < 3; i++)
        if (strcmp(string, names[i]) == 0) {
            sample_points->heights = (rw_height_kind)i;
            return RW_OK;
        }
    return rw_fail(sample_points->scene->context, RW_BAD_CALL,
                   "heights = %s: expected one of above_ground,above_sea,none", string);
}

/* The layer of cells that a sample is in. */
static double level_of(const rw_sample_points *sample_points, size_t sample, double res_m)
{
    return sample_points->heights == RW_HEIGHTS_NONE ? 0 : floor(rw_sample_height_m(sample_points, sample) / res_m);
}

static rw_status find_sample_frame(const rw_sample_points *sample_points, cell_frame *frame)
{
    const rw_scene *scene = sample_points->scene;
    double res = sample_points->prediction->res_m;
    if (!(res > 0) || !(res <= 1e6))
        return rw_fail(scene->context, RW_BAD_CALL, "a resolution of %g m is not possible; write for example 5", res);
    double west = scene->box_min.x + scene->origin.x, south = scene->box_min.y + scene->origin.y;
    *frame = (cell_frame){.x0_m = floor(west / res) * res, .y0_m = floor(south / res) * res, .res_m = res};
    frame->columns = fmax(1, ceil((scene->box_max.x + scene->origin.x - frame->x0_m) / res - 1e-9));
    frame->rows = fmax(1, ceil((scene->box_max.y + scene->origin.y - frame->y0_m) / res - 1e-9));
    frame->x1_m = frame->x0_m + frame->columns * res;
    frame->y1_m = frame->y0_m + frame->rows * res;
    frame->levels = 1;
    for (size_t i = 0; i < sample_points->measurements->sample_count; i++)
        frame->levels = fmax(frame->levels, 1 + level_of(sample_points, i, res));
    double sides = 2.0 * frame->levels * (double)sample_points->prediction->transmitter_count *
                   (double)sample_points->device_count;
    if (frame->columns * frame->rows * sides < 9e15)
        return RW_OK;
    return rw_fail(scene->context, RW_TOO_LARGE, "cells of %g m are too many on this scene; give a larger res", res);
}

/* What is known of each sample on the way to places. */
typedef struct sample_columns {
    uint32_t *transmitters, *devices;
    const uint8_t *held_out; /* NULL: none is */
    double *loss_db;
    rw_cell_sample *items;
} sample_columns;

/* Samples on the scene, with a number for cell, transmitter, device and side of the hold-out. */
static size_t find_sample_cells(rw_sample_points *sample_points, const cell_frame *frame, const sample_columns *columns)
{
    size_t used = 0;
    for (size_t i = 0; i < sample_points->measurements->sample_count; i++) {
        const rw_sample *sample = &sample_points->measurements->samples[i];
        if (columns->transmitters[i] == RW_NO_TRANSMITTER)
            continue;
        if (!(sample->x_m >= frame->x0_m && sample->x_m < frame->x1_m && sample->y_m >= frame->y0_m &&
              sample->y_m < frame->y1_m)) {
            sample_points->off_map++;
            continue;
        }
        double column = fmin(frame->columns - 1, floor((sample->x_m - frame->x0_m) / frame->res_m));
        double row = fmin(frame->rows - 1, floor((sample->y_m - frame->y0_m) / frame->res_m));
        size_t side = columns->transmitters[i] * sample_points->device_count + columns->devices[i];
        side = 2 * side + (columns->held_out ? columns->held_out[i] : 0);
        side = side * (size_t)frame->levels + (size_t)level_of(sample_points, i, frame->res_m);
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

static uint32_t group_of(const rw_sample_points *sample_points, const sample_columns *columns, size_t sample)
{
    size_t site = sample_points->offsets.by_site ? columns->transmitters[sample] : 0;
    return (uint32_t)(site * sample_points->device_count + columns->devices[sample]);
}

static rw_status gather_cell_runs(rw_sample_points *sample_points, const sample_columns *columns, size_t used,
                                  rw_averaging averaging)
{
    rw_context *context = sample_points->scene->context;
    const rw_sample *samples = sample_points->measurements->samples;
    rw_cell_run *runs;
    size_t run_count;
    RW_TRY(rw_cell_runs_find(context, columns->items, used, averaging, &runs, &run_count));
    rw_status status =
        rw_array_create(context, run_count, sizeof *sample_points->items, "measured points", &sample_points->items);
    for (size_t i = 0; i < run_count && status == RW_OK; i++) {
        size_t first = runs[i].items[0].sample;
        double loss_db = rw_average_loss_db(columns->loss_db, runs[i].items, runs[i].count, averaging);
        sample_points->items[sample_points->count++] =
            (rw_sample_point){.sample = nearest_to_middle(samples, &runs[i]),
                              .first = first,
                              .sample_count = runs[i].count,
                              .transmitter = columns->transmitters[first],
                              .group = group_of(sample_points, columns, first),
                              .held_out = columns->held_out ? columns->held_out[first] : 0,
                              .measured_db = (float)loss_db};
    }
    free(runs);
    return status;
}

static rw_status fail_no_sample_point(const rw_sample_points *sample_points)
{
    const rw_scene *scene = sample_points->scene;
    return rw_fail(
        scene->context, RW_BAD_INPUT,
        "%s: none of its %zu measurements has a prediction: %zu off the scene, which is x %.2f to %.2f, y %.2f to "
        "%.2f, %zu inside buildings, %zu where no path was found, %zu of bad sites",
        sample_points->measurements->csv.path, sample_points->measurements->sample_count, sample_points->off_map,
        scene->box_min.x + scene->origin.x, scene->box_max.x + scene->origin.x, scene->box_min.y + scene->origin.y,
        scene->box_max.y + scene->origin.y, sample_points->in_building, sample_points->no_path,
        sample_points->bad_rows + sample_points->of_bad_site);
}

/* Keeps the places that are marked; the samples of the others are added to the count. */
static rw_status drop_unmarked(rw_sample_points *sample_points, const uint8_t *is_good, size_t *skipped)
{
    size_t count = 0;
    sample_points->samples_used = 0;
    for (size_t i = 0; i < sample_points->count; i++) {
        if (!is_good[i]) {
            *skipped += sample_points->items[i].sample_count;
            continue;
        }
        sample_points->samples_used += sample_points->items[i].sample_count;
        sample_points->items[count++] = sample_points->items[i];
    }
    sample_points->count = count;
    return count ? RW_OK : fail_no_sample_point(sample_points);
}

rw_status rw_sample_points_drop_unreached(rw_sample_points *sample_points, const uint8_t *reached)
{
    return drop_unmarked(sample_points, reached, &sample_points->no_path);
}

static rw_status skip_indoor_points(rw_sample_points *sample_points)
{
    const rw_scene *scene = sample_points->scene;
    rw_vec3 *local;
    rw_receivers receivers = {0};
    RW_TRY(rw_array_create(scene->context, sample_points->count, sizeof *local, "measured points", &local));
    for (size_t i = 0; i < sample_points->count; i++) {
        const rw_sample *sample = &sample_points->measurements->samples[sample_points->items[i].sample];
        local[i] = rw_vec3_of(sample->x_m - scene->origin.x, sample->y_m - scene->origin.y,
                              rw_sample_height_m(sample_points, sample_points->items[i].sample));
    }
    rw_status status = rw_receivers_create_at(scene, 0, local, sample_points->count, &receivers);
    for (size_t i = 0; i < sample_points->count && status == RW_OK; i++)
        receivers.indoor[i] = !receivers.indoor[i];
    if (status == RW_OK)
        status = drop_unmarked(sample_points, receivers.indoor, &sample_points->in_building);
    rw_receivers_destroy(&receivers);
    free(local);
    return status;
}

static rw_status skip_points_of_bad_sites(rw_sample_points *sample_points)
{
    uint8_t *is_good;
    RW_TRY(rw_array_create(sample_points->scene->context, sample_points->count, 1, "measured points", &is_good));
    rw_status status = rw_sample_points_check_sites(sample_points, is_good);
    if (status == RW_OK)
        status = drop_unmarked(sample_points, is_good, &sample_points->of_bad_site);
    free(is_good);
    return status;
}

static rw_status allocate_sample_columns(const rw_sample_points *sample_points, sample_columns *columns)
{
    rw_context *context = sample_points->scene->context;
    size_t count = sample_points->measurements->sample_count;
    RW_TRY(rw_array_create(context, count, sizeof *columns->items, "measurements", &columns->items));
    RW_TRY(rw_array_create(context, count, sizeof *columns->transmitters, "measurements", &columns->transmitters));
    RW_TRY(rw_array_create(context, count, sizeof *columns->devices, "measurements", &columns->devices));
    return rw_array_create(context, count, sizeof *columns->loss_db, "measurements", &columns->loss_db);
}

static rw_status build_sample_points(rw_sample_points *sample_points, rw_averaging averaging, int inside,
                                     sample_columns *columns)
{
    cell_frame frame = {0};
    RW_TRY(allocate_sample_columns(sample_points, columns));
    RW_TRY(rw_sample_transmitters(sample_points, columns->transmitters));
    if (sample_points->offsets.by_device)
        RW_TRY(rw_sample_devices(sample_points->measurements, columns->devices, &sample_points->device_count));
    sample_points->group_count = sample_points->device_count *
                                 (sample_points->offsets.by_site ? sample_points->prediction->transmitter_count : 1);
    RW_TRY(rw_sample_losses(sample_points, columns->transmitters, columns->loss_db));
    RW_TRY(find_sample_frame(sample_points, &frame));
    size_t used = find_sample_cells(sample_points, &frame, columns);
    if (used == 0)
        return fail_no_sample_point(sample_points);
    RW_TRY(gather_cell_runs(sample_points, columns, used, averaging));
    RW_TRY(skip_points_of_bad_sites(sample_points));
    return inside && sample_points->prediction->indoor ? RW_OK : skip_indoor_points(sample_points);
}

rw_status rw_sample_points_create(const rw_scene *scene, const rw_predict_options *prediction,
                                  const rw_measurements *measurements, const rw_sample_point_options *options,
                                  rw_sample_points *sample_points)
{
    rw_averaging averaging;
    sample_columns columns = {.held_out = options->held_out};
    *sample_points = (rw_sample_points){.scene = scene,
                                        .prediction = prediction,
                                        .measurements = measurements,
                                        .skip_bad = options->skip_bad,
                                        .device_count = 1,
                                        .group_count = 1};
    if (prediction->transmitter_count == 0)
        return rw_fail(scene->context, RW_BAD_CALL, "there is no transmitter");
    if (prediction->indoor && !options->inside)
        return rw_fail(scene->context, RW_BAD_CALL,
                       "parameters and sites are fitted to measurements outside buildings: leave out indoor");
    RW_TRY(rw_averaging_parse(scene->context, options->average, &averaging));
    RW_TRY(rw_offset_kind_parse(scene->context, options->offsets, &sample_points->offsets));
    RW_TRY(parse_heights(options->heights, sample_points));
    rw_status status = build_sample_points(sample_points, averaging, options->inside, &columns);
    free(columns.transmitters);
    free(columns.devices);
    free(columns.loss_db);
    free(columns.items);
    if (status != RW_OK)
        rw_sample_points_destroy(sample_points);
    return status;
}

size_t rw_sample_points_list_offsets(const rw_sample_points *sample_points, size_t first, size_t count,
                                     const double *offsets_db, rw_offset *offsets)
{
    size_t found = 0;
    for (size_t i = first; i < first + count; i++) {
        const rw_sample_point *point = &sample_points->items[i];
        rw_offset *offset = &offsets[point->group]; /* in the order of the groups at first */
        if (offset->points++ > 0)
            continue;
        offset->size = sizeof *offset;
        offset->site = sample_points->offsets.by_site ? rw_sample_site(sample_points->measurements, point->first) : "";
        offset->device =
            sample_points->offsets.by_device ? rw_sample_device(sample_points->measurements, point->first) : "";
        offset->offset_db = offsets_db[point->group];
    }
    for (size_t g = 0; g < sample_points->group_count; g++)
        if (offsets[g].points > 0)
            offsets[found++] = offsets[g];
    return found;
}

void rw_sample_points_destroy(rw_sample_points *sample_points)
{
    free(sample_points->items);
    *sample_points = (rw_sample_points){0};
}
