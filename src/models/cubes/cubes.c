/* The cubes model after Catrein, Reyer and Rick (2007): cube-oriented ray launching, the dominant path to every
 * receiver. */
#include "models/cubes/cubes.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Paths may leave the area asked for by this much, as far as the scene goes. */
static const double surroundings_m = 250;

#define LIMIT_MAX 4

/* "reflections=1,vertical=2": most deflections of each kind. What is not named keeps its default. */
static rw_status read_limits(const rw_prediction *prediction, int limits[RW_CUBE_KINDS])
{
    static const char *const names[RW_CUBE_KINDS] = {"reflections", "horizontal", "vertical"};
    const char *at = prediction->options->effects ? prediction->options->effects : "";
    for (int kind = 0; kind < RW_CUBE_KINDS; kind++)
        limits[kind] = 2;
    while (*at) {
        size_t length = strcspn(at, ",");
        int known = 0;
        for (int kind = 0; kind < RW_CUBE_KINDS; kind++) {
            size_t name = strlen(names[kind]);
            if (length == name + 2 && strncmp(at, names[kind], name) == 0 && at[name] == '=' && at[name + 1] >= '0' &&
                at[name + 1] <= '0' + LIMIT_MAX) {
                limits[kind] = at[name + 1] - '0';
                known = 1;
            }
        }
        if (!known)
            return rw_fail(prediction->scene->context, RW_BAD_CALL,
                           "the cubes model has no effect '%.*s'; write for example --effects "
                           "reflections=2,horizontal=2,vertical=2, each from 0 to %d",
                           (int)length, at, LIMIT_MAX);
        at += length + (at[length] == ',');
    }
    return RW_OK;
}

static double highest_m(const rw_prediction *prediction)
{
    const rw_scene *scene = prediction->scene;
    double top_m = (double)prediction->receivers.view.high_m;
    for (size_t i = 0; i < prediction->options->transmitter_count; i++)
        top_m = fmax(top_m, prediction->sources[i].z);
    for (size_t i = 0; i < scene->parts.count; i++)
        top_m = fmax(top_m, scene->parts.items[i].top_m);
    for (size_t i = 0; i < scene->panels.count; i++)
        top_m = fmax(top_m, scene->panels.items[i].top_m);
    for (size_t i = 0; i < scene->vertices.count; i++)
        top_m = fmax(top_m, scene->vertices.items[i].z);
    return top_m;
}

static double lowest_m(const rw_prediction *prediction)
{
    const rw_raster *terrain = &prediction->scene->terrain;
    double low_m = fmin(0, (double)prediction->receivers.view.low_m);
    if (!terrain->values)
        return low_m;
    low_m = (double)prediction->receivers.view.low_m;
    for (size_t i = 0; i < terrain->columns * terrain->rows; i++)
        low_m = fmin(low_m, (double)terrain->values[i]);
    return low_m;
}

/* From an interval of the map to whole cubes that also hold its surroundings, as far as the scene goes, and the
 * transmitters. */
static void widen(double *start_m, size_t *count, double res_m, double scene_low, double scene_high, double tx_low,
                  double tx_high)
{
    double end_m = *start_m + (double)*count * res_m;
    double low = fmin(fmax(scene_low, *start_m - surroundings_m), tx_low);
    double high = fmax(fmin(scene_high, end_m + surroundings_m), tx_high);
    double before = fmax(0, ceil((*start_m - low) / res_m)), after = fmax(0, ceil((high - end_m) / res_m));
    *start_m -= before * res_m;
    *count += (size_t)before + (size_t)after;
}

/* Cubes are as wide as the map's cells and centred on them; on flat ground the receivers are at the height of centres.
 */
static void lay_frame(const rw_prediction *prediction, rw_cube_frame *frame)
{
    const rw_scene *scene = prediction->scene;
    const rw_receivers_view *view = &prediction->receivers.view;
    rw_vec2 centre = scene->prepared->grid.centre;
    double res = view->res_m;
    *frame = (rw_cube_frame){.x0_m = view->x0_m + centre.x - 0.5 * res,
                             .y0_m = view->y0_m + centre.y - 0.5 * res,
                             .res_m = res,
                             .columns = view->columns,
                             .rows = view->rows};
    rw_vec3 low = prediction->sources[0], high = prediction->sources[0];
    for (size_t i = 1; i < prediction->options->transmitter_count; i++) {
        rw_vec3 at = prediction->sources[i];
        low = rw_vec3_make(fmin(low.x, at.x), fmin(low.y, at.y), 0);
        high = rw_vec3_make(fmax(high.x, at.x), fmax(high.y, at.y), 0);
    }
    widen(&frame->x0_m, &frame->columns, res, scene->box_min.x, scene->box_max.x, low.x, high.x);
    widen(&frame->y0_m, &frame->rows, res, scene->box_min.y, scene->box_max.y, low.y, high.y);
    double start_m = (double)view->low_m - 0.5 * res;
    frame->z0_m = start_m - res * fmax(0, ceil((start_m - lowest_m(prediction)) / res));
    frame->layers = (size_t)ceil((highest_m(prediction) - frame->z0_m) / res) + 2;
}

typedef struct cubes_layers {
    float *path_loss, *los, *mechanism, *deflections;
} cubes_layers;

static rw_status add(const rw_prediction *prediction, rw_map *map, const char *name, const char *unit, float **values)
{
    if (!rw_layer_listed(prediction->layers, name))
        return RW_OK;
    return rw_map_add_layer(map, name, unit, prediction->options->transmitter_count, values);
}

static void store(const rw_prediction *prediction, size_t band, const rw_cubes_answer *answers,
                  const cubes_layers *layers)
{
    const rw_receivers_view *view = &prediction->receivers.view;
    for (size_t i = 0; i < view->outdoor_count; i++) {
        size_t at = band * view->columns * view->rows + view->outdoor[i];
        if (layers->path_loss)
            layers->path_loss[at] = answers[i].path_loss_db;
        if (layers->los)
            layers->los[at] = answers[i].sight;
        if (layers->mechanism && isfinite(answers[i].path_loss_db))
            layers->mechanism[at] = answers[i].mechanism;
        if (layers->deflections && isfinite(answers[i].path_loss_db))
            layers->deflections[at] = answers[i].deflections;
    }
}

static rw_status solve_all(const rw_prediction *prediction, rw_cubes_job *job, const cubes_layers *layers,
                           rw_cubes_answer *answers)
{
    size_t count = prediction->options->transmitter_count;
    for (size_t i = 0; i < count; i++) {
        RW_TRY(rw_cubes_job_run(job, prediction->sources[i], rw_prediction_freq_hz(prediction, i)));
        RW_TRY(rw_cubes_job_read(job, answers));
        store(prediction, i, answers, layers);
        RW_TRY(rw_progress(prediction->scene->context, (double)(i + 1) / (double)count, "predicting"));
    }
    return RW_OK;
}

static rw_status place_points(const rw_prediction *prediction, rw_vec3 *points)
{
    const rw_receivers_view *view = &prediction->receivers.view;
    rw_vec2 centre = prediction->scene->prepared->grid.centre;
    for (size_t i = 0; i < view->outdoor_count; i++) {
        points[i] = rw_receiver_point(view, view->outdoor[i]);
        points[i].x += centre.x;
        points[i].y += centre.y;
    }
    return RW_OK;
}

static rw_status solve_with(const rw_prediction *prediction, const cubes_layers *layers,
                            const int limits[RW_CUBE_KINDS], rw_vec3 *points, rw_cubes_answer *answers)
{
    rw_cube_frame frame;
    rw_cubes_job job;
    size_t count = prediction->receivers.view.outdoor_count;
    lay_frame(prediction, &frame);
    RW_TRY(place_points(prediction, points));
    rw_cubes_points receivers = {count, points};
    RW_TRY(
        rw_cubes_job_create(prediction->scene, &frame, &receivers, limits, prediction->scene->context->backend, &job));
    rw_status status = solve_all(prediction, &job, layers, answers);
    rw_cubes_job_destroy(&job);
    return status;
}

static rw_status solve(const rw_prediction *prediction, rw_map *map)
{
    rw_context *context = prediction->scene->context;
    size_t count = prediction->receivers.view.outdoor_count;
    cubes_layers layers = {0};
    int limits[RW_CUBE_KINDS];
    rw_vec3 *points = NULL;
    rw_cubes_answer *answers = NULL;
    RW_TRY(read_limits(prediction, limits));
    RW_TRY(add(prediction, map, "path_loss", "dB", &layers.path_loss));
    RW_TRY(add(prediction, map, "los", "", &layers.los));
    RW_TRY(add(prediction, map, "mechanism", "", &layers.mechanism));
    RW_TRY(add(prediction, map, "deflections", "deflections", &layers.deflections));
    rw_status status = rw_array_create(context, count, sizeof *points, "receivers", &points);
    if (status == RW_OK)
        status = rw_array_create(context, count, sizeof *answers, "answers", &answers);
    if (status == RW_OK)
        status = solve_with(prediction, &layers, limits, points, answers);
    free(points);
    free(answers);
    return status;
}

const rw_model rw_model_cubes = {"cubes", "path_loss,los,mechanism,deflections", "path_loss,los", solve};
