/* The rasterisers over shapes of blocks and of grids of blocks, like figure 2 of Schmitz and others (2011): a net of
 * triangles over a square target, each of whose pixels belongs to exactly one of them. */
#include "base/memory.h"
#include "bench/groups.h"
#include "device/device.h"
#include "models/beams/raster/raster_triangles.k.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIDE_PX 1024
#define SHAPES_REPORTED 3 /* the fastest of each rasteriser */

struct rw_raster_net {
    rw_context *context;
    int side_px; /* of the target */
    struct rw_raster_triangles_args args;
    size_t triangle_count;
    size_t bytes; /* of the target */
    void *host[3];
    rw_kernel_array columns[3];
    uint64_t *pixels;
};

/* Shapes that are tried: those of the paper's figure, and squares. */
static const int block_shapes[][2] = {{2, 8}, {4, 4}, {8, 2}, {4, 8}, {8, 4}, {16, 2}, {8, 8}};
static const int grid_shapes[][2] = {{1, 1}, {2, 2}, {2, 4}, {4, 2}, {8, 2}};
#define BLOCK_SHAPES (sizeof block_shapes / sizeof *block_shapes)
#define GRID_SHAPES (sizeof grid_shapes / sizeof *grid_shapes)

static rw_status draw_raster_net(void *user)
{
    rw_raster_net *net = user;
    rw_backend backend = net->context->backend;
    const rw_raster_tiling *tiling = &net->args.tiling;
    struct rw_prepare_triangles_args prepare = {net->args};
    size_t blocks = (size_t)tiling->grid_columns * (size_t)tiling->grid_rows;
    RW_TRY(rw_device_clear(net->context, backend, net->args.target.pixels, net->bytes));
    RW_TRY(rw_device_launch(net->context, backend, RW_KERNEL_prepare_triangles, &prepare, net->triangle_count));
    return rw_device_launch(net->context, backend, RW_KERNEL_raster_triangles, &net->args,
                            2 * net->triangle_count * blocks * rw_device_lanes(backend));
}

static void make_net(int side_px, int side, double *vertices, float *values, uint32_t *triangles)
{
    for (int j = 0; j <= side; j++)
        for (int i = 0; i <= side; i++) {
            double *vertex = vertices + 3 * (j * (side + 1) + i);
            vertex[0] = (double)i * side_px / side - 0.5 + 0.3 * sin(j); /* no side along a row of pixels */
            vertex[1] = (double)j * side_px / side - 0.5 + 0.3 * sin(i);
            vertex[2] = 0;
            values[j * (side + 1) + i] = 1;
        }
    for (int j = 0; j < side; j++)
        for (int i = 0; i < side; i++) {
            uint32_t a = (uint32_t)(j * (side + 1) + i), b = a + 1, c = a + (uint32_t)side + 1, d = c + 1;
            const uint32_t two[6] = {a, b, d, a, d, c};
            memcpy(triangles + 6 * (j * side + i), two, sizeof two);
        }
}

/* Every pixel must be drawn once: counts those that are not. */
static rw_status check_drawn(rw_raster_net *net, size_t *wrong)
{
    RW_TRY(draw_raster_net(net));
    RW_TRY(rw_device_download(net->context, net->context->backend, net->pixels, net->args.target.pixels, net->bytes));
    *wrong = 0;
    for (int row = 2; row < net->side_px - 2; row++)
        for (int column = 2; column < net->side_px - 2; column++)
            *wrong += net->pixels[row * net->side_px + column] != 1;
    return *wrong == 0 ? RW_OK : rw_fail(net->context, RW_INTERNAL, "%zu pixels are not drawn exactly once", *wrong);
}

static rw_status fill_net(rw_raster_net *net, int side)
{
    rw_context *context = net->context;
    size_t vertex_count = (size_t)(side + 1) * (size_t)(side + 1);
    size_t bytes[3] = {3 * vertex_count * sizeof(double), vertex_count * sizeof(float),
                       3 * net->triangle_count * sizeof(uint32_t)};
    void *fields[3] = {&net->args.vertices, &net->args.values, &net->args.triangles};
    RW_TRY(rw_array_create(context, net->bytes, 1, "pixels", &net->pixels));
    for (int i = 0; i < 3; i++) {
        RW_TRY(rw_array_create(context, bytes[i], 1, "triangles", &net->host[i]));
        net->columns[i] = (rw_kernel_array){fields[i], net->host[i], bytes[i], 0, NULL};
    }
    make_net(net->side_px, side, net->host[0], net->host[1], net->host[2]);
    RW_TRY(rw_kernel_arrays_upload(context, context->backend, net->columns, 3));
    RW_TRY(rw_device_alloc(context, context->backend, 2 * net->triangle_count * sizeof *net->args.faces, "faces",
                           &net->args.faces));
    return rw_device_alloc(context, context->backend, net->bytes, "pixels", &net->args.target.pixels);
}

rw_status rw_raster_net_create(rw_context *context, int side_px, int side, rw_raster_net **raster_net)
{
    rw_raster_net *net;
    RW_TRY(rw_array_create(context, 1, sizeof *net, "a net of triangles", &net));
    net->context = context;
    net->triangle_count = 2 * (size_t)side * (size_t)side;
    net->side_px = side_px;
    net->bytes = (size_t)side_px * (size_t)side_px * sizeof(uint64_t);
    net->args = (struct rw_raster_triangles_args){
        .transform = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1},
        .near_w = 0.5,
        .target = {.grid = {0, 0, 1, side_px, side_px}, .layers = 1, .value_count = 1, .scale = 1}};
    rw_status status = fill_net(net, side);
    if (status == RW_OK)
        *raster_net = net;
    else
        rw_raster_net_destroy(net);
    return status;
}

void rw_raster_net_destroy(rw_raster_net *net)
{
    rw_backend backend = net->context->backend;
    if (net->args.target.pixels)
        rw_device_free(backend, net->args.target.pixels);
    if (net->args.faces)
        rw_device_free(backend, net->args.faces);
    rw_kernel_arrays_release(backend, net->columns, 3);
    for (int i = 0; i < 3; i++)
        free(net->host[i]);
    free(net->pixels);
    free(net);
}

static int by_time(const void *a, const void *b)
{
    double x = ((const rw_raster_timing *)a)->seconds, y = ((const rw_raster_timing *)b)->seconds;
    return (x > y) - (x < y);
}

rw_status rw_raster_net_time(rw_raster_net *net, rw_raster_method method, int repeats, rw_raster_timing *timings,
                             size_t *count)
{
    *count = 0;
    net->args.method = method;
    for (size_t block = 0; block < BLOCK_SHAPES; block++)
        for (size_t grid = 0; grid < GRID_SHAPES; grid++) {
            rw_raster_timing *timing = &timings[(*count)++];
            net->args.tiling = timing->tiling = (rw_raster_tiling){block_shapes[block][0], block_shapes[block][1],
                                                                   grid_shapes[grid][0], grid_shapes[grid][1]};
            RW_TRY(check_drawn(net, &timing->wrong_pixels));
            RW_TRY(
                rw_device_time(net->context, net->context->backend, draw_raster_net, net, repeats, &timing->seconds));
        }
    qsort(timings, *count, sizeof *timings, by_time);
    return RW_OK;
}

static rw_status report_net_times(const rw_bench *bench, rw_context *context, int side)
{
    static const char *const names[] = {"scanlines", "half spaces"};
    rw_raster_timing timings[RW_BENCH_TILINGS_MAX];
    rw_raster_net *net;
    size_t count;
    RW_TRY(rw_raster_net_create(context, SIDE_PX, side, &net));
    rw_status status = RW_OK;
    for (int method = RW_RASTER_SCANLINE; method <= RW_RASTER_HALF_SPACE && status == RW_OK; method++) {
        status = rw_raster_net_time(net, (rw_raster_method)method, 3, timings, &count);
        for (size_t i = 0; i < SHAPES_REPORTED && status == RW_OK; i++) {
            rw_raster_tiling tiling = timings[i].tiling;
            char name[64];
            snprintf(name, sizeof name, "%s %dx%d - %dx%d, %d triangles, %s", names[method], tiling.block_columns,
                     tiling.block_rows, tiling.grid_columns, tiling.grid_rows, 2 * side * side,
                     rw_context_backend(context));
            const rw_bench checked = rw_bench_checked(
                bench, (rw_bench_check){"each pixel once", (double)timings[i].wrong_pixels, 0, "pixels"});
            rw_bench_add_result(&checked, "raster", name, SIDE_PX * (double)SIDE_PX / timings[i].seconds * 1e-6,
                                "Mpixel/s", NAN, NAN,
                                i == 0 && method == RW_RASTER_HALF_SPACE ? "paper: half spaces twice as fast" : "");
        }
    }
    rw_raster_net_destroy(net);
    return status;
}

rw_status rw_bench_raster(const rw_bench *bench, rw_context *context)
{
    RW_TRY(report_net_times(bench, context, 16));
    return report_net_times(bench, context, 128);
}
