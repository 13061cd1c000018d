/* The beams model: a city with histograms of delays, time over the number of reflections, and the rasterisers over
 * shapes of blocks, like figures 9 and 2 of Schmitz and others (2011).
 *
 * Count first: the paper's Munich with four reflections and one diffraction is 0.3 million beams and 0.6 million
 * pieces; they reach 20 000 of 200 000 receivers by a million paths, each of which adds to five sums and a bin (some
 * 50 bytes) and costs a corner's diffraction (some 500 operations). That is 0.02 ms of an H200's memory and less of its
 * arithmetic: time goes into tracing level after level and into pieces of uneven size. */
#include "base/memory.h"
#include "bench/beams.h"
#include "device/kernel_arrays.h"
#include "models/beams/raster/raster_triangles.k.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIDE 1024 /* pixels of the rasterisers' target */

/* A map that is right: nothing is stronger than free space by more than reflections can add, and paths are counted. */
static rw_status check(rw_context *context, const rw_map *map)
{
    rw_map_info info = {.size = sizeof info};
    rw_map_layer loss = {.size = sizeof loss}, paths = {.size = sizeof paths};
    RW_TRY(rw_map_get_info(map, &info));
    RW_TRY(rw_map_get_layer(map, 0, &loss));
    RW_TRY(rw_map_get_layer(map, 1, &paths));
    size_t reached = 0;
    for (size_t i = 0; i < info.columns * info.rows; i++) {
        reached += paths.values[i] > 0;
        if (!isnan(loss.values[i]) && !(loss.values[i] > 20 && isfinite(loss.values[i]) == (paths.values[i] > 0)))
            return rw_fail(context, RW_INTERNAL, "cell %zu has a path loss of %g dB by %g paths", i,
                           (double)loss.values[i], (double)paths.values[i]);
    }
    return reached ? RW_OK : rw_fail(context, RW_INTERNAL, "no receiver is reached");
}

static rw_status time_map(rw_context *context, const rw_scene *scene, const rw_predict_options *options, int repeats,
                          double *seconds)
{
    *seconds = INFINITY;
    for (int i = 0; i < repeats; i++) {
        rw_map *map;
        rw_map_info info = {.size = sizeof info};
        RW_TRY(rw_predict(scene, options, &map));
        rw_status status = i == 0 ? check(context, map) : RW_OK;
        rw_map_get_info(map, &info);
        rw_map_destroy(map);
        RW_TRY(status);
        *seconds = fmin(*seconds, info.solve_s);
    }
    return RW_OK;
}

static rw_predict_options usual_options(const rw_transmitter *transmitter)
{
    rw_predict_options options;
    rw_predict_options_init(&options);
    options.model = "beams";
    options.layers = "path_loss,paths";
    options.transmitters = transmitter;
    options.transmitter_count = 1;
    options.transmissions = 0;
    return options;
}

/* Where the time goes, and what keeping paths saves: under theory and under constants. */
static rw_status bench_parts(const rw_bench *bench, const rw_scene *scene, rw_predict_options *options)
{
    options->reflections = 4;
    options->delay_bins = 128;
    if (rw_bench_wants(bench, "beams_stages", "beams"))
        RW_TRY(rw_bench_beam_stages(bench, scene, options));
    if (!rw_bench_wants(bench, "beams_reuse", "beams"))
        return RW_OK;
    options->delay_bins = 0;
    RW_TRY(rw_bench_beam_reuse(bench, scene, options));
    options->losses = "reflection=6,diffraction=22";
    return rw_bench_beam_reuse(bench, scene, options);
}

static rw_status bench_city(const rw_bench *bench, rw_context *context)
{
    rw_scene *scene = NULL;
    const char *place, *backend = rw_context_backend(context);
    RW_TRY(rw_bench_city(bench, context, &scene, &place));
    int munich = strcmp(place, "Munich") == 0, cuda = strcmp(backend, "cuda") == 0;
    rw_transmitter transmitter;
    rw_transmitter_init(&transmitter);
    transmitter.x_m = munich ? 1281.36 : 1205;
    transmitter.y_m = munich ? 1381.27 : 1705;
    transmitter.height_m = munich ? 13 : 20;
    rw_predict_options options = usual_options(&transmitter);
    char name[64];
    double seconds;
    rw_status status = RW_OK;
    int curve = rw_bench_wants(bench, "beams", "beams");
    for (int depth = 0; depth <= 8 && curve && status == RW_OK; depth++) { /* like figure 9 */
        options.reflections = depth;
        status = time_map(context, scene, &options, depth > 4 ? 1 : 3, &seconds);
        snprintf(name, sizeof name, "%d reflections, 1 diffraction, %s", depth, backend);
        const rw_bench point = rw_bench_on_curve(bench, backend, depth, "reflections, beside 1 diffraction");
        if (status == RW_OK)
            rw_bench_tell(&point, "beams", name, seconds * 1e3, "ms", NAN, NAN, "");
    }
    options.reflections = 4;
    options.delay_bins = 128;
    if (status == RW_OK && curve)
        status = time_map(context, scene, &options, 3, &seconds);
    snprintf(name, sizeof name, "4 reflections, 128 bins, %s", backend);
    if (status == RW_OK && curve)
        rw_bench_tell(bench, "beams", name, seconds * 1e3, "ms", NAN, cuda ? 20 : 3000,
                      "paper: 1800 ms, bins not told");
    if (status == RW_OK)
        status = bench_parts(bench, scene, &options);
    rw_scene_destroy(scene);
    return status;
}

/* A city of as many vertices as the paper's second one, on hills. */
static rw_status bench_large(const rw_bench *bench, rw_context *context)
{
    rw_city_options city;
    rw_city_options_init(&city);
    city.width_m = city.depth_m = 13300;
    city.hills = 1;
    rw_scene *scene = NULL;
    RW_TRY(rw_generate_city(context, &city, &scene));
    rw_status status = rw_scene_commit(scene);
    rw_transmitter transmitter;
    rw_transmitter_init(&transmitter);
    transmitter.x_m = transmitter.y_m = 6650;
    transmitter.height_m = 60;
    rw_predict_options options = usual_options(&transmitter);
    double seconds;
    const char *backend = rw_context_backend(context);
    if (status == RW_OK)
        status = time_map(context, scene, &options, strcmp(backend, "cuda") == 0 ? 3 : 1, &seconds);
    char name[64];
    snprintf(name, sizeof name, "city of 380 000 vertices on hills, %s", backend);
    if (status == RW_OK)
        rw_bench_tell(bench, "beams_large", name, seconds * 1e3, "ms", NAN, strcmp(backend, "cuda") == 0 ? 200 : 30000,
                      "");
    if (status == RW_OK && strcmp(backend, "cuda") == 0)
        status = rw_bench_beam_stages(bench, scene, &options);
    rw_scene_destroy(scene);
    return status;
}

/* Triangles over a square target, each pixel once. */
typedef struct raster_case {
    rw_context *context;
    struct rw_raster_triangles_args args;
    size_t triangle_count;
    size_t bytes;
} raster_case;

static rw_status draw(void *user)
{
    raster_case *raster = user;
    RW_TRY(rw_device_clear(raster->context, raster->context->backend, raster->args.target.pixels, raster->bytes));
    return rw_device_launch(raster->context, raster->context->backend, RW_KERNEL_raster_triangles, &raster->args,
                            raster->triangle_count);
}

static void make_net(int side, double *vertices, float *values, uint32_t *triangles)
{
    for (int j = 0; j <= side; j++)
        for (int i = 0; i <= side; i++) {
            double *vertex = vertices + 3 * (j * (side + 1) + i);
            vertex[0] = (double)i * SIDE / side - 0.5 + 0.3 * sin(j); /* no side along a row of pixels */
            vertex[1] = (double)j * SIDE / side - 0.5 + 0.3 * sin(i);
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

static rw_status check_drawn(raster_case *raster, uint64_t *pixels)
{
    RW_TRY(draw(raster));
    RW_TRY(rw_device_download(raster->context, raster->context->backend, pixels, raster->args.target.pixels,
                              raster->bytes));
    for (int row = 2; row < SIDE - 2; row++)
        for (int column = 2; column < SIDE - 2; column++)
            if (pixels[row * SIDE + column] != 1)
                return rw_fail(raster->context, RW_INTERNAL, "pixel %d,%d is not drawn once", column, row);
    return RW_OK;
}

static rw_status time_shapes(const rw_bench *bench, raster_case *raster, int side, uint64_t *pixels)
{
    static const int shapes[][2] = {{0, 0}, {2, 8}, {4, 4}, {8, 2}, {8, 4}, {8, 8}, {16, 16}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        char name[64], shape[32] = "scanlines";
        double seconds;
        raster->args.method = i ? RW_RASTER_HALF_SPACE : RW_RASTER_SCANLINE;
        raster->args.block_columns = shapes[i][0];
        raster->args.block_rows = shapes[i][1];
        if (i)
            snprintf(shape, sizeof shape, "half spaces %d x %d", shapes[i][0], shapes[i][1]);
        RW_TRY(check_drawn(raster, pixels));
        RW_TRY(rw_device_time(raster->context, raster->context->backend, draw, raster, 5, &seconds));
        snprintf(name, sizeof name, "%s, %d triangles, %s", shape, 2 * side * side,
                 rw_context_backend(raster->context));
        rw_bench_tell(bench, "raster", name, SIDE * (double)SIDE / seconds * 1e-6, "Mpixel/s", NAN, NAN,
                      i ? "" : "paper: half spaces twice as fast");
    }
    return RW_OK;
}

static rw_status bench_raster(const rw_bench *bench, rw_context *context, int side)
{
    size_t vertex_count = (size_t)(side + 1) * (size_t)(side + 1), triangles = 2 * (size_t)side * (size_t)side;
    raster_case raster = {.context = context, .triangle_count = triangles, .bytes = SIDE * SIDE * sizeof(uint64_t)};
    raster.args = (struct rw_raster_triangles_args){
        .transform = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1},
        .near_w = 0.5,
        .target = {.grid = {0, 0, 1, SIDE, SIDE}, .layers = 1, .value_count = 1, .scale = 1}};
    void *host[3] = {NULL, NULL, NULL};
    uint64_t *pixels = NULL;
    size_t bytes[3] = {3 * vertex_count * sizeof(double), vertex_count * sizeof(float),
                       3 * triangles * sizeof(uint32_t)};
    rw_status status = rw_array_create(context, SIDE * SIDE, sizeof *pixels, "pixels", &pixels);
    for (int i = 0; i < 3 && status == RW_OK; i++)
        status = rw_array_create(context, bytes[i], 1, "triangles", &host[i]);
    if (status == RW_OK)
        make_net(side, host[0], host[1], host[2]);
    rw_kernel_array columns[] = {{&raster.args.vertices, host[0], bytes[0], 0, NULL},
                                 {&raster.args.values, host[1], bytes[1], 0, NULL},
                                 {&raster.args.triangles, host[2], bytes[2], 0, NULL}};
    if (status == RW_OK)
        status = rw_kernel_arrays_place(context, context->backend, columns, 3);
    if (status == RW_OK)
        status = rw_device_alloc(context, context->backend, raster.bytes, "pixels", &raster.args.target.pixels);
    if (status == RW_OK)
        status = time_shapes(bench, &raster, side, pixels);
    if (raster.args.target.pixels)
        rw_device_free(context->backend, raster.args.target.pixels);
    rw_kernel_arrays_release(context->backend, columns, 3);
    for (int i = 0; i < 3; i++)
        free(host[i]);
    free(pixels);
    return status;
}

static rw_status bench_backend(const rw_bench *bench, rw_context *context)
{
    if (rw_bench_wants(bench, "raster", "raster")) {
        RW_TRY(bench_raster(bench, context, 16));
        RW_TRY(bench_raster(bench, context, 128));
    }
    if (rw_bench_wants(bench, "beams_stages", "beams_reuse"))
        RW_TRY(bench_city(bench, context));
    return bench->only && strcmp(bench->only, "beams_large") == 0 ? bench_large(bench, context) : RW_OK;
}

rw_status rw_bench_beams(const rw_bench *bench)
{
    if (!rw_bench_wants(bench, "beams_large", "raster") && !rw_bench_wants(bench, "beams_stages", "beams_reuse"))
        return RW_OK;
    return rw_bench_each_backend(bench, bench_backend);
}
