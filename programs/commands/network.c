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

static void fill_options(const struct call *call, const struct share *share, rw_network_options *options)
{
    const struct settings *settings = &call->settings;
    rw_network_options_init(options);
    options->folder = settings->out ? settings->out : "net";
    options->layers = settings->network_layers;
    options->level_dbm = settings->level_dbm;
    options->shard = share->number;
    options->shards = share->count;
    options->wait = share->wait;
    options->per_site = settings->per_site;
    options->centi_db = settings->centi_db;
    options->skip_bad = settings->skip_bad;
    if (settings->block_cells)
        options->block = (size_t)settings->block_cells;
    if (settings->group_sites)
        options->group = (size_t)settings->group_sites;
    if (settings->stale_s)
        options->stale_s = settings->stale_s;
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
    int known = stat(call->settings.scene, &about) == 0;
    snprintf(name, SCENE_NAME_MAX, "%.3900s %lld %lld", call->settings.scene, known ? (long long)about.st_size : 0,
             known ? (long long)about.st_mtime : 0);
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

static void report_json(const struct call *call, const struct share *share, const rw_network_report *report,
                        const char *folder, double seconds, int merged)
{
    struct json json;
    json_begin(&json, stdout);
    json_text(&json, "command", call->command->name);
    json_text(&json, "folder", folder);
    if (share) {
        json_text(&json, "model", model_of(call));
        json_text(&json, "backend", rw_context_backend(call->context));
        json_count(&json, "share", share->number);
        json_count(&json, "shares", share->count);
        json_text(&json, "share_from", share->from);
    }
    json_count(&json, "columns", report->columns);
    json_count(&json, "rows", report->rows);
    json_count(&json, "blocks", report->blocks);
    json_count(&json, "parts", report->parts);
    json_count(&json, "parts_done", report->done);
    json_count(&json, "parts_computed", report->computed);
    json_count(&json, "parts_adopted", report->adopted);
    json_count(&json, "sites", report->sites);
    json_count(&json, "sites_left_out", report->left_out + call->left_out_count);
    json_list(&json, "left_out");
    for (size_t i = 0; i < call->left_out_count; i++)
        json_text(&json, NULL, call->left_out[i]);
    json_list_end(&json);
    json_count(&json, "sites_reaching", report->reaching);
    json_number(&json, "site_cells", report->site_cells);
    json_number(&json, "block_bytes", report->bytes);
    json_number(&json, "seconds", seconds);
    report_stages(&json, report);
    json_number(&json, "peak_memory_bytes", peak_bytes());
    json_flag(&json, "merged", merged);
    json_text(&json, "version", rw_version());
    json_end(&json);
}

static void report_text(const struct call *call, const struct share *share, const rw_network_report *report,
                        const char *folder, double seconds, int merged)
{
    if (call->settings.quiet)
        return;
    printf("region     %zu x %zu cells in %zu block%s\n", report->columns, report->rows, report->blocks,
           report->blocks == 1 ? "" : "s");
    if (share) {
        printf("sites      %zu, of which %zu reach it; %.4g cells within their ranges\n", report->sites,
               report->reaching, report->site_cells);
        if (report->left_out + call->left_out_count)
            printf("left out   %zu sites\n", report->left_out + call->left_out_count);
        for (size_t i = 0; i < call->left_out_count; i++)
            printf("           %s\n", call->left_out[i]);
        if (share->count > 1)
            printf("share      %zu of %zu (%s)\n", share->number, share->count, share->from);
    }
    if (call->settings.dry_run) {
        printf("parts      %zu\nmemory     about %.3g MB for the sums of a block, beside scene and model\n"
               "nothing was computed (--dry-run)\n",
               report->parts, report->bytes / 1e6);
        return;
    }
    printf("parts      %zu of %zu are there, %zu by this run", report->done, report->parts, report->computed);
    if (report->adopted)
        printf(", %zu of shares whose process had died", report->adopted);
    printf("\ntime       %.3g s, %.3g MB of memory\n", seconds, peak_bytes() / 1e6);
    if (report->computed)
        printf("           %.3g s receivers and models, %.3g s predictions, %.3g s adding up, %.3g s files\n",
               report->prepare_s, report->solve_s, report->reduce_s,
               report->load_s + report->write_s + report->merge_s);
    if (merged)
        printf("layers     in %s\n", folder);
    else if (report->done == report->parts)
        printf("next       rasterwave merge %s\n", folder);
    else
        printf("next       the other shares, then rasterwave merge %s\n", folder);
}

static void tell(const struct call *call, const struct share *share, const rw_network_report *report,
                 const char *folder, double seconds, int merged)
{
    if (call->settings.json)
        report_json(call, share, report, folder, seconds, merged);
    else
        report_text(call, share, report, folder, seconds, merged);
}

/* Where the range is not limited by a radius, the level limits it. */
static int run(struct call *call, struct request *request, const struct share *share)
{
    rw_network_options options;
    rw_network_report report = {.size = sizeof report}, merged = {.size = sizeof merged};
    rw_predict_options *prediction = &request->options;
    double start_s = now_s();
    char scene_name[SCENE_NAME_MAX];
    fill_options(call, share, &options);
    if (call->settings.by_blocks)
        read_by_blocks(call, request->scene, scene_name, &options);
    prediction->layers = NULL;
    prediction->range_level_dbm = call->settings.level_dbm;
    prediction->level_dbm = NAN; /* which is of the layer coverage_probability */
    if (call->settings.dry_run) {
        rw_status status = rw_network_estimate(call->context, request->scene, prediction, &options, &report);
        if (status != RW_OK)
            return complain_status(call, status);
        tell(call, share, &report, options.folder, now_s() - start_s, 0);
        return 0;
    }
    rw_status status = rw_network_run(call->context, request->scene, prediction, &options, &report);
    wipe_progress(call);
    int merges = status == RW_OK && share->count == 1 && report.done == report.parts && !call->settings.parts_only;
    if (merges)
        status = rw_network_merge(call->context, &options, &merged);
    report.merge_s = merged.merge_s;
    wipe_progress(call);
    if (status != RW_OK)
        return complain_status(call, status);
    tell(call, share, &report, options.folder, now_s() - start_s, merges);
    return 0;
}

int command_network(struct call *call)
{
    struct request request = {0};
    struct share share;
    int exit_status = find_share(call, &share);
    if (!exit_status)
        exit_status = open_request(call, &request);
    if (!exit_status)
        exit_status = run(call, &request, &share);
    close_request(&request);
    return exit_status;
}

int command_merge(struct call *call)
{
    rw_network_options options;
    rw_network_report report = {.size = sizeof report};
    double start_s = now_s();
    if (!call->settings.input && !call->settings.out)
        return complain("merge needs the folder of a network: rasterwave merge net");
    rw_network_options_init(&options);
    options.folder = call->settings.input ? call->settings.input : call->settings.out;
    options.layers = call->settings.network_layers;
    options.centi_db = call->settings.centi_db;
    rw_status status = rw_network_merge(call->context, &options, &report);
    wipe_progress(call);
    if (status != RW_OK)
        return complain_status(call, status);
    tell(call, NULL, &report, options.folder, now_s() - start_s, 1);
    return 0;
}
