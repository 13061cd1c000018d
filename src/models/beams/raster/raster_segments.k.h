/* Segments seen from a point, into a target of one dimension: one item is one segment.
 *
 * The ID and depth buffer of section 4.2.2 of Schmitz and others (2011): the view of a fan, whose directions are the
 * pixels. Transformation and clipping are those of fan.k.h. With the operation LEAST the buffer holds the nearest
 * segment of each direction. What is seen under less than a pixel may be missed: the beams model therefore sweeps the
 * segments exactly, and this is what that is compared with. */
#ifndef RW_MODELS_BEAMS_RASTER_RASTER_SEGMENTS_K_H
#define RW_MODELS_BEAMS_RASTER_RASTER_SEGMENTS_K_H

#include "models/beams/fans/fan.k.h"
#include "models/beams/raster/raster_target.k.h"

struct rw_raster_segments_args {
    const double *segments; /* x0, y0, x1, y1 of each */
    rw_fan fan;
    rw_raster_target target; /* columns are shares u of the fan from right to left, at x0 + column res; one row */
};

RW_FN void rw_raster_segments_item(const struct rw_raster_segments_args *args, size_t item)
{
    const double *segment = args->segments + 4 * item;
    const rw_pixel_grid *grid = &args->target.grid;
    rw_fan_wall seen;
    if (!rw_fan_project(&args->fan, rw_vec2_of(segment[0], segment[1]), rw_vec2_of(segment[2], segment[3]), &seen))
        return;
    int first = rw_pixels_below(seen.u0, grid->x0, grid->res, grid->columns);
    int end = rw_pixels_below(seen.u1, grid->x0, grid->res, grid->columns);
    for (int column = first; column < end; column++) {
        double values[RW_RASTER_VALUES_MAX] = {0, 0, 0, 0};
        values[0] = 1 / rw_fan_nearness(&seen, rw_pixel_x(grid, column));
        rw_raster_write_pixel(&args->target, column, 0, 0, (uint32_t)item, values);
    }
}

#endif
