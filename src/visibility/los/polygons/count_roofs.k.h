/* Roofs on the line from a receiver to a source, added to its wall count: one item is one outdoor receiver of one
 * source.
 *
 * A building of which the line crosses an odd number of walls was entered or left through its roof, or through the
 * floor of a part with air below, since both ends are in the open. Only buildings are asked that do not reach from the
 * lower to the higher end of the line. */
#ifndef RW_VISIBILITY_LOS_POLYGONS_COUNT_ROOFS_K_H
#define RW_VISIBILITY_LOS_POLYGONS_COUNT_ROOFS_K_H

#include "visibility/los/sight_bundle.k.h"
#include "visibility/los/sight.k.h"

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

/* Whether the line may leave a wall's building through its roof or floor, and the wall stands in its way: where. */
RW_FN int rw_open_parts_crosses_wall(const rw_wall_grid_view *grid, const rw_sight *sight, const rw_wall_entry *entry,
                                     double *t)
{
    double low = fmin(sight->from.z, sight->to.z) - sight->bulge_m, high = fmax(sight->from.z, sight->to.z);
    return entry->part != RW_NO_WALL_PART && !((double)entry->top > high && (double)entry->bottom <= low) &&
           rw_wall_blocks(sight, entry, grid->exact) &&
           rw_wall_blocks_exact(sight->from, sight->to, sight->bulge_m, grid->exact + entry->wall, t);
}

/* Crossings of a cell's stretch of the line, as in rw_count_cell. */
RW_FN void rw_open_parts_cell(const rw_wall_grid_view *grid, const rw_sight *sight, size_t cell, double t_in,
                              double t_out, rw_open_parts *open)
{
    uint32_t end = grid->cells[cell + 1].first;
    for (uint32_t i = grid->cells[cell].first; i < end; i++) {
        const rw_wall_entry *entry = grid->entries + i;
        double t;
        if (!rw_open_parts_crosses_wall(grid, sight, entry, &t))
            continue;
        t = t > 0.999999999999 ? 0.999999999999 : t;
        if (t >= t_in && t < t_out)
            rw_open_parts_cross(open, entry->part);
    }
}

/* Roofs and floors of buildings between the two ends. */
RW_FN uint32_t rw_march_roofs(const rw_wall_grid_view *grid, const rw_sight *sight)
{
    rw_open_parts open = {{0}, 0}; /* gcc 14 cannot tell that only set ones are read */
    rw_grid_walk_exact walk = rw_sight_walk_exact(grid, sight);
    for (; rw_grid_walk_exact_enter(&walk); rw_grid_walk_exact_leave(&walk))
        if (rw_march_lowest_m(sight, walk.t_in, walk.t_out) < grid->cells[walk.cell].top)
            rw_open_parts_cell(grid, sight, walk.cell, walk.t_in, walk.t_out, &open);
    return open.count;
}

/* Whether a line may cross roofs at all. */
RW_FN int rw_roofs_may_count(const rw_los_arrays *all, uint32_t walls, rw_vec3 from, rw_vec3 to)
{
    return walls != 0u && (all->has_decks || fmax(from.z, to.z) > all->lowest_roof_m);
}

RW_FN void rw_count_roofs_item(const struct rw_count_roofs_args *args, size_t item)
{
    const rw_los_arrays *all = &args->all;
    size_t source = item / all->receivers.outdoor_count, at = item - source * all->receivers.outdoor_count;
    size_t cell = all->receivers.outdoor[at], out = source * all->receivers.columns * all->receivers.rows + cell;
    rw_vec3 from = rw_receiver_point(&all->receivers, cell), to = all->sources[source];
    if (!rw_roofs_may_count(all, all->walls[out], from, to))
        return;
    rw_sight sight = rw_sight_of(&all->grid, from, to);
    all->walls[out] += rw_march_roofs(&all->grid, &sight);
}

/* The same on a CPU: one item is up to RW_BUNDLE_LINES receivers of one source that follow each other in the list. */
struct rw_count_roofs_bundles_args {
    rw_los_arrays all;
    size_t bundles; /* of a source */
};

RW_FN uint32_t rw_bundle_roofs(const rw_wall_grid_view *grid, const rw_sight *sight, const rw_bundle_line *line)
{
    rw_open_parts open;
    open.count = 0;
    for (int i = 0; i < line->count; i++) {
        const rw_wall_entry *entry = grid->entries + line->entry[i];
        double t;
        if (rw_open_parts_crosses_wall(grid, sight, entry, &t))
            rw_open_parts_cross(&open, entry->part);
    }
    return open.count;
}

RW_FN void rw_count_roofs_bundles_item(const struct rw_count_roofs_bundles_args *args, size_t item)
{
    const rw_los_arrays *all = &args->all;
    size_t source = item / args->bundles, first = (item - source * args->bundles) * RW_BUNDLE_LINES;
    size_t end =
        first + RW_BUNDLE_LINES < all->receivers.outdoor_count ? first + RW_BUNDLE_LINES : all->receivers.outdoor_count;
    rw_sight sights[RW_BUNDLE_LINES];
    size_t outs[RW_BUNDLE_LINES];
    float margins[RW_BUNDLE_LINES];
    rw_bundle bundle;
    rw_bundle_line lines[RW_BUNDLE_LINES];
    double low = 1e30, high = -1e30;
    int count = 0;
    for (size_t i = first; i < end; i++) {
        size_t cell = all->receivers.outdoor[i], out = source * all->receivers.columns * all->receivers.rows + cell;
        rw_vec3 from = rw_receiver_point(&all->receivers, cell), to = all->sources[source];
        if (!rw_roofs_may_count(all, all->walls[out], from, to))
            continue;
        outs[count] = out;
        sights[count] = rw_sight_of(&all->grid, from, to);
        low = fmin(low, fmin(from.z, to.z) - sights[count].bulge_m);
        high = fmax(high, fmax(from.z, to.z));
        count++;
    }
    if (!count)
        return;
    for (int i = count; i < RW_BUNDLE_LINES; i++)
        sights[i] = sights[count - 1];
    for (int i = 0; i < RW_BUNDLE_LINES; i++)
        margins[i] = 0.0f;
    int together = rw_bundle_init(&all->grid, sights, margins, count, &bundle);
    bundle.tall_m = (float)high + 1e-3f; /* rounding decides line by line */
    bundle.deck_m = (float)low - 1e-3f;
    if (together)
        rw_bundle_find_crossings(&bundle, lines);
    for (int i = 0; i < count; i++)
        all->walls[outs[i]] += together && lines[i].count <= RW_BUNDLE_CROSSINGS
                                   ? rw_bundle_roofs(&all->grid, &sights[i], &lines[i])
                                   : rw_march_roofs(&all->grid, &sights[i]);
}

#endif
