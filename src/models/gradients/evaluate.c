/* Values of kept gains and their derivatives: launches of the kernels, one after the other. */
#include "base/memory.h"
#include "models/gradients/gradients.h"

#include <string.h>

/* back: the way back follows, which needs the states of interactions. */
static rw_status launch_paths(const rw_gains *gains, int back)
{
    struct rw_gain_paths_args args = {rw_gains_view(gains), gains->device.gains};
    if (!back)
        args.view.states = NULL;
    return rw_device_launch(gains->context, gains->backend, RW_KERNEL_gain_paths, &args, gains->record.path_count);
}

static rw_status launch_changes(const rw_gains *gains, const double *tangent)
{
    struct rw_gain_changes_args args = {rw_gains_view(gains), tangent, gains->device.gains, gains->device.changes};
    return rw_device_launch(gains->context, gains->backend, RW_KERNEL_gain_changes, &args, gains->record.path_count);
}

static rw_gain_adding adding_of(const rw_gains *gains)
{
    return (rw_gain_adding){(int)gains->sum, gains->near, gains->device.gains, gains->device.fields};
}

static struct rw_gain_levels_args levels_args(const rw_gains *gains)
{
    return (struct rw_gain_levels_args){.view = rw_gains_view(gains),
                                        .adding = adding_of(gains),
                                        .firsts = gains->device.firsts,
                                        .point_count = gains->record.point_count,
                                        .changes = gains->device.changes};
}

/* A kernel whose items are shared by lanes. */
static rw_status launch_shared(const rw_gains *gains, rw_kernel kernel, const void *args, size_t count)
{
    return rw_device_launch(gains->context, gains->backend, kernel, args, count * rw_device_lanes(gains->backend));
}

static size_t pair_count(const rw_gains *gains)
{
    return gains->record.transmitter_count * gains->record.point_count;
}

static size_t output_count(const rw_gains *gains, rw_gains_output output)
{
    return output == RW_GAINS_PATHS ? 2 * gains->record.path_count : pair_count(gains);
}

static rw_status apply_gain_values(rw_gains *gains, rw_gains_output output, const double *values)
{
    if (output != RW_GAINS_LEVELS && output != RW_GAINS_PATHS)
        return rw_fail(gains->context, RW_BAD_CALL, "there is no output %d of kept gains", (int)output);
    return rw_gains_apply(gains, values);
}

static rw_status download_gain_values(const rw_gains *gains, const void *device, size_t count, double *out)
{
    if (!out)
        return RW_OK;
    return rw_device_download(gains->context, gains->backend, out, device, count * sizeof *out);
}

rw_status rw_gains_evaluate(rw_gains *gains, rw_gains_output output, const double *values, double *out)
{
    size_t count = output_count(gains, output);
    RW_TRY(apply_gain_values(gains, output, values));
    RW_TRY(launch_paths(gains, 0));
    if (output == RW_GAINS_PATHS)
        return download_gain_values(gains, gains->device.gains, count, out);
    struct rw_gain_levels_args args = levels_args(gains);
    args.levels = gains->device.values;
    RW_TRY(launch_shared(gains, RW_KERNEL_gain_levels, &args, count));
    return download_gain_values(gains, args.levels, count, out);
}

rw_status rw_gains_jvp(rw_gains *gains, rw_gains_output output, const double *values, const double *tangent,
                       double *out, double *change)
{
    size_t count = output_count(gains, output), capacity = rw_gains_values_capacity(gains);
    double *device = gains->device.values;
    RW_TRY(apply_gain_values(gains, output, values));
    RW_TRY(rw_device_upload(gains->context, gains->backend, device, tangent, gains->parameter_count * sizeof *tangent));
    RW_TRY(launch_paths(gains, 1));
    RW_TRY(launch_changes(gains, device));
    if (output == RW_GAINS_PATHS) {
        RW_TRY(download_gain_values(gains, gains->device.gains, count, out));
        return download_gain_values(gains, gains->device.changes, count, change);
    }
    struct rw_gain_levels_args args = levels_args(gains);
    args.tangent = device;
    args.levels = device + capacity;
    args.level_changes = device + 2 * capacity;
    RW_TRY(launch_shared(gains, RW_KERNEL_gain_levels, &args, count));
    RW_TRY(download_gain_values(gains, args.levels, count, out));
    return download_gain_values(gains, args.level_changes, count, change);
}

/* What pairs count for, from a cotangent of their levels; where path gains are the output, powers do not count. */
static rw_status weigh_pairs(const rw_gains *gains, rw_gains_output output, const double *cotangent)
{
    double *power_slots = gains->device.slots + gains->first_power_slot;
    size_t pairs = pair_count(gains);
    if (output == RW_GAINS_PATHS)
        return rw_device_clear(gains->context, gains->backend, power_slots, pairs * sizeof *power_slots);
    struct rw_gain_levels_args args = levels_args(gains);
    args.cotangent = cotangent;
    args.weights = gains->device.weights;
    args.power_slots = power_slots;
    return launch_shared(gains, RW_KERNEL_gain_levels, &args, pairs);
}

rw_status rw_gains_vjp(rw_gains *gains, rw_gains_output output, const double *values, const double *cotangent,
                       double *gradient)
{
    const rw_gains_device *device = &gains->device;
    rw_context *context = gains->context;
    double *device_cotangent = device->values;
    RW_TRY(apply_gain_values(gains, output, values));
    RW_TRY(rw_device_upload(context, gains->backend, device_cotangent, cotangent,
                            output_count(gains, output) * sizeof *cotangent));
    RW_TRY(launch_paths(gains, 1));
    RW_TRY(weigh_pairs(gains, output, device_cotangent));
    struct rw_gain_gradient_args derive = {.view = rw_gains_view(gains),
                                           .adding = adding_of(gains),
                                           .weights = output == RW_GAINS_LEVELS ? device->weights : NULL,
                                           .cotangent = (const rw_complex *)(const void *)device_cotangent,
                                           .slots = device->slots};
    RW_TRY(rw_device_launch(context, gains->backend, RW_KERNEL_gain_gradient, &derive, gains->record.path_count));
    struct rw_gain_sums_args add = {device->stretches, device->slots, device->sums};
    RW_TRY(launch_shared(gains, RW_KERNEL_gain_sums, &add, gains->stretch_count));
    struct rw_gain_total_args total = {device->stretch_firsts, device->sums,
                                       device_cotangent + rw_gains_values_capacity(gains)};
    RW_TRY(launch_shared(gains, RW_KERNEL_gain_total, &total, gains->parameter_count));
    return download_gain_values(gains, total.gradient, gains->parameter_count, gradient);
}
