/* Building parts over a place: as asking every part gives them, also inside buildings of many cells, in courtyards and
 * one over another; and a building as wide as the city costs the others nothing. */
#include "shapes.h"

#include "base/maths/hash.h"
#include "discretise/prepared.h"

#include <time.h>

static void compare_with_all(const rw_scene *scene, rw_vec2 at)
{
    uint32_t found[64], expected[64];
    size_t count = 0, got = rw_parts_over(scene, scene->prepared, at, found, 64);
    for (size_t i = 0; i < scene->parts.count && count < 64; i++)
        if (rw_part_contains(scene, &scene->parts.items[i], at))
            expected[count++] = (uint32_t)i;
    assert_int_equal(got, count);
    assert_memory_equal(found, expected, count * sizeof *found);
}

/* A ring of buildings' width round a square. */
static void add_frame(rw_context *context, rw_scene *scene, double from_m, double to_m, double width_m)
{
    double a = from_m - width_m, b = to_m + width_m;
    const double xy[] = {a, a, b, a, b, b, a, b, from_m, from_m, from_m, to_m, to_m, to_m, to_m, from_m};
    const size_t sizes[] = {4, 4};
    rw_building building = {
        .size = sizeof building, .xy = xy, .ring_sizes = sizes, .ring_count = 2, .ground_m = NAN, .roof_height_m = 20};
    assert_ok(context, rw_scene_add_building(scene, &building));
}

static void agrees_with_asking_every_part(void **state)
{
    (void)state;
    rw_context *context = make_context_of(RW_BACKEND_CPU, 2);
    rw_scene *scene = make_scene(context);
    for (int i = 0; i < 8; i++) /* one over another */
        add_box(context, scene, (double[4]){40 + i, 40 + i, 90 - i, 95 - i}, 5 + i, "tower");
    for (int i = 0; i < 400; i++) {
        double x = 100 + 20 * (i % 20), y = 20 * (i / 20);
        add_box(context, scene, (double[4]){x, y, x + 12, y + 13.5}, 10, "house");
    }
    add_box(context, scene, (double[4]){600, 0, 1000, 400}, 30, "hall");
    add_frame(context, scene, -20, 1020, 30);
    assert_ok(context, rw_scene_commit(scene));
    rw_random random = rw_random_of(5, 0);
    for (int i = 0; i < 20000; i++) {
        double x = rw_random_range(&random, -100, 1100), y = rw_random_range(&random, -100, 1100);
        compare_with_all(scene, (rw_vec2){x, y});
    }
    for (size_t i = 0; i < scene->points.count; i++) /* corners, and just beside them */
        for (int k = 0; k < 4; k++) {
            rw_vec2 at = scene->points.items[i];
            compare_with_all(scene, (rw_vec2){at.x + (k & 1 ? 0.01 : 0), at.y + (k & 2 ? 0.01 : 0)});
        }
    uint32_t part;
    assert_int_equal(rw_parts_over(scene, scene->prepared, (rw_vec2){NAN, NAN}, &part, 1), 0);
    compare_with_all(scene, (rw_vec2){1e300, -1e300});
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

static double commit_s(int framed)
{
    const int side = 150;
    rw_context *context = make_context_of(RW_BACKEND_CPU, 1);
    rw_scene *scene = make_scene(context);
    for (int i = 0; i < side * side; i++) {
        double x = 20 * (i % side), y = 20 * (i / side);
        add_box(context, scene, (double[4]){x, y, x + 12, y + 13}, 10, "house");
    }
    if (framed)
        add_frame(context, scene, -10, 20 * side + 10, 20);
    clock_t start = clock();
    assert_ok(context, rw_scene_commit(scene));
    double taken_s = (double)(clock() - start) / CLOCKS_PER_SEC;
    rw_scene_destroy(scene);
    rw_context_destroy(context);
    return taken_s;
}

static void one_wide_building_costs_the_others_nothing(void **state)
{
    (void)state;
    double plain_s = commit_s(0), framed_s = commit_s(1);
    printf("%.3f s, and %.3f s with a wide building\n", plain_s, framed_s);
    assert_true(framed_s < 2 * plain_s + 0.2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(agrees_with_asking_every_part),
                                       cmocka_unit_test(one_wide_building_costs_the_others_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
