/* Line-of-sight maps per second over the size of the grid, by the default method and by the paper's shadow polygons:
 * the curve of Figure 11 of Rick and Kuhlen (2010). Each size and method is checked against the grid march before it is
 * timed. */
#include "bench/bench.h"

#include "base/memory.h"
#include "visibility/los/los.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char group[] = "los curve";

typedef struct curve_point {
    rw_context *context;
    const rw_scene *scene;
    rw_receivers receivers;
    rw_vec3 source;
} curve_point;

static rw_status compute_los_map(const curve_point *point, rw_los_method method, uint8_t *los)
{
    rw_los_job job;
    RW_TRY(rw_los_job_create(point->scene, &point->receivers, &point->source, 1, method, 0, &job));
    rw_status status = rw_los_job_run(&job);
    if (status == RW_OK)
        status = rw_los_job_read(&job, 0, los, NULL);
    rw_los_job_destroy(&job);
    return status;
}

static rw_status check_los_map(const curve_point *point, rw_los_method method, rw_bench_check *compared)
{
    size_t cells = point->receivers.view.columns * point->receivers.view.rows, different = 0;
    uint8_t *answers;
    RW_TRY(rw_array_create(point->context, 2 * cells, 1, "answers", &answers));
    rw_status status = compute_los_map(point, method, answers);
    if (status == RW_OK)
        status = compute_los_map(point, RW_LOS_MARCH, answers + cells);
    for (size_t i = 0; status == RW_OK && i < cells; i++)
        different += !point->receivers.indoor[i] && answers[i] != answers[cells + i];
    free(answers);
    *compared = (rw_bench_check){"the grid march", (double)different, 0, "receivers"};
    return status;
}

static rw_status run_los_curve_job(void *user)
{
    return rw_los_job_run(user);
}

/* A method with its name in the curves. */
typedef struct los_curve_method {
    rw_los_method method;
    const char *name;
} los_curve_method;

static rw_status time_point(const rw_bench *bench, const curve_point *point, const los_curve_method *by, double res_m)
{
    const rw_receivers_view *view = &point->receivers.view;
    rw_los_job job;
    double seconds;
    rw_bench_check compared = {0};
    RW_TRY(check_los_map(point, by->method, &compared));
    RW_TRY(rw_los_job_create(point->scene, &point->receivers, &point->source, 1, by->method, 0, &job));
    rw_status status = rw_device_time(point->context, point->context->backend, run_los_curve_job, &job, 20, &seconds);
    rw_los_job_destroy(&job);
    RW_TRY(status);
    char name[64], note[160], curve[32];
    snprintf(name, sizeof name, "%zu x %zu cells of %g m, %s, %s", view->columns, view->rows, res_m, by->name,
             rw_context_backend(point->context));
    snprintf(curve, sizeof curve, "%s, %s", by->name, rw_context_backend(point->context));
    snprintf(note, sizeof note, "%s",
             res_m == 5 ? "Figure 11: 100, 200, over 500 maps/s (6600 GT, 7800 GT, 8800 GTX)" : "");
    rw_bench checked = rw_bench_on_curve(bench, curve, (double)(view->columns * view->rows), "receivers");
    checked = rw_bench_checked(&checked, compared);
    rw_bench_add_result(&checked, group, name, 1 / seconds, "maps/s", NAN, NAN, note);
    return RW_OK;
}

static rw_status bench_los_resolution(const rw_bench *bench, curve_point *point, double res_m)
{
    static const los_curve_method methods[] = {{RW_LOS_POLAR, "polar"}, {RW_LOS_POLYGONS, "polygons"}};
    const rw_scene *scene = point->scene;
    size_t columns = (size_t)ceil((scene->box_max.x - scene->box_min.x) / res_m);
    size_t rows = (size_t)ceil((scene->box_max.y - scene->box_min.y) / res_m);
    RW_TRY(rw_receivers_create(scene, &scene->prepared->grid, scene->box_min, columns, rows, res_m, 1.5,
                               &point->receivers));
    rw_status status = RW_OK;
    for (size_t i = 0; i < sizeof methods / sizeof *methods && status == RW_OK; i++)
        status = time_point(bench, point, &methods[i], res_m);
    rw_receivers_destroy(&point->receivers);
    return status;
}

static rw_status bench_los_curve_on_backend(const rw_bench *bench, rw_context *context)
{
    static const double resolutions_m[] = {20, 10, 5, 2.5, 1.25};
    rw_scene *scene = NULL;
    const char *city_name;
    RW_TRY(rw_bench_city(bench, context, &scene, &city_name));
    int munich = strcmp(city_name, "Munich") == 0;
    curve_point point = {.context = context, .scene = scene};
    point.source = rw_vec3_of((munich ? 1281.36 : 1205) - scene->origin.x, (munich ? 1381.27 : 1705) - scene->origin.y,
                              munich ? 13 : 40);
    rw_status status = RW_OK;
    for (size_t i = 0; i < sizeof resolutions_m / sizeof *resolutions_m && status == RW_OK; i++)
        status = bench_los_resolution(bench, &point, resolutions_m[i]);
    rw_scene_destroy(scene);
    return status;
}

rw_status rw_bench_los_curve(const rw_bench *bench)
{
    if (!rw_bench_wants(bench, group, group))
        return RW_OK;
    return rw_bench_each_backend(bench, bench_los_curve_on_backend);
}
