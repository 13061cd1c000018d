/* The end of a calibration: parameters before and after, and errors, as tables or as JSON. */
#include "commands/calibrate/calibrate.h"
#include "report/json.h"

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

static void print_table_number(double value, int width)
{
    if (isnan(value))
        printf("%*s", width, "-");
    else
        printf("%*.4f", width, value);
}

static void report_parameters(const rw_calibration *calibration, size_t count)
{
    rw_calibrated_parameter parameter = {.size = sizeof parameter};
    printf("%-20s%12s%12s%12s  %-8s\n", "parameter", "before", "after", "std. error", "unit");
    for (size_t i = 0; i < count; i++) {
        rw_calibration_get_parameter(calibration, i, &parameter);
        printf("%-20s", parameter.name);
        print_table_number(parameter.before, 12);
        print_table_number(parameter.after, 12);
        print_table_number(parameter.standard_error, 12);
        int fitted = parameter.state == RW_PARAMETER_FITTED;
        printf("  %-8s%s%s\n", parameter.unit, fitted ? "" : " ",
               fitted ? "" : rw_parameter_state_name(parameter.state));
    }
}

static void report_line(const char *name, const char *when, size_t points, const rw_error_statistics *statistics)
{
    printf("%-10s%-10s%8zu%12.2f%12.2f%12.2f  dB\n", name, when, points, statistics->rmse_db, statistics->mean_db,
           statistics->std_dev_db);
}

static void report_errors(const rw_calibration_info *info)
{
    struct side sides[2];
    size_t count = list_calibration_sides(info, sides);
    printf("\n%-20s%8s%12s%12s%12s\n", "measured - predicted", "points", "RMSE", "mean error", "std. dev.");
    for (size_t i = 0; i < count; i++) {
        report_line(sides[i].name, "before", sides[i].points, sides[i].before);
        report_line("", "after", sides[i].points, sides[i].after);
    }
}

static void report_folds(const rw_calibration_info *info)
{
    if (!info->folds)
        return;
    printf("\nunseen points, %d folds: RMSE %.2f dB before, %.2f dB fitted\n", info->folds, info->folds_rmse_before_db,
           info->folds_rmse_after_db);
    if (info->start_preserved)
        puts("the fit is not better at points that it has not seen: the values are those before");
}

#define OFFSETS_SHOWN 20

static void report_calibration_offsets(const rw_calibration *calibration, size_t count)
{
    rw_offset offset = {.size = sizeof offset};
    if (count)
        printf("\n%-20s%12s%12s\n", "offsets", "dB", "points");
    for (size_t i = 0; i < count && i < OFFSETS_SHOWN; i++) {
        rw_calibration_get_offset(calibration, i, &offset);
        char name[64];
        snprintf(name, sizeof name, "%.30s%s%.30s", offset.site, *offset.site && *offset.device ? ", " : "",
                 offset.device);
        printf("%-20s%12.2f%12zu\n", name, offset.offset_db, offset.points);
    }
    if (count > OFFSETS_SHOWN)
        printf("... and %zu more, all with --json\n", count - OFFSETS_SHOWN);
}

static void report_compared_params(const struct calibration *calibration)
{
    if (calibration->compared_count)
        printf("\n%-40s%12s\n", "other parameters", "deviation");
    for (size_t i = 0; i < calibration->compared_count; i++) {
        double deviation_db = NAN;
        rw_params_deviation_db(rw_calibration_params(calibration->result), calibration->compared[i], &deviation_db);
        printf("%-40s%12.2f  dB\n", calibration->compared_names[i], deviation_db);
    }
}

static void print_calibration(const struct call *call, const struct calibration *calibration,
                              const rw_calibration_info *info)
{
    rw_measurements_info measurements = {.size = sizeof measurements};
    rw_measurements_get_info(calibration->measurements, &measurements);
    printf("model         %s on %s, starting from %s\n", calibration->request.options.model, call->settings.scene,
           model_argument_value(call, "params") ? model_argument_value(call, "params") : "uncalibrated parameters");
    printf("measurements  %s: %zu samples, %zu used as %zu points\n", call->settings.measurements, measurements.rows,
           info->samples_used, info->points + info->holdout_points);
    printf(
        "left out      %zu not numbers, %zu not chosen, %zu off the scene, %zu inside buildings, %zu without a path\n",
        measurements.not_numbers, measurements.not_chosen, info->off_map, info->in_building, info->no_path);
    if (info->bad_rows || info->bad_sites)
        printf("bad           %zu samples of unknown sites, %zu sites that cannot be predicted from with %zu samples\n",
               info->bad_rows, info->bad_sites, info->of_bad_site);
    printf("turns         %d of tracing and fitting%s, %.2f s\n\n", info->iterations,
           info->converged ? "" : ", not settled yet: start again with --params", calibration->seconds);
    report_parameters(calibration->result, info->parameters);
    report_errors(info);
    report_folds(info);
    report_calibration_offsets(calibration->result, info->offsets);
    report_compared_params(calibration);
    if (call->settings.out)
        puts(call->settings.out);
    if (call->settings.matrix)
        puts(call->settings.matrix);
    if (call->settings.plot)
        puts(call->settings.plot);
}

static void write_parameters(struct json *json, const rw_calibration *calibration, size_t count)
{
    rw_calibrated_parameter parameter = {.size = sizeof parameter};
    json_list(json, "parameters");
    for (size_t i = 0; i < count; i++) {
        rw_calibration_get_parameter(calibration, i, &parameter);
        json_object(json, NULL);
        json_string(json, "name", parameter.name);
        json_string(json, "unit", parameter.unit);
        json_number(json, "before", parameter.before);
        json_number(json, "after", parameter.after);
        json_number(json, "standard_error", parameter.standard_error);
        json_string(json, "state", rw_parameter_state_name(parameter.state));
        json_object_end(json);
    }
    json_list_end(json);
}

static void write_side_statistics(struct json *json, const char *key, const rw_error_statistics *statistics)
{
    json_object(json, key);
    json_number(json, "mean_error_db", statistics->mean_db);
    json_number(json, "rmse_db", statistics->rmse_db);
    json_number(json, "std_dev_db", statistics->std_dev_db);
    json_number(json, "median_error_db", statistics->median_db);
    json_number(json, "absolute_error_p90_db", statistics->absolute_p90_db);
    json_number(json, "correlation", statistics->correlation);
    json_object_end(json);
}

static void write_sides(struct json *json, const rw_calibration_info *info)
{
    struct side sides[2];
    size_t count = list_calibration_sides(info, sides);
    for (size_t i = 0; i < count; i++) {
        json_object(json, sides[i].key);
        json_count(json, "points", sides[i].points);
        write_side_statistics(json, "before", sides[i].before);
        write_side_statistics(json, "after", sides[i].after);
        json_object_end(json);
    }
}

static void write_calibration_samples(struct json *json, const rw_measurements *measurements,
                                      const rw_calibration_info *info)
{
    rw_measurements_info counts = {.size = sizeof counts};
    rw_measurements_get_info(measurements, &counts);
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
}

static void write_folds(struct json *json, const rw_calibration_info *info)
{
    json_object(json, "unseen");
    json_count(json, "folds", (size_t)info->folds);
    json_number(json, "rmse_before_db", info->folds_rmse_before_db);
    json_number(json, "rmse_fitted_db", info->folds_rmse_after_db);
    json_flag(json, "kept_start", info->start_preserved);
    json_object_end(json);
}

static void write_calibration_offsets(struct json *json, const rw_calibration *calibration, size_t count)
{
    rw_offset offset = {.size = sizeof offset};
    json_list(json, "offsets");
    for (size_t i = 0; i < count; i++) {
        rw_calibration_get_offset(calibration, i, &offset);
        json_object(json, NULL);
        json_string(json, "site", offset.site);
        json_string(json, "device", offset.device);
        json_number(json, "offset_db", offset.offset_db);
        json_count(json, "points", offset.points);
        json_object_end(json);
    }
    json_list_end(json);
}

static void write_compared_params(struct json *json, const struct calibration *calibration)
{
    json_list(json, "beside");
    for (size_t i = 0; i < calibration->compared_count; i++) {
        double deviation_db = NAN;
        rw_params_deviation_db(rw_calibration_params(calibration->result), calibration->compared[i], &deviation_db);
        json_object(json, NULL);
        json_string(json, "file", calibration->compared_names[i]);
        json_number(json, "deviation_db", deviation_db);
        json_object_end(json);
    }
    json_list_end(json);
}

static void print_calibration_json(const struct call *call, const struct calibration *calibration,
                                   const rw_calibration_info *info)
{
    struct json json;
    json_begin(&json, stdout);
    json_string(&json, "model", calibration->request.options.model);
    json_string(&json, "scene", call->settings.scene);
    json_string(&json, "measurements", call->settings.measurements);
    json_string(&json, "holdout_by", call->settings.holdout ? call->settings.holdout : "");
    json_number(&json, "freq_hz", rw_params_freq_hz(rw_calibration_params(calibration->result)));
    json_count(&json, "turns", (size_t)info->iterations);
    json_flag(&json, "settled", info->converged);
    json_number(&json, "seconds", calibration->seconds);
    write_calibration_samples(&json, calibration->measurements, info);
    write_parameters(&json, calibration->result, info->parameters);
    write_sides(&json, info);
    write_folds(&json, info);
    write_calibration_offsets(&json, calibration->result, info->offsets);
    write_compared_params(&json, calibration);
    json_string(&json, "matrix", call->settings.matrix ? call->settings.matrix : "");
    json_string(&json, "file", call->settings.out ? call->settings.out : "");
    json_string(&json, "plot", call->settings.plot ? call->settings.plot : "");
    json_list(&json, "warnings");
    for (size_t i = 0; i < call->warning_count; i++)
        json_string(&json, NULL, call->warnings[i]);
    json_list_end(&json);
    json_string(&json, "version", rw_version());
    json_end(&json);
}

void report_calibration(const struct call *call, const struct calibration *calibration)
{
    rw_calibration_info info = {.size = sizeof info};
    rw_calibration_get_info(calibration->result, &info);
    if (call->settings.json)
        print_calibration_json(call, calibration, &info);
    else
        print_calibration(call, calibration, &info);
}
