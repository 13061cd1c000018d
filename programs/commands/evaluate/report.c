/* The end of an evaluation: its figures as a table or as JSON. */
#include "commands/evaluate/evaluate.h"
#include "report/json.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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

static void summarise(const struct evaluation *evaluation, struct summary *summary)
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
    return call->settings.average ? call->settings.average : "db";
}

static void print_figure(double value, int decimals)
{
    if (isnan(value))
        printf("%12s", "-");
    else
        printf("%12.*f", decimals, value);
}

static void report_subject(const struct call *call, const struct evaluation *evaluation, const struct summary *summary)
{
    const rw_predict_options *options = &evaluation->request.options;
    if (evaluation->map)
        printf("map           %s: %s, %zu x %zu cells of %g m\n", call->settings.map, summary->layer.name,
               summary->map.columns, summary->map.rows, summary->map.res_m);
    else
        printf("model         %s on %s, parameters: %s, cells of %g m\n", options->model, call->settings.scene,
               model_argument_value(call, "params") ? model_argument_value(call, "params") : "uncalibrated",
               options->res_m);
}

static void report_bad(const rw_evaluation_info *result)
{
    if (result->bad_rows || result->bad_sites)
        printf("bad           %zu samples of unknown sites, %zu sites that cannot be predicted from with %zu samples\n",
               result->bad_rows, result->bad_sites, result->of_bad_site);
}

#define OFFSETS_SHOWN 20

static void report_evaluation_offsets(const rw_evaluation *evaluation, size_t count)
{
    rw_offset offset = {.size = sizeof offset};
    if (count)
        printf("\n%-24s%12s%12s\n", "offsets", "dB", "points");
    for (size_t i = 0; i < count && i < OFFSETS_SHOWN; i++) {
        rw_evaluation_get_offset(evaluation, i, &offset);
        char name[64];
        snprintf(name, sizeof name, "%.30s%s%.30s", offset.site, *offset.site && *offset.device ? ", " : "",
                 offset.device);
        printf("%-24s%12.2f%12zu\n", name, offset.offset_db, offset.points);
    }
    if (count > OFFSETS_SHOWN)
        printf("... and %zu more, all with --json\n", count - OFFSETS_SHOWN);
}

static void report_baselines(const rw_evaluation *evaluation, size_t count)
{
    rw_baseline baseline = {.size = sizeof baseline};
    if (count)
        printf("\n%-24s%12s%12s%12s\n", "without a map", "mean error", "std. dev.", "RMSE");
    for (size_t i = 0; i < count; i++) {
        rw_evaluation_get_baseline(evaluation, i, &baseline);
        printf("%-24s", baseline.name);
        print_figure(baseline.errors.mean_db, 2);
        print_figure(baseline.errors.std_dev_db, 2);
        print_figure(baseline.errors.rmse_db, 2);
        puts(" dB");
    }
}

/* Tables III and IV of Lu and others (2019). */
static void report_heights(const rw_evaluation_info *result)
{
    if (!result->above_points)
        return;
    printf("\n%-24s%12s%12s%12s%12s\n", "by height", "points", "mean error", "std. dev.", "RMSE");
    for (int above = 0; above < 2; above++) {
        const rw_error_statistics *errors = above ? &result->above : &result->ground;
        printf("%-24s%12zu", above ? "above ground level" : "ground level",
               above ? result->above_points : result->ground_points);
        print_figure(errors->mean_db, 2);
        print_figure(errors->std_dev_db, 2);
        print_figure(errors->rmse_db, 2);
        puts(" dB");
    }
}

static void print_evaluation(const struct call *call, const struct evaluation *evaluation,
                             const struct summary *summary)
{
    const rw_evaluation_info *result = &summary->result;
    report_subject(call, evaluation, summary);
    printf("measurements  %s: %zu samples, %zu used as %zu points (average: %s)\n", call->settings.measurements,
           summary->measurements.rows, result->samples_used, result->points, average_of(call));
    printf("left out      %zu not numbers, %zu not chosen, %zu off the map, %zu inside buildings, %zu without a path\n",
           summary->measurements.not_numbers, summary->measurements.not_chosen, result->off_map, result->in_building,
           result->no_path);
    report_bad(result);
    if (result->height_max_m > result->height_min_m)
        printf("heights       %g to %g m above ground, as the measurements say\n", result->height_min_m,
               result->height_max_m);
    printf("\n%-24s%12s%s\n", "measured - predicted", "prediction", result->has_one_slope ? "   one slope" : "");
    for (size_t i = 0; i < FIGURE_COUNT; i++) {
        int decimals = figures[i].unit[0] ? 2 : 3;
        printf("%-24s", figures[i].name);
        print_figure(figure_of(&result->prediction, i), decimals);
        if (result->has_one_slope)
            print_figure(figure_of(&result->one_slope, i), decimals);
        printf("%s%s\n", figures[i].unit[0] ? " " : "", figures[i].unit);
    }
    if (result->has_one_slope)
        printf("\none slope: L = %.2f dB + 10 x %.3f log10(d / 1 m), fitted to these points: what a model must beat\n",
               result->one_slope_intercept_db, result->one_slope_exponent);
    else if (evaluation->map && call->warning_count == 0)
        puts("\nthe map does not say where its transmitter is; --tx X,Y,Z adds the one-slope fit, which a model must "
             "beat");
    report_heights(result);
    report_baselines(evaluation->result, result->baselines);
    report_evaluation_offsets(evaluation->result, result->offsets);
    if (!evaluation->json_path[0])
        return;
    puts(evaluation->json_path);
    puts(evaluation->points_path);
    for (int i = 0; i < evaluation->written; i++)
        puts(evaluation->pictures[i]);
}

static void write_error_statistics(struct json *json, const char *key, const rw_error_statistics *statistics)
{
    json_object(json, key);
    for (size_t i = 0; i < FIGURE_COUNT; i++)
        json_number(json, figures[i].key, figure_of(statistics, i));
    json_object_end(json);
}

static void write_evaluation_samples(struct json *json, const struct summary *summary)
{
    json_object(json, "samples");
    json_count(json, "rows", summary->measurements.rows);
    json_count(json, "used", summary->result.samples_used);
    json_count(json, "not_numbers", summary->measurements.not_numbers);
    json_count(json, "not_chosen", summary->measurements.not_chosen);
    json_count(json, "off_map", summary->result.off_map);
    json_count(json, "in_building", summary->result.in_building);
    json_count(json, "no_path", summary->result.no_path);
    json_count(json, "bad_rows", summary->result.bad_rows);
    json_count(json, "of_bad_sites", summary->result.of_bad_site);
    json_object_end(json);
    json_count(json, "bad_sites", summary->result.bad_sites);
}

static void write_baselines(struct json *json, const rw_evaluation *evaluation, size_t count)
{
    rw_baseline baseline = {.size = sizeof baseline};
    json_object(json, "yardsticks");
    for (size_t i = 0; i < count; i++) {
        rw_evaluation_get_baseline(evaluation, i, &baseline);
        write_error_statistics(json, baseline.name, &baseline.errors);
    }
    json_object_end(json);
}

static void write_evaluation_offsets(struct json *json, const rw_evaluation *evaluation, size_t count)
{
    rw_offset offset = {.size = sizeof offset};
    json_list(json, "offsets");
    for (size_t i = 0; i < count; i++) {
        rw_evaluation_get_offset(evaluation, i, &offset);
        json_object(json, NULL);
        json_string(json, "site", offset.site);
        json_string(json, "device", offset.device);
        json_number(json, "offset_db", offset.offset_db);
        json_count(json, "points", offset.points);
        json_object_end(json);
    }
    json_list_end(json);
}

static void write_one_slope(struct json *json, const rw_evaluation_info *result)
{
    if (!result->has_one_slope)
        return;
    write_error_statistics(json, "one_slope", &result->one_slope);
    json_object(json, "one_slope_fit");
    json_number(json, "intercept_db", result->one_slope_intercept_db);
    json_number(json, "exponent", result->one_slope_exponent);
    json_object_end(json);
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

void print_evaluation_json(const struct call *call, const struct evaluation *evaluation, FILE *stream)
{
    struct summary summary;
    struct json json;
    summarise(evaluation, &summary);
    json_begin(&json, stream);
    if (evaluation->map) {
        json_string(&json, "map", call->settings.map);
        json_string(&json, "layer", summary.layer.name);
        json_string(&json, "model", summary.map.model);
    } else {
        json_string(&json, "scene", call->settings.scene);
        json_string(&json, "model", evaluation->request.options.model);
        json_string(&json, "params", model_argument_value(call, "params") ? model_argument_value(call, "params") : "");
    }
    json_string(&json, "measurements", call->settings.measurements);
    json_string(&json, "average", average_of(call));
    json_count(&json, "points", summary.result.points);
    write_evaluation_samples(&json, &summary);
    write_error_statistics(&json, "prediction", &summary.result.prediction);
    write_height_errors(&json, &summary.result);
    write_one_slope(&json, &summary.result);
    write_baselines(&json, evaluation->result, summary.result.baselines);
    write_evaluation_offsets(&json, evaluation->result, summary.result.offsets);
    write_error_histogram(&json, &summary.result.histogram);
    json_list(&json, "pictures");
    for (int i = 0; i < evaluation->written; i++)
        json_string(&json, NULL, evaluation->pictures[i]);
    json_list_end(&json);
    json_list(&json, "warnings");
    for (size_t i = 0; i < call->warning_count; i++)
        json_string(&json, NULL, call->warnings[i]);
    json_list_end(&json);
    json_string(&json, "version", rw_version());
    json_end(&json);
}

void report_evaluation(const struct call *call, const struct evaluation *evaluation)
{
    struct summary summary;
    if (call->settings.json) {
        print_evaluation_json(call, evaluation, stdout);
        return;
    }
    summarise(evaluation, &summary);
    print_evaluation(call, evaluation, &summary);
}

int write_evaluation_json(struct call *call, const struct evaluation *evaluation)
{
    struct text_file file;
    FILE *stream = begin_text_file(&file);
    if (stream)
        print_evaluation_json(call, evaluation, stream);
    return end_text_file(call, &file, evaluation->json_path);
}
