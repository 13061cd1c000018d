/* labels: files */
/* rw_predict through the public header alone: layers, grids, meshes, rooms, threads, backends. */
#include "prediction.h"

static void gives_every_layer(void **state)
{
    (void)state;
    prediction now = begin(RW_BACKEND_CPU, 0);
    now.options.layers = "path_loss,power,los,walls,best";
    now.options.transmitter_count = 2;
    rw_map *map = predict(&now);
    rw_map_info info = info_of(map);
    rw_map_layer loss = layer_of(map, "path_loss"), power = layer_of(map, "power"), los = layer_of(map, "los");
    rw_map_layer walls = layer_of(map, "walls"), best = layer_of(map, "best");
    size_t cells = info.columns * info.rows, indoor = 0, second_best = 0, blocked = 0;
    assert_int_equal(info.layers, 5);
    assert_true(loss.bands == 2 && power.bands == 2 && los.bands == 2 && walls.bands == 2 && best.bands == 1);
    for (size_t i = 0; i < cells; i++) {
        int nodata = isnan(loss.values[i]);
        indoor += (size_t)nodata;
        for (size_t band = 0; band < 2; band++) {
            size_t k = band * cells + i;
            assert_true(isnan(loss.values[k]) == nodata && isnan(power.values[k]) == nodata);
            assert_true(isnan(los.values[k]) == nodata && isnan(walls.values[k]) == nodata);
            if (nodata)
                continue;
            assert_near(power.values[k], 30 - loss.values[k], 1e-4);
            assert_true(los.values[k] == 0 || los.values[k] == 1);
            assert_true(los.values[k] == 0 || walls.values[k] == 0);
            blocked += los.values[k] == 0;
        }
        assert_true(isnan(best.values[i]) == nodata);
        if (nodata)
            continue;
        assert_near(best.values[i], power.values[cells + i] > power.values[i] ? 2 : 1, 0);
        second_best += best.values[i] == 2;
    }
    assert_true(indoor > cells / 5 && indoor < cells / 2);
    assert_true(second_best > cells / 20 && second_best < cells / 2);
    assert_true(blocked > cells / 10);
    assert_int_equal(loss.count, 2 * (cells - indoor));
    rw_map_destroy(map);
    end(&now);
}

/* Nodata inside buildings and nowhere else; the value of free space elsewhere. */
static void knows_inside_and_free_space(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_scene *scene = make_scene(context);
    add_box(context, scene, (double[]){0, 0, 20, 30}, 10, "a");
    add_box(context, scene, (double[]){60, 50, 100, 100}, 40, "b");
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_with(context, scene);
    now.tx[0].x_m = 40;
    now.tx[0].y_m = 20;
    now.tx[0].height_m = 12;
    now.tx[0].freq_hz = 2e9;
    now.options.layers = "path_loss";
    now.options.effects = "none";
    rw_map *map = predict(&now);
    rw_map_info info = info_of(map);
    assert_true(info.columns == 20 && info.rows == 20 && info.x0_m == 0 && info.y0_m == 0);
    size_t compared = 0;
    for (size_t i = 0; i < 400; i++) {
        double x = 5 * ((double)(i % 20) + 0.5), y = 5 * ((double)(i / 20) + 0.5);
        double distance_m = sqrt((x - 40) * (x - 40) + (y - 20) * (y - 20) + 10.5 * 10.5);
        float loss_db = layer_of(map, "path_loss").values[i];
        if ((x < 20 && y < 30) || (x > 60 && y > 50)) {
            assert_true(isnan(loss_db));
            continue;
        }
        assert_near(loss_db, 20 * log10(4 * 3.14159265358979 * distance_m * 2e9 / 299792458.0), 1e-3);
        compared++;
    }
    assert_int_equal(compared, 400 - 24 - 80);
    rw_map_destroy(map);
    end(&now);
}

static void antenna_enters_power(void **state)
{
    (void)state;
    prediction now = begin(RW_BACKEND_CPU, 0);
    now.options.layers = "path_loss,power";
    now.tx[0].antenna = "3gpp";
    now.tx[0].azimuth_deg = 90; /* east */
    now.tx[0].power_dbm = 43;
    rw_map *map = predict(&now);
    rw_map_layer loss = layer_of(map, "path_loss"), power = layer_of(map, "power");
    rw_map_info info = info_of(map);
    double east_db = 0, west_db = 0, east = 0, west = 0;
    for (size_t i = 0; i < info.columns * info.rows; i++) {
        double x = info.x0_m + ((double)(i % info.columns) + 0.5) * info.res_m - TX_X;
        double y = info.y0_m + ((double)(i / info.columns) + 0.5) * info.res_m - TX_Y;
        double gain_db = (double)power.values[i] + (double)loss.values[i] - 43;
        if (isnan(gain_db) || fabs(x) < 100 || fabs(y) > 50)
            continue;
        assert_true(gain_db < 8.1 && gain_db > -30);
        *(x > 0 ? &east_db : &west_db) += gain_db;
        ++*(x > 0 ? &east : &west);
    }
    assert_true(east > 10 && west > 10);
    assert_true(east_db / east > west_db / west + 5);
    rw_map_destroy(map);
    end(&now);
}

/* Two equal masts with a receiver halfway: C/I is 0 dB on one channel, infinite where channel or frequency differ. */
static void interference_is_of_one_channel(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_scene *scene = make_scene(context);
    const double far_away[4] = {0, 0, 5, 5};
    add_box(context, scene, far_away, 3, "a shed");
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_with(context, scene);
    const double area_m[4] = {0, 0, 400, 400};
    memcpy(now.options.area_m, area_m, sizeof area_m);
    for (int i = 0; i < 2; i++) {
        now.tx[i].x_m = i ? 352.5 : 52.5;
        now.tx[i].y_m = 202.5;
    }
    now.options.transmitter_count = 2;
    now.options.layers = "power,best,ci";
    static const struct {
        const char *channels[2];
        double freq_hz[2];
        int interfere;
    } cases[] = {{{NULL, NULL}, {0, 0}, 1},   {{"1", "1"}, {0, 947e6}, 1}, {{"b", "B"}, {2.4e9, 2.4e9}, 1},
                 {{"1", "6"}, {0, 0}, 0},     {{"1", NULL}, {0, 0}, 0},    {{NULL, NULL}, {0, 1.8e9}, 0},
                 {{"1", "1"}, {0, 1.8e9}, 0}, {{"", ""}, {0, 0}, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int tx = 0; tx < 2; tx++) {
            now.tx[tx].channel = cases[i].channels[tx];
            now.tx[tx].freq_hz = cases[i].freq_hz[tx];
        }
        rw_map *map = predict(&now);
        double ci_db = (double)value_at(map, "ci", 202.5, 102.5);
        if (cases[i].interfere)
            assert_near(ci_db, 0, 1e-3);
        else
            assert_near(ci_db, 100, 0); /* no interference is a value, and the largest */
        assert_near(value_at(map, "best", 62.5, 202.5), 1, 0);
        rw_map_destroy(map);
    }
    end(&now);
}

/* ITU-R P.525: E in dBuV/m is 74.8 dB above the radiated power in dBW less 20 log of the distance in km; by its
 * free-space loss, the power at an isotropic antenna in dBm and 20 log of the frequency in MHz, and 77.2 dB. */
static void field_strength_follows_p525(void **state)
{
    (void)state;
    static const char *const models[] = {"shadow", "beams", "tiles", "cubes"};
    prediction now = begin(RW_BACKEND_CPU, 0);
    now.tx[0].freq_hz = 2.1e9;
    for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
        now.options.model = models[k];
        now.options.layers = "power,field_strength";
        memcpy(now.options.area_m, (double[]){200, 200, 300, 300}, sizeof now.options.area_m);
        rw_map *map = predict(&now);
        rw_map_layer power = layer_of(map, "power"), field = layer_of(map, "field_strength");
        rw_map_info info = info_of(map);
        size_t finite = 0;
        assert_string_equal(field.unit, "dBuV/m");
        for (size_t i = 0; i < info.columns * info.rows; i++)
            if (isfinite(power.values[i])) {
                assert_near(field.values[i], (double)power.values[i] + 20 * log10(2100) + 77.2, 0.05);
                finite++;
            }
        assert_true(finite > 50);
        rw_map_destroy(map);
    }
    end(&now);
}

static void takes_areas_and_estimates(void **state)
{
    (void)state;
    prediction now = begin(RW_BACKEND_CPU, 0);
    rw_scene_info scene = {.size = sizeof scene};
    rw_estimate estimate = {.size = sizeof estimate};
    assert_ok(now.context, rw_scene_get_info(now.scene, &scene));
    now.options.res_m = 7;
    rw_map *map = predict(&now);
    rw_map_info info = info_of(map);
    assert_true(info.x0_m <= scene.x_min_m && info.x0_m > scene.x_min_m - 7);
    assert_true(info.x0_m + 7 * (double)info.columns >= scene.x_max_m - 1e-6);
    assert_true(info.y0_m + 7 * (double)info.rows >= scene.y_max_m - 1e-6);
    assert_string_equal(info.backend, "cpu");
    assert_string_equal(info.model, "shadow");
    assert_ok(now.context, rw_predict_estimate(now.scene, &now.options, &estimate));
    assert_int_equal(estimate.cells, info.columns * info.rows);
    assert_true(estimate.transmitters == 1 && estimate.bytes > 12 * (double)estimate.cells);
    rw_map_destroy(map);
    memcpy(now.options.area_m, (double[]){-30, 100, 40, 156.1}, sizeof now.options.area_m);
    map = predict(&now);
    info = info_of(map);
    assert_true(info.columns == 10 && info.rows == 9 && info.x0_m == -30 && info.y0_m == 100);
    rw_map_destroy(map);
    end(&now);
}

static void sees_round_mesh_buildings(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_scene *scene = make_scene(context);
    add_box_mesh(context, scene, (double[]){40, 40, 0}, (double[]){60, 60, 20});
    const double ground[] = {0, 0, 0, 100, 0, 0, 100, 100, 0, 0, 100, 0};
    const uint32_t two[] = {0, 1, 2, 0, 2, 3};
    rw_mesh plane = {.size = sizeof plane,
                     .name = "ground",
                     .xyz = ground,
                     .vertex_count = 4,
                     .triangles = two,
                     .triangle_count = 2};
    assert_ok(context, rw_scene_add_mesh(scene, &plane));
    assert_ok(context, rw_scene_commit(scene));
    static const char *const methods[] = {NULL, "march", "polygons", "sectors", "brute"};
    for (int i = 0; i < 5; i++) {
        prediction now = begin_with(context, scene);
        now.tx[0].x_m = 20;
        now.tx[0].y_m = 50;
        now.tx[0].height_m = 5;
        now.options.res_m = 2;
        now.options.layers = "los";
        now.options.method = methods[i];
        rw_map *map = predict(&now);
        assert_true(isnan(value_at(map, "los", 51, 51))); /* inside */
        assert_near(value_at(map, "los", 81, 51), 0, 0);  /* behind */
        assert_near(value_at(map, "los", 31, 51), 1, 0);  /* before */
        assert_near(value_at(map, "los", 81, 5), 1, 0);   /* past it */
        rw_map_destroy(map);
    }
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

static void a_room_without_door_blocks(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_scene *scene = make_scene(context);
    add_panel(context, scene, 0, 0, 10, 0);
    add_panel(context, scene, 10, 0, 10, 8);
    add_panel(context, scene, 10, 8, 0, 8);
    add_panel(context, scene, 0, 8, 0, 0);
    add_panel(context, scene, 20, 0, 20, 3.5); /* the other room has a door from 3.5 to 4.5 */
    add_panel(context, scene, 20, 4.5, 20, 8);
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_with(context, scene);
    now.tx[0].x_m = 15;
    now.tx[0].y_m = 4;
    now.tx[0].height_m = 2;
    now.options.res_m = 0.5;
    now.options.layers = "los,walls";
    rw_map *map = predict(&now);
    for (double y = 0.25; y < 8; y += 0.5)
        for (double x = 0.25; x < 10; x += 0.5) {
            assert_near(value_at(map, "los", x, y), 0, 0);
            assert_near(value_at(map, "walls", x, y), 1, 0);
        }
    assert_near(value_at(map, "los", 17.25, 7.25), 1, 0);
    assert_near(value_at(map, "los", 19.75, 4.25), 1, 0);
    rw_map_destroy(map);
    end(&now);
}

/* Floors and ceilings are sheets: a point between them is not inside a solid. */
static void predicts_in_an_office(void **state)
{
    (void)state;
    for (int storey = 0; storey < 3; storey++) {
        rw_context *context = make_context();
        rw_office_options office;
        rw_office_options_init(&office);
        office.storeys = 3;
        rw_scene *scene;
        assert_ok(context, rw_generate_office(context, &office, &scene));
        assert_ok(context, rw_scene_commit(scene));
        prediction now = begin_with(context, scene);
        now.tx[0].x_m = 20;
        now.tx[0].y_m = 3;
        now.tx[0].height_m = 2.5; /* on the ground floor */
        now.options.res_m = 0.5;
        now.options.rx_height_m = 1.2 + 3 * storey;
        rw_map *map = predict(&now);
        rw_map_info info = info_of(map);
        rw_map_layer los = layer_of(map, "los");
        size_t cells = info.columns * info.rows, seen = 0;
        assert_int_equal(los.count, cells);
        for (size_t i = 0; i < cells; i++)
            seen += los.values[i] == 1;
        if (storey == 0)
            assert_true(seen > cells / 50 && seen < cells / 2);
        else
            assert_int_equal(seen, 0); /* the floor is in between */
        rw_map_destroy(map);
        end(&now);
    }
}

static void assert_same_maps(const rw_map *a, const rw_map *b)
{
    rw_map_info info = info_of(a);
    for (size_t i = 0; i < info.layers; i++) {
        rw_map_layer left = {.size = sizeof left}, right = {.size = sizeof right};
        assert_int_equal(rw_map_get_layer(a, i, &left), RW_OK);
        assert_int_equal(rw_map_get_layer(b, i, &right), RW_OK);
        assert_memory_equal(left.values, right.values, left.bands * info.columns * info.rows * sizeof(float));
    }
}

static void threads_change_nothing(void **state)
{
    (void)state;
    prediction one = begin(RW_BACKEND_CPU, 1), two = begin(RW_BACKEND_CPU, 2);
    one.options.layers = two.options.layers = "path_loss,power,los,walls,best";
    one.options.transmitter_count = two.options.transmitter_count = 2;
    rw_map *first = predict(&one), *second = predict(&two);
    assert_same_maps(first, second);
    rw_map_destroy(first);
    rw_map_destroy(second);
    end(&one);
    end(&two);
}

static void backends_agree(void **state)
{
    (void)state;
    rw_context *gpu = make_context_of(RW_BACKEND_CUDA, 0);
    if (!gpu)
        skip_test("no GPU");
    rw_context_destroy(gpu);
    prediction cpu = begin(RW_BACKEND_CPU, 0), cuda = begin(RW_BACKEND_CUDA, 0);
    cpu.options.layers = cuda.options.layers = "path_loss,los";
    rw_map *first = predict(&cpu), *second = predict(&cuda);
    rw_map_info info = info_of(first);
    rw_map_layer a = layer_of(first, "los"), b = layer_of(second, "los");
    rw_map_layer loss = layer_of(first, "path_loss"), other = layer_of(second, "path_loss");
    size_t cells = info.columns * info.rows, differ = 0;
    for (size_t i = 0; i < cells; i++) {
        assert_int_equal(isnan(a.values[i]), isnan(b.values[i]));
        if (isnan(a.values[i]))
            continue;
        differ += a.values[i] != b.values[i];
        assert_near(loss.values[i], other.values[i], 0.01);
    }
    assert_true(differ <= cells / 10000);
    rw_map_destroy(first);
    rw_map_destroy(second);
    end(&cpu);
    end(&cuda);
}

/* Threads of this process; 0 where the system does not tell. */
static int count_threads(void)
{
    FILE *file = fopen("/proc/self/status", "r");
    char line[256];
    int count = 0;
    while (file && fgets(line, sizeof line, file))
        sscanf(line, "Threads: %d", &count);
    if (file)
        fclose(file);
    return count;
}

/* Threads stay once they are started, so this comes before other tests. */
static void one_thread_is_one_thread(void **state)
{
    (void)state;
    rw_context_options options;
    rw_context_options_init(&options);
    options.backend = RW_BACKEND_CPU;
    options.threads = 1;
    rw_context *context;
    assert_int_equal(rw_context_create(&options, &context), RW_OK);
    rw_office_options office;
    rw_office_options_init(&office);
    rw_scene *scene;
    assert_ok(context, rw_generate_office(context, &office, &scene)); /* its floors are meshes */
    assert_ok(context, rw_scene_commit(scene));
    rw_transmitter transmitter;
    rw_transmitter_init(&transmitter);
    transmitter.x_m = 20.3;
    transmitter.y_m = 10.1;
    transmitter.height_m = 2;
    rw_predict_options predict;
    rw_predict_options_init(&predict);
    predict.transmitters = &transmitter;
    predict.transmitter_count = 1;
    predict.layers = "power";
    predict.res_m = 0.5;
    int before = count_threads();
    rw_map *map;
    assert_ok(context, rw_predict(scene, &predict, &map));
    assert_int_equal(count_threads(), before);
    rw_map_destroy(map);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

/* Behind a ridge and no wall there is no way through walls, nor over counted roofs; over the ridge itself there is. */
static void nothing_goes_through_hills(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_scene *scene = make_scene(context);
    float heights[2 * 11] = {0};
    heights[5] = heights[11 + 5] = 60; /* the ridge at x = 50 m */
    rw_raster terrain = {sizeof(rw_raster), 11, 2, 0, 0, 10, 100, heights};
    assert_ok(context, rw_scene_set_terrain(scene, &terrain));
    assert_ok(context, rw_scene_commit(scene));
    static const char *const effects[] = {"walls", "roofs_counted", "roofs"};
    for (int i = 0; i < 3; i++) {
        prediction now = begin_with(context, scene);
        now.tx[0].x_m = 15;
        now.tx[0].y_m = 50;
        now.tx[0].height_m = 5;
        now.options.res_m = 2;
        now.options.effects = effects[i];
        now.options.layers = "path_loss,los";
        rw_map *map = predict(&now);
        assert_near(value_at(map, "los", 31, 51), 1, 0);
        assert_near(value_at(map, "los", 81, 51), 0, 0);
        float behind_db = value_at(map, "path_loss", 81, 51), before_db = value_at(map, "path_loss", 31, 51);
        assert_true(isfinite(before_db));
        assert_true(i < 2 ? isinf(behind_db) : behind_db > before_db + 15 && isfinite(behind_db));
        rw_map_destroy(map);
    }
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

/* Transmitters that are solved one after the other on one graph have the maps that each has alone, though the graph
 * knows of corners only what the ones before asked for. */
static void batches_are_as_alone(void **state)
{
    (void)state;
    enum { MASTS = 6 }; /* more than a batch */
    rw_context *context = make_context_of(RW_BACKEND_CPU, 1);
    rw_transmitter masts[MASTS];
    rw_map *together = NULL;
    for (int alone = -1; alone < MASTS; alone++) {
        rw_scene *scene = make_generated_city(context, "european", 300, 3, 1);
        prediction now = begin_with(context, scene);
        for (int i = 0; alone < 0 && i < MASTS; i++) {
            rw_transmitter_init(&masts[i]);
            masts[i].x_m = 30 + 47 * i;
            masts[i].y_m = i % 2 ? 60 : 230;
            masts[i].height_m = i % 3 ? 55 : 35;
        }
        now.options.layers = "path_loss";
        now.options.res_m = 6;
        now.options.transmitters = alone < 0 ? masts : &masts[alone];
        now.options.transmitter_count = alone < 0 ? MASTS : 1;
        rw_map *map;
        assert_ok(context, rw_predict(scene, &now.options, &map));
        rw_map_info info = info_of(map);
        const float *values = layer_of(map, "path_loss").values;
        size_t cells = info.columns * info.rows;
        for (size_t i = 0; alone >= 0 && i < cells; i++) {
            float both = layer_of(together, "path_loss").values[(size_t)alone * cells + i];
            assert_true((isnan(values[i]) && isnan(both)) || fabs((double)(values[i] - both)) < 0.01);
        }
        if (alone < 0)
            together = map;
        else
            rw_map_destroy(map);
        rw_scene_destroy(scene);
    }
    rw_map_destroy(together);
    rw_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_thread_is_one_thread),       cmocka_unit_test(gives_every_layer),
        cmocka_unit_test(knows_inside_and_free_space),    cmocka_unit_test(antenna_enters_power),
        cmocka_unit_test(interference_is_of_one_channel), cmocka_unit_test(field_strength_follows_p525),
        cmocka_unit_test(takes_areas_and_estimates),      cmocka_unit_test(sees_round_mesh_buildings),
        cmocka_unit_test(a_room_without_door_blocks),     cmocka_unit_test(predicts_in_an_office),
        cmocka_unit_test(threads_change_nothing),         cmocka_unit_test(backends_agree),
        cmocka_unit_test(nothing_goes_through_hills),     cmocka_unit_test(batches_are_as_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
