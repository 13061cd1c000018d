/* bench: what this machine does, as a table or as JSON. */
#include "json.h"

#include "call.h"

#include <math.h>
#include <stdio.h>

struct table {
    struct json *json; /* NULL: text */
    int failed;
};

static void take_result(void *user, const rw_bench_result *result)
{
    struct table *table = user;
    table->failed |= !result->checked;
    if (!table->json) {
        printf("%-12s %-36s %12.5g %-10s", result->group, result->name, result->value, result->unit);
        if (!isnan(result->target))
            printf(" target %.5g", result->target);
        if (!isnan(result->limit))
            printf(" limit %.5g", result->limit);
        printf("  %s%s\n", result->checked ? "" : "WRONG RESULT  ", result->note);
        fflush(stdout);
        return;
    }
    json_object(table->json, NULL);
    json_text(table->json, "group", result->group);
    json_text(table->json, "name", result->name);
    json_number(table->json, "value", result->value);
    json_text(table->json, "unit", result->unit);
    json_number(table->json, "limit", result->limit);
    json_number(table->json, "target", result->target);
    json_flag(table->json, "checked", result->checked);
    json_text(table->json, "note", result->note);
    json_object_end(table->json);
}

int command_bench(struct call *call)
{
    struct json json;
    struct table table = {call->settings.json ? &json : NULL, 0};
    if (table.json) {
        json_begin(&json, stdout);
        json_text(&json, "version", rw_version());
        json_text(&json, "machine", rw_context_machine(call->context));
        json_list(&json, "results");
    } else {
        printf("rasterwave %s on %s\n", rw_version(), rw_context_machine(call->context));
    }
    rw_status status = rw_bench_run(call->context, call->settings.data, call->settings.only, take_result, &table);
    wipe_progress(call);
    if (table.json) {
        json_list_end(&json);
        json_end(&json);
    }
    if (status != RW_OK)
        return complain_status(call, status);
    return table.failed;
}
