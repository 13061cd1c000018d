/* calibrate: parameters of a model from measurements, to a file and a report. */
#include "commands/calibrate/calibrate.h"
#include "cli/options.h"

#include <string.h>

/* The parameters of a list of files, in its order; the names are kept with the call. Returns the exit status. */
static int load_compared_params(struct call *call, struct calibration *calibration)
{
    const char *list = call->settings.compared;
    while (list && *list) {
        size_t length = strcspn(list, ",");
        char path[4096];
        if (length >= sizeof path || calibration->compared_count == COMPARED_PARAMS_MAX)
            return report_error("--beside takes at most %d files with paths of less than 4096 characters",
                                COMPARED_PARAMS_MAX);
        memcpy(path, list, length);
        path[length] = 0;
        size_t at = calibration->compared_count;
        rw_status status = rw_params_load(call->context, path, &calibration->compared[at]);
        if (status != RW_OK)
            return report_status(call, status);
        calibration->compared_count++;
        calibration->compared_names[at] = store_string(call, path);
        if (!calibration->compared_names[at])
            return report_status(call, RW_OUT_OF_MEMORY);
        list += length + (list[length] == ',');
    }
    return 0;
}

/* Paths are traced so often until parameters and paths agree: about. */
#define CALIBRATION_ITERATIONS 5

static int fit_calibration(struct call *call, struct calibration *calibration)
{
    const struct settings *settings = &call->settings;
    rw_calibrate_options options;
    rw_calibrate_options_init(&options);
    options.fit = settings->fit;
    options.holdout = settings->holdout;
    options.seed = settings->seed;
    options.constraints = settings->constraints;
    options.skip_bad = settings->skip_bad;
    options.folds = settings->folds;
    options.heights = settings->heights;
    if (settings->offsets)
        options.offsets = settings->offsets;
    if (settings->average)
        options.average = settings->average;
    double start_s = now_s();
    rw_status status = rw_calibrate(calibration->request.scene, &calibration->request.options,
                                    calibration->measurements, &options, &calibration->result);
    wipe_progress(call);
    calibration->seconds = now_s() - start_s;
    if (status == RW_OK && settings->out)
        status = rw_params_save(rw_calibration_params(calibration->result), settings->out);
    if (status == RW_OK && settings->plot)
        status =
            rw_calibration_draw_comparison(calibration->result, (const rw_params *const *)calibration->compared,
                                           calibration->compared_names, calibration->compared_count, settings->plot);
    if (status == RW_OK && settings->matrix)
        status = rw_calibration_write_matrix(calibration->result, settings->matrix);
    return status == RW_OK ? 0 : report_status(call, status);
}

int command_calibrate(struct call *call)
{
    struct calibration calibration = {0};
    int exit_status = 0;
    if (!call->settings.measurements)
        exit_status = report_error("calibrate needs measurements: --measurements FILE.csv");
    if (!exit_status)
        exit_status = check_picture_name("plot", call->settings.plot);
    if (!exit_status)
        exit_status = check_output_file("out", call->settings.out);
    if (!exit_status)
        exit_status = check_output_file("plot", call->settings.plot);
    if (!exit_status)
        exit_status = check_output_file("matrix", call->settings.matrix);
    if (!exit_status)
        exit_status = load_compared_params(call, &calibration);
    if (!exit_status)
        exit_status = open_request(call, &calibration.request);
    if (!exit_status)
        exit_status = load_measurements(call, rw_scene_crs(calibration.request.scene), &calibration.measurements);
    int dry = call->settings.dry_run;
    if (!exit_status)
        exit_status =
            dry ? dry_run_measured(call, &calibration.request, calibration.measurements, CALIBRATION_ITERATIONS)
                : fit_calibration(call, &calibration);
    if (!exit_status && !dry && (!call->settings.quiet || call->settings.json))
        report_calibration(call, &calibration);
    rw_calibration_destroy(calibration.result);
    for (size_t i = 0; i < calibration.compared_count; i++)
        rw_params_destroy(calibration.compared[i]);
    rw_measurements_destroy(calibration.measurements);
    close_request(&calibration.request);
    return exit_status;
}
