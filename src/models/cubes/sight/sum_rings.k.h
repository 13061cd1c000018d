/* Supercubes without waiting from ring to ring: the same sums as sum_supercubes in two launches, for a GPU.
 *
 * The line of a cell goes on from the sum of the cell where it enters its ring, at the end of the ring before, and that
 * from the next. Only the sums at the ends of rings are asked for again, one cell in M, and which cells a line comes
 * through follows from whole numbers alone. So sum_ring_ends sums the whole chain of each of those cells at once,
 * shared among RW_SUM_SLICES items because chains are long and ends are few, and sum_from_ends then takes every cell's
 * own ring. In floats only the order of additions differs.
 *
 * Counted for n cells from the source to the edge: M / 2 loads a cell in its ring, RW_SUM_SLICES of the end before, and
 * 2 n / 3 M for the chains: 25 in all for n = 256 and M = 16, 16 bytes each, from the nearest cache. Two launches
 * whatever n is; ring by ring it is n / M, and a launch takes as long as 50 000 cells. */
#ifndef RW_MODELS_CUBES_SIGHT_SUM_RINGS_K_H
#define RW_MODELS_CUBES_SIGHT_SUM_RINGS_K_H

#include "models/cubes/sight/sum_lines.k.h"

#define RW_SUM_SLICES 4u

/* A place seen from the source. */
typedef struct rw_sum_offset {
    int x, y;
} rw_sum_offset;

/* Where a line is at a step. */
RW_FN rw_sum_offset rw_sum_line_at(const rw_sum_line *line, rw_sum_offset end, int step)
{
    int across = end.x < 0 ? -end.x : end.x, up = end.y < 0 ? -end.y : end.y, flat = across > up;
    int short_steps = (int)((line->fraction * (uint64_t)step + 0x80000000u) >> 32);
    int x = flat ? step : short_steps, y = flat ? short_steps : step;
    rw_sum_offset at = {end.x < 0 ? -x : x, end.y < 0 ? -y : y};
    return at;
}

/* The ends of ring r are the 8 d cells at distance d = (r + 1) M - 1: lower row, upper row, left and right columns. */
RW_FN uint32_t rw_sum_end_number(rw_sum_offset at, int distance)
{
    int number = at.y == -distance  ? at.x + distance
                 : at.y == distance ? at.x + 3 * distance + 1
                 : at.x < 0         ? at.y + 5 * distance + 1
                                    : at.y + 7 * distance;
    return (uint32_t)number;
}

RW_FN rw_sum_offset rw_sum_end_offset(uint32_t number, int distance)
{
    int n = (int)number, row = 2 * distance + 1, column = 2 * distance - 1, left = n - 2 * row;
    rw_sum_offset at;
    at.x = n < row ? n - distance : n < 2 * row ? n - row - distance : left < column ? -distance : distance;
    at.y = n < row ? -distance : n < 2 * row ? distance : (left < column ? left : left - column) - distance + 1;
    return at;
}

/* Ends of all rings before this one: 8 (M - 1) + 8 (2 M - 1) + ... */
RW_FN uint32_t rw_sum_ends_before(uint32_t ring, uint32_t block)
{
    return 8u * (block * (ring * (ring + 1u) / 2u) - ring);
}

/* One item is a share of the chain of one end: outer rings and share 0 first. */
struct rw_sum_ring_ends_args {
    rw_sum_grid grid;
    uint32_t block, rings; /* whose ends are wanted: all but the last */
    uint32_t items;        /* of one grid: RW_SUM_SLICES of each end */
};

/* Sum of one share of the chain that begins at an end. */
RW_FN rw_four rw_sum_chain(const rw_sum_grid *grid, rw_sum_offset at, int ring, int block, int slice)
{
    rw_four sum = {0.0f, 0.0f, 0.0f, 0.0f};
    int after = ring - (ring + 1) * slice / (int)RW_SUM_SLICES;       /* rings to take: this one and farther in, */
    int until = ring - (ring + 1) * (slice + 1) / (int)RW_SUM_SLICES; /* up to this one, which is not */
    for (int now = ring; now > until; now--) {
        rw_sum_line line = rw_sum_line_of(grid, grid->x + at.x, grid->y + at.y);
        if (now <= after)
            sum = rw_four_add(sum, rw_sum_steps(grid, &line, now * block));
        at = rw_sum_line_at(&line, at, now > 0 ? now * block - 1 : 0);
    }
    return sum;
}

RW_FN void rw_sum_ring_ends_item(const struct rw_sum_ring_ends_args *args, size_t item)
{
    uint32_t number = (uint32_t)item / args->items, left = (uint32_t)item - number * args->items;
    uint32_t ring = args->rings - 1u, distance = args->rings * args->block - 1u;
    rw_sum_grid grid = rw_sum_grid_of(&args->grid, number);
    for (; left >= 8u * RW_SUM_SLICES * distance; distance -= args->block, ring--)
        left -= 8u * RW_SUM_SLICES * distance;
    uint32_t slice = left / (8u * distance), end = left - slice * 8u * distance;
    rw_sum_offset at = rw_sum_end_offset(end, (int)distance);
    int x = grid.x + at.x, y = grid.y + at.y;
    if (x < 0 || y < 0 || x >= grid.side || y >= grid.side)
        return;
    uint32_t slot = RW_SUM_SLICES * rw_sum_ends_before(ring, args->block) + slice * 8u * distance + end;
    grid.ends[(size_t)number * args->items + slot] = rw_sum_chain(&grid, at, (int)ring, (int)args->block, (int)slice);
}

/* One item is one cell. */
struct rw_sum_from_ends_args {
    rw_sum_grid grid;
    uint32_t block, items; /* as in rw_sum_ring_ends_args */
    uint64_t per_block;    /* 2^42 / block, rounded up */
};

RW_FN void rw_sum_from_ends_item(const struct rw_sum_from_ends_args *args, size_t item)
{
    uint32_t side = (uint32_t)args->grid.side, number = (uint32_t)item / (side * side);
    uint32_t cell = (uint32_t)item - number * side * side, y = cell / side, x = cell - y * side;
    rw_sum_grid grid = rw_sum_grid_of(&args->grid, number);
    rw_sum_line line = rw_sum_line_of(&grid, (int)x, (int)y);
    uint32_t ring = (uint32_t)(((uint64_t)line.steps * args->per_block) >> RW_SUM_TABLE_SHIFT);
    rw_four sum = {0.0f, 0.0f, 0.0f, 0.0f};
    if (ring > 0) {
        rw_sum_offset to = {(int)x - grid.x, (int)y - grid.y};
        uint32_t distance = ring * args->block - 1u;
        rw_sum_offset at = rw_sum_line_at(&line, to, (int)distance);
        const rw_four *ends = grid.ends + (size_t)number * args->items +
                              RW_SUM_SLICES * rw_sum_ends_before(ring - 1u, args->block) +
                              rw_sum_end_number(at, (int)distance);
        for (uint32_t slice = 0; slice < RW_SUM_SLICES; slice++)
            sum = rw_four_add(sum, ends[(size_t)slice * 8u * distance]);
    }
    grid.sums[(size_t)y * (size_t)grid.pitch + x] =
        rw_four_add(sum, rw_sum_steps(&grid, &line, (int)(ring * args->block)));
}

#endif
