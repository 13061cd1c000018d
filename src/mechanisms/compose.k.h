/* The composition of losses: from the losses of the mechanisms at one receiver to one path loss, its dominant
 * mechanism, the fraction of each, and the derivatives with respect to every input. It is the only one: maps, points,
 * ensembles, calibration, gradients and budgets call it.
 *
 *     L = L_fs + (1 - w)(A' + G) + w E + T
 *     A' = k A + (1 - k) 6 dB (1 - e^(-A / 6 dB)),     k = 0.8 (f / GHz)^-0.1
 *     w = w_s + (w_n - w_s)(1 - e^(-A / 10 dB)),       w_s = 0.65 o, w_n = 0.5 + 0.35 o; below 5 % built over 0.85 o
 *
 * with A the excess over free space of the building mechanisms together, G the ground reflection relative to free
 * space, E the excess of an empirical median (mechanisms/prior/median.k.h) and T terrain diffraction, foliage,
 * atmosphere and entry loss. o in [0, 1] is how much the map may lack: 1 if 5 to 22 % of the area within 300 m of the
 * receiver is built over, 0 if nothing or at least 40 % is. Measured loss outside line of sight grows with 20 to 23.6
 * log f (3GPP TR 38.901 table 7.4.1-1, ITU-R P.1411 table 4), that of screens faster: hence k, which falls with
 * frequency. A loss below free space is left as it is. In floor plans w = 0.7 (1 - e^(-A / 10 dB)) and A' is the power
 * sum of A and of what leaks by stairs, shafts, windows and facades, E + 20 dB, which no plan has. Sources and
 * measurements: docs/explanation/composition.md.
 *
 * Valid for finite inputs; a receiver that no path reaches (A infinite) has no loss. */
#ifndef RW_MECHANISMS_COMPOSE_K_H
#define RW_MECHANISMS_COMPOSE_K_H

#include "base/kernel/qualifiers.h"
#include <math.h>

typedef enum rw_compose_rule {
    RW_COMPOSE_SUM,     /* the mechanisms' own sum: w = 0, A' = A */
    RW_COMPOSE_OUTDOOR, /* among buildings */
    RW_COMPOSE_INDOOR   /* in floor plans */
} rw_compose_rule;

/* What one loss is composed of, in dB, and how far the median counts. */
typedef struct rw_compose_input {
    double free_space_db; /* over the straight line */
    double excess_db;     /* A; infinite: no path */
    double ground_db;     /* G */
    double median_db;     /* E */
    double other_db;      /* T */
    double built;         /* fraction of the area round the receiver that is built over, 0 to 1 */
    double available;     /* 0 to 1: how far the median is within its range */
    double weight;        /* factor of w: 1 without calibration */
    double slope;         /* k */
} rw_compose_input;

/* The loss, and its derivatives with respect to A, G, E, L_fs and T (always 1), built, available, weight and slope. */
typedef struct rw_composed {
    double loss_db;
    double bent_db;         /* A' */
    double median_fraction; /* w */
    double by_excess, by_ground, by_median, by_built, by_available, by_weight, by_slope;
} rw_composed;

#define RW_COMPOSE_BEND_DB 6.0    /* of the excess in A' */
#define RW_COMPOSE_ONSET_DB 10.0  /* of the excess in w */
#define RW_COMPOSE_LEAK_DB 20.0   /* over the median of a floor plan: what leaks through a building */
#define RW_COMPOSE_NO_PATH_DB 1e6 /* an excess from here on is no path */

/* k at a frequency. */
RW_FN double rw_compose_slope(int rule, double freq_hz)
{
    return rule == RW_COMPOSE_OUTDOOR ? 0.8 * pow(freq_hz * 1e-9, -0.1) : 1.0;
}

/* o by the built-over fraction, and its derivative. */
RW_FN double rw_compose_lack(double built, double *slope)
{
    const double sparse = 0.05, dense = 0.22, full = 0.40;
    *slope = 0.0;
    if (built <= 0.0 || built >= full)
        return 0.0;
    if (built < sparse) {
        *slope = 1.0 / sparse;
        return built / sparse;
    }
    if (built <= dense)
        return 1.0;
    *slope = -1.0 / (full - dense);
    return (full - built) / (full - dense);
}

/* w in sight and without it, and their derivatives with respect to the built-over fraction. */
typedef struct rw_compose_weights {
    double sight, shadow, sight_by_built, shadow_by_built;
} rw_compose_weights;

RW_FN rw_compose_weights rw_compose_weights_of(int rule, double built)
{
    rw_compose_weights weights = {0.0, 0.0, 0.0, 0.0};
    double slope, lack = rw_compose_lack(built, &slope);
    int sparse = built < 0.05;
    if (rule == RW_COMPOSE_INDOOR)
        weights.shadow = 0.7;
    if (rule != RW_COMPOSE_OUTDOOR)
        return weights;
    weights.sight = 0.65 * lack;
    weights.sight_by_built = 0.65 * slope;
    weights.shadow = sparse ? 0.85 * lack : 0.5 + 0.35 * lack;
    weights.shadow_by_built = (sparse ? 0.85 : 0.35) * slope;
    return weights;
}

/* A' and its derivatives with respect to A and k. */
RW_FN double rw_compose_bent_db(double excess_db, double slope, double *by_excess, double *by_slope)
{
    *by_excess = 1.0;
    *by_slope = 0.0;
    if (!(excess_db > 0.0))
        return excess_db;
    double left = exp(-excess_db / RW_COMPOSE_BEND_DB), bent_db = RW_COMPOSE_BEND_DB * (1.0 - left);
    *by_excess = slope + (1.0 - slope) * left;
    *by_slope = excess_db - bent_db;
    return slope * excess_db + (1.0 - slope) * bent_db;
}

/* A' in floor plans and its derivatives with respect to A and E: what leaks counts as far as A has faded. */
RW_FN double rw_compose_leaked_db(double excess_db, double median_db, double *by_excess, double *by_median)
{
    *by_excess = 1.0;
    *by_median = 0.0;
    if (!(excess_db > 0.0))
        return excess_db;
    const double nepers = 0.23025850929940458; /* ln(10) / 10 */
    double own = exp(-nepers * excess_db), leak = exp(-nepers * (median_db + RW_COMPOSE_LEAK_DB));
    double total = own + (1.0 - own) * leak;
    *by_excess = own * (1.0 - leak) / total;
    *by_median = (1.0 - own) * leak / total;
    return -log(total) / nepers;
}

RW_FN rw_composed rw_compose(int rule, const rw_compose_input *in)
{
    rw_composed composed = {INFINITY, in->excess_db, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    if (!(in->excess_db < RW_COMPOSE_NO_PATH_DB))
        return composed;
    double base_db = in->free_space_db + in->other_db;
    composed.loss_db = base_db + in->excess_db + in->ground_db;
    if (rule == RW_COMPOSE_SUM)
        return composed;
    double bent_by_excess, bent_by_slope = 0.0, bent_by_median = 0.0, bent_db,
                           shadow = in->excess_db > 0.0 ? in->excess_db : 0.0;
    if (rule == RW_COMPOSE_INDOOR)
        bent_db = rw_compose_leaked_db(in->excess_db, in->median_db, &bent_by_excess, &bent_by_median);
    else
        bent_db = rw_compose_bent_db(in->excess_db, in->slope, &bent_by_excess, &bent_by_slope);
    double left = exp(-shadow / RW_COMPOSE_ONSET_DB);
    rw_compose_weights weights = rw_compose_weights_of(rule, in->built);
    double scale = in->weight * in->available, unscaled = weights.shadow + (weights.sight - weights.shadow) * left;
    double fraction = scale * unscaled;
    double apart_db = in->median_db - bent_db - in->ground_db; /* of the loss, over w */
    double fraction_by_excess =
        in->excess_db > 0.0 ? scale * (weights.shadow - weights.sight) * left / RW_COMPOSE_ONSET_DB : 0.0;
    composed.loss_db = base_db + (1.0 - fraction) * (bent_db + in->ground_db) + fraction * in->median_db;
    composed.bent_db = bent_db;
    composed.median_fraction = fraction;
    composed.by_excess = (1.0 - fraction) * bent_by_excess + apart_db * fraction_by_excess;
    composed.by_ground = 1.0 - fraction;
    composed.by_median = fraction + (1.0 - fraction) * bent_by_median;
    composed.by_built =
        apart_db * scale * (weights.shadow_by_built + (weights.sight_by_built - weights.shadow_by_built) * left);
    composed.by_available = apart_db * in->weight * unscaled;
    composed.by_weight = apart_db * in->available * unscaled;
    composed.by_slope = (1.0 - fraction) * bent_by_slope;
    return composed;
}

/* ------------------------------------------------------------------ the sum of mechanisms */

/* Mechanisms at a receiver; the numbers are those of the layer. NONE is not a number of the list below. */
typedef enum rw_mechanism {
    RW_MECHANISM_SIGHT,
    RW_MECHANISM_STREET,
    RW_MECHANISM_ROOFTOP,
    RW_MECHANISM_WALL,
    RW_MECHANISM_PATHS, /* the model's own */
    RW_MECHANISMS
} rw_mechanism;

/* Losses of a receiver beyond free space over the straight line: of the first wave, straight or over the rooftops, and
 * of the others. medium_db: what foliage and air on each take in addition. Infinite: there is none. */
typedef struct rw_mechanism_losses {
    double first_db, first_medium_db;
    double other_db[RW_MECHANISMS], other_medium_db[RW_MECHANISMS];
} rw_mechanism_losses;

/* excess_db: of all together, without the medium of the dominant one, which is in medium_db. fraction: of the power,
 * the first wave's at [0]. first_by and other_by: derivatives of the sum with respect to the loss of each; that of the
 * first counts the fading of the others. */
typedef struct rw_mechanism_sum {
    double excess_db, medium_db;
    double fraction[RW_MECHANISMS];
    double first_by, other_by[RW_MECHANISMS];
    int dominant; /* index of the other mechanism; 0: the first wave; -1: there is none */
} rw_mechanism_sum;

/* Over the straight wave: the power of all of which that of the first wave is a part. The others count as far as the
 * first has faded, so that in full sight there is nothing but the straight wave and nothing jumps at the shadow
 * boundary. all, first: powers; faded: the first's without the medium. */
RW_FN double rw_compose_faded_power(double all, double first, double faded)
{
    double others = all - first;
    others = others < 0.0 ? 0.0 : others > 1.0 ? 1.0 : others;
    return first + (1.0 - (faded < 1.0 ? faded : 1.0)) * others;
}

RW_FN double rw_compose_power(double loss_db)
{
    return exp(-0.23025850929940458 * loss_db); /* ln(10) / 10 */
}

RW_FN rw_mechanism_sum rw_compose_sum(const rw_mechanism_losses *losses)
{
    rw_mechanism_sum sum;
    double faded = rw_compose_power(losses->first_db),
           first = rw_compose_power(losses->first_db + losses->first_medium_db);
    double others = 0.0, powers[RW_MECHANISMS], best = first;
    powers[0] = sum.other_by[0] = 0.0;
    for (int i = 1; i < RW_MECHANISMS; i++) {
        powers[i] = rw_compose_power(losses->other_db[i] + losses->other_medium_db[i]);
        others += powers[i];
    }
    double total = rw_compose_faded_power(first + others, first, faded);
    double remaining = faded < 1.0 ? 1.0 - faded : 0.0, scale = others > 1.0 ? remaining / others : remaining;
    sum.dominant = total > 0.0 ? 0 : -1;
    sum.medium_db = losses->first_medium_db;
    for (int i = 1; i < RW_MECHANISMS; i++) {
        sum.fraction[i] = total > 0.0 ? scale * powers[i] / total : 0.0;
        sum.other_by[i] = others < 1.0 ? sum.fraction[i] : 0.0; /* beyond free space they are held */
        if (scale * powers[i] > best) {
            best = scale * powers[i];
            sum.dominant = i;
            sum.medium_db = losses->other_medium_db[i];
        }
    }
    sum.fraction[0] = total > 0.0 ? first / total : 0.0;
    double over_one = others > 1.0 ? 1.0 : others;
    sum.first_by = total > 0.0 ? (first - (remaining > 0.0 ? faded * over_one : 0.0)) / total : 0.0;
    sum.excess_db = total > 0.0 ? -4.3429448190325175 * log(total) - sum.medium_db : (double)INFINITY;
    return sum;
}

#endif
