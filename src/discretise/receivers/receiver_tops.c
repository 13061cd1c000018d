#include "discretise/receivers/receivers.h"

#include "base/parallel.h"

/* Receivers so near to the border of a cell are in both. */
static const double border_m = 1e-3;

static int lies_inside_grid(const rw_wall_grid_view *grid, double low_x, double low_y, double high_x, double high_y)
{
    double west = (double)grid->x0, south = (double)grid->y0, cell_m = (double)grid->cell_m;
    return low_x > west && low_y > south && high_x < west + grid->columns * cell_m &&
           high_y < south + grid->rows * cell_m;
}

static int all_inside(const rw_wall_grid_view *grid, const rw_receivers_view *view)
{
    if (!view->points)
        return lies_inside_grid(grid, view->x0_m, view->y0_m, view->x0_m + (double)(view->columns - 1) * view->res_m,
                                view->y0_m + (double)(view->rows - 1) * view->res_m);
    for (size_t i = 0; i < view->columns; i++)
        if (!lies_inside_grid(grid, view->points[i].x, view->points[i].y, view->points[i].x, view->points[i].y))
            return 0;
    return 1;
}

/* The cells, one or two, of a coordinate. */
typedef struct cell_span {
    int first, last;
} cell_span;

static cell_span cells_at(double position, double first, double cells_per_m, int count)
{
    double from = (position - border_m - first) * cells_per_m, to = (position + border_m - first) * cells_per_m;
    return (cell_span){rw_clamp_int((int)from, 0, count - 1), rw_clamp_int((int)to, 0, count - 1)};
}

static void raise_top(const rw_wall_grid_view *grid, cell_span columns, cell_span rows, double altitude_m,
                      uint32_t *tops)
{
    uint32_t code = rw_top_code((float)altitude_m); /* those who ask leave a centimetre for its rounding */
    for (int row = rows.first; row <= rows.last; row++)
        for (int column = columns.first; column <= columns.last; column++)
            rw_shared_max(tops + (size_t)row * (size_t)grid->columns + (size_t)column, code);
}

/* One row of a grid of receivers, or all points. */
static void raise_row(const rw_wall_grid_view *grid, const rw_receivers_view *view, size_t row, uint32_t *tops)
{
    double cells_per_m = 1 / (double)grid->cell_m, x0 = (double)grid->x0, y0 = (double)grid->y0;
    for (size_t column = 0; column < view->columns; column++) {
        size_t cell = row * view->columns + column;
        if (view->indoor[cell])
            continue;
        rw_vec3 at = view->points ? view->points[cell] : rw_receiver_cell(view, column, row);
        raise_top(grid, cells_at(at.x, x0, cells_per_m, grid->columns), cells_at(at.y, y0, cells_per_m, grid->rows),
                  at.z, tops);
    }
}

typedef struct raising {
    const rw_wall_grid_view *grid;
    const rw_receivers_view *view;
    uint32_t *tops;
} raising;

static void raise_rows(void *user, size_t begin, size_t end)
{
    const raising *to = user;
    for (size_t row = begin; row < end; row++)
        raise_row(to->grid, to->view, row, to->tops);
}

rw_status rw_receiver_tops(rw_context *context, const rw_wall_grid_view *grid, const rw_receivers_view *view,
                           uint32_t *tops, int *found)
{
    raising to = {grid, view, tops};
    *found = all_inside(grid, view);
    return *found ? rw_parallel(context, view->rows, 8, raise_rows, &to) : RW_OK;
}
