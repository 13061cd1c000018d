/* How high the far end of a line must be to see over everything between: a march through the wall grid to its end.
 *
 * For paths whose heights are not known before they are complete (a vertical edge may be met at any height): one march
 * answers for all of them. Walls and ground count from the ground up, as for roofs: what passes below a bridge is no
 * such path. Meshes are not seen. */
#ifndef RW_VISIBILITY_LOS_HEIGHT_MARCH_K_H
#define RW_VISIBILITY_LOS_HEIGHT_MARCH_K_H

#include "visibility/los/sight.k.h"

typedef struct rw_height_need {
    float
        min_z_m; /* altitude at the far end from which the near end is seen; -RW_HEIGHT_ANY where nothing is between */
    float highest; /* top of the highest thing between; where both ends are above it, they see each other */
} rw_height_need;

#define RW_HEIGHT_ANY 1e30f

RW_FN void rw_height_meet(const rw_sight *sight, float t, float top, rw_height_need *need)
{
    float min_z_m = sight->z + (top - sight->z) / t;
    need->min_z_m = min_z_m > need->min_z_m ? min_z_m : need->min_z_m;
    need->highest = top > need->highest ? top : need->highest;
}

/* Ground between t_in and t_out, where it is highest: at the lines of posts. */
RW_FN void rw_height_ground(const rw_wall_grid_view *grid, const rw_sight *sight, float t_in, float t_out,
                            rw_height_need *need)
{
    float u = (float)((sight->from.x - grid->post_x0) * grid->posts_per_m_x);
    float v = (float)((sight->from.y - grid->post_y0) * grid->posts_per_m_y);
    float du = sight->dx * (float)grid->posts_per_m_x, dv = sight->dy * (float)grid->posts_per_m_y;
    float t = t_in, slack = -1e-3f; /* a line at the border of two cells is looked at in both */
    for (;;) {
        t = rw_next_post(u, v, du, dv, t, slack);
        slack = 1e-3f;
        if (!(t < t_out))
            return;
        if (t > 1e-6f)
            rw_height_meet(sight, t, rw_ground_height(grid, u + t * du, v + t * dv), need);
    }
}

/* Whether something no higher than top, between t_in and t_out, could ask for more. */
RW_FN int rw_height_matters(const rw_sight *sight, float top, float t_in, float t_out, const rw_height_need *need)
{
    float t = top > sight->z ? t_in : t_out;
    return top > need->highest || !(t > 1e-6f) || sight->z + (top - sight->z) / t > need->min_z_m - 0.01f;
}

RW_FN void rw_height_cell(const rw_wall_grid_view *grid, const rw_sight *sight, size_t cell, float t_in, float t_out,
                          int walls, rw_height_need *need)
{
    uint32_t first = grid->cells[cell].first, end = grid->cells[cell + 1].first;
    if (walls && first < end && rw_height_matters(sight, grid->cells[cell].top, t_in, t_out, need))
        for (uint32_t i = first; i < end; i++) {
            float t;
            if (rw_wall_crosses(sight, grid->entries + i, grid->exact, &t))
                rw_height_meet(sight, t, grid->entries[i].top, need);
        }
    if (grid->posts && rw_height_matters(sight, grid->cell_ground[cell], t_in, t_out, need))
        rw_height_ground(grid, sight, t_in, t_out, need);
}

/* Marches from the near end (t = 0) to the far one and stops where it would have to be higher than most, or where
 * something between is higher than tallest. What needs no more than need says already is not found; walls 0: it is
 * certain that there are none between. */
RW_FN rw_height_need rw_height_march_beyond(const rw_wall_grid_view *grid, const rw_sight *sight, float max_z_m,
                                            float tallest, int walls, rw_height_need need)
{
    rw_grid_walk walk = rw_sight_walk(grid, sight, 0.0f, 1.0f);
    for (; rw_grid_walk_enter(&walk); rw_grid_walk_leave(&walk)) {
        rw_height_cell(grid, sight, walk.cell, walk.t_in, walk.t_out, walls, &need);
        if (need.min_z_m > max_z_m || need.highest > tallest)
            return need;
    }
    if (walk.left && grid->posts)
        rw_height_ground(grid, sight, walk.t_out, 1.0f, &need);
    return need;
}

RW_FN rw_height_need rw_height_march_below(const rw_wall_grid_view *grid, const rw_sight *sight, float max_z_m,
                                           float tallest)
{
    rw_height_need nothing = {-RW_HEIGHT_ANY, -RW_HEIGHT_ANY};
    return rw_height_march_beyond(grid, sight, max_z_m, tallest, 1, nothing);
}

RW_FN rw_height_need rw_height_march(const rw_wall_grid_view *grid, const rw_sight *sight, float max_z_m)
{
    return rw_height_march_below(grid, sight, max_z_m, RW_HEIGHT_ANY);
}

#endif
