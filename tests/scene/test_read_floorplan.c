/* labels: files */
/* Floor plans and the built-in materials. */
#include "scene/scene.h"
#include "temporary.h"

#define WALLS "x1_m,y1_m,x2_m,y2_m,z_bottom_m,z_top_m,slab\n"

static void reads_walls_slabs_and_materials(void **state)
{
    (void)state;
    rw_context *context = make_context();
    write_text("materials.csv", "material,relative_permittivity,conductivity_s_per_m,roughness_m\nGYPSUM,2.5,0.01,0\n");
    write_text("slabs.csv",
               "slab,layer,thickness_m,material\nDOUBLE,1,100mm,itu_glass\nDOUBLE,0,0.0125,GYPSUM\nGHOST,0,1,X\n");
    const char *path = write_text("walls.csv", WALLS "0,0,5,0,0,3,DOUBLE\n5,0,5,4,0,3,itu_brick\n5,4,5,4,0,3,DOUBLE\n"
                                                     "5,4,0,4,0,3,UNNAMED\n");
    rw_scene *scene = read_uncommitted(context, path);
    assert_int_equal(scene->panels.count, 3);
    assert_int_equal(scene->materials.count, 1);
    assert_near(scene->materials.items[0].a, 2.5, 0);
    assert_near(scene->materials.items[0].c, 0.01, 0);
    assert_true(isinf(scene->materials.items[0].freq_max_hz));
    const rw_scene_slab *slab = rw_scene_find_slab(scene, "DOUBLE");
    assert_non_null(slab);
    assert_int_equal(slab->layer_count, 2);
    assert_string_equal(slab->layer_material[0], "GYPSUM");
    assert_near(slab->layer_thickness_m[1], 0.1, 1e-15);
    assert_int_equal(count_note(scene, "walls of no known material taken as 0.2 m of concrete"), 1);
    const rw_scene_slab *brick = rw_scene_find_slab(scene, "brick"); /* of a named material: the usual wall */
    assert_non_null(brick);
    assert_near(brick->layer_thickness_m[0], 0.115, 1e-15);
    assert_int_equal(count_note(scene, "slab layers of a material that is not defined"), 1);
    assert_int_equal(count_note(scene, "walls of no length left out"), 1);
    rw_scene_destroy(scene);
    remove(temporary_path("materials.csv"));
    remove(temporary_path("slabs.csv"));
    scene = read_uncommitted(context, path);
    assert_int_equal(scene->slabs.count, 2); /* brick and concrete: DOUBLE and UNNAMED say nothing */
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

static void refuses_bad_plans(void **state)
{
    (void)state;
    static const struct {
        const char *walls, *slabs, *materials, *words;
    } bad[] = {
        {"", NULL, NULL, "empty"},
        {WALLS, NULL, NULL, "no walls"},
        {"x1_m,y1_m\n0,0\n", NULL, NULL, "'x2_m'"},
        {WALLS "0,0,1,0,0\n", NULL, NULL, "line 2"},
        {WALLS "0,0,1,0,0,nan,W\n", NULL, NULL, "line 2, column z_top_m"},
        {WALLS "0,0,1,0,0,inf,W\n", NULL, NULL, "line 2, column z_top_m"},
        {WALLS "0,0,1,0,3,0,W\n", NULL, NULL, "line 2: its top"},
        {WALLS "0,0,1,0,0,3,W\n", "slab,layer,thickness_m,material\nW,0,-1,itu_wood\n", NULL, "slabs.csv, line 2"},
        {WALLS "0,0,1,0,0,3,W\n", "slab,layer\nW,0\n", NULL, "'thickness_m'"},
        {WALLS "0,0,1,0,0,3,W\n", NULL, "material,relative_permittivity,conductivity_s_per_m\nM,0.5,0\n",
         "materials.csv, line 2"},
    };
    rw_context *context = make_context();
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        remove(temporary_path("materials.csv"));
        remove(temporary_path("slabs.csv"));
        if (bad[i].slabs)
            write_text("slabs.csv", bad[i].slabs);
        if (bad[i].materials)
            write_text("materials.csv", bad[i].materials);
        refuses(context, write_text("walls.csv", bad[i].walls), RW_BAD_INPUT, bad[i].words);
    }
    rw_context_destroy(context);
}

static void reads_the_measured_office(void **state)
{
    (void)state;
    require_test_data(path, "where1/walls.csv");
    rw_context *context = make_context();
    rw_scene *scene = read_uncommitted(context, path);
    assert_int_equal(scene->panels.count, 343);
    assert_int_equal(scene->slabs.count, 11);
    assert_int_equal(scene->materials.count, 5);
    assert_int_equal(scene->notes.count, 0);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

/* Concrete at 10 GHz: 0.0462 x 10^0.7822 = 0.2798 S/m. */
static void knows_itu_materials(void **state)
{
    (void)state;
    const rw_scene_material *concrete = rw_builtin_material("itu_concrete");
    assert_non_null(concrete);
    assert_true(concrete == rw_builtin_material("concrete"));
    assert_near(concrete->a, 5.24, 0);
    assert_near(concrete->c * pow(10, concrete->d), 0.2798, 1e-4);
    assert_near(concrete->freq_max_hz, 100e9, 1);
    assert_null(rw_builtin_material("itu_cheese"));
    assert_near(rw_builtin_material_at("itu_glass", 28e9)->a, 6.31, 0);
    assert_near(rw_builtin_material_at("itu_glass", 300e9)->a, 5.79, 0);
    assert_near(rw_builtin_material_at("itu_brick", 900e6)->a, 3.91, 0);
    for (size_t i = 0; i < rw_builtin_material_count(); i++) {
        const rw_scene_material *row = rw_builtin_material_row(i);
        assert_true(row->a >= 1 && row->c >= 0 && row->freq_min_hz < row->freq_max_hz);
        assert_non_null(rw_builtin_material(row->name));
    }
    assert_null(rw_builtin_material_row(rw_builtin_material_count()));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reads_walls_slabs_and_materials),
                                       cmocka_unit_test(refuses_bad_plans), cmocka_unit_test(reads_the_measured_office),
                                       cmocka_unit_test(knows_itu_materials)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
