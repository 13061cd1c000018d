/* Free space, two rays, several walls, diffuse lobes: against closed forms and numerical integrals. */
#include "field/paths/free_space.k.h"
#include "field/paths/multi_wall.k.h"
#include "field/surfaces/surfaces.h"
#include "field/paths/two_ray.k.h"

#include <complex.h>

#include "unit.h"

static void free_space_follows_friis(void **state)
{
    (void)state;
    double wavelength_m = RW_SPEED_OF_LIGHT_M_S / 1e9;
    assert_near(rw_free_space_loss_db(1000, wavelength_m), 92.448, 0.001); /* 32.448 + 20 log10(km) + 20 log10(MHz) */
    assert_near(rw_free_space_loss_db(2000, wavelength_m) - rw_free_space_loss_db(1000, wavelength_m), 6.0206, 1e-4);
    assert_near(rw_free_space_loss_db(0.0, wavelength_m), 0, 0);
    rw_complex gain = rw_free_space_gain(wavelength_m * 1000.25, wavelength_m);
    assert_near(rw_complex_arg(gain), -RW_PI / 2, 1e-9);
    assert_near(rw_complex_abs(gain), 1 / (4 * RW_PI * 1000.25), 1e-12);
}

/* Both rays summed in long double, lengths and all. */
static long double complex two_rays(double h1, double h2, double d, double wavelength_m, double complex reflection)
{
    long double direct = hypotl(d, (long double)h1 - h2), reflected = hypotl(d, (long double)h1 + h2);
    long double k = 2 * acosl(-1.0L) / wavelength_m;
    return 1 + reflection * (direct / reflected) * cexpl(-I * k * (reflected - direct));
}

static void two_rays_agree_with_closed_form(void **state)
{
    (void)state;
    const double freqs_hz[] = {0.9e9, 3.5e9, 28e9};
    for (size_t f = 0; f < 3; f++)
        for (double d = 1; d <= 10001; d *= 1.013) {
            double wavelength_m = RW_SPEED_OF_LIGHT_M_S / freqs_hz[f];
            rw_two_ray metal = rw_two_ray_of(13, 1.5, d, rw_complex_of(1, 0), 1, wavelength_m);
            double complex te = two_rays(13, 1.5, d, wavelength_m, -1), tm = two_rays(13, 1.5, d, wavelength_m, 1);
            assert_near(metal.field.te.re, creal(te), 1e-9);
            assert_near(metal.field.te.im, cimag(te), 1e-9);
            assert_near(metal.field.tm.re, creal(tm), 1e-9);
            assert_near(metal.field.tm.im, cimag(tm), 1e-9);
            rw_two_ray ground = rw_two_ray_of(13, 1.5, d, rw_complex_of(15, -2), 0, wavelength_m);
            double cosine = 14.5 / hypot(d, 14.5);
            double complex eps = 15 - 2 * I, q = csqrt(eps - 1 + cosine * cosine);
            double complex expected = two_rays(13, 1.5, d, wavelength_m, (eps * cosine - q) / (eps * cosine + q));
            assert_near(ground.field.tm.re, creal(expected), 1e-9);
            assert_near(ground.field.tm.im, cimag(expected), 1e-9);
        }
}

/* Far away the loss is 40 log10 d - 20 log10(h1 h2), whatever the ground. */
static void two_rays_fall_with_the_fourth_power(void **state)
{
    (void)state;
    double wavelength_m = 0.3;
    rw_two_ray far = rw_two_ray_of(10, 2, 10000, rw_complex_of(15, -1), 0, wavelength_m);
    double loss_db = rw_free_space_loss_db(far.direct_m, wavelength_m) - 10 * log10(rw_complex_abs2(far.field.te));
    assert_near(loss_db, 40 * log10(10000.0) - 20 * log10(20.0), 0.2);
    rw_two_ray back = rw_two_ray_of(2, 10, 10000, rw_complex_of(15, -1), 0, wavelength_m);
    assert_near(rw_complex_abs(rw_complex_sub(back.field.te, far.field.te)), 0, 1e-12);
}

static void walls_cost_less_and_less(void **state)
{
    (void)state;
    rw_wall_kind kind = {8.0, 0.7};
    double sum = 0, last = 1e9;
    for (int walls = 1; walls <= 30; walls++) {
        double one = 8.0 * pow(0.7, walls - 1); /* Lott and Forkel: the loss of the k-th wall */
        sum += one;
        assert_near(rw_multi_wall_loss_db(kind, walls), sum, 1e-9);
        assert_true(one < last);
        last = one;
    }
    assert_near(rw_multi_wall_loss_db(kind, 0), 0, 0);
    rw_wall_kind same = {5.0, 1.0};
    assert_near(rw_multi_wall_loss_db(same, 4), 20, 0);
}

/* Integral of the pattern over the half space by the midpoint rule in cos(theta) and phi. */
static double hemisphere(const rw_scatter_model *model, double cosine_incidence)
{
    const int rings = 400, sectors = 400;
    double sum = 0;
    for (int i = 0; i < rings; i++)
        for (int j = 0; j < sectors; j++)
            sum += rw_scatter_pattern(model, cosine_incidence, (i + 0.5) / rings, cos(2 * RW_PI * (j + 0.5) / sectors));
    return sum * 2 * RW_PI / ((double)rings * sectors);
}

static void scattered_power_is_conserved(void **state)
{
    (void)state;
    for (double angle = 0; angle < 1.55; angle += 0.38)
        for (int exponent = 1; exponent <= 19; exponent += 3) {
            rw_scatter_model models[] = {{RW_LOBE_LAMBERTIAN, 1, 1, 1},
                                         {RW_LOBE_DIRECTIVE, exponent, 1, 1},
                                         {RW_LOBE_BACKSCATTERING, exponent, 20 - exponent, 0.6}};
            for (size_t i = 0; i < 3; i++)
                assert_near(hemisphere(&models[i], cos(angle)), 1, 2e-4);
        }
    for (double s = 0; s <= 1; s += 0.05) { /* what is scattered and what stays specular make up the reflection */
        double specular = rw_specular_reduction(s);
        assert_near(specular * specular + s * s, 1, 1e-12);
    }
}

/* The balanced lobes: the same both ways, and all the power at every incidence. */
static void balanced_scattering_is_reciprocal_and_keeps_power(void **state)
{
    (void)state;
    rw_scatter_model models[] = {{RW_LOBE_LAMBERTIAN, 1, 1, 1},
                                 {RW_LOBE_DIRECTIVE, 4, 1, 1},
                                 {RW_LOBE_DIRECTIVE, 10, 1, 1},
                                 {RW_LOBE_BACKSCATTERING, 6, 3, 0.7}};
    for (size_t m = 0; m < 4; m++) {
        rw_scatter_balance balance;
        rw_scatter_balance_compute(&models[m], &balance);
        for (double from = 0.05; from <= 1; from += 0.19) {
            double sum = 0;
            for (int i = 0; i < 300; i++)
                for (int j = 0; j < 100; j++) {
                    double to = (i + 0.5) / 300, azimuth = cos(2 * RW_PI * (j + 0.5) / 100);
                    double there = rw_scatter_balanced_pattern(&models[m], &balance, from, to, azimuth);
                    assert_near(from * there, to * rw_scatter_balanced_pattern(&models[m], &balance, to, from, azimuth),
                                1e-14);
                    sum += there;
                }
            assert_near(sum * 2 * RW_PI / 30000, 1, 1e-3);
        }
    }
}

static void scattering_is_strongest_where_it_should_be(void **state)
{
    (void)state;
    rw_scatter_model directive = {RW_LOBE_DIRECTIVE, 8, 1, 1}, back = {RW_LOBE_BACKSCATTERING, 8, 8, 0.3};
    double c = cos(0.7);
    assert_true(rw_scatter_pattern(&directive, c, c, 1) > 5 * rw_scatter_pattern(&directive, c, c, -1));
    assert_true(rw_scatter_pattern(&back, c, c, -1) > 1.5 * rw_scatter_pattern(&back, c, c, 1));
    assert_near(rw_scatter_pattern(&directive, c, -0.1, 1), 0, 0);
    /* A tile seen both ways: cos(theta_i) p(i -> s) is the same for the Lambertian lobe (reciprocity). */
    rw_scatter_model lambert = {RW_LOBE_LAMBERTIAN, 1, 1, 1};
    double there = rw_scatter_cross_section(0.4, 0.25, 2.0, 0.9, rw_scatter_pattern(&lambert, 0.9, 0.3, 0));
    double here = rw_scatter_cross_section(0.4, 0.25, 2.0, 0.3, rw_scatter_pattern(&lambert, 0.3, 0.9, 0));
    assert_near(there, here, 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_space_follows_friis),
        cmocka_unit_test(two_rays_agree_with_closed_form),
        cmocka_unit_test(two_rays_fall_with_the_fourth_power),
        cmocka_unit_test(walls_cost_less_and_less),
        cmocka_unit_test(scattered_power_is_conserved),
        cmocka_unit_test(balanced_scattering_is_reciprocal_and_keeps_power),
        cmocka_unit_test(scattering_is_strongest_where_it_should_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
