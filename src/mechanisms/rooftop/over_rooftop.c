/* The way over the roofs to every receiver, which outdoor models share. */
#include "mechanisms/rooftop/over_rooftop.h"

#include "base/memory.h"
#include "base/progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

rw_status rw_roof_choice_resolve(const rw_prediction *prediction, int by_default, rw_roof_choice *choice)
{
    const char *name = prediction->options->roofs;
    const rw_scene *scene = prediction->scene;
    /* of models that know buildings alone, what is left as meshes is little and told */
    int meshes = scene->triangles.count > 0 && !(prediction->buildings_only && scene->parts.count > 0);
    *choice = by_default && !meshes ? RW_ROOFS_VOGLER : RW_ROOFS_NONE;
    if (!name)
        return RW_OK;
    *choice = strcmp(name, "vogler") == 0       ? RW_ROOFS_VOGLER
              : strcmp(name, "polynomial") == 0 ? RW_ROOFS_POLYNOMIAL
                                                : RW_ROOFS_NONE;
    if (*choice != RW_ROOFS_NONE && meshes)
        return rw_fail(prediction->scene->context, RW_BAD_CALL,
                       "roofs = %s needs buildings and terrain, and this scene has meshes; use none", name);
    return RW_OK;
}

static rw_status allocate_roof_arrays(rw_over_roofs *roofs)
{
    rw_context *context = roofs->prediction->scene->context;
    const rw_receivers_view *view = &roofs->prediction->receivers.view;
    size_t answers = roofs->batch * view->columns * view->rows;
    RW_TRY(rw_device_alloc(context, roofs->backend, roofs->batch * sizeof *roofs->sources, "transmitters",
                           &roofs->sources));
    RW_TRY(rw_array_create(context, roofs->batch, sizeof *roofs->host, "transmitters", &roofs->host));
    RW_TRY(
        rw_device_alloc(context, roofs->backend, answers * sizeof(float), "losses over roofs", &roofs->args.excess_db));
    RW_TRY(rw_device_alloc(context, roofs->backend, answers, "edges of roofs", &roofs->args.edges));
    float **of_ground[] = {&roofs->args.open_db, &roofs->args.ground_db, &roofs->args.smooth_db,
                           &roofs->args.open_smooth_db};
    int ground = roofs->prediction->scene->terrain.values != NULL || rw_prediction_has_ground(roofs->prediction);
    for (size_t i = 0; ground && i < sizeof of_ground / sizeof *of_ground; i++)
        RW_TRY(rw_device_alloc(context, roofs->backend, answers * sizeof(float), "losses over terrain", of_ground[i]));
    roofs->args.sources = roofs->sources;
    RW_TRY(rw_prepared_view(roofs->prediction->scene, roofs->backend, &roofs->args.grid));
    roofs->args.grid.curve_per_m = rw_prediction_curve_per_m(roofs->prediction);
    roofs->args.grid.ground_curve_per_m = rw_prediction_ground_curve_per_m(roofs->prediction);
    return RW_OK;
}

rw_status rw_over_roofs_create(const rw_prediction *prediction, size_t batch, rw_over_roofs *roofs)
{
    *roofs = (rw_over_roofs){.prediction = prediction,
                             .backend = prediction->scene->context->backend,
                             .batch = batch,
                             .facade_db = RW_FACADE_DB};
    rw_status status = allocate_roof_arrays(roofs);
    if (status != RW_OK)
        rw_over_roofs_destroy(roofs);
    return status;
}

void rw_over_roofs_destroy(rw_over_roofs *roofs)
{
    void *arrays[] = {roofs->sources,        roofs->args.excess_db,      roofs->args.open_db, roofs->args.ground_db,
                      roofs->args.smooth_db, roofs->args.open_smooth_db, roofs->args.edges};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        if (arrays[i])
            rw_device_free(roofs->backend, arrays[i]);
    free(roofs->host);
    *roofs = (rw_over_roofs){0};
}

static void build_roof_sources(rw_over_roofs *roofs, size_t first, size_t count)
{
    const rw_prediction *prediction = roofs->prediction;
    rw_vec2 centre = prediction->scene->prepared->grid.centre;
    for (size_t i = 0; i < count; i++) {
        rw_vec3 at = prediction->sources[first + i];
        double freq_hz = rw_prediction_freq_hz(prediction, first + i);
        roofs->host[i] = (rw_roof_source){.at = rw_vec3_of(at.x - centre.x, at.y - centre.y, at.z),
                                          .wavelength_m = (float)(RW_SPEED_OF_LIGHT_M_S / freq_hz),
                                          .facade_db = roofs->facade_db};
        rw_grid_widen(&roofs->args.grid, &prediction->receivers.view, roofs->host[i].at);
    }
}

/* A long map is solved slice by slice of its receivers, so that progress is seen and can be stopped; until: the share
 * of the present range of progress that this is. */
static rw_status launch_roof_slices(rw_over_roofs *roofs, const rw_los_job *sight, int sight_from_walls, size_t count,
                                    double until)
{
    rw_context *context = roofs->prediction->scene->context;
    struct rw_over_roofs_args *args = &roofs->args;
    int bundles = roofs->backend == RW_BACKEND_CPU;
    const size_t slice = bundles ? (size_t)1 << 10 : (size_t)1 << 30;
    args->receivers = sight->arrays.receivers;
    args->los = sight_from_walls ? NULL : sight->arrays.los;
    args->walls = sight->arrays.walls;
    size_t of_source = (args->receivers.outdoor_count + RW_BUNDLE_LINES - 1) / RW_BUNDLE_LINES;
    size_t items = count * (bundles ? of_source : args->receivers.outdoor_count);
    for (args->first_item = 0; args->first_item < items; args->first_item += slice) {
        size_t now = items - args->first_item < slice ? items - args->first_item : slice;
        struct rw_over_roofs_bundles_args together = {*args, of_source};
        RW_TRY(bundles ? rw_device_launch(context, roofs->backend, RW_KERNEL_over_roofs_bundles, &together, now)
                       : rw_device_launch(context, roofs->backend, RW_KERNEL_over_roofs, args, now));
        double done = (double)(args->first_item + now) / (double)items;
        RW_TRY(rw_progress_within(context, until * done, "predicting"));
    }
    return RW_OK;
}

rw_status rw_over_roofs_run(rw_over_roofs *roofs, const rw_los_job *sight, int sight_from_walls, size_t first,
                            size_t count)
{
    build_roof_sources(roofs, first, count);
    RW_TRY(rw_device_upload(roofs->prediction->scene->context, roofs->backend, roofs->sources, roofs->host,
                            count * sizeof *roofs->host));
    return launch_roof_slices(roofs, sight, sight_from_walls, count, RW_ROOFS_PROGRESS_FRACTION);
}

rw_status rw_over_roofs_run_member(rw_over_roofs *roofs, const rw_los_job *sight, int sight_from_walls,
                                   const rw_roof_member *member, size_t count)
{
    const rw_prediction *prediction = roofs->prediction;
    rw_wall_grid_view as_it_is = roofs->args.grid;
    for (size_t i = 0; i < count; i++)
        rw_grid_widen(&roofs->args.grid, &prediction->receivers.view, member->sources[i].at);
    roofs->args.grid.raised_m = member->raised_m;
    roofs->args.grid.raised_max_m = member->raised_max_m;
    rw_status status = rw_device_upload(prediction->scene->context, roofs->backend, roofs->sources, member->sources,
                                        count * sizeof *member->sources);
    if (status == RW_OK)
        status = launch_roof_slices(roofs, sight, sight_from_walls, count, 1);
    roofs->args.grid = as_it_is;
    return status;
}
