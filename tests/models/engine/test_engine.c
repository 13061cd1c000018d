/* The engine: a model that is open for a scene gives the same map for its next transmitter as one that is opened anew,
 * from one thread or from many; what is kept with a scene goes before what it uses. Every backend that there is. */
#include "models/engine/run/session.h"
#include "prediction.h"
#include "temporary.h"

#include <rasterwave/device_maps.h>

#include <pthread.h>

#define PLACES 4

/* Where a transmitter stands, one call after the other: moved, higher than all roofs, back again at another frequency.
 */
typedef struct moves {
    double x_m[PLACES], y_m[PLACES], height_m[PLACES], freq_hz[PLACES];
} moves;

static const moves city_moves = {{100, 60, 100, 100}, {100, 150, 100, 100}, {60, 60, 140, 60}, {9e8, 9e8, 9e8, 2e9}};
static const moves office_moves = {{6, 15, 6.5, 6}, {4, 9, 4.5, 4}, {2, 2.5, 2, 2}, {2.4e9, 2.4e9, 2.4e9, 5e9}};

static rw_scene *make_city_on(rw_context *context, int hills)
{
    rw_city_options options;
    rw_scene *scene;
    rw_city_options_init(&options);
    options.width_m = options.depth_m = 200;
    options.hills = hills;
    assert_ok(context, rw_generate_city(context, &options, &scene));
    assert_ok(context, rw_scene_commit(scene));
    return scene;
}

static rw_scene *make_city(rw_context *context)
{
    return make_city_on(context, 1);
}

static rw_scene *make_office(rw_context *context)
{
    rw_office_options options;
    rw_scene *scene;
    rw_office_options_init(&options);
    options.width_m = 20;
    options.depth_m = 12;
    assert_ok(context, rw_generate_office(context, &options, &scene));
    assert_ok(context, rw_scene_commit(scene));
    return scene;
}

static void choose(prediction *now, const char *model)
{
    rw_predict_options_init_for(&now->options, model);
    now->options.transmitter_count = 1;
    now->options.res_m = strcmp(model, "images") == 0 || strcmp(model, "sbr") == 0 ? 1 : 25;
    if (strcmp(model, "shadow") == 0)
        now->options.layers = "path_loss,los,walls,mechanism,power,best,ci";
    if (strcmp(model, "beams") == 0)
        now->options.layers = "path_loss,delay_spread,paths,power,best,ci";
    if (strcmp(model, "tiles") == 0)
        now->options.cells = "nearest";
    if (strcmp(model, "images") == 0)
        now->options.pixels = 256;
    if (strcmp(model, "sbr") == 0)
        now->options.rays = 48;
}

static void move(prediction *now, const moves *to, int place)
{
    now->tx[0].x_m = to->x_m[place];
    now->tx[0].y_m = to->y_m[place];
    now->tx[0].height_m = to->height_m[place];
    now->tx[0].freq_hz = to->freq_hz[place];
}

static void assert_same_maps(const rw_map *a, const rw_map *b)
{
    rw_map_info info = info_of(a);
    assert_int_equal(info.layers, info_of(b).layers);
    assert_true(info.layers > 0);
    for (size_t i = 0; i < info.layers; i++) {
        rw_map_layer first = {.size = sizeof first}, second = {.size = sizeof second};
        assert_int_equal(rw_map_get_layer(a, i, &first), RW_OK);
        assert_int_equal(rw_map_get_layer(b, i, &second), RW_OK);
        assert_string_equal(first.name, second.name);
        assert_true(first.count > 0);
        assert_memory_equal(first.values, second.values, first.bands * info.columns * info.rows * sizeof(float));
    }
}

/* The map of one place on a scene of its own without an earlier prediction. */
static rw_map *predict_anew(rw_context *context, rw_scene *(*make)(rw_context *), const char *model, const moves *to,
                            int place, rw_scene **scene)
{
    *scene = make(context);
    prediction now = begin_with(context, *scene);
    choose(&now, model);
    move(&now, to, place);
    return predict(&now);
}

static void check_model(rw_context *context, const char *model, rw_scene *(*make)(rw_context *), const moves *to)
{
    rw_scene *scene = make(context);
    prediction now = begin_with(context, scene);
    choose(&now, model);
    int step = getenv("RASTERWAVE_QUICK") ? 2 : 1; /* quick: the first place, then one that is higher */
    for (int place = 0; place < PLACES; place += step) {
        rw_scene *fresh;
        move(&now, to, place);
        rw_map *warm = predict(&now), *cold = predict_anew(context, make, model, to, place, &fresh);
        assert_same_maps(warm, cold);
        rw_map_destroy(warm);
        rw_map_destroy(cold);
        rw_scene_destroy(fresh);
    }
    rw_scene_destroy(scene);
}

static void warm_maps_are_cold_ones(void **state)
{
    (void)state;
    for (int backend = RW_BACKEND_CPU; backend <= RW_BACKEND_CUDA; backend++) {
        rw_context *context = make_context_of((rw_backend)backend, 2);
        if (!context) /* no GPU */
            continue;
        check_model(context, "shadow", make_city, &city_moves);
        check_model(context, "beams", make_city, &city_moves);
        check_model(context, "cubes", make_city, &city_moves);
        check_model(context, "tiles", make_city, &city_moves);
        check_model(context, "images", make_office, &office_moves);
        check_model(context, "sbr", make_office, &office_moves);
        rw_context_destroy(context);
    }
}

/* A transmitter that is rejected costs the next call nothing: the open model is still there. */
static void a_rejected_call_drops_nothing(void **state)
{
    (void)state;
    const size_t mark = 1000;
    prediction now = begin(RW_BACKEND_CPU, 2);
    now.options.res_m = 25;
    rw_map *before = predict(&now), *rejected = NULL;
    rw_session *session;
    assert_ok(now.context, rw_session_open_call(now.scene, &now.options, NULL, &session));
    session->checked_count[0] = session->checked_count[1] = mark;
    rw_session_close(session, 1);
    now.tx[0].x_m = -1e6;
    assert_int_equal(rw_predict(now.scene, &now.options, &rejected), RW_BAD_CALL);
    assert_null(rejected);
    now.tx[0].x_m = TX_X;
    assert_ok(now.context, rw_session_open_call(now.scene, &now.options, NULL, &session));
    assert_true(session->checked_count[0] == mark && session->state != NULL);
    rw_session_close(session, 1);
    rw_map *after = predict(&now);
    assert_same_maps(before, after);
    rw_map_destroy(before);
    rw_map_destroy(after);
    end(&now);
}

/* Calls with other options between: each has its own open model, and its own copy of the caller's texts. */
static void options_do_not_mix(void **state)
{
    (void)state;
    prediction now = begin(RW_BACKEND_CPU, 2);
    static const char *const effects[] = {"none", "roofs", "walls", "none", "roofs", "walls"};
    rw_map *first[3] = {0};
    now.options.res_m = 20;
    for (int i = 0; i < 6; i++) {
        char text[16];
        snprintf(text, sizeof text, "%s", effects[i]);
        now.options.effects = text;
        rw_map *map = predict(&now);
        memset(text, 'x', sizeof text);
        if (i < 3) {
            first[i] = map;
            continue;
        }
        assert_same_maps(map, first[i - 3]);
        rw_map_destroy(map);
    }
    rw_map_layer free_space = layer_of(first[0], "path_loss"), roofs = layer_of(first[1], "path_loss");
    assert_true(memcmp(free_space.values, roofs.values, free_space.count * sizeof(float)) != 0);
    for (int i = 0; i < 3; i++)
        rw_map_destroy(first[i]);
    end(&now);
}

typedef struct worker {
    prediction now;
    rw_map *map;
} worker;

static void *work(void *user)
{
    worker *mine = user;
    for (int i = 0; i < 4; i++) {
        rw_map_destroy(mine->map);
        mine->map = NULL;
        if (rw_predict(mine->now.scene, &mine->now.options, &mine->map) != RW_OK)
            break;
    }
    return NULL;
}

static void threads_share_a_scene(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    prediction now = begin(RW_BACKEND_CPU, 1);
    now.options.res_m = 20;
    now.options.effects = "roofs,walls";
    worker workers[THREADS];
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        workers[i] = (worker){.now = now};
        workers[i].now.tx[0].x_m += 5 * (i % 2);
        workers[i].now.options.transmitters = workers[i].now.tx;
        assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++)
        assert_non_null(workers[i].map);
    assert_same_maps(workers[0].map, workers[2].map);
    assert_same_maps(workers[1].map, workers[3].map);
    for (int i = 0; i < THREADS; i++)
        rw_map_destroy(workers[i].map);
    end(&now);
}

/* A database goes; what was open with it must not be found again by one at the same address. */
static void databases_come_and_go(void **state)
{
    (void)state;
    prediction now = begin(RW_BACKEND_CPU, 2);
    const char *path = temporary_path("corners.rwdb");
    rw_preprocess_options options;
    rw_preprocess_options_init(&options);
    options.res_m = now.options.res_m = 20;
    assert_ok(now.context, rw_preprocess(now.scene, &options, path));
    rw_map *first = NULL;
    for (int i = 0; i < 3; i++) {
        rw_database *database;
        assert_ok(now.context, rw_database_load(now.scene, path, &database));
        now.options.database = database;
        rw_map *map = predict(&now);
        rw_database_destroy(database);
        if (first)
            assert_same_maps(map, first);
        if (first)
            rw_map_destroy(map);
        else
            first = map;
    }
    rw_map_destroy(first);
    end(&now);
}

/* A call that fails leaves nothing behind that the next one would take. */
static void failures_leave_nothing(void **state)
{
    (void)state;
    prediction now = begin(RW_BACKEND_CPU, 2);
    now.options.res_m = 20;
    now.options.effects = "roofs,walls";
    rw_map *before = predict(&now), *map;
    now.tx[0].x_m = 1e7;
    assert_int_equal(rw_predict(now.scene, &now.options, &map), RW_BAD_CALL);
    now.tx[0].x_m = TX_X;
    rw_map *after = predict(&now);
    assert_same_maps(before, after);
    rw_map_destroy(before);
    rw_map_destroy(after);
    end(&now);
}

/* What a prediction said of its progress: shares that rise. */
typedef struct progress_log {
    double last;
    int moved;     /* times that it went on, before the end */
    int estimates; /* calls of on_estimate, and what the last said */
    size_t cells, transmitters;
} progress_log;

static int note_progress(void *user, double share, const char *stage)
{
    progress_log *log = user;
    if (strcmp(stage, "predicting") != 0)
        return 0;
    assert_true(share >= log->last - 1e-9 && share <= 1 + 1e-9);
    log->moved += share > log->last && share < 1 - 1e-9;
    log->last = share;
    return 0;
}

static void note_estimate(void *user, size_t cells, size_t transmitters, double seconds, double bytes)
{
    progress_log *log = user;
    log->estimates++;
    log->cells = cells;
    log->transmitters = transmitters;
    assert_true(seconds > 0 && bytes > 0);
}

/* Progress goes on inside one transmitter, in every model; of two, the first is the first half. */
static void progress_moves(void **state)
{
    (void)state;
    static const char *const models[] = {"shadow", "beams", "cubes", "tiles", "rt", "images", "sbr"};
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        int room = strcmp(models[i], "images") == 0 || strcmp(models[i], "sbr") == 0;
        progress_log log = {0};
        rw_context *context;
        rw_context_options options;
        rw_context_options_init(&options);
        options.backend = RW_BACKEND_CPU;
        options.threads = 2;
        options.on_progress = note_progress;
        options.on_estimate = note_estimate;
        options.user = &log;
        assert_int_equal(rw_context_create(&options, &context), RW_OK);
        rw_scene *scene = room ? make_office(context) : make_city(context);
        prediction now = begin_with(context, scene);
        choose(&now, models[i]);
        move(&now, room ? &office_moves : &city_moves, 0);
        if (strcmp(models[i], "rt") == 0)
            assert_ok(context, rw_predict_options_set(context, &now.options, "depth", "1"));
        rw_map_destroy(predict(&now));
        if (log.moved < 1)
            fail_msg("progress of %s stands still", models[i]);
        assert_near(log.last, 1, 1e-9);
        rw_estimate estimate = {.size = sizeof estimate};
        assert_ok(context, rw_predict_estimate(scene, &now.options, &estimate));
        assert_int_equal(log.estimates, 1); /* one for the run; none is announced by rw_predict_estimate */
        assert_int_equal(log.cells, estimate.cells);
        assert_int_equal(log.transmitters, estimate.transmitters);
        end(&now);
    }
}

/* The estimate is there before a prediction, in every model, and grows with its work. */
static void estimates_grow(void **state)
{
    (void)state;
    static const char *const models[] = {"shadow", "beams", "cubes", "tiles", "rt", "images", "sbr"};
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        int room = strcmp(models[i], "images") == 0 || strcmp(models[i], "sbr") == 0;
        rw_context *context = make_context_of(RW_BACKEND_CPU, 2);
        rw_scene *scene = room ? make_office(context) : make_city(context);
        prediction now = begin_with(context, scene);
        rw_estimate coarse = {.size = sizeof coarse}, fine = coarse, points = coarse;
        choose(&now, models[i]);
        move(&now, room ? &office_moves : &city_moves, 0);
        now.options.transmitters = now.tx;
        assert_ok(context, rw_predict_estimate(scene, &now.options, &coarse));
        assert_ok(context, rw_trace_estimate(scene, &now.options, 3, &points));
        now.options.res_m /= 8;
        assert_ok(context, rw_predict_estimate(scene, &now.options, &fine));
        assert_true(coarse.seconds > 0 && coarse.bytes > 0);
        assert_true(fine.seconds >= coarse.seconds && fine.bytes > 30 * coarse.bytes);
        assert_int_equal(points.cells, 3);
        assert_true(points.seconds > 0 && points.seconds < 100);
        end(&now);
    }
}

/* A map of the transmitters of the options. */
static rw_map *predict_for(const prediction *now)
{
    rw_map *map;
    assert_ok(now->context, rw_predict(now->scene, &now->options, &map));
    return map;
}

/* One layer of all transmitters by rw_predict_many; in memory of the backend it goes through a buffer there. */
static void predict_many(const prediction *now, rw_memory_location memory, rw_element_type type, void *values,
                         size_t bytes)
{
    rw_buffer *buffer = NULL;
    rw_map_array array;
    rw_map_array_init(&array);
    array.values = values;
    array.bytes = bytes;
    array.memory = memory;
    array.type = type;
    if (memory == RW_MEMORY_BACKEND) {
        assert_ok(now->context, rw_buffer_create(now->context, bytes, &buffer));
        array.values = rw_buffer_data(buffer);
    }
    assert_ok(now->context, rw_predict_many(now->scene, &now->options, &array));
    if (buffer)
        assert_ok(now->context, rw_buffer_read(now->context, buffer, 0, values, bytes));
    rw_buffer_destroy(buffer);
}

/* Bytes of layer los against its floats. */
static void assert_same_sight(const uint8_t *bytes, const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        assert_int_equal(bytes[i], isnan(values[i]) ? 255 : (int)values[i]);
}

static void check_many(prediction *now, const char *layer)
{
    now->options.layers = layer;
    rw_map *map = predict_for(now);
    rw_map_info info = info_of(map), grid = {.size = sizeof grid};
    assert_ok(now->context, rw_predict_many_grid(now->scene, &now->options, &grid));
    assert_true(grid.columns == info.columns && grid.rows == info.rows && grid.x0_m == info.x0_m);
    size_t count = now->options.transmitter_count * info.columns * info.rows;
    const float *expected = layer_of(map, layer).values;
    float *values = calloc(count, sizeof *values);
    assert_non_null(values);
    int cpu = strcmp(rw_context_backend(now->context), "cpu") == 0; /* where both are the same */
    for (int memory = RW_MEMORY_HOST; memory <= (cpu ? RW_MEMORY_HOST : RW_MEMORY_BACKEND); memory++) {
        memset(values, 0, count * sizeof *values);
        predict_many(now, (rw_memory_location)memory, RW_ELEMENT_FLOAT32, values, count * sizeof *values);
        assert_memory_equal(values, expected, count * sizeof *values);
        if (strcmp(layer, "los") != 0)
            continue;
        predict_many(now, cpu ? RW_MEMORY_BACKEND : (rw_memory_location)memory, RW_ELEMENT_UINT8, values, count);
        assert_same_sight((const uint8_t *)values, expected, count);
    }
    free(values);
    rw_map_destroy(map);
}

/* Many maps are those of rw_predict: straight into memory of the caller, and through main memory where the engine adds
 * air or leaves out receivers. */
static void many_maps_are_single_maps(void **state)
{
    (void)state;
    static const char *const models[] = {"shadow", "beams", "cubes", "tiles", "images", "sbr"};
    for (int backend = RW_BACKEND_CPU; backend <= RW_BACKEND_CUDA; backend++)
        for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
            rw_context *context = make_context_of((rw_backend)backend, 2);
            if (!context) /* no GPU */
                continue;
            int room = strcmp(models[i], "images") == 0 || strcmp(models[i], "sbr") == 0;
            prediction now = begin_with(context, room ? make_office(context) : make_city(context));
            choose(&now, models[i]);
            const moves *to = room ? &office_moves : &city_moves;
            rw_transmitter several[PLACES];
            for (int place = 0; place < PLACES; place++) {
                move(&now, to, place);
                several[place] = now.tx[0];
            }
            now.options.transmitters = several;
            now.options.transmitter_count = i == 0 ? PLACES : 2;
            check_many(&now, "path_loss");
            if (i == 0) {
                check_many(&now, "power");
                check_many(&now, "los");
                check_many(&now, "walls");
                now.options.method = "polygons";
                check_many(&now, "los");
                now.options.method = NULL;
                now.options.exclude_within_m = 30;
                check_many(&now, "los");
                now.options.rain_mm_h = 20;
                check_many(&now, "path_loss");
            }
            end(&now);
        }
}

/* More maps than pass through main memory at once. */
static void many_maps_go_in_parts(void **state)
{
    (void)state;
    enum { COUNT = 30 };
    rw_context *context = make_context_of(RW_BACKEND_CPU, 2);
    prediction now = begin_with(context, make_city_on(context, 0));
    rw_transmitter several[COUNT];
    move(&now, &city_moves, 0);
    for (int i = 0; i < COUNT; i++) {
        several[i] = now.tx[0];
        several[i].height_m += i;
    }
    now.options.res_m = 0.25;
    now.options.layers = "los";
    now.options.exclude_within_m = 10;
    rw_map_info grid = {.size = sizeof grid};
    assert_ok(now.context, rw_predict_many_grid(now.scene, &now.options, &grid));
    size_t cells = grid.columns * grid.rows;
    assert_true((double)COUNT * (double)cells * sizeof(float) > 64 * 1048576.0); /* in two parts */
    uint8_t *many = malloc(COUNT * cells);
    assert_non_null(many);
    now.options.transmitters = several;
    now.options.transmitter_count = COUNT;
    predict_many(&now, RW_MEMORY_HOST, RW_ELEMENT_UINT8, many, COUNT * cells);
    for (int i = 0; i < COUNT; i += COUNT - 1) {
        now.options.transmitters = &several[i];
        now.options.transmitter_count = 1;
        rw_map *map = predict_for(&now);
        assert_same_sight(many + (size_t)i * cells, layer_of(map, "los").values, cells);
        rw_map_destroy(map);
    }
    free(many);
    end(&now);
}

static void assert_many_refused(const prediction *now, rw_map_array array, const char *layers, const char *sentence)
{
    rw_predict_options options = now->options;
    options.layers = layers;
    assert_int_equal(rw_predict_many(now->scene, &options, &array), RW_BAD_CALL);
    if (!strstr(rw_last_error(now->context), sentence))
        fail_msg("'%s' says nothing of %s", rw_last_error(now->context), sentence);
}

static void many_maps_are_refused(void **state)
{
    (void)state;
    static float values[65536];
    prediction now = begin(RW_BACKEND_CPU, 2);
    now.options.res_m = 20;
    now.options.transmitters = now.tx;
    rw_map_array array;
    rw_map_array_init(&array);
    array.values = values;
    array.bytes = sizeof values;
    assert_many_refused(&now, array, "path_loss,los", "one layer");
    assert_many_refused(&now, array, "best", "of all transmitters together");
    assert_many_refused(&now, array, "nothing", "no layer 'nothing'");
    array.type = RW_ELEMENT_UINT8;
    assert_many_refused(&now, array, "path_loss", "bytes are for layer los");
    array.bytes = 3;
    assert_many_refused(&now, array, "los", "has room for 3");
    array.bytes = sizeof values;
    array.values = NULL;
    assert_many_refused(&now, array, "los", "has room for 0");
    array.values = (char *)values + 1;
    array.type = RW_ELEMENT_FLOAT32;
    assert_many_refused(&now, array, "los", "multiple");
    array.values = values;
    array.type = (rw_element_type)7;
    assert_many_refused(&now, array, "los", "element type 7");
    array.type = RW_ELEMENT_FLOAT32;
    array.memory = (rw_memory_location)7;
    assert_many_refused(&now, array, "los", "place of memory 7");
    array.memory = RW_MEMORY_HOST;
    now.options.transmitter_count = 0;
    assert_many_refused(&now, array, "los", "no transmitter");
    array.size = 0;
    assert_many_refused(&now, array, "los", "no size");
    end(&now);
}

/* A buffer lives as long as one who has a share in it, also without its context. */
static void buffers_are_shared(void **state)
{
    (void)state;
    rw_context *context = make_context_of(RW_BACKEND_CPU, 1);
    rw_buffer *buffer;
    assert_ok(context, rw_buffer_create(context, 24, &buffer));
    const float written[6] = {1, 2, 3, 4, 5, 6};
    float read[6] = {0};
    assert_ok(context, rw_buffer_write(context, buffer, 8, written, 16));
    assert_ok(context, rw_buffer_read(context, buffer, 0, read, sizeof read));
    assert_true(read[0] == 0 && read[1] == 0 && read[2] == 1 && read[5] == 4);
    assert_int_equal(rw_buffer_read(context, buffer, 8, read, 17), RW_BAD_CALL);
    const size_t shape[2] = {2, 3}, large[2] = {2, 4}, endless[2] = {SIZE_MAX, SIZE_MAX};
    rw_dlpack_view view = {.size = sizeof view, .shape = shape, .dimensions = 2, .type_code = 2, .type_bits = 32};
    struct { /* the beginning of a DLManagedTensor */
        float *data;
        int32_t device_type, device_number, dimensions;
        uint8_t code, bits;
        uint16_t lanes;
        int64_t *shape, *strides;
        uint64_t offset;
        void *owner;
        void (*deleter)(void *);
    } * tensor;
    assert_ok(context, rw_buffer_to_dlpack(context, buffer, &view, (void **)&tensor));
    void *other = NULL;
    view.shape = large;
    assert_int_equal(rw_buffer_to_dlpack(context, buffer, &view, &other), RW_BAD_CALL);
    view.shape = endless;
    assert_int_equal(rw_buffer_to_dlpack(context, buffer, &view, &other), RW_BAD_CALL);
    view.dimensions = 9;
    assert_int_equal(rw_buffer_to_dlpack(context, buffer, &view, &other), RW_BAD_CALL);
    view.dimensions = 1;
    view.type_bits = 3;
    assert_int_equal(rw_buffer_to_dlpack(context, buffer, &view, &other), RW_BAD_CALL);
    assert_null(other);
    rw_buffer_destroy(buffer);
    rw_buffer_destroy(NULL);
    rw_context_destroy(context);
    assert_true(tensor->data[2] == 1 && tensor->device_type == 1 && tensor->dimensions == 2 && tensor->lanes == 1);
    assert_true(tensor->code == 2 && tensor->bits == 32 && tensor->offset == 0);
    assert_true(tensor->shape[0] == 2 && tensor->shape[1] == 3 && tensor->strides[0] == 3 && tensor->strides[1] == 1);
    tensor->deleter(tensor);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(warm_maps_are_cold_ones),
        cmocka_unit_test(a_rejected_call_drops_nothing),
        cmocka_unit_test(options_do_not_mix),
        cmocka_unit_test(threads_share_a_scene),
        cmocka_unit_test(databases_come_and_go),
        cmocka_unit_test(failures_leave_nothing),
        cmocka_unit_test(progress_moves),
        cmocka_unit_test(estimates_grow),
        cmocka_unit_test(many_maps_are_single_maps),
        cmocka_unit_test(many_maps_go_in_parts),
        cmocka_unit_test(many_maps_are_refused),
        cmocka_unit_test(buffers_are_shared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
