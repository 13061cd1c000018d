/* The rays of the tiles model to points, one by one, for rw_trace. A scattered ray begins at the tile that scatters:
 * what has reached that tile came by many ways. */
#include "base/memory.h"
#include "discretise/prepared.h"
#include "models/rays/rays.h"
#include "models/tiles/tile_path.k.h"
#include "models/tiles/tiles.h"

#include <math.h>
#include <stdlib.h>

typedef struct found_ray {
    rw_tile_ray ray;
    rw_tile_arrival arrival;
} found_ray;

typedef struct tracer {
    const rw_prediction *prediction;
    rw_tile_solver *solver;
    found_ray *found;
    size_t count, capacity;
    uint32_t *walls; /* of a record of kept gains, by material; NULL: there is none */
} tracer;

static rw_status on_rays(void *user, const rw_tile_ray *rays, size_t count)
{
    tracer *trace = user;
    for (size_t i = 0; i < count; i++) {
        found_ray new_ray = {.ray = rays[i]};
        if (rays[i].end_kind != RW_END_POINT || rays[i].dead ||
            !rw_tile_arrive(&trace->solver->host, &rays[i], trace->solver->points[rays[i].end], &new_ray.arrival))
            continue;
        RW_TRY(rw_array_reserve(trace->solver->city->context, &trace->found, &trace->capacity, trace->count + 1,
                                sizeof *trace->found, "paths"));
        trace->found[trace->count++] = new_ray;
    }
    return RW_OK;
}

static int compare_found_rays(const void *left, const void *right)
{
    const found_ray *a = left, *b = right;
    double first = rw_complex_abs2(a->arrival.ray.gain), second = rw_complex_abs2(b->arrival.ray.gain);
    if (a->ray.end != b->ray.end)
        return a->ray.end < b->ray.end ? -1 : 1;
    if (first != second)
        return first > second ? -1 : 1;
    if (a->ray.count != b->ray.count)
        return a->ray.count < b->ray.count ? -1 : 1;
    for (int i = 0; i < a->ray.count; i++)
        if (a->ray.steps[i] != b->ray.steps[i])
            return a->ray.steps[i] < b->ray.steps[i] ? -1 : 1;
    return 0;
}

rw_interaction rw_tile_edge_interaction(const rw_tile_edge *edge)
{
    rw_vec3 vector = rw_vec3_sub(edge->to, edge->from);
    int upright = edge->kind == RW_TILE_EDGE_CORNER ||
                  (edge->kind == RW_TILE_EDGE_MESH && fabs(vector.z) > 0.7 * rw_vec3_length(vector));
    return upright ? RW_INTERACTION_STREET : RW_INTERACTION_ROOF;
}

static rw_interaction tile_interaction_of(const tracer *trace, const rw_tile_ray *ray, int step)
{
    if (step == 0 && ray->scattered)
        return RW_INTERACTION_SCATTERING;
    if (!RW_TILE_STEP_BENDS(ray->steps[step]))
        return RW_INTERACTION_REFLECTION;
    const rw_tile_edge *edge = &trace->solver->host.tiles.edges[RW_TILE_STEP_INDEX(ray->steps[step])];
    return rw_tile_edge_interaction(edge);
}

static rw_status append_tile_path(const tracer *trace, const found_ray *found, size_t transmitter, rw_paths *paths)
{
    const rw_tile_scene *scene = &trace->solver->host;
    rw_vec3 points[RW_TILE_DEPTH_MAX] = {{0}}, point = trace->solver->points[found->ray.end];
    rw_path_vertex vertices[RW_TILE_DEPTH_MAX + 2];
    double free_gain = scene->wavelength_m / (4 * RW_PI * found->arrival.length_m);
    rw_path_entry entry = {.point = trace->prediction->receivers.view.outdoor[found->ray.end],
                           .transmitter = transmitter,
                           .vertex_count = found->ray.count + 2u,
                           .free_space_db = -20 * log10(free_gain),
                           .loss_db = -10 * log10(rw_complex_abs2(found->arrival.ray.gain)),
                           .delay_s = found->arrival.ray.delay_s,
                           .gain = found->arrival.ray.gain};
    if (paths->record)
        RW_TRY(rw_tiles_record_ray(trace->solver, &found->ray, transmitter, entry.point, trace->walls, paths->record,
                                   &entry.stored));
    rw_tile_ray_points(scene, &found->ray, point, points);
    vertices[0] = rw_ray_vertex(trace->prediction->scene, scene->source, RW_INTERACTION_END);
    for (int i = 0; i < found->ray.count; i++)
        vertices[i + 1] =
            rw_ray_vertex(trace->prediction->scene, points[i], tile_interaction_of(trace, &found->ray, i));
    vertices[found->ray.count + 1] = rw_ray_vertex(trace->prediction->scene, point, RW_INTERACTION_END);
    for (int i = 1; i <= found->ray.count; i++) {
        vertices[i].angle_rad = rw_ray_vertex_angle_rad(&vertices[i]);
        vertices[i].loss_db = (float)((entry.loss_db - entry.free_space_db) / found->ray.count);
    }
    return rw_paths_add(paths, &entry, vertices);
}

/* Of a path over the roofs the loss is that of the shadow model, shared by its deflections alike. */
static rw_status append_rooftop_path(const tracer *trace, const rw_tile_roof_path *over, size_t point,
                                     size_t transmitter, rw_paths *paths)
{
    const rw_tile_scene *scene = &trace->solver->host;
    rw_path_vertex vertices[RW_ROOF_POINTS_MAX + 2];
    size_t count = 0;
    double length_m = over->arrival.delay_s * RW_SPEED_OF_LIGHT_M_S;
    vertices[count++] = rw_ray_vertex(trace->prediction->scene, scene->source, RW_INTERACTION_END);
    for (int i = 0; i < over->count; i++)
        vertices[count++] = rw_ray_vertex(trace->prediction->scene, over->points[i], RW_INTERACTION_ROOF);
    vertices[count++] = rw_ray_vertex(trace->prediction->scene, trace->solver->points[point], RW_INTERACTION_END);
    rw_path_entry entry = {.point = trace->prediction->receivers.view.outdoor[point],
                           .transmitter = transmitter,
                           .vertex_count = count,
                           .free_space_db = -20 * log10(scene->wavelength_m / (4 * RW_PI * length_m)),
                           .loss_db = -10 * log10(rw_complex_abs2(over->arrival.gain)),
                           .delay_s = over->arrival.delay_s,
                           .gain = over->arrival.gain};
    for (size_t i = 1; i + 1 < count; i++) {
        vertices[i].angle_rad = rw_ray_vertex_angle_rad(&vertices[i]);
        vertices[i].loss_db = (float)((entry.loss_db - entry.free_space_db) / (double)over->count);
    }
    return rw_paths_add(paths, &entry, vertices);
}

/* Whether two rays are one path: near the side that two tiles share, both may have it. */
static int rays_are_one_path(const tracer *trace, const found_ray *one, const found_ray *other)
{
    const rw_tile_scene *scene = &trace->solver->host;
    rw_vec3 points[2][RW_TILE_DEPTH_MAX] = {{{0}}}, end = trace->solver->points[one->ray.end];
    const double same_m = 1e-3;
    if (one->ray.end != other->ray.end || one->ray.count != other->ray.count || one->ray.scattered ||
        other->ray.scattered || fabs(one->arrival.length_m - other->arrival.length_m) > same_m)
        return 0;
    rw_tile_ray_points(scene, &one->ray, end, points[0]);
    rw_tile_ray_points(scene, &other->ray, end, points[1]);
    for (int i = 0; i < one->ray.count; i++)
        if (RW_TILE_STEP_BENDS(one->ray.steps[i]) != RW_TILE_STEP_BENDS(other->ray.steps[i]) ||
            rw_vec3_length(rw_vec3_sub(points[0][i], points[1][i])) > same_m)
            return 0;
    return 1;
}

/* Point by point, from the strongest on. */
static rw_status report_tile_paths(tracer *trace, size_t transmitter, rw_paths *paths)
{
    size_t i = 0;
    rw_sort(trace->found, trace->count, sizeof *trace->found, compare_found_rays);
    for (size_t point = 0; point < trace->solver->point_count; point++) {
        rw_tile_roof_path over = {0};
        if (trace->solver->limits.roofs)
            RW_TRY(rw_tile_over_roofs_find(trace->solver, point, &over));
        for (; i < trace->count && trace->found[i].ray.end == point; i++) {
            double power = rw_complex_abs2(trace->found[i].arrival.ray.gain);
            if (i > 0 && rays_are_one_path(trace, &trace->found[i - 1], &trace->found[i]))
                continue;
            if (over.there && power < rw_complex_abs2(over.arrival.gain)) {
                RW_TRY(append_rooftop_path(trace, &over, point, transmitter, paths));
                over.there = 0;
            }
            RW_TRY(append_tile_path(trace, &trace->found[i], transmitter, paths));
        }
        if (over.there)
            RW_TRY(append_rooftop_path(trace, &over, point, transmitter, paths));
    }
    return RW_OK;
}

rw_status rw_tiles_trace(const rw_prediction *prediction, rw_tile_solver *solver, rw_paths *paths)
{
    tracer trace = {.prediction = prediction, .solver = solver};
    if (paths->record) {
        rw_status begun = rw_tiles_begin_record(solver, solver->transmitter, paths->record, &trace.walls);
        if (begun != RW_OK) {
            free(trace.walls);
            return begun;
        }
    }
    solver->points_only = 1;
    solver->on_rays = on_rays;
    solver->user = &trace;
    rw_status status = rw_tile_solver_run(solver);
    if (status == RW_OK)
        status = report_tile_paths(&trace, solver->transmitter, paths);
    solver->on_rays = NULL;
    free(trace.found);
    free(trace.walls);
    return status;
}
