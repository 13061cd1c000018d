/* Corners that waves bend round, on cases made by hand: how many, where, from which altitude to which. */
#include "discretise/prepared.h"

#include "shapes.h"

/* The vertex, the way out of the building there (of any length), and the free edge. */
typedef struct expected_corner {
    double x, y, out_x, out_y, bottom_m, top_m;
} expected_corner;

/* Commits the scene, compares its corners with the list, whatever their order, and destroys it. */
static void check(rw_context *context, rw_scene *scene, const expected_corner *expected, size_t count)
{
    assert_ok(context, rw_scene_commit(scene));
    const rw_corner_list *corners = &scene->prepared->corners;
    rw_vec2 shift = rw_vec2_add(scene->prepared->grid.centre, scene->origin);
    for (size_t i = 0; i < count; i++) {
        double length = hypot(expected[i].out_x, expected[i].out_y);
        double x = expected[i].x + 0.01 * expected[i].out_x / length;
        double y = expected[i].y + 0.01 * expected[i].out_y / length;
        const rw_corner *found = NULL;
        for (size_t k = 0; k < corners->count; k++)
            if (hypot(corners->items[k].x + shift.x - x, corners->items[k].y + shift.y - y) < 1e-6) {
                assert_null(found);
                found = &corners->items[k];
            }
        if (!found)
            fail_msg("there is no corner at %.4f, %.4f\n", x, y);
        assert_near(found->bottom, expected[i].bottom_m, 1e-4);
        assert_near(found->top, expected[i].top_m, 1e-4);
    }
    assert_int_equal(corners->count, count);
    rw_scene_destroy(scene);
}

#define CHECK(context, scene, ...)                                                                                     \
    do {                                                                                                               \
        const expected_corner expected[] = {__VA_ARGS__};                                                              \
        check(context, scene, expected, sizeof expected / sizeof *expected);                                           \
    } while (0)

/* A prism with its own base, as a part of a building where id is not 0. */
static void add_part(rw_context *context, rw_scene *scene, uint32_t id, const double box[4], double base_m,
                     double roof_m)
{
    const double xy[] = {box[0], box[1], box[2], box[1], box[2], box[3], box[0], box[3]};
    const size_t points = 4;
    rw_building building = {.size = sizeof building,
                            .building_id = id,
                            .xy = xy,
                            .ring_sizes = &points,
                            .ring_count = 1,
                            .ground_m = NAN,
                            .base_height_m = base_m,
                            .roof_height_m = roof_m};
    assert_ok(context, rw_scene_add_building(scene, &building));
}

static void boxes(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_scene *scene = make_scene(context);
    add_box(context, scene, (double[]){0, 0, 20, 10}, 8, NULL);
    CHECK(context, scene, {0, 0, -1, -1, 0, 8}, {20, 0, 1, -1, 0, 8}, {20, 10, 1, 1, 0, 8}, {0, 10, -1, 1, 0, 8});

    scene = make_scene(context); /* far from zero, clockwise, on stilts */
    const double xy[] = {691000.5, 5334000.25, 691000.5, 5334010.25, 691020.5, 5334010.25, 691020.5, 5334000.25};
    const size_t points = 4;
    rw_building stilts = {sizeof stilts, 0, xy, &points, 1, 500, 3, 9, NULL, NULL};
    assert_ok(context, rw_scene_add_building(scene, &stilts));
    CHECK(context, scene, {691000.5, 5334000.25, -1, -1, 503, 509}, {691020.5, 5334000.25, 1, -1, 503, 509},
          {691020.5, 5334010.25, 1, 1, 503, 509}, {691000.5, 5334010.25, -1, 1, 503, 509});
    rw_context_destroy(context);
}

static void outlines(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_scene *scene = make_scene(context); /* an L: the inner vertex is none */
    const double angled[] = {0, 0, 20, 0, 20, 10, 10, 10, 10, 20, 0, 20};
    add_outline(context, scene, angled, 6, 7, NULL);
    CHECK(context, scene, {0, 0, -1, -1, 0, 7}, {20, 0, 1, -1, 0, 7}, {20, 10, 1, 1, 0, 7}, {10, 20, 1, 1, 0, 7},
          {0, 20, -1, 1, 0, 7});

    scene = make_scene(context); /* a wall that bends outwards by half a degree is straight, one by two is not */
    double little = 20 * tan(0.25 / 57.29577951308232), more = 20 * tan(1 / 57.29577951308232);
    const double bent[] = {0, 0, 20, -little, 40, 0, 40, 30, 20, 30 + more, 0, 30};
    double tilt = 0.25 / 57.29577951308232 / 2, tip = 1 / 57.29577951308232 / 2;
    add_outline(context, scene, bent, 6, 7, NULL);
    double quarter = 0.78539816339744831; /* half of a right angle */
    CHECK(context, scene, {0, 0, -cos(quarter - tilt), -sin(quarter - tilt), 0, 7},
          {40, 0, cos(quarter - tilt), -sin(quarter - tilt), 0, 7},
          {40, 30, cos(quarter - tip), sin(quarter - tip), 0, 7}, {20, 30 + more, 0, 1, 0, 7},
          {0, 30, -cos(quarter - tip), sin(quarter - tip), 0, 7});
    rw_context_destroy(context);
}

static void rows_of_houses(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_scene *scene = make_scene(context); /* equal heights: only the row's ends */
    for (int i = 0; i < 3; i++)
        add_box(context, scene, (double[]){10.0 * i, 0, 10.0 * (i + 1), 8}, 6, NULL);
    CHECK(context, scene, {0, 0, -1, -1, 0, 6}, {30, 0, 1, -1, 0, 6}, {30, 8, 1, 1, 0, 6}, {0, 8, -1, 1, 0, 6});

    scene = make_scene(context); /* the higher house has edges above its neighbour's roof */
    add_box(context, scene, (double[]){0, 0, 10, 8}, 6, NULL);
    add_box(context, scene, (double[]){10, 0, 20, 8}, 10, NULL);
    CHECK(context, scene, {0, 0, -1, -1, 0, 6}, {0, 8, -1, 1, 0, 6}, {20, 0, 1, -1, 0, 10}, {20, 8, 1, 1, 0, 10},
          {10, 0, -1, -1, 6, 10}, {10, 8, -1, 1, 6, 10});

    scene = make_scene(context); /* a deeper neighbour: its corner stands free, the yard's inner one does not */
    add_box(context, scene, (double[]){0, 0, 10, 8}, 6, NULL);
    add_box(context, scene, (double[]){10, 0, 20, 12}, 6, NULL);
    CHECK(context, scene, {0, 0, -1, -1, 0, 6}, {0, 8, -1, 1, 0, 6}, {20, 0, 1, -1, 0, 6}, {20, 12, 1, 1, 0, 6},
          {10, 12, -1, 1, 0, 6});

    scene = make_scene(context); /* houses that meet in a point leave no way between them */
    add_box(context, scene, (double[]){0, 0, 10, 10}, 6, NULL);
    add_box(context, scene, (double[]){10, 10, 20, 20}, 6, NULL);
    CHECK(context, scene, {0, 0, -1, -1, 0, 6}, {10, 0, 1, -1, 0, 6}, {0, 10, -1, 1, 0, 6}, {20, 10, 1, -1, 0, 6},
          {20, 20, 1, 1, 0, 6}, {10, 20, -1, 1, 0, 6});
    rw_context_destroy(context);
}

static void stacked_parts(void **state)
{
    (void)state;
    rw_context *context = make_context();
    for (int from_ground = 0; from_ground < 2; from_ground++) { /* a tower on a podium, or through it */
        rw_scene *scene = make_scene(context);
        add_part(context, scene, 1, (double[]){0, 0, 30, 30}, 0, 6);
        add_part(context, scene, 1, (double[]){10, 10, 20, 20}, from_ground ? 0 : 6, 40);
        CHECK(context, scene, {0, 0, -1, -1, 0, 6}, {30, 0, 1, -1, 0, 6}, {30, 30, 1, 1, 0, 6}, {0, 30, -1, 1, 0, 6},
              {10, 10, -1, -1, 6, 40}, {20, 10, 1, -1, 6, 40}, {20, 20, 1, 1, 6, 40}, {10, 20, -1, 1, 6, 40});
    }
    rw_scene *scene = make_scene(context); /* one on another: one edge */
    add_part(context, scene, 1, (double[]){0, 0, 10, 10}, 0, 6);
    add_part(context, scene, 1, (double[]){0, 0, 10, 10}, 6, 40);
    CHECK(context, scene, {0, 0, -1, -1, 0, 40}, {10, 0, 1, -1, 0, 40}, {10, 10, 1, 1, 0, 40}, {0, 10, -1, 1, 0, 40});

    scene = make_scene(context); /* flush with two of the podium's walls */
    add_part(context, scene, 1, (double[]){0, 0, 20, 20}, 0, 6);
    add_part(context, scene, 1, (double[]){0, 0, 10, 10}, 6, 40);
    CHECK(context, scene, {0, 0, -1, -1, 0, 40}, {20, 0, 1, -1, 0, 6}, {20, 20, 1, 1, 0, 6}, {0, 20, -1, 1, 0, 6},
          {10, 0, 1, -1, 6, 40}, {10, 10, 1, 1, 6, 40}, {0, 10, -1, 1, 6, 40});
    rw_context_destroy(context);
}

static void courtyards(void **state)
{
    (void)state;
    rw_context *context = make_context();
    for (int angled = 0; angled < 2; angled++) {
        const double xy[] = {0, 0, 40, 0, 40, 40, 0, 40, 10, 10, 30, 10, 30, 30, 20, 30, 20, 20, 10, 20};
        const double square[] = {0, 0, 40, 0, 40, 40, 0, 40, 10, 10, 30, 10, 30, 30, 10, 30};
        const size_t sizes[] = {4, angled ? 6 : 4};
        rw_scene *scene = make_scene(context);
        rw_building building = {sizeof building, 0, angled ? xy : square, sizes, 2, NAN, 0, 12, NULL, NULL};
        assert_ok(context, rw_scene_add_building(scene, &building));
        if (angled) /* the yard is an L: its inner corner is one of the building */
            CHECK(context, scene, {0, 0, -1, -1, 0, 12}, {40, 0, 1, -1, 0, 12}, {40, 40, 1, 1, 0, 12},
                  {0, 40, -1, 1, 0, 12}, {20, 20, 1, -1, 0, 12});
        else
            CHECK(context, scene, {0, 0, -1, -1, 0, 12}, {40, 0, 1, -1, 0, 12}, {40, 40, 1, 1, 0, 12},
                  {0, 40, -1, 1, 0, 12});
    }
    rw_context_destroy(context);
}

static void free_walls(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_scene *scene = make_scene(context);
    rw_panel panel = {.size = sizeof panel, .x0_m = 3, .y0_m = 4, .x1_m = 6, .y1_m = 8, .bottom_m = 1, .top_m = 3};
    assert_ok(context, rw_scene_add_panel(scene, &panel));
    CHECK(context, scene, {3, 4, -3, -4, 1, 3}, {6, 8, 3, 4, 1, 3});

    scene = make_scene(context); /* a T: where walls meet, nothing passes */
    add_panel(context, scene, 0, 0, 20, 0);
    add_panel(context, scene, 10, 0, 10, 9);
    CHECK(context, scene, {0, 0, -1, 0, 0, 3}, {20, 0, 1, 0, 0, 3}, {10, 9, 0, 1, 0, 3});

    scene = make_scene(context); /* a garden wall from a house */
    add_box(context, scene, (double[]){0, 0, 10, 10}, 6, NULL);
    add_panel(context, scene, 10, 5, 18, 5);
    CHECK(context, scene, {0, 0, -1, -1, 0, 6}, {10, 0, 1, -1, 0, 6}, {10, 10, 1, 1, 0, 6}, {0, 10, -1, 1, 0, 6},
          {18, 5, 1, 0, 0, 3});
    rw_context_destroy(context);
}

/* A house stands on the lowest ground of its outline; uphill its edges begin at the ground, or are buried. */
static void slopes(void **state)
{
    (void)state;
    rw_context *context = make_context();
    float heights[6 * 6];
    for (int i = 0; i < 36; i++)
        heights[i] = (float)(50 + 0.2 * 10 * (i % 6)); /* 20 % up to the east */
    rw_raster terrain = {sizeof(rw_raster), 6, 6, -10, -10, 10, 10, heights};
    rw_scene *scene = make_scene(context);
    assert_ok(context, rw_scene_set_terrain(scene, &terrain));
    add_box(context, scene, (double[]){0, 0, 10, 10}, 8, NULL);
    add_box(context, scene, (double[]){15, 0, 35, 10}, 3, NULL);
    double off = 0.2 * 0.01 / sqrt(2);
    CHECK(context, scene, {0, 0, -1, -1, 52, 60}, {10, 0, 1, -1, 54 + off, 60}, {10, 10, 1, 1, 54 + off, 60},
          {0, 10, -1, 1, 52, 60}, {15, 0, -1, -1, 55, 58}, {15, 10, -1, 1, 55, 58});
    rw_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes),         cmocka_unit_test(outlines),   cmocka_unit_test(rows_of_houses),
        cmocka_unit_test(stacked_parts), cmocka_unit_test(courtyards), cmocka_unit_test(free_walls),
        cmocka_unit_test(slopes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
