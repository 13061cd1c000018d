/* Complex numbers of double and float in the C11/CUDA subset, which has no _Complex. */
#ifndef RW_BASE_MATHS_COMPLEX_H
#define RW_BASE_MATHS_COMPLEX_H

#include "base/kernel/qualifiers.h"
#include <math.h>

typedef struct rw_complex {
    double re, im;
} rw_complex;

typedef struct rw_complexf {
    float re, im;
} rw_complexf;

RW_FN rw_complex rw_complex_of(double re, double im)
{
    rw_complex z = {re, im};
    return z;
}

/* magnitude e^{j phase} */
RW_FN rw_complex rw_complex_polar(double magnitude, double phase_rad)
{
    return rw_complex_of(magnitude * cos(phase_rad), magnitude * sin(phase_rad));
}

RW_FN rw_complex rw_complex_add(rw_complex a, rw_complex b)
{
    return rw_complex_of(a.re + b.re, a.im + b.im);
}

RW_FN rw_complex rw_complex_sub(rw_complex a, rw_complex b)
{
    return rw_complex_of(a.re - b.re, a.im - b.im);
}

RW_FN rw_complex rw_complex_mul(rw_complex a, rw_complex b)
{
    return rw_complex_of(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
}

RW_FN rw_complex rw_complex_scale(rw_complex a, double s)
{
    return rw_complex_of(a.re * s, a.im * s);
}

RW_FN rw_complex rw_complex_conj(rw_complex a)
{
    return rw_complex_of(a.re, -a.im);
}

RW_FN double rw_complex_abs2(rw_complex a)
{
    return a.re * a.re + a.im * a.im;
}

RW_FN double rw_complex_abs(rw_complex a)
{
    return hypot(a.re, a.im);
}

RW_FN double rw_complex_arg(rw_complex a)
{
    return atan2(a.im, a.re);
}

/* Division scaled by the larger part, so that no intermediate overflows (R. L. Smith, CACM 5, 1962). */
RW_FN rw_complex rw_complex_div(rw_complex a, rw_complex b)
{
    if (fabs(b.re) >= fabs(b.im)) {
        double ratio = b.im / b.re, scale = 1.0 / (b.re + b.im * ratio);
        return rw_complex_of((a.re + a.im * ratio) * scale, (a.im - a.re * ratio) * scale);
    }
    double ratio = b.re / b.im, scale = 1.0 / (b.re * ratio + b.im);
    return rw_complex_of((a.re * ratio + a.im) * scale, (a.im * ratio - a.re) * scale);
}

/* The root with non-negative real part; its imaginary part has the sign of the argument's. */
RW_FN rw_complex rw_complex_sqrt(rw_complex a)
{
    double magnitude = hypot(a.re, a.im);
    double larger = sqrt(0.5 * (magnitude + fabs(a.re)));
    if (larger == 0.0)
        return rw_complex_of(0.0, 0.0);
    double smaller = 0.5 * fabs(a.im) / larger;
    double re = a.re >= 0.0 ? larger : smaller, im = a.re >= 0.0 ? smaller : larger;
    return rw_complex_of(re, a.im < 0.0 ? -im : im);
}

RW_FN rw_complexf rw_complexf_of(float re, float im)
{
    rw_complexf z = {re, im};
    return z;
}

RW_FN rw_complexf rw_complexf_add(rw_complexf a, rw_complexf b)
{
    return rw_complexf_of(a.re + b.re, a.im + b.im);
}

RW_FN rw_complexf rw_complexf_sub(rw_complexf a, rw_complexf b)
{
    return rw_complexf_of(a.re - b.re, a.im - b.im);
}

RW_FN rw_complexf rw_complexf_mul(rw_complexf a, rw_complexf b)
{
    return rw_complexf_of(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
}

RW_FN rw_complexf rw_complexf_scale(rw_complexf a, float s)
{
    return rw_complexf_of(a.re * s, a.im * s);
}

/* Division for divisors of moderate size: |b|^2 must neither overflow nor vanish. */
RW_FN rw_complexf rw_complexf_div(rw_complexf a, rw_complexf b)
{
    float scale = 1.0f / (b.re * b.re + b.im * b.im);
    return rw_complexf_of((a.re * b.re + a.im * b.im) * scale, (a.im * b.re - a.re * b.im) * scale);
}

#endif
