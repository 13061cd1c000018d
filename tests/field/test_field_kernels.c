/* The kernels of wedges and slabs on random inputs: the CPU against the double reference, its instruction sets against
 * each other, and CUDA against the CPU. */
#include "bench/kernels/slab_coefficients.k.h"
#include "bench/kernels/formulas.k.h"
#include "bench/kernels/wedge_coefficients.k.h"

#include "kernel_run.h"

static void run_wedges(rw_backend backend, float (*out)[ITEMS], int perfect, int holm)
{
    struct rw_wedge_coefficients_args args = {
        .wavenumber = 20.0, .permittivity = {5.24, -0.6}, .perfect_conductor = perfect, .holm = holm};
    size_t bytes = sizeof inputs[0];
    rw_kernel_array columns[] = {
        {&args.exterior_over_pi, inputs[0], bytes, 0, NULL},
        {&args.source_angle_rad, inputs[1], bytes, 0, NULL},
        {&args.observer_angle_rad, inputs[2], bytes, 0, NULL},
        {&args.sine_edge_angle, inputs[3], bytes, 0, NULL},
        {&args.distance_parameter_m, inputs[4], bytes, 0, NULL},
        {&args.soft_re, out[0], bytes, 1, NULL},
        {&args.soft_im, out[1], bytes, 1, NULL},
        {&args.hard_re, out[2], bytes, 1, NULL},
        {&args.hard_im, out[3], bytes, 1, NULL},
    };
    run(backend, RW_BENCH_KERNEL_wedge_coefficients, &args, columns, sizeof columns / sizeof *columns);
}

static void fill_wedges(void)
{
    fill(inputs[0], 1.05, 2.0);
    fill(inputs[3], 0.2, 1.0);
    for (size_t i = 0; i < ITEMS; i++) {
        inputs[1][i] = (float)uniform(0.0, inputs[0][i] * RW_PI);
        inputs[2][i] = (float)uniform(0.0, inputs[0][i] * RW_PI);
        inputs[4][i] = (float)pow(10.0, uniform(-1.0, 4.0));
        if (i % 16 == 0) /* some on and about the incidence boundary */
            inputs[2][i] = inputs[1][i] + (float)(RW_PI + uniform(-1e-4, 1e-4));
    }
}

static rw_soft_hard wedge_reference(size_t i, int perfect, int holm)
{
    rw_wedge_geometry geometry = {inputs[0][i], inputs[1][i], inputs[2][i], inputs[3][i], inputs[4][i]};
    rw_wedge_terms terms = rw_wedge_terms_of(&geometry, 20.0);
    rw_wedge_faces faces = rw_wedge_faces_of(&geometry, rw_complex_of(5.24, -0.6), perfect, holm);
    return rw_wedge_coefficients_of(&geometry, &terms, &faces);
}

static void wedge_kernel_agrees_with_reference(void **state)
{
    (void)state;
    fill_wedges();
    for (int kind = 0; kind < 3; kind++) {
        int perfect = kind == 0, holm = kind == 2;
        run_wedges(RW_BACKEND_CPU, cpu, perfect, holm);
        for (size_t i = 0; i < ITEMS; i++) {
            rw_soft_hard expected = wedge_reference(i, perfect, holm);
            /* D grows as sqrt(L) at a boundary; far from all of them it is about 1 / sqrt(k). */
            double scale = rw_complex_abs(expected.soft) + rw_complex_abs(expected.hard) + 0.05;
            assert_near(cpu[0][i], expected.soft.re, 1e-5 * scale);
            assert_near(cpu[1][i], expected.soft.im, 1e-5 * scale);
            assert_near(cpu[2][i], expected.hard.re, 1e-5 * scale);
            assert_near(cpu[3][i], expected.hard.im, 1e-5 * scale);
        }
    }
}

/* D is taken as the pair of soft and hard: by a face one of them vanishes, the terms of the other cancelling. */
static const float *wedge_size(void)
{
    static float sizes[ITEMS];
    for (size_t i = 0; i < ITEMS; i++)
        sizes[i] = hypotf(cpu[0][i], cpu[1][i]) + hypotf(cpu[2][i], cpu[3][i]);
    return sizes;
}

static void wedge_kernel_agrees_across_instruction_sets(void **state)
{
    (void)state;
    fill_wedges();
    for (int kind = 0; kind < 3; kind++) {
        run_wedges(RW_BACKEND_CPU, cpu, kind == 0, kind == 2);
        plain_begin();
        run_wedges(RW_BACKEND_CPU, other, kind == 0, kind == 2);
        plain_end();
        assert_parity(0, 1, wedge_size());
        assert_parity(2, 3, wedge_size());
    }
}

static void wedge_kernel_agrees_on_gpu(void **state)
{
    (void)state;
    if (!has_gpu())
        skip_test("no GPU");
    fill_wedges();
    for (int kind = 0; kind < 3; kind++) {
        run_wedges(RW_BACKEND_CPU, cpu, kind == 0, kind == 2);
        run_wedges(RW_BACKEND_CUDA, other, kind == 0, kind == 2);
        assert_parity(0, 1, wedge_size());
        assert_parity(2, 3, wedge_size());
    }
}

static void run_slabs(rw_backend backend, float (*out)[ITEMS])
{
    struct rw_slab_coefficients_args args = {0};
    size_t bytes = sizeof inputs[0];
    rw_kernel_array columns[] = {
        {&args.cosine_incidence, inputs[0], bytes, 0, NULL}, {&args.permittivity_re, inputs[1], bytes, 0, NULL},
        {&args.permittivity_im, inputs[2], bytes, 0, NULL},  {&args.thickness_wavelengths, inputs[3], bytes, 0, NULL},
        {&args.reflection_te_re, out[0], bytes, 1, NULL},    {&args.reflection_te_im, out[1], bytes, 1, NULL},
        {&args.reflection_tm_re, out[2], bytes, 1, NULL},    {&args.reflection_tm_im, out[3], bytes, 1, NULL},
        {&args.transmission_te_re, out[4], bytes, 1, NULL},  {&args.transmission_te_im, out[5], bytes, 1, NULL},
        {&args.transmission_tm_re, out[6], bytes, 1, NULL},  {&args.transmission_tm_im, out[7], bytes, 1, NULL},
    };
    run(backend, RW_BENCH_KERNEL_slab_coefficients, &args, columns, sizeof columns / sizeof *columns);
}

static void fill_slabs(void)
{
    fill(inputs[0], 0.0, 1.0);
    fill(inputs[1], 1.0, 10.0);
    for (size_t i = 0; i < ITEMS; i++) {
        inputs[2][i] = i % 7 == 0 ? 0.0f : (float)-pow(10.0, uniform(-5.0, i % 5 == 0 ? 9.0 : 1.0));
        inputs[3][i] = i % 11 == 0 ? 0.0f : (float)pow(10.0, uniform(-4.0, 2.5));
    }
}

static void slab_kernel_agrees_with_reference(void **state)
{
    (void)state;
    fill_slabs();
    run_slabs(RW_BACKEND_CPU, cpu);
    for (size_t i = 0; i < ITEMS; i++) {
        double cosine = inputs[0][i] < 1e-6f ? 1e-6f : inputs[0][i];
        rw_layer_field layer = {{inputs[1][i], inputs[2][i]}, inputs[3][i]};
        rw_interface expected = rw_slab_stack(&layer, 1, cosine, 1.0);
        assert_near(cpu[0][i], expected.reflection.te.re, 1e-5);
        assert_near(cpu[1][i], expected.reflection.te.im, 1e-5);
        assert_near(cpu[2][i], expected.reflection.tm.re, 1e-5);
        assert_near(cpu[3][i], expected.reflection.tm.im, 1e-5);
        assert_near(cpu[4][i], expected.transmission.te.re, 1e-5);
        assert_near(cpu[5][i], expected.transmission.te.im, 1e-5);
        assert_near(cpu[6][i], expected.transmission.tm.re, 1e-5);
        assert_near(cpu[7][i], expected.transmission.tm.im, 1e-5);
        for (int k = 0; k < 4; k += 2) {
            double power = 0;
            for (int part = 0; part < 2; part++)
                power +=
                    (double)cpu[k + part][i] * cpu[k + part][i] + (double)cpu[k + 4 + part][i] * cpu[k + 4 + part][i];
            assert_true(power <= 1.0);
        }
    }
}

static void slab_kernel_agrees_across_instruction_sets(void **state)
{
    (void)state;
    fill_slabs();
    run_slabs(RW_BACKEND_CPU, cpu);
    plain_begin();
    run_slabs(RW_BACKEND_CPU, other);
    plain_end();
    for (int k = 0; k < 8; k += 2)
        assert_parity(k, k + 1, NULL);
}

static void slab_kernel_agrees_on_gpu(void **state)
{
    (void)state;
    if (!has_gpu())
        skip_test("no GPU");
    fill_slabs();
    run_slabs(RW_BACKEND_CPU, cpu);
    run_slabs(RW_BACKEND_CUDA, other);
    for (int k = 0; k < 8; k += 2)
        assert_parity(k, k + 1, NULL);
}

static rw_interface stack_cpu[ITEMS], stack_other[ITEMS];
static double doubles[ITEMS];

static rw_layer_field glazing[3] = {{{6.31, -0.06}, 0.004}, {{1.0, 0.0}, 0.012}, {{6.31, -0.06}, 0.006}};

static void run_stacks(rw_backend backend, rw_interface *out)
{
    struct rw_stack_coefficients_args args = {.layer_count = 3, .wavelength_m = 0.0857};
    rw_kernel_array columns[] = {{&args.layers, glazing, sizeof glazing, 0, NULL},
                                 {&args.cosine_incidence, doubles, sizeof doubles, 0, NULL},
                                 {&args.coefficients, out, sizeof stack_cpu, 1, NULL}};
    run(backend, RW_BENCH_KERNEL_stack_coefficients, &args, columns, 3);
}

static void stack_kernel_agrees_with_reference(void **state)
{
    (void)state;
    for (size_t i = 0; i < ITEMS; i++)
        doubles[i] = uniform(0.0, 1.0);
    run_stacks(RW_BACKEND_CPU, stack_cpu);
    for (size_t i = 0; i < ITEMS; i++) {
        rw_interface expected = rw_slab_stack(glazing, 3, doubles[i], 0.0857);
        assert_near(stack_cpu[i].reflection.tm.re, expected.reflection.tm.re, 1e-12);
        assert_near(stack_cpu[i].transmission.te.im, expected.transmission.te.im, 1e-12);
    }
}

static void stack_kernel_agrees_on_gpu(void **state)
{
    (void)state;
    if (!has_gpu())
        skip_test("no GPU");
    for (size_t i = 0; i < ITEMS; i++)
        doubles[i] = uniform(0.0, 1.0);
    run_stacks(RW_BACKEND_CPU, stack_cpu);
    run_stacks(RW_BACKEND_CUDA, stack_other);
    for (size_t i = 0; i < ITEMS; i++) {
        const double *a = &stack_cpu[i].reflection.te.re, *b = &stack_other[i].reflection.te.re;
        for (size_t part = 0; part < sizeof(rw_interface) / sizeof(double); part++)
            assert_near(a[part], b[part], 1e-9);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wedge_kernel_agrees_with_reference),
        cmocka_unit_test(wedge_kernel_agrees_across_instruction_sets),
        cmocka_unit_test(wedge_kernel_agrees_on_gpu),
        cmocka_unit_test(slab_kernel_agrees_with_reference),
        cmocka_unit_test(slab_kernel_agrees_across_instruction_sets),
        cmocka_unit_test(slab_kernel_agrees_on_gpu),
        cmocka_unit_test(stack_kernel_agrees_with_reference),
        cmocka_unit_test(stack_kernel_agrees_on_gpu),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
