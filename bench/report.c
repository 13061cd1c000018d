#include "bench/report.h"

#include "base/text/json_write.h"

#include <math.h>
#include <stdlib.h>

static void print_line(const rw_bench_result *result)
{
    printf("%-12s %-36s %12.5g %-10s", result->group, result->name, result->value, result->unit);
    if (!isnan(result->target))
        printf(" target %.5g", result->target);
    if (!isnan(result->limit))
        printf(" limit %.5g", result->limit);
    printf("  %s%s\n", result->checked ? "" : "WRONG RESULT  ", result->note);
    fflush(stdout);
}

void rw_bench_report_add(void *user, const rw_bench_result *result)
{
    rw_bench_report *report = user;
    report->wrong += !result->checked;
    if (report->machine && !report->count)
        printf("rasterwave %s on %s\n", rw_version(), report->machine);
    if (report->machine)
        print_line(result);
    rw_bench_result *grown = realloc(report->items, (report->count + 1) * sizeof *grown);
    report->memory_failed |= !grown;
    if (!grown)
        return;
    report->items = grown;
    grown[report->count++] = *result;
}

static void put_text(FILE *stream, int indent, const char *key, const char *text, const char *end)
{
    fprintf(stream, "%*s\"%s\": ", indent, "", key);
    rw_json_put_text(stream, text);
    fputs(end, stream);
}

static void put_number(FILE *stream, int indent, const char *key, double value)
{
    if (isfinite(value))
        fprintf(stream, "%*s\"%s\": %.12g,\n", indent, "", key, value);
    else
        fprintf(stream, "%*s\"%s\": null,\n", indent, "", key);
}

static void put_result(FILE *stream, const rw_bench_result *result)
{
    fputs("    {\n", stream);
    put_text(stream, 6, "group", result->group, ",\n");
    put_text(stream, 6, "name", result->name, ",\n");
    put_number(stream, 6, "value", result->value);
    put_text(stream, 6, "unit", result->unit, ",\n");
    put_number(stream, 6, "limit", result->limit);
    put_number(stream, 6, "target", result->target);
    fprintf(stream, "      \"checked\": %s,\n", result->checked ? "true" : "false");
    put_text(stream, 6, "note", result->note, "\n    }");
}

void rw_bench_report_json(const rw_bench_report *report, const char *machine, FILE *stream)
{
    fputs("{\n", stream);
    put_text(stream, 2, "version", rw_version(), ",\n");
    put_text(stream, 2, "machine", machine, ",\n");
    fputs("  \"results\": [", stream);
    for (size_t i = 0; i < report->count; i++) {
        fputs(i ? ",\n" : "\n", stream);
        put_result(stream, &report->items[i]);
    }
    fputs("\n  ]\n}\n", stream);
}
