/* Building entry loss: from the street into a building, at any place inside it.
 *
 * From the frequency and the elevation of the path at the facade to the loss that is not exceeded at half of the places
 * inside, after Recommendation ITU-R P.2109-2, equations (1) to (8) at a probability of 0.5, and to that at any other
 * probability. Two kinds of buildings: traditional, and thermally efficient with coated glass or foil in the walls.
 * Meant for 80 MHz to 100 GHz. */
#ifndef RW_FIELD_PATHS_BUILDING_ENTRY_K_H
#define RW_FIELD_PATHS_BUILDING_ENTRY_K_H

#include "base/kernel/qualifiers.h"

#include <math.h>

typedef enum rw_building_kind { RW_BUILDING_TRADITIONAL, RW_BUILDING_EFFICIENT } rw_building_kind;

/* Coefficients r to z of table 1. */
typedef struct rw_entry_coefficients {
    double r, s, t, u, v, w, x, y, z;
} rw_entry_coefficients;

RW_FN rw_entry_coefficients rw_entry_coefficients_of(rw_building_kind kind)
{
    rw_entry_coefficients traditional = {12.64, 3.72, 0.96, 9.6, 2.0, 9.1, -3.0, 4.5, -2.0};
    rw_entry_coefficients efficient = {28.19, -3.00, 8.48, 13.5, 3.8, 27.8, -2.9, 9.4, -2.1};
    return kind == RW_BUILDING_EFFICIENT ? efficient : traditional;
}

/* deviate is the inverse of the normal distribution at the probability: 0 at one half. */
RW_FN double rw_building_entry_loss_db(rw_building_kind kind, double freq_hz, double elevation_rad, double deviate)
{
    rw_entry_coefficients c = rw_entry_coefficients_of(kind);
    double decades = log10(freq_hz * 1e-9);
    double level_db = c.r + c.s * decades + c.t * decades * decades; /* L_h: of level paths */
    double raised_db = 0.212 * fabs(elevation_rad) * 180.0 / 3.14159265358979323846;
    double a = deviate * (c.u + c.v * decades) + level_db + raised_db;
    double b = deviate * (c.y + c.z * decades) + c.w + c.x * decades;
    return 10.0 * log10(pow(10.0, 0.1 * a) + pow(10.0, 0.1 * b) + pow(10.0, -0.3));
}

#endif
