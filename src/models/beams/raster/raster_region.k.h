/* Rasterisation: which pixels of a grid lie in a convex region, by rows (scanline) or by blocks (half spaces).
 *
 * From the border lines of a region to pixels, after Pineda (1988) for the half spaces. A pixel is in the region where
 * its centre is. Both forms ask one and the same question of a pixel (rw_border_holds), so that they agree to the
 * pixel; and two regions that share a border line, written with the same point and direction, share it so that a pixel
 * on the line is in exactly one of them. Rounding cannot break this: the sum behind the question grows with x and with
 * y even when rounded, so that the pixels of a row on one side of a line are without gaps. */
#ifndef RW_MODELS_BEAMS_RASTER_RASTER_REGION_K_H
#define RW_MODELS_BEAMS_RASTER_RASTER_REGION_K_H

#include "base/kernel/qualifiers.h"
#include "base/maths/vector.h"
#include <stddef.h>

/* A line through a point. The region lies on its left, the line included, or on its right without it. */
typedef struct rw_border {
    double x, y, dx, dy;
    int right;
} rw_border;

#define RW_BORDERS_MAX 6

typedef struct rw_region {
    rw_border borders[RW_BORDERS_MAX];
    int border_count;
    double west, south, east, north; /* a box that holds the region; may be infinite */
} rw_region;

/* Pixel (column, row) has its centre at x0 + column res, y0 + row res. */
typedef struct rw_pixel_grid {
    double x0, y0, res;
    int columns, rows;
} rw_pixel_grid;

/* Pixels first to end - 1 of a row or column. */
typedef struct rw_pixel_span {
    int first, end;
} rw_pixel_span;

/* Twice the area of the triangle of point, point + direction and (x, y). Each product is rounded by itself, so that the
 * two are equal where (x, y) is a corner; compilers would fuse one of them into the difference. */
RW_FN double rw_border_side(const rw_border *border, double x, double y)
{
    double first = fma(border->dx, y - border->y, 0.0), second = fma(border->dy, x - border->x, 0.0);
    return first - second;
}

RW_FN int rw_border_holds(const rw_border *border, double x, double y)
{
    double side = rw_border_side(border, x, y);
    return border->right ? side < 0 : side >= 0;
}

RW_FN rw_border rw_border_of(double x, double y, double dx, double dy, int right)
{
    rw_border border = {x, y, dx, dy, right};
    return border;
}

/* The side of a polygon from one corner to the next, counter-clockwise. It is written from the lesser corner to the
 * greater, so that the polygon beyond it has the same numbers. */
RW_FN rw_border rw_border_between(rw_vec2 from, rw_vec2 to)
{
    int turned = to.x < from.x || (to.x == from.x && to.y < from.y);
    rw_vec2 low = turned ? to : from, high = turned ? from : to;
    return rw_border_of(low.x, low.y, high.x - low.x, high.y - low.y, turned);
}

RW_FN double rw_pixel_x(const rw_pixel_grid *grid, int column)
{
    return grid->x0 + (double)column * grid->res;
}

RW_FN double rw_pixel_y(const rw_pixel_grid *grid, int row)
{
    return grid->y0 + (double)row * grid->res;
}

RW_FN int rw_region_holds(const rw_region *region, double x, double y)
{
    for (int i = 0; i < region->border_count; i++)
        if (!rw_border_holds(&region->borders[i], x, y))
            return 0;
    return 1;
}

/* Number of pixels whose centre lies below a coordinate, kept between 0 and count. */
RW_FN int rw_pixels_below(double position, double first, double res, int count)
{
    double pixels = ceil((position - first) / res);
    return pixels <= 0 ? 0 : pixels >= (double)count ? count : (int)pixels;
}

/* Rows, and columns, that may have pixels of the region: one more on each side than the box says. */
RW_FN rw_pixel_span rw_region_rows(const rw_region *region, const rw_pixel_grid *grid)
{
    rw_pixel_span rows;
    rows.first = rw_pixels_below(region->south - grid->res, grid->y0, grid->res, grid->rows);
    rows.end = rw_pixels_below(region->north + grid->res, grid->y0, grid->res, grid->rows);
    return rows;
}

RW_FN rw_pixel_span rw_region_columns(const rw_region *region, const rw_pixel_grid *grid)
{
    rw_pixel_span columns;
    columns.first = rw_pixels_below(region->west - grid->res, grid->x0, grid->res, grid->columns);
    columns.end = rw_pixels_below(region->east + grid->res, grid->x0, grid->res, grid->columns);
    return columns;
}

/* Shortens the stretch of a row to the pixels on the region's side of one border. The crossing is computed and then
 * put right by asking the pixels beside it. */
RW_FN void rw_border_cut(const rw_border *border, const rw_pixel_grid *grid, double y, rw_pixel_span *span)
{
    if (border->dy == 0.0) { /* along the row: all or nothing */
        if (!rw_border_holds(border, border->x, y))
            span->end = span->first;
        return;
    }
    double x = border->x + (y - border->y) * (border->dx / border->dy);
    int at = rw_pixels_below(x, grid->x0, grid->res, grid->columns);
    at = at < span->first ? span->first : at > span->end ? span->end : at;
    int rising = border->right ? border->dy > 0 : border->dy < 0; /* the region is where x is larger */
    while (at > span->first && rw_border_holds(border, rw_pixel_x(grid, at - 1), y) == rising)
        at--;
    while (at < span->end && rw_border_holds(border, rw_pixel_x(grid, at), y) != rising)
        at++;
    if (rising)
        span->first = at;
    else
        span->end = at;
}

/* Scanline: the pixels of one row of the region, within columns. */
RW_FN rw_pixel_span rw_region_span(const rw_region *region, const rw_pixel_grid *grid, int row, rw_pixel_span columns)
{
    double y = rw_pixel_y(grid, row);
    for (int i = 0; i < region->border_count && columns.first < columns.end; i++)
        rw_border_cut(&region->borders[i], grid, y, &columns);
    return columns;
}

/* Half spaces: how a block of pixels lies to the region. */
typedef enum rw_block_cover { RW_BLOCK_OUTSIDE, RW_BLOCK_PARTLY, RW_BLOCK_INSIDE } rw_block_cover;

/* A border holds everywhere in a block where it holds at the corner that is worst for it, nowhere where it fails at the
 * best. */
RW_FN rw_block_cover rw_region_block(const rw_region *region, double west, double south, double east, double north)
{
    rw_block_cover cover = RW_BLOCK_INSIDE;
    for (int i = 0; i < region->border_count; i++) {
        const rw_border *border = &region->borders[i];
        int more_x = border->right ? border->dy > 0 : border->dy < 0; /* where the border holds more */
        int more_y = border->right ? border->dx < 0 : border->dx > 0;
        if (!rw_border_holds(border, more_x ? east : west, more_y ? north : south))
            return RW_BLOCK_OUTSIDE;
        if (!rw_border_holds(border, more_x ? west : east, more_y ? south : north))
            cover = RW_BLOCK_PARTLY;
    }
    return cover;
}

#endif
