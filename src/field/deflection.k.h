/* Loss of a ray that is deflected: a polynomial in the angle by which it changes direction.
 *
 * From the deflection angle in radians to decibels, PL(alpha) = a0 + a1 alpha + a2 alpha^2, after the shadow paper, eq.
 * (19), and the sums over deflections there (eq. (20)) and in the cubes paper (eq. (3)). Coefficients come from
 * calibration or, uncalibrated, from deflection.h. Never negative; monotone where the coefficients are. */
#ifndef RW_FIELD_DEFLECTION_K_H
#define RW_FIELD_DEFLECTION_K_H

#include "base/qualifiers.h"

typedef struct rw_deflection {
    double a0_db, a1_db, a2_db; /* per radian, per radian squared */
} rw_deflection;

RW_FN double rw_deflection_loss_db(rw_deflection deflection, double angle_rad)
{
    double loss_db = deflection.a0_db + angle_rad * (deflection.a1_db + angle_rad * deflection.a2_db);
    return loss_db > 0.0 ? loss_db : 0.0;
}

#endif
