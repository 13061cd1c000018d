/* Every kernel of src/field on random inputs: the CPU against the double reference, and CUDA against the CPU. */
#include "device/columns.h"
#include "field/free_space.k.h"
#include "field/free_space_map.k.h"
#include "field/knife_edge.k.h"
#include "field/scatter.k.h"
#include "field/slab_coefficients.k.h"
#include "field/wedge_coefficients.k.h"

#include "unit.h"

#define ITEMS 20000

static uint64_t seed = 1;

static double uniform(double low, double high)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(seed >> 11) / 9007199254740992.0;
}

/* Host arrays of a kernel: inputs filled by the test, outputs of the CPU and of CUDA. */
static float inputs[6][ITEMS];
static float cpu[8][ITEMS], cuda[8][ITEMS];

static void fill(float *values, double low, double high)
{
    for (size_t i = 0; i < ITEMS; i++)
        values[i] = (float)uniform(low, high);
}

static rw_context *context_of(rw_backend backend)
{
    rw_context_options options;
    rw_context_options_init(&options);
    options.backend = backend;
    options.threads = 1;
    rw_context *context;
    if (rw_context_create(&options, &context) == RW_OK)
        return context;
    if (backend == RW_BACKEND_CUDA)
        printf("no GPU: %s\n", rw_last_error(context));
    rw_context_destroy(context);
    return NULL;
}

static void run(rw_backend backend, rw_kernel kernel, const void *args, rw_column *columns, size_t count)
{
    rw_context *context = context_of(backend);
    assert_non_null(context);
    assert_ok(context, rw_columns_run(context, backend, kernel, args, columns, count, ITEMS));
    rw_context_destroy(context);
}

static int has_gpu(void)
{
    rw_context *context = context_of(RW_BACKEND_CUDA);
    int found = context != NULL;
    rw_context_destroy(context);
    return found;
}

/* A complex value on both backends may differ by 1e-5 of its size, or of one thousandth of full scale where it
 * vanishes. */
static void assert_parity(int re, int im, double scale)
{
    for (size_t i = 0; i < ITEMS; i++) {
        double size = hypot(cpu[re][i], cpu[im][i]);
        double difference = hypot((double)cpu[re][i] - cuda[re][i], (double)cpu[im][i] - cuda[im][i]);
        assert_near(difference, 0, 1e-5 * (size > 1e-3 * scale ? size : 1e-3 * scale));
    }
}

static void run_wedges(rw_backend backend, float (*out)[ITEMS], int perfect, int holm)
{
    struct rw_wedge_coefficients_args args = {
        .wavenumber = 20.0f, .permittivity = {5.24f, -0.6f}, .perfect_conductor = perfect, .holm = holm};
    size_t bytes = sizeof inputs[0];
    rw_column columns[] = {
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
    run(backend, RW_KERNEL_wedge_coefficients, &args, columns, sizeof columns / sizeof *columns);
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
    rw_wedge_faces faces = rw_wedge_faces_of(&geometry, rw_complex_make(5.24f, -0.6f), perfect, holm);
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

static void wedge_kernel_agrees_on_gpu(void **state)
{
    (void)state;
    if (!has_gpu())
        skip();
    fill_wedges();
    for (int kind = 0; kind < 3; kind++) {
        run_wedges(RW_BACKEND_CPU, cpu, kind == 0, kind == 2);
        run_wedges(RW_BACKEND_CUDA, cuda, kind == 0, kind == 2);
        assert_parity(0, 1, 1.0);
        assert_parity(2, 3, 1.0);
    }
}

static void run_slabs(rw_backend backend, float (*out)[ITEMS])
{
    struct rw_slab_coefficients_args args = {0};
    size_t bytes = sizeof inputs[0];
    rw_column columns[] = {
        {&args.cosine_incidence, inputs[0], bytes, 0, NULL}, {&args.permittivity_re, inputs[1], bytes, 0, NULL},
        {&args.permittivity_im, inputs[2], bytes, 0, NULL},  {&args.thickness_wavelengths, inputs[3], bytes, 0, NULL},
        {&args.reflection_te_re, out[0], bytes, 1, NULL},    {&args.reflection_te_im, out[1], bytes, 1, NULL},
        {&args.reflection_tm_re, out[2], bytes, 1, NULL},    {&args.reflection_tm_im, out[3], bytes, 1, NULL},
        {&args.transmission_te_re, out[4], bytes, 1, NULL},  {&args.transmission_te_im, out[5], bytes, 1, NULL},
        {&args.transmission_tm_re, out[6], bytes, 1, NULL},  {&args.transmission_tm_im, out[7], bytes, 1, NULL},
    };
    run(backend, RW_KERNEL_slab_coefficients, &args, columns, sizeof columns / sizeof *columns);
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

static void slab_kernel_agrees_on_gpu(void **state)
{
    (void)state;
    if (!has_gpu())
        skip();
    fill_slabs();
    run_slabs(RW_BACKEND_CPU, cpu);
    run_slabs(RW_BACKEND_CUDA, cuda);
    for (int k = 0; k < 8; k += 2)
        assert_parity(k, k + 1, 1.0);
}

static rw_interface stack_cpu[ITEMS], stack_cuda[ITEMS];
static double doubles[ITEMS];

static rw_layer_field glazing[3] = {{{6.31, -0.06}, 0.004}, {{1.0, 0.0}, 0.012}, {{6.31, -0.06}, 0.006}};

static void run_stacks(rw_backend backend, rw_interface *out)
{
    struct rw_stack_coefficients_args args = {.layer_count = 3, .wavelength_m = 0.0857};
    rw_column columns[] = {{&args.layers, glazing, sizeof glazing, 0, NULL},
                           {&args.cosine_incidence, doubles, sizeof doubles, 0, NULL},
                           {&args.coefficients, out, sizeof stack_cpu, 1, NULL}};
    run(backend, RW_KERNEL_stack_coefficients, &args, columns, 3);
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
        skip();
    for (size_t i = 0; i < ITEMS; i++)
        doubles[i] = uniform(0.0, 1.0);
    run_stacks(RW_BACKEND_CPU, stack_cpu);
    run_stacks(RW_BACKEND_CUDA, stack_cuda);
    for (size_t i = 0; i < ITEMS; i++) {
        const double *a = &stack_cpu[i].reflection.te.re, *b = &stack_cuda[i].reflection.te.re;
        for (size_t part = 0; part < sizeof(rw_interface) / sizeof(double); part++)
            assert_near(a[part], b[part], 1e-9);
    }
}

static void run_phases(rw_backend backend, float (*out)[ITEMS], double wavelength_m)
{
    struct rw_phases_args args = {.wavelength_m = wavelength_m};
    rw_column columns[] = {{&args.length_m, doubles, sizeof doubles, 0, NULL},
                           {&args.cosine, out[0], sizeof inputs[0], 1, NULL},
                           {&args.sine, out[1], sizeof inputs[0], 1, NULL}};
    run(backend, RW_KERNEL_phases, &args, columns, 3);
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
        skip();
    double wavelength_m = RW_SPEED_OF_LIGHT_M_S / 60e9;
    for (size_t i = 0; i < ITEMS; i++)
        doubles[i] = uniform(0.0, 1.0e4);
    run_phases(RW_BACKEND_CPU, cpu, wavelength_m);
    run_phases(RW_BACKEND_CUDA, cuda, wavelength_m);
    assert_phases(cuda, wavelength_m);
    assert_parity(0, 1, 1.0);
}

static void run_knife_edges(rw_backend backend, float (*out)[ITEMS])
{
    struct rw_knife_edges_args args = {0};
    rw_column columns[] = {{&args.nu, inputs[0], sizeof inputs[0], 0, NULL},
                           {&args.field_re, out[0], sizeof inputs[0], 1, NULL},
                           {&args.field_im, out[1], sizeof inputs[0], 1, NULL}};
    run(backend, RW_KERNEL_knife_edges, &args, columns, 3);
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
        skip();
    fill_knife_edges();
    run_knife_edges(RW_BACKEND_CPU, cpu);
    run_knife_edges(RW_BACKEND_CUDA, cuda);
    assert_parity(0, 1, 1.0);
}

static void run_lobes(rw_backend backend, rw_scatter_kind kind, float (*out)[ITEMS])
{
    struct rw_scatter_lobe_args args = {.model = {kind, 4, 3, 0.7}};
    size_t bytes = sizeof inputs[0];
    rw_column columns[] = {{&args.cosine_incidence, inputs[0], bytes, 0, NULL},
                           {&args.cosine_scattering, inputs[1], bytes, 0, NULL},
                           {&args.cosine_azimuth, inputs[2], bytes, 0, NULL},
                           {&args.pattern_per_sr, out[0], bytes, 1, NULL}};
    run(backend, RW_KERNEL_scatter_lobe, &args, columns, 4);
}

static void fill_lobes(void)
{
    fill(inputs[0], 0.0, 1.0);
    fill(inputs[1], -0.2, 1.0);
    fill(inputs[2], -1.0, 1.0);
    memset(cpu[1], 0, sizeof cpu[1]);
    memset(cuda[1], 0, sizeof cuda[1]);
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
        skip();
    fill_lobes();
    for (int kind = RW_LOBE_LAMBERTIAN; kind <= RW_LOBE_BACKSCATTERING; kind++) {
        run_lobes(RW_BACKEND_CPU, (rw_scatter_kind)kind, cpu);
        run_lobes(RW_BACKEND_CUDA, (rw_scatter_kind)kind, cuda);
        assert_parity(0, 1, 1.0);
    }
}

static void run_free_space_map(rw_backend backend, float *out)
{
    struct rw_free_space_map_args args = {
        .source_x_m = 3, .source_y_m = -50, .source_z_m = 30, .res_m = 5, .columns = 200, .wavelength_m = 0.3};
    rw_column columns[] = {{&args.receiver_z_m, inputs[0], sizeof inputs[0], 0, NULL},
                           {&args.path_loss_db, out, sizeof inputs[0], 1, NULL}};
    run(backend, RW_KERNEL_free_space_map, &args, columns, 2);
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
        skip();
    fill(inputs[0], 0.0, 20.0);
    run_free_space_map(RW_BACKEND_CPU, cpu[0]);
    run_free_space_map(RW_BACKEND_CUDA, cuda[0]);
    for (size_t i = 0; i < ITEMS; i++)
        assert_near(cuda[0][i], cpu[0][i], 1e-4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wedge_kernel_agrees_with_reference),
        cmocka_unit_test(wedge_kernel_agrees_on_gpu),
        cmocka_unit_test(slab_kernel_agrees_with_reference),
        cmocka_unit_test(slab_kernel_agrees_on_gpu),
        cmocka_unit_test(stack_kernel_agrees_with_reference),
        cmocka_unit_test(stack_kernel_agrees_on_gpu),
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
