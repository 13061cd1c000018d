/* labels: slow, numbers */
/* Paths of the tiles model to points against the exhaustive ray tracer: none that is not there, and how many are
 * missed; the same both ways. */
#include "prediction.h"
#include "base/maths/hash.h"
#include "scene/scene.h"

#include <stdlib.h>

#define MOST 512

typedef struct found {
    double length_m, loss_db;
} found;

static int compare_found(const void *left, const void *right)
{
    const found *a = left, *b = right;
    return a->length_m < b->length_m ? -1 : a->length_m > b->length_m;
}

static size_t list_paths(prediction *now, const char *model, const double from[3], const double to[3], found *list)
{
    rw_point point = {.size = sizeof point, .x_m = to[0], .y_m = to[1], .height_m = to[2]};
    rw_paths *paths;
    now->options.model = model;
    now->tx[0].x_m = from[0];
    now->tx[0].y_m = from[1];
    now->tx[0].height_m = from[2];
    now->options.transmitters = now->tx;
    now->options.tile_area_m2 = strcmp(model, "tiles") == 0 ? 100 : NAN;
    assert_ok(now->context, rw_trace(now->scene, &now->options, &point, 1, &paths));
    size_t count = rw_paths_count(paths);
    assert_true(count <= MOST);
    for (size_t i = 0; i < count; i++) {
        rw_path path = {.size = sizeof path};
        rw_paths_get(paths, i, &path);
        list[i] = (found){path.length_m, path.loss_db};
    }
    rw_paths_destroy(paths);
    qsort(list, count, sizeof *list, compare_found);
    return count;
}

/* How many of the first list are not in the second. */
static size_t missing(const found *list, size_t count, const found *other, size_t other_count)
{
    size_t lost = 0;
    for (size_t i = 0; i < count; i++) {
        int there = 0;
        for (size_t j = 0; j < other_count; j++)
            there |=
                fabs(list[i].length_m - other[j].length_m) < 1e-4 && fabs(list[i].loss_db - other[j].loss_db) < 0.01;
        lost += !there;
    }
    return lost;
}

static void place_outdoors(const rw_scene *scene, rw_random *random, double height_m, double place[3])
{
    int inside = 1;
    place[2] = height_m;
    while (inside) {
        place[0] = rw_random_range(random, 20, 200);
        place[1] = rw_random_range(random, 20, 200);
        inside = 0;
        for (size_t i = 0; i < scene->parts.count; i++)
            inside |= rw_part_contains(scene, &scene->parts.items[i],
                                       rw_vec2_of(place[0] - scene->origin.x, place[1] - scene->origin.y));
    }
}

static prediction begin_paths(uint64_t seed, int depth)
{
    rw_context *context = make_context();
    prediction now = begin_with(context, make_generated_city(context, "european", 220, seed, 0));
    now.options.freq_hz = 2e9;
    now.options.depth = depth;
    now.options.diffractions = 0;
    now.options.scatterings = 0;
    now.options.loss_max_db = 200;
    now.options.res_m = NAN;
    now.options.rx_height_m = NAN;
    return now;
}

static void end_paths(prediction *now)
{
    rw_scene_destroy((rw_scene *)(uintptr_t)now->scene);
    rw_context_destroy(now->context);
}

/* What tiles of a shape find of the paths that there are. */
static void compare_with_rt(const char *shape, uint64_t seeds)
{
    size_t all = 0, lost = 0, unsound = 0, pairs = 0;
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        prediction now = begin_paths(seed, 2);
        rw_random random = rw_random_of(seed, 0);
        for (int i = 0; i < 24; i++) {
            double ends[2][3];
            for (int end = 0; end < 2; end++)
                place_outdoors(now.scene, &random, end ? 2.5 : 1.5, ends[end]);
            static found exact[MOST], there[MOST];
            now.options.tile_shape = NULL;
            now.options.roofs = "none"; /* rays alone */
            size_t count = list_paths(&now, "rt", ends[0], ends[1], exact);
            now.options.tile_shape = shape;
            size_t tiles = list_paths(&now, "tiles", ends[0], ends[1], there);
            pairs++;
            all += count;
            lost += missing(exact, count, there, tiles);
            unsound += missing(there, tiles, exact, count);
        }
        end_paths(&now);
    }
    printf("%zu pairs of ends, %zu paths: %zu missed, %zu that are not there\n", pairs, all, lost, unsound);
    assert_true(all > 30 * seeds);
    assert_int_equal(unsound, 0);
    assert_true(100 * lost <= all); /* tiles are seen by samples: docs/explanation/tiles.md */
}

static void paths_are_those_of_rt(void **state)
{
    (void)state;
    compare_with_rt("rectangle", 3);
    compare_with_rt("triangle", 1);
}

/* What one end sees of a tile, and tiles of each other, is the same from both ends. */
static void ends_may_be_exchanged(void **state)
{
    (void)state;
    size_t all = 0;
    for (uint64_t seed = 4; seed <= 6; seed++) {
        prediction now = begin_paths(seed, 3);
        rw_random random = rw_random_of(seed, 0);
        for (int i = 0; i < 24; i++) {
            double ends[2][3];
            for (int end = 0; end < 2; end++)
                place_outdoors(now.scene, &random, end ? 6 : 1.5, ends[end]);
            static found there[MOST], back[MOST];
            size_t count = list_paths(&now, "tiles", ends[0], ends[1], there);
            assert_int_equal(list_paths(&now, "tiles", ends[1], ends[0], back), count);
            assert_int_equal(missing(there, count, back, count), 0);
            all += count;
        }
        end_paths(&now);
    }
    printf("%zu paths of up to three reflections, the same both ways\n", all);
    assert_true(all > 150);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(paths_are_those_of_rt),
                                       cmocka_unit_test(ends_may_be_exchanged)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
