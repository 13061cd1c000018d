/* Exact field of a right-angled wedge of surface impedance, computed without any function of the library.
 *
 * Maliuzhinets, Sov. Phys. Doklady 3 (1958): a plane wave of unit size from the angle phi', exterior angle 270 degrees,
 * both faces reflecting (sin a - sin theta)/(sin a + sin theta) at the angle a to the face; sin theta is the root of
 * the permittivity for the field along the edge and one over it for the field across. For this angle the function of
 * Maliuzhinets has a closed form. The diffracted field is an integral over the path of steepest descent, on which its
 * integrand has no oscillation left. Angles count from the 0-face; e^{+j omega t}. */
#ifndef RW_TESTS_IMPEDANCE_WEDGE_H
#define RW_TESTS_IMPEDANCE_WEDGE_H

#include <complex.h>
#include <math.h>

#define IMPEDANCE_PI 3.14159265358979323846
#define IMPEDANCE_HALF (0.75 * IMPEDANCE_PI) /* half of the exterior angle */

static inline double complex maliuzhinets(double complex z)
{
    return 4.0 / 3.0 * ccos((z - IMPEDANCE_PI) / 6) * ccos((z + IMPEDANCE_PI) / 6) / ccos(z / 6);
}

/* The same by its definition, exp(-1/2 int_0^inf (cosh(z s) - 1)/(s cosh(pi s/2) sinh(2 Phi s)) ds), for real z. */
static inline double maliuzhinets_integral(double z)
{
    double step = 1e-3, sum = 0.5 * step * z * z / (4 * IMPEDANCE_HALF); /* limit at s = 0, half weight */
    for (int i = 1; i < 40000; i++) {
        double s = i * step;
        sum += step * (cosh(z * s) - 1) / (s * cosh(0.5 * IMPEDANCE_PI * s) * sinh(2 * IMPEDANCE_HALF * s));
    }
    return exp(-0.5 * sum);
}

static inline double complex impedance_four(double complex a, double complex theta)
{
    double half = IMPEDANCE_HALF, quarter = 0.5 * IMPEDANCE_PI;
    return maliuzhinets(a + half + quarter - theta) * maliuzhinets(a + half - quarter + theta) *
           maliuzhinets(a - half - quarter + theta) * maliuzhinets(a - half + quarter - theta);
}

/* The spectrum, which has the pole of the incident wave at the source's angle from the bisector with residue 1. */
static inline double complex impedance_spectrum(double complex a, double source, double complex theta)
{
    double mu = IMPEDANCE_PI / (2 * IMPEDANCE_HALF);
    return mu * cos(mu * source) / (csin(mu * a) - sin(mu * source)) * impedance_four(a, theta) /
           impedance_four(source, theta);
}

/* The diffracted field. Away from the boundaries of shadow and reflection, where poles come near the path. */
static inline double complex impedance_wedge_diffracted(double k_rho, double source, double observer,
                                                        double complex sine_theta)
{
    double complex theta = casin(sine_theta), turn = cexp(I * IMPEDANCE_PI / 4) / sqrt(2.0), sum = 0;
    double from = source - IMPEDANCE_HALF, at = observer - IMPEDANCE_HALF;
    double reach = 6 / sqrt(k_rho), step = reach / 600;
    for (int i = -600; i <= 600; i++) {
        double complex sine = turn * (i * step); /* sin(a/2): cos a = 1 - j t^2 */
        double complex a = 2 * casin(sine), slope = 2 * turn / csqrt(1 - sine * sine);
        double complex spectra = impedance_spectrum(a + at - IMPEDANCE_PI, from, theta) -
                                 impedance_spectrum(a + at + IMPEDANCE_PI, from, theta);
        sum += step * spectra * slope * exp(-k_rho * i * step * i * step);
    }
    return sum * cexp(-I * k_rho) / (2 * IMPEDANCE_PI * I);
}

#endif
