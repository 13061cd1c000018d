#include "bench/bench.h"

#include "base/maths/hash.h"
#include "discretise/prepared.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define TINY_CITY_M 300.0

int rw_bench_wants(const rw_bench *bench, const char *group, const char *name)
{
    return !bench->only || strstr(group, bench->only) || strstr(name, bench->only);
}

rw_bench rw_bench_checked(const rw_bench *bench, rw_bench_check check)
{
    rw_bench checked = *bench;
    checked.check = check;
    return checked;
}

rw_bench rw_bench_on_curve(const rw_bench *bench, const char *curve, double x, const char *x_label)
{
    rw_bench point = *bench;
    point.curve = curve;
    point.x = x;
    point.x_label = x_label;
    return point;
}

int rw_bench_is_checked(const rw_bench_result *result)
{
    return result->against[0] != 0;
}

int rw_bench_is_wrong(const rw_bench_result *result)
{
    return rw_bench_is_checked(result) && !(result->difference <= result->allowed);
}

void rw_bench_add_result(const rw_bench *bench, const char *group, const char *name, double value, const char *unit,
                         double limit, double target, const char *note)
{
    const rw_bench_check *check = &bench->check;
    rw_bench_result result = {.value = value,
                              .limit = limit,
                              .target = target,
                              .difference = check->difference,
                              .allowed = check->allowed,
                              .x = bench->x};
    snprintf(result.curve, sizeof result.curve, "%s", bench->curve ? bench->curve : "");
    snprintf(result.x_label, sizeof result.x_label, "%s", bench->x_label ? bench->x_label : "");
    snprintf(result.against, sizeof result.against, "%s", check->against ? check->against : "");
    snprintf(result.difference_unit, sizeof result.difference_unit, "%s", check->unit ? check->unit : "");
    snprintf(result.group, sizeof result.group, "%s", group);
    snprintf(result.name, sizeof result.name, "%s", name);
    snprintf(result.unit, sizeof result.unit, "%s", unit);
    snprintf(result.note, sizeof result.note, "%s", note);
    bench->on_result(bench->user, &result);
    rw_bench_watch_begin(bench->watch, bench->limit_s); /* the next line has all of the limit again */
}

rw_status rw_bench_city(const rw_bench *bench, rw_context *context, rw_scene **scene, const char **city_name)
{
    char path[4096] = "";
    rw_load_options options;
    rw_load_options_init(&options);
    options.terrain = "flat";
    if (bench->data_folder && !bench->tiny)
        snprintf(path, sizeof path, "%s/munich/Munich_buildings.res", bench->data_folder);
    if (*path && access(path, R_OK) == 0) {
        *city_name = "Munich";
        return rw_scene_load(context, path, &options, scene);
    }
    rw_city_options city;
    rw_city_options_init(&city);
    *city_name = "generated city";
    if (bench->tiny)
        city.width_m = city.depth_m = TINY_CITY_M;
    RW_TRY(rw_generate_city(context, &city, scene));
    return rw_scene_commit(*scene);
}

void rw_bench_locate_sources(const rw_scene *scene, const char *city_name, rw_vec3 *sources, size_t count)
{
    rw_random random = rw_random_of(1, 0);
    int munich = strcmp(city_name, "Munich") == 0;
    for (size_t i = 0; i < count;) {
        rw_vec3 at;
        at.x = rw_random_range(&random, scene->box_min.x, scene->box_max.x);
        at.y = rw_random_range(&random, scene->box_min.y, scene->box_max.y);
        at.z = rw_random_range(&random, 5, 15);
        if (i == 0 && munich)
            at = rw_vec3_of(1281.36 - scene->origin.x, 1381.27 - scene->origin.y, 13);
        uint32_t part;
        if (rw_parts_at(scene, scene->prepared, (rw_vec2){at.x, at.y}, at.z, &part, 1) == 0)
            sources[i++] = at;
    }
}

rw_status rw_bench_each_backend(const rw_bench *bench, rw_status (*run)(const rw_bench *bench, rw_context *context))
{
    for (int backend = RW_BACKEND_CPU; backend <= (int)bench->context->backend; backend++) {
        rw_context_options options;
        rw_context_options_init(&options);
        options.backend = (rw_backend)backend;
        options.threads = bench->context->threads;
        options.on_progress = rw_bench_watch_progress;
        options.user = bench->watch;
        rw_context *context;
        rw_status status = rw_context_create(&options, &context);
        if (status == RW_OK)
            status = run(bench, context);
        if (status != RW_OK)
            rw_fail(bench->context, status, "%s", rw_last_error(context));
        rw_context_destroy(context);
        RW_TRY(status);
    }
    return RW_OK;
}

rw_status rw_bench_run(rw_context *context, const char *data_folder, const char *only, rw_bench_fn on_result,
                       void *user)
{
    static rw_status (*const groups[])(const rw_bench *bench) = {
        rw_bench_calls,       rw_bench_points,    rw_bench_many_maps,  rw_bench_los,       rw_bench_los_curve,
        rw_bench_shadow,      rw_bench_beams,     rw_bench_growth,     rw_bench_calibrate, rw_bench_physics,
        rw_bench_cubes,       rw_bench_cubes_map, rw_bench_cube_sight, rw_bench_images,    rw_bench_tiles,
        rw_bench_tile_rays,   rw_bench_terrain,   rw_bench_plan,       rw_bench_gradients, rw_bench_network,
        rw_bench_cancellation};
    rw_bench bench = {
        .context = context, .data_folder = data_folder, .only = only, .on_result = on_result, .user = user};
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        RW_TRY(groups[i](&bench));
    return RW_OK;
}
