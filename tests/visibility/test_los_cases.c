/* Line of sight where chance rarely leads: everything on whole metres, so that lines run along axes and through
 * corners; sources and receivers far off the scene; ground beyond the terrain's edge. Every form against brute force.
 */
#include "scene/scene.h"
#include "sight_answers.h"
#include "sight_oracle.h"

static double whole(uint64_t *random, double least, double most)
{
    return floor(least + oracle_random(random) * (most - least + 1));
}

/* Boxes, some of them above the ground, on whole metres between 0 and 200. */
static rw_scene *make_scene(rw_context *context, uint64_t *random)
{
    rw_scene *scene;
    assert_ok(context, rw_scene_create(context, &scene));
    for (int i = 0; i < 8; i++) {
        double west = whole(random, 0, 170), south = whole(random, 0, 170);
        double east = west + whole(random, 1, 30), north = south + whole(random, 1, 30);
        double xy[8] = {west, south, east, south, east, north, west, north};
        size_t ring = 4;
        rw_building building = {.size = sizeof building, .xy = xy, .ring_sizes = &ring, .ring_count = 1};
        building.ground_m = NAN;
        building.base_height_m = i % 4 == 3 ? whole(random, 1, 5) : 0;
        building.roof_height_m = whole(random, 6, 30);
        assert_ok(context, rw_scene_add_building(scene, &building));
    }
    return scene;
}

static void add_terrain(rw_scene *scene, uint64_t *random)
{
    float heights[30 * 30];
    for (int i = 0; i < 900; i++)
        heights[i] = (float)(40 * oracle_random(random));
    rw_raster terrain = {sizeof(rw_raster), 30, 30, 30, 30, 4, 4, heights}; /* ends amid the scene */
    assert_ok(scene->context, rw_scene_set_terrain(scene, &terrain));
}

static void compare_form(const rw_scene *scene, const rw_receivers *receivers, rw_vec3 source, rw_los_method method,
                         const answers *brute)
{
    int count = method == RW_LOS_POLYGONS || method == RW_LOS_SECTORS;
    answers got = solve(scene, receivers, source, method, count);
    rw_vec2 centre = scene->prepared->grid.centre;
    rw_vec3 at = rw_vec3_of(source.x - centre.x, source.y - centre.y, source.z);
    for (size_t i = 0; i < receivers->view.outdoor_count; i++) {
        size_t cell = receivers->outdoor[i];
        int same = got.los[cell] == brute->los[cell] && (!count || got.walls[cell] == brute->walls[cell]);
        if (!same && !oracle_on_edge(scene, rw_receiver_point(&receivers->view, cell), at))
            fail_msg("method %d, cell %zu: los %d, expected %d behind %u walls", (int)method, cell, got.los[cell],
                     brute->los[cell], brute->walls[cell]);
    }
    release(&got);
}

static void compare_forms(const rw_scene *scene, const rw_receivers *receivers, rw_vec3 source)
{
    const rw_los_method methods[] = {RW_LOS_POLAR, RW_LOS_MARCH, RW_LOS_POLYGONS, RW_LOS_SECTORS};
    answers brute = solve(scene, receivers, source, RW_LOS_BRUTE, 1);
    for (int i = 0; i < 4; i++)
        compare_form(scene, receivers, source, methods[i], &brute);
    release(&brute);
}

/* Receivers on whole metres from first_m on, both ways; sources between the same limits, outside buildings. */
static void compare_scene(rw_scene *scene, uint64_t *random, double first_m, double last_m, double res_m)
{
    rw_receivers receivers;
    rw_vec2 corner = {first_m - 0.5 * res_m - scene->origin.x, first_m - 0.5 * res_m - scene->origin.y};
    size_t side = (size_t)((last_m - first_m) / res_m);
    assert_ok(scene->context, rw_scene_commit(scene));
    assert_ok(scene->context,
              rw_receivers_create(scene, &scene->prepared->grid, corner, side, side, res_m, 1.5, &receivers));
    for (int i = 0; i < 4;) {
        rw_vec2 at = {whole(random, first_m, last_m) - scene->origin.x,
                      whole(random, first_m, last_m) - scene->origin.y};
        double z = rw_scene_ground_m(scene, at) + whole(random, 2, 50);
        uint32_t part;
        if (rw_parts_at(scene, scene->prepared, at, z, &part, 1) > 0)
            continue;
        compare_forms(scene, &receivers, rw_vec3_of(at.x, at.y, z));
        i++;
    }
    rw_receivers_destroy(&receivers);
}

static void compare_scenes_on(rw_backend backend, double first_m, double last_m, double res_m, int with_terrain)
{
    rw_context_options options;
    rw_context_options_init(&options);
    options.backend = backend;
    rw_context *context;
    assert_int_equal(rw_context_create(&options, &context), RW_OK);
    for (uint64_t seed = 1; seed <= 20; seed++) {
        uint64_t random = seed;
        rw_scene *scene = make_scene(context, &random);
        if (with_terrain)
            add_terrain(scene, &random);
        compare_scene(scene, &random, first_m, last_m, res_m);
        rw_scene_destroy(scene);
    }
    rw_context_destroy(context);
}

/* On the CPU, and on the GPU where there is one. */
static void compare_scenes(double first_m, double last_m, double res_m, int with_terrain)
{
    compare_scenes_on(RW_BACKEND_CPU, first_m, last_m, res_m, with_terrain);
    compare_scenes_on(RW_BACKEND_AUTO, first_m, last_m, res_m, with_terrain);
}

static void everything_on_whole_metres(void **state)
{
    (void)state;
    compare_scenes(0, 200, 2, 0);
}

static void sources_far_off_the_scene(void **state)
{
    (void)state;
    compare_scenes(-1500, 1700, 25, 0);
}

static void ground_beyond_the_terrain(void **state)
{
    (void)state;
    compare_scenes(-100, 300, 5, 1);
}

/* A source on the east face of a building: it sees what is east of it, and the west is behind the other wall. */
static void source_on_a_facade(void **state)
{
    (void)state;
    rw_context *context;
    assert_int_equal(rw_context_create(NULL, &context), RW_OK);
    rw_scene *scene;
    assert_ok(context, rw_scene_create(context, &scene));
    double xy[8] = {80, 60, 100, 60, 100, 140, 80, 140};
    size_t ring = 4;
    rw_building building = {.size = sizeof building, .xy = xy, .ring_sizes = &ring, .ring_count = 1};
    building.roof_height_m = 20;
    assert_ok(context, rw_scene_add_building(scene, &building));
    assert_ok(context, rw_scene_commit(scene));
    const rw_los_method methods[] = {RW_LOS_POLAR, RW_LOS_MARCH, RW_LOS_POLYGONS, RW_LOS_SECTORS, RW_LOS_BRUTE};
    rw_receivers receivers;
    rw_vec2 corner = {1 - scene->origin.x, 1 - scene->origin.y};
    assert_ok(context, rw_receivers_create(scene, &scene->prepared->grid, corner, 50, 50, 4, 1.5, &receivers));
    rw_vec3 source = {100 - scene->origin.x, 100 - scene->origin.y, 10};
    for (int i = 0; i < 5; i++) {
        rw_los_job job;
        assert_ok(context, rw_los_job_create(scene, &receivers, &source, 1, methods[i], 0, &job));
        assert_ok(context, rw_los_job_run(&job));
        uint8_t los[50 * 50];
        assert_ok(context, rw_los_job_read(&job, 0, los, NULL));
        for (size_t cell = 0; cell < 50 * 50; cell++) /* centres at 3, 7, 11 m ... */
            if (!receivers.indoor[cell])
                assert_int_equal(los[cell], cell % 50 >= 25);
        rw_los_job_destroy(&job);
    }
    rw_receivers_destroy(&receivers);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

/* Whether the line goes through a level face of a building. */
static uint32_t crosses_level(const rw_scene *scene, const rw_part *part, rw_vec3 from, rw_vec3 to, double z_m)
{
    if ((from.z > z_m) == (to.z > z_m))
        return 0;
    double t = (z_m - from.z) / (to.z - from.z);
    rw_vec2 centre = scene->prepared->grid.centre;
    rw_vec2 at = {from.x + t * (to.x - from.x) + centre.x, from.y + t * (to.y - from.y) + centre.y};
    return (uint32_t)rw_part_contains(scene, part, at);
}

/* Roofs and floors on the line count as walls, in every form: against the points where the line is as high as they. */
static void roofs_count_as_walls(void **state)
{
    (void)state;
    rw_context *context;
    assert_int_equal(rw_context_create(NULL, &context), RW_OK);
    uint64_t random = 11;
    size_t with_roofs = 0;
    for (int turn = 0; turn < 6; turn++) {
        rw_scene *scene = make_scene(context, &random);
        if (turn == 5)
            add_terrain(scene, &random);
        assert_ok(context, rw_scene_commit(scene));
        rw_receivers receivers;
        rw_vec2 corner = {-20.3 - scene->origin.x, -20.7 - scene->origin.y};
        assert_ok(context, rw_receivers_create(scene, &scene->prepared->grid, corner, 60, 60, 4, 1.5, &receivers));
        rw_vec3 source = {91.37 - scene->origin.x, 103.21 - scene->origin.y, turn == 0 ? 9.13 : 61.17};
        rw_vec2 centre = scene->prepared->grid.centre;
        rw_vec3 to = rw_vec3_of(source.x - centre.x, source.y - centre.y, source.z);
        answers walls = solve(scene, &receivers, source, RW_LOS_BRUTE, 1);
        const rw_los_method methods[] = {RW_LOS_MARCH, RW_LOS_POLYGONS, RW_LOS_SECTORS, RW_LOS_BRUTE};
        for (int m = 0; m < 4; m++) {
            answers all = solve_as(scene, &receivers, source, methods[m], 1, 1);
            for (size_t i = 0; i < receivers.view.outdoor_count; i++) {
                size_t cell = receivers.outdoor[i];
                rw_vec3 from = rw_receiver_point(&receivers.view, cell);
                uint32_t roofs = 0;
                for (size_t p = 0; p < scene->parts.count; p++) {
                    const rw_part *part = &scene->parts.items[p];
                    roofs += crosses_level(scene, part, from, to, part->top_m);
                    roofs += part->base_height_m > 0 ? crosses_level(scene, part, from, to, part->bottom_m) : 0;
                }
                /* through roof and floor of one part there is no wall to tell of it */
                if (all.walls[cell] != walls.walls[cell] + roofs && !oracle_on_edge(scene, from, to) &&
                    !(all.walls[cell] < walls.walls[cell] + roofs &&
                      (walls.walls[cell] + roofs - all.walls[cell]) % 2 == 0))
                    fail_msg("method %d, turn %d, cell %zu: %u walls, expected %u and %u roofs", (int)methods[m], turn,
                             cell, all.walls[cell], walls.walls[cell], roofs);
                with_roofs += all.walls[cell] > walls.walls[cell];
                assert_int_equal(all.los[cell], walls.los[cell]);
            }
            release(&all);
        }
        release(&walls);
        rw_receivers_destroy(&receivers);
        rw_scene_destroy(scene);
    }
    assert_true(with_roofs > 1000);
    rw_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_on_whole_metres), cmocka_unit_test(sources_far_off_the_scene),
        cmocka_unit_test(ground_beyond_the_terrain),  cmocka_unit_test(source_on_a_facade),
        cmocka_unit_test(roofs_count_as_walls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
