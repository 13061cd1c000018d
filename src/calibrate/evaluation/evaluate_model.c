/* A model against measurements: the model is evaluated at the measured places. The figures are those of a map. */
#include "calibrate/measurements/samples.h"

#include "base/memory.h"
#include "base/options.h"
#include "discretise/prepared.h"

#include <math.h>
#include <stdlib.h>

static void copy_sample_points(const rw_sample_points *sample_points, const double *loss_db, rw_evaluation *evaluation)
{
    const rw_measurements *measurements = sample_points->measurements;
    for (size_t i = 0; i < sample_points->count; i++) {
        const rw_sample_point *point = &sample_points->items[i];
        evaluation->x_m[i] = measurements->samples[point->sample].x_m;
        evaluation->y_m[i] = measurements->samples[point->sample].y_m;
        evaluation->height_m[i] = rw_sample_height_m(sample_points, point->sample);
        evaluation->measured_db[i] = (double)point->measured_db;
        evaluation->predicted_db[i] = loss_db[i];
        evaluation->samples[i] = point->sample_count;
        evaluation->routes[i] = rw_sample_route(measurements, point->first);
        evaluation->sites[i] = rw_sample_site(measurements, point->first);
        evaluation->devices[i] = rw_sample_device(measurements, point->first);
    }
    evaluation->info.points = sample_points->count;
    evaluation->info.samples_used = sample_points->samples_used;
    evaluation->info.off_map = sample_points->off_map;
    evaluation->info.in_building = sample_points->in_building;
    evaluation->info.no_path = sample_points->no_path;
    evaluation->info.bad_rows = sample_points->bad_rows;
    evaluation->info.bad_sites = sample_points->bad_sites;
    evaluation->info.of_bad_site = sample_points->of_bad_site;
}

/* Levels the prediction, and lists the offsets of groups that have points. */
static rw_status fit_offsets(const rw_sample_points *sample_points, rw_evaluation *evaluation)
{
    rw_context *context = evaluation->context;
    double *offsets_db;
    if (!sample_points->offsets.by_site && !sample_points->offsets.by_device)
        return RW_OK;
    evaluation->group_count = sample_points->group_count;
    RW_TRY(rw_array_create(context, sample_points->count, sizeof *evaluation->groups, "offsets", &evaluation->groups));
    RW_TRY(rw_array_create(context, sample_points->group_count, sizeof *evaluation->offsets, "offsets",
                           &evaluation->offsets));
    RW_TRY(rw_array_create(context, sample_points->group_count, sizeof *offsets_db, "offsets", &offsets_db));
    for (size_t i = 0; i < sample_points->count; i++)
        evaluation->groups[i] = sample_points->items[i].group;
    rw_status status = rw_evaluation_level(evaluation, evaluation->predicted_db, offsets_db);
    if (status == RW_OK)
        evaluation->info.offsets =
            rw_sample_points_list_offsets(sample_points, 0, sample_points->count, offsets_db, evaluation->offsets);
    free(offsets_db);
    return status;
}

/* Formulas of cities say nothing of rooms. */
static rw_status add_model_baselines(const rw_sample_points *sample_points, const rw_evaluate_options *options,
                                     rw_evaluation *evaluation)
{
    const rw_model *model = rw_model_lookup(sample_points->prediction->model);
    rw_scene_info about = {.size = sizeof about};
    uint8_t *in_sight;
    if (!model || model->rooms)
        return RW_OK;
    RW_TRY(rw_scene_get_info(sample_points->scene, &about));
    RW_TRY(rw_array_create(evaluation->context, sample_points->count, 1, "line of sight", &in_sight));
    rw_status status = rw_sample_points_find_sight(sample_points, in_sight);
    if (status == RW_OK) {
        const rw_baseline_setting setting = {.transmitter = options->transmitter,
                                             .freq_hz = sample_points->prediction->freq_hz,
                                             .mean_roof_m = about.roof_mean_m,
                                             .in_sight = in_sight};
        status = rw_evaluation_add_baselines(evaluation, &setting);
    }
    free(in_sight);
    return status;
}

/* The one-slope fit starts from the transmitter of each point, or from the one that was named for it. */
static rw_status assign_point_transmitters(const rw_sample_points *sample_points, const rw_evaluate_options *options,
                                           rw_evaluation *evaluation)
{
    if (options->transmitter)
        return RW_OK;
    RW_TRY(rw_array_create(evaluation->context, sample_points->count, sizeof *evaluation->transmitters, "transmitters",
                           &evaluation->transmitters));
    for (size_t i = 0; i < sample_points->count; i++)
        evaluation->transmitters[i] = &sample_points->prediction->transmitters[sample_points->items[i].transmitter];
    return RW_OK;
}

/* The loss at each point, and the mechanism where the model has that layer for points. */
static rw_status predict_samples(rw_sample_points *sample_points, rw_evaluation *evaluation, double *loss_db)
{
    uint8_t *reached;
    RW_TRY(rw_array_create(evaluation->context, sample_points->count, 1, "path loss", &reached));
    rw_status status = rw_sample_points_trace_map(sample_points, loss_db, evaluation->mechanisms, reached);
    size_t count = 0;
    for (size_t i = 0; i < sample_points->count && status == RW_OK; i++)
        if (reached[i]) {
            evaluation->mechanisms[count] = evaluation->mechanisms[i];
            loss_db[count++] = loss_db[i];
        }
    if (status == RW_OK)
        status = rw_sample_points_drop_unreached(sample_points, reached);
    free(reached);
    return status;
}

static rw_status compare_model_with_samples(rw_sample_points *sample_points, const rw_evaluate_options *options,
                                            rw_evaluation *evaluation)
{
    rw_context *context = evaluation->context;
    double *loss_db = NULL;
    rw_status status = rw_array_create(context, sample_points->count, sizeof *loss_db, "path loss", &loss_db);
    if (status == RW_OK)
        status = predict_samples(sample_points, evaluation, loss_db);
    if (status == RW_OK)
        status = assign_point_transmitters(sample_points, options, evaluation);
    if (status == RW_OK) {
        const rw_transmitter *first = options->transmitter ? options->transmitter : evaluation->transmitters[0];
        copy_sample_points(sample_points, loss_db, evaluation);
        status = fit_offsets(sample_points, evaluation);
        if (status == RW_OK)
            status = rw_evaluation_finish(evaluation, first);
        if (status == RW_OK)
            status = add_model_baselines(sample_points, options, evaluation);
        free(evaluation->transmitters);
        evaluation->transmitters = NULL;
    }
    free(loss_db);
    return status;
}

static int is_in_evaluated_box(const double box[4], rw_vec2 at)
{
    return at.x >= box[0] && at.y >= box[1] && at.x <= box[2] && at.y <= box[3];
}

/* Walls among and round the points, for the picture of errors. */
static rw_status copy_walls(const rw_scene *scene, rw_evaluation *evaluation)
{
    const double margin_m = 50;
    const rw_wall_list *walls = &scene->prepared->walls;
    double box[4] = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i < evaluation->info.points; i++) {
        box[0] = fmin(box[0], evaluation->x_m[i] - margin_m - scene->origin.x);
        box[1] = fmin(box[1], evaluation->y_m[i] - margin_m - scene->origin.y);
        box[2] = fmax(box[2], evaluation->x_m[i] + margin_m - scene->origin.x);
        box[3] = fmax(box[3], evaluation->y_m[i] + margin_m - scene->origin.y);
    }
    RW_TRY(rw_array_create(evaluation->context, 3 * walls->count + 1, sizeof *evaluation->wall_x, "a plot",
                           &evaluation->wall_x));
    RW_TRY(rw_array_create(evaluation->context, 3 * walls->count + 1, sizeof *evaluation->wall_y, "a plot",
                           &evaluation->wall_y));
    for (size_t i = 0; i < walls->count; i++) {
        const rw_vec2 ends[] = {walls->walls[i].p0, walls->walls[i].p1};
        if (!is_in_evaluated_box(box, ends[0]) || !is_in_evaluated_box(box, ends[1]))
            continue;
        for (int end = 0; end < 3; end++, evaluation->wall_count++) {
            evaluation->wall_x[evaluation->wall_count] = end < 2 ? ends[end].x + scene->origin.x : NAN;
            evaluation->wall_y[evaluation->wall_count] = end < 2 ? ends[end].y + scene->origin.y : NAN;
        }
    }
    return RW_OK;
}

static rw_status evaluate_at_samples(const rw_scene *scene, const rw_predict_options *predict_options,
                                     const rw_measurements *measurements, const rw_evaluate_options *chosen,
                                     rw_evaluation **evaluation)
{
    rw_sample_points sample_points;
    rw_evaluation *new_evaluation;
    const rw_sample_point_options how = {.average = chosen->average,
                                         .offsets = chosen->offsets,
                                         .skip_bad = chosen->skip_bad,
                                         .heights = chosen->heights,
                                         .inside = 1};
    RW_TRY(rw_sample_points_create(scene, predict_options, measurements, &how, &sample_points));
    rw_status status = rw_evaluation_create(scene->context, sample_points.count, &new_evaluation);
    if (status == RW_OK) {
        new_evaluation->above_m = chosen->above_m;
        status = compare_model_with_samples(&sample_points, chosen, new_evaluation);
    }
    if (status == RW_OK)
        status = copy_walls(scene, new_evaluation);
    rw_sample_points_destroy(&sample_points);
    if (status != RW_OK) {
        rw_evaluation_destroy(new_evaluation);
        return status;
    }
    *evaluation = new_evaluation;
    return RW_OK;
}

rw_status rw_evaluate_model(const rw_scene *scene, const rw_predict_options *prediction,
                            const rw_measurements *measurements, const rw_evaluate_options *options,
                            rw_evaluation **evaluation)
{
    rw_context *context = scene->context;
    rw_predict_options predict_options;
    rw_evaluate_options chosen;
    rw_transmitter of_options, *transmitter_buffer;
    *evaluation = NULL;
    RW_TRY(rw_evaluate_options_resolve(context, options, &chosen, &of_options));
    RW_TRY(rw_predict_options_resolve(context, prediction, &predict_options, &transmitter_buffer));
    rw_status status = rw_predict_options_resolve_cells(scene, prediction, &predict_options);
    if (status == RW_OK)
        status = evaluate_at_samples(scene, &predict_options, measurements, &chosen, evaluation);
    if (status == RW_OK)
        (*evaluation)->info.res_m = predict_options.res_m;
    free(transmitter_buffer);
    return status;
}
