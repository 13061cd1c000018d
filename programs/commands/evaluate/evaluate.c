/* evaluate: a map or a model against measurements, to figures, a table of points and pictures. */
#include "commands/evaluate/evaluate.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int check_evaluate_call(const struct call *call)
{
    const struct evaluate_settings *settings = call->settings;
    if ((!settings->map && !settings->inputs.scene.file) || !settings->measurements.file)
        return report_error(
            "evaluate needs a map or a scene, and measurements: --map path_loss.tif --measurements FILE.csv");
    if (settings->map && (settings->inputs.scene.file || settings->inputs.sites.file || call->model))
        return report_error("evaluate compares a map (--map) or a model (--scene, --sites, --model), not both");
    if (settings->map && call->model_argument_count)
        return report_error(
            "--%s is for models, and a map is compared: leave it out, or give --scene in place of --map",
            call->model_argument[0].name);
    if (!settings->map && settings->layer)
        return report_error("--layer is for maps; a model is compared by its path loss");
    TRY(check_transmitter_number(settings->transmitter));
    if (settings->map && settings->inputs.sites.tx.count > 1 && settings->transmitter > 0 &&
        (size_t)settings->transmitter > settings->inputs.sites.tx.count)
        return report_error("--tx: %zu are given and none of them is number %d", settings->inputs.sites.tx.count,
                            settings->transmitter);
    return 0;
}

static int load_evaluated_map(struct call *call, struct evaluation *evaluation)
{
    const struct evaluate_settings *settings = call->settings;
    TRY_RW(call, rw_map_read(call->context, settings->map, &evaluation->map));
    if (settings->layer) /* otherwise the first */
        TRY_RW(call, rw_map_find_layer(evaluation->map, settings->layer, &evaluation->layer));
    return choose_transmitter_of_map(call, evaluation->map, settings->transmitter, &evaluation->choice);
}

static int load_evaluation(struct call *call, struct evaluation *evaluation)
{
    struct evaluate_settings *settings = call->settings;
    if (settings->map)
        TRY(load_evaluated_map(call, evaluation));
    else
        TRY(open_request(call, &settings->inputs, &evaluation->request));
    return load_measurements(call, &settings->measurements,
                             evaluation->map ? rw_map_crs(evaluation->map) : rw_scene_crs(evaluation->request.scene),
                             &evaluation->measurements);
}

/* One --tx is that of the band; several are those of all bands, as they were predicted. */
static const rw_transmitter *find_evaluated_transmitter(const struct evaluate_settings *settings)
{
    if (settings->inputs.sites.tx.count == 0)
        return NULL;
    if (settings->inputs.sites.tx.count > 1 && settings->transmitter < 0)
        return NULL;
    return &settings->inputs.sites.tx.items[settings->inputs.sites.tx.count > 1 ? settings->transmitter - 1 : 0];
}

int compare_evaluation(struct call *call, struct evaluation *evaluation)
{
    const struct evaluate_settings *settings = call->settings;
    rw_evaluate_options options;
    rw_evaluate_options_init(&options);
    if (settings->average)
        options.average = settings->average;
    if (settings->offsets)
        options.offsets = settings->offsets;
    options.skip_bad = settings->inputs.sites.skip_bad;
    options.heights = settings->heights;
    if (settings->ground_level_m > 0)
        options.above_m = settings->ground_level_m;
    rw_status status;
    if (evaluation->map) {
        options.band = evaluation->choice.band;
        options.transmitter = find_evaluated_transmitter(settings);
        status = rw_evaluate_map(evaluation->map, evaluation->layer, evaluation->measurements, &options,
                                 &evaluation->result);
    } else {
        status = rw_evaluate_model(evaluation->request.scene, &evaluation->request.options, evaluation->measurements,
                                   &options, &evaluation->result);
        wipe_progress(call);
    }
    return status == RW_OK ? 0 : report_status(call, status);
}

static int draw_evaluation(struct call *call, struct evaluation *evaluation)
{
    static const struct {
        rw_evaluation_plot plot;
        const char *name;
    } pictures[EVALUATION_PICTURES] = {{RW_EVALUATION_ROUTE, "route.png"},
                                       {RW_EVALUATION_SCATTER, "scatter.png"},
                                       {RW_EVALUATION_HISTOGRAM, "histogram.png"},
                                       {RW_EVALUATION_MAP, "errors.png"}};
    const struct evaluate_settings *settings = call->settings;
    for (int i = 0; i < EVALUATION_PICTURES; i++) {
        char *path = evaluation->pictures[i];
        snprintf(path, sizeof evaluation->pictures[i], "%.4000s/%s", settings->out, pictures[i].name);
        TRY_RW(call, rw_evaluation_draw(evaluation->result, pictures[i].plot, path));
        evaluation->written++;
    }
    return 0;
}

static int write_tables(struct call *call, struct evaluation *evaluation)
{
    const struct evaluate_settings *settings = call->settings;
    snprintf(evaluation->json_path, sizeof evaluation->json_path, "%.4000s/evaluation.json", settings->out);
    snprintf(evaluation->points_path, sizeof evaluation->points_path, "%.4000s/points.csv", settings->out);
    TRY(draw_evaluation(call, evaluation));
    TRY(write_evaluation_points(call, evaluation));
    return write_evaluation_json(call, evaluation);
}

/* All files or none. */
static int write_evaluation_files(struct call *call, struct evaluation *evaluation)
{
    int exit_status = write_tables(call, evaluation);
    for (int i = 0; exit_status && i < evaluation->written; i++)
        unlink(evaluation->pictures[i]);
    if (exit_status)
        unlink(evaluation->points_path);
    return exit_status;
}

static int run_evaluation(struct call *call, struct evaluation *evaluation)
{
    const struct evaluate_settings *settings = call->settings;
    struct folder folder = {0};
    if (settings->out)
        TRY(make_folder(&folder, settings->out));
    int exit_status = compare_evaluation(call, evaluation);
    if (!exit_status && settings->out)
        exit_status = write_evaluation_files(call, evaluation);
    if (exit_status)
        undo_folder(&folder);
    else
        report_evaluation(call, evaluation);
    return exit_status;
}

static int check_and_evaluate(struct call *call, struct evaluation *evaluation)
{
    TRY(check_evaluate_call(call));
    TRY(load_evaluation(call, evaluation));
    if (call->dry_run && !evaluation->map)
        return dry_run_measured(call, &evaluation->request, evaluation->measurements, 1);
    return run_evaluation(call, evaluation);
}

static int run_evaluate(struct call *call)
{
    struct evaluation evaluation = {0};
    int exit_status = check_and_evaluate(call, &evaluation);
    rw_evaluation_destroy(evaluation.result);
    rw_measurements_destroy(evaluation.measurements);
    rw_map_destroy(evaluation.map);
    close_request(&evaluation.request);
    return exit_status;
}

#define AT(member) offsetof(struct evaluate_settings, member)
static const struct command_option evaluate_options[] = {{"map", AT(map)},
                                                         {"scene", AT(inputs.scene.file)},
                                                         {"tx", AT(inputs.sites.tx)},
                                                         {"sites", AT(inputs.sites.file)},
                                                         {"model", OF_CALL},
                                                         {"measurements", AT(measurements.file)},
                                                         {"columns", AT(measurements.columns)},
                                                         {"quantity", AT(measurements.quantity)},
                                                         {"tx-power", AT(measurements.tx_power_dbm)},
                                                         {"resource-blocks", AT(measurements.resource_blocks)},
                                                         {"skip-bad", AT(inputs.sites.skip_bad)},
                                                         {"average", AT(average)},
                                                         {"route", AT(measurements.route)},
                                                         {"site", AT(measurements.site)},
                                                         {"heights", AT(heights)},
                                                         {"ground-level", AT(ground_level_m)},
                                                         {"out", AT(out)},
                                                         {"json", OF_CALL},
                                                         {"quiet", OF_CALL},
                                                         {"offsets", AT(offsets)},
                                                         {"+render", OF_CALL},
                                                         {"layer", AT(layer)},
                                                         {"transmitter", AT(transmitter)},
                                                         {"allow-outside", OF_CALL},
                                                         {"time-stamp", OF_CALL},
                                                         {"height-unit", AT(inputs.scene.height_unit)},
                                                         {"points-crs", OF_CALL},
                                                         {"+predict", OF_CALL},
                                                         {"terrain", AT(inputs.scene.terrain)},
                                                         {"foliage", AT(inputs.scene.foliage)},
                                                         {"materials", AT(inputs.scene.materials)},
                                                         {"crs", AT(inputs.scene.crs)},
                                                         {"height-field", AT(inputs.scene.height_field)},
                                                         {"backend", OF_CALL},
                                                         {"threads", OF_CALL},
                                                         {"dry-run", OF_CALL},
                                                         {NULL, 0}};
#undef AT

static const struct evaluate_settings evaluate_defaults = {
    .measurements.tx_power_dbm = NAN, .inputs.are_measured = 1, .transmitter = -1};

const struct command evaluate_command = {
    .name = "evaluate",
    .summary = "map or model against measurements: errors and plots",
    .is_served = 1,
    .default_out = "evaluation",
    .options = evaluate_options,
    .settings_size = sizeof(struct evaluate_settings),
    .defaults = &evaluate_defaults,
    .calls = RW_OPTION_OF_EVALUATE,
    .examples = {"rasterwave evaluate --map out/city/path_loss.tif --measurements route.csv --out out/errors",
                 "rasterwave evaluate --scene city:grid:size=600m,600m --tx 300,300,10 --measurements route.csv"},
    .run = run_evaluate};
