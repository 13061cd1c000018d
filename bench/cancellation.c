/* How soon a call ends that is cancelled: the longest time and the most items between two checks of a whole call, from
 * the scene to the map, for each model. The target is 0.1 s on two cores. */
#include "bench/bench.h"

#include "base/progress.h"

#include <math.h>
#include <stdio.h>

static const char group[] = "cancellation";

/* Calls of a second or more, preparation included. */
typedef struct cancelled_call {
    const char *name, *model;
    double side_m; /* of a city; 0: floors of an office */
    double res_m;
    size_t transmitters;
} cancelled_call;

static const cancelled_call calls[] = {
    {"shadow, 4 km2", "shadow", 2000, 5, 1},      {"shadow, 2000 transmitters", "shadow", 600, 20, 2000},
    {"beams, 1 km2", "beams", 1000, 5, 1},        {"cubes, 0.36 km2", "cubes", 600, 5, 1},
    {"tiles, 0.36 km2", "tiles", 600, 5, 1},      {"rt, 0.36 km2", "rt", 600, 10, 1},
    {"images, two storeys", "images", 0, 0.5, 1}, {"sbr, two storeys", "sbr", 0, 0.5, 1},
};

static rw_status generate_cancelled_scene(rw_context *context, double side_m, rw_scene **scene)
{
    rw_city_options city;
    rw_office_options office;
    rw_city_options_init(&city);
    rw_office_options_init(&office);
    city.width_m = city.depth_m = side_m;
    office.storeys = 2;
    RW_TRY(side_m > 0 ? rw_generate_city(context, &city, scene) : rw_generate_office(context, &office, scene));
    return rw_scene_commit(*scene);
}

/* The call as a program makes it. A transmitter inside a building is moved on. */
static rw_status run_cancelled_call(rw_context *context, const cancelled_call *call, rw_map **map)
{
    static rw_transmitter transmitters[2000];
    rw_scene *scene = NULL;
    rw_predict_options options;
    rw_predict_options_init(&options);
    options.model = call->model;
    options.transmitters = transmitters;
    options.transmitter_count = call->transmitters;
    options.layers = "path_loss";
    options.res_m = call->res_m;
    rw_status status = generate_cancelled_scene(context, call->side_m, &scene);
    double side_m = call->side_m > 0 ? call->side_m : 19, margin = 0.1 * side_m;
    for (size_t i = 0; i < call->transmitters; i++) {
        rw_transmitter_init(&transmitters[i]);
        transmitters[i].x_m = margin + fmod(0.4 * side_m + 0.618034 * side_m * (double)i, side_m - 2 * margin);
        transmitters[i].y_m = margin + fmod(0.4 * side_m + 0.754878 * side_m * (double)i, side_m - 2 * margin);
        transmitters[i].height_m = call->side_m > 0 ? 60 : 1.3;
    }
    if (status == RW_OK)
        status = rw_predict(scene, &options, map);
    rw_scene_destroy(scene);
    return status;
}

static rw_status measure_call_gaps(const rw_bench *bench, rw_context *context, const cancelled_call *call)
{
    char name[80], note[160];
    rw_gaps gaps = {0};
    rw_map *map = NULL;
    if (!rw_bench_wants(bench, group, call->name))
        return RW_OK;
    double start_s = rw_seconds();
    context->gaps = &gaps;
    rw_gaps_restart(&gaps);
    gaps.checked_s = start_s;
    rw_status status = run_cancelled_call(context, call, &map);
    context->gaps = NULL;
    double end_s = rw_seconds();
    rw_map_destroy(map);
    RW_TRY(status);
    if (end_s - gaps.checked_s > gaps.seconds) {
        gaps.seconds = end_s - gaps.checked_s;
        gaps.seconds_after = gaps.last_of;
        gaps.seconds_of = "the end";
    }
    snprintf(name, sizeof name, "%s, %s", call->name, rw_context_backend(context));
    snprintf(note, sizeof note, "of %.2f s; after %s, before %s; most items: %zu of %s", end_s - start_s,
             gaps.seconds_after ? gaps.seconds_after : "the start", gaps.seconds_of, gaps.items, gaps.items_of);
    rw_bench_add_result(bench, group, name, gaps.seconds, "s", NAN, 0.1, note);
    return RW_OK;
}

static rw_status bench_cancellation_on_backend(const rw_bench *bench, rw_context *context)
{
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        RW_TRY(measure_call_gaps(bench, context, &calls[i]));
    return RW_OK;
}

rw_status rw_bench_cancellation(const rw_bench *bench)
{
    return rw_bench_each_backend(bench, bench_cancellation_on_backend);
}
