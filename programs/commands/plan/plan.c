/* plan: candidate sites to those that are worth building, and what to put on them. */
#include "commands/plan/plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int check_plan_call(struct call *call)
{
    const char *report = call->settings.report, *dot = report ? strrchr(report, '.') : NULL;
    if (!call->settings.plan.candidates)
        return report_error("plan needs candidates: --candidates FILE.csv, a sites table");
    if (call->settings.transmitter_count || call->settings.sites)
        return report_error(
            "plan takes its sites from --candidates; those that stand already have keep = yes or fixed");
    if (model_argument_value(call, "layers"))
        return report_error("plan writes the layers of its objective; --layers is for predict --sites");
    if (report && (!dot || strcmp(dot, ".html") != 0))
        return report_error("--report %s: a report is an .html file", report);
    return check_output_file("report", report);
}

static void fill_plan_options(struct call *call, struct planning *planning)
{
    const struct settings *settings = &call->settings;
    const struct plan_settings *plan = &settings->plan;
    rw_plan_options *options = &planning->options;
    options->predict = &planning->request.options;
    options->candidates = planning->request.candidates;
    options->level_dbm = settings->level_dbm;
    options->weights = settings->weights;
    options->zones = settings->zones;
    options->zone_field = plan->zone_field;
    options->seed = settings->seed;
    options->skip_bad = settings->skip_bad;
    options->on_skipped = record_skipped_site;
    options->user = call;
    options->budget = plan->budget;
    options->distance_min_m = plan->distance_min_m;
    options->percentile = plan->percentile;
    options->sites_max = plan->sites_max;
    options->sectors_max = plan->sectors_max;
    options->sectors = plan->sectors;
    options->rounds = plan->rounds;
    if (plan->objective)
        options->objective = plan->objective;
}

/* Limits that are given must be limits. */
static int check_plan_limit_options(const struct call *call)
{
    const struct plan_settings *plan = &call->settings.plan;
    for (size_t i = 0; i < call->argument_count; i++) {
        const char *name = call->argument[i].name;
        if ((strcmp(name, "max-sites") == 0 && plan->sites_max == 0) ||
            (strcmp(name, "max-sectors") == 0 && plan->sectors_max == 0))
            return report_error("--%s 0: nothing could be chosen; give at least 1", name);
        if (strcmp(name, "budget") == 0 && !(plan->budget >= 0))
            return report_error("--budget %s: a budget is not negative", call->argument[i].text);
    }
    return 0;
}

static int estimate_plan(struct call *call, const struct planning *planning)
{
    rw_estimate estimate = {.size = sizeof estimate};
    rw_status status = rw_plan_estimate(planning->request.scene, &planning->options, &estimate);
    return status == RW_OK ? report_estimate(call, "cells", &estimate) : report_status(call, status);
}

static int create_plan(struct call *call, struct planning *planning)
{
    struct folder folder = {0};
    int exit_status = make_folder(&folder, call->settings.out);
    if (exit_status)
        return exit_status;
    rw_status status = rw_plan_create(planning->request.scene, &planning->options, &planning->plan);
    wipe_progress(call);
    if (status == RW_OK) {
        planning->info.size = sizeof planning->info;
        status = rw_plan_get_info(planning->plan, &planning->info);
    }
    exit_status = status == RW_OK ? write_plan_files(call, planning) : report_status(call, status);
    if (!exit_status)
        exit_status = write_plan_page(call, planning);
    if (exit_status)
        undo_folder(&folder);
    else if (call->settings.json)
        write_plan_json(stdout, call, planning);
    else if (!call->settings.quiet)
        print_plan(call, planning);
    return exit_status;
}

int command_plan(struct call *call)
{
    struct planning planning = {0};
    rw_plan_options_init(&planning.options);
    planning.pictures = calloc(PLAN_PICTURES_MAX, sizeof *planning.pictures);
    if (!planning.pictures)
        return report_out_of_memory("the pictures");
    if (!call->settings.out)
        call->settings.out = "plan";
    int exit_status = check_plan_call(call);
    if (!exit_status)
        exit_status = check_plan_limit_options(call);
    if (!exit_status)
        exit_status = read_plan_lists(call, &planning);
    if (!exit_status)
        exit_status = open_request(call, &planning.request);
    if (!exit_status) {
        fill_plan_options(call, &planning);
        exit_status = call->settings.dry_run ? estimate_plan(call, &planning) : create_plan(call, &planning);
    }
    rw_plan_destroy(planning.plan);
    close_request(&planning.request);
    free_plan_lists(&planning);
    free(planning.pictures);
    return exit_status;
}
