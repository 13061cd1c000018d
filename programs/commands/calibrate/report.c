/* The end of a calibration: parameters before and after, and errors, as tables or as JSON. */
#include "commands/calibrate/calibrate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct side {
    const char *name, *key;
    size_t points;
    const rw_error_statistics *before, *after;
};

static size_t list_calibration_sides(const rw_calibration_info *info, struct side sides[2])
{
    sides[0] = (struct side){"fitted to", "fit", info->points, &info->before, &info->after};
    sides[1] = (struct side){"held out", "holdout", info->holdout_points, &info->holdout_before, &info->holdout_after};
    return info->holdout_points ? 2 : 1;
}

static void report_table_number(struct report *report, double value, int width)
{
    if (isnan(value))
        report_text(report, "%*s", width, "-");
    else
        report_text(report, "%*.4f", width, value);
}

static void report_parameters(struct report *report, const rw_calibration *calibration, size_t count)
{
    rw_calibrated_parameter parameter = {.size = sizeof parameter};
    struct json *json = &report->json;
    json_list(json, "parameters");
    report_text(report, "%-20s%12s%12s%12s  %-8s\n", "parameter", "before", "after", "std. error", "unit");
    for (size_t i = 0; i < count; i++) {
        rw_calibration_get_parameter(calibration, i, &parameter);
        const char *state = rw_parameter_state_name(parameter.state);
        json_object(json, NULL);
        json_string(json, "name", parameter.name);
        json_string(json, "unit", parameter.unit);
        json_number(json, "before", parameter.before);
        json_number(json, "after", parameter.after);
        json_number(json, "standard_error", parameter.standard_error);
        json_string(json, "state", state);
        json_object_end(json);
        report_text(report, "%-20s", parameter.name);
        report_table_number(report, parameter.before, 12);
        report_table_number(report, parameter.after, 12);
        report_table_number(report, parameter.standard_error, 12);
        int fitted = parameter.state == RW_PARAMETER_FITTED;
        report_text(report, "  %-8s%s%s\n", parameter.unit, fitted ? "" : " ", fitted ? "" : state);
    }
    json_list_end(json);
}

static void report_side(struct report *report, const char *key, const char *name, size_t points,
                        const rw_error_statistics *statistics)
{
    struct json *json = &report->json;
    json_object(json, key);
    json_number(json, "mean_error_db", statistics->mean_db);
    json_number(json, "rmse_db", statistics->rmse_db);
    json_number(json, "std_dev_db", statistics->std_dev_db);
    json_number(json, "median_error_db", statistics->median_db);
    json_number(json, "absolute_error_p90_db", statistics->absolute_p90_db);
    json_number(json, "correlation", statistics->correlation);
    json_object_end(json);
    report_text(report, "%-10s%-10s%8zu%12.2f%12.2f%12.2f  dB\n", name, key, points, statistics->rmse_db,
                statistics->mean_db, statistics->std_dev_db);
}

static void report_errors(struct report *report, const rw_calibration_info *info)
{
    struct side sides[2];
    size_t count = list_calibration_sides(info, sides);
    report_text(report, "\n%-20s%8s%12s%12s%12s\n", "measured - predicted", "points", "RMSE", "mean error",
                "std. dev.");
    for (size_t i = 0; i < count; i++) {
        json_object(&report->json, sides[i].key);
        json_count(&report->json, "points", sides[i].points);
        report_side(report, "before", sides[i].name, sides[i].points, sides[i].before);
        report_side(report, "after", "", sides[i].points, sides[i].after);
        json_object_end(&report->json);
    }
}

/* What formulas without a map reach at the same points. */
static void report_unseen_formula(struct report *report, const char *name, double rmse_db)
{
    if (!isnan(rmse_db))
        report_text(report, "%-10s without a map: RMSE %.2f dB\n", name, rmse_db);
}

static void report_residuals(struct report *report, const rw_calibration_info *info)
{
    struct json *json = &report->json;
    if (!info->residuals)
        return;
    json_object(json, "residuals");
    json_count(json, "stored", info->residuals);
    json_number(json, "rmse_db", info->residuals_rmse_db);
    json_number(json, "within_sigma_percent", info->residuals_within_percent);
    json_object_end(json);
    report_text(
        report,
        "\nresiduals: %zu stored; 100 m blocks by the residuals of the others: RMSE %.2f dB, %.0f %% within sigma\n",
        info->residuals, info->residuals_rmse_db, info->residuals_within_percent);
}

static void report_folds(struct report *report, const rw_calibration_info *info)
{
    struct json *json = &report->json;
    json_object(json, "unseen");
    json_count(json, "folds", (size_t)info->folds);
    json_number(json, "rmse_before_db", info->folds_rmse_before_db);
    json_number(json, "rmse_fitted_db", info->folds_rmse_after_db);
    json_flag(json, "kept_start", info->start_preserved);
    json_number(json, "free_space_db", info->folds_free_space_db);
    json_number(json, "cost_hata_db", info->folds_cost_hata_db);
    json_number(json, "one_slope_db", info->folds_one_slope_db);
    json_object_end(json);
    report_residuals(report, info);
    if (!info->folds)
        return;
    report_text(report, "\nunseen points, %d folds: RMSE %.2f dB before, %.2f dB fitted\n", info->folds,
                info->folds_rmse_before_db, info->folds_rmse_after_db);
    report_unseen_formula(report, "free space", info->folds_free_space_db);
    report_unseen_formula(report, "COST-Hata", info->folds_cost_hata_db);
    report_unseen_formula(report, "one slope", info->folds_one_slope_db);
    if (info->start_preserved)
        report_text(report, "the fit is not better at points that it has not seen: the values are those before\n");
}

static void report_calibration_offsets(struct report *report, const rw_calibration *calibration, size_t count)
{
    rw_offset offset = {.size = sizeof offset};
    report_offsets_begin(report, 20, count);
    for (size_t i = 0; i < count; i++) {
        rw_calibration_get_offset(calibration, i, &offset);
        report_offset(report, 20, i, &offset);
    }
    report_offsets_end(report, count);
}

static void report_compared_params(struct report *report, const struct calibration *calibration)
{
    json_list(&report->json, "beside");
    if (calibration->compared_count)
        report_text(report, "\n%-40s%12s\n", "other parameters", "deviation");
    for (size_t i = 0; i < calibration->compared_count; i++) {
        double deviation_db = NAN;
        rw_params_deviation_db(rw_calibration_params(calibration->result), calibration->compared[i], &deviation_db);
        json_object(&report->json, NULL);
        json_string(&report->json, "file", calibration->compared_names[i]);
        json_number(&report->json, "deviation_db", deviation_db);
        json_object_end(&report->json);
        report_text(report, "%-40s%12.2f  dB\n", calibration->compared_names[i], deviation_db);
    }
    json_list_end(&report->json);
}

static void report_calibration_samples(struct report *report, const struct call *call, const struct calibration *of,
                                       const rw_calibration_info *info)
{
    const struct calibrate_settings *settings = call->settings;
    struct json *json = &report->json;
    rw_measurements_info counts = {.size = sizeof counts};
    rw_measurements_get_info(of->measurements, &counts);
    json_object(json, "samples");
    json_count(json, "rows", counts.rows);
    json_count(json, "used", info->samples_used);
    json_count(json, "not_numbers", counts.not_numbers);
    json_count(json, "not_chosen", counts.not_chosen);
    json_count(json, "off_map", info->off_map);
    json_count(json, "in_building", info->in_building);
    json_count(json, "no_path", info->no_path);
    json_count(json, "bad_rows", info->bad_rows);
    json_count(json, "of_bad_sites", info->of_bad_site);
    json_object_end(json);
    json_count(json, "bad_sites", info->bad_sites);
    report_text(report, "measurements  %s: %zu samples, %zu used as %zu points\n", settings->measurements.file,
                counts.rows, info->samples_used, info->points + info->holdout_points);
    report_text(report,
                "left out      %zu not numbers, %zu not chosen, %zu off the scene, %zu inside buildings, %zu without a "
                "path\n",
                counts.not_numbers, counts.not_chosen, info->off_map, info->in_building, info->no_path);
    if (info->bad_rows || info->bad_sites)
        report_text(
            report,
            "bad           %zu samples of unknown sites, %zu sites that cannot be predicted from with %zu samples\n",
            info->bad_rows, info->bad_sites, info->of_bad_site);
    report_text(report, "turns         %d of tracing and fitting%s, %.2f s\n\n", info->iterations,
                info->converged ? "" : ", not settled yet: start again with --params", of->seconds);
}

void report_calibration(const struct call *call, const struct calibration *calibration)
{
    const struct calibrate_settings *settings = call->settings;
    const char *model = calibration->request.options.model, *params = model_argument_value(call, "params");
    rw_calibration_info info = {.size = sizeof info};
    rw_calibration_get_info(calibration->result, &info);
    struct report report;
    struct json *json = &report.json;
    report_begin(&report, call);
    json_string(json, "model", model);
    json_string(json, "scene", settings->inputs.scene.file);
    json_string(json, "measurements", settings->measurements.file);
    json_string(json, "holdout_by", settings->holdout ? settings->holdout : "");
    json_number(json, "freq_hz", rw_params_freq_hz(rw_calibration_params(calibration->result)));
    json_count(json, "turns", (size_t)info.iterations);
    json_flag(json, "settled", info.converged);
    json_number(json, "seconds", calibration->seconds);
    report_text(&report, "model         %s on %s, starting from %s\n", model, settings->inputs.scene.file,
                params ? params : "uncalibrated parameters");
    report_calibration_samples(&report, call, calibration, &info);
    report_parameters(&report, calibration->result, info.parameters);
    report_errors(&report, &info);
    report_folds(&report, &info);
    report_calibration_offsets(&report, calibration->result, info.offsets);
    report_compared_params(&report, calibration);
    json_string(json, "matrix", settings->matrix ? settings->matrix : "");
    json_string(json, "file", settings->out ? settings->out : "");
    json_string(json, "plot", settings->plot ? settings->plot : "");
    const char *files[] = {settings->out, settings->matrix, settings->plot};
    for (int i = 0; i < 3; i++)
        if (files[i])
            report_text(&report, "%s\n", files[i]);
    report_warnings(&report, call);
    report_version(&report);
    report_end(&report);
}
