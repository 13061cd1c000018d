/* The cubes group: the cubes paper's benchmark (section VI, Figure 4). A line from the centre of a square grid to each
 * of its cells, four floats summed at every step. All sums are checked against a plain walk on the CPU before timing;
 * the numbers in the cells are small and whole, so that sums are exact in whatever order. */
#include "base/memory.h"
#include "bench/bench.h"
#include "models/cubes/sight/supercubes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char group[] = "cubes";

/* Rays a second of the paper's Figure 4. */
static const double paper_cpu = 2.11e5, paper_gpu = 2.9e7;

/* 132 multiprocessors at 1.755 GHz, each with 128 bytes a cycle from its nearest cache: what the H200's steps cost. */
static const double gpu_bytes_per_s = 132 * 1.755e9 * 128;

/* Sizes of blocks that are tried, doubling. */
static const int block_least = 8, block_most = 128;

typedef struct line_bench {
    rw_context *context;
    rw_backend backend;
    size_t cells; /* of all grids */
    int block;
    rw_sum_grid grid; /* of the backend */
    rw_four *host_cells, *host_sums;
    uint64_t *table;
    void *device[4];
} line_bench;

static void close_bench(line_bench *bench)
{
    for (int i = 0; i < 4; i++)
        if (bench->device[i])
            rw_device_free(bench->backend, bench->device[i]);
    free(bench->host_cells);
    free(bench->host_sums);
    free(bench->table);
}

static rw_status open_bench(rw_context *context, rw_backend backend, int side, size_t grids, line_bench *bench)
{
    *bench = (line_bench){.context = context, .backend = backend, .cells = grids * (size_t)side * (size_t)side};
    size_t pitch = (size_t)side + 4, all = grids * pitch * (size_t)side, bytes = all * sizeof(rw_four);
    size_t entries = (size_t)side + 1;
    RW_TRY(rw_array_create(context, bytes, 1, "cells", &bench->host_cells));
    RW_TRY(rw_array_create(context, bytes, 1, "sums", &bench->host_sums));
    RW_TRY(rw_array_create(context, entries, sizeof(uint64_t), "shares", &bench->table));
    for (size_t i = 0; i < all; i++) {
        uint32_t mixed = (uint32_t)(i * 2654435761u);
        rw_four cell = {(float)(mixed >> 28), (float)(mixed >> 24 & 15), (float)(mixed >> 20 & 15),
                        (float)(mixed >> 16 & 15)};
        bench->host_cells[i] = cell;
    }
    for (size_t i = 1; i < entries; i++)
        bench->table[i] = rw_sum_per_step((int)i);
    RW_TRY(rw_device_alloc(context, backend, bytes, "cells", &bench->device[0]));
    RW_TRY(rw_device_alloc(context, backend, bytes, "sums", &bench->device[1]));
    RW_TRY(rw_device_alloc(context, backend, entries * sizeof(uint64_t), "shares", &bench->device[2]));
    RW_TRY(rw_device_upload(context, backend, bench->device[0], bench->host_cells, bytes));
    RW_TRY(rw_device_upload(context, backend, bench->device[2], bench->table, entries * sizeof(uint64_t)));
    bench->grid = (rw_sum_grid){
        side, (int)pitch, side / 2, side / 2, bench->device[2], bench->device[0], bench->device[1], grids, NULL};
    if (backend == RW_BACKEND_CUDA) {
        size_t room = grids * rw_sum_ends_room(&bench->grid, block_least) * sizeof(rw_four);
        RW_TRY(rw_device_alloc(context, backend, room, "ends of rings", &bench->device[3]));
        bench->grid.ends = bench->device[3];
    }
    return RW_OK;
}

static rw_status run(void *user)
{
    line_bench *bench = user;
    return rw_sum(bench->context, bench->backend, &bench->grid, bench->block);
}

static int place(int steps, int step, int way)
{
    int size = way < 0 ? -way : way;
    int at = steps ? (2 * size * step + steps) / (2 * steps) : 0; /* to the nearest, halves away from zero */
    return way < 0 ? -at : at;
}

/* The plain walk: from the source, or with supercubes from the sum of the cell before the ring. */
static rw_four plain_sum(const line_bench *bench, size_t first, int x, int y)
{
    int dx = x - bench->grid.x, dy = y - bench->grid.y;
    int steps = abs(dx) > abs(dy) ? abs(dx) : abs(dy);
    int start = bench->block ? steps / bench->block * bench->block : 0;
    double sum[4] = {0};
    for (int step = start > 0 ? start - 1 : 0; step <= steps; step++) {
        size_t cell = first + (size_t)(bench->grid.y + place(steps, step, dy)) * (size_t)bench->grid.pitch +
                      (size_t)(bench->grid.x + place(steps, step, dx));
        rw_four one = start > 0 && step == start - 1 ? bench->host_sums[cell] : bench->host_cells[cell];
        sum[0] += (double)one.a;
        sum[1] += (double)one.b;
        sum[2] += (double)one.c;
        sum[3] += (double)one.d;
    }
    rw_four result = {(float)sum[0], (float)sum[1], (float)sum[2], (float)sum[3]};
    return result;
}

/* Every sum: with supercubes, each follows from those inside its ring, which are checked themselves. */
static rw_status check(line_bench *bench)
{
    size_t grid_cells = (size_t)bench->grid.pitch * (size_t)bench->grid.side;
    RW_TRY(run(bench));
    RW_TRY(rw_device_download(bench->context, bench->backend, bench->host_sums, bench->grid.sums,
                              bench->grid.grids * grid_cells * sizeof(rw_four)));
    int side = bench->grid.side;
    for (int y = 0; y < side * (int)bench->grid.grids; y++)
        for (int x = 0; x < side; x++) {
            size_t first = (size_t)(y / side) * grid_cells;
            rw_four expected = plain_sum(bench, first, x, y % side),
                    got = bench->host_sums[(size_t)y * (size_t)bench->grid.pitch + (size_t)x];
            if (!(got.a == expected.a && got.b == expected.b && got.c == expected.c && got.d == expected.d))
                return rw_fail(bench->context, RW_INTERNAL, "sums along lines: cell %d, %d has %g instead of %g", x, y,
                               (double)got.a, (double)expected.a);
        }
    return RW_OK;
}

static rw_status measure(line_bench *bench, int block, int repeats, double *rays_per_s)
{
    double seconds;
    bench->block = block;
    RW_TRY(check(bench));
    RW_TRY(rw_device_time(bench->context, bench->backend, run, bench, repeats, &seconds));
    *rays_per_s = (double)bench->cells / seconds;
    return RW_OK;
}

/* The best block size of a few: small blocks take fewer steps in a ring, large ones fewer rings. */
static rw_status best_block(line_bench *bench, double *rays_per_s, int *block)
{
    *rays_per_s = 0;
    for (int size = block_least; size <= block_most; size *= 2) {
        double rays;
        RW_TRY(measure(bench, size, bench->backend == RW_BACKEND_CUDA ? 25 : 7, &rays));
        *block = rays > *rays_per_s ? size : *block;
        *rays_per_s = fmax(rays, *rays_per_s);
    }
    return RW_OK;
}

static rw_status tell_side(const rw_bench *out, line_bench *bench, double exact_target, double super_target)
{
    int gpu = bench->backend == RW_BACKEND_CUDA, block = 0, side = bench->grid.side;
    char machine[32] = "one CPU thread";
    if (gpu)
        snprintf(machine, sizeof machine, bench->grid.grids > 1 ? "GPU, %zu grids" : "GPU", bench->grid.grids);
    double exact = NAN, fast, steps = (double)side / 3;
    char name[64], note[160];
    if (side == 512)
        RW_TRY(measure(bench, 0, gpu ? 50 : 5, &exact));
    RW_TRY(best_block(bench, &fast, &block));
    snprintf(name, sizeof name, "%d x %d, exact lines, %s", side, side, machine);
    snprintf(note, sizeof note, "paper, Figure 4: CPU %.3g, GPU %.3g rays/s", paper_cpu, paper_gpu);
    if (side == 512)
        rw_bench_tell(out, group, name, exact, "rays/s", gpu ? gpu_bytes_per_s / (16 * steps) : NAN, exact_target,
                      note);
    snprintf(name, sizeof name, "%d x %d, supercubes, %s", side, side, machine);
    snprintf(note, sizeof note, "blocks of %d; %.2g ns a ray", block, 1e9 / fast);
    /* sum_rings.k.h: in the ring, of the end before, and of chains; one store. */
    double gpu_loads = 0.5 * block + RW_SUM_SHARES + (double)side / (3 * block) + 1;
    rw_bench_tell(out, group, name, fast, "rays/s", gpu ? gpu_bytes_per_s / (16 * gpu_loads) : NAN, super_target, note);
    return RW_OK;
}

static rw_status bench_size(const rw_bench *out, rw_context *context, rw_backend backend, int side, size_t grids)
{
    int gpu = backend == RW_BACKEND_CUDA;
    line_bench bench;
    rw_status status = open_bench(context, backend, side, grids, &bench);
    if (status == RW_OK)
        status = tell_side(out, &bench, gpu ? 5e9 : 1e7, side > 512 ? NAN : gpu ? 2e10 : 1e8);
    close_bench(&bench);
    return status;
}

/* One grid alone takes a GPU as long as its launches; so there several are summed at once too, as many sources would
 * be. */
static rw_status bench_lines(const rw_bench *out, rw_context *context, rw_backend backend)
{
    if (backend == RW_BACKEND_CUDA)
        RW_TRY(bench_size(out, context, backend, 512, 8));
    for (int side = 512; side <= 4096; side *= 2)
        RW_TRY(bench_size(out, context, backend, side, 1));
    return RW_OK;
}

rw_status rw_bench_cubes(const rw_bench *bench)
{
    if (!rw_bench_wants(bench, group, group))
        return RW_OK;
    for (int backend = RW_BACKEND_CPU; backend <= (int)bench->context->backend; backend++) {
        rw_context_options options;
        rw_context_options_init(&options);
        options.backend = (rw_backend)backend;
        options.threads = 1;
        rw_context *context;
        rw_status status = rw_context_create(&options, &context);
        if (status == RW_OK)
            status = bench_lines(bench, context, (rw_backend)backend);
        if (status != RW_OK)
            rw_fail(bench->context, status, "%s", rw_last_error(context));
        rw_context_destroy(context);
        RW_TRY(status);
    }
    return RW_OK;
}
