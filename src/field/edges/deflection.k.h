/* Loss of a ray that is deflected: a polynomial in the angle by which it changes direction.
 *
 * From the deflection angle in radians to decibels, PL(alpha) = a0 + a1 alpha + a2 alpha^2 + a3 alpha^3, after the
 * shadow paper, eq. (19) (called of degree 3 there and written without a3), and the sums over deflections there (eq.
 * (20)) and in the cubes paper (eq. (3)). Coefficients come from calibration or, uncalibrated, from deflection.h (which
 * leaves a3 at 0). Never negative; monotone where the coefficients are. */
#ifndef RW_FIELD_EDGES_DEFLECTION_K_H
#define RW_FIELD_EDGES_DEFLECTION_K_H

#include "base/kernel/qualifiers.h"

typedef struct rw_deflection {
    double a0_db, a1_db, a2_db, a3_db; /* a1 per radian, a2 per radian squared, a3 cubed */
} rw_deflection;

RW_FN double rw_deflection_loss_db(rw_deflection deflection, double angle_rad)
{
    double loss_db = deflection.a0_db +
                     angle_rad * (deflection.a1_db + angle_rad * (deflection.a2_db + angle_rad * deflection.a3_db));
    return loss_db > 0.0 ? loss_db : 0.0;
}

#endif
