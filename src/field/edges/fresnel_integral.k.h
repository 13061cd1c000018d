/* Fresnel integrals C(v) + j S(v) = int_0^v e^{j pi t^2 / 2} dt and what screens make of them.
 *
 * C and S follow from the auxiliary functions f and g (NIST DLMF 7.5.3, 7.5.4), and those from the transition function:
 * F(x) = sqrt(2 pi x) (f + j g) at x = pi v^2 / 2. Valid for every v; relative error of f and g about 1e-12. */
#ifndef RW_FIELD_EDGES_FRESNEL_INTEGRAL_K_H
#define RW_FIELD_EDGES_FRESNEL_INTEGRAL_K_H

#include "field/edges/transition_function.k.h"

/* f(v) + j g(v) for v >= 0. */
RW_FN rw_complex rw_fresnel_auxiliary(double v)
{
    /* F = s G with s = v sqrt(pi/2) and sqrt(2 pi x) = sqrt(2 pi) s, hence f + j g = G / sqrt(2 pi). */
    return rw_complex_scale(rw_transition_over_root(v * sqrt(0.5 * RW_PI)), 1.0 / sqrt(2.0 * RW_PI));
}

/* e^{j pi v^2 / 2}, reduced in double before the cosine. */
RW_FN rw_complex rw_fresnel_phase(double v)
{
    double cycles = 0.25 * v * v;
    return rw_complex_polar(1.0, 2.0 * RW_PI * (cycles - rw_round_nearest(cycles)));
}

/* C(v) + j S(v): for v >= 0 it is (1 + j)/2 - (g + j f) e^{j pi v^2 / 2}, and odd in v. */
RW_FN rw_complex rw_fresnel_integral(double v)
{
    double size = fabs(v);
    rw_complex fg = rw_fresnel_auxiliary(size);
    rw_complex rest = rw_complex_mul(rw_complex_of(fg.im, fg.re), rw_fresnel_phase(size));
    rw_complex value = rw_complex_sub(rw_complex_of(0.5, 0.5), rest);
    return v < 0.0 ? rw_complex_of(-value.re, -value.im) : value;
}

/* (1 + j)/2 int_v^inf e^{-j pi t^2 / 2} dt: the field behind an absorbing half screen relative to no screen (ITU-R
 * P.526-15, section 4.1; e^{+j omega t}). 1 for v -> -inf, 1/2 at v = 0, 0 for v -> inf. */
RW_FN rw_complex rw_screen_field(double v)
{
    double size = fabs(v);
    rw_complex fg = rw_fresnel_auxiliary(size);
    rw_complex behind = rw_complex_mul(rw_complex_of(fg.im, -fg.re), rw_complex_conj(rw_fresnel_phase(size)));
    rw_complex field = rw_complex_mul(rw_complex_of(0.5, 0.5), behind);
    return v < 0.0 ? rw_complex_sub(rw_complex_of(1.0, 0.0), field) : field;
}

#endif
