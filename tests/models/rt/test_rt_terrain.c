/* The models rt and tiles on terrain: an even slope is two rays, a ridge is a wedge, a plateau is a flat roof; rt
 * against every sequence of the ground's triangles, enumerated here; both ways among houses on hills. */
#include "base/maths/elementary.h"
#include "base/maths/hash.h"
#include "base/maths/vector.h"
#include "discretise/walls/walls.h"
#include "flat_roof.h"
#include "ray_cases.h"

#include <rasterwave/calc.h>

enum { POSTS = 21 };
static const double spacing_m = 20;

static rw_scene *on_terrain(rw_context *context, float *heights, size_t posts, double apart_m)
{
    rw_raster terrain = {
        .size = sizeof terrain, .columns = posts, .rows = posts, .dx_m = apart_m, .dy_m = apart_m, .values = heights};
    rw_scene *scene = make_scene(context);
    assert_ok(context, rw_scene_set_terrain(scene, &terrain));
    return scene;
}

static prediction begin_on(rw_context *context, rw_scene *scene, const char *model, double x_m, double y_m, double z_m)
{
    prediction now = begin_rt(scene, context, x_m, y_m, z_m);
    now.options.model = model;
    now.options.depth = 1;
    now.options.loss_max_db = 200;
    now.options.roofs = "none"; /* rays alone */
    if (strcmp(model, "tiles") == 0)
        now.options.tile_area_m2 = spacing_m * spacing_m;
    return now;
}

static const char *const models[] = {"rt", "tiles"};

/* Up an even slope: flat ground, seen at an angle. */
static void slope_is_two_rays(void **state)
{
    (void)state;
    static float heights[POSTS * POSTS];
    const double slope = 0.25, tilt = atan(slope), first_m = 12, second_m = 2, far_m = 130;
    for (int i = 0; i < POSTS * POSTS; i++)
        heights[i] = (float)(30 + slope * (i % POSTS) * spacing_m);
    for (int m = 0; m < 2; m++) {
        rw_context *context = make_context();
        rw_scene *scene = on_terrain(context, heights, POSTS, spacing_m);
        assert_ok(context, rw_scene_commit(scene));
        prediction now = begin_on(context, scene, models[m], 103, 207, first_m);
        rw_two_ray_options both = {.size = sizeof both,
                                   .freq_hz = FREQ_HZ,
                                   .first_height_m = first_m * cos(tilt),
                                   .second_height_m = second_m * cos(tilt),
                                   .distance_m = far_m / cos(tilt) + (second_m - first_m) * sin(tilt),
                                   .ground = "itu_medium_dry_ground"};
        rw_two_ray_result expected = {.size = sizeof expected};
        assert_ok(context, rw_calc_two_ray(context, &both, &expected));
        rw_paths *paths = trace_to(&now, 103 + far_m, 207, second_m);
        double re = 0, im = 0;
        assert_int_equal(rw_paths_count(paths), 2);
        for (size_t i = 0; i < 2; i++) {
            rw_path path = {.size = sizeof path};
            rw_paths_get(paths, i, &path);
            re += path.gain_re;
            im += path.gain_im;
        }
        assert_near(-20 * log10(hypot(re, im)), expected.loss_vertical_db, 1e-5);
        rw_paths_destroy(paths);
        end_rt(&now);
    }
}

/* A ridge between two even slopes, and nothing else: what lies behind it is reached over an edge of the ground. */
static void ridge_is_a_wedge(void **state)
{
    (void)state;
    static float heights[POSTS * POSTS];
    const double slope = 0.25, ridge_m = 200;
    for (int i = 0; i < POSTS * POSTS; i++)
        heights[i] = (float)(60 - slope * fabs((i % POSTS) * spacing_m - ridge_m));
    double lean_deg = atan(slope) * 180 / RW_PI, tx_z = 60 - slope * 140 + 5, rx_z = 60 - slope * 110 + 1.5;
    /* from the slope of the transmitter, through the air, to that of the receiver */
    rw_wedge_options wedge = {.size = sizeof wedge,
                              .freq_hz = FREQ_HZ,
                              .exterior_angle_deg = 180 + 2 * lean_deg,
                              .source_m = hypot(140, 60 - tx_z),
                              .source_angle_deg = lean_deg - atan2(60 - tx_z, 140) * 180 / RW_PI,
                              .observer_m = hypot(110, 60 - rx_z),
                              .observer_angle_deg = 180 + lean_deg + atan2(60 - rx_z, 110) * 180 / RW_PI,
                              .material = "itu_medium_dry_ground",
                              .method = "holm"};
    for (int m = 0; m < 2; m++) {
        rw_context *context = make_context();
        rw_scene *scene = on_terrain(context, heights, POSTS, spacing_m);
        assert_ok(context, rw_scene_commit(scene));
        rw_wedge_result expected = {.size = sizeof expected};
        assert_ok(context, rw_calc_wedge(context, &wedge, &expected));
        assert_false(expected.line_of_sight);
        double wanted = hypot(expected.diffracted_hard.re, expected.diffracted_hard.im) * WAVELENGTH_M /
                        (4 * RW_PI * expected.direct_m);
        prediction now = begin_on(context, scene, models[m], 60, 190, 5);
        rw_paths *paths = trace_to(&now, 310, 190, 1.5);
        int found = 0;
        for (size_t i = 0; i < rw_paths_count(paths); i++) {
            rw_path path = {.size = sizeof path};
            rw_paths_get(paths, i, &path);
            if (path.vertex_count != 3 || fabs(path.vertices[1].x_m - ridge_m) > 1e-6)
                continue;
            found++;
            assert_int_equal(path.vertices[1].interaction, RW_INTERACTION_ROOF);
            assert_near(path.length_m, expected.over_edge_m, 1e-3);
            assert_near(20 * log10(gain_of(&path) / wanted), 0, 0.05);
        }
        assert_int_equal(found, 1);
        rw_paths_destroy(paths);
        end_rt(&now);
    }
}

/* A plateau of metal between two steep slopes: the path over both its edges runs in the plateau, as over a flat roof.
 */
static void plateau_is_a_flat_roof(void **state)
{
    (void)state;
    static float heights[POSTS * POSTS];
    const flat_roof at = {2 * FLAT_ROOF_PI / WAVELENGTH_M, 60, 20, 70, -5, -4};
    double expected_db = -20 * log10(cabs(flat_roof_field(&at, 1, 0))), straight_m = hypot(60 + 20 + 70, 1);
    for (int i = 0; i < POSTS * POSTS; i++)
        heights[i] = i % POSTS == 10 || i % POSTS == 11 ? 160 : 60;
    rw_context *context = make_context();
    rw_scene *scene = on_terrain(context, heights, POSTS, spacing_m);
    rw_material ground = {.size = sizeof ground, .name = "ground", .a = 1, .freq_max_hz = 1e12, .perfect_conductor = 1};
    assert_ok(context, rw_scene_add_material(scene, &ground));
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_on(context, scene, "rt", 140, 190, 95);
    now.options.depth = now.options.diffractions = 2;
    now.options.reflections = 0;
    rw_paths *paths = trace_to(&now, 290, 190, 96);
    rw_path path = only_path(paths, 2, (rw_interaction[]){RW_INTERACTION_ROOF, RW_INTERACTION_ROOF});
    assert_near(path.vertices[1].x_m, 200, 1e-6);
    assert_near(path.vertices[2].x_m, 220, 1e-6);
    assert_near(path.loss_db - 20 * log10(4 * RW_PI * straight_m / WAVELENGTH_M), expected_db, 1);
    rw_paths_destroy(paths);
    end_rt(&now);
}

/* The oracle: triangles of hills, and every sequence of up to two of them. */
enum { HILL_POSTS = 6, TRIANGLES = 2 * (HILL_POSTS - 1) * (HILL_POSTS - 1), FOUND_MOST = 4096 };

typedef struct hills {
    rw_vec3 corners[TRIANGLES][3];
    rw_vec3 from, to;
    double lengths_m[FOUND_MOST];
    size_t count;
} hills;

static rw_vec3 normal_of(const rw_vec3 *triangle)
{
    rw_vec3 across = rw_vec3_cross(rw_vec3_sub(triangle[1], triangle[0]), rw_vec3_sub(triangle[2], triangle[0]));
    return rw_vec3_scale(across, 1 / rw_vec3_length(across));
}

static rw_vec3 mirror(const rw_vec3 *triangle, rw_vec3 point)
{
    rw_vec3 normal = normal_of(triangle);
    return rw_vec3_sub(point, rw_vec3_scale(normal, 2 * rw_vec3_dot(normal, rw_vec3_sub(point, triangle[0]))));
}

/* Where a line meets a triangle, as a share of the line; -1 where it does not. */
static double meets(const rw_vec3 *triangle, rw_vec3 from, rw_vec3 to)
{
    rw_vec3 normal = normal_of(triangle);
    double a = rw_vec3_dot(normal, rw_vec3_sub(from, triangle[0])),
           b = rw_vec3_dot(normal, rw_vec3_sub(to, triangle[0]));
    if ((a > 0) == (b > 0))
        return -1;
    rw_vec3 at = rw_vec3_add(from, rw_vec3_scale(rw_vec3_sub(to, from), a / (a - b)));
    for (int i = 0; i < 3; i++) {
        rw_vec3 side = rw_vec3_sub(triangle[(i + 1) % 3], triangle[i]);
        if (rw_vec3_dot(rw_vec3_cross(side, rw_vec3_sub(at, triangle[i])), normal) < 0)
            return -1;
    }
    return a / (a - b);
}

static int sees(const hills *among, rw_vec3 from, rw_vec3 to)
{
    for (int i = 0; i < TRIANGLES; i++) {
        double share = meets(among->corners[i], from, to);
        if (share > 1e-9 && share < 1 - 1e-9)
            return 0;
    }
    return 1;
}

static void try_sequence(hills *among, const int *steps, int count)
{
    rw_vec3 images[3] = {among->from}, places[4];
    for (int i = 0; i < count; i++)
        images[i + 1] = mirror(among->corners[steps[i]], images[i]);
    places[0] = among->from;
    places[count + 1] = among->to;
    for (int i = count; i > 0; i--) {
        double share = meets(among->corners[steps[i - 1]], images[i], places[i + 1]);
        if (share < 0)
            return;
        places[i] = rw_vec3_add(images[i], rw_vec3_scale(rw_vec3_sub(places[i + 1], images[i]), share));
    }
    for (int i = 0; i <= count; i++)
        if (!sees(among, places[i], places[i + 1]))
            return;
    assert_true(among->count < FOUND_MOST);
    among->lengths_m[among->count++] = rw_vec3_length(rw_vec3_sub(images[count], among->to));
}

static void enumerate(hills *among)
{
    int steps[2];
    among->count = 0;
    try_sequence(among, steps, 0);
    for (steps[0] = 0; steps[0] < TRIANGLES; steps[0]++) {
        try_sequence(among, steps, 1);
        for (steps[1] = 0; steps[1] < TRIANGLES; steps[1]++)
            if (steps[1] != steps[0])
                try_sequence(among, steps, 2);
    }
}

static rw_vec3 post(const float *heights, double apart_m, int column, int row)
{
    return rw_vec3_of(column * apart_m, row * apart_m, (double)heights[row * HILL_POSTS + column]);
}

static void cut_hills(const float *heights, double apart_m, hills *among)
{
    int count = 0;
    for (int row = 0; row + 1 < HILL_POSTS; row++)
        for (int column = 0; column + 1 < HILL_POSTS; column++) {
            rw_vec3 corners[2][3] = {{post(heights, apart_m, column, row), post(heights, apart_m, column + 1, row),
                                      post(heights, apart_m, column + 1, row + 1)},
                                     {post(heights, apart_m, column, row), post(heights, apart_m, column + 1, row + 1),
                                      post(heights, apart_m, column, row + 1)}};
            memcpy(among->corners[count++], corners[0], sizeof corners[0]);
            memcpy(among->corners[count++], corners[1], sizeof corners[1]);
        }
}

/* A place at a height over the ground. */
static rw_vec3 stand(const hills *among, double x, double y, double height_m)
{
    for (int i = 0; i < TRIANGLES; i++) {
        double share = meets(among->corners[i], rw_vec3_of(x, y, 0), rw_vec3_of(x, y, 1000));
        if (share >= 0)
            return rw_vec3_of(x, y, 1000 * share + height_m);
    }
    fail_msg("%g, %g is off the terrain", x, y);
    return rw_vec3_of(0, 0, 0);
}

static int compare_numbers(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return a < b ? -1 : a > b;
}

/* Steep hills, so that rays bounce from slope to slope. */
static void every_sequence_of_the_ground(void **state)
{
    (void)state;
    static hills among;
    size_t all = 0, blocked = 0;
    for (uint64_t seed = 1; seed <= 24; seed++) {
        float heights[HILL_POSTS * HILL_POSTS];
        rw_random random = rw_random_of(seed, 0);
        for (int i = 0; i < HILL_POSTS * HILL_POSTS; i++)
            heights[i] = (float)rw_random_range(&random, 0, 60);
        cut_hills(heights, 30, &among);
        rw_context *context = make_context();
        rw_scene *scene = on_terrain(context, heights, HILL_POSTS, 30);
        assert_ok(context, rw_scene_commit(scene));
        double from_x = rw_random_range(&random, 40, 110), to_x = rw_random_range(&random, 20, 130);
        prediction now = begin_on(context, scene, "rt", from_x, 51, 12);
        now.options.depth = 2;
        now.options.diffractions = 0;
        now.options.loss_max_db = 400;
        rw_paths *paths = trace_to(&now, to_x, 93, 5);
        static double found_m[FOUND_MOST];
        size_t count = rw_paths_count(paths);
        assert_true(count <= FOUND_MOST);
        for (size_t i = 0; i < count; i++) {
            rw_path path = {.size = sizeof path};
            rw_paths_get(paths, i, &path);
            found_m[i] = path.length_m;
        }
        among.from = stand(&among, from_x, 51, 12);
        among.to = stand(&among, to_x, 93, 5);
        enumerate(&among);
        assert_int_equal(among.count, count);
        qsort(found_m, count, sizeof *found_m, compare_numbers);
        qsort(among.lengths_m, count, sizeof *found_m, compare_numbers);
        for (size_t i = 0; i < count; i++)
            assert_near(found_m[i], among.lengths_m[i], 1e-6);
        all += count;
        blocked += !sees(&among, among.from, among.to);
        rw_paths_destroy(paths);
        end_rt(&now);
    }
    printf("%zu paths between hills, %zu of 24 pairs without sight\n", all, blocked);
    assert_true(all > 60 && blocked > 2 && blocked < 22);
}

static size_t list(prediction *now, const double from[3], const double to[3], double (*gains)[2])
{
    now->tx[0].x_m = from[0];
    now->tx[0].y_m = from[1];
    now->tx[0].height_m = from[2];
    rw_paths *paths = trace_to(now, to[0], to[1], to[2]);
    size_t count = rw_paths_count(paths);
    assert_true(count <= FOUND_MOST);
    for (size_t i = 0; i < count; i++) {
        rw_path path = {.size = sizeof path};
        rw_paths_get(paths, i, &path);
        gains[i][0] = path.length_m;
        gains[i][1] = gain_of(&path);
    }
    rw_paths_destroy(paths);
    qsort(gains, count, sizeof *gains, compare_numbers);
    return count;
}

/* Houses on hills, with reflections and up to two diffractions at houses and ridges: every path is worth the same both
 * ways. */
static void both_ways_are_alike(void **state)
{
    (void)state;
    static double there[FOUND_MOST][2], back[FOUND_MOST][2];
    const double ends[2][3] = {{32, 41, 9}, {118, 96, 2}};
    float heights[HILL_POSTS * HILL_POSTS];
    rw_random random = rw_random_of(3, 0);
    for (int i = 0; i < HILL_POSTS * HILL_POSTS; i++)
        heights[i] = (float)rw_random_range(&random, 0, 12);
    rw_context *context = make_context();
    rw_scene *scene = on_terrain(context, heights, HILL_POSTS, 30);
    add_block(context, scene, (double[]){60, 30, 85, 60}, 12, NULL);
    add_block(context, scene, (double[]){50, 85, 80, 110}, 9, NULL);
    commit_between(context, scene, 1, 149);
    prediction now = begin_on(context, scene, "rt", 0, 0, 0);
    now.options.depth = now.options.diffractions = 2;
    now.options.loss_max_db = 400;
    size_t count = list(&now, ends[0], ends[1], there);
    assert_true(count > 30);
    assert_int_equal(list(&now, ends[1], ends[0], back), count);
    for (size_t i = 0; i < count; i++) {
        assert_near(back[i][0], there[i][0], 1e-6);
        assert_near(back[i][1], there[i][1], 1e-6 * there[0][1] + 1e-5 * there[i][1]);
    }
    end_rt(&now);
}

/* A house on an even slope has all its edges. */
static void houses_on_slopes_have_edges(void **state)
{
    (void)state;
    static float heights[POSTS * POSTS];
    for (int i = 0; i < POSTS * POSTS; i++)
        heights[i] = (float)(0.25 * (i % POSTS) * spacing_m);
    rw_context *context = make_context();
    rw_scene *scene = on_terrain(context, heights, POSTS, spacing_m);
    add_block(context, scene, (double[]){110, 110, 150, 130}, 14, NULL);
    assert_ok(context, rw_scene_commit(scene));
    rw_building_edge *edges;
    size_t count, corners = 0;
    double level_m = 0;
    assert_ok(context, rw_building_edges_find(scene, &edges, &count));
    for (size_t i = 0; i < count; i++) {
        corners += (size_t)edges[i].upright;
        level_m += edges[i].upright ? 0 : rw_vec3_length(rw_vec3_sub(edges[i].to, edges[i].from));
    }
    assert_int_equal(corners, 4);
    assert_near(level_m, 2 * (40 + 20), 0.1);
    free(edges);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

/* Whether a leg goes through a building: places along it are asked. */
static int meets_building(const rw_scene *scene, const rw_path_vertex *a, const rw_path_vertex *b)
{
    for (int i = 1; i < 400; i++) {
        double share = i / 400.0, z = a->z_m + share * (b->z_m - a->z_m);
        rw_vec2 at = {a->x_m + share * (b->x_m - a->x_m) - scene->origin.x,
                      a->y_m + share * (b->y_m - a->y_m) - scene->origin.y};
        for (size_t k = 0; k < scene->parts.count; k++) {
            const rw_part *part = &scene->parts.items[k];
            if (z < part->top_m - 0.05 && z > part->bottom_m + 0.05 && rw_part_contains(scene, part, at))
                return 1;
        }
    }
    return 0;
}

/* Paths of both models to points of a city on hills: none of rt goes through a house, of tiles hardly one. */
static void paths_go_round_houses(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_city_options city;
    rw_scene *scene;
    rw_city_options_init(&city);
    city.width_m = city.depth_m = 220;
    city.hills = 1;
    assert_ok(context, rw_generate_city(context, &city, &scene));
    assert_ok(context, rw_scene_commit(scene));
    for (int m = 0; m < 2; m++) {
        prediction now = begin_on(context, scene, models[m], 110, 110, 25);
        rw_random random = rw_random_of(7, 0);
        size_t all = 0, through = 0;
        for (int i = 0; i < 60; i++) {
            double x = rw_random_range(&random, 10, 210), y = rw_random_range(&random, 10, 210);
            int inside = 0;
            for (size_t k = 0; k < scene->parts.count; k++)
                inside |= rw_part_contains(scene, &scene->parts.items[k],
                                           rw_vec2_of(x - scene->origin.x, y - scene->origin.y));
            if (inside)
                continue;
            rw_paths *paths = trace_to(&now, x, y, 1.5);
            for (size_t k = 0; k < rw_paths_count(paths); k++) {
                rw_path path = {.size = sizeof path};
                rw_paths_get(paths, k, &path);
                all++;
                for (size_t v = 0; v + 1 < path.vertex_count; v++)
                    through += (size_t)meets_building(scene, &path.vertices[v], &path.vertices[v + 1]);
            }
            rw_paths_destroy(paths);
        }
        printf("%s: %zu paths, %zu legs through houses\n", models[m], all, through);
        assert_true(all > 50);
        assert_true(m == 0 ? through == 0 : 50 * through <= all); /* tiles: ground under the edge of a low house */
    }
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

static void refusals(void **state)
{
    (void)state;
    static float many[400 * 400];
    rw_context *context = make_context();
    rw_scene *scene = on_terrain(context, many, 400, 1);
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_rt(scene, context, 100, 100, 10);
    rw_point point = {.size = sizeof(rw_point), .x_m = 150, .y_m = 150, .height_m = 1.5};
    rw_paths *paths;
    now.options.transmitters = now.tx;
    check_sentence(context, rw_trace(scene, &now.options, &point, 1, &paths), RW_TOO_LARGE, "400 x 400 posts");
    now.options.model = "images";
    check_sentence(context, rw_trace(scene, &now.options, &point, 1, &paths), RW_BAD_CALL, "use flat terrain");
    end_rt(&now);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slope_is_two_rays),           cmocka_unit_test(ridge_is_a_wedge),
        cmocka_unit_test(plateau_is_a_flat_roof),      cmocka_unit_test(every_sequence_of_the_ground),
        cmocka_unit_test(both_ways_are_alike),         cmocka_unit_test(refusals),
        cmocka_unit_test(houses_on_slopes_have_edges), cmocka_unit_test(paths_go_round_houses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
