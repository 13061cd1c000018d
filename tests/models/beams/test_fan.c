/* Fans: the walls that the grid finds, and the runs of directions that they give, against all walls of the scene sorted
 * by angle. Counts what is missed. */
#include "models/beams/beams.h"
#include "shapes.h"
#include "sight_oracle.h"

#include "unit.h"

#define WALLS_MAX 20000

static rw_fan_wall everything[WALLS_MAX];

/* Every wall of the scene in the fan. */
static int project_all(const rw_wall_grid_view *grid, const rw_fan *fan)
{
    int count = 0;
    for (size_t i = 0; i < grid->wall_count; i++) {
        const rw_exact_wall *wall = &grid->exact[i];
        rw_fan_wall made;
        if (!rw_fan_project(fan, rw_vec2_of(wall->x0, wall->y0), rw_vec2_of(wall->x1, wall->y1), &made))
            continue;
        assert_true(count < WALLS_MAX);
        made.wall = (uint32_t)i;
        made.solid = 1;
        everything[count++] = made;
    }
    return count;
}

/* Compares the runs of one fan; returns how many there are. */
static size_t compare_fan(const rw_wall_grid_view *grid, const rw_fan *fan, size_t *missed)
{
    static rw_fan_workspace room;
    static rw_fan_walls found;
    const rw_fan_question question = {
        .heights = {-10, -5, -5, -10, -5, 0, -INFINITY, INFINITY, INFINITY}, /* every wall is higher and lower */
        .skipped = {RW_NO_WALL, RW_NO_WALL},
        .complete = 1};
    rw_fan_find_walls(grid, fan, &question, &room, &found);
    if (found.overflow)
        return 0; /* the model halves such fans */
    int count = project_all(grid, fan);
    size_t runs = 0;
    for (double u = 0, v = 0; u < 1;) {
        rw_fan_run expected = rw_fan_next(everything, count, u), got = rw_fan_next(found.walls, found.count, v);
        uint32_t wall = expected.top < 0 ? RW_NO_WALL : everything[expected.top].wall;
        uint32_t got_wall = got.top < 0 ? RW_NO_WALL : found.walls[got.top].wall;
        double width_rad = (expected.u1 - expected.u0) * rw_angle_between(fan->right, fan->left);
        if (wall != got_wall || fabs(expected.u1 - got.u1) > 1e-12)
            *missed += width_rad > 1e-6;
        u = v = expected.u1;
        runs++;
    }
    return runs;
}

static void against_sorting(void **state)
{
    (void)state;
    rw_context *context = make_context();
    size_t runs = 0, missed = 0;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        rw_city_options options;
        rw_city_options_init(&options);
        options.width_m = options.depth_m = 700;
        options.seed = seed;
        options.style = seed % 3 == 0 ? "grid" : "european";
        rw_scene *scene;
        assert_ok(context, rw_generate_city(context, &options, &scene));
        assert_ok(context, rw_scene_commit(scene));
        uint64_t place = seed;
        rw_vec3 source = oracle_source(scene, &place, 3);
        rw_vec2 centre = scene->prepared->grid.centre;
        for (int i = 0; i < 256; i++) {
            double right = 2 * RW_PI * i / 256, left = 2 * RW_PI * (i + 1) / 256;
            rw_fan fan = {.origin = {source.x - centre.x, source.y - centre.y},
                          .right = {cos(right), sin(right)},
                          .left = {cos(left), sin(left)}};
            fan.min_length = rw_fan_min_length(fan.right, fan.left);
            runs += compare_fan(&scene->prepared->grid.view, &fan, &missed);
        }
        rw_scene_destroy(scene);
    }
    printf("%zu runs, %zu missed\n", runs, missed);
    assert_true(runs > 1500);
    assert_int_equal(missed, 0);
    rw_context_destroy(context);
}

/* A line that only what lies beyond counts for, as of a wall that reflects. */
static void beyond_a_line(void **state)
{
    (void)state;
    rw_fan fan = {.origin = {0, 0}, .right = {cos(-0.2), sin(-0.2)}, .left = {cos(0.2), sin(0.2)}};
    rw_fan_wall made;
    fan.has_near = 1;
    fan.near_at = rw_vec2_of(10, 0);
    fan.near_in = rw_vec2_of(1, 0);
    assert_int_equal(rw_fan_project(&fan, rw_vec2_of(5, -9), rw_vec2_of(5, 9), &made), 0);
    assert_int_equal(rw_fan_project(&fan, rw_vec2_of(10, -9), rw_vec2_of(10, 9), &made), 0);
    assert_int_equal(rw_fan_project(&fan, rw_vec2_of(15, -9), rw_vec2_of(15, 9), &made), 1);
    assert_near(made.u0, 0, 0);
    assert_near(made.u1, 1, 0);
    assert_int_equal(rw_fan_project(&fan, rw_vec2_of(5, 0.5), rw_vec2_of(15, 0.5), &made), 1);
    assert_true((made.cut & 2) && !(made.cut & 1)); /* cut where it crosses the line, whole at its far end */
    rw_vec2 met = rw_fan_point(&fan, &made, made.u1);
    assert_near(met.x, 10, 1e-12);
    assert_near(met.y, 0.5, 1e-12);
}

/* A wall that reaches beyond both edges of a fan fills it to the bit: no crack is left at an edge. */
static void to_the_edges(void **state)
{
    (void)state;
    for (int i = 0; i < 100000; i++) {
        double at = 0.37 * i, width = 0.003 + 0.09 * fabs(sin(1.3 * i)), far_m = 20 + 900 * fabs(sin(2.1 * i));
        double tilt = sin(3.7 * i), middle = at + 0.5 * width;
        rw_fan fan = {.origin = {300 * sin(0.7 * i), 200 * cos(0.9 * i)},
                      .right = {cos(at), sin(at)},
                      .left = {cos(at + width), sin(at + width)}};
        rw_vec2 centre = rw_vec2_of(fan.origin.x + far_m * cos(middle), fan.origin.y + far_m * sin(middle));
        rw_vec2 half = rw_vec2_of(0.3 * far_m * -sin(middle + tilt), 0.3 * far_m * cos(middle + tilt));
        rw_fan_wall made = {0};
        assert_int_equal(rw_fan_project(&fan, rw_vec2_sub(centre, half), rw_vec2_add(centre, half), &made), 1);
        assert_true(made.u0 == 0 && made.u1 == 1 && made.cut == 3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(against_sorting), cmocka_unit_test(beyond_a_line),
                                       cmocka_unit_test(to_the_edges)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
