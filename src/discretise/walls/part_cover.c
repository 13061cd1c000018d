#include "discretise/walls/walls.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/range.h"
#include "discretise/prepared.h"

#include <math.h>
#include <stdlib.h>

/* Parts entered and not yet left on the way east. More than this many inside each other are not told apart. */
typedef struct open_parts {
    uint32_t parts[256];
    size_t count;
} open_parts;

#define OPEN_MAX (sizeof((open_parts *)0)->parts / sizeof(uint32_t))

static void toggle_open_part(open_parts *open, uint32_t part)
{
    for (size_t i = 0; i < open->count; i++)
        if (open->parts[i] == part) {
            open->parts[i] = open->parts[--open->count];
            return;
        }
    if (open->count < OPEN_MAX)
        open->parts[open->count++] = part;
}

typedef struct sweep {
    const rw_wall_list *walls;
    const rw_wall_grid_view *view;
    uint32_t *counts; /* of each cell; becomes first */
    uint32_t *parts;  /* NULL: they are only counted */
} sweep;

/* Whether the wall crosses the line of that y, half-open at its ends, in this column. */
static int crosses_in(const rw_wall_grid_view *view, const rw_exact_wall *wall, double y, int column)
{
    if ((wall->y0 > y) == (wall->y1 > y))
        return 0;
    double x = wall->x0 + (y - wall->y0) / (wall->y1 - wall->y0) * (wall->x1 - wall->x0);
    return rw_cell_index(floor((x - view->x0) / view->cell_m), view->columns) == column;
}

/* Along the middle of a row from the west: what is entered before a cell and has no wall in it covers it whole. */
static void sweep_row(const sweep *over, size_t row)
{
    const rw_wall_grid_view *view = over->view;
    double y = view->y0 + ((double)row + 0.5) * view->cell_m;
    open_parts open = {.count = 0};
    for (int column = 0; column < view->columns; column++) {
        size_t cell = row * (size_t)view->columns + (size_t)column;
        if (over->parts)
            for (size_t i = 0; i < open.count; i++)
                over->parts[over->counts[cell] + i] = open.parts[i];
        else
            over->counts[cell] = (uint32_t)open.count;
        for (uint32_t i = view->cells[cell].first; i < view->cells[cell + 1].first; i++) {
            uint32_t wall = view->entries[i].wall, part = over->walls->parts[wall];
            if (part != RW_NO_PART && crosses_in(view, &view->exact[wall], y, column))
                toggle_open_part(&open, part);
        }
    }
}

static void sweep_rows(void *user, size_t begin, size_t end)
{
    for (size_t row = begin; row < end; row++)
        sweep_row(user, row);
}

static rw_status fill_part_cover(rw_context *context, sweep *over, rw_part_cover *cover)
{
    size_t rows = (size_t)over->view->rows, cells = rows * (size_t)over->view->columns, sum = 0;
    RW_TRY(rw_array_create(context, cells + 1, sizeof *cover->first, "the wall grid", &cover->first));
    over->counts = cover->first;
    RW_TRY(rw_parallel(context, rows, 4, sweep_rows, over));
    for (size_t i = 0; i <= cells; i++) {
        size_t count = cover->first[i];
        cover->first[i] = (uint32_t)sum;
        sum += count;
        if (sum > UINT32_MAX)
            return rw_fail(context, RW_TOO_LARGE, "buildings lie over each other in more than 2^32 places");
    }
    RW_TRY(rw_array_create(context, sum + 1, sizeof *cover->parts, "the wall grid", &cover->parts));
    over->parts = cover->parts;
    return rw_parallel(context, rows, 4, sweep_rows, over);
}

rw_status rw_part_cover_create(const rw_scene *scene, const rw_wall_list *walls, const rw_wall_grid *grid,
                               rw_part_cover *cover)
{
    sweep over = {.walls = walls, .view = &grid->view};
    *cover = (rw_part_cover){0};
    if (scene->parts.count == 0)
        return RW_OK;
    rw_status status = fill_part_cover(scene->context, &over, cover);
    if (status != RW_OK)
        rw_part_cover_destroy(cover);
    return status;
}

void rw_part_cover_destroy(rw_part_cover *cover)
{
    free(cover->first);
    free(cover->parts);
    *cover = (rw_part_cover){0};
}

static void add_candidate(open_parts *found, uint32_t part)
{
    size_t at = found->count;
    while (at > 0 && found->parts[at - 1] >= part)
        at--;
    if (at < found->count && found->parts[at] == part)
        return;
    if (found->count == OPEN_MAX)
        return;
    for (size_t i = found->count++; i > at; i--)
        found->parts[i] = found->parts[i - 1];
    found->parts[at] = part;
}

/* The parts whose outline contains the point, at whatever altitude, in the order of the scene. */
static void find_parts_over(const rw_scene *scene, const rw_prepared *prepared, rw_vec2 point, open_parts *found)
{
    const rw_wall_grid_view *view = &prepared->grid.view;
    const rw_part_cover *cover = &prepared->cover;
    double column = floor((point.x - prepared->grid.centre.x - view->x0) / view->cell_m);
    double row = floor((point.y - prepared->grid.centre.y - view->y0) / view->cell_m);
    found->count = 0;
    if (!cover->first || !(row >= 0 && row < view->rows && column >= 0 && column < view->columns))
        return;
    size_t cell = (size_t)row * (size_t)view->columns + (size_t)column, found_count = 0;
    for (uint32_t i = cover->first[cell]; i < cover->first[cell + 1]; i++)
        add_candidate(found, cover->parts[i]);
    for (uint32_t i = view->cells[cell].first; i < view->cells[cell + 1].first; i++)
        if (prepared->walls.parts[view->entries[i].wall] != RW_NO_PART)
            add_candidate(found, prepared->walls.parts[view->entries[i].wall]);
    for (size_t i = 0; i < found->count; i++)
        if (rw_part_contains(scene, &scene->parts.items[found->parts[i]], point))
            found->parts[found_count++] = found->parts[i];
    found->count = found_count;
}

size_t rw_parts_over(const rw_scene *scene, const rw_prepared *prepared, rw_vec2 point, uint32_t *parts,
                     size_t max_count)
{
    open_parts found;
    find_parts_over(scene, prepared, point, &found);
    size_t count = found.count < max_count ? found.count : max_count;
    for (size_t i = 0; i < count; i++)
        parts[i] = found.parts[i];
    return count;
}

size_t rw_parts_at(const rw_scene *scene, const rw_prepared *prepared, rw_vec2 point, double z_m, uint32_t *parts,
                   size_t max_count)
{
    open_parts found;
    find_parts_over(scene, prepared, point, &found);
    size_t found_count = 0;
    double height_m = z_m - rw_scene_ground_m(scene, point);
    for (size_t i = 0; i < found.count && found_count < max_count; i++)
        if (rw_part_holds(&scene->parts.items[found.parts[i]], z_m, height_m))
            parts[found_count++] = found.parts[i];
    return found_count;
}
