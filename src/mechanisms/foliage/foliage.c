#include "mechanisms/foliage/foliage.h"

#include "base/memory.h"
#include "discretise/prepared.h"

#include <stdlib.h>

static double ground_m(const rw_wall_grid_view *grid, double x, double y)
{
    if (!grid->posts)
        return 0;
    return (double)rw_ground_height(grid, (float)((x - grid->post_x0) * grid->posts_per_m_x),
                                    (float)((y - grid->post_y0) * grid->posts_per_m_y));
}

/* Heights are above the ground in the middle of their cell. */
static void find_foliage_tops(const rw_scene *scene, const rw_foliage_view *view, float *tops_m)
{
    const rw_wall_grid_view *grid = &scene->prepared->grid.view;
    for (int row = 0; row < view->rows; row++)
        for (int column = 0; column < view->columns; column++) {
            size_t at = (size_t)row * (size_t)view->columns + (size_t)column;
            double height_m = (double)scene->foliage.values[at];
            double base_m = ground_m(grid, view->x0 + column * view->dx, view->y0 + row * view->dy);
            tops_m[at] = height_m > 0 ? (float)(base_m + height_m) : RW_NO_FOLIAGE;
        }
}

static rw_status upload_foliage_tops(const rw_scene *scene, rw_device_foliage *device)
{
    const rw_raster *foliage = &scene->foliage;
    rw_vec2 centre = scene->prepared->grid.centre;
    size_t count = foliage->columns * foliage->rows, bytes = count * sizeof *device->tops_m;
    float *copy;
    device->host = (rw_foliage_view){.columns = (int)foliage->columns,
                                     .rows = (int)foliage->rows,
                                     .x0 = foliage->x0_m - scene->origin.x - centre.x,
                                     .y0 = foliage->y0_m - scene->origin.y - centre.y,
                                     .dx = foliage->dx_m,
                                     .dy = foliage->dy_m};
    device->view = device->host;
    RW_TRY(rw_array_create(scene->context, count, sizeof *device->tops_m, "foliage", &device->tops_m));
    device->host.tops_m = device->tops_m;
    find_foliage_tops(scene, &device->host, device->tops_m);
    RW_TRY(rw_device_alloc(scene->context, device->backend, bytes, "foliage", &copy));
    device->view.tops_m = copy;
    return rw_device_upload(scene->context, device->backend, copy, device->tops_m, bytes);
}

rw_status rw_foliage_upload(const rw_scene *scene, rw_backend backend, rw_device_foliage *device)
{
    *device = (rw_device_foliage){.backend = backend};
    rw_status status = scene->foliage.values ? upload_foliage_tops(scene, device) : RW_OK;
    if (status != RW_OK)
        rw_foliage_release(device);
    return status;
}

void rw_foliage_release(rw_device_foliage *device)
{
    if (device->view.tops_m)
        rw_device_free(device->backend, (void *)(uintptr_t)device->view.tops_m);
    free(device->tops_m);
    *device = (rw_device_foliage){0};
}

static rw_status allocate_foliage_arrays(rw_foliage_job *job, size_t batch, int roofs)
{
    const rw_receivers_view *receivers = &job->prediction->receivers.view;
    rw_context *context = job->prediction->scene->context;
    size_t answers = batch * receivers->columns * receivers->rows * sizeof *job->direct_db;
    RW_TRY(rw_foliage_upload(job->prediction->scene, job->backend, &job->foliage));
    RW_TRY(rw_device_alloc(context, job->backend, answers, "losses of trees", &job->direct_db));
    if (roofs)
        RW_TRY(rw_device_alloc(context, job->backend, answers, "losses of trees", &job->roof_db));
    return rw_device_alloc(context, job->backend, batch * sizeof *job->laws, "losses of trees", &job->laws);
}

rw_status rw_foliage_job_create(const rw_prediction *prediction, size_t batch, int roofs, rw_foliage_job *job)
{
    *job = (rw_foliage_job){0};
    if (!prediction->scene->foliage.values)
        return RW_OK;
    job->prediction = prediction;
    job->backend = prediction->scene->context->backend;
    rw_status status = allocate_foliage_arrays(job, batch, roofs);
    if (status != RW_OK)
        rw_foliage_job_destroy(job);
    return status;
}

void rw_foliage_job_destroy(rw_foliage_job *job)
{
    void *arrays[] = {job->direct_db, job->roof_db, job->laws};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        if (arrays[i])
            rw_device_free(job->backend, arrays[i]);
    rw_foliage_release(&job->foliage);
    free(job->host_laws);
    *job = (rw_foliage_job){0};
}

rw_status rw_foliage_job_begin(rw_foliage_job *job)
{
    const rw_prediction *prediction = job->prediction;
    size_t count = prediction->options->transmitter_count;
    free(job->host_laws);
    job->host_laws = NULL;
    RW_TRY(
        rw_array_create(prediction->scene->context, count, sizeof *job->host_laws, "losses of trees", &job->host_laws));
    for (size_t i = 0; i < count; i++)
        job->host_laws[i] = rw_foliage_law_of(rw_prediction_freq_hz(prediction, i));
    return RW_OK;
}

rw_status rw_foliage_job_run(const rw_foliage_job *job, const rw_los_arrays *arrays, size_t first)
{
    rw_context *context = job->prediction->scene->context;
    struct rw_foliage_db_args args = {*arrays, job->foliage.view, job->laws, job->direct_db, job->roof_db};
    RW_TRY(rw_device_upload(context, job->backend, job->laws, job->host_laws + first,
                            arrays->source_count * sizeof *job->laws));
    return rw_device_launch(context, job->backend, RW_KERNEL_foliage_db, &args,
                            arrays->source_count * arrays->receivers.outdoor_count);
}
