/* Parameters of the images model: factors act as they are said to, terms say what new tracing says, and a fit gives
 * back what made the measurements. */
#include "models/rays/rays.h"
#include "prediction.h"
#include "rooms.h"
#include "temporary.h"

#include <rasterwave/calibrate.h>

static const double truth[RW_IMAGE_PARAMETERS] = {1, 1.8, 1, 1, 3, 1, 1.3, 4};

static prediction begin_rooms(void)
{
    rw_context *context = make_context_of(RW_BACKEND_CPU, 2);
    prediction now = begin_with(context, two_rooms(context));
    now.tx[0].x_m = 1.17;
    now.tx[0].y_m = 2.71;
    now.tx[0].height_m = 1.9;
    rw_predict_options_init_for(&now.options, "images");
    now.options.transmitter_count = 1;
    now.options.freq_hz = 2.4e9;
    now.options.depth = 2;
    now.options.pixels = 128;
    now.options.threshold = 1;
    return now;
}

static rw_params *make_params(rw_context *context, const double *values)
{
    rw_params *params;
    assert_ok(context, rw_params_create(context, "images", 2.4e9, &params));
    for (size_t i = 0; i < RW_IMAGE_PARAMETERS; i++)
        assert_ok(context, rw_params_set(params, rw_image_parameters[i].name, values[i]));
    return params;
}

static rw_paths *trace(prediction *now, const rw_params *params, rw_point point)
{
    rw_paths *paths;
    now->options.transmitters = now->tx;
    now->options.params = params;
    assert_ok(now->context, rw_trace(now->scene, &now->options, &point, 1, &paths));
    return paths;
}

/* A passage costs its slab's loss times the factor, whatever the polarisation: at normal incidence both are one. */
static void factors_multiply_losses(void **state)
{
    (void)state;
    prediction now = begin_rooms();
    rw_params *params = make_params(now.context, truth);
    rw_point behind = {.size = sizeof(rw_point), .x_m = 8.7, .y_m = 2.2, .height_m = 1.6},
             beside = {.size = sizeof(rw_point), .x_m = 8.7, .y_m = 0.6, .height_m = 1.6};
    now.tx[0].y_m = 2.2; /* through the glass of the window, along its normal */
    now.tx[0].height_m = 1.6;
    now.options.depth = 1;
    for (int brick = 0; brick < 2; brick++) {
        if (brick)
            now.tx[0].y_m = 0.6;
        rw_paths *plain = trace(&now, NULL, brick ? beside : behind);
        rw_paths *taught = trace(&now, params, brick ? beside : behind);
        rw_path a = {.size = sizeof a}, b = {.size = sizeof b};
        size_t straight = 0; /* the one path that no wall turns */
        while (rw_paths_get(plain, straight, &a) == RW_OK && a.vertices[1].interaction != RW_INTERACTION_WALL)
            straight++;
        for (size_t i = 0; rw_paths_get(taught, i, &b) == RW_OK && b.vertices[1].interaction != RW_INTERACTION_WALL;)
            i++;
        assert_string_equal(a.vertices[1].surface, brick ? "wall" : "glass");
        assert_string_equal(a.vertices[1].material, brick ? "itu_brick" : "itu_glass");
        double factor = truth[brick ? 1 : 4];
        assert_near(a.vertices[1].loss_factor, 1, 0);
        assert_near(b.vertices[1].loss_factor, factor, 1e-6);
        assert_near(b.vertices[1].loss_db, factor * a.vertices[1].loss_db, 1e-3);
        assert_near(b.loss_db - a.loss_db, (factor - 1) * a.vertices[1].loss_db + truth[RW_IMAGE_OFFSET], 1e-3);
        rw_paths_destroy(plain);
        rw_paths_destroy(taught);
    }
    rw_params_destroy(params);
    end(&now);
}

static double power_sum_db(const rw_paths *paths)
{
    double sum = 0;
    for (size_t i = 0; i < rw_paths_count(paths); i++) {
        rw_path path = {.size = sizeof path};
        rw_paths_get(paths, i, &path);
        sum += pow(10, -0.1 * path.loss_db);
    }
    return -10 * log10(sum);
}

static void take_terms(const rw_paths *paths, float *terms)
{
    memset(terms, 0, RW_IMAGE_TERMS * sizeof *terms);
    for (size_t i = 0; i < rw_paths_count(paths); i++) {
        rw_path path = {.size = sizeof path};
        rw_paths_get(paths, i, &path);
        rw_image_path_terms(&path, terms);
    }
}

/* The terms of paths traced under some values tell the loss under others; derivatives are those of differences. */
static void terms_say_what_tracing_says(void **state)
{
    (void)state;
    prediction now = begin_rooms();
    rw_params *params = make_params(now.context, truth);
    double plain[RW_IMAGE_PARAMETERS], derivatives[RW_IMAGE_PARAMETERS], unused[RW_IMAGE_PARAMETERS];
    rw_image_parameter_defaults(now.context, 2.4e9, plain);
    for (int i = 0; i < 6; i++) {
        rw_point point = {.size = sizeof(rw_point), .x_m = 5.6 + 0.7 * i, .y_m = 0.7 + 0.5 * i, .height_m = 1.4};
        rw_paths *before = trace(&now, NULL, point), *after = trace(&now, params, point);
        float terms[RW_IMAGE_TERMS], taught[RW_IMAGE_TERMS];
        assert_true(rw_paths_count(before) >= 5);
        take_terms(before, terms);
        take_terms(after, taught);
        assert_near(rw_image_terms_loss_db(terms, plain, derivatives), power_sum_db(before), 1e-3);
        assert_near(rw_image_terms_loss_db(taught, truth, unused), power_sum_db(after), 1e-3);
        /* slabs treat the two polarisations apart, of which the terms know only the mean */
        assert_near(rw_image_terms_loss_db(terms, truth, unused), power_sum_db(after), 0.3);
        assert_near(rw_image_terms_loss_db(taught, plain, unused), power_sum_db(before), 0.3);
        for (size_t k = 0; k < RW_IMAGE_PARAMETERS; k++) {
            double more[RW_IMAGE_PARAMETERS], less[RW_IMAGE_PARAMETERS];
            memcpy(more, plain, sizeof more);
            memcpy(less, plain, sizeof less);
            more[k] += 1e-4;
            less[k] -= 1e-4;
            double slope =
                (rw_image_terms_loss_db(terms, more, unused) - rw_image_terms_loss_db(terms, less, unused)) / 2e-4;
            assert_near(derivatives[k], slope, 1e-5);
        }
        rw_paths_destroy(before);
        rw_paths_destroy(after);
    }
    rw_params_destroy(params);
    end(&now);
}

/* More paths than are kept one by one: the weakest are one together, and nothing is lost of their power. */
static void weak_paths_are_one_together(void **state)
{
    (void)state;
    prediction now = begin_rooms();
    now.options.depth = 4;
    now.options.pixels = 256;
    rw_point point = {.size = sizeof(rw_point), .x_m = 8.3, .y_m = 1.2, .height_m = 1.3};
    rw_paths *paths = trace(&now, NULL, point);
    float terms[RW_IMAGE_TERMS];
    double plain[RW_IMAGE_PARAMETERS], unused[RW_IMAGE_PARAMETERS];
    rw_image_parameter_defaults(now.context, 2.4e9, plain);
    take_terms(paths, terms);
    assert_true(rw_paths_count(paths) > 2 * RW_IMAGE_PATHS_FITTED);
    assert_near(terms[0], RW_IMAGE_PATHS_FITTED, 0);
    assert_near(rw_image_terms_loss_db(terms, plain, unused), power_sum_db(paths), 1e-3);
    rw_paths_destroy(paths);
    end(&now);
}

/* Measurements that known parameters made teach them again. */
static void a_fit_finds_what_made_the_data(void **state)
{
    (void)state;
    prediction now = begin_rooms();
    rw_params *params = make_params(now.context, truth);
    char text[8192] = "x,y,path_loss\n";
    for (int i = 0; i < 60; i++) {
        rw_point point = {
            .size = sizeof(rw_point), .x_m = 5.3 + 0.43 * (i % 10), .y_m = 0.3 + 0.61 * (i / 10), .height_m = 1.4};
        rw_paths *paths = trace(&now, params, point);
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%g,%g,%.9g\n", point.x_m, point.y_m, power_sum_db(paths));
        rw_paths_destroy(paths);
    }
    const char *path = write_text("office.csv", text);
    rw_measurements *measurements;
    assert_ok(now.context, rw_measurements_load(now.context, path, NULL, &measurements));
    rw_calibrate_options options;
    rw_calibrate_options_init(&options);
    options.fit = "walls,reflection,offset";
    options.holdout = "random=0.3";
    options.average = "none";
    rw_calibration *calibration;
    now.options.params = NULL;
    now.options.rx_height_m = 1.4;
    now.options.sum = "power"; /* as the data: errors are those of predictions */
    assert_ok(now.context, rw_calibrate(now.scene, &now.options, measurements, &options, &calibration));
    rw_calibration_info info = {.size = sizeof info};
    rw_calibration_get_info(calibration, &info);
    printf("rmse %.3f to %.3f dB, held out %.3f dB, %d turns\n", info.before.rmse_db, info.after.rmse_db,
           info.holdout_after.rmse_db, info.iterations);
    assert_true(info.before.rmse_db > 3);
    assert_true(info.holdout_after.rmse_db < 0.05);
    for (size_t i = 0; i < sizeof truth / sizeof *truth; i++) {
        rw_calibrated_parameter found = {.size = sizeof found};
        assert_ok(now.context, rw_calibration_get_parameter(calibration, i, &found));
        printf("%s %.3f (%.3f) %s\n", found.name, found.after, truth[i], rw_parameter_state_name(found.state));
        if (found.state == RW_PARAMETER_FITTED && i != 0) /* concrete is met by few paths */
            assert_near(found.after, truth[i], 0.1);
    }
    rw_calibration_destroy(calibration);
    rw_measurements_destroy(measurements);
    rw_params_destroy(params);
    end(&now);
}

static void materials_are_known_by_their_names(void **state)
{
    (void)state;
    assert_int_equal(rw_image_material("REINFORCED_CONCRETE"), 0);
    assert_int_equal(rw_image_material("itu_brick"), 1);
    assert_int_equal(rw_image_material("itu_plasterboard"), 2);
    assert_int_equal(rw_image_material("itu_chipboard"), 3);
    assert_int_equal(rw_image_material("Wood"), 3);
    assert_int_equal(rw_image_material("itu_glass"), 4);
    assert_int_equal(rw_image_material("itu_metal"), RW_IMAGE_OTHER);
    assert_int_equal(rw_image_material(NULL), RW_IMAGE_OTHER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(factors_multiply_losses),
        cmocka_unit_test(terms_say_what_tracing_says),
        cmocka_unit_test(weak_paths_are_one_together),
        cmocka_unit_test(a_fit_finds_what_made_the_data),
        cmocka_unit_test(materials_are_known_by_their_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
