/* Every path of the rt model, one by one, for the points of rw_trace. What the patches of a surface scatter by the same
 * interactions behind them is told as one path: by its power, over the strongest patch. */
#include "models/rt/rt.h"

#include "base/memory.h"
#include "discretise/prepared.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

typedef struct found_path {
    rw_rt_path path;
    int scattered; /* 1: over one more place before these, which is a patch */
    rw_vec3 patch;
    uint32_t surface;
    size_t patch_number;
    rw_complex gain;
    double length_m; /* of the path, for its delay */
    size_t point;
    const rw_rt_roof_path *over; /* NULL: a path of rays */
} found_path;

typedef struct tracer {
    const rw_rt_geometry *geometry;
    const rw_points *points;
    const rw_rt_patches *patches;
    found_path *found;
    size_t count, capacity;
    rw_failure failure;
    pthread_mutex_t lock; /* of what is found */
} tracer;

static void append_rt_path(tracer *trace, const found_path *path)
{
    rw_context *context = trace->geometry->rays->context;
    pthread_mutex_lock(&trace->lock);
    if (trace->failure.status == RW_OK)
        rw_failure_store(
            context,
            rw_array_reserve(context, &trace->found, &trace->capacity, trace->count + 1, sizeof *trace->found, "paths"),
            &trace->failure);
    if (trace->failure.status == RW_OK)
        trace->found[trace->count++] = *path;
    pthread_mutex_unlock(&trace->lock);
}

static void on_path(void *user, const rw_rt_path *path, size_t point)
{
    tracer *trace = user;
    const rw_ray_view *at = trace->geometry->at;
    rw_wave wave = rw_rt_path_wave(trace->geometry, path, trace->points->positions[point]);
    found_path found = {.path = *path,
                        .gain = rw_wave_gain(&wave, &at->receiver, at->wavelength_m),
                        .length_m = wave.length_m,
                        .point = point};
    append_rt_path(trace, &found);
}

static void on_scattered(void *user, const rw_rt_scattered *scattered)
{
    tracer *trace = user;
    const rw_rt_patch *patch = &trace->patches->items[scattered->patch];
    found_path found = {.path = *scattered->path,
                        .scattered = 1,
                        .patch = patch->point,
                        .surface = patch->surface,
                        .patch_number = scattered->patch,
                        .gain = scattered->arrival.gain,
                        .length_m = scattered->arrival.delay_s * RW_SPEED_OF_LIGHT_M_S,
                        .point = scattered->point};
    append_rt_path(trace, &found);
}

/* Whether two scattered paths differ in no more than the patch. */
static int compare_path_steps(const found_path *a, const found_path *b)
{
    if (a->point != b->point)
        return a->point < b->point ? -1 : 1;
    if (a->surface != b->surface)
        return a->surface < b->surface ? -1 : 1;
    if (a->path.count != b->path.count)
        return a->path.count - b->path.count;
    for (int i = 0; i < a->path.count; i++) {
        rw_rt_step left = a->path.steps[i], right = b->path.steps[i];
        if (left.bends != right.bends)
            return left.bends - right.bends;
        if (left.index != right.index)
            return left.index < right.index ? -1 : 1;
    }
    return 0;
}

static int compare_scattered(const void *left, const void *right)
{
    const found_path *a = left, *b = right;
    int order = compare_path_steps(a, b);
    return order ? order : a->patch_number < b->patch_number ? -1 : a->patch_number > b->patch_number;
}

/* One path for all patches of a surface that scatter to a place by the same interactions. first: where scattered paths
 * begin. */
static void merge_scattered(tracer *trace, size_t first)
{
    found_path *found = trace->found;
    size_t write_at = first;
    if (trace->count == first)
        return;
    rw_sort(found + first, trace->count - first, sizeof *found, compare_scattered);
    for (size_t i = first, end; i < trace->count; i = end) {
        double power = 0, length = 0, strongest = -1;
        size_t best = i;
        for (end = i; end < trace->count && compare_path_steps(&found[i], &found[end]) == 0; end++) {
            double power_part = rw_complex_abs2(found[end].gain);
            power += power_part;
            length += power_part * found[end].length_m;
            best = power_part > strongest ? end : best;
            strongest = fmax(strongest, power_part);
        }
        if (!(power > 0))
            continue;
        found[write_at] = found[best];
        found[write_at].gain = rw_complex_of(sqrt(power), 0);
        found[write_at++].length_m = length / power;
    }
    trace->count = write_at;
}

static void drop_weak(tracer *trace)
{
    size_t write_at = 0;
    for (size_t i = 0; i < trace->count; i++)
        if (-10 * log10(rw_complex_abs2(trace->found[i].gain)) <= trace->geometry->limits.loss_max_db)
            trace->found[write_at++] = trace->found[i];
    trace->count = write_at;
}

static int compare_rt_paths(const void *left, const void *right)
{
    const found_path *a = left, *b = right;
    double first = rw_complex_abs2(a->gain), second = rw_complex_abs2(b->gain);
    if (a->point != b->point)
        return a->point < b->point ? -1 : 1;
    if (first != second)
        return first > second ? -1 : 1;
    if (a->length_m != b->length_m)
        return a->length_m < b->length_m ? -1 : 1;
    for (int i = 0; i < a->path.count && i < b->path.count; i++)
        if (a->path.steps[i].index != b->path.steps[i].index)
            return a->path.steps[i].index < b->path.steps[i].index ? -1 : 1;
    return a->path.count != b->path.count ? a->path.count - b->path.count : compare_scattered(a, b);
}

static rw_interaction rt_interaction_of(const tracer *trace, rw_rt_step step)
{
    if (!step.bends)
        return RW_INTERACTION_REFLECTION;
    return trace->geometry->edges[step.index].upright ? RW_INTERACTION_STREET : RW_INTERACTION_ROOF;
}

/* The loss beyond free space is shared by all interactions alike: what one of several costs depends on the others. */
static size_t list_rt_vertices(const tracer *trace, const found_path *found, double excess_db, rw_path_vertex *vertices)
{
    size_t count = 0;
    vertices[count++] = rw_ray_vertex(trace->geometry->scene, trace->geometry->at->source, RW_INTERACTION_END);
    if (found->scattered)
        vertices[count++] = rw_ray_vertex(trace->geometry->scene, found->patch, RW_INTERACTION_SCATTERING);
    for (int i = 0; i < found->path.count; i++)
        vertices[count++] = rw_ray_vertex(trace->geometry->scene, found->path.points[i],
                                          rt_interaction_of(trace, found->path.steps[i]));
    for (int i = 0; found->over && i < found->over->count; i++)
        vertices[count++] = rw_ray_vertex(trace->geometry->scene, found->over->points[i], RW_INTERACTION_ROOF);
    vertices[count++] =
        rw_ray_vertex(trace->geometry->scene, trace->points->positions[found->point], RW_INTERACTION_END);
    for (size_t i = 1; i + 1 < count; i++) {
        vertices[i].angle_rad = rw_ray_vertex_angle_rad(&vertices[i]);
        vertices[i].loss_db = (float)(excess_db / (double)(count - 2));
    }
    return count;
}

static rw_status report_rt_paths(const tracer *trace, size_t transmitter, rw_paths *paths)
{
    rw_sort(trace->found, trace->count, sizeof *trace->found, compare_rt_paths);
    for (size_t i = 0; i < trace->count; i++) {
        const found_path *found = &trace->found[i];
        rw_path_vertex vertices[RW_RT_DEPTH_MAX + RW_MAIN_EDGES + 3];
        double free_gain = trace->geometry->at->wavelength_m / (4 * RW_PI * found->length_m);
        rw_path_entry entry = {.point = trace->points->cells[found->point],
                               .transmitter = transmitter,
                               .free_space_db = -20 * log10(free_gain),
                               .loss_db = -10 * log10(rw_complex_abs2(found->gain)),
                               .delay_s = found->length_m / RW_SPEED_OF_LIGHT_M_S,
                               .gain = found->gain};
        entry.vertex_count = list_rt_vertices(trace, found, entry.loss_db - entry.free_space_db, vertices);
        RW_TRY(rw_paths_add(paths, &entry, vertices));
    }
    return RW_OK;
}

static rw_status find_rt_paths(tracer *trace)
{
    rw_rt_patches patches;
    RW_TRY(rw_rt_search(trace->geometry, trace->geometry->limits.depth, trace->points->positions,
                        trace->points->view.count, on_path, trace));
    RW_TRY(rw_failure_report(trace->geometry->rays->context, &trace->failure));
    RW_TRY(rw_rt_patches_create(trace->geometry, &patches));
    size_t first = trace->count;
    trace->patches = &patches;
    rw_status status = rw_rt_scatter(trace->geometry, &patches, trace->points->positions, trace->points->view.count,
                                     on_scattered, trace);
    rw_rt_patches_destroy(&patches);
    RW_TRY(status);
    RW_TRY(rw_failure_report(trace->geometry->rays->context, &trace->failure));
    merge_scattered(trace, first);
    drop_weak(trace);
    return RW_OK;
}

/* Paths over the roofs, as maps have them: one for each point that does not see the transmitter. */
static rw_status append_roof_paths(tracer *trace, const rw_rays *rays, rw_rt_roof_path *over)
{
    size_t count = trace->points->view.count;
    RW_TRY(rw_rt_list_over_roofs(rays, over));
    RW_TRY(rw_array_reserve(trace->geometry->rays->context, &trace->found, &trace->capacity, trace->count + count,
                            sizeof *trace->found, "paths"));
    for (size_t i = 0; i < count; i++)
        if (over[i].there)
            trace->found[trace->count++] = (found_path){.gain = over[i].arrival.gain,
                                                        .length_m = over[i].arrival.delay_s * RW_SPEED_OF_LIGHT_M_S,
                                                        .point = i,
                                                        .over = &over[i]};
    return RW_OK;
}

rw_status rw_rt_trace(rw_rays *rays, rw_paths *paths)
{
    rw_rt_limits limits;
    rw_rt_geometry geometry;
    rw_rt_resolve(rays->prediction, &limits);
    RW_TRY(rw_rt_geometry_create(rays->prediction->scene, &rays->scene, &limits, &geometry));
    tracer trace = {.geometry = &geometry, .points = &rays->points, .lock = PTHREAD_MUTEX_INITIALIZER};
    rw_rt_roof_path *over = NULL;
    rw_status status = find_rt_paths(&trace);
    if (status == RW_OK)
        status = rw_array_create(rays->prediction->scene->context, trace.points->view.count, sizeof *over,
                                 "paths over roofs", &over);
    if (status == RW_OK)
        status = append_roof_paths(&trace, rays, over);
    if (status == RW_OK)
        status = report_rt_paths(&trace, rays->transmitter, paths);
    free(over);
    free(trace.found);
    rw_rt_geometry_destroy(&geometry);
    return status;
}
