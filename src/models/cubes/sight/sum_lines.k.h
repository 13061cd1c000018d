/* The cubes paper's benchmark (section VI): a line from one cell of a square grid to each of its cells, and the sum of
 * the four numbers in every cell on the way, both ends among them. One item is one cell.
 *
 * sum_lines follows each line from the source. sum_supercubes is Algorithms 1 and 2: one launch a ring of blocks, each
 * line goes on from the sum of the cell where it enters its ring, so that no item takes more than `block` steps.
 *
 * Counted for 512 x 512: 171 steps a line, each 16 bytes read and 4 additions; with blocks of M cells M / 2 steps, one
 * sum read and one written. A launch is a ring. Neighbouring cells go nearly the same way, so the bytes come from the
 * nearest cache: its rate is the limit, not that of memory. */
#ifndef RW_MODELS_CUBES_SIGHT_SUM_LINES_K_H
#define RW_MODELS_CUBES_SIGHT_SUM_LINES_K_H

#include "base/kernel/qualifiers.h"
#include <stddef.h>

/* One 16-byte load. */
typedef struct rw_four {
#ifdef __CUDACC__
    alignas(16) float a;
#else
    _Alignas(16) float a;
#endif
    float b, c, d;
} rw_four;

/* Shares of lines are 2^32 d / n; with a table of 2^42 / n, rounded up, they need no division. Their error, d 2^-42 of
 * a step rounded up, stays below 1 / 2n over n steps for n < 2^13. */
#define RW_SUM_TABLE_SHIFT 42

typedef struct rw_sum_grid {
    int side;
    int pitch;                /* from a row to the next: a power of two would put a column into few sets of a cache */
    int x, y;                 /* of the source */
    const uint64_t *per_step; /* [n] = 2^42 / n, rounded up; up to the longest line */
    const rw_four *cells;     /* row after row */
    rw_four *sums;
    size_t grids;  /* that are solved side by side, one after the other in cells and sums: a GPU is too large for one */
    rw_four *ends; /* room for rw_sum_ends_capacity of all grids; NULL: supercubes go ring by ring */
} rw_sum_grid;

/* A rectangle of cells. */
typedef struct rw_sum_box {
    uint32_t x, y, width, height;
} rw_sum_box;

/* One of the grids. */
RW_FN rw_sum_grid rw_sum_grid_of(const rw_sum_grid *grid, size_t number)
{
    rw_sum_grid one = *grid;
    size_t cells = (size_t)grid->pitch * (size_t)grid->side;
    one.cells += number * cells;
    one.sums += number * cells;
    return one;
}

struct rw_sum_lines_args {
    rw_sum_grid grid;
};

struct rw_sum_supercubes_args {
    rw_sum_grid grid;
    int start;           /* steps before the ring */
    uint32_t items;      /* of one grid */
    uint32_t run;        /* cells of a row that one item takes */
    rw_sum_box boxes[4]; /* the ring, cut off at the grid's edge */
};

/* As wide as multiplies at full speed. */
#ifdef __CUDACC__
typedef int rw_sum_stride;
#else
typedef ptrdiff_t rw_sum_stride;
#endif

/* A line in the plane: from the source, the way of one step on its long axis, the sign and share on the other. */
typedef struct rw_sum_line {
    int steps;
    rw_sum_stride long_stride, short_stride; /* in floats of the array */
    uint64_t fraction;
} rw_sum_line;

RW_FN rw_sum_line rw_sum_line_of(const rw_sum_grid *grid, int x, int y)
{
    int dx = x - grid->x, dy = y - grid->y;
    int across = dx < 0 ? -dx : dx, up = dy < 0 ? -dy : dy;
    int x_stride = dx < 0 ? -4 : 4, y_stride = dy < 0 ? -4 * grid->pitch : 4 * grid->pitch;
    int flat = across > up;
    rw_sum_line line;
    line.steps = flat ? across : up;
    line.long_stride = flat ? x_stride : y_stride;
    line.short_stride = flat ? y_stride : x_stride;
    uint64_t product = (uint64_t)(flat ? up : across) * grid->per_step[line.steps];
    line.fraction = (product + ((1u << (RW_SUM_TABLE_SHIFT - 32)) - 1u)) >> (RW_SUM_TABLE_SHIFT - 32);
    return line;
}

RW_FN rw_four rw_four_add(rw_four p, rw_four q)
{
    rw_four sum = {p.a + q.a, p.b + q.b, p.c + q.c, p.d + q.d};
    return sum;
}

RW_FN rw_four rw_four_at(const float *cells, rw_sum_stride offset)
{
    return *(const rw_four *)(cells + offset);
}

#ifdef __CUDACC__
#define RW_SUM_AHEAD 8

/* Adds the cells of the next steps to four sums, `left` of them or RW_SUM_AHEAD. All are loaded before one is added: a
 * thread of a GPU waits for memory longer than for anything else. */
RW_FN void rw_sum_next(const float *at, const rw_sum_line *line, uint64_t off, int left, rw_four sums[4])
{
    rw_four ahead[RW_SUM_AHEAD], zero = {0.0f, 0.0f, 0.0f, 0.0f};
#pragma unroll
    for (int i = 0; i < RW_SUM_AHEAD; i++)
        ahead[i] = i < left
                       ? rw_four_at(at + i * line->long_stride,
                                    (rw_sum_stride)((off + (uint64_t)i * line->fraction) >> 32) * line->short_stride)
                       : zero;
#pragma unroll
    for (int i = 0; i < RW_SUM_AHEAD; i++)
        sums[i % 4] = rw_four_add(sums[i % 4], ahead[i]);
}

/* Sum of the cells at steps first to the end. */
RW_FN rw_four rw_sum_steps(const rw_sum_grid *grid, const rw_sum_line *line, int first)
{
    rw_four zero = {0.0f, 0.0f, 0.0f, 0.0f}, sums[4] = {zero, zero, zero, zero};
    const float *at =
        &grid->cells[(size_t)grid->y * (size_t)grid->pitch + (size_t)grid->x].a + first * line->long_stride;
    uint64_t off = line->fraction * (uint64_t)first + 0x80000000u;
    int left = line->steps - first + 1;
    for (; left >= RW_SUM_AHEAD; left -= RW_SUM_AHEAD) {
        rw_sum_next(at, line, off, RW_SUM_AHEAD, sums);
        off += RW_SUM_AHEAD * line->fraction;
        at += RW_SUM_AHEAD * line->long_stride;
    }
    if (left > 0)
        rw_sum_next(at, line, off, left, sums);
    return rw_four_add(rw_four_add(sums[0], sums[1]), rw_four_add(sums[2], sums[3]));
}
#else
/* Sum of the cells at steps first to the end. Four sums at once, since each addition waits for the one before. */
RW_FN rw_four rw_sum_steps(const rw_sum_grid *grid, const rw_sum_line *line, int first)
{
    rw_four s0 = {0.0f, 0.0f, 0.0f, 0.0f}, s1 = s0, s2 = s0, s3 = s0, rest = s0;
    rw_sum_stride along = line->long_stride, across = line->short_stride;
    const float *at = &grid->cells[(size_t)grid->y * (size_t)grid->pitch + (size_t)grid->x].a + first * along;
    uint64_t fraction = line->fraction, off = fraction * (uint64_t)first + 0x80000000u;
    int step = first;
    for (; step + 3 <= line->steps; step += 4) {
        uint64_t off1 = off + fraction, off2 = off + 2u * fraction, off3 = off1 + 2u * fraction;
        s0 = rw_four_add(s0, rw_four_at(at, (rw_sum_stride)(off >> 32) * across));
        s1 = rw_four_add(s1, rw_four_at(at + along, (rw_sum_stride)(off1 >> 32) * across));
        s2 = rw_four_add(s2, rw_four_at(at + 2 * along, (rw_sum_stride)(off2 >> 32) * across));
        s3 = rw_four_add(s3, rw_four_at(at + 3 * along, (rw_sum_stride)(off3 >> 32) * across));
        off += 4u * fraction;
        at += 4 * along;
    }
    for (; step <= line->steps; step++) {
        rest = rw_four_add(rest, rw_four_at(at, (rw_sum_stride)(off >> 32) * across));
        off += fraction;
        at += along;
    }
    return rw_four_add(rw_four_add(rw_four_add(s0, s1), rw_four_add(s2, s3)), rest);
}
#endif

RW_FN void rw_sum_lines_item(const struct rw_sum_lines_args *args, size_t item)
{
    uint32_t side = (uint32_t)args->grid.side, number = (uint32_t)item / (side * side);
    uint32_t cell = (uint32_t)item - number * side * side, y = cell / side, x = cell - y * side;
    rw_sum_grid grid = rw_sum_grid_of(&args->grid, number);
    rw_sum_line line = rw_sum_line_of(&grid, (int)x, (int)y);
    grid.sums[(size_t)y * (size_t)grid.pitch + x] = rw_sum_steps(&grid, &line, 0);
}

RW_FN void rw_sum_supercube_cell(const rw_sum_grid *grid, int start, int x, int y)
{
    rw_sum_line line = rw_sum_line_of(grid, x, y);
    rw_four *own = grid->sums + ((size_t)y * (size_t)grid->pitch + (size_t)x);
    if (start == 0) {
        *own = rw_sum_steps(grid, &line, 0);
        return;
    }
    int before = start - 1;
    const float *source = &grid->sums[(size_t)grid->y * (size_t)grid->pitch + (size_t)grid->x].a;
    uint64_t off = line.fraction * (uint64_t)before + 0x80000000u;
    rw_four earlier = rw_four_at(source + before * line.long_stride, (rw_sum_stride)(off >> 32) * line.short_stride);
    *own = rw_four_add(earlier, rw_sum_steps(grid, &line, start));
}

RW_FN void rw_sum_supercubes_item(const struct rw_sum_supercubes_args *args, size_t item)
{
    uint32_t number = (uint32_t)item / args->items, left = (uint32_t)item - number * args->items, runs = 1u;
    rw_sum_grid grid = rw_sum_grid_of(&args->grid, number);
    int box = 0;
    for (; box < 4; box++) {
        runs = (args->boxes[box].width + args->run - 1u) / args->run;
        if (left < runs * args->boxes[box].height)
            break;
        left -= runs * args->boxes[box].height;
    }
    uint32_t row = left / runs, first = (left - row * runs) * args->run, end = first + args->run;
    end = end < args->boxes[box].width ? end : args->boxes[box].width;
    for (uint32_t i = first; i < end; i++)
        rw_sum_supercube_cell(&grid, args->start, (int)(args->boxes[box].x + i), (int)(args->boxes[box].y + row));
}

#endif
