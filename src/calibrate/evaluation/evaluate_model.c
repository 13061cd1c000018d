/* A model against measurements: the model is evaluated at the measured places. The figures are those of a map. */
#include "calibrate/measurements/sample_points.h"

#include "base/memory.h"
#include "base/options.h"
#include "discretise/prepared.h"

#include <math.h>
#include <stdlib.h>

static void fill(const rw_places *places, const double *loss_db, rw_evaluation *made)
{
    const rw_measurements *measurements = places->measurements;
    for (size_t i = 0; i < places->count; i++) {
        const rw_place *place = &places->items[i];
        made->x_m[i] = measurements->samples[place->sample].x_m;
        made->y_m[i] = measurements->samples[place->sample].y_m;
        made->height_m[i] = rw_sample_height_m(places, place->sample);
        made->measured_db[i] = (double)place->measured_db;
        made->predicted_db[i] = loss_db[i];
        made->samples[i] = place->sample_count;
        made->routes[i] = rw_sample_route(measurements, place->first);
    }
    made->info.points = places->count;
    made->info.samples_used = places->samples_used;
    made->info.off_map = places->off_map;
    made->info.in_building = places->in_building;
    made->info.no_path = places->no_path;
    made->info.bad_rows = places->bad_rows;
    made->info.bad_sites = places->bad_sites;
    made->info.of_bad_site = places->of_bad_site;
}

/* Levels the prediction, and lists the offsets of groups that have points. */
static rw_status fit_offsets(const rw_places *places, rw_evaluation *made)
{
    rw_context *context = made->context;
    double *offsets_db;
    if (!places->offsets.by_site && !places->offsets.by_device)
        return RW_OK;
    made->group_count = places->group_count;
    RW_TRY(rw_array_create(context, places->count, sizeof *made->groups, "offsets", &made->groups));
    RW_TRY(rw_array_create(context, places->group_count, sizeof *made->offsets, "offsets", &made->offsets));
    RW_TRY(rw_array_create(context, places->group_count, sizeof *offsets_db, "offsets", &offsets_db));
    for (size_t i = 0; i < places->count; i++)
        made->groups[i] = places->items[i].group;
    rw_status status = rw_evaluation_level(made, made->predicted_db, offsets_db);
    if (status == RW_OK)
        made->info.offsets = rw_places_list_offsets(places, 0, places->count, offsets_db, made->offsets);
    free(offsets_db);
    return status;
}

/* Formulas of cities say nothing of rooms. */
static rw_status add_yardsticks(const rw_places *places, const rw_evaluate_options *options, rw_evaluation *made)
{
    const rw_model *model = rw_model_known(places->prediction->model);
    rw_scene_info about = {.size = sizeof about};
    uint8_t *in_sight;
    if (!model || model->rooms)
        return RW_OK;
    RW_TRY(rw_scene_get_info(places->scene, &about));
    RW_TRY(rw_array_create(made->context, places->count, 1, "line of sight", &in_sight));
    rw_status status = rw_places_sight(places, in_sight);
    if (status == RW_OK) {
        const rw_yardstick_setting setting = {.transmitter = options->transmitter,
                                              .freq_hz = places->prediction->freq_hz,
                                              .mean_roof_m = about.roof_mean_m,
                                              .in_sight = in_sight};
        status = rw_evaluation_add_yardsticks(made, &setting);
    }
    free(in_sight);
    return status;
}

/* The one-slope fit starts from the transmitter of each point, or from the one that was named for it. */
static rw_status name_transmitters(const rw_places *places, const rw_evaluate_options *options, rw_evaluation *made)
{
    if (options->transmitter)
        return RW_OK;
    RW_TRY(
        rw_array_create(made->context, places->count, sizeof *made->transmitters, "transmitters", &made->transmitters));
    for (size_t i = 0; i < places->count; i++)
        made->transmitters[i] = &places->prediction->transmitters[places->items[i].transmitter];
    return RW_OK;
}

static rw_status compare(rw_places *places, const rw_evaluate_options *options, rw_evaluation *made)
{
    rw_context *context = made->context;
    double *loss_db = NULL;
    uint8_t *reached = NULL;
    rw_status status = rw_array_create(context, places->count, sizeof *loss_db, "path loss", &loss_db);
    if (status == RW_OK)
        status = rw_array_create(context, places->count, 1, "path loss", &reached);
    if (status == RW_OK)
        status = rw_places_trace(places, NULL, NULL, loss_db, reached);
    if (status == RW_OK) {
        size_t kept = 0;
        for (size_t i = 0; i < places->count; i++)
            if (reached[i])
                loss_db[kept++] = loss_db[i];
        status = rw_places_keep_reached(places, reached);
    }
    if (status == RW_OK)
        status = name_transmitters(places, options, made);
    if (status == RW_OK) {
        const rw_transmitter *first = options->transmitter ? options->transmitter : made->transmitters[0];
        fill(places, loss_db, made);
        status = fit_offsets(places, made);
        if (status == RW_OK)
            status = rw_evaluation_finish(made, first);
        if (status == RW_OK)
            status = add_yardsticks(places, options, made);
        free(made->transmitters);
        made->transmitters = NULL;
    }
    free(reached);
    free(loss_db);
    return status;
}

static int is_near(const double box[4], rw_vec2 at)
{
    return at.x >= box[0] && at.y >= box[1] && at.x <= box[2] && at.y <= box[3];
}

/* Walls among and round the points, for the picture of errors. */
static rw_status copy_walls(const rw_scene *scene, rw_evaluation *made)
{
    const double margin_m = 50;
    const rw_wall_list *walls = &scene->prepared->walls;
    double box[4] = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i < made->info.points; i++) {
        box[0] = fmin(box[0], made->x_m[i] - margin_m - scene->origin.x);
        box[1] = fmin(box[1], made->y_m[i] - margin_m - scene->origin.y);
        box[2] = fmax(box[2], made->x_m[i] + margin_m - scene->origin.x);
        box[3] = fmax(box[3], made->y_m[i] + margin_m - scene->origin.y);
    }
    RW_TRY(rw_array_create(made->context, 3 * walls->count + 1, sizeof *made->wall_x, "a plot", &made->wall_x));
    RW_TRY(rw_array_create(made->context, 3 * walls->count + 1, sizeof *made->wall_y, "a plot", &made->wall_y));
    for (size_t i = 0; i < walls->count; i++) {
        const rw_vec2 ends[] = {walls->walls[i].p0, walls->walls[i].p1};
        if (!is_near(box, ends[0]) || !is_near(box, ends[1]))
            continue;
        for (int end = 0; end < 3; end++, made->wall_count++) {
            made->wall_x[made->wall_count] = end < 2 ? ends[end].x + scene->origin.x : NAN;
            made->wall_y[made->wall_count] = end < 2 ? ends[end].y + scene->origin.y : NAN;
        }
    }
    return RW_OK;
}

static rw_status evaluate(const rw_scene *scene, const rw_predict_options *asked, const rw_measurements *measurements,
                          const rw_evaluate_options *chosen, rw_evaluation **evaluation)
{
    rw_places places;
    rw_evaluation *made;
    const rw_place_options how = {chosen->average, chosen->offsets, NULL, chosen->skip_bad, chosen->heights};
    RW_TRY(rw_places_create(scene, asked, measurements, &how, &places));
    rw_status status = rw_evaluation_create(scene->context, places.count, &made);
    if (status == RW_OK) {
        made->above_m = chosen->above_m;
        status = compare(&places, chosen, made);
    }
    if (status == RW_OK)
        status = copy_walls(scene, made);
    rw_places_destroy(&places);
    if (status != RW_OK) {
        rw_evaluation_destroy(made);
        return status;
    }
    *evaluation = made;
    return RW_OK;
}

rw_status rw_evaluate_model(const rw_scene *scene, const rw_predict_options *prediction,
                            const rw_measurements *measurements, const rw_evaluate_options *options,
                            rw_evaluation **evaluation)
{
    rw_context *context = scene->context;
    rw_predict_options asked;
    rw_evaluate_options chosen;
    rw_transmitter of_options, *room;
    *evaluation = NULL;
    RW_TRY(rw_evaluate_options_take(context, options, &chosen, &of_options));
    RW_TRY(rw_predict_options_take(context, prediction, &asked, &room));
    rw_status status = evaluate(scene, &asked, measurements, &chosen, evaluation);
    free(room);
    return status;
}
