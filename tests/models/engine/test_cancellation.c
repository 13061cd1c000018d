/* labels: threads */
/* Cancellation: every model passes a check after a bounded number of items, preparation included; a call that is
 * cancelled at any check fails as cancelled and leaves nothing behind: the next call gives the same values as if it had
 * been the first. */
#include "prediction.h"

#include "base/context.h"
#include "base/progress.h"

#define THREADS 2

/* Items between two checks at most: the largest range of a loop. Fills and copies of plain numbers have the largest;
 * what a model computes is in smaller ranges (device/kernels.def). */
#define FILLED_ITEMS_MAX 262144

typedef struct cancelled_model {
    const char *name;
    int is_office;
    size_t items_max; /* of its own work */
    rw_predict_options options;
} cancelled_model;

static const cancelled_model models[] = {
    {"shadow", 0, 4096, {.size = 0}}, {"beams", 0, 4096, {.size = 0}}, {"cubes", 0, 4096, {.size = 0}},
    {"tiles", 0, 4096, {.size = 0}},  {"rt", 0, 8192, {.depth = 2}},   {"images", 1, 4096, {.depth = 2}},
    {"sbr", 1, 4096, {.rays = 8}},
};

static rw_scene *make_cancelled_scene(rw_context *context, const cancelled_model *model)
{
    rw_scene *scene = NULL;
    rw_office_options office;
    rw_city_options city;
    rw_office_options_init(&office);
    rw_city_options_init(&city);
    city.width_m = city.depth_m = 250;
    rw_status status =
        model->is_office ? rw_generate_office(context, &office, &scene) : rw_generate_city(context, &city, &scene);
    if (status == RW_OK)
        status = rw_scene_commit(scene);
    if (status == RW_OK)
        return scene;
    rw_scene_destroy(scene);
    assert_int_equal(status, RW_CANCELLED);
    return NULL;
}

static rw_status predict_cancelled(const rw_scene *scene, const cancelled_model *model, rw_map **map)
{
    rw_transmitter transmitters[2];
    rw_predict_options options;
    rw_predict_options_init_for(&options, model->name);
    for (int i = 0; i < 2; i++) {
        rw_transmitter_init(&transmitters[i]);
        transmitters[i].x_m = model->is_office ? 11.2 + 3 * i : 120 + 30 * i;
        transmitters[i].y_m = model->is_office ? 10.1 : 130;
        transmitters[i].height_m = model->is_office ? 1.3 : 60;
    }
    options.transmitters = transmitters;
    options.transmitter_count = 2;
    options.layers = "path_loss";
    options.res_m = model->is_office ? 1 : 10;
    options.depth = model->options.depth ? model->options.depth : options.depth;
    options.rays = model->options.rays ? model->options.rays : options.rays;
    return rw_predict(scene, &options, map);
}

static void assert_same_values(const rw_map *map, const rw_map *expected, const char *model, size_t cancelled_at)
{
    rw_map_layer values = layer_of(map, "path_loss"), others = layer_of(expected, "path_loss");
    rw_map_info info = info_of(map);
    assert_int_equal(values.bands, others.bands);
    if (memcmp(values.values, others.values, values.bands * info.rows * info.columns * sizeof(float)) != 0)
        fail_msg("%s: other values after it was cancelled at check %zu\n", model, cancelled_at);
}

/* Cancels at one check after the other, in growing steps, on a scene that no call has prepared, until a call reaches
 * its end; then once more on the scene that is prepared. */
static void cancel_everywhere(rw_context *context, const cancelled_model *model, const rw_map *expected)
{
    rw_scene *scene = NULL;
    rw_gaps gaps = {0};
    for (size_t at = 1, step = 1, calls = 0;; at += step, calls++) {
        rw_map *map = NULL;
        gaps = (rw_gaps){.cancel_at = at};
        context->gaps = &gaps;
        if (!scene)
            scene = make_cancelled_scene(context, model);
        rw_status status = scene ? predict_cancelled(scene, model, &map) : RW_CANCELLED;
        context->gaps = NULL;
        if (status == RW_OK) {
            assert_same_values(map, expected, model->name, at);
            rw_map_destroy(map);
            break;
        }
        assert_int_equal(status, RW_CANCELLED);
        assert_null(map);
        assert_non_null(strstr(rw_last_error(context), "cancelled while"));
        assert_true(gaps.checks < at + 64); /* it ends, and computes no more */
        if (calls % 8 == 7 && scene) {
            assert_ok(context, predict_cancelled(scene, model, &map));
            assert_same_values(map, expected, model->name, at);
            rw_map_destroy(map);
        }
        step = calls < 8 ? 1 : step + step / 2 + 1;
    }
    rw_scene_destroy(scene);
}

/* Models of a GPU pass checks between launches. */
static void models_end_on_a_gpu(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        rw_gaps gaps = {0};
        rw_map *expected;
        rw_context *context = make_context_of(RW_BACKEND_CUDA, THREADS);
        if (!context)
            skip_test("there is no GPU");
        rw_scene *scene = make_cancelled_scene(context, &models[i]);
        assert_ok(context, predict_cancelled(scene, &models[i], &expected));
        for (size_t at = 1; at < 40; at += 1 + at / 4) {
            rw_map *map = NULL;
            gaps = (rw_gaps){.cancel_at = at};
            context->gaps = &gaps;
            rw_status status = predict_cancelled(scene, &models[i], &map);
            context->gaps = NULL;
            if (status == RW_OK) {
                rw_map_destroy(map);
                break;
            }
            assert_int_equal(status, RW_CANCELLED);
            assert_ok(context, predict_cancelled(scene, &models[i], &map));
            assert_same_values(map, expected, models[i].name, at);
            rw_map_destroy(map);
        }
        rw_map_destroy(expected);
        rw_scene_destroy(scene);
        rw_context_destroy(context);
    }
}

static void every_model_ends_at_any_check(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        rw_gaps gaps = {0};
        rw_map *expected;
        rw_context *context = make_context_of(RW_BACKEND_CPU, THREADS);
        context->gaps = &gaps;
        rw_scene *scene = make_cancelled_scene(context, &models[i]);
        assert_ok(context, predict_cancelled(scene, &models[i], &expected));
        context->gaps = NULL;
        assert_true(gaps.checks > 20);
        size_t items_max = strstr(gaps.items_of, "fill") ? FILLED_ITEMS_MAX : models[i].items_max;
        if (!(gaps.items <= items_max))
            fail_msg("%s: %zu items of %s between two checks\n", models[i].name, gaps.items, gaps.items_of);
        cancel_everywhere(context, &models[i], expected);
        rw_map_destroy(expected);
        rw_scene_destroy(scene);
        rw_context_destroy(context);
    }
}

/* on_progress is called again during work between two reports, from the thread of the call, and its fraction does
 * not fall. */
typedef struct observed {
    double last;
    size_t calls, falls, limit;
} observed;

static int observe_progress(void *user, double fraction, const char *stage)
{
    observed *seen = user;
    assert_non_null(stage);
    seen->falls += fraction < seen->last;
    seen->last = fraction;
    return seen->limit && ++seen->calls >= seen->limit;
}

static void the_caller_cancels(void **state)
{
    (void)state;
    observed seen = {.limit = 3};
    rw_context_options options;
    rw_context_options_init(&options);
    options.backend = RW_BACKEND_CPU;
    options.threads = THREADS;
    options.on_progress = observe_progress;
    options.user = &seen;
    rw_context *context;
    rw_map *map = NULL;
    assert_int_equal(rw_context_create(&options, &context), RW_OK);
    seen.limit = 0;
    rw_scene *scene = make_generated_city(context, "european", 300, 1, 0);
    seen = (observed){.limit = 1};
    assert_int_equal(predict_cancelled(scene, &models[0], &map), RW_CANCELLED);
    seen = (observed){.limit = SIZE_MAX};
    assert_ok(context, predict_cancelled(scene, &models[0], &map));
    assert_int_equal(seen.falls, 0);
    assert_true(seen.last == 1);
    rw_map_destroy(map);
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_model_ends_at_any_check),
                                       cmocka_unit_test(models_end_on_a_gpu), cmocka_unit_test(the_caller_cancels)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
