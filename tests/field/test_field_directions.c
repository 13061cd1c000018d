/* Fields in any direction: antenna patterns between the samples of their table against a closed form, and reflection
 * and transmission at normal incidence, where the choice of axes must not show. */
#include "field/paths/ray_field.k.h"

#include "unit.h"

/* 1 + 0.5 cos(theta) + 0.3 sin(theta) sin(phi): along up and left, so that a direction gives it without angles. */
static void patterns_are_read_between_samples(void **state)
{
    (void)state;
    static float amplitudes[RW_PATTERN_ROWS * RW_PATTERN_COLUMNS];
    for (int row = 0; row < RW_PATTERN_ROWS; row++)
        for (int column = 0; column < RW_PATTERN_COLUMNS; column++) {
            double theta = row * RW_PI / 180, phi = (column - 180) * RW_PI / 180;
            amplitudes[row * RW_PATTERN_COLUMNS + column] = (float)(1 + 0.5 * cos(theta) + 0.3 * sin(theta) * sin(phi));
        }
    rw_pattern pattern = {.kind = RW_PATTERN_TABLE,
                          .axes = rw_antenna_axes_of(35, 8, 3),
                          .polarisation = rw_polarisation_slanted(0),
                          .peak_amplitude = 1,
                          .amplitudes = amplitudes};
    for (int i = 0; i < 2000; i++) {
        double z = 1 - (i + 0.5) / 1000, around = 2.399963 * i, across = sqrt(1 - z * z);
        rw_vec3 direction = rw_vec3_of(across * cos(around), across * sin(around), z);
        double expected =
            1 + 0.5 * rw_vec3_dot(direction, pattern.axes.up) + 0.3 * rw_vec3_dot(direction, pattern.axes.left);
        assert_near(rw_pattern_read(&pattern, direction), expected, 2e-4);
        assert_near(sqrt(rw_vec3c_abs2(rw_pattern_vector(&pattern, direction))), expected, 2e-4);
    }
}

static void assert_same_field(rw_vec3c a, rw_vec3c b)
{
    assert_near(a.x.re, b.x.re, 1e-12);
    assert_near(a.x.im, b.x.im, 1e-12);
    assert_near(a.y.re, b.y.re, 1e-12);
    assert_near(a.y.im, b.y.im, 1e-12);
    assert_near(a.z.re, b.z.re, 1e-12);
    assert_near(a.z.im, b.z.im, 1e-12);
}

/* Straight at a wall both polarisations are one: the field is multiplied by R_TE = -R_TM, or by T. */
static void normal_incidence_has_no_polarisation(void **state)
{
    (void)state;
    rw_complex r = {-0.3, 0.2}, minus_r = {0.3, -0.2}, t = {0.5, 0.1};
    rw_te_tm reflection = {r, minus_r}, transmission = {t, t};
    for (int x = -1; x <= 1; x++)
        for (int y = -1; y <= 1; y++)
            for (int z = -1; z <= 1; z++) {
                if (x == 0 && y == 0 && z == 0)
                    continue;
                rw_vec3 along = rw_vec3_unit(rw_vec3_of(x, y, z)), normal = rw_vec3_scale(along, -1);
                rw_vec3 side = rw_vec3_cross(along, rw_vec3_of(0.31, -0.57, 0.76));
                rw_vec3c field = rw_vec3c_along(rw_complex_of(0.8, -0.6), side);
                assert_same_field(rw_reflect_field(field, along, normal, reflection), rw_vec3c_scale(field, r));
                assert_same_field(rw_transmit_field(field, along, normal, transmission), rw_vec3c_scale(field, t));
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns_are_read_between_samples),
        cmocka_unit_test(normal_incidence_has_no_polarisation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
