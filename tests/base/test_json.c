/* labels: files */
/* The JSON parser: what it accepts, what it refuses and how it says so, numbers to the last bit, linear time. */
#include "unit.h"

#include "base/text/json.h"
#include "base/memory.h"

static rw_context *context;

static rw_status parse(const char *text, rw_json *json)
{
    return rw_json_parse(context, "test.json", rw_string_copy(text), strlen(text), json);
}

static void reads_every_kind(void **state)
{
    (void)state;
    rw_json json;
    assert_ok(context,
              parse(" {\"a\": [1, -2.5e3, true, false, null, \"x\\u00e9\\n\\ud83d\\ude00\"],\n \"b\": {}} ", &json));
    const rw_json_value *root = json.values, *a = rw_json_member(&json, root, "a");
    assert_int_equal(root->count, 2);
    assert_int_equal(a->count, 6);
    const rw_json_value *at = rw_json_first(&json, a);
    assert_true(rw_json_number(at, 0) == 1);
    at = rw_json_next(&json, at);
    assert_true(rw_json_number(at, 0) == -2500);
    at = rw_json_next(&json, at);
    assert_int_equal(at->kind, RW_JSON_TRUE);
    at = rw_json_next(&json, rw_json_next(&json, at));
    assert_int_equal(at->kind, RW_JSON_NULL);
    at = rw_json_next(&json, at);
    assert_string_equal(rw_json_string(at, ""), "x\xC3\xA9\n\xF0\x9F\x98\x80");
    assert_null(rw_json_next(&json, at));
    assert_int_equal(rw_json_member(&json, root, "b")->line, 2);
    assert_null(rw_json_member(&json, root, "c"));
    rw_json_free(&json);
}

static void numbers_are_exact(void **state)
{
    (void)state;
    static const char *texts[] = {"0",
                                  "-0",
                                  "0.1",
                                  "123456789012345",
                                  "9007199254740993",
                                  "1e-320",
                                  "3.14159265358979323846",
                                  "84616.468",
                                  "447422.999",
                                  "-0.452",
                                  "1.7976931348623157e308",
                                  "0.000001",
                                  "12345678.90123456"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        rw_json json;
        assert_ok(context, parse(texts[i], &json));
        double expected = strtod(texts[i], NULL);
        assert_memory_equal(&json.values[0].number, &expected, sizeof expected);
        rw_json_free(&json);
    }
}

static void refuses_what_is_no_json(void **state)
{
    (void)state;
    static const char *texts[] = {"",      " ",          "{",       "[1,",       "[1 2]",       "{\"a\" 1}",   "{a:1}",
                                  "[01]",  "[1.]",       "[.5]",    "[+1]",      "[1e]",        "[1e999]",     "[NaN]",
                                  "[nul]", "\"abc",      "\"\\x\"", "\"\\u12\"", "\"\\ud800\"", "\"\\u0000\"", "[1] 2",
                                  "[1,]",  "{\"a\":1,}", "\"a\nb\""};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        rw_json json;
        if (parse(texts[i], &json) != RW_BAD_INPUT)
            fail_msg("accepted: %s\n", texts[i]);
        assert_non_null(strstr(rw_last_error(context), "test.json: line "));
    }
    rw_json json;
    assert_int_equal(parse("[1,\n2,\n3 4]", &json), RW_BAD_INPUT);
    assert_non_null(strstr(rw_last_error(context), "line 3"));
}

static void depth_is_bounded(void **state)
{
    (void)state;
    size_t depth = 100000;
    char *text = malloc(depth + 1);
    memset(text, '[', depth);
    text[depth] = 0;
    rw_json json;
    assert_int_equal(rw_json_parse(context, "test.json", text, depth, &json), RW_BAD_INPUT);
    assert_non_null(strstr(rw_last_error(context), "too deeply"));
}

static void time_is_linear(void **state)
{
    (void)state;
    size_t count = 1000000, used = 0;
    char *text = malloc(16 * count + 16);
    text[used++] = '[';
    for (size_t i = 0; i < count; i++)
        used += (size_t)sprintf(text + used, "%zu.125,", i);
    text[used - 1] = ']';
    text[used] = 0;
    rw_json json;
    double start_s = rw_seconds();
    assert_ok(context, rw_json_parse(context, "test.json", text, used, &json));
    double seconds = rw_seconds() - start_s;
    printf("%zu numbers in %.3f s\n", count, seconds);
    assert_int_equal(json.values[0].count, count);
    assert_true(seconds < 10); /* quadratic would be minutes */
    rw_json_free(&json);
}

int main(void)
{
    if (rw_context_create(NULL, &context) != RW_OK)
        return 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(reads_every_kind), cmocka_unit_test(numbers_are_exact),
                                       cmocka_unit_test(refuses_what_is_no_json), cmocka_unit_test(depth_is_bounded),
                                       cmocka_unit_test(time_is_linear)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    rw_context_destroy(context);
    return failed;
}
