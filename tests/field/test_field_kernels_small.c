/* The small kernels of src/field on random inputs: the CPU against the double reference, and CUDA against the CPU. */
#include "field/paths/free_space.k.h"
#include "bench/kernels/formulas.k.h"
#include "bench/kernels/free_space_map.k.h"
#include "field/edges/knife_edge.k.h"
#include "field/surfaces/scatter.k.h"

#include "kernel_run.h"

static double doubles[ITEMS];

static void run_phases(rw_backend backend, float (*out)[ITEMS], double wavelength_m)
{
    struct rw_phases_args args = {.wavelength_m = wavelength_m};
    rw_kernel_array columns[] = {{&args.length_m, doubles, sizeof doubles, 0, NULL},
                                 {&args.cosine, out[0], sizeof inputs[0], 1, NULL},
                                 {&args.sine, out[1], sizeof inputs[0], 1, NULL}};
    run(backend, RW_BENCH_KERNEL_phases, &args, columns, 3);
}

/* The phase -2 pi r / lambda in long double, by fmodl. */
static void assert_phases(float (*out)[ITEMS], double wavelength_m)
{
    for (size_t i = 0; i < ITEMS; i++) {
        long double turns = fmodl((long double)doubles[i] / (long double)wavelength_m, 1.0L);
        long double phase = -2.0L * acosl(-1.0L) * turns;
        double cosine = (double)cosl(phase), sine = (double)sinl(phase);
        /* The angle between the two phasors. */
        double angle = atan2(out[1][i] * cosine - out[0][i] * sine, out[0][i] * cosine + out[1][i] * sine);
        assert_near(angle, 0, 1e-5);
        assert_near(hypot(out[0][i], out[1][i]), 1, 1e-6);
    }
}

static void phases_are_right_at_60_ghz_and_10_km(void **state)
{
    (void)state;
    double wavelength_m = RW_SPEED_OF_LIGHT_M_S / 60e9;
    for (size_t i = 0; i < ITEMS; i++)
        doubles[i] = i % 2 ? uniform(9.9e3, 1.0e4) : uniform(0.0, 1.0e4);
    run_phases(RW_BACKEND_CPU, cpu, wavelength_m);
    assert_phases(cpu, wavelength_m);
    for (size_t i = 0; i < ITEMS; i++) {
        rw_complex reference = rw_path_phasor(doubles[i], wavelength_m);
        assert_near(cpu[0][i], reference.re, 5e-7);
        assert_near(cpu[1][i], reference.im, 5e-7);
    }
}

static void phases_are_right_on_gpu(void **state)
{
    (void)state;
    if (!has_gpu())
        skip_test("no GPU");
    double wavelength_m = RW_SPEED_OF_LIGHT_M_S / 60e9;
    for (size_t i = 0; i < ITEMS; i++)
        doubles[i] = uniform(0.0, 1.0e4);
    run_phases(RW_BACKEND_CPU, cpu, wavelength_m);
    run_phases(RW_BACKEND_CUDA, other, wavelength_m);
    assert_phases(other, wavelength_m);
    assert_parity(0, 1, NULL);
}

static void run_knife_edges(rw_backend backend, float (*out)[ITEMS])
{
    struct rw_knife_edges_args args = {0};
    rw_kernel_array columns[] = {{&args.nu, inputs[0], sizeof inputs[0], 0, NULL},
                                 {&args.field_re, out[0], sizeof inputs[0], 1, NULL},
                                 {&args.field_im, out[1], sizeof inputs[0], 1, NULL}};
    run(backend, RW_BENCH_KERNEL_knife_edges, &args, columns, 3);
}

static void fill_knife_edges(void)
{
    for (size_t i = 0; i < ITEMS; i++)
        inputs[0][i] = (float)(i % 3 == 0 ? uniform(-1000, 2000) : uniform(-5, 5));
}

static void knife_edge_kernel_agrees_with_reference(void **state)
{
    (void)state;
    fill_knife_edges();
    run_knife_edges(RW_BACKEND_CPU, cpu);
    for (size_t i = 0; i < ITEMS; i++) {
        rw_complex expected = rw_screen_field(inputs[0][i]);
        double size = rw_complex_abs(expected);
        assert_near(cpu[0][i], expected.re, 2e-6 * size);
        assert_near(cpu[1][i], expected.im, 2e-6 * size);
    }
}

static void knife_edge_kernel_agrees_on_gpu(void **state)
{
    (void)state;
    if (!has_gpu())
        skip_test("no GPU");
    fill_knife_edges();
    run_knife_edges(RW_BACKEND_CPU, cpu);
    run_knife_edges(RW_BACKEND_CUDA, other);
    assert_parity(0, 1, NULL);
}

static void run_lobes(rw_backend backend, rw_scatter_kind kind, float (*out)[ITEMS])
{
    struct rw_scatter_lobe_args args = {.model = {kind, 4, 3, 0.7}};
    size_t bytes = sizeof inputs[0];
    rw_kernel_array columns[] = {{&args.cosine_incidence, inputs[0], bytes, 0, NULL},
                                 {&args.cosine_scattering, inputs[1], bytes, 0, NULL},
                                 {&args.cosine_azimuth, inputs[2], bytes, 0, NULL},
                                 {&args.pattern_per_sr, out[0], bytes, 1, NULL}};
    run(backend, RW_BENCH_KERNEL_scatter_lobe, &args, columns, 4);
}

static void fill_lobes(void)
{
    fill(inputs[0], 0.0, 1.0);
    fill(inputs[1], -0.2, 1.0);
    fill(inputs[2], -1.0, 1.0);
    memset(cpu[1], 0, sizeof cpu[1]);
    memset(other[1], 0, sizeof other[1]);
}

static void scatter_kernel_agrees_with_reference(void **state)
{
    (void)state;
    fill_lobes();
    for (int kind = RW_LOBE_LAMBERTIAN; kind <= RW_LOBE_BACKSCATTERING; kind++) {
        rw_scatter_model model = {(rw_scatter_kind)kind, 4, 3, 0.7};
        run_lobes(RW_BACKEND_CPU, (rw_scatter_kind)kind, cpu);
        for (size_t i = 0; i < ITEMS; i++)
            assert_near(cpu[0][i], rw_scatter_pattern(&model, inputs[0][i], inputs[1][i], inputs[2][i]), 1e-6);
    }
}

static void scatter_kernel_agrees_on_gpu(void **state)
{
    (void)state;
    if (!has_gpu())
        skip_test("no GPU");
    fill_lobes();
    for (int kind = RW_LOBE_LAMBERTIAN; kind <= RW_LOBE_BACKSCATTERING; kind++) {
        run_lobes(RW_BACKEND_CPU, (rw_scatter_kind)kind, cpu);
        run_lobes(RW_BACKEND_CUDA, (rw_scatter_kind)kind, other);
        assert_parity(0, 1, NULL);
    }
}

static void run_free_space_map(rw_backend backend, float *out)
{
    struct rw_free_space_map_args args = {
        .receivers = {.columns = 200, .res_m = 5}, .source = {3, -50, 30}, .wavelength_m = 0.3};
    rw_kernel_array columns[] = {{&args.receivers.z_m, inputs[0], sizeof inputs[0], 0, NULL},
                                 {&args.path_loss_db, out, sizeof inputs[0], 1, NULL}};
    run(backend, RW_BENCH_KERNEL_free_space_map, &args, columns, 2);
}

static void free_space_map_kernel_agrees_with_reference(void **state)
{
    (void)state;
    fill(inputs[0], 0.0, 20.0);
    run_free_space_map(RW_BACKEND_CPU, cpu[0]);
    for (size_t i = 0; i < ITEMS; i++) {
        double x = 5.0 * (double)(i % 200) - 3, y = 5.0 * (double)(i / 200) + 50, z = inputs[0][i] - 30.0;
        assert_near(cpu[0][i], rw_free_space_loss_db(sqrt(x * x + y * y + z * z), 0.3), 1e-4);
    }
}

static void free_space_map_kernel_agrees_on_gpu(void **state)
{
    (void)state;
    if (!has_gpu())
        skip_test("no GPU");
    fill(inputs[0], 0.0, 20.0);
    run_free_space_map(RW_BACKEND_CPU, cpu[0]);
    run_free_space_map(RW_BACKEND_CUDA, other[0]);
    for (size_t i = 0; i < ITEMS; i++)
        assert_near(other[0][i], cpu[0][i], 1e-4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(phases_are_right_at_60_ghz_and_10_km),
        cmocka_unit_test(phases_are_right_on_gpu),
        cmocka_unit_test(knife_edge_kernel_agrees_with_reference),
        cmocka_unit_test(knife_edge_kernel_agrees_on_gpu),
        cmocka_unit_test(scatter_kernel_agrees_with_reference),
        cmocka_unit_test(scatter_kernel_agrees_on_gpu),
        cmocka_unit_test(free_space_map_kernel_agrees_with_reference),
        cmocka_unit_test(free_space_map_kernel_agrees_on_gpu),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
