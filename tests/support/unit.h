/* cmocka where it is installed; where not (clusters, GPU machines), the few of its calls that the tests use. */
#ifndef RW_TESTS_UNIT_H
#define RW_TESTS_UNIT_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef RW_WITH_CMOCKA
#include <cmocka.h>
#else

struct CMUnitTest {
    const char *name;
    void (*test)(void **state);
};

static jmp_buf rw_unit_jump;
enum { RW_UNIT_FAILED = 1, RW_UNIT_SKIPPED = 2 };

#define rw_unit_check(condition, text)                                                                                 \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            printf("%s:%d: %s\n", __FILE__, __LINE__, text);                                                           \
            longjmp(rw_unit_jump, RW_UNIT_FAILED);                                                                     \
        }                                                                                                              \
    } while (0)
#define assert_true(c) rw_unit_check(c, "not true: " #c)
#define assert_false(c) rw_unit_check(!(c), "not false: " #c)
#define assert_int_equal(a, b) rw_unit_check((long long)(a) == (long long)(b), #a " is not " #b)
#define assert_int_not_equal(a, b) rw_unit_check((long long)(a) != (long long)(b), #a " is " #b)
#define assert_string_equal(a, b) rw_unit_check(strcmp(a, b) == 0, #a " is not " #b)
#define assert_non_null(a) rw_unit_check((a) != NULL, #a " is NULL")
#define assert_null(a) rw_unit_check((a) == NULL, #a " is not NULL")
#define assert_memory_equal(a, b, n) rw_unit_check(memcmp(a, b, n) == 0, #a " is not " #b)
#define fail_msg(...)                                                                                                  \
    do {                                                                                                               \
        printf(__VA_ARGS__);                                                                                           \
        rw_unit_check(0, "");                                                                                          \
    } while (0)
#define skip() longjmp(rw_unit_jump, RW_UNIT_SKIPPED)
#define cmocka_unit_test(f)                                                                                            \
    {                                                                                                                  \
#f, f                                                                                                          \
    }

/* Apart from the loop over the tests, whose variables a jump would leave undefined. */
static int rw_unit_run_one(const struct CMUnitTest *test)
{
    void *state = NULL;
    switch (setjmp(rw_unit_jump)) {
    case 0:
        test->test(&state);
        return 0;
    case RW_UNIT_FAILED:
        return RW_UNIT_FAILED;
    default:
        return RW_UNIT_SKIPPED;
    }
}

static int rw_unit_run(const struct CMUnitTest *tests, size_t count)
{
    size_t failed = 0, skipped = 0;
    for (size_t i = 0; i < count; i++) {
        int outcome = rw_unit_run_one(&tests[i]);
        printf("[%s] %s\n", outcome == 0 ? "  OK  " : outcome == RW_UNIT_FAILED ? "FAILED" : " SKIP ", tests[i].name);
        failed += outcome == RW_UNIT_FAILED;
        skipped += outcome == RW_UNIT_SKIPPED;
    }
    printf("%zu passed, %zu failed, %zu skipped\n", count - failed - skipped, failed, skipped);
    return (int)failed;
}
#define cmocka_run_group_tests(tests, setup, teardown) rw_unit_run(tests, sizeof(tests) / sizeof *(tests))

#endif

/* Fails on NaN, unlike a test of "difference > tolerance". */
#define assert_near(value, expected, tolerance)                                                                        \
    do {                                                                                                               \
        double rw_value = (value), rw_expected = (expected), rw_tolerance = (tolerance);                               \
        if (!(fabs(rw_value - rw_expected) <= rw_tolerance))                                                           \
            fail_msg("%s:%d: %s is %.12g, expected %.12g within %.3g\n", __FILE__, __LINE__, #value, rw_value,         \
                     rw_expected, rw_tolerance);                                                                       \
    } while (0)

/* A call that must succeed; prints the library's sentence where it does not. */
#define assert_ok(context, call)                                                                                       \
    do {                                                                                                               \
        rw_status rw_result = (call);                                                                                  \
        if (rw_result != RW_OK)                                                                                        \
            fail_msg("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, rw_last_error(context));                            \
    } while (0)

/* The folder of test data that does not belong to the project, or NULL: then the test says so and skips. */
static inline const char *rw_test_data(const char *file)
{
    static char path[4096];
    const char *folder = getenv("RASTERWAVE_DATA");
    if (folder)
        snprintf(path, sizeof path, "%s/%s", folder, file);
    else
        snprintf(path, sizeof path, "%s/../shared/data/%s", RW_SOURCE_DIR, file);
    if (access(path, R_OK) == 0)
        return path;
    printf("skipped: %s is not here (set RASTERWAVE_DATA to the folder that has it)\n", file);
    return NULL;
}

#define require_test_data(variable, file)                                                                              \
    const char *variable = rw_test_data(file);                                                                         \
    if (!variable)                                                                                                     \
    skip()

#endif
