/* The shadow paper's sums: equation (20) as written, with the terms of streets, roofs and walls on one path, and
 * several paths to one point. */
#include "models/shadow/parameters.h"
#include "prediction.h"
#include "temporary.h"

#include <unistd.h>

#define POINTS 60

static prediction begin_town(rw_backend backend)
{
    rw_city_options city;
    rw_city_options_init(&city);
    city.width_m = city.depth_m = 300;
    city.seed = 2;
    rw_context *context = make_context_of(backend, 0);
    if (!context)
        skip_test("no GPU");
    rw_scene *scene;
    assert_ok(context, rw_generate_city(context, &city, &scene));
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_with(context, scene);
    now.tx[0].x_m = now.tx[0].y_m = 150;
    now.tx[0].height_m = 12;
    now.options.walls = "constant";
    now.options.prior = "none";
    return now;
}

/* Points all over the town; those inside buildings have no path. */
static rw_paths *trace(prediction *now, const char *effects)
{
    rw_point points[POINTS];
    rw_paths *paths;
    for (int i = 0; i < POINTS; i++)
        points[i] = (rw_point){
            .size = sizeof points[i], .x_m = 13.5 + (i * 37) % 270, .y_m = 17.5 + (i * 71) % 260, .height_m = 1.5};
    now->options.effects = effects;
    now->options.transmitters = now->tx;
    assert_ok(now->context, rw_trace(now->scene, &now->options, points, POINTS, &paths));
    return paths;
}

/* The number of the path to a point; SIZE_MAX: there is none. */
static size_t path_to(const rw_paths *paths, size_t point, rw_path *path)
{
    for (size_t i = 0; i < rw_paths_count(paths); i++) {
        *path = (rw_path){.size = sizeof *path};
        assert_int_equal(rw_paths_get(paths, i, path), RW_OK);
        if (path->point == point)
            return i;
    }
    return SIZE_MAX;
}

/* What interactions cost on the path to a point, by a single effect; 0 where that reaches it not at all. */
static double cost_db(const rw_paths *paths, size_t point)
{
    rw_path path;
    double sum_db = 0;
    if (path_to(paths, point, &path) == SIZE_MAX)
        return 0;
    for (size_t i = 0; i < path.vertex_count; i++)
        sum_db += (double)path.vertices[i].loss_db;
    return sum_db;
}

static void check_terms(rw_backend backend)
{
    static const char *const single[] = {"streets_polynomial", "roofs_polynomial", "walls"};
    prediction now = begin_town(backend);
    rw_paths *alone[3], *all;
    size_t compared = 0, of_three = 0;
    for (int i = 0; i < 3; i++)
        alone[i] = trace(&now, single[i]);
    now.options.sum = "terms";
    all = trace(&now, "streets_polynomial,roofs_polynomial,walls");
    for (size_t point = 0; point < POINTS; point++) {
        rw_path path;
        if (path_to(all, point, &path) == SIZE_MAX || path.vertex_count == 2)
            continue;
        double straight_m = hypot(hypot(path.vertices[0].x_m - path.vertices[path.vertex_count - 1].x_m,
                                        path.vertices[0].y_m - path.vertices[path.vertex_count - 1].y_m),
                                  path.vertices[0].z_m - path.vertices[path.vertex_count - 1].z_m);
        double sum_db = 20 * log10(4 * 3.14159265358979323846 * straight_m * 947e6 / 299792458.0);
        int terms = 0;
        for (int i = 0; i < 3; i++) {
            double each_db = cost_db(alone[i], point);
            terms += each_db > 0;
            sum_db += each_db;
        }
        assert_near(path.loss_db, sum_db, 0.02);
        compared++;
        of_three += terms == 3;
        /* and so calibration sees it */
        float values_of[RW_SHADOW_TERMS];
        double defaults[RW_SHADOW_PARAMETERS], derivatives[RW_SHADOW_PARAMETERS];
        assert_ok(now.context, rw_shadow_parameter_defaults(now.context, 947e6, defaults));
        rw_shadow_path_terms(&path, values_of);
        assert_near(rw_shadow_terms_loss_db(values_of, defaults, derivatives), path.loss_db, 0.05);
    }
    printf("%zu paths, %zu with all three terms\n", compared, of_three);
    assert_true(compared > 15 && of_three > 3);
    for (int i = 0; i < 3; i++)
        rw_paths_destroy(alone[i]);
    rw_paths_destroy(all);
    end(&now);
}

static void terms_add_on_one_path(void **state)
{
    (void)state;
    check_terms(RW_BACKEND_CPU);
}

static void terms_add_on_gpu(void **state)
{
    (void)state;
    check_terms(RW_BACKEND_CUDA);
}

/* The best four ways, the strongest first; their power sum is what a map with --best 4 has. */
static void check_best(rw_backend backend)
{
    prediction now = begin_town(backend);
    const char *effects = "streets_polynomial,roofs_polynomial,walls";
    rw_paths *one = trace(&now, effects), *four;
    size_t several = 0;
    now.options.best = 4;
    four = trace(&now, effects);
    now.options.layers = "path_loss";
    now.options.res_m = 1;
    rw_map *map = predict(&now);
    rw_map_layer loss = layer_of(map, "path_loss");
    rw_map_info info = info_of(map);
    for (size_t point = 0; point < POINTS; point++) {
        rw_path best, path;
        size_t first = path_to(four, point, &path);
        if (path_to(one, point, &best) == SIZE_MAX)
            continue;
        assert_true(first != SIZE_MAX);
        assert_near(path.loss_db, best.loss_db, 1e-4);
        double power = 0, before_db = 0;
        size_t count = 0;
        for (size_t i = first; i < rw_paths_count(four); i++) {
            path = (rw_path){.size = sizeof path};
            assert_int_equal(rw_paths_get(four, i, &path), RW_OK);
            if (path.point != point)
                break;
            assert_true(path.loss_db >= before_db);
            before_db = path.loss_db;
            power += pow(10, -0.1 * path.loss_db);
            count++;
        }
        assert_true(count <= 4);
        several += count > 2;
        rw_point at = {.size = sizeof at};
        int indoor;
        assert_int_equal(rw_paths_get_point(four, point, &at, &indoor), RW_OK);
        /* a point in the middle of a cell of a metre */
        if (fabs(at.x_m - floor(at.x_m) - 0.5) > 0.01 || fabs(at.y_m - floor(at.y_m) - 0.5) > 0.01)
            continue;
        size_t cell = (size_t)(at.y_m - info.y0_m) * info.columns + (size_t)(at.x_m - info.x0_m);
        assert_near(loss.values[cell], -10 * log10(power), 0.01);
    }
    printf("%zu points with more than two paths\n", several);
    assert_true(several > 3);
    rw_map_destroy(map);
    rw_paths_destroy(one);
    rw_paths_destroy(four);
    end(&now);
}

static void best_paths_on_cpu(void **state)
{
    (void)state;
    check_best(RW_BACKEND_CPU);
}

static void best_paths_on_gpu(void **state)
{
    (void)state;
    check_best(RW_BACKEND_CUDA);
}

/* The section to a point that the wave reaches over roofs is drawn; to one inside a building there is none. */
static void profile_is_drawn(void **state)
{
    (void)state;
    prediction now = begin_town(RW_BACKEND_CPU);
    rw_paths *paths = trace(&now, "roofs_polynomial");
    rw_path path;
    size_t drawn = 0, refused = 0;
    for (size_t point = 0; point < POINTS; point++) {
        const char *file = temporary_path("profile.png");
        rw_status status = rw_paths_draw_profile(paths, point, now.scene, file);
        if (path_to(paths, point, &path) == SIZE_MAX) {
            assert_int_equal(status, RW_BAD_INPUT);
            refused++;
            continue;
        }
        assert_ok(now.context, status);
        assert_int_equal(unlink(file), 0);
        drawn++;
    }
    assert_true(drawn > 10 && refused > 3);
    assert_int_equal(rw_paths_draw_profile(paths, 0, NULL, "profile.png"), RW_BAD_CALL);
    rw_paths_destroy(paths);
    end(&now);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(terms_add_on_one_path), cmocka_unit_test(terms_add_on_gpu),
                                       cmocka_unit_test(best_paths_on_cpu), cmocka_unit_test(best_paths_on_gpu),
                                       cmocka_unit_test(profile_is_drawn)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
