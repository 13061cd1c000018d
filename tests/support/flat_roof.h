/* Field over a flat roof, or round two corners of one wall: Kirchhoff's integrals over the planes of both edges.
 *
 * Small angles; without any function of the library. e^{+j omega t}. */
#ifndef RW_TESTS_FLAT_ROOF_H
#define RW_TESTS_FLAT_ROOF_H

#include <complex.h>
#include <math.h>

#define FLAT_ROOF_PI 3.14159265358979323846

/* A roof at height 0 from x = 0 to width; a source before it and an observer behind it, both below the roof. */
typedef struct flat_roof {
    double k, before, width, behind, source, observer;
} flat_roof;

enum { FLAT_ROOF_STEPS = 220 };

/* The wave over a distance, the heights turned by -45 degrees, which leaves no oscillation: exponent only. */
static inline double complex flat_roof_exponent(double k, double distance, double complex rise)
{
    return -I * k * rise * rise / (2 * distance);
}

/* Field behind the roof over that of free space. The wave over the roof is that of two planes and of images: one for a
 * hard or a soft roof, a line of them for du/dz = j k Delta u. kind -1: soft, 1: hard, 0: of impedance. */
static inline double complex flat_roof_field(const flat_roof *at, int kind, double complex impedance)
{
    double complex turn = cexp(-I * FLAT_ROOF_PI / 4), sum = 0, slope = I * at->k * impedance;
    double step = 8 * sqrt(2 * fmax(fmax(at->before, at->behind), at->width) / at->k) / FLAT_ROOF_STEPS;
    static double complex
        inner[2 * FLAT_ROOF_STEPS + 1]; /* what the roof adds to a direct wave, by the sum of both heights */
    for (int i = 0; i <= 2 * FLAT_ROOF_STEPS; i++) {
        double complex both = cexp(flat_roof_exponent(at->k, at->width, turn * (i * step))), line = 0;
        /* by the midpoint rule, to where either factor has died away */
        double fine = fmin(0.02 / cabs(slope), 0.1 * step), far = fmin(60 / cabs(slope), 2 * FLAT_ROOF_STEPS * step);
        for (double t = 0.5 * fine; kind == 0 && t < far; t += fine)
            line += fine * turn * cexp(-slope * turn * t + flat_roof_exponent(at->k, at->width, turn * (i * step + t)));
        inner[i] = kind ? kind * both : both - 2 * slope * line;
    }
    for (int i = 0; i <= FLAT_ROOF_STEPS; i++)
        for (int j = 0; j <= FLAT_ROOF_STEPS; j++) {
            double complex a = turn * (i * step), b = turn * (j * step);
            double complex ends = flat_roof_exponent(at->k, at->before, a - at->source) +
                                  flat_roof_exponent(at->k, at->behind, b - at->observer);
            double weight = (i == 0 ? 0.5 : 1) * (j == 0 ? 0.5 : 1) * step * step;
            sum +=
                weight * turn * turn * cexp(ends) * (cexp(flat_roof_exponent(at->k, at->width, b - a)) + inner[i + j]);
        }
    double whole = at->before + at->width + at->behind;
    double complex sizes = csqrt(I * at->k / (2 * FLAT_ROOF_PI)) * csqrt(I * at->k / (2 * FLAT_ROOF_PI)) *
                           sqrt(whole / (at->before * at->width * at->behind));
    return sizes * sum * cexp(-flat_roof_exponent(at->k, whole, at->observer - at->source));
}

#endif
