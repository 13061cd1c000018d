/* One transmitter of the sbr model: rays launched over the sphere, added to the sums of the receivers they pass. */
#include "models/sbr/sbr.h"

#include "base/memory.h"
#include "models/sbr/launch_rays.k.h"

#include <stdlib.h>

/* The open model: its options, and memory on the backend. */
typedef struct sbr_state {
    rw_ray_scene *scene;
    rw_search_limits limits;
    size_t divisions;
    double sphere_m; /* 0: the nearest ray counts */
    double limit_s;  /* 0: none */
    rw_device_points points;
    rw_ray_sums *sums;
} sbr_state;

static void close_state(sbr_state *state)
{
    if (state->sums)
        rw_device_free(state->scene->backend, state->sums);
    rw_points_release(state->scene->backend, &state->points);
}

static rw_status open_sbr_state(rw_ray_scene *scene, const rw_points *points, size_t divisions, rw_search_limits limits,
                                double sphere_m, sbr_state *state)
{
    *state = (sbr_state){.scene = scene, .divisions = divisions, .limits = limits, .sphere_m = sphere_m};
    RW_TRY(rw_points_upload(scene->context, scene->backend, points, &state->points));
    return rw_device_alloc(scene->context, scene->backend, points->view.count * sizeof *state->sums, "sums",
                           &state->sums);
}

/* Rays go in slices, so that progress is seen and can be stopped; rays NULL: it is not reported. first_ray of args is
 * behind the last one launched. */
static rw_status launch_ray_slices(const rw_ray_scene *scene, const rw_rays *rays, double limit_s,
                                   struct rw_launch_rays_args *args)
{
    const size_t default_slice = scene->backend == RW_BACKEND_CUDA ? (size_t)1 << 22 : (size_t)1 << 14;
    size_t slice = limit_s > 0 ? default_slice / 64 : default_slice, count = rw_launch_count(args->divisions);
    double start_s = rw_seconds();
    while (args->first_ray < count && (!(limit_s > 0) || rw_seconds() - start_s < limit_s)) {
        size_t now = count - args->first_ray < slice ? count - args->first_ray : slice;
        RW_TRY(rw_device_launch(scene->context, scene->backend, RW_KERNEL_launch_rays, args, now));
        args->first_ray += now;
        if (limit_s > 0)
            RW_TRY(rw_device_wait(scene->context, scene->backend));
        if (rays)
            RW_TRY(rw_prediction_progress(rays->prediction,
                                          (double)rays->transmitter + (double)args->first_ray / (double)count));
    }
    return RW_OK;
}

static rw_status run_sbr_launch(const sbr_state *state, const rw_rays *rays, rw_ray_sums *sums, size_t *launched)
{
    const rw_ray_scene *scene = state->scene;
    size_t bytes = state->points.view.count * sizeof *sums;
    struct rw_launch_rays_args args = {.view = scene->view,
                                       .divisions = state->divisions,
                                       .depth = state->limits.depth,
                                       .limits = state->limits.steps,
                                       .points = state->points.view,
                                       .sphere_m = state->sphere_m,
                                       .sums = state->sums};
    RW_TRY(rw_device_clear(scene->context, scene->backend, state->sums, bytes));
    RW_TRY(launch_ray_slices(scene, rays, state->limit_s, &args));
    if (launched)
        *launched = args.first_ray;
    if (state->limits.direct_always)
        RW_TRY(rw_rays_add_straight(scene, &state->points.view, state->sums));
    if (state->limits.diffraction)
        RW_TRY(rw_rays_add_edges(scene, &state->points.view, state->sums));
    return rw_device_download(scene->context, scene->backend, sums, state->sums, bytes);
}

rw_status rw_sbr_solve(rw_ray_scene *scene, const rw_points *points, const rw_sbr_settings *settings, rw_ray_sums *sums,
                       size_t *launched)
{
    sbr_state state;
    rw_search_limits limits = {.depth = settings->depth};
    rw_status status = open_sbr_state(scene, points, settings->divisions, limits, settings->sphere_m, &state);
    state.limit_s = settings->limit_s;
    if (status == RW_OK)
        status = run_sbr_launch(&state, NULL, sums, launched);
    close_state(&state);
    return status;
}

static rw_status open_sbr_search(rw_rays *rays)
{
    rw_context *context = rays->prediction->scene->context;
    const rw_predict_options *options = rays->prediction->options;
    sbr_state *state;
    RW_TRY(rw_array_create(context, 1, sizeof *state, "the sbr model", &state));
    rays->own = state;
    return open_sbr_state(&rays->scene, &rays->points, (size_t)options->rays, rw_search_limits_of(options),
                          rw_option_or(options->sphere_m, 0), state);
}

static void close_sbr_search(rw_rays *rays)
{
    if (rays->own)
        close_state(rays->own);
    free(rays->own);
}

static rw_status solve_sbr_search(rw_rays *rays)
{
    return run_sbr_launch(rays->own, rays, rays->sums, NULL);
}

const rw_rays_search rw_sbr_search = {open_sbr_search, close_sbr_search, solve_sbr_search, NULL, 1};
