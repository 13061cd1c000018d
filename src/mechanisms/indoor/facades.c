#include "mechanisms/indoor/facades.h"

#include "base/memory.h"
#include "discretise/bvh/cross_meshes.k.h"
#include "discretise/receivers/receivers.h"
#include "discretise/scene_cache.h"

#include <math.h>
#include <stdlib.h>

enum { FACADE_UNKNOWN, FACADE_OUTSIDE, FACADE_INSIDE };

/* A wall, or the longest edge of a triangle, in plan and in the local frame; the outside is to its right. */
typedef struct facade_line {
    rw_vec2 from, along; /* along: of length 1 */
    double length_m;
    uint32_t count; /* of receivers on one side */
} facade_line;

static facade_line describe_line(rw_vec2 from, rw_vec2 to)
{
    rw_vec2 along = rw_vec2_sub(to, from);
    double length_m = sqrt(rw_vec2_dot(along, along));
    facade_line line = {from, {0, 0}, length_m, (uint32_t)fmax(1, ceil(length_m / RW_FACADE_SPACING_M))};
    if (length_m > 0)
        line.along = rw_vec2_of(along.x / length_m, along.y / length_m);
    return line;
}

static facade_line find_triangle_line(const rw_prepared *prepared, size_t triangle)
{
    const rw_bvh_triangle *at = &prepared->grid.view.triangles[triangle];
    const double *corners[4] = {at->a, at->b, at->c, at->a};
    rw_vec2 centre = prepared->grid.centre;
    facade_line longest = {.length_m = -1};
    for (int i = 0; i < 3; i++) {
        rw_vec2 from = {corners[i][0] + centre.x, corners[i][1] + centre.y};
        facade_line line = describe_line(from, (rw_vec2){corners[i + 1][0] + centre.x, corners[i + 1][1] + centre.y});
        if (line.length_m > longest.length_m)
            longest = line;
    }
    return longest;
}

/* Walls come first, then triangles. */
static facade_line find_facade_line(const rw_prepared *prepared, size_t index)
{
    const rw_wall_list *walls = &prepared->walls;
    return index < walls->count ? describe_line(walls->walls[index].p0, walls->walls[index].p1)
                                : find_triangle_line(prepared, index - walls->count);
}

static size_t count_facade_lines(const rw_prepared *prepared)
{
    return prepared->walls.count + prepared->grid.view.triangle_count;
}

size_t rw_facades_count(const rw_facades *facades)
{
    return facades->first[count_facade_lines(facades->scene->prepared)];
}

/* Number k on one side of a line; right: that to the right. */
static rw_vec2 locate_facade_receiver(const facade_line *line, uint32_t k, int right)
{
    double at_m = ((double)k + 0.5) * line->length_m / (double)line->count;
    double away_m = right ? RW_FACADE_AWAY_M : -RW_FACADE_AWAY_M;
    return rw_vec2_of(line->from.x + at_m * line->along.x + away_m * line->along.y,
                      line->from.y + at_m * line->along.y - away_m * line->along.x);
}

rw_vec2 rw_facade_position(const rw_facades *facades, size_t receiver)
{
    size_t low = 0, high = count_facade_lines(facades->scene->prepared);
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (facades->first[middle] <= receiver)
            low = middle;
        else
            high = middle;
    }
    facade_line line = find_facade_line(facades->scene->prepared, low);
    uint32_t k = (uint32_t)(receiver - facades->first[low]);
    uint32_t along = k % line.count; /* NOLINT: a line with a receiver has a count */
    return locate_facade_receiver(&line, along, k < line.count);
}

static int is_position_inside(const rw_facades *facades, rw_vec2 at)
{
    double z_m = rw_scene_ground_m(facades->scene, at) + facades->height_m;
    return rw_receiver_is_inside(facades->scene, 0, at, z_m);
}

static int is_receiver_outside(const rw_facades *facades, size_t receiver, rw_vec2 at)
{
    uint8_t known = atomic_load_explicit(&facades->outside[receiver], memory_order_relaxed);
    if (known == FACADE_UNKNOWN) {
        known = is_position_inside(facades, at) ? FACADE_INSIDE : FACADE_OUTSIDE;
        atomic_store_explicit(&facades->outside[receiver], known, memory_order_relaxed);
    }
    return known == FACADE_OUTSIDE;
}

/* The receiver next to where a line crosses a facade at a distance along it: of those outside, unless what is behind
 * the facade there is another building. */
static uint32_t find_next_receiver(const rw_facades *facades, size_t index, const facade_line *line, double at_m,
                                   int right)
{
    double place = line->length_m > 0 ? at_m / line->length_m * (double)line->count : 0;
    long long last = (long long)line->count - 1, k = (long long)place;
    size_t first = facades->first[index] + (right ? 0 : line->count);
    k = k < 0 ? 0 : k > last ? last : k;
    if (is_receiver_outside(facades, first + (size_t)k, locate_facade_receiver(line, (uint32_t)k, right)))
        return (uint32_t)(first + (size_t)k);
    facade_line here = *line;
    here.from = rw_vec2_of(line->from.x + at_m * line->along.x, line->from.y + at_m * line->along.y);
    here.length_m = 0;
    if (is_position_inside(facades, locate_facade_receiver(&here, 0, right)))
        return RW_NO_FACADE;
    for (long long step = 1; step <= last; step++)
        for (int side = -1; side <= 1; side += 2) {
            long long next = k + side * step;
            if (next >= 0 && next <= last &&
                is_receiver_outside(facades, first + (size_t)next, locate_facade_receiver(line, (uint32_t)next, right)))
                return (uint32_t)(first + (size_t)next);
        }
    return RW_NO_FACADE;
}

/* The exit through a wall that a line crosses at a distance, if it is nearer than what is found. */
static void try_facade(const rw_facades *facades, size_t index, rw_vec3 from, rw_vec2 direction, double depth_m,
                       rw_facade_exit *nearest)
{
    const rw_prepared *prepared = facades->scene->prepared;
    if (nearest->receiver != RW_NO_FACADE && !(depth_m < (double)nearest->depth_m))
        return;
    facade_line line = find_facade_line(prepared, index);
    rw_vec2 crossing = {from.x + depth_m * direction.x, from.y + depth_m * direction.y};
    double at_m = rw_vec2_dot(rw_vec2_sub(crossing, line.from), line.along);
    int right = rw_vec2_cross(direction, line.along) > 0;
    uint32_t receiver = find_next_receiver(facades, index, &line, at_m, right);
    if (receiver == RW_NO_FACADE)
        return;
    int is_wall = index < prepared->walls.count;
    nearest->receiver = receiver;
    nearest->surface = is_wall ? prepared->walls.surfaces[index] : (uint32_t)facades->scene->surfaces.count;
    nearest->depth_m = (float)depth_m;
}

/* Whether a line from a point leaves the building of a wall through it, and at what distance. Of the two walls of a
 * corner one is crossed. Both in the frame of the grid. */
static int leaves_through_wall(const rw_exact_wall *wall, rw_vec2 from, rw_vec2 direction, double *distance_m)
{
    rw_vec2 a = {wall->x0 - from.x, wall->y0 - from.y}, b = {wall->x1 - from.x, wall->y1 - from.y};
    double side_a = rw_vec2_cross(direction, a), side_b = rw_vec2_cross(direction, b);
    if (!(side_a <= 0 && side_b > 0)) /* the outside is to the right of p0 to p1 */
        return 0;
    double t = side_a / (side_a - side_b);
    rw_vec2 crossing = {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
    *distance_m = rw_vec2_dot(crossing, direction);
    return *distance_m >= 0;
}

static void leave_through_walls(const rw_facades *facades, rw_vec3 from, rw_vec2 direction, double reach_m,
                                rw_facade_exit *nearest)
{
    const rw_scene *scene = facades->scene;
    const rw_wall_grid_view *view = &scene->prepared->grid.view;
    rw_vec2 centre = scene->prepared->grid.centre, at = {from.x - centre.x, from.y - centre.y};
    rw_grid_walk_exact walk =
        rw_grid_walk_exact_begin(view, at.x, at.y, reach_m * direction.x, reach_m * direction.y, 0.0, 1.0);
    for (; nearest->receiver == RW_NO_FACADE && rw_grid_walk_exact_enter(&walk); rw_grid_walk_exact_leave(&walk))
        for (uint32_t i = view->cells[walk.cell].first; i < view->cells[walk.cell + 1].first; i++) {
            uint32_t wall = view->entries[i].wall, part = scene->prepared->walls.parts[wall];
            double distance_m;
            if (part != RW_NO_PART && rw_part_holds(&scene->parts.items[part], from.z, facades->height_m) &&
                leaves_through_wall(&view->exact[wall], at, direction, &distance_m) &&
                distance_m >= walk.t_in * reach_m && (distance_m < walk.t_out * reach_m || walk.t_out >= 1))
                try_facade(facades, wall, from, direction, distance_m, nearest);
        }
}

static void leave_through_meshes(const rw_facades *facades, rw_vec3 from, rw_vec2 direction, double reach_m,
                                 rw_facade_exit *nearest)
{
    const rw_prepared *prepared = facades->scene->prepared;
    const rw_wall_grid_view *view = &prepared->grid.view;
    rw_vec3 at = rw_vec3_of(from.x - prepared->grid.centre.x, from.y - prepared->grid.centre.y, from.z);
    rw_vec3 d = rw_vec3_of(reach_m * direction.x, reach_m * direction.y, 0);
    rw_box_line line = rw_box_line_of(at, d);
    RW_BVH_EACH (node, view->nodes, view->node_count, rw_segment_meets_box(node, &line))
        for (uint32_t i = node->first; i < node->first + node->count; i++)
            if (rw_segment_crosses_triangle(view->triangles + i, at, d))
                try_facade(facades, prepared->walls.count + i, from, direction,
                           reach_m * rw_triangle_crossing(view->triangles + i, at, d), nearest);
}

rw_facade_exit rw_facade_find(const rw_facades *facades, rw_vec3 from, rw_vec2 direction)
{
    const rw_wall_grid_view *view = &facades->scene->prepared->grid.view;
    rw_facade_exit nearest = {RW_NO_FACADE, 0, 0};
    double cell_m = (double)view->cell_m;
    double reach_m = cell_m * (hypot((double)view->columns, (double)view->rows) + 1);
    if (facades->scene->parts.count)
        leave_through_walls(facades, from, direction, reach_m, &nearest);
    if (view->node_count)
        leave_through_meshes(facades, from, direction, reach_m, &nearest);
    return nearest;
}

static void destroy_facades(void *value)
{
    rw_facades *facades = value;
    free(facades->first);
    free(facades->outside);
    free(facades);
}

static const rw_cache_kind facades_kind = {"receivers along walls", 4, destroy_facades};

static rw_status number_facade_receivers(rw_facades *facades)
{
    const rw_prepared *prepared = facades->scene->prepared;
    rw_context *context = facades->scene->context;
    size_t lines = count_facade_lines(prepared), receivers = 0;
    RW_TRY(rw_array_create(context, lines + 1, sizeof *facades->first, "receivers along walls", &facades->first));
    for (size_t i = 0; i < lines; i++) {
        receivers += (i < prepared->walls.count ? 1u : 2u) * (size_t)find_facade_line(prepared, i).count;
        if (receivers >= RW_NO_FACADE)
            return rw_fail(context, RW_TOO_LARGE, "walls of the scene have more than 2^32 receivers, one every %g m",
                           RW_FACADE_SPACING_M);
        facades->first[i + 1] = (uint32_t)receivers;
    }
    return rw_array_create(context, receivers, sizeof *facades->outside, "receivers along walls", &facades->outside);
}

typedef struct facades_request {
    const rw_scene *scene;
    double height_m;
} facades_request;

static rw_status create_facades(void *user, void **value)
{
    const facades_request *request = user;
    rw_facades *facades;
    RW_TRY(rw_array_create(request->scene->context, 1, sizeof *facades, "receivers along walls", &facades));
    facades->scene = request->scene;
    facades->height_m = request->height_m;
    rw_status status = number_facade_receivers(facades);
    if (status == RW_OK)
        *value = facades;
    else
        destroy_facades(facades);
    return status;
}

rw_status rw_facades_acquire(const rw_scene *scene, double height_m, const rw_facades **facades)
{
    facades_request request = {scene, height_m};
    void *value;
    RW_TRY(rw_scene_cache_acquire(scene, &facades_kind, &height_m, sizeof height_m, create_facades, &request, &value));
    *facades = value;
    return RW_OK;
}

void rw_facades_release(const rw_facades *facades)
{
    if (facades)
        rw_scene_cache_release(facades->scene, facades);
}
