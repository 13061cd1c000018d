/* labels: slow */
/* Line of sight: every form against brute force in double, closed cases, terrain against dense sampling; on the CPU
 * and, where there is one, on the GPU. */
#include "scene/scene.h"
#include "sight_answers.h"
#include "sight_oracle.h"

static rw_context *make_context(rw_backend backend)
{
    rw_context_options options;
    rw_context_options_init(&options);
    options.backend = backend;
    rw_context *context;
    if (rw_context_create(&options, &context) == RW_OK)
        return context;
    if (backend != RW_BACKEND_CUDA)
        fail_msg("no context: %s\n", rw_last_error(context));
    rw_context_destroy(context);
    return NULL;
}

/* Compares a form with brute force; a difference is allowed only on the edge of a shadow. */
static void compare(const rw_scene *scene, const rw_receivers *receivers, rw_vec3 source, const answers *expected,
                    rw_los_method method, int count)
{
    answers got = solve(scene, receivers, source, method, count);
    rw_vec2 centre = scene->prepared->grid.centre;
    rw_vec3 at = rw_vec3_of(source.x - centre.x, source.y - centre.y, source.z);
    size_t compared = 0, on_edge = 0;
    for (size_t i = 0; i < receivers->view.columns * receivers->view.rows; i++) {
        if (receivers->indoor[i])
            continue;
        compared++;
        if (got.los[i] == expected->los[i] && (!count || got.walls[i] == expected->walls[i]))
            continue;
        on_edge++;
        if (!oracle_on_edge(scene, rw_receiver_point(&receivers->view, i), at))
            fail_msg("method %d, cell %zu: los %d walls %u, expected %d and %u\n", (int)method, i, got.los[i],
                     got.walls[i], expected->los[i], expected->walls[i]);
    }
    assert_true(compared > 0 && on_edge <= compared / 200 + 1);
    release(&got);
}

static void compare_all(const rw_scene *scene, const rw_receivers *receivers, rw_vec3 source)
{
    answers expected = solve(scene, receivers, source, RW_LOS_BRUTE, 1);
    compare(scene, receivers, source, &expected, RW_LOS_POLAR, 0);
    compare(scene, receivers, source, &expected, RW_LOS_MARCH, 0);
    compare(scene, receivers, source, &expected, RW_LOS_MARCH, 1);
    compare(scene, receivers, source, &expected, RW_LOS_POLYGONS, 1);
    compare(scene, receivers, source, &expected, RW_LOS_SECTORS, 1);
    release(&expected);
}

static rw_receivers lay_receivers(const rw_scene *scene, double res_m)
{
    rw_receivers receivers;
    size_t columns = (size_t)((scene->box_max.x - scene->box_min.x) / res_m);
    size_t rows = (size_t)((scene->box_max.y - scene->box_min.y) / res_m);
    assert_ok(scene->context, rw_receivers_create(scene, &scene->prepared->grid, scene->box_min, columns, rows, res_m,
                                                  1.5, &receivers));
    return receivers;
}

static void add_box(rw_scene *scene, double x0, double y0, double x1, double y1, double roof_m)
{
    double xy[8] = {x0, y0, x1, y0, x1, y1, x0, y1};
    size_t ring = 4;
    rw_building building = {.size = sizeof building,
                            .xy = xy,
                            .ring_sizes = &ring,
                            .ring_count = 1,
                            .ground_m = NAN,
                            .roof_height_m = roof_m};
    assert_ok(scene->context, rw_scene_add_building(scene, &building));
}

/* Equation (2) by hand: a wall 10 m high at x = 50, a source 20 m high at x = 0, receivers at 1.5 m: the shadow ends at
 * 50 + 50 (10 - 1.5) / (20 - 10) = 92.5 m behind the near wall; behind the far wall at x = 60, at 111 m. */
static void shadow_ends_where_the_paper_says(void **state)
{
    (void)state;
    rw_context *context = make_context(RW_BACKEND_CPU);
    rw_scene *scene;
    assert_ok(context, rw_scene_create(context, &scene));
    add_box(scene, 50, -100, 60, 100, 10);
    add_box(scene, 300, -100, 310, 100, 10);
    assert_ok(context, rw_scene_commit(scene));
    rw_receivers line;
    rw_vec2 corner = {-scene->origin.x - 0.25, -scene->origin.y - 0.25};
    assert_ok(context, rw_receivers_create(scene, &scene->prepared->grid, corner, 500, 1, 0.5, 1.5, &line));
    rw_vec3 source = {-scene->origin.x, -scene->origin.y, 20};
    const rw_los_method methods[] = {RW_LOS_MARCH, RW_LOS_POLYGONS, RW_LOS_SECTORS, RW_LOS_BRUTE};
    for (int m = 0; m < 4; m++) {
        answers got = solve(scene, &line, source, methods[m], 1);
        for (size_t i = 0; i < 500; i++) {
            double x = 0.5 * (double)i;
            if (fabs(x - 55) < 5.1 || fabs(x - 92.5) < 0.1 || fabs(x - 111) < 0.1)
                continue;
            uint32_t expected = (x > 50 && x < 92.5) + (x > 60 && x < 111);
            assert_int_equal(got.walls[i], expected);
            assert_int_equal(got.los[i], expected == 0);
        }
        release(&got);
    }
    rw_receivers_destroy(&line);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

/* RASTERWAVE_QUICK=1: a thinner run, for sanitizers, under which brute force takes minutes. */
static int is_quick(void)
{
    const char *quick = getenv("RASTERWAVE_QUICK");
    return quick && strcmp(quick, "1") == 0;
}

static void generated_cities(rw_backend backend)
{
    rw_context *context = make_context(backend);
    if (!context)
        skip_test("no GPU");
    const uint64_t last_seed = is_quick() ? 3 : 20;
    for (uint64_t seed = 1; seed <= last_seed; seed++) {
        rw_city_options options;
        rw_city_options_init(&options);
        options.width_m = options.depth_m = 500;
        options.seed = seed;
        options.hills = seed % 4 != 0;
        options.style = seed % 5 == 0 ? "grid" : "european";
        rw_scene *scene;
        assert_ok(context, rw_generate_city(context, &options, &scene));
        assert_ok(context, rw_scene_commit(scene));
        rw_receivers receivers = lay_receivers(scene, 7.3);
        uint64_t state = seed;
        const double heights[] = {3, 15, 60};
        compare_all(scene, &receivers, oracle_source(scene, &state, heights[seed % 3]));
        rw_receivers_destroy(&receivers);
        rw_scene_destroy(scene);
    }
    rw_context_destroy(context);
}

/* A window of a city, for which only the walls around it and its sources are gone through: a source within it, one far
 * beside it, and the same job for one after the other. */
static void windows_of_a_city(void **state)
{
    (void)state;
    rw_context *context = make_context(RW_BACKEND_CPU);
    rw_city_options options;
    rw_city_options_init(&options);
    options.width_m = options.depth_m = 700;
    rw_scene *scene;
    assert_ok(context, rw_generate_city(context, &options, &scene));
    assert_ok(context, rw_scene_commit(scene));
    rw_receivers receivers;
    rw_vec2 corner = {scene->box_min.x + 80, scene->box_min.y + 120};
    assert_ok(context, rw_receivers_create(scene, &scene->prepared->grid, corner, 30, 25, 5.3, 1.5, &receivers));
    const rw_vec3 sources[] = {{corner.x + 70, corner.y + 40, 45}, {corner.x + 300, corner.y - 90, 60}};
    for (int i = 0; i < 2; i++)
        compare_all(scene, &receivers, sources[i]);
    size_t cells = receivers.view.columns * receivers.view.rows;
    rw_los_job job;
    assert_ok(context, rw_los_job_create(scene, &receivers, sources, 1, RW_LOS_SECTORS, 1, &job));
    assert_true(!job.near.is_all && job.near.count > 20 && job.near.count < scene->prepared->walls.count / 3);
    assert_ok(context, rw_los_job_move(&job, sources + 1, 1));
    assert_ok(context, rw_los_job_run(&job));
    answers expected = solve(scene, &receivers, sources[1], RW_LOS_BRUTE, 1);
    for (size_t i = 0; i < cells; i++)
        assert_true(receivers.indoor[i] || job.arrays.walls[i] == expected.walls[i]);
    release(&expected);
    rw_los_job_destroy(&job);
    rw_receivers_destroy(&receivers);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

static void generated_cities_on_cpu(void **state)
{
    (void)state;
    generated_cities(RW_BACKEND_CPU);
}

static void generated_cities_on_gpu(void **state)
{
    (void)state;
    generated_cities(RW_BACKEND_CUDA);
}

/* Munich at 5 m from 50 transmitters. Brute force takes minutes on a CPU, so there the receivers are
 * thinned out unless RASTERWAVE_FULL is set. */
static void munich(rw_backend backend, const char *path)
{
    rw_context *context = make_context(backend);
    if (!context)
        skip_test("no GPU");
    for (int terrain = 0; terrain < 2; terrain++) {
        rw_load_options options;
        rw_load_options_init(&options);
        options.terrain = terrain ? NULL : "flat";
        rw_scene *scene;
        assert_ok(context, rw_scene_load(context, path, &options, &scene));
        int full = backend == RW_BACKEND_CUDA || getenv("RASTERWAVE_FULL");
        rw_receivers receivers = lay_receivers(scene, full ? 5 : 55);
        uint64_t state = 1;
        for (int i = 0; i < (is_quick() ? 2 : 50); i++)
            compare_all(scene, &receivers, oracle_source(scene, &state, i % 2 ? 10 : 30));
        rw_receivers_destroy(&receivers);
        rw_scene_destroy(scene);
    }
    rw_context_destroy(context);
}

static void munich_on_cpu(void **state)
{
    (void)state;
    require_test_data(path, "munich/Munich_buildings.res");
    munich(RW_BACKEND_CPU, path);
}

static void munich_on_gpu(void **state)
{
    (void)state;
    require_test_data(path, "munich/Munich_buildings.res");
    munich(RW_BACKEND_CUDA, path);
}

/* Copies a scene's buildings, moved by a whole number of metres. */
static rw_scene *moved_copy(const rw_scene *scene, double dx, double dy)
{
    rw_scene *copy;
    assert_ok(scene->context, rw_scene_create(scene->context, &copy));
    for (size_t i = 0; i < scene->parts.count; i++) {
        const rw_part *part = &scene->parts.items[i];
        size_t points = 0, sizes[64];
        assert_true(part->ring_count < 64);
        for (size_t r = 0; r < part->ring_count; r++)
            points += sizes[r] = rw_ring_size(scene, part->first_ring + r);
        double *xy = malloc(2 * points * sizeof *xy);
        for (size_t p = 0; p < points; p++) {
            rw_vec2 point = rw_ring_points(scene, part->first_ring)[p];
            xy[2 * p] = point.x + scene->origin.x + dx;
            xy[2 * p + 1] = point.y + scene->origin.y + dy;
        }
        rw_building building = {.size = sizeof building,
                                .building_id = part->building,
                                .xy = xy,
                                .ring_sizes = sizes,
                                .ring_count = part->ring_count,
                                .ground_m = part->ground_m,
                                .base_height_m = part->base_height_m,
                                .roof_height_m = part->roof_height_m};
        assert_ok(scene->context, rw_scene_add_building(copy, &building));
        free(xy);
    }
    assert_ok(scene->context, rw_scene_commit(copy));
    return copy;
}

static void same_map_at_utm_coordinates(void **state)
{
    (void)state;
    rw_context *context = make_context(RW_BACKEND_AUTO);
    rw_city_options options;
    rw_city_options_init(&options);
    options.width_m = options.depth_m = 800;
    rw_scene *scene, *moved;
    assert_ok(context, rw_generate_city(context, &options, &scene));
    assert_ok(context, rw_scene_commit(scene));
    moved = moved_copy(scene, 500000, 5000000);
    uint64_t random = 3;
    for (int i = 0; i < 5; i++) {
        rw_vec3 source = oracle_source(scene, &random, 12);
        rw_vec3 moved_source = {source.x + scene->origin.x + 500000 - moved->origin.x,
                                source.y + scene->origin.y + 5000000 - moved->origin.y, source.z};
        rw_receivers a = lay_receivers(scene, 5), b = lay_receivers(moved, 5);
        size_t cells = a.view.columns * a.view.rows;
        assert_memory_equal(a.indoor, b.indoor, cells);
        answers first = solve(scene, &a, source, RW_LOS_AUTO, 1),
                second = solve(moved, &b, moved_source, RW_LOS_AUTO, 1);
        assert_memory_equal(first.los, second.los, cells);
        assert_memory_equal(first.walls, second.walls, cells * sizeof *first.walls);
        release(&first);
        release(&second);
        rw_receivers_destroy(&a);
        rw_receivers_destroy(&b);
    }
    rw_scene_destroy(scene);
    rw_scene_destroy(moved);
    rw_context_destroy(context);
}

/* The ground alone, against heights sampled every few centimetres along the line. */
static void terrain_blocks_as_sampled(void **state)
{
    (void)state;
    rw_context *context = make_context(RW_BACKEND_CPU);
    rw_terrain_options options;
    rw_terrain_options_init(&options);
    options.width_m = options.depth_m = 600;
    options.spacing_m = 17;
    options.relief_m = 60;
    rw_scene *scene;
    assert_ok(context, rw_generate_terrain(context, &options, &scene));
    assert_ok(context, rw_scene_commit(scene));
    rw_receivers receivers = lay_receivers(scene, 13);
    uint64_t random = 5;
    rw_vec3 source = oracle_source(scene, &random, 8);
    answers got = solve(scene, &receivers, source, RW_LOS_MARCH, 0);
    rw_vec2 centre = scene->prepared->grid.centre;
    size_t blocked = 0, cells = receivers.view.columns * receivers.view.rows;
    for (size_t i = 0; i < cells; i++) {
        rw_vec3 from = rw_receiver_point(&receivers.view, i);
        from.x += centre.x;
        from.y += centre.y;
        double least = INFINITY;
        for (int s = 0; s <= 20000; s++) {
            double t = s / 20000.0;
            rw_vec2 at = {from.x + t * (source.x - from.x), from.y + t * (source.y - from.y)};
            least = fmin(least, from.z + t * (source.z - from.z) - rw_scene_ground_m(scene, at));
        }
        if (fabs(least) > 0.02)
            assert_int_equal(got.los[i], least > 0);
        blocked += !got.los[i];
    }
    assert_true(blocked > cells / 20 && blocked < cells);
    release(&got);
    rw_receivers_destroy(&receivers);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shadow_ends_where_the_paper_says),
        cmocka_unit_test(generated_cities_on_cpu),
        cmocka_unit_test(windows_of_a_city),
        cmocka_unit_test(generated_cities_on_gpu),
        cmocka_unit_test(munich_on_cpu),
        cmocka_unit_test(munich_on_gpu),
        cmocka_unit_test(same_map_at_utm_coordinates),
        cmocka_unit_test(terrain_blocks_as_sampled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
