/* The image tree by rendering against what is known without it: the closed sum of images of a shoebox, and exhaustive
 * enumeration where rooms have a window, a door and slabs. */
#include "rooms.h"

#include <rasterwave/calc.h>

#define BOX_X 6.0
#define BOX_Y 4.5
#define BOX_Z 2.8

/* --- the shoebox: images on a lattice, walls in the order in which the unfolded ray meets them */

typedef struct lattice_image {
    int cells[3]; /* of the unfolded lattice that the image's receiver is in */
    int order;
} lattice_image;

static double box_size(int axis)
{
    return axis == 0 ? BOX_X : axis == 1 ? BOX_Y : BOX_Z;
}

static void mirror_component(double vector[3], int axis)
{
    vector[axis] = -vector[axis];
}

/* One reflection of a field that travels along d, at a wall across the axis: TE and TM parts by hand. */
static void reflect_by_hand(rw_complex field[3], double d[3], int axis, rw_complex permittivity)
{
    rw_te_tm r = rw_fresnel(permittivity, fabs(d[axis])).reflection;
    double n[3] = {0, 0, 0}, te[3], before[3], after[3], length = 0;
    n[axis] = 1;
    double out[3] = {d[0], d[1], d[2]};
    mirror_component(out, axis);
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        te[i] = d[j] * n[k] - d[k] * n[j];
        length += te[i] * te[i];
    }
    for (int i = 0; i < 3; i++)
        te[i] /= sqrt(length);
    rw_complex along_te = {0, 0}, along_tm = {0, 0};
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        before[i] = te[j] * d[k] - te[k] * d[j];
        after[i] = te[j] * out[k] - te[k] * out[j];
    }
    for (int i = 0; i < 3; i++) {
        along_te = rw_complex_add(along_te, rw_complex_scale(field[i], te[i]));
        along_tm = rw_complex_add(along_tm, rw_complex_scale(field[i], before[i]));
    }
    along_te = rw_complex_mul(along_te, r.te);
    along_tm = rw_complex_mul(along_tm, r.tm);
    for (int i = 0; i < 3; i++) {
        field[i] = rw_complex_add(rw_complex_scale(along_te, te[i]), rw_complex_scale(along_tm, after[i]));
        d[i] = out[i];
    }
}

/* The next wall of the unfolded lattice that a ray from source, in direction d, meets beyond share: its axis. */
static int next_wall(const double source[3], const double unfolded[3], double *share)
{
    int axis = -1;
    double nearest = 1;
    for (int a = 0; a < 3; a++) {
        double way = unfolded[a] - source[a];
        for (int wall = -8; wall <= 8; wall++) {
            double t = (wall * box_size(a) - source[a]) / way;
            if (t > *share && t < nearest) {
                nearest = t;
                axis = a;
            }
        }
    }
    *share = nearest;
    return axis;
}

/* Gain of the path to the receiver's image in a cell of the lattice: vertical field, isotropic antennas. */
static rw_complex lattice_gain(const double source[3], const double receiver[3], const int cells[3],
                               rw_complex permittivity, double wavelength_m)
{
    double unfolded[3], d[3], length = 0;
    for (int a = 0; a < 3; a++) {
        unfolded[a] =
            cells[a] % 2 == 0 ? cells[a] * box_size(a) + receiver[a] : (cells[a] + 1) * box_size(a) - receiver[a];
        d[a] = unfolded[a] - source[a];
        length += d[a] * d[a];
    }
    length = sqrt(length);
    for (int a = 0; a < 3; a++)
        d[a] /= length;
    double across = hypot(d[0], d[1]);
    /* theta of the direction d */
    rw_complex field[3] = {{d[0] * d[2] / across, 0}, {d[1] * d[2] / across, 0}, {-across, 0}};
    double share = 0;
    for (int axis; (axis = next_wall(source, unfolded, &share)) >= 0;)
        reflect_by_hand(field, d, axis, permittivity);
    /* The receiver's theta where the wave comes from. */
    double from[3] = {-d[0], -d[1], -d[2]}, level = hypot(from[0], from[1]);
    double theta[3] = {from[0] * from[2] / level, from[1] * from[2] / level, -level};
    rw_complex sum = {0, 0};
    for (int a = 0; a < 3; a++)
        sum = rw_complex_add(sum, rw_complex_scale(field[a], theta[a]));
    double turns = length / wavelength_m;
    return rw_complex_scale(rw_complex_mul(sum, rw_complex_polar(1, -2 * RW_PI * (turns - floor(turns)))),
                            wavelength_m / (4 * RW_PI * length));
}

static rw_complex lattice_sum(const double source[3], const double receiver[3], int order, rw_complex permittivity,
                              double wavelength_m, size_t *count)
{
    rw_complex sum = {0, 0};
    *count = 0;
    for (int i = -order; i <= order; i++)
        for (int j = -order; j <= order; j++)
            for (int k = -order; k <= order; k++) {
                if (abs(i) + abs(j) + abs(k) > order)
                    continue;
                int cells[3] = {i, j, k};
                sum = rw_complex_add(sum, lattice_gain(source, receiver, cells, permittivity, wavelength_m));
                ++*count;
            }
    return sum;
}

static rw_scene *box_scene(rw_context *context, const char *surface)
{
    rw_scene *scene;
    assert_ok(context, rw_scene_create(context, &scene));
    add_room(context, scene, BOX_X, BOX_Y, BOX_Z, surface);
    assert_ok(context, rw_scene_commit(scene));
    return scene;
}

static void check_box(rw_backend backend, const char *surface, int order, double tolerance)
{
    rw_context *context = make_context_of(backend, 2);
    if (!context)
        skip_test("no GPU");
    rw_scene *scene = box_scene(context, surface);
    const double source[3] = {1.31, 1.77, 2.03};
    const double receivers[3][3] = {{4.97, 3.21, 1.11}, {0.43, 0.39, 0.51}, {2.91, 2.63, 2.47}};
    rw_vec3 places[3];
    for (int i = 0; i < 3; i++)
        places[i] = in_frame(scene, receivers[i][0], receivers[i][1], receivers[i][2]);
    rw_ray_scene rays =
        rays_of(context, scene, 2.5e9, "isotropic", 0, in_frame(scene, source[0], source[1], source[2]));
    assert_int_equal(rays.surfaces.view.surface_count, 6);
    rw_points points = points_of(context, places, 3);
    rw_ray_sums sums[3] = {{0}};
    rw_images_options options = {.depth = order, .pixels = 512, .threshold = 1};
    assert_ok(context, rw_images_solve(&rays, &points, &options, sums, NULL));
    for (int i = 0; i < 3; i++) {
        size_t images;
        const double *receiver = receivers[points.cells[i]];
        rw_complex expected =
            lattice_sum(source, receiver, order, rays.walls[0].layers[0].permittivity, rays.view.wavelength_m, &images);
        double straight = rw_vec3_length(rw_vec3_sub(points.positions[i], rays.view.source));
        double unit = rays.view.wavelength_m / (4 * RW_PI * straight) / RW_RAY_AMPLITUDE_UNITS;
        assert_int_equal(sums[i].count, images);
        double size = rw_complex_abs(expected);
        assert_near((double)sums[i].re * unit / size, expected.re / size, tolerance);
        assert_near((double)sums[i].im * unit / size, expected.im / size, tolerance);
    }
    rw_points_destroy(&points);
    rw_ray_scene_destroy(&rays);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

/* 377 images of up to six reflections: each found, none twice. */
static void shoebox_equals_the_closed_sum_of_images(void **state)
{
    (void)state;
    check_box(RW_BACKEND_CPU, "itu_concrete", 6, 1e-9);
    check_box(RW_BACKEND_CPU, "itu_metal", 6, 1e-9);
    for (int order = 1; order <= 3; order++)
        check_box(RW_BACKEND_CPU, "itu_brick", order, 1e-9);
}

static void shoebox_on_the_gpu(void **state)
{
    (void)state;
    check_box(RW_BACKEND_CUDA, "itu_concrete", 6, 1e-4);
}

/* --- rooms with a window, a door and slabs */

static void check_rooms(rw_backend backend, const rw_images_options *options, const char *antenna, double roll_deg)
{
    rw_context *context = make_context_of(backend, 2);
    if (!context)
        skip_test("no GPU");
    rw_scene *scene = two_rooms(context);
    rw_vec3 places[64];
    size_t count = 0;
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 5; j++)
            places[count++] = in_frame(scene, 0.63 + 1.23 * i, 0.41 + 0.77 * j, 1.13);
    places[count++] = in_frame(scene, 12.3, 2.2, 1.7); /* outside */
    rw_ray_scene rays = rays_of(context, scene, 2.4e9, antenna, roll_deg, in_frame(scene, 1.17, 2.71, 2.21));
    rw_points points = points_of(context, places, count);
    rw_ray_sums sums[64] = {{0}}, expected[64] = {{0}};
    uint32_t steps[RW_IMAGE_DEPTH_MAX];
    assert_ok(context, rw_images_solve(&rays, &points, options, sums, NULL));
    enumerate_paths(&rays, &points, options->depth, steps, 0, expected);
    size_t paths = 0;
    for (size_t i = 0; i < count; i++) {
        paths += (size_t)expected[i].count;
        assert_int_equal(sums[i].count, expected[i].count);
        double size = hypot((double)expected[i].re, (double)expected[i].im);
        double tolerance = backend == RW_BACKEND_CPU ? 1e-9 : 1e-4;
        assert_near((double)sums[i].re / size, (double)expected[i].re / size, tolerance);
        assert_near((double)sums[i].im / size, (double)expected[i].im / size, tolerance);
        assert_near((double)sums[i].delay_squared, (double)expected[i].delay_squared,
                    fabs((double)expected[i].delay_squared) * tolerance + 100);
    }
    printf("%zu paths\n", paths);
    assert_true(paths > 1000);
    rw_points_destroy(&points);
    rw_ray_scene_destroy(&rays);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

static void rooms_equal_exhaustive_enumeration(void **state)
{
    (void)state;
    rw_images_options options = {.depth = 3, .pixels = 1024, .threshold = 1};
    check_rooms(RW_BACKEND_CPU, &options, "isotropic", 0);
    check_rooms(RW_BACKEND_CPU, &options, "dipole", 45);
}

/* Small batches give the same as large ones. */
static void batches_do_not_matter(void **state)
{
    (void)state;
    rw_images_options options = {.depth = 3, .pixels = 1024, .threshold = 1, .batch_pixels = 50000};
    check_rooms(RW_BACKEND_CPU, &options, "isotropic", 0);
}

/* Columns in strips, of any height, show what whole columns show. */
static void strips_do_not_matter(void **state)
{
    (void)state;
    rw_context *context = make_context_of(RW_BACKEND_CPU, 2);
    rw_scene *scene = two_rooms(context);
    rw_ray_scene rays = rays_of(context, scene, 2.4e9, "isotropic", 0, in_frame(scene, 1.17, 2.71, 2.21));
    rw_vec3 place = in_frame(scene, 8.3, 1.2, 1.3);
    rw_points points = points_of(context, &place, 1);
    rw_view_tree_size whole = {0};
    const uint32_t strips[] = {0, 128, 32, 37, 1};
    for (size_t i = 0; i < 5; i++) {
        rw_images_options options = {.depth = 3, .pixels = 300, .threshold = 1, .strip_rows = strips[i], .timed = 1};
        rw_view_tree_size size;
        rw_ray_sums sums = {0};
        static rw_ray_sums expected;
        assert_ok(context, rw_images_solve(&rays, &points, &options, &sums, &size));
        for (int stage = 0; stage < RW_VIEW_STAGES; stage++)
            assert_true(size.seconds[stage] >= 0 && size.seconds[stage] < 100);
        assert_true(size.seconds[RW_VIEW_STAGE_DRAW] > 0 && size.seconds[RW_VIEW_STAGE_PATHS] > 0);
        memset(size.seconds, 0, sizeof size.seconds);
        if (i == 0) {
            expected = sums;
            whole = size;
        }
        assert_memory_equal(&size, &whole, sizeof size);
        assert_memory_equal(&sums, &expected, sizeof sums);
    }
    rw_points_destroy(&points);
    rw_ray_scene_destroy(&rays);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

static void rooms_on_the_gpu(void **state)
{
    (void)state;
    rw_images_options options = {.depth = 3, .pixels = 1024, .threshold = 1};
    check_rooms(RW_BACKEND_CUDA, &options, "isotropic", 0);
}

/* --- free edges */

/* The field of a wall that ends, at points round its edge, relative to free space; the wall is the half plane y = 0,
 * x > 0. */
static void field_round_edge(const char *surface, const double *degrees, size_t count, rw_complex *fields)
{
    rw_context *context = make_context_of(RW_BACKEND_CPU, 2);
    rw_scene *scene = make_scene(context);
    add_slab_of(context, scene, "brick", "itu_brick", 0.02);
    add_panel_of(context, scene, 0, 0, 40000, 0, -20000, 20000, surface); /* its other edges are far */
    assert_ok(context, rw_scene_commit(scene));
    rw_vec3 places[64];
    for (size_t i = 0; i < count; i++)
        places[i] = in_frame(scene, 6 * cos(degrees[i] * RW_PI / 180), 6 * sin(degrees[i] * RW_PI / 180), 1);
    rw_vec3 source = in_frame(scene, 4 * cos(70 * RW_PI / 180), 4 * sin(70 * RW_PI / 180), 1);
    rw_ray_scene rays = rays_of(context, scene, 1e9, "isotropic", 0, source);
    rw_points points = points_of(context, places, count);
    rw_ray_sums sums[64] = {{0}};
    rw_images_options options = {.depth = 1, .pixels = 512, .threshold = 1, .diffraction = 1};
    assert_ok(context, rw_images_solve(&rays, &points, &options, sums, NULL));
    for (size_t i = 0; i < count; i++) {
        double straight = rw_vec3_length(rw_vec3_sub(points.positions[i], source));
        rw_complex sum = {(double)sums[i].re / RW_RAY_AMPLITUDE_UNITS, (double)sums[i].im / RW_RAY_AMPLITUDE_UNITS};
        /* without the phase of the straight line */
        fields[points.cells[i]] =
            rw_complex_mul(sum, rw_complex_conj(rw_path_phasor(straight, rays.view.wavelength_m)));
    }
    rw_points_destroy(&points);
    rw_ray_scene_destroy(&rays);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

/* A wall of metal is the half plane of the uniform theory of diffraction: lit, in shadow, with and without reflection.
 */
static void a_wall_that_ends_is_a_half_plane(void **state)
{
    (void)state;
    double degrees[34];
    rw_complex fields[34];
    for (int i = 0; i < 34; i++)
        degrees[i] = 10.3 + 10 * i;
    field_round_edge("itu_metal", degrees, 34, fields);
    rw_context *context = make_context();
    for (int i = 0; i < 34; i++) {
        rw_wedge_options options;
        rw_wedge_options_init(&options);
        options.freq_hz = 1e9;
        options.exterior_angle_deg = 360;
        options.source_m = 4;
        options.source_angle_deg = 70;
        options.observer_m = 6;
        options.observer_angle_deg = degrees[i];
        options.material = "pec";
        rw_wedge_result expected = {.size = sizeof expected};
        assert_ok(context, rw_calc_wedge(context, &options, &expected));
        assert_near(fields[i].re, expected.soft.re, 2e-3);
        assert_near(fields[i].im, expected.soft.im, 2e-3);
    }
    rw_context_destroy(context);
}

/* A wall that lets some through: continuous where the direct ray begins to go through it (250 degrees) and where its
 * reflection ends (290 degrees the other way round: 110). */
static void a_wall_that_ends_is_continuous(void **state)
{
    (void)state;
    const double degrees[] = {249.6, 250.4, 109.95, 110.05};
    rw_complex fields[4];
    field_round_edge("brick", degrees, 4, fields);
    /* the direct ray loses 0.4 of its field there, which the edge has to make up for */
    assert_near(rw_complex_abs(rw_complex_sub(fields[0], fields[1])), 0, 0.1);
    assert_near(rw_complex_abs(rw_complex_sub(fields[2], fields[3])), 0, 0.1);
}

/* The table that maps read against the slab itself, at angles between its samples. */
static void wall_tables_follow_the_slab(void **state)
{
    (void)state;
    static rw_wall_response table[RW_CONSTRUCTION_SAMPLES + 1];
    rw_context *context = make_context();
    rw_scene *scene = make_scene(context);
    const rw_layer layers[] = {{sizeof(rw_layer), "itu_concrete", 0.22},
                               {sizeof(rw_layer), "itu_wood", 0.3},
                               {sizeof(rw_layer), "itu_ceiling_board", 0.015}};
    rw_slab slab = {sizeof slab, "deck", layers, 3};
    assert_ok(context, rw_scene_add_slab(scene, &slab));
    for (int f = 0; f < 3; f++) {
        double freq_hz = 1e9 * (1 + 2.5 * f), worst = 0;
        rw_construction wall;
        assert_ok(context, rw_construction_find(scene, "deck", freq_hz, &wall));
        rw_construction_tabulate(NULL, &wall, 299792458.0 / freq_hz, table);
        for (int i = 1; i < 3000; i++) {
            double cosine = i / 3000.0;
            rw_wall_response exact = rw_wall_response_exact(&wall, cosine, 299792458.0 / freq_hz);
            rw_wall_response read = rw_wall_response_read(table, cosine);
            const double *a = (const double *)&exact, *b = (const double *)&read;
            for (int j = 0; j < 12; j++)
                worst = worse_of(worst, fabs(a[j] - b[j]));
        }
        assert_near(worst, 0, 1e-5);
    }
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shoebox_equals_the_closed_sum_of_images),
        cmocka_unit_test(shoebox_on_the_gpu),
        cmocka_unit_test(rooms_equal_exhaustive_enumeration),
        cmocka_unit_test(batches_do_not_matter),
        cmocka_unit_test(strips_do_not_matter),
        cmocka_unit_test(rooms_on_the_gpu),
        cmocka_unit_test(a_wall_that_ends_is_a_half_plane),
        cmocka_unit_test(a_wall_that_ends_is_continuous),
        cmocka_unit_test(wall_tables_follow_the_slab),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
