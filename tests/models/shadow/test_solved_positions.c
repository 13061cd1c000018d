/* Sectors of one mast share what was solved for its position: their layers are those of predictions of their own, and
 * a turned antenna, another power or another antenna solve nothing. */
#include "models/shadow/solved.h"
#include "prediction.h"

#include <math.h>

enum { SECTORS = 7 };

static prediction make_town(rw_backend backend)
{
    rw_context *context = make_context_of(backend, 2);
    rw_city_options options;
    rw_scene *scene;
    if (!context)
        return (prediction){0};
    rw_city_options_init(&options);
    options.width_m = options.depth_m = 300;
    options.seed = 3;
    assert_ok(context, rw_generate_city(context, &options, &scene));
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_with(context, scene);
    now.options.layers = "path_loss,los,walls,mechanism,deflections,power,best,sinr";
    return now;
}

/* Two masts with three sectors each, which differ in all that a solution does not depend on, one of them also at
 * another frequency and one higher. */
static void place_sectors(rw_transmitter sectors[SECTORS])
{
    static const struct {
        const char *name, *antenna;
        double x, y, height, azimuth, tilt, power, freq;
    } table[SECTORS] = {{"a1", "3gpp", 150, 150, 40, 0, 6, 43, 0},     {"a2", "3gpp", 150, 150, 40, 120, 2, 40, 0},
                        {"b1", "isotropic", 60, 240, 40, 0, 0, 43, 0}, {"a3", "3gpp", 150, 150, 40, 240, 6, 43, 2e9},
                        {"b2", "3gpp", 60, 240, 40, 90, 6, 30, 0},     {"a4", "3gpp", 150, 150, 42, 240, 6, 43, 0},
                        {"b3", "3gpp", 60, 240, 40, 270, 6, 43, 0}};
    for (int i = 0; i < SECTORS; i++) {
        rw_transmitter_init(&sectors[i]);
        sectors[i].name = table[i].name;
        sectors[i].antenna = table[i].antenna;
        sectors[i].x_m = table[i].x;
        sectors[i].y_m = table[i].y;
        sectors[i].height_m = table[i].height;
        sectors[i].azimuth_deg = table[i].azimuth;
        sectors[i].downtilt_deg = table[i].tilt;
        sectors[i].power_dbm = table[i].power;
        sectors[i].freq_hz = table[i].freq;
    }
}

static rw_map *predict_sectors(prediction *now, const rw_transmitter *sectors, size_t count)
{
    rw_map *map;
    now->options.transmitters = sectors;
    now->options.transmitter_count = count;
    assert_ok(now->context, rw_predict(now->scene, &now->options, &map));
    return map;
}

static void compare_with_single_calls(const rw_map *all, const rw_transmitter *sectors, rw_backend backend)
{
    static const char *const names[] = {"path_loss", "los", "walls", "mechanism", "deflections", "power"};
    rw_map_info info = info_of(all);
    size_t cells = info.columns * info.rows;
    for (size_t i = 0; i < SECTORS; i++) {
        prediction alone = make_town(backend);
        rw_map *one = predict_sectors(&alone, &sectors[i], 1);
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            assert_memory_equal(layer_of(all, names[k]).values + i * cells, layer_of(one, names[k]).values,
                                cells * sizeof(float));
        rw_map_destroy(one);
        end(&alone);
    }
}

static void compare_all(const rw_map *a, const rw_map *b)
{
    rw_map_info info = info_of(a);
    assert_int_equal(info.layers, info_of(b).layers);
    for (size_t i = 0; i < info.layers; i++) {
        rw_map_layer first = {.size = sizeof first}, second = {.size = sizeof second};
        assert_int_equal(rw_map_get_layer(a, i, &first), RW_OK);
        assert_int_equal(rw_map_get_layer(b, i, &second), RW_OK);
        assert_memory_equal(first.values, second.values, first.bands * info.columns * info.rows * sizeof(float));
    }
}

static void compare_backend(rw_backend backend)
{
    prediction open = make_town(backend);
    rw_transmitter sectors[SECTORS];
    if (!open.context)
        skip_test("no GPU");
    place_sectors(sectors);
    rw_map *all = predict_sectors(&open, sectors, SECTORS);
    compare_with_single_calls(all, sectors, backend);
    for (int i = 0; i < SECTORS; i++) {
        sectors[i].azimuth_deg += 35;
        sectors[i].power_dbm -= i;
    }
    sectors[0].antenna = "isotropic";
    rw_map *turned = predict_sectors(&open, sectors, SECTORS);
    prediction fresh = make_town(backend);
    rw_map *expected = predict_sectors(&fresh, sectors, SECTORS);
    compare_all(turned, expected);
    rw_map_destroy(all);
    rw_map_destroy(turned);
    rw_map_destroy(expected);
    end(&open);
    end(&fresh);
}

static void sectors_are_as_if_alone(void **state)
{
    (void)state;
    compare_backend(RW_BACKEND_CPU);
}

static void sectors_are_as_if_alone_on_a_gpu(void **state)
{
    (void)state;
    compare_backend(RW_BACKEND_CUDA);
}

/* Which transmitters a job is run for. */
static void a_position_is_solved_once(void **state)
{
    (void)state;
    prediction town = make_town(RW_BACKEND_CPU);
    rw_transmitter sectors[SECTORS];
    rw_prediction *opened;
    rw_shadow_effects effects;
    rw_shadow_job job;
    rw_shadow_solved *solved;
    place_sectors(sectors);
    town.options.transmitters = sectors;
    town.options.transmitter_count = SECTORS;
    assert_ok(town.context, rw_prediction_open(town.scene, &town.options, &opened));
    assert_ok(town.context, rw_shadow_effects_resolve(opened, &effects));
    assert_ok(town.context, rw_shadow_job_create(opened, effects, (rw_shadow_needs){.sight = 1, .walls = 1}, &job));
    assert_ok(town.context, rw_shadow_solved_create(&job, &solved));
    size_t solved_count = 0, cells = opened->receivers.view.columns * opened->receivers.view.rows;
    for (int turn = 0; turn < 2; turn++)
        for (size_t first = 0, now; first < SECTORS; first += now) {
            rw_shadow_values values;
            size_t count = SECTORS - first < job.batch ? SECTORS - first : job.batch;
            assert_ok(town.context, rw_shadow_solved_run(solved, first, count, &now, &values));
            assert_true(now >= 1 && now <= count);
            int is_new = values.path_loss_db == job.args.path_loss_db;
            assert_true(is_new || now == 1);
            solved_count += is_new ? now : 0;
            for (size_t i = 0; i < cells; i++)
                assert_true(!isnan(values.path_loss_db[i]) || opened->receivers.view.indoor[i]);
        }
    assert_int_equal(solved_count, 4); /* a, b, a at 2 GHz, a of 42 m */
    rw_shadow_solved_destroy(solved);
    rw_shadow_job_destroy(&job);
    rw_prediction_destroy(opened);
    end(&town);
}

static double estimate_seconds(prediction *town)
{
    rw_estimate estimate = {.size = sizeof estimate};
    assert_ok(town->context, rw_predict_estimate(town->scene, &town->options, &estimate));
    return estimate.seconds;
}

/* Estimates count positions, and of those what an open model does not have: a server decides by them what is a job. */
static void estimates_know_what_is_solved(void **state)
{
    (void)state;
    prediction town = make_town(RW_BACKEND_CPU);
    rw_transmitter sectors[SECTORS];
    place_sectors(sectors);
    town.options.res_m = 2;
    town.options.transmitters = sectors;
    town.options.transmitter_count = 1;
    double one_s = estimate_seconds(&town);
    sectors[1].freq_hz = sectors[0].freq_hz;
    town.options.transmitter_count = 2;
    double sectors_s = estimate_seconds(&town);
    assert_true(sectors_s > one_s && sectors_s < 1.1 * one_s);
    town.options.transmitter_count = SECTORS;
    double all_s = estimate_seconds(&town);
    assert_true(all_s > one_s && all_s < 0.9 * SECTORS * one_s);
    rw_map_destroy(predict_sectors(&town, sectors, SECTORS));
    assert_true(estimate_seconds(&town) == 0);
    sectors[0].azimuth_deg += 10;
    assert_true(estimate_seconds(&town) == 0);
    sectors[2].x_m += 5; /* b1, of four positions; b2 and b3 stay */
    double moved_s = estimate_seconds(&town);
    assert_true(moved_s > 0 && moved_s < 0.3 * all_s);
    end(&town);
}

/* A window of a large city is estimated by what is around it: a server would make a job of it. */
static void estimates_of_windows_are_local(void **state)
{
    (void)state;
    rw_context *context = make_context_of(RW_BACKEND_CPU, 2);
    rw_scene *city;
    rw_city_options options;
    rw_city_options_init(&options);
    options.width_m = options.depth_m = 1500;
    options.seed = 3;
    assert_ok(context, rw_generate_city(context, &options, &city));
    assert_ok(context, rw_scene_commit(city));
    prediction wide = begin_with(context, city);
    rw_transmitter sectors[SECTORS];
    place_sectors(sectors);
    wide.options.transmitters = sectors;
    wide.options.transmitter_count = 1;
    wide.options.layers = "path_loss";
    wide.options.res_m = 20;
    const double window_m[4] = {0, 0, 300, 300};
    double whole_s = estimate_seconds(&wide);
    memcpy(wide.options.area_m, window_m, sizeof window_m);
    assert_true(estimate_seconds(&wide) < 0.3 * whole_s);
    end(&wide);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sectors_are_as_if_alone), cmocka_unit_test(sectors_are_as_if_alone_on_a_gpu),
        cmocka_unit_test(a_position_is_solved_once), cmocka_unit_test(estimates_know_what_is_solved),
        cmocka_unit_test(estimates_of_windows_are_local)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
