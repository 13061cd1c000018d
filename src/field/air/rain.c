#include "field/air/air.h"

#include <math.h>

/* ITU-R P.838-3, tables 1 to 4: bells over log10 of the frequency in GHz, and a straight line under them. */
typedef struct bell {
    double height, middle, width;
} bell;

typedef struct curve {
    bell bells[5];
    double slope, base;
} curve;

static const curve k_horizontal = {{{-5.33980, -0.10008, 1.13098},
                                    {-0.35351, 1.26970, 0.45400},
                                    {-0.23789, 0.86036, 0.15354},
                                    {-0.94158, 0.64552, 0.16817},
                                    {0, 0, 1}},
                                   -0.18961,
                                   0.71147};
static const curve k_vertical = {{{-3.80595, 0.56934, 0.81061},
                                  {-3.44965, -0.22911, 0.51059},
                                  {-0.39902, 0.73042, 0.11899},
                                  {0.50167, 1.07319, 0.27195},
                                  {0, 0, 1}},
                                 -0.16398,
                                 0.63297};
static const curve alpha_horizontal = {{{-0.14318, 1.82442, -0.55187},
                                        {0.29591, 0.77564, 0.19822},
                                        {0.32177, 0.63773, 0.13164},
                                        {-5.37610, -0.96230, 1.47828},
                                        {16.1721, -3.29980, 3.43990}},
                                       0.67849,
                                       -1.95537};
static const curve alpha_vertical = {{{-0.07771, 2.33840, -0.76284},
                                      {0.56727, 0.95545, 0.54039},
                                      {-0.20238, 1.14520, 0.26809},
                                      {-48.2991, 0.791669, 0.116226},
                                      {48.5833, 0.791459, 0.116479}},
                                     -0.053739,
                                     0.83433};

/* Eqs. (2) and (3). */
static double evaluate_rain_curve(const curve *of, double decades)
{
    double sum = of->slope * decades + of->base;
    for (int i = 0; i < 5; i++) {
        double off = (decades - of->bells[i].middle) / of->bells[i].width;
        sum += of->bells[i].height * exp(-off * off);
    }
    return sum;
}

/* Eqs. (4) and (5). */
rw_rain_law rw_rain_law_of(double freq_hz, double elevation_rad, double tilt_rad)
{
    double decades = log10(freq_hz * 1e-9), level = cos(elevation_rad), tilt_factor = level * level * cos(2 * tilt_rad);
    double kh = pow(10, evaluate_rain_curve(&k_horizontal, decades)),
           kv = pow(10, evaluate_rain_curve(&k_vertical, decades));
    double ah = evaluate_rain_curve(&alpha_horizontal, decades), av = evaluate_rain_curve(&alpha_vertical, decades);
    double k = 0.5 * (kh + kv + (kh - kv) * tilt_factor);
    return (rw_rain_law){k, (kh * ah + kv * av + (kh * ah - kv * av) * tilt_factor) / (2 * k)};
}

double rw_rain_db_km(rw_rain_law law, double rate_mm_h)
{
    return rate_mm_h > 0 ? law.k * pow(rate_mm_h, law.alpha) : 0;
}
