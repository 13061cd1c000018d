/* Planning: how many changes of a network are evaluated in a second.
 *
 * 1000 candidates with 8 tilts and 12 azimuths each on 20 km2 at 10 m, some of them chosen already. The losses are made
 * here, by distance and a shadowing of 8 dB, so that the time is that of the search alone. Before anything is timed,
 * changes are compared with plain loops in double over all cells, with the antenna's own gain towards each cell. */
#include "bench/bench.h"

#include "base/maths/hash.h"
#include "base/memory.h"
#include "network/plan/plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 447, CELLS = SIDE * SIDE, SITES = 1000, TILTS = 8, AZIMUTHS = 12, EACH = TILTS * AZIMUTHS };
enum { VARIANTS = SITES * EACH, CHOSEN = 12, COMPARED = 12, QUERIED_ON_CPU = 4096 };
#define CELL_M 10.0
#define MAST_M 30.0
#define RECEIVER_M 1.5
#define POWER_DBM 43.0
#define LEVEL_DBM (-95.0)
#define NOISE_DBM (-95.4)
#define PEAK_DBI 8.0

typedef struct planned_city {
    rw_context *context;
    rw_position_gains gains;
    rw_plan_problem problem; /* of it only antennas and patterns */
    rw_plan_pattern patterns[TILTS];
    rw_antenna *antennas[1];
    double site_m[SITES][2];
    float shadowing_db[4096];
    rw_plan_variant *variants;
    uint32_t *weights, *rates;
    int16_t *tables;
} planned_city;

/* The loss of a cell in hundredths of a decibel, the same however often it is asked. */
static int loss_cdb(const planned_city *city, size_t site, size_t cell)
{
    double x = ((double)(cell % SIDE) + 0.5) * CELL_M - city->site_m[site][0];
    double y = ((double)(cell / SIDE) + 0.5) * CELL_M - city->site_m[site][1];
    uint64_t random = rw_random_mix(cell * SITES + site);
    double loss_db = 36 + 17.5 * log10(x * x + y * y + MAST_M * MAST_M) + (double)city->shadowing_db[random & 4095];
    return (int)lround(100 * loss_db);
}

static rw_vec3 find_cell_direction(const planned_city *city, size_t site, size_t cell)
{
    return rw_vec3_of(((double)(cell % SIDE) + 0.5) * CELL_M - city->site_m[site][0],
                      ((double)(cell / SIDE) + 0.5) * CELL_M - city->site_m[site][1], RECEIVER_M - MAST_M);
}

static rw_status store_site_losses(planned_city *city, size_t site, uint32_t *cells, uint32_t *directions,
                                   uint16_t *losses)
{
    size_t count = 0;
    for (size_t cell = 0; cell < CELLS; cell++) {
        int loss = loss_cdb(city, site, cell);
        if (loss > 100 * (POWER_DBM + PEAK_DBI - LEVEL_DBM))
            continue;
        cells[count] = (uint32_t)cell;
        directions[count] = rw_plan_direction_index(find_cell_direction(city, site, cell));
        losses[count++] = (uint16_t)loss;
    }
    return rw_position_gains_add(&city->gains, site, cells, directions, losses, count);
}

static rw_status store_all_losses(planned_city *city)
{
    uint32_t *cells = NULL, *directions = NULL;
    uint16_t *losses = NULL;
    rw_status status = rw_array_create(city->context, CELLS, sizeof *cells, "cells", &cells);
    if (status == RW_OK)
        status = rw_array_create(city->context, CELLS, sizeof *directions, "cells", &directions);
    if (status == RW_OK)
        status = rw_array_create(city->context, CELLS, sizeof *losses, "cells", &losses);
    for (size_t i = 0; i < SITES && status == RW_OK; i++)
        status = store_site_losses(city, i, cells, directions, losses);
    free(cells);
    free(directions);
    free(losses);
    return status;
}

static rw_status build_planned_city(planned_city *city)
{
    rw_context *context = city->context;
    rw_random random = rw_random_of(1, 0);
    for (int i = 0; i < 4096; i++) { /* sum of twelve even numbers: nearly normal */
        double sum = -6;
        for (int k = 0; k < 12; k++)
            sum += rw_random_unit(&random);
        city->shadowing_db[i] = (float)(8 * sum);
    }
    for (size_t i = 0; i < SITES; i++)
        for (int k = 0; k < 2; k++)
            city->site_m[i][k] = rw_random_range(&random, 0, SIDE * CELL_M);
    RW_TRY(rw_antenna_create(context, "3gpp", &city->antennas[0]));
    for (int i = 0; i < TILTS; i++)
        city->patterns[i] = (rw_plan_pattern){0, 2.0 * i, 0};
    city->problem = (rw_plan_problem){
        .context = context, .antennas = city->antennas, .patterns = city->patterns, .pattern_count = TILTS};
    RW_TRY(rw_array_create(context, VARIANTS, sizeof *city->variants, "configurations", &city->variants));
    RW_TRY(rw_array_create(context, CELLS, sizeof *city->weights, "weights", &city->weights));
    RW_TRY(rw_array_create(context, RW_PLAN_BINS, sizeof *city->rates, "rates", &city->rates));
    for (uint32_t i = 0; i < VARIANTS; i++)
        city->variants[i] = (rw_plan_variant){.position = i / EACH,
                                              .pattern = i % TILTS,
                                              .azimuth = rw_plan_azimuth_index(i / TILTS % AZIMUTHS * 360.0 / AZIMUTHS),
                                              .power_cdbm = (int32_t)(100 * POWER_DBM)};
    for (size_t i = 0; i < CELLS; i++)
        city->weights[i] = 1 + (uint32_t)rw_random_index(&random, 1000);
    for (uint32_t i = 1; i < RW_PLAN_BINS; i++)
        city->rates[i] = (uint32_t)(1000 * log2(1 + pow(10, 0.05 * (rw_plan_bin_db(i) + rw_plan_bin_db(i + 1)))) + 0.5);
    RW_TRY(rw_position_gains_create(context, SITES, CELLS, &city->gains));
    RW_TRY(store_all_losses(city));
    return rw_plan_compute_patterns(&city->problem, &city->gains, &city->tables);
}

/* Power in a cell with the antenna's own gain; nothing beyond the losses that are kept. */
static double power_dbm(const planned_city *city, uint32_t variant, size_t cell)
{
    const rw_plan_variant *of = &city->variants[variant];
    int loss = loss_cdb(city, of->position, cell);
    if (loss > 100 * (POWER_DBM + PEAK_DBI - LEVEL_DBM))
        return -INFINITY;
    double azimuth_deg = variant / TILTS % AZIMUTHS * 360.0 / AZIMUTHS;
    double gain_dbi = rw_antenna_gain_towards(city->antennas[0], azimuth_deg, city->patterns[of->pattern].tilt_deg, 0,
                                              find_cell_direction(city, of->position, cell));
    return POWER_DBM + gain_dbi - loss / 100.0;
}

static uint32_t chosen_of(int index)
{
    return (uint32_t)index * 7919u % VARIANTS;
}

/* What the last of some configurations adds, by a loop over all cells. */
static double plain_gain(const planned_city *city, rw_plan_goal goal, uint32_t added)
{
    double gain = 0, noise_mw = pow(10, NOISE_DBM / 10);
    for (size_t cell = 0; cell < CELLS; cell++) {
        double best_mw = 0, total_mw = 0, more_mw = pow(10, power_dbm(city, added, cell) / 10);
        if (more_mw == 0)
            continue;
        for (int i = 0; i < CHOSEN; i++) {
            double mw = pow(10, power_dbm(city, chosen_of(i), cell) / 10);
            total_mw += mw;
            best_mw = fmax(best_mw, mw);
        }
        double level_mw = pow(10, LEVEL_DBM / 10), now_mw = fmax(best_mw, more_mw);
        double before = best_mw / (total_mw - best_mw + noise_mw),
               now = now_mw / (total_mw + more_mw - now_mw + noise_mw);
        if (goal == RW_PLAN_COVERAGE)
            gain += best_mw < level_mw && more_mw >= level_mw ? city->weights[cell] : 0;
        else
            gain += city->weights[cell] * 1000 * (log2(1 + now) - log2(1 + before));
    }
    return gain;
}

/* The largest difference from plain loops, in percent of the largest gain. */
static rw_status compare_plan_gains(const planned_city *city, rw_plan_state *state, double *percent)
{
    uint32_t queried[COMPARED];
    int64_t gains[COMPARED];
    double worst = 0, largest = 1;
    for (uint32_t i = 0; i < COMPARED; i++)
        queried[i] = (i * 8009u + 500u) % VARIANTS;
    RW_TRY(rw_plan_state_evaluate(state, queried, COMPARED, gains));
    for (int i = 0; i < COMPARED; i++) {
        double plain = plain_gain(city, state->view.goal, queried[i]);
        worst = fmax(worst, fabs((double)gains[i] - plain));
        largest = fmax(largest, fabs(plain));
    }
    *percent = 100 * worst / largest;
    return RW_OK;
}

static rw_status time_state(const rw_bench *bench, const planned_city *city, rw_plan_state *state, const char *name)
{
    rw_context *context = city->context;
    int on_gpu = context->backend == RW_BACKEND_CUDA;
    size_t count = on_gpu ? VARIANTS : QUERIED_ON_CPU;
    uint32_t slot, *queried;
    int64_t *gains;
    double percent, best_s = INFINITY;
    char note[160];
    for (int i = 0; i < CHOSEN; i++)
        RW_TRY(rw_plan_state_add(state, chosen_of(i), &slot));
    RW_TRY(compare_plan_gains(city, state, &percent));
    queried = malloc(count * sizeof *queried);
    gains = malloc(count * sizeof *gains);
    rw_status status =
        queried && gains ? RW_OK : rw_fail(context, RW_OUT_OF_MEMORY, "no memory for %zu changes", count);
    for (uint32_t i = 0; i < count && status == RW_OK; i++) /* whole places, spread over the city */
        queried[i] = on_gpu ? i : (i / EACH * 23 % SITES) * EACH + i % EACH;
    for (int i = 0; i < 3 && status == RW_OK; i++) {
        double start_s = rw_seconds();
        status = rw_plan_state_evaluate(state, queried, count, gains);
        best_s = fmin(best_s, rw_seconds() - start_s);
    }
    free(queried);
    free(gains);
    RW_TRY(status);
    snprintf(note, sizeof note, "%s: %d candidates x %d tilts x %d azimuths, %d cells, %.2f GB of gains, %d chosen",
             rw_context_backend(context), SITES, TILTS, AZIMUTHS, CELLS,
             (double)city->gains.entry_count * RW_POSITION_GAIN_BYTES / 1e9, CHOSEN);
    const rw_bench checked =
        rw_bench_checked(bench, (rw_bench_check){"plain loops over all cells", percent, 2, "% of a change"});
    rw_bench_add_result(&checked, "plan", name, (double)count / best_s, "changes/s", NAN, on_gpu ? 1e5 : 2e3, note);
    return RW_OK;
}

static rw_status time_goal(const rw_bench *bench, const planned_city *city, rw_plan_goal goal, const char *name)
{
    rw_plan_state state;
    rw_plan_carrier carrier = {0, rw_plan_noise_units(pow(10, NOISE_DBM / 10)), 1};
    rw_plan_setup setup = {.goal = goal,
                           .gains = &city->gains,
                           .weights = city->weights,
                           .variants = city->variants,
                           .variant_count = VARIANTS,
                           .patterns = city->tables,
                           .pattern_count = TILTS,
                           .carriers = &carrier,
                           .carrier_count = 1,
                           .channel_count = 1,
                           .level_cdbm = (int32_t)(100 * LEVEL_DBM),
                           .percentile = 10,
                           .rates = city->rates};
    rw_status status = rw_plan_state_create(city->context, &setup, &state);
    if (status == RW_OK)
        status = time_state(bench, city, &state, name);
    rw_plan_state_destroy(&state);
    return status;
}

static rw_status bench_plan_changes(const rw_bench *bench, rw_context *context)
{
    planned_city *city;
    RW_TRY(rw_array_create(context, 1, sizeof *city, "a city to plan", &city));
    city->context = context;
    rw_status status = build_planned_city(city);
    if (status == RW_OK)
        status = time_goal(bench, city, RW_PLAN_COVERAGE, "changes of coverage");
    if (status == RW_OK)
        status = time_goal(bench, city, RW_PLAN_RATE, "changes of rate");
    rw_position_gains_destroy(&city->gains);
    rw_antenna_destroy(city->antennas[0]);
    free(city->variants);
    free(city->weights);
    free(city->rates);
    free(city->tables);
    free(city);
    return status;
}

rw_status rw_bench_plan(const rw_bench *bench)
{
    return rw_bench_wants(bench, "plan", "changes") ? rw_bench_each_backend(bench, bench_plan_changes) : RW_OK;
}
