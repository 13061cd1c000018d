/* Values of kept gains and their derivatives: launches of the kernels, one after the other. */
#include "base/memory.h"
#include "models/gains/gains.h"

#include <string.h>

static rw_status launch_paths(const rw_gains *gains, const double *tangent)
{
    struct rw_gain_paths_args args = {.world = rw_gains_world(gains),
                                      .tangent = tangent,
                                      .gains = gains->placed.gains,
                                      .changes = gains->placed.changes};
    return rw_device_launch(gains->context, gains->backend, RW_KERNEL_gain_paths, &args, gains->record.path_count);
}

static struct rw_gain_levels_args levels_args(const rw_gains *gains)
{
    return (struct rw_gain_levels_args){.world = rw_gains_world(gains),
                                        .firsts = gains->placed.firsts,
                                        .point_count = gains->record.point_count,
                                        .sum = (int)gains->sum,
                                        .near = gains->near,
                                        .gains = gains->placed.gains,
                                        .changes = gains->placed.changes};
}

static size_t pair_count(const rw_gains *gains)
{
    return gains->record.transmitter_count * gains->record.point_count;
}

static size_t output_count(const rw_gains *gains, rw_gains_output output)
{
    return output == RW_GAINS_PATHS ? 2 * gains->record.path_count : pair_count(gains);
}

static rw_status begin(rw_gains *gains, rw_gains_output output, const double *values)
{
    if (output != RW_GAINS_LEVELS && output != RW_GAINS_PATHS)
        return rw_fail(gains->context, RW_BAD_CALL, "there is no output %d of kept gains", (int)output);
    return rw_gains_apply(gains, values);
}

static rw_status fetch(const rw_gains *gains, const void *placed, size_t count, double *out)
{
    if (!out)
        return RW_OK;
    return rw_device_download(gains->context, gains->backend, out, placed, count * sizeof *out);
}

rw_status rw_gains_evaluate(rw_gains *gains, rw_gains_output output, const double *values, double *out)
{
    size_t count = output_count(gains, output);
    RW_TRY(begin(gains, output, values));
    RW_TRY(launch_paths(gains, NULL));
    if (output == RW_GAINS_PATHS)
        return fetch(gains, gains->placed.gains, count, out);
    struct rw_gain_levels_args args = levels_args(gains);
    args.levels = gains->placed.values;
    RW_TRY(rw_device_launch(gains->context, gains->backend, RW_KERNEL_gain_levels, &args, count));
    return fetch(gains, args.levels, count, out);
}

rw_status rw_gains_jvp(rw_gains *gains, rw_gains_output output, const double *values, const double *tangent,
                       double *out, double *change)
{
    size_t count = output_count(gains, output), room = rw_gains_values_room(gains);
    double *placed = gains->placed.values;
    RW_TRY(begin(gains, output, values));
    RW_TRY(rw_device_upload(gains->context, gains->backend, placed, tangent, gains->parameter_count * sizeof *tangent));
    RW_TRY(launch_paths(gains, placed));
    if (output == RW_GAINS_PATHS) {
        RW_TRY(fetch(gains, gains->placed.gains, count, out));
        return fetch(gains, gains->placed.changes, count, change);
    }
    struct rw_gain_levels_args args = levels_args(gains);
    args.tangent = placed;
    args.levels = placed + room;
    args.level_changes = placed + 2 * room;
    RW_TRY(rw_device_launch(gains->context, gains->backend, RW_KERNEL_gain_levels, &args, count));
    RW_TRY(fetch(gains, args.levels, count, out));
    return fetch(gains, args.level_changes, count, change);
}

/* Weights of the paths from a cotangent of the output, which has been sent to the backend. */
static rw_status weigh(const rw_gains *gains, rw_gains_output output, const double *cotangent)
{
    size_t room = rw_gains_values_room(gains);
    if (output == RW_GAINS_PATHS) {
        struct rw_gain_weigh_args args = {(const rw_complex *)(const void *)cotangent, gains->placed.weights};
        return rw_device_launch(gains->context, gains->backend, RW_KERNEL_gain_weigh, &args, gains->record.path_count);
    }
    struct rw_gain_levels_args args = levels_args(gains);
    RW_TRY(launch_paths(gains, NULL));
    args.cotangent = cotangent;
    args.levels = gains->placed.values + room;
    args.weights = gains->placed.weights;
    return rw_device_launch(gains->context, gains->backend, RW_KERNEL_gain_levels, &args, pair_count(gains));
}

rw_status rw_gains_vjp(rw_gains *gains, rw_gains_output output, const double *values, const double *cotangent,
                       double *gradient)
{
    size_t room = rw_gains_values_room(gains), parameters = gains->parameter_count;
    double *placed = gains->placed.values;
    rw_context *context = gains->context;
    RW_TRY(begin(gains, output, values));
    RW_TRY(
        rw_device_upload(context, gains->backend, placed, cotangent, output_count(gains, output) * sizeof *cotangent));
    RW_TRY(weigh(gains, output, placed));
    struct rw_gain_gradient_args derive = {.world = rw_gains_world(gains),
                                           .weights = gains->placed.weights,
                                           .path_count = gains->record.path_count,
                                           .block = gains->block,
                                           .parameter_count = parameters,
                                           .partials = gains->placed.partials};
    RW_TRY(rw_device_clear(context, gains->backend, derive.partials,
                           gains->block_count * parameters * sizeof *derive.partials));
    RW_TRY(rw_device_launch(context, gains->backend, RW_KERNEL_gain_gradient, &derive, gains->block_count));
    struct rw_gain_total_args total = {.partials = derive.partials,
                                       .block_count = gains->block_count,
                                       .parameter_count = parameters,
                                       .first_power = gains->first_transmitter_parameter,
                                       .power_step = gains->record.positions ? 7 : 4,
                                       .point_count = gains->record.point_count,
                                       .levels = output == RW_GAINS_LEVELS ? placed + room : NULL,
                                       .cotangent = placed,
                                       .gradient = placed + 2 * room};
    RW_TRY(rw_device_launch(context, gains->backend, RW_KERNEL_gain_total, &total, parameters));
    return fetch(gains, total.gradient, parameters, gradient);
}
