/* --dry-run: time and memory of a command, without doing it. */
#include "command.h"
#include "report/json.h"

#include <stdio.h>

static double total_bytes(const rw_estimate *estimate, int gpu)
{
    return (gpu ? estimate->device_bytes : estimate->bytes) + estimate->table_bytes;
}

static void report_seconds(struct report *report, double seconds)
{
    if (seconds < 1)
        report_text(report, "time       less than a second\n");
    else if (seconds < 120)
        report_text(report, "time       about %.0f s\n", seconds);
    else if (seconds < 7200)
        report_text(report, "time       about %.0f min\n", seconds / 60);
    else
        report_text(report, "time       about %.3g h\n", seconds / 3600);
}

/* unit: what its cells are. */
int report_estimate(const struct call *call, const char *unit, const rw_estimate *estimate)
{
    int gpu = estimate->device_bytes > 0;
    double bytes = gpu ? estimate->bytes : total_bytes(estimate, 0), device_bytes = gpu ? total_bytes(estimate, 1) : 0;
    struct report report;
    report_begin(&report, call);
    if (!call->json) /* --quiet leaves what was asked for */
        report.text = stdout;
    json_string(&report.json, "kind", "estimate");
    json_string(&report.json, "command", call->command->name);
    json_string(&report.json, "model", model_of(call));
    json_count(&report.json, unit, estimate->cells);
    json_count(&report.json, "transmitters", estimate->transmitters);
    json_number(&report.json, "seconds", estimate->seconds);
    json_number(&report.json, "memory_bytes", bytes);
    json_number(&report.json, "device_memory_bytes", device_bytes);
    report_version(&report);
    report_text(&report, "work       %zu %s, %zu transmitter%s, model %s\n", estimate->cells, unit,
                estimate->transmitters, estimate->transmitters == 1 ? "" : "s", model_of(call));
    report_seconds(&report, estimate->seconds);
    report_text(&report, "memory     about %.3g MB", bytes / 1e6 + 1);
    if (gpu)
        report_text(&report, " and %.3g MB of the GPU", device_bytes / 1e6);
    report_text(&report, "\nnothing was computed (--dry-run)\n");
    report_end(&report);
    return 0;
}

int dry_run_points(struct call *call, const struct request *request, size_t point_count, double iterations)
{
    rw_estimate estimate = {.size = sizeof estimate};
    rw_status status = rw_trace_estimate(request->scene, &request->options, point_count, &estimate);
    if (status != RW_OK)
        return report_status(call, status);
    estimate.seconds *= iterations;
    return report_estimate(call, "points", &estimate);
}

/* Each sample is of one transmitter. */
int dry_run_measured(struct call *call, const struct request *request, const rw_measurements *measurements,
                     double iterations)
{
    rw_measurements_info info = {.size = sizeof info};
    rw_status status = rw_measurements_get_info(measurements, &info);
    if (status != RW_OK)
        return report_status(call, status);
    size_t sites = request->options.transmitter_count ? request->options.transmitter_count : 1;
    return dry_run_points(call, request, (info.samples + sites - 1) / sites, iterations);
}
