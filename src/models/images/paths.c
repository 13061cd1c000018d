/* Every path of the images model, one by one: points, walls, gain, for the points of rw_trace. */
#include "models/images/images.h"

#include "base/memory.h"
#include "discretise/surfaces/surfaces.h"
#include "discretise/prepared.h"
#include "models/engine/record.h"
#include "models/images/image_gains.k.h"
#include "models/rays/slab_edge.k.h"
#include "models/rays/straight_path.k.h"

#include <math.h>
#include <stdlib.h>

/* A path found, before they are put in order. */
typedef struct found_path {
    rw_image_path path;
    int over_edge; /* 1: it is not that path but one diffracted at an edge */
    rw_free_edge edge;
    rw_slab_edge_path over;
    int upright; /* the edge */
    double diffraction_rad;
    int straight_walls; /* of the direct path that the search has left out, which has no steps in path; 0: another */
    rw_complex gain;
    uint32_t point;
} found_path;

typedef struct tracer {
    const rw_prediction *prediction;
    rw_ray_scene *scene;
    rw_ray_view along[2]; /* the scene's world with isotropic antennas along theta, and along phi */
    const rw_points *points;
    found_path *found;
    size_t count, capacity;
    int unchecked;
    uint8_t *straight; /* of each point: 1 where its direct path is found; NULL: not asked for */
    rw_path_vertex *vertices;
    size_t vertex_capacity;
} tracer;

static rw_status append_image_path(tracer *trace, const found_path *found)
{
    RW_TRY(rw_array_reserve(trace->scene->context, &trace->found, &trace->capacity, trace->count + 1,
                            sizeof *trace->found, "paths"));
    trace->found[trace->count++] = *found;
    return RW_OK;
}

/* Worlds whose antennas are isotropic, along theta or phi of the scene's frame. */
static void set_plain_antennas(tracer *trace)
{
    for (int i = 0; i < 2; i++) {
        rw_ray_view *view = &trace->along[i];
        *view = trace->scene->host;
        view->transmitter = (rw_pattern){.kind = RW_PATTERN_ISOTROPIC,
                                         .axes = rw_antenna_axes_of(90, 0, 0), /* phi counts from east */
                                         .polarisation = rw_polarisation_slanted(90.0 * i),
                                         .peak_amplitude = 1};
        view->receiver = view->transmitter;
    }
}

static rw_status on_pair(void *user, const uint32_t *steps, int level, uint32_t side, uint32_t point)
{
    tracer *trace = user;
    const rw_ray_view *view = &trace->scene->host;
    rw_vec3 receiver = trace->points->positions[point];
    rw_image_path path;
    int straight = trace->straight && rw_steps_through(steps, level) == level;
    if (straight && level > 0 && !trace->unchecked) /* add_straight has them all */
        return RW_OK;
    if (!rw_image_pair_path(view, steps, level, side, trace->unchecked, receiver, &path))
        return RW_OK;
    if (straight)
        trace->straight[point] = 1;
    return append_image_path(trace, &(found_path){.path = path,
                                                  .gain = rw_ray_view_arrival(view, &path).gain,
                                                  .point = trace->points->cells[point]});
}

/* Direct paths that the search leaves out, or has not found. */
static rw_status add_straight(tracer *trace)
{
    const rw_ray_view *view = &trace->scene->host;
    for (size_t i = 0; i < trace->points->view.count; i++) {
        rw_ray_arrival ray;
        int walls = trace->straight[i] ? 0 : rw_straight_arrival(view, trace->points->positions[i], &ray);
        if (trace->straight[i] || walls < 0 || !(rw_complex_abs2(ray.gain) > 0))
            continue;
        double length_m = rw_vec3_length(rw_vec3_sub(trace->points->positions[i], view->source));
        found_path found = {.path = {.spreading_m = length_m, .delay_m = ray.delay_s * RW_SPEED_OF_LIGHT_M_S},
                            .straight_walls = walls,
                            .gain = ray.gain,
                            .point = trace->points->cells[i]};
        found.path.directions[0] = ray.direction;
        found.path.phase_m = length_m;
        RW_TRY(append_image_path(trace, &found));
    }
    return RW_OK;
}

/* Paths over free edges. */
static rw_status append_edge_paths(tracer *trace)
{
    const rw_ray_view *view = &trace->scene->host;
    rw_free_edge *edges;
    size_t count;
    RW_TRY(rw_free_edges_find(trace->scene->context, &trace->scene->surfaces, &edges, &count));
    rw_status status = RW_OK;
    for (size_t e = 0; e < count; e++)
        for (size_t i = 0; status == RW_OK && i < trace->points->view.count; i++) {
            rw_slab_edge_path over;
            if (!rw_edge_path_solve(view, &edges[e], trace->points->positions[i], &over))
                continue;
            rw_vec3 vector = rw_vec3_sub(edges[e].to, edges[e].from);
            double length_m = over.before_m + over.after_m, along = rw_vec3_dot(over.incident, over.diffracted);
            found_path found = {.path = {.spreading_m = length_m, .phase_m = length_m, .delay_m = length_m},
                                .over_edge = 1,
                                .edge = edges[e],
                                .over = over,
                                .upright = fabs(vector.z) > 0.7 * rw_vec3_length(vector),
                                .diffraction_rad = acos(fmax(-1, fmin(1, along))),
                                .gain = rw_edge_arrival(view, &edges[e], &over).gain,
                                .point = trace->points->cells[i]};
            status = append_image_path(trace, &found);
        }
    free(edges);
    return status;
}

static int compare_image_paths(const void *left, const void *right)
{
    const found_path *a = left, *b = right;
    double first = rw_complex_abs2(a->gain), second = rw_complex_abs2(b->gain);
    if (a->point != b->point)
        return a->point < b->point ? -1 : 1;
    if (first != second)
        return first > second ? -1 : 1;
    return a->path.delay_m < b->path.delay_m ? -1 : a->path.delay_m > b->path.delay_m;
}

/* What a wall is called, and what a calibrated parameter makes of its loss. */
static rw_status name_wall(const tracer *trace, uint32_t surface, rw_paths *paths, rw_path_vertex *vertex)
{
    const rw_ray_scene *scene = trace->scene;
    uint32_t kind = scene->surfaces.surfaces[surface].kind;
    const char *name = scene->surfaces.kinds[kind];
    const rw_construction *wall = &scene->walls[kind];
    vertex->loss_factor =
        (float)(vertex->interaction == RW_INTERACTION_WALL ? wall->through_factor : wall->reflection_factor);
    RW_TRY(rw_paths_store_name(paths, name, &vertex->surface));
    return rw_paths_store_name(paths, rw_construction_material(trace->prediction->scene, name), &vertex->material);
}

/* Vertices of a direct path that the search has left out, between its ends. */
static rw_status list_straight(const tracer *trace, const found_path *found, rw_vec3 receiver, rw_paths *paths,
                               rw_path_vertex *vertices)
{
    const rw_ray_view *view = &trace->scene->host;
    rw_vec3 direction = found->path.directions[0];
    rw_straight_ray ray = rw_straight_start(view, direction);
    rw_vec3c field = rw_pattern_vector(&view->transmitter, direction);
    rw_straight_wall wall;
    for (int i = 0; i < found->straight_walls && rw_straight_step(view, receiver, &ray, &wall); i++) {
        const rw_surface *surface = &view->surfaces.surfaces[wall.surface];
        rw_wall_response response = rw_ray_view_response(view, surface->kind, wall.cosine);
        rw_vec3c behind = rw_meet_wall(field, direction, surface->normal, &response, 1, 0);
        vertices[i] = rw_ray_vertex(trace->prediction->scene, wall.middle, RW_INTERACTION_WALL);
        vertices[i].loss_db = (float)(10 * log10(rw_vec3c_abs2(field) / rw_vec3c_abs2(behind)));
        RW_TRY(name_wall(trace, wall.surface, paths, &vertices[i]));
        field = behind;
    }
    return RW_OK;
}

/* Vertices with what each wall costs: the size of the field before it over that behind it. */
static rw_status list_image_vertices(const tracer *trace, const found_path *found, rw_vec3 receiver, rw_paths *paths,
                                     rw_path_vertex *vertices, size_t *count)
{
    const rw_ray_view *view = &trace->scene->host;
    rw_image_path partial = found->path;
    vertices[0] = rw_ray_vertex(trace->prediction->scene, view->source, RW_INTERACTION_END);
    vertices[0].loss_db = (float)trace->scene->offset_db;
    partial.count = 0;
    double before = rw_vec3c_abs2(rw_ray_view_field(view, &partial));
    *count = 1;
    for (int i = 0; i < found->path.count; i++) {
        int through = RW_STEP_THROUGH(found->path.steps[i]);
        if (RW_STEP_JOINED(&found->path, i))
            continue;
        rw_vec3 middle = rw_vec3_scale(rw_vec3_add(found->path.arrives[i], found->path.leaves[i]), 0.5);
        rw_path_vertex *vertex = &vertices[(*count)++];
        *vertex =
            rw_ray_vertex(trace->prediction->scene, middle, through ? RW_INTERACTION_WALL : RW_INTERACTION_REFLECTION);
        partial.count = i + 1;
        double behind = rw_vec3c_abs2(rw_ray_view_field(view, &partial));
        vertex->loss_db = (float)(10 * log10(before / behind));
        vertex->angle_rad = (float)(through ? 0 : RW_PI - 2 * acos(found->path.cosines[i]));
        RW_TRY(name_wall(trace, RW_STEP_SURFACE(found->path.steps[i]), paths, vertex));
        before = behind;
    }
    if (found->over_edge) {
        vertices[1] = rw_ray_vertex(trace->prediction->scene, found->over.point,
                                    found->upright ? RW_INTERACTION_STREET : RW_INTERACTION_ROOF);
        vertices[1].angle_rad = (float)found->diffraction_rad;
        vertices[1].loss_db = (float)(-10 * log10(rw_complex_abs2(found->gain)) +
                                      20 * log10(view->wavelength_m / (4 * RW_PI * found->path.spreading_m)));
        vertices[2] = rw_ray_vertex(trace->prediction->scene, receiver, RW_INTERACTION_END);
        *count = 3;
        return RW_OK;
    }
    if (found->straight_walls) {
        RW_TRY(list_straight(trace, found, receiver, paths, vertices + 1));
        vertices[found->straight_walls + 1] = rw_ray_vertex(trace->prediction->scene, receiver, RW_INTERACTION_END);
        *count = (size_t)found->straight_walls + 2;
        return RW_OK;
    }
    vertices[(*count)++] = rw_ray_vertex(trace->prediction->scene, receiver, RW_INTERACTION_END);
    return RW_OK;
}

/* A path among planes that a record wants as numbers (models/engine/record.h). */
typedef struct frozen_path {
    const rw_ray_view *view;
    const uint32_t *steps;
    int count;
    rw_vec3 receiver;
    const uint32_t *walls; /* of the record, by kind of surface */
} frozen_path;

/* An rw_gain_freeze_fn. Surfaces go on for ever in their planes, so that a path stays where its transmitter moves. */
static int freeze_path(void *user, rw_vec3 moved, rw_gain_frozen *frozen)
{
    const frozen_path *of = user;
    const rw_ray_view *view = of->view;
    rw_image_path path;
    if (!rw_image_path_solve_planes(&view->surfaces, view->slabs, of->steps, of->count,
                                    rw_vec3_add(view->source, moved), of->receiver, &path))
        return 0;
    double amplitude = view->wavelength_m / (4 * RW_PI) / path.spreading_m;
    rw_gain_freeze_head(frozen, path.directions[0], path.directions[path.count], &view->receiver, amplitude,
                        path.phase_m);
    for (int i = 0; i < path.count; i++) {
        if (RW_STEP_JOINED(&path, i))
            continue;
        const rw_surface *surface = &view->surfaces.surfaces[RW_STEP_SURFACE(path.steps[i])];
        int back = rw_ray_from_back(surface, path.directions[i]);
        uint32_t kind = RW_STEP_THROUGH(path.steps[i]) ? RW_GAIN_THROUGH : back ? RW_GAIN_BACK : RW_GAIN_FRONT;
        rw_gain_freeze_wall(frozen, kind, of->walls[surface->kind], path.directions[i], surface->normal,
                            path.cosines[i]);
    }
    return 1;
}

/* Walls of the direct path as steps of a sequence; 0 where there are more than it has room for. */
static int straight_steps(const rw_ray_view *view, const found_path *found, rw_vec3 receiver,
                          uint32_t steps[RW_IMAGE_DEPTH_MAX])
{
    rw_straight_ray ray = rw_straight_start(view, found->path.directions[0]);
    rw_straight_wall wall;
    int count = 0;
    if (found->straight_walls > RW_IMAGE_DEPTH_MAX)
        return 0;
    while (count < found->straight_walls && rw_straight_step(view, receiver, &ray, &wall))
        steps[count++] = RW_STEP(wall.surface, 1);
    return count;
}

/* Antenna and constructions for a record; *walls, by kind of surface, is to be freed. */
static rw_status begin_record(const tracer *trace, size_t transmitter, rw_gain_record *record, uint32_t **walls)
{
    const rw_ray_scene *scene = trace->scene;
    RW_TRY(rw_array_create(scene->context, scene->surfaces.kind_count + 1, sizeof **walls, "constructions", walls));
    RW_TRY(rw_gain_record_pattern(record, transmitter, &scene->host.transmitter));
    for (size_t i = 0; i < scene->surfaces.kind_count; i++)
        RW_TRY(rw_gain_record_wall(record, scene->surfaces.kinds[i], &scene->walls[i], 0, &(*walls)[i]));
    return RW_OK;
}

/* *kept: the path's number in the record, plus 1; 0 where it has no room. */
static rw_status record_image_path(const tracer *trace, const found_path *found, rw_vec3 receiver, size_t transmitter,
                                   const uint32_t *walls, rw_gain_record *record, size_t *record_number)
{
    const rw_ray_view *view = &trace->scene->host;
    uint32_t steps[RW_IMAGE_DEPTH_MAX];
    frozen_path path = {view, found->path.steps, found->path.count, receiver, walls};
    size_t before = record->path_count;
    if (found->straight_walls) {
        path.steps = steps;
        path.count = straight_steps(view, found, receiver, steps);
    }
    if (found->straight_walls && !path.count)
        record->skipped++;
    else
        RW_TRY(rw_gain_record_path(record, transmitter, found->point, freeze_path, &path));
    *record_number = record->path_count > before ? record->path_count : 0;
    return RW_OK;
}

/* Gain of a path by the antennas of a world. */
static rw_complex gain_in(const rw_ray_view *view, const found_path *found, rw_vec3 receiver)
{
    if (found->over_edge)
        return rw_edge_arrival(view, &found->edge, &found->over).gain;
    if (!found->straight_walls)
        return rw_ray_view_arrival(view, &found->path).gain;
    rw_ray_arrival ray;
    return rw_straight_arrival(view, receiver, &ray) < 0 ? rw_complex_of(0, 0) : ray.gain;
}

/* As rw_path orders them: the transmitter's component turns first. */
static void find_transfer(const tracer *trace, const found_path *found, rw_vec3 receiver, rw_complex *transfer)
{
    for (int i = 0; i < 4; i++) {
        rw_ray_view view = trace->along[i % 2];
        view.receiver = trace->along[i / 2].receiver;
        transfer[i] = gain_in(&view, found, receiver);
    }
}

static rw_status append_image_entries(tracer *trace, size_t transmitter, const uint32_t *recorded, rw_paths *paths)
{
    const rw_receivers_view *view = &trace->prediction->receivers.view;
    rw_sort(trace->found, trace->count, sizeof *trace->found, compare_image_paths);
    for (size_t i = 0; i < trace->count; i++) {
        const found_path *found = &trace->found[i];
        size_t count,
            walls = (size_t)(found->straight_walls > found->path.count ? found->straight_walls : found->path.count);
        RW_TRY(rw_array_reserve(trace->scene->context, &trace->vertices, &trace->vertex_capacity, walls + 3,
                                sizeof *trace->vertices, "paths"));
        rw_path_vertex *vertices = trace->vertices;
        rw_vec3 receiver = rw_receiver_point(view, found->point);
        RW_TRY(list_image_vertices(trace, found, receiver, paths, vertices, &count));
        double free_gain = trace->scene->host.wavelength_m / (4 * RW_PI * found->path.spreading_m);
        rw_path_entry entry = {.point = found->point,
                               .transmitter = transmitter,
                               .vertex_count = count,
                               .free_space_db = -20 * log10(free_gain),
                               .loss_db = -10 * log10(rw_complex_abs2(found->gain)),
                               .delay_s = found->path.delay_m / RW_SPEED_OF_LIGHT_M_S,
                               .gain = found->gain};
        find_transfer(trace, found, receiver, entry.transfer);
        if (!found->over_edge) {
            entry.departs = found->path.directions[0];
            entry.arrives = rw_vec3_scale(found->path.directions[found->path.count], -1);
        }
        if (paths->record)
            RW_TRY(record_image_path(trace, found, receiver, transmitter, recorded, paths->record, &entry.stored));
        RW_TRY(rw_paths_add(paths, &entry, vertices));
    }
    return RW_OK;
}

static rw_status report_image_paths(tracer *trace, size_t transmitter, rw_paths *paths)
{
    uint32_t *walls = NULL;
    rw_status status = paths->record ? begin_record(trace, transmitter, paths->record, &walls) : RW_OK;
    if (status == RW_OK)
        status = append_image_entries(trace, transmitter, walls, paths);
    free(walls);
    return status;
}

rw_status rw_images_trace(rw_rays *rays, rw_paths *paths)
{
    const rw_images_options *options = rw_images_solver_options(rays->own);
    tracer trace = {.prediction = rays->prediction,
                    .scene = &rays->scene,
                    .points = &rays->points,
                    .unchecked = options->unchecked};
    if (paths->record && options->diffraction)
        return rw_fail(rays->scene.context, RW_BAD_CALL,
                       "model images has no gradients of paths over free edges; leave diffractions at 0");
    set_plain_antennas(&trace);
    if (options->direct_always)
        RW_TRY(rw_array_create(rays->scene.context, rays->points.view.count + 1, 1, "paths", &trace.straight));
    rw_status status = rw_images_list(rays->own, on_pair, &trace);
    if (status == RW_OK && options->direct_always)
        status = add_straight(&trace);
    if (status == RW_OK && options->diffraction)
        status = append_edge_paths(&trace);
    if (status == RW_OK)
        status = report_image_paths(&trace, rays->transmitter, paths);
    free(trace.found);
    free(trace.straight);
    free(trace.vertices);
    return status;
}
