/* Two rays over flat ground: the direct and the reflected one.
 *
 * From two heights, a horizontal distance and the ground's permittivity to the field relative to free space over the
 * direct distance, after Rappaport 2002, section 4.6, with Fresnel reflection (ITU-R P.2040-3). Vertical polarisation
 * is TM on the ground. The difference of the two lengths is formed as 4 h1 h2 / (l1 + l2), without cancellation. Valid
 * for flat ground: to the distance where the earth's bulge matters (tens of km at usual heights). */
#ifndef RW_FIELD_PATHS_TWO_RAY_K_H
#define RW_FIELD_PATHS_TWO_RAY_K_H

#include "field/surfaces/slab.k.h"
#include "field/paths/phases.k.h"

typedef struct rw_two_ray {
    double direct_m, reflected_m;
    double cosine_incidence;
    rw_te_tm reflection; /* TE: horizontal, TM: vertical polarisation */
    rw_te_tm field;      /* relative to free space over direct_m */
} rw_two_ray;

RW_FN rw_complex rw_two_ray_sum(rw_complex reflection, double amplitude, rw_complex phasor)
{
    return rw_complex_add(rw_complex_of(1.0, 0.0), rw_complex_mul(rw_complex_scale(reflection, amplitude), phasor));
}

RW_FN rw_two_ray rw_two_ray_of(double first_height_m, double second_height_m, double horizontal_m,
                               rw_complex permittivity, int perfect_conductor, double wavelength_m)
{
    rw_two_ray result;
    double up = first_height_m - second_height_m, down = first_height_m + second_height_m;
    result.direct_m = sqrt(horizontal_m * horizontal_m + up * up);
    result.reflected_m = sqrt(horizontal_m * horizontal_m + down * down);
    result.cosine_incidence = down / result.reflected_m;
    rw_interface ground =
        perfect_conductor ? rw_fresnel_perfect_conductor() : rw_fresnel(permittivity, result.cosine_incidence);
    result.reflection = ground.reflection;
    double excess_m = 4.0 * first_height_m * second_height_m / (result.direct_m + result.reflected_m);
    rw_complex phasor = rw_path_phasor(excess_m, wavelength_m);
    double amplitude = result.direct_m / result.reflected_m;
    result.field.te = rw_two_ray_sum(ground.reflection.te, amplitude, phasor);
    result.field.tm = rw_two_ray_sum(ground.reflection.tm, amplitude, phasor);
    return result;
}

#endif
