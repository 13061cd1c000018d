/* Roofs on the line from a receiver to a source, added to its wall count: one item is one outdoor receiver of one
 * source.
 *
 * A building of which the line crosses an odd number of walls was entered or left through its roof, or through the
 * floor of a part with air below, since both ends are in the open. Only buildings are asked that do not reach from the
 * lower to the higher end of the line. */
#ifndef RW_VISIBILITY_WALL_COUNTS_COUNT_ROOFS_K_H
#define RW_VISIBILITY_WALL_COUNTS_COUNT_ROOFS_K_H

#include "visibility/sight/los_args.k.h"

struct rw_count_roofs_args {
    rw_los_arrays all; /* walls are counted */
};

/* Buildings that a line may be in at once; roofs of more are left out. */
#define RW_ROOFS_OPEN 16

/* Buildings of which an odd number of walls was crossed so far. */
typedef struct rw_open_parts {
    uint32_t parts[RW_ROOFS_OPEN];
    uint32_t count;
} rw_open_parts;

RW_FN void rw_open_parts_cross(rw_open_parts *open, uint32_t part)
{
    for (uint32_t i = 0; i < open->count; i++)
        if (open->parts[i] == part) {
            open->parts[i] = open->parts[--open->count];
            return;
        }
    if (open->count < RW_ROOFS_OPEN)
        open->parts[open->count++] = part;
}

/* Crossings of a cell's stretch of the line, as in rw_count_cell. */
RW_FN void rw_open_parts_cell(const rw_wall_grid_view *grid, const rw_sight *sight, size_t cell, double t_in,
                              double t_out, rw_open_parts *open)
{
    uint32_t end = grid->cells[cell + 1].first;
    double low = fmin(sight->from.z, sight->to.z) - sight->bulge_m, high = fmax(sight->from.z, sight->to.z);
    for (uint32_t i = grid->cells[cell].first; i < end; i++) {
        const rw_wall_entry *entry = grid->entries + i;
        double t;
        if (entry->part == RW_NO_WALL_PART || ((double)entry->top > high && (double)entry->bottom <= low) ||
            !rw_wall_blocks(sight, entry, grid->exact) ||
            !rw_wall_blocks_exact(sight->from, sight->to, sight->bulge_m, grid->exact + entry->wall, &t))
            continue;
        t = t > 0.999999999999 ? 0.999999999999 : t;
        if (t >= t_in && t < t_out)
            rw_open_parts_cross(open, entry->part);
    }
}

/* Roofs and floors of buildings between the two ends. */
RW_FN uint32_t rw_march_roofs(const rw_wall_grid_view *grid, const rw_sight *sight)
{
    rw_open_parts open;
    double dx = sight->to.x - sight->from.x, dy = sight->to.y - sight->from.y;
    int column = rw_grid_column(grid, sight->x), row = rw_grid_row(grid, sight->y);
    double t_in = 0, cell_m = (double)grid->cell_m;
    open.count = 0;
    for (;;) {
        int ahead_x = dx > 0 ? column + 1 : column, ahead_y = dy > 0 ? row + 1 : row;
        double leave_x = dx != 0 ? ((double)grid->x0 + ahead_x * cell_m - sight->from.x) / dx : 2;
        double leave_y = dy != 0 ? ((double)grid->y0 + ahead_y * cell_m - sight->from.y) / dy : 2;
        double t_out = leave_x < leave_y ? leave_x : leave_y;
        t_out = t_out < t_in ? t_in : t_out > 1 ? 1 : t_out;
        size_t cell = (size_t)row * (size_t)grid->columns + (size_t)column;
        float lowest = sight->z + (float)(sight->dz > 0.0f ? t_in : t_out) * sight->dz - 0.01f;
        lowest -= rw_march_bulge_m(sight, (float)t_in, (float)t_out);
        if (lowest < grid->cells[cell].top)
            rw_open_parts_cell(grid, sight, cell, t_in, t_out, &open);
        if (t_out >= 1)
            break;
        if (leave_x < leave_y)
            column += dx > 0 ? 1 : -1;
        else
            row += dy > 0 ? 1 : -1;
        if (column < 0 || column >= grid->columns || row < 0 || row >= grid->rows)
            break;
        t_in = t_out;
    }
    return open.count;
}

RW_FN void rw_count_roofs_item(const struct rw_count_roofs_args *args, size_t item)
{
    const rw_los_arrays *all = &args->all;
    size_t source = item / all->receivers.outdoor_count, at = item - source * all->receivers.outdoor_count;
    size_t cell = all->receivers.outdoor[at], out = source * all->receivers.columns * all->receivers.rows + cell;
    if (all->walls[out] == 0u)
        return;
    rw_vec3 from = rw_receiver_point(&all->receivers, cell), to = all->sources[source];
    if (!all->has_decks && fmax(from.z, to.z) <= all->lowest_roof_m)
        return;
    rw_sight sight = rw_sight_make(&all->grid, from, to);
    all->walls[out] += rw_march_roofs(&all->grid, &sight);
}

#endif
