/* Interfaces and slabs against an independent transfer-matrix calculation, closed forms and the conservation of energy.
 */
#include "field/surfaces/material.k.h"
#include "field/surfaces/slab.k.h"
#include "scene/materials.h"

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
            layers[i].permittivity = rw_complex_make(uniform(1, 12), -pow(10, uniform(-4, 0.5)));
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
        rw_interface boundary = rw_fresnel(rw_complex_make(eps, 0), cos(angle));
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
            layers[i].permittivity = rw_complex_make(trial % 5 == 0 ? uniform(-3, 3) : uniform(1, 80), loss);
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
            layers[i].permittivity = rw_complex_make(uniform(1, 12), -pow(10, uniform(-4, 1)));
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
