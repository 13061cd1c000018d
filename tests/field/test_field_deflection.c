/* Deflection polynomials: physical shape, agreement with the theory they are fitted to, and what must hold at known
 * angles. */
#include "field/edges/deflection.h"
#include "field/edges/wedge_field.k.h"

#include "unit.h"

static const char *const names[] = {"street corner", "roof edge", "wall"};

static void fits_are_physical(void **state)
{
    (void)state;
    rw_context *context;
    assert_int_equal(rw_context_create(NULL, &context), RW_OK);
    const double freqs_hz[] = {0.4e9, 0.947e9, 2.1e9, 3.5e9, 28e9, 60e9};
    for (int kind = 0; kind < 3; kind++)
        for (size_t f = 0; f < sizeof freqs_hz / sizeof *freqs_hz; f++) {
            rw_deflection_setting setting = rw_deflection_setting_default((rw_deflection_kind)kind, freqs_hz[f]);
            rw_deflection fit;
            double rms_db;
            assert_ok(context, rw_deflection_fit(context, (rw_deflection_kind)kind, &setting, &fit, &rms_db));
            printf("%s at %.3g GHz: %.2f %.2f %.2f dB, rms %.2f dB\n", names[kind], freqs_hz[f] / 1e9, fit.a0_db,
                   fit.a1_db, fit.a2_db, rms_db);
            double last_db = 0;
            for (double angle = 0; angle <= RW_PI; angle += 0.01) {
                double loss_db = rw_deflection_loss_db(fit, angle);
                assert_true(loss_db >= last_db - 1e-9);
                last_db = loss_db;
            }
            assert_near(rms_db, 0, 3.0);
            /* Against the theory at three angles, computed anew. */
            for (double angle = 0.3; angle < 1.3; angle += 0.4)
                assert_near(rw_deflection_loss_db(fit, angle),
                            rw_deflection_theory_db((rw_deflection_kind)kind, &setting, angle), 4.0);
        }
    rw_context_destroy(context);
}

/* At the shadow boundary the diffracted part alone is half the field, 6 dB; in the shadow it is the whole field of
 * wedge_field. */
static void theory_is_the_wedge(void **state)
{
    (void)state;
    rw_deflection_setting setting = rw_deflection_setting_default(RW_DEFLECTION_ROOF, 2e9);
    assert_near(rw_deflection_theory_db(RW_DEFLECTION_ROOF, &setting, 1e-6), 6.0, 1.0);
    /* One orientation is left at the largest angle: nearly along both faces. */
    rw_wedge_surface surface = {1.5, setting.permittivity, 0, 1};
    double angle = 1.2, room = RW_PI / 2 - angle, power = 0;
    for (int i = 0; i < 9; i++) {
        double from = room * (i + 0.5) / 9;
        rw_cylindrical source = {200, from, 0}, observer = {30, from + RW_PI + angle, 0};
        rw_wedge_field field = rw_wedge_field_of(&surface, source, observer, RW_SPEED_OF_LIGHT_M_S / 2e9);
        double over_path = field.over_edge_m / field.direct_m; /* beside the bent path, not the straight one */
        power += rw_complex_abs2(field.total.hard) * over_path * over_path / 9;
    }
    assert_near(rw_deflection_theory_db(RW_DEFLECTION_ROOF, &setting, angle), -10 * log10(power), 1e-6);
}

static void walls_follow_fresnel(void **state)
{
    (void)state;
    rw_deflection_setting setting = rw_deflection_setting_default(RW_DEFLECTION_REFLECTION, 2e9);
    double normal = (sqrt(5.24) - 1) / (sqrt(5.24) + 1); /* straight back, loss small */
    assert_near(rw_deflection_theory_db(RW_DEFLECTION_REFLECTION, &setting, RW_PI), -20 * log10(normal), 0.2);
    assert_near(rw_deflection_theory_db(RW_DEFLECTION_REFLECTION, &setting, 1e-6), 0, 1e-3);
}

static void refuses_nonsense(void **state)
{
    (void)state;
    rw_context *context;
    assert_int_equal(rw_context_create(NULL, &context), RW_OK);
    rw_deflection_setting setting = rw_deflection_setting_default(RW_DEFLECTION_STREET, 2e9);
    rw_deflection fit;
    setting.before_m = -1;
    assert_int_equal(rw_deflection_fit(context, RW_DEFLECTION_STREET, &setting, &fit, NULL), RW_BAD_CALL);
    setting.before_m = 10;
    setting.freq_hz = NAN;
    assert_int_equal(rw_deflection_fit(context, RW_DEFLECTION_STREET, &setting, &fit, NULL), RW_BAD_CALL);
    rw_deflection negative = {-5, 1, 0, 0}, cubic = {1, 2, 3, 4};
    assert_near(rw_deflection_loss_db(negative, 1), 0, 0);
    assert_near(rw_deflection_loss_db(cubic, 2), 1 + 4 + 12 + 32, 1e-12);
    rw_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(fits_are_physical), cmocka_unit_test(theory_is_the_wedge),
                                       cmocka_unit_test(walls_follow_fresnel), cmocka_unit_test(refuses_nonsense)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
