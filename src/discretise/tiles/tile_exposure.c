/* The exposed part of a wall: the part of it that another prism covers is no surface.
 *
 * A line just before the wall is cut where it enters and leaves the outlines of parts; between two cuts the covered
 * altitudes are those of the parts around it. Stretches with the same free altitudes are joined. */
#include "discretise/tiles/tile_builder.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* How far before the wall it is looked. Neighbours that are nearer touch it. */
static const double before_m = 0.02;
/* Shorter stretches, as at sharp inner corners, are not told apart. */
static const double shortest_m = 0.05;

#define COVERS_MAX 256

typedef struct wall_cut {
    double at_m;
    uint32_t part, wall;
} wall_cut;

/* It begins and ends a little inside the wall, whose ends may lie on a neighbour's outline. */
typedef struct wall_line {
    rw_vec2 from, along; /* of length 1; local frame */
    double inset_m, length_m;
    RW_ARRAY(wall_cut) cuts;
    uint32_t open[COVERS_MAX]; /* parts around the current place */
    size_t open_count;
} wall_line;

static int compare_wall_cuts(const void *a, const void *b)
{
    const wall_cut *first = a, *second = b;
    if (first->at_m != second->at_m)
        return first->at_m < second->at_m ? -1 : 1;
    return first->wall < second->wall ? -1 : first->wall > second->wall;
}

/* Where a wall crosses the line, in the frame of the grid. */
static int cuts_line(const wall_line *line, rw_vec2 from, const rw_exact_wall *wall, double *at_m)
{
    rw_vec2 a = {wall->x0 - from.x, wall->y0 - from.y}, b = {wall->x1 - from.x, wall->y1 - from.y};
    double side_a = rw_vec2_cross(line->along, a), side_b = rw_vec2_cross(line->along, b);
    if ((side_a >= 0) == (side_b >= 0))
        return 0;
    double fraction = side_a / (side_a - side_b);
    *at_m = rw_vec2_dot(line->along, a) + fraction * rw_vec2_dot(line->along, rw_vec2_sub(b, a));
    return *at_m > 0 && *at_m < line->length_m;
}

static rw_status collect_cuts(const rw_tile_maker *maker, wall_line *line)
{
    const rw_wall_grid *grid = &maker->prepared->grid;
    rw_vec2 from = rw_vec2_sub(line->from, grid->centre);
    rw_vec2 to = {from.x + line->length_m * line->along.x, from.y + line->length_m * line->along.y};
    int west = rw_grid_column(&grid->view, (float)fmin(from.x, to.x));
    int east = rw_grid_column(&grid->view, (float)fmax(from.x, to.x));
    int south = rw_grid_row(&grid->view, (float)fmin(from.y, to.y));
    int north = rw_grid_row(&grid->view, (float)fmax(from.y, to.y));
    for (int row = south; row <= north; row++)
        for (int column = west; column <= east; column++) {
            size_t cell = (size_t)row * (size_t)grid->view.columns + (size_t)column;
            for (uint32_t i = grid->cells[cell].first; i < grid->cells[cell + 1].first; i++) {
                uint32_t wall = grid->entries[i].wall;
                double at_m;
                if (maker->prepared->walls.parts[wall] == RW_NO_PART ||
                    !cuts_line(line, from, &grid->exact[wall], &at_m))
                    continue;
                RW_TRY(RW_ARRAY_RESERVE(maker->scene->context, line->cuts, 1, "cuts of a wall"));
                line->cuts.items[line->cuts.count++] = (wall_cut){at_m, maker->prepared->walls.parts[wall], wall};
            }
        }
    if (line->cuts.count == 0)
        return RW_OK;
    rw_sort(line->cuts.items, line->cuts.count, sizeof *line->cuts.items, compare_wall_cuts);
    size_t unique_count = 1; /* a wall is listed in every cell that it touches */
    for (size_t i = 1; i < line->cuts.count; i++)
        if (line->cuts.items[i].wall != line->cuts.items[unique_count - 1].wall)
            line->cuts.items[unique_count++] = line->cuts.items[i];
    line->cuts.count = unique_count;
    return RW_OK;
}

static void toggle_covering_part(wall_line *line, uint32_t part)
{
    for (size_t i = 0; i < line->open_count; i++)
        if (line->open[i] == part) {
            line->open[i] = line->open[--line->open_count];
            return;
        }
    if (line->open_count < COVERS_MAX)
        line->open[line->open_count++] = part;
}

/* The altitude from which on the place is free, at or above z; and up to where it is free from there. */
static double free_from(const rw_scene *scene, const wall_line *line, double z_m)
{
    for (int rising = 1; rising;) {
        rising = 0;
        for (size_t i = 0; i < line->open_count; i++) {
            const rw_part *part = &scene->parts.items[line->open[i]];
            double bottom_m = part->base_height_m <= 0 ? -INFINITY : part->bottom_m;
            if (bottom_m <= z_m && part->top_m > z_m) {
                z_m = part->top_m;
                rising = 1;
            }
        }
    }
    return z_m;
}

static double free_to(const rw_scene *scene, const wall_line *line, double z_m, double max_m)
{
    for (size_t i = 0; i < line->open_count; i++) {
        const rw_part *part = &scene->parts.items[line->open[i]];
        if (part->base_height_m > 0 && part->bottom_m > z_m)
            max_m = fmin(max_m, part->bottom_m);
    }
    return max_m;
}

/* Joins a stretch to one that ends where it begins and has the same altitudes. */
static rw_status add_stretch(rw_context *context, rw_wall_exposure stretch, rw_wall_exposures *exposures)
{
    for (size_t i = exposures->count; i-- > 0;) {
        rw_wall_exposure *before = &exposures->items[i];
        if (fabs(before->end_m - stretch.start_m) < shortest_m && fabs(before->low_m - stretch.low_m) < shortest_m &&
            fabs(before->high_m - stretch.high_m) < shortest_m) {
            before->end_m = stretch.end_m;
            return RW_OK;
        }
    }
    RW_TRY(RW_ARRAY_RESERVE(context, *exposures, 1, "free parts of a wall"));
    exposures->items[exposures->count++] = stretch;
    return RW_OK;
}

static rw_status add_stretches(const rw_scene *scene, const wall_line *line, const rw_wall *wall, double start_m,
                               double end_m, rw_wall_exposures *exposures)
{
    double z_m = free_from(scene, line, wall->bottom_m);
    while (z_m < wall->top_m - shortest_m) {
        double high_m = free_to(scene, line, z_m, wall->top_m);
        if (high_m > z_m + shortest_m)
            RW_TRY(add_stretch(scene->context, (rw_wall_exposure){start_m, end_m, z_m, high_m}, exposures));
        z_m = free_from(scene, line, high_m);
    }
    return RW_OK;
}

static rw_status expose_wall(const rw_tile_maker *maker, const rw_wall *wall, double wall_m, wall_line *line,
                             rw_wall_exposures *exposures)
{
    RW_TRY(collect_cuts(maker, line));
    line->open_count = rw_tile_parts_over(maker, line->from, line->open, COVERS_MAX);
    double start_m = 0;
    for (size_t i = 0; i < line->cuts.count; i++) {
        double at_m = line->cuts.items[i].at_m;
        if (line->length_m - at_m < shortest_m)
            break;
        if (at_m > start_m + shortest_m) {
            RW_TRY(add_stretches(maker->scene, line, wall, start_m, at_m + line->inset_m, exposures));
            start_m = at_m + line->inset_m;
        }
        toggle_covering_part(line, line->cuts.items[i].part);
    }
    return add_stretches(maker->scene, line, wall, start_m, wall_m, exposures);
}

rw_status rw_wall_expose(const rw_tile_maker *maker, const rw_wall *wall, rw_wall_exposures *exposures)
{
    wall_line line = {0};
    rw_vec2 span = rw_vec2_sub(wall->p1, wall->p0);
    double wall_m = sqrt(rw_vec2_dot(span, span));
    line.inset_m = fmin(0.5 * shortest_m, 0.25 * wall_m);
    line.length_m = wall_m - 2 * line.inset_m;
    line.along = rw_vec2_of(span.x / wall_m, span.y / wall_m);
    line.from = rw_vec2_of(wall->p0.x + line.inset_m * line.along.x + before_m * line.along.y,
                           wall->p0.y + line.inset_m * line.along.y - before_m * line.along.x);
    exposures->count = 0;
    rw_status status = expose_wall(maker, wall, wall_m, &line, exposures);
    free(line.cuts.items);
    return status;
}
