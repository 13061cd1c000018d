/* The fraction of the area within 300 m that is built over, against the area of all outlines cut with the disc line by
 * line: overlapping buildings and courtyards. */
#include "prediction.h"

#include "discretise/built_over.h"
#include "discretise/prepared.h"
#include "scene/scene.h"

typedef struct interval {
    double from, to;
} interval;

static int compare_intervals(const void *a, const void *b)
{
    double first = ((const interval *)a)->from, second = ((const interval *)b)->from;
    return (first > second) - (first < second);
}

static int compare_values(const void *a, const void *b)
{
    double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

/* By the union of intervals on lines 0.37 m apart. */
static double exhaustive_fraction(const rw_scene *scene, double x, double y)
{
    enum { MOST = 4096 };
    static interval intervals[MOST];
    const double radius = 300, step = 0.37;
    double area = 0;
    for (double up = -radius + 0.5 * step; up < radius; up += step) {
        double half = sqrt(radius * radius - up * up), end = -INFINITY;
        size_t count = 0;
        for (size_t i = 0; i < scene->parts.count; i++) {
            const rw_part *part = &scene->parts.items[i];
            double crossings[256];
            size_t found = 0;
            for (size_t r = 0; part->base_height_m <= 0 && r < part->ring_count; r++) {
                const rw_vec2 *points = rw_ring_points(scene, part->first_ring + r);
                size_t size = rw_ring_size(scene, part->first_ring + r);
                for (size_t k = 0; k < size; k++) {
                    rw_vec2 a = points[k], b = points[(k + 1) % size];
                    if ((a.y > y + up) != (b.y > y + up))
                        crossings[found++] = a.x + (y + up - a.y) / (b.y - a.y) * (b.x - a.x);
                }
            }
            qsort(crossings, found, sizeof *crossings, compare_values);
            for (size_t k = 0; k + 1 < found; k += 2) {
                interval one = {fmax(crossings[k], x - half), fmin(crossings[k + 1], x + half)};
                assert_true(count < MOST);
                if (one.to > one.from)
                    intervals[count++] = one;
            }
        }
        qsort(intervals, count, sizeof *intervals, compare_intervals);
        for (size_t k = 0; k < count; k++) {
            area += step * fmax(intervals[k].to - fmax(intervals[k].from, end), 0);
            end = fmax(end, intervals[k].to);
        }
    }
    return area / (3.14159265358979 * radius * radius);
}

static double fraction_at(const rw_scene *scene, double x, double y)
{
    rw_built_over_view view;
    rw_vec2 centre = scene->prepared->grid.centre;
    assert_int_equal(rw_prepared_built_over(scene, RW_BACKEND_CPU, &view), RW_OK);
    return rw_built_over_at(&view, x - centre.x, y - centre.y);
}

static void disc_means_are_areas(void **state)
{
    (void)state;
    const char *cities[] = {"european", "grid"};
    for (int i = 0; i < 2; i++) {
        rw_city_options city;
        rw_city_options_init(&city);
        city.style = cities[i];
        city.width_m = 900;
        city.depth_m = 700;
        city.seed = (uint64_t)i + 1;
        rw_context *context = make_context_of(RW_BACKEND_CPU, 2);
        rw_scene *scene;
        assert_ok(context, rw_generate_city(context, &city, &scene));
        assert_ok(context, rw_scene_commit(scene));
        double worst = 0, largest = 0;
        for (int k = 0; k < 25; k++) {
            double x = -400 + (k * 397) % 1700, y = -350 + (k * 211) % 1400;
            double expected = exhaustive_fraction(scene, x, y);
            worst = worse_of(worst, fabs(fraction_at(scene, x, y) - expected));
            largest = fmax(largest, expected);
        }
        printf("%s: up to %.3f built over, at most %.5f from its area\n", cities[i], largest, worst);
        assert_true(largest > 0.05);
        assert_near(worst, 0, 4e-3);
        rw_scene_destroy(scene);
        rw_context_destroy(context);
    }
}

/* Squares over each other count once. */
static void unions_count_once(void **state)
{
    (void)state;
    rw_context *context = make_context_of(RW_BACKEND_CPU, 2);
    rw_scene *scene = make_scene(context);
    const double boxes[3][4] = {{0, 0, 100, 100}, {50, 50, 150, 150}, {60, 60, 90, 90}};
    for (int i = 0; i < 3; i++)
        add_box(context, scene, boxes[i], 10, "box");
    assert_ok(context, rw_scene_commit(scene));
    double area = 100 * 100 + 100 * 100 - 50 * 50;
    assert_near(fraction_at(scene, 75, 75), area / (3.14159265358979 * 300 * 300), 1e-3);
    assert_near(fraction_at(scene, 75, 75), exhaustive_fraction(scene, 75, 75), 1e-3);
    assert_near(fraction_at(scene, 2000, 75), 0, 0);
    assert_near(fraction_at(scene, -5000, 1e9), 0, 0);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(disc_means_are_areas), cmocka_unit_test(unions_count_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
