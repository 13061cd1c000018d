#include "discretise/walls/building_edges.h"

#include "base/maths/elementary.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

#define ASIDE_M 0.01           /* distance from an edge at which obstacles are tested */
#define LENGTH_LEAST_M 0.05    /* shorter edges do not diffract */
#define TURN_SINE_LEAST 0.0175 /* a wall that turns by less is straight: 1 degree */

/* What is being filled, and places along an edge at which its surroundings may change. */
typedef struct edge_finder {
    const rw_scene *scene;
    rw_building_edge *edges;
    size_t count, capacity;
    double *breaks;
    size_t break_count, break_capacity;
} edge_finder;

static double length_of(rw_vec2 v)
{
    return sqrt(rw_vec2_dot(v, v));
}

static rw_vec2 unit(rw_vec2 v)
{
    return rw_vec2_make(v.x / length_of(v), v.y / length_of(v));
}

static rw_vec2 outwards(rw_vec2 along)
{
    return rw_vec2_make(along.y / length_of(along), -along.x / length_of(along));
}

static rw_vec2 off(rw_vec2 at, rw_vec2 direction, double way_m)
{
    return rw_vec2_make(at.x + way_m * direction.x, at.y + way_m * direction.y);
}

/* By altitude alone: that a receiver at some height above a slope counts as inside a house does not cover an edge. */
static int filled(const edge_finder *finder, rw_vec2 at, double z_m)
{
    uint32_t parts[8];
    size_t count = rw_parts_over(finder->scene, finder->scene->prepared, at, parts, 8);
    for (size_t i = 0; i < count; i++) {
        const rw_part *part = &finder->scene->parts.items[parts[i]];
        if (z_m < part->top_m && (part->base_height_m <= 0 || z_m >= part->bottom_m))
            return 1;
    }
    return 0;
}

static rw_status add_break(edge_finder *finder, double at)
{
    RW_TRY(rw_array_reserve(finder->scene->context, &finder->breaks, &finder->break_capacity, finder->break_count + 1,
                            sizeof *finder->breaks, "edges"));
    finder->breaks[finder->break_count++] = at;
    return RW_OK;
}

static int compare(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return a < b ? -1 : a > b;
}

static rw_status add_edge(edge_finder *finder, const rw_building_edge *edge)
{
    RW_TRY(rw_array_reserve(finder->scene->context, &finder->edges, &finder->capacity, finder->count + 1,
                            sizeof *finder->edges, "edges"));
    rw_building_edge *made = &finder->edges[finder->count++];
    rw_vec2 centre = finder->scene->prepared->grid.centre;
    *made = *edge;
    made->from = rw_vec3_make(edge->from.x - centre.x, edge->from.y - centre.y, edge->from.z);
    made->to = rw_vec3_make(edge->to.x - centre.x, edge->to.y - centre.y, edge->to.z);
    made->edge = rw_vec3_cross(edge->zero_along, edge->zero_normal);
    return RW_OK;
}

static double exterior_over_pi(const rw_building_edge *edge, rw_vec3 other_along)
{
    double angle = atan2(rw_vec3_dot(other_along, edge->zero_normal), rw_vec3_dot(other_along, edge->zero_along));
    return (angle < 0 ? angle + 2 * RW_PI : angle) / RW_PI;
}

/* A vertical edge: a and b lead along the two walls; what stands before either or before both covers it. */
static rw_status add_upright(edge_finder *finder, uint32_t index, rw_vec2 point, rw_vec2 a, rw_vec2 b)
{
    const rw_scene *scene = finder->scene;
    const rw_part *part = &scene->parts.items[index];
    rw_vec2 normal_a = outwards(rw_vec2_make(-a.x, -a.y)), normal_b = outwards(b);
    double near_a = fmin(0.5, 0.5 * length_of(a)), near_b = fmin(0.5, 0.5 * length_of(b));
    rw_vec2 places[3] = {off(point, unit(rw_vec2_add(normal_a, normal_b)), ASIDE_M),
                         off(off(point, unit(a), near_a), normal_a, ASIDE_M),
                         off(off(point, unit(b), near_b), normal_b, ASIDE_M)};
    double bottom_m = fmax(part->bottom_m, rw_scene_ground_m(scene, places[0]));
    finder->break_count = 0;
    RW_TRY(add_break(finder, bottom_m));
    for (size_t i = 0; i < scene->parts.count; i++) {
        const rw_part *other = &scene->parts.items[i];
        for (int j = 0; i != index && j < 3; j++)
            if (rw_part_contains(scene, other, places[j])) {
                RW_TRY(add_break(finder, fmin(part->top_m, fmax(bottom_m, other->bottom_m))));
                RW_TRY(add_break(finder, fmin(part->top_m, fmax(bottom_m, other->top_m))));
            }
    }
    RW_TRY(add_break(finder, part->top_m));
    qsort(finder->breaks, finder->break_count, sizeof *finder->breaks, compare);
    rw_building_edge edge = {.zero_along = rw_vec3_make(unit(b).x, unit(b).y, 0),
                             .zero_normal = rw_vec3_make(normal_b.x, normal_b.y, 0),
                             .part = index,
                             .upright = 1};
    edge.exterior_over_pi = exterior_over_pi(&edge, rw_vec3_make(unit(a).x, unit(a).y, 0));
    for (size_t i = 0; i + 1 < finder->break_count; i++) {
        double low = finder->breaks[i], high = finder->breaks[i + 1], middle = 0.5 * (low + high);
        if (high - low < LENGTH_LEAST_M || filled(finder, places[0], middle) || filled(finder, places[1], middle) ||
            filled(finder, places[2], middle))
            continue;
        edge.from = rw_vec3_make(point.x, point.y, low);
        edge.to = rw_vec3_make(point.x, point.y, high);
        RW_TRY(add_edge(finder, &edge));
    }
    return RW_OK;
}

/* Shares of the way from p to q, moved aside, at which walls of other parts are crossed. */
static rw_status break_at_walls(edge_finder *finder, uint32_t part, rw_vec2 p, rw_vec2 q)
{
    const rw_wall_list *walls = &finder->scene->prepared->walls;
    rw_vec2 way = rw_vec2_sub(q, p);
    for (size_t i = 0; i < walls->count; i++) {
        const rw_wall *wall = &walls->walls[i];
        if (walls->parts[i] == part)
            continue;
        rw_vec2 along = rw_vec2_sub(wall->p1, wall->p0), to = rw_vec2_sub(wall->p0, p);
        double across = rw_vec2_cross(way, along);
        if (fabs(across) < 1e-12)
            continue;
        double share = rw_vec2_cross(to, along) / across, on_wall = rw_vec2_cross(to, way) / across;
        if (share > 0 && share < 1 && on_wall >= 0 && on_wall <= 1)
            RW_TRY(add_break(finder, share));
    }
    return RW_OK;
}

/* The edge of the roof over the wall from p to q. */
static rw_status add_level(edge_finder *finder, uint32_t index, rw_vec2 p, rw_vec2 q)
{
    const rw_part *part = &finder->scene->parts.items[index];
    rw_vec2 way = rw_vec2_sub(q, p), normal = outwards(way);
    finder->break_count = 0;
    RW_TRY(add_break(finder, 0));
    RW_TRY(break_at_walls(finder, index, off(p, normal, ASIDE_M), off(q, normal, ASIDE_M)));
    RW_TRY(break_at_walls(finder, index, off(p, normal, -ASIDE_M), off(q, normal, -ASIDE_M)));
    RW_TRY(add_break(finder, 1));
    qsort(finder->breaks, finder->break_count, sizeof *finder->breaks, compare);
    rw_building_edge edge = {.zero_along = rw_vec3_make(0, 0, -1),
                             .zero_normal = rw_vec3_make(normal.x, normal.y, 0),
                             .exterior_over_pi = 1.5,
                             .part = index};
    for (size_t i = 0; i + 1 < finder->break_count; i++) {
        double low = finder->breaks[i], high = finder->breaks[i + 1];
        rw_vec2 middle = off(p, way, 0.5 * (low + high)), before = off(middle, normal, ASIDE_M);
        if ((high - low) * length_of(way) < LENGTH_LEAST_M || filled(finder, before, part->top_m - ASIDE_M) ||
            filled(finder, before, part->top_m + ASIDE_M) ||
            filled(finder, off(middle, normal, -ASIDE_M), part->top_m + ASIDE_M) ||
            rw_scene_ground_m(finder->scene, before) > part->top_m)
            continue;
        edge.from = rw_vec3_make(p.x + low * way.x, p.y + low * way.y, part->top_m);
        edge.to = rw_vec3_make(p.x + high * way.x, p.y + high * way.y, part->top_m);
        RW_TRY(add_edge(finder, &edge));
    }
    return RW_OK;
}

/* A ring has its building on the left: a convex corner turns left. */
static rw_status add_ring(edge_finder *finder, uint32_t part, size_t ring)
{
    const rw_vec2 *points = rw_ring_points(finder->scene, ring);
    size_t count = rw_ring_size(finder->scene, ring);
    for (size_t i = 0; i < count; i++) {
        rw_vec2 a = rw_vec2_sub(points[(i + count - 1) % count], points[i]);
        rw_vec2 b = rw_vec2_sub(points[(i + 1) % count], points[i]);
        if (-rw_vec2_cross(a, b) >= TURN_SINE_LEAST * length_of(a) * length_of(b))
            RW_TRY(add_upright(finder, part, points[i], a, b));
        RW_TRY(add_level(finder, part, points[i], points[(i + 1) % count]));
    }
    return RW_OK;
}

rw_status rw_building_edges_find(const rw_scene *scene, rw_building_edge **edges, size_t *count)
{
    edge_finder finder = {.scene = scene};
    rw_status status = RW_OK;
    for (size_t p = 0; status == RW_OK && p < scene->parts.count; p++) {
        const rw_part *part = &scene->parts.items[p];
        for (size_t r = 0; status == RW_OK && r < part->ring_count; r++)
            status = add_ring(&finder, (uint32_t)p, part->first_ring + r);
    }
    free(finder.breaks);
    if (status != RW_OK) {
        free(finder.edges);
        finder = (edge_finder){0};
    }
    *edges = finder.edges;
    *count = finder.count;
    return status;
}
