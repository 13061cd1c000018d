#include "scene/coordinates.h"

#include "base/maths/elementary.h"

#include <math.h>

#define EQUATOR_M 6378137.0
#define FLATTENING (1 / 298.257223563)
#define SCALE 0.9996
#define EASTING_M 500000.0
#define SOUTH_M 10000000.0
#define ORDERS 4

/* Karney 2011, equations (35) (sign 1) and (36) (sign -1), and the rectifying radius, equation (14). */
typedef struct krueger {
    double eccentricity, radius_m, forward[ORDERS], back[ORDERS];
} krueger;

static krueger make_series(void)
{
    const double n = FLATTENING / (2 - FLATTENING), n2 = n * n, n3 = n2 * n, n4 = n2 * n2;
    const krueger new_krueger = {
        .eccentricity = sqrt(FLATTENING * (2 - FLATTENING)),
        .radius_m = EQUATOR_M / (1 + n) * (1 + n2 / 4 + n4 / 64),
        .forward = {n / 2 - 2 * n2 / 3 + 5 * n3 / 16 + 41 * n4 / 180, 13 * n2 / 48 - 3 * n3 / 5 + 557 * n4 / 1440,
                    61 * n3 / 240 - 103 * n4 / 140, 49561 * n4 / 161280},
        .back = {n / 2 - 2 * n2 / 3 + 37 * n3 / 96 - n4 / 360, n2 / 48 + n3 / 15 - 437 * n4 / 1440,
                 17 * n3 / 480 - 37 * n4 / 840, 4397 * n4 / 161280}};
    return new_krueger;
}

static double central_meridian_deg(rw_utm_zone zone)
{
    return 6.0 * zone.number - 183;
}

/* Tangent of the conformal latitude from that of the latitude; equations (7) and (8). */
static double find_conformal_tangent(double tau, double eccentricity)
{
    double sigma = sinh(eccentricity * atanh(eccentricity * tau / hypot(1, tau)));
    return tau * hypot(1, sigma) - sigma * hypot(1, tau);
}

void rw_utm_from_degrees(rw_utm_zone zone, double *x, double *y)
{
    krueger series = make_series();
    double lambda = remainder(*x - central_meridian_deg(zone), 360) * RW_PI / 180;
    double tau = find_conformal_tangent(tan(*y * RW_PI / 180), series.eccentricity);
    double xi0 = atan2(tau, cos(lambda)), eta0 = asinh(sin(lambda) / hypot(tau, cos(lambda)));
    double xi = xi0, eta = eta0;
    for (int j = 1; j <= ORDERS; j++) {
        xi += series.forward[j - 1] * sin(2 * j * xi0) * cosh(2 * j * eta0);
        eta += series.forward[j - 1] * cos(2 * j * xi0) * sinh(2 * j * eta0);
    }
    *x = EASTING_M + SCALE * series.radius_m * eta;
    *y = (zone.is_south ? SOUTH_M : 0) + SCALE * series.radius_m * xi;
}

void rw_utm_to_degrees(rw_utm_zone zone, double *x, double *y)
{
    krueger series = make_series();
    double xi = (*y - (zone.is_south ? SOUTH_M : 0)) / (SCALE * series.radius_m);
    double eta = (*x - EASTING_M) / (SCALE * series.radius_m), xi0 = xi, eta0 = eta;
    for (int j = 1; j <= ORDERS; j++) {
        xi0 -= series.back[j - 1] * sin(2 * j * xi) * cosh(2 * j * eta);
        eta0 -= series.back[j - 1] * cos(2 * j * xi) * sinh(2 * j * eta);
    }
    double wanted = sin(xi0) / hypot(sinh(eta0), cos(xi0)), tau = wanted;
    double e2 = series.eccentricity * series.eccentricity;
    for (int i = 0; i < 5; i++) { /* Newton, equations (19) to (21): two steps are enough */
        double at = find_conformal_tangent(tau, series.eccentricity);
        tau += (wanted - at) / hypot(1, at) * (1 + (1 - e2) * tau * tau) / ((1 - e2) * hypot(1, tau));
    }
    *x = remainder(central_meridian_deg(zone) + atan2(sinh(eta0), cos(xi0)) * 180 / RW_PI, 360);
    *y = atan(tau) * 180 / RW_PI;
}
