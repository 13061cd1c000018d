/* Exact fields of perfectly conducting half planes and wedges, computed without any function of the library.
 *
 * Half plane: Sommerfeld's solution in Fresnel integrals. Wedge: the series of Bessel functions of order m/n (Bowman,
 * Senior and Uslenghi 1969, section 6.2). A plane wave of unit size comes from the angle phi'; e^{+j omega t}. */
#ifndef RW_TESTS_EXACT_WEDGE_H
#define RW_TESTS_EXACT_WEDGE_H

#include <complex.h>
#include <math.h>
#include <stdlib.h>

static const double exact_pi = 3.14159265358979323846;

/* int_0^a e^{-j t^2} dt by composite Gauss-Legendre of five points. */
static inline double complex exact_fresnel_from_zero(double a)
{
    const double at[3] = {0.0, 0.5384693101056831, 0.9061798459386640};
    const double weight[3] = {0.5688888888888889, 0.4786286704993665, 0.2369268850561891};
    int pieces = 20 + (int)(4.0 * a * a);
    double half = 0.5 * a / pieces;
    double complex sum = 0;
    for (int piece = 0; piece < pieces; piece++)
        for (int node = -2; node <= 2; node++) {
            double t = (2 * piece + 1) * half + half * (node < 0 ? -at[-node] : at[node]);
            sum += weight[abs(node)] * half * cexp(-I * t * t);
        }
    return sum;
}

/* One of the two parts of Sommerfeld's half plane: e^{j pi/4}/sqrt(pi) e^{j k rho cos b} int_{-sqrt(2 k rho)
 * cos(b/2)}^inf. */
static inline double complex exact_half_plane_part(double k_rho, double b)
{
    double from = -sqrt(2.0 * k_rho) * cos(0.5 * b);
    double complex whole = 0.5 * sqrt(exact_pi) * cexp(-I * exact_pi / 4);
    return cexp(I * exact_pi / 4) / sqrt(exact_pi) * cexp(I * k_rho * cos(b)) * (whole - exact_fresnel_from_zero(from));
}

/* Total field; sign -1 soft, +1 hard. */
static inline double complex exact_half_plane(double k_rho, double source, double observer, int sign)
{
    return exact_half_plane_part(k_rho, observer - source) + sign * exact_half_plane_part(k_rho, observer + source);
}

/* J_{order + i}(x) for i = 0 .. count - 1, 0 <= order < 1, by downward recurrence, normalised with
 * (x/2)^order = sum_k (order + 2k) Gamma(order + k)/k! J_{order + 2k}(x) (Abramowitz and Stegun 9.1.87). */
static inline void exact_bessel_j(double order, double x, int count, double *values)
{
    int start = count + 60 + (int)(2.0 * x);
    start += start % 2;
    double above = 0.0, here = 1e-280, sum = 0.0;
    for (int i = start; i >= 0; i--) {
        if (i < count)
            values[i] = here;
        if (i % 2 == 0) {
            double k = 0.5 * i;
            double weight = i == 0 ? exp(lgamma(order + 1.0)) : (order + i) * exp(lgamma(order + k) - lgamma(k + 1.0));
            sum += weight * here;
        }
        double below = 2.0 * (order + i) / x * here - above;
        above = here;
        here = below;
        if (fabs(here) > 1e200) { /* rescale everything so far */
            above *= 1e-200;
            here *= 1e-200;
            sum *= 1e-200;
            for (int j = i; j < count; j++)
                values[j] *= 1e-200;
        }
    }
    double scale = pow(0.5 * x, order) / sum;
    for (int i = 0; i < count; i++)
        values[i] *= scale;
}

/* J_{m/n}(k rho) for m = 0 .. count - 1, as many as the series needs; free() the result. */
static inline double *exact_wedge_orders(double n, double k_rho, int *count)
{
    int orders = (int)(k_rho + 40.0 + 6.0 * cbrt(k_rho));
    double *scratch = malloc(sizeof *scratch * (size_t)(orders + 2));
    *count = (int)(n * orders) + 1;
    double *values = malloc(sizeof *values * (size_t)*count);
    for (int m = 0; m < *count; m++) {
        int whole = (int)floor(m / n);
        exact_bessel_j(m / n - whole, k_rho, whole + 1, scratch);
        values[m] = scratch[whole];
    }
    free(scratch);
    return values;
}

/* Total field of a wedge of exterior angle n pi: (1/n) sum_m e_m j^{m/n} J_{m/n}(k rho)
 * [cos(m (phi - phi')/n) +- cos(m (phi + phi')/n)]. */
static inline double complex exact_wedge(double n, const double *bessel, int count, double source, double observer,
                                         int sign)
{
    double complex total = 0;
    for (int m = 0; m < count; m++) {
        double order = m / n;
        double angular = cos(order * (observer - source)) + sign * cos(order * (observer + source));
        total += (m == 0 ? 1.0 : 2.0) * cexp(I * exact_pi / 2 * order) * bessel[m] * angular;
    }
    return total / n;
}

/* Total field of a half plane (n = 2) for a line source at k rho', relative to the free-space field at the edge, H0(k
 * rho'): (1/2) sum_m e_m J_{m/2}(k rho) H_{m/2}(k rho') [...], rho < rho'. Half-integer orders by upward recurrence of
 * Y and downward of J. */
static inline double complex exact_half_plane_line(double k_rho, double k_source, double source, double observer,
                                                   int sign)
{
    enum { most = 400 };
    double j_near[most], j_far[most], y_far[most];
    int count = (int)(k_rho + 60.0 + 6.0 * cbrt(k_rho));
    double complex total = 0;
    exact_bessel_j(0.5, k_rho, count, j_near);
    exact_bessel_j(0.5, k_source, count, j_far);
    y_far[0] = -sqrt(2.0 / (exact_pi * k_source)) * cos(k_source);
    y_far[1] = y_far[0] / k_source - sqrt(2.0 / (exact_pi * k_source)) * sin(k_source);
    for (int i = 1; i + 1 < count; i++)
        y_far[i + 1] = 2.0 * (0.5 + i) / k_source * y_far[i] - y_far[i - 1];
    for (int m = 0; m < 2 * count; m++) {
        double near = m % 2 ? j_near[m / 2] : jn(m / 2, k_rho);
        double complex far = m % 2 ? j_far[m / 2] - I * y_far[m / 2] : jn(m / 2, k_source) - I * yn(m / 2, k_source);
        double angular = cos(0.5 * m * (observer - source)) + sign * cos(0.5 * m * (observer + source));
        total += (m == 0 ? 1.0 : 2.0) * near * far * angular;
    }
    return 0.5 * total / (jn(0, k_source) - I * yn(0, k_source));
}

#endif
