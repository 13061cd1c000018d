/* The sbr model: shooting and bouncing rays. */
#include "models/sbr/sbr.h"

#include "models/rays/ray_layers.h"
#include "models/sbr/launch_rays.k.h"

#define DEPTH 4
#define PARTS 256
#define PARTS_MAX 16384

/* Rays go in slices, so that progress is seen and can be stopped. */
static rw_status launch(const rw_ray_scene *scene, struct rw_launch_rays_args *args)
{
    const size_t slice = scene->backend == RW_BACKEND_CUDA ? (size_t)1 << 22 : (size_t)1 << 14;
    size_t count = rw_launch_count(args->parts);
    for (; args->first_ray < count; args->first_ray += slice) {
        size_t now = count - args->first_ray < slice ? count - args->first_ray : slice;
        RW_TRY(rw_device_launch(scene->context, scene->backend, RW_KERNEL_launch_rays, args, now));
        RW_TRY(rw_progress(scene->context, (double)(args->first_ray + now) / (double)count, "predicting"));
    }
    return RW_OK;
}

rw_status rw_sbr_solve(rw_ray_scene *scene, const rw_points *points, size_t parts, int depth, rw_ray_sums *sums)
{
    rw_context *context = scene->context;
    size_t bytes = points->view.count * sizeof *sums;
    struct rw_launch_rays_args args = {.world = scene->world, .parts = parts, .depth = depth};
    rw_placed_points placed;
    RW_TRY(rw_points_place(context, scene->backend, points, &placed));
    args.points = placed.view;
    rw_status status = rw_device_alloc(context, scene->backend, bytes, "sums", &args.sums);
    if (status == RW_OK)
        status = rw_device_clear(context, scene->backend, args.sums, bytes);
    if (status == RW_OK)
        status = launch(scene, &args);
    if (status == RW_OK)
        status = rw_device_download(context, scene->backend, sums, args.sums, bytes);
    if (args.sums)
        rw_device_free(scene->backend, args.sums);
    rw_points_remove(scene->backend, &placed);
    return status;
}

static rw_status solve_transmitter(const rw_prediction *prediction, rw_ray_scene *scene, const rw_points *points,
                                   rw_ray_sums *sums)
{
    rw_context *context = prediction->scene->context;
    int depth, parts;
    RW_TRY(rw_ray_option(context, "depth", prediction->options->depth, 1, RW_IMAGE_DEPTH_MAX, DEPTH, &depth));
    RW_TRY(rw_ray_option(context, "rays", prediction->options->rays, 1, PARTS_MAX, PARTS, &parts));
    return rw_sbr_solve(scene, points, (size_t)parts, depth, sums);
}

static rw_status solve(const rw_prediction *prediction, rw_map *map)
{
    return rw_ray_layers_fill(prediction, map, solve_transmitter);
}

const rw_model rw_model_sbr = {.name = "sbr",
                               .layers = RW_RAY_LAYERS,
                               .default_layers = RW_RAY_DEFAULT_LAYERS,
                               .solve = solve,
                               .rooms = 1,
                               .any_plane = 1,
                               .res_m = 1.0 / 3,
                               .rx_height_m = 1.1};
