/* One line of sight: from a receiver (t = 0) to a source (t = 1), and whether a wall or the ground is in its way.
 *
 * After equations (1) to (4) of Rick and Kuhlen (2010): a receiver lies in the shadow of a wall where the segment to
 * the source crosses the wall below its top. Tests run in float with a bound on their error; where the bound cannot
 * exclude the other answer they are repeated in double, so that the answer is that of double at nearly the cost of
 * float. A wall that ends exactly on the segment counts if it lies on the left of it, so that of two walls that share
 * the point exactly one counts. A wall on which the source or the receiver itself stands does not block: an antenna
 * on a facade sees the street. */
#ifndef RW_VISIBILITY_LOS_SIGHT_K_H
#define RW_VISIBILITY_LOS_SIGHT_K_H

#include "discretise/receivers/receivers.k.h"
#include "discretise/walls/wall_grid.k.h"

typedef struct rw_sight {
    float x, y, z;    /* the receiver, in the grid's frame */
    float dx, dy, dz; /* from there to the source */
    float side_error; /* of a cross product with (dx, dy) */
    float unit_error; /* of a coordinate difference */
    double bulge_m;   /* the earth rises over the chord by this times t (1 - t) */
    rw_vec3 from, to; /* the same two points, exact */
} rw_sight;

/* The bulge of the earth between two points, four times its height in the middle. */
RW_FN double rw_earth_bulge_m(const rw_wall_grid_view *grid, rw_vec3 from, rw_vec3 to)
{
    double dx = to.x - from.x, dy = to.y - from.y;
    return grid->curve_per_m * (dx * dx + dy * dy);
}

/* 2^-24 for each rounding: two to store the end points, one for their difference, on both factors, and the products'.
 */
RW_FN rw_sight rw_sight_of(const rw_wall_grid_view *grid, rw_vec3 receiver, rw_vec3 source)
{
    rw_sight sight;
    sight.from = receiver;
    sight.to = source;
    sight.x = (float)receiver.x;
    sight.y = (float)receiver.y;
    sight.z = (float)receiver.z;
    sight.dx = (float)(source.x - receiver.x);
    sight.dy = (float)(source.y - receiver.y);
    sight.dz = (float)(source.z - receiver.z);
    sight.bulge_m = rw_earth_bulge_m(grid, receiver, source);
    sight.unit_error = 4.0f * 5.9604645e-8f * grid->coordinate_max;
    sight.side_error = 4.0f * sight.unit_error * (fabsf(sight.dx) + fabsf(sight.dy) + grid->longest_wall);
    return sight;
}

/* The cells under the line, or under the stretch of it between t_begin and t_end. */
RW_FN rw_grid_walk rw_sight_walk(const rw_wall_grid_view *grid, const rw_sight *sight, float t_begin, float t_end)
{
    return rw_grid_walk_begin(grid, sight->x, sight->y, sight->dx, sight->dy, t_begin, t_end);
}

RW_FN rw_grid_walk_exact rw_sight_walk_exact(const rw_wall_grid_view *grid, const rw_sight *sight)
{
    return rw_grid_walk_exact_begin(grid, sight->from.x, sight->from.y, sight->to.x - sight->from.x,
                                    sight->to.y - sight->from.y, 0, 1);
}

/* The test in double: is the wall crossed in plan, and where. */
RW_FN int rw_wall_crosses_exact(rw_vec3 from, rw_vec3 to, const rw_exact_wall *wall, double *t_out)
{
    double dx = to.x - from.x, dy = to.y - from.y;
    double ax = wall->x0 - from.x, ay = wall->y0 - from.y;
    double bx = wall->x1 - from.x, by = wall->y1 - from.y;
    double side0 = dx * ay - dy * ax, side1 = dx * by - dy * bx;
    if ((side0 >= 0) == (side1 >= 0))
        return 0;
    double wx = wall->x1 - wall->x0, wy = wall->y1 - wall->y0;
    *t_out = (ax * wy - ay * wx) / (dx * wy - dy * wx);
    return *t_out > 0 && *t_out < 1;
}

/* Height of the line at t over an earth that bulges: what is as high as it there just touches it. */
RW_FN double rw_line_height_m(rw_vec3 from, rw_vec3 to, double bulge_m, double t)
{
    return from.z + t * (to.z - from.z) - bulge_m * t * (1.0 - t);
}

/* The same with heights: does the wall stand in the way. */
RW_RARE_FN int rw_wall_blocks_exact(rw_vec3 from, rw_vec3 to, double bulge_m, const rw_exact_wall *wall, double *t_out)
{
    if (!rw_wall_crosses_exact(from, to, wall, t_out))
        return 0;
    double z = rw_line_height_m(from, to, bulge_m, *t_out);
    return z < wall->top && z >= wall->bottom;
}

RW_RARE_FN int rw_wall_crosses_rare(const rw_sight *sight, const rw_exact_wall *wall, float *t_out)
{
    double t = 0;
    int crosses = rw_wall_crosses_exact(sight->from, sight->to, wall, &t);
    *t_out = (float)t;
    return crosses;
}

RW_RARE_FN int rw_wall_blocks_rare(const rw_sight *sight, const rw_exact_wall *wall)
{
    double t;
    return rw_wall_blocks_exact(sight->from, sight->to, sight->bulge_m, wall, &t);
}

/* Whether the line passes below the wall's top and above its bottom where it meets the wall's own line, for callers
 * that know that it crosses in plan. */
RW_RARE_FN int rw_wall_stands_above(rw_vec3 from, rw_vec3 to, double bulge_m, const rw_exact_wall *wall)
{
    double wx = wall->x1 - wall->x0, wy = wall->y1 - wall->y0;
    double t = ((wall->x0 - from.x) * wy - (wall->y0 - from.y) * wx) / ((to.x - from.x) * wy - (to.y - from.y) * wx);
    double z = rw_line_height_m(from, to, bulge_m, t);
    return z < wall->top && z >= wall->bottom;
}

/* The test in float: 0 not crossed, 1 crossed at t with an error of at most t_error, -1 too near to say. */
RW_FN int rw_wall_crosses_rough(const rw_sight *sight, const rw_wall_entry *wall, float *t_out, float *t_error)
{
    float ax = wall->x0 - sight->x, ay = wall->y0 - sight->y;
    float bx = wall->x1 - sight->x, by = wall->y1 - sight->y;
    float side0 = sight->dx * ay - sight->dy * ax, side1 = sight->dx * by - sight->dy * bx;
    float error = sight->side_error;
    if ((side0 > error && side1 > error) || (side0 < -error && side1 < -error))
        return 0;
    if (fabsf(side0) <= error || fabsf(side1) <= error)
        return -1;
    float wx = bx - ax, wy = by - ay;
    float across = 1.0f / (side1 - side0);
    float t = (ax * wy - ay * wx) * across;
    float length = fabsf(wx) + fabsf(wy), reach = fabsf(ax) + fabsf(ay);
    *t_error = (4.0f * sight->unit_error * (length + reach) + 2.0f * error) * fabsf(across) + 1e-6f;
    *t_out = t;
    if (t < -*t_error || t > 1.0f + *t_error)
        return 0;
    return t > *t_error && t < 1.0f - *t_error ? 1 : -1;
}

/* Whether the wall is crossed in plan, and where, from 0 at the receiver to 1. */
RW_FN int rw_wall_crosses(const rw_sight *sight, const rw_wall_entry *wall, const rw_exact_wall *exact, float *t_out)
{
    float t_error;
    int crosses = rw_wall_crosses_rough(sight, wall, t_out, &t_error);
    return crosses < 0 ? rw_wall_crosses_rare(sight, exact + wall->wall, t_out) : crosses;
}

/* Crossings nearer to each other than this are one point to rounding, such as those of the wall that two buildings
 * share. */
#define RW_CROSSING_TIE 2e-6f

/* Whether one crossing comes before another on the line. At one point the lower wall comes first, of equally high ones
 * that with the lower index: rounding, which differs between instruction sets, decides nothing. */
RW_FN int rw_crossing_before(float t, float top, uint32_t wall, float other_t, float other_top, uint32_t other_wall)
{
    if (t < other_t - RW_CROSSING_TIE || t > other_t + RW_CROSSING_TIE)
        return t < other_t;
    return top < other_top || (top == other_top && wall < other_wall);
}

/* Whether the wall is crossed below its top and above its bottom. */
RW_FN int rw_wall_blocks(const rw_sight *sight, const rw_wall_entry *wall, const rw_exact_wall *exact)
{
    float t = 0.0f, t_error = 0.0f;
    int crosses = rw_wall_crosses_rough(sight, wall, &t, &t_error);
    if (crosses == 0)
        return 0;
    float bulge_m = (float)sight->bulge_m, z = sight->z + t * sight->dz - bulge_m * t * (1.0f - t);
    float z_error = t_error * (fabsf(sight->dz) + bulge_m) + 4e-7f * (fabsf(sight->z) + fabsf(wall->top));
    if (crosses < 0 || fabsf(z - wall->top) <= z_error || fabsf(z - wall->bottom) <= z_error)
        return rw_wall_blocks_rare(sight, exact + wall->wall);
    return z < wall->top && z > wall->bottom;
}

/* Height of the ground at a place in units of posts; the two triangles of its cell, level beyond the terrain's edge. */
RW_FN float rw_ground_height(const rw_wall_grid_view *grid, float u, float v)
{
    float max_u = (float)(grid->post_columns - 1), max_v = (float)(grid->post_rows - 1);
    u = u < 0.0f ? 0.0f : u > max_u ? max_u : u;
    v = v < 0.0f ? 0.0f : v > max_v ? max_v : v;
    int column = (int)u < grid->post_columns - 2 ? (int)u : grid->post_columns - 2;
    int row = (int)v < grid->post_rows - 2 ? (int)v : grid->post_rows - 2;
    const float *post = grid->posts + (size_t)row * (size_t)grid->post_columns + (size_t)column;
    float south_west = post[0], south_east = post[1];
    float north_west = post[grid->post_columns], north_east = post[grid->post_columns + 1];
    u -= (float)column;
    v -= (float)row;
    if (u >= v)
        return south_west + u * (south_east - south_west) + v * (north_east - south_east);
    return south_west + v * (north_west - south_west) + u * (north_east - north_west);
}

/* Height of the terrain on the line between two neighbouring posts, share of the way from the first. */
RW_FN double rw_ground_between(const rw_wall_grid_view *grid, int column0, int row0, int column1, int row1,
                               double fraction)
{
    double z0 = (double)grid->posts[(size_t)row0 * (size_t)grid->post_columns + (size_t)column0];
    double z1 = (double)grid->posts[(size_t)row1 * (size_t)grid->post_columns + (size_t)column1];
    return z0 + fraction * (z1 - z0);
}

/* The terrain is two triangles a cell (scene/terrain.c), so its height along the segment is piecewise linear and its
 * clearance is least where the segment crosses a line of posts: x = constant (kind 0), y = constant (1) or the
 * diagonals (2). Tests the crossings of one kind between t0 and t1. Beyond its edge the terrain goes on level. */
RW_FN int rw_ground_blocks_kind(const rw_wall_grid_view *grid, rw_vec3 from, rw_vec3 to, double t0, double t1, int kind)
{
    double u = (from.x - grid->post_x0) * grid->posts_per_m_x, v = (from.y - grid->post_y0) * grid->posts_per_m_y;
    double du = (to.x - from.x) * grid->posts_per_m_x, dv = (to.y - from.y) * grid->posts_per_m_y;
    double bulge_m = rw_earth_bulge_m(grid, from, to);
    double start = kind == 0 ? u : kind == 1 ? v : u - v, step = kind == 0 ? du : kind == 1 ? dv : du - dv;
    if (step == 0)
        return 0;
    double low = start + (step > 0 ? t0 : t1) * step, high = start + (step > 0 ? t1 : t0) * step;
    double first = ceil(low - 1e-6), last = floor(high + 1e-6);
    double lowest = kind == 2 ? -(double)grid->post_rows : 0;
    double highest = kind == 1 ? (double)grid->post_rows - 1 : (double)grid->post_columns - 1;
    first = first < lowest ? lowest : first;
    last = last > highest ? highest : last;
    for (double line = first; line <= last; line += 1) {
        double t = (line - start) / step;
        if (!(t >= 0 && t <= 1))
            continue;
        double pu = u + t * du, pv = v + t * dv;
        int column, row, column1, row1;
        double along = kind == 0 ? pv : pu;
        int across_max = kind == 0 ? grid->post_rows - 2 : grid->post_columns - 2;
        int cell = along <= 0 ? 0 : along >= across_max ? across_max : (int)along;
        double fraction = along - cell;
        fraction = fraction < 0 ? 0 : fraction > 1 ? 1 : fraction;
        if (kind == 0) {
            column = column1 = (int)line;
            row = cell;
            row1 = cell + 1;
        } else if (kind == 1) {
            row = row1 = (int)line;
            column = cell;
            column1 = cell + 1;
        } else {
            column = cell;
            column1 = cell + 1;
            row = column - (int)line;
            row1 = row + 1;
            /* Diagonals end with the posts; level ground beyond has none. */
            if (row < 0 || row1 > grid->post_rows - 1 || pu < 0 || pu > column1)
                continue;
        }
        if (rw_ground_between(grid, column, row, column1, row1, fraction) > rw_line_height_m(from, to, bulge_m, t))
            return 1;
    }
    return 0;
}

RW_RARE_FN int rw_ground_blocks(const rw_wall_grid_view *grid, rw_vec3 from, rw_vec3 to, double t0, double t1)
{
    return rw_ground_blocks_kind(grid, from, to, t0, t1, 0) || rw_ground_blocks_kind(grid, from, to, t0, t1, 1) ||
           rw_ground_blocks_kind(grid, from, to, t0, t1, 2);
}

/* The first line of posts that is more than slack posts beyond after_t (before it where slack is negative); 2, beyond
 * the source, where there is none. */
RW_FN float rw_next_post_line(float start, float step, float after_t, float slack)
{
    if (step == 0.0f)
        return 2.0f;
    float here = start + after_t * step;
    float line = step > 0.0f ? floorf(here + slack) + 1.0f : ceilf(here - slack) - 1.0f;
    return (line - start) / step;
}

/* The first line of posts of any kind: along x, along y or the diagonals. With a positive slack always beyond after_t,
 * also where float cannot tell it from the line: there the next look is a millionth of the way on. */
RW_FN float rw_next_post(float u, float v, float du, float dv, float after_t, float slack)
{
    float a = rw_next_post_line(u, du, after_t, slack), b = rw_next_post_line(v, dv, after_t, slack);
    float c = rw_next_post_line(u - v, du - dv, after_t, slack);
    float nearer = a < b ? a : b, nearest = c < nearer ? c : nearer;
    return slack > 0.0f && !(nearest > after_t + 1e-7f) ? after_t + 1e-6f : nearest;
}

/* By how much the earth's bulge lowers the line between two places of it, at most. */
RW_FN float rw_march_bulge_m(const rw_sight *sight, float t_in, float t_out)
{
    float at_in = t_in * (1.0f - t_in), at_out = t_out * (1.0f - t_out), length = t_out - t_in;
    return (float)sight->bulge_m * ((at_in > at_out ? at_in : at_out) + 0.25f * length * length);
}

/* No point of the stretch is lower. */
RW_FN float rw_march_lowest_m(const rw_sight *sight, double t_in, double t_out)
{
    float lowest = sight->z + (float)(sight->dz > 0.0f ? t_in : t_out) * sight->dz - 0.01f;
    return lowest - rw_march_bulge_m(sight, (float)t_in, (float)t_out);
}

/* What the forms of line of sight share: sources times receivers in, one answer each out. */

/* Answers: source s, cell c at s * cells + c. los is 1 or 0; walls counts. Cells inside buildings are not written. */
typedef struct rw_los_arrays {
    rw_wall_grid_view grid;
    rw_receivers_view receivers;
    const rw_vec3 *sources; /* in the grid's frame, altitude */
    size_t source_count;
    const uint32_t *near_walls; /* those that lines can meet (polygons/polygons.h); NULL: all */
    size_t near_count;          /* of these, or of all */
    uint8_t *los;
    uint32_t *walls;      /* NULL: not counted, so that a march may stop at the first wall */
    double lowest_roof_m; /* of the buildings */
    int has_decks;        /* 1: some building has air below */
} rw_los_arrays;

/* The number of a wall by its place among those that lines can meet. */
RW_FN size_t rw_los_wall(const rw_los_arrays *all, size_t index)
{
    return all->near_walls ? (size_t)all->near_walls[index] : index;
}

/* No receiver lies lower, seen from the level of any source over an earth that curves away. */
RW_FN double rw_los_lowest_m(const rw_los_arrays *all)
{
    double reach = (double)all->grid.coordinate_max; /* of both coordinates of both ends */
    return (double)all->receivers.low_m - 8.0 * all->grid.curve_per_m * reach * reach;
}

#endif
