/* A plan in words and as JSON. */
#include "commands/plan/plan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void describe_plan_bound(const rw_plan_info *info, char *text, size_t size)
{
    size_t used = 0;
    text[0] = 0;
    if (info->optimal)
        used = (size_t)snprintf(text, size, "No choice within the limits is better: all were compared or excluded.");
    else if (isfinite(info->bound) && info->bound > 0)
        used = (size_t)snprintf(text, size,
                                "No choice within the limits reaches more than %.6g %s: this one has at least %.1f %% "
                                "of the best.",
                                info->bound, info->unit, fmin(100, 100 * info->value / info->bound));
    if (isfinite(info->guarantee) && used < size)
        snprintf(text + used, size - used, "%sGreedy steps alone always reach %.0f %% of the best under such limits.",
                 used ? " " : "", 100 * info->guarantee);
}

void describe_plan_step(const rw_plan_step *step, char *text, size_t size)
{
    if (strcmp(step->change, "remove") == 0)
        snprintf(text, size, "remove %.80s", step->name);
    else
        snprintf(text, size, "%s%.80s%s%.80s, azimuth %g, tilt %g, %g dBm, %.80s",
                 *step->removed                     ? "replace "
                 : strcmp(step->phase, "keep") == 0 ? "keep "
                                                    : "add ",
                 *step->removed ? step->removed : step->name, *step->removed ? " by " : "",
                 *step->removed ? step->name : "", step->azimuth_deg, step->downtilt_deg, step->power_dbm,
                 strrchr(step->antenna, '/') ? strrchr(step->antenna, '/') + 1 : step->antenna);
}

/* A value, with its fraction of the weight if it covers one. */
static void report_plan_value(struct report *report, const rw_plan_info *info, const char *name, double value)
{
    if (strcmp(info->objective, "coverage") == 0)
        report_text(report, "  %-12s %14.6g %s, %6.2f %%\n", name, value, info->unit, 100 * value / info->weight);
    else
        report_text(report, "  %-12s %14.6g %s\n", name, value, info->unit);
}

static void write_plan_info(struct json *json, const rw_plan_info *info)
{
    json_string(json, "objective", info->objective);
    json_string(json, "unit", info->unit);
    json_count(json, "candidates", info->candidates);
    json_count(json, "useless", info->useless);
    json_count(json, "sites", info->sites);
    json_count(json, "places", info->positions);
    json_count(json, "configurations", info->configurations);
    json_count(json, "chosen_sites", info->chosen_sites);
    json_count(json, "chosen_sectors", info->chosen_sectors);
    json_number(json, "cost", info->cost);
    json_number(json, "weight", info->weight);
    json_number(json, "before", info->before);
    json_number(json, "greedy", info->greedy);
    json_number(json, "value", info->value);
    json_number(json, "predicted", info->predicted);
    json_number(json, "rms_db", info->rms_db);
    json_number(json, "bound", info->bound);
    json_flag(json, "optimal", info->optimal);
    json_number(json, "guarantee", info->guarantee);
    if (isfinite(info->expected)) {
        json_number(json, "expected", info->expected);
        json_number(json, "assured", info->assured);
        json_number(json, "target_probability", info->target_probability);
    }
    json_number(json, "evaluated", info->evaluated);
    json_number(json, "gain_bytes", info->gain_bytes);
    json_object(json, "seconds");
    json_number(json, "predict", info->predict_s);
    json_number(json, "search", info->search_s);
    json_number(json, "evaluate", info->evaluate_s);
    json_object_end(json);
}

void describe_plan_confidence(const struct plan_settings *settings, const rw_plan_info *info, char *text, size_t size)
{
    double percent = 100 / info->weight;
    size_t used =
        (size_t)snprintf(text, size,
                         "With shadowing %.2f %% is covered on average, and with a probability of %g at least "
                         "%.2f %%.",
                         percent * info->expected, settings->confidence, percent * info->assured);
    if (isfinite(info->target_probability) && used < size)
        snprintf(text + used, size - used, " The target of %g %% is reached with a probability of %.3g.",
                 settings->target, info->target_probability);
}

static void report_plan_values(struct report *report, const struct plan_settings *settings, const rw_plan_info *info)
{
    char text[400];
    report_plan_value(report, info, "before", info->before);
    report_plan_value(report, info, "greedy", info->greedy);
    report_plan_value(report, info, "chosen", info->value);
    report_plan_value(report, info, "predicted", info->predicted);
    if (isfinite(info->expected)) {
        report_text(report,
                    "  covered is a receiver whose strongest sector reaches the level with a probability of %g\n",
                    settings->confidence);
        describe_plan_confidence(settings, info, text, sizeof text);
        report_text(report, "  %s\n", text);
    }
    if (isfinite(info->rms_db))
        report_text(report, "  powers it was chosen by differ from the prediction by %.2f dB RMS\n", info->rms_db);
    describe_plan_bound(info, text, sizeof text);
    if (*text)
        report_text(report, "%s\n", text);
    report_text(report, "%.0f changes evaluated, %.3g in a second; predictions %.1f s, search %.1f s, gains %.0f MB\n",
                info->evaluated, info->evaluated / fmax(info->evaluate_s, 1e-9), info->predict_s, info->search_s,
                info->gain_bytes / 1e6);
}

static void write_plan_choice(struct json *json, const struct planning *planning, size_t index)
{
    rw_transmitter of = {.size = sizeof of};
    size_t candidate;
    if (rw_plan_get_chosen(planning->plan, index, &of, &candidate) != RW_OK)
        return;
    json_object(json, NULL);
    json_string(json, "name", of.name);
    json_count(json, "candidate", candidate + 1);
    json_number(json, "x_m", of.x_m);
    json_number(json, "y_m", of.y_m);
    json_number(json, "height_m", of.height_m);
    json_number(json, "azimuth_deg", of.azimuth_deg);
    json_number(json, "tilt_deg", of.downtilt_deg);
    json_number(json, "power_dbm", of.power_dbm);
    json_string(json, "antenna", of.antenna);
    json_string(json, "channel", of.channel);
    json_object_end(json);
}

static void report_plan_step(struct report *report, const struct planning *planning, size_t index)
{
    struct json *json = &report->json;
    char text[400];
    rw_plan_step step = {.size = sizeof step};
    if (rw_plan_get_step(planning->plan, index, &step) != RW_OK)
        return;
    json_object(json, NULL);
    json_string(json, "phase", step.phase);
    json_string(json, "change", step.change);
    json_string(json, "name", step.name);
    json_string(json, "removed", step.removed);
    json_number(json, "azimuth_deg", step.azimuth_deg);
    json_number(json, "tilt_deg", step.downtilt_deg);
    json_number(json, "power_dbm", step.power_dbm);
    json_string(json, "antenna", step.antenna);
    json_number(json, "value", step.value);
    json_number(json, "cost", step.cost);
    json_object_end(json);
    describe_plan_step(&step, text, sizeof text);
    report_text(report, "  %3zu  %-7s %12.6g %s  %s\n", index + 1, step.phase, step.value, planning->info.unit, text);
}

static void compose_plan(struct report *report, const struct call *call, const struct planning *planning)
{
    const struct plan_settings *settings = call->settings;
    const rw_plan_info *info = &planning->info;
    struct json *json = &report->json;
    json_string(json, "kind", "plan");
    json_string(json, "model", planning->request.options.model);
    json_string(json, "backend", rw_context_backend(call->context));
    for (size_t i = 0; i < call->skipped_count; i++)
        report_text(report, "%s%s\n", i ? "  " : "candidates left out:\n  ", call->skipped[i]);
    report_text(report, "%zu candidates on %zu sites, %zu configurations; objective %s\n", info->candidates,
                info->sites, info->configurations, info->objective);
    report_text(report, "chosen: %zu sites, %zu sectors, cost %g\n", info->chosen_sites, info->chosen_sectors,
                info->cost);
    write_plan_info(json, info);
    json_list(json, "chosen");
    for (size_t i = 0; i < rw_plan_chosen_count(planning->plan); i++)
        write_plan_choice(json, planning, i);
    json_list_end(json);
    json_list(json, "steps");
    for (size_t i = 0; i < rw_plan_step_count(planning->plan); i++)
        report_plan_step(report, planning, i);
    json_list_end(json);
    report_plan_values(report, settings, info);
    report_file(report, "sites_file", planning->sites);
    report_text(report, "%s\n", planning->record);
    if (settings->report)
        report_text(report, "%s\n", settings->report);
    json_list(json, "pictures");
    for (size_t i = 0; i < planning->picture_count; i++)
        json_string(json, NULL, planning->pictures[i].path);
    json_list_end(json);
    report_skipped(report, call);
    report_warnings(report, call);
    report_version(report);
    json_string(json, "machine", rw_context_machine(call->context));
    report_end(report);
}

void report_plan(const struct call *call, const struct planning *planning)
{
    struct report report;
    report_begin(&report, call);
    compose_plan(&report, call, planning);
}

void write_plan_json(FILE *out, const struct call *call, const struct planning *planning)
{
    struct report report;
    report_begin_json(&report, out);
    compose_plan(&report, call, planning);
}
