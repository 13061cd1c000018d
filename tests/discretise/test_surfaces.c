/* Plane surfaces from panels, meshes and parts: merging, holes, seams, and what stands between two points. */
#include "rooms.h"

static rw_surfaces surfaces_of(rw_context *context, rw_scene *scene)
{
    rw_surfaces surfaces;
    if (!scene->committed)
        assert_ok(context, rw_scene_commit(scene));
    assert_ok(context, rw_surfaces_create(scene, rw_vec2_of(-scene->origin.x, -scene->origin.y), &surfaces));
    return surfaces;
}

/* The surface of the plane through a point that holds it; RW_NO_SURFACE where none. twice: how many hold it. */
static uint32_t holder(const rw_surfaces *surfaces, rw_vec3 point, int *count)
{
    uint32_t found = RW_NO_SURFACE;
    *count = 0;
    for (uint32_t i = 0; i < surfaces->view.surface_count; i++)
        if (fabs(rw_surface_height_m(&surfaces->surfaces[i], point)) < 1e-9 &&
            rw_surface_holds(&surfaces->view, &surfaces->surfaces[i], point)) {
            found = i;
            ++*count;
        }
    return found;
}

static void a_wall_with_a_window_is_one_surface_with_a_hole(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_scene *scene = two_rooms(context);
    rw_surfaces surfaces = surfaces_of(context, scene);
    /* four outer walls, the wall between, its window, floor and ceiling */
    assert_int_equal(surfaces.view.surface_count, 8);
    int count;
    uint32_t wall = holder(&surfaces, rw_vec3_of(5, 0.5, 1.5), &count);
    assert_int_equal(count, 1);
    uint32_t window = holder(&surfaces, rw_vec3_of(5, 1.7, 1.5), &count);
    assert_int_equal(count, 1);
    assert_int_not_equal(wall, window);
    assert_string_equal(surfaces.kinds[surfaces.surfaces[window].kind], "glass");
    assert_int_equal(holder(&surfaces, rw_vec3_of(5, 2.7, 1.5), &count), wall);
    assert_int_equal(holder(&surfaces, rw_vec3_of(5, 3.4, 2.5), &count), wall);
    assert_int_equal(holder(&surfaces, rw_vec3_of(5, 3.4, 1.0), &count), RW_NO_SURFACE); /* the open door */
    rw_surfaces_destroy(&surfaces);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

/* Points right on the border of wall and window belong to exactly one of them. */
static void seams_belong_to_one_side(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_scene *scene = two_rooms(context);
    rw_surfaces surfaces = surfaces_of(context, scene);
    for (int i = 1; i < 40; i++) {
        int count;
        holder(&surfaces, rw_vec3_of(5, 1, 3.0 * i / 40), &count);
        assert_int_equal(count, 1);
        holder(&surfaces, rw_vec3_of(5, 2.5, 3.0 * i / 40), &count);
        assert_int_equal(count, 1);
        holder(&surfaces, rw_vec3_of(5, 1 + 1.5 * i / 40, 2.1), &count);
        assert_int_equal(count, 1);
    }
    rw_surfaces_destroy(&surfaces);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

/* A floor of many triangles with T-junctions is one surface of four sides' length, and holds every point once. */
static void coplanar_triangles_merge(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_scene *scene = make_scene(context);
    double corners[3 * 100];
    uint32_t triangles[6 * 81];
    for (size_t i = 0; i < 100; i++) {
        corners[3 * i] = (double)(i % 10) * 0.7;
        corners[3 * i + 1] = (double)(i / 10) * 0.3;
        corners[3 * i + 2] = 1.25;
    }
    for (uint32_t i = 0; i < 81; i++) {
        uint32_t a = i / 9 * 10 + i % 9;
        const uint32_t two[6] = {a, a + 1, a + 11, a + 11, a, a + 10}; /* the second one turned over */
        memcpy(triangles + 6 * i, two, sizeof two);
    }
    rw_mesh mesh = {.size = sizeof mesh,
                    .name = "floor",
                    .xyz = corners,
                    .vertex_count = 100,
                    .triangles = triangles,
                    .triangle_count = 162};
    assert_ok(context, rw_scene_add_mesh(scene, &mesh));
    rw_surfaces surfaces = surfaces_of(context, scene);
    assert_int_equal(surfaces.view.surface_count, 1);
    assert_int_equal(surfaces.view.edge_count, 36); /* the outline; inner edges are gone */
    for (int i = 0; i < 50; i++) {
        int count;
        holder(&surfaces, rw_vec3_of(0.123 * i + 0.01, 0.05 * i + 0.02, 1.25), &count);
        assert_int_equal(count, 1);
    }
    rw_surfaces_destroy(&surfaces);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

/* Panels that lie on each other do not cancel. */
static void overlapping_panels_stay_solid(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_scene *scene = make_scene(context);
    add_panel_of(context, scene, 0, 0, 4, 0, 0, 3, "itu_brick");
    add_panel_of(context, scene, 0, 0, 6, 0, 0, 3, "itu_brick");
    add_panel_of(context, scene, 6, 0, 0, 0, 0, 3, "itu_brick");
    rw_surfaces surfaces = surfaces_of(context, scene);
    assert_int_equal(surfaces.view.surface_count, 1);
    for (int i = 0; i < 6; i++) {
        int count;
        holder(&surfaces, rw_vec3_of(i + 0.5, 0, 1), &count);
        assert_int_equal(count, 1);
    }
    int count;
    assert_int_equal(holder(&surfaces, rw_vec3_of(6.5, 0, 1), &count), RW_NO_SURFACE);
    rw_surfaces_destroy(&surfaces);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

/* Buildings become walls and a roof with its courtyard left open. */
static void parts_have_walls_and_a_roof(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_scene *scene = make_scene(context);
    const double xy[] = {0, 0, 20, 0, 20, 20, 0, 20, 8, 8, 12, 8, 12, 12, 8, 12};
    const size_t rings[] = {4, 4};
    rw_building building = {
        .size = sizeof building, .xy = xy, .ring_sizes = rings, .ring_count = 2, .ground_m = NAN, .roof_height_m = 9};
    assert_ok(context, rw_scene_add_building(scene, &building));
    rw_surfaces surfaces = surfaces_of(context, scene);
    assert_int_equal(surfaces.view.surface_count, 9);
    int count;
    holder(&surfaces, rw_vec3_of(3, 3, 9), &count);
    assert_int_equal(count, 1);
    holder(&surfaces, rw_vec3_of(10, 10, 9), &count);
    assert_int_equal(count, 0);
    rw_surfaces_destroy(&surfaces);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

/* The tree finds what every surface one by one gives. */
static void the_tree_finds_what_is_between(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_office_options options;
    rw_office_options_init(&options);
    options.storeys = 2;
    rw_scene *scene;
    assert_ok(context, rw_generate_office(context, &options, &scene));
    rw_surfaces surfaces = surfaces_of(context, scene);
    uint64_t seed = 3;
    double part[6];
    size_t blocked = 0;
    for (int turn = 0; turn < 3000; turn++) {
        for (int i = 0; i < 6; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            part[i] = (double)(seed >> 11) / 9007199254740992.0;
        }
        rw_vec3 from = rw_vec3_of(40 * part[0], 20 * part[1], 6 * part[2]);
        rw_vec3 to = rw_vec3_of(40 * part[3], 20 * part[4], 6 * part[5]), d = rw_vec3_sub(to, from);
        double length = rw_vec3_length(d), nearest = INFINITY, found;
        uint32_t first = RW_NO_SURFACE;
        for (uint32_t i = 0; i < surfaces.view.surface_count; i++) {
            double share = rw_surface_crossing(&surfaces.view, &surfaces.surfaces[i], from, to);
            if (share >= 0 && share * length < nearest) {
                nearest = share * length;
                first = i;
            }
        }
        blocked += first != RW_NO_SURFACE;
        assert_int_equal(rw_surfaces_between(&surfaces.view, from, to, RW_NO_SURFACE, RW_NO_SURFACE),
                         first != RW_NO_SURFACE);
        uint32_t met = rw_surfaces_nearest(&surfaces.view, from, rw_vec3_scale(d, 1 / length), RW_NO_SURFACE, &found);
        if (first != RW_NO_SURFACE) {
            assert_int_equal(met, first);
            assert_near(found, nearest, 1e-9);
        }
    }
    assert_true(blocked > 2000 && blocked < 3000);
    rw_surfaces_destroy(&surfaces);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

/* A floor plan whose slabs name a floor and a ceiling has them; terrain is refused. */
static void floor_plans_and_refusals(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_scene *scene = make_scene(context);
    add_slab_of(context, scene, "FLOOR", "itu_concrete", 0.2);
    add_slab_of(context, scene, "CEIL", "itu_concrete", 0.2);
    add_panel_of(context, scene, 0, 0, 4, 0, 0, 3, "itu_brick");
    add_panel_of(context, scene, 4, 0, 4, 5, 0, 3, "itu_brick");
    rw_surfaces surfaces = surfaces_of(context, scene);
    assert_int_equal(surfaces.view.surface_count, 4);
    int count;
    uint32_t floor = holder(&surfaces, rw_vec3_of(1, 1, 0), &count);
    assert_string_equal(surfaces.kinds[surfaces.surfaces[floor].kind], "FLOOR");
    holder(&surfaces, rw_vec3_of(1, 1, 3), &count);
    assert_int_equal(count, 1);
    rw_surfaces_destroy(&surfaces);
    rw_scene_destroy(scene);

    scene = make_scene(context);
    float heights[4] = {0, 1, 2, 1};
    rw_raster terrain = {sizeof(rw_raster), 2, 2, 0, 0, 10, 10, heights};
    add_panel_of(context, scene, 0, 0, 4, 0, 0, 3, NULL);
    assert_ok(context, rw_scene_set_terrain(scene, &terrain));
    assert_ok(context, rw_scene_commit(scene));
    check_sentence(context, rw_surfaces_create(scene, rw_vec2_of(0, 0), &surfaces), RW_BAD_CALL, "terrain is not");
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wall_with_a_window_is_one_surface_with_a_hole),
        cmocka_unit_test(seams_belong_to_one_side),
        cmocka_unit_test(coplanar_triangles_merge),
        cmocka_unit_test(overlapping_panels_stay_solid),
        cmocka_unit_test(parts_have_walls_and_a_roof),
        cmocka_unit_test(the_tree_finds_what_is_between),
        cmocka_unit_test(floor_plans_and_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
