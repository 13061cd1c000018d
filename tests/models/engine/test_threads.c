/* labels: threads */
/* Many threads of a program on one scene and one context: each predicts, traces and reads errors of its own, and gets
 * what it would get alone. Also built with ThreadSanitizer (./check --all, step threads). */
#include "prediction.h"

#include <pthread.h>

#define THREADS 6
#define ROUNDS 2

/* Models and what each thread asks them for. */
static const char *const models[] = {"shadow", "beams", "cubes", "images", "sbr", "tiles"};

typedef struct asking {
    const rw_scene *scene;
    rw_context *context;
    const char *model;
    int has_paths;
    rw_transmitter transmitter;
    float *expected; /* of path_loss */
    size_t count;
    int wrong;
} asking;

static rw_predict_options options_of(const asking *own)
{
    rw_predict_options options;
    rw_predict_options_init_for(&options, own->model);
    options.transmitters = &own->transmitter;
    options.transmitter_count = 1;
    options.freq_hz = 947e6;
    options.res_m = 20;
    options.layers = "path_loss";
    return options;
}

static int predict_layer(const asking *own, rw_map **map, rw_map_layer *layer)
{
    rw_predict_options options = options_of(own);
    *layer = (rw_map_layer){.size = sizeof *layer};
    *map = NULL;
    return rw_predict(own->scene, &options, map) == RW_OK && rw_map_get_layer(*map, 0, layer) == RW_OK;
}

static void *ask(void *user)
{
    asking *own = user;
    for (int round = 0; round < ROUNDS; round++) {
        rw_map *map;
        rw_map_layer layer;
        own->wrong += !predict_layer(own, &map, &layer) ||
                      memcmp(layer.values, own->expected, own->count * sizeof *own->expected) != 0;
        rw_map_destroy(map);
        rw_predict_options options = options_of(own);
        rw_point point = {
            .size = sizeof point, .x_m = own->transmitter.x_m + 40, .y_m = own->transmitter.y_m, .height_m = 1.5};
        rw_paths *paths = NULL;
        own->wrong += rw_trace(own->scene, &options, &point, 1, &paths) != (own->has_paths ? RW_OK : RW_BAD_CALL);
        rw_paths_destroy(paths);
        options.res_m = -1 - round;
        own->wrong += rw_predict(own->scene, &options, &map) != RW_BAD_CALL;
        own->wrong += !strstr(rw_last_error(own->context), round ? "-2" : "-1");
    }
    return NULL;
}

static void keep_expected(asking *own)
{
    rw_map *map;
    rw_map_layer layer;
    if (!predict_layer(own, &map, &layer))
        fail_msg("%s: %s", own->model, rw_last_error(own->context));
    rw_map_info info = {.size = sizeof info};
    assert_ok(own->context, rw_map_get_info(map, &info));
    own->count = info.columns * info.rows;
    own->expected = malloc(own->count * sizeof *own->expected);
    assert_non_null(own->expected);
    memcpy(own->expected, layer.values, own->count * sizeof *own->expected);
    rw_map_destroy(map);
}

/* Thread i asks model i, or all the same one. */
static void ask_at_once(const char *model)
{
    rw_context *context = make_context_of(RW_BACKEND_CPU, 2);
    rw_scene *scene = make_generated_city(context, "grid", 160, 3, 0);
    asking each[THREADS];
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        each[i] = (asking){.scene = scene, .context = context, .model = model ? model : models[i]};
        each[i].has_paths = strcmp(each[i].model, "sbr") != 0;
        rw_transmitter_init(&each[i].transmitter);
        each[i].transmitter.x_m = 60 + 10 * i;
        each[i].transmitter.y_m = 80;
        each[i].transmitter.height_m = 250;
        keep_expected(&each[i]);
    }
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, ask, &each[i]), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++) {
        if (each[i].wrong)
            fail_msg("%s: %d wrong answers", each[i].model, each[i].wrong);
        free(each[i].expected);
    }
    rw_scene_destroy(scene);
    rw_context_destroy(context);
}

static void models_beside_each_other(void **state)
{
    (void)state;
    ask_at_once(NULL);
}

/* What a model keeps open with the scene is shared or made anew. */
static void one_model_by_all(void **state)
{
    (void)state;
    ask_at_once("shadow");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(models_beside_each_other), cmocka_unit_test(one_model_by_all)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
