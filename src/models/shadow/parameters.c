/* The shadow model's parameters: what measurements can teach it, values where nobody has calibrated, and the loss of a
 * path that is reduced to sums over its deflections.
 *
 * Equation (20) of Rick and Kuhlen (2010) is linear in the coefficients of its polynomials, so of a path only the
 * number of deflections and the sums of their angles' powers matter. Uncalibrated: polynomials fitted to UTD wedges at
 * the frequency (field/deflection.h); an outer wall of brick or concrete costs about 12 dB at the frequencies of mobile
 * radio. */
#include "models/shadow/shadow.h"

#include <stddef.h>

enum { OFFSET, STREET, ROOF = STREET + 4, ROOF_COUNT = ROOF + 4, WALL_FIRST, WALL_RATIO, PARAMETERS };

const rw_parameter_kind rw_shadow_parameters[RW_SHADOW_PARAMETER_COUNT] = {
    {"offset_db", "dB", "added to every path", "offset", -60.0, 60.0, RW_ALONE, 1},
    RW_CURVE_PARAMETERS("street", "a street corner"),
    RW_CURVE_PARAMETERS("roof", "a roof edge"),
    {"roof_count_db", "dB", "loss of one roof where roofs are only counted", "roof_count", 0.0, 60.0, RW_ALONE, 0},
    {"wall_first_db", "dB", "loss of the first wall", "wall", 0.0, 60.0, RW_ALONE, 0},
    {"wall_ratio", "", "loss of each further wall to the one before", "wall", 0.0, 1.0, RW_ALONE, 0},
};

_Static_assert(PARAMETERS == RW_SHADOW_PARAMETER_COUNT, "the list and its places are of one length");
_Static_assert(RW_SHADOW_TERMS <= RW_TERMS_MAX, "room for a path's terms");

static void put_curve(rw_deflection curve, double *values)
{
    values[0] = curve.a0_db;
    values[1] = curve.a1_db;
    values[2] = curve.a2_db;
    values[3] = curve.a3_db;
}

/* A roof that is only counted costs what one of a usual angle does: a quarter of a radian. */
rw_status rw_shadow_parameter_defaults(rw_context *context, double freq_hz, double *values)
{
    rw_deflection street, roof;
    rw_deflection_setting at_street = rw_deflection_setting_default(RW_DEFLECTION_STREET, freq_hz);
    rw_deflection_setting at_roof = rw_deflection_setting_default(RW_DEFLECTION_ROOF, freq_hz);
    RW_TRY(rw_deflection_fit(context, RW_DEFLECTION_STREET, &at_street, &street, NULL));
    RW_TRY(rw_deflection_fit(context, RW_DEFLECTION_ROOF, &at_roof, &roof, NULL));
    values[OFFSET] = 0.0;
    put_curve(street, &values[STREET]);
    put_curve(roof, &values[ROOF]);
    values[ROOF_COUNT] = rw_deflection_loss_db(roof, 0.25);
    values[WALL_FIRST] = 12.0;
    values[WALL_RATIO] = 0.95;
    return RW_OK;
}

static rw_deflection curve_at(const double *values)
{
    return (rw_deflection){values[0], values[1], values[2], values[3]};
}

rw_status rw_shadow_values_of(const rw_prediction *prediction, size_t transmitter, rw_shadow_values *values)
{
    double list[RW_PARAMETERS_MAX];
    RW_TRY(rw_prediction_values(prediction, transmitter, list));
    *values = (rw_shadow_values){.offset_db = list[OFFSET],
                                 .street = curve_at(&list[STREET]),
                                 .roof = curve_at(&list[ROOF]),
                                 .roof_count_db = list[ROOF_COUNT],
                                 .wall = {list[WALL_FIRST], list[WALL_RATIO]}};
    return RW_OK;
}

/* Loss of so many walls of which the first costs 1 dB, and its derivative by the ratio (field/multi_wall.k.h). */
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
    double by_ratio, loss_db = (double)terms[RW_SHADOW_TERM_FREE_SPACE];
    double sum = walls_sum(values[WALL_RATIO], (int)terms[RW_SHADOW_TERM_WALLS], &by_ratio);
    derivatives[OFFSET] = 1.0;
    for (int i = 0; i < 4; i++) {
        derivatives[STREET + i] = (double)terms[RW_SHADOW_TERM_STREET + i];
        derivatives[ROOF + i] = (double)terms[RW_SHADOW_TERM_ROOF + i];
    }
    derivatives[ROOF_COUNT] = (double)terms[RW_SHADOW_TERM_COUNTED_ROOFS];
    derivatives[WALL_FIRST] = sum;
    for (int i = 0; i <= WALL_FIRST; i++)
        loss_db += derivatives[i] * values[i];
    derivatives[WALL_RATIO] = values[WALL_FIRST] * by_ratio;
    return loss_db;
}
