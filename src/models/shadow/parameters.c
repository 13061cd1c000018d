/* The shadow model's parameters for calibration, values without calibration, and the loss of a
 * path that is reduced to sums over its deflections.
 *
 * Equation (20) of Rick and Kuhlen (2010) is linear in the coefficients of its polynomials, so of a path only the
 * number of deflections and the sums of their angles' powers matter. Uncalibrated: polynomials fitted to UTD wedges at
 * the frequency (field/edges/deflection.h); an outer wall of brick or concrete costs about 12 dB at the frequencies of
 * mobile radio. */
#include "models/shadow/parameters.h"

#include "models/shadow/shadow.h"

#include "field/edges/deflection.h"
#include "field/paths/berg.k.h"
#include "mechanisms/rooftop/over_rooftop.h"
#include "base/maths/elementary.h"

#include <math.h>
#include <string.h>

const rw_parameter_kind rw_shadow_parameters[RW_SHADOW_PARAMETERS] = {
    {"offset_db", "dB", "added to the path loss, after the prior", "offset", -60.0, 60.0, RW_ALONE, 1},
    RW_CURVE_PARAMETERS("street", "a street corner"),
    RW_CURVE_PARAMETERS("roof", "a roof edge"),
    {"roof_count_db", "dB", "loss of one roof where roofs are only counted", "roof_count", 0.0, 60.0, RW_ALONE, 0},
    {"wall_first_db", "dB", "loss of the first wall", "wall", 0.0, 60.0, RW_ALONE, 0},
    {"wall_ratio", "", "loss of each further wall to the one before", "wall", 0.0, 1.0, RW_ALONE, 0},
    {"street_q90", "", "Berg's q of a right-angled corner", "street_berg", 0.05, 10.0, RW_ALONE, 0},
    {"roof_scale", "", "loss over roofs to that of theory", "over_roofs", 0.0, 2.0, RW_ALONE, 0},
    {"wall_scale", "", "loss through walls to that of their slabs", "wall_slabs", 0.0, 3.0, RW_ALONE, 0},
    {"prior_weight", "", "factor of the weight of the empirical median", "prior", 0.0, RW_PRIOR_WEIGHT_MAX, RW_ALONE,
     0},
    {"facade_db", "dB", "loss at the facade behind the receiver", "facade", 0.0, 30.0, RW_ALONE, 0},
};

_Static_assert(RW_SHADOW_TERMS <= RW_TERMS_MAX, "room for a path's terms");

static void store_curve(rw_deflection curve, double *values)
{
    values[0] = curve.a0_db;
    values[1] = curve.a1_db;
    values[2] = curve.a2_db;
    values[3] = curve.a3_db;
}

/* A roof that is only counted costs what one of a usual angle does: a tenth of a radian. */
rw_status rw_shadow_parameter_defaults(rw_context *context, double freq_hz, double *values)
{
    rw_deflection street, roof;
    rw_deflection_setting at_street = rw_deflection_setting_default(RW_DEFLECTION_STREET, freq_hz);
    rw_deflection_setting at_roof = rw_deflection_setting_default(RW_DEFLECTION_ROOF, freq_hz);
    RW_TRY(rw_deflection_fit(context, RW_DEFLECTION_STREET, &at_street, &street, NULL));
    RW_TRY(rw_deflection_fit(context, RW_DEFLECTION_ROOF, &at_roof, &roof, NULL));
    values[RW_SHADOW_OFFSET] = 0.0;
    store_curve(street, &values[RW_SHADOW_STREET_CURVE]);
    store_curve(roof, &values[RW_SHADOW_ROOF_CURVE]);
    values[RW_SHADOW_ROOF_COUNT] = rw_deflection_loss_db(roof, 0.1);
    values[RW_SHADOW_WALL_FIRST] = 12.0;
    values[RW_SHADOW_WALL_RATIO] = 0.95;
    values[RW_SHADOW_STREET_Q90] = rw_berg_q90(RW_SPEED_OF_LIGHT_M_S / freq_hz);
    values[RW_SHADOW_STREET_Q90] = fmin(10.0, fmax(0.05, values[RW_SHADOW_STREET_Q90]));
    values[RW_SHADOW_ROOF_SCALE] = values[RW_SHADOW_WALL_SCALE] = 1.0;
    values[RW_SHADOW_PRIOR_WEIGHT] = 1.0;
    values[RW_SHADOW_FACADE] = (double)RW_FACADE_DB;
    return RW_OK;
}

static void add_angle(float angle_rad, float *terms)
{
    float power = 1.0f;
    for (int i = 0; i < 4; i++, power *= angle_rad)
        terms[i] += power;
}

/* A roof that was only counted has no angle. */
void rw_shadow_path_terms(const rw_path *path, float *terms)
{
    memset(terms, 0, RW_SHADOW_TERMS * sizeof *terms);
    terms[RW_SHADOW_TERM_FREE_SPACE] = (float)path->free_space_db;
    for (size_t i = 0; i < path->vertex_count; i++) {
        const rw_path_vertex *vertex = &path->vertices[i];
        if (vertex->interaction == RW_INTERACTION_STREET)
            add_angle(vertex->angle_rad, terms + RW_SHADOW_TERM_STREET);
        else if (vertex->interaction == RW_INTERACTION_ROOF && vertex->angle_rad != 0.0f)
            add_angle(vertex->angle_rad, terms + RW_SHADOW_TERM_ROOF);
        else if (vertex->interaction == RW_INTERACTION_ROOF)
            terms[RW_SHADOW_TERM_COUNTED_ROOFS] += 1.0f;
        else if (vertex->interaction == RW_INTERACTION_WALL && vertex->surface) /* by its construction */
            terms[RW_SHADOW_TERM_FREE_SPACE] += vertex->loss_db;
        else if (vertex->interaction == RW_INTERACTION_WALL)
            terms[RW_SHADOW_TERM_WALLS] += 1.0f;
    }
}

/* Loss of so many walls of which the first costs 1 dB, and its derivative by the ratio (field/paths/multi_wall.k.h). */
static double walls_sum(double ratio, int walls, double *derivative)
{
    double sum = 0.0;
    *derivative = 0.0;
    for (int i = 0; i < walls; i++) { /* 1 + ratio (1 + ratio (...)), from within */
        *derivative = *derivative * ratio + sum;
        sum = sum * ratio + 1.0;
    }
    return sum;
}

double rw_shadow_terms_loss_db(const float *terms, const double *values, double *derivatives)
{
    if (terms[RW_SHADOW_TERM_BY_MECHANISM] > 0.5f)
        return rw_shadow_mechanisms_loss_db(terms, values, derivatives);
    double by_ratio, loss_db = (double)terms[RW_SHADOW_TERM_FREE_SPACE];
    double sum = walls_sum(values[RW_SHADOW_WALL_RATIO], (int)terms[RW_SHADOW_TERM_WALLS], &by_ratio);
    for (int i = RW_SHADOW_WALL_RATIO + 1; i < RW_SHADOW_PARAMETERS; i++)
        derivatives[i] = 0.0;
    derivatives[RW_SHADOW_OFFSET] = 1.0;
    for (int i = 0; i < 4; i++) {
        derivatives[RW_SHADOW_STREET_CURVE + i] = (double)terms[RW_SHADOW_TERM_STREET + i];
        derivatives[RW_SHADOW_ROOF_CURVE + i] = (double)terms[RW_SHADOW_TERM_ROOF + i];
    }
    derivatives[RW_SHADOW_ROOF_COUNT] = (double)terms[RW_SHADOW_TERM_COUNTED_ROOFS];
    derivatives[RW_SHADOW_WALL_FIRST] = sum;
    for (int i = 0; i <= RW_SHADOW_WALL_FIRST; i++)
        loss_db += derivatives[i] * values[i];
    derivatives[RW_SHADOW_WALL_RATIO] = values[RW_SHADOW_WALL_FIRST] * by_ratio;
    return loss_db;
}

/* Losses of interactions of one transmitter: as calibrated, or theory at its frequency. */
static rw_deflection read_curve(const double *values)
{
    return (rw_deflection){values[0], values[1], values[2], values[3]};
}

/* Steepest slope between 0 and pi: at an end, or where the slope itself is extreme. */
static double steepest_db(rw_deflection d)
{
    double steepest = 0, inflection_rad = d.a3_db != 0 ? -d.a2_db / (3 * d.a3_db) : 0;
    double angles[3] = {0, RW_PI, inflection_rad > 0 && inflection_rad < RW_PI ? inflection_rad : 0};
    for (int i = 0; i < 3; i++)
        steepest = fmax(steepest, fabs(d.a1_db + angles[i] * (2 * d.a2_db + angles[i] * 3 * d.a3_db)));
    return steepest;
}

/* Least loss between 0 and pi: at an end, or where the slope is 0. */
static double find_min_deflection_db(rw_deflection d)
{
    double root = 4 * d.a2_db * d.a2_db - 12 * d.a3_db * d.a1_db, middle = d.a3_db != 0 ? -d.a2_db / (3 * d.a3_db) : 0;
    double half = d.a3_db != 0 && root > 0 ? sqrt(root) / (6 * d.a3_db) : 0;
    double flat = d.a3_db == 0 && d.a2_db != 0 ? -d.a1_db / (2 * d.a2_db) : 0;
    double angles[] = {0, RW_PI, middle - half, middle + half, flat}, lowest_db = INFINITY;
    for (size_t i = 0; i < sizeof angles / sizeof *angles; i++)
        lowest_db = fmin(lowest_db, rw_deflection_loss_db(d, fmin(fmax(angles[i], 0), RW_PI)));
    return lowest_db;
}

rw_status rw_shadow_source_init(const rw_prediction *prediction, const rw_shadow_effects *effects, size_t transmitter,
                                rw_shadow_source *source)
{
    double values[RW_PARAMETERS_MAX];
    rw_vec2 centre = prediction->scene->prepared->grid.centre;
    rw_vec3 at = prediction->sources[transmitter];
    RW_TRY(rw_prediction_values(prediction, transmitter, values));
    *source = (rw_shadow_source){.at = rw_vec3_of(at.x - centre.x, at.y - centre.y, at.z),
                                 .wavelength_m = RW_SPEED_OF_LIGHT_M_S / rw_prediction_freq_hz(prediction, transmitter),
                                 .offset_db = values[RW_SHADOW_OFFSET],
                                 .street = read_curve(&values[RW_SHADOW_STREET_CURVE]),
                                 .roof = read_curve(&values[RW_SHADOW_ROOF_CURVE]),
                                 .roof_count_db = values[RW_SHADOW_ROOF_COUNT],
                                 .wall = {values[RW_SHADOW_WALL_FIRST], values[RW_SHADOW_WALL_RATIO]}};
    source->berg = effects->streets == RW_SHADOW_STREETS_BERG;
    source->q90 = (float)values[RW_SHADOW_STREET_Q90];
    source->roof_scale = values[RW_SHADOW_ROOF_SCALE];
    source->wall_scale = values[RW_SHADOW_WALL_SCALE];
    source->facade_db = (float)values[RW_SHADOW_FACADE];
    source->street_reach = effects->street_excess_db > 0 ? pow(10, -0.05 * effects->street_excess_db) : 0;
    RW_TRY(
        rw_prior_create(prediction, effects->prior, transmitter, prediction->scene->context->backend, &source->prior));
    source->prior.weight = values[RW_SHADOW_PRIOR_WEIGHT];
    source->street_min_db = (float)find_min_deflection_db(source->street) - 1e-3f; /* more than rounding */
    source->street_slope_db = (float)(1.0001 * steepest_db(source->street));
    return RW_OK;
}
