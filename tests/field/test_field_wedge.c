/* UTD wedge coefficients against exact solutions, their own continuity and reciprocity. */
#include "field/edges/wedge_field.k.h"

#include "exact_wedge.h"
#include "unit.h"

static double complex as_c99(rw_complex z)
{
    return z.re + I * z.im;
}

static rw_wedge_surface perfect(double n)
{
    rw_wedge_surface surface = {n, {1.0, 0.0}, 1, 0};
    return surface;
}

/* Total UTD field for a plane wave, wavelength 1: images plus D e^{-j k rho} / sqrt(rho), L = rho. */
static double complex utd_plane_wave(double n, double rho, double source, double observer, int sign)
{
    double k = 2 * RW_PI;
    rw_wedge_geometry geometry = {n, source, observer, 1.0, rho};
    rw_wedge_terms terms = rw_wedge_terms_of(&geometry, k);
    rw_wedge_faces faces = rw_wedge_faces_of(&geometry, rw_complex_of(1, 0), 1, 0);
    rw_soft_hard d = rw_wedge_coefficients_of(&geometry, &terms, &faces);
    double complex total = as_c99(sign < 0 ? d.soft : d.hard) * cexp(-I * k * rho) / sqrt(rho);
    for (int image = -3; image <= 3; image++) {
        double shift = 2 * RW_PI * n * image;
        if (rw_image_lit(observer - source, n, image))
            total += cexp(I * k * rho * cos(observer - source - shift));
        if (rw_image_lit(observer + source, n, image))
            total += sign * cexp(I * k * rho * cos(observer + source - shift));
    }
    return total;
}

/* Error in dB. Where direct and reflected waves cancel, the level at which dB are told apart is 0.1 of the incident
 * wave. */
static double error_db(double complex got, double complex exact, int shadow)
{
    double floor_level = shadow ? 0.0 : 0.1;
    double size = cabs(exact) > floor_level ? cabs(exact) : floor_level;
    return 20 * log10(1 + cabs(got - exact) / size);
}

static void half_plane_is_exact(void **state)
{
    (void)state;
    double worst = 0;
    for (double rho = 1; rho <= 30; rho *= 1.7)
        for (double source = 0.1; source < 3.1; source += 0.31)
            for (double observer = 0.013; observer < 2 * RW_PI; observer += 0.0311)
                for (int sign = -1; sign <= 1; sign += 2) {
                    double complex exact = exact_half_plane(2 * RW_PI * rho, source, observer, sign);
                    double complex got = utd_plane_wave(2, rho, source, observer, sign);
                    double difference = cabs(got - exact);
                    assert_near(difference, 0, 1e-9);
                    worst = difference > worst ? difference : worst;
                }
    printf("half plane: largest difference %.1e of the incident field\n", worst);
}

static void wedge_agrees_with_bessel_series(void **state)
{
    (void)state;
    const double exterior[] = {1.25, 1.5, 1.75, 1.9, 2.0};
    double worst = 0;
    for (size_t i = 0; i < sizeof exterior / sizeof *exterior; i++) {
        double n = exterior[i];
        for (double rho = 1; rho <= 12; rho *= 2.2) {
            int count;
            double *bessel = exact_wedge_orders(n, 2 * RW_PI * rho, &count);
            for (double source = 0.2; source < n * RW_PI - 0.1; source += 0.77)
                for (double observer = 0.05; observer < n * RW_PI - 0.04; observer += 0.103)
                    for (int sign = -1; sign <= 1; sign += 2) {
                        double complex exact = exact_wedge(n, bessel, count, source, observer, sign);
                        double complex got = utd_plane_wave(n, rho, source, observer, sign);
                        double error = error_db(got, exact, fabs(observer - source) > RW_PI);
                        assert_near(error, 0, 0.3);
                        worst = error > worst ? error : worst;
                    }
            free(bessel);
        }
    }
    printf("wedge: largest error %.3f dB\n", worst);
}

/* Concave corners of a whole fraction of pi have no diffraction: the images are the exact answer. */
static void corner_of_images_is_exact(void **state)
{
    (void)state;
    const double exterior[] = {0.5, 1.0 / 3.0, 1.0};
    for (size_t i = 0; i < 3; i++)
        for (double source = 0.1; source < exterior[i] * RW_PI; source += 0.37)
            for (double observer = 0.07; observer < exterior[i] * RW_PI; observer += 0.21) {
                rw_wedge_geometry geometry = {exterior[i], source, observer, 1.0, 3.0};
                rw_wedge_terms terms = rw_wedge_terms_of(&geometry, 2 * RW_PI);
                rw_wedge_faces faces = rw_wedge_faces_of(&geometry, rw_complex_of(1, 0), 1, 0);
                rw_soft_hard d = rw_wedge_coefficients_of(&geometry, &terms, &faces);
                assert_near(rw_complex_abs(d.soft), 0, 2e-3);
                assert_near(rw_complex_abs(d.hard), 0, 2e-3);
            }
}

/* A line source 8 wavelengths from a half plane: L = rho rho'/(rho + rho'), cylindrical spreading. */
static void half_plane_with_line_source_is_exact(void **state)
{
    (void)state;
    double k = 2 * RW_PI, far = 8, worst = 0;
    for (double rho = 1; rho <= 4; rho += 1.5)
        for (double source = 0.3; source < 3; source += 0.6)
            for (double observer = 0.05; observer < 2 * RW_PI; observer += 0.05)
                for (int sign = -1; sign <= 1; sign += 2) {
                    rw_wedge_geometry geometry = {2, source, observer, 1.0, rho * far / (rho + far)};
                    rw_wedge_terms terms = rw_wedge_terms_of(&geometry, k);
                    rw_wedge_faces faces = rw_wedge_faces_of(&geometry, rw_complex_of(1, 0), 1, 0);
                    rw_soft_hard d = rw_wedge_coefficients_of(&geometry, &terms, &faces);
                    double complex got = as_c99(sign < 0 ? d.soft : d.hard) * cexp(-I * k * rho) / sqrt(rho);
                    double complex edge = j0(k * far) - I * y0(k * far);
                    double reach = sqrt(rho * rho + far * far - 2 * rho * far * cos(observer - source));
                    double mirror = sqrt(rho * rho + far * far - 2 * rho * far * cos(observer + source));
                    if (rw_image_lit(observer - source, 2, 0))
                        got += (j0(k * reach) - I * y0(k * reach)) / edge;
                    if (rw_image_lit(observer + source, 2, 0))
                        got += sign * (j0(k * mirror) - I * y0(k * mirror)) / edge;
                    double complex exact = exact_half_plane_line(k * rho, k * far, source, observer, sign);
                    double error = error_db(got, exact, fabs(observer - source) > RW_PI);
                    assert_near(error, 0, 0.3);
                    worst = error > worst ? error : worst;
                }
    printf("half plane, line source: largest error %.3f dB\n", worst);
}

static double level_db(rw_complex z)
{
    return 10 * log10(rw_complex_abs2(z));
}

static const rw_wedge_surface surfaces[] = {
    {1.5, {1.0, 0.0}, 1, 0},    {1.5, {5.24, -0.6}, 0, 0},   {1.5, {5.24, -0.6}, 0, 1}, {1.75, {15.0, -3.0}, 0, 0},
    {2.0, {3.91, -0.25}, 0, 1}, {1.25, {6.31, -0.02}, 0, 0}, {1.9, {1.0, 0.0}, 1, 0},
};

/* Compares the field a hair to each side of a boundary angle. */
static void assert_continuous(const rw_wedge_surface *surface, rw_cylindrical source, rw_cylindrical observer,
                              double boundary)
{
    if (!(boundary > 0.01 && boundary < surface->exterior_over_pi * RW_PI - 0.01))
        return;
    rw_cylindrical before = observer, after = observer;
    before.angle_rad = boundary - 1e-8;
    after.angle_rad = boundary + 1e-8;
    rw_wedge_field a = rw_wedge_field_of(surface, source, before, 0.1);
    rw_wedge_field b = rw_wedge_field_of(surface, source, after, 0.1);
    assert_near(level_db(a.total.soft), level_db(b.total.soft), 0.01);
    assert_near(level_db(a.total.hard), level_db(b.total.hard), 0.01);
}

static void field_is_continuous_across_shadow_boundaries(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof surfaces / sizeof *surfaces; i++)
        for (double angle = 0.1; angle < surfaces[i].exterior_over_pi * RW_PI; angle += 0.17)
            for (double along = 0; along <= 20; along += 10) {
                double turn = surfaces[i].exterior_over_pi * RW_PI;
                rw_cylindrical source = {20, angle, 0}, observer = {7, 0, along};
                assert_continuous(&surfaces[i], source, observer, angle + RW_PI);
                assert_continuous(&surfaces[i], source, observer, angle - RW_PI);
                assert_continuous(&surfaces[i], source, observer, RW_PI - angle);
                assert_continuous(&surfaces[i], source, observer, 2 * turn - RW_PI - angle);
            }
}

static void field_is_half_on_the_shadow_boundary(void **state)
{
    (void)state;
    rw_wedge_surface screen = perfect(2.0);
    rw_cylindrical source = {50, 0.9, 0}, observer = {30, 0.9 + RW_PI, 0};
    rw_wedge_field field = rw_wedge_field_of(&screen, source, observer, 0.01);
    assert_near(level_db(field.total.soft), -6.02, 0.1);
    assert_near(level_db(field.total.hard), -6.02, 0.1);
}

static void wedge_is_reciprocal(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof surfaces / sizeof *surfaces; i++)
        for (double from = 0.05; from < surfaces[i].exterior_over_pi * RW_PI; from += 0.41)
            for (double to = 0.02; to < surfaces[i].exterior_over_pi * RW_PI; to += 0.23) {
                rw_cylindrical source = {20, from, 0}, observer = {7, to, 5};
                rw_wedge_field there = rw_wedge_field_of(&surfaces[i], source, observer, 0.1);
                rw_wedge_field back = rw_wedge_field_of(&surfaces[i], observer, source, 0.1);
                assert_near(rw_complex_abs(rw_complex_sub(there.total.soft, back.total.soft)), 0, 1e-9);
                assert_near(rw_complex_abs(rw_complex_sub(there.total.hard, back.total.hard)), 0, 1e-9);
            }
}

/* In the shadow a lossy wedge gives no more than the larger of the perfect conductor's two polarisations. */
static void shadow_is_passive(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof surfaces / sizeof *surfaces; i++)
        for (double from = 0.05; from < 1.5; from += 0.1)
            for (double to = from + RW_PI + 0.01; to < surfaces[i].exterior_over_pi * RW_PI; to += 0.05) {
                rw_wedge_surface metal = perfect(surfaces[i].exterior_over_pi);
                rw_cylindrical source = {20, from, 0}, observer = {7, to, 0};
                rw_wedge_field lossy = rw_wedge_field_of(&surfaces[i], source, observer, 0.1);
                rw_wedge_field perfect_field = rw_wedge_field_of(&metal, source, observer, 0.1);
                double bound = rw_complex_abs(perfect_field.total.hard) + 1e-12;
                assert_true(rw_complex_abs(lossy.total.soft) <= bound && bound <= 1.0);
                assert_true(rw_complex_abs(lossy.total.hard) <= bound);
            }
}

/* A wave with a null on the edge: the derivative of a plane wave over its direction. Its exact field by a half plane is
 * the derivative of Sommerfeld's; in the theory, of the images and of D, whose derivative is j k d. */
static void slope_diffraction_is_exact_on_a_half_plane(void **state)
{
    (void)state;
    double k = 2 * RW_PI, step = 1e-4;
    for (double rho = 2; rho < 30; rho *= 2)
        for (double source = 0.4; source < 2.9; source += 0.5)
            for (double observer = 0.2; observer < 2 * RW_PI; observer += 0.117)
                for (int sign = -1; sign <= 1; sign += 2) {
                    double complex exact = (exact_half_plane(k * rho, source + step, observer, sign) -
                                            exact_half_plane(k * rho, source - step, observer, sign)) /
                                           (2 * step);
                    rw_wedge_geometry geometry = {2, source, observer, 1.0, rho};
                    rw_wedge_faces faces = rw_wedge_faces_of(&geometry, rw_complex_of(1, 0), 1, 0);
                    rw_soft_hard d = rw_wedge_slope_coefficients_of(&geometry, &faces, k);
                    double complex got = I * k * as_c99(sign < 0 ? d.soft : d.hard) * cexp(-I * k * rho) / sqrt(rho);
                    if (rw_image_lit(observer - source, 2, 0))
                        got += I * k * rho * sin(observer - source) * cexp(I * k * rho * cos(observer - source));
                    if (rw_image_lit(observer + source, 2, 0))
                        got -= sign * I * k * rho * sin(observer + source) * cexp(I * k * rho * cos(observer + source));
                    /* Beside the slope of the wave itself, k rho. */
                    assert_near(cabs(got - exact) / (k * rho), 0, 2e-3);
                }
}

/* Whole degrees put observers on the boundaries themselves, where rounding decides which side they are on. */
static void boundaries_themselves_are_no_exception(void **state)
{
    (void)state;
    double degree = RW_PI / 180;
    for (int from = 1; from < 270; from++) {
        const int boundaries[] = {from + 180, from - 180, 180 - from, 360 - from};
        for (int b = 0; b < 4; b++) {
            if (boundaries[b] < 1 || boundaries[b] > 269)
                continue;
            for (size_t i = 0; i < 3; i++) { /* the surfaces of 270 degrees */
                rw_cylindrical source = {20, from * degree, 0}, on = {7, boundaries[b] * degree, 0}, beside = on;
                beside.angle_rad += 1e-9;
                rw_wedge_field at = rw_wedge_field_of(&surfaces[i], source, on, 0.1);
                rw_wedge_field near = rw_wedge_field_of(&surfaces[i], source, beside, 0.1);
                assert_near(level_db(at.total.hard), level_db(near.total.hard), 0.01);
                assert_near(rw_complex_abs(rw_complex_sub(at.total.soft, near.total.soft)), 0, 1e-3);
            }
        }
    }
}

/* The slope of D against a difference quotient of D: at the boundary of the term and far from it. */
static void slope_is_the_derivative(void **state)
{
    (void)state;
    double k = 2 * RW_PI / 0.1, step = 1e-5;
    for (double n = 1.25; n <= 2; n += 0.25)
        for (double observer = 3.3; observer < n * RW_PI; observer += 0.17) {
            rw_wedge_geometry at = {n, 0.3, observer, 1.0, 8.0}, low = at, high = at;
            low.source_angle_rad -= step;
            high.source_angle_rad += step;
            rw_wedge_terms slope = rw_wedge_slope_terms_of(&at, k);
            rw_wedge_terms a = rw_wedge_terms_of(&low, k), b = rw_wedge_terms_of(&high, k);
            rw_complex quotient = rw_complex_scale(rw_complex_sub(b.incidence_below, a.incidence_below), 0.5 / step);
            double size = rw_complex_abs(quotient);
            assert_near(rw_complex_abs(rw_complex_sub(slope.incidence_below, quotient)) / size, 0, 0.03);
            quotient = rw_complex_scale(rw_complex_sub(b.reflection_zero, a.reflection_zero), 0.5 / step);
            assert_near(rw_complex_abs(rw_complex_sub(slope.reflection_zero, quotient)), 0, 0.02 * size + 1e-3);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(half_plane_is_exact),
        cmocka_unit_test(wedge_agrees_with_bessel_series),
        cmocka_unit_test(corner_of_images_is_exact),
        cmocka_unit_test(half_plane_with_line_source_is_exact),
        cmocka_unit_test(field_is_continuous_across_shadow_boundaries),
        cmocka_unit_test(field_is_half_on_the_shadow_boundary),
        cmocka_unit_test(wedge_is_reciprocal),
        cmocka_unit_test(shadow_is_passive),
        cmocka_unit_test(slope_is_the_derivative),
        cmocka_unit_test(slope_diffraction_is_exact_on_a_half_plane),
        cmocka_unit_test(boundaries_themselves_are_no_exception),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
