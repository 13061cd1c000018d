/* Statistics of a set of paths: power, spread of delay and angle, and how much of it is one path.
 *
 * From complex gains, delays and directions of arrival to single numbers, after ITU-R P.1407-8 (delay) and 3GPP
 * TR 38.901, annex A (angle). An empty set has no power and no spread. */
#ifndef RW_FIELD_PATHS_PATH_SUMS_K_H
#define RW_FIELD_PATHS_PATH_SUMS_K_H

#include "base/maths/complex.h"
#include "base/maths/elementary.h"
#include <stddef.h>

typedef struct rw_path_sample {
    rw_complex gain; /* sqrt(P_r/P_t) with phase */
    double delay_s;
    double theta_rad, phi_rad; /* direction of arrival */
} rw_path_sample;

/* |sum of gains|^2: one frequency, one place. */
RW_FN double rw_coherent_power(const rw_path_sample *paths, size_t count)
{
    rw_complex sum = {0.0, 0.0};
    for (size_t i = 0; i < count; i++)
        sum = rw_complex_add(sum, paths[i].gain);
    return rw_complex_abs2(sum);
}

/* sum of |gain|^2: the mean over a small area or a wide band. */
RW_FN double rw_total_power(const rw_path_sample *paths, size_t count)
{
    double power = 0.0;
    for (size_t i = 0; i < count; i++)
        power += rw_complex_abs2(paths[i].gain);
    return power;
}

/* Power-weighted mean. ITU-R P.1407-8, section 2.2.2. */
RW_FN double rw_mean_delay_s(const rw_path_sample *paths, size_t count)
{
    double power = rw_total_power(paths, count), sum = 0.0;
    for (size_t i = 0; i < count; i++)
        sum += rw_complex_abs2(paths[i].gain) * paths[i].delay_s;
    return power > 0.0 ? sum / power : 0.0;
}

/* Square root of the second central moment, formed about the mean. ITU-R P.1407-8, section 2.2.3. */
RW_FN double rw_delay_spread_s(const rw_path_sample *paths, size_t count)
{
    double power = rw_total_power(paths, count), mean = rw_mean_delay_s(paths, count), sum = 0.0;
    for (size_t i = 0; i < count; i++) {
        double offset = paths[i].delay_s - mean;
        sum += rw_complex_abs2(paths[i].gain) * offset * offset;
    }
    return power > 0.0 ? sqrt(sum / power) : 0.0;
}

/* sqrt(-2 ln |sum P e^{j angle} / sum P|), the circular spread. 3GPP TR 38.901, annex A.1. azimuth: of phi, otherwise
 * of theta. */
RW_FN double rw_angular_spread_rad(const rw_path_sample *paths, size_t count, int azimuth)
{
    double power = rw_total_power(paths, count), x = 0.0, y = 0.0;
    for (size_t i = 0; i < count; i++) {
        double angle = azimuth ? paths[i].phi_rad : paths[i].theta_rad, weight = rw_complex_abs2(paths[i].gain);
        x += weight * cos(angle);
        y += weight * sin(angle);
    }
    double length = power > 0.0 ? sqrt(x * x + y * y) / power : 1.0;
    if (length >= 1.0)
        return 0.0;
    double min_length = 1e-12; /* evenly round the circle: a large but finite spread */
    return sqrt(-2.0 * log(length > min_length ? length : min_length));
}

/* Strongest path over the rest; infinite for a single path. */
RW_FN double rw_rician_k(const rw_path_sample *paths, size_t count)
{
    double strongest = 0.0, rest = 0.0;
    for (size_t i = 0; i < count; i++) {
        double power = rw_complex_abs2(paths[i].gain);
        rest += power < strongest ? power : strongest;
        strongest = power > strongest ? power : strongest;
    }
    if (strongest == 0.0)
        return 0.0;
    return rest > 0.0 ? strongest / rest : INFINITY;
}

#endif
