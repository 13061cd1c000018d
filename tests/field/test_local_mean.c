/* labels: numbers */
/* The local mean of crossing waves over a cell against the closed form, for cells of one to ten wavelengths: no width
 * and no direction has the same phases at all positions. */
#include "field/paths/ray_sums.k.h"
#include "unit.h"

static const double wavelength_m = 0.125;

static double sinc(double x)
{
    return fabs(x) > 1e-12 ? sin(x) / x : 1;
}

/* Mean power of two waves of amplitude 1 that travel along the azimuths a and b and have the same phase in the middle.
 */
static double mean_power(double side_m, double a, double b)
{
    rw_near_square square = {side_m, rw_vec3_of(1, 0, 0), rw_vec3_of(0, 1, 0)};
    rw_vec3 along[2] = {rw_vec3_of(cos(a), sin(a), 0), rw_vec3_of(cos(b), sin(b), 0)};
    double power = 0;
    for (int i = 0; i < RW_RAY_SPREAD_POINTS; i++) {
        rw_vec3 at = rw_ray_near(&square, i);
        double cycles = (rw_vec3_dot(at, along[0]) - rw_vec3_dot(at, along[1])) / wavelength_m;
        power += (2 + 2 * cos(2 * RW_PI * cycles)) / RW_RAY_SPREAD_POINTS;
    }
    return power;
}

static void no_cell_has_the_phases_of_its_middle(void **state)
{
    (void)state;
    double worst_db = 0;
    for (double side_m = wavelength_m; side_m <= 5 * wavelength_m; side_m += wavelength_m / 8)
        for (int degrees = 0; degrees < 180; degrees += 5) {
            double a = degrees * RW_PI / 180, b = a + RW_PI, wave = 2 * RW_PI / wavelength_m * side_m;
            double exact = 2 + 2 * sinc(wave * cos(a)) * sinc(wave * sin(a)); /* of opposite waves */
            worst_db = fmax(worst_db, fabs(10 * log10(mean_power(side_m, a, b) / exact)));
        }
    printf("opposite waves: at most %.2f dB from the mean over the cell\n", worst_db);
    assert_true(worst_db <= 2.7);
}

/* Along a side the 16 projections are equally far apart: exact to rounding while fewer than 16 cycles lie between. */
static void waves_along_a_side_are_exact(void **state)
{
    (void)state;
    for (int cycles = 1; cycles < 16; cycles++)
        for (int side = 0; side < 2; side++) {
            double a = side * RW_PI / 2;
            assert_near(mean_power(0.5 * cycles * wavelength_m, a, a + RW_PI), 2, 1e-9);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_cell_has_the_phases_of_its_middle),
        cmocka_unit_test(waves_along_a_side_are_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
