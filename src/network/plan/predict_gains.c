/* The gains of all places: predictions with isotropic antennas, some places at a time. The direction of departure is
 * the line to the receiver where the model's path loss has no antenna in it, because such models take the antenna's
 * gain there too; in the others it is that of the strongest path. */
#include "network/plan/plan.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <math.h>
#include <stdlib.h>

#define BATCH_POSITIONS 8
#define POINTS_AT_ONCE 4096

/* One place on its way into the gains. */
typedef struct collecting {
    rw_plan_problem *problem;
    rw_position_gains *gains;
    int by_paths; /* directions are those of paths */
    uint32_t *cells, *directions;
    uint16_t *losses_cdb;
    rw_point *points;
    uint8_t *has_value; /* cells that have a value from some place */
    size_t count;
} collecting;

/* One level of the receivers: a prediction of some places. */
typedef struct level_gains {
    rw_predict_options options;
    rw_prediction *prediction;
    rw_map *map;
} level_gains;

static size_t get_level_cells(const rw_plan_problem *problem)
{
    return problem->cell_count / problem->level_count;
}

static int needs_paths(const rw_plan_problem *problem)
{
    const rw_model *model = rw_model_lookup(problem->predict.model);
    int directed = 0;
    for (size_t i = 0; i < problem->antenna_count; i++)
        directed |= problem->antennas[i]->kind != RW_ANTENNA_ISOTROPIC;
    return (model->antenna_in_loss || model->antenna_in_power) && directed;
}

/* Whether path loss lacks the receivers' antenna, which is in the power alone. */
static int is_power_needed(const rw_plan_problem *problem)
{
    return rw_model_lookup(problem->predict.model)->antenna_in_power && problem->predict.rx_antenna;
}

/* From the layer of predict_some to losses. */
static void convert_power_to_loss(const rw_plan_problem *problem, double power_dbm, float *values)
{
    for (size_t i = 0; i < get_level_cells(problem); i++)
        values[i] = (float)(power_dbm - (double)values[i]);
}

/* Adds the cells of a level that matter, with the losses of one band. */
static void collect_losses(collecting *of, size_t position, size_t level, const float *losses_db)
{
    const rw_plan_problem *problem = of->problem;
    double max_db =
        fmin(problem->position_eirp_dbm[position] - rw_plan_min_dbm(problem), RW_POSITION_LOSS_MAX_CDB / 100.0);
    size_t count = get_level_cells(problem);
    for (size_t i = 0; i < count; i++) {
        size_t cell = level * count + i;
        double loss_db = (double)losses_db[i];
        of->has_value[cell] |= (uint8_t)!isnan(loss_db);
        if (!(loss_db <= max_db) || problem->weights[cell] == 0)
            continue;
        of->cells[of->count] = (uint32_t)cell;
        of->losses_cdb[of->count++] = (uint16_t)lround(100 * fmax(loss_db, 0));
    }
}

typedef struct aiming {
    const rw_receivers_view *view;
    rw_vec3 source;
    const uint32_t *cells;
    uint32_t first_cell; /* of the level */
    uint32_t *directions;
} aiming;

static void compute_cell_directions(void *user, size_t begin, size_t end)
{
    const aiming *of = user;
    for (size_t i = begin; i < end; i++)
        of->directions[i] = rw_plan_direction_index(
            rw_vec3_sub(rw_receiver_point(of->view, of->cells[i] - of->first_cell), of->source));
}

/* Of the cells from the first on, which are of one level. */
static rw_status collect_directions(const collecting *of, const rw_prediction *prediction, size_t transmitter,
                                    size_t level, size_t first)
{
    rw_vec2 centre = prediction->scene->prepared->grid.centre;
    rw_vec3 at = prediction->sources[transmitter];
    aiming to = {&prediction->receivers.view, rw_vec3_of(at.x - centre.x, at.y - centre.y, at.z), of->cells + first,
                 (uint32_t)(level * get_level_cells(of->problem)), of->directions + first};
    return rw_parallel(of->problem->context, of->count - first, 2048, compute_cell_directions, &to);
}

static void read_departures(const collecting *of, const rw_paths *paths, size_t first)
{
    size_t last = SIZE_MAX;
    const double degree = 3.14159265358979323846 / 180;
    for (size_t i = 0; i < rw_paths_count(paths); i++) {
        rw_path path = {.size = sizeof path};
        if (rw_paths_get(paths, i, &path) != RW_OK || path.point == last)
            continue; /* those of a point go from the strongest */
        last = path.point;
        double theta = path.departure_theta_deg * degree, phi = path.departure_phi_deg * degree;
        of->directions[first + last] =
            rw_plan_direction_index(rw_vec3_of(sin(theta) * cos(phi), sin(theta) * sin(phi), cos(theta)));
    }
}

/* Directions of the strongest paths, in place of the straight ones. */
static rw_status collect_departures(const collecting *of, const rw_transmitter *transmitter, size_t level,
                                    size_t first_of_level)
{
    const rw_map_info *cells = &of->problem->cells;
    rw_predict_options options = rw_plan_level_options(of->problem, level);
    options.transmitters = transmitter;
    options.transmitter_count = 1;
    for (size_t first = first_of_level; first < of->count; first += POINTS_AT_ONCE) {
        size_t now = of->count - first < POINTS_AT_ONCE ? of->count - first : POINTS_AT_ONCE;
        rw_paths *paths;
        for (size_t i = 0; i < now; i++) {
            size_t cell = of->cells[first + i] - level * get_level_cells(of->problem);
            size_t row = cell / cells->columns, column = cell % cells->columns;
            of->points[i] = (rw_point){.size = sizeof(rw_point),
                                       .x_m = cells->x0_m + ((double)column + 0.5) * cells->res_m,
                                       .y_m = cells->y0_m + ((double)row + 0.5) * cells->res_m,
                                       .height_m = NAN};
        }
        RW_TRY(rw_trace(of->problem->scene, &options, of->points, now, &paths));
        read_departures(of, paths, first);
        rw_paths_destroy(paths);
    }
    return RW_OK;
}

/* The cells of all levels that one place reaches. */
static rw_status collect_position(collecting *of, level_gains *levels, size_t position, size_t transmitter)
{
    const rw_plan_problem *problem = of->problem;
    of->count = 0;
    for (size_t level = 0; level < problem->level_count; level++) {
        const level_gains *at = &levels[level];
        float *band = at->map->layers[0].values + transmitter * get_level_cells(problem);
        size_t first = of->count;
        if (is_power_needed(problem))
            convert_power_to_loss(problem, at->options.transmitters[transmitter].power_dbm, band);
        collect_losses(of, position, level, band);
        RW_TRY(collect_directions(of, at->prediction, transmitter, level, first));
        if (of->by_paths && of->count > first)
            RW_TRY(collect_departures(of, &at->options.transmitters[transmitter], level, first));
    }
    return rw_position_gains_add(of->gains, position, of->cells, of->directions, of->losses_cdb, of->count);
}

static rw_status predict_level(const collecting *of, size_t level, const rw_transmitter *transmitters, size_t count,
                               level_gains *into)
{
    const rw_plan_problem *problem = of->problem;
    into->options = rw_plan_level_options(problem, level);
    into->options.layers = is_power_needed(problem) ? "power" : "path_loss";
    into->options.transmitters = transmitters;
    into->options.transmitter_count = count;
    RW_TRY(rw_predict(problem->scene, &into->options, &into->map));
    return rw_prediction_open(problem->scene, &into->options, &into->prediction);
}

/* Some places in one prediction of each level. */
static rw_status predict_some(collecting *of, size_t first, size_t count)
{
    const rw_plan_problem *problem = of->problem;
    rw_transmitter transmitters[BATCH_POSITIONS];
    level_gains *levels;
    RW_TRY(rw_array_create(problem->context, problem->level_count, sizeof *levels, "gains", &levels));
    for (size_t i = 0; i < count; i++) {
        transmitters[i] = problem->transmitters[problem->position_candidates[first + i]];
        transmitters[i].antenna = "isotropic";
        transmitters[i].azimuth_deg = transmitters[i].downtilt_deg = transmitters[i].roll_deg = 0;
    }
    rw_status status = RW_OK;
    for (size_t level = 0; level < problem->level_count && status == RW_OK; level++)
        status = predict_level(of, level, transmitters, count, &levels[level]);
    for (size_t i = 0; i < count && status == RW_OK; i++)
        status = collect_position(of, levels, first + i, i);
    for (size_t level = 0; level < problem->level_count; level++) {
        rw_map_destroy(levels[level].map);
        rw_prediction_destroy(levels[level].prediction);
    }
    free(levels);
    return status;
}

/* A model may refuse a place that every check before has passed, as inside a wall of a room. Where such places may be
 * left out, each is tried alone. */
static rw_status predict_each(collecting *of, size_t first, size_t count)
{
    for (size_t i = first; i < first + count; i++) {
        rw_status status = predict_some(of, i, 1);
        of->problem->is_position_bad[i] = status != RW_OK;
        if (status != RW_OK)
            RW_TRY(rw_plan_skip_candidate(of->problem, status));
    }
    return RW_OK;
}

static rw_status predict_positions(collecting *of)
{
    const rw_plan_problem *problem = of->problem;
    for (size_t first = 0; first < problem->position_count; first += BATCH_POSITIONS) {
        size_t left = problem->position_count - first, count = left < BATCH_POSITIONS ? left : BATCH_POSITIONS;
        rw_status status = predict_some(of, first, count);
        int is_rejected = status == RW_BAD_CALL || status == RW_BAD_INPUT;
        RW_TRY(is_rejected && problem->options.skip_bad ? predict_each(of, first, count) : status);
    }
    return RW_OK;
}

rw_status rw_plan_predict_gains(rw_plan_problem *problem, rw_position_gains *gains)
{
    collecting of = {.problem = problem, .gains = gains, .by_paths = needs_paths(problem)};
    rw_context *context = problem->context;
    size_t cells = problem->cell_count;
    RW_TRY(rw_position_gains_create(context, problem->position_count, cells, gains));
    rw_status status = rw_array_create(context, cells, sizeof *of.cells, "gains", &of.cells);
    if (status == RW_OK)
        status = rw_array_create(context, cells, sizeof *of.directions, "gains", &of.directions);
    if (status == RW_OK)
        status = rw_array_create(context, cells, sizeof *of.losses_cdb, "gains", &of.losses_cdb);
    if (status == RW_OK)
        status = rw_array_create(context, POINTS_AT_ONCE, sizeof *of.points, "points", &of.points);
    if (status == RW_OK)
        status = rw_array_create(context, cells, 1, "receivers", &of.has_value);
    if (status == RW_OK)
        status = predict_positions(&of);
    /* Of rooms the model alone knows which receivers are inside walls. */
    if (status == RW_OK && gains->entry_count && rw_model_lookup(problem->predict.model)->rooms)
        status = rw_plan_limit_weights(problem, of.has_value);
    free(of.cells);
    free(of.directions);
    free(of.losses_cdb);
    free(of.points);
    free(of.has_value);
    return status;
}
