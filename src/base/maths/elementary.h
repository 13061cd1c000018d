/* Sine, cosine, exponential and rounding of float in a form that compilers vectorise without any fast-math option, and
 * that gives the same numbers on the CPU and under CUDA to a few units in the last place.
 *
 * Polynomials are Taylor sums ended where the rest is below 6e-8 (half a unit in the last place) on the stated
 * interval. */
#ifndef RW_BASE_MATHS_ELEMENTARY_H
#define RW_BASE_MATHS_ELEMENTARY_H

#include "base/kernel/qualifiers.h"
#include <math.h>

#define RW_PI 3.14159265358979323846
#define RW_SPEED_OF_LIGHT_M_S 299792458.0

/* Nearest integer for |x| < 2^51; ties to even. */
RW_FN double rw_round_nearest(double x)
{
    const double shift = 6755399441055744.0; /* 1.5 * 2^52 */
    return (x + shift) - shift;
}

/* sin x for |x| <= pi/2. */
RW_FN float rw_sin_quarter(float x)
{
    float y = x * x;
    float sum = -2.5052108e-8f;
    sum = sum * y + 2.7557319e-6f;
    sum = sum * y - 1.9841270e-4f;
    sum = sum * y + 8.3333333e-3f;
    sum = sum * y - 1.6666667e-1f;
    return x + x * y * sum;
}

/* cos x for |x| <= pi/2. */
RW_FN float rw_cos_quarter(float x)
{
    float y = x * x;
    float sum = 2.0876757e-9f;
    sum = sum * y - 2.7557319e-7f;
    sum = sum * y + 2.4801587e-5f;
    sum = sum * y - 1.3888889e-3f;
    sum = sum * y + 4.1666667e-2f;
    sum = sum * y - 0.5f;
    return 1.0f + y * sum;
}

/* The same in double to 1e-10 of the value. */
RW_FN double rw_sin_quarter_double(double x)
{
    double y = x * x;
    double sum = -7.6471637318198165e-13;
    sum = sum * y + 1.6059043836821613e-10;
    sum = sum * y - 2.5052108385441720e-8;
    sum = sum * y + 2.7557319223985893e-6;
    sum = sum * y - 1.9841269841269841e-4;
    sum = sum * y + 8.3333333333333332e-3;
    sum = sum * y - 1.6666666666666666e-1;
    return x + x * y * sum;
}

RW_FN double rw_cos_quarter_double(double x)
{
    double y = x * x;
    double sum = 4.7794773323873853e-14;
    sum = sum * y - 1.1470745597729725e-11;
    sum = sum * y + 2.0876756987868099e-9;
    sum = sum * y - 2.7557319223985888e-7;
    sum = sum * y + 2.4801587301587302e-5;
    sum = sum * y - 1.3888888888888889e-3;
    sum = sum * y + 4.1666666666666664e-2;
    sum = sum * y - 0.5;
    return 1.0 + y * sum;
}

typedef struct rw_phasor {
    float cosine, sine;
} rw_phasor;

/* Cosine and sine of a phase in turns (1 turn = 2 pi), reduced in double: the error is that of the turns themselves. */
RW_FN rw_phasor rw_phasor_of_cycles(double cycles)
{
    double quarters = 4.0 * cycles;
    double nearest = rw_round_nearest(quarters);
    float rest = (float)((quarters - nearest) * (0.5 * RW_PI));      /* |rest| <= pi/4 */
    double cycle = nearest - 4.0 * rw_round_nearest(0.25 * nearest); /* -2, -1, 0, 1 or 2 */
    float sine = rw_sin_quarter(rest), cosine = rw_cos_quarter(rest);
    int odd = cycle == 1.0 || cycle == -1.0;
    int back = cycle == 2.0 || cycle == -2.0;
    float c = odd ? -sine : cosine, s = odd ? cosine : sine;
    float sign = back || cycle == -1.0 ? -1.0f : 1.0f;
    rw_phasor result = {sign * c, sign * s};
    return result;
}

/* The same of a few hundred turns in float, for where an error of a millionth of them does no harm. */
RW_FN rw_phasor rw_phasor_of_few_cycles(float cycles)
{
    const float shift = 12582912.0f; /* 1.5 * 2^23: rounds to the nearest integer */
    float quarters = 4.0f * cycles, nearest = (quarters + shift) - shift;
    float rest = (quarters - nearest) * (float)(0.5 * RW_PI);
    int cycle = (int)nearest & 3;
    float sine = rw_sin_quarter(rest), cosine = rw_cos_quarter(rest);
    float c = cycle & 1 ? sine : cosine, s = cycle & 1 ? cosine : sine;
    rw_phasor result = {cycle == 1 || cycle == 2 ? -c : c, cycle >= 2 ? -s : s};
    return result;
}

RW_FN float rw_float_from_bits(int bits)
{
#ifdef __CUDA_ARCH__
    return __int_as_float(bits);
#else
    union {
        int bits;
        float value;
    } both;
    both.bits = bits;
    return both.value;
#endif
}

/* exp x for x <= 87; below -87 it is exp(-87), which is 1e-38. */
RW_FN float rw_exp_negative(float x)
{
    float bounded = x > -87.0f ? x : -87.0f;
    float shifted = bounded * 1.44269504f + 12582912.0f; /* 1.5 * 2^23: rounds to the nearest integer */
    float integer_part = shifted - 12582912.0f;
    float rest = bounded - integer_part * 0.693145752f; /* ln 2 in two parts */
    rest = rest - integer_part * 1.42860677e-6f;
    float sum = 1.9841270e-4f;
    sum = sum * rest + 1.3888889e-3f;
    sum = sum * rest + 8.3333333e-3f;
    sum = sum * rest + 4.1666667e-2f;
    sum = sum * rest + 1.6666667e-1f;
    sum = sum * rest + 0.5f;
    sum = sum * rest + 1.0f;
    sum = sum * rest + 1.0f;
    return sum * rw_float_from_bits(((int)integer_part + 127) << 23);
}

#endif
