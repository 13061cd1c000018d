/* Plans against brute force: what changes are worth against plain loops, choices against all subsets of predictions,
 * bounds, threads, backends, and what is refused. */
#include "prediction.h"
#include "temporary.h"

#include "base/maths/hash.h"
#include "network/plan/plan.h"

#include <rasterwave/plan.h>

/* ------------------------------------------------------------------------------------------------ made-up gains */

enum { PLACES = 6, CELLS = 500, TILTS = 2, AZIMUTHS = 4, POWERS = 2, VARIANTS = PLACES * TILTS * AZIMUTHS * POWERS };
enum { FIRST_ROW = 500, ROWS = 8, CHANNELS = 2, CARRIERS = 4 };
#define LEVEL_DBM (-80.0)

/* Carriers: two in each channel, of other noise, load and rates. */
static double noise_mw_of(uint32_t carrier)
{
    return pow(10, -9.5 + 0.3 * (carrier / 2));
}

static double load_of(uint32_t carrier)
{
    static const double loads[CARRIERS] = {0.5, 0.5, 1, 0.2};
    return loads[carrier];
}

static double rate_of(uint32_t carrier, double ratio_db)
{
    return (carrier < 2 ? 1000 : 1700) * log2(1 + pow(10, ratio_db / 10));
}

typedef struct made_up {
    rw_context *context;
    rw_position_gains gains;
    uint32_t cells[PLACES][CELLS], directions[PLACES][CELLS], weights[CELLS], rates[CARRIERS * RW_PLAN_BINS];
    rw_plan_carrier carriers[CARRIERS];
    uint16_t losses_cdb[PLACES][CELLS];
    size_t counts[PLACES];
    int16_t patterns[TILTS][ROWS][RW_PLAN_AZIMUTHS];
    rw_plan_variant variants[VARIANTS];
} made_up;

/* Places that reach some of the cells each; antennas with lobes. */
static made_up *make_up(rw_backend backend)
{
    made_up *world = calloc(1, sizeof *world);
    rw_random random = rw_random_of(5, 0);
    assert_non_null(world);
    world->context = make_context_of(backend, 2);
    if (!world->context) {
        free(world);
        return NULL;
    }
    for (size_t i = 0; i < CELLS; i++)
        world->weights[i] = (uint32_t)rw_random_index(&random, 1000);
    for (uint32_t i = 0; i < CARRIERS * RW_PLAN_BINS; i++) {
        uint32_t bin = i % RW_PLAN_BINS, carrier = i / RW_PLAN_BINS;
        double middle_db = 0.5 * (rw_plan_bin_db(bin) + rw_plan_bin_db(bin + 1));
        world->rates[i] = bin ? (uint32_t)(rate_of(carrier, middle_db) + 0.5) : 0;
        world->carriers[carrier] =
            (rw_plan_carrier){carrier % CHANNELS, rw_plan_noise_units(noise_mw_of(carrier)), load_of(carrier)};
    }
    for (int tilt = 0; tilt < TILTS; tilt++)
        for (int row = 0; row < ROWS; row++)
            for (int at = 0; at < RW_PLAN_AZIMUTHS; at++)
                world->patterns[tilt][row][at] =
                    (int16_t)(900 * cos(2 * 3.14159265 * at / RW_PLAN_AZIMUTHS) - 60 * abs(row - 3 * tilt));
    assert_ok(world->context, rw_position_gains_create(world->context, PLACES, CELLS, &world->gains));
    for (size_t place = 0; place < PLACES; place++) {
        for (uint32_t cell = 0; cell < CELLS; cell++) {
            if (rw_random_chance(&random, 0.3))
                continue;
            size_t at = world->counts[place]++;
            uint32_t azimuth = (uint32_t)rw_random_index(&random, RW_PLAN_AZIMUTHS);
            world->cells[place][at] = cell;
            world->directions[place][at] =
                (FIRST_ROW + (uint32_t)rw_random_index(&random, ROWS)) << RW_PLAN_AZIMUTH_BITS | azimuth;
            world->losses_cdb[place][at] = (uint16_t)(9000 + rw_random_index(&random, 4500));
        }
        assert_ok(world->context,
                  rw_position_gains_add(&world->gains, place, world->cells[place], world->directions[place],
                                        world->losses_cdb[place], world->counts[place]));
    }
    world->gains.first_row = FIRST_ROW;
    world->gains.last_row = FIRST_ROW + ROWS - 1;
    for (uint32_t i = 0; i < VARIANTS; i++)
        world->variants[i] = (rw_plan_variant){.position = i % PLACES,
                                               .pattern = i / PLACES % TILTS,
                                               .azimuth = i / PLACES / TILTS % AZIMUTHS * RW_PLAN_AZIMUTHS / AZIMUTHS,
                                               .carrier = i % CARRIERS,
                                               .power_cdbm = i / PLACES / TILTS / AZIMUTHS ? 3000 : 2500};
    return world;
}

static void end_made_up(made_up *world)
{
    rw_position_gains_destroy(&world->gains);
    rw_context_destroy(world->context);
    free(world);
}

static rw_plan_state make_state(const made_up *world, rw_plan_goal goal)
{
    rw_plan_state state;
    rw_plan_setup setup = {.goal = goal,
                           .gains = &world->gains,
                           .weights = world->weights,
                           .variants = world->variants,
                           .variant_count = VARIANTS,
                           .patterns = &world->patterns[0][0][0],
                           .pattern_count = TILTS,
                           .carriers = world->carriers,
                           .carrier_count = CARRIERS,
                           .channel_count = CHANNELS,
                           .level_cdbm = (int32_t)(100 * LEVEL_DBM),
                           .percentile = 10,
                           .rates = world->rates};
    assert_ok(world->context, rw_plan_state_create(world->context, &setup, &state));
    return state;
}

/* Power of a configuration in a cell, by plain arithmetic; -infinity where it does not reach. */
static double power_dbm(const made_up *world, uint32_t variant, uint32_t cell)
{
    const rw_plan_variant *of = &world->variants[variant];
    for (size_t i = 0; i < world->counts[of->position]; i++)
        if (world->cells[of->position][i] == cell) {
            uint32_t direction = world->directions[of->position][i];
            int azimuth =
                ((int)(direction % RW_PLAN_AZIMUTHS) - (int)of->azimuth + RW_PLAN_AZIMUTHS) % RW_PLAN_AZIMUTHS;
            int row = (int)(direction / RW_PLAN_AZIMUTHS) - FIRST_ROW;
            return (of->power_cdbm + world->patterns[of->pattern][row][azimuth] - world->losses_cdb[of->position][i]) /
                   100.0;
        }
    return -INFINITY;
}

/* SINR of a cell in dB, its strongest power and the carrier of its server. */
static double sinr_db(const made_up *world, const uint32_t *chosen, size_t count, uint32_t cell, double *best_dbm,
                      uint32_t *server)
{
    double heard_mw[CHANNELS] = {0};
    *server = 0;
    *best_dbm = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        double power = power_dbm(world, chosen[i], cell);
        uint32_t carrier = world->variants[chosen[i]].carrier;
        heard_mw[carrier % CHANNELS] += load_of(carrier) * pow(10, power / 10);
        if (power > *best_dbm || (power == *best_dbm && carrier < *server)) {
            *best_dbm = power;
            *server = carrier;
        }
    }
    double signal = pow(10, *best_dbm / 10);
    double others_mw = heard_mw[*server % CHANNELS] - load_of(*server) * signal;
    return 10 * log10(signal / (fmax(others_mw, 0) + noise_mw_of(*server)));
}

static int compare_pairs(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* The value of a choice by plain loops: covered weight, weight times rate, or SINR in dB. */
static double plain_value(const made_up *world, rw_plan_goal goal, const uint32_t *chosen, size_t count)
{
    double sum = 0, total = 0, below = 0, (*pairs)[2] = calloc(CELLS, sizeof *pairs);
    assert_non_null(pairs);
    for (uint32_t cell = 0; cell < CELLS; cell++) {
        uint32_t server;
        double best_dbm, ratio_db = sinr_db(world, chosen, count, cell, &best_dbm, &server);
        if (goal == RW_PLAN_COVERAGE)
            sum += best_dbm >= LEVEL_DBM ? world->weights[cell] : 0;
        else if (ratio_db >= rw_plan_bin_db(1))
            sum += world->weights[cell] * rate_of(server, ratio_db);
        pairs[cell][0] = fmax(ratio_db, rw_plan_bin_db(1));
        pairs[cell][1] = world->weights[cell];
        total += pairs[cell][1];
    }
    qsort(pairs, CELLS, sizeof *pairs, compare_pairs);
    for (size_t i = 0; goal == RW_PLAN_SINR && i < CELLS && below <= 0.1 * total; i++) {
        sum = pairs[i][0];
        below += pairs[i][1];
    }
    free(pairs);
    return sum;
}

static double told_value(const rw_plan_state *state, int64_t value)
{
    return state->view.goal == RW_PLAN_SINR ? floor((double)value / RW_PLAN_SINR_STEP) / 1000 : (double)value;
}

/* Each addition is worth what the value rises by, and the values are those of plain loops. */
static void check_changes(made_up *world, rw_plan_goal goal)
{
    rw_plan_state state = make_state(world, goal);
    uint32_t all[VARIANTS], slots[8], chosen[8], count = 0;
    int64_t gains[VARIANTS], empty = rw_plan_state_value(&state);
    static const uint32_t added[] = {7, 20, 41, 66, 90};
    for (uint32_t i = 0; i < VARIANTS; i++)
        all[i] = i;
    for (size_t step = 0; step < 5; step++) {
        assert_ok(world->context, rw_plan_state_evaluate(&state, all, VARIANTS, gains));
        for (uint32_t i = 0; i < VARIANTS; i += 9) { /* some of them by plain loops */
            chosen[count] = i;
            double plain = plain_value(world, goal, chosen, count + 1);
            double tolerance = goal == RW_PLAN_COVERAGE ? 0 : goal == RW_PLAN_RATE ? 0.004 * plain + 1 : 0.2;
            assert_near(told_value(&state, rw_plan_state_value(&state) + gains[i]), plain, tolerance);
        }
        int64_t before = rw_plan_state_value(&state);
        chosen[count] = added[step];
        assert_ok(world->context, rw_plan_state_add(&state, added[step], &slots[count]));
        count++;
        assert_true(rw_plan_state_value(&state) == before + gains[added[step]]);
    }
    int64_t whole = rw_plan_state_value(&state);
    assert_ok(world->context, rw_plan_state_remove(&state, slots[2]));
    assert_ok(world->context, rw_plan_state_add(&state, added[2], &slots[2]));
    assert_true(rw_plan_state_value(&state) == whole);
    for (size_t step = 0; step < 5; step++)
        assert_ok(world->context, rw_plan_state_remove(&state, slots[step]));
    assert_true(rw_plan_state_value(&state) == empty);
    rw_plan_state_destroy(&state);
}

static void changes_are_worth_what_plain_loops_say(void **state)
{
    (void)state;
    made_up *world = make_up(RW_BACKEND_CPU);
    check_changes(world, RW_PLAN_COVERAGE);
    check_changes(world, RW_PLAN_RATE);
    check_changes(world, RW_PLAN_SINR);
    end_made_up(world);
}

static void the_gpu_says_the_same(void **state)
{
    (void)state;
    made_up *world = make_up(RW_BACKEND_CUDA);
    if (!world)
        skip_test("no GPU");
    check_changes(world, RW_PLAN_COVERAGE);
    check_changes(world, RW_PLAN_RATE);
    check_changes(world, RW_PLAN_SINR);
    end_made_up(world);
}

/* -------------------------------------------------------------------------------------- choices of a real town */

enum { MASTS_MAX = 12, LIST = 2 };

typedef struct town {
    prediction now;
    rw_transmitter masts[MASTS_MAX];
    rw_plan_candidate candidates[MASTS_MAX];
    char names[MASTS_MAX][32];
    rw_plan_options options;
} town;

static const double azimuths_deg[LIST] = {30, 200}, tilts_deg[LIST] = {4, 14};

/* Masts above the roofs of a small town, with sector antennas. */
static void build_town(town *of, size_t masts, int threads)
{
    rw_city_options city;
    rw_city_options_init(&city);
    city.width_m = city.depth_m = 500;
    rw_context *context = make_context_of(RW_BACKEND_CPU, threads);
    rw_scene *scene;
    assert_ok(context, rw_generate_city(context, &city, &scene));
    assert_ok(context, rw_scene_commit(scene));
    of->now = begin_with(context, scene);
    of->now.options.effects = "roofs,walls";
    of->now.options.res_m = 12.5;
    for (size_t i = 0; i < masts; i++) {
        snprintf(of->names[i], sizeof of->names[i], "mast %zu", i + 1);
        rw_transmitter_init(&of->masts[i]);
        of->masts[i].name = of->names[i];
        of->masts[i].x_m = 40 + 71.0 * (double)(i * 5 % 7);
        of->masts[i].y_m = 50 + 57.0 * (double)(i * 3 % 8);
        of->masts[i].height_m = 110;
        of->masts[i].power_dbm = 20;
        of->masts[i].antenna = "3gpp";
        of->candidates[i] = (rw_plan_candidate){.size = sizeof(rw_plan_candidate), .cost = 1 + (double)(i % 3)};
    }
    of->now.options.transmitters = of->masts;
    of->now.options.transmitter_count = masts;
    rw_plan_options_init(&of->options);
    of->options.predict = &of->now.options;
    of->options.candidates = of->candidates;
    of->options.azimuths_deg = azimuths_deg;
    of->options.tilts_deg = tilts_deg;
    of->options.azimuth_count = of->options.tilt_count = LIST;
    of->options.level_dbm = -72;
    of->options.sites_max = 2;
}

/* Powers of every mast in every configuration, by one prediction: mast, azimuth, tilt. */
static rw_map *predict_all(const town *of, size_t masts)
{
    rw_transmitter all[MASTS_MAX * LIST * LIST];
    rw_predict_options options = of->now.options;
    rw_map *map;
    for (size_t i = 0; i < masts * LIST * LIST; i++) {
        all[i] = of->masts[i / (LIST * LIST)];
        all[i].azimuth_deg = azimuths_deg[i % LIST];
        all[i].downtilt_deg = tilts_deg[i / LIST % LIST];
    }
    options.transmitters = all;
    options.transmitter_count = masts * LIST * LIST;
    options.layers = "power";
    assert_ok(of->now.context, rw_predict(of->now.scene, &options, &map));
    return map;
}

/* The objective of a pair of configurations, or of one where both are the same; noise of 9 MHz and 9 dB. */
static double pair_value(const town *of, const rw_map *map, size_t a, size_t b)
{
    rw_map_info info = info_of(map);
    size_t cells = info.columns * info.rows, served = 0;
    const float *values = layer_of(map, "power").values;
    double sum = 0, noise_mw = 1.380649e-20 * 290 * 9e6 * pow(10, 0.9), *sinr = calloc(cells, sizeof *sinr);
    assert_non_null(sinr);
    for (size_t i = 0; i < cells; i++) {
        double p[2] = {(double)values[a * cells + i], (double)values[b * cells + i]};
        if (isnan(p[0]))
            continue;
        double best = pow(10, fmax(p[0], p[1]) / 10), other = a == b ? 0 : pow(10, fmin(p[0], p[1]) / 10);
        double ratio = best / (other + noise_mw), ratio_db = 10 * log10(ratio);
        sinr[served++] = ratio_db;
        if (strcmp(of->options.objective, "rate") == 0)
            sum += ratio_db < -10 ? 0 : 10 * 0.6 * log2(1 + fmin(ratio, pow(10, 2.2)));
        else
            sum += fmax(p[0], p[1]) >= of->options.level_dbm ? info.res_m * info.res_m : 0;
    }
    qsort(sinr, served, sizeof *sinr, compare_pairs);
    if (strcmp(of->options.objective, "rate") == 0)
        sum /= (double)served;
    if (strcmp(of->options.objective, "sinr") == 0)
        sum = fmax(sinr[served / 10], rw_plan_bin_db(1));
    free(sinr);
    return sum;
}

/* The best of all pairs within the limits. */
static double best_pair(const town *of, const rw_map *map, size_t masts)
{
    double best = -INFINITY;
    for (size_t a = 0; a < masts * LIST * LIST; a++)
        for (size_t b = 0; b < masts * LIST * LIST; b++) {
            size_t x = a / (LIST * LIST), y = b / (LIST * LIST);
            double cost = of->candidates[x].cost + (a == b ? 0 : of->candidates[y].cost);
            double apart_m = hypot(of->masts[x].x_m - of->masts[y].x_m, of->masts[x].y_m - of->masts[y].y_m);
            if ((x == y && a != b) || cost > of->options.budget || (x != y && apart_m < of->options.distance_min_m))
                continue;
            best = fmax(best, pair_value(of, map, a, b));
        }
    return best;
}

static rw_plan_info plan_of(town *of, rw_plan **plan)
{
    rw_plan_info info = {.size = sizeof info};
    assert_ok(of->now.context, rw_plan_create(of->now.scene, &of->options, plan));
    assert_ok(of->now.context, rw_plan_get_info(*plan, &info));
    return info;
}

static void small_plans_equal_exhaustive_search(void **state)
{
    (void)state;
    enum { MASTS = 6 };
    static const struct {
        const char *objective;
        double budget, distance_min_m, tolerance;
    } cases[] = {{"coverage", NAN, 0, 1e-6}, {"coverage", 3, 0, 1e-6}, {"coverage", NAN, 250, 1e-6},
                 {"rate", NAN, 0, 0.02},     {"rate", 4, 120, 0.02},   {"sinr", NAN, 0, 0.15}};
    town of;
    build_town(&of, MASTS, 2);
    rw_map *map = predict_all(&of, MASTS);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rw_plan *plan;
        of.options.objective = cases[i].objective;
        of.options.budget = cases[i].budget;
        of.options.distance_min_m = cases[i].distance_min_m;
        double best = best_pair(&of, map, MASTS);
        rw_plan_info info = plan_of(&of, &plan);
        assert_near(info.predicted, best, cases[i].tolerance);
        assert_near(info.value, best, fmax(cases[i].tolerance, 0.01 * fabs(best)));
        assert_true(info.optimal == 1);
        assert_true(info.rms_db < 0.2);
        assert_true(info.chosen_sectors <= 2 && !(info.cost > of.options.budget));
        if (i < 3)
            assert_true(info.bound >= best * (1 - 1e-3) && info.bound <= info.weight * (1 + 1e-9));
        rw_plan_destroy(plan);
    }
    rw_map_destroy(map);
    end(&of.now);
}

/* A sum of everything that was chosen. */
/* With a confidence a cell is covered if its strongest sector has a margin of that quantile (0.9: 1.28155 standard
 * deviations): the plan is that of a higher level. The draws cover more than such cells alone, and less than the median
 * says. */
static void confident_plans_keep_a_margin(void **state)
{
    (void)state;
    town of;
    rw_plan *plan, *raised;
    build_town(&of, 4, 2);
    of.options.confidence = 0.9;
    of.options.shadowing_db = 6;
    of.options.target_percent = 40;
    rw_plan_info info = plan_of(&of, &plan);
    of.options.confidence = of.options.target_percent = NAN;
    of.options.level_dbm += 1.2815515655 * 6;
    rw_plan_info margin = plan_of(&of, &raised);
    assert_near(info.value, margin.value, 0);
    assert_near(info.predicted, margin.predicted, 0);
    assert_true(isnan(margin.expected) && isnan(margin.assured) && isnan(margin.target_probability));
    assert_true(info.expected > 0.9 * info.predicted && info.expected <= info.weight);
    assert_true(info.assured <= info.expected && info.assured > 0);
    assert_true(info.target_probability >= 0 && info.target_probability <= 1);
    rw_plan_destroy(plan);
    rw_plan_destroy(raised);
    end(&of.now);
}

static double sum_of(const rw_plan *plan)
{
    double sum = 0;
    for (size_t i = 0; i < rw_plan_chosen_count(plan); i++) {
        rw_transmitter tx = {.size = sizeof tx};
        size_t candidate;
        assert_int_equal(rw_plan_get_chosen(plan, i, &tx, &candidate), RW_OK);
        sum = 31 * sum + tx.azimuth_deg + 7 * tx.downtilt_deg + 1000 * (double)candidate;
    }
    return sum;
}

/* Many sectors, kept sites, swaps and annealing: the bound holds, limits too, and threads do not matter. */
static void larger_plans_keep_limits_and_do_not_depend_on_threads(void **state)
{
    (void)state;
    double sums[2], values[2];
    for (int turn = 0; turn < 2; turn++) {
        town of;
        rw_plan *plan;
        build_town(&of, MASTS_MAX, turn ? 3 : 1);
        of.options.sites_max = 5;
        of.options.sectors = 2;
        of.options.budget = 12;
        of.options.level_dbm = -66;
        of.options.rounds = 30;
        of.candidates[3].keep = RW_PLAN_FIXED;
        of.candidates[4].keep = RW_PLAN_KEEP;
        rw_plan_info info = plan_of(&of, &plan);
        sums[turn] = sum_of(plan);
        values[turn] = info.value;
        assert_true(info.chosen_sites <= 5 && info.cost <= 12 && info.value >= info.greedy && info.value > info.before);
        assert_true(info.bound >= info.value);
        assert_near(info.predicted, info.value, 0.01 * info.value);
        assert_non_null(rw_plan_map_before(plan));
        int has_fixed = 0, has_kept = 0;
        for (size_t i = 0; i < rw_plan_chosen_count(plan); i++) {
            rw_transmitter tx = {.size = sizeof tx};
            size_t candidate;
            assert_int_equal(rw_plan_get_chosen(plan, i, &tx, &candidate), RW_OK);
            has_fixed |= candidate == 3 && tx.azimuth_deg == 0 && tx.downtilt_deg == 0;
            has_kept |= candidate == 4;
        }
        assert_true(has_fixed && has_kept);
        rw_plan_step last = {.size = sizeof last};
        assert_int_equal(rw_plan_get_step(plan, rw_plan_step_count(plan) - 1, &last), RW_OK);
        assert_near(last.value, info.value, 1e-6);
        assert_int_equal(rw_plan_get_step(plan, rw_plan_step_count(plan), &last), RW_BAD_CALL);
        rw_plan_destroy(plan);
        end(&of.now);
    }
    assert_near(sums[0], sums[1], 0);
    assert_near(values[0], values[1], 0);
}

/* The table that is written is one of sites, and says what was chosen. */
static void chosen_sites_are_a_sites_table(void **state)
{
    (void)state;
    town of;
    rw_plan *plan;
    rw_transmitter *sites;
    size_t count;
    build_town(&of, 4, 1);
    plan_of(&of, &plan);
    const char *path = temporary_path("sites.csv");
    assert_ok(of.now.context, rw_plan_write_sites(plan, path));
    assert_ok(of.now.context, rw_sites_load(of.now.context, path, &sites, &count));
    assert_int_equal(count, rw_plan_chosen_count(plan));
    for (size_t i = 0; i < count; i++) {
        rw_transmitter tx = {.size = sizeof tx};
        size_t candidate;
        assert_int_equal(rw_plan_get_chosen(plan, i, &tx, &candidate), RW_OK);
        assert_string_equal(sites[i].name, tx.name);
        assert_near(sites[i].azimuth_deg, tx.azimuth_deg, 0);
        assert_near(sites[i].downtilt_deg, tx.downtilt_deg, 0);
        assert_near(sites[i].x_m, tx.x_m, 1e-6);
    }
    rw_free(sites);
    rw_plan_destroy(plan);
    end(&of.now);
}

/* Rooms: receivers inside walls weigh nothing, and every access point has its channel. */
static void access_points_are_chosen_in_an_office(void **state)
{
    (void)state;
    static const double at_m[3][2] = {{5, 5}, {20, 4}, {35, 15}};
    rw_context *context = make_context_of(RW_BACKEND_CPU, 1);
    rw_office_options office;
    rw_scene *scene;
    rw_office_options_init(&office);
    assert_ok(context, rw_generate_office(context, &office, &scene));
    assert_ok(context, rw_scene_commit(scene));
    prediction now = begin_with(context, scene);
    rw_predict_options_init_for(&now.options, "images");
    now.options.reflections = 0;
    now.options.res_m = 2;
    now.options.freq_hz = 5.2e9;
    rw_transmitter tx[3];
    for (int i = 0; i < 3; i++) {
        static const char *const channels[] = {"36", "40", "44"};
        rw_transmitter_init(&tx[i]);
        tx[i].x_m = at_m[i][0];
        tx[i].y_m = at_m[i][1];
        tx[i].height_m = 2.5;
        tx[i].power_dbm = 10;
        tx[i].antenna = "dipole";
        tx[i].channel = channels[i];
    }
    now.options.transmitters = tx;
    now.options.transmitter_count = 3;
    town of = {.now = now};
    rw_plan *plan;
    rw_plan_options_init(&of.options);
    of.options.predict = &now.options;
    of.options.objective = "rate";
    of.options.sites_max = 2;
    rw_plan_info info = plan_of(&of, &plan);
    rw_map_layer rate = layer_of(rw_plan_map_after(plan), "throughput");
    double sum = 0;
    size_t count = 0;
    rw_map_info cells = info_of(rw_plan_map_after(plan));
    for (size_t i = 0; i < cells.columns * cells.rows; i++)
        if (!isnan(rate.values[i])) {
            sum += isfinite(rate.values[i]) ? (double)rate.values[i] : 0;
            count++;
        }
    assert_true(count < cells.columns * cells.rows); /* some are inside walls */
    assert_near(info.weight, 4 * (double)count, 1e-6);
    assert_near(info.predicted, sum / (double)count, 1e-6);
    assert_near(info.value, info.predicted, 0.3);
    assert_int_equal(info.chosen_sites, 2);
    rw_plan_destroy(plan);
    end(&now);
}

static void refuse(town *of, rw_status status, const char *words)
{
    rw_plan *plan;
    assert_int_equal(rw_plan_create(of->now.scene, &of->options, &plan), status);
    assert_null(plan);
    if (!strstr(rw_last_error(of->now.context), words))
        fail_msg("no '%s' in: %s\n", words, rw_last_error(of->now.context));
}

/* The covered area of one storey by a prediction of what was chosen. */
static double covered_m2(const prediction *now, const rw_plan *plan, double rx_height_m, double level_dbm)
{
    rw_transmitter chosen[4];
    rw_predict_options options = now->options;
    rw_map *map;
    double sum = 0;
    options.transmitters = chosen;
    options.transmitter_count = rw_plan_chosen_count(plan);
    options.rx_height_m = rx_height_m;
    options.layers = "strongest";
    for (size_t i = 0; i < options.transmitter_count; i++) {
        size_t candidate;
        rw_transmitter_init(&chosen[i]);
        assert_int_equal(rw_plan_get_chosen(plan, i, &chosen[i], &candidate), RW_OK);
    }
    assert_ok(now->context, rw_predict(now->scene, &options, &map));
    rw_map_info cells = info_of(map);
    rw_map_layer strongest = layer_of(map, "strongest");
    for (size_t i = 0; i < cells.columns * cells.rows; i++)
        sum += (double)strongest.values[i] >= level_dbm ? cells.res_m * cells.res_m : 0;
    rw_map_destroy(map);
    return sum;
}

/* Two storeys in one plan: one access point on each floor covers more of both than two on one floor, and the value is
 * that of the predictions of both storeys. */
static void storeys_are_planned_together(void **state)
{
    (void)state;
    static const double heights_m[2] = {1.1, 4.1},
                        at_m[4][3] = {{5, 5, 2.5}, {30, 14.6, 2.5}, {5, 5, 5.5}, {30, 15, 5.5}};
    rw_context *context = make_context_of(RW_BACKEND_CPU, 1);
    rw_office_options office;
    rw_scene *scene;
    rw_office_options_init(&office);
    office.storeys = 2;
    assert_ok(context, rw_generate_office(context, &office, &scene));
    assert_ok(context, rw_scene_commit(scene));
    town of = {.now = begin_with(context, scene)};
    rw_predict_options_init_for(&of.now.options, "shadow");
    of.now.options.res_m = 1;
    of.now.options.freq_hz = 5.2e9;
    rw_transmitter tx[4];
    for (int i = 0; i < 4; i++) {
        rw_transmitter_init(&tx[i]);
        tx[i].x_m = at_m[i][0];
        tx[i].y_m = at_m[i][1];
        tx[i].height_m = at_m[i][2];
        tx[i].power_dbm = 17;
    }
    of.now.options.transmitters = tx;
    of.now.options.transmitter_count = 4;
    rw_plan_options_init(&of.options);
    of.options.predict = &of.now.options;
    of.options.level_dbm = -60;
    of.options.sites_max = 2;
    of.options.rx_heights_m = heights_m;
    of.options.rx_height_count = 2;
    rw_plan *plan;
    rw_plan_info info = plan_of(&of, &plan);
    assert_int_equal(rw_plan_level_count(plan), 2);
    double both = covered_m2(&of.now, plan, 1.1, -60) + covered_m2(&of.now, plan, 4.1, -60);
    assert_near(info.predicted, both, 1e-6);
    assert_near(info.value, both, 0.01 * both);
    rw_map_info cells = info_of(rw_plan_map_after_at(plan, 1));
    assert_near(info.weight, 2 * (double)(cells.columns * cells.rows), 1e-6);
    assert_near(cells.rx_height_m, 4.1, 1e-9);
    rw_transmitter chosen[2] = {{.size = sizeof *chosen}, {.size = sizeof *chosen}};
    size_t candidate;
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(rw_plan_get_chosen(plan, i, &chosen[i], &candidate), RW_OK);
    assert_true(fabs(chosen[0].height_m - chosen[1].height_m) > 2); /* one on each */
    rw_plan_destroy(plan);
    of.options.confidence = 0.9;
    refuse(&of, RW_BAD_CALL, "a confidence is of one height or floor");
    of.options.confidence = NAN;
    of.options.floors = heights_m;
    of.options.floor_count = 1;
    refuse(&of, RW_BAD_CALL, "several heights of receivers or several floors, not both");
    end(&of.now);
}

static void impossible_plans_are_refused(void **state)
{
    (void)state;
    town of;
    build_town(&of, 4, 1);
    const rw_plan_options good = of.options;
    of.options.level_dbm = NAN;
    refuse(&of, RW_BAD_CALL, "needs a level");
    of.options.level_dbm = 60;
    refuse(&of, RW_BAD_INPUT, "covers anything at 60 dBm");
    of.options = good;
    of.options.budget = 0.5;
    refuse(&of, RW_BAD_CALL, "buys none of the candidates: the cheapest, mast 1, costs 1");
    of.options = good;
    of.options.objective = "fun";
    refuse(&of, RW_BAD_CALL, "there is no objective 'fun'");
    of.options = good;
    of.candidates[0].keep = of.candidates[1].keep = of.candidates[2].keep = RW_PLAN_FIXED;
    refuse(&of, RW_BAD_CALL, "3 sites stay, and no more than 2");
    of.options.sites_max = 3;
    refuse(&of, RW_BAD_CALL, "there is nothing to choose");
    of.options.sites_max = 4;
    of.options.distance_min_m = 5000;
    refuse(&of, RW_BAD_CALL, "nearer than 5000 m to a site that stays");
    of.options = good;
    of.candidates[0].keep = of.candidates[1].keep = of.candidates[2].keep = RW_PLAN_FREE;
    of.candidates[2].cost = -1;
    refuse(&of, RW_BAD_INPUT, "a cost of -1 cannot be");
    of.candidates[2].cost = 1;
    of.now.options.memory_bytes = 3e4;
    refuse(&of, RW_TOO_LARGE, "the gains of 4 places");
    of.now.options.memory_bytes = NAN;
    of.masts[3].x_m = of.masts[1].x_m;
    of.masts[3].y_m = of.masts[1].y_m;
    refuse(&of, RW_BAD_INPUT, "mast 2 and mast 4 stand at one place");
    of.candidates[1].site = of.candidates[3].site = "roof";
    rw_plan *plan;
    rw_plan_info info = plan_of(&of, &plan); /* two sectors of one site */
    assert_int_equal(info.sites, 3);
    assert_int_equal(info.positions, 3);
    rw_plan_destroy(plan);
    of.candidates[1].site = NULL;
    of.options.skip_bad = 1;
    info = plan_of(&of, &plan);
    assert_int_equal(info.skipped, 1);
    assert_int_equal(info.candidates, 3);
    rw_plan_destroy(plan);
    end(&of.now);
}

/* Masts with bandwidths, streams, channels and loads of their own: the best one by predictions of each configuration
 * alone is the plan's, and two are worth what the prediction of both says. */
static void candidates_have_carriers(void **state)
{
    (void)state;
    enum { MASTS = 4 };
    static const double bandwidths_hz[MASTS] = {5e6, 20e6, 0, 10e6};
    static const int streams[MASTS] = {1, 2, 4, 0};
    town of;
    rw_plan *plan;
    build_town(&of, MASTS, 2);
    for (size_t i = 0; i < MASTS; i++) {
        of.masts[i].bandwidth_hz = bandwidths_hz[i];
        of.masts[i].streams = streams[i];
        of.masts[i].load = i == 2 ? 0.3 : 0;
        of.masts[i].channel = i == 3 ? "other" : "";
    }
    of.options.objective = "rate";
    of.options.sites_max = 1;
    double best = 0;
    for (size_t i = 0; i < MASTS * LIST * LIST; i++) {
        rw_transmitter one = of.masts[i / (LIST * LIST)];
        rw_predict_options options = of.now.options;
        rw_map *map;
        double sum = 0;
        size_t served = 0;
        one.azimuth_deg = azimuths_deg[i % LIST];
        one.downtilt_deg = tilts_deg[i / LIST % LIST];
        options.transmitters = &one;
        options.transmitter_count = 1;
        options.layers = "throughput";
        assert_ok(of.now.context, rw_predict(of.now.scene, &options, &map));
        rw_map_info cells = info_of(map);
        const float *rates = layer_of(map, "throughput").values;
        for (size_t k = 0; k < cells.columns * cells.rows; k++)
            if (!isnan(rates[k])) {
                sum += (double)rates[k];
                served++;
            }
        best = fmax(best, sum / (double)served);
        rw_map_destroy(map);
    }
    rw_plan_info info = plan_of(&of, &plan);
    assert_near(info.predicted, best, 1e-3 * best);
    assert_near(info.value, best, 0.01 * best);
    rw_plan_destroy(plan);
    of.options.sites_max = 3;
    of.candidates[1].keep = of.candidates[3].keep = RW_PLAN_FIXED;
    info = plan_of(&of, &plan);
    assert_true(info.chosen_sectors >= 2);
    assert_near(info.value, info.predicted, 0.01 * info.predicted);
    rw_plan_destroy(plan);
    of.options.objective = "sinr";
    info = plan_of(&of, &plan);
    assert_near(info.value, info.predicted, 0.2);
    rw_plan_destroy(plan);
    end(&of.now);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_are_worth_what_plain_loops_say),
        cmocka_unit_test(the_gpu_says_the_same),
        cmocka_unit_test(small_plans_equal_exhaustive_search),
        cmocka_unit_test(candidates_have_carriers),
        cmocka_unit_test(confident_plans_keep_a_margin),
        cmocka_unit_test(larger_plans_keep_limits_and_do_not_depend_on_threads),
        cmocka_unit_test(chosen_sites_are_a_sites_table),
        cmocka_unit_test(access_points_are_chosen_in_an_office),
        cmocka_unit_test(storeys_are_planned_together),
        cmocka_unit_test(impossible_plans_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
