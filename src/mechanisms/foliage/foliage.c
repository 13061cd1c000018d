#include "mechanisms/foliage/foliage.h"

#include "base/memory.h"
#include "discretise/prepared.h"

#include <stdlib.h>

static double ground_m(const rw_wall_grid_view *grid, double x, double y)
{
    if (!grid->posts)
        return 0;
    return (double)rw_ground_height(grid, (float)((x - grid->post_x0) * grid->posts_per_m_x),
                                    (float)((y - grid->post_y0) * grid->posts_per_m_y));
}

/* Heights are above the ground in the middle of their cell. */
static void find_tops(const rw_scene *scene, const rw_trees_view *view, float *tops_m)
{
    const rw_wall_grid_view *grid = &scene->prepared->grid.view;
    for (int row = 0; row < view->rows; row++)
        for (int column = 0; column < view->columns; column++) {
            size_t at = (size_t)row * (size_t)view->columns + (size_t)column;
            double height_m = (double)scene->foliage.values[at];
            double base_m = ground_m(grid, view->x0 + column * view->dx, view->y0 + row * view->dy);
            tops_m[at] = height_m > 0 ? (float)(base_m + height_m) : RW_NO_TREE;
        }
}

static rw_status place(const rw_scene *scene, rw_placed_trees *placed)
{
    const rw_raster *trees = &scene->foliage;
    rw_vec2 centre = scene->prepared->grid.centre;
    size_t count = trees->columns * trees->rows, bytes = count * sizeof *placed->tops_m;
    float *copy;
    placed->host = (rw_trees_view){.columns = (int)trees->columns,
                                   .rows = (int)trees->rows,
                                   .x0 = trees->x0_m - scene->origin.x - centre.x,
                                   .y0 = trees->y0_m - scene->origin.y - centre.y,
                                   .dx = trees->dx_m,
                                   .dy = trees->dy_m};
    placed->view = placed->host;
    RW_TRY(rw_array_create(scene->context, count, sizeof *placed->tops_m, "foliage", &placed->tops_m));
    placed->host.tops_m = placed->tops_m;
    find_tops(scene, &placed->host, placed->tops_m);
    RW_TRY(rw_device_alloc(scene->context, placed->backend, bytes, "foliage", &copy));
    placed->view.tops_m = copy;
    return rw_device_upload(scene->context, placed->backend, copy, placed->tops_m, bytes);
}

rw_status rw_trees_place(const rw_scene *scene, rw_backend backend, rw_placed_trees *placed)
{
    *placed = (rw_placed_trees){.backend = backend};
    rw_status status = scene->foliage.values ? place(scene, placed) : RW_OK;
    if (status != RW_OK)
        rw_trees_remove(placed);
    return status;
}

void rw_trees_remove(rw_placed_trees *placed)
{
    if (placed->view.tops_m)
        rw_device_free(placed->backend, (void *)(uintptr_t)placed->view.tops_m);
    free(placed->tops_m);
    *placed = (rw_placed_trees){0};
}
