/* The cubes model after Catrein, Reyer and Rick (2007): cube-oriented ray launching, the dominant path to every
 * receiver. */
#include "models/cubes/cubes.h"

#include "base/memory.h"
#include "models/engine/received.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* Values of the layers being filled; NULL: not asked for. */
typedef struct cubes_layers {
    float *path_loss, *los, *mechanism, *deflections;
    float *volume;
    size_t volume_bands; /* layers of cubes, of each transmitter */
    rw_received received;
    float *loss_db; /* of the transmitter at hand, one a cell */
} cubes_layers;

/* From the lowest receiver's layer of cubes upwards, all but the free ones on top. */
static size_t volume_bands(const rw_prediction *prediction)
{
    rw_cube_frame frame;
    rw_cubes_lay(prediction, &frame);
    double below = ((double)prediction->receivers.view.low_m - frame.z0_m) / frame.res_m;
    return frame.layers - (size_t)below - 1;
}

static rw_status add_layers(const rw_prediction *prediction, rw_map *map, cubes_layers *layers)
{
    size_t cells = prediction->receivers.view.columns * prediction->receivers.view.rows;
    RW_TRY(rw_prediction_add_layer(prediction, map, "path_loss", "dB", &layers->path_loss));
    RW_TRY(rw_prediction_add_layer(prediction, map, "los", "", &layers->los));
    RW_TRY(rw_prediction_add_layer(prediction, map, "mechanism", "", &layers->mechanism));
    RW_TRY(rw_prediction_add_layer(prediction, map, "deflections", "deflections", &layers->deflections));
    if (rw_list_contains(prediction->layers, "volume")) {
        layers->volume_bands = volume_bands(prediction);
        RW_TRY(rw_map_add_layer(map, "volume", "dB", layers->volume_bands * prediction->options->transmitter_count,
                                &layers->volume));
    }
    RW_TRY(rw_array_create(prediction->scene->context, cells, sizeof(float), "path loss", &layers->loss_db));
    return rw_received_create(prediction, map, &layers->received);
}

static void store(const rw_prediction *prediction, size_t band, const rw_cubes_answer *answers, cubes_layers *layers)
{
    const rw_receivers_view *view = &prediction->receivers.view;
    for (size_t i = 0; i < view->outdoor_count; i++) {
        size_t cell = view->outdoor[i], at = band * view->columns * view->rows + cell;
        layers->loss_db[cell] = answers[i].path_loss_db;
        if (layers->path_loss)
            layers->path_loss[at] = answers[i].path_loss_db;
        if (layers->los)
            layers->los[at] = answers[i].sight;
        int reached = isfinite(answers[i].path_loss_db);
        if (layers->mechanism)
            layers->mechanism[at] = reached ? (float)answers[i].mechanism : INFINITY;
        if (layers->deflections)
            layers->deflections[at] = reached ? (float)answers[i].deflections : INFINITY;
    }
    rw_received_add(&layers->received, band, layers->loss_db);
}

/* Answers of the cubes after those of the receivers; filled cubes keep no value. */
static void store_volume(const rw_prediction *prediction, const rw_cubes_job *job, size_t band,
                         const rw_cubes_answer *answers, const cubes_layers *layers)
{
    const rw_receivers_view *view = &prediction->receivers.view;
    size_t count = view->columns * view->rows * layers->volume_bands;
    const rw_cubes_answer *volume = answers + view->outdoor_count;
    for (size_t i = 0; layers->volume && i < count; i++)
        if (!rw_cubes_job_filled(job, view->outdoor_count + i))
            layers->volume[band * count + i] = volume[i].path_loss_db;
}

static rw_status solve_all(const rw_prediction *prediction, rw_cubes_job *job, cubes_layers *layers,
                           rw_cubes_answer *answers)
{
    size_t count = prediction->options->transmitter_count;
    for (size_t i = 0; i < count; i++) {
        rw_cubes_costs costs;
        RW_TRY(rw_cubes_costs_find(prediction, i, &costs));
        RW_TRY(rw_cubes_job_run(job, prediction->sources[i], rw_prediction_freq_hz(prediction, i), &costs));
        RW_TRY(rw_cubes_job_read(job, answers));
        store(prediction, i, answers, layers);
        store_volume(prediction, job, i, answers, layers);
        RW_TRY(rw_progress(prediction->scene->context, (double)(i + 1) / (double)count, "predicting"));
    }
    rw_received_finish(&layers->received);
    return RW_OK;
}

/* Receivers outdoors, then, of a volume, the centres of all cubes above the map. */
static void place_points(const rw_prediction *prediction, size_t bands, rw_vec3 *points)
{
    const rw_receivers_view *view = &prediction->receivers.view;
    rw_vec2 centre = prediction->scene->prepared->grid.centre;
    size_t cells = view->columns * view->rows;
    for (size_t i = 0; i < view->outdoor_count; i++)
        points[i] = rw_receiver_point(view, view->outdoor[i]);
    for (size_t band = 0; band < bands; band++)
        for (size_t cell = 0; cell < cells; cell++) {
            rw_vec3 *point = &points[view->outdoor_count + band * cells + cell];
            *point = rw_receiver_point(view, cell);
            point->z = (double)view->low_m + (double)band * view->res_m;
        }
    for (size_t i = 0; i < view->outdoor_count + bands * cells; i++) {
        points[i].x += centre.x;
        points[i].y += centre.y;
    }
}

rw_status rw_cubes_open(const rw_prediction *prediction, size_t bands, rw_cubes_open_job *open)
{
    const rw_receivers_view *view = &prediction->receivers.view;
    rw_context *context = prediction->scene->context;
    rw_cube_frame frame;
    int limits[RW_CUBE_KINDS];
    *open = (rw_cubes_open_job){.count = view->outdoor_count + view->columns * view->rows * bands};
    RW_TRY(read_limits(prediction, limits));
    RW_TRY(rw_array_create(context, open->count, sizeof *open->points, "receivers", &open->points));
    rw_status status = rw_array_create(context, open->count, sizeof *open->answers, "answers", &open->answers);
    if (status == RW_OK) {
        rw_cubes_points receivers = {open->count, open->points};
        rw_cubes_lay(prediction, &frame);
        place_points(prediction, bands, open->points);
        status = rw_cubes_job_create(prediction->scene, &frame, &receivers, limits, context->backend, &open->job);
    }
    if (status != RW_OK)
        rw_cubes_close(open);
    return status;
}

void rw_cubes_close(rw_cubes_open_job *open)
{
    rw_cubes_job_destroy(&open->job);
    free(open->points);
    free(open->answers);
    *open = (rw_cubes_open_job){0};
}

static rw_status solve(const rw_prediction *prediction, rw_map *map)
{
    cubes_layers layers = {0};
    rw_cubes_open_job open = {0};
    rw_status status = add_layers(prediction, map, &layers);
    if (status == RW_OK)
        status = rw_cubes_open(prediction, layers.volume_bands, &open);
    if (status == RW_OK)
        status = solve_all(prediction, &open.job, &layers, open.answers);
    rw_cubes_close(&open);
    rw_received_destroy(&layers.received);
    free(layers.loss_db);
    return status;
}

const rw_model rw_model_cubes = {.name = "cubes",
                                 .layers = "path_loss,los,mechanism,deflections,volume," RW_RECEIVED_LAYERS,
                                 .default_layers = "path_loss,los,mechanism",
                                 .solve = solve,
                                 .trace = rw_cubes_trace,
                                 .parameters = rw_cubes_parameters,
                                 .parameter_count = RW_CUBES_PARAMETERS,
                                 .parameter_defaults = rw_cubes_parameter_defaults,
                                 .term_count = RW_CUBES_PARAMETERS,
                                 .path_terms = rw_cubes_path_terms,
                                 .terms_loss_db = rw_cubes_terms_loss_db};
