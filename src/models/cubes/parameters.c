/* The cubes model's parameters: an offset and the three curves of equation (3), uncalibrated fitted to theory at the
 * frequency (field/edges/deflection.h). The loss of a path is linear in them: of a path only the number of deflections
 * of each kind and the sums of their angles' powers matter. */
#include "models/cubes/cubes.h"

#include "field/edges/deflection.h"

#include <string.h>

enum { OFFSET, FIRST_CURVE };

const rw_parameter_kind rw_cubes_parameters[RW_CUBES_PARAMETERS] = {
    {"offset_db", "dB", "added to every path", "offset", -60.0, 60.0, RW_ALONE, 1},
    RW_CURVE_PARAMETERS("reflection", "a reflection"),
    RW_CURVE_PARAMETERS("horizontal", "a horizontal edge"),
    RW_CURVE_PARAMETERS("vertical", "a vertical edge"),
};

_Static_assert(RW_CUBES_PARAMETERS <= RW_PARAMETERS_MAX && RW_CUBES_PARAMETERS <= RW_TERMS_MAX, "room for both");

rw_status rw_cubes_parameter_defaults(rw_context *context, double freq_hz, double *values)
{
    static const rw_deflection_kind kinds[RW_CUBE_KINDS] = {RW_DEFLECTION_REFLECTION, RW_DEFLECTION_ROOF,
                                                            RW_DEFLECTION_STREET};
    values[OFFSET] = 0;
    for (int kind = 0; kind < RW_CUBE_KINDS; kind++) {
        rw_deflection_setting setting = rw_deflection_setting_default(kinds[kind], freq_hz);
        rw_deflection curve;
        RW_TRY(rw_deflection_fit(context, kinds[kind], &setting, &curve, NULL));
        const double coefficients[4] = {curve.a0_db, curve.a1_db, curve.a2_db, curve.a3_db};
        memcpy(&values[FIRST_CURVE + 4 * kind], coefficients, sizeof coefficients);
    }
    return RW_OK;
}

rw_cubes_costs rw_cubes_costs_of(const double *values)
{
    rw_cubes_costs costs = {.offset_db = values[OFFSET]};
    for (int kind = 0; kind < RW_CUBE_KINDS; kind++) {
        const double *curve = &values[FIRST_CURVE + 4 * kind];
        costs.deflections[kind] = (rw_deflection){curve[0], curve[1], curve[2], curve[3]};
    }
    return costs;
}

rw_status rw_cubes_costs_find(const rw_prediction *prediction, size_t transmitter, rw_cubes_costs *costs)
{
    double values[RW_PARAMETERS_MAX];
    RW_TRY(rw_prediction_values(prediction, transmitter, values));
    *costs = rw_cubes_costs_of(values);
    return RW_OK;
}

void rw_cubes_path_terms(const rw_path *path, float *terms)
{
    memset(terms, 0, RW_CUBES_PARAMETERS * sizeof *terms);
    double straight_db = path->loss_db; /* free space, air and antenna */
    for (size_t i = 0; i < path->vertex_count; i++) {
        rw_interaction interaction = path->vertices[i].interaction;
        int kind = interaction == RW_INTERACTION_REFLECTION ? RW_CUBE_REFLECTION
                   : interaction == RW_INTERACTION_ROOF     ? RW_CUBE_HORIZONTAL
                                                            : RW_CUBE_VERTICAL;
        float power = interaction == RW_INTERACTION_END ? 0.0f : 1.0f;
        for (int n = 0; n < 4; n++, power *= path->vertices[i].angle_rad)
            terms[FIRST_CURVE + 4 * kind + n] += power;
        straight_db -= (double)path->vertices[i].loss_db;
    }
    terms[OFFSET] = (float)straight_db;
}

double rw_cubes_terms_loss_db(const float *terms, const double *values, double *derivatives)
{
    double loss_db = (double)terms[OFFSET] + values[OFFSET];
    derivatives[OFFSET] = 1;
    for (int i = FIRST_CURVE; i < RW_CUBES_PARAMETERS; i++) {
        derivatives[i] = (double)terms[i];
        loss_db += derivatives[i] * values[i];
    }
    return loss_db;
}
