/* What the benchmark prints: a table line by line, or JSON at the end. */
#ifndef RW_BENCH_REPORT_H
#define RW_BENCH_REPORT_H

#include "bench/bench.h"

#include <stdio.h>

typedef struct rw_bench_report {
    const char *machine; /* NULL: no table; otherwise each line as it comes */
    rw_bench_result *items;
    size_t count;
    int wrong, memory_failed;
} rw_bench_report;

/* An rw_bench_fn whose user is a report: keeps the result, and prints its line where a table is wanted. */
void rw_bench_report_add(void *user, const rw_bench_result *result);

void rw_bench_report_json(const rw_bench_report *report, const char *machine, FILE *stream);

#endif
