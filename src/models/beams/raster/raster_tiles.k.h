/* The two rasterisers of section 4.1 of Schmitz and others (2011), over blocks of pixels that threads share.
 *
 * A polygon is prepared once: its border lines and, for scanlines, its events, an array of the rows from which on other
 * borders bound it, with their increments from row to row (section 4.1.1). Then blocks of pixels cover its box. The
 * grid that shares a polygon has several blocks; each takes every so many of the blocks across and up. Half spaces
 * (section 4.1.2, after Pineda 1988) take or leave a block as a whole where they can. Scanlines compare a pixel with
 * the two bounds of its row; a pixel within one of a bound is asked as the half spaces ask it, so that both forms have
 * the same pixels whatever rounding does to the increments. */
#ifndef RW_MODELS_BEAMS_RASTER_RASTER_TILES_K_H
#define RW_MODELS_BEAMS_RASTER_RASTER_TILES_K_H

#include "base/kernel/lanes.h"
#include "models/beams/raster/raster_region.k.h"

typedef enum rw_raster_method { RW_RASTER_SCANLINE, RW_RASTER_HALF_SPACE } rw_raster_method;

/* Rows from one on that lie between the same two borders. */
typedef struct rw_scan_event {
    double left, right;           /* where these are in that row */
    double left_step, right_step; /* from one row to the next */
    int row;
    int unused;
} rw_scan_event;

#define RW_EVENTS_MAX (RW_BORDERS_MAX + 2)

typedef struct rw_raster_polygon {
    rw_region region;
    rw_pixel_span rows, columns; /* that may have pixels of it */
    int event_count;
    int unsure; /* a border runs nearly along the rows: every pixel is asked */
    rw_scan_event events[RW_EVENTS_MAX];
} rw_raster_polygon;

/* Pixels of a block, and blocks of the grid that shares a polygon. */
typedef struct rw_raster_tiling {
    int block_columns, block_rows;
    int grid_columns, grid_rows;
} rw_raster_tiling;

/* A border as a bound of rows: x in a row, and its step to the next. */
typedef struct rw_scan_bound {
    double x, step;
    int border; /* -1: none */
} rw_scan_bound;

#define RW_ALONG_ROWS 1e9 /* a border that runs so far along the rows while it rises by one has no useful step */

RW_FN int rw_border_along(const rw_border *border)
{
    return !(fabs(border->dx) < RW_ALONG_ROWS * fabs(border->dy));
}

/* Whether the region lies where x is larger. */
RW_FN int rw_border_rising(const rw_border *border)
{
    return border->right ? border->dy > 0 : border->dy < 0;
}

RW_FN rw_scan_bound rw_scan_bound_of(const rw_region *region, const rw_pixel_grid *grid, int index, int row)
{
    const rw_border *border = &region->borders[index];
    double slope = border->dx / border->dy;
    rw_scan_bound bound;
    bound.x = border->x + (rw_pixel_y(grid, row) - border->y) * slope;
    bound.step = slope * grid->res;
    bound.border = index;
    return bound;
}

/* Whether one bound leaves less than another in this row or, where they are alike, in the next ones. */
RW_FN int rw_scan_tighter(rw_scan_bound bound, rw_scan_bound than, int rising)
{
    if (than.border < 0)
        return 1;
    double ahead = rising ? bound.x - than.x : than.x - bound.x;
    return ahead > 0 || (ahead == 0 && (rising ? bound.step > than.step : bound.step < than.step));
}

/* The bound of one side in a row. */
RW_FN rw_scan_bound rw_scan_first(const rw_region *region, const rw_pixel_grid *grid, int row, int rising)
{
    rw_scan_bound tightest;
    tightest.x = rising ? -INFINITY : INFINITY;
    tightest.step = 0;
    tightest.border = -1;
    for (int i = 0; i < region->border_count; i++) {
        const rw_border *border = &region->borders[i];
        if (rw_border_along(border) || rw_border_rising(border) != rising)
            continue;
        rw_scan_bound bound = rw_scan_bound_of(region, grid, i, row);
        if (rw_scan_tighter(bound, tightest, rising))
            tightest = bound;
    }
    return tightest;
}

/* The first row after one in which another border may bound a side; end where none does. */
RW_FN int rw_scan_next(const rw_region *region, const rw_pixel_grid *grid, int row, int end, int rising,
                       rw_scan_bound now)
{
    double soonest = (double)end - (double)row;
    for (int i = 0; i < region->border_count; i++) {
        if (rw_border_along(&region->borders[i]) || rw_border_rising(&region->borders[i]) != rising || i == now.border)
            continue;
        rw_scan_bound other = rw_scan_bound_of(region, grid, i, row);
        double closing = rising ? other.step - now.step : now.step - other.step;
        double behind = rising ? now.x - other.x : other.x - now.x;
        if (!(closing > 0)) /* a bound gives way only to one that closes in faster */
            continue;
        double rows = behind > 0 ? floor(behind / closing) + 1 : 1;
        soonest = rows < soonest ? rows : soonest;
    }
    return row + (int)soonest;
}

/* Borders along the rows leave out whole rows. */
RW_FN int rw_row_possible(const rw_region *region, const rw_pixel_grid *grid, int row)
{
    double y = rw_pixel_y(grid, row);
    for (int i = 0; i < region->border_count; i++)
        if (region->borders[i].dy == 0.0 && !rw_border_holds(&region->borders[i], region->borders[i].x, y))
            return 0;
    return 1;
}

/* The array of events: every vertex at which a bound of the rows changes. Where rounding makes more of them than there
 * is room for, every pixel is asked. */
RW_FN void rw_scan_events(const rw_pixel_grid *grid, rw_raster_polygon *polygon)
{
    const rw_region *region = &polygon->region;
    int row = polygon->rows.first, end = polygon->rows.end;
    for (int i = 0; i < region->border_count; i++)
        polygon->unsure |= rw_border_along(&region->borders[i]) && region->borders[i].dy != 0.0;
    while (row < end && polygon->event_count < RW_EVENTS_MAX) {
        rw_scan_bound left = rw_scan_first(region, grid, row, 1), right = rw_scan_first(region, grid, row, 0);
        rw_scan_event *event = &polygon->events[polygon->event_count++];
        event->row = row;
        event->unused = 0;
        event->left = left.x;
        event->left_step = left.step;
        event->right = right.x;
        event->right_step = right.step;
        int left_row = left.border < 0 ? end : rw_scan_next(region, grid, row, end, 1, left);
        int right_row = right.border < 0 ? end : rw_scan_next(region, grid, row, end, 0, right);
        row = left_row < right_row ? left_row : right_row;
    }
    polygon->unsure |= row < end;
}

/* Prepares a polygon whose region is set. */
RW_FN void rw_raster_prepare(rw_raster_method method, const rw_pixel_grid *grid, rw_raster_polygon *polygon)
{
    polygon->rows = rw_region_rows(&polygon->region, grid);
    polygon->columns = rw_region_columns(&polygon->region, grid);
    while (polygon->rows.first < polygon->rows.end && !rw_row_possible(&polygon->region, grid, polygon->rows.first))
        polygon->rows.first++;
    while (polygon->rows.first < polygon->rows.end && !rw_row_possible(&polygon->region, grid, polygon->rows.end - 1))
        polygon->rows.end--;
    polygon->event_count = 0;
    polygon->unsure = 0;
    if (method == RW_RASTER_SCANLINE)
        rw_scan_events(grid, polygon);
}

/* Scanlines: whether a pixel lies between the bounds of its row. */
RW_FN int rw_scan_holds(const rw_raster_polygon *polygon, const rw_pixel_grid *grid, int column, int row)
{
    int at = 0;
    while (at + 1 < polygon->event_count && polygon->events[at + 1].row <= row)
        at++;
    const rw_scan_event *event = &polygon->events[at];
    double rows = (double)(row - event->row), x = rw_pixel_x(grid, column), y = rw_pixel_y(grid, row);
    double left = event->left + rows * event->left_step, right = event->right + rows * event->right_step;
    if (!polygon->unsure && (x < left - grid->res || x > right + grid->res))
        return 0;
    return (!polygon->unsure && x > left + grid->res && x < right - grid->res) ||
           rw_region_holds(&polygon->region, x, y);
}

/* A block of pixels over a polygon. */
typedef struct rw_raster_tile {
    rw_pixel_span columns, rows;
    rw_block_cover cover; /* what half spaces know of it; of scanlines it is always partly covered */
} rw_raster_tile;

RW_FN rw_pixel_span rw_tile_span(rw_pixel_span all, int index, int size)
{
    rw_pixel_span span;
    int begin = (all.first / size + index) * size;
    span.first = begin > all.first ? begin : all.first;
    span.end = begin + size < all.end ? begin + size : all.end;
    return span;
}

/* Blocks across or up that cover the pixels. */
RW_FN int rw_tile_count(rw_pixel_span all, int size)
{
    return all.first < all.end ? (all.end - 1) / size - all.first / size + 1 : 0;
}

RW_FN rw_raster_tile rw_raster_tile_at(const rw_raster_polygon *polygon, const rw_pixel_grid *grid,
                                       rw_raster_method method, const rw_raster_tiling *tiling, int column, int row)
{
    rw_raster_tile tile;
    tile.columns = rw_tile_span(polygon->columns, column, tiling->block_columns);
    tile.rows = rw_tile_span(polygon->rows, row, tiling->block_rows);
    tile.cover =
        method == RW_RASTER_SCANLINE
            ? RW_BLOCK_PARTLY
            : rw_region_block(&polygon->region, rw_pixel_x(grid, tile.columns.first), rw_pixel_y(grid, tile.rows.first),
                              rw_pixel_x(grid, tile.columns.end - 1), rw_pixel_y(grid, tile.rows.end - 1));
    return tile;
}

/* Whether the polygon has a pixel of a block. */
RW_FN int rw_raster_covers(const rw_raster_polygon *polygon, const rw_pixel_grid *grid, rw_raster_method method,
                           const rw_raster_tile *tile, int column, int row)
{
    if (method == RW_RASTER_SCANLINE)
        return rw_scan_holds(polygon, grid, column, row);
    return tile->cover == RW_BLOCK_INSIDE ||
           (tile->cover == RW_BLOCK_PARTLY &&
            rw_region_holds(&polygon->region, rw_pixel_x(grid, column), rw_pixel_y(grid, row)));
}

/* The pixels that one block of the grid finds in a polygon, one after the other; lanes share those of each block of
 * pixels. */
typedef struct rw_raster_walk {
    const rw_raster_polygon *polygon;
    const rw_pixel_grid *grid;
    rw_raster_method method;
    rw_raster_tiling tiling;
    int columns, rows;      /* blocks that cover the polygon */
    int first, column, row; /* where it begins in each row, and where it is */
    rw_raster_tile tile;
    int pixel; /* the next one of it */
} rw_raster_walk;

RW_FN void rw_raster_walk_enter(rw_raster_walk *walk)
{
    if (walk->row < walk->rows)
        walk->tile = rw_raster_tile_at(walk->polygon, walk->grid, walk->method, &walk->tiling, walk->column, walk->row);
    walk->pixel = rw_lane();
}

/* Begins for one block of the grid: 0 to grid_columns grid_rows - 1. */
RW_FN rw_raster_walk rw_raster_walk_begin(const rw_raster_polygon *polygon, const rw_pixel_grid *grid,
                                          rw_raster_method method, const rw_raster_tiling *tiling, int block)
{
    rw_raster_walk walk;
    walk.polygon = polygon;
    walk.grid = grid;
    walk.method = method;
    walk.tiling = *tiling;
    walk.columns = rw_tile_count(polygon->columns, tiling->block_columns);
    walk.rows = rw_tile_count(polygon->rows, tiling->block_rows);
    walk.first = walk.column = block % tiling->grid_columns;
    walk.row = walk.column < walk.columns ? block / tiling->grid_columns : walk.rows;
    rw_raster_walk_enter(&walk);
    return walk;
}

/* The next block of pixels. */
RW_FN void rw_raster_walk_on(rw_raster_walk *walk)
{
    walk->column += walk->tiling.grid_columns;
    if (walk->column >= walk->columns) {
        walk->column = walk->first;
        walk->row += walk->tiling.grid_rows;
    }
    rw_raster_walk_enter(walk);
}

/* The next pixel of the polygon. Returns 0 behind the last. */
RW_FN int rw_raster_walk_next(rw_raster_walk *walk, int *column, int *row)
{
    while (walk->row < walk->rows) {
        const rw_raster_tile *tile = &walk->tile;
        int wide = tile->columns.end - tile->columns.first, count = wide * (tile->rows.end - tile->rows.first);
        while (tile->cover != RW_BLOCK_OUTSIDE && walk->pixel < count) {
            *column = tile->columns.first + walk->pixel % wide;
            *row = tile->rows.first + walk->pixel / wide;
            walk->pixel += rw_lane_count();
            if (rw_raster_covers(walk->polygon, walk->grid, walk->method, tile, *column, *row))
                return 1;
        }
        rw_raster_walk_on(walk);
    }
    return 0;
}

#endif
