/* calibrate --fit site: height, azimuth, tilt and EIRP of each site, to a table of sites and a report. */
#include "commands/calibrate/calibrate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "height=5,azimuth=180,tilt=10,eirp=60" over the defaults. Returns the exit status. */
static int read_bounds(const char *list, rw_audit_options *options)
{
    const struct {
        const char *name;
        double *value;
    } bounds[] = {{"height", &options->height_m},
                  {"azimuth", &options->azimuth_deg},
                  {"tilt", &options->tilt_deg},
                  {"eirp", &options->eirp_db}};
    while (list && *list) {
        size_t length = strcspn(list, ","), name_length = strcspn(list, "="), found = 0;
        char *end = NULL;
        for (size_t i = 0; i < 4; i++)
            if (name_length < length && strlen(bounds[i].name) == name_length &&
                strncmp(list, bounds[i].name, name_length) == 0) {
                *bounds[i].value = strtod(list + name_length + 1, &end);
                found = end == list + length && end != list + name_length + 1;
            }
        if (!found)
            return report_error("--bounds %.100s: write for example height=5,azimuth=180,tilt=10,eirp=60", list);
        list += length + (list[length] == ',');
    }
    return 0;
}

static void write_sites_csv(const struct request *request, const rw_site_audit *audit, FILE *stream)
{
    fputs("name,x,y,height,azimuth,tilt,roll,power,freq,antenna\n", stream);
    for (size_t i = 0; i < rw_site_audit_count(audit); i++) {
        const rw_transmitter *from = &request->options.transmitters[i];
        rw_audited_site site = {.size = sizeof site};
        rw_site_audit_get(audit, i, &site);
        fprintf(stream, "\"%s\",%.3f,%.3f,%.2f,%.2f,%.2f,%.2f,%.2f,%.17gHz,\"%s\"\n", site.name, from->x_m, from->y_m,
                site.height_m, site.azimuth_deg, site.downtilt_deg, from->roll_deg,
                from->power_dbm + site.eirp_difference_db, from->freq_hz > 0 ? from->freq_hz : request->options.freq_hz,
                from->antenna ? from->antenna : "isotropic");
    }
}

static void report_estimated(struct report *report, const char *key, double table, double value, double error)
{
    json_object(&report->json, key);
    json_number(&report->json, "table", table);
    json_number(&report->json, "estimate", value);
    json_number(&report->json, "standard_error", error);
    json_object_end(&report->json);
    if (isnan(error))
        report_text(report, "%8.1f%8s%6s", table, "-", "-");
    else
        report_text(report, "%8.1f%8.1f%6.1f", table, value, error);
}

static void report_site(struct report *report, const rw_audited_site *site)
{
    struct json *json = &report->json;
    json_object(json, NULL);
    json_string(json, "name", site->name);
    json_count(json, "points", site->points);
    json_string(json, "state", rw_site_state_name(site->state));
    json_string(json, "swapped_with", site->swapped_with);
    report_text(report, "%-12.12s%7zu", site->name, site->points);
    report_estimated(report, "height_m", site->table_height_m, site->height_m, site->height_error_m);
    report_estimated(report, "azimuth_deg", site->table_azimuth_deg, site->azimuth_deg, site->azimuth_error_deg);
    report_estimated(report, "tilt_deg", site->table_downtilt_deg, site->downtilt_deg, site->downtilt_error_deg);
    report_estimated(report, "eirp_difference_db", 0, site->eirp_difference_db, site->eirp_error_db);
    json_number(json, "rmse_before_db", site->rmse_before_db);
    json_number(json, "rmse_after_db", site->rmse_after_db);
    json_object_end(json);
    report_text(report, "  %s%s%s\n", rw_site_state_name(site->state), *site->swapped_with ? " with " : "",
                site->swapped_with);
}

static void report_audit(const struct call *call, const rw_site_audit *audit)
{
    const struct calibrate_settings *settings = call->settings;
    struct report report;
    report_begin(&report, call);
    json_string(&report.json, "scene", settings->inputs.scene.file);
    json_string(&report.json, "measurements", settings->measurements.file);
    report_text(&report, "each: table, estimate, standard error\n%-12s%7s%22s%22s%22s%22s\n", "site", "points",
                "height m", "azimuth deg", "tilt deg", "EIRP dB");
    json_list(&report.json, "sites");
    for (size_t i = 0; i < rw_site_audit_count(audit); i++) {
        rw_audited_site site = {.size = sizeof site};
        rw_site_audit_get(audit, i, &site);
        report_site(&report, &site);
    }
    json_list_end(&report.json);
    report_file(&report, "file", settings->out);
    report_warnings(&report, call);
    report_version(&report);
    report_end(&report);
}

static int write_audited_sites(struct call *call, const struct request *request, const rw_site_audit *audit)
{
    const struct calibrate_settings *settings = call->settings;
    struct text_file file;
    FILE *stream = begin_text_file(&file);
    if (stream)
        write_sites_csv(request, audit, stream);
    return end_text_file(call, &file, settings->out, 0);
}

static int present_audit(struct call *call, const struct request *request, const rw_site_audit *audit)
{
    const struct calibrate_settings *settings = call->settings;
    if (settings->out)
        TRY(write_audited_sites(call, request, audit));
    report_audit(call, audit);
    return 0;
}

int audit_sites(struct call *call, const struct calibration *calibration)
{
    const struct calibrate_settings *settings = call->settings;
    rw_audit_options options;
    rw_site_audit *audit;
    rw_audit_options_init(&options);
    options.skip_bad = settings->inputs.sites.skip_bad;
    options.heights = settings->heights;
    options.average = settings->average;
    TRY(read_bounds(settings->bounds, &options));
    rw_status status = rw_audit_sites(calibration->request.scene, &calibration->request.options,
                                      calibration->measurements, &options, &audit);
    wipe_progress(call);
    if (status != RW_OK)
        return report_status(call, status);
    int exit_status = present_audit(call, &calibration->request, audit);
    rw_site_audit_destroy(audit);
    return exit_status;
}
