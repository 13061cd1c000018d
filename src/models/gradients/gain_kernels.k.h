/* Kernels over kept paths: gains of paths, levels of their sums, and the gradients of both.
 *
 * gain_paths: one item a path; its gain. gain_changes: one item a path; the change of its gain along a tangent, by the
 * same way back as gradients, from the states that gain_paths has kept. gain_levels: one item a pair of transmitter
 * and point, shared by lanes; its level, and either the change of that or what its power counts for. gain_gradient: one
 * item a path; its derivatives over all that it depends on, weighed, into slots of its own. gain_sums: one item a
 * stretch of slots of one parameter, shared by lanes; their sum. gain_total: one item a parameter, shared by lanes; the
 * sum over its stretches. Nothing is added by two items, so that the result does not depend on who has computed what
 * when. */
#ifndef RW_MODELS_GRADIENTS_GAIN_KERNELS_K_H
#define RW_MODELS_GRADIENTS_GAIN_KERNELS_K_H

#include "base/kernel/lanes.h"
#include "field/paths/ray_sums.k.h"
#include "mechanisms/compose.k.h"
#include "models/engine/gain_path.k.h"

struct rw_gain_paths_args {
    rw_gain_view view;
    rw_complex *gains;
};

RW_FN void rw_gain_paths_item(const struct rw_gain_paths_args *args, size_t item)
{
    args->gains[item] = rw_gain_of_path(&args->view, args->view.paths + item);
}

struct rw_gain_changes_args {
    rw_gain_view view;
    const double *tangent; /* of each parameter */
    const rw_complex *gains;
    rw_complex *changes;
};

RW_FN void rw_gain_changes_item(const struct rw_gain_changes_args *args, size_t item)
{
    rw_gain_sink sink = {0, 0, 0, {0.0, 0.0}, args->tangent, {0.0, 0.0}, 0, {0.0, 0.0}};
    rw_gain_path_back(&args->view, args->view.paths + item, args->gains[item], &sink);
    args->changes[item] = sink.change;
}

/* How the paths of a pair add. */
typedef struct rw_gain_adding {
    int sum;                 /* rw_ray_sum_kind */
    rw_near_square near;     /* of local sums */
    const rw_complex *gains; /* of each path */
    rw_complex *fields;      /* of each pair, at every place; NULL: not wanted */
} rw_gain_adding;

/* What a pair counts for: its power, and what else its level is composed of. */
typedef struct rw_gain_pair_weight {
    double power, gain, direct, median, available;
} rw_gain_pair_weight;

struct rw_gain_levels_args {
    rw_gain_view view;
    rw_gain_adding adding;
    const uint64_t *firsts; /* of the paths of each pair, and one behind the last */
    size_t point_count;
    const rw_complex *changes;
    const double *tangent;
    const double *cotangent; /* of each pair's level; NULL: no weights */
    double *levels;          /* dBm; NULL: not wanted */
    double *level_changes;   /* with changes and tangent */
    rw_gain_pair_weight *weights;
    double *power_slots; /* of each pair: what the power of its transmitter counts for; with weights */
};

/* Turns of the phase at a place round the receiver. */
RW_FN rw_complex rw_gain_near_phasor(const rw_gain_view *view, const rw_gain_adding *adding, const double *numbers,
                                     int point)
{
    rw_vec3 aside = rw_ray_near(&adding->near, point);
    double cycles = rw_vec3_dot(aside, rw_number_vector(numbers + RW_GAIN_ARRIVES)) / view->wavelength_m;
    return rw_complex_polar(1.0, -2.0 * RW_PI * cycles);
}

/* Places that fields are added up at. */
RW_FN int rw_gain_field_points(int sum)
{
    return sum == RW_RAY_SUM_LOCAL ? RW_RAY_SPREAD_POINTS : sum == RW_RAY_SUM_COHERENT ? 1 : 0;
}

RW_FN int rw_gain_is_coherent(const rw_gain_adding *adding, const rw_gain_path *path)
{
    return adding->sum != RW_RAY_SUM_POWER && !path->diffuse;
}

/* Fields of a pair at every place, and its power: all lanes have them. */
RW_FN double rw_gain_pair_fields(const struct rw_gain_levels_args *args, size_t pair,
                                 rw_complex fields[RW_RAY_SPREAD_POINTS])
{
    const rw_gain_adding *adding = &args->adding;
    double power = 0.0;
    int point_count = rw_gain_field_points(adding->sum);
    for (int i = 0; i < point_count; i++)
        fields[i] = rw_complex_of(0.0, 0.0);
    for (uint64_t p = args->firsts[pair] + (uint64_t)rw_lane(); p < args->firsts[pair + 1];
         p += (uint64_t)rw_lane_count()) {
        const rw_gain_path *path = args->view.paths + p;
        const double *numbers = args->view.numbers + path->first_number;
        rw_complex gain = adding->gains[p];
        if (path->diffuse == RW_GAIN_REFERENCE)
            continue;
        if (!rw_gain_is_coherent(adding, path))
            power += rw_complex_abs2(gain);
        for (int i = 0; i < point_count && !path->diffuse; i++)
            fields[i] = rw_complex_add(
                fields[i],
                point_count == 1 ? gain : rw_complex_mul(gain, rw_gain_near_phasor(&args->view, adding, numbers, i)));
    }
    power = rw_lanes_sum(power);
    for (int i = 0; i < point_count; i++) {
        fields[i] = rw_complex_of(rw_lanes_sum(fields[i].re), rw_lanes_sum(fields[i].im));
        power += rw_complex_abs2(fields[i]) / point_count;
    }
    return power;
}

/* What a path counts for: dg over its gain's two parts, and over its direction of arrival. */
typedef struct rw_gain_weight {
    rw_complex gain;
    double arrives[3];
} rw_gain_weight;

/* What a path counts for in the power of its pair. */
RW_FN rw_gain_weight rw_gain_weight_of(const rw_gain_view *view, const rw_gain_adding *adding, uint64_t p,
                                       const rw_complex *fields)
{
    const rw_gain_path *path = view->paths + p;
    const double *numbers = view->numbers + path->first_number;
    rw_gain_weight weight = {{0.0, 0.0}, {0.0, 0.0, 0.0}};
    rw_complex gain = adding->gains[p];
    int point_count = rw_gain_field_points(adding->sum);
    if (!rw_gain_is_coherent(adding, path)) {
        weight.gain = rw_complex_scale(gain, 2.0);
        return weight;
    }
    for (int i = 0; i < point_count; i++) { /* |F|^2: 2 Re(conj(F) dF) */
        rw_complex phasor = point_count == 1 ? rw_complex_of(1.0, 0.0) : rw_gain_near_phasor(view, adding, numbers, i);
        rw_complex counts = rw_complex_scale(rw_complex_mul(rw_complex_conj(fields[i]), phasor), 2.0 / point_count);
        weight.gain.re += counts.re;
        weight.gain.im -= counts.im;
        if (point_count == 1)
            continue;
        rw_vec3 aside = rw_ray_near(&adding->near, i);
        rw_complex turned = rw_complex_mul(counts, gain); /* d phasor = -j k aside . d arrives phasor */
        double over_phase = turned.im * 2.0 * RW_PI / view->wavelength_m;
        weight.arrives[0] += over_phase * aside.x;
        weight.arrives[1] += over_phase * aside.y;
        weight.arrives[2] += over_phase * aside.z;
    }
    return weight;
}

/* What a path counts for in whatever its pair counts for. */
RW_FN rw_gain_weight rw_gain_weighed(const rw_gain_view *view, const rw_gain_adding *adding, uint64_t p,
                                     const rw_complex *fields, const rw_gain_pair_weight *pair)
{
    rw_gain_weight weight = {{0.0, 0.0}, {0.0, 0.0, 0.0}};
    if (view->paths[p].diffuse == RW_GAIN_REFERENCE) { /* its numbers stand where others have their arrival */
        weight.gain.re =
            pair->gain == 0.0 ? 0.0 : pair->gain * 8.6858896380650365 / adding->gains[p].re; /* 20 / ln(10) */
        weight.arrives[0] = pair->direct;
        weight.arrives[1] = pair->median;
        weight.arrives[2] = pair->available;
        return weight;
    }
    weight = rw_gain_weight_of(view, adding, p, fields);
    weight.gain = rw_complex_scale(weight.gain, pair->power);
    for (int i = 0; i < 3; i++)
        weight.arrives[i] *= pair->power;
    return weight;
}

/* Change of a path's direction of arrival along the tangent of its transmitter's position. */
RW_FN double rw_gain_arrival_change(const rw_gain_view *view, const rw_gain_path *path, const double *tangent,
                                    const double weights[3])
{
    uint32_t position = view->senders[path->transmitter].position;
    double change = 0.0;
    if (!view->slopes || position == RW_NO_PARAMETER)
        return 0.0;
    for (int i = 0; i < 3; i++)
        for (int axis = 0; axis < 3; axis++)
            change += weights[i] * tangent[position + (uint32_t)axis] *
                      view->slopes[3 * (path->first_number + RW_GAIN_ARRIVES + (uint64_t)i) + (uint64_t)axis];
    return change;
}

/* The level of a pair that is composed with a median: G - L(G - s) with G the antenna's gain towards the receiver, s
 * the power of its paths, both in dB, and L the loss of rw_compose. Slopes are those over s and G and over the three
 * numbers of the reference that depend on the transmitter's position. */
typedef struct rw_gain_composed {
    double level_db, over_sum, over_gain, over_direct, over_median, over_available;
} rw_gain_composed;

RW_FN rw_gain_composed rw_gain_compose(const double *reference, double sum_db, double gain_db)
{
    rw_compose_input in = {reference[RW_GAIN_DIRECT_DB], 0.0,
                           reference[RW_GAIN_GROUND_DB], reference[RW_GAIN_MEDIAN_DB],
                           reference[RW_GAIN_OTHER_DB],  reference[RW_GAIN_BUILT],
                           reference[RW_GAIN_AVAILABLE], reference[RW_GAIN_PRIOR_WEIGHT],
                           reference[RW_GAIN_SLOPE]};
    in.excess_db = gain_db - sum_db - in.other_db - in.ground_db - in.free_space_db;
    rw_composed composed = rw_compose((int)reference[RW_GAIN_RULE], &in);
    rw_gain_composed level = {sum_db - reference[RW_GAIN_OFFSET_DB], 1.0, 0.0, 0.0, 0.0, 0.0};
    if (!(composed.loss_db < RW_COMPOSE_NO_PATH_DB))
        return level;
    level.level_db = gain_db - composed.loss_db - reference[RW_GAIN_OFFSET_DB];
    level.over_sum = composed.by_excess;
    level.over_gain = 1.0 - composed.by_excess;
    level.over_direct = composed.by_excess - 1.0;
    level.over_median = -composed.by_median;
    level.over_available = -composed.by_available;
    return level;
}

/* The reference of a pair among its paths, which all lanes have; NULL where it has none. */
RW_FN const rw_gain_path *rw_gain_pair_reference(const struct rw_gain_levels_args *args, size_t pair, uint64_t *index)
{
    uint64_t first = args->firsts[pair], end = args->firsts[pair + 1];
    uint32_t mine = 0xffffffffu;
    for (uint64_t p = first + (uint64_t)rw_lane(); p < end; p += (uint64_t)rw_lane_count())
        if (args->view.paths[p].diffuse == RW_GAIN_REFERENCE)
            mine = (uint32_t)(p - first);
    uint32_t which = rw_lanes_which(mine != 0xffffffffu);
    if (!which)
        return 0;
    *index = first + rw_lanes_from(mine, rw_lanes_first(which));
    return args->view.paths + *index;
}

/* Change of a pair's level along the tangent, by those of its paths. */
RW_FN double rw_gain_level_change(const struct rw_gain_levels_args *args, size_t pair, const rw_complex *fields,
                                  const rw_gain_pair_weight *weights)
{
    double change = 0.0;
    for (uint64_t p = args->firsts[pair] + (uint64_t)rw_lane(); p < args->firsts[pair + 1];
         p += (uint64_t)rw_lane_count()) {
        rw_gain_weight weight = rw_gain_weighed(&args->view, &args->adding, p, fields, weights);
        change += weight.gain.re * args->changes[p].re + weight.gain.im * args->changes[p].im +
                  rw_gain_arrival_change(&args->view, args->view.paths + p, args->tangent, weight.arrives);
    }
    return rw_lanes_sum(change);
}

RW_FN void rw_gain_levels_item(const struct rw_gain_levels_args *args, size_t item)
{
    const double db_per_neper = 4.3429448190325175; /* 10 / ln(10) */
    size_t pair = item / (size_t)rw_lane_count();
    rw_complex fields[RW_RAY_SPREAD_POINTS];
    const rw_gain_sender *sender = args->view.senders + pair / args->point_count;
    double power = rw_gain_pair_fields(args, pair, fields);
    uint64_t reference_index = 0;
    double sum_db = power > 0.0 ? db_per_neper * log(power) : -INFINITY;
    rw_gain_composed composed = {sum_db, 1.0, 0.0, 0.0, 0.0, 0.0};
    const rw_gain_path *reference = power > 0.0 ? rw_gain_pair_reference(args, pair, &reference_index) : 0;
    if (reference)
        composed = rw_gain_compose(args->view.numbers + reference->first_number, sum_db,
                                   db_per_neper * log(rw_complex_abs2(args->adding.gains[reference_index])));
    rw_gain_pair_weight weights = {power > 0.0 ? composed.over_sum * db_per_neper / power : 0.0, composed.over_gain,
                                   composed.over_direct, composed.over_median, composed.over_available};
    double change = args->level_changes ? rw_gain_level_change(args, pair, fields, &weights) : 0.0;
    if (rw_lane() != 0)
        return;
    if (args->levels)
        args->levels[pair] = sender->power_dbm + composed.level_db;
    if (args->level_changes)
        args->level_changes[pair] = power > 0.0 ? change + args->tangent[sender->power] : 0.0;
    if (!args->weights)
        return;
    double counts = args->cotangent[pair];
    rw_gain_pair_weight weighed = {weights.power * counts, weights.gain * counts, weights.direct * counts,
                                   weights.median * counts, weights.available * counts};
    int point_count = rw_gain_field_points(args->adding.sum);
    args->weights[pair] = weighed;
    args->power_slots[pair] = power > 0.0 ? counts : 0.0;
    for (int i = 0; i < point_count; i++)
        args->adding.fields[pair * (size_t)point_count + (size_t)i] = fields[i];
}

struct rw_gain_gradient_args {
    rw_gain_view view;
    rw_gain_adding adding;
    const rw_gain_pair_weight *weights; /* of each pair; NULL: */
    const rw_complex *cotangent;        /* of each path's gain */
    double *slots;
};

RW_FN void rw_gain_gradient_item(const struct rw_gain_gradient_args *args, size_t item)
{
    const rw_gain_path *path = args->view.paths + item;
    rw_gain_weight weight = {{0.0, 0.0}, {0.0, 0.0, 0.0}};
    if (args->weights)
        weight = rw_gain_weighed(&args->view, &args->adding, item,
                                 args->adding.fields + path->pair * (size_t)rw_gain_field_points(args->adding.sum),
                                 args->weights + path->pair);
    else
        weight.gain = args->cotangent[item];
    rw_gain_sink sink = {args->slots, 0, 0, weight.gain, 0, {0.0, 0.0}, 0, {0.0, 0.0}};
    if (weight.gain.re != 0.0 || weight.gain.im != 0.0)
        rw_gain_path_back(&args->view, path, args->adding.gains[item], &sink);
    else
        rw_gain_clear_slots(&args->view, path, &sink);
    for (uint32_t i = 0; args->view.slopes && args->weights && i < 3; i++)
        for (uint32_t axis = 0; axis < 3; axis++)
            sink.here[(RW_GAIN_SLOT_POSITION + axis) * sink.here_to_next] +=
                weight.arrives[i] *
                args->view.slopes[3 * (path->first_number + RW_GAIN_ARRIVES + (uint64_t)i) + (uint64_t)axis];
}

/* Slots of one parameter that one item adds up. */
typedef struct rw_gain_stretch {
    uint64_t first, end;
    uint64_t parameter;
} rw_gain_stretch;

struct rw_gain_sums_args {
    const rw_gain_stretch *stretches;
    const double *slots;
    double *sums; /* of each stretch */
};

RW_FN void rw_gain_sums_item(const struct rw_gain_sums_args *args, size_t item)
{
    size_t index = item / (size_t)rw_lane_count();
    rw_gain_stretch stretch = args->stretches[index];
    double sum = 0.0;
    for (uint64_t i = stretch.first + (uint64_t)rw_lane(); i < stretch.end; i += (uint64_t)rw_lane_count())
        sum += args->slots[i];
    sum = rw_lanes_sum(sum);
    if (rw_lane() == 0)
        args->sums[index] = sum;
}

struct rw_gain_total_args {
    const uint64_t *firsts; /* of the stretches of each parameter, and one behind the last */
    const double *sums;
    double *gradient;
};

RW_FN void rw_gain_total_item(const struct rw_gain_total_args *args, size_t item)
{
    size_t parameter = item / (size_t)rw_lane_count();
    double sum = 0.0;
    for (uint64_t i = args->firsts[parameter] + (uint64_t)rw_lane(); i < args->firsts[parameter + 1];
         i += (uint64_t)rw_lane_count())
        sum += args->sums[i];
    sum = rw_lanes_sum(sum);
    if (rw_lane() == 0)
        args->gradient[parameter] = sum;
}

#endif
