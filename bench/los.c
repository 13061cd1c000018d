/* Line of sight on Munich at 5 m (where its data are; else on a generated city of the same size): maps a second on each
 * backend, against GDAL's viewshed on the same raster, and how two threads compare with one. Every timed form is first
 * compared with the grid march on every receiver, and that with brute force on some. */
#include "bench/bench.h"

#include "base/memory.h"
#include "discretise/walls/walls.h"
#include "ext/gdal.h"
#include "visibility/los/los.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char group[] = "los";

/* Napkin: instructions for a receiver in the buffer's look-up, and for a wall entered, counted from the compiled
 * kernels. */
static const double instructions_a_receiver = 60, instructions_a_wall = 300;
static const double gpu_instructions_per_s = 132 * 128 * 1.98e9; /* one H200: multiprocessors, lanes, clock */

typedef struct los_bench {
    const rw_bench *bench;
    rw_context *context;
    rw_scene *scene;
    rw_receivers receivers;
    rw_vec3 *sources;
    size_t source_count;
    const char *city_name;
} los_bench;

static rw_status locate_los_sources(los_bench *los, size_t count)
{
    RW_TRY(rw_array_create(los->context, count, sizeof *los->sources, "sources", &los->sources));
    rw_bench_locate_sources(los->scene, los->city_name, los->sources, count);
    los->source_count = count;
    return RW_OK;
}

static void close_los_bench(los_bench *los)
{
    rw_receivers_destroy(&los->receivers);
    rw_scene_destroy(los->scene);
    free(los->sources);
    rw_context_destroy(los->context);
}

static rw_status open_los_bench(const rw_bench *bench, rw_backend backend, int threads, size_t sources, los_bench *los)
{
    *los = (los_bench){.bench = bench};
    rw_context_options options;
    rw_context_options_init(&options);
    options.backend = backend;
    options.threads = threads;
    RW_TRY(rw_context_create(&options, &los->context));
    RW_TRY(rw_bench_city(bench, los->context, &los->scene, &los->city_name));
    const rw_scene *scene = los->scene;
    double res = 5;
    rw_vec2 corner = {floor((scene->box_min.x + scene->origin.x) / res) * res - scene->origin.x,
                      floor((scene->box_min.y + scene->origin.y) / res) * res - scene->origin.y};
    size_t columns = (size_t)ceil((scene->box_max.x - corner.x) / res),
           rows = (size_t)ceil((scene->box_max.y - corner.y) / res);
    RW_TRY(rw_receivers_create(scene, &scene->prepared->grid, corner, columns, rows, res, 1.5, &los->receivers));
    return locate_los_sources(los, sources);
}

static rw_status compute_los_maps(const los_bench *los, rw_los_method method, size_t sources, uint8_t *answers)
{
    size_t cells = los->receivers.view.columns * los->receivers.view.rows;
    rw_los_job job;
    RW_TRY(rw_los_job_create(los->scene, &los->receivers, los->sources, sources, method, 0, &job));
    rw_status status = rw_los_job_run(&job);
    for (size_t i = 0; i < sources && status == RW_OK; i++)
        status = rw_los_job_read(&job, i, answers + i * cells, NULL);
    rw_los_job_destroy(&job);
    return status;
}

/* The fast form against the march, every receiver of some sources. */
static rw_status check_los_maps(const los_bench *los, rw_bench_check *compared)
{
    size_t cells = los->receivers.view.columns * los->receivers.view.rows, sources = 8, different = 0;
    uint8_t *answers;
    RW_TRY(rw_array_create(los->context, 2 * sources * cells, 1, "answers", &answers));
    rw_status status = compute_los_maps(los, RW_LOS_POLAR, sources, answers);
    if (status == RW_OK)
        status = compute_los_maps(los, RW_LOS_MARCH, sources, answers + sources * cells);
    for (size_t i = 0; i < sources * cells; i++)
        different += !los->receivers.indoor[i % cells] && answers[i] != answers[sources * cells + i];
    free(answers);
    *compared = (rw_bench_check){"the grid march", (double)different, 0, "receivers"};
    return status;
}

static rw_status run_los_maps_job(void *user)
{
    return rw_los_job_run(user);
}

static rw_status time_maps(const los_bench *los, rw_los_method method, size_t sources, int count, int repeats,
                           double *seconds)
{
    rw_los_job job;
    RW_TRY(rw_los_job_create(los->scene, &los->receivers, los->sources, sources, method, count, &job));
    rw_status status = rw_device_time(los->context, los->context->backend, run_los_maps_job, &job, repeats, seconds);
    rw_los_job_destroy(&job);
    return status;
}

static double gpu_limit(const los_bench *los)
{
    double walls = (double)los->scene->prepared->walls.count, receivers = (double)los->receivers.view.outdoor_count;
    return gpu_instructions_per_s / (receivers * instructions_a_receiver + walls * instructions_a_wall);
}

static rw_status bench_gpu(const rw_bench *bench)
{
    los_bench los;
    const size_t batch = 512;
    rw_bench_check compared = {0};
    rw_status status = open_los_bench(bench, RW_BACKEND_CUDA, 1, batch, &los);
    if (status == RW_OK)
        status = check_los_maps(&los, &compared);
    const rw_bench checked = rw_bench_checked(bench, compared);
    double one = 0, many = 0, march = 0, counted = 0;
    if (status == RW_OK)
        status = time_maps(&los, RW_LOS_POLAR, 1, 0, 100, &one);
    if (status == RW_OK)
        status = time_maps(&los, RW_LOS_POLAR, batch, 0, 20, &many);
    if (status == RW_OK)
        status = time_maps(&los, RW_LOS_MARCH, 64, 0, 10, &march);
    if (status == RW_OK)
        status = time_maps(&los, RW_LOS_POLYGONS, 16, 1, 5, &counted);
    char note[160];
    snprintf(note, sizeof note, "%s, %zu receivers, %zu outdoors", los.city_name,
             los.receivers.view.columns * los.receivers.view.rows, los.receivers.view.outdoor_count);
    if (status == RW_OK) {
        rw_bench_add_result(&checked, group, "one map, GPU", one * 1e6, "us", NAN, 50, note);
        rw_bench_add_result(&checked, group, "maps in batches of 512, GPU", (double)batch / many, "maps/s",
                            gpu_limit(&los), 1e5, "paper: 500 maps/s");
        rw_bench_add_result(bench, group, "by plain march, GPU", 64 / march, "maps/s", NAN, NAN, "");
        rw_bench_add_result(bench, group, "with wall counts, GPU", 16 / counted, "maps/s", NAN, NAN, "shadow polygons");
    } else {
        rw_fail(bench->context, status, "%s", rw_last_error(los.context));
    }
    close_los_bench(&los);
    return status;
}

static rw_status viewshed_seconds(const los_bench *los, double *seconds)
{
    const rw_receivers_view *view = &los->receivers.view;
    rw_vec2 centre = los->scene->prepared->grid.centre;
    rw_vec2 corner = {view->x0_m + centre.x - 0.5 * view->res_m, view->y0_m + centre.y - 0.5 * view->res_m};
    float *heights;
    unsigned char *visible;
    RW_TRY(rw_height_raster_create(los->scene, corner, view->columns, view->rows, view->res_m, &heights));
    rw_status status = rw_array_create(los->context, view->columns * view->rows, 1, "a viewshed", &visible);
    rw_gdal_viewshed_options options = {.heights = heights,
                                        .columns = view->columns,
                                        .rows = view->rows,
                                        .res_m = view->res_m,
                                        .observer_column = (size_t)((los->sources[0].x - corner.x) / view->res_m),
                                        .observer_row = (size_t)((los->sources[0].y - corner.y) / view->res_m),
                                        .observer_height_m = los->sources[0].z,
                                        .target_height_m = 1.5};
    *seconds = INFINITY;
    for (int i = 0; i < 20 && status == RW_OK; i++) {
        double one;
        status = rw_gdal_viewshed(los->context, &options, visible, &one);
        *seconds = fmin(*seconds, one);
    }
    free(heights);
    free(visible);
    return status;
}

static rw_status bench_cpu(const rw_bench *bench)
{
    los_bench los;
    rw_bench_check compared = {0};
    rw_status status = open_los_bench(bench, RW_BACKEND_CPU, 1, 64, &los);
    if (status == RW_OK)
        status = check_los_maps(&los, &compared);
    const rw_bench checked = rw_bench_checked(bench, compared);
    double one = 0, many = 0, march = 0, counted = 0, viewshed = 0, two = 0;
    if (status == RW_OK)
        status = time_maps(&los, RW_LOS_POLAR, 1, 0, 200, &one);
    if (status == RW_OK)
        status = time_maps(&los, RW_LOS_POLAR, 64, 0, 10, &many);
    if (status == RW_OK)
        status = time_maps(&los, RW_LOS_MARCH, 1, 0, 5, &march);
    if (status == RW_OK)
        status = time_maps(&los, RW_LOS_POLYGONS, 1, 1, 5, &counted);
    if (status == RW_OK) {
        rw_bench_add_result(bench, group, "read and prepare the city", los.scene->load_s + los.scene->prepare_s, "s",
                            NAN, 0.2, los.city_name);
        rw_bench_add_result(&checked, group, "one map, one CPU thread", one * 1e3, "ms", NAN, NAN,
                            "the COST 231 transmitter");
        rw_bench_add_result(&checked, group, "64 maps, one CPU thread", 64 / many, "maps/s", NAN, NAN,
                            "transmitters in streets");
        rw_bench_add_result(bench, group, "one map by march, one CPU thread", march * 1e3, "ms", NAN, NAN, "");
        rw_bench_add_result(bench, group, "one map with wall counts, one CPU thread", counted * 1e3, "ms", NAN, NAN,
                            "shadow polygons");
        if (rw_gdal_is_in() && viewshed_seconds(&los, &viewshed) == RW_OK)
            rw_bench_add_result(bench, group, "one map against GDAL's viewshed", viewshed / one, "times faster", NAN,
                                strcmp(los.city_name, "Munich") == 0 ? 10 : NAN, "same raster, one thread each");
        los.context->threads = 2;
        status = time_maps(&los, RW_LOS_POLAR, 64, 0, 10, &two);
        los.context->threads = 1;
        if (status == RW_OK)
            rw_bench_add_result(bench, group, "two threads against one", many / two, "times faster", 2, 1.8, "64 maps");
        rw_bench_add_result(bench, group, "peak memory", rw_memory_peak() / 1e6, "MB", NAN, NAN, "");
    }
    if (status != RW_OK)
        rw_fail(bench->context, status, "%s", rw_last_error(los.context));
    close_los_bench(&los);
    return status;
}

rw_status rw_bench_los(const rw_bench *bench)
{
    if (!rw_bench_wants(bench, group, group))
        return RW_OK;
    RW_TRY(bench_cpu(bench));
    return bench->context->backend == RW_BACKEND_CUDA ? bench_gpu(bench) : RW_OK;
}
