/* The corner database: predictions with and without it are the same; what does not belong together is refused. */
#include "prediction.h"
#include "temporary.h"

#include "base/file.h"
#include "models/shadow/database/database.h"

typedef struct prepared_city {
    prediction now;
    char path[2048];
} prepared_city;

static prepared_city open_city(rw_backend backend, int hills, uint64_t seed)
{
    rw_city_options options;
    rw_city_options_init(&options);
    options.width_m = options.depth_m = 600;
    options.hills = hills;
    options.seed = seed;
    prepared_city made = {0};
    snprintf(made.path, sizeof made.path, "%s", temporary_path("corners.rwdb"));
    rw_context *context = make_context_of(backend, 2);
    if (!context)
        return made;
    rw_scene *scene;
    assert_ok(context, rw_generate_city(context, &options, &scene));
    assert_ok(context, rw_scene_commit(scene));
    made.now = begin_with(context, scene);
    made.now.options.res_m = 10;
    made.now.options.layers = "path_loss,mechanism";
    return made;
}

static void make_database(prepared_city *city)
{
    rw_preprocess_options options;
    rw_preprocess_options_init(&options);
    options.res_m = city->now.options.res_m;
    assert_ok(city->now.context, rw_preprocess(city->now.scene, &options, city->path));
}

static int different(float a, float b)
{
    return !(fabsf(a - b) <= 0.01f) && !(isnan(a) && isnan(b)) && !(isinf(a) && isinf(b));
}

/* Puts the transmitter on the nearest street to a place. */
static void place_transmitter(prepared_city *city, double x, double y, double height_m)
{
    rw_map *map = NULL;
    rw_transmitter *tx = &city->now.tx[0];
    tx->height_m = height_m;
    city->now.options.transmitters = city->now.tx;
    for (int i = 0; i < 60 && !map; i++) {
        tx->x_m = x + 7.3 * i;
        tx->y_m = y + 3.1 * i;
        if (rw_predict(city->now.scene, &city->now.options, &map) != RW_OK)
            map = NULL;
    }
    assert_non_null(map);
    rw_map_destroy(map);
}

static size_t compare(prepared_city *city, const rw_database *database, size_t *streets)
{
    rw_map *without = predict(&city->now);
    city->now.options.database = database;
    rw_map *with = predict(&city->now);
    city->now.options.database = NULL;
    rw_map_layer a = layer_of(without, "path_loss"), b = layer_of(with, "path_loss");
    rw_map_layer mechanism = layer_of(with, "mechanism");
    rw_map_info info = info_of(without);
    size_t wrong = 0;
    for (size_t i = 0; i < info.columns * info.rows; i++) {
        wrong += (size_t)different(a.values[i], b.values[i]);
        *streets += mechanism.values[i] == 1;
    }
    rw_map_destroy(without);
    rw_map_destroy(with);
    return wrong;
}

static void same_predictions(rw_backend backend)
{
    size_t wrong = 0, streets = 0;
    for (int hills = 0; hills < 2; hills++) {
        prepared_city city = open_city(backend, hills, 3 + (uint64_t)hills);
        if (!city.now.context)
            skip_test("no GPU");
        rw_database *database;
        make_database(&city);
        assert_ok(city.now.context, rw_database_load(city.now.scene, city.path, &database));
        for (int i = 0; i < 6; i++) { /* the last two with all corners, the very last with all ways */
            place_transmitter(&city, 80 + 110 * (i % 4), 430 - 90 * (i % 4), (double[]){4, 12, 22, 45, 8, 13}[i]);
            city.now.options.effects = i == 5 ? NULL : i % 2 ? "streets,roofs_counted" : "streets";
            city.now.options.order = i < 4 ? 1 + i % 3 : RW_UNSET;
            wrong += compare(&city, database, &streets);
        }
        rw_database_destroy(database);
        end(&city.now);
    }
    printf("%zu of %zu street receivers differ\n", wrong, streets);
    assert_true(streets > 2000 && wrong <= streets / 10000);
}

static void same_on_cpu(void **state)
{
    (void)state;
    same_predictions(RW_BACKEND_CPU);
}

static void same_on_gpu(void **state)
{
    (void)state;
    same_predictions(RW_BACKEND_CUDA);
}

static void refuses_others(void **state)
{
    (void)state;
    prepared_city one = open_city(RW_BACKEND_CPU, 0, 3), other = open_city(RW_BACKEND_CPU, 0, 4);
    rw_database *database, *none;
    rw_map *map;
    make_database(&one);
    assert_int_equal(rw_database_load(other.now.scene, one.path, &none), RW_BAD_INPUT);
    assert_null(none);
    assert_non_null(strstr(rw_last_error(other.now.context), "another scene"));
    assert_ok(one.now.context, rw_database_load(one.now.scene, one.path, &database));
    place_transmitter(&one, 100, 100, 10);
    one.now.options.database = database;
    one.now.options.res_m = 7;
    assert_int_equal(rw_predict(one.now.scene, &one.now.options, &map), RW_BAD_CALL);
    assert_non_null(strstr(rw_last_error(one.now.context), "res 10"));
    rw_database_info info = {.size = sizeof info};
    rw_database_get_info(database, &info);
    assert_true(info.res_m == 10 && info.corners > 50 && info.links > info.corners && info.entries > 100);
    rw_database_destroy(database);
    end(&one.now);
    end(&other.now);
}

/* Every byte of the header changed, and the file cut anywhere: refused or, where padding, read; never a crash. */
static void refuses_damage(void **state)
{
    (void)state;
    prepared_city city = open_city(RW_BACKEND_CPU, 0, 3);
    rw_context *context = city.now.context;
    make_database(&city);
    char *bytes;
    size_t size;
    assert_ok(context, rw_file_read(context, city.path, &bytes, &size));
    for (size_t at = 0; at < size; at += at < 160 ? 1 : size / 53) {
        bytes[at] = (char)(bytes[at] ^ 0x41);
        const char *copy = write_bytes("damaged.rwdb", bytes, size);
        bytes[at] = (char)(bytes[at] ^ 0x41);
        rw_street_tables tables;
        assert_int_equal(rw_street_tables_read(context, copy, NULL, &tables), RW_BAD_INPUT);
    }
    for (size_t length = 1; length < size; length += 1 + size / 41) {
        const char *copy = write_bytes("damaged.rwdb", bytes, length);
        rw_street_tables tables;
        assert_int_equal(rw_street_tables_read(context, copy, NULL, &tables), RW_BAD_INPUT);
    }
    free(bytes);
    end(&city.now);
}

/* A sound file of 48 kB that claims more rows than it has: refused by its size, not by asking for the memory. */
static void refuses_claims(void **state)
{
    (void)state;
    prepared_city city = open_city(RW_BACKEND_CPU, 0, 3);
    rw_context *context = city.now.context;
    rw_street_tables tables;
    rw_database *none;
    make_database(&city);
    assert_ok(context, rw_street_tables_read(context, city.path, city.now.scene, &tables));
    const uint64_t claims[][2] = {{tables.subject.columns, 20000000},
                                  {tables.subject.columns, tables.subject.rows + 1},
                                  {tables.subject.columns, UINT64_MAX / tables.subject.columns + 2},
                                  {0, tables.subject.rows},
                                  {UINT64_MAX, UINT64_MAX}};
    for (size_t i = 0; i < sizeof claims / sizeof *claims; i++) {
        rw_street_tables forged = tables;
        forged.subject.columns = claims[i][0];
        forged.subject.rows = claims[i][1];
        const char *path = temporary_path("forged.rwdb");
        assert_ok(context, rw_street_tables_write(city.now.scene, path, &forged));
        check_sentence(context, rw_database_load(city.now.scene, path, &none), RW_BAD_INPUT, "section 'subject'");
    }
    rw_street_tables_free(&tables);
    end(&city.now);
}

/* Whole by its hashes, with numbers that are not on Earth. */
static void refuses_numbers(void **state)
{
    (void)state;
    static const double bad[] = {NAN, INFINITY, -INFINITY, 1e300, 2e9};
    prepared_city city = open_city(RW_BACKEND_CPU, 0, 3);
    rw_context *context = city.now.context;
    rw_street_tables tables;
    rw_database *none;
    make_database(&city);
    assert_ok(context, rw_street_tables_read(context, city.path, city.now.scene, &tables));
    for (size_t i = 0; i < 5 * sizeof bad / sizeof *bad; i++) {
        rw_street_tables forged = tables;
        float before = tables.link_highest[0];
        double value = bad[i / 5], *places[] = {&forged.subject.x0_m, &forged.subject.y0_m, &forged.subject.res_m,
                                                &forged.subject.height_m};
        if (i % 5 < 4)
            *places[i % 5] = value;
        else
            tables.link_highest[0] = value > 0 && value < 1e38 ? (float)value : NAN;
        const char *path = temporary_path("forged.rwdb");
        assert_ok(context, rw_street_tables_write(city.now.scene, path, &forged));
        check_sentence(context, rw_database_load(city.now.scene, path, &none), RW_BAD_INPUT, "damaged at section");
        tables.link_highest[0] = before;
    }
    rw_street_tables_free(&tables);
    end(&city.now);
}

/* Files of the format before there was a container. */
static void refuses_earlier(void **state)
{
    (void)state;
    prepared_city city = open_city(RW_BACKEND_CPU, 0, 3);
    rw_database *none;
    const char *path = write_text("old.rwdb", "RWSTREET and what was behind it");
    check_sentence(city.now.context, rw_database_load(city.now.scene, path, &none), RW_BAD_INPUT,
                   "earlier version of the program; make it again with rasterwave preprocess");
    path = write_text("old.rwdb", "RWTILES1 and what was behind it");
    check_sentence(city.now.context, rw_database_load(city.now.scene, path, &none), RW_BAD_INPUT, "model tiles");
    end(&city.now);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_on_cpu),    cmocka_unit_test(same_on_gpu),
                                       cmocka_unit_test(refuses_others), cmocka_unit_test(refuses_damage),
                                       cmocka_unit_test(refuses_claims), cmocka_unit_test(refuses_numbers),
                                       cmocka_unit_test(refuses_earlier)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
