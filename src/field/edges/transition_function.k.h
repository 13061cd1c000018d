/* The transition function of the uniform theory of diffraction,
 * F(x) = 2 j sqrt(x) e^{jx} int_{sqrt x}^inf e^{-j t^2} dt.
 *
 * After Kouyoumjian and Pathak, Proc. IEEE 62 (1974), eq. (27). Turning the path of integration by -45 degrees gives
 * F(s^2) = s G(s) with G(s) = 2 e^{j pi/4} int_0^inf exp(-t^2 - sqrt(2) (1 + j) s t) dt = sqrt(pi) e^{j pi/4} e^{z^2}
 * erfc z, z = e^{j pi/4} s, which has no oscillation left and is entire in s. Valid for every x >= 0: the reference
 * form to 1e-12 relative, the fast form to 1e-6. */
#ifndef RW_FIELD_EDGES_TRANSITION_FUNCTION_K_H
#define RW_FIELD_EDGES_TRANSITION_FUNCTION_K_H

#include "base/maths/complex.h"
#include "base/maths/elementary.h"

/* e^{z^2} erfc z = sum_k (-z)^k / Gamma(k/2 + 1), NIST DLMF 7.6.1 and 7.6.2 together; used for |z| <= 2. */
RW_FN rw_complex rw_scaled_erfc_series(rw_complex z)
{
    rw_complex even = rw_complex_of(1.0, 0.0);
    rw_complex odd = rw_complex_scale(z, -2.0 / sqrt(RW_PI)); /* 1 / Gamma(3/2) = 2 / sqrt(pi) */
    rw_complex sum = rw_complex_add(even, odd), square = rw_complex_mul(z, z);
    for (int k = 1; k <= 40; k++) {
        even = rw_complex_scale(rw_complex_mul(even, square), 1.0 / k);
        odd = rw_complex_scale(rw_complex_mul(odd, square), 1.0 / (k + 0.5));
        sum = rw_complex_add(sum, rw_complex_add(even, odd));
    }
    return sum;
}

/* The continued fraction of Laplace, sqrt(pi) e^{z^2} erfc z = 1/(z + (1/2)/(z + 1/(z + (3/2)/(z + ...)))), DLMF 7.9.1.
 */
RW_FN rw_complex rw_scaled_erfc_fraction(rw_complex z)
{
    rw_complex tail = z;
    for (int k = 160; k >= 1; k--)
        tail = rw_complex_add(z, rw_complex_div(rw_complex_of(0.5 * k, 0.0), tail));
    return rw_complex_div(rw_complex_of(1.0 / sqrt(RW_PI), 0.0), tail);
}

/* G(s) = F(s^2) / s for s >= 0; G(0) = sqrt(pi) e^{j pi/4}. */
RW_FN rw_complex rw_transition_over_root(double s)
{
    rw_complex eighth = rw_complex_of(sqrt(0.5), sqrt(0.5));
    rw_complex z = rw_complex_scale(eighth, s);
    rw_complex scaled = s < 2.0 ? rw_scaled_erfc_series(z) : rw_scaled_erfc_fraction(z);
    return rw_complex_scale(rw_complex_mul(eighth, scaled), sqrt(RW_PI));
}

/* F(x) for x >= 0. */
RW_FN rw_complex rw_transition_function(double x)
{
    double s = sqrt(x);
    return rw_complex_scale(rw_transition_over_root(s), s);
}

typedef struct rw_transition_ratio {
    rw_complex numerator;
    double denominator;
} rw_transition_ratio;

/* s up to this is put into the rational form; beyond it F differs from 1 by less than 1e-6. */
#define RW_TRANSITION_ROOT_MAX 1000.0

/* G(s) as numerator / denominator, without branches: a rational function of degree 8 fitted to the integral above by
 * least squares with equalised errors, 2.2e-7 relative over 0 <= s <= 1000. It is evaluated in double: near a face the
 * terms of a wedge cancel, and what rounding leaves of them would differ between machines. The division is left to the
 * caller, who has one anyway. */
RW_FN rw_transition_ratio rw_transition_over_root_fast(double s)
{
    double re = 0.05297659243463475, im = -2.3429030873036284e-09, below = 0.0529766034651027;
    re = re * s + 0.15411971916856532;
    re = re * s + 0.5559939196010396;
    re = re * s + 1.313589589111592;
    re = re * s + 2.4113635126464317;
    re = re * s + 3.5206021836258947;
    re = re * s + 3.416717351767607;
    re = re * s + 1.2533138201798946;
    im = im * s + 4.779409992979141e-07;
    im = im * s + 0.026484989036767485;
    im = im * s + 0.07660385602088816;
    im = im * s + 0.2879637949374049;
    im = im * s + 0.5756227379466554;
    im = im * s + 1.4166861150855437;
    im = im * s + 1.2533140106411162;
    below = below * s + 0.15411658155052724;
    below = below * s + 0.5561360679524473;
    below = below * s + 1.3112395394632044;
    below = below * s + 2.4685222093566765;
    below = below * s + 3.583275217219633;
    below = below * s + 3.80948028576027;
    below = below * s + 2.7261191374022316;
    below = below * s + 1.0;
    rw_transition_ratio result = {{re, im}, below};
    return result;
}

/* F(x) by the rational form. */
RW_FN rw_complex rw_transition_function_fast(double x)
{
    double s = sqrt(x), bounded = s < RW_TRANSITION_ROOT_MAX ? s : RW_TRANSITION_ROOT_MAX;
    rw_transition_ratio ratio = rw_transition_over_root_fast(bounded);
    return rw_complex_scale(ratio.numerator, bounded / ratio.denominator);
}

#endif
