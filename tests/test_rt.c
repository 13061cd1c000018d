/* The models rt and tiles against closed forms: two rays, one wall, one corner, two edges, a canyon, a rough wall; and
 * both ways. */
#include "discretise/building_edges.h"
#include "field/fresnel.k.h"
#include "field/material.k.h"
#include "field/phases.k.h"
#include "prediction.h"

#define FREQ_HZ 2e9
#define LIGHT_M_S 299792458.0
#define WAVELENGTH_M (LIGHT_M_S / FREQ_HZ)

static const char *const models[] = {"rt", "tiles"};
#define MODELS (sizeof models / sizeof *models)

static prediction begin_rt(rw_scene *scene, rw_context *context, double x_m, double y_m, double height_m)
{
    prediction now = begin_with(context, scene);
    now.options.model = "rt";
    now.options.freq_hz = FREQ_HZ;
    now.tx[0].x_m = x_m;
    now.tx[0].y_m = y_m;
    now.tx[0].height_m = height_m;
    return now;
}

static void end_rt(prediction *now)
{
    rw_scene_destroy(now->scene);
    rw_context_destroy(now->context);
}

static rw_paths *trace_to(prediction *now, double x_m, double y_m, double height_m)
{
    rw_point point = {x_m, y_m, height_m};
    rw_paths *paths;
    now->options.transmitters = now->tx;
    assert_ok(now->context, rw_trace(now->scene, &now->options, &point, 1, &paths));
    return paths;
}

/* The path whose interactions are these, in this order; and that there is one such path. */
static rw_path only_path(const rw_paths *paths, size_t count, const rw_interaction *interactions)
{
    rw_path found = {0};
    size_t times = 0;
    for (size_t i = 0; i < rw_paths_count(paths); i++) {
        rw_path path = {.size = sizeof path};
        assert_int_equal(rw_paths_get(paths, i, &path), RW_OK);
        int same = path.vertex_count == count + 2;
        for (size_t j = 0; same && j < count; j++)
            same = path.vertices[j + 1].interaction == interactions[j];
        if (same)
            found = path;
        times += (size_t)same;
    }
    assert_int_equal(times, 1);
    return found;
}

static double gain_of(const rw_path *path)
{
    return hypot(path->gain_re, path->gain_im);
}

static void add_metal(rw_context *context, rw_scene *scene, double scattering)
{
    rw_material metal = {.size = sizeof metal,
                         .name = "metal",
                         .a = 1,
                         .freq_max_hz = 1e12,
                         .perfect_conductor = 1,
                         .scattering = scattering};
    assert_ok(context, rw_scene_add_material(scene, &metal));
}

static void add_block(rw_context *context, rw_scene *scene, const double box[4], double roof_m, const char *surface)
{
    const double xy[] = {box[0], box[1], box[2], box[1], box[2], box[3], box[0], box[3]};
    const size_t four = 4;
    rw_building building = {.size = sizeof building,
                            .xy = xy,
                            .ring_sizes = &four,
                            .ring_count = 1,
                            .ground_m = NAN,
                            .roof_height_m = roof_m,
                            .surface = surface};
    assert_ok(context, rw_scene_add_building(scene, &building));
}

/* Two pegs of 4 cm give a scene its extent. */
static void commit_between(rw_context *context, rw_scene *scene, double low_m, double high_m)
{
    add_block(context, scene, (double[]){low_m, low_m, low_m + 0.1, low_m + 0.1}, 0.04, NULL);
    add_block(context, scene, (double[]){high_m - 0.1, high_m - 0.1, high_m, high_m}, 0.04, NULL);
    assert_ok(context, rw_scene_commit(scene));
}

static void check_flat_ground_is_two_rays(const char *model)
{
    rw_context *context = make_context();
    rw_scene *scene = make_scene(context);
    commit_between(context, scene, 0, 500);
    prediction now = begin_rt(scene, context, 100, 100, 12);
    now.options.model = model;
    now.options.reflections = 1;
    now.options.diffractions = 0;
    now.options.depth = 1;
    for (double far_m = 20; far_m < 390; far_m *= 1.7) {
        rw_two_ray_options both = {.size = sizeof both,
                                   .freq_hz = FREQ_HZ,
                                   .first_height_m = 12,
                                   .second_height_m = 1.5,
                                   .distance_m = far_m,
                                   .ground = "itu_medium_dry_ground"};
        rw_two_ray_result expected;
        assert_ok(context, rw_calc_two_ray(context, &both, &expected));
        rw_paths *paths = trace_to(&now, 100 + far_m, 100, 1.5);
        double re = 0, im = 0;
        assert_int_equal(rw_paths_count(paths), 2);
        for (size_t i = 0; i < 2; i++) {
            rw_path path = {.size = sizeof path};
            rw_paths_get(paths, i, &path);
            re += path.gain_re;
            im += path.gain_im;
        }
        /* The antennas' theta turns away from the vertical by the elevation of the ray. */
        assert_near(-20 * log10(hypot(re, im)), expected.loss_vertical_db, 1e-6);
        rw_paths_destroy(paths);
    }
    end_rt(&now);
}

static void flat_ground_is_two_rays(void **state)
{
    (void)state;
    for (size_t i = 0; i < MODELS; i++)
        check_flat_ground_is_two_rays(models[i]);
}

/* A concrete wall, both ends at one height: the electric field is along the wall and across the plane of incidence. */
static void check_one_wall_is_an_image(const char *model)
{
    rw_context *context = make_context();
    rw_scene *scene = make_scene(context);
    add_block(context, scene, (double[]){100, 0, 120, 400}, 60, NULL);
    commit_between(context, scene, -200, 500);
    prediction now = begin_rt(scene, context, 40, 100, 20);
    now.options.model = model;
    rw_paths *paths = trace_to(&now, 70, 260, 20);
    double length_m = hypot(60 + 30, 160);
    rw_path direct = only_path(paths, 0, NULL);
    assert_near(gain_of(&direct), WAVELENGTH_M / (4 * RW_PI * hypot(30, 160)), 1e-15);
    size_t of_wall = 0;
    for (size_t i = 0; i < rw_paths_count(paths); i++) {
        rw_path path = {.size = sizeof path};
        rw_paths_get(paths, i, &path);
        if (path.vertex_count != 3 || path.vertices[1].interaction != RW_INTERACTION_REFLECTION ||
            path.vertices[1].z_m < 1)
            continue;
        of_wall++;
        rw_complex concrete =
            rw_complex_permittivity(5.24, rw_material_conductivity_s_m(0.0462, 0.7822, FREQ_HZ), FREQ_HZ);
        rw_complex expected =
            rw_complex_mul(rw_fresnel(concrete, 90 / length_m).reflection.te, rw_path_phasor(length_m, WAVELENGTH_M));
        double free_gain = WAVELENGTH_M / (4 * RW_PI * length_m);
        assert_near(path.length_m, length_m, 1e-9);
        assert_near(path.gain_re, expected.re * free_gain, 1e-9 * free_gain);
        assert_near(path.gain_im, expected.im * free_gain, 1e-9 * free_gain);
    }
    assert_int_equal(of_wall, 1);
    rw_paths_destroy(paths);
    end_rt(&now);
}

static void one_wall_is_an_image(void **state)
{
    (void)state;
    for (size_t i = 0; i < MODELS; i++)
        check_one_wall_is_an_image(models[i]);
}

/* A metal tower's corner from both sides, over heights; vertical antennas are soft at a vertical edge. */
static void check_one_corner_is_the_uniform_theory(const char *model)
{
    rw_context *context = make_context();
    rw_scene *scene = make_scene(context);
    add_metal(context, scene, 0);
    add_block(context, scene, (double[]){0, 0, 80, 80}, 300, "metal");
    commit_between(context, scene, -200, 500);
    prediction now = begin_rt(scene, context, -20, 40, 150);
    now.options.model = model;
    now.options.depth = 1;
    static const double observers[][3] = {{40, -30, 150}, {70, -25, 100}, {30, -80, 190}, {-10, -40, 150}};
    for (size_t i = 0; i < sizeof observers / sizeof *observers; i++) {
        const double *at = observers[i];
        rw_paths *paths = trace_to(&now, at[0], at[1], at[2]);
        /* Angles from the south face, through the open, to the west face at 270 degrees. */
        rw_wedge_options wedge = {.size = sizeof wedge,
                                  .freq_hz = FREQ_HZ,
                                  .exterior_angle_deg = 270,
                                  .source_m = hypot(20, 40),
                                  .source_angle_deg = 270 - atan2(20, 40) * 180 / RW_PI,
                                  .source_along_m = 150,
                                  .observer_m = hypot(at[0], at[1]),
                                  .observer_angle_deg = atan2(-at[1], at[0]) * 180 / RW_PI,
                                  .observer_along_m = at[2],
                                  .material = "pec",
                                  .method = "luebbers"};
        rw_wedge_result expected;
        assert_ok(context, rw_calc_wedge(context, &wedge, &expected));
        double free_gain = WAVELENGTH_M / (4 * RW_PI * expected.direct_m);
        double wanted = hypot(expected.diffracted_soft.re, expected.diffracted_soft.im) * free_gain;
        int found = 0;
        for (size_t j = 0; j < rw_paths_count(paths); j++) {
            rw_path path = {.size = sizeof path};
            rw_paths_get(paths, j, &path);
            if (path.vertex_count != 3 || path.vertices[1].interaction != RW_INTERACTION_STREET ||
                hypot(path.vertices[1].x_m, path.vertices[1].y_m) > 1e-6)
                continue;
            found++;
            assert_near(path.length_m, expected.over_edge_m, 1e-9);
            assert_near(gain_of(&path), wanted, 1e-4 * wanted); /* metal is a very good conductor, not a perfect one */
        }
        assert_int_equal(found, 1);
        rw_paths_destroy(paths);
    }
    end_rt(&now);
}

static void one_corner_is_the_uniform_theory(void **state)
{
    (void)state;
    for (size_t i = 0; i < MODELS; i++)
        check_one_corner_is_the_uniform_theory(models[i]);
}

/* The whole field goes on without a step where the direct ray is lost behind a corner. */
static void check_shadow_begins_smoothly(const char *model)
{
    rw_context *context = make_context();
    rw_scene *scene = make_scene(context);
    add_block(context, scene, (double[]){0, 0, 80, 80}, 300, NULL);
    commit_between(context, scene, -200, 500);
    prediction now = begin_rt(scene, context, -20, 40, 150);
    now.options.model = model;
    now.options.depth = 1;
    double before_db = 0, direct[2] = {0, 0};
    for (int side = 0; side < 2; side++) {
        rw_paths *paths = trace_to(&now, 40 + (side ? 1e-4 : -1e-4), -80, 150);
        double re = 0, im = 0;
        for (size_t i = 0; i < rw_paths_count(paths); i++) {
            rw_path path = {.size = sizeof path};
            rw_paths_get(paths, i, &path);
            /* ground and roof are far away and have boundaries elsewhere */
            if (fabs(path.vertices[1].z_m - 150) > 1e-6)
                continue;
            direct[side] += path.vertex_count == 2;
            re += path.gain_re;
            im += path.gain_im;
        }
        double loss_db = -20 * log10(hypot(re, im));
        if (side)
            assert_near(loss_db, before_db, 0.01);
        before_db = loss_db;
        rw_paths_destroy(paths);
    }
    assert_near(direct[0] + direct[1], 1, 0);
    end_rt(&now);
}

static void shadow_begins_smoothly(void **state)
{
    (void)state;
    for (size_t i = 0; i < MODELS; i++)
        check_shadow_begins_smoothly(models[i]);
}

/* Metal walls on both sides: the image series, path by path. */
static void check_canyon_is_its_image_series(const char *model)
{
    rw_context *context = make_context();
    rw_scene *scene = make_scene(context);
    add_metal(context, scene, 0);
    add_block(context, scene, (double[]){0, 0, 400, 20}, 60, "metal");
    add_block(context, scene, (double[]){0, 50, 400, 70}, 60, "metal");
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_rt(scene, context, 100, 28, 30);
    now.options.model = model;
    now.options.depth = now.options.reflections = 5;
    now.options.diffractions = 0;
    rw_paths *paths = trace_to(&now, 270, 41, 30);
    double expected_re = 0, expected_im = 0, re = 0, im = 0;
    for (int n = -5; n <= 5; n++) {
        /* images across walls at 20 and 50: every other one is mirrored */
        double image = n % 2 == 0 ? 28 + 30.0 * n : 70 - 28 + 30.0 * n;
        double length_m = hypot(170, 41 - image);
        rw_complex wave = rw_complex_scale(rw_path_phasor(length_m, WAVELENGTH_M),
                                           (n % 2 ? -1 : 1) * WAVELENGTH_M / (4 * RW_PI * length_m));
        expected_re += wave.re;
        expected_im += wave.im;
    }
    size_t level = 0;
    for (size_t i = 0; i < rw_paths_count(paths); i++) {
        rw_path path = {.size = sizeof path};
        rw_paths_get(paths, i, &path);
        int is_level = 1;
        for (size_t j = 0; j < path.vertex_count; j++)
            is_level = is_level && fabs(path.vertices[j].z_m - 30) < 1e-6;
        level += (size_t)is_level;
        re += is_level ? path.gain_re : 0;
        im += is_level ? path.gain_im : 0;
    }
    assert_int_equal(level, 11);
    double size = hypot(expected_re, expected_im);
    assert_near(re, expected_re, 1e-4 * size);
    assert_near(im, expected_im, 1e-4 * size);
    rw_paths_destroy(paths);
    end_rt(&now);
}

static void canyon_is_its_image_series(void **state)
{
    (void)state;
    for (size_t i = 0; i < MODELS; i++)
        check_canyon_is_its_image_series(models[i]);
}

/* The scattered power of a rough metal wall, integrated here from the formula of the effective-roughness model. */
static double rough_wall_power(double scattering)
{
    const double source[3] = {40, 100, 20}, observer[3] = {70, 160, 6}, step_m = 0.25;
    double sum = 0;
    for (double y = 60 + 0.5 * step_m; y < 200; y += step_m)
        for (double z = 0.5 * step_m; z < 40; z += step_m) {
            double in[3] = {100 - source[0], y - source[1], z - source[2]};
            double out[3] = {observer[0] - 100, observer[1] - y, observer[2] - z};
            double in2 = in[0] * in[0] + in[1] * in[1] + in[2] * in[2];
            double out2 = out[0] * out[0] + out[1] * out[1] + out[2] * out[2];
            double cosines = in[0] / sqrt(in2) * -out[0] / sqrt(out2);
            sum += scattering * scattering * cosines / RW_PI / (in2 * out2) * step_m * step_m;
        }
    double factor = WAVELENGTH_M / (4 * RW_PI);
    return sum * factor * factor;
}

static void check_rough_wall_is_the_integral(const char *model)
{
    const double scattering = 0.4;
    rw_context *context = make_context();
    rw_scene *scene = make_scene(context);
    add_metal(context, scene, scattering);
    add_block(context, scene, (double[]){100, 60, 120, 200}, 40, "metal");
    commit_between(context, scene, 30, 210);
    prediction now = begin_rt(scene, context, 40, 100, 20);
    now.options.model = model;
    now.options.depth = 1;
    now.options.tile_area_m2 = 4;
    rw_paths *paths = trace_to(&now, 70, 160, 6);
    double power = 0;
    for (size_t i = 0; i < rw_paths_count(paths); i++) {
        rw_path path = {.size = sizeof path};
        rw_paths_get(paths, i, &path);
        if (path.vertex_count == 3 && path.vertices[1].interaction == RW_INTERACTION_SCATTERING)
            power += gain_of(&path) * gain_of(&path);
    }
    assert_near(power / rough_wall_power(scattering), 1, 0.01);
    /* and the specular ray has lost that share */
    size_t mirrored = 0;
    for (size_t i = 0; i < rw_paths_count(paths); i++) {
        rw_path other = {.size = sizeof other};
        rw_paths_get(paths, i, &other);
        if (other.vertex_count != 3 || other.vertices[1].interaction != RW_INTERACTION_REFLECTION ||
            other.vertices[1].z_m < 0.1)
            continue;
        mirrored++;
        double length_m = sqrt(90.0 * 90 + 60 * 60 + 14 * 14);
        assert_near(gain_of(&other), sqrt(1 - scattering * scattering) * WAVELENGTH_M / (4 * RW_PI * length_m),
                    0.02 * WAVELENGTH_M / (4 * RW_PI * length_m));
    }
    assert_int_equal(mirrored, 1);
    rw_paths_destroy(paths);
    end_rt(&now);
}

static void rough_wall_is_the_integral(void **state)
{
    (void)state;
    for (size_t i = 0; i < MODELS; i++)
        check_rough_wall_is_the_integral(models[i]);
}

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
        memcpy(now.options.area_m, (double[]){0, 0, 120, 120}, sizeof now.options.area_m);
        rw_map *map;
        assert_ok(context, rw_predict(scene, &now.options, &map));
        rw_map_layer layer;
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
    rw_point point = {5, 5, 1.5};
    rw_paths *paths;
    now.options.transmitters = now.tx;
    now.options.depth = 9;
    check_sentence(context, rw_trace(scene, &now.options, &point, 1, &paths), RW_BAD_CALL, "depth is 9");
    now.options.depth = 2;
    now.options.diffractions = 3;
    check_sentence(context, rw_trace(scene, &now.options, &point, 1, &paths), RW_BAD_CALL, "3 diffractions");
    now.options.diffractions = 1;
    now.options.scatterings = 2;
    check_sentence(context, rw_trace(scene, &now.options, &point, 1, &paths), RW_BAD_CALL, "2 scatterings");
    end_rt(&now);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flat_ground_is_two_rays),
        cmocka_unit_test(one_wall_is_an_image),
        cmocka_unit_test(one_corner_is_the_uniform_theory),
        cmocka_unit_test(shadow_begins_smoothly),
        cmocka_unit_test(canyon_is_its_image_series),
        cmocka_unit_test(rough_wall_is_the_integral),
        cmocka_unit_test(both_ways_are_alike),
        cmocka_unit_test(maps_agree_with_paths),
        cmocka_unit_test(covered_edges_are_left_out),
        cmocka_unit_test(bad_calls_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
