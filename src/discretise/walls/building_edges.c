#include "discretise/walls/walls.h"

#include "discretise/prepared.h"

#include "base/maths/elementary.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

#define ASIDE_M 0.01           /* distance from an edge at which obstacles are tested */
#define LENGTH_MIN_M 0.05      /* shorter edges do not diffract */
#define CORNER_SINE_MIN 0.0175 /* a wall that turns by less is straight: 1 degree */

/* What is being filled, and places along an edge at which its surroundings may change. */
typedef struct building_edge_search {
    const rw_scene *scene;
    rw_building_edge *edges;
    size_t count, capacity;
    double *breaks;
    size_t break_count, break_capacity;
} building_edge_search;

static double wall_length(rw_vec2 v)
{
    return sqrt(rw_vec2_dot(v, v));
}

static rw_vec2 unit_in_plan(rw_vec2 v)
{
    return rw_vec2_of(v.x / wall_length(v), v.y / wall_length(v));
}

static rw_vec2 find_outward_normal(rw_vec2 along)
{
    return rw_vec2_of(along.y / wall_length(along), -along.x / wall_length(along));
}

static rw_vec2 step_off(rw_vec2 at, rw_vec2 direction, double distance_m)
{
    return rw_vec2_of(at.x + distance_m * direction.x, at.y + distance_m * direction.y);
}

/* By altitude alone: that a receiver at some height above a slope counts as inside a house does not cover an edge. */
static int is_filled_at(const building_edge_search *search, rw_vec2 at, double z_m)
{
    uint32_t parts[8];
    size_t count = rw_parts_over(search->scene, search->scene->prepared, at, parts, 8);
    for (size_t i = 0; i < count; i++) {
        const rw_part *part = &search->scene->parts.items[parts[i]];
        if (z_m < part->top_m && (part->base_height_m <= 0 || z_m >= part->bottom_m))
            return 1;
    }
    return 0;
}

static rw_status add_break(building_edge_search *search, double at)
{
    RW_TRY(rw_array_reserve(search->scene->context, &search->breaks, &search->break_capacity, search->break_count + 1,
                            sizeof *search->breaks, "edges"));
    search->breaks[search->break_count++] = at;
    return RW_OK;
}

static int compare_breaks(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return a < b ? -1 : a > b;
}

static rw_status append_building_edge(building_edge_search *search, const rw_building_edge *edge)
{
    RW_TRY(rw_array_reserve(search->scene->context, &search->edges, &search->capacity, search->count + 1,
                            sizeof *search->edges, "edges"));
    rw_building_edge *building_edge = &search->edges[search->count++];
    rw_vec2 centre = search->scene->prepared->grid.centre;
    *building_edge = *edge;
    building_edge->from = rw_vec3_of(edge->from.x - centre.x, edge->from.y - centre.y, edge->from.z);
    building_edge->to = rw_vec3_of(edge->to.x - centre.x, edge->to.y - centre.y, edge->to.z);
    building_edge->edge = rw_vec3_cross(edge->zero_along, edge->zero_normal);
    return RW_OK;
}

static double exterior_over_pi(const rw_building_edge *edge, rw_vec3 other_along)
{
    double angle = atan2(rw_vec3_dot(other_along, edge->zero_normal), rw_vec3_dot(other_along, edge->zero_along));
    return (angle < 0 ? angle + 2 * RW_PI : angle) / RW_PI;
}

/* A vertical edge: a and b lead along the two walls; what stands before either or before both covers it. */
static rw_status add_upright(building_edge_search *search, uint32_t index, rw_vec2 point, rw_vec2 a, rw_vec2 b)
{
    const rw_scene *scene = search->scene;
    const rw_part *part = &scene->parts.items[index];
    rw_vec2 normal_a = find_outward_normal(rw_vec2_of(-a.x, -a.y)), normal_b = find_outward_normal(b);
    double near_a = fmin(0.5, 0.5 * wall_length(a)), near_b = fmin(0.5, 0.5 * wall_length(b));
    rw_vec2 probes[3] = {step_off(point, unit_in_plan(rw_vec2_add(normal_a, normal_b)), ASIDE_M),
                         step_off(step_off(point, unit_in_plan(a), near_a), normal_a, ASIDE_M),
                         step_off(step_off(point, unit_in_plan(b), near_b), normal_b, ASIDE_M)};
    double bottom_m = fmax(part->bottom_m, rw_scene_ground_m(scene, probes[0]));
    search->break_count = 0;
    RW_TRY(add_break(search, bottom_m));
    for (size_t i = 0; i < scene->parts.count; i++) {
        const rw_part *other = &scene->parts.items[i];
        for (int j = 0; i != index && j < 3; j++)
            if (rw_part_contains(scene, other, probes[j])) {
                RW_TRY(add_break(search, fmin(part->top_m, fmax(bottom_m, other->bottom_m))));
                RW_TRY(add_break(search, fmin(part->top_m, fmax(bottom_m, other->top_m))));
            }
    }
    RW_TRY(add_break(search, part->top_m));
    qsort(search->breaks, search->break_count, sizeof *search->breaks, compare_breaks);
    rw_building_edge edge = {.zero_along = rw_vec3_of(unit_in_plan(b).x, unit_in_plan(b).y, 0),
                             .zero_normal = rw_vec3_of(normal_b.x, normal_b.y, 0),
                             .part = index,
                             .upright = 1};
    edge.exterior_over_pi = exterior_over_pi(&edge, rw_vec3_of(unit_in_plan(a).x, unit_in_plan(a).y, 0));
    for (size_t i = 0; i + 1 < search->break_count; i++) {
        double low = search->breaks[i], high = search->breaks[i + 1], middle = 0.5 * (low + high);
        if (high - low < LENGTH_MIN_M || is_filled_at(search, probes[0], middle) ||
            is_filled_at(search, probes[1], middle) || is_filled_at(search, probes[2], middle))
            continue;
        edge.from = rw_vec3_of(point.x, point.y, low);
        edge.to = rw_vec3_of(point.x, point.y, high);
        RW_TRY(append_building_edge(search, &edge));
    }
    return RW_OK;
}

/* Shares of the way from p to q, moved aside, at which walls of other parts are crossed. */
static rw_status break_at_walls(building_edge_search *search, uint32_t part, rw_vec2 p, rw_vec2 q)
{
    const rw_wall_list *walls = &search->scene->prepared->walls;
    rw_vec2 span = rw_vec2_sub(q, p);
    for (size_t i = 0; i < walls->count; i++) {
        const rw_wall *wall = &walls->walls[i];
        if (walls->parts[i] == part)
            continue;
        rw_vec2 along = rw_vec2_sub(wall->p1, wall->p0), to = rw_vec2_sub(wall->p0, p);
        double across = rw_vec2_cross(span, along);
        if (fabs(across) < 1e-12)
            continue;
        double fraction = rw_vec2_cross(to, along) / across, on_wall = rw_vec2_cross(to, span) / across;
        if (fraction > 0 && fraction < 1 && on_wall >= 0 && on_wall <= 1)
            RW_TRY(add_break(search, fraction));
    }
    return RW_OK;
}

/* The edge of the roof over the wall from p to q. */
static rw_status add_wall_roof_edge(building_edge_search *search, uint32_t index, rw_vec2 p, rw_vec2 q)
{
    const rw_part *part = &search->scene->parts.items[index];
    rw_vec2 span = rw_vec2_sub(q, p), normal = find_outward_normal(span);
    search->break_count = 0;
    RW_TRY(add_break(search, 0));
    RW_TRY(break_at_walls(search, index, step_off(p, normal, ASIDE_M), step_off(q, normal, ASIDE_M)));
    RW_TRY(break_at_walls(search, index, step_off(p, normal, -ASIDE_M), step_off(q, normal, -ASIDE_M)));
    RW_TRY(add_break(search, 1));
    qsort(search->breaks, search->break_count, sizeof *search->breaks, compare_breaks);
    rw_building_edge edge = {.zero_along = rw_vec3_of(0, 0, -1),
                             .zero_normal = rw_vec3_of(normal.x, normal.y, 0),
                             .exterior_over_pi = 1.5,
                             .part = index};
    for (size_t i = 0; i + 1 < search->break_count; i++) {
        double low = search->breaks[i], high = search->breaks[i + 1];
        rw_vec2 middle = step_off(p, span, 0.5 * (low + high)), before = step_off(middle, normal, ASIDE_M);
        if ((high - low) * wall_length(span) < LENGTH_MIN_M || is_filled_at(search, before, part->top_m - ASIDE_M) ||
            is_filled_at(search, before, part->top_m + ASIDE_M) ||
            is_filled_at(search, step_off(middle, normal, -ASIDE_M), part->top_m + ASIDE_M) ||
            rw_scene_ground_m(search->scene, before) > part->top_m)
            continue;
        edge.from = rw_vec3_of(p.x + low * span.x, p.y + low * span.y, part->top_m);
        edge.to = rw_vec3_of(p.x + high * span.x, p.y + high * span.y, part->top_m);
        RW_TRY(append_building_edge(search, &edge));
    }
    return RW_OK;
}

/* A ring has its building on the left: a convex corner turns left. */
static rw_status add_ring_edges(building_edge_search *search, uint32_t part, size_t ring)
{
    const rw_vec2 *points = rw_ring_points(search->scene, ring);
    size_t count = rw_ring_size(search->scene, ring);
    for (size_t i = 0; i < count; i++) {
        rw_vec2 a = rw_vec2_sub(points[(i + count - 1) % count], points[i]);
        rw_vec2 b = rw_vec2_sub(points[(i + 1) % count], points[i]);
        if (-rw_vec2_cross(a, b) >= CORNER_SINE_MIN * wall_length(a) * wall_length(b))
            RW_TRY(add_upright(search, part, points[i], a, b));
        RW_TRY(add_wall_roof_edge(search, part, points[i], points[(i + 1) % count]));
    }
    return RW_OK;
}

rw_status rw_building_edges_find(const rw_scene *scene, rw_building_edge **edges, size_t *count)
{
    building_edge_search search = {.scene = scene};
    rw_status status = RW_OK;
    for (size_t p = 0; status == RW_OK && p < scene->parts.count; p++) {
        const rw_part *part = &scene->parts.items[p];
        for (size_t r = 0; status == RW_OK && r < part->ring_count; r++)
            status = add_ring_edges(&search, (uint32_t)p, part->first_ring + r);
    }
    free(search.breaks);
    if (status != RW_OK) {
        free(search.edges);
        search = (building_edge_search){0};
    }
    *edges = search.edges;
    *count = search.count;
    return status;
}
