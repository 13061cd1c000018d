/* The building parts above a point: for each cell of the wall grid, the parts whose
 * box touches it. Where boxes are so large that the lists would grow out of hand, the walls are tested instead. */
#include "discretise/tiles/tile_builder.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

typedef struct cell_box {
    int west, south, east, north;
} cell_box;

static cell_box find_part_cell_box(const rw_tile_maker *maker, const rw_part *part)
{
    const rw_wall_grid *grid = &maker->prepared->grid;
    const rw_vec2 *points = rw_ring_points(maker->scene, part->first_ring);
    double west = INFINITY, south = INFINITY, east = -INFINITY, north = -INFINITY;
    for (size_t i = 0; i < rw_ring_size(maker->scene, part->first_ring); i++) {
        west = fmin(west, points[i].x - grid->centre.x);
        east = fmax(east, points[i].x - grid->centre.x);
        south = fmin(south, points[i].y - grid->centre.y);
        north = fmax(north, points[i].y - grid->centre.y);
    }
    const double margin = 0.01; /* more than the rounding to float */
    return (cell_box){
        rw_grid_column(&grid->view, (float)(west - margin)), rw_grid_row(&grid->view, (float)(south - margin)),
        rw_grid_column(&grid->view, (float)(east + margin)), rw_grid_row(&grid->view, (float)(north + margin))};
}

static size_t cells_in(cell_box box)
{
    return (size_t)(box.east - box.west + 1) * (size_t)(box.north - box.south + 1);
}

/* Counts, then enters: the first of a cell moves to its end and back. */
static void fill_part_lists(rw_tile_maker *maker)
{
    int columns = maker->prepared->grid.view.columns;
    size_t cells = (size_t)columns * (size_t)maker->prepared->grid.view.rows;
    for (int entering = 0; entering < 2; entering++) {
        for (size_t i = 0; i < maker->scene->parts.count; i++) {
            cell_box box = find_part_cell_box(maker, &maker->scene->parts.items[i]);
            for (int row = box.south; row <= box.north; row++)
                for (int column = box.west; column <= box.east; column++) {
                    uint32_t *first = &maker->cell_first[(size_t)row * (size_t)columns + (size_t)column + 1];
                    if (entering)
                        maker->cell_parts[*first] = (uint32_t)i;
                    ++*first;
                }
        }
        if (entering)
            break;
        uint32_t sum = 0;
        for (size_t cell = 0; cell < cells; cell++) {
            uint32_t count = maker->cell_first[cell + 1];
            maker->cell_first[cell + 1] = sum;
            sum += count;
        }
    }
}

rw_status rw_tile_index_parts(rw_tile_maker *maker)
{
    rw_context *context = maker->scene->context;
    const rw_wall_grid_view *view = &maker->prepared->grid.view;
    size_t cells = (size_t)view->columns * (size_t)view->rows, entries = 0, parts = maker->scene->parts.count;
    for (size_t i = 0; i < parts; i++)
        entries += cells_in(find_part_cell_box(maker, &maker->scene->parts.items[i]));
    if (entries > 32 * cells + 64 * parts || entries > UINT32_MAX / 2)
        return RW_OK;
    RW_TRY(rw_array_create(context, cells + 2, sizeof *maker->cell_first, "cells of buildings", &maker->cell_first));
    RW_TRY(rw_array_create(context, entries + 1, sizeof *maker->cell_parts, "cells of buildings", &maker->cell_parts));
    fill_part_lists(maker);
    return RW_OK;
}

size_t rw_tile_parts_over(const rw_tile_maker *maker, rw_vec2 at, uint32_t *parts, size_t max_count)
{
    const rw_wall_grid *grid = &maker->prepared->grid;
    if (!maker->cell_parts)
        return rw_parts_over(maker->scene, maker->prepared, at, parts, max_count);
    size_t column = (size_t)rw_grid_column(&grid->view, (float)(at.x - grid->centre.x)), count = 0;
    size_t cell =
        (size_t)rw_grid_row(&grid->view, (float)(at.y - grid->centre.y)) * (size_t)grid->view.columns + column;
    for (uint32_t i = maker->cell_first[cell]; i < maker->cell_first[cell + 1] && count < max_count; i++)
        if (rw_part_contains(maker->scene, &maker->scene->parts.items[maker->cell_parts[i]], at))
            parts[count++] = maker->cell_parts[i];
    return count;
}
