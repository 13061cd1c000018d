/* The benchmark's sums along lines, by whole lines, rings or diagonals of supercubes. */
#include "models/cubes/sight/sight.h"

static int find_farthest_index(int at, int count)
{
    return at > count - 1 - at ? at : count - 1 - at;
}

uint64_t rw_sum_per_step(int n)
{
    return ((UINT64_C(1) << RW_SUM_TABLE_SHIFT) + (uint64_t)n - 1) / (uint64_t)n;
}

/* Cells first to last in x and y, as far as they are in the grid. */
static rw_sum_box clip_sum_box(const rw_sum_grid *grid, int x0, int y0, int x1, int y1)
{
    int last = grid->side - 1;
    x0 = x0 < 0 ? 0 : x0;
    y0 = y0 < 0 ? 0 : y0;
    x1 = x1 > last ? last : x1;
    y1 = y1 > last ? last : y1;
    rw_sum_box none = {0, 0, 1, 0};
    rw_sum_box box = {(uint32_t)x0, (uint32_t)y0, (uint32_t)(x1 - x0 + 1), (uint32_t)(y1 - y0 + 1)};
    return x1 < x0 || y1 < y0 ? none : box;
}

static int longest_line(const rw_sum_grid *grid)
{
    int across = find_farthest_index(grid->x, grid->side), up = find_farthest_index(grid->y, grid->side);
    return across > up ? across : up;
}

size_t rw_sum_ends_capacity(const rw_sum_grid *grid, int block)
{
    uint32_t rings = (uint32_t)(longest_line(grid) / block); /* all but the last */
    return RW_SUM_SLICES * (size_t)rw_sum_ends_before(rings, (uint32_t)block);
}

/* Ends of all rings at once, then all cells. */
static rw_status sum_from_ends(rw_context *context, rw_backend backend, const rw_sum_grid *grid, int block)
{
    size_t capacity = rw_sum_ends_capacity(grid, block);
    struct rw_sum_ring_ends_args ends = {*grid, (uint32_t)block, (uint32_t)(longest_line(grid) / block),
                                         (uint32_t)capacity};
    struct rw_sum_from_ends_args cells = {*grid, (uint32_t)block, (uint32_t)capacity, rw_sum_per_step(block)};
    if (capacity > 0)
        RW_TRY(rw_device_launch(context, backend, RW_KERNEL_sum_ring_ends, &ends, grid->grids * capacity));
    return rw_device_launch(context, backend, RW_KERNEL_sum_from_ends, &cells,
                            grid->grids * (size_t)grid->side * (size_t)grid->side);
}

rw_status rw_sum(rw_context *context, rw_backend backend, const rw_sum_grid *grid, int block)
{
    if (block > 1 && grid->ends)
        return sum_from_ends(context, backend, grid, block);
    if (block == 0) {
        struct rw_sum_lines_args args = {*grid};
        return rw_device_launch(context, backend, RW_KERNEL_sum_lines, &args,
                                grid->grids * (size_t)grid->side * (size_t)grid->side);
    }
    int x = grid->x, y = grid->y, longest = longest_line(grid);
    for (int start = 0; start <= longest; start += block) {
        int end = start + block - 1;
        struct rw_sum_supercubes_args args = {.grid = *grid, .start = start, .run = backend == RW_BACKEND_CPU ? 64 : 1};
        if (start == 0) {
            args.boxes[0] = clip_sum_box(grid, x - end, y - end, x + end, y + end);
            args.boxes[1] = args.boxes[2] = args.boxes[3] = (rw_sum_box){0, 0, 1, 0};
        } else {
            args.boxes[0] = clip_sum_box(grid, x - end, y - end, x + end, y - start);
            args.boxes[1] = clip_sum_box(grid, x - end, y + start, x + end, y + end);
            args.boxes[2] = clip_sum_box(grid, x - end, y - start + 1, x - start, y + start - 1);
            args.boxes[3] = clip_sum_box(grid, x + start, y - start + 1, x + end, y + start - 1);
        }
        size_t count = 0;
        for (int i = 0; i < 4; i++)
            count += (size_t)((args.boxes[i].width + args.run - 1) / args.run) * args.boxes[i].height;
        args.items = (uint32_t)count;
        RW_TRY(rw_device_launch(context, backend, RW_KERNEL_sum_supercubes, &args, grid->grids * count));
    }
    return RW_OK;
}

/* Supercubes from the source to the edge, along an axis and a direction. */
static uint32_t supercubes_to(int cells, int block)
{
    return (uint32_t)((cells + block - 1) / block);
}

rw_status rw_sum_by_diagonals(rw_context *context, rw_backend backend, const rw_sum_grid *grid, int block)
{
    int beyond_x = grid->side - grid->x, beyond_y = grid->side - grid->y;
    int far_x = beyond_x > grid->x ? beyond_x : grid->x, far_y = beyond_y > grid->y ? beyond_y : grid->y;
    int far = far_x > far_y ? far_x : far_y;
    uint32_t across = supercubes_to(far_x, block), up = supercubes_to(far_y, block);
    struct rw_sum_diagonals_args args = {
        .grid = *grid, .block = block, .extent = (uint32_t)(far < block ? far : block)};
    for (uint32_t pass = 0; pass + 1 < across + up; pass++) {
        uint32_t last = pass < across ? pass : across - 1;
        args.pass = (int)pass;
        args.first = pass < up ? 0 : pass - up + 1;
        args.count = last - args.first + 1;
        args.items = 4u * args.count * args.extent * args.extent;
        RW_TRY(rw_device_launch(context, backend, RW_KERNEL_sum_diagonals, &args, grid->grids * args.items));
    }
    return RW_OK;
}
