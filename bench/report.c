#include "bench/bench.h"

#include "programs/report/json.h"

#include <math.h>
#include <stdlib.h>

static void print_check(const rw_bench_result *result)
{
    if (!rw_bench_is_checked(result))
        printf("  not compared");
    else
        printf("  %s against %s: %.3g %s", rw_bench_is_wrong(result) ? "WRONG RESULT," : "checked", result->against,
               result->difference, result->difference_unit);
}

static void print_bench_result(const rw_bench_result *result)
{
    printf("%-12s %-36s %12.5g %-10s", result->group, result->name, result->value, result->unit);
    if (!isnan(result->target))
        printf(" target %.5g", result->target);
    if (!isnan(result->limit))
        printf(" limit %.5g", result->limit);
    print_check(result);
    printf("%s%s\n", *result->note ? "; " : "", result->note);
    fflush(stdout);
}

void rw_bench_report_add(void *user, const rw_bench_result *result)
{
    rw_bench_report *report = user;
    report->wrong += rw_bench_is_wrong(result);
    if (report->machine && !report->count)
        printf("rasterwave %s on %s\n", rw_version(), report->machine);
    if (report->machine)
        print_bench_result(result);
    rw_bench_result *grown = realloc(report->items, (report->count + 1) * sizeof *grown);
    report->memory_failed |= !grown;
    if (!grown)
        return;
    report->items = grown;
    grown[report->count++] = *result;
}

static void write_result(struct json *json, const rw_bench_result *result)
{
    json_object(json, NULL);
    json_string(json, "group", result->group);
    json_string(json, "name", result->name);
    json_number(json, "value", result->value);
    json_string(json, "unit", result->unit);
    json_number(json, "limit", result->limit);
    json_number(json, "target", result->target);
    json_flag(json, "checked", rw_bench_is_checked(result));
    if (rw_bench_is_checked(result)) {
        json_string(json, "compared_with", result->against);
        json_number(json, "difference", result->difference);
        json_string(json, "difference_unit", result->difference_unit);
    }
    json_string(json, "note", result->note);
    json_object_end(json);
}

void rw_bench_report_json(const rw_bench_report *report, const char *machine, FILE *stream)
{
    struct json json;
    json_begin(&json, stream);
    json_string(&json, "version", rw_version());
    json_string(&json, "machine", machine);
    json_list(&json, "results");
    for (size_t i = 0; i < report->count; i++)
        write_result(&json, &report->items[i]);
    json_list_end(&json);
    json_end(&json);
}
