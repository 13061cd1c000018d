/* The path over the roofs: from a receiver to a source, the upper convex hull of the profile between them.
 *
 * After section 5.4 of Rick and Kuhlen (2010): deflection points lie where the line in plan crosses a wall, at the
 * height of its roof (equations (11) to (13)), and of several roofs only those remain between which nothing sees over.
 * One march from the receiver finds them: the string is drawn from the last deflection point straight to the source,
 * and only what rises above the string can be the next one; it then frees those that fall below the new string. So
 * cells below the string are passed over, and the march gets faster the higher it is. The ground deflects like a roof,
 * at the lines of its posts. The earth bulges: heights of the path are those above the chord's earth, rw_sight.bulge_m
 * t (1 - t) more than altitudes. Walls count from the ground up: what passes below a bridge is in sight or not
 * (march_walls.k.h), but no path over roofs. */
#ifndef RW_MECHANISMS_ROOFTOP_ROOF_PATH_K_H
#define RW_MECHANISMS_ROOFTOP_ROOF_PATH_K_H

#include "field/edges/deflection.k.h"
#include "visibility/los/march_walls.k.h"

/* More points than this on one hull do not occur between buildings; further ones replace the last. */
#define RW_ROOF_POINTS_MAX 32

/* Deflection points from receiver (t = 0) to source (t = 1), without the two. */
typedef struct rw_roof_path {
    int count;
    float t[RW_ROOF_POINTS_MAX], z[RW_ROOF_POINTS_MAX];
} rw_roof_path;

/* Nothing rises above the string by less than this: walls that share a line in plan and a height count once. */
#define RW_ROOF_CLEARANCE_M 1e-4f

/* A height over an earth that bulges. */
RW_FN float rw_roof_raised_m(const rw_sight *sight, float t, float z)
{
    return z + (float)sight->bulge_m * t * (1.0f - t);
}

/* Height of the string at t: from the last deflection point, or the receiver, to the source. */
RW_FN float rw_roof_string(const rw_roof_path *path, const rw_sight *sight, float t)
{
    float from_t = path->count ? path->t[path->count - 1] : 0.0f,
          from_z = path->count ? path->z[path->count - 1] : sight->z;
    float rest = 1.0f - from_t;
    return rest > 1e-7f ? from_z + (sight->z + sight->dz - from_z) * (t - from_t) / rest : from_z;
}

/* Adds a point above the string; earlier points below the line to it go. */
RW_FN void rw_roof_add(rw_roof_path *path, const rw_sight *sight, float t, float z)
{
    while (path->count > 0) {
        int last = path->count - 1;
        float before_t = last ? path->t[last - 1] : 0.0f, before_z = last ? path->z[last - 1] : sight->z;
        if ((path->z[last] - before_z) * (t - before_t) > (z - before_z) * (path->t[last] - before_t))
            break;
        path->count = last;
    }
    if (path->count == RW_ROOF_POINTS_MAX)
        path->count--;
    path->t[path->count] = t;
    path->z[path->count] = z;
    path->count++;
}

/* The next wall of the cell beyond after_t that rises above the string; of walls at one place the highest. */
RW_FN int rw_roof_next_wall(const rw_wall_grid_view *grid, const rw_sight *sight, const rw_roof_path *path, size_t cell,
                            float after_t, float t_end, float *next_t, float *next_z)
{
    uint32_t end = grid->cells[cell + 1].first;
    int found = 0;
    for (uint32_t i = grid->cells[cell].first; i < end; i++) {
        const rw_wall_entry *wall = grid->entries + i;
        float t;
        if (!rw_wall_crosses(sight, wall, grid->exact, &t) || !(t > after_t && t < t_end))
            continue;
        float top = rw_roof_raised_m(sight, t, wall->top);
        if (top <= rw_roof_string(path, sight, t) + RW_ROOF_CLEARANCE_M)
            continue;
        if (!found || t < *next_t - 1e-7f || (t <= *next_t + 1e-7f && top > *next_z)) {
            *next_t = t;
            *next_z = top;
            found = 1;
        }
    }
    return found;
}

/* The next place of the ground beyond after_t that rises above the string, looked for at the lines of posts. */
RW_FN int rw_roof_next_ground(const rw_wall_grid_view *grid, const rw_sight *sight, const rw_roof_path *path,
                              float after_t, float t_end, float *next_t, float *next_z)
{
    float u = (float)((sight->from.x - grid->post_x0) * grid->posts_per_m_x);
    float v = (float)((sight->from.y - grid->post_y0) * grid->posts_per_m_y);
    float du = sight->dx * (float)grid->posts_per_m_x, dv = sight->dy * (float)grid->posts_per_m_y;
    float t = after_t, slack = -1e-3f; /* a line at the border of two cells is looked at in both */
    float last_t = path->count ? path->t[path->count - 1] : 0.0f;
    for (;;) {
        t = rw_next_post(u, v, du, dv, t, slack);
        slack = 1e-3f;
        if (!(t < t_end))
            return 0;
        float z = rw_roof_raised_m(sight, t, rw_ground_height(grid, u + t * du, v + t * dv));
        if (t > last_t && z > rw_roof_string(path, sight, t) + RW_ROOF_CLEARANCE_M) {
            *next_t = t;
            *next_z = z;
            return 1;
        }
    }
}

/* Adds what rises above the string in one cell, from the receiver's side to the source's. */
RW_FN void rw_roof_cell(const rw_wall_grid_view *grid, const rw_sight *sight, size_t cell, float t_in, float t_out,
                        rw_roof_path *path)
{
    /* Crossings are known to a rounding that may put them into the neighbouring cell: there they are looked for too. */
    const float overlap = 4e-6f;
    float after_t = t_in - overlap, end = t_out + overlap;
    after_t = after_t < 0.0f ? 0.0f : after_t;
    end = end > 1.0f ? 1.0f : end;
    for (int iteration = 0; iteration < 64; iteration++) {
        float low_t = rw_roof_string(path, sight, after_t), high_t = rw_roof_string(path, sight, end);
        float lowest = (low_t < high_t ? low_t : high_t) - 0.01f - rw_march_bulge_m(sight, after_t, end);
        float wall_t = 2.0f, wall_z = 0.0f, ground_t = 2.0f, ground_z = 0.0f;
        if (lowest < grid->cells[cell].top)
            rw_roof_next_wall(grid, sight, path, cell, after_t, end, &wall_t, &wall_z);
        if (grid->posts && lowest < grid->cell_ground[cell])
            rw_roof_next_ground(grid, sight, path, after_t, wall_t < end ? wall_t : end, &ground_t, &ground_z);
        if (wall_t > 1.0f && ground_t > 1.0f)
            return;
        int wall_first = wall_t <= ground_t;
        after_t = wall_first ? wall_t : ground_t;
        rw_roof_add(path, sight, after_t, wall_first ? wall_z : ground_z);
    }
}

RW_FN void rw_roof_path_find(const rw_wall_grid_view *grid, const rw_sight *sight, rw_roof_path *path)
{
    rw_grid_walk walk = rw_sight_walk(grid, sight, 0.0f, 1.0f);
    path->count = 0;
    for (; rw_grid_walk_enter(&walk); rw_grid_walk_leave(&walk))
        rw_roof_cell(grid, sight, walk.cell, walk.t_in, walk.t_out, path);
    if (walk.left) /* beyond the grid the ground of its border continues level */
        rw_roof_cell(grid, sight, walk.cell, walk.t_out, 1.0f, path);
}

/* Length of the path over the roofs and the loss of its deflections. */
RW_FN double rw_roof_deflections_db(const rw_roof_path *path, const rw_sight *sight, rw_deflection roof,
                                    double *length_m)
{
    float distance = sqrtf(sight->dx * sight->dx + sight->dy * sight->dy);
    float t = 0.0f, z = sight->z, slope_before = 0.0f;
    double loss_db = 0.0;
    *length_m = 0.0;
    for (int i = 0; i <= path->count; i++) {
        float next_t = i < path->count ? path->t[i] : 1.0f,
              next_z = i < path->count ? path->z[i] : sight->z + sight->dz;
        float along = (next_t - t) * distance, up = next_z - z;
        float slope = atan2f(up, along);
        if (i > 0)
            loss_db += rw_deflection_loss_db(
                roof, (double)fabsf(slope - slope_before)); /* eq. (18): the change of direction */
        *length_m += (double)sqrtf(along * along + up * up);
        slope_before = slope;
        t = next_t;
        z = next_z;
    }
    return loss_db;
}

#endif
