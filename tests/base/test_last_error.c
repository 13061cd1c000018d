/* labels: threads */
/* The last error belongs to the thread that failed: many threads fail differently in one context at once, and each
 * reads its own sentence; contexts that take the place of others inherit none. */
#include "shapes.h"

#include "base/context.h"

#include <pthread.h>

#define THREADS 16
#define ROUNDS 400

typedef struct failing {
    rw_context *contexts[2];
    int number;
    int wrong; /* sentences that were another's */
    pthread_barrier_t *start;
} failing;

static int is_said(rw_context *context, const char *words)
{
    return strstr(rw_last_error(context), words) != NULL;
}

static void *fail_often(void *user)
{
    failing *own = user;
    pthread_barrier_wait(own->start);
    own->wrong += rw_last_error(own->contexts[0])[0] != 0;
    for (int round = 0; round < ROUNDS; round++) {
        char first[64], second[64];
        double value;
        snprintf(first, sizeof first, "%d.%d parsecs", own->number, round);
        snprintf(second, sizeof second, "%d.%d cubits", own->number, round);
        rw_parse_quantity(own->contexts[0], first, RW_QUANTITY_LENGTH_M, &value);
        rw_parse_quantity(own->contexts[1], second, RW_QUANTITY_LENGTH_M, &value);
        own->wrong += !is_said(own->contexts[0], first);
        own->wrong += !is_said(own->contexts[1], second);
    }
    return NULL;
}

static void threads_do_not_see_each_other(void **state)
{
    (void)state;
    rw_context *contexts[2] = {make_context(), make_context()};
    pthread_t threads[THREADS];
    failing each[THREADS];
    pthread_barrier_t start;
    assert_int_equal(rw_scene_load(contexts[0], "no such file", NULL, &(rw_scene *){NULL}), RW_NOT_FOUND);
    pthread_barrier_init(&start, NULL, THREADS);
    for (int i = 0; i < THREADS; i++) {
        each[i] = (failing){.contexts = {contexts[0], contexts[1]}, .number = i, .start = &start};
        assert_int_equal(pthread_create(&threads[i], NULL, fail_often, &each[i]), 0);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&start);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(each[i].wrong, 0);
    assert_true(is_said(contexts[0], "no such file"));
    assert_string_equal(rw_last_error(contexts[1]), "");
    rw_context_destroy(contexts[0]);
    rw_context_destroy(contexts[1]);
}

/* Contexts come and go at the same addresses. */
static void new_contexts_have_no_errors(void **state)
{
    (void)state;
    double value;
    rw_context *kept = make_context();
    assert_int_equal(rw_parse_quantity(kept, "nine", RW_QUANTITY_NUMBER, &value), RW_BAD_CALL);
    for (int i = 0; i < 100; i++) {
        rw_context *context = make_context();
        assert_string_equal(rw_last_error(context), "");
        assert_int_equal(rw_parse_quantity(context, "eleven", RW_QUANTITY_NUMBER, &value), RW_BAD_CALL);
        assert_true(is_said(context, "eleven"));
        rw_context_destroy(context);
    }
    assert_true(is_said(kept, "nine"));
    rw_context_destroy(kept);
    assert_string_equal(rw_last_error(NULL), "no context");
    rw_context_destroy(NULL);
}

/* A sentence may quote the one before it, and a long one is cut. */
static void sentences_are_whole(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_fail(context, RW_IO, "the disk is full");
    rw_fail(context, RW_IO, "plan.csv: %s", rw_last_error(context));
    assert_string_equal(rw_last_error(context), "plan.csv: the disk is full");
    char long_name[2 * RW_MESSAGE_MAX];
    memset(long_name, 'x', sizeof long_name - 1);
    long_name[sizeof long_name - 1] = 0;
    assert_int_equal(rw_fail(context, RW_BAD_CALL, "%s", long_name), RW_BAD_CALL);
    assert_int_equal(strlen(rw_last_error(context)), RW_MESSAGE_MAX - 1);
    rw_context_destroy(context);
}

typedef struct worker {
    rw_context *context;
    rw_failure *failure;
} worker;

static void *fail_twice(void *user)
{
    const worker *own = user;
    rw_failure_store(own->context, RW_OK, own->failure);
    rw_failure_store(own->context, rw_fail(own->context, RW_IO, "the first failure"), own->failure);
    rw_failure_store(own->context, rw_fail(own->context, RW_DEVICE, "a later one"), own->failure);
    return NULL;
}

/* What fails in a thread that shares a loop of the library reaches the thread of the call. */
static void workers_failures_reach_the_caller(void **state)
{
    (void)state;
    rw_context *context = make_context();
    rw_failure failure = {0};
    worker one = {context, &failure};
    pthread_t thread;
    assert_int_equal(rw_failure_report(context, &failure), RW_OK);
    assert_int_equal(pthread_create(&thread, NULL, fail_twice, &one), 0);
    pthread_join(thread, NULL);
    assert_string_equal(rw_last_error(context), "");
    assert_int_equal(rw_failure_report(context, &failure), RW_IO);
    assert_string_equal(rw_last_error(context), "the first failure");
    rw_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_do_not_see_each_other), cmocka_unit_test(new_contexts_have_no_errors),
        cmocka_unit_test(sentences_are_whole), cmocka_unit_test(workers_failures_reach_the_caller)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
