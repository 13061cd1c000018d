#include "base/parallel.h"

#include "base/progress.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>

/* A loop that is running; it lies on the stack of its caller. */
typedef struct shared_loop {
    struct shared_loop *next;
    rw_range_fn run;
    void *user;
    rw_context *context;
    const char *what;
    size_t count, grain;
    int is_checked;        /* the calling thread passes a check after each range */
    atomic_size_t claimed; /* items that are done or in work; goes beyond count */
    int seats;             /* helpers that may still join */
    int joined, working;   /* helpers that came, and those that are still here */
    atomic_int stopped;    /* 1: cancelled */
} shared_loop;

/* How long an item of a loop takes, by the loops that ran last. */
typedef struct loop_cost {
    atomic_uintptr_t work;
    _Atomic float item_s; /* 0: not known */
} loop_cost;

#define COSTS 256

struct rw_helpers {
    pthread_mutex_t lock;
    pthread_cond_t work, left;
    shared_loop *loops; /* that helpers may join */
    pthread_t *threads;
    int count, sleeping, closing;
    int max_count; /* the system gave no more threads than this; 0: not known */
    loop_cost costs[COSTS];
};

/* Number of this thread within its loop; -1 where it is in none. */
static _Thread_local int worker = -1;

/* The loop that this thread works for; of loops inside a loop the outermost. */
static _Thread_local shared_loop *current_loop;

/* Below this a loop is over before a helper has woken up. */
static const double worth_waking_s = 60e-6;

int rw_parallel_worker(void)
{
    return worker < 0 ? 0 : worker;
}

int rw_parallel_is_stopped(void)
{
    return current_loop && atomic_load_explicit(&current_loop->stopped, memory_order_relaxed);
}

int rw_parallel_is_caller(void)
{
    return worker <= 0;
}

rw_helpers *rw_helpers_create(void)
{
    rw_helpers *helpers = calloc(1, sizeof *helpers);
    if (!helpers)
        return NULL;
    pthread_mutex_init(&helpers->lock, NULL);
    pthread_cond_init(&helpers->work, NULL);
    pthread_cond_init(&helpers->left, NULL);
    return helpers;
}

void rw_helpers_destroy(rw_helpers *helpers)
{
    if (!helpers)
        return;
    pthread_mutex_lock(&helpers->lock);
    helpers->closing = 1;
    pthread_cond_broadcast(&helpers->work);
    pthread_mutex_unlock(&helpers->lock);
    for (int i = 0; i < helpers->count; i++)
        pthread_join(helpers->threads[i], NULL);
    pthread_cond_destroy(&helpers->left);
    pthread_cond_destroy(&helpers->work);
    pthread_mutex_destroy(&helpers->lock);
    free(helpers->threads);
    free(helpers);
}

/* No thread claims another range of it. */
static void stop_loop(shared_loop *loop)
{
    atomic_store_explicit(&loop->stopped, 1, memory_order_relaxed);
    atomic_store_explicit(&loop->claimed, loop->count, memory_order_relaxed);
}

void rw_parallel_stop(void)
{
    if (current_loop)
        stop_loop(current_loop);
}

/* Runs ranges of the loop until none is left or the call is cancelled; returns how many items it did. */
static size_t run_loop_ranges(shared_loop *loop)
{
    size_t done = 0;
    int is_checked = worker == 0 && loop->is_checked;
    for (;;) {
        size_t begin = atomic_fetch_add_explicit(&loop->claimed, loop->grain, memory_order_relaxed);
        if (begin >= loop->count)
            return done;
        size_t end = loop->count - begin < loop->grain ? loop->count : begin + loop->grain;
        loop->run(loop->user, begin, end);
        done += end - begin;
        if (is_checked && rw_check(loop->context, end - begin, loop->what) != RW_OK)
            stop_loop(loop);
    }
}

static int loop_accepts_helpers(shared_loop *loop)
{
    return loop->seats > 0 && atomic_load_explicit(&loop->claimed, memory_order_relaxed) < loop->count;
}

static shared_loop *find_open(const rw_helpers *helpers)
{
    shared_loop *loop = helpers->loops;
    while (loop && !loop_accepts_helpers(loop))
        loop = loop->next;
    return loop;
}

/* With the lock held: one helper more, which wakes the next where there is room for it, so that the caller need not
 * wake them all. */
static void join_shared_loop(rw_helpers *helpers, shared_loop *loop)
{
    loop->seats--;
    loop->working++;
    worker = ++loop->joined;
    current_loop = loop;
    if (helpers->sleeping && loop_accepts_helpers(loop))
        pthread_cond_signal(&helpers->work);
    pthread_mutex_unlock(&helpers->lock);
    run_loop_ranges(loop);
    pthread_mutex_lock(&helpers->lock);
    worker = -1;
    current_loop = NULL;
    if (--loop->working == 0)
        pthread_cond_broadcast(&helpers->left);
}

static void *helper_main(void *user)
{
    rw_helpers *helpers = user;
    pthread_mutex_lock(&helpers->lock);
    while (!helpers->closing) {
        shared_loop *loop = find_open(helpers);
        if (loop) {
            join_shared_loop(helpers, loop);
            continue;
        }
        helpers->sleeping++;
        pthread_cond_wait(&helpers->work, &helpers->lock);
        helpers->sleeping--;
    }
    pthread_mutex_unlock(&helpers->lock);
    return NULL;
}

/* With the lock held. Helpers take no signals: those are for the threads of the program. Where the system gives fewer
 * threads than asked for, those that there are do the work. */
static void start_helpers(rw_helpers *helpers, int wanted)
{
    if (helpers->max_count && wanted > helpers->max_count)
        wanted = helpers->max_count;
    if (helpers->count >= wanted)
        return;
    pthread_t *grown = realloc(helpers->threads, (size_t)wanted * sizeof *grown);
    if (!grown)
        return;
    helpers->threads = grown;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (helpers->count < wanted && pthread_create(&grown[helpers->count], NULL, helper_main, helpers) == 0)
        helpers->count++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (helpers->count < wanted)
        helpers->max_count = helpers->count > 0 ? helpers->count : 1;
}

static size_t distribute_loop(rw_helpers *helpers, shared_loop *loop, int threads)
{
    size_t ranges = (loop->count - 1) / loop->grain;
    pthread_mutex_lock(&helpers->lock);
    loop->seats = ranges < (size_t)(threads - 1) ? (int)ranges : threads - 1;
    loop->next = helpers->loops;
    helpers->loops = loop;
    start_helpers(helpers, loop->seats);
    if (helpers->sleeping)
        pthread_cond_signal(&helpers->work);
    pthread_mutex_unlock(&helpers->lock);
    return run_loop_ranges(loop);
}

/* No helper joins any more; those that are here finish their range. */
static void finish_shared_loop(rw_helpers *helpers, shared_loop *loop)
{
    pthread_mutex_lock(&helpers->lock);
    shared_loop **at = &helpers->loops;
    while (*at != loop)
        at = &(*at)->next;
    *at = loop->next;
    while (loop->working)
        pthread_cond_wait(&helpers->left, &helpers->lock);
    pthread_mutex_unlock(&helpers->lock);
}

static loop_cost *cost_of(rw_helpers *helpers, uintptr_t work)
{
    loop_cost *cost = &helpers->costs[(work >> 4 ^ work >> 12) % COSTS];
    if (atomic_load_explicit(&cost->work, memory_order_relaxed) != work) {
        atomic_store_explicit(&cost->work, work, memory_order_relaxed);
        atomic_store_explicit(&cost->item_s, 0.0f, memory_order_relaxed);
    }
    return cost;
}

/* A loop inside another one, by the thread that is there. */
static rw_status run_inner_loop(rw_context *context, const char *what, size_t count, size_t grain, rw_range_fn run,
                                void *user)
{
    for (size_t begin = 0; begin < count; begin += grain) {
        run(user, begin, count - begin < grain ? count : begin + grain);
        rw_status status = rw_check(context, count - begin < grain ? count - begin : grain, what);
        if (status != RW_OK) {
            stop_loop(current_loop);
            return status;
        }
    }
    return RW_OK;
}

/* By the calling thread and helpers that join. */
static void run_outer_loop(shared_loop *loop, uintptr_t work)
{
    rw_helpers *helpers = loop->context->helpers;
    loop_cost *cost = cost_of(helpers, work);
    double item_s = (double)atomic_load_explicit(&cost->item_s, memory_order_relaxed), start_s = rw_seconds();
    int shared = loop->context->threads > 1 && loop->count > loop->grain &&
                 (item_s == 0 || item_s * (double)loop->count >= worth_waking_s);
    worker = 0;
    current_loop = loop;
    size_t done = shared ? distribute_loop(helpers, loop, loop->context->threads) : run_loop_ranges(loop);
    worker = -1;
    current_loop = NULL;
    if (done) {
        double now_s = (rw_seconds() - start_s) / (double)done;
        atomic_store_explicit(&cost->item_s, (float)(item_s == 0 ? now_s : 0.5 * (item_s + now_s)),
                              memory_order_relaxed);
    }
    if (shared)
        finish_shared_loop(helpers, loop);
}

rw_status rw_parallel_as(rw_context *context, uintptr_t work, const char *what, size_t count, size_t grain,
                         rw_range_fn run, void *user)
{
    int is_checked = context && rw_is_checked(context);
    if (count && worker >= 0 && is_checked)
        return run_inner_loop(context, what, count, grain, run, user);
    if (!context || worker >= 0 || (!is_checked && (context->threads < 2 || count <= grain))) {
        if (count)
            run(user, 0, count);
        return RW_OK;
    }
    shared_loop loop = {.run = run,
                        .user = user,
                        .context = context,
                        .what = what,
                        .count = count,
                        .grain = grain,
                        .is_checked = is_checked};
    if (count)
        run_outer_loop(&loop, work);
    return atomic_load(&loop.stopped) ? rw_fail_cancelled(context) : RW_OK;
}

void rw_parallel_whole(rw_context *context, size_t count, size_t grain, rw_range_fn run, void *user)
{
    shared_loop loop = {.run = run, .user = user, .context = context, .count = count, .grain = grain};
    if (count && context && context->threads > 1 && worker < 0 && count > grain)
        run_outer_loop(&loop, (uintptr_t)run);
    else if (count)
        run(user, 0, count);
}
