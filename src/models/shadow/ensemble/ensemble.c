#include "models/shadow/ensemble/ensemble.h"

#include "base/memory.h"
#include "base/progress.h"
#include "models/shadow/shadow.h"

#include <math.h>
#include <stdlib.h>

static void draw_members(const rw_scene *scene, rw_ensemble *ensemble)
{
    size_t parts = scene->parts.count;
    for (size_t i = 0; i < ensemble->member_count; i++) {
        ensemble->members[i] = rw_member_draw(&ensemble->spreads, i);
        double max_m = rw_member_heights(&ensemble->spreads, scene, i, ensemble->host_raised_m + i * parts);
        /* a transmitter that moves down comes to the same as walls that move up */
        ensemble->raised_max_m[i] = (float)(max_m + RW_DRAW_MAX * ensemble->spreads.mast_z_m);
    }
}

/* Things that no map has stand on open ground: all of them where 15 % or less of the scene is built over, none from
 * 40 % on, nor indoors, nor where the scene has its trees. */
static rw_status find_open_fraction(const rw_scene *scene, double *fraction)
{
    rw_scene_info info = {.size = sizeof info};
    RW_TRY(rw_scene_get_info(scene, &info));
    int none = scene->parts.count == 0 || scene->foliage.values;
    *fraction = none ? 0 : fmin(fmax((0.4 - info.built_fraction) / (0.4 - 0.15), 0), 1);
    return RW_OK;
}

static rw_status allocate_ensemble(const rw_shadow_job *job, rw_ensemble *ensemble)
{
    const rw_prediction *prediction = job->prediction;
    rw_context *context = prediction->scene->context;
    size_t members = ensemble->member_count, raised = members * prediction->scene->parts.count + 1;
    size_t answers = job->batch * prediction->receivers.view.columns * prediction->receivers.view.rows;
    RW_TRY(rw_array_create(context, members, sizeof *ensemble->members, "members", &ensemble->members));
    RW_TRY(rw_array_create(context, members, sizeof(float), "members", &ensemble->raised_max_m));
    RW_TRY(rw_array_create(context, raised, sizeof(float), "heights of members", &ensemble->host_raised_m));
    RW_TRY(
        rw_array_create(context, job->batch, sizeof *ensemble->host_sources, "transmitters", &ensemble->host_sources));
    RW_TRY(rw_array_create(context, job->batch, sizeof *ensemble->host_roof_sources, "transmitters",
                           &ensemble->host_roof_sources));
    RW_TRY(rw_device_alloc(context, job->backend, job->batch * sizeof *ensemble->sources, "transmitters",
                           &ensemble->sources));
    RW_TRY(rw_device_alloc(context, job->backend, raised * sizeof(float), "heights of members", &ensemble->raised_m));
    float **values[] = {&ensemble->street_db, &ensemble->sum_db, &ensemble->square_db};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        RW_TRY(rw_device_alloc(context, job->backend, answers * sizeof(float), "standard deviations", values[i]));
    RW_TRY(find_open_fraction(prediction->scene, &ensemble->open_fraction));
    draw_members(prediction->scene, ensemble);
    return rw_device_upload(context, job->backend, ensemble->raised_m, ensemble->host_raised_m, raised * sizeof(float));
}

rw_status rw_ensemble_create(const rw_shadow_job *job, size_t member_count, const rw_spreads *spreads,
                             rw_ensemble *ensemble)
{
    *ensemble = (rw_ensemble){.member_count = member_count, .spreads = *spreads};
    rw_status status = allocate_ensemble(job, ensemble);
    if (status != RW_OK)
        rw_ensemble_destroy(ensemble, job->backend);
    return status;
}

void rw_ensemble_destroy(rw_ensemble *ensemble, rw_backend backend)
{
    void *arrays[] = {ensemble->sources, ensemble->raised_m, ensemble->street_db, ensemble->sum_db,
                      ensemble->square_db};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        if (arrays[i])
            rw_device_free(backend, arrays[i]);
    free(ensemble->members);
    free(ensemble->raised_max_m);
    free(ensemble->host_raised_m);
    free(ensemble->host_sources);
    free(ensemble->host_roof_sources);
    *ensemble = (rw_ensemble){0};
}

/* The transmitters as a member has them. */
static void build_member_sources(rw_ensemble *ensemble, const rw_shadow_job *job, size_t member, size_t first,
                                 size_t count)
{
    const rw_prediction *prediction = job->prediction;
    const float *raised_m = ensemble->host_raised_m + member * prediction->scene->parts.count;
    const rw_member *sampled = &ensemble->members[member];
    rw_vec2 centre = prediction->scene->prepared->grid.centre;
    for (size_t i = 0; i < count; i++) {
        rw_vec3 nominal = prediction->sources[first + i];
        rw_vec3 at = rw_member_mast(&ensemble->spreads, prediction->scene, member, raised_m, nominal);
        rw_shadow_source *source = &ensemble->host_sources[i];
        *source = job->host_sources[first + i];
        source->at = rw_vec3_of(at.x - centre.x, at.y - centre.y, at.z);
        source->prior.base_height_m += at.z - nominal.z;
        source->prior.weight = fmin(fmax(source->prior.weight + sampled->prior_weight, 0), RW_PRIOR_WEIGHT_MAX);
        ensemble->host_roof_sources[i] =
            (rw_roof_source){.at = source->at,
                             .wavelength_m = (float)source->wavelength_m,
                             .facade_db = fmaxf(job->over_roofs.facade_db + (float)sampled->facade_db, 0)};
    }
}

static rw_status run_member(rw_ensemble *ensemble, rw_shadow_job *job, const rw_ensemble_arrays *arrays, size_t member,
                            size_t first, size_t count)
{
    rw_context *context = job->prediction->scene->context;
    build_member_sources(ensemble, job, member, first, count);
    rw_roof_member roofs = {ensemble->host_roof_sources,
                            ensemble->raised_m + member * job->prediction->scene->parts.count,
                            ensemble->raised_max_m[member]};
    if (job->effects.roofs == RW_SHADOW_ROOFS_SCREENS)
        RW_TRY(rw_over_roofs_run_member(&job->over_roofs, &job->sight, !job->args.los, &roofs, count));
    RW_TRY(rw_device_upload(context, job->backend, ensemble->sources, ensemble->host_sources,
                            count * sizeof *ensemble->sources));
    const rw_member *sampled = &ensemble->members[member];
    struct rw_ensemble_member_args args = {
        *arrays, ensemble->sources, {sampled->wall_factor, sampled->street_factor, sampled->foliage_factor}};
    RW_TRY(rw_device_launch(context, job->backend, RW_KERNEL_ensemble_member, &args,
                            count * job->args.receivers.outdoor_count));
    return rw_progress_within(context, 1, "predicting");
}

rw_status rw_ensemble_run(rw_ensemble *ensemble, rw_shadow_job *job, size_t first, size_t count)
{
    rw_context *context = job->prediction->scene->context;
    const rw_receivers_view *view = &job->args.receivers;
    size_t bytes = count * view->columns * view->rows * sizeof(float);
    rw_ensemble_arrays arrays = {job->args, ensemble->sum_db, ensemble->square_db};
    struct rw_ensemble_sigma_args args = {arrays, (double)ensemble->member_count,
                                          RW_UNMAPPED_HEIGHT_M - job->prediction->options->rx_height_m,
                                          ensemble->open_fraction};
    RW_TRY(rw_device_clear(context, job->backend, ensemble->sum_db, bytes));
    RW_TRY(rw_device_clear(context, job->backend, ensemble->square_db, bytes));
    for (size_t i = 0; i < ensemble->member_count; i++) {
        rw_progress_range before = rw_progress_narrow((double)i / (double)ensemble->member_count,
                                                      (double)(i + 1) / (double)ensemble->member_count);
        RW_TRY(run_member(ensemble, job, &arrays, i, first, count));
        rw_progress_range_set(before);
    }
    return rw_device_launch(context, job->backend, RW_KERNEL_ensemble_sigma, &args, count * view->outdoor_count);
}
