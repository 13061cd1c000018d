/* bench: what this machine does, as a table or as JSON. */
#include "json.h"

#include "call.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct results {
    const char *machine; /* NULL: no text; otherwise each line at once */
    rw_bench_result *items;
    size_t count;
    int wrong, memory_failed;
};

static void print_result(const rw_bench_result *result)
{
    printf("%-12s %-36s %12.5g %-10s", result->group, result->name, result->value, result->unit);
    if (!isnan(result->target))
        printf(" target %.5g", result->target);
    if (!isnan(result->limit))
        printf(" limit %.5g", result->limit);
    printf("  %s%s\n", result->checked ? "" : "WRONG RESULT  ", result->note);
    fflush(stdout);
}

static void take_result(void *user, const rw_bench_result *result)
{
    struct results *results = user;
    results->wrong += !result->checked;
    if (results->machine && !results->count)
        printf("rasterwave %s on %s\n", rw_version(), results->machine);
    if (results->machine)
        print_result(result);
    rw_bench_result *grown = realloc(results->items, (results->count + 1) * sizeof *grown);
    results->memory_failed |= !grown;
    if (!grown)
        return;
    results->items = grown;
    grown[results->count++] = *result;
}

static void print_json(const struct call *call, const struct results *results)
{
    struct json json;
    json_begin(&json, stdout);
    json_text(&json, "version", rw_version());
    json_text(&json, "machine", rw_context_machine(call->context));
    json_list(&json, "results");
    for (size_t i = 0; i < results->count; i++) {
        const rw_bench_result *result = &results->items[i];
        json_object(&json, NULL);
        json_text(&json, "group", result->group);
        json_text(&json, "name", result->name);
        json_number(&json, "value", result->value);
        json_text(&json, "unit", result->unit);
        json_number(&json, "limit", result->limit);
        json_number(&json, "target", result->target);
        json_flag(&json, "checked", result->checked);
        json_text(&json, "note", result->note);
        json_object_end(&json);
    }
    json_list_end(&json);
    json_end(&json);
}

/* JSON waits for the end: a run that fails prints none. */
int command_bench(struct call *call)
{
    const struct settings *settings = &call->settings;
    if (check_picture_name("plot", settings->plot) || check_file_folder("plot", settings->plot))
        return 2;
    struct results results = {.machine = settings->json || settings->quiet ? NULL : rw_context_machine(call->context)};
    rw_status status = rw_bench_run(call->context, settings->data, settings->only, take_result, &results);
    wipe_progress(call);
    int exit_status = results.wrong > 0 || results.memory_failed;
    if (status != RW_OK)
        exit_status = complain_status(call, status);
    else if (!results.count)
        exit_status = complain("--only %s: no part of the benchmark has this in its name", settings->only);
    else if (settings->json)
        print_json(call, &results);
    if (!exit_status && settings->plot) {
        status = rw_bench_draw(call->context, results.items, results.count, settings->plot);
        exit_status = status == RW_OK ? 0 : complain_status(call, status);
        if (!exit_status && !settings->json && !settings->quiet)
            puts(settings->plot);
    }
    if (results.wrong)
        complain("%d of %zu results are wrong, so their times mean nothing", results.wrong, results.count);
    free(results.items);
    return exit_status;
}
