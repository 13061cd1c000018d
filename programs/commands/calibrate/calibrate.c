/* calibrate: parameters of a model from measurements, to a file and a report. */
#include "commands/calibrate/calibrate.h"
#include "cli/options.h"

#include <string.h>

/* The parameters of a list of files, in its order; the names are kept with the call. Returns the exit status. */
static int load_beside(struct call *call, struct calibration *calibration)
{
    const char *text = call->settings.beside;
    while (text && *text) {
        size_t length = strcspn(text, ",");
        char path[4096];
        if (length >= sizeof path || calibration->beside_count == BESIDE_MOST)
            return complain("--beside takes at most %d files with paths of less than 4096 characters", BESIDE_MOST);
        memcpy(path, text, length);
        path[length] = 0;
        size_t at = calibration->beside_count;
        rw_status status = rw_params_load(call->context, path, &calibration->beside[at]);
        if (status != RW_OK)
            return complain_status(call, status);
        calibration->beside_count++;
        calibration->beside_names[at] = keep_text(call, path);
        if (!calibration->beside_names[at])
            return complain_status(call, RW_OUT_OF_MEMORY);
        text += length + (text[length] == ',');
    }
    return 0;
}

/* Paths are traced so often until parameters and paths agree: about. */
#define CALIBRATION_TURNS 5

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
        status = rw_calibration_draw_beside(calibration->result, (const rw_params *const *)calibration->beside,
                                            calibration->beside_names, calibration->beside_count, settings->plot);
    if (status == RW_OK && settings->matrix)
        status = rw_calibration_write_matrix(calibration->result, settings->matrix);
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
        exit_status = check_file_place("matrix", call->settings.matrix);
    if (!exit_status)
        exit_status = load_beside(call, &calibration);
    if (!exit_status)
        exit_status = open_request(call, &calibration.request);
    if (!exit_status)
        exit_status = load_measurements(call, rw_scene_crs(calibration.request.scene), &calibration.measurements);
    int dry = call->settings.dry_run;
    if (!exit_status)
        exit_status = dry ? dry_run_measured(call, &calibration.request, calibration.measurements, CALIBRATION_TURNS)
                          : solve(call, &calibration);
    if (!exit_status && !dry && (!call->settings.quiet || call->settings.json))
        report_calibration(call, &calibration);
    rw_calibration_destroy(calibration.result);
    for (size_t i = 0; i < calibration.beside_count; i++)
        rw_params_destroy(calibration.beside[i]);
    rw_measurements_destroy(calibration.measurements);
    close_request(&calibration.request);
    return exit_status;
}
