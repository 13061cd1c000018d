#include "field/air/air.h"

#include <math.h>
#include <stddef.h>

/* ITU-R P.676-13, tables 1 and 2: GHz, then strength, its temperature, width, their exponents or interference. */
static const double oxygen_lines[][6] = {
    {50.474214, 0.975, 9.651, 6.69, 2.566, 6.85},
    {50.987745, 2.529, 8.653, 7.17, 2.246, 6.8},
    {51.503360, 6.193, 7.709, 7.64, 1.947, 6.729},
    {52.021429, 14.32, 6.819, 8.11, 1.667, 6.64},
    {52.542418, 31.24, 5.983, 8.58, 1.388, 6.526},
    {53.066934, 64.29, 5.201, 9.06, 1.349, 6.206},
    {53.595775, 124.6, 4.474, 9.55, 2.227, 5.085},
    {54.130025, 227.3, 3.8, 9.96, 3.17, 3.75},
    {54.671180, 389.7, 3.182, 10.37, 3.558, 2.654},
    {55.221384, 627.1, 2.618, 10.89, 2.56, 2.952},
    {55.783815, 945.3, 2.109, 11.34, -1.172, 6.135},
    {56.264774, 543.4, 0.014, 17.03, 3.525, -0.978},
    {56.363399, 1331.8, 1.654, 11.89, -2.378, 6.547},
    {56.968211, 1746.6, 1.255, 12.23, -3.545, 6.451},
    {57.612486, 2120.1, 0.91, 12.62, -5.416, 6.056},
    {58.323877, 2363.7, 0.621, 12.95, -1.932, 0.436},
    {58.446588, 1442.1, 0.083, 14.91, 6.768, -1.273},
    {59.164204, 2379.9, 0.387, 13.53, -6.561, 2.309},
    {59.590983, 2090.7, 0.207, 14.08, 6.957, -0.776},
    {60.306056, 2103.4, 0.207, 14.15, -6.395, 0.699},
    {60.434778, 2438, 0.386, 13.39, 6.342, -2.825},
    {61.150562, 2479.5, 0.621, 12.92, 1.014, -0.584},
    {61.800158, 2275.9, 0.91, 12.63, 5.014, -6.619},
    {62.411220, 1915.4, 1.255, 12.17, 3.029, -6.759},
    {62.486253, 1503, 0.083, 15.13, -4.499, 0.844},
    {62.997984, 1490.2, 1.654, 11.74, 1.856, -6.675},
    {63.568526, 1078, 2.108, 11.34, 0.658, -6.139},
    {64.127775, 728.7, 2.617, 10.88, -3.036, -2.895},
    {64.678910, 461.3, 3.181, 10.38, -3.968, -2.59},
    {65.224078, 274, 3.8, 9.96, -3.528, -3.68},
    {65.764779, 153, 4.473, 9.55, -2.548, -5.002},
    {66.302096, 80.4, 5.2, 9.06, -1.66, -6.091},
    {66.836834, 39.8, 5.982, 8.58, -1.68, -6.393},
    {67.369601, 18.56, 6.818, 8.11, -1.956, -6.475},
    {67.900868, 8.172, 7.708, 7.64, -2.216, -6.545},
    {68.431006, 3.397, 8.652, 7.17, -2.492, -6.6},
    {68.960312, 1.334, 9.65, 6.69, -2.773, -6.65},
    {118.750334, 940.3, 0.01, 16.64, -0.439, 0.079},
    {368.498246, 67.4, 0.048, 16.4, 0, 0},
    {424.763020, 637.7, 0.044, 16.4, 0, 0},
};

static const double vapour_lines[][7] = {
    {22.235080, 0.1079, 2.144, 26.38, 0.76, 5.087, 1},     {183.310087, 2.273, 0.668, 29.06, 0.77, 5.022, 0.85},
    {325.152888, 1.514, 1.541, 28.23, 0.64, 4.893, 0.74},  {380.197353, 11.67, 1.048, 28.11, 0.54, 5.063, 0.89},
    {439.150807, 0.9098, 3.595, 20.07, 0.63, 4.483, 0.52}, {448.001085, 10.41, 1.405, 25.64, 0.66, 5.028, 0.67},
    {474.689092, 1.26, 2.379, 23.2, 0.65, 4.804, 0.64},    {547.676440, 0.9785, 0.158, 26, 0.7, 4.5, 1},
    {556.935985, 497, 0.159, 30.86, 0.69, 4.552, 1},       {620.700807, 5.015, 2.391, 24.38, 0.71, 4.856, 0.68},
    {752.033113, 243.4, 0.396, 30.86, 0.68, 4.352, 0.84},  {916.171582, 8.4, 1.441, 26.73, 0.7, 5.15, 0.78},
    {970.315022, 9.009, 1.919, 25.5, 0.64, 4.94, 0.67},    {987.926764, 134.6, 0.257, 29.85, 0.68, 4.55, 0.9},
    {1780.000000, 17506, 0.952, 196.3, 2, 24.15, 5},
};

rw_air_state rw_air_standard(void)
{
    return (rw_air_state){.temperature_k = 288.15, .dry_pressure_hpa = 1013.25, .vapour_g_m3 = 7.5};
}

/* Eq. (4). */
static double vapour_hpa(const rw_air_state *air)
{
    return air->vapour_g_m3 * air->temperature_k / 216.7;
}

/* Eq. (5): a line at place with a width, and for oxygen the interference of neighbours. */
static double line_shape(double freq_ghz, double line_ghz, double width_ghz, double interference)
{
    double below = line_ghz - freq_ghz, above = line_ghz + freq_ghz, width2 = width_ghz * width_ghz;
    return freq_ghz / line_ghz *
           ((width_ghz - interference * below) / (below * below + width2) +
            (width_ghz - interference * above) / (above * above + width2));
}

/* Eqs. (8) and (9): the dry continuum, of the non-resonant spectrum of oxygen and of nitrogen under pressure. */
static double dry_continuum(double freq_ghz, double p, double e, double theta)
{
    double d = 5.6e-4 * (p + e) * pow(theta, 0.8);
    return freq_ghz * p * theta * theta *
           (6.14e-5 / (d * (1 + freq_ghz / d * (freq_ghz / d))) +
            1.4e-12 * p * pow(theta, 1.5) / (1 + 1.9e-5 * pow(freq_ghz, 1.5)));
}

double rw_oxygen_db_km(double freq_hz, const rw_air_state *air)
{
    double f = freq_hz * 1e-9, theta = 300 / air->temperature_k, p = air->dry_pressure_hpa, e = vapour_hpa(air);
    double sum = dry_continuum(f, p, e, theta);
    for (size_t i = 0; i < sizeof oxygen_lines / sizeof *oxygen_lines; i++) {
        const double *line = oxygen_lines[i];
        double strength = line[1] * 1e-7 * p * pow(theta, 3) * exp(line[2] * (1 - theta)); /* eq. (3) */
        double width = line[3] * 1e-4 * (p * pow(theta, 0.8) + 1.1 * e * theta);           /* eq. (6a) */
        double mixed = (line[4] + line[5] * theta) * 1e-4 * (p + e) * pow(theta, 0.8);     /* eq. (7) */
        sum += strength * line_shape(f, line[0], sqrt(width * width + 2.25e-6), mixed);    /* eq. (6b) */
    }
    return 0.1820 * f * sum; /* eq. (1) */
}

double rw_vapour_db_km(double freq_hz, const rw_air_state *air)
{
    double f = freq_hz * 1e-9, theta = 300 / air->temperature_k, p = air->dry_pressure_hpa, e = vapour_hpa(air);
    double sum = 0;
    for (size_t i = 0; i < sizeof vapour_lines / sizeof *vapour_lines; i++) {
        const double *line = vapour_lines[i];
        double strength = line[1] * 0.1 * e * pow(theta, 3.5) * exp(line[2] * (1 - theta));
        double width = line[3] * 1e-4 * (p * pow(theta, line[4]) + line[5] * e * pow(theta, line[6]));
        width = 0.535 * width + sqrt(0.217 * width * width + 2.1316e-12 * line[0] * line[0] / theta); /* Doppler */
        sum += strength * line_shape(f, line[0], width, 0);
    }
    return 0.1820 * f * sum;
}
