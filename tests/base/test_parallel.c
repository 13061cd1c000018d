/* labels: threads */
/* Loops that threads share: every item once, whoever calls and from wherever; workers apart; and threads that wait cost
 * no time of the processor. */
#include "shapes.h"

#include "base/context.h"
#include "base/parallel.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#define ITEMS 10007
#define THREADS 4

typedef struct marks {
    rw_context *context;
    atomic_int visits[ITEMS];
    atomic_int workers[64]; /* how many are in the loop under that number at this moment */
    atomic_int wrong;
} marks;

static void mark(void *user, size_t begin, size_t end)
{
    marks *made = user;
    int worker = rw_parallel_worker();
    made->wrong += worker < 0 || worker >= made->context->threads;
    made->wrong += atomic_fetch_add(&made->workers[worker], 1) != 0;
    for (size_t i = begin; i < end; i++)
        atomic_fetch_add(&made->visits[i], 1);
    atomic_fetch_sub(&made->workers[worker], 1);
}

static void assert_visited(marks *made, size_t count, int times)
{
    assert_int_equal(made->wrong, 0);
    for (size_t i = 0; i < ITEMS; i++)
        assert_int_equal(made->visits[i], i < count ? times : 0);
}

static void every_item_once(void **state)
{
    (void)state;
    static const size_t counts[] = {0, 1, 2, 63, 64, 65, 1000, ITEMS}, grains[] = {1, 7, 64, 20000};
    static const int threads[] = {1, 2, 3, 16, 64};
    for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
        rw_context *context = make_context_of(RW_BACKEND_CPU, threads[t]);
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
            for (size_t g = 0; g < sizeof grains / sizeof *grains; g++) {
                static marks made;
                memset(&made, 0, sizeof made);
                made.context = context;
                assert_int_equal(rw_parallel(context, counts[c], grains[g], mark, &made), RW_OK);
                rw_parallel_whole(context, counts[c], grains[g], mark, &made); /* its time is known by now */
                assert_visited(&made, counts[c], 2);
            }
        rw_context_destroy(context);
    }
}

/* A loop inside a loop is run by its caller. */
typedef struct nest {
    rw_context *context;
    marks *inner;
} nest;

static void mark_inside(void *user, size_t begin, size_t end)
{
    nest *outer = user;
    for (size_t i = begin; i < end; i++)
        rw_parallel_whole(outer->context, 50, 1, mark, outer->inner);
}

static void loops_inside_loops(void **state)
{
    (void)state;
    static marks made;
    rw_context *context = make_context_of(RW_BACKEND_CPU, THREADS);
    memset(&made, 0, sizeof made);
    made.context = context;
    nest outer = {context, &made};
    rw_parallel_whole(context, 100, 1, mark_inside, &outer);
    assert_visited(&made, 50, 100);
    rw_context_destroy(context);
}

/* Threads of the program that call at once, on one context. */
static void *call_often(void *user)
{
    marks *made = user;
    for (int round = 0; round < 200; round++)
        rw_parallel_whole(made->context, 500, 5, mark, made);
    return NULL;
}

static void several_callers(void **state)
{
    (void)state;
    static marks made[THREADS];
    pthread_t callers[THREADS];
    rw_context *context = make_context_of(RW_BACKEND_CPU, 3);
    memset(made, 0, sizeof made);
    for (int i = 0; i < THREADS; i++) {
        made[i].context = context;
        assert_int_equal(pthread_create(&callers[i], NULL, call_often, &made[i]), 0);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(callers[i], NULL);
    for (int i = 0; i < THREADS; i++)
        assert_visited(&made[i], 500, 200);
    rw_context_destroy(context);
}

static double processor_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void wait_2_ms(void *user, size_t begin, size_t end)
{
    (void)user;
    for (size_t i = begin; i < end; i++)
        nanosleep(&(struct timespec){0, 2000000}, NULL);
}

/* One long item, for which the caller and the other helpers wait, and pauses between loops: no thread spins. */
static void waiting_costs_nothing(void **state)
{
    (void)state;
    rw_context *context = make_context_of(RW_BACKEND_CPU, 16);
    double before_s = processor_s();
    for (int i = 0; i < 50; i++) {
        rw_parallel_whole(context, 17, 1, wait_2_ms, NULL);
        wait_2_ms(NULL, 0, 1);
    }
    assert_true(processor_s() - before_s < 0.15);
    rw_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_item_once), cmocka_unit_test(loops_inside_loops),
                                       cmocka_unit_test(several_callers), cmocka_unit_test(waiting_costs_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
