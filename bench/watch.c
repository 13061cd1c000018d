#include "bench/bench.h"

#include "base/context.h"
#include "base/maths/hash.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void rw_bench_watch_begin(rw_bench_watch *watch, double limit_s)
{
    if (watch)
        watch->deadline_s = limit_s > 0 ? rw_seconds() + limit_s : 0;
}

void rw_bench_watch_end(rw_bench_watch *watch)
{
    if (watch)
        watch->deadline_s = 0;
}

int rw_bench_watch_progress(void *user, double fraction, const char *stage)
{
    const rw_bench_watch *watch = user;
    (void)fraction;
    (void)stage;
    return watch && watch->deadline_s > 0 && rw_seconds() > watch->deadline_s;
}

/* Each map of a page would repeat the warnings of the one before. */
void rw_bench_watch_warn(void *user, const char *message)
{
    rw_bench_watch *watch = user;
    uint64_t hash = rw_hash(0, message, strlen(message));
    char line[1024];
    if (!watch || !watch->print)
        return;
    for (size_t i = 0; i < watch->warning_count; i++)
        if (watch->warnings[i] == hash)
            return;
    if (watch->warning_count < RW_BENCH_WARNINGS_MAX)
        watch->warnings[watch->warning_count++] = hash;
    snprintf(line, sizeof line, "warning: %s", message);
    watch->print(line);
}

void rw_bench_watch_step(const rw_bench_watch *watch, const char *format, ...)
{
    char line[1024];
    va_list values;
    if (!watch || !watch->print)
        return;
    va_start(values, format);
    vsnprintf(line, sizeof line, format, values);
    va_end(values);
    watch->print(line);
}
