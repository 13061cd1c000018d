/* Horizons of tiles: for each direction of a tile, a range and a slope; what lies farther and lower is surely hidden. A
 * filter before exact marches, in both directions of a pair: what is near the lower of two tiles hides nearly all.
 *
 * Directions and ranges are those of polar.k.h: bins of equal pseudo-angle, ranges in the norm |x| + |y|. A wall that
 * spans a fine bin hides everything beyond it whose slope (rise over range) is less than that of its top; of several
 * walls the steepest counts. Fine bins are joined by fours: the farthest range and the flattest slope. Only walls that
 * go down to the ground are entered, only those that face the tile, since the front of a building hides its back, and
 * only near ones. Kernels; one item a tile or a point. */
#ifndef RW_VISIBILITY_TILES_TILE_HORIZONS_K_H
#define RW_VISIBILITY_TILES_TILE_HORIZONS_K_H

#include "visibility/los/polar/polar.k.h"
#include "visibility/tiles/tile_pairs.k.h"

/* How far walls are entered: across a wide street, and the next block. */
#define RW_TILE_HORIZON_REACH_M 120.0f

#define RW_FINE_RUN 16 /* polar bins in a fine one */
#define RW_FINE_BINS (RW_POLAR_BINS / RW_FINE_RUN)
#define RW_FINE_EACH (RW_FINE_BINS / RW_TILE_BINS)

struct rw_tile_horizons_args {
    rw_tile_geometry_view world;
    float reach_m;
    rw_tile_horizon *horizons;
};

/* Ranges as their inverses, so that nothing needs a division. */
typedef struct rw_fine_horizon {
    float nearness[RW_FINE_BINS], slope[RW_FINE_BINS];
} rw_fine_horizon;

/* Rounding of an inverse range, relative: walls that are seen so nearly end-on that it could be more are not entered
 * (rw_polar_range has the bound: 50 times 1e-6 by the angle, 50 times that by the ranges of the ends). */
#define RW_FINE_ERROR 3e-3f

/* A wall over the bins that it spans; rise is that of its top above the tile's point, less a margin. */
RW_FN void rw_fine_enter(const rw_polar_wall *wall, float rise, rw_fine_horizon *fine)
{
    int first = (rw_polar_first_inner(wall) + RW_FINE_RUN - 1) / RW_FINE_RUN;
    int last = rw_polar_last_inner(wall) / RW_FINE_RUN;
    if (first >= last)
        return;
    float x, y, inverse_cross = 1.0f / (wall->ax * wall->wy - wall->ay * wall->wx);
    rw_polar_edge(first * RW_FINE_RUN, &x, &y);
    float before = (x * wall->wy - y * wall->wx) * inverse_cross;
    for (int bin = first; bin < last; bin++) {
        rw_polar_edge((bin + 1) * RW_FINE_RUN, &x, &y);
        float after = (x * wall->wy - y * wall->wx) * inverse_cross;
        float low = (before < after ? before : after) * (1.0f - RW_FINE_ERROR);
        float high = (before > after ? before : after) * (1.0f + RW_FINE_ERROR);
        float slope = rise * (rise > 0.0f ? low : high);
        int at = bin & (RW_FINE_BINS - 1);
        if (low > 0.0f && slope > fine->slope[at]) {
            fine->slope[at] = slope;
            fine->nearness[at] = low;
        }
        before = after;
    }
}

/* Whether the middle of the wall is in the cell: it is listed in others too, and is entered once. */
RW_FN int rw_wall_belongs(const rw_wall_grid_view *grid, const rw_wall_entry *entry, int column, int row)
{
    return rw_grid_column(grid, 0.5f * (entry->x0 + entry->x1)) == column &&
           rw_grid_row(grid, 0.5f * (entry->y0 + entry->y1)) == row;
}

/* The tile in float, for tests that may err: a wall that they let pass hides as much as any other. */
typedef struct rw_horizon_eye {
    rw_vec3 point;
    float x, y, normal_x, normal_y;
    float min_top; /* from a level tile only what is higher is seen */
    int level;     /* nothing is behind it */
} rw_horizon_eye;

/* Whether the wall faces the tile, since the front of a building hides its back; has an end before the tile's plane;
 * and is long enough to span a bin. */
RW_FN int rw_wall_matters(const rw_horizon_eye *eye, const rw_wall_entry *wall)
{
    float ax = wall->x0 - eye->x, ay = wall->y0 - eye->y, bx = wall->x1 - eye->x, by = wall->y1 - eye->y;
    if (!(ax * by < ay * bx) || !(wall->top > eye->min_top) || wall->bottom > -1e30f)
        return 0;
    if (fabsf(bx - ax) + fabsf(by - ay) < 0.015f * (fabsf(ax) + fabsf(ay)))
        return 0;
    return eye->level || eye->normal_x * ax + eye->normal_y * ay > 0.0f ||
           eye->normal_x * bx + eye->normal_y * by > 0.0f;
}

RW_FN void rw_fine_enter_cell(const rw_wall_grid_view *grid, const rw_horizon_eye *eye, int column, int row,
                              rw_fine_horizon *fine)
{
    size_t cell = (size_t)row * (size_t)grid->columns + (size_t)column;
    rw_polar_source source = {eye->point.x, eye->point.y, 0.0f, 0.0f, 0.0f};
    if (!(grid->cells[cell].top > eye->min_top))
        return;
    for (uint32_t i = grid->cells[cell].first; i < grid->cells[cell + 1].first; i++) {
        const rw_wall_entry *entry = grid->entries + i;
        if (!rw_wall_matters(eye, entry) || !rw_wall_belongs(grid, entry, column, row))
            continue;
        const rw_exact_wall *exact = grid->exact + entry->wall;
        rw_polar_wall wall = rw_polar_wall_of(&source, exact);
        if (!wall.end_on)
            rw_fine_enter(&wall, (float)(exact->top - eye->point.z) - 0.005f, fine);
    }
}

RW_FN void rw_horizon_find(const rw_wall_grid_view *grid, const rw_horizon_eye *eye, float reach,
                           rw_tile_horizon *horizon)
{
    rw_fine_horizon fine;
    for (int i = 0; i < RW_FINE_BINS; i++) {
        fine.slope[i] = -RW_POLAR_FAR;
        fine.nearness[i] = 0.0f;
    }
    int west = rw_grid_column(grid, eye->x - reach), east = rw_grid_column(grid, eye->x + reach);
    int south = rw_grid_row(grid, eye->y - reach), north = rw_grid_row(grid, eye->y + reach);
    for (int row = south; row <= north; row++)
        for (int column = west; column <= east; column++)
            rw_fine_enter_cell(grid, eye, column, row, &fine);
    for (int bin = 0; bin < RW_TILE_BINS; bin++) {
        float nearness = RW_POLAR_FAR, slope = RW_POLAR_FAR;
        for (int i = bin * RW_FINE_EACH; i < (bin + 1) * RW_FINE_EACH; i++) {
            nearness = fine.nearness[i] < nearness ? fine.nearness[i] : nearness;
            slope = fine.slope[i] < slope ? fine.slope[i] : slope;
        }
        horizon->bins[bin].nearness = nearness;
        horizon->bins[bin].slope = slope;
    }
}

RW_FN void rw_tile_horizons_item(const struct rw_tile_horizons_args *args, size_t item)
{
    const rw_tile_eye *tile = args->world.eyes + item;
    rw_horizon_eye eye;
    eye.point = rw_eye_point(tile);
    eye.x = (float)eye.point.x;
    eye.y = (float)eye.point.y;
    eye.normal_x = (float)tile->normal.x;
    eye.normal_y = (float)tile->normal.y;
    eye.level = tile->normal.z > 0.5;
    eye.min_top = tile->normal.z > 0.999999 ? (float)eye.point.z : -RW_POLAR_FAR;
    rw_horizon_find(&args->world.grid, &eye, args->reach_m, args->horizons + item);
}

/* The same for points in the air, which look down as well. */
struct rw_point_horizons_args {
    rw_tile_geometry_view world;
    const rw_vec3 *points;
    float reach_m;
    rw_tile_horizon *horizons;
};

RW_FN void rw_point_horizons_item(const struct rw_point_horizons_args *args, size_t item)
{
    rw_horizon_eye eye;
    eye.point = args->points[item];
    eye.x = (float)eye.point.x;
    eye.y = (float)eye.point.y;
    eye.normal_x = eye.normal_y = 0.0f;
    eye.level = 1;
    eye.min_top = -RW_POLAR_FAR;
    rw_horizon_find(&args->world.grid, &eye, args->reach_m, args->horizons + item);
}

#endif
