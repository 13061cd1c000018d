#include "mechanisms/foliage/foliage_loss.h"

#include "base/memory.h"

#include <stdlib.h>

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
