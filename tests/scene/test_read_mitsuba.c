/* labels: files */
/* Mitsuba scenes: shapes, transforms, materials, bad input. */
#include "temporary.h"

static const char triangle[] =
    "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
    "element face 1\nproperty list uchar int vertex_indices\nend_header\n"
    "0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";

static void check_vertex(const rw_scene *scene, size_t index, double x, double y, double z)
{
    rw_vec3 vertex = scene->vertices.items[index];
    assert_near(vertex.x + scene->origin.x, x, 1e-9);
    assert_near(vertex.y + scene->origin.y, y, 1e-9);
    assert_near(vertex.z, z, 1e-9);
}

static const char *surface_of(const rw_scene *scene, size_t mesh)
{
    return scene->surfaces.items[scene->meshes.items[mesh].surface];
}

static void reads_shapes_and_materials(void **state)
{
    (void)state;
    rw_context *context = make_context();
    write_text("triangle.ply", triangle);
    const char *path = write_text(
        "a.xml",
        "<?xml version='1.0'?>\n<!DOCTYPE scene>\n<!-- <shape> in a comment -->\n<scene version='3.0.0'>\n"
        "<default name='mesh' value='triangle.ply'/>\n"
        "<shape type='ply' id='a &amp; b'><string name='filename' value='$mesh'/><ref id='late'/>\n"
        " <transform name='to_world'><scale value='2'/><rotate z='1' angle='90'/><translate x='10' "
        "y='20'/></transform></shape>\n"
        "<bsdf type='twosided' id='late'><bsdf type='itu-radio-material'><string name='type' "
        "value='wood'/></bsdf></bsdf>\n"
        "<bsdf type='itu-radio-material' id='w'><string name='type' value='wood'/></bsdf>\n"
        "<shape type='rectangle'><bsdf type='diffuse' id='mat-itu_glass'/>\n"
        " <transform name='to_world'><matrix value='1 0 0 5  0 1 0 6  0 0 1 7  0 0 0 1'/></transform></shape>\n"
        "<shape type='cube'><ref name='bsdf' id='w'/></shape>\n"
        "<bsdf type='radio-material' id='foam'><float name='relative_permittivity' value='1.2'/></bsdf>\n"
        "<shape type='sphere'><ref id='foam'/></shape>\n"
        "<sensor type='perspective'><transform name='to_world'><lookat origin='0 0 0'/></transform></sensor>\n"
        "</scene>\n");
    rw_scene *scene = read_uncommitted(context, path);
    assert_int_equal(scene->meshes.count, 3);
    assert_string_equal(scene->meshes.items[0].name, "a & b");
    check_vertex(scene, 0, 10, 20, 0);
    check_vertex(scene, 1, 10, 22, 0);
    check_vertex(scene, 2, 8, 20, 0);
    check_vertex(scene, 3, 4, 5, 7);
    assert_string_equal(surface_of(scene, 0), "itu_wood");
    assert_string_equal(surface_of(scene, 1), "itu_glass");
    assert_string_equal(surface_of(scene, 2), "itu_wood");
    assert_int_equal(scene->meshes.items[2].triangle_count, 12);
    assert_non_null(rw_scene_find_material(scene, "foam"));
    assert_int_equal(scene->notes.count, 2); /* the sphere, and glass without a thickness */
    assert_near(rw_scene_find_slab(scene, "itu_glass")->layer_thickness_m[0], 0.1, 0);
    assert_null(rw_scene_find_slab(scene, "itu_concrete"));
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

/* Thickness and scattering coefficient are kept, and two bsdfs of one ITU type that differ in them are two slabs. */
static void keeps_thickness_and_scattering(void **state)
{
    (void)state;
    rw_context *context = make_context();
    const char *path = write_text(
        "t.xml", "<scene>"
                 "<bsdf type='itu-radio-material' id='a'><string name='type' value='wood'/>"
                 "<float name='thickness' value='0.05'/></bsdf>"
                 "<bsdf type='itu-radio-material' id='b'><string name='type' value='wood'/>"
                 "<float name='thickness' value='0.2'/></bsdf>"
                 "<bsdf type='itu-radio-material' id='c'><string name='type' value='wood'/>"
                 "<float name='scattering_coefficient' value='0.3'/></bsdf>"
                 "<bsdf type='radio-material' id='foam'><float name='relative_permittivity' value='1.2'/>"
                 "<float name='thickness' value='0.4'/><float name='scattering_coefficient' value='0.5'/>"
                 "<float name='xpd_coefficient' value='0.1'/></bsdf>"
                 "<shape type='cube'><ref id='a'/></shape><shape type='cube'><ref id='b'/></shape>"
                 "<shape type='cube'><ref id='c'/></shape><shape type='cube'><ref id='foam'/></shape></scene>");
    static const struct {
        const char *surface;
        double thickness_m, scattering;
    } expected[] = {{"itu_wood", 0.05, 0}, {"itu_wood_0.2m", 0.2, 0}, {"itu_wood_s0.3", 0.1, 0.3}, {"foam", 0.4, 0.5}};
    rw_scene *scene = read_uncommitted(context, path);
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(surface_of(scene, i), expected[i].surface);
        const rw_scene_slab *slab = rw_scene_find_slab(scene, expected[i].surface);
        assert_non_null(slab);
        assert_near(slab->layer_thickness_m[0], expected[i].thickness_m, 0);
        const rw_scene_material *material = rw_scene_find_material(scene, slab->layer_material[0]);
        assert_near(material ? material->scattering : 0, expected[i].scattering, 0);
    }
    assert_int_equal(scene->notes.count, 1); /* the xpd_coefficient */
    rw_scene_destroy(scene);
    refuses(context,
            write_text("u.xml", "<scene>\n<bsdf type='itu-radio-material' id='a'><string name='type' value='cheese'/>"
                                "</bsdf></scene>"),
            RW_BAD_INPUT, "line 2: there is no ITU material 'cheese'");
    rw_context_destroy(context);
}

/* Where meshes have a floor, or hang below altitude 0, no second ground is laid; a material named so asks for it. */
static void knows_its_floor(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int floor, ground;
    } cases[] = {
        {"<shape type='rectangle'><transform name='to_world'><scale value='50'/><translate z='-0.03'/></transform>"
         "</shape><shape type='cube'><transform name='to_world'><translate z='0.97'/></transform></shape>",
         1, 0},
        {"<shape type='cube'><transform name='to_world'><translate z='1'/><translate z='3'/></transform></shape>"
         "<shape type='rectangle'><transform name='to_world'><scale value='9'/><translate z='30'/></transform></shape>",
         0, 1},
        {"<shape type='rectangle'><transform name='to_world'><rotate x='1' angle='90'/></transform></shape>", 0, 0},
        {"<bsdf type='radio-material' id='ground'><float name='relative_permittivity' value='15'/></bsdf>"
         "<shape type='rectangle'><ref id='ground'/></shape>",
         1, 1},
    };
    rw_context *context = make_context();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        snprintf(text, sizeof text, "<scene>%s</scene>", cases[i].text);
        rw_scene *scene = read_uncommitted(context, write_text("f.xml", text));
        assert_ok(context, rw_scene_commit(scene));
        assert_int_equal(scene->has_floor, cases[i].floor);
        assert_int_equal(rw_scene_lays_ground(scene), cases[i].ground);
        if (i == 0)
            assert_near(scene->floor_m, -0.03, 1e-6);
        rw_scene_destroy(scene);
    }
    rw_context_destroy(context);
}

/* The triangles of a cube face outwards: their signed volumes add up to its volume. */
static void makes_a_closed_cube(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_scene *scene = read_uncommitted(context, write_text("c.xml", "<scene><shape type='cube'/></scene>"));
    double volume = 0;
    for (size_t i = 0; i < scene->triangles.count; i += 3) {
        const uint32_t *corner = scene->triangles.items + i;
        const rw_vec3 *vertex = scene->vertices.items;
        volume += rw_vec3_dot(vertex[corner[0]], rw_vec3_cross(vertex[corner[1]], vertex[corner[2]])) / 6;
    }
    assert_near(volume, 8, 1e-6);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

static void refuses_bad_scenes(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        rw_status status;
        const char *words;
    } bad[] = {
        {"<scene>", RW_BAD_INPUT, "cut off"},
        {"<scene></scene>", RW_BAD_INPUT, "no <shape>"},
        {"<!--<scene>--><world/>", RW_BAD_INPUT, "not a Mitsuba scene"},
        {"<scene>\n<shape/>\n</scene>", RW_BAD_INPUT, "line 2: a shape has no type"},
        {"<scene>\n<shape type='ply'></shape></scene>", RW_BAD_INPUT, "filename"},
        {"<scene>\n<shape type='ply'><string name='filename' value='no.ply'/></shape></scene>", RW_NOT_FOUND, "no.ply"},
        {"<scene>\n<shape type='ply'><string name='filename' value='.'/></shape></scene>", RW_NOT_FOUND, "no file"},
        {"<scene>\n<shape type='obj'><string name='filename' value='/dev/zero'/></shape></scene>", RW_BAD_INPUT,
         "outside of its folder"},
        {"<scene>\n<shape type='cube'><ref id='x'/></shape></scene>", RW_BAD_INPUT, "no <bsdf>"},
        {"<scene>\n<shape type='cube'><transform name='to_world'><scale value='nan'/></transform></shape></scene>",
         RW_BAD_INPUT, "line 2"},
        {"<scene>\n<shape type='cube'><transform name='to_world'><scale value='1e300'/></transform></shape></scene>",
         RW_BAD_INPUT, "out of bounds"},
        {"<scene>\n<shape type='cube'><transform name='to_world'><rotate angle='9'/></transform></shape></scene>",
         RW_BAD_INPUT, "axis"},
        {"<scene>\n<shape type='cube'><transform name='to_world'><matrix value='1 2 3'/></transform></shape></scene>",
         RW_BAD_INPUT, "16 numbers"},
        {"<scene>\n<shape type='cube'><transform name='to_world'><lookat/></transform></shape></scene>", RW_BAD_INPUT,
         "translate, scale"},
        {"<scene>\n<shape type=cube/></scene>", RW_BAD_INPUT, "quotes"},
        {"<scene>\n<shape type='cube></scene>", RW_BAD_INPUT, "closing quote"},
        {"<scene>\n<shape type='&bomb;'/></scene>", RW_BAD_INPUT, "entity"},
        {"<scene>\n</shape>", RW_BAD_INPUT, "closes <scene>"},
        {"<!DOCTYPE scene [<!ENTITY a 'b'>]><scene/>", RW_BAD_INPUT, "document type"},
    };
    rw_context *context = make_context();
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        refuses(context, write_text("bad.xml", bad[i].text), bad[i].status, bad[i].words);
    char deep[4096] = "<scene>";
    for (int i = 0; i < 500; i++)
        strcat(deep, "<bsdf>");
    refuses(context, write_text("deep.xml", deep), RW_BAD_INPUT, "64 deep");
    rw_context_destroy(context);
}

/* The scenes come as one archive, unpacked into the temporary folder. Last, because it takes the folder away again. */
static void reads_scenes_of_sionna(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        size_t meshes, triangles;
        const char *surface;
    } scenes[] = {{"box", 1, 12, "itu_metal"},
                  {"simple_wedge", 1, 4, "itu_concrete"},
                  {"simple_street_canyon", 7, 74, NULL},
                  {"etoile", 563, 13058, NULL},
                  {"munich", 2367, 38938, "itu_marble"}};
    require_test_data(archive, "scenes/mitsuba-scenes.tar.gz");
    char command[9000];
    snprintf(command, sizeof command, "tar -xzf '%s' -C '%s'", archive, rw_temporary_folder);
    assert_int_equal(system(command), 0);
    rw_context *context = make_context();
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        char name[256];
        snprintf(name, sizeof name, "%s/%s.xml", scenes[i].name, scenes[i].name);
        rw_scene *scene = read_uncommitted(context, temporary_path(name));
        assert_int_equal(scene->meshes.count, scenes[i].meshes);
        assert_int_equal(scene->triangles.count / 3, scenes[i].triangles);
        assert_true(scene->notes.count <= 1); /* materials without thickness */
        for (size_t j = 0; j < scene->surfaces.count; j++)
            assert_memory_equal(scene->surfaces.items[j], "itu_", 4);
        if (scenes[i].surface)
            assert_string_equal(surface_of(scene, 0), scenes[i].surface);
        printf("%s read in %.1f ms\n", scenes[i].name, 1e3 * scene->load_s);
        rw_scene_destroy(scene);
    }
    snprintf(command, sizeof command, "rm -r '%s'", rw_temporary_folder);
    assert_int_equal(system(command), 0);
    rw_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reads_shapes_and_materials),
                                       cmocka_unit_test(keeps_thickness_and_scattering),
                                       cmocka_unit_test(knows_its_floor),
                                       cmocka_unit_test(makes_a_closed_cube),
                                       cmocka_unit_test(refuses_bad_scenes),
                                       cmocka_unit_test(reads_scenes_of_sionna)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
