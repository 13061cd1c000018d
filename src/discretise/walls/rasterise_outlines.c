#include "discretise/walls/walls.h"

#include "base/memory.h"
#include "discretise/prepared.h"

#include <math.h>
#include <stdlib.h>

static int compare_outline_crossings(const void *a, const void *b)
{
    double first = *(const double *)a, second = *(const double *)b;
    return first < second ? -1 : first > second;
}

static size_t cells_below(double position, double first, double res, size_t count)
{
    double cells = ceil((position - first) / res);
    return cells <= 0 ? 0 : cells >= (double)count ? count : (size_t)cells;
}

/* Where the outline and its holes cross the line through a row's centres, from west to east. */
static size_t find_outline_crossings(const rw_scene *scene, const rw_part *part, double y, double *crossings)
{
    size_t count = 0;
    for (size_t r = 0; r < part->ring_count; r++) {
        const rw_vec2 *points = rw_ring_points(scene, part->first_ring + r);
        size_t size = rw_ring_size(scene, part->first_ring + r);
        for (size_t i = 0, j = size - 1; i < size; j = i++) {
            rw_vec2 a = points[j], b = points[i];
            if ((a.y > y) != (b.y > y))
                crossings[count++] = a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x);
        }
    }
    qsort(crossings, count, sizeof *crossings, compare_outline_crossings);
    return count;
}

static void cover_part(const rw_scene *scene, const rw_part *part, const rw_part_box *box, const rw_raster_frame *frame,
                       double *crossings, rw_outline_row_fn on_run, void *user)
{
    double res_y = frame->res_y > 0 ? frame->res_y : frame->res;
    size_t row_end = cells_below(box->north, frame->y0, res_y, frame->rows);
    if (box->east < frame->x0 || cells_below(box->west, frame->x0, frame->res, frame->columns) == frame->columns)
        return; /* beside the raster */
    for (size_t row = cells_below(box->south, frame->y0, res_y, frame->rows); row < row_end; row++) {
        size_t count = find_outline_crossings(scene, part, frame->y0 + (double)row * res_y, crossings);
        for (size_t i = 0; i + 1 < count; i += 2) {
            size_t first = cells_below(crossings[i], frame->x0, frame->res, frame->columns);
            size_t end = cells_below(crossings[i + 1], frame->x0, frame->res, frame->columns);
            if (first < end)
                on_run(user, part, row, first, end);
        }
    }
}

rw_status rw_rasterise_outlines(const rw_scene *scene, const rw_raster_frame *frame, rw_outline_row_fn on_run,
                                void *user)
{
    const rw_scene_summary *all = &scene->prepared->summary;
    double *crossings;
    RW_TRY(rw_array_create(scene->context, all->max_points, sizeof *crossings, "outline crossings", &crossings));
    for (size_t i = 0; i < scene->parts.count; i++)
        cover_part(scene, &scene->parts.items[i], &all->boxes[i], frame, crossings, on_run, user);
    free(crossings);
    return RW_OK;
}
