/* Losses of interactions, from the model's parameters: as calibrated, or theory at the transmitter's frequency. */
#include "base/maths/elementary.h"
#include "models/shadow/parameters.h"
#include "models/shadow/shadow.h"

#include <math.h>

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
