/* The cubes group: the cubes paper's benchmark (section VI, Figure 4). A line from the centre of a square grid to each
 * of its cells, four floats summed at every step: by whole lines, by supercubes as the paper prints them, and by rings
 * of supercubes. Sums are compared with a plain walk on the CPU that finds its own starts; the numbers in the cells are
 * small and whole, so that sums are exact in whatever order. */
#include "base/memory.h"
#include "bench/bench.h"
#include "models/cubes/sight/sight.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char group[] = "cubes";

/* The paper's Figure 4 and its text: a Xeon of 2.4 GHz and a GeForce 8800 GTX, 512 x 512 cells, one supercube on each
 * side of the source, so whole lines. */
static const double paper_cpu_rays = 2.11e5, paper_gpu_rays = 2.9e7, paper_cpu_ms = 1240, paper_gpu_ms = 8.93,
                    paper_ratio = 140;
static const int paper_side = 512;

/* 132 multiprocessors at 1.755 GHz, each with 128 bytes a cycle from its nearest cache: what the H200's steps cost. */
static const double gpu_bytes_per_s = 132 * 128 * 1.755e9;

/* Sizes of blocks that are tried, doubling. */
static const int block_min = 8, block_max = 128;

/* Steps a second of a CPU thread, to know beforehand what would take too long. */
static const double cpu_steps_per_s = 1e9;

typedef enum line_method { ENTIRE_LINES, SUPERCUBES, RINGS } line_method;

static const char *const method_names[] = {"exact lines", "supercubes as printed", "rings of supercubes"};

typedef struct line_bench {
    rw_context *context;
    rw_backend backend;
    size_t cells; /* of all grids */
    line_method method;
    int block;
    rw_sum_grid grid; /* of the backend */
    rw_four *host_cells, *host_sums;
    uint64_t *table;
    void *device[4];
    double run_s; /* of the last single run */
} line_bench;

static void close_line_bench(line_bench *bench)
{
    for (int i = 0; i < 4; i++)
        if (bench->device[i])
            rw_device_free(bench->backend, bench->device[i]);
    free(bench->host_cells);
    free(bench->host_sums);
    free(bench->table);
}

static rw_status open_line_bench(rw_context *context, rw_backend backend, int side, size_t grids, line_bench *bench)
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
        size_t ends_bytes = grids * rw_sum_ends_capacity(&bench->grid, block_min) * sizeof(rw_four);
        RW_TRY(rw_device_alloc(context, backend, ends_bytes, "ends of rings", &bench->device[3]));
        bench->grid.ends = bench->device[3];
    }
    return RW_OK;
}

static rw_status run_line_sums(void *user)
{
    line_bench *bench = user;
    if (bench->method == SUPERCUBES)
        return rw_sum_by_diagonals(bench->context, bench->backend, &bench->grid, bench->block);
    return rw_sum(bench->context, bench->backend, &bench->grid, bench->method == RINGS ? bench->block : 0);
}

static int round_line_step(int steps, int step, int offset)
{
    int size = offset < 0 ? -offset : offset;
    int at = steps ? (2 * size * step + steps) / (2 * steps) : 0; /* to the nearest, halves away from zero */
    return offset < 0 ? -at : at;
}

static int find_longer_side(int x, int y)
{
    return abs(x) > abs(y) ? abs(x) : abs(y);
}

/* Where the plain walk of a cell starts, both relative to the source: at the last cell whose sum is known. Returns 0
 * where that is the source itself. Supercubes: one cell's length before the line enters the supercube, by the paper's
 * Algorithm 2 in long double. */
static int find_line_start(line_method method, int block, const int to[2], int start[2])
{
    int steps = find_longer_side(to[0], to[1]), before = method == RINGS ? steps / block * block - 1 : -1;
    start[0] = start[1] = 0;
    if (method == RINGS && before >= 0) {
        start[0] = round_line_step(steps, before, to[0]);
        start[1] = round_line_step(steps, before, to[1]);
    }
    if (method != SUPERCUBES)
        return before >= 0;
    long double length = hypotl(to[0] + 0.5L, to[1] + 0.5L), entry = 0;
    for (int axis = 0; axis < 2; axis++) {
        int border = to[axis] < 0 ? (-1 - to[axis]) / block : to[axis] / block;
        entry = fmaxl(entry, (long double)border * block / (fabsl(to[axis] + 0.5L) / length));
    }
    for (int axis = 0; axis < 2 && entry > 0; axis++)
        start[axis] = (int)floorl((entry - 1) * (to[axis] + 0.5L) / length);
    return entry > 0;
}

/* Cells of a line between two places, added to what is known at the first; without that, with the first. */
static rw_four plain_sum(const line_bench *bench, size_t first, const int to[2])
{
    int start[2], has_sum = find_line_start(bench->method, bench->block, to, start);
    int from[2] = {start[0], start[1]}, first_step = has_sum;
    if (bench->method == RINGS) { /* the line is that from the source */
        first_step = has_sum ? find_longer_side(start[0], start[1]) + 1 : 0;
        from[0] = from[1] = 0;
    }
    size_t source = first + (size_t)bench->grid.y * (size_t)bench->grid.pitch + (size_t)bench->grid.x;
    int dx = to[0] - from[0], dy = to[1] - from[1], steps = find_longer_side(dx, dy);
    double sum[4] = {0};
    for (int step = first_step - has_sum; step <= steps; step++) {
        int x = from[0] + round_line_step(steps, step, dx), y = from[1] + round_line_step(steps, step, dy);
        if (step < first_step) {
            x = start[0];
            y = start[1];
        }
        size_t cell = source + (size_t)((ptrdiff_t)y * bench->grid.pitch + x);
        rw_four one = step < first_step ? bench->host_sums[cell] : bench->host_cells[cell];
        sum[0] += (double)one.a;
        sum[1] += (double)one.b;
        sum[2] += (double)one.c;
        sum[3] += (double)one.d;
    }
    rw_four result = {(float)sum[0], (float)sum[1], (float)sum[2], (float)sum[3]};
    return result;
}

/* Compares sums with the plain walk: with blocks, each follows from sums nearer to the source, which are compared
 * themselves. Of whole lines on large grids a part, since the walk takes as long as the slowest method. */
static rw_status check_line_sums(line_bench *bench, rw_bench_check *compared)
{
    int side = bench->grid.side, every = bench->method == ENTIRE_LINES && side > 1024 ? 61 : 1;
    size_t grid_cells = (size_t)bench->grid.pitch * (size_t)side, different = 0, all = bench->cells;
    double start_s = rw_seconds();
    RW_TRY(run_line_sums(bench));
    RW_TRY(rw_device_wait(bench->context, bench->backend));
    bench->run_s = rw_seconds() - start_s;
    RW_TRY(rw_device_download(bench->context, bench->backend, bench->host_sums, bench->grid.sums,
                              bench->grid.grids * grid_cells * sizeof(rw_four)));
    for (size_t i = 0; i < all; i += (size_t)every) {
        size_t grid = i / ((size_t)side * (size_t)side), cell = i % ((size_t)side * (size_t)side);
        const int at[2] = {(int)(cell % (size_t)side), (int)(cell / (size_t)side)};
        const int to[2] = {at[0] - bench->grid.x, at[1] - bench->grid.y};
        rw_four expected = plain_sum(bench, grid * grid_cells, to);
        rw_four got = bench->host_sums[grid * grid_cells + (size_t)at[1] * (size_t)bench->grid.pitch + (size_t)at[0]];
        different += !(got.a == expected.a && got.b == expected.b && got.c == expected.c && got.d == expected.d);
    }
    *compared = (rw_bench_check){every > 1 ? "a plain walk to each 61st cell" : "a plain walk to each cell",
                                 (double)different, 0, "sums"};
    return RW_OK;
}

/* A method on a grid. */
typedef struct measured {
    double seconds;
    int block;
    rw_bench_check compared;
} measured;

static rw_status measure_line_method(line_bench *bench, line_method method, int block, measured *result)
{
    int gpu = bench->backend == RW_BACKEND_CUDA, large = bench->grid.side > 1024;
    result->block = bench->block = block;
    bench->method = method;
    RW_TRY(check_line_sums(bench, &result->compared));
    if (!gpu && large && method == ENTIRE_LINES) { /* one run of it takes up to half a minute */
        result->seconds = bench->run_s;
        return RW_OK;
    }
    return rw_device_time(bench->context, bench->backend, run_line_sums, bench,
                          gpu     ? 25
                          : large ? 2
                                  : 5,
                          &result->seconds);
}

/* The best block size of a few: small blocks take fewer steps in a block, large ones fewer passes. */
static rw_status best_block(line_bench *bench, line_method method, measured *best)
{
    int slow =
        bench->backend == RW_BACKEND_CPU && bench->grid.side > 1024; /* there with the two that are usually best */
    best->seconds = INFINITY;
    for (int size = block_min; size <= (slow ? 2 * block_min : block_max) && size <= bench->grid.side / 2; size *= 2) {
        measured now;
        RW_TRY(measure_line_method(bench, method, size, &now));
        *best = now.seconds < best->seconds || now.compared.difference > 0 ? now : *best;
    }
    return RW_OK;
}

/* How far starts are from the straight line to a cell on the edge, across it, in cells. */
static void find_stray(const line_bench *bench, line_method method, int block, double *worst, double *mean)
{
    int n = bench->grid.side / 2 - 1;
    double half = method == SUPERCUBES ? 0.5 : 0, sum = 0, count = 0;
    *worst = 0;
    for (int across = 0; across <= n; across++) {
        int to[2] = {n, across}, start[2];
        double slope = (across + half) / (n + half);
        while (find_line_start(method, block, to, start)) {
            double off = fabs(start[1] + half - slope * (start[0] + half));
            *worst = fmax(*worst, off);
            sum += off;
            count++;
            to[0] = start[0];
            to[1] = start[1];
        }
    }
    *mean = count > 0 ? sum / count : 0;
}

/* Loads a line of the kernels takes on a GPU, from which its limit follows. */
static double loads_of(const line_bench *bench, line_method method, int block)
{
    double side = bench->grid.side;
    if (method == ENTIRE_LINES)
        return side / 3;
    /* sum_rings.k.h: in the ring, of the end before, and of chains; one store. */
    return method == RINGS ? 0.5 * block + RW_SUM_SLICES + side / (3 * block) + 1 : 0.7 * block + 2;
}

static void machine_name(const line_bench *bench, char *name, size_t size)
{
    if (bench->backend != RW_BACKEND_CUDA)
        snprintf(name, size, "one CPU thread");
    else
        snprintf(name, size, bench->grid.grids > 1 ? "GPU, %zu grids" : "GPU", bench->grid.grids);
}

static void report_line_method(const rw_bench *out, const line_bench *bench, const measured *result)
{
    int gpu = bench->backend == RW_BACKEND_CUDA, side = bench->grid.side;
    double rays = (double)bench->cells / result->seconds, worst, mean, target = NAN;
    char machine[24], name[64], note[160], curve[64];
    machine_name(bench, machine, sizeof machine);
    snprintf(name, sizeof name, "%d x %d, %s, %s", side, side, method_names[bench->method], machine);
    snprintf(curve, sizeof curve, "%s, %s", method_names[bench->method], machine);
    if (bench->method == ENTIRE_LINES) {
        note[0] = 0;
        if (side == paper_side)
            snprintf(note, sizeof note, "paper, Figure 4: CPU %.3g, GPU %.3g rays/s", paper_cpu_rays, paper_gpu_rays);
        target = side == paper_side ? gpu ? 5e9 : 1e7 : NAN;
    } else {
        find_stray(bench, bench->method, result->block, &worst, &mean);
        snprintf(note, sizeof note, "blocks of %d; starts up to %.1f cells off the straight line, %.2f on average",
                 result->block, worst, mean);
        target = bench->method == RINGS && side == paper_side ? gpu ? 2e10 : 1e8 : NAN;
    }
    double limit = gpu ? gpu_bytes_per_s / (16 * loads_of(bench, bench->method, result->block)) : NAN;
    rw_bench checked = rw_bench_on_curve(out, curve, side, "cells a side");
    checked = rw_bench_checked(bench->grid.grids > 1 ? out : &checked, result->compared);
    rw_bench_add_result(&checked, group, name, rays, "rays/s", limit, target, note);
}

/* Figure 4 as the paper's text has it: milliseconds. */
static void report_line_milliseconds(const rw_bench *out, const line_bench *bench, const measured *result)
{
    int gpu = bench->backend == RW_BACKEND_CUDA;
    char machine[24], name[64], note[160];
    machine_name(bench, machine, sizeof machine);
    snprintf(name, sizeof name, "512 x 512, exact lines, a grid, %s", machine);
    snprintf(note, sizeof note, "paper, Figure 4: %g ms (%s)", gpu ? paper_gpu_ms : paper_cpu_ms,
             gpu ? "GeForce 8800 GTX" : "Xeon, 2.4 GHz");
    rw_bench checked = rw_bench_checked(out, result->compared);
    rw_bench_add_result(&checked, group, name, 1e3 * result->seconds, "ms", NAN, gpu ? paper_gpu_ms : paper_cpu_ms,
                        note);
}

/* Time of the paper's grid by whole lines, for the ratio of both backends. */
typedef struct figure_4 {
    double seconds[2]; /* of the CPU, of the GPU; 0: not measured */
    rw_bench_check compared;
} figure_4;

static rw_status report_grid_side(const rw_bench *out, line_bench *bench, figure_4 *figure)
{
    int gpu = bench->backend == RW_BACKEND_CUDA, side = bench->grid.side;
    measured result;
    double expected_s = gpu ? 0 : (double)bench->cells * side / 3 / cpu_steps_per_s;
    if (!(out->limit_s > 0 && expected_s > out->limit_s)) {
        RW_TRY(measure_line_method(bench, ENTIRE_LINES, 0, &result));
        report_line_method(out, bench, &result);
        if (side == paper_side && bench->grid.grids == 1) {
            report_line_milliseconds(out, bench, &result);
            figure->seconds[gpu] = result.seconds;
            figure->compared = result.compared;
        }
    }
    for (int method = SUPERCUBES; method <= RINGS; method++) {
        RW_TRY(best_block(bench, (line_method)method, &result));
        report_line_method(out, bench, &result);
    }
    return RW_OK;
}

static rw_status bench_line_grid(const rw_bench *out, rw_context *context, rw_backend backend, int side, size_t grids,
                                 figure_4 *figure)
{
    line_bench bench;
    rw_status status = open_line_bench(context, backend, side, grids, &bench);
    if (status == RW_OK)
        status = report_grid_side(out, &bench, figure);
    close_line_bench(&bench);
    return status;
}

/* One grid alone takes a GPU as long as its launches; so there several are summed at once too, as many sources would
 * be. */
static rw_status bench_cube_lines(const rw_bench *out, rw_context *context, rw_backend backend, figure_4 *figure)
{
    if (backend == RW_BACKEND_CUDA && !out->tiny)
        RW_TRY(bench_line_grid(out, context, backend, paper_side, 8, figure));
    for (int side = out->tiny ? 64 : paper_side; side <= (out->tiny ? 128 : 4096); side *= 2)
        RW_TRY(bench_line_grid(out, context, backend, side, 1, figure));
    return RW_OK;
}

static void report_gpu_ratio(const rw_bench *out, const figure_4 *figure)
{
    if (!(figure->seconds[0] > 0 && figure->seconds[1] > 0))
        return;
    char note[160];
    snprintf(note, sizeof note, "paper: %g, of a GeForce 8800 GTX and a Xeon of 2.4 GHz", paper_ratio);
    rw_bench checked = rw_bench_checked(out, figure->compared);
    rw_bench_add_result(&checked, group, "512 x 512, exact lines, GPU over one CPU thread",
                        figure->seconds[0] / figure->seconds[1], "times", NAN, paper_ratio, note);
}

rw_status rw_bench_cubes(const rw_bench *bench)
{
    figure_4 figure = {0};
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
            status = bench_cube_lines(bench, context, (rw_backend)backend, &figure);
        if (status != RW_OK)
            rw_fail(bench->context, status, "%s", rw_last_error(context));
        rw_context_destroy(context);
        RW_TRY(status);
    }
    report_gpu_ratio(bench, &figure);
    return RW_OK;
}
