/* A whole line-of-sight map of one source by its polar buffer, for one CPU thread: one item is one source.
 *
 * Walls are entered from near to far, ring by ring of the wall grid, and only where a direction is still open; blocks
 * of receivers are answered as a whole where the buffer covers them, and only what remains is looked at cell by cell.
 */
#ifndef RW_VISIBILITY_LOS_POLAR_POLAR_MAP_K_H
#define RW_VISIBILITY_LOS_POLAR_POLAR_MAP_K_H

#include "visibility/los/march_walls.k.h"
#include "visibility/los/polar/polar.k.h"

/* Extremes over aligned runs of bins: level l has RW_POLAR_BINS >> l entries. */
typedef struct rw_polar_pyramid {
    float hidden_max[2 * RW_POLAR_BINS];
} rw_polar_pyramid;

/* Working memory of one thread. */
typedef struct rw_polar_scratch {
    rw_polar_bins bins;
    rw_polar_pyramid pyramid;
    uint8_t *entered; /* for each wall: 1 where it was entered */
} rw_polar_scratch;

struct rw_polar_map_args {
    rw_los_arrays all;
    rw_polar_scratch *scratch; /* one a thread */
};

RW_FN size_t rw_pyramid_level(int level)
{
    return 2 * (size_t)RW_POLAR_BINS - (2 * (size_t)RW_POLAR_BINS >> level);
}

RW_FN void rw_pyramid_build(const rw_polar_bins *bins, rw_polar_pyramid *pyramid)
{
    for (int i = 0; i < RW_POLAR_BINS; i++) {
        pyramid->hidden_max[i] = rw_bits_float(bins->hidden_bits[i]);
    }
    for (int level = 1; level < RW_POLAR_LEVELS; level++) {
        size_t below = rw_pyramid_level(level - 1), here = rw_pyramid_level(level);
        for (int i = 0; i < RW_POLAR_BINS >> level; i++) {
            size_t a = below + 2 * (size_t)i;
            float first = pyramid->hidden_max[a], second = pyramid->hidden_max[a + 1];
            pyramid->hidden_max[here + (size_t)i] = first > second ? first : second;
        }
    }
}

/* Whether everything in the box lies beyond the start of an endless shadow: from at most three entries of one level. */
RW_FN int rw_pyramid_hides(const rw_polar_pyramid *pyramid, const rw_polar_box *box)
{
    int level = 0;
    while ((box->last_bin - box->first_bin) >> level > 1)
        level++;
    size_t base = rw_pyramid_level(level);
    float hidden = 0.0f;
    for (int i = box->first_bin >> level; i <= box->last_bin >> level; i++) {
        float at = pyramid->hidden_max[base + (size_t)(i & ((RW_POLAR_BINS >> level) - 1))];
        hidden = at > hidden ? at : hidden;
    }
    return box->near_range * 0.9999f > hidden;
}

/* Enters the walls of one cell of the wall grid, unless all of it is hidden. */
RW_FN void rw_polar_enter_cell(const rw_los_arrays *all, rw_polar_scratch *scratch, const rw_polar_source *source,
                               int column, int row)
{
    const rw_wall_grid_view *grid = &all->grid;
    size_t cell = (size_t)row * (size_t)grid->columns + (size_t)column;
    uint32_t first = grid->cells[cell].first, end = grid->cells[cell + 1].first;
    if (first == end)
        return;
    float west = (float)((double)grid->x0 + (double)column * (double)grid->cell_m - source->x) - 0.01f;
    float south = (float)((double)grid->y0 + (double)row * (double)grid->cell_m - source->y) - 0.01f;
    rw_polar_box box;
    if (rw_polar_box_init(west, south, west + grid->cell_m + 0.02f, south + grid->cell_m + 0.02f, &box) &&
        rw_pyramid_hides(&scratch->pyramid, &box))
        return;
    for (uint32_t i = first; i < end; i++) {
        uint32_t number = grid->entries[i].wall;
        if (scratch->entered[number])
            continue;
        scratch->entered[number] = 1;
        rw_polar_reach reach =
            rw_polar_reach_of(source, (float)grid->exact[number].bottom, (float)grid->exact[number].top);
        if (reach.max <= 0.0f)
            continue;
        rw_polar_wall wall = rw_polar_wall_of(source, grid->exact + number);
        rw_polar_enter_ends(&wall, reach, &scratch->bins);
        rw_polar_enter_spanned(&wall, reach, rw_polar_first_inner(&wall), rw_polar_last_inner(&wall), &scratch->bins);
    }
}

RW_FN void rw_polar_enter_ring(const rw_los_arrays *all, rw_polar_scratch *scratch, const rw_polar_source *source,
                               int column, int row, int ring)
{
    const rw_wall_grid_view *grid = &all->grid;
    int west = column - ring, east = column + ring, south = row - ring, north = row + ring;
    for (int c = west < 0 ? 0 : west; c <= (east < grid->columns ? east : grid->columns - 1); c++) {
        if (south >= 0 && south < grid->rows)
            rw_polar_enter_cell(all, scratch, source, c, south);
        if (ring && north >= 0 && north < grid->rows)
            rw_polar_enter_cell(all, scratch, source, c, north);
    }
    for (int r = south + 1 < 0 ? 0 : south + 1; r <= (north - 1 < grid->rows ? north - 1 : grid->rows - 1); r++) {
        if (west >= 0 && west < grid->columns)
            rw_polar_enter_cell(all, scratch, source, west, r);
        if (east >= 0 && east < grid->columns)
            rw_polar_enter_cell(all, scratch, source, east, r);
    }
}

/* Number of a cell along one axis. A source far off the grid counts as nearer, which only costs rings. */
RW_FN int rw_polar_cell(double offset_m, float cell_m)
{
    const double cell_limit = 1 << 28;
    double cell = floor(offset_m / (double)cell_m);
    return (int)(cell < -cell_limit ? -cell_limit : cell > cell_limit ? cell_limit : cell);
}

/* Rings round a cell that do not reach the grid. */
RW_FN int rw_polar_rings_before(int column, int row, const rw_wall_grid_view *grid)
{
    int across = column < 0 ? -column : column >= grid->columns ? column - grid->columns + 1 : 0;
    int along = row < 0 ? -row : row >= grid->rows ? row - grid->rows + 1 : 0;
    return across > along ? across : along;
}

/* Near to far until every direction is covered nearer than the ring, or the grid ends. */
RW_FN void rw_polar_build_map(const rw_los_arrays *all, rw_polar_scratch *scratch, const rw_polar_source *source)
{
    const rw_wall_grid_view *grid = &all->grid;
    for (size_t i = 0; i < grid->wall_count; i++)
        scratch->entered[i] = 0;
    for (int i = 0; i < RW_POLAR_BINS; i++) {
        scratch->bins.clear_bits[i] = scratch->bins.hidden_bits[i] = rw_float_bits(RW_POLAR_FAR);
        for (int word = 0; word < RW_POLAR_WORDS; word++)
            scratch->bins.sure[i][word] = scratch->bins.maybe[i][word] = 0;
    }
    rw_pyramid_build(&scratch->bins, &scratch->pyramid);
    int column = rw_polar_cell(source->x - (double)grid->x0, grid->cell_m);
    int row = rw_polar_cell(source->y - (double)grid->y0, grid->cell_m);
    int first = rw_polar_rings_before(column, row, grid), next_check = first + 3;
    for (int ring = first;; ring++) {
        if (column - ring < 0 && column + ring >= grid->columns && row - ring < 0 && row + ring >= grid->rows)
            break;
        rw_polar_enter_ring(all, scratch, source, column, row, ring);
        if (ring < next_check)
            continue;
        rw_pyramid_build(&scratch->bins, &scratch->pyramid);
        next_check = ring + 1 + (ring - first) / 3;
        float open = 0.0f;
        for (int i = 0; i < RW_POLAR_BINS >> (RW_POLAR_LEVELS - 1); i++) {
            size_t at = rw_pyramid_level(RW_POLAR_LEVELS - 1) + (size_t)i;
            open = fmaxf(open, scratch->pyramid.hidden_max[at]);
        }
        if (open < (float)ring * grid->cell_m)
            break;
    }
    rw_pyramid_build(&scratch->bins, &scratch->pyramid);
}

#define RW_POLAR_BLOCK 8

/* Answers the cells of a block one by one. */
RW_FN void rw_polar_answer_cells(const rw_los_arrays *all, const rw_polar_scratch *scratch, size_t index,
                                 size_t column0, size_t row0, size_t column1, size_t row1)
{
    const rw_receivers_view *receivers = &all->receivers;
    int may_be_clear = !all->grid.posts && !all->grid.node_count;
    float west = (float)(receivers->x0_m - all->sources[index].x + (double)column0 * receivers->res_m);
    float res = (float)receivers->res_m;
    for (size_t row = row0; row < row1; row++) {
        float y = (float)(receivers->y0_m - all->sources[index].y + (double)row * receivers->res_m);
        for (size_t column = column0; column < column1; column++) {
            size_t cell = row * receivers->columns + column;
            float x = west + (float)(column - column0) * res, range = fabsf(x) + fabsf(y);
            int bin = (int)rw_polar_angle(x, y, 1.0f / (range + 1e-30f)) & (RW_POLAR_BINS - 1);
            if (receivers->indoor[cell])
                continue;
            int answer = rw_polar_answer(&scratch->bins, bin, range, may_be_clear);
            if (answer < 0) {
                rw_sight sight = rw_sight_of(&all->grid, rw_receiver_point(receivers, cell), all->sources[index]);
                answer = rw_march_clear(&all->grid, &sight);
            }
            all->los[index * receivers->columns * receivers->rows + cell] = (uint8_t)answer;
        }
    }
}

/* Blocks of one size: 1 answered as a whole (los holds the answer), 0 to be looked at closer. */
RW_FN int rw_polar_block_covered(const rw_los_arrays *all, const rw_polar_scratch *scratch, size_t index,
                                 size_t column0, size_t row0, size_t column1, size_t row1)
{
    const rw_receivers_view *receivers = &all->receivers;
    double x0 = receivers->x0_m - all->sources[index].x, y0 = receivers->y0_m - all->sources[index].y;
    rw_polar_box box;
    if (!rw_polar_box_init((float)(x0 + (double)column0 * receivers->res_m),
                           (float)(y0 + (double)row0 * receivers->res_m),
                           (float)(x0 + (double)(column1 - 1) * receivers->res_m),
                           (float)(y0 + (double)(row1 - 1) * receivers->res_m), &box))
        return 0;
    return rw_pyramid_hides(&scratch->pyramid, &box);
}

RW_FN void rw_polar_answer_block(const rw_los_arrays *all, const rw_polar_scratch *scratch, size_t index,
                                 size_t column0, size_t row0, size_t column1, size_t row1)
{
    for (size_t row = row0; row < row1; row += RW_POLAR_BLOCK)
        for (size_t column = column0; column < column1; column += RW_POLAR_BLOCK) {
            size_t column_end = column + RW_POLAR_BLOCK < column1 ? column + RW_POLAR_BLOCK : column1;
            size_t row_end = row + RW_POLAR_BLOCK < row1 ? row + RW_POLAR_BLOCK : row1;
            if (!rw_polar_block_covered(all, scratch, index, column, row, column_end, row_end))
                rw_polar_answer_cells(all, scratch, index, column, row, column_end, row_end);
        }
}

RW_FN void rw_polar_map_item(const struct rw_polar_map_args *args, size_t item)
{
    const rw_los_arrays *all = &args->all;
    const rw_receivers_view *receivers = &all->receivers;
    rw_polar_scratch *scratch = args->scratch + rw_worker_index();
    rw_polar_source source = rw_polar_source_of(all, item);
    size_t cells = receivers->columns * receivers->rows, large = 8 * RW_POLAR_BLOCK;
    uint8_t *los = all->los + item * cells;
    for (size_t i = 0; i < cells; i++)
        los[i] = receivers->indoor[i] ? los[i] : 0;
    rw_polar_build_map(all, scratch, &source);
    for (size_t row = 0; row < receivers->rows; row += large)
        for (size_t column = 0; column < receivers->columns; column += large) {
            size_t column_end = column + large < receivers->columns ? column + large : receivers->columns;
            size_t row_end = row + large < receivers->rows ? row + large : receivers->rows;
            if (!rw_polar_block_covered(all, scratch, item, column, row, column_end, row_end))
                rw_polar_answer_block(all, scratch, item, column, row, column_end, row_end);
        }
}

#endif
