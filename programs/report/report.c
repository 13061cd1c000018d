#include "report/report.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void report_begin(struct report *report, const struct call *call)
{
    *report = (struct report){.text = call->json || call->quiet ? NULL : stdout};
    if (call->json)
        json_begin(&report->json, stdout);
}

void report_begin_json(struct report *report, FILE *stream)
{
    *report = (struct report){.text = NULL};
    json_begin(&report->json, stream);
}

void report_end(struct report *report)
{
    json_end(&report->json);
}

void report_text(struct report *report, const char *format, ...)
{
    va_list values;
    if (!report->text)
        return;
    va_start(values, format);
    vfprintf(report->text, format, values);
    va_end(values);
}

void report_file(struct report *report, const char *key, const char *path)
{
    if (!path || !*path)
        return;
    json_string(&report->json, key, path);
    report_text(report, "%s\n", path);
}

void report_skipped(struct report *report, const struct call *call)
{
    json_list(&report->json, "left_out");
    for (size_t i = 0; i < call->skipped_count; i++)
        json_string(&report->json, NULL, call->skipped[i]);
    json_list_end(&report->json);
}

void report_warnings(struct report *report, const struct call *call)
{
    json_list(&report->json, "warnings");
    for (size_t i = 0; i < call->warning_count; i++)
        json_string(&report->json, NULL, call->warnings[i]);
    json_list_end(&report->json);
}

void report_version(struct report *report)
{
    json_string(&report->json, "version", rw_version());
}

void json_layer_facts(struct json *json, const char *name)
{
    static const char *const orders[] = {
        [RW_LAYER_UNORDERED] = "neither", [RW_LAYER_LOWER_IS_BETTER] = "lower", [RW_LAYER_HIGHER_IS_BETTER] = "higher"};
    json_string(json, "name", name);
    json_string(json, "title", rw_layer_title(name));
    json_string(json, "better", orders[rw_layer_get_order(name)]);
    if (!rw_layer_class(name, 0))
        return;
    json_list(json, "classes");
    for (size_t i = 0; rw_layer_class(name, i); i++)
        json_string(json, NULL, rw_layer_class(name, i));
    json_list_end(json);
}

void report_one_file(const struct call *call, const char *path)
{
    struct report report;
    report_begin(&report, call);
    report_file(&report, "file", path);
    report_version(&report);
    report_end(&report);
}

void report_choice(struct report *report, const struct map_choice *choice)
{
    if (choice->count < 2)
        return;
    json_string(&report->json, "transmitter", choice->name);
    report_text(report, "transmitter: %s%s\n", choice->name,
                strncmp(choice->name, "strongest of", 12) == 0 ? " in each cell; --transmitter N selects one" : "");
}

void report_file_of_map(const struct call *call, const char *path, const struct map_choice *choice)
{
    struct report report;
    report_begin(&report, call);
    report_choice(&report, choice);
    report_file(&report, "file", path);
    report_version(&report);
    report_end(&report);
}

#define OFFSETS_SHOWN 20 /* as text */

void report_offsets_begin(struct report *report, int width, size_t count)
{
    json_list(&report->json, "offsets");
    if (count)
        report_text(report, "\n%-*s%12s%12s\n", width, "offsets", "dB", "points");
}

void report_offset(struct report *report, int width, size_t index, const rw_offset *offset)
{
    char name[64];
    json_object(&report->json, NULL);
    json_string(&report->json, "site", offset->site);
    json_string(&report->json, "device", offset->device);
    json_number(&report->json, "offset_db", offset->offset_db);
    json_count(&report->json, "points", offset->points);
    json_object_end(&report->json);
    snprintf(name, sizeof name, "%.30s%s%.30s", offset->site, *offset->site && *offset->device ? ", " : "",
             offset->device);
    if (index < OFFSETS_SHOWN)
        report_text(report, "%-*s%12.2f%12zu\n", width, name, offset->offset_db, offset->points);
}

void report_offsets_end(struct report *report, size_t count)
{
    json_list_end(&report->json);
    if (count > OFFSETS_SHOWN)
        report_text(report, "... and %zu more, all with --json\n", count - OFFSETS_SHOWN);
}
