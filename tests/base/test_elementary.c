/* The library's own sine, cosine, exponential and rounding against the C library's in double. */
#include "base/maths/elementary.h"

#include "unit.h"

static void sine_and_cosine_are_right(void **state)
{
    (void)state;
    for (double x = -RW_PI / 2; x <= RW_PI / 2; x += 1e-4) {
        float f = (float)x;
        assert_near(rw_sin_quarter(f), sin((double)f), 2e-7 * fabs(sin((double)f)) + 1e-12);
        assert_near(rw_cos_quarter(f), cos((double)f), 1.5e-7);
        assert_near(rw_sin_quarter_double(x), sin(x), 1e-10 * fabs(sin(x)) + 1e-20);
        assert_near(rw_cos_quarter_double(x), cos(x), 1e-10);
    }
    assert_true(rw_sin_quarter(1e-20f) == 1e-20f); /* small angles keep all their digits */
}

static void phasors_are_right_in_every_quadrant(void **state)
{
    (void)state;
    for (double turns = -3; turns <= 3; turns += 1.0 / 1024) {
        rw_phasor phasor = rw_phasor_of_cycles(turns);
        assert_near(phasor.cosine, cos(2 * RW_PI * turns), 1.5e-7);
        assert_near(phasor.sine, sin(2 * RW_PI * turns), 1.5e-7);
        rw_phasor far = rw_phasor_of_cycles(turns + 123456789.0);
        assert_near(far.cosine, phasor.cosine, 1e-6);
        assert_near(far.sine, phasor.sine, 1e-6);
    }
}

static void exponential_is_right(void **state)
{
    (void)state;
    for (double x = -86; x <= 0; x += 0.0037) {
        float f = (float)x;
        assert_near(rw_exp_negative(f) / exp((double)f), 1, 3e-7);
    }
    assert_near(rw_exp_negative(0.0f), 1, 0);
    assert_near(rw_exp_negative(-1e30f), 0, 1e-37);
}

static void rounding_goes_to_the_nearest(void **state)
{
    (void)state;
    const double values[][2] = {{0.49, 0}, {0.51, 1}, {-0.51, -1}, {2.5, 2}, {3.5, 4}, {-1e9 - 0.4, -1e9}};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        assert_near(rw_round_nearest(values[i][0]), values[i][1], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sine_and_cosine_are_right), cmocka_unit_test(phasors_are_right_in_every_quadrant),
        cmocka_unit_test(exponential_is_right), cmocka_unit_test(rounding_goes_to_the_nearest)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
