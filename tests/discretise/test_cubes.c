/* A scene as cubes: filled cubes against the question whether their centre is inside, pieces of surfaces and edges
 * against points thrown onto the walls, and sizes that are refused. */
#include "discretise/cubes/cubes.h"

#include "shapes.h"

static rw_cube_frame frame_over(const rw_scene *scene, double res_m, double low_m, double high_m)
{
    rw_cube_frame frame = {scene->box_min.x, scene->box_min.y, low_m, res_m, 0, 0, 0};
    frame.columns = (size_t)ceil((scene->box_max.x - scene->box_min.x) / res_m);
    frame.rows = (size_t)ceil((scene->box_max.y - scene->box_min.y) / res_m);
    frame.layers = (size_t)ceil((high_m - low_m) / res_m);
    return frame;
}

static rw_vec3 centre_of(const rw_cube_frame *frame, int i, int j, int k)
{
    return rw_vec3_of(frame->x0_m + (i + 0.5) * frame->res_m, frame->y0_m + (j + 0.5) * frame->res_m,
                      frame->z0_m + (k + 0.5) * frame->res_m);
}

static int is_filled(const rw_cubes *cubes, int i, int j, int k)
{
    return (int)rw_cube_bit(cubes->filled, rw_cube_word(&cubes->view, i, j, k), i);
}

static void filled_is_centre_inside(void **state)
{
    (void)state;
    rw_context *context = make_context();
    for (uint64_t seed = 1; seed <= 4; seed++) {
        rw_city_options options;
        rw_city_options_init(&options);
        options.width_m = options.depth_m = 300;
        options.seed = seed;
        options.hills = seed % 2;
        options.style = seed % 4 == 0 ? "grid" : "european";
        rw_scene *scene;
        assert_ok(context, rw_generate_city(context, &options, &scene));
        assert_ok(context, rw_scene_commit(scene));
        rw_cube_frame frame = frame_over(scene, 4.3, -3, 80);
        rw_cubes cubes;
        assert_ok(context, rw_cubes_create(scene, &frame, &cubes));
        size_t filled = 0;
        for (int k = 0; k < cubes.view.layers; k++)
            for (int j = 0; j < cubes.view.rows; j++)
                for (int i = 0; i < cubes.view.columns; i++) {
                    rw_vec3 at = centre_of(&frame, i, j, k);
                    rw_vec2 place = {at.x, at.y};
                    int expected = at.z < rw_scene_ground_m(scene, place);
                    for (size_t p = 0; p < scene->parts.count && !expected; p++) {
                        const rw_part *part = &scene->parts.items[p];
                        expected = at.z < part->top_m && (part->base_height_m == 0 || at.z >= part->bottom_m) &&
                                   rw_part_contains(scene, part, place);
                    }
                    assert_int_equal(is_filled(&cubes, i, j, k), expected);
                    filled += (size_t)expected;
                }
        assert_true(filled > 1000);
        rw_cubes_destroy(&cubes);
        rw_scene_destroy(scene);
    }
    rw_context_destroy(context);
}

/* Pieces of one box of 10 x 20 x 9 m in cubes of 2 m, its corner in the middle of a cube. */
static void pieces_of_a_box(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_scene *scene = make_scene(context);
    const double box[4] = {21, 31, 31, 51};
    add_box(context, scene, box, 9, "box");
    assert_ok(context, rw_scene_commit(scene));
    rw_vec2 origin = scene->origin;
    rw_cube_frame frame = {-origin.x, -origin.y, 0, 2, 30, 40, 8};
    rw_cubes cubes;
    assert_ok(context, rw_cubes_create(scene, &frame, &cubes));
    double lengths[RW_CUBE_KINDS] = {0}, area = 0, roof = 0;
    for (size_t i = 0; i < cubes.view.item_count; i++) {
        const rw_cube_item *item = &cubes.items[i];
        const rw_cube_element *element = &cubes.elements[item->element];
        double d[3], place[3];
        int at[3];
        rw_cube_coordinates(&cubes.view, item->cube, &at[0], &at[1], &at[2]);
        for (int axis = 0; axis < 3; axis++) {
            d[axis] = fabs((double)item->to[axis] - (double)item->from[axis]);
            place[axis] = 0.5 * ((double)item->to[axis] + (double)item->from[axis]);
            assert_true(place[axis] >= at[axis] && place[axis] <= at[axis] + 1);
        }
        if (element->kind != RW_CUBE_REFLECTION)
            lengths[element->kind] += 2 * (d[0] + d[1] + d[2]);
        else if (element->axis[2] != 0)
            roof += 4 * d[0] * d[1];
        else
            area += 4 * (d[0] + d[1]) * d[2];
        uint32_t bit = rw_cube_bit(cubes.kinds[element->kind], item->cube / 32, (int)(item->cube % 32));
        assert_int_equal(bit, 1);
    }
    assert_near(lengths[RW_CUBE_HORIZONTAL], 60, 1e-3);
    assert_near(lengths[RW_CUBE_VERTICAL], 36, 1e-3);
    assert_near(area, 60 * 9, 1e-2);
    assert_near(roof, 4 * 5 * 10, 1e-2); /* cubes whose centre is below the roof: 21 and 31 are centres */
    rw_cubes_destroy(&cubes);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

/* A point of a wall with free air before it lies in a piece of that wall, in the list of its cube. */
static void every_wall_point_is_listed(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_city_options options;
    rw_city_options_init(&options);
    options.width_m = options.depth_m = 400;
    rw_scene *scene;
    assert_ok(context, rw_generate_city(context, &options, &scene));
    assert_ok(context, rw_scene_commit(scene));
    rw_cube_frame frame = frame_over(scene, 5, -1, 100);
    rw_cubes cubes;
    assert_ok(context, rw_cubes_create(scene, &frame, &cubes));
    const rw_wall_list *walls = &scene->prepared->walls;
    uint64_t seed = 7;
    size_t found = 0, missed = 0;
    for (int trial = 0; trial < 20000; trial++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        size_t wall_index = (size_t)(seed >> 33) % walls->count;
        double s = (double)(seed >> 20 & 1023) / 1024, t = (double)(seed >> 10 & 1023) / 1024;
        const rw_wall *wall = &walls->walls[wall_index];
        rw_vec3 at = {wall->p0.x + s * (wall->p1.x - wall->p0.x), wall->p0.y + s * (wall->p1.y - wall->p0.y),
                      wall->bottom_m + t * (wall->top_m - wall->bottom_m)};
        float point[3];
        rw_cubes_locate(&frame, at, point);
        int i = (int)floorf(point[0]), j = (int)floorf(point[1]), k = (int)floorf(point[2]), listed = 0;
        if (!rw_cube_in_grid(&cubes.view, i, j, k))
            continue;
        size_t word = rw_cube_word(&cubes.view, i, j, k);
        if (rw_cube_bit(cubes.source, word, i)) {
            uint32_t source = rw_cube_source(&cubes.view, word, i);
            for (uint32_t n = cubes.first_item[source]; n < cubes.first_item[source + 1]; n++) {
                const rw_cube_item *item = &cubes.items[n];
                int inside = item->element == wall_index;
                for (int axis = 0; axis < 3; axis++)
                    inside &= point[axis] >= item->from[axis] - 1e-3f && point[axis] <= item->to[axis] + 1e-3f;
                listed |= inside;
                assert_int_equal(item->cube, rw_cube_index(&cubes.view, i, j, k));
            }
        }
        rw_vec2 normal = walls->normals[wall_index];
        uint32_t part;
        int hidden = 0; /* anywhere in the cube: the whole piece is decided at its middle */
        for (int shift = -1; shift <= 1; shift++) {
            rw_vec2 beside = {at.x + 0.2 * normal.x - 2.5 * shift * normal.y,
                              at.y + 0.2 * normal.y + 2.5 * shift * normal.x};
            hidden |= rw_parts_at(scene, scene->prepared, beside, at.z, &part, 1) > 0 ||
                      rw_parts_at(scene, scene->prepared, beside, at.z + 2.5, &part, 1) > 0 ||
                      rw_parts_at(scene, scene->prepared, beside, at.z - 2.5, &part, 1) > 0;
        }
        found += (size_t)listed;
        missed += !listed && !hidden;
    }
    printf("%zu points listed, %zu missed\n", found, missed);
    assert_true(found > 5000);
    assert_int_equal(missed, 0);
    rw_cubes_destroy(&cubes);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

/* The same box as a closed mesh fills the same cubes and has the same edges; a sheet fills what it passes through. */
static void meshes_as_cubes(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_scene *scene = make_scene(context);
    const double low[3] = {4.5, 6.5, 0}, high[3] = {14.5, 16.5, 7};
    add_box_mesh(context, scene, low, high);
    const double xyz[] = {20, 2, 0, 20, 18, 0, 20, 18, 5, 20, 2, 5};
    const uint32_t triangles[] = {0, 1, 2, 0, 2, 3};
    rw_mesh sheet = {.size = sizeof sheet, .xyz = xyz, .vertex_count = 4, .triangles = triangles, .triangle_count = 2};
    assert_ok(context, rw_scene_add_mesh(scene, &sheet));
    assert_ok(context, rw_scene_commit(scene));
    rw_vec2 origin = scene->origin;
    rw_cube_frame frame = {-origin.x, -origin.y, 0, 1, 24, 24, 10};
    rw_cubes cubes;
    assert_ok(context, rw_cubes_create(scene, &frame, &cubes));
    for (int k = 0; k < 10; k++)
        for (int j = 0; j < 24; j++)
            for (int i = 0; i < 24; i++) {
                double x = i + 0.5, y = j + 0.5;
                int box = x > 4.4 && x < 14.4 && y > 6.4 && y < 16.4 && k < 7;
                int thin = (i == 19 || i == 20) && j >= 1 && j <= 18 && k <= 5; /* touched, from either side */
                int filled = is_filled(&cubes, i, j, k);
                assert_true(filled >= box && filled <= (box || thin));
                if (i == 20 && j >= 2 && j < 18 && k < 5)
                    assert_true(filled || is_filled(&cubes, 19, j, k));
            }
    double lengths[RW_CUBE_KINDS] = {0};
    for (size_t i = 0; i < cubes.view.item_count; i++) {
        const rw_cube_item *item = &cubes.items[i];
        const rw_cube_element *element = &cubes.elements[item->element];
        for (int axis = 0; axis < 3; axis++)
            lengths[element->kind] += fabs((double)item->to[axis] - (double)item->from[axis]);
        if (element->kind != RW_CUBE_REFLECTION && element->at[0] < 18)
            assert_near(element->half_cosine, sqrt(0.5), 1e-5);
    }
    assert_near(lengths[RW_CUBE_HORIZONTAL], 80 + 32, 1e-3); /* the bottom of the box too */
    assert_near(lengths[RW_CUBE_VERTICAL], 28 + 10, 1e-3);
    rw_cubes_destroy(&cubes);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

static void too_many_cubes(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_scene *scene = make_scene(context);
    const double box[4] = {0, 0, 10, 10};
    add_box(context, scene, box, 9, "box");
    assert_ok(context, rw_scene_commit(scene));
    rw_cube_frame frame = {0, 0, 0, 1e-3, 16000, 16000, 100000};
    rw_cubes cubes;
    check_sentence(context, rw_cubes_create(scene, &frame, &cubes), RW_TOO_LARGE, "GB");
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(filled_is_centre_inside), cmocka_unit_test(pieces_of_a_box),
                                       cmocka_unit_test(every_wall_point_is_listed), cmocka_unit_test(meshes_as_cubes),
                                       cmocka_unit_test(too_many_cubes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
