/* The street corners that send a transmitter's wave on: equations (5) to (8) of Rick and Kuhlen (2010), and how many
 * cells are reached round each. */
#include "base/memory.h"
#include "models/shadow/shadow.h"

#include <math.h>
#include <stdlib.h>

/* What a run found, on the host. */
typedef struct corner_paths {
    rw_street_path *paths;
    uint32_t *cell_paths; /* by each cell */
    uint32_t count;
    size_t cells;
} corner_paths;

static rw_status download_corner_paths(const rw_shadow_job *job, corner_paths *found)
{
    rw_context *context = job->prediction->scene->context;
    const rw_street_view *street = &job->args.street;
    RW_TRY(rw_device_download(context, job->backend, &found->count, street->counts, sizeof found->count));
    found->cells = job->args.receivers.columns * job->args.receivers.rows;
    RW_TRY(rw_array_create(context, found->count + 1, sizeof *found->paths, "paths", &found->paths));
    RW_TRY(rw_array_create(context, found->cells, sizeof *found->cell_paths, "paths", &found->cell_paths));
    RW_TRY(rw_device_download(context, job->backend, found->paths, street->paths, found->count * sizeof *found->paths));
    return rw_device_download(context, job->backend, found->cell_paths, job->args.street_paths,
                              found->cells * sizeof *found->cell_paths);
}

/* Loss of a path up to its last corner: by Berg's recursion, that of the illusory distance. */
static double find_corner_loss_db(const rw_shadow_source *source, const rw_street_path *path)
{
    double length_m = (double)(source->berg ? path->loss_db : path->length_m);
    return source->offset_db + rw_free_space_loss_db(length_m, source->wavelength_m) +
           (source->berg ? 0 : (double)path->loss_db);
}

static void gather_corner_sources(const rw_shadow_job *job, const rw_shadow_source *source, const corner_paths *found,
                                  rw_diffraction_source *of_corners)
{
    const uint8_t *indoor = job->prediction->receivers.view.indoor;
    for (uint32_t i = 0; i < found->count; i++) {
        rw_diffraction_source *corner = &of_corners[found->paths[i].corner];
        double before_db = find_corner_loss_db(source, &found->paths[i]);
        corner->loss_db = corner->order ? fmin(corner->loss_db, before_db) : before_db;
        corner->order = corner->order && corner->order < found->paths[i].order ? corner->order : found->paths[i].order;
    }
    for (size_t cell = 0; cell < found->cells; cell++)
        for (uint32_t i = indoor[cell] ? RW_STREET_NONE : found->cell_paths[cell]; i != RW_STREET_NONE;
             i = found->paths[i].before)
            of_corners[found->paths[i].corner].count++;
}

/* Keeps the corners that are reached, at their places. */
static size_t compact_reached(const rw_scene *scene, rw_diffraction_source *of_corners)
{
    const rw_corner_list *corners = &scene->prepared->corners;
    rw_vec2 centre = scene->prepared->grid.centre;
    size_t reached_count = 0;
    for (size_t i = 0; i < corners->count; i++) {
        const rw_corner *corner = &corners->items[i];
        if (!of_corners[i].order)
            continue;
        of_corners[reached_count] = of_corners[i];
        of_corners[reached_count].at = rw_vec2_of(corner->x + centre.x, corner->y + centre.y);
        of_corners[reached_count].low_m = (double)corner->bottom;
        of_corners[reached_count++].top_m = (double)corner->top;
    }
    return reached_count;
}

static rw_status list_corner_sources(rw_shadow_job *job, size_t transmitter, rw_diffraction_source **sources,
                                     size_t *count)
{
    const rw_scene *scene = job->prediction->scene;
    corner_paths found = {0};
    if (!job->graph)
        return RW_OK;
    RW_TRY(rw_shadow_job_run(job, transmitter, 1));
    rw_status status = rw_array_create(scene->context, scene->prepared->corners.count, sizeof **sources,
                                       "diffraction sources", sources);
    if (status == RW_OK)
        status = download_corner_paths(job, &found);
    if (status == RW_OK) {
        gather_corner_sources(job, &job->host_sources[transmitter], &found, *sources);
        *count = compact_reached(scene, *sources);
    }
    free(found.paths);
    free(found.cell_paths);
    return status;
}

rw_status rw_shadow_diffraction_sources(const rw_prediction *prediction, size_t transmitter,
                                        rw_diffraction_source **sources, size_t *count)
{
    rw_shadow_effects effects;
    rw_shadow_job job;
    RW_TRY(rw_shadow_effects_resolve(prediction, &effects));
    if (!effects.streets)
        return rw_fail(prediction->scene->context, RW_BAD_CALL,
                       "there are no diffraction sources without effects streets or streets_polynomial");
    effects.best_count = 1;
    effects.prior = NULL;
    RW_TRY(rw_shadow_job_create(prediction, effects, (rw_shadow_needs){.paths = 1}, &job));
    rw_status status = list_corner_sources(&job, transmitter, sources, count);
    rw_shadow_job_destroy(&job);
    if (status != RW_OK) {
        free(*sources);
        *sources = NULL;
    }
    return status;
}
