/* labels: files */
/* Materials from a table: what they change in a prediction, and what is refused. */
#include "prediction.h"
#include "temporary.h"
#include "scene/scene.h"

static rw_scene *read_with(rw_context *context, const char *text)
{
    rw_scene *scene = make_scene(context);
    add_box(context, scene, (double[]){0, 0, 40, 10}, 20, "house");
    add_box(context, scene, (double[]){0, -90, 4, -86}, 5, "hut"); /* for the extent */
    assert_ok(context, rw_scene_read_materials(scene, write_text("materials.csv", text)));
    assert_ok(context, rw_scene_commit(scene));
    return scene;
}

static void table_is_taken(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_scene *scene = read_with(context, "name,a,b,c,d,roughness,thickness_m\n"
                                         "itu_concrete,3.9,0.1,0.02,0.5,0.3,0.2\n"
                                         "tin,1,,,,,\n"
                                         "itu_concrete,4.1,0.2,0.03,0.6,0.35,0.25\n"); /* the last one counts */
    const rw_scene_material *made = rw_scene_find_material(scene, "itu_concrete");
    assert_non_null(made);
    assert_near(made->a, 4.1, 0);
    assert_near(made->b, 0.2, 0);
    assert_near(made->c, 0.03, 0);
    assert_near(made->d, 0.6, 0);
    assert_near(made->scattering, 0.35, 0);
    const rw_scene_slab *slab = rw_scene_find_slab(scene, "itu_concrete");
    assert_non_null(slab);
    assert_int_equal(slab->layer_count, 1);
    assert_near(slab->layer_thickness_m[0], 0.25, 0);
    assert_null(rw_scene_find_slab(scene, "tin"));
    rw_scene_destroy(scene);
    scene = read_with(context, "material,permittivity,conductivity,conductor\nitu_concrete,6,0.1,\nplate,,,1\n");
    made = rw_scene_find_material(scene, "itu_concrete");
    assert_near(made->a, 6, 0);
    assert_near(made->c, 0.1, 0);
    assert_near(made->d, 0, 0);
    assert_int_equal(rw_scene_find_material(scene, "plate")->perfect_conductor, 1);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

/* At normal incidence the wall reflects (sqrt(e) - 1) / (sqrt(e) + 1) of the field. */
static void walls_are_of_it(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_scene *scene = read_with(context, "name,permittivity,conductivity\nitu_concrete,9,0\n");
    prediction now = begin_with(context, scene);
    rw_point point = {.size = sizeof point, .x_m = 20, .y_m = -30, .height_m = 8};
    rw_paths *paths;
    rw_path path = {.size = sizeof path};
    now.tx[0].x_m = 20;
    now.tx[0].y_m = -40;
    now.tx[0].height_m = 8;
    now.options.model = "tiles";
    now.options.roofs = "none";
    now.options.freq_hz = 2e9;
    now.options.depth = now.options.reflections = 1;
    now.options.diffractions = 0;
    now.options.res_m = now.options.rx_height_m = NAN;
    now.options.transmitters = now.tx;
    assert_ok(context, rw_trace(scene, &now.options, &point, 1, &paths));
    int found = 0;
    for (size_t i = 0; i < rw_paths_count(paths); i++) {
        assert_ok(context, rw_paths_get(paths, i, &path));
        if (fabs(path.length_m - 70) < 1e-6) {
            assert_near(path.loss_db - path.free_space_db, -20 * log10(0.5), 1e-3);
            found = 1;
        }
    }
    assert_true(found);
    rw_paths_destroy(paths);
    end(&now);
}

static void bad_tables_are_refused(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_scene *scene = make_scene(context);
    static const struct {
        const char *text, *words;
    } cases[] = {{"permittivity\n3\n", "name"},
                 {"name,thickness\nwood,0.1\n", "no column relative_permittivity"},
                 {"name,permittivity\nwood,\n", "material wood has no permittivity"},
                 {"name,permittivity\nwood,0.2\n", "line 2: material wood: permittivity must be at least 1"},
                 {"name,permittivity,roughness\nwood,2,1.5\n", "line 2: material wood"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_sentence(context, rw_scene_read_materials(scene, write_text("bad.csv", cases[i].text)), RW_BAD_INPUT,
                       cases[i].words);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_is_taken),
        cmocka_unit_test(walls_are_of_it),
        cmocka_unit_test(bad_tables_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
