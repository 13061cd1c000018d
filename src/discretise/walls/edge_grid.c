/* Finds the exact place, the walls and the surfaces of each corner of the scene, and sorts them into a grid. */
#include "discretise/walls/walls.h"

#include "base/memory.h"
#include "base/maths/elementary.h"
#include "discretise/prepared.h"

#include <math.h>
#include <stdlib.h>

#define CELL_M 20.0
#define CELLS_MAX 4e6

static double distance_between(rw_vec2 a, rw_vec2 b)
{
    return hypot(a.x - b.x, a.y - b.y);
}

static rw_vec2 unit_along(double x, double y)
{
    double length = hypot(x, y);
    return rw_vec2_of(x / length, y / length);
}

/* The end of a wall near a corner that leads away in a direction; RW_NO_WALL_PART: there is none. */
static uint32_t find_wall_along(const rw_prepared *prepared, const rw_corner *corner, rw_vec2 along, rw_vec2 *end)
{
    const rw_wall_grid_view *grid = &prepared->grid.view;
    size_t cell = (size_t)rw_grid_row(grid, (float)corner->y) * (size_t)grid->columns +
                  (size_t)rw_grid_column(grid, (float)corner->x);
    rw_vec2 near = rw_vec2_of(corner->x, corner->y);
    double best = 3 * RW_CORNER_OFFSET_M;
    uint32_t found = RW_NO_WALL_PART;
    for (uint32_t i = grid->cells[cell].first; i < grid->cells[cell + 1].first; i++) {
        const rw_exact_wall *wall = &grid->exact[grid->entries[i].wall];
        for (int second = 0; second < 2; second++) {
            rw_vec2 here = second ? rw_vec2_of(wall->x1, wall->y1) : rw_vec2_of(wall->x0, wall->y0);
            rw_vec2 there = second ? rw_vec2_of(wall->x0, wall->y0) : rw_vec2_of(wall->x1, wall->y1);
            rw_vec2 leads = unit_along(there.x - here.x, there.y - here.y);
            double away_m = distance_between(here, near);
            if (away_m < best && rw_vec2_dot(leads, along) > 1 - 1e-6) {
                best = away_m;
                found = grid->entries[i].wall;
                *end = here;
            }
        }
    }
    return found;
}

/* Returns whether the walls of the corner were found. */
static int make_upright_edge(const rw_prepared *prepared, const rw_corner *corner, rw_upright_edge *edge)
{
    rw_vec2 a = unit_along(corner->ax, corner->ay), b = unit_along(corner->bx, corner->by), end_a, end_b;
    uint32_t wall_a = find_wall_along(prepared, corner, a, &end_a),
             wall_b = find_wall_along(prepared, corner, b, &end_b);
    if (wall_a == RW_NO_WALL_PART || wall_b == RW_NO_WALL_PART)
        return 0;
    double inside = fabs(atan2(rw_vec2_cross(a, b), rw_vec2_dot(a, b)));
    *edge = (rw_upright_edge){.at = end_a,
                              .a = a,
                              .b = b,
                              .exterior_rad = 2 * RW_PI - inside,
                              .bottom = corner->bottom,
                              .top = corner->top,
                              .surface_a = prepared->walls.surfaces[wall_a],
                              .surface_b = prepared->walls.surfaces[wall_b]};
    return 1;
}

static size_t cell_of(const rw_edge_grid_view *view, rw_vec2 at)
{
    return (size_t)rw_edge_grid_index(at.y, view->y0, view->cell_m, view->rows) * (size_t)view->columns +
           (size_t)rw_edge_grid_index(at.x, view->x0, view->cell_m, view->columns);
}

static void lay_out_grid(const rw_upright_edge *edges, size_t count, rw_edge_grid_view *view)
{
    double x1 = -INFINITY, y1 = -INFINITY;
    view->x0 = view->y0 = INFINITY;
    for (size_t i = 0; i < count; i++) {
        view->x0 = fmin(view->x0, edges[i].at.x);
        view->y0 = fmin(view->y0, edges[i].at.y);
        x1 = fmax(x1, edges[i].at.x);
        y1 = fmax(y1, edges[i].at.y);
    }
    double width_m = x1 - view->x0, depth_m = y1 - view->y0;
    view->cell_m = fmax(CELL_M, sqrt(width_m * depth_m / CELLS_MAX));
    view->columns = 1 + (int)(width_m / view->cell_m);
    view->rows = 1 + (int)(depth_m / view->cell_m);
}

static rw_status sort_edges(rw_context *context, const rw_upright_edge *found, size_t count, rw_edge_grid *grid)
{
    rw_edge_grid_view *view = &grid->view;
    lay_out_grid(found, count, view);
    size_t cells = (size_t)view->columns * (size_t)view->rows;
    RW_TRY(rw_array_create(context, cells + 2, sizeof *grid->first, "edges", &grid->first));
    RW_TRY(rw_array_create(context, count, sizeof *grid->edges, "edges", &grid->edges));
    for (size_t i = 0; i < count; i++)
        grid->first[cell_of(view, found[i].at) + 2]++;
    for (size_t i = 2; i < cells + 2; i++)
        grid->first[i] += grid->first[i - 1];
    for (size_t i = 0; i < count; i++)
        grid->edges[grid->first[cell_of(view, found[i].at) + 1]++] = found[i];
    grid->count = count;
    view->edges = grid->edges;
    view->first = grid->first;
    return RW_OK;
}

rw_status rw_edge_grid_create(const rw_scene *scene, rw_edge_grid *grid)
{
    const rw_prepared *prepared = scene->prepared;
    rw_upright_edge *found;
    size_t count = 0;
    *grid = (rw_edge_grid){0};
    if (prepared->corners.count == 0 || prepared->walls.count == 0)
        return RW_OK;
    RW_TRY(rw_array_create(scene->context, prepared->corners.count, sizeof *found, "edges", &found));
    for (size_t i = 0; i < prepared->corners.count; i++)
        count += (size_t)make_upright_edge(prepared, &prepared->corners.items[i], &found[count]);
    rw_status status = count ? sort_edges(scene->context, found, count, grid) : RW_OK;
    free(found);
    if (status != RW_OK)
        rw_edge_grid_destroy(grid);
    return status;
}

void rw_edge_grid_destroy(rw_edge_grid *grid)
{
    free(grid->edges);
    free(grid->first);
    *grid = (rw_edge_grid){0};
}
