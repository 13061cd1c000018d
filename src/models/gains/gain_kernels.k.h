/* Kernels over kept paths: gains of paths, levels of their sums, and the gradients of both.
 *
 * gain_paths: one item a path; its gain, and its change along a tangent. gain_levels: one item a pair of transmitter
 * and point; its level, and either the change of that or what each of its paths counts for. gain_gradient: one item a
 * block of paths; their derivatives over all parameters, weighed. gain_total: one item a parameter; the sum over the
 * blocks, in their order, so that the result does not depend on who has computed which. */
#ifndef RW_MODELS_GAINS_GAIN_KERNELS_K_H
#define RW_MODELS_GAINS_GAIN_KERNELS_K_H

#include "field/paths/ray_sums.k.h"
#include "models/gains/gain_path.k.h"

struct rw_gain_paths_args {
    rw_gain_world world;
    const double *tangent; /* of each parameter; NULL: gains alone */
    rw_complex *gains, *changes;
};

RW_FN void rw_gain_paths_item(const struct rw_gain_paths_args *args, size_t item)
{
    const rw_gain_path *path = args->world.paths + item;
    rw_complex none = {0.0, 0.0};
    rw_gain_sink sink = {0, {0.0, 0.0}, args->tangent, {0.0, 0.0}, 0, {0.0, 0.0}};
    if (!args->tangent) {
        args->gains[item] = rw_gain_of_path(&args->world, path);
        return;
    }
    sink.change = none;
    args->gains[item] = rw_gain_path_slopes(&args->world, path, &sink);
    args->changes[item] = sink.change;
}

/* What a path counts for: dg over its gain's two parts, and over its direction of arrival. */
typedef struct rw_gain_weight {
    rw_complex gain;
    double arrives[3];
} rw_gain_weight;

struct rw_gain_levels_args {
    rw_gain_world world;
    const uint64_t *firsts; /* of the paths of each pair, and one behind the last */
    size_t point_count;
    int sum;             /* rw_ray_sum_kind */
    rw_near_square near; /* of local sums */
    const rw_complex *gains, *changes;
    const double *tangent;
    const double *cotangent; /* of each pair's level; NULL: no weights */
    double *levels;          /* dBm; NULL: not wanted */
    double *level_changes;   /* with changes and tangent */
    rw_gain_weight *weights; /* of each path */
};

/* Turns of the phase at a place round the receiver. */
RW_FN rw_complex rw_gain_near_phasor(const struct rw_gain_levels_args *args, const double *numbers, int place)
{
    rw_vec3 aside = rw_ray_near(&args->near, place);
    double turns = rw_vec3_dot(aside, rw_number_vector(numbers + RW_GAIN_ARRIVES)) / args->world.wavelength_m;
    return rw_complex_polar(1.0, -2.0 * RW_PI * turns);
}

/* Places that fields are added up at. */
RW_FN int rw_gain_places(const struct rw_gain_levels_args *args)
{
    return args->sum == RW_RAY_SUM_LOCAL ? RW_RAY_SPREAD_POINTS : args->sum == RW_RAY_SUM_COHERENT ? 1 : 0;
}

RW_FN int rw_gain_is_coherent(const struct rw_gain_levels_args *args, const rw_gain_path *path)
{
    return args->sum != RW_RAY_SUM_POWER && !path->diffuse;
}

/* Fields of a pair at every place, and the power of what adds without phase. */
RW_FN double rw_gain_pair_fields(const struct rw_gain_levels_args *args, size_t pair,
                                 rw_complex fields[RW_RAY_SPREAD_POINTS])
{
    double power = 0.0;
    int places = rw_gain_places(args);
    for (int i = 0; i < places; i++)
        fields[i] = rw_complex_make(0.0, 0.0);
    for (uint64_t p = args->firsts[pair]; p < args->firsts[pair + 1]; p++) {
        const rw_gain_path *path = args->world.paths + p;
        const double *numbers = args->world.numbers + path->first_number;
        if (path->diffuse == RW_GAIN_REFERENCE)
            continue;
        if (!rw_gain_is_coherent(args, path))
            power += rw_complex_abs2(args->gains[p]);
        for (int i = 0; i < places && !path->diffuse; i++)
            fields[i] = rw_complex_add(
                fields[i],
                places == 1 ? args->gains[p] : rw_complex_mul(args->gains[p], rw_gain_near_phasor(args, numbers, i)));
    }
    return power;
}

/* What a path counts for in the power of its pair. */
RW_FN rw_gain_weight rw_gain_weight_of(const struct rw_gain_levels_args *args, uint64_t p,
                                       const rw_complex fields[RW_RAY_SPREAD_POINTS])
{
    const rw_gain_path *path = args->world.paths + p;
    const double *numbers = args->world.numbers + path->first_number;
    rw_gain_weight weight = {{0.0, 0.0}, {0.0, 0.0, 0.0}};
    rw_complex gain = args->gains[p];
    int places = rw_gain_places(args);
    if (!rw_gain_is_coherent(args, path)) {
        weight.gain = rw_complex_scale(gain, 2.0);
        return weight;
    }
    for (int i = 0; i < places; i++) { /* |F|^2: 2 Re(conj(F) dF) */
        rw_complex phasor = places == 1 ? rw_complex_make(1.0, 0.0) : rw_gain_near_phasor(args, numbers, i);
        rw_complex counts = rw_complex_scale(rw_complex_mul(rw_complex_conj(fields[i]), phasor), 2.0 / places);
        weight.gain.re += counts.re;
        weight.gain.im -= counts.im;
        if (places == 1)
            continue;
        rw_vec3 aside = rw_ray_near(&args->near, i);
        rw_complex turned = rw_complex_mul(counts, gain); /* d phasor = -j k aside . d arrives phasor */
        double over_turn = turned.im * 2.0 * RW_PI / args->world.wavelength_m;
        weight.arrives[0] += over_turn * aside.x;
        weight.arrives[1] += over_turn * aside.y;
        weight.arrives[2] += over_turn * aside.z;
    }
    return weight;
}

/* Change of a path's direction of arrival along the tangent of its transmitter's position. */
RW_FN double rw_gain_arrival_change(const rw_gain_world *world, const rw_gain_path *path, const double *tangent,
                                    const double weights[3])
{
    uint32_t position = world->senders[path->transmitter].position;
    double change = 0.0;
    if (!world->slopes || position == RW_NO_PARAMETER)
        return 0.0;
    for (int i = 0; i < 3; i++)
        for (int axis = 0; axis < 3; axis++)
            change += weights[i] * tangent[position + (uint32_t)axis] *
                      world->slopes[3 * (path->first_number + RW_GAIN_ARRIVES + (uint64_t)i) + (uint64_t)axis];
    return change;
}

/* The level of a pair that is drawn towards a median: G - T(G - s) with G the antenna's gain towards the receiver and s
 * the power of its paths, both in dB, and T as rw_prior_loss_db of models/roofs/prior.k.h. Slopes are those over s and
 * G and over the two numbers of the reference, free space and the median. */
typedef struct rw_gain_drawn {
    double level_db, over_sum, over_gain, over_direct, over_site;
} rw_gain_drawn;

RW_FN rw_gain_drawn rw_gain_draw(const double *reference, double sum_db, double gain_db)
{
    double direct_db = reference[RW_GAIN_DIRECT_DB], site_db = reference[RW_GAIN_SITE_DB];
    double weight = reference[RW_GAIN_PRIOR_WEIGHT], shift_db = reference[RW_GAIN_SHIFT_DB];
    double ways_db = gain_db - sum_db - shift_db, excess_db = ways_db - direct_db;
    rw_gain_drawn drawn = {sum_db, 1.0, 0.0, 0.0, 0.0};
    if (!(weight > 0.0) || !(excess_db > 0.0) || !(ways_db < 1e6))
        return drawn;
    double left = exp(-0.1 * excess_db), share = weight * (1.0 - left);
    double bend = (site_db - ways_db) * weight * 0.1 * left; /* of the share, over the excess */
    drawn.level_db = gain_db - shift_db - (1.0 - share) * ways_db - share * site_db;
    drawn.over_sum = 1.0 - share + bend;
    drawn.over_gain = 1.0 - drawn.over_sum;
    drawn.over_direct = bend;
    drawn.over_site = -share;
    return drawn;
}

/* The reference of a pair among its paths; NULL where it has none. */
RW_FN const rw_gain_path *rw_gain_pair_reference(const struct rw_gain_levels_args *args, size_t pair, uint64_t *index)
{
    for (uint64_t p = args->firsts[pair]; p < args->firsts[pair + 1]; p++)
        if (args->world.paths[p].diffuse == RW_GAIN_REFERENCE) {
            *index = p;
            return args->world.paths + p;
        }
    return 0;
}

/* What a pair's reference counts for, for each dB of its level. */
RW_FN rw_gain_weight rw_gain_reference_weight(const rw_gain_drawn *drawn, rw_complex gain)
{
    rw_gain_weight weight = {{0.0, 0.0}, {0.0, 0.0, 0.0}};
    weight.gain.re = drawn->over_gain * 8.6858896380650365 / gain.re; /* 20 / ln(10) */
    weight.arrives[0] = drawn->over_direct;
    weight.arrives[1] = drawn->over_site;
    return weight;
}

RW_FN void rw_gain_levels_item(const struct rw_gain_levels_args *args, size_t pair)
{
    const double db_per_neper = 4.3429448190325175; /* 10 / ln(10) */
    rw_complex fields[RW_RAY_SPREAD_POINTS];
    const rw_gain_sender *sender = args->world.senders + pair / args->point_count;
    double power = rw_gain_pair_fields(args, pair, fields), change = 0.0;
    int places = rw_gain_places(args);
    uint64_t reference_index = 0;
    for (int i = 0; i < places; i++)
        power += rw_complex_abs2(fields[i]) / places;
    double sum_db = power > 0.0 ? db_per_neper * log(power) : -INFINITY;
    rw_gain_drawn drawn = {sum_db, 1.0, 0.0, 0.0, 0.0};
    const rw_gain_path *reference = power > 0.0 ? rw_gain_pair_reference(args, pair, &reference_index) : 0;
    if (reference)
        drawn = rw_gain_draw(args->world.numbers + reference->first_number, sum_db,
                             db_per_neper * log(rw_complex_abs2(args->gains[reference_index])));
    if (args->levels)
        args->levels[pair] = sender->power_dbm + drawn.level_db;
    if (!args->weights && !args->level_changes)
        return;
    double slope = power > 0.0 ? drawn.over_sum * db_per_neper / power : 0.0;
    for (uint64_t p = args->firsts[pair]; p < args->firsts[pair + 1]; p++) {
        rw_gain_weight weight = {{0.0, 0.0}, {0.0, 0.0, 0.0}};
        double scale = slope;
        if (args->world.paths[p].diffuse != RW_GAIN_REFERENCE) {
            weight = rw_gain_weight_of(args, p, fields);
        } else if (reference) {
            weight = rw_gain_reference_weight(&drawn, args->gains[p]);
            scale = 1.0;
        }
        if (args->level_changes)
            change +=
                scale * (weight.gain.re * args->changes[p].re + weight.gain.im * args->changes[p].im +
                         rw_gain_arrival_change(&args->world, args->world.paths + p, args->tangent, weight.arrives));
        if (!args->weights)
            continue;
        scale *= args->cotangent[pair];
        args->weights[p].gain = rw_complex_scale(weight.gain, scale);
        for (int i = 0; i < 3; i++)
            args->weights[p].arrives[i] = weight.arrives[i] * scale;
    }
    if (args->level_changes)
        args->level_changes[pair] = power > 0.0 ? change + args->tangent[sender->power] : 0.0;
}

struct rw_gain_gradient_args {
    rw_gain_world world;
    const rw_gain_weight *weights; /* of each path */
    size_t path_count, block, parameter_count;
    double *partials; /* parameter_count of each block, zero */
};

RW_FN void rw_gain_gradient_item(const struct rw_gain_gradient_args *args, size_t item)
{
    size_t first = item * args->block,
           end = first + args->block < args->path_count ? first + args->block : args->path_count;
    double *gradient = args->partials + item * args->parameter_count;
    for (size_t p = first; p < end; p++) {
        const rw_gain_path *path = args->world.paths + p;
        const rw_gain_weight *weight = args->weights + p;
        rw_gain_sink sink = {gradient, weight->gain, 0, {0.0, 0.0}, 0, {0.0, 0.0}};
        uint32_t position = args->world.senders[path->transmitter].position;
        if (weight->gain.re != 0.0 || weight->gain.im != 0.0)
            rw_gain_path_slopes(&args->world, path, &sink);
        for (int i = 0; args->world.slopes && position != RW_NO_PARAMETER && i < 3; i++)
            for (int axis = 0; axis < 3; axis++)
                gradient[position + (uint32_t)axis] +=
                    weight->arrives[i] *
                    args->world.slopes[3 * (path->first_number + RW_GAIN_ARRIVES + (uint64_t)i) + (uint64_t)axis];
    }
}

struct rw_gain_weigh_args {
    const rw_complex *cotangent; /* of each path's gain */
    rw_gain_weight *weights;
};

RW_FN void rw_gain_weigh_item(const struct rw_gain_weigh_args *args, size_t item)
{
    rw_gain_weight weight = {{0.0, 0.0}, {0.0, 0.0, 0.0}};
    weight.gain = args->cotangent[item];
    args->weights[item] = weight;
}

struct rw_gain_total_args {
    const double *partials;
    size_t block_count, parameter_count;
    size_t first_power, power_step; /* parameters that are powers: of transmitter after transmitter */
    size_t point_count;
    const double *levels, *cotangent; /* of pairs; levels NULL: powers do not count */
    double *gradient;
};

RW_FN void rw_gain_total_item(const struct rw_gain_total_args *args, size_t item)
{
    double sum = 0.0;
    for (size_t i = 0; i < args->block_count; i++)
        sum += args->partials[i * args->parameter_count + item];
    if (args->levels && item >= args->first_power && (item - args->first_power) % args->power_step == 0) {
        size_t first = (item - args->first_power) / args->power_step * args->point_count;
        for (size_t i = first; i < first + args->point_count; i++)
            sum += args->levels[i] > -INFINITY ? args->cotangent[i] : 0.0;
    }
    args->gradient[item] = sum;
}

#endif
