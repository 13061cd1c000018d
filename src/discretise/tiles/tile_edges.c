/* Segments of vertical edges and of roof edges with their parent tiles, section II.B of Lu and others (2019).
 *
 * A corner is an edge where the outline turns outwards by a degree or more, over the altitudes at which tiles of both
 * walls reach it. The upper side of a wall's uppermost tile is a roof edge where nothing stands on the roof behind it.
 */
#include "discretise/tiles/tile_builder.h"

#include "base/memory.h"
#include "discretise/walls/walls.h"

#include <math.h>
#include <stdlib.h>

#define PI 3.14159265358979323846

static const double min_corner_rad = 0.0175;
/* Shorter pieces, of tiles whose rows differ, are left out. */
static const double min_piece_m = 0.05;
/* How far behind the edge the roof is looked at. */
static const double behind_m = 0.05;

static rw_status append_tile_edge(rw_tile_maker *maker, rw_tile_edge edge)
{
    RW_TRY(RW_ARRAY_RESERVE(maker->scene->context, maker->edges, 1, "edges of tiles"));
    maker->edges.items[maker->edges.count++] = edge;
    return RW_OK;
}

static rw_status add_corner_tile_edge(rw_tile_maker *maker, const rw_tile_side *side, const rw_tile_side *next,
                                      double corner_angle_rad)
{
    double low_m = fmax(side->low_m, next->low_m), high_m = fmin(side->high_m, next->high_m);
    if (high_m - low_m < min_piece_m)
        return RW_OK;
    const rw_tile *first = &maker->tiles.items[side->tile], *second = &maker->tiles.items[next->tile];
    rw_vec2 at = maker->prepared->walls.walls[side->wall].p1;
    return append_tile_edge(maker, (rw_tile_edge){.from = rw_tile_frame(maker, at, low_m),
                                                  .to = rw_tile_frame(maker, at, high_m),
                                                  .normals = {first->normal, second->normal},
                                                  .exterior_rad = PI + corner_angle_rad,
                                                  .tiles = {side->tile, next->tile},
                                                  .kind = RW_TILE_EDGE_CORNER});
}

/* By how much the outline turns outwards from one wall to the next; negative inwards. */
static double corner_angle_between(const rw_wall_list *walls, uint32_t wall, uint32_t next)
{
    rw_vec2 a = walls->normals[wall], b = walls->normals[next];
    return atan2(rw_vec2_cross(a, b), rw_vec2_dot(a, b));
}

static rw_status add_outline_corners(rw_tile_maker *maker, const uint32_t *ends, const size_t *firsts)
{
    const rw_wall_list *walls = &maker->prepared->walls;
    for (size_t i = 0; i < maker->sides.count; i++) {
        rw_tile_side side = maker->sides.items[i];
        uint32_t next = side.end == 1 ? ends[2 * side.wall + 1] : RW_NO_PART;
        if (next == RW_NO_PART || corner_angle_between(walls, side.wall, next) < min_corner_rad)
            continue;
        for (size_t k = firsts[next]; k < firsts[next + 1]; k++) {
            rw_tile_side other = maker->sides.items[k];
            if (other.end == 0)
                RW_TRY(add_corner_tile_edge(maker, &side, &other, corner_angle_between(walls, side.wall, next)));
        }
    }
    return RW_OK;
}

/* A wall by the place where it begins. */
typedef struct wall_begin {
    int64_t x, y;
    uint32_t wall;
} wall_begin;

#define GRID_STEPS_PER_M 100.0 /* ends within a centimetre meet */

static wall_begin begin_at(rw_vec2 at, uint32_t wall)
{
    return (wall_begin){llround(at.x * GRID_STEPS_PER_M), llround(at.y * GRID_STEPS_PER_M), wall};
}

static int compare_wall_begins(const void *first, const void *second)
{
    const wall_begin *a = first, *b = second;
    if (a->x != b->x)
        return a->x < b->x ? -1 : 1;
    if (a->y != b->y)
        return a->y < b->y ? -1 : 1;
    return a->wall < b->wall ? -1 : a->wall > b->wall;
}

/* Corners of a side with the walls of other buildings that begin where its wall ends. */
static rw_status add_shared_corners(rw_tile_maker *maker, const rw_tile_side *side, const wall_begin *begins,
                                    size_t count, const size_t *firsts)
{
    const rw_wall_list *walls = &maker->prepared->walls;
    wall_begin here = begin_at(walls->walls[side->wall].p1, 0);
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (compare_wall_begins(&begins[middle], &here) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < count && begins[low].x == here.x && begins[low].y == here.y; low++) {
        uint32_t next = begins[low].wall;
        double corner_angle_rad = corner_angle_between(walls, side->wall, next);
        if (walls->parts[next] == walls->parts[side->wall] || corner_angle_rad < min_corner_rad)
            continue;
        for (size_t k = firsts[next]; k < firsts[next + 1]; k++) {
            rw_tile_side other = maker->sides.items[k];
            if (other.end == 0)
                RW_TRY(add_corner_tile_edge(maker, side, &other, corner_angle_rad));
        }
    }
    return RW_OK;
}

/* Convex corners that two buildings share. */
static rw_status add_corners_between(rw_tile_maker *maker, const size_t *firsts)
{
    const rw_wall_list *walls = &maker->prepared->walls;
    wall_begin *begins;
    size_t count = 0;
    RW_TRY(rw_array_create(maker->scene->context, walls->count, sizeof *begins, "ends of walls", &begins));
    for (size_t i = 0; i < walls->count; i++)
        if (walls->parts[i] != RW_NO_PART)
            begins[count++] = begin_at(walls->walls[i].p0, (uint32_t)i);
    rw_sort(begins, count, sizeof *begins, compare_wall_begins);
    rw_status status = RW_OK;
    for (size_t i = 0; i < maker->sides.count && status == RW_OK; i++) {
        rw_tile_side side = maker->sides.items[i];
        if (side.end == 1 && walls->parts[side.wall] != RW_NO_PART)
            status = add_shared_corners(maker, &side, begins, count, firsts);
    }
    free(begins);
    return status;
}

/* Sides are in the order of walls. */
static void index_sides(const rw_tile_maker *maker, size_t wall_count, size_t *firsts)
{
    size_t at = 0;
    for (size_t wall = 0; wall <= wall_count; wall++) {
        while (at < maker->sides.count && maker->sides.items[at].wall < wall)
            at++;
        firsts[wall] = at;
    }
}

/* How far a point is from a level tile, as its sides measure it: squared. */
static double distance_from(const rw_tile *tile, rw_vec3 point)
{
    rw_vec3 offset = rw_vec3_sub(point, tile->centre);
    double outside = 0;
    for (int i = 0; i < 2; i++) {
        const float *half = i ? tile->half_v : tile->half_u;
        double length = sqrt((double)half[0] * (double)half[0] + (double)half[1] * (double)half[1]);
        double along = fabs(offset.x * (double)half[0] + offset.y * (double)half[1]) / length - length;
        outside += along > 0 ? along * along : 0;
    }
    return outside;
}

/* The roof's tile that is nearest to the edge; the wall's own where the roof has none. */
static uint32_t nearest_on_roof(const rw_tile_maker *maker, uint32_t part, rw_vec3 point, uint32_t wall_tile)
{
    uint32_t nearest = wall_tile;
    double nearest_m = INFINITY;
    for (uint32_t i = maker->roof_first[part]; i < maker->roof_first[part + 1]; i++) {
        double distance = distance_from(&maker->tiles.items[i], point);
        if (distance < nearest_m) {
            nearest_m = distance;
            nearest = i;
        }
    }
    return nearest;
}

static rw_status add_roof_edge(rw_tile_maker *maker, uint32_t number)
{
    rw_vec2 centre = maker->prepared->grid.centre;
    const rw_tile *tile = &maker->tiles.items[number];
    uint32_t part = maker->surfaces.items[tile->surface].part;
    rw_vec3 from = rw_tile_corner(tile, 3), to = rw_tile_corner(tile, 2);
    double top_m = maker->scene->parts.items[part].top_m;
    from.z = to.z = top_m;
    rw_vec3 middle = rw_vec3_scale(rw_vec3_add(from, to), 0.5);
    rw_vec2 behind = {middle.x - behind_m * tile->normal.x + centre.x, middle.y - behind_m * tile->normal.y + centre.y};
    if (rw_tile_covered(maker, behind, top_m + RW_TILE_OFFSET_M, part))
        return RW_OK;
    return append_tile_edge(maker, (rw_tile_edge){.from = from,
                                                  .to = to,
                                                  .normals = {tile->normal, rw_vec3_of(0, 0, 1)},
                                                  .exterior_rad = 1.5 * PI,
                                                  .tiles = {number, nearest_on_roof(maker, part, middle, number)},
                                                  .kind = RW_TILE_EDGE_ROOF});
}

rw_status rw_tile_edges(rw_tile_maker *maker)
{
    rw_context *context = maker->scene->context;
    const rw_wall_list *walls = &maker->prepared->walls;
    uint32_t *ends = NULL;
    size_t *firsts = NULL;
    rw_status status = rw_array_create(context, 2 * walls->count + 1, sizeof *ends, "ends of walls", &ends);
    if (status == RW_OK)
        status = rw_array_create(context, walls->count + 1, sizeof *firsts, "ends of walls", &firsts);
    if (status == RW_OK) {
        rw_wall_ends(maker->scene, walls, ends);
        index_sides(maker, walls->count, firsts);
        status = add_outline_corners(maker, ends, firsts);
        if (status == RW_OK)
            status = add_corners_between(maker, firsts);
    }
    for (size_t i = 0; i < maker->tops.count && status == RW_OK; i++)
        status = add_roof_edge(maker, maker->tops.items[i]);
    free(ends);
    free(firsts);
    return status;
}
