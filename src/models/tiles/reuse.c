/* Rays kept for later and evaluated again (tiles.h). */
#include "models/tiles/tiles.h"

#include "base/maths/hash.h"
#include "base/memory.h"
#include "discretise/prepared.h"
#include "models/tiles/database/database.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static rw_status find_subject(const rw_prediction *prediction, const rw_tile_city *city, const rw_tile_limits *limits,
                              const rw_tile_points *points, rw_stored_tiles *stored)
{
    rw_stored_tiles_subject *subject = &stored->subject;
    rw_tile_identity identity;
    memset(subject, 0, sizeof *subject);
    RW_TRY(rw_tile_identity_compute(city->scene, &city->tiles, &identity));
    stored->scene = identity.scene;
    subject->tiles_hash = identity.subject.keys_hash;
    rw_tile_identity_free(&identity);
    if (points) {
        subject->points_hash = rw_hash(RW_HASH_START, points->points, points->count * sizeof *points->points);
        subject->point_count = points->count;
    }
    subject->tile_count = city->tiles.view.tile_count;
    subject->edge_count = city->tiles.view.edge_count;
    subject->transmitter_count = prediction->options->transmitter_count;
    subject->depth = limits->depth;
    subject->reflections = limits->reflections;
    subject->diffractions = limits->diffractions;
    subject->scatterings = limits->scatterings;
    return RW_OK;
}

static rw_vec3 grid_source_of(const rw_prediction *prediction, size_t transmitter)
{
    rw_vec2 centre = prediction->scene->prepared->grid.centre;
    rw_vec3 source = prediction->sources[transmitter];
    return rw_vec3_of(source.x - centre.x, source.y - centre.y, source.z);
}

static rw_status check_stored_tile_sources(const rw_prediction *prediction, const rw_stored_tiles *stored)
{
    for (size_t i = 0; i < stored->subject.transmitter_count; i++) {
        double apart_m = rw_vec3_length(rw_vec3_sub(grid_source_of(prediction, i), stored->transmitters[i].source));
        if (apart_m != 0)
            return rw_fail(stored->context, RW_BAD_CALL,
                           "transmitter %zu stands elsewhere than in %s, by %.3g m; choose another file for reuse",
                           i + 1, stored->path, apart_m);
    }
    return RW_OK;
}

rw_status rw_stored_tiles_open(const rw_prediction *prediction, const rw_tile_city *city, const rw_tile_limits *limits,
                               const rw_tile_points *points, rw_stored_tiles *stored)
{
    *stored = (rw_stored_tiles){.context = city->context, .path = prediction->options->reuse};
    RW_TRY(find_subject(prediction, city, limits, points, stored));
    RW_TRY(rw_array_create(stored->context, stored->subject.transmitter_count, sizeof *stored->transmitters, "rays",
                           &stored->transmitters));
    stored->loaded = access(stored->path, F_OK) == 0;
    rw_status status =
        stored->loaded ? rw_stored_tiles_read(stored) : rw_file_check_writable(stored->context, stored->path);
    if (status == RW_OK && stored->loaded)
        status = check_stored_tile_sources(prediction, stored);
    for (size_t i = 0; status == RW_OK && i < stored->subject.transmitter_count; i++)
        stored->transmitters[i].source = grid_source_of(prediction, i);
    if (status != RW_OK)
        rw_stored_tiles_close(stored);
    return status;
}

void rw_stored_tiles_close(rw_stored_tiles *stored)
{
    for (size_t i = 0; stored->transmitters && i < stored->subject.transmitter_count; i++)
        rw_stored_rays_free(&stored->transmitters[i]);
    free(stored->transmitters);
    *stored = (rw_stored_tiles){0};
}

/* What ended at a tile or point and is not in a gathered sum. */
static rw_status store_finished_rays(void *user, const rw_tile_ray *rays, size_t count)
{
    rw_stored_rays *stored = ((void **)user)[0];
    rw_context *context = ((void **)user)[1];
    RW_TRY(RW_ARRAY_RESERVE(context, stored->direct, count, "kept rays"));
    RW_TRY(RW_ARRAY_RESERVE(context, stored->scattered, count, "kept rays"));
    for (size_t i = 0; i < count; i++) {
        if (rays[i].dead || rays[i].gathered || (rays[i].loose && rays[i].end_kind == RW_END_TILE) ||
            rays[i].end_kind == RW_END_EDGE)
            continue;
        rw_tile_ray ray = rays[i];
        ray.astray = 0; /* every call asks anew */
        if (ray.scattered)
            stored->scattered.items[stored->scattered.count++] = ray;
        else
            stored->direct.items[stored->direct.count++] = ray;
    }
    return RW_OK;
}

/* Rays come in any order from several threads; files are to be the same. */
static int compare_stored_rays(const void *left, const void *right)
{
    const rw_tile_ray *a = left, *b = right;
    if (a->end != b->end)
        return a->end < b->end ? -1 : 1;
    return memcmp(a, b, sizeof *a);
}

static uint64_t scatterer_key_of(const rw_tile_scatterer *scatterer)
{
    return (uint64_t)scatterer->group << 32 | scatterer->tile;
}

static rw_status replay_rays(const rw_stored_tiles *stored, size_t transmitter, rw_tile_solver *solver);

/* Traces further down than the call asks for, so that what is weak now and not at another frequency is there; the sums
 * are then those of the kept rays, as in every later call. */
static rw_status record_rays(const rw_stored_tiles *all, size_t transmitter, rw_tile_solver *solver)
{
    rw_stored_rays *stored = &all->transmitters[transmitter];
    void *user[] = {stored, solver->city->context};
    double min_gain = solver->min_gain;
    solver->on_rays = store_finished_rays;
    solver->user = user;
    solver->min_gain = min_gain * pow(10, -0.1 * RW_STORED_MARGIN_DB);
    rw_status status = rw_tile_solver_run(solver);
    solver->min_gain = min_gain;
    solver->on_rays = NULL;
    RW_TRY(status);
    stored->threshold = (rw_stored_threshold){.freq_hz = solver->freq_hz,
                                              .loss_db = solver->limits.loss_max_db + RW_STORED_MARGIN_DB,
                                              .rough = solver->incidents != NULL};
    rw_sort(stored->direct.items, stored->direct.count, sizeof(rw_tile_ray), compare_stored_rays);
    rw_sort(stored->scattered.items, stored->scattered.count, sizeof(rw_tile_ray), compare_stored_rays);
    RW_TRY(rw_array_create(solver->city->context, solver->scatterer_count + 1, sizeof *stored->keys, "kept rays",
                           &stored->keys));
    stored->key_count = solver->scatterer_count;
    for (size_t i = 0; i < stored->key_count; i++)
        stored->keys[i] = scatterer_key_of(&solver->scatterers[i]);
    return replay_rays(all, transmitter, solver);
}

/* Whether rays were kept as far down as a call needs them, and of the same rough walls. At a lower frequency every ray
 * is stronger: by the square of the wavelength, and by the wavelength for each diffraction. */
static rw_status check_threshold(const rw_stored_tiles *all, size_t transmitter, const rw_tile_solver *solver)
{
    const rw_stored_threshold *has = &all->transmitters[transmitter].threshold;
    double lower = fmax(0, log10(has->freq_hz / solver->freq_hz));
    double needed_db = solver->limits.loss_max_db + (20 + 10.0 * solver->limits.diffractions) * lower;
    if (solver->incidents && !has->rough)
        return rw_fail(all->context, RW_BAD_CALL,
                       "%s has rays among smooth walls, and some are rough now: the rays that they scatter are not in "
                       "it; choose another file for reuse",
                       all->path);
    if (needed_db > has->loss_db + 1e-6)
        rw_warn(all->context,
                "%s has rays of up to %.0f dB at %.4g GHz; loss-max %g dB at %.4g GHz needs %.0f dB there: weak rays "
                "may be missing; choose another file for reuse",
                all->path, has->loss_db, 1e-9 * has->freq_hz, solver->limits.loss_max_db, 1e-9 * solver->freq_hz,
                needed_db);
    return RW_OK;
}

/* Kept rays with the numbers of today's scatterers. Both lists rise by group and tile. */
static rw_status renumber_scatterers(const rw_stored_rays *stored, const rw_tile_solver *solver, rw_tile_ray **rays,
                                     size_t *count)
{
    size_t matched = 0;
    rw_context *context = solver->city->context;
    uint32_t *now;
    size_t at = 0;
    RW_TRY(rw_array_create(context, stored->key_count + 1, sizeof *now, "kept rays", &now));
    for (size_t i = 0; i < stored->key_count; i++) {
        while (at < solver->scatterer_count && scatterer_key_of(&solver->scatterers[at]) < stored->keys[i])
            at++;
        int there = at < solver->scatterer_count && scatterer_key_of(&solver->scatterers[at]) == stored->keys[i];
        now[i] = there ? (uint32_t)at : UINT32_MAX;
        matched += there;
    }
    if (matched < solver->scatterer_count)
        rw_warn(context,
                "%zu of %zu scattering tiles were smooth when the rays were kept; of what they scatter only the first "
                "leg counts; choose another file for reuse",
                solver->scatterer_count - matched, solver->scatterer_count);
    rw_status status = rw_array_create(context, stored->scattered.count + 1, sizeof **rays, "kept rays", rays);
    *count = 0;
    for (size_t i = 0; status == RW_OK && i < stored->scattered.count; i++) {
        rw_tile_ray ray = stored->scattered.items[i];
        ray.steps[0] = now[ray.steps[0]];
        if (ray.steps[0] != UINT32_MAX)
            (*rays)[(*count)++] = ray;
    }
    free(now);
    return status;
}

static rw_status replay_rays(const rw_stored_tiles *all, size_t transmitter, rw_tile_solver *solver)
{
    const rw_stored_rays *stored = &all->transmitters[transmitter];
    rw_tile_ray *rays = NULL;
    size_t count;
    RW_TRY(rw_tile_solver_clear(solver));
    RW_TRY(rw_tile_solver_sum(solver, stored->direct.items, stored->direct.count));
    if (solver->incidents) {
        RW_TRY(rw_tile_gather(solver));
        rw_status status = renumber_scatterers(stored, solver, &rays, &count);
        if (status == RW_OK)
            status = rw_tile_solver_sum(solver, rays, count);
        free(rays);
        RW_TRY(status);
    }
    return solver->limits.roofs || solver->limits.mechanisms ? rw_tile_over_roofs(solver) : RW_OK;
}

rw_status rw_stored_tiles_run(rw_stored_tiles *stored, size_t transmitter, rw_tile_solver *solver)
{
    if (!stored)
        return rw_tile_solver_run(solver);
    if (!stored->loaded)
        return record_rays(stored, transmitter, solver);
    RW_TRY(check_threshold(stored, transmitter, solver));
    return replay_rays(stored, transmitter, solver);
}

rw_status rw_stored_tiles_finish(const rw_stored_tiles *stored)
{
    return stored->loaded ? RW_OK : rw_stored_tiles_write(stored);
}
