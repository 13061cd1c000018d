/* The choice by the model itself: a prediction of what was chosen, with its antennas and powers, and the objective by
 * it. Planning knows a place by one direction of departure for each cell; here every path has its own. */
#include "network/plan/plan.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double rw_plan_unit_value(const rw_plan_search *search, int64_t value)
{
    const rw_plan_problem *problem = search->problem;
    double weight = (double)search->state->total_weight;
    switch (problem->goal) {
    case RW_PLAN_RATE:
        return (double)value / weight / problem->rate_scale;
    case RW_PLAN_SINR:
        return floor((double)value / RW_PLAN_SINR_STEP) / 1000;
    case RW_PLAN_COVERAGE:
    default:
        return (double)value / weight * problem->total_weight;
    }
}

static const float *get_map_layer(const rw_map *map, const char *name)
{
    for (size_t i = 0; i < map->info.layers; i++)
        if (strcmp(map->layers[i].name, name) == 0)
            return map->layers[i].values;
    return NULL;
}

typedef struct weighed {
    float value;
    double weight;
} weighed;

static int compare_weighed(const void *a, const void *b)
{
    const weighed *x = a, *y = b;
    return (x->value > y->value) - (x->value < y->value);
}

/* A layer of all levels, cell after cell; to be freed. */
static rw_status join_levels(const rw_plan_problem *problem, rw_map *const *maps, const char *name, float **values)
{
    size_t count = problem->cell_count / problem->level_count; /* NOLINT: there is at least one level */
    RW_TRY(rw_array_create(problem->context, problem->cell_count, sizeof **values, "a layer", values));
    for (size_t level = 0; level < problem->level_count; level++)
        memcpy(*values + level * count, get_map_layer(maps[level], name), count * sizeof **values);
    return RW_OK;
}

/* The SINR that all but so many percent of the weight reach; no less than the search can tell apart. */
static rw_status find_percentile(const rw_plan_problem *problem, const float *sinr, double *value)
{
    weighed *cells;
    size_t count = 0;
    double below = 0, target = problem->options.percentile / 100 * problem->total_weight;
    RW_TRY(rw_array_create(problem->context, problem->cell_count, sizeof *cells, "SINR", &cells));
    for (size_t i = 0; i < problem->cell_count; i++)
        if (problem->weights[i] > 0)
            cells[count++] = (weighed){isnan(sinr[i]) ? -INFINITY : sinr[i], problem->weights[i]};
    rw_sort(cells, count, sizeof *cells, compare_weighed);
    size_t at = 0;
    while (at + 1 < count && below + cells[at].weight <= target)
        below += cells[at++].weight;
    *value = fmax(count ? (double)cells[at].value : -INFINITY, rw_plan_bin_db(1));
    free(cells);
    return RW_OK;
}

/* The objective by the layers of the predictions. */
static rw_status find_value(const rw_plan_problem *problem, rw_map *const *maps, double *value)
{
    static const char *const layers[] = {
        [RW_PLAN_COVERAGE] = "strongest", [RW_PLAN_RATE] = "throughput", [RW_PLAN_SINR] = "sinr"};
    float *values;
    double sum = 0;
    RW_TRY(join_levels(problem, maps, layers[problem->goal], &values));
    rw_status status = problem->goal == RW_PLAN_SINR ? find_percentile(problem, values, value) : RW_OK;
    for (size_t i = 0; i < problem->cell_count && problem->goal != RW_PLAN_SINR; i++) {
        if (problem->goal == RW_PLAN_RATE)
            sum += isfinite(values[i]) ? problem->weights[i] * (double)values[i] : 0;
        else
            sum += (double)values[i] >= problem->covered_dbm ? problem->weights[i] : 0;
    }
    free(values);
    if (problem->goal != RW_PLAN_SINR)
        *value = problem->goal == RW_PLAN_RATE ? sum / problem->total_weight : sum;
    return status;
}

/* A prediction of the sectors that are wanted, on one level. */
static rw_status predict_plan(const rw_plan_search *search, size_t level, int retained_only, rw_map **map)
{
    const rw_plan_problem *problem = search->problem;
    rw_predict_options options = rw_plan_level_options(problem, level);
    rw_transmitter *transmitters;
    size_t count = 0;
    RW_TRY(rw_array_create(problem->context, problem->sector_count, sizeof *transmitters, "sectors", &transmitters));
    for (size_t i = 0; i < problem->sector_count; i++) {
        const rw_plan_sector *sector = &problem->sectors[i];
        if (retained_only ? sector->keep != RW_PLAN_FREE : search->chosen[i] != RW_PLAN_NO_VARIANT)
            transmitters[count++] =
                rw_plan_transmitter(problem, retained_only ? sector->first_variant : search->chosen[i]);
    }
    options.transmitters = transmitters;
    options.transmitter_count = count;
    options.layers = problem->goal != RW_PLAN_COVERAGE    ? "strongest,best,sinr,throughput"
                     : isnan(problem->options.confidence) ? "strongest,best"
                                                          : "strongest,best,power";
    rw_status status = count ? rw_predict(problem->scene, &options, map) : RW_OK;
    free(transmitters);
    return status;
}

/* How far the strongest powers that the choice was made with are from those of the prediction. */
static rw_status compare_powers(const rw_plan_search *search, rw_map *const *maps, double *rms_db)
{
    const rw_plan_state *state = search->state;
    float *strongest = NULL;
    size_t cells = search->problem->cell_count, count = 0, slots = state->view.slot_count;
    int16_t *powers;
    double sum = 0, min_dbm = rw_plan_min_dbm(search->problem);
    RW_TRY(rw_array_create(state->context, 2 * cells, sizeof *powers, "powers", &powers));
    int16_t *best = powers + cells;
    for (size_t i = 0; i < cells; i++)
        best[i] = RW_PLAN_NO_POWER;
    rw_status status = join_levels(search->problem, maps, "strongest", &strongest);
    for (size_t slot = 0; slot < slots && status == RW_OK; slot++) {
        status = rw_device_download(state->context, state->backend, powers, state->view.slots + slot * cells,
                                    cells * sizeof *powers);
        for (size_t i = 0; i < cells; i++)
            best[i] = powers[i] > best[i] ? powers[i] : best[i];
    }
    for (size_t i = 0; i < cells && status == RW_OK; i++)
        if (best[i] != RW_PLAN_NO_POWER && (double)strongest[i] >= min_dbm) { /* others may not be kept */
            double apart_db = (double)strongest[i] - best[i] / 100.0;
            sum += apart_db * apart_db;
            count++;
        }
    *rms_db = count ? sqrt(sum / (double)count) : NAN;
    free(powers);
    free(strongest);
    return status;
}

static rw_status map_weights(const rw_plan_problem *problem, size_t level, rw_map **map)
{
    float *values;
    RW_TRY(rw_map_create(problem->context, &problem->cells, rw_scene_crs(problem->scene), map));
    RW_TRY(rw_map_add_layer(*map, "weight", "", 1, &values));
    size_t count = problem->cell_count / problem->level_count;
    const double *weights = problem->weights + level * count;
    for (size_t i = 0; i < count; i++)
        values[i] = weights[i] > 0 ? (float)weights[i] : NAN;
    return RW_OK;
}

#define DRAWS 200
#define DRAWN_CELLS_MAX 1e10 /* of all draws and sectors */

/* How likely the choice covers what: draws of shadowing that is correlated over the map and among sites. */
static rw_status find_confidence(const rw_plan_problem *problem, const rw_map *map, rw_plan_info *info)
{
    const rw_plan_options *options = &problem->options;
    rw_confidence found = {.size = sizeof found};
    rw_confidence_options draw;
    size_t power;
    RW_TRY(rw_map_find_layer(map, "power", &power));
    double cells = (double)problem->cell_count * (double)(map->layers[power].bands + 1);
    rw_confidence_options_init(&draw);
    draw.layer = "power";
    draw.level = options->level_dbm;
    draw.confidence = options->confidence;
    draw.sigma_db = options->shadowing_db;
    draw.correlation_m = options->correlation_m;
    draw.target = options->target_percent / 100;
    draw.seed = options->seed;
    draw.draws = (int)fmax(20, fmin(DRAWS, DRAWN_CELLS_MAX / cells));
    draw.cell_weights = problem->weights;
    RW_TRY(rw_map_confidence(map, &draw, &found));
    info->expected = found.mean * problem->total_weight;
    info->assured = found.covered * problem->total_weight;
    info->target_probability = found.target_probability;
    return RW_OK;
}

rw_status rw_plan_verify(const rw_plan_search *search, rw_plan *plan)
{
    const rw_plan_problem *problem = search->problem;
    plan->level_count = problem->level_count;
    for (size_t level = 0; level < problem->level_count; level++) {
        RW_TRY(predict_plan(search, level, 1, &plan->before[level]));
        RW_TRY(predict_plan(search, level, 0, &plan->after[level]));
        RW_TRY(map_weights(problem, level, &plan->weights[level]));
    }
    plan->info.rms_db = plan->info.expected = plan->info.assured = plan->info.target_probability = NAN;
    if (!plan->after[0])
        return RW_OK;
    if (!isnan(problem->options.confidence))
        RW_TRY(find_confidence(problem, plan->after[0], &plan->info));
    RW_TRY(find_value(problem, plan->after, &plan->info.predicted));
    return compare_powers(search, plan->after, &plan->info.rms_db);
}
