/* labels: files */
/* What the images model takes and what it refuses by name: transmitters and receivers in walls, materials that nothing
 * defines, slabs of no thickness, open, warped and curved surfaces. */
#include "prediction.h"
#include "rooms.h"

#include <rasterwave/geometry.h>

static prediction begin_rooms(int threads)
{
    rw_context *context = make_context_of(RW_BACKEND_CPU, threads);
    prediction now = begin_with(context, two_rooms(context));
    now.tx[0].x_m = 1.17;
    now.tx[0].y_m = 2.71;
    now.tx[0].height_m = 2.21;
    rw_predict_options_init_for(&now.options, "images");
    now.options.transmitter_count = 1;
    now.options.freq_hz = 2.4e9;
    now.options.depth = 3;
    now.options.pixels = 256;
    return now;
}

static rw_paths *trace(prediction *now, const rw_point *points, size_t count)
{
    rw_paths *paths;
    now->options.transmitters = now->tx;
    assert_ok(now->context, rw_trace(now->scene, &now->options, points, count, &paths));
    return paths;
}

static void refused(prediction *now, rw_status status, const char *words)
{
    rw_map *map;
    now->options.transmitters = now->tx;
    check_sentence(now->context, rw_predict(now->scene, &now->options, &map), status, words);
    assert_null(map);
}

static void bad_input_is_refused_by_name(void **state)
{
    (void)state;
    prediction now = begin_rooms(2);
    now.tx[0].x_m = 5.02; /* the wall at x = 5 is 12 cm thick */
    now.tx[0].y_m = 0.5;
    refused(&now, RW_BAD_CALL, "mast 1 at 5.02,0.50,2.21 is inside a wall or floor (wall, 0.12 m thick)");
    now.tx[0].x_m = 1.17;
    now.options.depth = 17;
    refused(&now, RW_BAD_CALL, "depth = 17 is out of range: 1 to 16");
    now.options.depth = 1;
    now.options.pixels = 5;
    refused(&now, RW_BAD_CALL, "pixels = 5 is out of range: 16 to 16384");
    now.options.pixels = 64;
    now.options.sum = "all";
    refused(&now, RW_BAD_CALL, "sum = all: expected one of coherent,power,local");
    now.options.sum = NULL;
    now.options.rx_height_m = 0.05; /* in the floor */
    refused(&now, RW_BAD_CALL, "every receiver is inside a wall or floor");
    end(&now);

    rw_context *context = make_context();
    rw_scene *scene = make_scene(context);
    add_panel_of(context, scene, 0, 0, 4, 0, 0, 3, "unobtainium");
    assert_ok(context, rw_scene_commit(scene));
    now = begin_with(context, scene);
    now.options.model = "images";
    now.tx[0].x_m = 2;
    now.tx[0].y_m = 0.5;
    now.tx[0].height_m = 1;
    now.options.area_m[0] = 0;
    now.options.area_m[1] = -1;
    now.options.area_m[2] = 4;
    now.options.area_m[3] = 1;
    refused(&now, RW_BAD_INPUT, "nothing says what 'unobtainium' is");
    end(&now);

    context = make_context();
    scene = make_scene(context);
    rw_layer nothing = {sizeof(rw_layer), "itu_brick", 0};
    rw_slab slab = {sizeof slab, "thin", &nothing, 1};
    check_sentence(context, rw_scene_add_slab(scene, &slab), RW_BAD_INPUT, "0 m thick");
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

static void add_triangles(rw_context *context, rw_scene *scene, const double *xyz, size_t vertices,
                          const uint32_t *triangles, size_t count, const char *surface)
{
    rw_mesh mesh = {.size = sizeof mesh,
                    .name = "sheet",
                    .xyz = xyz,
                    .vertex_count = vertices,
                    .triangles = triangles,
                    .triangle_count = count,
                    .surface = surface};
    assert_ok(context, rw_scene_add_mesh(scene, &mesh));
}

/* A sheet that encloses nothing is a wall with two sides; one that is warped is as many planes as it has. Triangles of
 * no area are left out. */
static void open_and_warped_sheets_are_handled(void **state)
{
    (void)state;
    const double flat[] = {0, -20, -20, 0, 20, -20, 0, 20, 20, 0, -20, 20, 0, 0, 0};
    const double warped[] = {0, -20, -20, 0, 20, -20, 0.5, 20, 20, 0, -20, 20};
    const uint32_t triangles[] = {0, 1, 2, 0, 2, 3, 0, 0, 1};
    for (int is_warped = 0; is_warped < 2; is_warped++) {
        rw_context *context = make_context();
        rw_scene *scene = make_scene(context);
        add_slab_of(context, scene, "board", "itu_plasterboard", 0.02);
        add_triangles(context, scene, is_warped ? warped : flat, is_warped ? 4 : 5, triangles, is_warped ? 2 : 3,
                      "board");
        assert_ok(context, rw_scene_commit(scene));
        rw_surfaces surfaces;
        assert_ok(context, rw_surfaces_create(scene, scene->prepared->grid.centre, &surfaces));
        assert_int_equal(surfaces.view.surface_count, is_warped ? 2 : 1);
        rw_surfaces_destroy(&surfaces);
        prediction now = begin_with(context, scene);
        rw_predict_options_init_for(&now.options, "images");
        now.options.transmitter_count = 1;
        now.options.freq_hz = 2.4e9;
        now.options.depth = 1;
        now.options.pixels = 128;
        now.tx[0].x_m = -4;
        now.tx[0].height_m = 1;
        rw_point points[3] = {{.size = sizeof(rw_point), .x_m = 3, .y_m = 6, .height_m = 1.5},
                              {.size = sizeof(rw_point), .x_m = -3, .y_m = 6, .height_m = 1.5},
                              {.size = sizeof(rw_point), .x_m = -9, .y_m = -9, .height_m = 1}};
        rw_paths *paths = trace(&now, points, 3);
        size_t through = 0, back = 0;
        for (size_t i = 0; i < rw_paths_count(paths); i++) {
            rw_path path = {.size = sizeof path};
            rw_paths_get(paths, i, &path);
            through += path.point == 0 && path.vertices[1].interaction == RW_INTERACTION_WALL;
            back += path.point == 1 && path.vertices[1].interaction == RW_INTERACTION_REFLECTION;
        }
        assert_int_equal(through, 1);
        assert_true(back >= 1);
        rw_paths_destroy(paths);
        end(&now);
    }
}

/* A ball of more facets than 16 bits count: the limit is one view's, so that it is taken, and a point near the
 * transmitter has the direct path. */
static void fine_meshes_are_taken(void **state)
{
    (void)state;
    enum { AROUND = 300, ALONG = 120 };
    double *xyz = calloc((size_t)AROUND * (ALONG + 1) * 3, sizeof *xyz);
    uint32_t *triangles = calloc((size_t)AROUND * ALONG * 6, sizeof *triangles);
    for (uint32_t j = 0; j <= ALONG; j++)
        for (uint32_t i = 0; i < AROUND; i++) {
            double theta = RW_PI * (0.02 + 0.96 * j / ALONG), phi = 2 * RW_PI * i / AROUND;
            double *at = xyz + 3 * (j * AROUND + i);
            at[0] = 40 * sin(theta) * cos(phi);
            at[1] = 40 * sin(theta) * sin(phi);
            at[2] = 40 * cos(theta) * (1 + 0.001 * sin(7.0 * i + 3.0 * j)); /* no two facets in one plane */
            if (j == ALONG)
                continue;
            uint32_t next = (i + 1) % AROUND, a = j * AROUND + i, b = j * AROUND + next;
            const uint32_t two[6] = {a, b, b + AROUND, a, b + AROUND, a + AROUND};
            memcpy(triangles + 6 * (j * AROUND + i), two, sizeof two);
        }
    rw_context *context = make_context();
    rw_scene *scene = make_scene(context);
    add_triangles(context, scene, xyz, (size_t)AROUND * (ALONG + 1), triangles, (size_t)AROUND * ALONG * 2,
                  "itu_concrete");
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_with(context, scene);
    rw_predict_options_init_for(&now.options, "images");
    now.options.transmitter_count = 1;
    now.options.depth = 1;
    now.options.pixels = 64;
    now.tx[0].height_m = 1;
    const rw_point near = {.size = sizeof near, .x_m = now.tx[0].x_m + 3, .y_m = now.tx[0].y_m, .height_m = 1};
    rw_paths *paths = trace(&now, &near, 1);
    rw_path direct = {.size = sizeof direct};
    assert_true(rw_paths_count(paths) > 0);
    assert_ok(now.context, rw_paths_get(paths, 0, &direct));
    assert_true(fabs(direct.length_m - 3) < 1e-6);
    rw_paths_destroy(paths);
    end(&now);
    free(xyz);
    free(triangles);
}

/* A point on a surface, or inside a wall, has no paths and is told so. */
static void points_on_a_surface_are_refused(void **state)
{
    (void)state;
    prediction now = begin_rooms(1);
    rw_point point = {.size = sizeof(rw_point), .x_m = 5, .y_m = 0.5, .height_m = 1.1};
    rw_paths *paths;
    now.options.transmitters = now.tx;
    check_sentence(now.context, rw_trace(now.scene, &now.options, &point, 1, &paths), RW_BAD_CALL,
                   "every receiver is inside a wall or floor");
    assert_null(paths);
    end(&now);
}

/* What a scene is made of comes back as it was given, also behind a commit and far from the origin. */
static void content_comes_back(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_scene *scene;
    static const double square[] = {691000, 5334000, 0, 691010, 5334000, 0, 691010, 5334010, 0, 691000, 5334010, 0};
    static const double gable[] = {691000, 5334000, 1, 691010, 5334000, 1, 691005, 5334000, 7};
    static const uint32_t two[] = {0, 1, 2, 0, 2, 3}, one[] = {2, 0, 1};
    const rw_mesh floor = {.size = sizeof floor,
                           .name = "floor",
                           .xyz = square,
                           .vertex_count = 4,
                           .triangles = two,
                           .triangle_count = 2,
                           .surface = "itu_concrete"};
    const rw_mesh wall = {.size = sizeof wall,
                          .name = "wall",
                          .xyz = gable,
                          .vertex_count = 3,
                          .triangles = one,
                          .triangle_count = 1,
                          .surface = "screen"};
    rw_material paper = {.size = sizeof paper, .name = "paper", .a = 2.5, .c = 0.01, .d = 0.7, .freq_max_hz = INFINITY};
    rw_layer layers[] = {{sizeof *layers, "paper", 0.02}, {sizeof *layers, "itu_wood", 0.1}};
    rw_slab slab = {.size = sizeof slab, .name = "screen", .layers = layers, .layer_count = 2};
    assert_ok(context, rw_scene_create(context, &scene));
    assert_ok(context, rw_scene_add_material(scene, &paper));
    assert_ok(context, rw_scene_add_slab(scene, &slab));
    assert_ok(context, rw_scene_add_mesh(scene, &floor));
    assert_ok(context, rw_scene_add_mesh(scene, &wall));
    assert_ok(context, rw_scene_set_no_ground(scene));
    assert_ok(context, rw_scene_commit(scene));
    assert_int_equal(rw_scene_set_no_ground(scene), RW_BAD_CALL);

    rw_mesh mesh = {.size = sizeof mesh};
    assert_ok(context, rw_scene_get_mesh(scene, 1, &mesh));
    assert_string_equal(mesh.name, "wall");
    assert_string_equal(mesh.surface, "screen");
    assert_int_equal(mesh.vertex_count, 3);
    assert_int_equal(mesh.triangle_count, 1);
    double xyz[9];
    uint32_t triangles[3];
    assert_ok(context, rw_scene_copy_mesh(scene, 1, xyz, triangles));
    assert_memory_equal(triangles, one, sizeof one);
    for (size_t i = 0; i < 9; i++)
        assert_near(xyz[i], gable[i], 1e-9);
    assert_ok(context, rw_scene_copy_mesh(scene, 1, NULL, NULL));

    rw_material back = {.size = sizeof back};
    assert_ok(context, rw_scene_get_material(scene, 0, &back));
    assert_string_equal(back.name, "paper");
    assert_near(back.a + back.c + back.d, 3.21, 1e-12);
    rw_layer layer = {.size = sizeof layer};
    size_t count;
    assert_ok(context, rw_scene_get_layer(scene, 0, 1, &layer, &count));
    assert_string_equal(layer.material, "itu_wood");
    assert_int_equal(count, 2);
    assert_int_equal(rw_scene_get_layer(scene, 0, 2, &layer, &count), RW_BAD_CALL);
    assert_int_equal(rw_scene_get_layer(scene, 1, 0, &layer, &count), RW_BAD_CALL);
    assert_int_equal(rw_scene_get_mesh(scene, 2, &mesh), RW_BAD_CALL);
    assert_int_equal(rw_scene_copy_mesh(scene, 2, xyz, triangles), RW_BAD_CALL);
    assert_int_equal(rw_scene_get_material(scene, 1, &back), RW_BAD_CALL);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_input_is_refused_by_name), cmocka_unit_test(open_and_warped_sheets_are_handled),
        cmocka_unit_test(fine_meshes_are_taken),        cmocka_unit_test(points_on_a_surface_are_refused),
        cmocka_unit_test(content_comes_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
