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
#ifndef RW_DISCRETISE_WALLS_GRID_WALK_K_H
#define RW_DISCRETISE_WALLS_GRID_WALK_K_H

#include "discretise/walls/wall_grid.k.h"

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
