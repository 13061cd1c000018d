/* The wall grid as kernels see it: a uniform grid that lists the walls of each cell.
 *
 * The frame of the grid is the scene's local frame shifted by its centre, so that float coordinates are as small as
 * they can be. Walls are repeated in every cell they touch (widened by a margin that exceeds the rounding of a march),
 * so that a cell's walls lie side by side in memory. */
#ifndef RW_DISCRETISE_WALLS_WALL_GRID_K_H
#define RW_DISCRETISE_WALLS_WALL_GRID_K_H

#include "base/kernel/qualifiers.h"
#include "base/maths/vector.h"
#include <stddef.h>

/* A wall in one cell. 32 bytes: two 16-byte loads on a GPU. */
typedef struct rw_wall_entry {
    float x0, y0, x1, y1;
    float bottom, top;
    uint32_t wall; /* into the exact walls */
    uint32_t part; /* of the scene: walls of one building share it; RW_NO_WALL_PART */
} rw_wall_entry;

#define RW_NO_WALL_PART UINT32_MAX

/* 8 bytes: the walls of a cell are entries first to the next cell's first; nothing in it is higher than top. */
typedef struct rw_grid_cell {
    uint32_t first;
    float top;
} rw_grid_cell;

/* The exact wall in the grid's frame, for the rare case in which float cannot decide. */
typedef struct rw_exact_wall {
    double x0, y0, x1, y1;
    double bottom, top;
} rw_exact_wall;

typedef struct rw_wall_grid_view {
    int columns, rows;
    float cell_m, cells_per_m;
    float x0, y0;         /* south-west corner in the grid's frame */
    float coordinate_max; /* largest absolute coordinate of the frame */
    float longest_wall;
    const rw_grid_cell *cells; /* rows * columns + 1 */
    const rw_wall_entry *entries;
    const rw_exact_wall *exact;
    size_t wall_count;

    /* The terrain in the same frame; posts NULL: flat ground below everything. */
    const float *posts;
    const float *cell_ground; /* highest ground in each cell of the grid */
    const float *cell_floor;  /* and the lowest */
    int post_columns, post_rows;
    double post_x0, post_y0, posts_per_m_x, posts_per_m_y;

    /* Triangles of meshes under a bounding volume hierarchy; node_count 0: none. */
    const struct rw_bvh_node *nodes;
    const struct rw_bvh_triangle *triangles;
    size_t node_count, triangle_count;

    /* A member of an ensemble: by how much the walls of each part of the scene are higher than the scene has them, and
     * the most of these; NULL: not at all. Only paths over roofs heed it (rw_wall_top). */
    const float *raised_m;
    float raised_max_m;

    /* One over twice the effective earth radius: the ground lies lower by this times the square of the distance, seen
     * from the tangent at a point. 0 on a flat earth. */
    double curve_per_m;

    /* The same of the ground whose smooth part has a loss (mechanisms/rooftop): with posts or, without, level at
     * altitude 0. 0: the ground has no loss of its own. */
    double ground_curve_per_m;
} rw_wall_grid_view;

RW_FN float rw_wall_top(const rw_wall_grid_view *grid, const rw_wall_entry *wall)
{
    return grid->raised_m && wall->part != RW_NO_WALL_PART ? wall->top + grid->raised_m[wall->part] : wall->top;
}

RW_FN int rw_clamp_int(int value, int low, int high)
{
    return value < low ? low : value > high ? high : value;
}

/* The cell that holds a place; what lies beyond the grid belongs to its border. */
RW_FN int rw_grid_column(const rw_wall_grid_view *grid, float x)
{
    return rw_clamp_int((int)floorf((x - grid->x0) * grid->cells_per_m), 0, grid->columns - 1);
}

RW_FN int rw_grid_row(const rw_wall_grid_view *grid, float y)
{
    return rw_clamp_int((int)floorf((y - grid->y0) * grid->cells_per_m), 0, grid->rows - 1);
}

#endif
