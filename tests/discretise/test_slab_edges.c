/* Edges at which walls and meshes diffract: which are found, fields that stay continuous across their shadow
 * boundaries, free, glazed or where two walls meet, and the wedge of a mesh against the wedge by itself. */
#include "discretise/surfaces/surfaces.h"
#include "prediction.h"
#include "rooms.h"

#include <rasterwave/calc.h>

/* A wall along y = 0 to x = 0 and, beyond, a pane of that name; NULL: nothing. */
static rw_scene *half_glazed(rw_context *context, const char *pane)
{
    rw_scene *scene;
    assert_ok(context, rw_scene_create(context, &scene));
    /* thin, so that no refraction moves the boundary, and lossy, so that little gets through */
    rw_material air = {.size = sizeof air, .name = "nothing", .a = 1, .freq_max_hz = INFINITY};
    rw_material coat = {.size = sizeof coat, .name = "coat", .a = 4, .c = 100, .freq_max_hz = INFINITY};
    rw_material tint = {.size = sizeof tint, .name = "tint", .a = 4, .c = 15, .freq_max_hz = INFINITY};
    assert_ok(context, rw_scene_add_material(scene, &air));
    assert_ok(context, rw_scene_add_material(scene, &coat));
    assert_ok(context, rw_scene_add_material(scene, &tint));
    add_slab_of(context, scene, "wall", "coat", 1e-4);
    add_slab_of(context, scene, "pane", "tint", 1e-4);
    add_slab_of(context, scene, "gone", "nothing", 0.001);
    add_panel_of(context, scene, -40, 0, 0, 0, -40, 40, "wall");
    if (pane)
        add_panel_of(context, scene, 0, 0, 40, 0, -40, 40, pane);
    assert_ok(context, rw_scene_commit(scene));
    return scene;
}

static prediction edge_prediction(rw_context *context, rw_scene *scene)
{
    prediction now = begin_with(context, scene);
    now.tx[0].x_m = 1.5;
    now.tx[0].y_m = -3;
    now.tx[0].height_m = 1.5;
    now.tx[0].antenna = "dipole";
    now.tx[0].roll_deg = 30; /* both polarisations */
    rw_predict_options_init_for(&now.options, "images");
    now.options.transmitter_count = 1;
    now.options.freq_hz = 2.4e9;
    now.options.depth = 1;
    now.options.pixels = 128;
    now.options.threshold = 1;
    now.options.diffractions = 1;
    return now;
}

static prediction begin_edge(const char *pane)
{
    rw_context *context = make_context_of(RW_BACKEND_CPU, 1);
    return edge_prediction(context, half_glazed(context, pane));
}

/* The field at a point: all of it, and the part that came over the edge at x = y = 0. */
static void field_at(prediction *now, double x, double y, double z, rw_complex *total, rw_complex *bent)
{
    rw_point points[3] = {
        {.size = sizeof(rw_point), .x_m = x, .y_m = y, .height_m = z},
        {.size = sizeof(rw_point), .x_m = -9, .y_m = -9, .height_m = 1},
        {.size = sizeof(rw_point), .x_m = 9, .y_m = 9, .height_m = 1}}; /* the others make the area wide enough */
    rw_paths *paths;
    now->options.transmitters = now->tx;
    assert_ok(now->context, rw_trace(now->scene, &now->options, points, 3, &paths));
    *total = *bent = rw_complex_of(0, 0);
    for (size_t i = 0; i < rw_paths_count(paths); i++) {
        rw_path path = {.size = sizeof path};
        rw_paths_get(paths, i, &path);
        if (path.point != 0)
            continue;
        rw_complex gain = rw_complex_of(path.gain_re, path.gain_im);
        *total = rw_complex_add(*total, gain);
        if (path.vertices[1].interaction == RW_INTERACTION_STREET &&
            hypot(path.vertices[1].x_m, path.vertices[1].y_m) < 1)
            *bent = rw_complex_add(*bent, gain);
    }
    rw_paths_destroy(paths);
}

static double apart(rw_complex a, rw_complex b)
{
    return hypot(a.re - b.re, a.im - b.im);
}

/* Across the boundary at x the part over the edge jumps, and all of it does not. */
static void check_boundary(prediction *now, double x, double y)
{
    rw_complex total[2], bent[2];
    for (int side = 0; side < 2; side++)
        field_at(now, x + (side ? 2e-4 : -2e-4), y, 1.2, &total[side], &bent[side]);
    double jump = apart(bent[0], bent[1]);
    printf("over the edge %.3g, all %.3g of %.3g\n", jump, apart(total[0], total[1]), hypot(total[0].re, total[0].im));
    assert_true(jump > 0.1 * hypot(total[0].re, total[0].im));
    assert_near(apart(total[0], total[1]) / jump, 0, 0.2);
}

static void fields_are_continuous(void **state)
{
    (void)state;
    static const char *const panes[] = {NULL, "pane"};
    for (int i = 0; i < 2; i++) {
        prediction now = begin_edge(panes[i]);
        check_boundary(&now, -1.0, 2);  /* the straight line through the edge: 1.5 - 2.5 x 3 / 5 = 0 at y = 0 */
        check_boundary(&now, -1.0, -2); /* and its mirror image: where the wall's reflection ends */
        end(&now);
    }
}

/* A pane of air is no pane. */
static void a_pane_of_air_gives_the_free_edge(void **state)
{
    (void)state;
    prediction free_edge = begin_edge(NULL), air = begin_edge("gone");
    for (int i = 0; i < 8; i++) {
        rw_complex total, expected, got;
        double x = -3.3 + 0.9 * i, y = i % 2 ? 2.2 : -1.4;
        field_at(&free_edge, x, y, 1.2, &total, &expected);
        field_at(&air, x, y, 1.2, &total, &got);
        assert_true(hypot(expected.re, expected.im) > 0);
        assert_near(apart(expected, got) / hypot(expected.re, expected.im), 0, 2e-3);
    }
    end(&free_edge);
    end(&air);
}

/* Two walls that meet at x = y = 0, with the air on the sides of the transmitter and of the receivers. */
static void a_corner_of_walls_is_continuous(void **state)
{
    (void)state;
    rw_context *context = make_context_of(RW_BACKEND_CPU, 1);
    rw_scene *scene;
    assert_ok(context, rw_scene_create(context, &scene));
    rw_material coat = {.size = sizeof coat, .name = "coat", .a = 4, .c = 40, .freq_max_hz = INFINITY};
    assert_ok(context, rw_scene_add_material(scene, &coat));
    add_slab_of(context, scene, "wall", "coat", 1e-4);
    add_panel_of(context, scene, -40, 0, 0, 0, -40, 40, "wall");
    add_panel_of(context, scene, 0, 0, 0, 40, -40, 40, "wall");
    assert_ok(context, rw_scene_commit(scene));
    prediction now = edge_prediction(context, scene);
    now.tx[0].x_m = -3;
    now.tx[0].y_m = -1.5;
    now.options.depth = 2;       /* the ray behind the corner goes through both walls */
    check_boundary(&now, 2, 1);  /* the straight line over the edge */
    check_boundary(&now, 2, -1); /* where the reflection at the southern wall ends */
    end(&now);
}

/* The two faces of a wedge of 90 degrees as a mesh, its edge upright at x = y = 0. */
static rw_scene *wedge_mesh(rw_context *context)
{
    static const double vertices[] = {0, -30, -15, 0, -30, 15, 0, 0, 15, 0, 0, -15, 30, 0, 15, 30, 0, -15};
    static const uint32_t triangles[] = {0, 1, 2, 0, 2, 3, 3, 2, 4, 3, 4, 5};
    rw_mesh mesh = {.size = sizeof mesh,
                    .name = "wedge",
                    .xyz = vertices,
                    .vertex_count = 6,
                    .triangles = triangles,
                    .triangle_count = 4,
                    .surface = "itu_concrete"};
    rw_scene *scene;
    assert_ok(context, rw_scene_create(context, &scene));
    assert_ok(context, rw_scene_add_mesh(scene, &mesh));
    assert_ok(context, rw_scene_commit(scene));
    return scene;
}

/* rt and images find the ray over the edge of a mesh of half spaces, with the field of rw_calc_wedge. */
static void the_edge_of_a_mesh_is_a_wedge(void **state)
{
    (void)state;
    static const char *const models[] = {"rt", "images"};
    static const double places[][2] = {{12, 9}, {3, 8}, {-4, 8}, {20, 0.5}};
    for (size_t m = 0; m < 2; m++) {
        rw_context *context = make_context_of(RW_BACKEND_CPU, 1);
        prediction now = edge_prediction(context, wedge_mesh(context));
        rw_predict_options_init_for(&now.options, models[m]);
        now.options.freq_hz = 1e9;
        now.options.transmitter_count = 1;
        now.options.depth = now.options.diffractions = 1;
        now.tx[0].x_m = -8;
        now.tx[0].y_m = -8;
        now.tx[0].antenna = NULL;
        now.tx[0].roll_deg = 0;
        for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
            rw_complex total, bent;
            rw_wedge_options options;
            rw_wedge_result result = {.size = sizeof result};
            rw_wedge_options_init(&options);
            options.freq_hz = 1e9;
            options.material = "itu_concrete";
            options.source_m = 8 * sqrt(2);
            options.source_angle_deg = 45;
            options.observer_m = hypot(places[i][0], places[i][1]);
            options.observer_angle_deg = fmod(atan2(-places[i][0], -places[i][1]) * 180 / RW_PI + 360, 360);
            assert_ok(context, rw_calc_wedge(context, &options, &result));
            field_at(&now, places[i][0], places[i][1], 1.5, &total, &bent);
            double free_gain = RW_SPEED_OF_LIGHT_M_S / 1e9 / (4 * RW_PI * result.direct_m);
            assert_near(hypot(bent.re, bent.im) / free_gain,
                        hypot(result.diffracted_soft.re, result.diffracted_soft.im), 1e-5);
        }
        end(&now);
    }
}

/* The window of two rooms has four glazed edges, the door two free jambs and a free lintel. */
static void windows_and_doors_have_edges(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_scene *scene = two_rooms(context);
    rw_surfaces surfaces;
    rw_free_edge *edges;
    size_t count, glazed = 0, free_count = 0;
    assert_ok(context, rw_surfaces_create(scene, scene->prepared->grid.centre, &surfaces));
    assert_ok(context, rw_free_edges_find(context, &surfaces, &edges, &count));
    for (size_t i = 0; i < count; i++) {
        free_count += edges[i].other == RW_NO_SURFACE;
        if (edges[i].other == RW_NO_SURFACE || rw_edge_is_wedge(&edges[i]))
            continue;
        glazed++;
        assert_true(edges[i].surface < edges[i].other);
        assert_near(rw_vec3_length(rw_vec3_sub(edges[i].to, edges[i].from)),
                    fabs(edges[i].to.z - edges[i].from.z) > 0.1 ? 1.2 : 1.5, 1e-6);
    }
    assert_int_equal(glazed, 4);
    assert_int_equal(free_count, 3);
    assert_int_equal(count - glazed - free_count, 16); /* the box from outside: four of twelve are cut by a wall */
    free(edges);
    rw_surfaces_destroy(&surfaces);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_are_continuous),           cmocka_unit_test(a_pane_of_air_gives_the_free_edge),
        cmocka_unit_test(a_corner_of_walls_is_continuous), cmocka_unit_test(the_edge_of_a_mesh_is_a_wedge),
        cmocka_unit_test(windows_and_doors_have_edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
