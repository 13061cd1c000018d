/* network: many sites over a region, in parts; merge: the parts put together. */
#include "command.h"
#include "report/json.h"

#include <rasterwave/network.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>

#define SCENE_NAME_MAX 4096

static void fill_network_options(const struct call *call, const struct shard *shard, rw_network_options *options)
{
    const struct settings *settings = &call->settings;
    rw_network_options_init(options);
    options->folder = settings->out ? settings->out : "net";
    options->layers = settings->network_layers;
    options->level_dbm = settings->level_dbm;
    options->shard = shard->number;
    options->shards = shard->count;
    options->per_site = settings->per_site;
    options->centi_db = settings->centi_db;
    options->skip_bad = settings->skip_bad;
    if (settings->block_cells)
        options->block = (size_t)settings->block_cells;
    if (settings->group_sites)
        options->group = (size_t)settings->group_sites;
    if (settings->margin_m > 0)
        options->margin_m = settings->margin_m;
}

static rw_status load_area(void *user, const double area_m[4], rw_scene **scene)
{
    struct call *call = user;
    return load_scene(call, call->settings.scene, area_m, scene);
}

/* A file that has changed is another scene. */
static void read_by_blocks(struct call *call, const rw_scene *probe, char name[SCENE_NAME_MAX],
                           rw_network_options *options)
{
    struct stat about;
    int exists = stat(call->settings.scene, &about) == 0;
    snprintf(name, SCENE_NAME_MAX, "%.3900s %lld %lld", call->settings.scene, exists ? (long long)about.st_size : 0,
             exists ? (long long)about.st_mtime : 0);
    options->load = load_area;
    options->user = call;
    options->scene_name = name;
    options->crs = rw_scene_crs(probe);
}

static double peak_bytes(void)
{
    struct rusage use;
    return getrusage(RUSAGE_SELF, &use) == 0 ? 1024.0 * (double)use.ru_maxrss : 0;
}

/* Where the time went. */
static void report_stages(struct json *json, const rw_network_report *report)
{
    json_object(json, "stages");
    json_number(json, "load", report->load_s);
    json_number(json, "prepare", report->prepare_s);
    json_number(json, "solve", report->solve_s);
    json_number(json, "reduce", report->reduce_s);
    json_number(json, "write", report->write_s);
    json_number(json, "merge", report->merge_s);
    json_object_end(json);
}

static void print_network_json(const struct call *call, const struct shard *shard, const rw_network_report *report,
                               const char *folder, double seconds, int merged)
{
    struct json json;
    json_begin(&json, stdout);
    json_string(&json, "command", call->command->name);
    json_string(&json, "folder", folder);
    if (shard) {
        json_string(&json, "model", model_of(call));
        json_string(&json, "backend", rw_context_backend(call->context));
        json_count(&json, "share", shard->number);
        json_count(&json, "shares", shard->count);
        json_string(&json, "share_from", shard->from);
    }
    json_count(&json, "columns", report->columns);
    json_count(&json, "rows", report->rows);
    json_count(&json, "blocks", report->blocks);
    json_count(&json, "parts", report->chunks);
    json_count(&json, "parts_done", report->done);
    json_count(&json, "parts_computed", report->computed);
    json_count(&json, "sites", report->sites);
    json_count(&json, "sites_left_out", report->skipped + call->skipped_count);
    json_list(&json, "left_out");
    for (size_t i = 0; i < call->skipped_count; i++)
        json_string(&json, NULL, call->skipped[i]);
    json_list_end(&json);
    json_count(&json, "sites_reaching", report->reaching);
    json_number(&json, "site_cells", report->site_cells);
    json_number(&json, "block_bytes", report->bytes);
    json_number(&json, "seconds", seconds);
    report_stages(&json, report);
    json_number(&json, "peak_memory_bytes", peak_bytes());
    json_flag(&json, "merged", merged);
    json_string(&json, "version", rw_version());
    json_end(&json);
}

static void print_network_report(const struct call *call, const struct shard *shard, const rw_network_report *report,
                                 const char *folder, double seconds, int merged)
{
    if (call->settings.quiet)
        return;
    printf("region     %zu x %zu cells in %zu block%s\n", report->columns, report->rows, report->blocks,
           report->blocks == 1 ? "" : "s");
    if (shard) {
        printf("sites      %zu, of which %zu reach it; %.4g cells within their ranges\n", report->sites,
               report->reaching, report->site_cells);
        if (report->skipped + call->skipped_count)
            printf("left out   %zu sites\n", report->skipped + call->skipped_count);
        for (size_t i = 0; i < call->skipped_count; i++)
            printf("           %s\n", call->skipped[i]);
        if (shard->count > 1)
            printf("share      %zu of %zu (%s)\n", shard->number, shard->count, shard->from);
    }
    if (call->settings.dry_run) {
        printf("parts      %zu\nmemory     about %.3g MB for the sums of a block, beside scene and model\n"
               "nothing was computed (--dry-run)\n",
               report->chunks, report->bytes / 1e6);
        return;
    }
    printf("parts      %zu of %zu are there, %zu by this run", report->done, report->chunks, report->computed);
    printf("\ntime       %.3g s, %.3g MB of memory\n", seconds, peak_bytes() / 1e6);
    if (report->computed)
        printf("           %.3g s receivers and models, %.3g s predictions, %.3g s adding up, %.3g s files\n",
               report->prepare_s, report->solve_s, report->reduce_s,
               report->load_s + report->write_s + report->merge_s);
    if (merged)
        printf("layers     in %s\n", folder);
    else if (report->done == report->chunks)
        printf("next       rasterwave merge %s\n", folder);
    else
        printf("next       the other shares, then rasterwave merge %s\n", folder);
}

static void report_network(const struct call *call, const struct shard *shard, const rw_network_report *report,
                           const char *folder, double seconds, int merged)
{
    if (call->settings.json)
        print_network_json(call, shard, report, folder, seconds, merged);
    else
        print_network_report(call, shard, report, folder, seconds, merged);
}

/* Where the range is not limited by a radius, the level limits it. */
static int run_network(struct call *call, struct request *request, const struct shard *shard)
{
    rw_network_options options;
    rw_network_report report = {.size = sizeof report}, merged = {.size = sizeof merged};
    rw_predict_options *prediction = &request->options;
    double start_s = now_s();
    char scene_name[SCENE_NAME_MAX];
    fill_network_options(call, shard, &options);
    if (call->settings.by_blocks)
        read_by_blocks(call, request->scene, scene_name, &options);
    prediction->layers = NULL;
    prediction->range_level_dbm = call->settings.level_dbm;
    prediction->level_dbm = NAN; /* which is of the layer coverage_probability */
    if (call->settings.dry_run) {
        rw_status status = rw_network_estimate(call->context, request->scene, prediction, &options, &report);
        if (status != RW_OK)
            return report_status(call, status);
        report_network(call, shard, &report, options.folder, now_s() - start_s, 0);
        return 0;
    }
    rw_status status = rw_network_run(call->context, request->scene, prediction, &options, &report);
    wipe_progress(call);
    int merges = status == RW_OK && shard->count == 1 && report.done == report.chunks && !call->settings.blocks_only;
    if (merges)
        status = rw_network_merge(call->context, &options, &merged);
    report.merge_s = merged.merge_s;
    wipe_progress(call);
    if (status != RW_OK)
        return report_status(call, status);
    report_network(call, shard, &report, options.folder, now_s() - start_s, merges);
    return 0;
}

int command_network(struct call *call)
{
    struct request request = {0};
    struct shard shard;
    int exit_status = find_shard(call, &shard);
    if (!exit_status)
        exit_status = open_request(call, &request);
    if (!exit_status)
        exit_status = run_network(call, &request, &shard);
    close_request(&request);
    return exit_status;
}

int command_merge(struct call *call)
{
    rw_network_options options;
    rw_network_report report = {.size = sizeof report};
    double start_s = now_s();
    if (!call->settings.input && !call->settings.out)
        return report_error("merge needs the folder of a network: rasterwave merge net");
    rw_network_options_init(&options);
    options.folder = call->settings.input ? call->settings.input : call->settings.out;
    options.layers = call->settings.network_layers;
    options.centi_db = call->settings.centi_db;
    rw_status status = rw_network_merge(call->context, &options, &report);
    wipe_progress(call);
    if (status != RW_OK)
        return report_status(call, status);
    report_network(call, NULL, &report, options.folder, now_s() - start_s, 1);
    return 0;
}
