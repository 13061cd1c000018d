/* Which cubes are filled: those whose centre is inside a building or a closed mesh or below ground, and all that a thin
 * wall (a panel, or a mesh that encloses nothing) passes through, since a wall without thickness holds no centre. */
#include "base/memory.h"
#include "discretise/walls/walls.h"
#include "discretise/cubes/cube_walk.h"
#include "discretise/cubes/cubes.h"

#include <math.h>
#include <stdlib.h>

static void fill_cube(rw_cubes *cubes, int i, int j, int k)
{
    if (rw_cube_in_grid(&cubes->view, i, j, k))
        cubes->filled[rw_cube_word(&cubes->view, i, j, k)] |= 1u << (i & 31);
}

static double ground_at(const rw_scene *scene, const rw_cube_frame *frame, size_t i, size_t j)
{
    rw_vec2 at = {frame->x0_m + ((double)i + 0.5) * frame->res_m, frame->y0_m + ((double)j + 0.5) * frame->res_m};
    return rw_scene_ground_m(scene, at);
}

/* Up to the roof, which on a slope stands on the lowest ground; what of the ground is higher is filled as ground. */
static void fill_run(void *user, const rw_part *part, size_t row, size_t first, size_t end)
{
    rw_cubes *cubes = user;
    const rw_cube_frame *frame = &cubes->frame;
    for (size_t k = 0; k < frame->layers; k++) {
        double z_m = frame->z0_m + ((double)k + 0.5) * frame->res_m;
        if (z_m >= part->top_m || (part->base_height_m > 0 && z_m < part->bottom_m))
            continue;
        for (size_t i = first; i < end; i++)
            fill_cube(cubes, (int)i, (int)row, (int)k);
    }
}

static void fill_ground(const rw_scene *scene, rw_cubes *cubes)
{
    const rw_cube_frame *frame = &cubes->frame;
    for (size_t j = 0; j < frame->rows; j++)
        for (size_t i = 0; i < frame->columns; i++) {
            double ground_m = ground_at(scene, frame, i, j);
            for (size_t k = 0; k < frame->layers; k++) {
                if (frame->z0_m + ((double)k + 0.5) * frame->res_m >= ground_m)
                    break;
                fill_cube(cubes, (int)i, (int)j, (int)k);
            }
        }
}

static void fill_panels(const rw_scene *scene, rw_cubes *cubes)
{
    for (size_t p = 0; p < scene->panels.count; p++) {
        const rw_scene_panel *panel = &scene->panels.items[p];
        float from[3], to[3];
        rw_cubes_locate(&cubes->frame, rw_vec3_of(panel->p0.x, panel->p0.y, panel->bottom_m), from);
        rw_cubes_locate(&cubes->frame, rw_vec3_of(panel->p1.x, panel->p1.y, panel->top_m), to);
        int low = (int)floorf(from[2]), high = (int)ceilf(to[2]);
        from[2] = to[2] = 0;
        rw_cube_walk walk;
        for (rw_cube_walk_begin(&walk, from, to); rw_cube_walk_next(&walk);)
            for (int k = low; k < high; k++)
                fill_cube(cubes, walk.cube[0], walk.cube[1], k);
    }
}

rw_raster_frame rw_cube_raster(const rw_cube_frame *frame)
{
    return (rw_raster_frame){frame->x0_m + 0.5 * frame->res_m,
                             frame->y0_m + 0.5 * frame->res_m,
                             frame->res_m,
                             frame->columns,
                             frame->rows,
                             0};
}

rw_status rw_cubes_mark_filled(const rw_scene *scene, rw_cubes *cubes)
{
    rw_raster_frame raster = rw_cube_raster(&cubes->frame);
    fill_ground(scene, cubes);
    fill_panels(scene, cubes);
    return rw_rasterise_outlines(scene, &raster, fill_run, cubes);
}
