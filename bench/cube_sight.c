/* Visibility of all cubes of a city from the transmitter, at 5 m: by the exact line of sight, by whole lines of cubes,
 * by supercubes as the paper prints them and by rings of supercubes. Each is timed, with the share of cubes whose
 * answer is another than by whole lines or exactly. Exact answers are compared with the shadow model's on the receivers
 * of a map, the others with plain walks that find their own starts. */
#include "base/memory.h"
#include "bench/bench.h"
#include "models/cubes/cubes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char group[] = "cubes";

typedef struct sight_bench {
    const rw_bench *out;
    rw_scene *scene;
    rw_prediction *prediction;
    rw_cubes_open_job open;
    rw_sight_line sight;
    size_t count;                   /* of cubes */
    uint8_t *lines, *exact, *found; /* answers: by whole lines, exact, and of the way at hand */
    const char *city_name;
} sight_bench;

static rw_status run_cube_visibility(void *user)
{
    sight_bench *bench = user;
    rw_cubes_job *job = &bench->open.job;
    return rw_cube_visibility(job->context, job->backend, &job->search.cubes, job->search.source_sight, bench->sight,
                              job->owned[RW_CUBES_SEEN]);
}

static rw_status compute_cube_visibility(sight_bench *bench, rw_sight_line sight, uint8_t *answers)
{
    bench->sight = sight;
    RW_TRY(run_cube_visibility(bench));
    return rw_cubes_job_read_seen(&bench->open.job, answers);
}

static int find_longest_offset(const int offset[3])
{
    int max_steps = 0;
    for (int axis = 0; axis < 3; axis++)
        max_steps = abs(offset[axis]) > max_steps ? abs(offset[axis]) : max_steps;
    return max_steps;
}

/* Where a line is after a step, to the nearest cube, halves away from its start. */
static int interpolate_step(int steps, int step, int offset)
{
    return steps ? (int)lround((double)step * offset / steps) : 0;
}

/* A plain walk, all relative to the source: whether no cube at steps first to the one before the end is filled. */
static int walk_cube_line(const sight_bench *bench, const int from[3], const int to[3], int first)
{
    const rw_cubes_job *job = &bench->open.job;
    const int offset[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
    int steps = find_longest_offset(offset);
    for (int step = first; step < steps; step++) {
        int at[3];
        for (int axis = 0; axis < 3; axis++)
            at[axis] =
                (int)floorf(job->search.source_sight[axis]) + from[axis] + interpolate_step(steps, step, offset[axis]);
        if (rw_cube_bit(job->cubes.filled, rw_cube_word(&job->cubes.view, at[0], at[1], at[2]), at[0]))
            return 0;
    }
    return 1;
}

/* Start of a line by the paper's Algorithm 2, in long double. */
static void find_supercube_start(const int to[3], int block, int start[3])
{
    long double length = 0, entry = 0;
    for (int axis = 0; axis < 3; axis++)
        length = hypotl(length, to[axis] + 0.5L);
    for (int axis = 0; axis < 3; axis++) {
        int border = to[axis] < 0 ? (-1 - to[axis]) / block : to[axis] / block;
        entry = fmaxl(entry, (long double)border * block / (fabsl(to[axis] + 0.5L) / length));
    }
    for (int axis = 0; axis < 3; axis++)
        start[axis] = entry > 0 ? (int)floorl((entry - 1) * (to[axis] + 0.5L) / length) : 0;
}

/* The answer of a cube by the walks of a way, from the cube inwards. */
static int walk_back_to_source(const sight_bench *bench, rw_sight_line sight, const int end[3])
{
    static const int source[3] = {0, 0, 0};
    int to[3] = {end[0], end[1], end[2]}, start[3];
    for (;;) {
        int steps = find_longest_offset(to),
            before = sight.method == RW_SIGHT_RINGS ? steps / sight.block * sight.block - 1 : 0;
        for (int axis = 0; axis < 3; axis++)
            start[axis] = before > 0 ? interpolate_step(steps, before, to[axis]) : 0;
        if (sight.method == RW_SIGHT_SUPERCUBES)
            find_supercube_start(to, sight.block, start);
        int ends = find_longest_offset(start) == 0, by_ring = sight.method != RW_SIGHT_SUPERCUBES;
        if (!walk_cube_line(bench, by_ring ? source : start, to, by_ring && !ends ? before : ends))
            return 0;
        if (ends)
            return 1;
        for (int axis = 0; axis < 3; axis++)
            to[axis] = start[axis];
    }
}

/* Answers in found against plain walks, to each 997th cube. */
static rw_bench_check compare_walks(const sight_bench *bench, rw_sight_line sight)
{
    const rw_cubes_job *job = &bench->open.job;
    size_t different = 0;
    for (size_t i = 0; i < bench->count; i += 997) {
        int to[3];
        rw_see_cube_at(&job->cubes.view, i, to);
        for (int axis = 0; axis < 3; axis++)
            to[axis] -= (int)floorf(job->search.source_sight[axis]);
        different += bench->found[i] != walk_back_to_source(bench, sight, to);
    }
    return (rw_bench_check){"plain walks to each 997th cube", (double)different, 0, "cubes"};
}

/* Exact answers in the cubes of receivers against line of sight by every wall. */
static rw_status compare_exact(const sight_bench *bench, rw_bench_check *compared)
{
    const rw_receivers_view *view = &bench->prediction->receivers.view;
    rw_predict_options options;
    rw_map *map;
    rw_map_layer los = {.size = sizeof los};
    rw_predict_options_init(&options);
    options.transmitters = bench->prediction->options->transmitters;
    options.transmitter_count = 1;
    options.res_m = bench->prediction->options->res_m;
    options.layers = "los";
    options.method = "march";
    RW_TRY(rw_predict(bench->scene, &options, &map));
    rw_status status = rw_map_get_layer(map, 0, &los);
    size_t different = 0;
    for (size_t i = 0; status == RW_OK && i < view->outdoor_count; i++) {
        float at[3];
        rw_cubes_locate(&bench->open.job.cubes.frame, bench->open.points[i], at);
        const int cube[3] = {(int)floorf(at[0]), (int)floorf(at[1]), (int)floorf(at[2])};
        different +=
            bench->found[rw_see_index(&bench->open.job.cubes.view, cube)] != (los.values[view->outdoor[i]] > 0);
    }
    rw_map_destroy(map);
    *compared = (rw_bench_check){"line of sight of the shadow model",
                                 100.0 * (double)different / (double)view->outdoor_count, 0.1, "% of receivers"};
    return status;
}

/* Share of the free cubes whose answer is another than the exact one, in percent; inside buildings that has none. */
static double measure_exact_difference(const sight_bench *bench)
{
    const rw_cubes *cubes = &bench->open.job.cubes;
    size_t different = 0, free_cubes = 0;
    for (size_t i = 0; i < bench->count; i++) {
        int at[3];
        rw_see_cube_at(&cubes->view, i, at);
        if (rw_cube_bit(cubes->filled, rw_cube_word(&cubes->view, at[0], at[1], at[2]), at[0]))
            continue;
        free_cubes++;
        different += bench->found[i] != bench->exact[i];
    }
    return free_cubes ? 100.0 * (double)different / (double)free_cubes : 0;
}

static rw_status report_sight_method(sight_bench *bench, const char *name, rw_sight_line sight)
{
    rw_context *context = bench->open.job.context;
    int gpu = context->backend == RW_BACKEND_CUDA;
    rw_bench_check compared = {0};
    double seconds;
    size_t different = 0;
    char line[64], note[160];
    RW_TRY(compute_cube_visibility(bench, sight, bench->found));
    for (size_t i = 0; i < bench->count; i++)
        different += bench->found[i] != bench->lines[i];
    if (sight.method == RW_SIGHT_EXACT)
        RW_TRY(compare_exact(bench, &compared));
    else
        compared = compare_walks(bench, sight);
    double different_percent = 100.0 * (double)different / (double)bench->count;
    RW_TRY(rw_device_time(context, context->backend, run_cube_visibility, bench, gpu ? 25 : 3, &seconds));
    snprintf(line, sizeof line, "visibility, %s, %s", name, rw_context_backend(context));
    snprintf(note, sizeof note,
             "%s, %zu cubes of %g m; differ: %.2f %% from whole lines, %.2f %% of the free from exact",
             bench->city_name, bench->count, bench->prediction->options->res_m, different_percent,
             measure_exact_difference(bench));
    rw_bench checked = rw_bench_checked(bench->out, compared);
    rw_bench_add_result(&checked, group, line, 1e3 * seconds, "ms", NAN, NAN, note);
    return RW_OK;
}

static rw_status report_sight_methods(sight_bench *bench)
{
    static const struct {
        const char *name;
        rw_sight_line sight;
    } methods[] = {{"exact", {RW_SIGHT_EXACT, 0}},
                   {"lines of cubes", {RW_SIGHT_CUBES, 0}},
                   {"supercubes as printed, M 8", {RW_SIGHT_SUPERCUBES, 8}},
                   {"supercubes as printed, M 32", {RW_SIGHT_SUPERCUBES, 32}},
                   {"rings, M 8", {RW_SIGHT_RINGS, 8}},
                   {"rings, M 32", {RW_SIGHT_RINGS, 32}}};
    const rw_cubes_view *view = &bench->open.job.cubes.view;
    rw_context *context = bench->open.job.context;
    bench->count = (size_t)view->columns * (size_t)view->rows * (size_t)view->layers;
    RW_TRY(rw_array_create(context, 3 * bench->count, 1, "answers", &bench->lines));
    bench->exact = bench->lines + bench->count;
    bench->found = bench->exact + bench->count;
    RW_TRY(compute_cube_visibility(bench, methods[0].sight, bench->exact));
    RW_TRY(compute_cube_visibility(bench, methods[1].sight, bench->lines));
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        RW_TRY(report_sight_method(bench, methods[i].name, methods[i].sight));
    return RW_OK;
}

/* The cubes of a map without deflections, and the transmitter in them. */
static rw_status open_sight_bench(sight_bench *bench, const rw_predict_options *options)
{
    rw_cubes_costs costs;
    RW_TRY(rw_prediction_open(bench->scene, options, &bench->prediction));
    rw_status status = rw_cubes_open(bench->prediction, 0, &bench->open);
    if (status == RW_OK)
        status = rw_cubes_costs_find(bench->prediction, 0, &costs);
    if (status == RW_OK) /* places the source */
        status = rw_cubes_job_run(&bench->open.job, bench->prediction->sources[0], bench->prediction->options->freq_hz,
                                  &costs);
    if (status == RW_OK)
        status = report_sight_methods(bench);
    free(bench->lines);
    rw_cubes_close(&bench->open);
    rw_prediction_destroy(bench->prediction);
    return status;
}

static rw_status bench_sight_on_backend(const rw_bench *out, rw_context *context)
{
    sight_bench bench = {.out = out};
    rw_transmitter transmitter;
    rw_predict_options options;
    rw_vec3 source;
    RW_TRY(rw_bench_city(out, context, &bench.scene, &bench.city_name));
    rw_bench_locate_sources(bench.scene, bench.city_name, &source, 1);
    rw_transmitter_init(&transmitter);
    transmitter.x_m = source.x + bench.scene->origin.x;
    transmitter.y_m = source.y + bench.scene->origin.y;
    transmitter.height_m = source.z;
    rw_predict_options_init_for(&options, "cubes");
    options.transmitters = &transmitter;
    options.transmitter_count = 1;
    options.layers = "los,visible";
    options.reflections = options.horizontal_diffractions = options.vertical_diffractions = 0;
    rw_status status = open_sight_bench(&bench, &options);
    rw_scene_destroy(bench.scene);
    return status;
}

rw_status rw_bench_cube_sight(const rw_bench *bench)
{
    return rw_bench_wants(bench, group, group) ? rw_bench_each_backend(bench, bench_sight_on_backend) : RW_OK;
}
