/* evaluate: a map or a model against measurements, to figures, a table of points and pictures. */
#include "commands/evaluate/evaluate.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int check_evaluate_call(const struct call *call)
{
    const struct settings *settings = &call->settings;
    if ((!settings->map && !settings->scene) || !settings->measurements)
        return report_error(
            "evaluate needs a map or a scene, and measurements: --map path_loss.tif --measurements FILE.csv");
    if (settings->map && (settings->scene || settings->sites || settings->model))
        return report_error("evaluate compares a map (--map) or a model (--scene, --sites, --model), not both");
    if (settings->map && call->model_argument_count)
        return report_error(
            "--%s is for models, and a map is compared: leave it out, or give --scene in place of --map",
            call->model_argument[0].name);
    if (!settings->map && settings->layer)
        return report_error("--layer is for maps; a model is compared by its path loss");
    if (settings->band < 1)
        return report_error("--band %d: bands are counted from 1", settings->band);
    if (settings->map && settings->transmitter_count > 1 && (size_t)settings->band > settings->transmitter_count)
        return report_error("--tx: %zu are given and none of them is that of band %d", settings->transmitter_count,
                            settings->band);
    return 0;
}

static int find_evaluated_layer(struct call *call, struct evaluation *evaluation)
{
    if (!call->settings.layer)
        return 0; /* the first */
    rw_status status = rw_map_find_layer(evaluation->map, call->settings.layer, &evaluation->layer);
    return status == RW_OK ? 0 : report_status(call, status);
}

static int load_evaluation(struct call *call, struct evaluation *evaluation)
{
    int exit_status;
    if (call->settings.map) {
        rw_status status = rw_map_read(call->context, call->settings.map, &evaluation->map);
        exit_status = status == RW_OK ? find_evaluated_layer(call, evaluation) : report_status(call, status);
    } else {
        exit_status = open_request(call, &evaluation->request);
    }
    if (exit_status)
        return exit_status;
    return load_measurements(call,
                             evaluation->map ? rw_map_crs(evaluation->map) : rw_scene_crs(evaluation->request.scene),
                             &evaluation->measurements);
}

/* One --tx is that of the band; several are those of all bands, as they were predicted. */
static const rw_transmitter *find_evaluated_transmitter(const struct settings *settings)
{
    if (settings->transmitter_count == 0)
        return NULL;
    return &settings->transmitters[settings->transmitter_count > 1 ? settings->band - 1 : 0];
}

int compare_evaluation(struct call *call, struct evaluation *evaluation)
{
    const struct settings *settings = &call->settings;
    rw_evaluate_options options;
    rw_evaluate_options_init(&options);
    if (settings->average)
        options.average = settings->average;
    if (settings->offsets)
        options.offsets = settings->offsets;
    options.skip_bad = settings->skip_bad;
    options.heights = settings->heights;
    if (settings->ground_level_m > 0)
        options.above_m = settings->ground_level_m;
    rw_status status;
    if (evaluation->map) {
        options.band = (size_t)settings->band - 1;
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

static int write_files(struct call *call, struct evaluation *evaluation)
{
    static const struct {
        rw_evaluation_plot plot;
        const char *name;
    } pictures[EVALUATION_PICTURES] = {{RW_EVALUATION_ROUTE, "route.png"},
                                       {RW_EVALUATION_SCATTER, "scatter.png"},
                                       {RW_EVALUATION_HISTOGRAM, "histogram.png"},
                                       {RW_EVALUATION_MAP, "errors.png"}};
    const char *folder = call->settings.out;
    int exit_status = 0;
    snprintf(evaluation->json_path, sizeof evaluation->json_path, "%.4000s/evaluation.json", folder);
    snprintf(evaluation->points_path, sizeof evaluation->points_path, "%.4000s/points.csv", folder);
    for (int i = 0; i < EVALUATION_PICTURES && !exit_status; i++) {
        snprintf(evaluation->pictures[i], sizeof evaluation->pictures[i], "%.4000s/%s", folder, pictures[i].name);
        rw_status status = rw_evaluation_draw(evaluation->result, pictures[i].plot, evaluation->pictures[i]);
        exit_status = status == RW_OK ? 0 : report_status(call, status);
        evaluation->written += !exit_status;
    }
    if (!exit_status)
        exit_status = write_evaluation_points(call, evaluation);
    if (!exit_status)
        exit_status = write_evaluation_json(call, evaluation);
    for (int i = 0; exit_status && i < evaluation->written; i++)
        unlink(evaluation->pictures[i]);
    if (exit_status)
        unlink(evaluation->points_path);
    return exit_status;
}

static int run_evaluation(struct call *call, struct evaluation *evaluation)
{
    struct folder folder = {0};
    int exit_status = call->settings.out ? make_folder(&folder, call->settings.out) : 0;
    if (!exit_status)
        exit_status = compare_evaluation(call, evaluation);
    if (!exit_status && call->settings.out)
        exit_status = write_files(call, evaluation);
    if (exit_status)
        undo_folder(&folder);
    if (!exit_status && (!call->settings.quiet || call->settings.json))
        report_evaluation(call, evaluation);
    return exit_status;
}

int command_evaluate(struct call *call)
{
    struct evaluation evaluation = {0};
    int exit_status = check_evaluate_call(call);
    if (!exit_status)
        exit_status = load_evaluation(call, &evaluation);
    if (!exit_status)
        exit_status = call->settings.dry_run && !evaluation.map
                          ? dry_run_measured(call, &evaluation.request, evaluation.measurements, 1)
                          : run_evaluation(call, &evaluation);
    rw_evaluation_destroy(evaluation.result);
    rw_measurements_destroy(evaluation.measurements);
    rw_map_destroy(evaluation.map);
    close_request(&evaluation.request);
    return exit_status;
}
