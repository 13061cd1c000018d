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
    rw_grid_walk walk = rw_sight_walk(grid, sight, t_begin, t_end);
    for (; rw_grid_walk_enter(&walk); rw_grid_walk_leave(&walk))
        if (rw_march_cell(grid, sight, walk.cell, walk.t_in, walk.t_out))
            return 0;
    return !walk.left || !rw_march_beyond(grid, sight, (double)walk.t_out, (double)t_end);
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
    rw_grid_walk_exact walk = rw_sight_walk_exact(grid, sight);
    for (; rw_grid_walk_exact_enter(&walk); rw_grid_walk_exact_leave(&walk)) {
        float lowest = rw_march_lowest_m(sight, walk.t_in, walk.t_out);
        if (lowest < grid->cells[walk.cell].top)
            answer.walls += rw_count_cell(grid, sight, walk.cell, walk.t_in, walk.t_out);
        if (answer.clear && rw_march_ground(grid, sight, walk.cell, lowest, walk.t_in, walk.t_out))
            answer.clear = 0;
    }
    if (walk.left && answer.clear)
        answer.clear = !rw_march_beyond(grid, sight, walk.t_out, 1);
    if (grid->node_count)
        answer.walls += rw_cross_meshes(grid, sight->from, sight->to, 1);
    answer.clear = answer.clear && answer.walls == 0;
    return answer;
}

#endif
