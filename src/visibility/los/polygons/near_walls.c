#include "visibility/los/polygons/polygons.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A list of more than this part of the grid's cells saves nothing. */
#define FRACTION_MAX 0.5

rw_near_walls rw_near_walls_of(const rw_scene *scene)
{
    return (rw_near_walls){.context = scene->context,
                           .backend = scene->context->backend,
                           .grid = &scene->prepared->grid,
                           .west = 1,
                           .count = scene->prepared->walls.count};
}

void rw_near_walls_destroy(rw_near_walls *near)
{
    free(near->marks);
    free(near->host);
    if (near->list)
        rw_device_free(near->backend, near->list);
    *near = (rw_near_walls){0};
}

static int column_of(const rw_wall_grid_view *grid, double x_m, int neighbour)
{
    return rw_clamp_int(rw_grid_column(grid, (float)x_m) + neighbour, 0, grid->columns - 1);
}

static int row_of(const rw_wall_grid_view *grid, double y_m, int neighbour)
{
    return rw_clamp_int(rw_grid_row(grid, (float)y_m) + neighbour, 0, grid->rows - 1);
}

/* Marks the walls of the cells and counts them. */
static size_t mark_near_walls(rw_near_walls *near)
{
    const rw_wall_grid_view *grid = &near->grid->view;
    size_t count = 0;
    memset(near->marks, 0, (grid->wall_count + 63) / 64 * sizeof *near->marks);
    for (int row = near->south; row <= near->north; row++) {
        size_t first = (size_t)row * (size_t)grid->columns;
        uint32_t end = grid->cells[first + (size_t)near->east + 1].first;
        for (uint32_t i = grid->cells[first + (size_t)near->west].first; i < end; i++) {
            uint32_t wall = grid->entries[i].wall;
            uint64_t bit = (uint64_t)1 << wall % 64;
            count += !(near->marks[wall / 64] & bit);
            near->marks[wall / 64] |= bit;
        }
    }
    return count;
}

static void list_marked(rw_near_walls *near)
{
    size_t words = (near->grid->view.wall_count + 63) / 64, at = 0;
    for (size_t i = 0; i < words; i++)
        for (uint64_t left = near->marks[i]; left; left &= left - 1)
            near->host[at++] = (uint32_t)(64 * i + (size_t)__builtin_ctzll(left));
    near->count = at;
}

static rw_status list_walls(rw_near_walls *near)
{
    size_t walls = near->grid->view.wall_count;
    if (!near->marks)
        RW_TRY(rw_array_create(near->context, walls / 64 + 1, sizeof *near->marks, "walls", &near->marks));
    size_t count = mark_near_walls(near);
    RW_TRY(rw_array_reserve(near->context, &near->host, &near->capacity, count + 1, sizeof *near->host, "walls"));
    list_marked(near);
    if (count + 1 > near->list_capacity) {
        near->list_capacity = 0;
        RW_TRY(
            rw_device_grow(near->context, near->backend, &near->list, 0, near->capacity * sizeof *near->list, "walls"));
        near->list_capacity = near->capacity;
    }
    return rw_device_upload(near->context, near->backend, near->list, near->host, count * sizeof *near->host);
}

rw_status rw_near_walls_find(rw_near_walls *near, const rw_receivers_view *receivers, const rw_vec3 *sources,
                             size_t source_count)
{
    const rw_wall_grid_view *grid = &near->grid->view;
    double west = receivers->x0_m, east = west + (double)receivers->columns * receivers->res_m;
    double south = receivers->y0_m, north = south + (double)receivers->rows * receivers->res_m;
    for (size_t i = 0; i < source_count; i++) {
        west = fmin(west, sources[i].x);
        east = fmax(east, sources[i].x);
        south = fmin(south, sources[i].y);
        north = fmax(north, sources[i].y);
    }
    int first_column = column_of(grid, west, -1), last_column = column_of(grid, east, 1);
    int first_row = row_of(grid, south, -1), last_row = row_of(grid, north, 1);
    if (near->west <= near->east && (near->is_all || (first_column >= near->west && last_column <= near->east &&
                                                      first_row >= near->south && last_row <= near->north)))
        return RW_OK;
    near->west = first_column;
    near->east = last_column;
    near->south = first_row;
    near->north = last_row;
    double fraction = (double)(last_column - first_column + 1) * (double)(last_row - first_row + 1) /
                      ((double)grid->columns * (double)grid->rows);
    near->is_all = fraction > FRACTION_MAX;
    near->count = grid->wall_count;
    return near->is_all ? RW_OK : list_walls(near);
}
