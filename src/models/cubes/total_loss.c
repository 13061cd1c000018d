/* What a map has beside the model's own paths: the way over the roofs and the prior, and the loss of all together. */
#include "models/cubes/cubes.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Parameters that measurements have changed are about the model's own paths alone. */
static int is_calibrated(const rw_params *params)
{
    int found = 0;
    for (size_t i = 0; params && i < RW_CUBES_PARAMETERS; i++)
        found |= params->values[i] != params->uncalibrated[i];
    return found;
}

rw_status rw_cubes_extras_resolve(const rw_prediction *prediction, rw_cubes_extras *extras)
{
    const rw_scene *scene = prediction->scene;
    const rw_predict_options *options = prediction->options;
    int meshes = scene->triangles.count > 0, floor_plan = scene->panels.count > 0 && scene->parts.count == 0;
    int by_default = !meshes && !floor_plan && !is_calibrated(options->params);
    *extras = (rw_cubes_extras){.roofs = by_default, .prior = by_default ? "3gpp" : NULL};
    if (options->roofs)
        extras->roofs = strcmp(options->roofs, "vogler") == 0;
    if (options->prior)
        extras->prior = strcmp(options->prior, "none") == 0 ? NULL : options->prior;
    if (meshes && !options->roofs && !is_calibrated(options->params))
        rw_warn(scene->context, "model cubes: the scene has meshes, so that losses are of the model's own paths alone, "
                                "without the over-rooftop path and the empirical median; shadow and beams make "
                                "buildings of upright meshes and have both");
    if (extras->roofs && meshes)
        return rw_fail(scene->context, RW_BAD_CALL,
                       "the way over the roofs needs buildings and terrain, and this scene has meshes; use roofs none");
    return RW_OK;
}

/* The job's receivers as points that are all outdoors. */
static rw_status list_job_receivers(rw_cubes_total *total)
{
    const rw_cubes_open_job *open = total->open;
    rw_context *context = open->job.context;
    rw_receivers *receivers = &total->receivers;
    rw_vec2 centre = open->job.scene->prepared->grid.centre;
    receivers->view = (rw_receivers_view){.columns = open->count, .rows = 1, .outdoor_count = open->count};
    RW_TRY(rw_array_create(context, open->count, sizeof *receivers->points, "receivers", &receivers->points));
    RW_TRY(rw_array_create(context, open->count, sizeof *receivers->outdoor, "receivers", &receivers->outdoor));
    RW_TRY(rw_array_create(context, open->count, 1, "receivers", &receivers->indoor));
    for (size_t i = 0; i < open->count; i++) {
        rw_vec3 at = rw_vec3_of(open->points[i].x - centre.x, open->points[i].y - centre.y, open->points[i].z);
        receivers->points[i] = at;
        receivers->outdoor[i] = (uint32_t)i;
        receivers->view.reach_m = fmax(receivers->view.reach_m, fmax(fabs(at.x), fabs(at.y)));
    }
    receivers->view.points = receivers->points;
    receivers->view.outdoor = receivers->outdoor;
    receivers->view.indoor = receivers->indoor;
    return rw_receivers_upload(context, open->job.backend, receivers, &total->on_device);
}

static rw_status allocate_cubes_total(rw_cubes_total *total)
{
    rw_cubes_job *job = &total->open->job;
    size_t count = total->open->count;
    RW_TRY(rw_device_alloc(job->context, job->backend, count * sizeof(float), "path loss", &total->loss_db));
    RW_TRY(rw_device_alloc(job->context, job->backend, count, "mechanisms", &total->by_roofs));
    RW_TRY(rw_array_create(job->context, count, sizeof *total->host_loss_db, "path loss", &total->host_loss_db));
    RW_TRY(rw_array_create(job->context, 2 * count, 1, "mechanisms", &total->host_by_roofs));
    RW_TRY(rw_medium_upload(total->prediction, RW_USE_MAP, &total->medium));
    RW_TRY(rw_prepared_view(job->scene, job->backend, &total->grid));
    total->grid.curve_per_m = rw_prediction_curve_per_m(total->prediction);
    if (!total->extras.roofs)
        return RW_OK;
    job->search.roofs_apart = 1;
    job->search.onset_per_rad = RW_CUBES_ONSET_PER_RAD;
    RW_TRY(list_job_receivers(total));
    total->at_points = *total->prediction;
    total->at_points.receivers = total->receivers;
    return rw_over_roofs_create(&total->at_points, 1, &total->over_roofs);
}

rw_status rw_cubes_total_create(const rw_prediction *prediction, rw_cubes_extras extras, rw_cubes_open_job *open,
                                rw_cubes_total *total)
{
    *total = (rw_cubes_total){.prediction = prediction, .extras = extras, .open = open};
    rw_status status = allocate_cubes_total(total);
    if (status != RW_OK)
        rw_cubes_total_destroy(total);
    return status;
}

void rw_cubes_total_destroy(rw_cubes_total *total)
{
    rw_backend backend = total->open ? total->open->job.backend : RW_BACKEND_CPU;
    if (total->over_roofs.prediction)
        rw_over_roofs_destroy(&total->over_roofs);
    rw_medium_release(&total->medium);
    rw_receivers_release(backend, &total->on_device);
    rw_receivers_destroy(&total->receivers);
    if (total->loss_db)
        rw_device_free(backend, total->loss_db);
    if (total->by_roofs)
        rw_device_free(backend, total->by_roofs);
    free(total->host_loss_db);
    free(total->host_by_roofs);
    *total = (rw_cubes_total){0};
}

/* The search knows which receivers see the transmitter. */
static rw_status run_roofs(rw_cubes_total *total, size_t transmitter)
{
    rw_los_job sight = {.arrays = {.receivers = total->on_device.view, .los = total->open->job.search.sight}};
    total->at_points = *total->prediction; /* whose transmitters may be others than in the call before */
    total->at_points.receivers = total->receivers;
    return rw_over_roofs_run(&total->over_roofs, &sight, 0, transmitter, 1);
}

static rw_status fetch_cubes_total(rw_cubes_total *total)
{
    const rw_cubes_job *job = &total->open->job;
    size_t count = total->open->count;
    RW_TRY(rw_device_download(job->context, job->backend, total->host_loss_db, total->loss_db, count * sizeof(float)));
    RW_TRY(rw_device_download(job->context, job->backend, total->host_by_roofs, total->by_roofs, count));
    return total->extras.roofs ? rw_device_download(job->context, job->backend, total->host_by_roofs + count,
                                                    total->over_roofs.args.edges, count)
                               : RW_OK;
}

/* Receivers outdoors come first. */
static rw_status store_compositions(const rw_cubes_total *total, size_t transmitter, const rw_composition *on_device)
{
    const rw_cubes_job *job = &total->open->job;
    const rw_receivers_view *view = &total->prediction->receivers.view;
    rw_composition *to = total->prediction->compositions + transmitter * view->columns * view->rows, *found;
    RW_TRY(rw_array_create(job->context, view->outdoor_count, sizeof *found, "link budgets", &found));
    rw_status status =
        rw_device_download(job->context, job->backend, found, on_device, view->outdoor_count * sizeof *found);
    for (size_t i = 0; status == RW_OK && i < view->outdoor_count; i++)
        to[view->outdoor[i]] = found[i];
    free(found);
    return status;
}

static void store_total_losses(void *user, size_t begin, size_t end)
{
    const rw_cubes_total *total = user;
    const uint8_t *edges = total->host_by_roofs + total->open->count;
    for (size_t i = begin; i < end; i++) {
        rw_cubes_answer *answer = &total->open->answers[i];
        answer->path_loss_db = total->host_loss_db[i];
        if (answer->sight || total->host_by_roofs[i]) {
            answer->mechanism = answer->sight ? RW_CUBES_SIGHT : RW_CUBES_ROOFS;
            answer->deflections = answer->sight ? 0 : edges[i];
        }
    }
}

static rw_cube_medium medium_of(const rw_cubes_total *total, size_t transmitter)
{
    const rw_cubes_job *job = &total->open->job;
    const rw_cube_frame *frame = &job->cubes.frame;
    rw_vec2 centre = job->scene->prepared->grid.centre;
    rw_vec3 at = total->prediction->sources[transmitter];
    rw_cube_medium in = {.medium = rw_medium_of(&total->medium, transmitter, 0),
                         .grid = total->grid,
                         .corner = rw_vec3_of(frame->x0_m - centre.x, frame->y0_m - centre.y, frame->z0_m),
                         .res_m = frame->res_m};
    rw_grid_widen(&in.grid, &total->prediction->receivers.view, rw_vec3_of(at.x - centre.x, at.y - centre.y, at.z));
    return in;
}

rw_status rw_cubes_total_add(rw_cubes_total *total, size_t transmitter)
{
    rw_cubes_job *job = &total->open->job;
    size_t count = total->open->count;
    rw_cube_medium in = medium_of(total, transmitter);
    rw_prior prior;
    rw_cubes_costs costs;
    if (!total->loss_db || !(total->extras.roofs || total->extras.prior || in.medium.counts))
        return RW_OK;
    RW_TRY(rw_prior_create(total->prediction, total->extras.prior, transmitter, job->backend, &prior));
    RW_TRY(rw_cubes_costs_find(total->prediction, transmitter, &costs));
    struct rw_cube_total_args args = {.search = job->search,
                                      .in = in,
                                      .prior = prior,
                                      .offset_db = costs.offset_db,
                                      .peak_gain_db = (double)job->peak_gain_db,
                                      .loss_db = total->loss_db,
                                      .by_roofs = total->by_roofs};
    if (total->extras.roofs) {
        RW_TRY(run_roofs(total, transmitter));
        args.roof_db = total->over_roofs.args.excess_db;
        args.ground_db = total->over_roofs.args.ground_db;
        args.smooth_db = total->over_roofs.args.smooth_db;
    }
    if (total->prediction->compositions)
        RW_TRY(rw_device_alloc(job->context, job->backend, count * sizeof *args.compositions, "link budgets",
                               &args.compositions));
    rw_status status = rw_device_launch(job->context, job->backend, RW_KERNEL_cube_total, &args, count);
    if (status == RW_OK && args.compositions)
        status = store_compositions(total, transmitter, args.compositions);
    rw_device_free(job->backend, args.compositions);
    RW_TRY(status);
    RW_TRY(fetch_cubes_total(total));
    return rw_parallel(job->context, count, 2048, store_total_losses, total);
}
