/* Vector fields along a ray: complex 3-vectors, and what reflection, transmission and spreading make of them.
 *
 * From an electric field transverse to its ray to the next one. Every interaction works in the local basis of its plane
 * of incidence: e_perp = k x n, e_par = e_perp x k (Balanis, Advanced Engineering Electromagnetics, section 5.3; with
 * ITU-R P.2040 signs TM reflection off metal is +1). Vectors stay in the scene's frame, so interactions simply follow
 * each other. Valid where surfaces are plane over several wavelengths. */
#ifndef RW_FIELD_PATHS_DYAD_K_H
#define RW_FIELD_PATHS_DYAD_K_H

#include "base/maths/vector.h"
#include "field/surfaces/slab.k.h"

typedef struct rw_vec3c {
    rw_complex x, y, z;
} rw_vec3c;

RW_FN rw_vec3 rw_vec3_unit(rw_vec3 a)
{
    return rw_vec3_scale(a, 1.0 / rw_vec3_length(a));
}

/* factor times a real vector */
RW_FN rw_vec3c rw_vec3c_along(rw_complex factor, rw_vec3 direction)
{
    rw_vec3c result = {rw_complex_scale(factor, direction.x), rw_complex_scale(factor, direction.y),
                       rw_complex_scale(factor, direction.z)};
    return result;
}

RW_FN rw_vec3c rw_vec3c_add(rw_vec3c a, rw_vec3c b)
{
    rw_vec3c result = {rw_complex_add(a.x, b.x), rw_complex_add(a.y, b.y), rw_complex_add(a.z, b.z)};
    return result;
}

RW_FN rw_vec3c rw_vec3c_scale(rw_vec3c a, rw_complex factor)
{
    rw_vec3c result = {rw_complex_mul(a.x, factor), rw_complex_mul(a.y, factor), rw_complex_mul(a.z, factor)};
    return result;
}

/* Component along a real direction. */
RW_FN rw_complex rw_vec3c_dot(rw_vec3c a, rw_vec3 direction)
{
    return rw_complex_of(a.x.re * direction.x + a.y.re * direction.y + a.z.re * direction.z,
                         a.x.im * direction.x + a.y.im * direction.y + a.z.im * direction.z);
}

RW_FN double rw_vec3c_abs2(rw_vec3c a)
{
    return rw_complex_abs2(a.x) + rw_complex_abs2(a.y) + rw_complex_abs2(a.z);
}

/* A unit vector perpendicular to both; for parallel ones, any that is perpendicular to the first. */
RW_FN rw_vec3 rw_perpendicular(rw_vec3 direction, rw_vec3 normal)
{
    rw_vec3 across = rw_vec3_cross(direction, normal);
    if (rw_vec3_length(across) > 1e-9)
        return rw_vec3_unit(across);
    rw_vec3 other = fabs(direction.x) < 0.7 ? rw_vec3_of(1.0, 0.0, 0.0) : rw_vec3_of(0.0, 1.0, 0.0);
    return rw_vec3_unit(rw_vec3_cross(direction, other));
}

RW_FN rw_vec3 rw_reflected_direction(rw_vec3 direction, rw_vec3 normal)
{
    return rw_vec3_sub(direction, rw_vec3_scale(normal, 2.0 * rw_vec3_dot(direction, normal)));
}

/* R_TE e_perp e_perp + R_TM e_par,r e_par,i applied to a field that travels along direction (unit). */
RW_FN rw_vec3c rw_reflect_field(rw_vec3c field, rw_vec3 direction, rw_vec3 normal, rw_te_tm reflection)
{
    rw_vec3 across = rw_perpendicular(direction, normal);
    rw_vec3 before = rw_vec3_cross(across, direction);
    rw_vec3 after = rw_vec3_cross(across, rw_reflected_direction(direction, normal));
    return rw_vec3c_add(rw_vec3c_along(rw_complex_mul(reflection.te, rw_vec3c_dot(field, across)), across),
                        rw_vec3c_along(rw_complex_mul(reflection.tm, rw_vec3c_dot(field, before)), after));
}

/* A slab does not turn the ray. */
RW_FN rw_vec3c rw_transmit_field(rw_vec3c field, rw_vec3 direction, rw_vec3 normal, rw_te_tm transmission)
{
    rw_vec3 across = rw_perpendicular(direction, normal);
    rw_vec3 along = rw_vec3_cross(across, direction);
    return rw_vec3c_add(rw_vec3c_along(rw_complex_mul(transmission.te, rw_vec3c_dot(field, across)), across),
                        rw_vec3c_along(rw_complex_mul(transmission.tm, rw_vec3c_dot(field, along)), along));
}

/* Spreading of the field from a source, before_m to the edge and after_m beyond it: a tube that keeps its caustic on
 * the edge. Kouyoumjian and Pathak (1974), eq. (24). */
RW_FN double rw_spreading_diffracted(double before_m, double after_m)
{
    return 1.0 / sqrt(before_m * after_m * (before_m + after_m));
}

#endif
