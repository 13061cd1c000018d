/* Beams against closed image series: a street canyon of two walls and a right-angled corner. Path lengths, powers and
 * delays, in maps and as paths; and what must not change a result: memory, threads, how often it is asked for. */
#include "base/maths/complex.h"
#include "field/surfaces/slab.k.h"
#include "field/edges/wedge_field.k.h"
#include "shapes.h"

#include "unit.h"

#include <rasterwave/calc.h>

#define C_M_S 299792458.0
#define PI 3.14159265358979323846
#define PATHS_MAX 64

typedef struct series_case {
    rw_context *context;
    rw_scene *scene;
    rw_transmitter tx;
    rw_predict_options options;
} series_case;

static series_case begin(void)
{
    series_case now = {.context = make_context_of(RW_BACKEND_CPU, 2)};
    now.scene = make_scene(now.context);
    rw_transmitter_init(&now.tx);
    rw_predict_options_init(&now.options);
    now.options.model = "beams";
    now.options.roofs = "none";      /* its own paths */
    now.options.memory_bytes = 64e6; /* sanitizers look after every byte of it */
    now.options.transmitter_count = 1;
    now.options.freq_hz = 2e9;
    return now;
}

static void end(series_case *now)
{
    rw_scene_destroy(now->scene);
    rw_context_destroy(now->context);
}

static void add_wall(series_case *now, double x0, double y0, double x1, double y1, const char *surface)
{
    rw_panel panel = {
        .size = sizeof panel, .x0_m = x0, .y0_m = y0, .x1_m = x1, .y1_m = y1, .top_m = 100, .surface = surface};
    assert_ok(now->context, rw_scene_add_panel(now->scene, &panel));
}

static rw_map *solve(series_case *now)
{
    rw_map *map;
    now->options.transmitters = &now->tx;
    assert_ok(now->context, rw_predict(now->scene, &now->options, &map));
    return map;
}

static rw_map_layer layer_of(const rw_map *map, const char *name)
{
    rw_map_layer layer = {.size = sizeof layer};
    size_t index;
    if (rw_map_find_layer(map, name, &index) != RW_OK || rw_map_get_layer(map, index, &layer) != RW_OK)
        fail_msg("no layer %s\n", name);
    return layer;
}

/* One term of a series: where the image is, and the loss of its reflections. */
typedef struct term {
    double length_m, loss_db;
} term;

static int compare_terms(const void *a, const void *b)
{
    double first = ((const term *)a)->length_m, second = ((const term *)b)->length_m;
    return first < second ? -1 : first > second;
}

static rw_complex permittivity(double freq_hz)
{
    rw_context *context = make_context();
    rw_material_result concrete = {.size = sizeof concrete};
    assert_ok(context, rw_calc_material(context, "itu_concrete", freq_hz, &concrete));
    rw_context_destroy(context);
    return rw_complex_of(concrete.permittivity.re, concrete.permittivity.im);
}

/* Two walls y = 0 and y = width, both endless: images at y = 2 k width +- y0, with |2k| or |2k - 1| reflections. */
static size_t canyon(const series_case *now, double width, const double to[3], int reflections, int theory, term *terms)
{
    size_t count = 0;
    rw_complex eps = permittivity(now->options.freq_hz);
    for (int k = -reflections; k <= reflections; k++)
        for (int sign = -1; sign <= 1; sign += 2) {
            int bounces = sign > 0 ? 2 * abs(k) : k > 0 ? 2 * k - 1 : 1 - 2 * k;
            if (bounces > reflections)
                continue;
            double dx = to[0] - now->tx.x_m, dy = to[1] - (2 * k * width + sign * now->tx.y_m), plan = hypot(dx, dy);
            double length = hypot(plan, to[2] - now->tx.height_m);
            double each_db = -10 * log10(rw_complex_abs2(rw_fresnel(eps, fabs(dy) / plan).reflection.te));
            terms[count++] = (term){length, 20 * log10(4 * PI * length * now->options.freq_hz / C_M_S) +
                                                bounces * (theory ? each_db : 4.5)};
        }
    qsort(terms, count, sizeof *terms, compare_terms);
    return count;
}

static double total_db(const term *terms, size_t count)
{
    double power = 0;
    for (size_t i = 0; i < count; i++)
        power += pow(10, -0.1 * terms[i].loss_db);
    return -10 * log10(power);
}

/* Paths to a point, by length. */
static size_t traced(const series_case *now, const double to[3], term *terms)
{
    rw_paths *paths;
    rw_point point = {.size = sizeof(rw_point), .x_m = to[0], .y_m = to[1], .height_m = to[2]};
    assert_ok(now->context, rw_trace(now->scene, &now->options, &point, 1, &paths));
    size_t count = rw_paths_count(paths);
    assert_true(count <= PATHS_MAX);
    double before_db = 0;
    for (size_t i = 0; i < count; i++) {
        rw_path path = {.size = sizeof path};
        assert_ok(now->context, rw_paths_get(paths, i, &path));
        terms[i] = (term){path.length_m, path.loss_db};
        assert_near(path.delay_s, path.length_m / C_M_S, 1e-18);
        assert_true(path.loss_db >= before_db); /* strongest first */
        before_db = path.loss_db;
        double interactions_db = path.free_space_db;
        for (size_t v = 0; v < path.vertex_count; v++)
            interactions_db += path.vertices[v].loss_db;
        if (path.vertex_count > 2) /* edges take from the straight path, at no vertex of it */
            assert_near(path.loss_db, interactions_db, 1e-4);
    }
    rw_paths_destroy(paths);
    qsort(terms, count, sizeof *terms, compare_terms);
    return count;
}

static void check_canyon(int theory)
{
    const double width = 23.7;
    series_case now = begin();
    add_wall(&now, -6000, 0, 6000, 0, "itu_concrete");
    add_wall(&now, 6000, width, -6000, width, "itu_concrete");
    assert_ok(now.context, rw_scene_commit(now.scene));
    now.tx.x_m = 0.3;
    now.tx.y_m = 7.1;
    now.tx.height_m = 8;
    now.options.reflections = 6;
    now.options.diffractions = 0;
    now.options.losses = theory ? NULL : "reflection=4.5";
    double area[4] = {-300, 0, 300, 24};
    memcpy(now.options.area_m, area, sizeof area);
    now.options.res_m = 3;
    now.options.layers = "path_loss,paths,first_arrival";
    now.options.transmitters = &now.tx;
    rw_map *map = solve(&now);
    rw_map_layer loss = layer_of(map, "path_loss"), paths = layer_of(map, "paths");
    term expected[PATHS_MAX], found[PATHS_MAX];
    double worst_db = 0;
    for (size_t cell = 0; cell < 200 * 8; cell++) {
        double to[3] = {-300 + 3 * ((double)(cell % 200) + 0.5), 3 * ((double)(cell / 200) + 0.5), 1.5};
        size_t count = canyon(&now, width, to, 6, theory, expected);
        assert_int_equal((size_t)paths.values[cell], count);
        worst_db = fmax(worst_db, fabs(loss.values[cell] - total_db(expected, count)));
        assert_near(loss.values[cell], total_db(expected, count), 0.01);
        if (cell % 97)
            continue;
        assert_int_equal(traced(&now, to, found), count);
        for (size_t i = 0; i < count; i++) {
            assert_near(found[i].length_m, expected[i].length_m, 1e-6);
            assert_near(found[i].loss_db, expected[i].loss_db, 0.001);
        }
    }
    printf("canyon, %s: largest difference %.5f dB\n", theory ? "Fresnel" : "constants", worst_db);
    rw_map_destroy(map);
    end(&now);
}

static void canyon_of_constants(void **state)
{
    (void)state;
    check_canyon(0);
}

static void canyon_of_concrete(void **state)
{
    (void)state;
    check_canyon(1);
}

/* Two walls that meet in a right angle at the origin: images at (-x, y), (x, -y) and (-x, -y); the last by two
 * reflections, of which a receiver gets exactly one order. */
static void right_angle(void **state)
{
    (void)state;
    series_case now = begin();
    add_wall(&now, 0, 0, 9000, 0, NULL);
    add_wall(&now, 0, 9000, 0, 0, NULL);
    assert_ok(now.context, rw_scene_commit(now.scene));
    now.tx.x_m = 31;
    now.tx.y_m = 17;
    now.options.losses = "reflection=3";
    now.options.diffractions = 0;
    now.options.res_m = 2;
    now.options.layers = "path_loss,paths";
    double area[4] = {0, 0, 120, 100};
    memcpy(now.options.area_m, area, sizeof area);
    rw_map *map = solve(&now);
    rw_map_layer loss = layer_of(map, "path_loss"), paths = layer_of(map, "paths");
    for (size_t cell = 0; cell < 60 * 50; cell++) {
        double x = 2 * ((double)(cell % 60) + 0.5), y = 2 * ((double)(cell / 60) + 0.5);
        term terms[4];
        for (int i = 0; i < 4; i++) {
            double dx = x - (i & 1 ? -31 : 31), dy = y - (i & 2 ? -17 : 17);
            double length = sqrt(dx * dx + dy * dy + 8.5 * 8.5);
            int bounces = (i & 1) + (i >> 1);
            terms[i] = (term){length, 20 * log10(4 * PI * length * now.options.freq_hz / C_M_S) + 3.0 * bounces};
        }
        assert_int_equal((size_t)paths.values[cell], 4);
        assert_near(loss.values[cell], total_db(terms, 4), 0.001);
    }
    rw_map_destroy(map);
    end(&now);
}

/* Behind the corner of a building: the diffracted field of the uniform theory, from its reference form. */
static void check_corner_of_concrete(const char *wedge)
{
    series_case now = begin();
    const double box[4] = {0, 0, 400, 300};
    add_box(now.context, now.scene, box, 60, "block");
    add_wall(&now, -500, -400, -500, -399, NULL); /* widens the scene */
    assert_ok(now.context, rw_scene_commit(now.scene));
    now.tx.x_m = -40;
    now.tx.y_m = 25; /* sees the western wall and not the southern one */
    now.tx.height_m = now.options.rx_height_m = 10;
    now.options.reflections = 0;
    now.options.transmissions = 0;
    now.options.transmitters = &now.tx;
    now.options.wedge = wedge;
    rw_wedge_surface surface = {.exterior_over_pi = 1.5, .permittivity = permittivity(now.options.freq_hz)};
    surface.holm = !wedge || strcmp(wedge, "holm") == 0;
    rw_cylindrical source = {hypot(40, 25), 0, 0};
    source.angle_rad = 2 * PI - atan2(25, -40); /* from the southern face, round the outside */
    size_t checked = 0;
    for (double x = 3; x < 200; x += 17)
        for (double y = -2; y > -120; y -= 7) {
            rw_cylindrical observer = {hypot(x, y), -atan2(y, x), 0};
            if (source.angle_rad - observer.angle_rad < PI + 1e-3)
                continue; /* in sight of the source */
            double to[3] = {x, y, 10};
            term found[PATHS_MAX];
            assert_int_equal(traced(&now, to, found), 1);
            rw_wedge_field field = rw_wedge_field_of(&surface, source, observer, C_M_S / now.options.freq_hz);
            double expected_db = 20 * log10(4 * PI * field.direct_m * now.options.freq_hz / C_M_S) -
                                 10 * log10(rw_complex_abs2(field.diffracted.soft));
            assert_near(found[0].loss_db, expected_db, 0.01);
            checked++;
        }
    printf("%zu receivers behind the corner\n", checked);
    assert_true(checked > 30);
    end(&now);
}

static void corner_of_concrete(void **state)
{
    (void)state;
    check_corner_of_concrete(NULL);
    check_corner_of_concrete("holm");
    check_corner_of_concrete("luebbers");
}

/* Across the shadow boundary of the corner: the straight path and the diffracted one are the whole field round a wedge
 * where both are near it, from the reference form, and nothing jumps at the boundary. */
static void across_the_boundary(void **state)
{
    (void)state;
    series_case now = begin();
    const double box[4] = {0, 0, 400, 300};
    add_box(now.context, now.scene, box, 60, "block");
    add_wall(&now, -500, -400, -500, -399, NULL); /* widens the scene */
    assert_ok(now.context, rw_scene_commit(now.scene));
    now.tx.x_m = -40;
    now.tx.y_m = 25;
    now.tx.height_m = now.options.rx_height_m = 10;
    now.options.reflections = 0;
    now.options.transmissions = 0;
    now.options.transmitters = &now.tx;
    const rw_wedge_surface surface = {
        .exterior_over_pi = 1.5, .permittivity = permittivity(now.options.freq_hz), .holm = 1};
    const rw_cylindrical source = {hypot(40, 25), 2 * PI - atan2(25, -40), 0};
    const double boundary_m = 96, below_m = 60; /* the line through source and corner */
    size_t in_sight = 0;
    for (double x = boundary_m - 2; x < boundary_m + 2; x += 0.13) {
        rw_cylindrical observer = {hypot(x, below_m), atan2(below_m, x), 0};
        double to[3] = {x, -below_m, 10};
        term found[PATHS_MAX];
        assert_int_equal(traced(&now, to, found), 1);
        rw_wedge_field field = rw_wedge_field_of(&surface, source, observer, C_M_S / now.options.freq_hz);
        double expected_db = 20 * log10(4 * PI * field.direct_m * now.options.freq_hz / C_M_S) -
                             10 * log10(rw_complex_abs2(field.total.soft));
        assert_near(found[0].loss_db, expected_db, 0.25);
        in_sight += (size_t)(field.lit != 0);
    }
    assert_true(in_sight > 10);
    const double before[3] = {boundary_m - 1e-3, -below_m, 10}, behind[3] = {boundary_m + 1e-3, -below_m, 10};
    const double far[3] = {boundary_m - 60, -below_m, 10};
    term there[PATHS_MAX], here[PATHS_MAX];
    assert_int_equal(traced(&now, before, there), 1);
    assert_int_equal(traced(&now, behind, here), 1);
    assert_near(there[0].loss_db, here[0].loss_db, 0.05);
    assert_int_equal(traced(&now, far, here), 1);
    double free_db = 20 * log10(4 * PI * hypot(boundary_m - 60 + 40, below_m + 25) * now.options.freq_hz / C_M_S);
    assert_near(here[0].loss_db, free_db, 1e-4); /* clear of the edge */
    end(&now);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(canyon_of_constants), cmocka_unit_test(canyon_of_concrete),
                                       cmocka_unit_test(right_angle), cmocka_unit_test(corner_of_concrete),
                                       cmocka_unit_test(across_the_boundary)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
