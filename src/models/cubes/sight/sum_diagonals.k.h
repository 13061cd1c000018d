/* The cubes paper's benchmark by Algorithms 1 and 2 as they are printed (supercube.k.h): one launch for each diagonal
 * of supercubes, one item a cell of it. The line to a cell goes on from the sum at its start q, so an item reads at
 * most M cells and one sum. The paper draws into one of two buffers and copies the other into it; no start lies in the
 * diagonal being drawn, so one buffer does. */
#ifndef RW_MODELS_CUBES_SIGHT_SUM_DIAGONALS_K_H
#define RW_MODELS_CUBES_SIGHT_SUM_DIAGONALS_K_H

#include "models/cubes/sight/sum_lines.k.h"
#include "models/cubes/sight/supercube.k.h"

struct rw_sum_diagonals_args {
    rw_sum_grid grid;
    int block;       /* M */
    int pass;        /* of Algorithm 1 */
    uint32_t first;  /* least |l.x| in it */
    uint32_t count;  /* supercubes of it in each of the four quadrants */
    uint32_t extent; /* cells a side of a supercube that the grid has: M or less */
    uint32_t items;  /* of one grid: 4 count extent^2 */
};

/* Cell of an item relative to the source. */
RW_FN void rw_sum_diagonal_cell(const struct rw_sum_diagonals_args *args, uint32_t item, int to[RW_SUPERCUBE_AXES])
{
    uint32_t extent = args->extent, supercube = item / (extent * extent), cell = item - supercube * extent * extent;
    uint32_t quadrant = supercube / args->count, row = cell / extent;
    int l_x = (int)(args->first + supercube - quadrant * args->count), l_y = args->pass - l_x;
    int x = l_x * args->block + (int)(cell - row * extent), y = l_y * args->block + (int)row;
    to[0] = quadrant & 1u ? -1 - x : x;
    to[1] = quadrant & 2u ? -1 - y : y;
    to[2] = 0;
}

RW_FN void rw_sum_diagonals_item(const struct rw_sum_diagonals_args *args, size_t item)
{
    uint32_t number = (uint32_t)item / args->items;
    rw_sum_grid grid = rw_sum_grid_of(&args->grid, number), from = grid;
    int to[RW_SUPERCUBE_AXES], start[RW_SUPERCUBE_AXES];
    rw_sum_diagonal_cell(args, (uint32_t)item - number * args->items, to);
    int x = grid.x + to[0], y = grid.y + to[1];
    if (x < 0 || y < 0 || x >= grid.side || y >= grid.side)
        return;
    int first = rw_supercube_start(to, 2, args->block, start);
    from.x = grid.x + start[0];
    from.y = grid.y + start[1];
    rw_sum_line line = rw_sum_line_of(&from, x, y);
    rw_four sum = rw_sum_steps(&from, &line, first ? 0 : 1);
    if (!first)
        sum = rw_four_add(grid.sums[(size_t)from.y * (size_t)grid.pitch + (size_t)from.x], sum);
    grid.sums[(size_t)y * (size_t)grid.pitch + (size_t)x] = sum;
}

#endif
