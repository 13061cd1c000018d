/* What a material is at one frequency.
 *
 * From the four numbers of ITU-R P.2040-3, table 3, to the complex relative permittivity eps = eps' - j eps'', eps' = a
 * f^b, sigma = c f^d in S/m with f in GHz (eqs. (57), (58)) and eps'' = sigma / (2 pi f eps0) (eq. (9b): 17.98 sigma /
 * f). Valid in the material's own frequency range; the caller warns outside it. */
#ifndef RW_FIELD_SURFACES_MATERIAL_K_H
#define RW_FIELD_SURFACES_MATERIAL_K_H

#include "base/maths/complex.h"
#include "base/maths/elementary.h"

#define RW_VACUUM_PERMITTIVITY_F_M 8.8541878128e-12

/* Stands for a perfect conductor where a permittivity is wanted: reflects all but 1e-14. */
#define RW_PERMITTIVITY_CONDUCTOR_IM (-1e30)

RW_FN double rw_material_permittivity(double a, double b, double freq_hz)
{
    return a * pow(freq_hz * 1e-9, b);
}

RW_FN double rw_material_conductivity_s_m(double c, double d, double freq_hz)
{
    return c * pow(freq_hz * 1e-9, d);
}

RW_FN rw_complex rw_complex_permittivity(double permittivity, double conductivity_s_m, double freq_hz)
{
    return rw_complex_of(permittivity, -conductivity_s_m / (2.0 * RW_PI * freq_hz * RW_VACUUM_PERMITTIVITY_F_M));
}

/* Attenuation of a plane wave inside, in dB/m: 8.686 k |Im sqrt(eps)|. ITU-R P.2040-3, section 2.1. */
RW_FN double rw_material_attenuation_db_m(rw_complex permittivity, double freq_hz)
{
    rw_complex index = rw_complex_sqrt(permittivity);
    return 20.0 / log(10.0) * (2.0 * RW_PI * freq_hz / RW_SPEED_OF_LIGHT_M_S) * fabs(index.im);
}

#endif
