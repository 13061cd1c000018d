/* Discretisation against slow and obvious forms: wall list, wall grid, receivers, height raster, triangle tree. */
#include "shapes.h"

#include "base/maths/hash.h"
#include "discretise/bvh/cross_meshes.k.h"
#include "discretise/walls/walls.h"
#include "discretise/prepared.h"
#include "discretise/receivers/receivers.h"

#include <time.h>

static void lists_every_wall(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_scene *scene = make_generated_city(context, "european", 600, 3, 1);
    const rw_wall_list *walls = &scene->prepared->walls;
    rw_scene_info info = {.size = sizeof info};
    assert_ok(context, rw_scene_get_info(scene, &info));
    assert_int_equal(walls->count, info.walls);
    double longest_m = 0;
    for (size_t i = 0; i < walls->count; i++) {
        const rw_wall *wall = &walls->walls[i];
        const rw_part *part = &scene->parts.items[walls->parts[i]];
        rw_vec2 along = rw_vec2_sub(wall->p1, wall->p0), normal = walls->normals[i];
        rw_vec2 inside = {0.5 * (wall->p0.x + wall->p1.x) - 1e-3 * normal.x,
                          0.5 * (wall->p0.y + wall->p1.y) - 1e-3 * normal.y};
        longest_m = fmax(longest_m, hypot(along.x, along.y));
        assert_near(rw_vec2_dot(along, normal), 0, 1e-9);
        assert_true(rw_part_contains(scene, part, inside));
        assert_near(wall->top_m, part->top_m, 0);
        assert_near(wall->bottom_m, part->bottom_m, 0);
    }
    assert_near(walls->longest_m, longest_m, 1e-12);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

/* Whether the wall comes into the box: clipping its line parameter by the four sides. */
static int wall_in_box(const rw_exact_wall *wall, const double low[2], const double high[2])
{
    double t0 = 0, t1 = 1, from[2] = {wall->x0, wall->y0}, d[2] = {wall->x1 - wall->x0, wall->y1 - wall->y0};
    for (int axis = 0; axis < 2; axis++) {
        if (d[axis] == 0) {
            if (from[axis] < low[axis] || from[axis] > high[axis])
                return 0;
            continue;
        }
        double a = (low[axis] - from[axis]) / d[axis], b = (high[axis] - from[axis]) / d[axis];
        t0 = fmax(t0, fmin(a, b));
        t1 = fmin(t1, fmax(a, b));
    }
    return t0 <= t1;
}

static int is_listed(const rw_wall_grid_view *view, size_t cell, uint32_t wall)
{
    for (uint32_t i = view->cells[cell].first; i < view->cells[cell + 1].first; i++)
        if (view->entries[i].wall == wall)
            return 1;
    return 0;
}

static void check_grid(const rw_wall_grid_view *view)
{
    size_t needed = 0, cells = (size_t)view->columns * (size_t)view->rows;
    for (uint32_t wall = 0; wall < view->wall_count; wall++)
        for (size_t cell = 0; cell < cells; cell++) {
            double low[2] = {view->x0 + (double)(cell % (size_t)view->columns) * view->cell_m,
                             view->y0 + (double)(cell / (size_t)view->columns) * view->cell_m};
            double high[2] = {low[0] + view->cell_m, low[1] + view->cell_m};
            if (!wall_in_box(&view->exact[wall], low, high))
                continue;
            needed++;
            assert_true(is_listed(view, cell, wall));
            assert_true((double)view->cells[cell].top >= view->exact[wall].top);
        }
    assert_true(view->cells[cells].first <= 1.5 * (double)needed + 16);
}

static void lists_walls_in_every_cell_they_touch(void **state)
{
    (void)state;
    rw_context *context = make_context();
    for (int kind = 0; kind < 4; kind++) {
        rw_scene *scene = make_scene(context);
        rw_random random = rw_random_of(7, (uint64_t)kind);
        int count = kind == 0 ? 1 : 300;
        for (int i = 0; i < count; i++) {
            double x = rw_random_range(&random, 0, 500), y = rw_random_range(&random, 0, 300);
            double reach = i % 10 ? 20 : 400, dx = rw_random_range(&random, -reach, reach);
            double dy = kind == 3 ? (i % 2 ? 0 : rw_random_range(&random, -reach, reach)) : dx * (i % 7 - 3) / 3;
            add_panel(context, scene, x, y, kind == 3 && i % 2 == 0 ? x : x + dx, y + dy);
        }
        assert_ok(context, rw_scene_commit(scene));
        check_grid(&scene->prepared->grid.view);
        rw_scene_destroy(scene);
    }
    rw_context_destroy(context);
}

static void stands_receivers_right(void **state)
{
    (void)state;
    rw_context *context = make_context();
    for (int trial = 0; trial < 4; trial++) {
        rw_scene *scene = make_generated_city(context, trial % 2 ? "grid" : "european", 400, 5, trial / 2);
        rw_receivers receivers;
        rw_vec2 corner = {scene->box_min.x - 7.3, scene->box_min.y - 3.1};
        const size_t columns = 133, rows = 127;
        const double res_m = 3.3, height_m = 1.5;
        assert_ok(context, rw_receivers_create(scene, &scene->prepared->grid, corner, columns, rows, res_m, height_m,
                                               &receivers));
        uint8_t *seen = calloc(columns * rows, 1);
        for (size_t i = 0; i < receivers.view.outdoor_count; i++)
            seen[receivers.outdoor[i]]++;
        for (size_t cell = 0; cell < columns * rows; cell++) {
            rw_vec2 at = {corner.x + ((double)(cell % columns) + 0.5) * res_m,
                          corner.y + ((double)(cell / columns) + 0.5) * res_m};
            rw_vec3 point = rw_receiver_point(&receivers.view, cell);
            int indoor = 0;
            for (size_t p = 0; p < scene->parts.count; p++) {
                const rw_part *part = &scene->parts.items[p];
                double height = point.z - rw_scene_ground_m(scene, at);
                int below_roof = point.z < part->top_m || (part->base_height_m <= 0 && height < part->roof_height_m);
                int in_height = below_roof && (part->base_height_m <= 0 || point.z >= part->bottom_m);
                indoor |= in_height && rw_part_contains(scene, part, at);
            }
            uint32_t part;
            assert_int_equal(receivers.indoor[cell], indoor);
            assert_int_equal(seen[cell], !indoor);
            assert_int_equal(rw_parts_at(scene, scene->prepared, at, point.z, &part, 1), indoor);
            assert_near(point.z, rw_scene_ground_m(scene, at) + height_m, 1e-4);
            assert_near(point.x + scene->prepared->grid.centre.x, at.x, 1e-9);
            assert_true(point.z >= receivers.view.low_m - 1e-6 && point.z <= receivers.view.high_m + 1e-6);
        }
        free(seen);
        rw_receivers_destroy(&receivers);
        rw_scene_destroy(scene);
    }
    rw_context_destroy(context);
}

static void rasterises_heights(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_scene *scene = make_generated_city(context, "grid", 400, 2, 1);
    float *heights;
    const size_t columns = 90, rows = 85;
    assert_ok(context, rw_height_raster_create(scene, scene->box_min, columns, rows, 4.7, &heights));
    for (size_t cell = 0; cell < columns * rows; cell++) {
        rw_vec2 at = {scene->box_min.x + ((double)(cell % columns) + 0.5) * 4.7,
                      scene->box_min.y + ((double)(cell / columns) + 0.5) * 4.7};
        double highest = rw_scene_ground_m(scene, at);
        for (size_t p = 0; p < scene->parts.count; p++)
            if (rw_part_contains(scene, &scene->parts.items[p], at))
                highest = fmax(highest, scene->parts.items[p].top_m);
        assert_near(heights[cell], highest, 1e-4);
    }
    free(heights);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

static void add_random_mesh(rw_context *context, rw_scene *scene, size_t triangles, uint64_t seed)
{
    rw_random random = rw_random_of(seed, 0);
    double *xyz = malloc(9 * triangles * sizeof *xyz);
    uint32_t *corners = malloc(3 * triangles * sizeof *corners);
    for (size_t i = 0; i < triangles; i++) {
        double middle[3];
        for (int axis = 0; axis < 3; axis++)
            middle[axis] = rw_random_range(&random, 0, axis == 2 ? 50 : 1000);
        for (int k = 0; k < 9; k++)
            xyz[9 * i + (size_t)k] = middle[k % 3] + rw_random_range(&random, -15, 15);
        for (uint32_t k = 0; k < 3; k++)
            corners[3 * i + k] = (uint32_t)(3 * i) + k;
    }
    rw_mesh mesh = {.size = sizeof mesh,
                    .xyz = xyz,
                    .vertex_count = 3 * triangles,
                    .triangles = corners,
                    .triangle_count = triangles};
    assert_ok(context, rw_scene_add_mesh(scene, &mesh));
    free(xyz);
    free(corners);
}

static void check_boxes(const rw_bvh *bvh, uint32_t at, const float low[3], const float high[3], size_t *leaves)
{
    const rw_bvh_node *node = &bvh->nodes[at];
    for (int axis = 0; axis < 3; axis++)
        assert_true(node->low[axis] >= low[axis] && node->high[axis] <= high[axis]);
    if (node->count == 0) {
        check_boxes(bvh, node->first, node->low, node->high, leaves);
        check_boxes(bvh, node->first + 1, node->low, node->high, leaves);
        return;
    }
    *leaves += node->count;
    for (uint32_t i = node->first; i < node->first + node->count; i++) {
        const double *const corners[3] = {bvh->triangles[i].a, bvh->triangles[i].b, bvh->triangles[i].c};
        for (int k = 0; k < 9; k++) {
            double value = corners[k / 3][k % 3];
            assert_true(value > (double)node->low[k % 3] && value < (double)node->high[k % 3]);
        }
    }
}

/* The triangle is crossed where the ends lie on either side of its plane and the crossing inside it (by barycentric
 * coordinates): another formula than the kernel's. */
static int crosses(const rw_bvh_triangle *triangle, rw_vec3 from, rw_vec3 to)
{
    rw_vec3 a = {triangle->a[0], triangle->a[1], triangle->a[2]}, b = {triangle->b[0], triangle->b[1], triangle->b[2]};
    rw_vec3 c = {triangle->c[0], triangle->c[1], triangle->c[2]};
    rw_vec3 d = rw_vec3_sub(to, from), u = rw_vec3_sub(b, a), v = rw_vec3_sub(c, a), normal = rw_vec3_cross(u, v);
    double t = rw_vec3_dot(rw_vec3_sub(a, from), normal) / rw_vec3_dot(d, normal);
    rw_vec3 w = rw_vec3_sub(rw_vec3_add(from, rw_vec3_scale(d, t)), a);
    double square = rw_vec3_dot(normal, normal);
    double beta = rw_vec3_dot(rw_vec3_cross(w, v), normal) / square,
           gamma = rw_vec3_dot(rw_vec3_cross(u, w), normal) / square;
    return t > 0 && t < 1 && beta >= 0 && gamma >= 0 && beta + gamma <= 1;
}

static void counts_triangles_like_brute_force(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_scene *scene = make_scene(context);
    add_random_mesh(context, scene, 3000, 11);
    assert_ok(context, rw_scene_commit(scene));
    const rw_bvh *bvh = &scene->prepared->bvh;
    const rw_wall_grid_view *view = &scene->prepared->grid.view;
    const float all_low[3] = {-INFINITY, -INFINITY, -INFINITY}, all_high[3] = {INFINITY, INFINITY, INFINITY};
    size_t leaves = 0, met = 0;
    check_boxes(bvh, 0, all_low, all_high, &leaves);
    assert_int_equal(leaves, 3000);
    rw_random random = rw_random_of(5, 5);
    for (int i = 0; i < 3000; i++) {
        double p[6];
        for (int k = 0; k < 6; k++)
            p[k] = rw_random_range(&random, k % 3 == 2 ? 0 : -500, k % 3 == 2 ? 50 : 500);
        rw_vec3 from = rw_vec3_of(p[0], p[1], p[2]), to = rw_vec3_of(p[3], p[4], p[5]);
        if (i % 5 == 0)
            to = rw_vec3_of(p[0], i % 2 ? p[4] : p[1], 60); /* straight up, and without x */
        uint32_t expected = 0;
        for (size_t k = 0; k < bvh->triangle_count; k++)
            expected += (uint32_t)crosses(&bvh->triangles[k], from, to);
        assert_int_equal(rw_cross_meshes(view, from, to, 1), expected);
        assert_int_equal(rw_cross_meshes(view, from, to, 0) > 0, expected > 0);
        met += expected;
    }
    assert_true(met > 3000);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

/* A sheet of two triangles a cell, pierced exactly on edges and corners: once each. */
static void counts_shared_edges_once(void **state)
{
    (void)state;
    enum { side = 9 };
    rw_context *context = make_context();
    rw_scene *scene = make_scene(context);
    double xyz[side * side * 3];
    uint32_t triangles[(side - 1) * (side - 1) * 6], count = 0;
    for (int i = 0; i < side * side; i++) {
        xyz[3 * i] = i % side;
        xyz[3 * i + 1] = i / side;
        xyz[3 * i + 2] = 5;
    }
    for (uint32_t row = 0; row < side - 1; row++)
        for (uint32_t column = 0; column < side - 1; column++) {
            uint32_t at = row * side + column;
            const uint32_t six[] = {at, at + 1, at + side + 1, at, at + side + 1, at + side};
            memcpy(triangles + count, six, sizeof six);
            count += 6;
        }
    rw_mesh mesh = {.size = sizeof mesh,
                    .xyz = xyz,
                    .vertex_count = side * side,
                    .triangles = triangles,
                    .triangle_count = count / 3};
    assert_ok(context, rw_scene_add_mesh(scene, &mesh));
    assert_ok(context, rw_scene_commit(scene));
    for (int i = 1; i < 4 * (side - 1); i++)
        for (int j = 1; j < 4 * (side - 1); j++)
            for (int tilt = -1; tilt <= 1; tilt++) {
                double x = 0.25 * i - 4, y = 0.25 * j - 4;
                rw_vec3 from = rw_vec3_of(x - tilt, y + 0.5 * tilt, 4), to = rw_vec3_of(x + tilt, y - 0.5 * tilt, 6);
                assert_int_equal(rw_cross_meshes(&scene->prepared->grid.view, from, to, 1), 1);
                assert_int_equal(rw_cross_meshes(&scene->prepared->grid.view, to, from, 1), 1);
            }
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

/* Best of nine, in seconds of this process, which other programs on the machine disturb least. */
static double build_s(rw_context *context, const rw_scene *scene)
{
    double best_s = INFINITY;
    for (int i = 0; i < 9; i++) {
        rw_wall_grid grid;
        rw_bvh bvh;
        clock_t start = clock();
        assert_ok(context, rw_wall_grid_create(scene, &scene->prepared->walls, 0, &grid));
        assert_ok(context, rw_bvh_create(scene, grid.centre, &bvh));
        best_s = fmin(best_s, (double)(clock() - start) / CLOCKS_PER_SEC);
        rw_bvh_destroy(&bvh);
        rw_wall_grid_destroy(&grid);
    }
    return best_s;
}

static void builds_in_near_linear_time(void **state)
{
    (void)state;
#ifdef RW_ADDRESS_SANITIZER
    skip_test("times mean nothing under a sanitizer");
#endif
    rw_context *context = make_context();
    double taken_s[2];
    for (int i = 0; i < 2; i++) {
        rw_city_options options;
        rw_city_options_init(&options);
        options.width_m = options.depth_m = i ? 6000 : 3000;
        rw_scene *scene;
        assert_ok(context, rw_generate_city(context, &options, &scene));
        add_random_mesh(context, scene, i ? 200000 : 50000, 3);
        assert_ok(context, rw_scene_commit(scene));
        taken_s[i] = build_s(context, scene);
        rw_scene_destroy(scene);
    }
    printf("%.4f s, and %.4f s for four times as much\n", taken_s[0], taken_s[1]);
    assert_true(taken_s[1] < 8 * taken_s[0]);
    rw_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_every_wall),
        cmocka_unit_test(lists_walls_in_every_cell_they_touch),
        cmocka_unit_test(stands_receivers_right),
        cmocka_unit_test(rasterises_heights),
        cmocka_unit_test(counts_triangles_like_brute_force),
        cmocka_unit_test(counts_shared_edges_once),
        cmocka_unit_test(builds_in_near_linear_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
