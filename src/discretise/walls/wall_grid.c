#include "discretise/walls/walls.h"

#include "base/memory.h"
#include "base/range.h"

#include <math.h>
#include <stdlib.h>

static void choose_grid_box(const rw_scene *scene, rw_vec2 *low, rw_vec2 *high)
{
    const rw_raster *terrain = &scene->terrain;
    *low = scene->box_min;
    *high = scene->box_max;
    if (!terrain->values)
        return;
    low->x = fmin(low->x, terrain->x0_m);
    low->y = fmin(low->y, terrain->y0_m);
    high->x = fmax(high->x, terrain->x0_m + (double)(terrain->columns - 1) * terrain->dx_m);
    high->y = fmax(high->y, terrain->y0_m + (double)(terrain->rows - 1) * terrain->dy_m);
}

/* About one wall a cell of what is built over: smaller cells cost steps, larger ones wall tests. Bounded by memory and
 * by float's precision, also where the terrain reaches far beyond the buildings. */
static double choose_cell_size(const rw_scene *scene, double width, double depth, size_t walls, double requested_m)
{
    double longer = fmax(width, depth), max_cells = fmax(1e6, 2.0 * (double)walls);
    double built_x = scene->box_max.x - scene->box_min.x, built_y = scene->box_max.y - scene->box_min.y;
    double cell = requested_m > 0 ? requested_m : sqrt(fmax(built_x * built_y, 1) / (double)(walls ? walls : 1));
    cell = requested_m > 0 ? cell : fmax(cell, sqrt(width * depth / max_cells));
    cell = fmax(cell, longer / 8192);
    cell = fmin(cell, fmax(longer / 4, 1e-3));
    return fmax(cell, 1e-3);
}

static rw_status choose_grid_frame(const rw_scene *scene, const rw_wall_list *walls, double cell_m, rw_wall_grid *grid)
{
    rw_vec2 low, high;
    choose_grid_box(scene, &low, &high);
    double cell = choose_cell_size(scene, high.x - low.x, high.y - low.y, walls->count, cell_m);
    rw_wall_grid_view *view = &grid->view;
    view->columns = (int)ceil((high.x - low.x) / cell) + 2;
    view->rows = (int)ceil((high.y - low.y) / cell) + 2;
    view->cell_m = (float)cell;
    view->cells_per_m = 1.0f / view->cell_m;
    double width = view->columns * (double)view->cell_m, depth = view->rows * (double)view->cell_m;
    grid->centre = rw_vec2_of(0.5 * (low.x + high.x), 0.5 * (low.y + high.y));
    view->x0 = (float)(-0.5 * width);
    view->y0 = (float)(-0.5 * depth);
    view->coordinate_max = (float)(0.5 * fmax(width, depth));
    view->longest_wall = (float)walls->longest_m;
    view->wall_count = walls->count;
    size_t cells = (size_t)view->columns * (size_t)view->rows;
    RW_TRY(rw_array_create(scene->context, cells + 1, sizeof *grid->cells, "the wall grid", &grid->cells));
    return rw_array_create(scene->context, walls->count, sizeof *grid->exact, "the wall grid", &grid->exact);
}

typedef void (*cell_visitor)(rw_wall_grid *grid, size_t cell, uint32_t wall);

/* Visits every cell that comes within margin of the wall: row by row, the stretch of the wall in that row. */
static void visit_cells(rw_wall_grid *grid, uint32_t index, double margin, cell_visitor visit)
{
    const rw_wall_grid_view *view = &grid->view;
    rw_exact_wall wall = grid->exact[index];
    if (wall.y0 > wall.y1)
        wall = (rw_exact_wall){wall.x1, wall.y1, wall.x0, wall.y0, wall.bottom, wall.top};
    int row0 = rw_cell_index((wall.y0 - margin - view->y0) / view->cell_m, view->rows);
    int row1 = rw_cell_index((wall.y1 + margin - view->y0) / view->cell_m, view->rows);
    double slope = wall.y1 > wall.y0 ? (wall.x1 - wall.x0) / (wall.y1 - wall.y0) : 0;
    for (int row = row0; row <= row1; row++) {
        double south = view->y0 + row * (double)view->cell_m - margin, north = south + view->cell_m + 2 * margin;
        double xa = south <= wall.y0 || slope == 0 ? wall.x0 : wall.x0 + slope * (south - wall.y0);
        double xb = north >= wall.y1 || slope == 0 ? wall.x1 : wall.x0 + slope * (north - wall.y0);
        int column0 = rw_cell_index((fmin(xa, xb) - margin - view->x0) / view->cell_m, view->columns);
        int column1 = rw_cell_index((fmax(xa, xb) + margin - view->x0) / view->cell_m, view->columns);
        for (int column = column0; column <= column1; column++)
            visit(grid, (size_t)row * (size_t)view->columns + (size_t)column, index);
    }
}

static void count_wall(rw_wall_grid *grid, size_t cell, uint32_t wall)
{
    (void)wall;
    grid->cells[cell].first++;
}

static float round_up(double value)
{
    float rounded = (float)value;
    return (double)rounded < value ? nextafterf(rounded, INFINITY) : rounded;
}

static void enter_wall(rw_wall_grid *grid, size_t cell, uint32_t wall)
{
    const rw_exact_wall *exact = &grid->exact[wall];
    rw_grid_cell *at = &grid->cells[cell];
    float top = round_up(exact->top);
    at->top = top > at->top ? top : at->top;
    grid->entries[at->first++] = (rw_wall_entry){(float)exact->x0,
                                                 (float)exact->y0,
                                                 (float)exact->x1,
                                                 (float)exact->y1,
                                                 (float)exact->bottom,
                                                 (float)exact->top,
                                                 wall,
                                                 0};
}

/* Counts become first entries; enter_wall moves each to its end, so they are shifted back afterwards. */
static rw_status fill_grid_cells(rw_context *context, const rw_wall_list *walls, rw_wall_grid *grid)
{
    size_t cells = (size_t)grid->view.columns * (size_t)grid->view.rows, sum = 0;
    double margin = 0.005 + 4e-6 * grid->view.coordinate_max;
    for (uint32_t i = 0; i < walls->count; i++)
        visit_cells(grid, i, margin, count_wall);
    for (size_t i = 0; i < cells; i++) {
        size_t count = grid->cells[i].first;
        grid->cells[i] = (rw_grid_cell){(uint32_t)sum, -INFINITY};
        sum += count;
        if (sum > UINT32_MAX)
            return rw_fail(context, RW_TOO_LARGE, "the wall grid would have more than 2^32 entries");
    }
    grid->entry_count = sum;
    RW_TRY(rw_array_create(context, sum, sizeof *grid->entries, "the wall grid", &grid->entries));
    for (uint32_t i = 0; i < walls->count; i++)
        visit_cells(grid, i, margin, enter_wall);
    for (size_t i = cells; i > 0; i--)
        grid->cells[i].first = grid->cells[i - 1].first;
    grid->cells[0].first = 0;
    for (size_t i = 0; i < sum; i++)
        grid->entries[i].part = walls->parts[grid->entries[i].wall];
    return RW_OK;
}

/* The lowest and the highest post that the ground inside a cell can depend on. */
static void bound_ground(const rw_scene *scene, const rw_wall_grid *grid, int column, int row, float *lowest,
                         float *highest)
{
    const rw_raster *terrain = &scene->terrain;
    const rw_wall_grid_view *view = &grid->view;
    double cell = view->cell_m;
    double west = view->x0 + column * cell + grid->centre.x, south = view->y0 + row * cell + grid->centre.y;
    int post_columns = (int)terrain->columns, post_rows = (int)terrain->rows;
    int c0 = rw_cell_index(floor((west - terrain->x0_m) / terrain->dx_m) - 1, post_columns);
    int c1 = rw_cell_index(ceil((west + cell - terrain->x0_m) / terrain->dx_m) + 1, post_columns);
    int r0 = rw_cell_index(floor((south - terrain->y0_m) / terrain->dy_m) - 1, post_rows);
    int r1 = rw_cell_index(ceil((south + cell - terrain->y0_m) / terrain->dy_m) + 1, post_rows);
    *highest = -INFINITY;
    *lowest = INFINITY;
    for (int r = r0; r <= r1; r++)
        for (int c = c0; c <= c1; c++) {
            float here = terrain->values[(size_t)r * terrain->columns + (size_t)c];
            *highest = fmaxf(*highest, here);
            *lowest = fminf(*lowest, here);
        }
}

static rw_status add_grid_terrain(const rw_scene *scene, rw_wall_grid *grid)
{
    const rw_raster *terrain = &scene->terrain;
    rw_wall_grid_view *view = &grid->view;
    if (!terrain->values)
        return RW_OK;
    size_t cells = (size_t)view->columns * (size_t)view->rows;
    RW_TRY(rw_array_create(scene->context, cells, sizeof(float), "the terrain's grid", &grid->cell_ground));
    RW_TRY(rw_array_create(scene->context, cells, sizeof(float), "the terrain's grid", &grid->cell_floor));
    for (int row = 0; row < view->rows; row++)
        for (int column = 0; column < view->columns; column++) {
            size_t cell = (size_t)row * (size_t)view->columns + (size_t)column;
            bound_ground(scene, grid, column, row, &grid->cell_floor[cell], &grid->cell_ground[cell]);
        }
    view->posts = terrain->values;
    view->post_columns = (int)terrain->columns;
    view->post_rows = (int)terrain->rows;
    view->post_x0 = terrain->x0_m - grid->centre.x;
    view->post_y0 = terrain->y0_m - grid->centre.y;
    view->posts_per_m_x = 1 / terrain->dx_m;
    view->posts_per_m_y = 1 / terrain->dy_m;
    return RW_OK;
}

/* A building that stands on the ground goes down without end: nothing passes below it where the terrain falls off. */
static double lower_end(const rw_scene *scene, const rw_wall_list *walls, size_t index)
{
    uint32_t part = walls->parts[index];
    int grounded = part != RW_NO_PART && scene->parts.items[part].base_height_m <= 0;
    return grounded ? -INFINITY : walls->walls[index].bottom_m;
}

static rw_status build_wall_grid(const rw_scene *scene, const rw_wall_list *walls, double cell_m, rw_wall_grid *grid)
{
    RW_TRY(choose_grid_frame(scene, walls, cell_m, grid));
    for (size_t i = 0; i < walls->count; i++) {
        const rw_wall *wall = &walls->walls[i];
        rw_vec2 p0 = rw_vec2_sub(wall->p0, grid->centre), p1 = rw_vec2_sub(wall->p1, grid->centre);
        grid->exact[i] = (rw_exact_wall){p0.x, p0.y, p1.x, p1.y, lower_end(scene, walls, i), wall->top_m};
    }
    RW_TRY(fill_grid_cells(scene->context, walls, grid));
    RW_TRY(add_grid_terrain(scene, grid));
    grid->view.cells = grid->cells;
    grid->view.entries = grid->entries;
    grid->view.exact = grid->exact;
    grid->view.cell_ground = grid->cell_ground;
    grid->view.cell_floor = grid->cell_floor;
    return RW_OK;
}

rw_status rw_wall_grid_create(const rw_scene *scene, const rw_wall_list *walls, double cell_m, rw_wall_grid *grid)
{
    *grid = (rw_wall_grid){0};
    rw_status status = build_wall_grid(scene, walls, cell_m, grid);
    if (status != RW_OK)
        rw_wall_grid_destroy(grid);
    return status;
}

void rw_wall_grid_destroy(rw_wall_grid *grid)
{
    free(grid->cells);
    free(grid->entries);
    free(grid->exact);
    free(grid->cell_ground);
    free(grid->cell_floor);
    *grid = (rw_wall_grid){0};
}
