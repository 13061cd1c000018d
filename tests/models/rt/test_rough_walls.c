/* Diffuse scattering in the models that have it, rt and tiles: roughness and lobes as options, interactions before and
 * behind it. */
#include "base/maths/elementary.h"
#include "field/surfaces/surfaces.h"
#include "ray_cases.h"
#include "tile_city.h"

/* The losses of one layer, of a model on a small city whose walls are rough by their material or by the option. */
static float *rough_losses(const char *model, double of_material, double by_option, int scatterings, size_t *count)
{
    prediction now = begin_city(RW_BACKEND_CPU, 2, 120, of_material);
    now.options.model = model;
    now.options.roofs = strcmp(model, "rt") == 0 ? NULL : "none";
    now.options.roughness = by_option;
    now.options.depth = 1;
    now.options.diffractions = 0;
    now.options.res_m = 15;
    if (scatterings != RW_UNSET)
        now.options.scatterings = scatterings;
    now.options.layers = "path_loss";
    rw_map *map = map_of(&now);
    rw_map_info info = info_of(map);
    *count = info.columns * info.rows;
    float *losses = malloc(*count * sizeof *losses);
    memcpy(losses, layer_of(map, "path_loss").values, *count * sizeof *losses);
    rw_map_destroy(map);
    end_city(&now);
    return losses;
}

static size_t count_different(const float *one, const float *other, size_t count)
{
    size_t different = 0;
    for (size_t i = 0; i < count; i++)
        different += !(one[i] == other[i] || (isnan(one[i]) && isnan(other[i])) || fabsf(one[i] - other[i]) < 1e-4f);
    return different;
}

/* The option is the roughness of walls without one of their own: as if the material had it, in both models. Where
 * scattering is asked for on a scene that says nothing of roughness, it is 0.4. */
static void roughness_is_an_option(void **state)
{
    (void)state;
    static const char *const models[] = {"tiles", "rt"};
    for (size_t i = 0; i < 2; i++) {
        size_t count;
        float *material = rough_losses(models[i], 0.4, NAN, RW_UNSET, &count);
        float *option = rough_losses(models[i], 0, 0.4, 1, &count);
        float *own = rough_losses(models[i], 0.4, 0.9, 1, &count);
        float *usual = rough_losses(models[i], 0, NAN, 1, &count);
        float *none = rough_losses(models[i], 0, NAN, RW_UNSET, &count);
        float *specular = rough_losses(models[i], 0, NAN, 0, &count);
        assert_int_equal(count_different(material, option, count), 0);
        assert_int_equal(count_different(material, own, count), 0);
        assert_int_equal(count_different(none, specular, count), 0);
        assert_int_equal(count_different(usual, option, count), 0);
        assert_true(count_different(option, none, count) > count / 10);
        free(material);
        free(option);
        free(own);
        free(usual);
        free(none);
        free(specular);
    }
}

/* One wall that scatters, and a receiver each in the specular direction and back where the transmitter is. */
static void lobe_losses(const char *model, const char *lobe, double loss_db[2])
{
    rw_context *context = make_context();
    rw_scene *scene = make_scene(context);
    rw_panel wall = {.size = sizeof wall, .x0_m = 95, .y0_m = 100, .x1_m = 105, .y1_m = 100, .top_m = 10};
    rw_panel far = {.size = sizeof far, .x0_m = 0, .y0_m = 0, .x1_m = 200, .y1_m = 0, .top_m = 0.6};
    assert_ok(context, rw_scene_add_panel(scene, &wall));
    assert_ok(context, rw_scene_add_panel(scene, &far)); /* for the extent; too low to matter */
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_with(context, scene);
    now.tx[0].x_m = 40;
    now.tx[0].y_m = 40;
    now.tx[0].height_m = 5;
    now.options.model = model;
    now.options.freq_hz = 2e9;
    now.options.depth = 1;
    now.options.reflections = now.options.diffractions = 0;
    now.options.scatterings = 1;
    now.options.roughness = 0.6;
    now.options.lobe = lobe;
    now.options.loss_max_db = 200;
    now.options.res_m = now.options.rx_height_m = NAN;
    if (strcmp(model, "tiles") == 0)
        now.options.roofs = "none";
    now.options.transmitters = now.tx;
    rw_point points[] = {{.size = sizeof(rw_point), .x_m = 160, .y_m = 40, .height_m = 5},
                         {.size = sizeof(rw_point), .x_m = 41, .y_m = 40, .height_m = 5}};
    for (int i = 0; i < 2; i++) {
        rw_paths *paths;
        double power = 0;
        assert_ok(context, rw_trace(scene, &now.options, &points[i], 1, &paths));
        for (size_t k = 0; k < rw_paths_count(paths); k++) {
            rw_path path = {.size = sizeof path};
            rw_paths_get(paths, k, &path);
            if (path.vertex_count == 3 && fabs(path.vertices[1].y_m - 100) < 0.1)
                power += pow(10, -0.1 * path.loss_db);
        }
        assert_true(power > 0);
        loss_db[i] = -10 * log10(power);
        rw_paths_destroy(paths);
    }
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

/* A directive lobe is stronger where a mirror would send, one with backscattering also where the wave comes from; both
 * by the ratio of the balanced lobes. */
static void lobes_are_an_option(void **state)
{
    (void)state;
    static const char *const models[] = {"tiles", "rt"};
    static const char *const names[] = {"lambertian", "directive", "backscattering"};
    double loss_db[2][3][2];
    for (int m = 0; m < 2; m++)
        for (int k = 0; k < 3; k++)
            lobe_losses(models[m], names[k], loss_db[m][k]);
    for (int k = 1; k < 3; k++) {
        rw_scatter_lobe lobe;
        rw_scatter_lobe_init(names[k], &lobe);
        double cosine = sqrt(0.5);
        for (int back = 0; back < 2; back++) {
            double pattern = rw_scatter_balanced_pattern(&lobe.model, &lobe.balance, cosine, cosine, back ? -1 : 1);
            double gain_db = 10 * log10(pattern * RW_PI / cosine);
            for (int m = 0; m < 2; m++)
                assert_near(loss_db[m][0][back] - loss_db[m][k][back], gain_db, 0.3);
            assert_true(back && k == 1 ? gain_db < -3 : gain_db > -3);
        }
    }
}

/* A rough wall that faces a smooth one across a street of metal; nothing else but the ground. */
#define ROUGHNESS 0.5

static rw_scene *make_street(rw_context *context)
{
    rw_material rough = {.size = sizeof rough,
                         .name = "rough",
                         .a = 1,
                         .freq_max_hz = 1e12,
                         .perfect_conductor = 1,
                         .scattering = ROUGHNESS};
    rw_scene *scene = make_scene(context);
    assert_ok(context, rw_scene_add_material(scene, &rough));
    add_metal(context, scene, 0);
    rw_panel wall = {
        .size = sizeof wall, .x0_m = 0, .y0_m = 80, .x1_m = 0, .y1_m = 120, .top_m = 40, .surface = "rough"};
    rw_panel smooth = {.size = sizeof smooth, .x0_m = 60, .y0_m = 70, .x1_m = 60, .y1_m = 130, .top_m = 45};
    smooth.surface = "metal";
    assert_ok(context, rw_scene_add_panel(scene, &wall));
    assert_ok(context, rw_scene_add_panel(scene, &smooth));
    assert_ok(context, rw_scene_commit(scene));
    return scene;
}

/* What the rough wall scatters between two places, integrated from the formula; either may be an image behind the
 * smooth wall. */
static double integral(const double from[3], const double to[3])
{
    const double step_m = 0.25;
    double sum = 0, factor = WAVELENGTH_M / (4 * RW_PI);
    for (double y = 80 + 0.5 * step_m; y < 120; y += step_m)
        for (double z = 0.5 * step_m; z < 40; z += step_m) {
            double in2 = from[0] * from[0] + (y - from[1]) * (y - from[1]) + (z - from[2]) * (z - from[2]);
            double out2 = to[0] * to[0] + (y - to[1]) * (y - to[1]) + (z - to[2]) * (z - to[2]);
            sum += ROUGHNESS * ROUGHNESS * from[0] * to[0] / sqrt(in2 * out2) / RW_PI / (in2 * out2) * step_m * step_m;
        }
    return sum * factor * factor;
}

typedef struct street_limits {
    int depth, reflections;
} street_limits;

/* Power that the rough wall scatters, by walls alone: directly, and by way of the smooth wall behind it. */
static void street_power(const char *model, street_limits limits, const double from[3], const double to[3],
                         double power[2])
{
    rw_context *context = make_context();
    prediction now = begin_rt(make_street(context), context, from[0], from[1], from[2]);
    now.options.model = model;
    now.options.depth = limits.depth;
    now.options.reflections = limits.reflections;
    now.options.diffractions = 0;
    now.options.loss_max_db = 300;
    if (strcmp(model, "tiles") == 0) {
        now.options.roofs = "none";
        now.options.tile_area_m2 = 4;
    }
    rw_paths *paths = trace_to(&now, to[0], to[1], to[2]);
    power[0] = power[1] = 0;
    for (size_t i = 0; i < rw_paths_count(paths); i++) {
        rw_path path = {.size = sizeof path};
        rw_paths_get(paths, i, &path);
        if (path.vertices[1].interaction != RW_INTERACTION_SCATTERING)
            continue;
        if (path.vertex_count == 3)
            power[0] += gain_of(&path) * gain_of(&path);
        if (path.vertex_count == 4 && fabs(path.vertices[2].x_m - 60) < 1e-6)
            power[1] += gain_of(&path) * gain_of(&path);
    }
    rw_paths_destroy(paths);
    end_rt(&now);
}

/* Scattered and then reflected by a plane mirror is scattered to the image of the receiver, reflected and then
 * scattered from that of the transmitter; limits count both sides of the scattering. */
static void mirrors_before_and_behind(void **state)
{
    (void)state;
    static const char *const models[] = {"rt", "tiles"};
    const double from[3] = {30, 90, 15}, to[3] = {20, 118, 9};
    const double from_image[3] = {90, 90, 15}, to_image[3] = {100, 118, 9};
    double direct = integral(from, to), before = integral(from_image, to), behind = integral(from, to_image);
    double both = integral(from_image, to_image);
    assert_true(before > 0.02 * direct && behind > 0.02 * direct); /* otherwise nothing is tested */
    double power[2];
    for (int m = 0; m < 2; m++) {
        street_power(models[m], (street_limits){2, 1}, from, to, power);
        assert_near(power[1] / behind, 1, 0.02);
        double grounded = power[0] - direct - before; /* what comes by way of the ground is the rest */
        assert_true(grounded > 0 && grounded < direct);
    }
    for (int depth = 1; depth <= 2; depth++) {
        street_power("rt", (street_limits){depth, depth == 1}, from, to, power);
        assert_near(power[0] / direct, 1, 0.02);
        assert_true(power[1] == 0);
    }
    street_power("rt", (street_limits){3, 1}, from, to, power); /* one mirror in all: not before and behind */
    assert_near(power[1] / behind, 1, 0.02);
    street_power("rt", (street_limits){3, 2}, from, to, power);
    assert_true(power[1] > behind + 0.98 * both);
}

/* Sum of the powers of scattered paths. */
static double scattered_power(prediction *now, const double from[3], const double to[3])
{
    double power = 0;
    now->tx[0].x_m = from[0];
    now->tx[0].y_m = from[1];
    now->tx[0].height_m = from[2];
    rw_paths *paths = trace_to(now, to[0], to[1], to[2]);
    for (size_t i = 0; i < rw_paths_count(paths); i++) {
        rw_path path = {.size = sizeof path};
        rw_paths_get(paths, i, &path);
        if (path.vertices[1].interaction == RW_INTERACTION_SCATTERING)
            power += gain_of(&path) * gain_of(&path);
    }
    rw_paths_destroy(paths);
    return power;
}

/* Diffraction before a scattering is one behind it from the other end: with both, the two ends may be exchanged. */
static void both_ways_are_alike(void **state)
{
    (void)state;
    const double ends[2][3] = {{40, 20, 6}, {75, 62, 2}};
    rw_context *context = make_context();
    rw_scene *scene = make_scene(context);
    add_block(context, scene, (double[]){0, 0, 25, 60}, 14, NULL);
    add_block(context, scene, (double[]){55, 5, 70, 50}, 11, NULL);
    commit_between(context, scene, -10, 100);
    prediction now = begin_rt(scene, context, 0, 0, 0);
    now.options.roughness = 0.4;
    now.options.scatterings = 1;
    now.options.loss_max_db = 300;
    double power[3];
    for (int depth = 1; depth <= 3; depth++) {
        now.options.depth = depth;
        power[depth - 1] = scattered_power(&now, ends[0], ends[1]);
        assert_near(scattered_power(&now, ends[1], ends[0]) / power[depth - 1], 1, 1e-6);
    }
    assert_true(power[1] > 1.05 * power[0] && power[2] > 1.01 * power[1]);
    end_rt(&now);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(roughness_is_an_option),
        cmocka_unit_test(lobes_are_an_option),
        cmocka_unit_test(mirrors_before_and_behind),
        cmocka_unit_test(both_ways_are_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
