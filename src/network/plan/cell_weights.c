/* What each receiver weighs: its area, its share of a raster of people or traffic, or of a zone. */
#include "network/plan/plan.h"

#include "base/memory.h"
#include "discretise/zones/zones.h"
#include "output/statistics/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WEIGHT_SCALE_MAX 0x1p34 /* of all cells */
#define RATE_SCALE_MAX 0x1p17   /* of the best rate: sums stay below 2^53 */

/* Cells of one level. */
static size_t count_level_cells(const rw_plan_problem *problem)
{
    return problem->cells.columns * problem->cells.rows;
}

static rw_status mark_level_receivers(rw_plan_problem *problem, size_t level, uint8_t **is_receiver)
{
    rw_prediction *prediction;
    rw_predict_options first = rw_plan_level_options(problem, level);
    first.transmitter_count = 1;
    first.layers = "path_loss";
    RW_TRY(rw_prediction_open(problem->scene, &first, &prediction));
    rw_status status = RW_OK;
    problem->cells = prediction->grid.cells;
    size_t count = count_level_cells(problem);
    problem->cell_count = count * problem->level_count;
    if (level == 0)
        status = rw_array_create(problem->context, problem->cell_count, 1, "receivers", is_receiver);
    const rw_receivers_view *view = &prediction->receivers.view;
    for (size_t i = 0; status == RW_OK && i < view->outdoor_count; i++)
        (*is_receiver)[level * count + view->outdoor[i]] = 1;
    for (size_t i = 0; status == RW_OK && prediction->options->indoor && i < count; i++)
        (*is_receiver)[level * count + i] |= view->indoor[i] == 1;
    rw_prediction_destroy(prediction);
    return status;
}

/* Receivers of the predictions: 1 where there is one. */
static rw_status find_receivers(rw_plan_problem *problem, uint8_t **is_receiver)
{
    if (problem->predict.plane_m[0] == problem->predict.plane_m[0])
        return rw_fail(problem->context, RW_BAD_CALL, "a plan is made on a map, not on a plane in space");
    for (size_t level = 0; level < problem->level_count; level++)
        RW_TRY(mark_level_receivers(problem, level, is_receiver));
    return RW_OK;
}

typedef struct zone_marking {
    const rw_plan_problem *problem;
    const uint8_t *is_receiver;
    uint8_t *is_inside;
    double *weights; /* of the level */
    double each;     /* that every receiver of the zone gets more; NaN: none */
    size_t receivers;
} zone_marking;

static void count_zone_receivers(void *user, size_t row, size_t first, size_t end)
{
    zone_marking *of = user;
    for (size_t i = first; i < end; i++)
        of->receivers += of->is_receiver[row * of->problem->cells.columns + i];
}

static void mark_zone_cells(void *user, size_t row, size_t first, size_t end)
{
    const zone_marking *of = user;
    for (size_t i = first; i < end; i++) {
        size_t cell = row * of->problem->cells.columns + i;
        of->is_inside[cell] = 1;
        if (!isnan(of->each))
            of->weights[cell] += of->each;
    }
}

/* Zones with a weight of their own share it among their receivers; without, they only say where cells count. */
static rw_status mark_zones(const rw_zones *zones, zone_marking *of)
{
    const rw_plan_problem *problem = of->problem;
    const rw_map_info *cells = &problem->cells;
    rw_zone_grid grid = {cells->x0_m, cells->y0_m, cells->res_m, cells->columns, cells->rows};
    for (size_t i = 0; i < zones->count; i++) {
        of->each = NAN;
        if (problem->options.zone_field) {
            double weight;
            rw_status status = rw_parse_quantity(problem->context, zones->zones[i].name, RW_QUANTITY_NUMBER, &weight);
            if (status != RW_OK || !(weight >= 0 && isfinite(weight)))
                return rw_fail(problem->context, RW_BAD_INPUT, "%s: field %.40s of zone %zu is '%.40s', not a weight",
                               problem->options.zones, problem->options.zone_field, i + 1, zones->zones[i].name);
            of->receivers = 0;
            RW_TRY(rw_zone_rasterise(zones, i, &grid, count_zone_receivers, of));
            of->each = of->receivers ? weight / (double)of->receivers : NAN;
        }
        RW_TRY(rw_zone_rasterise(zones, i, &grid, mark_zone_cells, of));
    }
    return RW_OK;
}

static rw_status weigh_zones(rw_plan_problem *problem, const uint8_t *is_receiver, double *weights)
{
    rw_zones zones;
    zone_marking of = {problem, is_receiver, NULL, weights, NAN, 0};
    RW_TRY(rw_zones_load(problem->context, problem->options.zones, rw_scene_crs(problem->scene),
                         problem->options.zone_field, &zones));
    rw_status status = rw_array_create(problem->context, problem->cell_count, 1, "zones", &of.is_inside);
    if (status == RW_OK)
        status = mark_zones(&zones, &of);
    for (size_t i = 0; status == RW_OK && i < count_level_cells(problem); i++)
        weights[i] = of.is_inside[i] ? weights[i] : 0;
    free(of.is_inside);
    rw_zones_free(&zones);
    return status;
}

static rw_status weigh_raster(rw_plan_problem *problem, double *weights)
{
    rw_map *map;
    RW_TRY(rw_map_create(problem->context, &problem->cells, rw_scene_crs(problem->scene), &map));
    rw_status status = rw_weights_spread(map, problem->options.weights, weights);
    rw_map_destroy(map);
    return status;
}

/* People in cells without a receiver count at the nearest one, as in rw_map_zone_statistics. */
static rw_status move_to_receivers(rw_plan_problem *problem, const uint8_t *is_receiver, double *weights)
{
    size_t count = count_level_cells(problem);
    rw_map *map;
    float *values;
    uint32_t *nearest;
    RW_TRY(rw_map_create(problem->context, &problem->cells, rw_scene_crs(problem->scene), &map));
    rw_status status = rw_map_add_layer(map, "receivers", "", 1, &values);
    for (size_t i = 0; status == RW_OK && i < count; i++)
        values[i] = is_receiver[i] ? 1 : NAN; /* NOLINT: there are as many as cells */
    if (status == RW_OK)
        status = rw_array_create(problem->context, count, sizeof *nearest, "weights", &nearest);
    if (status == RW_OK) {
        status = rw_weights_find_nearest(map, values, nearest);
        for (size_t i = 0; status == RW_OK && i < count; i++)
            if (nearest[i] != RW_NO_NEAREST && nearest[i] != i) {
                weights[nearest[i]] += weights[i];
                weights[i] = 0;
            }
        free(nearest);
    }
    rw_map_destroy(map);
    return status;
}

rw_status rw_plan_limit_weights(rw_plan_problem *problem, const uint8_t *is_receiver)
{
    double largest = 0;
    problem->total_weight = 0;
    for (size_t i = 0; i < problem->cell_count; i++) {
        if (!is_receiver[i] || !(problem->weights[i] > 0)) /* NOLINT: as many as cells */
            problem->weights[i] = 0;
        problem->total_weight += problem->weights[i];
        largest = fmax(largest, problem->weights[i]);
    }
    if (!(problem->total_weight > 0))
        return rw_fail(problem->context, RW_BAD_INPUT, "no receiver has any weight: the weights lie off the map");
    problem->weight_scale = fmin(WEIGHT_SCALE_MAX / problem->total_weight, 4e9 / largest);
    for (size_t i = 0; i < problem->cell_count; i++)
        problem->integer_weights[i] = (uint32_t)(problem->weights[i] * problem->weight_scale + 0.5);
    return RW_OK;
}

/* The weights of one level: people and weights of zones are shared among the levels. */
static rw_status weigh_level(rw_plan_problem *problem, const uint8_t *is_receiver, double *weights)
{
    const rw_plan_options *options = &problem->options;
    double area_m2 = problem->cells.res_m * problem->cells.res_m;
    size_t count = count_level_cells(problem);
    if (options->weights)
        RW_TRY(weigh_raster(problem, weights));
    for (size_t i = 0; i < count && !options->weights && !options->zone_field; i++)
        weights[i] = area_m2;
    if (options->zones)
        RW_TRY(weigh_zones(problem, is_receiver, weights));
    if (options->weights)
        RW_TRY(move_to_receivers(problem, is_receiver, weights));
    for (size_t i = 0; i < count && (options->weights || options->zone_field); i++)
        weights[i] /= (double)problem->level_count;
    return RW_OK;
}

static rw_status weigh_cells(rw_plan_problem *problem, const uint8_t *is_receiver)
{
    const rw_plan_options *options = &problem->options;
    size_t count = count_level_cells(problem);
    if (options->weights && options->zone_field)
        return rw_fail(problem->context, RW_BAD_CALL, "weights come from a raster or from a field of zones, not both");
    if (options->zone_field && !options->zones)
        return rw_fail(problem->context, RW_BAD_CALL, "a field with the weight of zones needs zones");
    for (size_t level = 0; level < problem->level_count; level++)
        RW_TRY(weigh_level(problem, is_receiver + level * count, problem->weights + level * count));
    return rw_plan_limit_weights(problem, is_receiver);
}

/* The rate in the middle of each bin of SINR, of every carrier. */
static rw_status list_rates(rw_plan_problem *problem)
{
    double max_rate = 0;
    RW_TRY(rw_array_create(problem->context, problem->carrier_count * RW_PLAN_BINS, sizeof *problem->rates, "rates",
                           &problem->rates));
    for (size_t i = 0; i < problem->carrier_count; i++)
        max_rate = fmax(max_rate, rw_network_rate(&problem->carrier_networks[i], rw_plan_bin_db(RW_PLAN_BINS)) / 1e6);
    problem->rate_scale = RATE_SCALE_MAX / max_rate;
    for (size_t i = 0; i < problem->carrier_count * RW_PLAN_BINS; i++) {
        uint32_t bin = (uint32_t)(i % RW_PLAN_BINS);
        double middle_db = 0.5 * (rw_plan_bin_db(bin) + rw_plan_bin_db(bin + 1));
        double rate = rw_network_rate(&problem->carrier_networks[i / RW_PLAN_BINS], middle_db) / 1e6;
        problem->rates[i] = bin ? (uint32_t)(rate * problem->rate_scale + 0.5) : 0;
    }
    return RW_OK;
}

rw_status rw_plan_weigh_cells(rw_plan_problem *problem)
{
    uint8_t *is_receiver = NULL;
    RW_TRY(find_receivers(problem, &is_receiver));
    rw_status status =
        rw_array_create(problem->context, problem->cell_count, sizeof(double), "weights", &problem->weights);
    if (status == RW_OK)
        status = rw_array_create(problem->context, problem->cell_count, sizeof(uint32_t), "weights",
                                 &problem->integer_weights);
    if (status == RW_OK)
        status = weigh_cells(problem, is_receiver);
    if (status == RW_OK)
        status = list_rates(problem);
    free(is_receiver);
    return status;
}
