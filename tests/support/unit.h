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

/* CTest's return code of a program whose tests were all skipped (SKIP_RETURN_CODE). */
#define RW_UNIT_ALL_SKIPPED 77

static const char *rw_unit_running = "";
static size_t rw_unit_skips;

#ifdef RW_WITH_CMOCKA
#include <cmocka.h>

#define rw_unit_leave() _skip(__FILE__, __LINE__)
#undef skip

/* Keeps the name of the test that runs, which cmocka does not tell. */
static void rw_unit_named(void **state)
{
    const struct CMUnitTest *test = *state;
    rw_unit_running = test->name;
    *state = NULL;
    test->test_func(state);
}

static size_t rw_unit_run_all(const struct CMUnitTest *tests, size_t count)
{
    struct CMUnitTest *named = calloc(count, sizeof *named);
    for (size_t i = 0; i < count; i++)
        named[i] = (struct CMUnitTest){
            .name = tests[i].name, .test_func = rw_unit_named, .initial_state = (void *)(uintptr_t)&tests[i]};
    int failed = _cmocka_run_group_tests("tests", named, count, NULL, NULL);
    free(named);
    return (size_t)failed;
}

#else

struct CMUnitTest {
    const char *name;
    void (*test)(void **state);
};

static jmp_buf rw_unit_jump;
enum { RW_UNIT_FAILED = 1, RW_UNIT_SKIPPED = 2 };

#define rw_unit_leave() longjmp(rw_unit_jump, RW_UNIT_SKIPPED)

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
#define cmocka_unit_test(f)                                                                                            \
    {                                                                                                                  \
#f, f                                                                                                          \
    }

/* No local changes between setjmp and longjmp, so none can be lost. */
static int rw_unit_run_one(const struct CMUnitTest *test)
{
    void *state = NULL;
    switch (setjmp(rw_unit_jump)) {
    case 0:
        test->test(&state);
        return 0;
    case RW_UNIT_SKIPPED:
        return RW_UNIT_SKIPPED;
    default:
        return RW_UNIT_FAILED;
    }
}

static size_t rw_unit_run_all(const struct CMUnitTest *tests, size_t count)
{
    size_t failed = 0;
    for (size_t i = 0; i < count; i++) {
        rw_unit_running = tests[i].name;
        int outcome = rw_unit_run_one(&tests[i]);
        printf("[%s] %s\n", outcome == 0 ? "  OK  " : outcome == RW_UNIT_FAILED ? "FAILED" : " SKIP ", tests[i].name);
        failed += outcome == RW_UNIT_FAILED;
    }
    printf("%zu passed, %zu failed, %zu skipped\n", count - failed - rw_unit_skips, failed, rw_unit_skips);
    return failed;
}

#endif

/* The test that runs ends here, with a reason that is always given; ./check lists these lines. */
#define skip_test(...)                                                                                                 \
    do {                                                                                                               \
        printf("SKIPPED: %s (", rw_unit_running);                                                                      \
        printf(__VA_ARGS__);                                                                                           \
        printf(")\n");                                                                                                 \
        rw_unit_skips++;                                                                                               \
        rw_unit_leave();                                                                                               \
    } while (0)

static int rw_unit_run(const struct CMUnitTest *tests, size_t count)
{
    setvbuf(stdout, NULL, _IOLBF, 0); /* lines of the test and of cmocka in the order in which they happen */
    size_t failed = rw_unit_run_all(tests, count);
    return failed ? 1 : rw_unit_skips == count ? RW_UNIT_ALL_SKIPPED : 0;
}
#undef cmocka_run_group_tests
#define cmocka_run_group_tests(tests, setup, teardown) rw_unit_run(tests, sizeof(tests) / sizeof *(tests))

/* Fails on NaN, unlike a test of "difference > tolerance". */
#define assert_near(value, expected, tolerance)                                                                        \
    do {                                                                                                               \
        double rw_value = (value), rw_expected = (expected), rw_tolerance = (tolerance);                               \
        if (!(fabs(rw_value - rw_expected) <= rw_tolerance))                                                           \
            fail_msg("%s:%d: %s is %.12g, expected %.12g within %.3g\n", __FILE__, __LINE__, #value, rw_value,         \
                     rw_expected, rw_tolerance);                                                                       \
    } while (0)

/* The larger of the errors so far and one more; NaN, once there, stays (fmax drops it). */
static inline double worse_of(double worst, double error)
{
    return isnan(worst) || error <= worst ? worst : error;
}

/* A call that must succeed; prints the library's sentence where it does not. */
#define assert_ok(context, call)                                                                                       \
    do {                                                                                                               \
        rw_status rw_result = (call);                                                                                  \
        if (rw_result != RW_OK)                                                                                        \
            fail_msg("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, rw_last_error(context));                            \
    } while (0)

/* The path of test data that do not belong to the project, or NULL. */
static inline const char *rw_test_data(const char *file)
{
    static char path[4096];
    const char *folder = getenv("RASTERWAVE_DATA");
    if (folder)
        snprintf(path, sizeof path, "%s/%s", folder, file);
    else
        snprintf(path, sizeof path, "%s/../shared/data/%s", RW_SOURCE_DIR, file);
    return access(path, R_OK) == 0 ? path : NULL;
}

#define require_test_data(variable, file)                                                                              \
    const char *variable = rw_test_data(file);                                                                         \
    if (!variable)                                                                                                     \
    skip_test("no test data %s", file)

#endif
