/* Watches over a run of the benchmark: cancels a measurement at its limit, prints each warning once and names the steps
 * of a page. The context's callbacks go here. */
#ifndef RW_BENCH_WATCH_H
#define RW_BENCH_WATCH_H

#include <rasterwave/context.h>

#include <stddef.h>
#include <stdint.h>

#define RW_BENCH_WARNINGS_MAX 64

typedef struct rw_bench_watch {
    void (*print)(const char *message); /* one line on standard error; NULL: nothing is printed */
    double deadline_s;                  /* of rw_seconds(); 0: none */
    uint64_t warnings[RW_BENCH_WARNINGS_MAX];
    size_t warning_count;
} rw_bench_watch;

/* A measurement begins, and is cancelled after limit_s seconds; 0: never. watch may be NULL in all calls. */
void rw_bench_watch_begin(rw_bench_watch *watch, double limit_s);
void rw_bench_watch_end(rw_bench_watch *watch);

/* The callbacks of a context; user is the watch. */
int rw_bench_watch_progress(void *user, double fraction, const char *stage);
void rw_bench_watch_warn(void *user, const char *message);

/* What is measured next, as a line. */
void rw_bench_watch_step(const rw_bench_watch *watch, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
