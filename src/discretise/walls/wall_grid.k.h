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

/* The one walk through the wall grid: the cells that a line meets, in order, each with its stretch of the line.
 *
 * Two precisions of the same code. rw_grid_walk steps in float: walls are listed in every cell that comes nearer to
 * them than the rounding of a step. rw_grid_walk_exact steps in double, for counts: the stretches [t_in, t_out) meet
 * without a gap, and each crossing belongs to the one that contains it, so that a wall listed in several cells counts
 * once. A line that starts outside the grid starts in the cell of its border that is nearest.
 *
 *     rw_grid_walk walk = rw_grid_walk_begin(grid, x, y, dx, dy, 0.0f, 1.0f);
 *     for (; rw_grid_walk_enter(&walk); rw_grid_walk_leave(&walk))
 *         ... walk.cell, walk.t_in, walk.t_out ...
 *     walk.left: the line left the grid at walk.t_out, before its end
 */
#define RW_DEFINE_GRID_WALK(walk_type, real)                                                                           \
    typedef struct walk_type {                                                                                         \
        const rw_wall_grid_view *grid;                                                                                 \
        real x, y, inverse_x, inverse_y; /* start, and one over the direction; 0 where it is 0 */                      \
        real t_in, t_out, t_end;                                                                                       \
        size_t cell;                                                                                                   \
        int column, row;                                                                                               \
        int along_x; /* the next cell is in another column */                                                          \
        int ended, left;                                                                                               \
    } walk_type;                                                                                                       \
                                                                                                                       \
    RW_FN walk_type walk_type##_begin(const rw_wall_grid_view *grid, real x, real y, real dx, real dy, real t_begin,   \
                                      real t_end)                                                                      \
    {                                                                                                                  \
        walk_type walk;                                                                                                \
        walk.grid = grid;                                                                                              \
        walk.x = x;                                                                                                    \
        walk.y = y;                                                                                                    \
        walk.inverse_x = dx != 0 ? 1 / dx : 0;                                                                         \
        walk.inverse_y = dy != 0 ? 1 / dy : 0;                                                                         \
        walk.column = rw_grid_column(grid, (float)(x + t_begin * dx));                                                 \
        walk.row = rw_grid_row(grid, (float)(y + t_begin * dy));                                                       \
        walk.t_in = walk.t_out = t_begin;                                                                              \
        walk.t_end = t_end;                                                                                            \
        walk.ended = walk.left = 0;                                                                                    \
        return walk;                                                                                                   \
    }                                                                                                                  \
                                                                                                                       \
    /* Finds the stretch of the cell; 0 after the last one. */                                                         \
    RW_FN int walk_type##_enter(walk_type *walk)                                                                       \
    {                                                                                                                  \
        const rw_wall_grid_view *grid = walk->grid;                                                                    \
        if (walk->ended)                                                                                               \
            return 0;                                                                                                  \
        int ahead_x = walk->inverse_x > 0 ? walk->column + 1 : walk->column;                                           \
        int ahead_y = walk->inverse_y > 0 ? walk->row + 1 : walk->row;                                                 \
        real leave_x = 2, leave_y = 2, t_out;                                                                          \
        if (walk->inverse_x != 0)                                                                                      \
            leave_x = ((real)grid->x0 + (real)ahead_x * (real)grid->cell_m - walk->x) * walk->inverse_x;               \
        if (walk->inverse_y != 0)                                                                                      \
            leave_y = ((real)grid->y0 + (real)ahead_y * (real)grid->cell_m - walk->y) * walk->inverse_y;               \
        walk->along_x = leave_x < leave_y;                                                                             \
        t_out = walk->along_x ? leave_x : leave_y;                                                                     \
        walk->t_out = t_out < walk->t_in ? walk->t_in : t_out > walk->t_end ? walk->t_end : t_out;                     \
        walk->cell = (size_t)walk->row * (size_t)grid->columns + (size_t)walk->column;                                 \
        return 1;                                                                                                      \
    }                                                                                                                  \
                                                                                                                       \
    /* Steps into the next cell, unless the line ends in this one or leaves the grid. */                               \
    RW_FN void walk_type##_leave(walk_type *walk)                                                                      \
    {                                                                                                                  \
        if (walk->t_out >= walk->t_end) {                                                                              \
            walk->ended = 1;                                                                                           \
            return;                                                                                                    \
        }                                                                                                              \
        if (walk->along_x)                                                                                             \
            walk->column += walk->inverse_x > 0 ? 1 : -1;                                                              \
        else                                                                                                           \
            walk->row += walk->inverse_y > 0 ? 1 : -1;                                                                 \
        if (walk->column < 0 || walk->column >= walk->grid->columns || walk->row < 0 || walk->row >= walk->grid->rows) \
            walk->ended = walk->left = 1;                                                                              \
        walk->t_in = walk->t_out;                                                                                      \
    }

RW_DEFINE_GRID_WALK(rw_grid_walk, float)
RW_DEFINE_GRID_WALK(rw_grid_walk_exact, double)

#endif
