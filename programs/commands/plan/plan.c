/* plan: candidate sites to those that are worth building, and what to put on them. */
#include "commands/plan/plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int check_plan_call(struct call *call)
{
    const struct plan_settings *settings = call->settings;
    const char *report = settings->report, *dot = report ? strrchr(report, '.') : NULL;
    if (!settings->inputs.candidates)
        return report_error("plan needs candidates: --candidates FILE.csv, a sites table");
    if (settings->inputs.sites.tx.count || settings->inputs.sites.file)
        return report_error(
            "plan takes its sites from --candidates; those that stand already have keep = yes or fixed");
    if (model_argument_value(call, "layers"))
        return report_error("plan writes the layers of its objective; --layers is for predict --sites");
    if (report && (!dot || strcmp(dot, ".html") != 0))
        return report_error("--report %s: a report is an .html file", report);
    return check_output_file("report", report);
}

static void resolve_plan_options(struct call *call, struct planning *planning)
{
    const struct plan_settings *settings = call->settings;
    rw_plan_options *options = &planning->options;
    options->predict = &planning->request.options;
    options->candidates = planning->request.candidates;
    options->level_dbm = settings->level_dbm;
    options->weights = settings->weights;
    options->zones = settings->zones;
    options->zone_field = settings->zone_field;
    options->seed = settings->seed;
    options->skip_bad = settings->inputs.sites.skip_bad;
    options->on_skipped = record_skipped_site;
    options->user = call;
    options->budget = settings->budget;
    options->distance_min_m = settings->distance_min_m;
    options->percentile = settings->percentile;
    options->confidence = settings->confidence;
    options->target_percent = settings->target;
    if (!isnan(settings->shadowing_db))
        options->shadowing_db = settings->shadowing_db;
    if (!isnan(settings->correlation_m))
        options->correlation_m = settings->correlation_m;
    options->sites_max = settings->sites_max;
    options->sectors_max = settings->sectors_max;
    options->sectors = settings->sectors;
    options->rounds = settings->rounds;
    if (settings->objective)
        options->objective = settings->objective;
    if (planning->listed && planning->listed->quantity == RW_QUANTITY_LENGTH_M) {
        options->rx_heights_m = planning->levels;
        options->rx_height_count = planning->level_count;
    } else if (planning->listed) {
        options->floors = planning->levels;
        options->floor_count = planning->level_count;
    }
}

/* Several heights or floors: the first stands for the others until the plan is made. */
static int read_plan_levels(struct call *call, struct planning *planning)
{
    char first[48];
    planning->listed = find_listed_heights(call);
    if (!planning->listed)
        return 0;
    planning->level_count = (size_t)read_listed_heights(call, planning->listed, planning->levels);
    if (!planning->level_count)
        return 2;
    snprintf(first, sizeof first, "%g%s", planning->levels[0], planning->listed->unit);
    return store_model_argument(call, planning->listed->name, first);
}

/* Limits that are given must be limits. */
static int check_plan_limit_options(const struct call *call)
{
    const struct plan_settings *settings = call->settings;
    for (size_t i = 0; i < call->argument_count; i++) {
        const char *name = call->argument[i].name;
        if ((strcmp(name, "max-sites") == 0 && settings->sites_max == 0) ||
            (strcmp(name, "max-sectors") == 0 && settings->sectors_max == 0))
            return report_error("--%s 0: nothing could be chosen; give at least 1", name);
        if (strcmp(name, "budget") == 0 && !(settings->budget >= 0))
            return report_error("--budget %s: a budget is not negative", call->argument[i].text);
    }
    return 0;
}

static int estimate_plan(struct call *call, const struct planning *planning)
{
    rw_estimate estimate = {.size = sizeof estimate};
    TRY_RW(call, rw_plan_estimate(planning->request.scene, &planning->options, &estimate));
    return report_estimate(call, "cells", &estimate);
}

static int solve_plan(struct call *call, struct planning *planning)
{
    rw_status status = rw_plan_create(planning->request.scene, &planning->options, &planning->plan);
    wipe_progress(call);
    TRY_RW(call, status);
    planning->info.size = sizeof planning->info;
    TRY_RW(call, rw_plan_get_info(planning->plan, &planning->info));
    TRY(write_plan_files(call, planning));
    return write_plan_page(call, planning);
}

static int create_plan(struct call *call, struct planning *planning)
{
    const struct plan_settings *settings = call->settings;
    struct folder folder = {0};
    TRY(make_folder(&folder, settings->out));
    int exit_status = solve_plan(call, planning);
    if (exit_status)
        undo_folder(&folder);
    else
        report_plan(call, planning);
    return exit_status;
}

static int check_and_plan(struct call *call, struct planning *planning)
{
    struct plan_settings *settings = call->settings;
    if (!settings->out)
        settings->out = "plan";
    TRY(check_plan_call(call));
    TRY(check_plan_limit_options(call));
    TRY(resolve_power_level(call, &settings->level, &settings->level_dbm));
    TRY(read_plan_lists(call, planning));
    TRY(read_plan_levels(call, planning));
    TRY(open_request(call, &settings->inputs, &planning->request));
    resolve_plan_options(call, planning);
    return call->dry_run ? estimate_plan(call, planning) : create_plan(call, planning);
}

static int run_plan(struct call *call)
{
    struct planning planning = {0};
    rw_plan_options_init(&planning.options);
    planning.pictures = calloc(PLAN_PICTURES_MAX, sizeof *planning.pictures);
    int exit_status = planning.pictures ? check_and_plan(call, &planning) : report_out_of_memory("the pictures");
    rw_plan_destroy(planning.plan);
    close_request(&planning.request);
    free_plan_lists(&planning);
    free(planning.pictures);
    return exit_status;
}

#define AT(member) offsetof(struct plan_settings, member)
static const struct command_option plan_options[] = {{"scene", AT(inputs.scene.file)},
                                                     {"candidates", AT(inputs.candidates)},
                                                     {"objective", AT(objective)},
                                                     {"level", AT(level)},
                                                     {"azimuths", AT(azimuths)},
                                                     {"tilts", AT(tilts)},
                                                     {"powers", AT(powers)},
                                                     {"antennas", AT(antennas)},
                                                     {"sectors", AT(sectors)},
                                                     {"max-sites", AT(sites_max)},
                                                     {"max-sectors", AT(sectors_max)},
                                                     {"budget", AT(budget)},
                                                     {"min-distance", AT(distance_min_m)},
                                                     {"report", AT(report)},
                                                     {"out", AT(out)},
                                                     {"json", OF_CALL},
                                                     {"+help options", OF_CALL},
                                                     {"weights", AT(weights)},
                                                     {"zones", AT(zones)},
                                                     {"zone-field", AT(zone_field)},
                                                     {"percentile", AT(percentile)},
                                                     {"confidence", AT(confidence)},
                                                     {"target", AT(target)},
                                                     {"shadowing", AT(shadowing_db)},
                                                     {"correlation", AT(correlation_m)},
                                                     {"rounds", AT(rounds)},
                                                     {"seed", AT(seed)},
                                                     {"skip-bad", AT(inputs.sites.skip_bad)},
                                                     {"columns", AT(inputs.sites.columns)},
                                                     {"+predict", OF_CALL},
                                                     {"quiet", OF_CALL},
                                                     {"dry-run", OF_CALL},
                                                     {"model", OF_CALL},
                                                     {"terrain", AT(inputs.scene.terrain)},
                                                     {"foliage", AT(inputs.scene.foliage)},
                                                     {"materials", AT(inputs.scene.materials)},
                                                     {"crs", AT(inputs.scene.crs)},
                                                     {"height-field", AT(inputs.scene.height_field)},
                                                     {"storeys-field", AT(inputs.scene.storeys_field)},
                                                     {"height-unit", AT(inputs.scene.height_unit)},
                                                     {"points-crs", OF_CALL},
                                                     {"backend", OF_CALL},
                                                     {"threads", OF_CALL},
                                                     {"allow-outside", OF_CALL},
                                                     {"time-stamp", OF_CALL},
                                                     {NULL, 0}};
#undef AT

static const struct plan_settings plan_defaults = {.level_dbm = NAN,
                                                   .sectors = 1,
                                                   .budget = NAN,
                                                   .percentile = 10,
                                                   .rounds = 100,
                                                   .seed = 1,
                                                   .confidence = NAN,
                                                   .target = NAN,
                                                   .shadowing_db = NAN,
                                                   .correlation_m = NAN};

const struct command plan_command = {
    .name = "plan",
    .summary = "which sites to build and what to put on them",
    .options = plan_options,
    .settings_size = sizeof(struct plan_settings),
    .defaults = &plan_defaults,
    .calls = RW_OPTION_OF_PREDICT,
    .is_served = 1,
    .default_out = "plan",
    .examples = {"rasterwave plan --scene city:grid --candidates masts.csv --level -90 --max-sites 5 --tilts 0,5",
                 "rasterwave plan --scene office --model images --candidates aps.csv --objective rate --max-sites 2"},
    .run = run_plan};
