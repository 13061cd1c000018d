/* network: many sites over a region, in parts; merge: the parts put together. */
#include "commands/network.h"

#include "cli/cli.h"

#include <rasterwave/network.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* Options of merge. */
struct merge_settings {
    const char *layers, *out;
    int centi_db;
};

/* Options of network. */
struct network_settings {
    struct input_options inputs;
    const char *layers, *shard, *out;
    struct level_list level;
    double level_dbm, margin_m;
    int per_site, centi_db, block_cells, group_sites, blocks_only;
};

static void resolve_network_options(const struct call *call, const struct shard *shard, rw_network_options *options)
{
    const struct network_settings *settings = call->settings;
    rw_network_options_init(options);
    options->folder = settings->out ? settings->out : "net";
    options->layers = settings->layers;
    options->level_dbm = settings->level_dbm;
    options->shard = shard->number;
    options->shards = shard->count;
    options->per_site = settings->per_site;
    options->centi_db = settings->centi_db;
    options->skip_bad = settings->inputs.sites.skip_bad;
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
    const struct network_settings *settings = call->settings;
    return load_scene(call, &settings->inputs.scene, settings->inputs.scene.file, area_m, scene);
}

/* The probe, a scene of a small area, has the same files as each block. */
/* The options that decide what is read, but for the paths, whose content counts. */
static int format_scene_name(struct call *call, const char **name)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return report_out_of_memory("the name of the scene");
    for (size_t i = 0; i < call->argument_count; i++) {
        const struct argument *given = &call->argument[i];
        int is_file = is_path_type(find_value_type(call->command, given->name)) && access(given->text, F_OK) == 0;
        if (find_roles(given->name) & OF_SCENE)
            fprintf(stream, "%s %s\n", given->name, is_file ? "" : given->text);
    }
    int failed = fclose(stream) != 0 || !(*name = store_string(call, text));
    free(text);
    return failed ? report_out_of_memory("the name of the scene") : 0;
}

static int read_by_blocks(struct call *call, const rw_scene *probe, rw_network_options *options)
{
    options->load = load_area;
    options->user = call;
    options->crs = rw_scene_crs(probe);
    return format_scene_name(call, &options->scene_name);
}

static double peak_bytes(void)
{
    struct rusage use;
    return getrusage(RUSAGE_SELF, &use) == 0 ? 1024.0 * (double)use.ru_maxrss : 0;
}

/* The time of each stage. */
static void report_stages(struct json *json, const rw_network_report *found)
{
    json_object(json, "stages");
    json_number(json, "load", found->load_s);
    json_number(json, "prepare", found->prepare_s);
    json_number(json, "solve", found->solve_s);
    json_number(json, "reduce", found->reduce_s);
    json_number(json, "write", found->write_s);
    json_number(json, "merge", found->merge_s);
    json_object_end(json);
}

/* A run of the command: what it was of and what it came to. */
struct network_run {
    const struct shard *shard; /* NULL: of merge */
    rw_network_report found;
    const char *folder;
    double seconds;
    int is_merged;
};

static void report_region(struct report *report, const struct call *call, const struct network_run *run)
{
    const rw_network_report *found = &run->found;
    const struct shard *shard = run->shard;
    struct json *json = &report->json;
    json_count(json, "columns", found->columns);
    json_count(json, "rows", found->rows);
    json_count(json, "blocks", found->blocks);
    json_count(json, "parts", found->chunks);
    json_count(json, "parts_done", found->done);
    json_count(json, "parts_computed", found->computed);
    json_count(json, "sites", found->sites);
    json_count(json, "sites_left_out", found->skipped + call->skipped_count);
    report_skipped(report, call);
    json_count(json, "sites_reaching", found->reaching);
    json_number(json, "site_cells", found->site_cells);
    report_text(report, "region     %zu x %zu cells in %zu block%s\n", found->columns, found->rows, found->blocks,
                found->blocks == 1 ? "" : "s");
    if (!shard)
        return;
    report_text(report, "sites      %zu, of which %zu reach it; %.4g cells within their ranges\n", found->sites,
                found->reaching, found->site_cells);
    if (found->skipped + call->skipped_count)
        report_text(report, "left out   %zu sites\n", found->skipped + call->skipped_count);
    for (size_t i = 0; i < call->skipped_count; i++)
        report_text(report, "           %s\n", call->skipped[i]);
    if (shard->count > 1)
        report_text(report, "share      %zu of %zu (%s)\n", shard->number, shard->count, shard->from);
}

/* Cells within the ranges of sites that one core computes in a second, with all default mechanisms, and with --effects
 * roofs,walls: medians of docs/how-to/network.md. */
#define CELLS_PER_CORE_SECOND 0.2e6
#define CELLS_PER_CORE_SECOND_ROOFS 0.7e6

/* Time, memory and disk of a run. A part has at most the cells of its block, and at most those within the ranges. */
static void report_cost(struct report *report, const rw_network_report *found)
{
    double block_cells =
        fmin((double)found->block, (double)found->columns) * fmin((double)found->block, (double)found->rows);
    double disk_bytes = fmin((double)found->chunks * found->bytes, found->site_cells * found->bytes / block_cells);
    double core_s = found->site_cells / CELLS_PER_CORE_SECOND;
    json_number(&report->json, "core_seconds", core_s);
    json_number(&report->json, "disk_bytes", disk_bytes);
    report_text(report,
                "parts      %zu\ntime       about %.3g core hours with all mechanisms, %.3g with roofs and walls\n",
                found->chunks, core_s / 3600, found->site_cells / CELLS_PER_CORE_SECOND_ROOFS / 3600);
    report_text(report,
                "memory     about %.3g MB for the sums of a block, in addition to scene and model\n"
                "disk       at most %.3g MB in parts\nnothing was computed (--dry-run)\n",
                found->bytes / 1e6, disk_bytes / 1e6);
}

static void report_work(struct report *report, const struct call *call, const struct network_run *run)
{
    const rw_network_report *found = &run->found;
    struct json *json = &report->json;
    json_number(json, "block_bytes", found->bytes);
    json_number(json, "seconds", run->seconds);
    report_stages(json, found);
    json_number(json, "peak_memory_bytes", peak_bytes());
    json_flag(json, "merged", run->is_merged);
    if (call->dry_run) {
        report_cost(report, found);
        return;
    }
    report_text(report, "parts      %zu of %zu are there, %zu by this run", found->done, found->chunks,
                found->computed);
    report_text(report, "\ntime       %.3g s, %.3g MB of memory\n", run->seconds, peak_bytes() / 1e6);
    if (found->computed)
        report_text(report,
                    "           %.3g s receivers and models, %.3g s predictions, %.3g s adding up, %.3g s files\n",
                    found->prepare_s, found->solve_s, found->reduce_s, found->load_s + found->write_s + found->merge_s);
    if (run->is_merged)
        report_text(report, "layers     in %s\n", run->folder);
    else if (found->done == found->chunks)
        report_text(report, "next       rasterwave merge %s\n", run->folder);
    else
        report_text(report, "next       the other shares, then rasterwave merge %s\n", run->folder);
}

static void report_network(const struct call *call, const struct network_run *run)
{
    struct report report;
    report_begin(&report, call);
    json_string(&report.json, "command", call->command->name);
    json_string(&report.json, "folder", run->folder);
    if (run->shard) {
        json_string(&report.json, "model", model_of(call));
        json_string(&report.json, "backend", rw_context_backend(call->context));
        json_string(&report.json, "machine", rw_context_machine(call->context));
        json_count(&report.json, "share", run->shard->number);
        json_count(&report.json, "shares", run->shard->count);
        json_string(&report.json, "share_from", run->shard->from);
    }
    report_region(&report, call, run);
    report_work(&report, call, run);
    report_version(&report);
    report_end(&report);
}

/* If the range is not limited by a radius, the level limits it. */
static int compute_network(struct call *call, struct request *request, const struct shard *shard)
{
    struct network_settings *settings = call->settings;
    struct network_run run = {.shard = shard, .found.size = sizeof run.found};
    rw_network_options options;
    rw_network_report merged = {.size = sizeof merged};
    rw_predict_options *prediction = &request->options;
    TRY(open_request(call, &settings->inputs, request));
    double start_s = now_s();
    resolve_network_options(call, shard, &options);
    if (settings->inputs.by_blocks)
        TRY(read_by_blocks(call, request->scene, &options));
    run.folder = options.folder;
    prediction->layers = NULL;
    if (!isnan(settings->level_dbm) && !isnan(prediction->range_level_dbm))
        return report_error("--range-level and --level of a network both say which cells have a value: give one");
    if (!isnan(settings->level_dbm))
        prediction->range_level_dbm = settings->level_dbm;
    prediction->level_dbm = NAN; /* which is of the layer coverage_probability */
    rw_status status = call->dry_run
                           ? rw_network_estimate(call->context, request->scene, prediction, &options, &run.found)
                           : rw_network_run(call->context, request->scene, prediction, &options, &run.found);
    wipe_progress(call);
    TRY_RW(call, status);
    run.is_merged = !call->dry_run && shard->count == 1 && run.found.done == run.found.chunks && !settings->blocks_only;
    if (run.is_merged)
        status = rw_network_merge(call->context, &options, &merged);
    run.found.merge_s = merged.merge_s;
    wipe_progress(call);
    TRY_RW(call, status);
    run.seconds = now_s() - start_s;
    report_network(call, &run);
    return 0;
}

static int run_network(struct call *call)
{
    struct network_settings *settings = call->settings;
    struct request request = {0};
    struct shard shard;
    TRY(find_shard(settings->shard, &shard));
    TRY(resolve_power_level(call, &settings->level, &settings->level_dbm));
    int exit_status = compute_network(call, &request, &shard);
    close_request(&request);
    return exit_status;
}

static int run_merge(struct call *call)
{
    const struct merge_settings *settings = call->settings;
    struct network_run run = {.found.size = sizeof run.found, .is_merged = 1};
    rw_network_options options;
    double start_s = now_s();
    if (!call->input && !settings->out)
        return report_error("merge needs the folder of a network: rasterwave merge net");
    rw_network_options_init(&options);
    options.folder = run.folder = call->input ? call->input : settings->out;
    options.layers = settings->layers;
    options.centi_db = settings->centi_db;
    rw_status status = rw_network_merge(call->context, &options, &run.found);
    wipe_progress(call);
    TRY_RW(call, status);
    run.seconds = now_s() - start_s;
    report_network(call, &run);
    return 0;
}

#define AT(member) offsetof(struct network_settings, member)
static const struct command_option network_options[] = {{"scene", AT(inputs.scene.file)},
                                                        {"tx", AT(inputs.sites.tx)},
                                                        {"model", OF_CALL},
                                                        {"layers", AT(layers)},
                                                        {"shard", AT(shard)},
                                                        {"sites", AT(inputs.sites.file)},
                                                        {"level", AT(level)},
                                                        {"per-site", AT(per_site)},
                                                        {"centi-db", AT(centi_db)},
                                                        {"terrain", AT(inputs.scene.terrain)},
                                                        {"out", AT(out)},
                                                        {"backend", OF_CALL},
                                                        {"threads", OF_CALL},
                                                        {"json", OF_CALL},
                                                        {"quiet", OF_CALL},
                                                        {"dry-run", OF_CALL},
                                                        {"skip-bad", AT(inputs.sites.skip_bad)},
                                                        {"+help options", OF_CALL},
                                                        {"block-cells", AT(block_cells)},
                                                        {"group-sites", AT(group_sites)},
                                                        {"parts-only", AT(blocks_only)},
                                                        {"by-blocks", AT(inputs.by_blocks)},
                                                        {"margin", AT(margin_m)},
                                                        {"device", OF_CALL},
                                                        {"+predict", OF_CALL},
                                                        {"columns", AT(inputs.sites.columns)},
                                                        {"foliage", AT(inputs.scene.foliage)},
                                                        {"materials", AT(inputs.scene.materials)},
                                                        {"crs", AT(inputs.scene.crs)},
                                                        {"height-field", AT(inputs.scene.height_field)},
                                                        {"height-unit", AT(inputs.scene.height_unit)},
                                                        {"points-crs", OF_CALL},
                                                        {"tx-polarisation", AT(inputs.sites.polarisation)},
                                                        {"allow-outside", OF_CALL},
                                                        {NULL, 0}};
#undef AT

static const struct network_settings network_defaults = {.level_dbm = NAN};

const struct command network_command = {
    .name = "network",
    .summary = "many sites over a region, in parts, on many machines; merge: its parts",
    .options = network_options,
    .settings_size = sizeof(struct network_settings),
    .defaults = &network_defaults,
    .calls = RW_OPTION_OF_PREDICT,
    .is_served = 1,
    .default_out = "network",
    .examples = {"rasterwave network --scene city:grid:size=600m,600m --sites sites.csv --radius 2km --out net",
                 "rasterwave network --scene c.gpkg --sites sites.csv --level -110dBm --shard 2/8 --out net"},
    .run = run_network};

#define AT(member) offsetof(struct merge_settings, member)
static const struct command_option merge_options[] = {
    {"layers", AT(layers)}, {"centi-db", AT(centi_db)}, {"out", AT(out)}, {"json", OF_CALL},
    {"quiet", OF_CALL},     {"allow-outside", OF_CALL}, {NULL, 0}};
#undef AT

const struct command merge_command = {
    .name = "merge",
    .summary = "puts the parts of a network together: rasters of its layers",
    .input = "FOLDER",
    .options = merge_options,
    .settings_size = sizeof(struct merge_settings),
    .examples = {"rasterwave merge net", "rasterwave merge net --layers best,sinr,servers"},
    .run = run_merge};
