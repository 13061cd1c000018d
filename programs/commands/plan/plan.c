/* plan: candidate sites to those that are worth building, and what to put on them. */
#include "commands/plan/plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int check_call(struct call *call)
{
    const char *report = call->settings.report, *dot = report ? strrchr(report, '.') : NULL;
    if (!call->settings.plan.candidates)
        return complain("plan needs candidates: --candidates FILE.csv, a sites table");
    if (call->settings.transmitter_count || call->settings.sites)
        return complain("plan takes its sites from --candidates; those that stand already have keep = yes or fixed");
    if (asked_text(call, "layers"))
        return complain("plan writes the layers of its objective; --layers is for predict --sites");
    if (report && (!dot || strcmp(dot, ".html") != 0))
        return complain("--report %s: a report is an .html file", report);
    return check_file_place("report", report);
}

static void fill_options(struct call *call, struct planning *planning)
{
    const struct settings *settings = &call->settings;
    const struct plan_settings *given = &settings->plan;
    rw_plan_options *options = &planning->options;
    options->predict = &planning->request.options;
    options->candidates = planning->request.candidates;
    options->level_dbm = settings->level_dbm;
    options->weights = settings->weights;
    options->zones = settings->zones;
    options->zone_field = given->zone_field;
    options->seed = settings->seed;
    options->skip_bad = settings->skip_bad;
    options->on_left_out = keep_left_out;
    options->user = call;
    options->budget = given->budget;
    options->distance_min_m = given->distance_min_m;
    options->percentile = given->percentile;
    options->sites_max = given->sites_max;
    options->sectors_max = given->sectors_max;
    options->sectors = given->sectors;
    options->rounds = given->rounds;
    if (given->objective)
        options->objective = given->objective;
}

/* Limits that are given must be limits. */
static int check_limits(const struct call *call)
{
    const struct plan_settings *given = &call->settings.plan;
    for (size_t i = 0; i < call->given_count; i++) {
        const char *name = call->given[i].name;
        if ((strcmp(name, "max-sites") == 0 && given->sites_max == 0) ||
            (strcmp(name, "max-sectors") == 0 && given->sectors_max == 0))
            return complain("--%s 0: nothing could be chosen; give at least 1", name);
        if (strcmp(name, "budget") == 0 && !(given->budget >= 0))
            return complain("--budget %s: a budget is not negative", call->given[i].text);
    }
    return 0;
}

static int dry_run(struct call *call, const struct planning *planning)
{
    rw_estimate estimate = {.size = sizeof estimate};
    rw_status status = rw_plan_estimate(planning->request.scene, &planning->options, &estimate);
    return status == RW_OK ? report_estimate(call, "cells", &estimate) : complain_status(call, status);
}

static int make_plan(struct call *call, struct planning *planning)
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
    exit_status = status == RW_OK ? write_plan_files(call, planning) : complain_status(call, status);
    if (!exit_status)
        exit_status = write_plan_page(call, planning);
    if (exit_status)
        undo_folder(&folder);
    else if (call->settings.json)
        put_plan_json(stdout, call, planning);
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
        return complain_memory("the pictures");
    if (!call->settings.out)
        call->settings.out = "plan";
    int exit_status = check_call(call);
    if (!exit_status)
        exit_status = check_limits(call);
    if (!exit_status)
        exit_status = read_plan_lists(call, &planning);
    if (!exit_status)
        exit_status = open_request(call, &planning.request);
    if (!exit_status) {
        fill_options(call, &planning);
        exit_status = call->settings.dry_run ? dry_run(call, &planning) : make_plan(call, &planning);
    }
    rw_plan_destroy(planning.plan);
    close_request(&planning.request);
    free_plan_lists(&planning);
    free(planning.pictures);
    return exit_status;
}
