/* labels: slow */
/* Memory of a backend: accounts count what is taken, keep it for the next taker and hold budgets; every model gives the
 * same map within a small budget or refuses with a sentence; a second prediction by an open model takes no memory. */
#include "device/device.h"
#include "models/engine/run/session.h"
#include "prediction.h"

#include <math.h>

#define MB 1e6

static void account_counts(void **state)
{
    (void)state;
    rw_context *context = make_context_of(RW_BACKEND_CPU, 1);
    rw_account *account;
    assert_ok(context, rw_account_create(context, &account));
    assert_null(rw_account_enter(account));
    unsigned char *first, *second, *third;
    assert_ok(context, rw_device_alloc(context, RW_BACKEND_CPU, 49152, "bytes", &first));
    assert_ok(context, rw_device_alloc(context, RW_BACKEND_CPU, 3 << 20, "bytes", &second));
    rw_memory_use use = rw_account_use(account, RW_BACKEND_CPU);
    assert_true(use.used == 49152 + (3 << 20) && use.peak == use.used && use.cached == 0 && isinf(use.limit));
    assert_int_equal(use.blocks, 2);
    memset(second, 7, 3 << 20);
    rw_device_free(RW_BACKEND_CPU, second);
    use = rw_account_use(account, RW_BACKEND_CPU);
    assert_true(use.used == 49152 && use.peak == 49152 + (3 << 20) && use.cached == 3 << 20);

    /* the block comes again, zeroed; a much smaller one does not waste it */
    assert_ok(context, rw_device_alloc(context, RW_BACKEND_CPU, 57344, "bytes", &third));
    assert_ok(context, rw_device_alloc(context, RW_BACKEND_CPU, 3000000, "bytes", &second));
    use = rw_account_use(account, RW_BACKEND_CPU);
    assert_int_equal(use.blocks, 3);
    assert_true(use.cached == 0 && use.used == 49152 + 57344 + (3 << 20));
    for (size_t i = 0; i < 3000000; i++)
        assert_int_equal(second[i], 0);

    /* what is given back after the account is closed is given back all the same, from outside of it too */
    assert_true(rw_account_enter(NULL) == account);
    rw_device_free(RW_BACKEND_CPU, third);
    rw_account_close(account);
    rw_device_free(RW_BACKEND_CPU, first);
    rw_device_free(RW_BACKEND_CPU, second);
    rw_context_destroy(context);
}

static void budgets_refuse(void **state)
{
    (void)state;
    rw_context *context = make_context_of(RW_BACKEND_CPU, 1);
    rw_account *account;
    void *first, *second;
    assert_ok(context, rw_account_create(context, &account));
    rw_account_set_budgets(account, 3 * MB, NAN);
    assert_true(isinf(rw_account_use(account, RW_BACKEND_CUDA).limit));
    assert_true(rw_device_buffer_bytes(RW_BACKEND_CPU, 8 * MB, 0.5) == 8 * MB); /* not entered */
    rw_account_enter(account);
    assert_true(rw_device_buffer_bytes(RW_BACKEND_CPU, 8 * MB, 0.5) == 1.5 * MB);
    assert_true(rw_device_buffer_bytes(RW_BACKEND_CPU, 1 * MB, 0.5) == 1 * MB);
    assert_ok(context, rw_device_alloc(context, RW_BACKEND_CPU, 1 << 21, "rays", &first));
    check_sentence(context, rw_device_alloc(context, RW_BACKEND_CPU, 3 << 19, "rays", &second), RW_TOO_LARGE,
                   "rays would need 1.57 MB beside 2.1 MB in use, more than the 3 MB of memory; raise memory to 4 MB");
    assert_null(second);
    rw_device_free(RW_BACKEND_CPU, first);
    assert_ok(context, rw_device_alloc(context, RW_BACKEND_CPU, 900000, "rays", &first));
    assert_ok(context, rw_device_alloc(context, RW_BACKEND_CPU, 3 << 19, "rays", &second)); /* what was kept goes */
    rw_memory_use use = rw_account_use(account, RW_BACKEND_CPU);
    assert_true(use.used + use.cached <= use.limit);
    rw_device_free(RW_BACKEND_CPU, first);
    rw_device_free(RW_BACKEND_CPU, second);
    rw_account_enter(NULL);
    rw_account_close(account);
    rw_context_destroy(context);
}

static void growing_keeps_contents(void **state)
{
    (void)state;
    for (int backend = RW_BACKEND_CPU; backend <= RW_BACKEND_CUDA; backend++) {
        rw_context *context = make_context_of((rw_backend)backend, 1);
        if (!context) /* no GPU */
            continue;
        int values[4] = {3, 1, 4, 1}, read[4];
        void *array = NULL;
        assert_ok(context, rw_device_grow(context, (rw_backend)backend, &array, 0, sizeof values, "values"));
        assert_ok(context, rw_device_upload(context, (rw_backend)backend, array, values, sizeof values));
        assert_ok(context, rw_device_grow(context, (rw_backend)backend, &array, sizeof values, 1 << 20, "values"));
        assert_ok(context, rw_device_download(context, (rw_backend)backend, read, array, sizeof read));
        assert_memory_equal(read, values, sizeof values);
        rw_device_free((rw_backend)backend, array);
        rw_context_destroy(context);
    }
}

/* Items that write as much as their number says into room for ten. */
typedef struct writer {
    size_t written[6], calls;
} writer;

static rw_status write_items(void *user, size_t first, size_t count, rw_batch_fill_fn *fill)
{
    writer *into = user;
    size_t amount = 0;
    into->calls++;
    for (size_t i = first; i < first + count; i++)
        amount += i;
    if (amount > 10) {
        *fill = RW_BATCH_FULL;
        return count > 1 ? RW_OK : RW_TOO_LARGE;
    }
    for (size_t i = first; i < first + count; i++)
        into->written[i]++;
    if (amount < 3)
        *fill = RW_BATCH_SPARSE;
    return RW_OK;
}

/* Every item is done once, whatever the first guess; one that does not fit alone is refused. */
static void batches_are_halved(void **state)
{
    (void)state;
    for (size_t guess = 1; guess <= 8; guess++) {
        writer into = {0};
        size_t size = guess;
        assert_int_equal(rw_batches_run(0, 6, &size, write_items, &into), RW_OK);
        for (size_t i = 0; i < 6; i++)
            assert_int_equal(into.written[i], 1);
        assert_true(size >= 1 && into.calls <= 6);
        assert_int_equal(rw_batches_run(20, 22, &size, write_items, &into), RW_TOO_LARGE);
    }
}

/* A model, its scene, and a budget that makes it work in parts. */
typedef struct model_case {
    const char *model;
    int indoor;
    double budget_bytes;
} model_case;

static const model_case cases[] = {{"shadow", 0, 4 * MB}, {"beams", 0, 4 * MB},   {"cubes", 0, 8 * MB},
                                   {"tiles", 0, 24 * MB}, {"images", 1, 16 * MB}, {"sbr", 1, 2 * MB}};
#define CASES (sizeof cases / sizeof *cases)

static prediction begin_case(const model_case *chosen)
{
    rw_context *context = make_context_of(RW_BACKEND_CPU, 2);
    rw_city_options city;
    rw_office_options office;
    rw_scene *scene;
    rw_city_options_init(&city);
    city.width_m = city.depth_m = 200;
    rw_office_options_init(&office);
    office.width_m = 20;
    office.depth_m = 12;
    assert_ok(context,
              chosen->indoor ? rw_generate_office(context, &office, &scene) : rw_generate_city(context, &city, &scene));
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_with(context, scene);
    rw_predict_options_init_for(&now.options, chosen->model);
    now.options.transmitter_count = 1;
    now.options.res_m = chosen->indoor ? 1 : 10;
    now.options.depth = chosen->indoor || strcmp(chosen->model, "tiles") == 0 ? 2 : RW_UNSET;
    now.options.cells = strcmp(chosen->model, "tiles") == 0 ? "nearest" : NULL;
    now.tx[0].x_m = chosen->indoor ? 6 : 100;
    now.tx[0].y_m = chosen->indoor ? 4 : 100;
    now.tx[0].height_m = chosen->indoor ? 2 : 60;
    return now;
}

static void assert_same_maps(const rw_map *a, const rw_map *b)
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

/* What the open model of this call has taken. */
static rw_memory_use use_of(prediction *now)
{
    rw_session *session;
    assert_ok(now->context, rw_session_open_call(now->scene, &now->options, NULL, &session));
    rw_memory_use use = rw_account_use(session->account, RW_BACKEND_CPU);
    rw_session_close(session, 1);
    return use;
}

static void same_map_within_budget(void **state)
{
    (void)state;
    for (size_t i = 0; i < CASES; i++) {
        prediction now = begin_case(&cases[i]);
        rw_map *free_map = predict(&now), *map;
        now.options.memory_bytes = cases[i].budget_bytes;
        map = predict(&now);
        assert_same_maps(free_map, map);
        rw_memory_use use = use_of(&now);
        assert_true(use.peak > 0 && use.peak <= use.limit && use.limit == cases[i].budget_bytes);
        rw_map_destroy(map);
        rw_map_destroy(free_map);
        now.options.memory_bytes = 20000;
        check_sentence(now.context, rw_predict(now.scene, &now.options, &map), RW_TOO_LARGE, "raise memory");
        assert_null(map);
        end(&now);
    }
}

/* Paths to points have the same budget. */
static void same_paths_within_budget(void **state)
{
    (void)state;
    prediction now = begin_case(&cases[1]);
    rw_paths *unbounded, *paths;
    const rw_point point = {.size = sizeof point, .x_m = 40, .y_m = 60, .height_m = 1.5};
    now.options.transmitters = now.tx;
    assert_ok(now.context, rw_trace(now.scene, &now.options, &point, 1, &unbounded));
    now.options.memory_bytes = 4 * MB;
    assert_ok(now.context, rw_trace(now.scene, &now.options, &point, 1, &paths));
    assert_int_equal(rw_paths_count(paths), rw_paths_count(unbounded));
    rw_paths_destroy(paths);
    rw_paths_destroy(unbounded);
    now.options.memory_bytes = 20000;
    check_sentence(now.context, rw_trace(now.scene, &now.options, &point, 1, &paths), RW_TOO_LARGE, "raise memory");
    end(&now);
}

/* The memory that has been taken after a prediction from each of two places, and how often. */
static void predict_twice(prediction *now, rw_memory_use uses[2])
{
    for (int i = 0; i < 2; i++) {
        rw_map_destroy(predict(now));
        uses[i] = use_of(now);
        now->tx[0].x_m += i ? -3 : 3;
        now->tx[0].y_m += i ? 1 : -1;
    }
}

/* The transmitter moves; the open model has all the memory that it needs. Two models store what they find for a
 * position: images its tree of views, shadow which edges are seen. They may take more at a new position, and none where
 * they have been before. */
static void warm_takes_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < CASES; i++) {
        prediction now = begin_case(&cases[i]);
        int grows = strcmp(cases[i].model, "images") == 0 || strcmp(cases[i].model, "shadow") == 0;
        rw_memory_use first[2], again[2];
        predict_twice(&now, first);
        predict_twice(&now, again);
        assert_true(first[0].blocks > 0);
        assert_true(first[1].blocks >= first[0].blocks && (grows || first[1].blocks == first[0].blocks));
        assert_int_equal(again[0].blocks, first[1].blocks);
        assert_int_equal(again[1].blocks, first[1].blocks);
        assert_true(again[1].used == first[grows ? 1 : 0].used);
        end(&now);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(account_counts),         cmocka_unit_test(budgets_refuse),
        cmocka_unit_test(growing_keeps_contents), cmocka_unit_test(batches_are_halved),
        cmocka_unit_test(same_map_within_budget), cmocka_unit_test(same_paths_within_budget),
        cmocka_unit_test(warm_takes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
