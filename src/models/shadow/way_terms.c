/* What calibration needs of a point where all ways add: the loss of each way alone, so that the sum under other
 * parameters needs no new search.
 *
 * Streets, roofs and walls are solved one after the other at the points, without the prior. The loss along streets
 * depends on Berg's q90 as about 20 dB a decade and corner, and which path is the best may change with it: it is solved
 * for two values, and the line through them is the term. */
#include "models/shadow/parameters.h"

#include "base/memory.h"
#include "field/paths/free_space.k.h"
#include "models/roofs/over_roofs.h"
#include "models/shadow/shadow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define Q90_STEP 1.5 /* of the second value over the first, or the first over it where that would be too large */

/* A way without a path has a loss that counts for nothing. */
#define NO_WAY_DB 1e4f

/* The points of one call, and the values of one way at a time. */
typedef struct way_work {
    const rw_scene *scene;
    rw_predict_options options;
    const rw_point *points;
    size_t count;
    float *values;
    float *terms;
} way_work;

/* One way alone, by its name among the effects; into a term of each point. */
static rw_status solve_way(way_work *work, const char *effect, int term)
{
    rw_point_layer layer = {"path_loss", work->values};
    work->options.effects = effect;
    RW_TRY(rw_solve_points(work->scene, &work->options, work->points, work->count, &layer, 1));
    for (size_t i = 0; i < work->count; i++)
        work->terms[i * RW_SHADOW_TERMS + (size_t)term] = isfinite(work->values[i]) ? work->values[i] : NO_WAY_DB;
    return RW_OK;
}

static rw_status solve_sight(way_work *work)
{
    rw_point_layer layer = {"los", work->values};
    work->options.effects = "none";
    RW_TRY(rw_solve_points(work->scene, &work->options, work->points, work->count, &layer, 1));
    for (size_t i = 0; i < work->count; i++)
        work->terms[i * RW_SHADOW_TERMS + RW_SHADOW_TERM_SIGHT] = work->values[i] > 0.5f;
    return RW_OK;
}

/* Free space and the prior at each point, which no search is needed for. */
static rw_status fill_known(way_work *work, const rw_prediction *prediction, const char *prior_name)
{
    const rw_transmitter *site = work->options.transmitters;
    const rw_scene *scene = work->scene;
    rw_prior prior = rw_prior_make(prediction, prior_name, 0);
    rw_vec2 from = {site->x_m - scene->origin.x, site->y_m - scene->origin.y};
    double wavelength_m = RW_SPEED_OF_LIGHT_M_S / prior.freq_hz, z_m = rw_scene_ground_m(scene, from) + site->height_m;
    for (size_t i = 0; i < work->count; i++) {
        float *terms = work->terms + i * RW_SHADOW_TERMS;
        rw_vec2 to = {work->points[i].x_m - scene->origin.x, work->points[i].y_m - scene->origin.y};
        double plan_m = hypot(to.x - from.x, to.y - from.y);
        double rise_m = rw_scene_ground_m(scene, to) + prediction->options->rx_height_m - z_m;
        terms[RW_SHADOW_TERM_BY_WAYS] = 1;
        terms[RW_SHADOW_TERM_DIRECT] = (float)rw_free_space_loss_db(hypot(plan_m, rise_m), wavelength_m);
        terms[RW_SHADOW_TERM_PRIOR] =
            prior.kind ? (float)rw_site_general_nlos_db(prior.kind, plan_m, prior.base_height_m, prior.mobile_height_m,
                                                        prior.mean_roof_m, prior.freq_hz)
                       : NO_WAY_DB;
    }
    return RW_OK;
}

/* The ways that the effects have; those that they have not stay without a path. */
static rw_status solve_ways(way_work *work, const rw_shadow_effects *effects, rw_params *params)
{
    double q90 = params->values[RW_SHADOW_STREET_Q90];
    for (size_t i = 0; i < work->count; i++) {
        float *terms = work->terms + i * RW_SHADOW_TERMS;
        terms[RW_SHADOW_TERM_STREET_DB] = terms[RW_SHADOW_TERM_STREET_STEP] = NO_WAY_DB;
        terms[RW_SHADOW_TERM_ROOF_DB] = terms[RW_SHADOW_TERM_WALL_DB] = NO_WAY_DB;
        terms[RW_SHADOW_TERM_STREET_Q90] = (float)q90;
    }
    RW_TRY(solve_sight(work));
    if (effects->roofs == RW_SHADOW_ROOFS_SCREENS)
        RW_TRY(solve_way(work, "roofs", RW_SHADOW_TERM_ROOF_DB));
    if (effects->walls)
        RW_TRY(solve_way(work, "walls", RW_SHADOW_TERM_WALL_DB));
    if (effects->streets != RW_SHADOW_STREETS_BERG)
        return RW_OK;
    RW_TRY(solve_way(work, "streets", RW_SHADOW_TERM_STREET_DB));
    double step = Q90_STEP * q90 <= rw_shadow_parameters[RW_SHADOW_STREET_Q90].high ? Q90_STEP : 1 / Q90_STEP;
    params->values[RW_SHADOW_STREET_Q90] = step * q90;
    RW_TRY(solve_way(work, "streets", RW_SHADOW_TERM_STREET_STEP));
    for (size_t i = 0; i < work->count; i++) {
        float *terms = work->terms + i * RW_SHADOW_TERMS;
        float more = terms[RW_SHADOW_TERM_STREET_STEP] - terms[RW_SHADOW_TERM_STREET_DB];
        int both = terms[RW_SHADOW_TERM_STREET_STEP] < NO_WAY_DB && terms[RW_SHADOW_TERM_STREET_DB] < NO_WAY_DB;
        terms[RW_SHADOW_TERM_STREET_STEP] = both ? more / (float)log(step) : 0;
    }
    return RW_OK;
}

/* Parameters that leave each way as it is, but for q90. */
static rw_status plain_params(const rw_prediction *prediction, rw_params **params)
{
    const rw_params *given = prediction->options->params;
    if (given)
        RW_TRY(rw_params_copy(given, params));
    else
        RW_TRY(rw_params_create(prediction->scene->context, "shadow", rw_prediction_freq_hz(prediction, 0), params));
    (*params)->values[RW_SHADOW_OFFSET] = 0;
    (*params)->values[RW_SHADOW_ROOF_SCALE] = (*params)->values[RW_SHADOW_WALL_SCALE] = 1;
    return RW_OK;
}

rw_status rw_shadow_point_terms(const rw_scene *scene, const rw_predict_options *options, const rw_point *points,
                                size_t count, float *terms, int *done)
{
    rw_prediction prediction;
    rw_shadow_effects effects;
    way_work work = {.scene = scene, .options = *options, .points = points, .count = count, .terms = terms};
    rw_params *params = NULL;
    *done = 0;
    RW_TRY(rw_prediction_begin(scene, options, &prediction));
    RW_TRY(rw_shadow_effects_settle(&prediction, &effects));
    int by_ways = effects.best_count == 0 && effects.slabs && effects.roofs != RW_SHADOW_ROOFS_ANGLES &&
                  effects.roofs != RW_SHADOW_ROOFS_COUNTED && effects.streets != RW_SHADOW_STREETS_POLYNOMIAL;
    if (!by_ways)
        return RW_OK;
    memset(terms, 0, count * RW_SHADOW_TERMS * sizeof *terms);
    rw_status status = plain_params(&prediction, &params);
    if (status == RW_OK)
        status = rw_array_create(scene->context, count, sizeof *work.values, "path loss", &work.values);
    if (status == RW_OK)
        status = fill_known(&work, &prediction, effects.prior);
    work.options.params = params;
    work.options.prior = "none";
    work.options.walls = "slab";
    if (status == RW_OK)
        status = solve_ways(&work, &effects, params);
    free(work.values);
    rw_params_destroy(params);
    *done = status == RW_OK;
    return status;
}

/* The loss of one way less free space, scaled; and its derivative by the scale. */
static double scaled_db(const float *terms, int term, double scale, double *derivative)
{
    double direct_db = (double)terms[RW_SHADOW_TERM_DIRECT];
    *derivative = (double)terms[term] - direct_db;
    return direct_db + scale * *derivative;
}

static double street_db(const float *terms, double q90, double *derivative)
{
    double slope = (double)terms[RW_SHADOW_TERM_STREET_STEP];
    *derivative = slope / q90;
    return (double)terms[RW_SHADOW_TERM_STREET_DB] + slope * log(q90 / (double)terms[RW_SHADOW_TERM_STREET_Q90]);
}

/* Sum of the powers of the ways, with its derivatives; without an offset. */
static double sum_ways_db(const float *terms, const double *values, double *derivatives)
{
    static const int scaled[2][2] = {{RW_SHADOW_TERM_ROOF_DB, RW_SHADOW_ROOF_SCALE},
                                     {RW_SHADOW_TERM_WALL_DB, RW_SHADOW_WALL_SCALE}};
    double losses[3], own[3] = {0}, sum = 0, least = INFINITY;
    int sight = terms[RW_SHADOW_TERM_SIGHT] > 0.5f;
    for (int k = 0; k < 2; k++)
        losses[k] = terms[scaled[k][0]] < NO_WAY_DB ? scaled_db(terms, scaled[k][0], values[scaled[k][1]], &own[k])
                                                    : (double)NO_WAY_DB;
    if (sight) { /* roofs just below the line take something; nothing else counts */
        int roofs = losses[0] < (double)NO_WAY_DB;
        derivatives[RW_SHADOW_ROOF_SCALE] = roofs ? own[0] : 0;
        return roofs ? losses[0] : (double)terms[RW_SHADOW_TERM_DIRECT];
    }
    losses[2] = terms[RW_SHADOW_TERM_STREET_DB] < NO_WAY_DB ? street_db(terms, values[RW_SHADOW_STREET_Q90], &own[2])
                                                            : (double)NO_WAY_DB;
    for (int k = 0; k < 3; k++)
        least = fmin(least, losses[k]);
    for (int k = 0; k < 3; k++)
        sum += pow(10, 0.1 * (least - losses[k]));
    for (int k = 0; k < 3; k++) {
        int parameter = k < 2 ? scaled[k][1] : RW_SHADOW_STREET_Q90;
        if (losses[k] < (double)NO_WAY_DB)
            derivatives[parameter] = own[k] * pow(10, 0.1 * (least - losses[k])) / sum;
    }
    return least - 10 * log10(sum);
}

double rw_shadow_ways_loss_db(const float *terms, const double *values, double *derivatives)
{
    static const int of_ways[] = {RW_SHADOW_STREET_Q90, RW_SHADOW_ROOF_SCALE, RW_SHADOW_WALL_SCALE};
    double prior_db = (double)terms[RW_SHADOW_TERM_PRIOR], weight = values[RW_SHADOW_PRIOR_WEIGHT];
    memset(derivatives, 0, RW_SHADOW_PARAMETERS * sizeof *derivatives);
    double ways_db = sum_ways_db(terms, values, derivatives), offset_db = values[RW_SHADOW_OFFSET];
    double excess_db = ways_db - (double)terms[RW_SHADOW_TERM_DIRECT];
    derivatives[RW_SHADOW_OFFSET] = 1;
    if (!(prior_db < (double)NO_WAY_DB) || !(excess_db > 0) || !(ways_db < (double)NO_WAY_DB))
        return ways_db + offset_db;
    double rest = exp(-0.1 * excess_db), share = weight * (1 - rest), apart_db = prior_db - ways_db - offset_db;
    for (size_t i = 0; i < sizeof of_ways / sizeof *of_ways; i++)
        derivatives[of_ways[i]] *= 1 - share + 0.1 * weight * rest * apart_db;
    derivatives[RW_SHADOW_OFFSET] = 1 - share;
    derivatives[RW_SHADOW_PRIOR_WEIGHT] = (1 - rest) * apart_db;
    return ways_db + offset_db + share * apart_db;
}
