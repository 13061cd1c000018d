/* Parameters of models and their files: values come back as they were, and what is wrong is refused in a sentence. */
#include "models/engine/parameters.h"

#include "temporary.h"

static rw_context *context;

static rw_params *make(void)
{
    rw_params *params;
    assert_ok(context, rw_params_create(context, "shadow", 947e6, &params));
    return params;
}

static double value_of(const rw_params *params, const char *name)
{
    rw_parameter parameter = {.size = sizeof parameter};
    assert_ok(context, rw_params_get(params, rw_params_find(params, name), &parameter));
    return parameter.value;
}

static void the_list_is_whole(void **state)
{
    (void)state;
    rw_params *params = make();
    rw_parameter parameter = {.size = sizeof parameter};
    assert_string_equal(rw_params_model(params), "shadow");
    assert_near(rw_params_freq_hz(params), 947e6, 0);
    assert_int_equal(rw_params_count(params), 17);
    for (size_t i = 0; i < rw_params_count(params); i++) {
        assert_ok(context, rw_params_get(params, i, &parameter));
        assert_true(parameter.low <= parameter.value && parameter.value <= parameter.high);
        assert_true(*parameter.about && *parameter.group && isnan(parameter.standard_error));
        assert_near(parameter.uncalibrated, parameter.value, 0);
        assert_int_equal(rw_params_find(params, parameter.name), i);
    }
    assert_near(value_of(params, "wall_first_db"), 12, 0);
    assert_near(value_of(params, "wall_ratio"), 0.95, 0);
    assert_near(value_of(params, "offset_db"), 0, 0);
    assert_int_equal(rw_params_get(params, 17, &parameter), RW_BAD_CALL);
    rw_params_destroy(params);
}

static void files_come_back(void **state)
{
    (void)state;
    rw_params *params = make(), *again;
    const char *path = temporary_path("params.json");
    assert_ok(context, rw_params_set(params, "wall_first_db", 0.1 + 0.2));
    assert_ok(context, rw_params_set(params, "street_a3_db_rad3", 1.0 / 3));
    params->standard_errors[0] = 1e-3;
    params->record = (rw_params_record){.points = 970,
                                        .holdout_points = 12,
                                        .rmse_before_db = 20.5,
                                        .rmse_after_db = 1.0 / 7,
                                        .holdout_rmse_before_db = NAN,
                                        .holdout_rmse_after_db = 6};
    assert_ok(context, rw_params_set_record_strings(params, "a \"quoted\" \\ r\xc3\xb6ute\n.csv", "roofs,walls",
                                                    "2026-11-15", "route=b"));
    assert_ok(context, rw_params_save(params, path));
    assert_ok(context, rw_params_load(context, path, &again));
    assert_memory_equal(params->values, again->values, sizeof params->values);
    assert_near(again->standard_errors[0], 1e-3, 0);
    assert_true(isnan(again->standard_errors[1]));
    rw_params_record record = {.size = sizeof record};
    assert_ok(context, rw_params_get_record(again, &record));
    assert_string_equal(record.data, params->record.data);
    assert_string_equal(record.effects, "roofs,walls");
    assert_string_equal(record.holdout, "route=b");
    assert_string_equal(record.date, "2026-11-15");
    assert_int_equal(record.points, 970);
    assert_int_equal(record.holdout_points, 12);
    assert_near(record.rmse_after_db, 1.0 / 7, 0);
    assert_true(isnan(record.holdout_rmse_before_db));
    rw_params_destroy(params);
    rw_params_destroy(again);
}

/* Written by hand: numbers alone, and only what is known. */
static void what_is_left_out_keeps_its_default(void **state)
{
    (void)state;
    rw_params *params = make(), *read;
    const char *path = write_text("short.json", "{\"model\": \"shadow\", \"freq_hz\": 947e6,\n"
                                                "\"parameters\": {\"wall_ratio\": 0.5}}");
    assert_ok(context, rw_params_load(context, path, &read));
    assert_near(value_of(read, "wall_ratio"), 0.5, 0);
    assert_near(value_of(read, "roof_a1_db_rad"), value_of(params, "roof_a1_db_rad"), 0);
    rw_params_destroy(params);
    rw_params_destroy(read);
}

static void refuses_file(const char *parameters, const char *words)
{
    char text[1024];
    rw_params *params = NULL;
    snprintf(text, sizeof text, "{\"model\": \"shadow\",\n\"freq_hz\": 947e6,\n\"parameters\": {%s}}", parameters);
    rw_status status = rw_params_load(context, write_text("bad.json", text), &params);
    check_sentence(context, status, RW_BAD_INPUT, words);
    assert_null(params);
}

static void refuses_text(const char *text, const char *words)
{
    rw_params *params = NULL;
    check_sentence(context, rw_params_load(context, write_text("bad.json", text), &params), RW_BAD_INPUT, words);
    assert_null(params);
}

static void bad_files_are_refused(void **state)
{
    (void)state;
    rw_params *params = NULL;
    refuses_file("\"fog_db\": 1", "line 3: model shadow has no parameter 'fog_db'");
    refuses_file("\"wall_ratio\": 1.01", "wall_ratio is 1.01, which is not between 0 and 1");
    refuses_file("\"wall_first_db\": -1", "wall_first_db is -1 dB, which is not between 0 and 60");
    refuses_file("\"wall_first_db\": \"12\"", "is to be a number");
    refuses_file("\"wall_first_db\": {\"unit\": \"dB\"}", "is to be a number");
    refuses_file("\"wall_first_db\": {\"value\": 3, \"unit\": \"dBm\"}", "is in 'dBm', expected 'dB'");
    refuses_file("\"wall_first_db\": {\"value\": 3, \"standard_error\": -1}", "standard error");
    refuses_file("\"wall_ratio\": 0.5, \"wall_ratio\": 0.5", "given twice");
    refuses_file("\"roof_a1_db_rad\": 1, \"roof_a2_db_rad2\": -5", "falls somewhere between 0 and pi");
    refuses_text("{}", "\"model\"");
    refuses_text("{\"model\": \"fog\", \"freq_hz\": 1e9}", "\"model\"");
    refuses_text("{\"model\": \"shadow\"}", "\"freq_hz\"");
    refuses_text("{\"model\": \"shadow\", \"freq_hz\": 947}", "\"freq_hz\"");
    refuses_text("{\"model\": \"shadow\", \"freq_hz\": 1e9}", "no object \"parameters\"");
    refuses_text("{\"model\": \"shadow\", \"freq_hz\": 1e9, \"parameters\": {", "line 1");
    refuses_text("", "empty");
    assert_int_equal(rw_params_load(context, temporary_path("missing.json"), &params), RW_NOT_FOUND);
}

static void bad_values_are_refused(void **state)
{
    (void)state;
    rw_params *params = make();
    check_sentence(context, rw_params_set(params, "fog", 1), RW_BAD_CALL, "no parameter 'fog'");
    check_sentence(context, rw_params_set(params, "wall_ratio", NAN), RW_BAD_INPUT, "not between 0 and 1");
    check_sentence(context, rw_params_set(params, "wall_ratio", INFINITY), RW_BAD_INPUT, "not between 0 and 1");
    /* Each coefficient is possible, the curve is not: that is seen before anything is written. */
    assert_ok(context, rw_params_set(params, "street_a2_db_rad2", -30));
    const char *path = temporary_path("never.json");
    check_sentence(context, rw_params_save(params, path), RW_BAD_INPUT, "street_a0_db to street_a3_db_rad3");
    assert_int_not_equal(access(path, F_OK), 0);
    rw_params_destroy(params);
    check_sentence(context, rw_params_create(context, "fog", 947e6, &params), RW_BAD_CALL, "no model 'fog'");
    check_sentence(context, rw_params_create(context, "shadow", NAN, &params), RW_BAD_CALL, "1 MHz");
    assert_null(params);
}

static void a_full_disk_leaves_nothing(void **state)
{
    (void)state;
    rw_params *params = make();
    size_t before = temporary_count();
    struct rlimit limit = full_disk_begin(100);
    rw_status status = rw_params_save(params, temporary_path("full.json"));
    full_disk_end(limit);
    assert_int_equal(status, RW_IO);
    assert_int_equal(temporary_count(), before);
    rw_params_destroy(params);
}

/* Models that nothing can be fitted to say so. */
static void models_without_parameters_are_refused(void **state)
{
    (void)state;
    rw_params *params;
    static const char *const models[] = {"rt", "tiles", "sbr"};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(rw_params_create(context, models[i], 1e9, &params), RW_UNSUPPORTED);
        assert_non_null(strstr(rw_last_error(context), "has no parameters to fit"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_without_parameters_are_refused),
        cmocka_unit_test(the_list_is_whole),
        cmocka_unit_test(files_come_back),
        cmocka_unit_test(what_is_left_out_keeps_its_default),
        cmocka_unit_test(bad_files_are_refused),
        cmocka_unit_test(bad_values_are_refused),
        cmocka_unit_test(a_full_disk_leaves_nothing),
    };
    context = make_context();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rw_context_destroy(context);
    return failed;
}
