/* What calibration needs of a point where all ways add: the loss of each way alone, so that the sum under other
 * parameters needs no new search.
 *
 * Roofs and walls are solved once, roofs with and without the facade behind the receiver, whose power is the
 * difference. The loss along streets depends on Berg's q90 as about 20 dB a decade and corner, and which path is the
 * best may change with it: it is solved for two values, and the line through them is the term. */
#include "models/shadow/parameters.h"

#include "base/memory.h"
#include "models/engine/calls/calls.h"
#include "field/paths/free_space.k.h"
#include "mechanisms/atmosphere/atmosphere.h"
#include "mechanisms/rooftop/over_rooftop.h"
#include "models/shadow/shadow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define Q90_STEP 1.5 /* of the second value over the first, or the first over it where that would be too large */

/* A way without a path has a loss that counts for nothing; likewise a facade that is not there. */
#define NO_PATH_DB 1e4f
#define NO_FACADE_DB 1e3

/* The points of one call. */
typedef struct term_work {
    rw_prediction *prediction;
    rw_shadow_effects effects;
    rw_params *params; /* offset 0 and scales 1, so that each way has its own loss */
    size_t count;
    float *values;
    float *terms;
} term_work;

static float *term_at(const term_work *work, size_t point, int term)
{
    return work->terms + point * RW_SHADOW_TERMS + (size_t)term;
}

/* A finished job's losses of the one transmitter into a term, where there are any. */
static rw_status read_term(const term_work *work, const rw_shadow_job *job, const float *values, int term)
{
    if (!values)
        return RW_OK;
    RW_TRY(rw_device_download(work->prediction->scene->context, job->backend, work->values, values,
                              work->count * sizeof *work->values));
    for (size_t i = 0; i < work->count; i++)
        *term_at(work, i, term) = work->values[i];
    return RW_OK;
}

static rw_status read_sight(const term_work *work, const rw_shadow_job *job)
{
    uint8_t *los;
    rw_context *context = work->prediction->scene->context;
    RW_TRY(rw_array_create(context, work->count, 1, "line of sight", &los));
    rw_status status = rw_device_download(context, job->backend, los, job->sight.arrays.los, work->count);
    for (size_t i = 0; i < work->count; i++)
        *term_at(work, i, RW_SHADOW_TERM_SIGHT) = los[i] != 0;
    free(los);
    return status;
}

typedef rw_status read_fn(const term_work *work, const rw_shadow_job *job);

/* Solves some ways and reads what they lose. */
static rw_status solve_and_read_terms(const term_work *work, rw_shadow_effects effects, read_fn *read)
{
    rw_shadow_job job;
    effects.prior = NULL;
    RW_TRY(rw_shadow_job_create(work->prediction, effects, (rw_shadow_needs){.sight = 1}, &job));
    rw_status status = rw_shadow_job_run(&job, 0, 1);
    if (status == RW_OK)
        status = read(work, &job);
    rw_shadow_job_destroy(&job);
    return status;
}

static rw_status read_with_facade(const term_work *work, const rw_shadow_job *job)
{
    RW_TRY(read_sight(work, job));
    RW_TRY(read_term(work, job, job->args.roof_db, RW_SHADOW_TERM_FACADE_DB));
    RW_TRY(read_term(work, job, job->args.walls_db, RW_SHADOW_TERM_WALL_DB));
    RW_TRY(read_term(work, job, job->args.foliage_db, RW_SHADOW_TERM_FOLIAGE));
    RW_TRY(read_term(work, job, job->args.open_db, RW_SHADOW_TERM_OPEN));
    RW_TRY(read_term(work, job, job->args.open_smooth_db, RW_SHADOW_TERM_HILLS));
    RW_TRY(read_term(work, job, job->args.ground_db, RW_SHADOW_TERM_GROUND));
    RW_TRY(read_term(work, job, job->args.smooth_db, RW_SHADOW_TERM_SMOOTH));
    return read_term(work, job, job->args.roof_foliage_db, RW_SHADOW_TERM_ROOF_FOLIAGE);
}

static rw_status read_without_facade(const term_work *work, const rw_shadow_job *job)
{
    return read_term(work, job, job->args.roof_db, RW_SHADOW_TERM_ROOF_DB);
}

static rw_status read_street(const term_work *work, const rw_shadow_job *job)
{
    return read_term(work, job, job->args.path_loss_db, RW_SHADOW_TERM_STREET_DB);
}

static rw_status read_street_step(const term_work *work, const rw_shadow_job *job)
{
    return read_term(work, job, job->args.path_loss_db, RW_SHADOW_TERM_STREET_STEP);
}

/* The facade's own power from that of both waves and of the first alone (rw_over_rooftop_db). */
static float facade_db(double both_db, double alone_db, double reflection_db)
{
    double alone = pow(10, -0.1 * alone_db), added = pow(10, -0.1 * both_db) - alone;
    return added > 1e-4 * alone ? (float)(-10 * log10(added) - reflection_db) : NO_PATH_DB;
}

/* Roofs and walls: excess over free space becomes the loss of each way. */
static rw_status solve_fixed(const term_work *work)
{
    rw_shadow_effects effects = work->effects;
    double *facade = &work->params->values[RW_SHADOW_FACADE], reflection_db = *facade;
    int roofs = effects.roofs == RW_SHADOW_ROOFS_SCREENS;
    effects.streets = RW_SHADOW_STREETS_NONE;
    RW_TRY(solve_and_read_terms(work, effects, read_with_facade));
    effects.walls = 0;
    *facade = NO_FACADE_DB;
    rw_status status = roofs ? solve_and_read_terms(work, effects, read_without_facade) : RW_OK;
    *facade = reflection_db;
    for (size_t i = 0; i < work->count; i++) {
        float *terms = work->terms + i * RW_SHADOW_TERMS, ground_db = terms[RW_SHADOW_TERM_GROUND];
        terms[RW_SHADOW_TERM_HILLS] = terms[RW_SHADOW_TERM_OPEN] - terms[RW_SHADOW_TERM_HILLS];
        float alone_db = terms[RW_SHADOW_TERM_ROOF_DB] - ground_db;
        float both_db = terms[RW_SHADOW_TERM_FACADE_DB] - ground_db;
        float base_db = terms[RW_SHADOW_TERM_DIRECT] + ground_db;
        float wall_db = base_db + terms[RW_SHADOW_TERM_WALL_DB] + terms[RW_SHADOW_TERM_OPEN] - ground_db;
        terms[RW_SHADOW_TERM_FACADE_DB] =
            roofs ? facade_db((double)both_db, (double)alone_db, reflection_db) : NO_PATH_DB;
        terms[RW_SHADOW_TERM_ROOF_DB] = roofs ? base_db + alone_db : NO_PATH_DB;
        terms[RW_SHADOW_TERM_WALL_DB] = work->effects.walls ? wall_db : NO_PATH_DB;
    }
    return status;
}

/* The best way along streets for two values of q90. */
static rw_status solve_streets(const term_work *work)
{
    rw_shadow_effects effects = work->effects;
    double *q90 = &work->params->values[RW_SHADOW_STREET_Q90], start = *q90;
    double step = Q90_STEP * start <= rw_shadow_parameters[RW_SHADOW_STREET_Q90].high ? Q90_STEP : 1 / Q90_STEP;
    int berg = effects.streets == RW_SHADOW_STREETS_BERG;
    effects.roofs = RW_SHADOW_ROOFS_NONE;
    effects.walls = 0;
    effects.streets_alone = 1;
    RW_TRY(berg ? solve_and_read_terms(work, effects, read_street) : RW_OK);
    *q90 = step * start;
    rw_status status = berg ? solve_and_read_terms(work, effects, read_street_step) : RW_OK;
    *q90 = start;
    for (size_t i = 0; i < work->count; i++) {
        float *terms = work->terms + i * RW_SHADOW_TERMS;
        float *first_db = &terms[RW_SHADOW_TERM_STREET_DB], *second_db = &terms[RW_SHADOW_TERM_STREET_STEP];
        int both = berg && *first_db < NO_PATH_DB && *second_db < NO_PATH_DB;
        terms[RW_SHADOW_TERM_STREET_Q90] = (float)start;
        *second_db = both ? (*second_db - *first_db) / (float)log(step) : 0;
        *first_db = berg && *first_db < NO_PATH_DB ? *first_db : NO_PATH_DB;
    }
    return status;
}

/* Free space, air and the prior at each point, which no search is needed for. */
static rw_status fill_fixed_terms(const term_work *work)
{
    const rw_prediction *prediction = work->prediction;
    const rw_receivers_view *view = &prediction->receivers.view;
    rw_prior prior;
    RW_TRY(rw_prior_create(prediction, work->effects.prior, 0, RW_BACKEND_CPU, &prior));
    const rw_wall_grid_view *grid = &prediction->scene->prepared->grid.view;
    rw_vec2 centre = prediction->scene->prepared->grid.centre;
    rw_vec3 source =
        rw_vec3_of(prediction->sources[0].x - centre.x, prediction->sources[0].y - centre.y, prediction->sources[0].z);
    double wavelength_m = RW_SPEED_OF_LIGHT_M_S / prior.freq_hz, air_db_m = rw_air_db_per_m(prediction, 0);
    for (size_t i = 0; i < work->count; i++) {
        float *terms = work->terms + i * RW_SHADOW_TERMS;
        rw_vec3 receiver = rw_receiver_point(view, i);
        double length_m = rw_vec3_length(rw_vec3_sub(receiver, source));
        double free_space_db = rw_free_space_loss_db(length_m, wavelength_m);
        rw_compose_input in = rw_prior_input(&prior, grid, source, receiver, free_space_db);
        terms[RW_SHADOW_TERM_BY_MECHANISM] = 1;
        terms[RW_SHADOW_TERM_DIRECT] = (float)free_space_db;
        terms[RW_SHADOW_TERM_AIR] = (float)(air_db_m * length_m);
        terms[RW_SHADOW_TERM_RULE] = (float)prior.rule;
        terms[RW_SHADOW_TERM_MEDIAN] = (float)in.median_db;
        terms[RW_SHADOW_TERM_AVAILABLE] = (float)in.available;
        terms[RW_SHADOW_TERM_BUILT] = (float)in.built;
        terms[RW_SHADOW_TERM_SLOPE] = (float)in.slope;
    }
    return RW_OK;
}

/* Parameters that leave each way as it is. */
static rw_status create_unscaled_params(term_work *work, const rw_params *user_params)
{
    const rw_prediction *prediction = work->prediction;
    if (user_params)
        RW_TRY(rw_params_copy(user_params, &work->params));
    else
        RW_TRY(rw_params_create(prediction->scene->context, "shadow", rw_prediction_freq_hz(prediction, 0),
                                &work->params));
    double *values = work->params->values;
    values[RW_SHADOW_OFFSET] = 0;
    values[RW_SHADOW_ROOF_SCALE] = values[RW_SHADOW_WALL_SCALE] = 1;
    return RW_OK;
}

static rw_status solve_terms(const term_work *work)
{
    int solved_before = work->terms[RW_SHADOW_TERM_BY_MECHANISM] > 0.5f;
    const rw_receivers_view *view = &work->prediction->receivers.view;
    RW_TRY(solved_before ? RW_OK : fill_fixed_terms(work));
    RW_TRY(solved_before ? RW_OK : solve_fixed(work));
    RW_TRY(solve_streets(work));
    for (size_t i = 0; i < work->count; i++)
        for (int k = 0; view->indoor[i] && k < RW_SHADOW_TERMS; k++)
            *term_at(work, i, k) = NAN;
    return RW_OK;
}

typedef struct terms_request {
    size_t count;
    float *terms;
    int *done;
} terms_request;

static rw_status solve_point_terms(rw_prediction *prediction, void *user)
{
    const terms_request *request = user;
    const rw_predict_options *options = prediction->options;
    term_work work = {.prediction = prediction, .count = request->count, .terms = request->terms};
    rw_shadow_effects *effects = &work.effects;
    RW_TRY(rw_shadow_effects_resolve(prediction, effects));
    int by_mechanism = effects->best_count == 0 && effects->slabs && effects->roofs != RW_SHADOW_ROOFS_ANGLES &&
                       effects->roofs != RW_SHADOW_ROOFS_COUNTED && effects->streets != RW_SHADOW_STREETS_POLYNOMIAL;
    if (!by_mechanism || !prediction->receivers.view.outdoor_count)
        return RW_OK;
    rw_status status = create_unscaled_params(&work, options->params);
    if (status == RW_OK)
        status =
            rw_array_create(prediction->scene->context, work.count, sizeof *work.values, "path loss", &work.values);
    prediction->resolved_options.params = work.params;
    if (status == RW_OK)
        status = solve_terms(&work);
    free(work.values);
    rw_params_destroy(work.params);
    *request->done = status == RW_OK;
    return status;
}

rw_status rw_shadow_point_terms(const rw_scene *scene, const rw_predict_options *options, const rw_point *points,
                                size_t count, float *terms, int *done)
{
    terms_request request = {count, terms, done};
    *done = 0;
    return rw_prediction_at_points(scene, options, points, count, solve_point_terms, &request);
}

/* A way's loss under given parameters, and its derivatives by two of them. */
typedef struct mechanism_loss {
    double loss_db;
    int scale, other; /* the parameters; scale alone where they are the same */
    double by_scale, by_other;
} mechanism_loss;

#define NO_PATH ((mechanism_loss){.loss_db = (double)NO_PATH_DB})

/* Free space over the straight line and what the terrain takes of it. */
static double base_db(const float *terms)
{
    return (double)terms[RW_SHADOW_TERM_DIRECT] + (double)terms[RW_SHADOW_TERM_GROUND];
}

/* Over roofs: the wave to the receiver and that from the facade behind it, beyond free space and scaled. */
static mechanism_loss find_roof_loss(const float *terms, const double *values)
{
    double direct_db = base_db(terms), roof_db = (double)terms[RW_SHADOW_TERM_ROOF_DB];
    if (roof_db >= (double)NO_PATH_DB)
        return NO_PATH;
    double alone = rw_compose_power(roof_db - direct_db),
           facade = rw_compose_power((double)terms[RW_SHADOW_TERM_FACADE_DB] + values[RW_SHADOW_FACADE]);
    double excess_db = -10 * log10(alone + facade), scale = values[RW_SHADOW_ROOF_SCALE];
    return (mechanism_loss){.loss_db = direct_db + scale * excess_db + (double)terms[RW_SHADOW_TERM_ROOF_FOLIAGE],
                            .scale = RW_SHADOW_ROOF_SCALE,
                            .other = RW_SHADOW_FACADE,
                            .by_scale = excess_db,
                            .by_other = scale * facade / (alone + facade)};
}

static mechanism_loss find_wall_loss(const float *terms, const double *values)
{
    double direct_db = base_db(terms), wall_db = (double)terms[RW_SHADOW_TERM_WALL_DB];
    if (wall_db >= (double)NO_PATH_DB)
        return NO_PATH;
    return (mechanism_loss){.loss_db = direct_db + values[RW_SHADOW_WALL_SCALE] * (wall_db - direct_db) +
                                       (double)terms[RW_SHADOW_TERM_FOLIAGE],
                            .scale = RW_SHADOW_WALL_SCALE,
                            .other = RW_SHADOW_WALL_SCALE,
                            .by_scale = wall_db - direct_db};
}

static mechanism_loss find_street_loss(const float *terms, const double *values)
{
    double street_db = (double)terms[RW_SHADOW_TERM_STREET_DB], slope = (double)terms[RW_SHADOW_TERM_STREET_STEP];
    double q90 = values[RW_SHADOW_STREET_Q90], fade_db = rw_shadow_street_fade_db((double)terms[RW_SHADOW_TERM_HILLS]);
    if (!(street_db + fade_db < (double)NO_PATH_DB))
        return NO_PATH;
    return (mechanism_loss){.loss_db =
                                street_db + fade_db + slope * log(q90 / (double)terms[RW_SHADOW_TERM_STREET_Q90]),
                            .scale = RW_SHADOW_STREET_Q90,
                            .other = RW_SHADOW_STREET_Q90,
                            .by_scale = slope / q90};
}

static void add_derivatives(const mechanism_loss *mechanism, double fraction, double *derivatives)
{
    derivatives[mechanism->scale] += fraction * mechanism->by_scale;
    derivatives[mechanism->other] += fraction * mechanism->by_other;
}

/* The sum of the mechanisms (rw_compose_sum), with its derivatives. */
static rw_mechanism_sum sum_mechanisms(const float *terms, const double *values, double *derivatives)
{
    static const int numbers[3] = {0, RW_MECHANISM_WALL, RW_MECHANISM_STREET};
    int sees = terms[RW_SHADOW_TERM_SIGHT] > 0.5f;
    double direct_db = base_db(terms), roof_foliage_db = (double)terms[RW_SHADOW_TERM_ROOF_FOLIAGE];
    mechanism_loss mechanisms[3] = {find_roof_loss(terms, values), find_wall_loss(terms, values),
                                    find_street_loss(terms, values)};
    int roofs = mechanisms[0].loss_db < (double)NO_PATH_DB;
    rw_mechanism_losses losses = {roofs  ? mechanisms[0].loss_db - roof_foliage_db - direct_db
                                  : sees ? 0
                                         : INFINITY,
                                  sees ? (double)terms[RW_SHADOW_TERM_FOLIAGE] : roof_foliage_db,
                                  {INFINITY, INFINITY, INFINITY, INFINITY, INFINITY},
                                  {0}};
    if (sees) { /* the straight wave, of which roofs just below the line take something */
        mechanisms[1] = NO_PATH;
        mechanisms[2] = roofs && losses.first_db > RW_SHADOW_FADED_DB ? mechanisms[2] : NO_PATH;
    }
    losses.other_medium_db[RW_MECHANISM_WALL] = (double)terms[RW_SHADOW_TERM_FOLIAGE];
    for (int k = 1; k < 3; k++)
        if (mechanisms[k].loss_db < (double)NO_PATH_DB)
            losses.other_db[numbers[k]] = mechanisms[k].loss_db - direct_db - losses.other_medium_db[numbers[k]];
    rw_mechanism_sum sum = rw_compose_sum(&losses);
    if (sum.dominant >= 0 && roofs)
        add_derivatives(&mechanisms[0], sum.first_by, derivatives);
    for (int k = 1; k < 3; k++)
        if (mechanisms[k].loss_db < (double)NO_PATH_DB && sum.other_by[numbers[k]] != 0)
            add_derivatives(&mechanisms[k], sum.other_by[numbers[k]], derivatives);
    return sum;
}

double rw_shadow_mechanisms_loss_db(const float *terms, const double *values, double *derivatives)
{
    static const int mechanism_parameters[] = {RW_SHADOW_STREET_Q90, RW_SHADOW_ROOF_SCALE, RW_SHADOW_WALL_SCALE,
                                               RW_SHADOW_FACADE};
    memset(derivatives, 0, RW_SHADOW_PARAMETERS * sizeof *derivatives);
    rw_mechanism_sum sum = sum_mechanisms(terms, values, derivatives);
    derivatives[RW_SHADOW_OFFSET] = 1;
    if (sum.dominant < 0)
        return (double)NO_PATH_DB;
    rw_compose_input in = {.free_space_db = (double)terms[RW_SHADOW_TERM_DIRECT],
                           .excess_db = sum.excess_db,
                           .ground_db = (double)terms[RW_SHADOW_TERM_SMOOTH],
                           .median_db = (double)terms[RW_SHADOW_TERM_MEDIAN],
                           .other_db = (double)terms[RW_SHADOW_TERM_GROUND] - (double)terms[RW_SHADOW_TERM_SMOOTH] +
                                       sum.medium_db + (double)terms[RW_SHADOW_TERM_AIR] + values[RW_SHADOW_OFFSET],
                           .built = (double)terms[RW_SHADOW_TERM_BUILT],
                           .available = (double)terms[RW_SHADOW_TERM_AVAILABLE],
                           .weight = values[RW_SHADOW_PRIOR_WEIGHT],
                           .slope = (double)terms[RW_SHADOW_TERM_SLOPE]};
    rw_composed composed = rw_compose((int)terms[RW_SHADOW_TERM_RULE], &in);
    for (size_t i = 0; i < sizeof mechanism_parameters / sizeof *mechanism_parameters; i++)
        derivatives[mechanism_parameters[i]] *= composed.by_excess;
    derivatives[RW_SHADOW_PRIOR_WEIGHT] = composed.by_weight;
    return composed.loss_db;
}
