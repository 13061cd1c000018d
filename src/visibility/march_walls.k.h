/* Marches a line of sight through the wall grid, cell by cell from the receiver to the source.
 *
 * Each crossing belongs to the one cell whose stretch of the line [t_in, t_out) contains it, so that a wall listed in several
 * cells counts once. Cells whose highest wall lies below the line are passed over. */
#ifndef RW_VISIBILITY_MARCH_WALLS_K_H
#define RW_VISIBILITY_MARCH_WALLS_K_H

#include "discretise/cross_meshes.k.h"
#include "visibility/sight.k.h"

typedef struct rw_sight_answer {
    uint32_t walls; /* crossed below their top; at least one of them where the march stopped early */
    int clear;      /* no wall, triangle or ground in the way */
} rw_sight_answer;

/* Where the line leaves column (or row) index: the t of the boundary in its direction. */
RW_FN float rw_march_boundary(float corner, float cell_m, int index, float position, float inverse)
{
    int ahead = inverse > 0 ? index + 1 : index;
    return (corner + (float)ahead * cell_m - position) * inverse;
}

RW_FN int rw_march_cell(const rw_wall_grid_view *grid, const rw_sight *sight, size_t cell, float t_in, float t_out,
                        int count_all, uint32_t *walls)
{
    uint32_t first = grid->cells[cell].first, end = grid->cells[cell + 1].first;
    for (uint32_t i = first; i < end; i++) {
        float t;
        if (!rw_wall_blocks(sight, grid->entries + i, grid->exact, &t))
            continue;
        if (!count_all)
            return 1;
        t = t < 0.0f ? 0.0f : t > 0.9999999f ? 0.9999999f : t;
        *walls += t >= t_in && t < t_out;
    }
    return 0;
}

RW_FN rw_sight_answer rw_march_walls(const rw_wall_grid_view *grid, const rw_sight *sight, int count_all)
{
    rw_sight_answer answer = {0, 1};
    float inverse_x = sight->dx != 0.0f ? 1.0f / sight->dx : 0.0f;
    float inverse_y = sight->dy != 0.0f ? 1.0f / sight->dy : 0.0f;
    int column = rw_clamp_int((int)floorf((sight->x - grid->x0) * grid->cells_per_m), 0, grid->columns - 1);
    int row = rw_clamp_int((int)floorf((sight->y - grid->y0) * grid->cells_per_m), 0, grid->rows - 1);
    float t_in = 0.0f;
    for (;;) {
        float leave_x = inverse_x != 0.0f
                            ? rw_march_boundary(grid->x0, grid->cell_m, column, sight->x, inverse_x)
                            : 2.0f;
        float leave_y = inverse_y != 0.0f ? rw_march_boundary(grid->y0, grid->cell_m, row, sight->y, inverse_y) : 2.0f;
        float t_out = leave_x < leave_y ? leave_x : leave_y;
        t_out = t_out < t_in ? t_in : t_out > 1.0f ? 1.0f : t_out;
        size_t cell = (size_t)row * (size_t)grid->columns + (size_t)column;
        float lowest = sight->z + (sight->dz > 0.0f ? t_in : t_out) * sight->dz - 0.01f;
        if (lowest < grid->cells[cell].top &&
            rw_march_cell(grid, sight, cell, t_in, t_out, count_all, &answer.walls)) {
            answer.walls = 1;
            break;
        }
        if (grid->posts && answer.clear && lowest < grid->cell_ground[cell] &&
            rw_ground_blocks(grid, sight->from, sight->to, (double)t_in - 1e-6, (double)t_out + 1e-6)) {
            answer.clear = 0;
            if (!count_all)
                return answer;
        }
        if (t_out >= 1.0f)
            break;
        if (leave_x < leave_y)
            column += inverse_x > 0 ? 1 : -1;
        else
            row += inverse_y > 0 ? 1 : -1;
        if (column < 0 || column >= grid->columns || row < 0 || row >= grid->rows)
            break;
        t_in = t_out;
    }
    if (grid->node_count && (count_all || answer.walls == 0))
        answer.walls += rw_cross_meshes(grid, sight->from, sight->to, count_all);
    answer.clear = answer.clear && answer.walls == 0;
    return answer;
}

#endif
