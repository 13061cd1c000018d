/* plan --report: one HTML page with the choice, the gain of each step, the bound, and maps before and after. */
#include "report/report.h"
#include "commands/plan/plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int is_coverage(const rw_plan_info *info)
{
    return strcmp(info->objective, "coverage") == 0;
}

static const char *format_plan_unit(const rw_plan_info *info)
{
    return strcmp(info->unit, "m2") == 0 ? "m\xc2\xb2" : info->unit;
}

static void write_plan_value(FILE *out, const rw_plan_info *info, const char *name, double value)
{
    char text[100];
    if (is_coverage(info))
        snprintf(text, sizeof text, "%.*f %s, %.2f %%", info->weight >= 1000 ? 0 : 3, value, format_plan_unit(info),
                 100 * value / info->weight);
    else
        snprintf(text, sizeof text, "%.4g %s", value, info->unit);
    html_row(out, name, text);
}

static void write_plan_summary(FILE *out, const struct call *call, const struct planning *planning)
{
    const struct plan_settings *settings = call->settings;
    const rw_plan_info *info = &planning->info;
    char text[400];
    fputs("<h2>Result</h2>\n<table>\n", out);
    html_row(out, "Objective", info->objective);
    if (is_coverage(info)) {
        snprintf(text, sizeof text, "%g dBm", settings->level_dbm);
        html_row(out, "Level", text);
    }
    snprintf(text, sizeof text, "%zu on %zu sites, %zu configurations", info->candidates, info->sites,
             info->configurations);
    html_row(out, "Candidates", text);
    snprintf(text, sizeof text, "%zu sites, %zu sectors, cost %g", info->chosen_sites, info->chosen_sectors,
             info->cost);
    html_row(out, "Chosen", text);
    write_plan_value(out, info, "Before", info->before);
    write_plan_value(out, info, "After greedy steps", info->greedy);
    write_plan_value(out, info, "Chosen, as planned", info->value);
    write_plan_value(out, info, "Chosen, predicted", info->predicted);
    if (is_coverage(info) && isfinite(info->bound))
        write_plan_value(out, info, "Upper bound of any choice", info->bound);
    if (isfinite(info->expected)) {
        describe_plan_confidence(settings, info, text, sizeof text);
        html_row(out, "Confidence", text);
    }
    html_row(out, "Model", planning->request.options.model);
    html_row(out, "Program", rw_version());
    fputs("</table>\n<p>", out);
    describe_plan_bound(info, text, sizeof text);
    html_text(out, text);
    if (isfinite(info->rms_db))
        fprintf(out, " The powers it was chosen by differ from the prediction of the choice by %.2f dB RMS.",
                info->rms_db);
    fputs("</p>\n", out);
    for (size_t i = 0; i < call->warning_count; i++) {
        fputs("<p class=\"quiet\">Warning: ", out);
        html_text(out, call->warnings[i]);
        fputs("</p>\n", out);
    }
}

static void write_chosen_sites(FILE *out, const struct planning *planning)
{
    fputs("<h2>Chosen sectors</h2>\n<table>\n<tr><th>Name</th><th>x (m)</th><th>y (m)</th><th>Height (m)</th>"
          "<th>Azimuth</th><th>Tilt</th><th>Power (dBm)</th><th>Antenna</th></tr>\n",
          out);
    for (size_t i = 0; i < rw_plan_chosen_count(planning->plan); i++) {
        rw_transmitter of = {.size = sizeof of};
        size_t candidate;
        if (rw_plan_get_chosen(planning->plan, i, &of, &candidate) != RW_OK)
            continue;
        fputs("<tr><td>", out);
        html_text(out, of.name);
        fputs("</td>", out);
        html_number(out, "%.1f", of.x_m);
        html_number(out, "%.1f", of.y_m);
        html_number(out, "%g", of.height_m);
        html_number(out, "%g&deg;", of.azimuth_deg);
        html_number(out, "%g&deg;", of.downtilt_deg);
        html_number(out, "%g", of.power_dbm);
        fputs("<td>", out);
        html_text(out, strrchr(of.antenna, '/') ? strrchr(of.antenna, '/') + 1 : of.antenna);
        fputs("</td></tr>\n", out);
    }
    fputs("</table>\n", out);
}

/* The value after each step, as bars from the least to the largest. */
static void write_plan_steps(FILE *out, const struct planning *planning)
{
    const rw_plan_info *info = &planning->info;
    double low = is_coverage(info) || strcmp(info->objective, "rate") == 0 ? 0 : -21.1, before = info->before;
    double high = fmax(info->value, low + 1e-9);
    const char *number = high >= 1000 ? "%.0f" : "%.6g", *gain = high >= 1000 ? "%+.0f" : "%+.4g";
    char text[400];
    fprintf(out,
            "<h2>Step by step</h2>\n<table>\n<tr><th>Step</th><th>Phase</th><th>Change</th><th>Value (%s)</th>"
            "<th>Gain</th><th>Cost</th><th></th></tr>\n",
            format_plan_unit(info));
    for (size_t i = 0; i < rw_plan_step_count(planning->plan); i++) {
        rw_plan_step step = {.size = sizeof step};
        if (rw_plan_get_step(planning->plan, i, &step) != RW_OK)
            continue;
        describe_plan_step(&step, text, sizeof text);
        fprintf(out, "<tr><td class=\"n\">%zu</td><td>%s</td><td>", i + 1, step.phase);
        html_text(out, text);
        fputs("</td>", out);
        html_number(out, number, step.value);
        html_number(out, gain, strcmp(step.phase, "keep") == 0 ? NAN : step.value - before);
        html_number(out, "%g", step.cost);
        fprintf(out,
                "<td><span style=\"display:inline-block;height:.8em;background:#4a7fb5;width:%.1fpx\"></span></td>"
                "</tr>\n",
                fmax(0, 200 * (step.value - low) / (high - low)));
        before = strcmp(step.phase, "keep") == 0 ? info->before : step.value;
    }
    fputs("</table>\n", out);
}

static int write_plan_pictures(FILE *out, const struct planning *planning)
{
    int exit_status = 0;
    if (!rw_plan_map_before(planning->plan))
        fputs("<p class=\"quiet\">No site stands before: there is no map of before.</p>\n", out);
    for (size_t i = 0; i < planning->picture_count && !exit_status; i++) {
        fputs("<h2>", out);
        html_text(out, planning->pictures[i].title);
        fputs("</h2>\n", out);
        exit_status = html_picture(out, planning->pictures[i].path, planning->pictures[i].title);
    }
    return exit_status;
}

int write_plan_page(struct call *call, const struct planning *planning)
{
    const struct plan_settings *settings = call->settings;
    struct text_file file;
    int exit_status = 0;
    if (!settings->report)
        return 0;
    FILE *out = begin_text_file(&file);
    if (out) {
        html_begin(out, "Plan of sites", settings->inputs.scene.file);
        write_plan_summary(out, call, planning);
        write_chosen_sites(out, planning);
        write_plan_steps(out, planning);
        exit_status = write_plan_pictures(out, planning);
        html_end(out);
    }
    return end_text_file(call, &file, settings->report, exit_status);
}
