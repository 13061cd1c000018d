/* calibrate: parameters of a model from measurements, to a file and a report. */
#include "calibrate.h"

static int solve(struct call *call, struct calibration *calibration)
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
        status = rw_calibration_draw(calibration->result, settings->plot);
    return status == RW_OK ? 0 : complain_status(call, status);
}

int command_calibrate(struct call *call)
{
    struct calibration calibration = {0};
    int exit_status = 0;
    if (!call->settings.measurements)
        exit_status = complain("calibrate needs measurements: --measurements FILE.csv");
    if (!exit_status)
        exit_status = check_picture_name("plot", call->settings.plot);
    if (!exit_status)
        exit_status = check_file_place("out", call->settings.out);
    if (!exit_status)
        exit_status = check_file_place("plot", call->settings.plot);
    if (!exit_status)
        exit_status = open_request(call, &calibration.request);
    if (!exit_status)
        exit_status = load_measurements(call, &calibration.measurements);
    if (!exit_status)
        exit_status = solve(call, &calibration);
    if (!exit_status && (!call->settings.quiet || call->settings.json))
        report_calibration(call, &calibration);
    rw_calibration_destroy(calibration.result);
    rw_measurements_destroy(calibration.measurements);
    close_request(&calibration.request);
    return exit_status;
}
