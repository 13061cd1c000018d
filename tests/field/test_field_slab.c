/* Interfaces and slabs against an independent transfer-matrix calculation, closed forms and the conservation of energy.
 */
#include "field/surfaces/material.k.h"
#include "field/surfaces/slab.k.h"
#include "scene/scene.h"

#include <complex.h>

#include "unit.h"

static uint64_t seed = 7;

static double uniform(double low, double high)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(seed >> 11) / 9007199254740992.0;
}

/* Characteristic matrices of Abeles (Born and Wolf, section 1.6.2), with the tangential fields (E, H) on both faces:
 * M = [cos d, j sin d / p; j p sin d, cos d], p = q (TE) or q / eps (TM, for the magnetic field). */
static void transfer_matrix(const rw_layer_field *layers, size_t count, double cosine, double wavelength_m, int tm,
                            double complex *reflection, double complex *transmission)
{
    double complex m[2][2] = {{1, 0}, {0, 1}};
    for (size_t i = 0; i < count; i++) {
        double complex eps = layers[i].permittivity.re + I * layers[i].permittivity.im;
        double complex q = csqrt(eps - (1 - cosine * cosine));
        double complex d = 2 * acos(-1) / wavelength_m * layers[i].thickness_m * q, p = tm ? q / eps : q;
        double complex a = ccos(d), b = I * csin(d) / p, c = I * p * csin(d);
        double complex n[2][2] = {{m[0][0] * a + m[0][1] * c, m[0][0] * b + m[0][1] * a},
                                  {m[1][0] * a + m[1][1] * c, m[1][0] * b + m[1][1] * a}};
        memcpy(m, n, sizeof m);
    }
    double complex near = (m[0][0] + m[0][1] * cosine) * cosine, far = m[1][0] + m[1][1] * cosine;
    *reflection = (near - far) / (near + far);
    *transmission = 2 * cosine / (near + far);
}

static void assert_complex(rw_complex got, double complex expected, double tolerance)
{
    assert_near(got.re, creal(expected), tolerance);
    assert_near(got.im, cimag(expected), tolerance);
}

static void stacks_agree_with_transfer_matrices(void **state)
{
    (void)state;
    for (int trial = 0; trial < 20000; trial++) {
        rw_layer_field layers[5];
        size_t count = 1 + (size_t)trial % 5;
        for (size_t i = 0; i < count; i++) {
            layers[i].permittivity = rw_complex_of(uniform(1, 12), -pow(10, uniform(-4, 0.5)));
            layers[i].thickness_m = uniform(0, 0.3);
        }
        double cosine = uniform(0.01, 1), wavelength_m = uniform(0.05, 0.5);
        rw_interface got = rw_slab_stack(layers, count, cosine, wavelength_m);
        for (int tm = 0; tm < 2; tm++) {
            double complex reflection, transmission;
            transfer_matrix(layers, count, cosine, wavelength_m, tm, &reflection, &transmission);
            assert_complex(tm ? got.reflection.tm : got.reflection.te, reflection, 1e-9);
            assert_complex(tm ? got.transmission.tm : got.transmission.te, transmission, 1e-9);
        }
    }
}

/* The single slab of ITU-R P.2040-3, eqs. (43), (44), spelt out. */
static void one_layer_agrees_with_p2040(void **state)
{
    (void)state;
    double cosine = cos(0.6), wavelength_m = 0.0857, thickness_m = 0.006;
    rw_layer_field glass = {{6.31, -0.1}, thickness_m};
    rw_interface got = rw_slab_stack(&glass, 1, cosine, wavelength_m);
    double complex eps = 6.31 - 0.1 * I, q = csqrt(eps - (1 - cosine * cosine));
    for (int tm = 0; tm < 2; tm++) {
        double complex outside = tm ? eps * cosine : cosine, r = (outside - q) / (outside + q);
        double complex once = cexp(-I * 2 * acos(-1) * thickness_m / wavelength_m * q), twice = once * once;
        assert_complex(tm ? got.reflection.tm : got.reflection.te, r * (1 - twice) / (1 - r * r * twice), 1e-12);
        assert_complex(tm ? got.transmission.tm : got.transmission.te, (1 - r * r) * once / (1 - r * r * twice), 1e-12);
    }
}

static void brewster_angle_reflects_nothing(void **state)
{
    (void)state;
    for (double eps = 1.5; eps < 30; eps *= 1.3) {
        double angle = atan(sqrt(eps));
        rw_interface boundary = rw_fresnel(rw_complex_of(eps, 0), cos(angle));
        assert_near(rw_complex_abs(boundary.reflection.tm), 0, 1e-12);
        assert_true(rw_complex_abs(boundary.reflection.te) > 0.1);
        rw_layer_field layer = {{eps, 0}, 0.123};
        rw_interface slab = rw_slab_stack(&layer, 1, cos(angle), 0.1);
        assert_near(rw_complex_abs(slab.reflection.tm), 0, 1e-12);
        assert_near(rw_complex_abs(slab.transmission.tm), 1, 1e-12);
    }
}

static void half_wave_window_is_transparent(void **state)
{
    (void)state;
    double wavelength_m = 0.1, eps = 4.0;
    for (double angle = 0; angle < 1.5; angle += 0.1)
        for (int order = 1; order <= 3; order++) {
            double q = sqrt(eps - sin(angle) * sin(angle));
            rw_layer_field window = {{eps, 0}, order * 0.5 * wavelength_m / q};
            rw_interface slab = rw_slab_stack(&window, 1, cos(angle), wavelength_m);
            assert_near(rw_complex_abs(slab.reflection.te), 0, 1e-12);
            assert_near(rw_complex_abs(slab.transmission.te), 1, 1e-12);
            assert_near(rw_complex_abs(slab.reflection.tm), 0, 1e-12);
        }
}

static void metal_reflects_everything(void **state)
{
    (void)state;
    const rw_scene_material *metal = rw_builtin_material("itu_metal");
    assert_non_null(metal);
    double freq_hz = 3.5e9;
    rw_complex eps = rw_complex_permittivity(rw_material_permittivity(metal->a, metal->b, freq_hz),
                                             rw_material_conductivity_s_m(metal->c, metal->d, freq_hz), freq_hz);
    rw_layer_field sheet = {eps, 0.001};
    rw_interface slab = rw_slab_stack(&sheet, 1, cos(0.5), RW_SPEED_OF_LIGHT_M_S / freq_hz);
    assert_complex(slab.reflection.te, -1, 3e-4);
    assert_complex(slab.reflection.tm, 1, 3e-4);
    assert_near(rw_complex_abs(slab.transmission.te), 0, 1e-12);
    rw_layer_field perfect = {{1.0, RW_PERMITTIVITY_CONDUCTOR_IM}, 0.001};
    slab = rw_slab_stack(&perfect, 1, cos(0.5), 0.1);
    assert_complex(slab.reflection.te, -1, 1e-12);
    assert_complex(slab.reflection.tm, 1, 1e-12);
}

static void nothing_is_transparent(void **state)
{
    (void)state;
    rw_interface air = rw_slab_stack(NULL, 0, 0.5, 0.1);
    assert_complex(air.transmission.te, 1, 1e-15);
    assert_complex(air.reflection.tm, 0, 1e-15);
    rw_layer_field thin = {{5.24, -0.4}, 0.0};
    air = rw_slab_stack(&thin, 1, 0.5, 0.1);
    assert_complex(air.transmission.tm, 1, 1e-12);
    assert_complex(air.reflection.te, 0, 1e-12);
}

/* Whatever comes in, also nonsense: power out never exceeds power in, and is a number. */
static void every_input_is_passive(void **state)
{
    (void)state;
    for (int trial = 0; trial < 200000; trial++) {
        rw_layer_field layers[4];
        size_t count = 1 + (size_t)trial % 4;
        for (size_t i = 0; i < count; i++) {
            double loss = trial % 3 == 0 ? 0.0 : -pow(10, uniform(-8, 12));
            if (trial % 17 == 0)
                loss = -loss; /* gain, which no material has */
            layers[i].permittivity = rw_complex_of(trial % 5 == 0 ? uniform(-3, 3) : uniform(1, 80), loss);
            layers[i].thickness_m = trial % 7 == 0 ? 0.0 : pow(10, uniform(-9, 4));
        }
        double cosine = trial % 11 == 0 ? 0.0 : trial % 13 == 0 ? 1.0 : pow(10, uniform(-12, 0));
        rw_interface got = rw_slab_stack(layers, count, cosine, pow(10, uniform(-3, 1)));
        double te = rw_complex_abs2(got.reflection.te) + rw_complex_abs2(got.transmission.te);
        double tm = rw_complex_abs2(got.reflection.tm) + rw_complex_abs2(got.transmission.tm);
        assert_true(te >= 0 && te <= 1);
        assert_true(tm >= 0 && tm <= 1);
        rw_interface boundary = rw_fresnel(layers[0].permittivity, cosine);
        assert_true(rw_complex_abs2(boundary.reflection.te) <= 1 + 1e-12);
        assert_true(rw_complex_abs2(boundary.reflection.tm) <= 1 + 1e-12);
    }
}

/* Seen from the other side, a stack transmits the same. */
static void stacks_are_reciprocal(void **state)
{
    (void)state;
    for (int trial = 0; trial < 5000; trial++) {
        rw_layer_field layers[4], turned[4];
        for (size_t i = 0; i < 4; i++) {
            layers[i].permittivity = rw_complex_of(uniform(1, 12), -pow(10, uniform(-4, 1)));
            layers[i].thickness_m = uniform(0, 0.2);
            turned[3 - i] = layers[i];
        }
        double cosine = uniform(0.01, 1);
        rw_interface there = rw_slab_stack(layers, 4, cosine, 0.1), back = rw_slab_stack(turned, 4, cosine, 0.1);
        assert_near(rw_complex_abs(rw_complex_sub(there.transmission.te, back.transmission.te)), 0, 1e-12);
        assert_near(rw_complex_abs(rw_complex_sub(there.transmission.tm, back.transmission.tm)), 0, 1e-12);
    }
}

/* ITU-R P.2040-3 at 3.5 GHz, worked by hand from a, b, c, d. */
static void materials_follow_their_table(void **state)
{
    (void)state;
    const rw_scene_material *concrete = rw_builtin_material("itu_concrete");
    const rw_scene_material *wet = rw_builtin_material("itu_wet_ground");
    assert_non_null(concrete);
    assert_non_null(wet);
    assert_null(rw_builtin_material("itu_cheese"));
    double sigma = rw_material_conductivity_s_m(concrete->c, concrete->d, 3.5e9);
    assert_near(sigma, 0.0462 * exp(0.7822 * log(3.5)), 1e-12);
    rw_complex eps = rw_complex_permittivity(rw_material_permittivity(concrete->a, concrete->b, 3.5e9), sigma, 3.5e9);
    assert_near(eps.re, 5.24, 1e-12);
    assert_near(eps.im, -17.98 * sigma / 3.5, 1e-3);
    assert_near(rw_material_permittivity(wet->a, wet->b, 10e9), 30 / pow(10, 0.4), 1e-9);
    /* P.2040-3, section 2.1: A = 1636 sigma / sqrt(eps') dB/m for a poor conductor */
    assert_near(rw_material_attenuation_db_m(rw_complex_permittivity(6.31, 0.01, 3.5e9), 3.5e9),
                1636 * 0.01 / sqrt(6.31), 0.01);
}

/* The table of ITU-R P.2040-3 as numbers instead of constants: permittivity and conductivity at both ends of each
 * range, worked out from the recommendation apart from the library. Where ranges overlap, at an end that is of this row
 * alone. */
static void every_row_of_the_table(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double ghz, permittivity, conductivity;
    } known[] = {{"vacuum", 1, 1, 0},
                 {"concrete", 100, 5.24, 1.6945},
                 {"concrete", 110, 5.17, 2.43493},
                 {"concrete", 330, 5.17, 8.06396},
                 {"brick", 40, 3.91, 0.0429444},
                 {"brick", 110, 4.15, 0.967358},
                 {"brick", 330, 4.15, 5.43551},
                 {"plasterboard", 100, 2.73, 0.643308},
                 {"plasterboard", 330, 2.56, 3.03881},
                 {"plasterboard", 400, 2.65, 2.87821},
                 {"wood", 100, 1.99, 0.654181},
                 {"wood", 330, 1.82, 2.05226},
                 {"wood", 400, 2.1183, 4.2858},
                 {"glass", 100, 6.31, 1.71831},
                 {"glass", 450, 5.79, 10.025},
                 {"glass", 200, 6.5767, 2.89071},
                 {"clear_acrylic", 110, 2.58, 0.236155},
                 {"acrylic", 330, 2.58, 1.45075},
                 {"ceiling_board", 100, 1.48, 0.155379},
                 {"ceiling_board", 450, 1.52, 1.55795},
                 {"ceiling_board", 200, 1.2567, 0.288165},
                 {"chipboard", 100, 2.58, 0.787879},
                 {"chipboard", 200, 2.16, 3.08196},
                 {"plywood", 40, 2.71, 0.33},
                 {"plywood", 330, 1.94, 2.18804},
                 {"plywood", 400, 2.17, 3.29984},
                 {"marble", 60, 7.074, 0.243942},
                 {"marble", 330, 7.94, 2.31518},
                 {"marble", 400, 8.62, 2.65297},
                 {"floorboard", 100, 3.66, 2.22051},
                 {"floorboard", 220, 5.27, 3.48964},
                 {"floorboard", 350, 5.27, 43.7593},
                 {"floorboard", 450, 5.27, 49.8726},
                 {"floorboard", 150, 3.1575, 1.29814},
                 {"vinyl_tile", 1, 3.62, 0.0051},
                 {"vinyl_tile", 40, 3.62, 0.113979},
                 {"carpet_tile", 40, 2.08, 0.0185324},
                 {"asphalt_concrete", 40, 4.83, 1.86785},
                 {"metal", 10, 1, 1e7},
                 {"very_dry_ground", 10, 3, 0.0496697},
                 {"medium_dry_ground", 10, 11.9149, 1.49303},
                 {"wet_ground", 10, 11.9432, 2.99289}};
    size_t rows = sizeof known / sizeof *known;
    for (size_t i = 0; i < rows; i++) {
        double freq_hz = known[i].ghz * 1e9;
        const rw_scene_material *row = rw_builtin_material_at(known[i].name, freq_hz);
        assert_non_null(row);
        assert_true(freq_hz >= row->freq_min_hz && freq_hz <= row->freq_max_hz);
        assert_near(rw_material_permittivity(row->a, row->b, freq_hz), known[i].permittivity,
                    1e-4 * known[i].permittivity);
        assert_near(rw_material_conductivity_s_m(row->c, row->d, freq_hz), known[i].conductivity,
                    1e-4 * known[i].conductivity + 1e-12);
    }
    for (size_t i = 0; i < rw_builtin_material_count(); i++) { /* and none beside these */
        size_t at = 0;
        while (at < rows && strcmp(rw_builtin_material_row(i)->name + 4, known[at].name) != 0)
            at++;
        assert_true(at < rows);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stacks_agree_with_transfer_matrices),
        cmocka_unit_test(one_layer_agrees_with_p2040),
        cmocka_unit_test(brewster_angle_reflects_nothing),
        cmocka_unit_test(half_wave_window_is_transparent),
        cmocka_unit_test(metal_reflects_everything),
        cmocka_unit_test(nothing_is_transparent),
        cmocka_unit_test(every_input_is_passive),
        cmocka_unit_test(stacks_are_reciprocal),
        cmocka_unit_test(materials_follow_their_table),
        cmocka_unit_test(every_row_of_the_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
