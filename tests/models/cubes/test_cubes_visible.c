/* Visibility of cubes through the public header: the methods of the cubes model, its layers of cubes, and the call for
 * a grid of one's own. */
#include "output/maps/map.h"
#include "prediction.h"
#include "temporary.h"

static prediction city(rw_backend backend)
{
    rw_city_options options;
    rw_city_options_init(&options);
    options.width_m = options.depth_m = 250;
    rw_context *context = make_context_of(backend, 2);
    if (!context)
        return (prediction){0};
    rw_scene *scene;
    assert_ok(context, rw_generate_city(context, &options, &scene));
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_with(context, scene);
    now.options.model = "cubes";
    now.options.roofs = now.options.prior = "none";
    now.options.reflections = now.options.horizontal_diffractions = 0;
    now.options.vertical_diffractions = 1;
    now.options.layers = "path_loss,los,visible,filled,sources,supercubes";
    now.tx[0].x_m = 127;
    now.tx[0].y_m = 122;
    now.tx[0].height_m = 25;
    return now;
}

static rw_map *map_by(prediction *now, const char *method, int block)
{
    now->options.method = method;
    now->options.block = block;
    return predict(now);
}

static size_t count_of(const rw_map *map, const char *name)
{
    rw_map_info info = info_of(map);
    return info.columns * info.rows * layer_of(map, name).bands;
}

/* How many values of a layer differ; no value equals none. */
static size_t differences(const rw_map *a, const rw_map *b, const char *name)
{
    const float *first = layer_of(a, name).values, *second = layer_of(b, name).values;
    size_t different = 0, count = count_of(a, name);
    for (size_t i = 0; i < count; i++)
        different += !(first[i] == second[i] || (isnan(first[i]) && isnan(second[i])));
    return different;
}

static double mean(const rw_map *map, const char *name)
{
    const float *values = layer_of(map, name).values;
    size_t count = count_of(map, name);
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += (double)values[i];
    return sum / (double)count;
}

/* A block as large as the grid is a line from the source; smaller ones change little, and the passes are theirs. */
static void compare_methods(rw_backend backend)
{
    prediction now = city(backend);
    if (!now.context)
        skip_test("no GPU");
    rw_map *lines = map_by(&now, "cubes", RW_UNSET);
    const char *methods[] = {"supercubes", "rings"};
    for (int i = 0; i < 2; i++) {
        rw_map *whole = map_by(&now, methods[i], 1000), *blocks = map_by(&now, methods[i], 8);
        const char *layers[] = {"path_loss", "los", "visible", "filled", "sources", "supercubes"};
        for (int layer = 0; layer < 6; layer++)
            assert_int_equal(differences(lines, whole, layers[layer]), 0);
        double share = (double)differences(lines, blocks, "visible") / (double)count_of(lines, "visible");
        printf("%s of 8: %.2f %% of the cubes differ\n", methods[i], 100 * share);
        assert_true(share > 0 && share < 0.03);
        assert_near(mean(whole, "supercubes"), 0, 0);
        assert_true(mean(blocks, "supercubes") > 1);
        rw_map_destroy(whole);
        rw_map_destroy(blocks);
    }
    rw_map_destroy(lines);
    end(&now);
}

static void methods_on_cpu(void **state)
{
    (void)state;
    compare_methods(RW_BACKEND_CPU);
}

static void methods_on_gpu(void **state)
{
    (void)state;
    compare_methods(RW_BACKEND_CUDA);
}

/* The layer of a map is what the public call says of the layer of filled cubes. */
static void layer_is_the_calls(void **state)
{
    (void)state;
    prediction now = city(RW_BACKEND_CPU);
    const char *methods[] = {"cubes", "supercubes", "rings"};
    for (int method = 0; method < 3; method++) {
        rw_map *map = map_by(&now, methods[method], 8);
        rw_map_info info = info_of(map);
        size_t count = count_of(map, "filled");
        unsigned char *filled = malloc(count), *visible = malloc(count);
        const float *in_map = layer_of(map, "filled").values, *seen_in_map = layer_of(map, "visible").values;
        for (size_t i = 0; i < count; i++)
            filled[i] = in_map[i] != 0;
        rw_visible_cubes_options options;
        rw_visible_cubes_options_init(&options);
        options.columns = info.columns;
        options.rows = info.rows;
        options.layers = layer_of(map, "filled").bands;
        options.filled = filled;
        options.source[0] = (size_t)((now.tx[0].x_m - info.x0_m) / info.res_m);
        options.source[1] = (size_t)((now.tx[0].y_m - info.y0_m) / info.res_m);
        options.source[2] = (size_t)((now.tx[0].height_m - info.rx_height_m) / info.res_m + 0.5);
        options.method = methods[method];
        options.block = 8;
        assert_ok(now.context, rw_visible_cubes(now.context, &options, visible));
        size_t seen = 0;
        for (size_t i = 0; i < count; i++) {
            assert_true(seen_in_map[i] == (float)visible[i]);
            seen += visible[i];
        }
        assert_true(seen > count / 10 && seen < count);
        free(filled);
        free(visible);
        rw_map_destroy(map);
    }
    end(&now);
}

/* In sight of the exact method a cube has free space; most cubes have the same answer by lines of cubes. Sources are
 * beside what is filled, or in it. */
static void exact_beside_cubes(void **state)
{
    (void)state;
    prediction now = city(RW_BACKEND_CPU);
    rw_map *exact = map_by(&now, "exact", RW_UNSET), *lines = map_by(&now, "cubes", RW_UNSET);
    const float *visible = layer_of(exact, "visible").values, *los = layer_of(exact, "los").values;
    const float *filled = layer_of(exact, "filled").values, *by_lines = layer_of(lines, "visible").values;
    const float *sources = layer_of(exact, "sources").values;
    rw_map_info info = info_of(exact);
    size_t cells = info.columns * info.rows, count = count_of(exact, "visible"), different = 0, air = 0, kinds[8] = {0};
    for (size_t i = 0; i < cells; i++)
        assert_true(isnan(los[i]) || los[i] == visible[i]);
    for (size_t i = 0; i < count; i++) {
        different += filled[i] == 0 && visible[i] != by_lines[i];
        air += filled[i] == 0;
        assert_true(sources[i] >= 0 && sources[i] < 8);
        kinds[(int)sources[i]]++;
    }
    printf("%.2f %% of the free cubes differ between exact and cubes\n", 100.0 * (double)different / (double)air);
    assert_true(different > 0 && (double)different < 0.08 * (double)air);
    assert_true(kinds[0] > count / 4 && kinds[1] > 0 && kinds[3] > 0 && kinds[5] > 0);
    rw_map_destroy(exact);
    rw_map_destroy(lines);
    end(&now);
}

/* At how many points paths with cubes of 4 and 10 m differ by over 0.1 dB. */
static int count_different(prediction *now, const rw_point *points, size_t count)
{
    double losses[2][64] = {{0}};
    int different = 0;
    now->options.transmitters = now->tx;
    for (int i = 0; i < 2; i++) {
        rw_paths *paths;
        assert_ok(now->context, rw_predict_options_set(now->context, &now->options, "res", i ? "10m" : "4m"));
        assert_ok(now->context, rw_trace(now->scene, &now->options, points, count, &paths));
        for (size_t n = 0; n < rw_paths_count(paths); n++) {
            rw_path path = {.size = sizeof path};
            assert_ok(now->context, rw_paths_get(paths, n, &path));
            losses[i][path.point] = path.loss_db;
        }
        rw_paths_destroy(paths);
    }
    for (size_t i = 0; i < count; i++)
        different += fabs(losses[0][i] - losses[1][i]) > 0.1;
    return different;
}

/* The side of a cube decides on paths by lines of cubes; by exact geometry it hardly matters. */
static void paths_take_a_resolution(void **state)
{
    (void)state;
    enum { POINTS = 49 };
    prediction now = city(RW_BACKEND_CPU);
    rw_point points[POINTS];
    for (int i = 0; i < POINTS; i++)
        points[i] = (rw_point){.size = sizeof *points, .x_m = 41 + i % 7 * 28, .y_m = 41 + i / 7 * 28, .height_m = NAN};
    now.options.layers = NULL;
    now.options.horizontal_diffractions = 1;
    now.options.method = "cubes";
    int by_cubes = count_different(&now, points, POINTS);
    now.options.method = NULL;
    int exact = count_different(&now, points, POINTS);
    printf("cubes of 4 and 10 m: %d of %d losses differ by cubes, %d by exact geometry\n", by_cubes, POINTS, exact);
    assert_true(by_cubes > 5 && exact <= 5);
    end(&now);
}

/* Bands of cubes are named by transmitter and altitude, in the map and in its file. */
static void bands_have_heights(void **state)
{
    (void)state;
    prediction now = city(RW_BACKEND_CPU);
    now.options.layers = "filled";
    now.options.transmitter_count = 2;
    now.tx[1].x_m = 60;
    now.tx[1].y_m = 60;
    now.tx[1].height_m = 40;
    rw_map *map = predict(&now), *read;
    size_t bands = layer_of(map, "filled").bands, levels = bands / 2;
    char path[512], name[RW_BAND_NAME_MAX], last[64];
    snprintf(last, sizeof last, "mast 2 at %g m", 1.5 + 5 * (double)(levels - 1));
    rw_layer_band_name(map, &map->layers[0], 1, name);
    assert_string_equal(name, "mast 1 at 6.5 m");
    assert_ok(now.context, rw_map_write_layer(map, 0, temporary_path("bands"), path, sizeof path));
    assert_ok(now.context, rw_map_read(now.context, path, &read));
    assert_int_equal(read->band_count, bands);
    assert_string_equal(read->band_names[0], "mast 1 at 1.5 m");
    assert_string_equal(read->band_names[levels], "mast 2 at 1.5 m");
    assert_string_equal(read->band_names[bands - 1], last);
    assert_ok(now.context, rw_map_get_band_name(read, 0, bands - 1, name, sizeof name));
    assert_string_equal(name, last);
    check_sentence(now.context, rw_map_get_band_name(map, 0, bands, name, sizeof name), RW_BAD_CALL, "no band");
    rw_map_destroy(read);
    rw_map_destroy(map);
    end(&now);
}

static void refusals(void **state)
{
    (void)state;
    rw_context *context = make_context();
    unsigned char filled[8] = {0}, visible[8];
    rw_visible_cubes_options options;
    rw_visible_cubes_options_init(&options);
    check_sentence(context, rw_visible_cubes(context, &options, visible), RW_BAD_CALL, "columns");
    options.columns = options.rows = options.layers = 2;
    check_sentence(context, rw_visible_cubes(context, &options, visible), RW_BAD_CALL, "filled");
    options.filled = filled;
    options.source[1] = 2;
    check_sentence(context, rw_visible_cubes(context, &options, visible), RW_BAD_CALL, "not in the grid");
    options.source[1] = 1;
    options.method = "exact";
    check_sentence(context, rw_visible_cubes(context, &options, visible), RW_BAD_CALL, "cubes, supercubes, rings");
    options.method = "supercubes";
    options.block = 0;
    check_sentence(context, rw_visible_cubes(context, &options, visible), RW_BAD_CALL, "block");
    options.block = 1;
    assert_ok(context, rw_visible_cubes(context, &options, visible));
    for (int i = 0; i < 8; i++)
        assert_int_equal(visible[i], 1);
    rw_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(methods_on_cpu),
                                       cmocka_unit_test(methods_on_gpu),
                                       cmocka_unit_test(layer_is_the_calls),
                                       cmocka_unit_test(exact_beside_cubes),
                                       cmocka_unit_test(paths_take_a_resolution),
                                       cmocka_unit_test(bands_have_heights),
                                       cmocka_unit_test(refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
