/* The end of an evaluation: its figures as a table or as JSON. */
#include "commands/evaluate/evaluate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* One row a figure; the one-slope fit beside the prediction. */
static const struct {
    const char *name, *key, *unit;
    size_t at;
} figures[] = {
    {"mean error", "mean_error_db", "dB", offsetof(rw_error_statistics, mean_db)},
    {"RMSE", "rmse_db", "dB", offsetof(rw_error_statistics, rmse_db)},
    {"standard deviation", "std_dev_db", "dB", offsetof(rw_error_statistics, std_dev_db)},
    {"median error", "median_error_db", "dB", offsetof(rw_error_statistics, median_db)},
    {"90 % of |error| up to", "absolute_error_p90_db", "dB", offsetof(rw_error_statistics, absolute_p90_db)},
    {"correlation", "correlation", "", offsetof(rw_error_statistics, correlation)},
};
#define FIGURE_COUNT (sizeof figures / sizeof *figures)

static double figure_of(const rw_error_statistics *statistics, size_t index)
{
    return *(const double *)((const char *)statistics + figures[index].at);
}

struct summary {
    rw_map_info map;
    rw_map_layer layer;
    rw_measurements_info measurements;
    rw_evaluation_info result;
};

static void summarise_evaluation(const struct evaluation *evaluation, struct summary *summary)
{
    *summary = (struct summary){.map.size = sizeof summary->map,
                                .layer.size = sizeof summary->layer,
                                .measurements.size = sizeof summary->measurements,
                                .result.size = sizeof summary->result};
    if (evaluation->map) {
        rw_map_get_info(evaluation->map, &summary->map);
        rw_map_get_layer(evaluation->map, evaluation->layer, &summary->layer);
    }
    rw_measurements_get_info(evaluation->measurements, &summary->measurements);
    rw_evaluation_get_info(evaluation->result, &summary->result);
}

static const char *average_of(const struct call *call)
{
    const struct evaluate_settings *settings = call->settings;
    return settings->average ? settings->average : "db";
}

static void report_figure(struct report *report, double value, int decimals)
{
    if (isnan(value))
        report_text(report, "%12s", "-");
    else
        report_text(report, "%12.*f", decimals, value);
}

static void report_subject(struct report *report, const struct call *call, const struct evaluation *evaluation,
                           const struct summary *summary)
{
    const struct evaluate_settings *settings = call->settings;
    const rw_predict_options *options = &evaluation->request.options;
    struct json *json = &report->json;
    if (evaluation->map) {
        json_string(json, "map", settings->map);
        json_string(json, "layer", summary->layer.name);
        json_string(json, "model", summary->map.model);
        report_text(report, "map           %s: %s, %zu x %zu cells of %g m\n", settings->map, summary->layer.name,
                    summary->map.columns, summary->map.rows, summary->map.res_m);
        report_choice(report, &evaluation->choice);
        return;
    }
    const char *params = model_argument_value(call, "params");
    json_string(json, "scene", settings->inputs.scene.file);
    json_string(json, "model", options->model);
    json_string(json, "params", params ? params : "");
    report_text(report, "model         %s on %s, parameters: %s, cells of %g m\n", options->model,
                settings->inputs.scene.file, params ? params : "uncalibrated", summary->result.res_m);
}

static void report_samples(struct report *report, const struct call *call, const struct summary *summary)
{
    const struct evaluate_settings *settings = call->settings;
    const rw_evaluation_info *result = &summary->result;
    struct json *json = &report->json;
    json_string(json, "measurements", settings->measurements.file);
    json_string(json, "average", average_of(call));
    json_count(json, "points", result->points);
    json_object(json, "samples");
    json_count(json, "rows", summary->measurements.rows);
    json_count(json, "used", result->samples_used);
    json_count(json, "not_numbers", summary->measurements.not_numbers);
    json_count(json, "not_chosen", summary->measurements.not_chosen);
    json_count(json, "off_map", result->off_map);
    json_count(json, "in_building", result->in_building);
    json_count(json, "no_path", result->no_path);
    json_count(json, "bad_rows", result->bad_rows);
    json_count(json, "of_bad_sites", result->of_bad_site);
    json_object_end(json);
    json_count(json, "bad_sites", result->bad_sites);
    report_text(report, "measurements  %s: %zu samples, %zu used as %zu points (average: %s)\n",
                settings->measurements.file, summary->measurements.rows, result->samples_used, result->points,
                average_of(call));
    report_text(report,
                "left out      %zu not numbers, %zu not chosen, %zu off the map, %zu inside buildings, %zu without a "
                "path\n",
                summary->measurements.not_numbers, summary->measurements.not_chosen, result->off_map,
                result->in_building, result->no_path);
    if (result->bad_rows || result->bad_sites)
        report_text(
            report,
            "bad           %zu samples of unknown sites, %zu sites that cannot be predicted from with %zu samples\n",
            result->bad_rows, result->bad_sites, result->of_bad_site);
    if (result->height_max_m > result->height_min_m)
        report_text(report, "heights       %g to %g m above ground, as the measurements say\n", result->height_min_m,
                    result->height_max_m);
}

static void write_error_statistics(struct json *json, const char *key, const rw_error_statistics *statistics)
{
    json_object(json, key);
    for (size_t i = 0; i < FIGURE_COUNT; i++)
        json_number(json, figures[i].key, figure_of(statistics, i));
    json_object_end(json);
}

/* The prediction's errors, as a table next to those of the one-slope fit. */
static void report_figures(struct report *report, const rw_evaluation_info *result)
{
    write_error_statistics(&report->json, "prediction", &result->prediction);
    report_text(report, "\n%-24s%12s%s\n", "measured - predicted", "prediction",
                result->has_one_slope ? "   one slope" : "");
    for (size_t i = 0; i < FIGURE_COUNT; i++) {
        int decimals = figures[i].unit[0] ? 2 : 3;
        report_text(report, "%-24s", figures[i].name);
        report_figure(report, figure_of(&result->prediction, i), decimals);
        if (result->has_one_slope)
            report_figure(report, figure_of(&result->one_slope, i), decimals);
        report_text(report, "%s%s\n", figures[i].unit[0] ? " " : "", figures[i].unit);
    }
}

static void report_one_slope(struct report *report, const struct call *call, const struct evaluation *evaluation,
                             const rw_evaluation_info *result)
{
    struct json *json = &report->json;
    if (result->has_one_slope) {
        write_error_statistics(json, "one_slope", &result->one_slope);
        json_object(json, "one_slope_fit");
        json_number(json, "intercept_db", result->one_slope_intercept_db);
        json_number(json, "exponent", result->one_slope_exponent);
        json_object_end(json);
        report_text(report,
                    "\none slope: L = %.2f dB + 10 x %.3f log10(d / 1 m), fitted to these points: what a model must "
                    "beat\n",
                    result->one_slope_intercept_db, result->one_slope_exponent);
    } else if (evaluation->map && call->warning_count == 0) {
        report_text(report, "\nthe map does not say where its transmitter is; --tx X,Y,Z adds the one-slope fit, which "
                            "a model must beat\n");
    }
}

static void report_error_row(struct report *report, const rw_error_statistics *errors)
{
    report_figure(report, errors->mean_db, 2);
    report_figure(report, errors->std_dev_db, 2);
    report_figure(report, errors->rmse_db, 2);
    report_text(report, " dB\n");
}

static void write_height_errors(struct json *json, const rw_evaluation_info *result)
{
    json_number(json, "height_min_m", result->height_min_m);
    json_number(json, "height_max_m", result->height_max_m);
    json_count(json, "ground_level_points", result->ground_points);
    json_count(json, "above_ground_level_points", result->above_points);
    if (result->ground_points)
        write_error_statistics(json, "ground_level", &result->ground);
    if (result->above_points)
        write_error_statistics(json, "above_ground_level", &result->above);
}

/* Tables III and IV of Lu and others (2019). */
static void report_height_table(struct report *report, const rw_evaluation_info *result)
{
    if (!result->above_points)
        return;
    report_text(report, "\n%-24s%12s%12s%12s%12s\n", "by height", "points", "mean error", "std. dev.", "RMSE");
    report_text(report, "%-24s%12zu", "ground level", result->ground_points);
    report_error_row(report, &result->ground);
    report_text(report, "%-24s%12zu", "above ground level", result->above_points);
    report_error_row(report, &result->above);
}

static void report_baselines(struct report *report, const rw_evaluation *evaluation, size_t count)
{
    rw_baseline baseline = {.size = sizeof baseline};
    json_object(&report->json, "yardsticks");
    if (count)
        report_text(report, "\n%-24s%12s%12s%12s\n", "without a map", "mean error", "std. dev.", "RMSE");
    for (size_t i = 0; i < count; i++) {
        rw_evaluation_get_baseline(evaluation, i, &baseline);
        write_error_statistics(&report->json, baseline.name, &baseline.errors);
        report_text(report, "%-24s", baseline.name);
        report_error_row(report, &baseline.errors);
    }
    json_object_end(&report->json);
}

static void report_evaluation_offsets(struct report *report, const rw_evaluation *evaluation, size_t count)
{
    rw_offset offset = {.size = sizeof offset};
    report_offsets_begin(report, 24, count);
    for (size_t i = 0; i < count; i++) {
        rw_evaluation_get_offset(evaluation, i, &offset);
        report_offset(report, 24, i, &offset);
    }
    report_offsets_end(report, count);
}

static void write_error_histogram(struct json *json, const rw_histogram *histogram)
{
    json_object(json, "histogram");
    json_number(json, "low_db", histogram->low_db);
    json_number(json, "width_db", histogram->width_db);
    json_list(json, "counts");
    for (size_t i = 0; i < histogram->bin_count; i++)
        json_count(json, NULL, histogram->counts[i]);
    json_list_end(json);
    json_object_end(json);
}

static void report_evaluation_files(struct report *report, const struct evaluation *evaluation)
{
    if (*evaluation->json_path)
        report_text(report, "%s\n%s\n", evaluation->json_path, evaluation->points_path);
    json_list(&report->json, "pictures");
    for (int i = 0; i < evaluation->written; i++)
        report_file(report, NULL, evaluation->pictures[i]);
    json_list_end(&report->json);
}

static void compose_evaluation(struct report *report, const struct call *call, const struct evaluation *evaluation)
{
    struct summary summary;
    const rw_evaluation_info *result = &summary.result;
    summarise_evaluation(evaluation, &summary);
    report_subject(report, call, evaluation, &summary);
    report_samples(report, call, &summary);
    report_figures(report, result);
    write_height_errors(&report->json, result);
    report_one_slope(report, call, evaluation, result);
    report_height_table(report, result);
    report_baselines(report, evaluation->result, result->baselines);
    report_evaluation_offsets(report, evaluation->result, result->offsets);
    write_error_histogram(&report->json, &result->histogram);
    report_evaluation_files(report, evaluation);
    report_warnings(report, call);
    report_version(report);
    report_end(report);
}

void print_evaluation_json(const struct call *call, const struct evaluation *evaluation, FILE *stream)
{
    struct report report;
    report_begin_json(&report, stream);
    compose_evaluation(&report, call, evaluation);
}

void report_evaluation(const struct call *call, const struct evaluation *evaluation)
{
    struct report report;
    report_begin(&report, call);
    compose_evaluation(&report, call, evaluation);
}

int write_evaluation_json(struct call *call, const struct evaluation *evaluation)
{
    struct text_file file;
    FILE *stream = begin_text_file(&file);
    if (stream)
        print_evaluation_json(call, evaluation, stream);
    return end_text_file(call, &file, evaluation->json_path, 0);
}
