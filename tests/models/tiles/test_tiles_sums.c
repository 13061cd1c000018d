/* labels: numbers */
/* Sums of paths in the models rt, tiles and images: local means against the mean of coherent fields at many points of
 * the cell, the default, and a map against the prediction at the same points. */
#include "models/engine/calls/calls.h"
#include "prediction.h"

static const char *const models[] = {"rt", "tiles"};

/* One building on open ground, transmitter and receivers beyond it. */
static prediction begin_house(const char *model)
{
    rw_context *context = make_context_of(RW_BACKEND_CPU, 2);
    rw_scene *scene = make_scene(context);
    add_box(context, scene, (const double[]){0, 0, 40, 30}, 20, NULL);
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_with(context, scene);
    now.tx[0].x_m = -30;
    now.tx[0].y_m = -20;
    now.tx[0].height_m = 10;
    rw_predict_options_init_for(&now.options, model);
    now.options.transmitter_count = 1;
    now.options.freq_hz = 2e9;
    now.options.depth = 1;
    now.options.res_m = 5;
    return now;
}

static double loss_at(prediction *now, double x, double y, double z)
{
    rw_point point = {.size = sizeof point, .x_m = x, .y_m = y, .height_m = z};
    float loss_db;
    rw_point_layer layer = {"path_loss", &loss_db};
    now->options.transmitters = now->tx;
    assert_ok(now->context, rw_solve_points(now->scene, &now->options, &point, 1, &layer, 1));
    return (double)loss_db;
}

/* The mean power of 256 coherent fields in a square of 2 m, within what 16 plane waves make of it. */
static void local_is_the_mean_of_coherent(void **state)
{
    (void)state;
    for (int m = 0; m < 2; m++) {
        prediction now = begin_house(models[m]);
        now.options.res_m = 2;
        now.options.diffractions = 0;
        const double at[][2] = {{60, -50}, {20, -40}, {-60, 25}};
        for (int p = 0; p < 3; p++) {
            double mean = 0;
            now.options.sum = "coherent";
            for (int i = 0; i < 256; i++)
                mean += pow(10, -0.1 * loss_at(&now, at[p][0] + 0.125 * (i % 16) - 0.9375,
                                               at[p][1] + 0.125 * (int)(i / 16) - 0.9375, 1.5)) /
                        256;
            now.options.sum = "local";
            double local_db = loss_at(&now, at[p][0], at[p][1], 1.5);
            assert_near(local_db, -10 * log10(mean), 1.5);
            now.options.sum = NULL; /* cells are wider than half a wavelength */
            assert_near(loss_at(&now, at[p][0], at[p][1], 1.5), local_db, 0);
            now.options.res_m = 0.05;
            double small_db = loss_at(&now, at[p][0], at[p][1], 1.5);
            now.options.sum = "coherent";
            assert_near(small_db, loss_at(&now, at[p][0], at[p][1], 1.5), 0);
            now.options.res_m = 2;
        }
        end(&now);
    }
}

/* A map is the prediction at the centres of its cells. */
static void maps_are_points(void **state)
{
    (void)state;
    for (int m = 0; m < 2; m++) {
        prediction now = begin_house(models[m]);
        double anywhere[4];
        memcpy(anywhere, now.options.area_m, sizeof anywhere);
        now.options.res_m = 10;
        now.options.area_m[0] = 35;
        now.options.area_m[1] = -40;
        now.options.area_m[2] = 105;
        now.options.area_m[3] = 20;
        rw_map *map;
        now.options.transmitters = now.tx;
        assert_ok(now.context, rw_predict(now.scene, &now.options, &map));
        rw_map_info info = info_of(map);
        for (size_t i = 0; i < info.columns * info.rows; i += 5) {
            double x = info.x0_m + ((double)(i % info.columns) + 0.5) * info.res_m;
            double y = info.y0_m + ((double)(i / info.columns) + 0.5) * info.res_m;
            prediction at = now;
            memcpy(at.options.area_m, anywhere, sizeof anywhere);
            at.options.roofs = m ? "vogler" : NULL;
            double of_map = (double)layer_of(map, "path_loss").values[i];
            if (isfinite(of_map))
                assert_near(loss_at(&at, x, y, now.options.rx_height_m), of_map, 0.01);
        }
        rw_map_destroy(map);
        end(&now);
    }
}

/* The ground goes on beyond the buildings, to transmitters and receivers: tiles have the paths of rt. */
static void ground_reaches_receivers(void **state)
{
    (void)state;
    const double at[][2] = {{60, -50}, {160, 120}, {-130, -60}};
    for (int p = 0; p < 3; p++) {
        size_t counts[2] = {0, 0};
        double losses_db[2] = {0, 0};
        for (int m = 0; m < 2; m++) {
            prediction now = begin_house(models[m]);
            rw_point point = {.size = sizeof point, .x_m = at[p][0], .y_m = at[p][1], .height_m = 1.5};
            rw_paths *paths;
            now.options.transmitters = now.tx;
            now.options.diffractions = 0;
            now.options.loss_max_db = 150;
            now.options.roofs = "none"; /* rays alone */
            assert_ok(now.context, rw_trace(now.scene, &now.options, &point, 1, &paths));
            counts[m] = rw_paths_count(paths);
            for (size_t i = 0; i < counts[m]; i++) {
                rw_path path = {.size = sizeof path};
                rw_paths_get(paths, i, &path);
                losses_db[m] += path.loss_db;
            }
            rw_paths_destroy(paths);
            end(&now);
        }
        assert_true(counts[0] >= (p == 1 ? 0 : 2));
        assert_int_equal(counts[0], counts[1]);
        assert_near(losses_db[0], losses_db[1], 1e-3);
    }
}

/* On hills no path is listed twice. */
static void paths_are_unique(void **state)
{
    (void)state;
    rw_city_options city;
    rw_city_options_init(&city);
    city.width_m = city.depth_m = 316;
    city.hills = 1;
    rw_context *context = make_context_of(RW_BACKEND_CPU, 2);
    rw_scene *scene;
    assert_ok(context, rw_generate_city(context, &city, &scene));
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_with(context, scene);
    now.tx[0].x_m = now.tx[0].y_m = 158;
    now.tx[0].height_m = 25;
    rw_predict_options_init_for(&now.options, "tiles");
    now.options.transmitters = now.tx;
    now.options.transmitter_count = 1;
    now.options.freq_hz = 850e6;
    now.options.depth = 2;
    rw_point points[64];
    for (int i = 0; i < 64; i++)
        points[i] = (rw_point){
            .size = sizeof *points, .x_m = 70 + 25.3 * (i % 8), .y_m = 65 + 26.1 * (int)(i / 8), .height_m = 1.5};
    points[0].x_m = 173.34;
    points[0].y_m = 94.92;
    rw_paths *paths;
    assert_ok(context, rw_trace(scene, &now.options, points, 64, &paths));
    size_t count = rw_paths_count(paths), twice = 0;
    assert_true(count > 100);
    for (size_t i = 1; i < count; i++) {
        rw_path a = {.size = sizeof a}, b = {.size = sizeof b};
        rw_paths_get(paths, i, &a);
        for (size_t j = i; j-- > 0;) {
            double apart = 0;
            rw_paths_get(paths, j, &b);
            if (b.point != a.point)
                break;
            if (b.vertex_count != a.vertex_count)
                continue;
            for (size_t v = 0; v < a.vertex_count; v++)
                apart = fmax(apart,
                             hypot(hypot(a.vertices[v].x_m - b.vertices[v].x_m, a.vertices[v].y_m - b.vertices[v].y_m),
                                   a.vertices[v].z_m - b.vertices[v].z_m));
            twice += apart < 1e-3;
        }
    }
    printf("%zu paths, %zu of them twice\n", count, twice);
    assert_int_equal(twice, 0);
    rw_paths_destroy(paths);
    end(&now);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(local_is_the_mean_of_coherent),
                                       cmocka_unit_test(maps_are_points), cmocka_unit_test(ground_reaches_receivers),
                                       cmocka_unit_test(paths_are_unique)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
