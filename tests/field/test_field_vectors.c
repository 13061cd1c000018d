/* Vector fields: reflection, transmission and diffraction with polarisation, antennas, and sums over paths. */
#include "field/paths/path_sums.k.h"
#include "field/paths/phases.k.h"
#include "field/paths/polarisation.k.h"
#include "field/surfaces/slab.k.h"
#include "field/edges/wedge_dyad.k.h"

#include "unit.h"

static uint64_t seed = 11;

static double uniform(double low, double high)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(seed >> 11) / 9007199254740992.0;
}

static rw_vec3 random_direction(void)
{
    for (;;) {
        rw_vec3 v = rw_vec3_of(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1));
        double length = rw_vec3_length(v);
        if (length > 0.1 && length < 1)
            return rw_vec3_scale(v, 1 / length);
    }
}

/* Field of a short dipole p in a direction: the part of p across it. */
static rw_vec3c dipole_field(rw_vec3 p, rw_vec3 direction)
{
    rw_vec3 across = rw_vec3_sub(p, rw_vec3_scale(direction, rw_vec3_dot(p, direction)));
    return rw_vec3c_along(rw_complex_of(1, 0), across);
}

static const rw_complex concrete = {5.24, -0.8};

/* The tangential field on metal vanishes: incident plus reflected, at any angle and polarisation. */
static void metal_has_no_tangential_field(void **state)
{
    (void)state;
    for (int trial = 0; trial < 2000; trial++) {
        rw_vec3 normal = random_direction(), direction = random_direction();
        if (rw_vec3_dot(direction, normal) > 0)
            direction = rw_vec3_scale(direction, -1);
        if (trial == 0)
            direction = rw_vec3_scale(normal, -1);
        rw_vec3c field = dipole_field(random_direction(), direction);
        rw_vec3c reflected = rw_reflect_field(field, direction, normal, rw_fresnel_perfect_conductor().reflection);
        rw_vec3c total = rw_vec3c_add(field, reflected);
        rw_complex along = rw_vec3c_dot(total, normal);
        rw_vec3c tangential = rw_vec3c_add(total, rw_vec3c_along(rw_complex_scale(along, -1), normal));
        assert_near(sqrt(rw_vec3c_abs2(tangential)), 0, 1e-9);
        assert_near(rw_vec3c_abs2(reflected), rw_vec3c_abs2(field), 1e-9);
    }
}

/* Voltage from dipole a by way of an interaction to dipole b and back. */
static void reflection_and_transmission_are_reciprocal(void **state)
{
    (void)state;
    for (int trial = 0; trial < 2000; trial++) {
        rw_vec3 normal = random_direction(), direction = random_direction(), a = random_direction(),
                b = random_direction();
        if (rw_vec3_dot(direction, normal) > 0)
            direction = rw_vec3_scale(direction, -1);
        rw_vec3 onward = rw_reflected_direction(direction, normal);
        rw_te_tm reflection = rw_fresnel(concrete, rw_vec3_dot(direction, normal)).reflection;
        rw_complex there = rw_vec3c_dot(rw_reflect_field(dipole_field(a, direction), direction, normal, reflection), b);
        rw_vec3 back_in = rw_vec3_scale(onward, -1);
        rw_complex back = rw_vec3c_dot(rw_reflect_field(dipole_field(b, back_in), back_in, normal, reflection), a);
        assert_near(there.re, back.re, 1e-12);
        assert_near(there.im, back.im, 1e-12);
        rw_layer_field layer = {{5.24, -0.8}, 0.1};
        rw_te_tm transmission = rw_slab_stack(&layer, 1, rw_vec3_dot(direction, normal), 0.2).transmission;
        rw_vec3 reversed = rw_vec3_scale(direction, -1);
        there = rw_vec3c_dot(rw_transmit_field(dipole_field(a, direction), direction, normal, transmission), b);
        back = rw_vec3c_dot(rw_transmit_field(dipole_field(b, reversed), reversed, normal, transmission), a);
        assert_near(there.re, back.re, 1e-12);
        assert_near(there.im, back.im, 1e-12);
    }
}

/* The edge along z, 0-face on +x with normal +y. */
static rw_edge_frame frame_of(double n)
{
    rw_edge_frame frame = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}, n};
    return frame;
}

static rw_vec3 at(double radius, double angle, double z)
{
    return rw_vec3_of(radius * cos(angle), radius * sin(angle), z);
}

static rw_vec3c spherical(rw_vec3c field, double amplitude, double length_m, double wavelength_m)
{
    return rw_vec3c_scale(field, rw_complex_scale(rw_path_phasor(length_m, wavelength_m), amplitude));
}

/* Total field at an observer of a dipole by a wedge of n: direct, reflected from either face, diffracted. */
static rw_vec3c total_field(double n, rw_vec3 source, double source_angle, rw_vec3 observer, double observer_angle,
                            rw_vec3 dipole, int perfect, int holm, double wavelength_m)
{
    rw_edge_frame frame = frame_of(n);
    rw_vec3c total = {{0, 0}, {0, 0}, {0, 0}};
    if (fabs(observer_angle - source_angle) <= RW_PI) {
        rw_vec3 way = rw_vec3_sub(observer, source);
        double length = rw_vec3_length(way);
        total = spherical(dipole_field(dipole, rw_vec3_unit(way)), 1 / length, length, wavelength_m);
    }
    for (int face = 0; face < 2; face++) {
        double turn = face * n * RW_PI;
        rw_vec3 normal = rw_vec3_of(face ? sin(turn) : 0, face ? -cos(turn) : 1, 0);
        double limit = face ? 2 * turn - (source_angle + observer_angle) : source_angle + observer_angle;
        if (!(limit <= RW_PI))
            continue;
        rw_vec3 image = rw_vec3_sub(source, rw_vec3_scale(normal, 2 * rw_vec3_dot(source, normal)));
        double length = rw_vec3_length(rw_vec3_sub(observer, image));
        rw_vec3 onward = rw_vec3_unit(rw_vec3_sub(observer, image)), inward = rw_reflected_direction(onward, normal);
        rw_te_tm reflection = perfect ? rw_fresnel_perfect_conductor().reflection
                                      : rw_fresnel(concrete, rw_vec3_dot(inward, normal)).reflection;
        rw_vec3c field = rw_reflect_field(dipole_field(dipole, inward), inward, normal, reflection);
        total = rw_vec3c_add(total, spherical(field, 1 / length, length, wavelength_m));
    }
    double ra = hypot(source.x, source.y), rb = hypot(observer.x, observer.y);
    rw_vec3 edge_point = rw_vec3_of(0, 0, source.z + (observer.z - source.z) * ra / (ra + rb));
    rw_vec3 to = rw_vec3_sub(edge_point, source), from = rw_vec3_sub(observer, edge_point);
    double before = rw_vec3_length(to), after = rw_vec3_length(from);
    rw_vec3c incident = dipole_field(dipole, rw_vec3_unit(to));
    rw_wedge_material faces = {concrete, perfect, holm};
    rw_vec3c diffracted = rw_diffract_field(incident, &frame, rw_vec3_unit(to), rw_vec3_unit(from), before, after,
                                            &faces, 2 * RW_PI / wavelength_m, RW_WEDGE_REFERENCE);
    return rw_vec3c_add(total,
                        spherical(diffracted, rw_spreading_diffracted(before, after), before + after, wavelength_m));
}

static void perfect_faces_do_not_mix_polarisations(void **state)
{
    (void)state;
    for (int trial = 0; trial < 500; trial++) {
        rw_vec3 edge = {0, 0, 1}, along = {1, 0, 0}, normal = {0, 1, 0};
        rw_wedge_material metal = {concrete, 1, 1}, stone = {concrete, 0, 1};
        rw_matrix2 m = rw_face_matrix(edge, along, normal, uniform(0.01, 3.1), uniform(-0.95, 0.95), &metal);
        assert_near(m.beta_beta.re, -1, 1e-9);
        assert_near(m.phi_phi.re, 1, 1e-9);
        assert_near(rw_complex_abs(m.beta_phi), 0, 1e-9);
        assert_near(rw_complex_abs(m.phi_beta), 0, 1e-9);
        rw_matrix2 lossy = rw_face_matrix(edge, along, normal, 0.5, 0, &stone);
        rw_te_tm expected = rw_fresnel(concrete, sin(0.5)).reflection;
        assert_near(lossy.beta_beta.re, expected.te.re, 1e-12);
        assert_near(lossy.phi_phi.im, expected.tm.im, 1e-12);
    }
}

/* Vector fields of a dipole a hair to both sides of each boundary, at oblique incidence. */
static void vector_field_is_continuous(void **state)
{
    (void)state;
    for (int trial = 0; trial < 600; trial++) {
        double n = uniform(1.2, 2.0), source_angle = uniform(0.1, n * RW_PI - 0.1), hair = 1e-8;
        double boundaries[] = {source_angle + RW_PI, source_angle - RW_PI, RW_PI - source_angle,
                               2 * n * RW_PI - RW_PI - source_angle};
        double boundary = boundaries[trial % 4];
        if (!(boundary > 0.05 && boundary < n * RW_PI - 0.05))
            continue;
        rw_vec3 source = at(15, source_angle, 0), dipole = random_direction();
        double z = uniform(-20, 20), radius = uniform(2, 20);
        rw_vec3c a = total_field(n, source, source_angle, at(radius, boundary - hair, z), boundary - hair, dipole,
                                 trial % 2, trial % 4 < 2, 0.05);
        rw_vec3c b = total_field(n, source, source_angle, at(radius, boundary + hair, z), boundary + hair, dipole,
                                 trial % 2, trial % 4 < 2, 0.05);
        rw_vec3c difference = rw_vec3c_add(a, rw_vec3c_scale(b, rw_complex_of(-1, 0)));
        double change = sqrt(rw_vec3c_abs2(difference) / rw_vec3c_abs2(a));
        assert_near(20 * log10(1 + change), 0, 0.01);
    }
}

static void vector_diffraction_is_reciprocal(void **state)
{
    (void)state;
    for (int trial = 0; trial < 500; trial++) {
        double n = uniform(1.2, 2.0), angle = uniform(0.05, n * RW_PI - 0.05), other = uniform(0.05, n * RW_PI - 0.05);
        rw_vec3 source = at(uniform(2, 20), angle, 0), observer = at(uniform(2, 20), other, uniform(-20, 20));
        rw_vec3 a = random_direction(), b = random_direction();
        rw_complex there =
            rw_vec3c_dot(total_field(n, source, angle, observer, other, a, trial % 2, trial % 4 < 2, 0.05), b);
        rw_complex back =
            rw_vec3c_dot(total_field(n, observer, other, source, angle, b, trial % 2, trial % 4 < 2, 0.05), a);
        double size = 1 / rw_vec3_length(rw_vec3_sub(source, observer));
        assert_near(there.re, back.re, 1e-9 * size);
        assert_near(there.im, back.im, 1e-9 * size);
    }
}

static void antennas_point_where_they_are_told(void **state)
{
    (void)state;
    rw_antenna_axes north = rw_antenna_axes_of(0, 0, 0), east = rw_antenna_axes_of(90, 10, 0);
    assert_near(north.forward.y, 1, 1e-12);
    assert_near(north.up.z, 1, 1e-12);
    assert_near(north.left.x, -1, 1e-12);
    assert_near(east.forward.x, cos(10 * RW_PI / 180), 1e-12);
    assert_near(east.forward.z, -sin(10 * RW_PI / 180), 1e-12);
    rw_antenna_axes rolled =
        rw_antenna_axes_of(0, 0, 90); /* clockwise from behind: up goes to the right, which is east */
    assert_near(rolled.up.x, 1, 1e-12);
    for (int trial = 0; trial < 200; trial++) {
        rw_antenna_axes axes = rw_antenna_axes_of(uniform(0, 360), uniform(-90, 90), uniform(-180, 180));
        rw_vec3 direction = random_direction();
        rw_vec3c e = rw_polarisation_vector(&axes, rw_polarisation_slanted(uniform(-90, 90)), direction);
        assert_near(rw_vec3c_abs2(e), 1, 1e-12);
        assert_near(rw_complex_abs(rw_vec3c_dot(e, direction)), 0, 1e-12);
    }
}

static void polarisations_match_and_cross(void **state)
{
    (void)state;
    rw_antenna_axes axes = rw_antenna_axes_of(0, 0, 0), back = rw_antenna_axes_of(180, 0, 0);
    rw_vec3 north = {0, 1, 0}, south = {0, -1, 0};
    rw_vec3c up = rw_polarisation_vector(&axes, rw_polarisation_slanted(0), north);
    rw_vec3c level = rw_polarisation_vector(&axes, rw_polarisation_slanted(90), north);
    assert_near(rw_complex_abs(rw_vec3c_dot(up, rw_vec3_of(0, 0, 1))), 1, 1e-12);
    assert_near(rw_complex_abs(rw_vec3c_dot(level, rw_vec3_of(1, 0, 0))), 1, 1e-12);
    rw_vec3c receiver = rw_polarisation_vector(&back, rw_polarisation_slanted(0), south);
    assert_near(rw_complex_abs(rw_received_voltage(receiver, up)), 1, 1e-12);
    assert_near(rw_complex_abs(rw_received_voltage(receiver, level)), 0, 1e-12);
    /* Two circular antennas of one hand that face each other match; of two hands they cross. */
    rw_vec3c right = rw_polarisation_vector(&axes, rw_polarisation_circular(1), north);
    rw_vec3c same = rw_polarisation_vector(&back, rw_polarisation_circular(1), south);
    rw_vec3c opposite = rw_polarisation_vector(&back, rw_polarisation_circular(0), south);
    assert_near(rw_complex_abs(rw_received_voltage(same, right)), 1, 1e-12);
    assert_near(rw_complex_abs(rw_received_voltage(opposite, right)), 0, 1e-12);
}

static void received_power_follows_friis(void **state)
{
    (void)state;
    /* A half-wave dipole (1.64, 73.1 ohm) has the effective length lambda / pi. */
    assert_near(rw_effective_length_m(1.6409, 1.0, 73.13), 1 / RW_PI, 2e-4);
    rw_vec3c up = {{0, 0}, {0, 0}, {1, 0}};
    rw_vec3c field = rw_vec3c_scale(up, rw_complex_of(1 / 250.0, 0));
    double expected = 0.1 / (4 * RW_PI * 250.0) * sqrt(10.0 * 2.0);
    assert_near(rw_complex_abs(rw_path_gain(up, field, 10, 2, 0.1)), expected, 1e-15);
    /* Volts into a matched load and watts say the same: V^2 / 4R = S lambda^2 G / 4 pi. */
    double volts = rw_effective_length_m(2, 0.1, 50) * 1e-3;
    assert_near(volts * volts / (4 * 50), 1e-6 / RW_IMPEDANCE_OF_SPACE_OHM * 0.01 * 2 / (4 * RW_PI), 1e-20);
}

static void sums_over_paths_follow_their_definitions(void **state)
{
    (void)state;
    rw_path_sample two[] = {{{1e-3, 0}, 1e-6, 1.5, 0.1}, {{0, 1e-3}, 3e-6, 1.5, 0.3}};
    assert_near(rw_total_power(two, 2), 2e-6, 1e-18);
    assert_near(rw_coherent_power(two, 2), 2e-6, 1e-18);
    assert_near(rw_mean_delay_s(two, 2), 2e-6, 1e-18);
    assert_near(rw_delay_spread_s(two, 2), 1e-6, 1e-15);
    assert_near(rw_rician_k(two, 2), 1, 1e-12);
    assert_near(rw_angular_spread_rad(two, 2, 1), 0.1, 3e-4);
    assert_near(rw_angular_spread_rad(two, 2, 0), 0, 1e-7);
    rw_path_sample opposite[] = {{{1, 0}, 0, 1, 0}, {{-1, 0}, 0, 1, RW_PI}};
    assert_near(rw_coherent_power(opposite, 2), 0, 1e-30);
    assert_true(rw_angular_spread_rad(opposite, 2, 1) > 3 && isfinite(rw_angular_spread_rad(opposite, 2, 1)));
    assert_true(isinf(rw_rician_k(two, 1)));
    assert_near(rw_delay_spread_s(two, 1), 0, 0);
    assert_near(rw_delay_spread_s(two, 0), 0, 0);
    assert_near(rw_rician_k(two, 0), 0, 0);
    rw_path_sample many[3] = {{{2, 0}, 0, 1, 0}, {{1, 0}, 1, 1, 0}, {{0.5, 0}, 2, 1, 0}};
    assert_near(rw_rician_k(many, 3), 4 / 1.25, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(metal_has_no_tangential_field),
        cmocka_unit_test(reflection_and_transmission_are_reciprocal),
        cmocka_unit_test(perfect_faces_do_not_mix_polarisations),
        cmocka_unit_test(vector_field_is_continuous),
        cmocka_unit_test(vector_diffraction_is_reciprocal),
        cmocka_unit_test(antennas_point_where_they_are_told),
        cmocka_unit_test(polarisations_match_and_cross),
        cmocka_unit_test(received_power_follows_friis),
        cmocka_unit_test(sums_over_paths_follow_their_definitions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
