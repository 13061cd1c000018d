#include "discretise/receiver_tops.h"

/* Receivers so near to the border of a cell are in both. */
static const double border_m = 1e-3;

static int inside(const rw_wall_grid_view *grid, double low_x, double low_y, double high_x, double high_y)
{
    double west = (double)grid->x0, south = (double)grid->y0, cell_m = (double)grid->cell_m;
    return low_x > west && low_y > south && high_x < west + grid->columns * cell_m &&
           high_y < south + grid->rows * cell_m;
}

static int all_inside(const rw_wall_grid_view *grid, const rw_receivers_view *view)
{
    if (!view->points)
        return inside(grid, view->x0_m, view->y0_m, view->x0_m + (double)(view->columns - 1) * view->res_m,
                      view->y0_m + (double)(view->rows - 1) * view->res_m);
    for (size_t i = 0; i < view->columns; i++)
        if (!inside(grid, view->points[i].x, view->points[i].y, view->points[i].x, view->points[i].y))
            return 0;
    return 1;
}

static int cell_at(double position, double first, double cell_m, int count)
{
    return rw_clamp_int((int)floor((position - first) / cell_m), 0, count - 1);
}

static void raise_top(const rw_wall_grid_view *grid, rw_vec3 at, uint32_t *tops)
{
    double cell_m = (double)grid->cell_m, x0 = (double)grid->x0, y0 = (double)grid->y0;
    int column0 = cell_at(at.x - border_m, x0, cell_m, grid->columns);
    int column1 = cell_at(at.x + border_m, x0, cell_m, grid->columns);
    int row0 = cell_at(at.y - border_m, y0, cell_m, grid->rows);
    int row1 = cell_at(at.y + border_m, y0, cell_m, grid->rows);
    uint32_t code = rw_top_code(nextafterf((float)at.z, INFINITY));
    for (int row = row0; row <= row1; row++)
        for (int column = column0; column <= column1; column++)
            rw_shared_max(tops + (size_t)row * (size_t)grid->columns + (size_t)column, code);
}

int rw_receiver_tops(const rw_wall_grid_view *grid, const rw_receivers_view *view, int threads, uint32_t *tops)
{
    long long count = (long long)view->outdoor_count;
    if (!all_inside(grid, view))
        return 0;
    (void)threads;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (long long i = 0; i < count; i++)
        raise_top(grid, rw_receiver_point(view, view->outdoor[i]), tops);
    return 1;
}
