/* Surfaces and edges of buildings and panels, piece by piece in the cubes they pass through.
 *
 * Where two buildings share a wall, neither the wall nor its ends deflect anything: a piece counts only if the air
 * beside it is free, which is tested a hand's breadth away. Concave corners are no edges, nor are corners that turn by
 * less than ten degrees: round walls are drawn with those. */
#include "base/memory.h"
#include "discretise/walls/walls.h"
#include "discretise/cubes/cube_walk.h"
#include "discretise/cubes/cubes.h"

#include <math.h>

static const double probe_m = 0.2;
static const double min_corner_sine = 0.17; /* of ten degrees */

typedef struct wall_job {
    const rw_scene *scene;
    rw_cubes *cubes;
    const rw_part *part; /* whose roof is the last element, in add_roof_run */
    double roof_m;
    float up;
    rw_status status;
} wall_job;

#define PARTS_MAX 16 /* over one place */

/* By altitude alone: on a slope a roof stands on the lowest ground, and the air above it is not the building's (as
 * rw_parts_at has it for receivers, by height above the ground). */
static int in_solid(const wall_job *job, double x, double y, double z)
{
    uint32_t parts[PARTS_MAX];
    rw_vec2 at = {x, y};
    size_t count = rw_parts_over(job->scene, job->scene->prepared, at, parts, PARTS_MAX);
    int inside = z < rw_scene_ground_m(job->scene, at);
    for (size_t i = 0; i < count && !inside; i++) {
        const rw_part *part = &job->scene->parts.items[parts[i]];
        inside = z < part->top_m && !(part->base_height_m > 0 && z < part->bottom_m);
    }
    return inside;
}

static rw_vec3 cube_to_local(const rw_cube_frame *frame, const float at[3])
{
    return rw_vec3_of(frame->x0_m + (double)at[0] * frame->res_m, frame->y0_m + (double)at[1] * frame->res_m,
                      frame->z0_m + (double)at[2] * frame->res_m);
}

static void find_midpoint(const float from[3], const float to[3], float middle[3])
{
    for (int axis = 0; axis < 3; axis++)
        middle[axis] = 0.5f * (from[axis] + to[axis]);
}

/* A vertical rectangle with its outward normal. */
static rw_status add_wall_surface(wall_job *job, const rw_wall *wall, rw_vec2 normal)
{
    rw_cubes *cubes = job->cubes;
    float from[3], to[3], middle[3], low[3], high[3];
    rw_cubes_locate(&cubes->frame, rw_vec3_of(wall->p0.x, wall->p0.y, wall->bottom_m), from);
    rw_cubes_locate(&cubes->frame, rw_vec3_of(wall->p1.x, wall->p1.y, wall->top_m), to);
    rw_cube_element element = {
        .kind = RW_CUBE_REFLECTION, .at = {from[0], from[1], from[2]}, .axis = {(float)normal.x, (float)normal.y, 0}};
    RW_TRY(rw_cubes_add_element(job->scene->context, cubes, &element));
    float bottom = from[2], top = to[2];
    from[2] = to[2] = 0;
    rw_cube_walk walk;
    for (rw_cube_walk_begin(&walk, from, to); rw_cube_walk_next(&walk);) {
        rw_cube_walk_point(&walk, walk.t0, low);
        rw_cube_walk_point(&walk, walk.t1, high);
        for (int k = (int)floorf(bottom); (float)k < top; k++) {
            float ends[2][3] = {{fminf(low[0], high[0]), fminf(low[1], high[1]), fmaxf(bottom, (float)k)},
                                {fmaxf(low[0], high[0]), fmaxf(low[1], high[1]), fminf(top, (float)(k + 1))}};
            find_midpoint(ends[0], ends[1], middle);
            rw_vec3 at = cube_to_local(&cubes->frame, middle);
            if (!in_solid(job, at.x + probe_m * normal.x, at.y + probe_m * normal.y, at.z))
                RW_TRY(rw_cubes_add_item(job->scene->context, cubes, walk.cube[0], walk.cube[1], k, ends[0], ends[1]));
        }
    }
    return RW_OK;
}

/* An edge between two faces, given by the directions that lead from it along them. Each piece counts if the air on both
 * faces is free. */
static rw_status add_wall_edge(wall_job *job, rw_cube_kind kind, const rw_vec3 ends[2], const rw_vec3 faces[2])
{
    rw_cubes *cubes = job->cubes;
    rw_vec3 inner = rw_vec3_add(faces[0], faces[1]), along = rw_vec3_sub(ends[1], ends[0]);
    double inner_length = rw_vec3_length(inner), length = rw_vec3_length(along);
    rw_cube_element element = {
        .kind = (uint32_t)kind,
        .axis = {(float)(along.x / length), (float)(along.y / length), (float)(along.z / length)},
        .inner = {(float)(inner.x / inner_length), (float)(inner.y / inner_length), (float)(inner.z / inner_length)},
        .half_cosine = (float)(0.5 * inner_length)};
    float from[3], to[3], middle[3], low[3], high[3];
    rw_cubes_locate(&cubes->frame, ends[0], from);
    rw_cubes_locate(&cubes->frame, ends[1], to);
    for (int axis = 0; axis < 3; axis++)
        element.at[axis] = from[axis];
    RW_TRY(rw_cubes_add_element(job->scene->context, cubes, &element));
    rw_cube_walk walk;
    for (rw_cube_walk_begin(&walk, from, to); rw_cube_walk_next(&walk);) {
        rw_cube_walk_point(&walk, walk.t0, low);
        rw_cube_walk_point(&walk, walk.t1, high);
        find_midpoint(low, high, middle);
        rw_vec3 at = cube_to_local(&cubes->frame, middle);
        int free_faces = 1;
        for (int face = 0; face < 2; face++) {
            /* Along this face and away from the other. */
            rw_vec3 outward = rw_vec3_sub(rw_vec3_scale(faces[face], 1.01), faces[1 - face]);
            free_faces &=
                !in_solid(job, at.x + probe_m * outward.x, at.y + probe_m * outward.y, at.z + probe_m * outward.z);
        }
        if (free_faces)
            RW_TRY(rw_cubes_add_item(job->scene->context, cubes, walk.cube[0], walk.cube[1], walk.cube[2], low, high));
    }
    return RW_OK;
}

static rw_status add_corner_edge(wall_job *job, const rw_part *part, rw_vec2 before, rw_vec2 at, rw_vec2 after)
{
    rw_vec2 in = rw_vec2_sub(at, before), out = rw_vec2_sub(after, at);
    double lengths = sqrt(rw_vec2_dot(in, in) * rw_vec2_dot(out, out));
    if (rw_vec2_cross(in, out) < min_corner_sine * lengths) /* the solid is to the left: concave, or hardly a turn */
        return RW_OK;
    double in_length = sqrt(rw_vec2_dot(in, in)), out_length = sqrt(rw_vec2_dot(out, out));
    const rw_vec3 faces[2] = {{-in.x / in_length, -in.y / in_length, 0}, {out.x / out_length, out.y / out_length, 0}};
    const rw_vec3 ends[2] = {{at.x, at.y, part->bottom_m}, {at.x, at.y, part->top_m}};
    return add_wall_edge(job, RW_CUBE_VERTICAL, ends, faces);
}

static rw_status add_rims(wall_job *job, const rw_part *part, rw_vec2 p0, rw_vec2 p1)
{
    rw_vec2 along = rw_vec2_sub(p1, p0);
    double length = sqrt(rw_vec2_dot(along, along));
    const rw_vec3 inward = {-along.y / length, along.x / length, 0};
    for (int top = 0; top < 2; top++) {
        if (!top && !(part->base_height_m > 0)) /* stands on the ground */
            continue;
        double z_m = top ? part->top_m : part->bottom_m;
        const rw_vec3 faces[2] = {{0, 0, top ? -1 : 1}, inward}, ends[2] = {{p0.x, p0.y, z_m}, {p1.x, p1.y, z_m}};
        RW_TRY(add_wall_edge(job, RW_CUBE_HORIZONTAL, ends, faces));
    }
    return RW_OK;
}

static rw_status add_part_edges(wall_job *job, const rw_part *part)
{
    for (size_t r = 0; r < part->ring_count; r++) {
        const rw_vec2 *points = rw_ring_points(job->scene, part->first_ring + r);
        size_t count = rw_ring_size(job->scene, part->first_ring + r);
        for (size_t i = 0; i < count; i++) {
            rw_vec2 before = points[(i + count - 1) % count], at = points[i], after = points[(i + 1) % count];
            RW_TRY(add_corner_edge(job, part, before, at, after));
            RW_TRY(add_rims(job, part, at, after));
        }
    }
    return RW_OK;
}

/* Both sides of a thin wall reflect; its two ends and its top diffract. */
static rw_status add_panel_elements(wall_job *job, const rw_wall *wall, rw_vec2 normal)
{
    rw_vec2 along = rw_vec2_sub(wall->p1, wall->p0);
    double length = sqrt(rw_vec2_dot(along, along));
    rw_vec3 forward = {along.x / length, along.y / length, 0}, back = rw_vec3_scale(forward, -1), down = {0, 0, -1};
    const rw_vec3 corners[4] = {{wall->p0.x, wall->p0.y, wall->bottom_m},
                                {wall->p0.x, wall->p0.y, wall->top_m},
                                {wall->p1.x, wall->p1.y, wall->bottom_m},
                                {wall->p1.x, wall->p1.y, wall->top_m}};
    const rw_vec3 first[2] = {forward, forward}, last[2] = {back, back}, top[2] = {down, down};
    const rw_vec3 rim[2] = {corners[1], corners[3]};
    RW_TRY(add_wall_surface(job, wall, normal));
    RW_TRY(add_wall_surface(job, wall, rw_vec2_of(-normal.x, -normal.y)));
    RW_TRY(add_wall_edge(job, RW_CUBE_VERTICAL, corners, first));
    RW_TRY(add_wall_edge(job, RW_CUBE_VERTICAL, corners + 2, last));
    return add_wall_edge(job, RW_CUBE_HORIZONTAL, rim, top);
}

/* Roofs, and what buildings on stilts have below. */
static void add_roof_run(void *user, const rw_part *part, size_t row, size_t first, size_t end)
{
    wall_job *job = user;
    const rw_cube_frame *frame = &job->cubes->frame;
    if (job->up < 0 && !(part->base_height_m > 0))
        return;
    float z = (float)(((job->up > 0 ? part->top_m : part->bottom_m) - frame->z0_m) / frame->res_m);
    if (job->status == RW_OK && part != job->part) {
        rw_cube_element element = {.kind = RW_CUBE_REFLECTION, .at = {0, 0, z}, .axis = {0, 0, job->up}};
        job->status = rw_cubes_add_element(job->scene->context, job->cubes, &element);
        job->part = part;
    }
    for (size_t i = first; i < end && job->status == RW_OK; i++) {
        const float from[3] = {(float)i, (float)row, z}, to[3] = {(float)i + 1, (float)row + 1, z};
        float middle[3];
        find_midpoint(from, to, middle);
        rw_vec3 at = cube_to_local(frame, middle);
        if (!in_solid(job, at.x, at.y, at.z + probe_m * (double)job->up))
            job->status =
                rw_cubes_add_item(job->scene->context, job->cubes, (int)i, (int)row, (int)floorf(z), from, to);
    }
}

static rw_status add_roofs(wall_job *job, float up)
{
    rw_raster_frame raster = rw_cube_raster(&job->cubes->frame);
    job->up = up;
    job->part = NULL;
    RW_TRY(rw_rasterise_outlines(job->scene, &raster, add_roof_run, job));
    return job->status;
}

rw_status rw_cubes_add_walls(const rw_scene *scene, rw_cubes *cubes)
{
    wall_job job = {.scene = scene, .cubes = cubes, .status = RW_OK};
    const rw_wall_list *walls = &scene->prepared->walls;
    for (size_t i = 0; i < walls->count; i++)
        RW_TRY(walls->parts[i] == RW_NO_PART ? add_panel_elements(&job, &walls->walls[i], walls->normals[i])
                                             : add_wall_surface(&job, &walls->walls[i], walls->normals[i]));
    for (size_t i = 0; i < scene->parts.count; i++)
        RW_TRY(add_part_edges(&job, &scene->parts.items[i]));
    RW_TRY(add_roofs(&job, 1));
    return add_roofs(&job, -1);
}
