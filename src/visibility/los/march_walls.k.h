/* Marches a line of sight through the wall grid, cell by cell from the receiver to the source.
 *
 * Two forms. Line of sight alone stops at the first wall and steps in float: walls are listed in every cell that comes
 * nearer to them than the rounding of a step. Counting goes to the end and steps in double: each crossing belongs to
 * the one cell whose stretch of the line [t_in, t_out) contains it, so that a wall listed in several cells counts once,
 * and at a grazing crossing the rounding of t in float could exceed what the lists allow for. Cells whose highest wall
 * and ground lie below the line are passed over. */
#ifndef RW_VISIBILITY_LOS_MARCH_WALLS_K_H
#define RW_VISIBILITY_LOS_MARCH_WALLS_K_H

#include "discretise/bvh/cross_meshes.k.h"
#include "visibility/los/sight.k.h"

/* By how much the earth's bulge lowers the line between two places of it, at most. */
RW_FN float rw_march_bulge_m(const rw_sight *sight, float t_in, float t_out)
{
    float at_in = t_in * (1.0f - t_in), at_out = t_out * (1.0f - t_out), length = t_out - t_in;
    return (float)sight->bulge_m * ((at_in > at_out ? at_in : at_out) + 0.25f * length * length);
}

typedef struct rw_sight_answer {
    uint32_t walls; /* crossed below their top */
    int clear;      /* no wall, triangle or ground in the way */
} rw_sight_answer;

/* Whether the ground blocks the stretch of the line in a cell; asked only where the cell's highest ground reaches it.
 */
RW_FN int rw_march_ground(const rw_wall_grid_view *grid, const rw_sight *sight, size_t cell, float lowest, double t_in,
                          double t_out)
{
    return grid->posts && lowest < grid->cell_ground[cell] &&
           rw_ground_blocks(grid, sight->from, sight->to, t_in - 1e-6, t_out + 1e-6);
}

/* Whether the ground blocks the line beyond the grid, where it goes on level. There are no walls. */
RW_FN int rw_march_beyond(const rw_wall_grid_view *grid, const rw_sight *sight, double t_in, double t_end)
{
    return grid->posts && rw_ground_blocks(grid, sight->from, sight->to, t_in - 1e-6, t_end + 1e-6);
}

/* Whether something stands in the cell and in the way. */
RW_FN int rw_march_cell(const rw_wall_grid_view *grid, const rw_sight *sight, size_t cell, float t_in, float t_out)
{
    float lowest = sight->z + (sight->dz > 0.0f ? t_in : t_out) * sight->dz - 0.01f;
    lowest -= rw_march_bulge_m(sight, t_in, t_out);
    if (lowest < grid->cells[cell].top) {
        uint32_t end = grid->cells[cell + 1].first;
        for (uint32_t i = grid->cells[cell].first; i < end; i++) {
            if (rw_wall_blocks(sight, grid->entries + i, grid->exact))
                return 1;
        }
    }
    return rw_march_ground(grid, sight, cell, lowest, (double)t_in, (double)t_out);
}

/* Whether nothing of the wall grid is in the way between t_begin and t_end. */
RW_FN int rw_march_section(const rw_wall_grid_view *grid, const rw_sight *sight, float t_begin, float t_end)
{
    float inverse_x = sight->dx != 0.0f ? 1.0f / sight->dx : 0.0f;
    float inverse_y = sight->dy != 0.0f ? 1.0f / sight->dy : 0.0f;
    int column = rw_grid_column(grid, sight->x + t_begin * sight->dx);
    int row = rw_grid_row(grid, sight->y + t_begin * sight->dy);
    float t_in = t_begin;
    for (;;) {
        int ahead_x = inverse_x > 0 ? column + 1 : column, ahead_y = inverse_y > 0 ? row + 1 : row;
        float leave_x = inverse_x != 0.0f ? (grid->x0 + (float)ahead_x * grid->cell_m - sight->x) * inverse_x : 2.0f;
        float leave_y = inverse_y != 0.0f ? (grid->y0 + (float)ahead_y * grid->cell_m - sight->y) * inverse_y : 2.0f;
        float t_out = leave_x < leave_y ? leave_x : leave_y;
        t_out = t_out < t_in ? t_in : t_out > t_end ? t_end : t_out;
        if (rw_march_cell(grid, sight, (size_t)row * (size_t)grid->columns + (size_t)column, t_in, t_out))
            return 0;
        if (t_out >= t_end)
            return 1;
        if (leave_x < leave_y)
            column += inverse_x > 0 ? 1 : -1;
        else
            row += inverse_y > 0 ? 1 : -1;
        if (column < 0 || column >= grid->columns || row < 0 || row >= grid->rows)
            return !rw_march_beyond(grid, sight, (double)t_out, (double)t_end);
        t_in = t_out;
    }
}

RW_FN int rw_meshes_clear(const rw_wall_grid_view *grid, const rw_sight *sight)
{
    return !grid->node_count || rw_cross_meshes(grid, sight->from, sight->to, 0) == 0;
}

/* Whether the receiver sees the source. */
RW_FN int rw_march_clear(const rw_wall_grid_view *grid, const rw_sight *sight)
{
    return rw_march_section(grid, sight, 0.0f, 1.0f) && rw_meshes_clear(grid, sight);
}

RW_FN uint32_t rw_count_cell(const rw_wall_grid_view *grid, const rw_sight *sight, size_t cell, double t_in,
                             double t_out)
{
    uint32_t walls = 0, end = grid->cells[cell + 1].first;
    for (uint32_t i = grid->cells[cell].first; i < end; i++) {
        double t;
        if (!rw_wall_blocks(sight, grid->entries + i, grid->exact) ||
            !rw_wall_blocks_exact(sight->from, sight->to, sight->bulge_m, grid->exact + grid->entries[i].wall, &t))
            continue;
        t = t > 0.999999999999 ? 0.999999999999 : t;
        walls += t >= t_in && t < t_out;
    }
    return walls;
}

/* How many walls and triangles stand between, and whether the receiver sees the source. */
RW_FN rw_sight_answer rw_march_count(const rw_wall_grid_view *grid, const rw_sight *sight)
{
    rw_sight_answer answer = {0, 1};
    double dx = sight->to.x - sight->from.x, dy = sight->to.y - sight->from.y;
    int column = rw_grid_column(grid, sight->x), row = rw_grid_row(grid, sight->y);
    double t_in = 0, cell_m = (double)grid->cell_m;
    for (;;) {
        int ahead_x = dx > 0 ? column + 1 : column, ahead_y = dy > 0 ? row + 1 : row;
        double leave_x = dx != 0 ? ((double)grid->x0 + ahead_x * cell_m - sight->from.x) / dx : 2;
        double leave_y = dy != 0 ? ((double)grid->y0 + ahead_y * cell_m - sight->from.y) / dy : 2;
        double t_out = leave_x < leave_y ? leave_x : leave_y;
        t_out = t_out < t_in ? t_in : t_out > 1 ? 1 : t_out;
        size_t cell = (size_t)row * (size_t)grid->columns + (size_t)column;
        float lowest = sight->z + (float)(sight->dz > 0.0f ? t_in : t_out) * sight->dz - 0.01f;
        lowest -= rw_march_bulge_m(sight, (float)t_in, (float)t_out);
        if (lowest < grid->cells[cell].top)
            answer.walls += rw_count_cell(grid, sight, cell, t_in, t_out);
        if (answer.clear && rw_march_ground(grid, sight, cell, lowest, t_in, t_out))
            answer.clear = 0;
        if (t_out >= 1)
            break;
        if (leave_x < leave_y)
            column += dx > 0 ? 1 : -1;
        else
            row += dy > 0 ? 1 : -1;
        if (column < 0 || column >= grid->columns || row < 0 || row >= grid->rows) {
            answer.clear = answer.clear && !rw_march_beyond(grid, sight, t_out, 1);
            break;
        }
        t_in = t_out;
    }
    if (grid->node_count)
        answer.walls += rw_cross_meshes(grid, sight->from, sight->to, 1);
    answer.clear = answer.clear && answer.walls == 0;
    return answer;
}

#endif
