/* calibrate: parameters of a model from measurements, to a file and a report. */
#include "commands/calibrate/calibrate.h"
#include "cli/cli.h"

#include <string.h>

/* The parameters of a list of files, in its order; the names are kept with the call. Returns the exit status. */
static int load_compared_params(struct call *call, struct calibration *calibration)
{
    const struct calibrate_settings *settings = call->settings;
    const char *list = settings->compared;
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
    const struct calibrate_settings *settings = call->settings;
    rw_calibrate_options options;
    rw_calibrate_options_init(&options);
    options.fit = settings->matrix && !settings->fit ? "all" : settings->fit; /* the matrix is that of these groups */
    options.holdout = settings->holdout;
    options.seed = settings->seed;
    options.constraints = settings->constraints;
    options.skip_bad = settings->inputs.sites.skip_bad;
    options.folds = settings->folds;
    options.heights = settings->heights;
    options.residuals = settings->residuals;
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

/* Checks what can be checked before anything is read. */
static int check_calibrate_call(const struct calibrate_settings *settings)
{
    if (!settings->measurements.file)
        return report_error("calibrate needs measurements: --measurements FILE.csv");
    TRY(check_picture_name("plot", settings->plot));
    TRY(check_output_file("out", settings->out));
    TRY(check_output_file("plot", settings->plot));
    return check_output_file("matrix", settings->matrix);
}

static int calibrate_model(struct call *call, struct calibration *calibration)
{
    struct calibrate_settings *settings = call->settings;
    TRY(check_calibrate_call(settings));
    TRY(load_compared_params(call, calibration));
    TRY(open_request(call, &settings->inputs, &calibration->request));
    TRY(load_measurements(call, &settings->measurements, rw_scene_crs(calibration->request.scene),
                          &calibration->measurements));
    if (call->dry_run)
        return dry_run_measured(call, &calibration->request, calibration->measurements, CALIBRATION_ITERATIONS);
    if (settings->fit && strcmp(settings->fit, "site") == 0)
        return audit_sites(call, calibration);
    TRY(fit_calibration(call, calibration));
    report_calibration(call, calibration);
    return 0;
}

static int run_calibrate(struct call *call)
{
    struct calibration calibration = {0};
    int exit_status = calibrate_model(call, &calibration);
    rw_calibration_destroy(calibration.result);
    for (size_t i = 0; i < calibration.compared_count; i++)
        rw_params_destroy(calibration.compared[i]);
    rw_measurements_destroy(calibration.measurements);
    close_request(&calibration.request);
    return exit_status;
}

#define AT(member) offsetof(struct calibrate_settings, member)
static const struct command_option calibrate_options[] = {{"scene", AT(inputs.scene.file)},
                                                          {"tx", AT(inputs.sites.tx)},
                                                          {"sites", AT(inputs.sites.file)},
                                                          {"model", OF_CALL},
                                                          {"measurements", AT(measurements.file)},
                                                          {"columns", AT(measurements.columns)},
                                                          {"quantity", AT(measurements.quantity)},
                                                          {"fit", AT(fit)},
                                                          {"holdout", AT(holdout)},
                                                          {"folds", AT(folds)},
                                                          {"residuals", AT(residuals)},
                                                          {"seed", AT(seed)},
                                                          {"bounds", AT(bounds)},
                                                          {"constraints", AT(constraints)},
                                                          {"matrix", AT(matrix)},
                                                          {"beside", AT(compared)},
                                                          {"out", AT(out)},
                                                          {"json", OF_CALL},
                                                          {"quiet", OF_CALL},
                                                          {"+evaluate", OF_CALL},
                                                          {"tx-power", AT(measurements.tx_power_dbm)},
                                                          {"resource-blocks", AT(measurements.resource_blocks)},
                                                          {"offsets", AT(offsets)},
                                                          {"heights", AT(heights)},
                                                          {"skip-bad", AT(inputs.sites.skip_bad)},
                                                          {"average", AT(average)},
                                                          {"materials", AT(inputs.scene.materials)},
                                                          {"+evaluate and paths", OF_CALL},
                                                          {"route", AT(measurements.route)},
                                                          {"site", AT(measurements.site)},
                                                          {"plot", AT(plot)},
                                                          {"dry-run", OF_CALL},
                                                          {"time-stamp", OF_CALL},
                                                          {"height-unit", AT(inputs.scene.height_unit)},
                                                          {"points-crs", OF_CALL},
                                                          {"+predict", OF_CALL},
                                                          {"terrain", AT(inputs.scene.terrain)},
                                                          {"foliage", AT(inputs.scene.foliage)},
                                                          {"crs", AT(inputs.scene.crs)},
                                                          {"height-field", AT(inputs.scene.height_field)},
                                                          {"backend", OF_CALL},
                                                          {"threads", OF_CALL},
                                                          {"allow-outside", OF_CALL},
                                                          {NULL, 0}};
#undef AT

static const struct calibrate_settings calibrate_defaults = {
    .measurements.tx_power_dbm = NAN, .inputs.are_measured = 1, .folds = 5, .seed = 1};

const struct command calibrate_command = {
    .name = "calibrate",
    .summary = "parameters of a model from measurements, as a JSON file",
    .is_served = 1,
    .default_out = "params.json",
    .options = calibrate_options,
    .settings_size = sizeof(struct calibrate_settings),
    .defaults = &calibrate_defaults,
    .calls = RW_OPTION_OF_EVALUATE,
    .examples = {"rasterwave calibrate --scene city:grid:size=600m,600m --tx 300,300,10 --measurements route.csv",
                 "rasterwave calibrate --scene c.gpkg --sites sites.csv --measurements all.csv --holdout route=b"},
    .run = run_calibrate};
