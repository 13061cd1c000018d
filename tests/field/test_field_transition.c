/* The transition function and the Fresnel integrals against quadrature, published values and their own identities. */
#include "field/edges/fresnel_integral.k.h"
#include "field/edges/knife_edge.k.h"

#include "unit.h"

/* F by quadrature of the rotated integral, 2 s e^{j pi/4} int_0^inf exp(-t^2 - sqrt(2)(1+j) s t) dt: composite
 * Gauss-Legendre of five points on a range where the integrand has fallen below 1e-17. */
static rw_complex transition_by_quadrature(double x)
{
    const double at[3] = {0.0, 0.5384693101056831, 0.9061798459386640};
    const double weight[3] = {0.5688888888888889, 0.4786286704993665, 0.2369268850561891};
    double s = sqrt(x), decay = sqrt(2.0) * s;
    double end = decay > 6.0 ? 42.0 / decay : 6.5;
    const int pieces = 400;
    double half = 0.5 * end / pieces;
    double re = 0, im = 0;
    for (int piece = 0; piece < pieces; piece++)
        for (int node = -2; node <= 2; node++) {
            double t = (2 * piece + 1) * half + half * (node < 0 ? -at[-node] : at[node]);
            double size = weight[abs(node)] * half * exp(-t * t - decay * t);
            re += size * cos(decay * t);
            im -= size * sin(decay * t);
        }
    double c = sqrt(2.0) * s; /* 2 s e^{j pi/4} = c (1 + j) */
    return rw_complex_of(c * (re - im), c * (re + im));
}

static void transition_agrees_with_quadrature(void **state)
{
    (void)state;
    for (int i = 0; i <= 1200; i++) {
        double x = pow(10.0, -6.0 + 12.0 * i / 1200.0);
        rw_complex expected = transition_by_quadrature(x), got = rw_transition_function(x);
        double size = rw_complex_abs(expected);
        assert_near(rw_complex_abs(rw_complex_sub(got, expected)) / size, 0.0, 1e-11);
        rw_complex fast = rw_transition_function_fast(x);
        assert_near(rw_complex_abs(rw_complex_sub(fast, expected)) / size, 0.0, 1e-6);
    }
}

static void transition_agrees_with_published_values(void **state)
{
    (void)state;
    require_test_data(path, "vectors/transition_function_F.csv");
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char line[256];
    int rows = 0;
    assert_non_null(fgets(line, sizeof line, file));
    while (fgets(line, sizeof line, file)) {
        double x, published_re, published_im, exact_re, exact_im;
        assert_int_equal(sscanf(line, "%lf,%lf,%lf,%lf,%lf", &x, &published_re, &published_im, &exact_re, &exact_im),
                         5);
        rw_complex got = rw_transition_function(x);
        assert_near(got.re, exact_re, 1e-11);
        assert_near(got.im, exact_im, 1e-11);
        rows++;
    }
    fclose(file);
    assert_true(rows >= 8);
}

static void transition_has_its_limits(void **state)
{
    (void)state;
    rw_complex zero = rw_transition_function(0.0);
    assert_near(rw_complex_abs(zero), 0.0, 0.0);
    rw_complex large = rw_transition_function(1e12);
    assert_near(large.re, 1.0, 1e-9);
    assert_near(large.im, 0.5e-12, 1e-14);
}

static void fresnel_integrals_agree_with_tables(void **state)
{
    (void)state;
    /* Abramowitz and Stegun, table 7.7 */
    const double rows[][3] = {{0.5, 0.4923442, 0.0647324}, {1.0, 0.7798934, 0.4382591}, {1.5, 0.4452612, 0.6975050},
                              {2.0, 0.4882534, 0.3434157}, {3.0, 0.6057208, 0.4963130}, {5.0, 0.5636312, 0.4991914}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        rw_complex plus = rw_fresnel_integral(rows[i][0]), minus = rw_fresnel_integral(-rows[i][0]);
        assert_near(plus.re, rows[i][1], 6e-8);
        assert_near(plus.im, rows[i][2], 6e-8);
        assert_near(minus.re, -plus.re, 0.0);
        assert_near(minus.im, -plus.im, 0.0);
    }
}

static void knife_edge_agrees_with_p526(void **state)
{
    (void)state;
    assert_near(rw_knife_edge_loss_db(0.0), 20.0 * log10(2.0), 1e-12);
    assert_near(rw_knife_edge_loss_p526_db(1.0), 13.93, 0.01); /* 6.9 + 20 log10(sqrt(1.81) + 0.9) */
    for (double nu = -0.7; nu <= 1000.0; nu += nu < 5 ? 0.01 : 1.0) {
        rw_complex integral = rw_fresnel_integral(nu); /* P.526 eq. (30) spelt out with C and S */
        double a = 1.0 - integral.re - integral.im, b = integral.re - integral.im;
        double spelt_db = -20.0 * log10(sqrt(a * a + b * b) / 2.0);
        if (nu < 30.0)
            assert_near(rw_knife_edge_loss_db(nu), spelt_db, 1e-6);
        assert_near(rw_knife_edge_loss_p526_db(nu), rw_knife_edge_loss_db(nu), nu > -0.3 ? 0.15 : 0.35);
    }
    assert_near(rw_knife_edge_loss_db(-100.0), 0.0, 0.03);
    assert_near(rw_knife_edge_nu(10.0, 1000.0, 500.0, 0.3), 10.0 * sqrt(2.0 / 0.3 * 0.003), 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transition_agrees_with_quadrature), cmocka_unit_test(transition_agrees_with_published_values),
        cmocka_unit_test(transition_has_its_limits),         cmocka_unit_test(fresnel_integrals_agree_with_tables),
        cmocka_unit_test(knife_edge_agrees_with_p526),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
