/* Deflection polynomials for predictions without calibration: fitted to the theory at the frequency asked. */
#ifndef RW_FIELD_EDGES_DEFLECTION_H
#define RW_FIELD_EDGES_DEFLECTION_H

#include "base/maths/complex.h"
#include "base/context.h"
#include "field/edges/deflection.k.h"

/* What turns the ray. Fields are vertically polarised: along a street corner's edge (soft), across a roof's (hard). */
typedef enum rw_deflection_kind {
    RW_DEFLECTION_STREET,    /* a vertical edge of 90 degrees: the shadow paper's street, the cubes paper's vertical
                                diffraction */
    RW_DEFLECTION_ROOF,      /* a roof edge of 90 degrees: the cubes paper's horizontal diffraction */
    RW_DEFLECTION_REFLECTION /* a wall: the cubes paper's reflection */
} rw_deflection_kind;

typedef struct rw_deflection_setting {
    double freq_hz;
    rw_complex permittivity;  /* of the building */
    double before_m, after_m; /* ways to and from the edge */
} rw_deflection_setting;

/* Concrete at the frequency, and distances usual in a city: 50 m and 50 m at corners, 200 m and 30 m at roofs. */
rw_deflection_setting rw_deflection_setting_default(rw_deflection_kind kind, double freq_hz);

/* The theory that is fitted: loss of one deflection in dB beside free space along the bent path. Valid for angles in
 * (0, pi/2) at edges and (0, pi) at walls. */
double rw_deflection_theory_db(rw_deflection_kind kind, const rw_deflection_setting *setting, double angle_rad);

/* Least squares on the theory, with a0 >= 0 and a loss that never falls between 0 and pi. rms_db (may be NULL) receives
 * the error of the fit. */
rw_status rw_deflection_fit(rw_context *context, rw_deflection_kind kind, const rw_deflection_setting *setting,
                            rw_deflection *deflection, double *rms_db);

/* Whether the loss is nowhere negative and nowhere falls between 0 and pi. Falls of rounding (1e-9 dB/rad) pass. */
int rw_deflection_is_physical(rw_deflection deflection);

#endif
