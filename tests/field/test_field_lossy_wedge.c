/* Lossy wedges against the exact wedge of surface impedance, and which coefficients are the default. */
#include "field/edges/wedge_field.k.h"
#include "field/edges/wedge_dyad.k.h"

#include "impedance_wedge.h"
#include "unit.h"

#include <rasterwave/calc.h>

#define K_RHO 600.0 /* wavenumber times the observer's distance */

static const double degree = IMPEDANCE_PI / 180;

static double level_db(double complex field)
{
    return 20 * log10(cabs(field));
}

static void maliuzhinets_function_is_its_integral(void **state)
{
    (void)state;
    for (double z = 0; z < 5; z += 0.3)
        assert_near(creal(maliuzhinets(z)), maliuzhinets_integral(z), 1e-6);
}

/* The exact field obeys the impedance condition on both faces, du/dn = -j k sin(theta) u, n into the wedge. */
static void exact_wedge_obeys_its_faces(void **state)
{
    (void)state;
    double complex root = csqrt(5.24 - 0.6 * I);
    double h = 1e-5;
    for (int across = 0; across < 2; across++)
        for (int far = 0; far < 2; far++) {
            double complex sine = across ? 1 / root : root;
            double source = (far ? 27 : 200) * degree, face = far ? 270 * degree : 0, inward = far ? -h : h;
            double complex u[3];
            for (int i = 0; i < 3; i++)
                u[i] = impedance_wedge_diffracted(K_RHO, source, face + i * inward, sine);
            double complex slope = (3 * u[0] - 4 * u[1] + u[2]) / (2 * h) / K_RHO;
            assert_near(cabs(slope / u[0] + I * sine), 0, 1e-3);
        }
}

/* At 6 degrees to either side of the shadow boundary diffracted fields are of one size and of opposite sign. */
static void exact_wedge_has_its_incident_wave(void **state)
{
    (void)state;
    double source = 27 * degree, boundary = source + IMPEDANCE_PI;
    double complex sine = csqrt(5.24 - 0.6 * I);
    double complex before = impedance_wedge_diffracted(2e5, source, boundary - 6 * degree, sine);
    double complex after = impedance_wedge_diffracted(2e5, source, boundary + 6 * degree, sine);
    double keller = 1 / (sqrt(2 * IMPEDANCE_PI * 2e5) * 6 * degree); /* of a shadow boundary, reflections left out */
    assert_near(0.5 * cabs(before - after) / keller, 1, 0.02);
}

typedef struct statistics {
    double sum, squares;
    int count;
} statistics;

static void count(statistics *errors, double error_db)
{
    errors->sum += error_db;
    errors->squares += error_db * error_db;
    errors->count++;
}

static double rms(const statistics *errors)
{
    return sqrt(errors->squares / errors->count);
}

/* Reflection of a face of impedance, by the angle to it. */
static rw_te_tm face_reflection(double angle, double complex root)
{
    double complex soft = (sin(angle) - root) / (sin(angle) + root);
    double complex hard = (sin(angle) - 1 / root) / (sin(angle) + 1 / root);
    rw_te_tm reflection = {{creal(soft), cimag(soft)}, {creal(hard), cimag(hard)}};
    return reflection;
}

static void compare_shadow(double complex permittivity, int holm, statistics *soft, statistics *hard)
{
    double complex root = csqrt(permittivity);
    for (double source = 5; source < 80; source += 6)
        for (double observer = source + 190; observer < 269; observer += 3.5) {
            rw_wedge_geometry geometry = {1.5, source * degree, observer * degree, 1.0, K_RHO};
            rw_wedge_terms terms = rw_wedge_terms_of(&geometry, 1.0);
            rw_wedge_faces faces = {face_reflection(rw_wedge_angle_to_zero_face(&geometry), root),
                                    face_reflection(rw_wedge_angle_to_n_face(&geometry), root), holm};
            rw_soft_hard d = rw_wedge_coefficients_of(&geometry, &terms, &faces);
            double spreading_db = -10 * log10(K_RHO);
            double complex exact =
                impedance_wedge_diffracted(K_RHO, geometry.source_angle_rad, geometry.observer_angle_rad, root);
            count(soft, 10 * log10(rw_complex_abs2(d.soft)) + spreading_db - level_db(exact));
            exact = impedance_wedge_diffracted(K_RHO, geometry.source_angle_rad, geometry.observer_angle_rad, 1 / root);
            count(hard, 10 * log10(rw_complex_abs2(d.hard)) + spreading_db - level_db(exact));
        }
}

static void holm_is_near_the_exact_wedge(void **state)
{
    (void)state;
    const double complex materials[] = {5.24 - 0.6 * I, 3.91 - 0.24 * I, 6.31 - 0.03 * I, 15 - 3 * I};
    for (size_t i = 0; i < sizeof materials / sizeof *materials; i++)
        for (int holm = 0; holm < 2; holm++) {
            statistics soft = {0}, hard = {0};
            compare_shadow(materials[i], holm, &soft, &hard);
            printf("%g%+gj %s: soft rms %.2f dB, mean %+.2f dB; hard rms %.2f dB, mean %+.2f dB\n", creal(materials[i]),
                   cimag(materials[i]), holm ? "Holm" : "Luebbers", rms(&soft), soft.sum / soft.count, rms(&hard),
                   hard.sum / hard.count);
            if (holm) {
                assert_near(rms(&soft), 0, 0.2);
                assert_near(rms(&hard), 0, 0.2);
            } else {
                assert_near(soft.sum / soft.count, 2.2, 0.5);
                assert_near(hard.sum / hard.count, 2.2, 0.5);
            }
        }
}

/* Deep in the shadow `calc wedge` is near the exact wedge, whose source is so far away that its wave is plane. */
static void default_of_calc_is_holm(void **state)
{
    (void)state;
    rw_context *context;
    assert_int_equal(rw_context_create(NULL, &context), RW_OK);
    const char *const methods[] = {NULL, "holm", "luebbers"};
    double loss_db[3];
    for (int i = 0; i < 3; i++) {
        rw_wedge_options options;
        rw_wedge_result result = {.size = sizeof result};
        rw_wedge_options_init(&options);
        options.freq_hz = 2e9;
        options.material = "itu_concrete";
        options.source_m = 50;
        options.source_angle_deg = 20;
        options.observer_m = 30;
        options.observer_angle_deg = 263;
        options.method = methods[i] ? methods[i] : options.method;
        assert_int_equal(rw_calc_wedge(context, &options, &result), RW_OK);
        loss_db[i] = result.soft_loss_db;
    }
    assert_near(loss_db[0], loss_db[1], 0);
    /* The exact wedge in the shadow, far from all boundaries: of the wave only its distance parameter matters. */
    double k = 2 * IMPEDANCE_PI * 2e9 / 299792458, l = 50.0 * 30 / 80;
    double complex exact = impedance_wedge_diffracted(k * l, 20 * degree, 263 * degree, csqrt(5.24 - 0.45 * I));
    double direct_m = sqrt(50.0 * 50 + 30.0 * 30 - 2 * 50 * 30 * cos(243 * degree));
    double exact_db = -level_db(exact) - 20 * log10(direct_m / 80);
    printf("concrete, 20 to 263 degrees: exact %.1f dB, Holm %.1f dB, Luebbers %.1f dB\n", exact_db, loss_db[1],
           loss_db[2]);
    assert_near(loss_db[1], exact_db, 0.5);
    assert_true(loss_db[2] < exact_db - 4);
    rw_context_destroy(context);
}

/* Perpendicular to the edge the vector form has the same coefficients, whichever end is the source. */
static void vector_form_has_the_same_coefficients(void **state)
{
    (void)state;
    rw_edge_frame frame = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}, 1.5};
    frame.edge = rw_vec3_cross(frame.zero_along, frame.zero_normal);
    const double ends[][2] = {{20, 263}, {263, 20}, {70, 110}, {150, 30}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        for (int holm = 0; holm < 2; holm++) {
            double from = ends[i][0] * degree, to = ends[i][1] * degree;
            rw_wedge_material concrete = {{5.24, -0.6}, 0, holm};
            rw_wedge_geometry geometry = {1.5, from, to, 1.0, 50.0 * 30 / 80};
            rw_wedge_terms terms = rw_wedge_terms_of(&geometry, 40);
            rw_wedge_faces faces = rw_wedge_faces_of(&geometry, concrete.permittivity, 0, holm);
            rw_soft_hard d = rw_wedge_coefficients_of(&geometry, &terms, &faces);
            rw_vec3c along = {{0, 0}, {0, 0}, {1, 0}};
            rw_vec3c got =
                rw_diffract_field(along, &frame, rw_vec3_of(-cos(from), -sin(from), 0), rw_vec3_of(cos(to), sin(to), 0),
                                  50, 30, &concrete, 40, RW_WEDGE_REFERENCE);
            assert_near(sqrt(rw_vec3c_abs2(got)), rw_complex_abs(d.soft), 1e-12);
            rw_vec3c across = {{-sin(from), 0}, {cos(from), 0}, {0, 0}};
            got = rw_diffract_field(across, &frame, rw_vec3_of(-cos(from), -sin(from), 0),
                                    rw_vec3_of(cos(to), sin(to), 0), 50, 30, &concrete, 40, RW_WEDGE_REFERENCE);
            assert_near(sqrt(rw_vec3c_abs2(got)), rw_complex_abs(d.hard), 1e-12);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maliuzhinets_function_is_its_integral),
        cmocka_unit_test(exact_wedge_obeys_its_faces),
        cmocka_unit_test(exact_wedge_has_its_incident_wave),
        cmocka_unit_test(holm_is_near_the_exact_wedge),
        cmocka_unit_test(default_of_calc_is_holm),
        cmocka_unit_test(vector_form_has_the_same_coefficients),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
