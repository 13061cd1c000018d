/* The composition in models of rays: their own losses weighed against the median of 3GPP in maps, with and without an
 * antenna, and nothing else of a map changed; on among buildings, off with calibrated parameters and in rooms unless it
 * is chosen; paths never have it. */
#include "prediction.h"

#include <rasterwave/calibrate.h>

#define WAVELENGTH_M (299792458.0 / 947e6)
#define MAST_M 12.0

static const char *const models[] = {"beams", "tiles", "rt"};
enum { MODELS = sizeof models / sizeof *models };

/* Two long houses of 60 m; streets before, between and behind them. */
static prediction begin_rows(const char *model, const char *layers)
{
    rw_context *context = make_context_of(RW_BACKEND_CPU, 2);
    rw_scene *scene = make_scene(context);
    const double houses[3][4] = {{0, -60, 20, 60}, {80, -60, 100, 60}, {-45, -60, -44, -59}}; /* the last: the extent */
    for (int i = 0; i < 3; i++)
        add_box(context, scene, houses[i], 60, "house");
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_with(context, scene);
    rw_predict_options_init_for(&now.options, model);
    now.options.freq_hz = 947e6;
    now.options.transmitter_count = 1;
    now.options.res_m = 10;
    now.options.loss_max_db = 200;
    now.options.layers = layers;
    memcpy(now.options.area_m, (double[]){-40, -40, 140, 40}, sizeof now.options.area_m);
    if (strcmp(model, "beams") != 0) {
        now.options.sum = "power";
        now.options.depth = now.options.diffractions = 2;
    }
    now.tx[0].x_m = -30;
    now.tx[0].height_m = MAST_M;
    return now;
}

/* 3GPP TR 38.901, table 7.4.1-1, UMi street canyon NLOS: at least its LOS loss, before the breakpoint. */
static double site_db(double plan_m)
{
    double away_m = hypot(fmax(plan_m, 10), MAST_M - 1.5), ghz = 0.947; /* nearer it falls as free space does */
    double sight_db = 32.4 + 21 * log10(away_m) + 20 * log10(ghz);
    return fmax(sight_db, 22.4 + 35.3 * log10(away_m) + 21.3 * log10(ghz)) +
           20 * log10(hypot(plan_m, MAST_M - 1.5) / away_m);
}

/* The rule, with all buildings within 300 m of every receiver: 1.7 % of the disc is built over. */
static double composed_db(double paths_db, double plan_m)
{
    double free_db = 20 * log10(4 * 3.14159265358979 * hypot(plan_m, MAST_M - 1.5) / WAVELENGTH_M);
    double lack = (2 * 20 * 120 + 1) / (3.14159265358979 * 300 * 300) / 0.05, k = 0.8 * pow(0.947, -0.1);
    double excess_db = paths_db - free_db, shadow_db = fmax(excess_db, 0);
    double bent_db = excess_db > 0 ? k * excess_db + (1 - k) * 6 * (1 - exp(-excess_db / 6)) : excess_db;
    double weight = lack * (0.65 + 0.20 * (1 - exp(-shadow_db / 10)));
    return free_db + (1 - weight) * bent_db + weight * fmax(site_db(plan_m) - free_db, 0);
}

static double plan_m_of(const prediction *now, const rw_map_info *info, size_t cell)
{
    double x = info->x0_m + ((double)(cell % info->columns) + 0.5) * info->res_m - now->tx[0].x_m;
    double y = info->y0_m + ((double)(cell / info->columns) + 0.5) * info->res_m - now->tx[0].y_m;
    return hypot(x, y);
}

static void is_composed(const char *model)
{
    int tells = strcmp(model, "rt") != 0; /* rt has no mechanisms */
    prediction now = begin_rows(model, tells ? "path_loss,power,delay_spread,paths,mechanism"
                                             : "path_loss,power,delay_spread,paths");
    now.options.prior = "none";
    rw_map *rays = predict(&now);
    now.options.prior = NULL; /* it is on among buildings */
    rw_map *drawn = predict(&now);
    rw_map_info info = info_of(drawn);
    assert_string_equal(info_of(rays).prior, "none");
    assert_string_equal(info.prior, "3gpp");
    const char *same[] = {"delay_spread", "paths", "mechanism"};
    size_t cells = info.columns * info.rows, changed = 0;
    for (int i = 0; i < 2 + tells; i++)
        assert_memory_equal(layer_of(rays, same[i]).values, layer_of(drawn, same[i]).values, cells * sizeof(float));
    const float *before = layer_of(rays, "path_loss").values, *after = layer_of(drawn, "path_loss").values;
    const float *power = layer_of(drawn, "power").values;
    for (size_t i = 0; i < cells; i++) {
        if (!isfinite(before[i])) {
            assert_true(isnan(before[i]) ? isnan(after[i]) : before[i] == after[i]);
            continue;
        }
        assert_near(after[i], composed_db((double)before[i], plan_m_of(&now, &info, i)), 0.03);
        assert_near(power[i], 30 - (double)after[i], 0.01);
        changed += fabsf(after[i] - before[i]) > 3;
    }
    printf("%s: %zu of %zu cells change by more than 3 dB\n", model, changed, cells);
    assert_true(changed > 10);
    rw_map_destroy(rays);
    rw_map_destroy(drawn);
    end(&now);
}

static void losses_are_composed(void **state)
{
    (void)state;
    for (int i = 0; i < MODELS; i++)
        is_composed(models[i]);
}

/* Towards the receiver the antenna has one gain, which the median has as well: what is drawn is the loss between
 * isotropic antennas, so that a weaker transmitter is drawn just as far. */
static void antenna_is_of_both(void **state)
{
    (void)state;
    for (int i = 0; i < MODELS; i++) {
        prediction now = begin_rows(models[i], "power");
        rw_antenna *antenna;
        assert_ok(now.context, rw_antenna_create(now.context, "3gpp", &antenna));
        now.tx[0].antenna = "3gpp";
        now.tx[0].azimuth_deg = 90;
        now.options.prior = "none";
        rw_map *rays = predict(&now);
        now.options.prior = "3gpp";
        rw_map *drawn = predict(&now);
        rw_map_info info = info_of(drawn);
        const float *before = layer_of(rays, "power").values, *after = layer_of(drawn, "power").values;
        size_t far = 0;
        for (size_t cell = 0; cell < info.columns * info.rows; cell++) {
            if (!isfinite(before[cell]))
                continue;
            double x = info.x0_m + ((double)(cell % info.columns) + 0.5) * info.res_m - now.tx[0].x_m;
            double y = info.y0_m + ((double)(cell / info.columns) + 0.5) * info.res_m - now.tx[0].y_m;
            double down_deg = atan2(MAST_M - 1.5, hypot(x, y)) * 180 / 3.14159265358979;
            double gain_dbi = rw_antenna_gain_dbi(antenna, 90 + down_deg, atan2(y, x) * 180 / 3.14159265358979);
            double ways_db = 30 + gain_dbi - (double)before[cell];
            assert_near(after[cell], 30 + gain_dbi - composed_db(ways_db, hypot(x, y)), 0.05);
            far += fabsf(after[cell] - before[cell]) > 3;
        }
        assert_true(far > 10);
        rw_map_destroy(rays);
        rw_map_destroy(drawn);
        rw_antenna_destroy(antenna);
        end(&now);
    }
}

/* Calibrated parameters of rays are of their paths alone. */
static void parameters_are_of_paths(void **state)
{
    (void)state;
    prediction now = begin_rows("beams", "path_loss");
    rw_params *params;
    assert_ok(now.context, rw_params_create(now.context, "beams", now.options.freq_hz, &params));
    now.options.params = params;
    rw_map *alone = predict(&now);
    now.options.prior = "3gpp";
    rw_map *composed = predict(&now);
    assert_string_equal(info_of(alone).prior, "none");
    assert_string_equal(info_of(composed).prior, "3gpp");
    rw_map_destroy(alone);
    rw_map_destroy(composed);
    rw_params_destroy(params);
    end(&now);
}

static void paths_have_no_prior(void **state)
{
    (void)state;
    prediction now = begin_rows("beams", "path_loss");
    rw_paths *paths, *own;
    rw_point point = {.size = sizeof(rw_point), .x_m = 60, .y_m = 0, .height_m = 1.5};
    now.options.transmitters = now.tx;
    now.options.prior = "3gpp";
    assert_ok(now.context, rw_trace(now.scene, &now.options, &point, 1, &paths));
    now.options.prior = NULL;
    assert_ok(now.context, rw_trace(now.scene, &now.options, &point, 1, &own));
    assert_int_equal(rw_paths_count(paths), rw_paths_count(own));
    for (size_t i = 0; i < rw_paths_count(own); i++) {
        rw_path a = {.size = sizeof a}, b = {.size = sizeof b};
        rw_paths_get(paths, i, &a);
        rw_paths_get(own, i, &b);
        assert_near(a.loss_db, b.loss_db, 0);
    }
    rw_paths_destroy(paths);
    rw_paths_destroy(own);
    end(&now);
}

/* ITU-R P.1238 with the sum of image paths: w = 0.7 (1 - e^(-A / 10 dB)). */
static void rooms_have_it_by_name(void **state)
{
    (void)state;
    rw_context *context = make_context_of(RW_BACKEND_CPU, 2);
    rw_office_options office;
    rw_scene *scene;
    rw_office_options_init(&office);
    assert_ok(context, rw_generate_office(context, &office, &scene));
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_with(context, scene);
    rw_predict_options_init_for(&now.options, "images");
    now.options.freq_hz = 2e9;
    now.options.transmitter_count = 1;
    now.options.res_m = 1;
    now.options.depth = 2;
    now.options.sum = "power";
    now.options.layers = "path_loss";
    now.tx[0] = (rw_transmitter){.size = sizeof now.tx[0], .name = "t", .x_m = 3, .y_m = 3, .height_m = 2.5};
    rw_map *own = predict(&now);
    now.options.prior = "3gpp";
    rw_map *composed = predict(&now);
    rw_map_info info = info_of(own);
    assert_string_equal(info.prior, "none");
    assert_string_equal(info_of(composed).prior, "p1238");
    size_t changed = 0;
    for (size_t i = 0; i < info.columns * info.rows; i++) {
        double before = (double)layer_of(own, "path_loss").values[i];
        if (!isfinite(before))
            continue;
        double x = info.x0_m + ((double)(i % info.columns) + 0.5) * info.res_m - 3;
        double y = info.y0_m + ((double)(i / info.columns) + 0.5) * info.res_m - 3;
        double away = sqrt(x * x + y * y + (2.5 - info.rx_height_m) * (2.5 - info.rx_height_m));
        double free_db = 20 * log10(4 * 3.14159265358979 * away * 2e9 / 299792458), excess_db = before - free_db;
        double weight = 0.7 * (1 - exp(-fmax(excess_db, 0) / 10));
        double median_db =
            fmax(20 * log10(2000) + 30 * log10(fmax(away, 1)) - 28 - free_db + 20 * log10(away / fmax(away, 1)), 0);
        double own_power = pow(10, -fmax(excess_db, 0) / 10); /* what leaks counts as far as that has faded */
        double leak_db = -10 * log10(own_power + (1 - own_power) * pow(10, -(median_db + 20) / 10));
        double apart_db = excess_db > 0 ? leak_db : excess_db;
        double expected = free_db + (1 - weight) * apart_db + weight * median_db;
        assert_near(layer_of(composed, "path_loss").values[i], expected, 0.05);
        changed += fabs(expected - before) > 3;
    }
    assert_true(changed > 20);
    rw_map_destroy(own);
    rw_map_destroy(composed);
    end(&now);
}

typedef struct cut_warnings {
    int count;
    double percent;
} cut_warnings;

static void note_cut(void *user, const char *message)
{
    cut_warnings *found = user;
    if (strstr(message, "cut off stronger paths") && sscanf(message, "at %lf", &found->percent) == 1)
        found->count++;
}

/* Warnings of an office of storeys on the storey of rx_height_m, images at depth 1, with two transmitters. */
static cut_warnings find_cut(int storeys, double rx_height_m, const char *prior)
{
    cut_warnings found = {0, 0};
    rw_context_options context_options;
    rw_office_options office;
    rw_context *context;
    rw_scene *scene;
    rw_context_options_init(&context_options);
    context_options.threads = 2;
    context_options.on_warning = note_cut;
    context_options.user = &found;
    assert_int_equal(rw_context_create(&context_options, &context), RW_OK);
    rw_office_options_init(&office);
    office.storeys = storeys;
    assert_ok(context, rw_generate_office(context, &office, &scene));
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_with(context, scene);
    rw_predict_options_init_for(&now.options, "images");
    now.options.freq_hz = 5.2e9;
    now.options.transmitter_count = 2;
    now.options.res_m = 2;
    now.options.rx_height_m = rx_height_m;
    now.options.depth = 1;
    now.options.prior = prior;
    now.options.layers = "path_loss";
    for (int i = 0; i < 2; i++)
        now.tx[i] = (rw_transmitter){
            .size = sizeof now.tx[i], .name = i ? "b" : "a", .x_m = 3 + 20 * i, .y_m = 3, .height_m = 2.5};
    rw_map_destroy(predict(&now));
    end(&now);
    return found;
}

/* Far off on the next storey a search with few interactions finds less than leaks through the building, and says so
 * once in a map, with the rule and without it. */
static void cut_paths_are_reported(void **state)
{
    (void)state;
    cut_warnings next = find_cut(2, 4.1, NULL), same = find_cut(2, 1.5, NULL), composed = find_cut(2, 4.1, "3gpp");
    printf("next storey: %.0f %% of the receivers, with the rule %.0f %%, same storey %.0f %%\n", next.percent,
           composed.percent, same.percent);
    assert_true(next.count == 1 && composed.count == 1 && same.count <= 1);
    assert_true(next.percent > 50 && next.percent > same.percent + 10);
    assert_near(composed.percent, next.percent, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(losses_are_composed),     cmocka_unit_test(antenna_is_of_both),
        cmocka_unit_test(parameters_are_of_paths), cmocka_unit_test(paths_have_no_prior),
        cmocka_unit_test(rooms_have_it_by_name),   cmocka_unit_test(cut_paths_are_reported)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
