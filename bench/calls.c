/* What a call costs its caller: rw_predict on a warm scene, the transmitter moved, beside the kernels alone.
 *
 * Everything but the kernels is overhead: the target is 1.3 times the kernels and 0.2 ms. Checked: the warm map equals
 * one of a new scene. */
#include "bench/bench.h"

#include "base/memory.h"
#include "device/device.h"
#include "discretise/prepared.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char group[] = "calls";

#define REPEATS 7
#define POSITIONS 2

typedef struct call_case {
    const char *name, *model, *layers, *effects, *cells;
} call_case;

static const call_case cases[] = {{"line of sight alone", "shadow", "los", NULL, NULL},
                                  {"shadow", "shadow", "path_loss", NULL, NULL},
                                  {"beams", "beams", "path_loss", NULL, NULL},
                                  {"cubes", "cubes", "path_loss", NULL, NULL},
                                  {"tiles, nearest cells", "tiles", "path_loss", NULL, "nearest"}};

typedef struct call_bench {
    const rw_bench *bench;
    rw_context *context;
    rw_scene *scene;
    const char *city_name;
    rw_transmitter transmitters[POSITIONS];
} call_bench;

static rw_predict_options build_call_options(const call_bench *calls, const call_case *line, int position)
{
    rw_predict_options options;
    rw_predict_options_init_for(&options, line->model);
    options.transmitters = &calls->transmitters[position];
    options.transmitter_count = 1;
    options.layers = line->layers;
    options.effects = line->effects;
    options.cells = line->cells;
    return options;
}

static int compare_call_seconds(const void *a, const void *b)
{
    double first = *(const double *)a, second = *(const double *)b;
    return first < second ? -1 : first > second;
}

/* Median of warm calls, the transmitter moved between two places. */
static rw_status time_warm_calls(const call_bench *calls, const call_case *line, double *seconds)
{
    double times[REPEATS];
    for (int i = 0; i < REPEATS; i++) {
        rw_predict_options options = build_call_options(calls, line, i % POSITIONS);
        rw_map *map;
        double start_s = rw_seconds();
        RW_TRY(rw_predict(calls->scene, &options, &map));
        times[i] = rw_seconds() - start_s;
        rw_map_destroy(map);
    }
    qsort(times, REPEATS, sizeof *times, compare_call_seconds);
    *seconds = times[REPEATS / 2];
    return RW_OK;
}

/* The kernels of one warm call, each waited for. */
static rw_status time_kernels(const call_bench *calls, const call_case *line, double *seconds)
{
    double times[POSITIONS];
    for (int i = 0; i < POSITIONS; i++) {
        rw_predict_options options = build_call_options(calls, line, i);
        rw_map *map;
        double kernels_s = 0;
        calls->context->launch_s = &kernels_s;
        rw_status status = rw_predict(calls->scene, &options, &map);
        calls->context->launch_s = NULL;
        RW_TRY(status);
        rw_map_destroy(map);
        times[i] = kernels_s;
    }
    *seconds = fmin(times[0], times[1]);
    return RW_OK;
}

/* A map of the warm scene against one of a scene of its own: the number of cells that differ. */
static rw_status count_cold_differences(const call_bench *calls, const call_case *line, size_t *different)
{
    rw_predict_options options = build_call_options(calls, line, 0);
    rw_scene *fresh;
    rw_map *warm, *cold = NULL;
    const char *city_name;
    rw_map_layer first = {.size = sizeof first}, second = {.size = sizeof second};
    *different = 0;
    RW_TRY(rw_bench_city(calls->bench, calls->context, &fresh, &city_name));
    rw_status status = rw_predict(calls->scene, &options, &warm);
    if (status == RW_OK) {
        status = rw_predict(fresh, &options, &cold);
        if (status == RW_OK)
            status = rw_map_get_layer(warm, 0, &first);
        if (status == RW_OK)
            status = rw_map_get_layer(cold, 0, &second);
        rw_map_info info = {.size = sizeof info};
        if (status == RW_OK)
            status = rw_map_get_info(warm, &info);
        for (size_t i = 0; status == RW_OK && i < info.columns * info.rows; i++)
            *different += memcmp(&first.values[i], &second.values[i], sizeof(float)) != 0;
        rw_map_destroy(warm);
        rw_map_destroy(cold);
    }
    rw_scene_destroy(fresh);
    return status;
}

static rw_status bench_call_case(const call_bench *calls, const call_case *line)
{
    double seconds, kernels_s;
    size_t different;
    char name[64], note[160];
    RW_TRY(count_cold_differences(calls, line, &different));
    RW_TRY(time_warm_calls(calls, line, &seconds));
    RW_TRY(time_kernels(calls, line, &kernels_s));
    snprintf(name, sizeof name, "%s, caller, %s", line->name, rw_context_backend(calls->context));
    snprintf(note, sizeof note, "%s at 5 m, warm, transmitter moved; kernels alone %.3g ms", calls->city_name,
             1e3 * kernels_s);
    const rw_bench checked =
        rw_bench_checked(calls->bench, (rw_bench_check){"a map of a new scene", (double)different, 0, "cells"});
    rw_bench_add_result(&checked, group, name, 1e3 * seconds, "ms", 1e3 * kernels_s, 1.3 * 1e3 * kernels_s + 0.2, note);
    return RW_OK;
}

static void locate_call_transmitters(call_bench *calls)
{
    rw_vec3 positions[POSITIONS];
    rw_bench_locate_sources(calls->scene, calls->city_name, positions, POSITIONS);
    for (int i = 0; i < POSITIONS; i++) {
        rw_transmitter *transmitter = &calls->transmitters[i];
        rw_transmitter_init(transmitter);
        transmitter->x_m = positions[i].x + calls->scene->origin.x;
        transmitter->y_m = positions[i].y + calls->scene->origin.y;
        transmitter->height_m = positions[0].z;
    }
}

static rw_status bench_calls_on_backend(const rw_bench *bench, rw_context *context)
{
    call_bench calls = {.bench = bench, .context = context};
    RW_TRY(rw_bench_city(bench, context, &calls.scene, &calls.city_name));
    locate_call_transmitters(&calls);
    rw_status status = RW_OK;
    for (size_t i = 0; i < sizeof cases / sizeof *cases && status == RW_OK; i++)
        if (rw_bench_wants(bench, group, cases[i].name))
            status = bench_call_case(&calls, &cases[i]);
    rw_scene_destroy(calls.scene);
    return status;
}

rw_status rw_bench_calls(const rw_bench *bench)
{
    int wanted = rw_bench_wants(bench, group, group);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        wanted |= bench->only && strcmp(bench->only, cases[i].name) == 0;
    return wanted ? rw_bench_each_backend(bench, bench_calls_on_backend) : RW_OK;
}
