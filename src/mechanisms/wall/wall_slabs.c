#include "mechanisms/wall/wall_slabs.h"

#include "base/memory.h"
#include "field/surfaces/surfaces.h"

#include <stdlib.h>
#include <string.h>

enum { COPY_MESHES, COPY_TABLES, COPY_FREQUENCIES, COPY_MIN_LOSSES };

static rw_status upload_slab_copy(rw_slab_job *job, int slot, const void *host, size_t bytes, const void *pointer_out)
{
    rw_context *context = job->prediction->scene->context;
    if (job->copies[slot])
        rw_device_free(job->backend, job->copies[slot]);
    job->copies[slot] = NULL;
    RW_TRY(rw_device_alloc(context, job->backend, bytes + 1, "constructions", &job->copies[slot]));
    *(const void **)(uintptr_t)pointer_out = job->copies[slot];
    return bytes ? rw_device_upload(context, job->backend, job->copies[slot], host, bytes) : RW_OK;
}

static rw_status create_slab_arrays(rw_slab_job *job, size_t batch)
{
    const rw_scene *scene = job->prediction->scene;
    const rw_wall_list *walls = &scene->prepared->walls;
    const rw_receivers_view *receivers = &job->prediction->receivers.view;
    RW_TRY(rw_array_create(scene->context, scene->meshes.count + 1, sizeof *job->host_meshes, "constructions",
                           &job->host_meshes));
    for (size_t i = 0; i < scene->meshes.count; i++)
        job->host_meshes[i] = scene->meshes.items[i].surface;
    job->view.surface_count = scene->surfaces.count;
    job->host = job->view;
    job->host.wall_surfaces = walls->surfaces;
    job->host.mesh_surfaces = job->host_meshes;
    RW_TRY(rw_prepared_surfaces(scene, job->backend, &job->view.wall_surfaces));
    RW_TRY(upload_slab_copy(job, COPY_MESHES, job->host_meshes, scene->meshes.count * sizeof *job->host_meshes,
                            &job->view.mesh_surfaces));
    return rw_device_alloc(scene->context, job->backend,
                           batch * receivers->columns * receivers->rows * sizeof *job->walls_db, "losses of walls",
                           &job->walls_db);
}

rw_status rw_slab_job_create(const rw_prediction *prediction, size_t batch, rw_slab_job *job)
{
    *job = (rw_slab_job){.prediction = prediction, .backend = prediction->scene->context->backend};
    rw_status status = create_slab_arrays(job, batch);
    if (status != RW_OK)
        rw_slab_job_destroy(job);
    return status;
}

void rw_slab_job_destroy(rw_slab_job *job)
{
    for (size_t i = 0; i < sizeof job->copies / sizeof *job->copies; i++)
        if (job->copies[i])
            rw_device_free(job->backend, job->copies[i]);
    if (job->walls_db)
        rw_device_free(job->backend, job->walls_db);
    free(job->host_meshes);
    free(job->host_frequencies);
    free(job->host_tables);
    free(job->host_min_db);
    free(job->freqs_hz);
    *job = (rw_slab_job){0};
}

/* Which table each transmitter takes; room is for as many frequencies as there are transmitters. */
static size_t list_frequencies(const rw_prediction *prediction, double *freqs_hz, uint32_t *frequency_of)
{
    size_t count = 0;
    for (size_t i = 0; i < prediction->options->transmitter_count; i++) {
        double freq_hz = rw_prediction_freq_hz(prediction, i);
        size_t at = 0;
        while (at < count && freqs_hz[at] != freq_hz)
            at++;
        freqs_hz[at] = freq_hz;
        count += at == count;
        frequency_of[i] = (uint32_t)at;
    }
    return count;
}

static rw_status make_tables(rw_slab_job *job)
{
    const rw_scene *scene = job->prediction->scene;
    size_t each = scene->surfaces.count * (RW_WALL_LOSS_SAMPLES + 1);
    RW_TRY(rw_array_create(scene->context, job->freq_count * each + 1, sizeof *job->host_tables, "constructions",
                           &job->host_tables));
    RW_TRY(
        rw_array_create(scene->context, job->freq_count, sizeof *job->host_min_db, "constructions", &job->host_min_db));
    for (size_t i = 0; i < job->freq_count; i++) {
        rw_wall_losses_tabulate(scene, job->freqs_hz[i], job->host_tables + i * each);
        job->host_min_db[i] = (float)rw_wall_losses_min_db(job->host_tables + i * each, scene->surfaces.count);
    }
    RW_TRY(upload_slab_copy(job, COPY_TABLES, job->host_tables, job->freq_count * each * sizeof *job->host_tables,
                            &job->view.tables));
    RW_TRY(upload_slab_copy(job, COPY_MIN_LOSSES, job->host_min_db, job->freq_count * sizeof *job->host_min_db,
                            &job->view.min_db));
    job->host.tables = job->host_tables;
    job->host.min_db = job->host_min_db;
    return RW_OK;
}

/* New transmitters often have the old frequencies, whose tables stay. */
static int are_same(const rw_slab_job *job, const double *freqs_hz, size_t count)
{
    return job->host_tables && count == job->freq_count &&
           memcmp(freqs_hz, job->freqs_hz, count * sizeof *freqs_hz) == 0;
}

rw_status rw_slab_job_begin(rw_slab_job *job)
{
    rw_context *context = job->prediction->scene->context;
    size_t count = job->prediction->options->transmitter_count;
    double *freqs_hz;
    free(job->host_frequencies);
    job->host_frequencies = NULL;
    RW_TRY(rw_array_create(context, count, sizeof *job->host_frequencies, "transmitters", &job->host_frequencies));
    RW_TRY(rw_array_create(context, count, sizeof *freqs_hz, "transmitters", &freqs_hz));
    size_t freq_count = list_frequencies(job->prediction, freqs_hz, job->host_frequencies);
    int same = are_same(job, freqs_hz, freq_count);
    free(job->freqs_hz);
    job->freqs_hz = freqs_hz;
    job->freq_count = freq_count;
    job->host.frequency_of = job->host_frequencies;
    RW_TRY(upload_slab_copy(job, COPY_FREQUENCIES, job->host_frequencies, count * sizeof *job->host_frequencies,
                            &job->view.frequency_of));
    if (same)
        return RW_OK;
    free(job->host_tables);
    free(job->host_min_db);
    job->host_tables = NULL;
    job->host_min_db = NULL;
    return make_tables(job);
}

rw_status rw_slab_job_run(const rw_slab_job *job, const rw_los_arrays *arrays, size_t first, float counted_above_db)
{
    struct rw_walls_db_args args = {*arrays, job->view, counted_above_db, job->walls_db};
    args.slabs.frequency_of += first;
    return rw_device_launch(job->prediction->scene->context, job->backend, RW_KERNEL_walls_db, &args,
                            arrays->source_count * arrays->receivers.outdoor_count);
}
