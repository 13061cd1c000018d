/* The public calls for one number: known answers, and bad input that must never come back as NaN. */
#include <rasterwave/calc.h>

#include "unit.h"

static char last_warning[512];
static int warnings;

static void on_warning(void *user, const char *message)
{
    (void)user;
    warnings++;
    snprintf(last_warning, sizeof last_warning, "%s", message);
}

static rw_context *make_context(void)
{
    rw_context_options options;
    rw_context_options_init(&options);
    options.backend = RW_BACKEND_CPU;
    options.on_warning = on_warning;
    rw_context *context;
    assert_int_equal(rw_context_create(&options, &context), RW_OK);
    warnings = 0;
    return context;
}

static void answers_what_is_known(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_free_space_result free_space = {.size = sizeof free_space};
    assert_ok(context, rw_calc_free_space(context, 1000, 1e9, &free_space));
    assert_near(free_space.loss_db, 92.448, 0.001);
    rw_knife_edge_result edge = {.size = sizeof edge};
    assert_ok(context, rw_calc_knife_edge(context, 0, &edge));
    assert_near(edge.loss_db, 6.0206, 1e-4);
    assert_near(edge.loss_p526_db, 6.03, 0.01);
    rw_material_result glass = {.size = sizeof glass};
    assert_ok(context, rw_calc_material(context, "itu_glass", 3.5e9, &glass));
    assert_near(glass.permittivity.re, 6.31, 1e-12);
    assert_near(glass.conductivity_s_m, 0.0036 * pow(3.5, 1.3394), 1e-12);
    assert_true(glass.in_range);
    assert_int_equal(warnings, 0);
    rw_context_destroy(context);
}

static void slab_names_its_layers(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_layer layers[] = {
        {sizeof(rw_layer), "itu_glass", 0.006}, {sizeof(rw_layer), "1,0", 0.012}, {sizeof(rw_layer), "pec", 0.001}};
    rw_slab_options options;
    rw_slab_options_init(&options);
    options.layers = layers;
    options.layer_count = 3;
    options.freq_hz = 3.5e9;
    options.angle_deg = 30;
    rw_slab_result result = {.size = sizeof result};
    assert_ok(context, rw_calc_slab(context, &options, &result));
    assert_near(hypot(result.transmission_te.re, result.transmission_te.im), 0, 1e-12); /* nothing passes the metal */
    double reflected =
        result.reflection_te.re * result.reflection_te.re + result.reflection_te.im * result.reflection_te.im;
    assert_near(reflected + result.absorbed_te, 1, 1e-9);
    rw_context_destroy(context);
}

static void antenna_has_gain_and_polarisation(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_antenna_options options;
    rw_antenna_result result = {.size = sizeof result};
    rw_antenna_options_init(&options);
    options.antenna = "dipole";
    options.freq_hz = 1e9;
    assert_ok(context, rw_calc_antenna(context, &options, &result));
    assert_near(result.gain_dbi, 2.15, 0.01);
    assert_near(fabs(result.vertical), 1, 1e-9);
    assert_near(result.horizontal, 0, 1e-9);
    options.slant_deg = 45;
    assert_ok(context, rw_calc_antenna(context, &options, &result));
    assert_near(fabs(result.vertical), sqrt(0.5), 1e-9);
    assert_near(fabs(result.horizontal), sqrt(0.5), 1e-9);
    options.theta_deg = 200;
    assert_int_equal(rw_calc_antenna(context, &options, &result), RW_BAD_CALL);
    rw_context_destroy(context);
}

/* Against the formulas spelt out. */
static void scatter_and_two_ray_give_their_formulas(void **state)
{
    (void)state;
    const double pi = acos(-1.0);
    rw_context *context = make_context();
    rw_scatter_options scatter;
    rw_scatter_result lobe = {.size = sizeof lobe};
    rw_scatter_options_init(&scatter);
    scatter.scattering = 0.5;
    scatter.incidence_deg = 30;
    scatter.scattering_deg = 60;
    assert_ok(context, rw_calc_scatter(context, &scatter, &lobe));
    assert_near(lobe.pattern_per_sr, 0.5 / pi, 1e-12);
    assert_near(lobe.cross_section_m2_m2, 4 * pi * 0.25 * cos(pi / 6) * 0.5 / pi, 1e-12);
    assert_near(lobe.specular_loss_db, -10 * log10(0.75), 1e-12);
    rw_two_ray_options ground;
    rw_two_ray_result rays = {.size = sizeof rays};
    rw_two_ray_options_init(&ground);
    ground.freq_hz = 2e9;
    ground.first_height_m = 10;
    ground.second_height_m = 2;
    ground.distance_m = 100;
    ground.ground = "pec";
    assert_ok(context, rw_calc_two_ray(context, &ground, &rays));
    double direct = hypot(100, 8), reflected = hypot(100, 12), k = 2 * pi * 2e9 / 299792458.0;
    double re = 1 + direct / reflected * cos(k * (reflected - direct)),
           im = -direct / reflected * sin(k * (reflected - direct));
    assert_near(rays.field_vertical.re, re, 1e-9);
    assert_near(rays.loss_vertical_db, 20 * log10(2 * k * direct) - 10 * log10(re * re + im * im), 1e-9);
    assert_near(rays.grazing_angle_deg, atan(0.12) * 180 / pi, 1e-9);
    rw_knife_edge_options geometry;
    double nu;
    rw_knife_edge_options_init(&geometry);
    geometry.freq_hz = 2e9;
    geometry.height_m = 5;
    geometry.distance_before_m = 100;
    geometry.distance_after_m = 50;
    assert_ok(context, rw_calc_knife_edge_nu(context, &geometry, &nu));
    assert_near(nu, 5 * sqrt(2 * 150 / (299792458.0 / 2e9 * 5000)), 1e-9);
    rw_context_destroy(context);
}

static void warns_outside_validity(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_material_result material = {.size = sizeof material};
    assert_ok(context, rw_calc_material(context, "itu_brick", 60e9, &material));
    assert_int_equal(warnings, 1);
    assert_non_null(strstr(last_warning, "itu_brick"));
    assert_false(material.in_range);
    rw_free_space_result free_space = {.size = sizeof free_space};
    assert_ok(context, rw_calc_free_space(context, 100, 50e6, &free_space));
    assert_int_equal(warnings, 2);
    assert_ok(context, rw_calc_free_space(context, 100, 150e9, &free_space));
    assert_int_equal(warnings, 3);
    rw_context_destroy(context);
}

#define assert_refused(context, call)                                                                                  \
    do {                                                                                                               \
        assert_int_equal(call, RW_BAD_CALL);                                                                           \
        assert_true(strlen(rw_last_error(context)) > 10);                                                              \
    } while (0)

static void refuses_what_has_no_meaning(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_free_space_result free_space = {.size = sizeof free_space};
    rw_material_result material = {.size = sizeof material};
    rw_knife_edge_result edge = {.size = sizeof edge};
    assert_refused(context, rw_calc_free_space(context, -1, 1e9, &free_space));
    assert_refused(context, rw_calc_free_space(context, NAN, 1e9, &free_space));
    assert_refused(context, rw_calc_free_space(context, 10, 0, &free_space));
    assert_refused(context, rw_calc_free_space(context, 10, INFINITY, &free_space));
    assert_refused(context, rw_calc_material(context, "itu_cheese", 1e9, &material));
    assert_refused(context, rw_calc_material(context, "0.5,0.1", 1e9, &material));
    assert_refused(context, rw_calc_material(context, "5,-1", 1e9, &material));
    assert_refused(context, rw_calc_material(context, "nan,0", 1e9, &material));
    assert_refused(context, rw_calc_material(context, "5,0.1x", 1e9, &material));
    assert_refused(context, rw_calc_material(context, NULL, 1e9, &material));
    assert_refused(context, rw_calc_knife_edge(context, NAN, &edge));
    rw_layer layer = {sizeof(rw_layer), "itu_glass", -0.006};
    rw_slab_options slab;
    rw_slab_result slab_result = {.size = sizeof slab_result};
    rw_slab_options_init(&slab);
    slab.freq_hz = 1e9;
    assert_refused(context, rw_calc_slab(context, &slab, &slab_result));
    slab.layers = &layer;
    slab.layer_count = 1;
    assert_refused(context, rw_calc_slab(context, &slab, &slab_result));
    layer.thickness_m = 0.006;
    slab.angle_deg = 91;
    assert_refused(context, rw_calc_slab(context, &slab, &slab_result));
    slab.angle_deg = 90; /* grazing is allowed, and is a number */
    assert_ok(context, rw_calc_slab(context, &slab, &slab_result));
    assert_near(slab_result.reflection_te.re, -1, 1e-6);
    rw_context_destroy(context);
}

static uint64_t seed = 3;

/* Mostly plausible numbers, some of them nonsense. */
static double any_number(double low, double high)
{
    static const double nonsense[] = {
        0.0, -1.0, 1e300, -1e300, 1e-300, (double)NAN, (double)INFINITY, -(double)INFINITY};
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    uint64_t bits = seed >> 16;
    if (bits % 40 < 8)
        return nonsense[bits % 8];
    return low + (high - low) * (double)(bits % 1000003) / 1000003.0;
}

static const char *any_material(void)
{
    static const char *const names[] = {"pec", "itu_concrete", "itu_metal", "itu_wet_ground",
                                        "1,0", "80,0",         "3,1e9",     "junk"};
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return names[(seed >> 40) % 8];
}

static void assert_numbers(const rw_field_value *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        assert_true(isfinite(values[i].re) && isfinite(values[i].im));
}

/* Whatever is asked: a refusal with a sentence, or numbers. */
static void nothing_answers_nan(void **state)
{
    (void)state;
    rw_context *context = make_context();
    int answered = 0;
    for (int trial = 0; trial < 100000; trial++) {
        rw_wedge_options wedge;
        rw_wedge_result field = {.size = sizeof field};
        rw_wedge_options_init(&wedge);
        wedge.freq_hz = any_number(1e8, 1e11);
        wedge.exterior_angle_deg = any_number(90, 360);
        wedge.source_m = any_number(0, 100);
        wedge.source_angle_deg = any_number(0, 360);
        wedge.observer_m = any_number(0, 100);
        wedge.observer_angle_deg = any_number(0, 360);
        wedge.observer_along_m = any_number(-100, 100);
        wedge.material = any_material();
        wedge.method = trial % 2 ? "holm" : "luebbers";
        if (rw_calc_wedge(context, &wedge, &field) == RW_OK) {
            rw_field_value all[] = {field.soft, field.hard, field.diffracted_soft, field.coefficient_hard};
            assert_numbers(all, 4);
            assert_true(field.soft_loss_db == field.soft_loss_db);
            answered++;
        }
        rw_layer layers[2] = {{sizeof(rw_layer), any_material(), any_number(0, 1)},
                              {sizeof(rw_layer), any_material(), any_number(0, 0.1)}};
        rw_slab_options slab = {sizeof slab, layers, 1 + (size_t)trial % 2, any_number(1e8, 1e11), any_number(0, 90),
                                0,           NAN};
        rw_slab_result coefficients = {.size = sizeof coefficients};
        if (rw_calc_slab(context, &slab, &coefficients) == RW_OK) {
            rw_field_value all[] = {coefficients.reflection_te, coefficients.reflection_tm,
                                    coefficients.transmission_te, coefficients.transmission_tm};
            assert_numbers(all, 4);
            answered++;
        }
        rw_two_ray_options ground = {sizeof ground,     any_number(1e8, 1e11), any_number(0, 50),
                                     any_number(0, 10), any_number(0, 1e4),    any_material()};
        rw_two_ray_result rays = {.size = sizeof rays};
        if (rw_calc_two_ray(context, &ground, &rays) == RW_OK) {
            rw_field_value all[] = {rays.field_vertical, rays.field_horizontal};
            assert_numbers(all, 2);
            answered++;
        }
        rw_scatter_options lobe = {sizeof lobe,          trial % 3 ? "directive" : "backscattering",
                                   any_number(0, 1),     trial % 25,
                                   trial % 23,           any_number(0, 1),
                                   any_number(0, 90),    any_number(0, 90),
                                   any_number(-180, 180)};
        rw_scatter_result scattered = {.size = sizeof scattered};
        if (rw_calc_scatter(context, &lobe, &scattered) == RW_OK) {
            assert_true(isfinite(scattered.pattern_per_sr) && scattered.pattern_per_sr >= 0);
            answered++;
        }
    }
    assert_true(answered > 50000);
    rw_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_what_is_known),
        cmocka_unit_test(slab_names_its_layers),
        cmocka_unit_test(antenna_has_gain_and_polarisation),
        cmocka_unit_test(scatter_and_two_ray_give_their_formulas),
        cmocka_unit_test(warns_outside_validity),
        cmocka_unit_test(refuses_what_has_no_meaning),
        cmocka_unit_test(nothing_answers_nan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
