/* Figures of errors against closed forms: small sums by hand, constructed correlations, a million points. */
#include "calibrate/evaluation/evaluation.h"

#include "temporary.h"

static rw_context *context;

static void figures_follow_their_equations(void **state)
{
    (void)state;
    /* errors 1, -2, 3, 6: mean 2, squares 50, deviations 1 16 1 16 */
    const double measured[] = {101, 98, 113, 126}, predicted[] = {100, 100, 110, 120};
    rw_error_statistics figures;
    assert_ok(context, rw_error_figures(context, measured, predicted, 4, &figures));
    assert_near(figures.mean_db, 2, 1e-14);
    assert_near(figures.rmse_db, sqrt(50.0 / 4), 1e-14);
    assert_near(figures.std_dev_db, sqrt(34.0 / 3), 1e-14);
    assert_near(figures.median_db, 2, 1e-14);
    assert_near(figures.absolute_p90_db, 3 + 0.7 * 3, 1e-13);
    /* deviations measured (-8.5, -11.5, 3.5, 16.5), predicted (-7.5, -7.5, 2.5, 12.5) */
    assert_near(figures.correlation, 365.0 / sqrt(489.0 * 275.0), 1e-14);
}

static void figures_that_do_not_exist_are_nan(void **state)
{
    (void)state;
    const double measured[] = {101, 99}, constant[] = {100.1, 100.1};
    rw_error_statistics figures;
    assert_ok(context, rw_error_figures(context, measured, constant, 1, &figures));
    assert_near(figures.mean_db, 0.9, 1e-12);
    assert_near(figures.rmse_db, 0.9, 1e-12);
    assert_true(isnan(figures.std_dev_db));
    assert_true(isnan(figures.correlation));
    assert_ok(context, rw_error_figures(context, measured, constant, 2, &figures));
    assert_true(isnan(figures.correlation));
    assert_ok(context, rw_error_figures(context, measured, constant, 0, &figures));
    assert_true(isnan(figures.mean_db) && isnan(figures.median_db) && isnan(figures.rmse_db));
}

static void correlation_of_constructed_data(void **state)
{
    (void)state;
    /* b = rho a + sqrt(1 - rho^2) c with a and c orthogonal, of zero mean and equal length */
    enum { COUNT = 400 };
    static double a[COUNT], b[COUNT];
    const double turn = 2 * acos(-1) / COUNT;
    for (int sign = -1; sign <= 1; sign += 2)
        for (double rho = 0; rho <= 1; rho += 0.25) {
            for (int i = 0; i < COUNT; i++) {
                a[i] = 120 + 10 * cos(turn * i);
                b[i] = 90 + 3 * (sign * rho * cos(turn * i) + sqrt(1 - rho * rho) * sin(turn * i));
            }
            rw_error_statistics figures;
            assert_ok(context, rw_error_figures(context, a, b, COUNT, &figures));
            assert_near(figures.correlation, sign * rho, 1e-12);
            assert_near(figures.mean_db, 30, 1e-11);
        }
}

static void a_million_points_lose_no_digits(void **state)
{
    (void)state;
    enum { COUNT = 1000000 };
    double *measured = malloc(COUNT * sizeof *measured), *predicted = malloc(COUNT * sizeof *predicted);
    assert_true(measured && predicted);
    for (int i = 0; i < COUNT; i++) {
        predicted[i] = 1e6 + i % 7;
        measured[i] = predicted[i] + (i % 2 ? 0.25 : -0.75);
    }
    rw_error_statistics figures;
    assert_ok(context, rw_error_figures(context, measured, predicted, COUNT, &figures));
    assert_near(figures.mean_db, -0.25, 1e-12);
    assert_near(figures.rmse_db, sqrt(0.5 * (0.0625 + 0.5625)), 1e-12);
    assert_near(figures.std_dev_db, 0.5 * sqrt(COUNT / (COUNT - 1.0)), 1e-12);
    free(measured);
    free(predicted);
}

static void histogram_counts_every_error(void **state)
{
    (void)state;
    const double zero[6] = {0}, errors[] = {-1.5, -0.1, 0, 0.99, 1, 2.5};
    rw_histogram histogram;
    rw_error_histogram(errors, zero, 6, &histogram);
    assert_near(histogram.low_db, -2, 0);
    assert_near(histogram.width_db, 1, 0);
    const size_t expected[] = {1, 1, 2, 1, 1};
    assert_int_equal(histogram.bin_count, 5);
    assert_memory_equal(histogram.counts, expected, sizeof expected);
    for (double range = 10; range < 1e12; range *= 7) {
        const double wide[] = {-range / 3, 0, range, range / 9};
        rw_error_histogram(wide, zero, 4, &histogram);
        size_t sum = 0;
        for (size_t i = 0; i < histogram.bin_count; i++)
            sum += histogram.counts[i];
        assert_int_equal(sum, 4);
        assert_true(histogram.bin_count <= RW_HISTOGRAM_BINS_MAX && histogram.bin_count >= 10);
        assert_true(histogram.low_db <= wide[0]);
        assert_true(histogram.low_db + (double)histogram.bin_count * histogram.width_db > range);
    }
    rw_error_histogram(errors, zero, 0, &histogram);
    assert_int_equal(histogram.bin_count, 0);
}

static void a_line_is_found_again(void **state)
{
    (void)state;
    const double x[] = {1, 2, 4, 8}, y[] = {5.5, 5, 4, 2};
    double intercept, slope;
    assert_true(rw_fit_line(x, y, 4, &intercept, &slope));
    assert_near(intercept, 6, 1e-14);
    assert_near(slope, -0.5, 1e-15);
    assert_false(rw_fit_line(x, y, 1, &intercept, &slope));
    assert_true(isnan(intercept) && isnan(slope));
    const double same[] = {0.1, 0.1, 0.1, 0.1};
    assert_false(rw_fit_line(same, y, 4, &intercept, &slope));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_follow_their_equations),  cmocka_unit_test(figures_that_do_not_exist_are_nan),
        cmocka_unit_test(correlation_of_constructed_data), cmocka_unit_test(a_million_points_lose_no_digits),
        cmocka_unit_test(histogram_counts_every_error),    cmocka_unit_test(a_line_is_found_again),
    };
    context = make_context();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rw_context_destroy(context);
    return failed;
}
