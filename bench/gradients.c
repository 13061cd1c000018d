/* What derivatives cost: rw_gains_jvp and rw_gains_vjp over all parameters beside rw_gains_evaluate, on kept paths.
 *
 * The target is five forward evaluations whatever the number of parameters. Checked: the change along a direction of
 * all parameters but places is the difference of the evaluated levels over it, and forward and backward agree over all.
 */
#include "bench/bench.h"

#include "base/memory.h"

#include <rasterwave/gradients.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char group[] = "gradients";

#define REPEATS 15
#define SIDE_MAX 100

static const char *const models[] = {"images", "beams", "shadow", "tiles"};

/* Kept gains and the arrays of their calls. */
typedef struct gradient_bench {
    rw_gains *gains;
    rw_gains_info info;
    size_t pairs;
    double *values, *tangent, *gradient;         /* over parameters */
    double *levels, *below, *change, *cotangent; /* over pairs */
} gradient_bench;

/* Seconds of one call, and those of its kernels alone. */
typedef struct gradient_time {
    double call_s, kernels_s;
} gradient_time;

static rw_status make_gradient_scene(rw_context *context, int rooms, rw_scene **scene)
{
    rw_office_options office;
    rw_city_options city;
    rw_office_options_init(&office);
    rw_city_options_init(&city);
    city.width_m = city.depth_m = 400;
    RW_TRY(rooms ? rw_generate_office(context, &office, scene) : rw_generate_city(context, &city, scene));
    rw_status status = rw_scene_commit(*scene);
    if (status != RW_OK)
        rw_scene_destroy(*scene);
    return status;
}

static rw_status record_scene_gains(rw_context *context, const char *model, rw_gains **gains)
{
    int rooms = strcmp(model, "images") == 0, side = rooms ? 30 : SIDE_MAX;
    double width_m = rooms ? 40 : 400, depth_m = rooms ? 20 : 400;
    static rw_point points[SIDE_MAX * SIDE_MAX];
    rw_predict_options options;
    rw_transmitter tx;
    rw_scene *scene;
    for (int i = 0; i < side * side; i++)
        points[i] = (rw_point){.size = sizeof *points,
                               .x_m = (i % side + 0.43) * width_m / side,
                               .y_m = (double)((int)(i / side) + 0.57) * depth_m / side,
                               .height_m = rooms ? 1.2 : 1.5};
    rw_transmitter_init(&tx);
    tx.x_m = 0.513 * width_m;
    tx.y_m = 0.433 * depth_m;
    tx.height_m = rooms ? 2 : 60;
    tx.antenna = "3gpp";
    rw_predict_options_init_for(&options, model);
    options.transmitters = &tx;
    options.transmitter_count = 1;
    options.freq_hz = 2.4e9;
    if (strcmp(model, "tiles") == 0)
        options.scatterings = 0;
    RW_TRY(make_gradient_scene(context, rooms, &scene));
    rw_status status = rw_gains_create(scene, &options, points, (size_t)side * (size_t)side, NULL, gains);
    rw_scene_destroy(scene);
    return status;
}

/* A step of a parameter: within the piece of an antenna's table, and none of a place, which has other paths. */
static double step_of(const rw_gain_parameter *about, double value)
{
    if (about->quantity <= RW_GAIN_QUANTITY_THICKNESS)
        return 1e-4 * fmax(value, 1e-2);
    if (about->quantity == RW_GAIN_QUANTITY_POWER)
        return 1e-3;
    return about->quantity < RW_GAIN_QUANTITY_X_M ? 1e-5 : 0;
}

static rw_status allocate_gradient_arrays(rw_context *context, gradient_bench *of)
{
    size_t parameters = of->info.parameters;
    double **over_parameters[] = {&of->values, &of->tangent, &of->gradient};
    double **over_pairs[] = {&of->levels, &of->below, &of->change, &of->cotangent};
    of->pairs = of->info.transmitters * of->info.points;
    for (int i = 0; i < 3; i++)
        RW_TRY(rw_array_create(context, parameters, sizeof(double), "values", over_parameters[i]));
    for (int i = 0; i < 4; i++)
        RW_TRY(rw_array_create(context, of->pairs, sizeof(double), "levels", over_pairs[i]));
    for (size_t i = 0; i < of->pairs; i++)
        of->cotangent[i] = cos((double)i);
    for (size_t i = 0; i < parameters; i++) {
        rw_gain_parameter about = {.size = sizeof about};
        RW_TRY(rw_gains_get_parameter(of->gains, i, &about));
        of->values[i] = about.value;
        if (about.quantity == RW_GAIN_QUANTITY_CONDUCTIVITY || about.quantity == RW_GAIN_QUANTITY_ROUGHNESS)
            of->values[i] = fmax(about.value, 0.01 + 1e-4 * (double)i); /* away from zero and from kinks */
        of->tangent[i] = cos(3 * (double)i) * step_of(&about, of->values[i]);
    }
    return RW_OK;
}

static void free_arrays(gradient_bench *of)
{
    double *all[] = {of->values, of->tangent, of->gradient, of->levels, of->below, of->change, of->cotangent};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    rw_gains_destroy(of->gains);
}

static rw_status evaluate_along(const gradient_bench *of, double steps, double *levels)
{
    for (size_t i = 0; i < of->info.parameters; i++)
        of->values[i] += steps * of->tangent[i];
    rw_status status = rw_gains_evaluate(of->gains, RW_GAINS_LEVELS, of->values, levels);
    for (size_t i = 0; i < of->info.parameters; i++)
        of->values[i] -= steps * of->tangent[i];
    return status;
}

/* The larger of what differences and forward against backward are off by, relative to the sum of all changes. */
static rw_status check_gradients(const gradient_bench *of, double *off)
{
    double difference = 0, forward = 0, backward = 0, size = 0;
    RW_TRY(evaluate_along(of, 1, of->levels));
    RW_TRY(evaluate_along(of, -1, of->below));
    RW_TRY(rw_gains_jvp(of->gains, RW_GAINS_LEVELS, of->values, of->tangent, NULL, of->change));
    for (size_t i = 0; i < of->pairs; i++) {
        difference += isfinite(of->levels[i]) ? 0.5 * (of->levels[i] - of->below[i]) * of->cotangent[i] : 0;
        forward += of->change[i] * of->cotangent[i];
        size += fabs(of->change[i] * of->cotangent[i]);
    }
    *off = fabs(difference - forward) / size;
    for (size_t i = 0; i < of->info.parameters; i++) /* places too */
        of->tangent[i] = of->tangent[i] == 0 ? 1e-3 * sin((double)i) : of->tangent[i];
    RW_TRY(rw_gains_jvp(of->gains, RW_GAINS_LEVELS, of->values, of->tangent, NULL, of->change));
    RW_TRY(rw_gains_vjp(of->gains, RW_GAINS_LEVELS, of->values, of->cotangent, of->gradient));
    forward = size = 0;
    for (size_t i = 0; i < of->pairs; i++) {
        forward += of->change[i] * of->cotangent[i];
        size += fabs(of->change[i] * of->cotangent[i]);
    }
    for (size_t i = 0; i < of->info.parameters; i++)
        backward += of->gradient[i] * of->tangent[i];
    double apart = fabs(forward - backward) / size;
    *off = apart <= *off ? *off : apart; /* NaN stays */
    return RW_OK;
}

/* which: evaluate, jvp or vjp. */
static rw_status time_gradient_call(const gradient_bench *of, int which)
{
    if (which == 0)
        return rw_gains_evaluate(of->gains, RW_GAINS_LEVELS, of->values, of->levels);
    if (which == 1)
        return rw_gains_jvp(of->gains, RW_GAINS_LEVELS, of->values, of->tangent, of->levels, of->change);
    return rw_gains_vjp(of->gains, RW_GAINS_LEVELS, of->values, of->cotangent, of->gradient);
}

static rw_status time_gradient_calls(rw_context *context, const gradient_bench *of, gradient_time times[3])
{
    for (int which = 0; which < 3; which++)
        times[which] = (gradient_time){INFINITY, INFINITY};
    for (int i = 0; i < REPEATS; i++)
        for (int which = 0; which < 3; which++) {
            double start_s = rw_seconds(), kernels_s = 0;
            RW_TRY(time_gradient_call(of, which));
            times[which].call_s = fmin(times[which].call_s, rw_seconds() - start_s);
            context->launch_s = &kernels_s; /* waits behind each kernel: not part of the time of the call */
            rw_status status = time_gradient_call(of, which);
            context->launch_s = NULL;
            RW_TRY(status);
            times[which].kernels_s = fmin(times[which].kernels_s, kernels_s);
        }
    return RW_OK;
}

static rw_status measure_gradients(const rw_bench *bench, rw_context *context, const char *model, gradient_bench *of)
{
    static const char *const calls[] = {"evaluate", "jvp", "vjp"};
    gradient_time times[3];
    double off;
    char name[64], note[240];
    of->info.size = sizeof of->info;
    RW_TRY(rw_gains_get_info(of->gains, &of->info));
    RW_TRY(allocate_gradient_arrays(context, of));
    RW_TRY(check_gradients(of, &off));
    RW_TRY(time_gradient_calls(context, of, times));
    const rw_bench checked =
        rw_bench_checked(bench, (rw_bench_check){"differences and backward", off, 1e-5, "of the change"});
    for (int which = 1; which < 3; which++) {
        snprintf(name, sizeof name, "%s over forward, %s, %s", calls[which], model, rw_context_backend(context));
        snprintf(note, sizeof note,
                 "%zu paths to %zu points, %zu parameters; %.3g ms, %.3g in kernels; forward %.3g ms, %.3g",
                 of->info.paths, of->info.points, of->info.parameters, 1e3 * times[which].call_s,
                 1e3 * times[which].kernels_s, 1e3 * times[0].call_s, 1e3 * times[0].kernels_s);
        rw_bench_add_result(&checked, group, name, times[which].call_s / times[0].call_s, "forward evaluations", NAN, 5,
                            note);
    }
    return RW_OK;
}

static rw_status bench_gradients_on_backend(const rw_bench *bench, rw_context *context)
{
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        gradient_bench of = {0};
        if (!rw_bench_wants(bench, group, models[i]))
            continue;
        RW_TRY(record_scene_gains(context, models[i], &of.gains));
        rw_status status = measure_gradients(bench, context, models[i], &of);
        free_arrays(&of);
        RW_TRY(status);
    }
    return RW_OK;
}

rw_status rw_bench_gradients(const rw_bench *bench)
{
    return rw_bench_wants(bench, group, group) ? rw_bench_each_backend(bench, bench_gradients_on_backend) : RW_OK;
}
