/* Loss in woodland, by the length of the way between trunks and crowns.
 *
 * From the frequency and metres in foliage to decibels, after Recommendation ITU-R P.833-10, section 2: the loss grows
 * by gamma at first and ends at A_m, since waves go round and over the trees: A = A_m (1 - exp(-d gamma / A_m)). gamma
 * and A_m are those of the recommendation's table for a mixed forest, 105.9 to 2117.5 MHz, straight lines between them
 * over the logarithms; beyond, the growth over the whole table goes on: f^0.72 and f^0.43. Trees in leaf. */
#ifndef RW_FIELD_AIR_FOLIAGE_K_H
#define RW_FIELD_AIR_FOLIAGE_K_H

#include "base/kernel/qualifiers.h"

#include <math.h>

typedef struct rw_foliage_law {
    double db_per_m; /* gamma */
    double max_db;   /* A_m */
} rw_foliage_law;

/* A table's value at a frequency, over logarithms, with slopes before its first and behind its last row. */
RW_FN double rw_foliage_read(const double *freqs_mhz, const double *values, int count, double freq_mhz, double slope)
{
    if (freq_mhz <= freqs_mhz[0])
        return values[0] * pow(freq_mhz / freqs_mhz[0], slope);
    for (int i = 1; i < count; i++)
        if (freq_mhz <= freqs_mhz[i]) {
            double fraction = log(freq_mhz / freqs_mhz[i - 1]) / log(freqs_mhz[i] / freqs_mhz[i - 1]);
            return values[i - 1] * pow(values[i] / values[i - 1], fraction);
        }
    return values[count - 1] * pow(freq_mhz / freqs_mhz[count - 1], slope);
}

RW_FN rw_foliage_law rw_foliage_law_of(double freq_hz)
{
    const double freqs_mhz[5] = {105.9, 466.475, 949.0, 1852.2, 2117.5};
    const double gammas[5] = {0.04, 0.12, 0.17, 0.30, 0.34}, maxima_db[5] = {9.4, 18.0, 26.5, 29.0, 34.1};
    rw_foliage_law law;
    law.db_per_m = rw_foliage_read(freqs_mhz, gammas, 5, freq_hz * 1e-6, 0.72);
    law.max_db = rw_foliage_read(freqs_mhz, maxima_db, 5, freq_hz * 1e-6, 0.43);
    return law;
}

RW_FN double rw_foliage_loss_db(rw_foliage_law law, double depth_m)
{
    return depth_m > 0.0 ? law.max_db * (1.0 - exp(-depth_m * law.db_per_m / law.max_db)) : 0.0;
}

#endif
