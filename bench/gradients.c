/* What a gradient costs: rw_gains_vjp over all parameters beside rw_gains_evaluate, on kept paths.
 *
 * The target is five forward evaluations whatever the number of parameters. Checked: the gradient times a step is the
 * difference of the evaluated levels over that step. */
#include "bench/bench.h"

#include "base/memory.h"

#include <rasterwave/gradients.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char group[] = "gradients";

#define REPEATS 7
#define POINTS 900

static const char *const models[] = {"images", "beams", "shadow", "tiles"};

/* Kept gains and the arrays of their calls. */
typedef struct gradient_bench {
    rw_gains *gains;
    rw_gains_info info;
    double *values, *levels, *cotangent, *gradient;
} gradient_bench;

static rw_status make_scene(rw_context *context, int rooms, rw_scene **scene)
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

static rw_status keep(rw_context *context, const char *model, rw_gains **gains)
{
    int rooms = strcmp(model, "images") == 0, side = 30;
    double width_m = rooms ? 40 : 400, depth_m = rooms ? 20 : 400;
    static rw_point points[POINTS];
    rw_predict_options options;
    rw_transmitter tx;
    rw_scene *scene;
    for (int i = 0; i < POINTS; i++)
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
    RW_TRY(make_scene(context, rooms, &scene));
    rw_status status = rw_gains_create(scene, &options, points, POINTS, NULL, gains);
    rw_scene_destroy(scene);
    return status;
}

static rw_status take_arrays(rw_context *context, gradient_bench *of)
{
    size_t pairs = of->info.transmitters * of->info.points, parameters = of->info.parameters;
    RW_TRY(rw_array_create(context, parameters, sizeof *of->values, "values", &of->values));
    RW_TRY(rw_array_create(context, parameters, sizeof *of->gradient, "values", &of->gradient));
    RW_TRY(rw_array_create(context, pairs, sizeof *of->levels, "levels", &of->levels));
    RW_TRY(rw_array_create(context, pairs, sizeof *of->cotangent, "levels", &of->cotangent));
    for (size_t i = 0; i < pairs; i++)
        of->cotangent[i] = cos((double)i);
    for (size_t i = 0; i < parameters; i++) {
        rw_gain_parameter about = {.size = sizeof about};
        RW_TRY(rw_gains_get_parameter(of->gains, i, &about));
        of->values[i] = about.value;
    }
    return RW_OK;
}

/* The scalar: levels times the cotangent. */
static rw_status evaluate(const gradient_bench *of, double *sum)
{
    RW_TRY(rw_gains_evaluate(of->gains, RW_GAINS_LEVELS, of->values, of->levels));
    *sum = 0;
    for (size_t i = 0; i < of->info.transmitters * of->info.points; i++)
        *sum += isfinite(of->levels[i]) ? of->levels[i] * of->cotangent[i] : 0;
    return RW_OK;
}

/* Relative error of the derivative over the first permittivity. */
static rw_status check(const gradient_bench *of, double *off)
{
    double step = 1e-3, above, below, *value = &of->values[0];
    RW_TRY(rw_gains_vjp(of->gains, RW_GAINS_LEVELS, of->values, of->cotangent, of->gradient));
    *value += step;
    RW_TRY(evaluate(of, &above));
    *value -= 2 * step;
    RW_TRY(evaluate(of, &below));
    *value += step;
    *off = fabs((above - below) / (2 * step) - of->gradient[0]) / fmax(fabs(of->gradient[0]), 1e-3);
    return RW_OK;
}

static rw_status time_calls(const gradient_bench *of, double *forward_s, double *backward_s)
{
    *forward_s = *backward_s = INFINITY;
    for (int i = 0; i < REPEATS; i++) {
        double start_s = rw_seconds();
        RW_TRY(rw_gains_evaluate(of->gains, RW_GAINS_LEVELS, of->values, of->levels));
        double middle_s = rw_seconds();
        RW_TRY(rw_gains_vjp(of->gains, RW_GAINS_LEVELS, of->values, of->cotangent, of->gradient));
        *forward_s = fmin(*forward_s, middle_s - start_s);
        *backward_s = fmin(*backward_s, rw_seconds() - middle_s);
    }
    return RW_OK;
}

static rw_status measure(const rw_bench *bench, rw_context *context, const char *model, gradient_bench *of)
{
    double off, forward_s, backward_s;
    char name[64], note[160];
    of->info.size = sizeof of->info;
    RW_TRY(rw_gains_get_info(of->gains, &of->info));
    RW_TRY(take_arrays(context, of));
    RW_TRY(check(of, &off));
    RW_TRY(time_calls(of, &forward_s, &backward_s));
    snprintf(name, sizeof name, "vjp over forward, %s, %s", model, rw_context_backend(context));
    snprintf(note, sizeof note, "%zu paths to %zu points, %zu parameters; forward %.3g ms", of->info.paths,
             of->info.points, of->info.parameters, 1e3 * forward_s);
    const rw_bench checked =
        rw_bench_checked(bench, (rw_bench_check){"finite differences", off, 1e-5, "of the derivative"});
    rw_bench_tell(&checked, group, name, backward_s / forward_s, "forward evaluations", NAN, 5, note);
    return RW_OK;
}

static rw_status bench_backend(const rw_bench *bench, rw_context *context)
{
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        gradient_bench of = {0};
        if (!rw_bench_wants(bench, group, models[i]))
            continue;
        RW_TRY(keep(context, models[i], &of.gains));
        rw_status status = measure(bench, context, models[i], &of);
        rw_gains_destroy(of.gains);
        free(of.values);
        free(of.gradient);
        free(of.levels);
        free(of.cotangent);
        RW_TRY(status);
    }
    return RW_OK;
}

rw_status rw_bench_gradients(const rw_bench *bench)
{
    return rw_bench_wants(bench, group, group) ? rw_bench_each_backend(bench, bench_backend) : RW_OK;
}
