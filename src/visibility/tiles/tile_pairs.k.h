/* Whether two tiles see each other: the straight line between their points (rw_tile_point) is free, and each is before
 * the other's plane (rw_tile_faces).
 *
 * Two forms that agree. The exact one tests every wall, roof, floor, mesh triangle and the whole ground in double. The
 * fast one marches through the wall grid, which decides in double where float could err (march_walls.k.h); a line that
 * goes through a roof leaves through a wall of the same prism or ends inside it, so roofs are not asked, only the
 * floors of prisms with air below (decks), through which a line could leave. A pair is always asked from its lower
 * number, so visibility is symmetric to the bit. */
#ifndef RW_VISIBILITY_TILES_TILE_PAIRS_K_H
#define RW_VISIBILITY_TILES_TILE_PAIRS_K_H

#include "discretise/tiles/tiles.k.h"
#include "visibility/los/march_walls.k.h"
#include "visibility/los/polar/polar.k.h"

/* A level face of a prism: the outline is the part's own walls. */
typedef struct rw_tile_deck {
    double z, west, south, east, north;
    uint32_t first_wall, wall_count; /* into the exact walls */
} rw_tile_deck;

/* Box of the centres of a block of tiles, and of their normals; and the tiles themselves in float, centres relative to
 * the middle of the box, which a CPU tests several at once. */
typedef struct rw_tile_block {
    double low[3], high[3], middle[3];
    float normal_low[3], normal_high[3];
    float x[RW_TILE_BLOCK], y[RW_TILE_BLOCK], z[RW_TILE_BLOCK];
    float normal_x[RW_TILE_BLOCK], normal_y[RW_TILE_BLOCK], normal_z[RW_TILE_BLOCK];
} rw_tile_block;

/* A tile as the pair tests want it. */
typedef struct rw_tile_eye {
    rw_vec3 centre;
    rw_vec3 normal;
} rw_tile_eye;

/* For each direction: what is farther than a range, of which nearness is the inverse, and lower than the slope is
 * hidden (tile_horizons.k.h). */
#define RW_TILE_BINS 64

typedef struct rw_horizon_bin {
    float nearness, slope;
} rw_horizon_bin;

typedef struct rw_tile_horizon {
    rw_horizon_bin bins[RW_TILE_BINS];
} rw_tile_horizon;

typedef struct rw_tile_geometry_view {
    rw_wall_grid_view grid;
    const rw_tile_eye *eyes;
    const rw_tile_block *blocks;
    const rw_tile_horizon *horizons; /* of each tile; NULL: none */
    uint32_t tile_count, block_count;
    const rw_tile_deck *decks; /* floors with air below */
    const rw_tile_deck *faces; /* all roofs and floors, for the exact form */
    uint32_t deck_count, face_count;
} rw_tile_geometry_view;

RW_FN rw_vec3 rw_eye_point(const rw_tile_eye *eye)
{
    return rw_vec3_add(eye->centre, rw_vec3_scale(eye->normal, RW_TILE_OFFSET_M));
}

RW_FN int rw_eyes_face(const rw_tile_eye *a, const rw_tile_eye *b)
{
    rw_vec3 offset = rw_vec3_sub(b->centre, a->centre);
    return rw_vec3_dot(a->normal, offset) > RW_TILE_FACING_M && rw_vec3_dot(b->normal, offset) < -RW_TILE_FACING_M;
}

/* Whether the line goes through a level face. */
RW_FN int rw_deck_blocks(const rw_tile_geometry_view *geometry, const rw_tile_deck *deck, rw_vec3 from, rw_vec3 to)
{
    if ((from.z > deck->z) == (to.z > deck->z))
        return 0;
    double t = (deck->z - from.z) / (to.z - from.z);
    double x = from.x + t * (to.x - from.x), y = from.y + t * (to.y - from.y);
    if (x < deck->west || x > deck->east || y < deck->south || y > deck->north)
        return 0;
    int inside = 0;
    for (uint32_t i = 0; i < deck->wall_count; i++) {
        const rw_exact_wall *wall = geometry->grid.exact + deck->first_wall + i;
        if ((wall->y0 > y) != (wall->y1 > y))
            inside ^= x < wall->x0 + (y - wall->y0) / (wall->y1 - wall->y0) * (wall->x1 - wall->x0);
    }
    return inside;
}

RW_FN int rw_line_clear_exact(const rw_tile_geometry_view *geometry, rw_vec3 from, rw_vec3 to)
{
    const rw_wall_grid_view *grid = &geometry->grid;
    for (size_t i = 0; i < grid->wall_count; i++) {
        double t;
        if (rw_wall_blocks_exact(from, to, rw_earth_bulge_m(grid, from, to), grid->exact + i, &t))
            return 0;
    }
    for (uint32_t i = 0; i < geometry->face_count; i++)
        if (rw_deck_blocks(geometry, geometry->faces + i, from, to))
            return 0;
    for (size_t i = 0; i < grid->triangle_count; i++)
        if (rw_segment_crosses_triangle(grid->triangles + i, from, rw_vec3_sub(to, from)))
            return 0;
    return !(grid->posts && rw_ground_blocks(grid, from, to, 0, 1));
}

RW_FN int rw_line_clear(const rw_tile_geometry_view *geometry, rw_vec3 from, rw_vec3 to)
{
    rw_sight sight = rw_sight_of(&geometry->grid, from, to);
    if (!rw_march_clear(&geometry->grid, &sight))
        return 0;
    for (uint32_t i = 0; i < geometry->deck_count; i++)
        if (rw_deck_blocks(geometry, geometry->decks + i, from, to))
            return 0;
    return 1;
}

/* The same of lines one after the other that are near each other: likely is a mesh triangle that stopped one before, or
 * RW_NO_TRIANGLE. */
RW_FN int rw_line_clear_next(const rw_tile_geometry_view *geometry, rw_vec3 from, rw_vec3 to, uint32_t *likely)
{
    uint32_t met =
        geometry->grid.node_count ? rw_mesh_blocking_triangle(&geometry->grid, from, to, *likely) : RW_NO_TRIANGLE;
    if (met != RW_NO_TRIANGLE)
        *likely = met;
    return met == RW_NO_TRIANGLE && rw_line_clear(geometry, from, to);
}

/* The first of two is the one with the lower number. */
RW_FN int rw_tiles_see_exact(const rw_tile_geometry_view *geometry, uint32_t first, uint32_t second)
{
    const rw_tile_eye *a = geometry->eyes + first, *b = geometry->eyes + second;
    return rw_eyes_face(a, b) && rw_line_clear_exact(geometry, rw_eye_point(a), rw_eye_point(b));
}

/* The bin of a direction, of 4 * quarter bins; inverse_range is 1 / (|x| + |y|). Counted as in polar.k.h. */
RW_FN int rw_horizon_bin_of(float x, float y, float inverse_range)
{
    const float quarter = (float)(RW_TILE_BINS / 4);
    float fraction = (y >= 0) == (x > 0) ? fabsf(y) : fabsf(x);
    float first = y >= 0 ? (x > 0 ? 0.0f : quarter) : (x > 0 ? 3.0f * quarter : 2.0f * quarter);
    return (int)(first + fraction * inverse_range * quarter) & (RW_TILE_BINS - 1);
}

/* Whether the horizon of a tile surely hides what is dx, dy, dz away from its point. */
RW_FN int rw_horizon_hides_point(const rw_tile_horizon *horizon, float dx, float dy, float dz)
{
    float range = fabsf(dx) + fabsf(dy), inverse = 1.0f / (range + 1e-30f);
    rw_horizon_bin bin = horizon->bins[rw_horizon_bin_of(dx, dy, inverse)];
    return inverse < bin.nearness && dz * inverse < bin.slope;
}

#define RW_BLOCK_MARGIN_M 0.02f /* from centres to points */

/* Whether the horizon of a point hides everything within a margin of the box of a block. */
RW_FN int rw_block_hidden_round(const rw_tile_horizon *horizon, rw_vec3 from, const rw_tile_block *block, float margin)
{
    float west = (float)(block->low[0] - from.x) - margin, east = (float)(block->high[0] - from.x) + margin;
    float south = (float)(block->low[1] - from.y) - margin, north = (float)(block->high[1] - from.y) + margin;
    float rise = (float)(block->high[2] - from.z) + margin;
    rw_polar_box box;
    if (!rw_polar_box_init(west, south, east, north, &box))
        return 0;
    float x_far = -west > east ? -west : east, y_far = -south > north ? -south : north;
    float nearness = 1.0001f / box.near_range;
    float slope = rise > 0.0f ? rise * nearness : rise / (x_far + y_far);
    const int run = RW_POLAR_BINS / RW_TILE_BINS;
    int first = (box.first_bin + RW_POLAR_BINS) / run, last = (box.last_bin + RW_POLAR_BINS) / run;
    for (int bin = first; bin <= last; bin++) {
        rw_horizon_bin at = horizon->bins[bin & (RW_TILE_BINS - 1)];
        if (!(nearness < at.nearness && slope < at.slope))
            return 0;
    }
    return 1;
}

RW_FN int rw_block_hidden(const rw_tile_horizon *horizon, rw_vec3 from, const rw_tile_block *block)
{
    return rw_block_hidden_round(horizon, from, block, RW_BLOCK_MARGIN_M);
}

/* The largest value of n (p - c) for n and p between bounds, on one axis. */
RW_FN double rw_max_product(double n0, double n1, double d0, double d1)
{
    double a = n0 * d0, b = n0 * d1, c = n1 * d0, d = n1 * d1;
    double ab = a > b ? a : b, cd = c > d ? c : d;
    return ab > cd ? ab : cd;
}

/* Whether some tile of the block may face this one, and be faced by it. */
RW_FN int rw_block_may_face(const rw_tile_eye *eye, const rw_tile_block *block)
{
    const double at[3] = {eye->centre.x, eye->centre.y, eye->centre.z};
    const double normal[3] = {eye->normal.x, eye->normal.y, eye->normal.z};
    double ahead = 0, back = 0;
    for (int axis = 0; axis < 3; axis++) {
        double low = block->low[axis] - at[axis], high = block->high[axis] - at[axis];
        ahead += normal[axis] * (normal[axis] > 0 ? high : low);
        back += rw_max_product((double)block->normal_low[axis], (double)block->normal_high[axis], -high, -low);
    }
    return ahead > 0.999 * RW_TILE_FACING_M && back > 0.999 * RW_TILE_FACING_M;
}

#endif
