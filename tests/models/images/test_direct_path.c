/* labels: numbers */
/* The direct path through many walls in the models images and sbr: against the slab's formula written out, against the
 * search where it reaches as deep, and what the layer mechanism says. */
#include "prediction.h"
#include "rooms.h"

#include <complex.h>

#define WALLS 40
#define FREQ_HZ 2.4e9
#define THICK_M 0.1

/* Walls across x at 0, 1, 2 and so on, wide and high. */
static rw_scene *row_of_walls(rw_context *context, int count)
{
    rw_scene *scene;
    rw_material material = {.size = sizeof material, .name = "board", .a = 2.7, .c = 0.12, .freq_max_hz = INFINITY};
    assert_ok(context, rw_scene_create(context, &scene));
    assert_ok(context, rw_scene_add_material(scene, &material));
    add_slab_of(context, scene, "wall", "board", THICK_M);
    for (int i = 0; i <= count; i++) /* that at 0 is behind the transmitter */
        add_panel_of(context, scene, i, -60, i, 60, 0, 30, "wall");
    assert_ok(context, rw_scene_commit(scene));
    return scene;
}

static prediction begin_row(int walls, const char *model, int depth)
{
    rw_context *context = make_context_of(RW_BACKEND_CPU, 2);
    prediction now = begin_with(context, row_of_walls(context, walls));
    now.tx[0].x_m = 0.4;
    now.tx[0].y_m = 0.3;
    now.tx[0].height_m = 15;
    rw_predict_options_init_for(&now.options, model);
    now.options.transmitter_count = 1;
    now.options.freq_hz = FREQ_HZ;
    now.options.depth = depth;
    return now;
}

/* |T| in dB of one slab for a field along the wall (TE), by the sum of all its inner reflections. */
static double slab_loss_db(double cosine)
{
    double complex permittivity = 2.7 - I * 0.12 / (2 * M_PI * FREQ_HZ * 8.8541878128e-12);
    double complex inside = csqrt(permittivity - (1 - cosine * cosine));
    double complex r = (cosine - inside) / (cosine + inside);
    double complex turn = cexp(-I * 2 * M_PI * THICK_M * FREQ_HZ / 299792458.0 * inside);
    return -20 * log10(cabs((1 - r * r) * turn / (1 - r * r * turn * turn)));
}

/* Level lines at several angles: TE at every wall, forty equal slabs. Refraction moves the ray by less than 0.1 m a
 * wall towards the normal, so the angle lies between those of the line and of a line 4 m shorter; the loss is compared
 * at the angle that Snell's law gives. */
static double angle_cosine(double along_m, double aside_m)
{
    double low = 0, high = M_PI / 2; /* aside = (along - walls d) tan t + walls d tan t', by bisection */
    for (int i = 0; i < 200; i++) {
        double t = 0.5 * (low + high), index = creal(csqrt(2.7 - I * 0.12 / (2 * M_PI * FREQ_HZ * 8.8541878128e-12)));
        double inner = asin(sin(t) / index);
        double reached = (along_m - WALLS * THICK_M) * tan(t) + WALLS * THICK_M * tan(inner);
        if (reached < aside_m)
            low = t;
        else
            high = t;
    }
    return cos(low);
}

static void forty_walls_by_hand(void **state)
{
    (void)state;
    prediction now = begin_row(WALLS, "images", 1);
    now.options.transmitters = now.tx;
    for (int i = 0; i < 4; i++) {
        rw_point point = {.size = sizeof point, .x_m = 41, .y_m = 0.3 + 12 * i, .height_m = 15};
        rw_paths *paths;
        rw_path path = {.size = sizeof path};
        assert_ok(now.context, rw_trace(now.scene, &now.options, &point, 1, &paths));
        assert_true(rw_paths_count(paths) >= 1);
        assert_int_equal(rw_paths_get(paths, 0, &path), RW_OK);
        assert_int_equal(path.vertex_count, WALLS + 2);
        double along_m = 40.6, aside_m = 12.0 * i, cosine = angle_cosine(along_m, aside_m);
        double free_db = 20 * log10(4 * M_PI * hypot(along_m, aside_m) * FREQ_HZ / 299792458.0);
        assert_near(path.loss_db, free_db + WALLS * slab_loss_db(cosine), 0.5); /* spreading of the image: 10 % */
        double walls_db = 0;
        for (size_t k = 0; k < path.vertex_count; k++)
            walls_db += (double)path.vertices[k].loss_db;
        assert_near(walls_db, WALLS * slab_loss_db(cosine), 1e-3);
        rw_paths_destroy(paths);
    }
    end(&now);
}

/* The search with enough depth finds the same path: place, length, loss, walls. */
static void equals_the_search(void **state)
{
    (void)state;
    prediction deep = begin_row(5, "images", 6), shallow = begin_row(5, "images", 1);
    deep.options.transmitters = deep.tx;
    shallow.options.transmitters = shallow.tx;
    shallow.options.transmissions = 1;
    deep.options.reflections = shallow.options.reflections = 0;
    deep.options.direct = "limited";
    for (int i = 0; i < 5; i++) {
        rw_point point = {.size = sizeof point, .x_m = 5.7, .y_m = 0.1 + 3 * i, .height_m = 15 - 1.3 * i};
        rw_paths *first, *second;
        rw_path a = {.size = sizeof a}, b = {.size = sizeof b};
        assert_ok(deep.context, rw_trace(deep.scene, &deep.options, &point, 1, &first));
        assert_ok(shallow.context, rw_trace(shallow.scene, &shallow.options, &point, 1, &second));
        assert_int_equal(rw_paths_count(first), 1);
        assert_int_equal(rw_paths_count(second), 1);
        rw_paths_get(first, 0, &a);
        rw_paths_get(second, 0, &b);
        assert_int_equal(a.vertex_count, b.vertex_count);
        assert_near(a.loss_db, b.loss_db, 1e-6);
        assert_near(a.delay_s * 1e9, b.delay_s * 1e9, 1e-6);
        for (size_t k = 0; k < a.vertex_count; k++) {
            assert_near(a.vertices[k].x_m, b.vertices[k].x_m, 1e-6);
            assert_near(a.vertices[k].y_m, b.vertices[k].y_m, 1e-6);
            assert_near(a.vertices[k].loss_db, b.vertices[k].loss_db, 1e-4);
        }
        rw_paths_destroy(first);
        rw_paths_destroy(second);
    }
    end(&deep);
    end(&shallow);
}

/* Every cell of both models has a value, however the paths add, and mechanism says which are reached through walls
 * alone; with the limits, cells behind two walls have none. */
static void maps_are_full(void **state)
{
    (void)state;
    static const char *const models[] = {"images", "sbr"};
    static const char *const sums[] = {"coherent", "power", "local"};
    for (int run = 0; run < 8; run++) {
        prediction now = begin_row(WALLS, models[run % 2], 1);
        int limited = run >= 6;
        now.options.transmitters = now.tx;
        now.options.direct = limited ? "limited" : NULL;
        now.options.sum = sums[limited ? 0 : run / 2];
        now.options.layers = "path_loss,mechanism,paths";
        now.options.res_m = 1;
        now.options.rx_height_m = 14.3;
        now.options.area_m[0] = 0;
        now.options.area_m[1] = -2;
        now.options.area_m[2] = 45;
        now.options.area_m[3] = 2;
        rw_map *map;
        assert_ok(now.context, rw_predict(now.scene, &now.options, &map));
        for (size_t i = 0; i < 45 * 4; i++) {
            float loss_db = layer_of(map, "path_loss").values[i], met = layer_of(map, "mechanism").values[i];
            size_t column = i % 45; /* centre at column + 0.5, behind as many walls */
            int reached = !limited || column <= 1;
            assert_true(reached ? isfinite(loss_db) : isinf(loss_db));
            if (column == 0)
                assert_near(met, 0, 0);
            else if (reached)
                assert_near(met, 3, 0);
        }
        if (!limited)
            assert_true(layer_of(map, "path_loss").max > 200); /* beyond the last digit of sums of powers */
        rw_map_destroy(map);
        end(&now);
    }
}

/* One limit alone does not cut paths of the other kind. */
static void limits_are_separate(void **state)
{
    (void)state;
    prediction now = begin_row(6, "images", RW_UNSET);
    rw_point point = {.size = sizeof point, .x_m = 6.7, .y_m = 0.8, .height_m = 14};
    rw_paths *paths;
    now.options.transmitters = now.tx;
    now.options.direct = "limited";
    assert_ok(now.context, rw_trace(now.scene, &now.options, &point, 1, &paths));
    assert_int_equal(rw_paths_count(paths), 0); /* six walls, and four interactions together */
    rw_paths_destroy(paths);
    now.options.transmissions = 8;
    now.options.reflections = 2;
    assert_ok(now.context, rw_trace(now.scene, &now.options, &point, 1, &paths));
    size_t reflected = 0;
    for (size_t i = 0; i < rw_paths_count(paths); i++) {
        rw_path path = {.size = sizeof path};
        rw_paths_get(paths, i, &path);
        reflected += path.vertex_count == 2 + 8; /* there and back between two walls: 6 through, 2 reflections */
    }
    assert_true(reflected > 0);
    rw_paths_destroy(paths);
    end(&now);
}

/* Nothing comes through what is opaque: no path, and no value. */
static void opaque_walls_end_it(void **state)
{
    (void)state;
    rw_context *context = make_context_of(RW_BACKEND_CPU, 1);
    rw_scene *scene;
    assert_ok(context, rw_scene_create(context, &scene));

    add_panel_of(context, scene, -3, -60, -3, 60, 0, 30, "itu_metal");
    add_panel_of(context, scene, 2, -60, 2, 60, 0, 30, "itu_metal");
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_with(context, scene);
    now.tx[0].height_m = 15;
    rw_predict_options_init_for(&now.options, "images");
    now.options.transmitters = now.tx;
    now.options.transmitter_count = 1;
    now.options.freq_hz = FREQ_HZ;
    rw_point point = {.size = sizeof point, .x_m = 3, .y_m = 0, .height_m = 15};
    rw_paths *paths;
    assert_ok(context, rw_trace(scene, &now.options, &point, 1, &paths));
    assert_int_equal(rw_paths_count(paths), 0);
    rw_paths_destroy(paths);
    end(&now);
}

/* Both models add the same rays over the edges of a door and a window, whatever else they find. */
static void both_models_have_edges(void **state)
{
    (void)state;
    static const char *const models[] = {"images", "sbr"};
    size_t bent[2] = {0, 0};
    float added[2][2000];
    for (int m = 0; m < 2; m++) {
        rw_context *context = make_context_of(RW_BACKEND_CPU, 2);
        prediction now = begin_with(context, two_rooms(context));
        rw_map *maps[2];
        size_t cells = 0;
        rw_predict_options_init_for(&now.options, models[m]);
        now.tx[0].x_m = 1.17;
        now.tx[0].y_m = 2.71;
        now.tx[0].height_m = 2.21;
        now.options.transmitters = now.tx;
        now.options.transmitter_count = 1;
        now.options.freq_hz = FREQ_HZ;
        now.options.layers = "paths";
        now.options.res_m = 1.0 / 3;
        now.options.depth = 1;
        for (int edges = 0; edges < 2; edges++) {
            now.options.diffractions = edges;
            assert_ok(context, rw_predict(now.scene, &now.options, &maps[edges]));
            cells = info_of(maps[edges]).columns * info_of(maps[edges]).rows;
        }
        assert_true(cells < 2000);
        for (size_t i = 0; i < cells; i++) {
            added[m][i] = layer_of(maps[1], "paths").values[i] - layer_of(maps[0], "paths").values[i];
            bent[m] += added[m][i] > 0;
            assert_true(m == 0 || added[0][i] == added[1][i] || (isnan(added[0][i]) && isnan(added[1][i])));
        }
        rw_map_destroy(maps[0]);
        rw_map_destroy(maps[1]);
        end(&now);
    }
    assert_true(bent[0] > 100 && bent[0] == bent[1]);
}

static void refusals(void **state)
{
    (void)state;
    prediction now = begin_row(1, "images", 1);
    rw_map *map;
    now.options.transmitters = now.tx;
    now.options.direct = "never";
    assert_int_equal(rw_predict(now.scene, &now.options, &map), RW_BAD_CALL);
    assert_non_null(strstr(rw_last_error(now.context), "always"));
    end(&now);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(forty_walls_by_hand),
                                       cmocka_unit_test(equals_the_search),
                                       cmocka_unit_test(maps_are_full),
                                       cmocka_unit_test(limits_are_separate),
                                       cmocka_unit_test(opaque_walls_end_it),
                                       cmocka_unit_test(both_models_have_edges),
                                       cmocka_unit_test(refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
