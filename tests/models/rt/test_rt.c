/* labels: numbers */
/* The exhaustive ray tracer: both ways, maps and paths, edges of buildings, refusals. tests/models/rt/test_ray_forms.c
 * has its closed forms. */
#include "discretise/walls/walls.h"
#include "flat_roof.h"
#include "ray_cases.h"

static rw_scene *three_blocks(rw_context *context)
{
    rw_scene *scene = make_scene(context);
    add_block(context, scene, (double[]){30, 20, 60, 55}, 18, NULL);
    const double slanted[] = {70, 30, 95, 38, 88, 66, 66, 60};
    add_outline(context, scene, slanted, 4, 11, NULL);
    add_block(context, scene, (double[]){20, 80, 90, 95}, 25, NULL);
    commit_between(context, scene, -10, 130);
    return scene;
}

static int compare_gains(const void *left, const void *right)
{
    const double *a = left, *b = right;
    return a[0] < b[0] ? 1 : a[0] > b[0] ? -1 : 0;
}

static size_t list_gains(prediction *now, const double to[3], double (*gains)[2], size_t most, size_t *skew)
{
    rw_paths *paths = trace_to(now, to[0], to[1], to[2]);
    size_t count = rw_paths_count(paths);
    assert_true(count <= most);
    for (size_t i = 0; i < count; i++) {
        rw_path path = {.size = sizeof path};
        rw_paths_get(paths, i, &path);
        gains[i][0] = path.length_m;
        gains[i][1] = gain_of(&path);
        for (size_t j = 1; j + 2 < path.vertex_count; j++)
            *skew += path.vertices[j].interaction + path.vertices[j + 1].interaction ==
                         RW_INTERACTION_STREET + RW_INTERACTION_ROOF &&
                     path.vertices[j].interaction != path.vertices[j + 1].interaction;
    }
    qsort(gains, count, sizeof *gains, compare_gains);
    rw_paths_destroy(paths);
    return count;
}

/* Reflections and up to two diffractions, also at skew edges: every path is worth the same both ways. */
static void both_ways_are_alike(void **state)
{
    (void)state;
    static double there[4000][2], back[4000][2];
    const double a[3] = {10, 40, 8}, b[3] = {82, 74, 1.5};
    rw_context *context = make_context();
    rw_scene *scene = three_blocks(context);
    prediction now = begin_rt(scene, context, a[0], a[1], a[2]);
    now.options.depth = 3;
    now.options.diffractions = 2;
    now.options.scatterings = 0;
    now.options.loss_max_db = 400;
    now.options.roofs = "none"; /* whose losses are rounded to float */
    size_t skew = 0, count = list_gains(&now, b, there, 4000, &skew);
    assert_true(count > 50 && skew > 5);
    now.tx[0].x_m = b[0];
    now.tx[0].y_m = b[1];
    now.tx[0].height_m = b[2];
    assert_int_equal(list_gains(&now, a, back, 4000, &skew), count);
    for (size_t i = 0; i < count; i++) {
        assert_near(back[i][0], there[i][0], 1e-7);
        assert_near(back[i][1], there[i][1], 1e-6 * there[0][1] + 1e-5 * there[i][1]);
    }
    end_rt(&now);
}

/* Maps: the same for one thread and several; power sums what paths tells. */
static void maps_agree_with_paths(void **state)
{
    (void)state;
    float values[2][12 * 12];
    for (int turn = 0; turn < 2; turn++) {
        rw_context *context = make_context_of(RW_BACKEND_CPU, 1 + turn);
        rw_scene *scene = three_blocks(context);
        prediction now = begin_rt(scene, context, 10, 40, 8);
        now.options.transmitters = now.tx;
        now.options.res_m = 10;
        now.options.sum = "power";
        now.options.prior = "none";
        memcpy(now.options.area_m, (double[]){0, 0, 120, 120}, sizeof now.options.area_m);
        rw_map *map;
        assert_ok(context, rw_predict(scene, &now.options, &map));
        rw_map_layer layer = {.size = sizeof layer};
        assert_ok(context, rw_map_get_layer(map, 0, &layer));
        memcpy(values[turn], layer.values, sizeof values[turn]);
        rw_paths *paths = trace_to(&now, 15, 75, NAN);
        double power = 0;
        for (size_t i = 0; i < rw_paths_count(paths); i++) {
            rw_path path = {.size = sizeof path};
            rw_paths_get(paths, i, &path);
            power += gain_of(&path) * gain_of(&path);
        }
        assert_near(layer.values[7 * 12 + 1], -10 * log10(power), 1e-3);
        rw_paths_destroy(paths);
        rw_map_destroy(map);
        end_rt(&now);
    }
    assert_memory_equal(values[0], values[1], sizeof values[0]);
}

/* Two houses side by side: what they share is no edge; a tower on a podium neither. */
static void covered_edges_are_left_out(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_scene *scene = make_scene(context);
    add_block(context, scene, (double[]){0, 0, 20, 10}, 12, NULL);
    add_block(context, scene, (double[]){20, 0, 50, 10}, 8, NULL);
    assert_ok(context, rw_scene_commit(scene));
    rw_building_edge *edges;
    size_t count;
    assert_ok(context, rw_building_edges_find(scene, &edges, &count));
    double upright_m = 0, level_m = 0;
    for (size_t i = 0; i < count; i++) {
        rw_vec3 way = rw_vec3_sub(edges[i].to, edges[i].from);
        *(edges[i].upright ? &upright_m : &level_m) += rw_vec3_length(way);
        assert_near(edges[i].exterior_over_pi, 1.5, 1e-9);
        assert_near(fabs(rw_vec3_dot(way, edges[i].edge)), rw_vec3_length(way), 1e-9);
    }
    assert_near(upright_m, 2 * 12 + 2 * 4 + 2 * 8, 0.1); /* of the higher one's shared corners the upper part */
    assert_near(level_m, 2 * (20 + 10) + 2 * 30 + 10, 0.1);
    free(edges);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

static void bad_calls_are_refused(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_scene *scene = three_blocks(context);
    prediction now = begin_rt(scene, context, 10, 40, 8);
    rw_point point = {.size = sizeof(rw_point), .x_m = 5, .y_m = 5, .height_m = 1.5};
    rw_paths *paths;
    now.options.transmitters = now.tx;
    now.options.depth = 9;
    check_sentence(context, rw_trace(scene, &now.options, &point, 1, &paths), RW_BAD_CALL,
                   "depth = 9 is out of range: 1 to 8");
    now.options.depth = 2;
    now.options.diffractions = 3;
    check_sentence(context, rw_trace(scene, &now.options, &point, 1, &paths), RW_BAD_CALL,
                   "diffractions = 3 is out of range: 0 to 2");
    now.options.diffractions = 1;
    now.options.scatterings = 2;
    check_sentence(context, rw_trace(scene, &now.options, &point, 1, &paths), RW_BAD_CALL,
                   "scatterings = 2 is out of range: 0 to 1");
    now.options.scatterings = 1;
    for (int i = 0; i < 2; i++) {
        now.options.loss_max_db = i ? 1001 : -10;
        check_sentence(context, rw_trace(scene, &now.options, &point, 1, &paths), RW_BAD_CALL, "loss-max = ");
    }
    end_rt(&now);
}

/* Loss beside free space of the only path by two edges of one face, and of the same from the other end. */
static double two_edges_db(const char *model, const char *surface, int upright, const flat_roof *at)
{
    rw_context *context = make_context();
    rw_scene *scene = make_scene(context);
    add_metal(context, scene, 0);
    /* a long house, or the end of a high one */
    add_block(context, scene, upright ? (double[]){0, -300, at->width, 0} : (double[]){0, -400, at->width, 400},
              upright ? 400 : 60, surface);
    commit_between(context, scene, -500, 500);
    double loss_db[2];
    for (int back = 0; back < 2; back++) {
        double tx[2] = {-at->before, at->source}, rx[2] = {at->width + at->behind, at->observer};
        const double *from = back ? rx : tx, *to = back ? tx : rx;
        prediction now = begin_rt(scene, context, from[0], upright ? from[1] : 3.3, upright ? 203.3 : 60 + from[1]);
        now.options.model = model;
        now.options.depth = now.options.diffractions = 2;
        now.options.reflections = 0;
        rw_paths *paths = trace_to(&now, to[0], upright ? to[1] : 3.3, upright ? 203.3 : 60 + to[1]);
        rw_interaction kind = upright ? RW_INTERACTION_STREET : RW_INTERACTION_ROOF;
        rw_path path = only_path(paths, 2, (rw_interaction[]){kind, kind});
        double straight_m = hypot(tx[0] - rx[0], tx[1] - rx[1]);
        loss_db[back] = path.loss_db - 20 * log10(4 * FLAT_ROOF_PI * straight_m / WAVELENGTH_M);
        rw_paths_destroy(paths);
    }
    assert_near(loss_db[0], loss_db[1], 1e-6);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
    return loss_db[0];
}

/* Over a flat roof and round two corners of one wall: metal, hard across the edge and soft along it, and concrete. */
static void two_edges_of_one_face(void **state)
{
    (void)state;
    const flat_roof at = {2 * FLAT_ROOF_PI / WAVELENGTH_M, 60, 20, 70, -5, -4};
    double complex permittivity = 5.24 - I * 17.98 * 0.0462 * pow(2, 0.7822 - 1), root = csqrt(permittivity - 1);
    const struct {
        const char *surface;
        int upright, kind;
        double complex impedance;
    } cases[] = {{"metal", 0, 1, 0},
                 {"metal", 1, -1, 0},
                 {"itu_concrete", 0, 0, root / permittivity},
                 {"itu_concrete", 1, 0, root}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double expected_db = -20 * log10(cabs(flat_roof_field(&at, cases[i].kind, cases[i].impedance)));
        double got_db = two_edges_db("rt", cases[i].surface, cases[i].upright, &at);
        double tiles_db = two_edges_db("tiles", cases[i].surface, cases[i].upright, &at);
        printf("%s, %s: %.2f dB, tiles %.2f dB, Kirchhoff %.2f dB\n", cases[i].surface,
               cases[i].upright ? "corners" : "roof", got_db, tiles_db, expected_db);
        assert_near(tiles_db, got_db, 1e-3);
        assert_near(got_db, expected_db, 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_edges_of_one_face), cmocka_unit_test(both_ways_are_alike),
        cmocka_unit_test(maps_agree_with_paths), cmocka_unit_test(covered_edges_are_left_out),
        cmocka_unit_test(bad_calls_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
