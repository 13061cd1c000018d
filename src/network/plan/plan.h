/* A plan: gains at receivers, the problem, what a choice covers, the search, and the result. */
#ifndef RW_NETWORK_PLAN_PLAN_H
#define RW_NETWORK_PLAN_PLAN_H

#include "device/device.h"
#include "network/plan/plan.k.h"
#include "base/maths/vector.h"
#include "models/engine/received/received.h"
#include "scene/antennas/antenna.h"
#include "output/maps/map.h"

#include <rasterwave/plan.h>

/* Gains of places: of every place where a candidate may stand, the loss between isotropic antennas and the direction of
 * departure for each cell that it reaches, in the memory of the backend. Azimuth, tilt, power and antenna of a
 * candidate may then change without a new prediction. Ten bytes a cell and place. */

#define RW_POSITION_GAIN_BYTES 10 /* of a cell of a place */
#define RW_POSITION_LOSS_MAX_CDB 65535

typedef struct rw_position_gains {
    rw_context *context;
    rw_backend backend;
    rw_plan_position *positions; /* their arrays are the backend's */
    void **blocks;
    size_t position_count;
    size_t entry_count;           /* of all places */
    uint32_t first_row, last_row; /* elevations that occur */
    uint8_t *is_reached;          /* cells that some place reaches */
    size_t cell_count;
} rw_position_gains;

rw_status rw_position_gains_create(rw_context *context, size_t position_count, size_t cell_count,
                                   rw_position_gains *gains);
void rw_position_gains_destroy(rw_position_gains *gains);

/* The cells of one place, each once. */
rw_status rw_position_gains_add(rw_position_gains *gains, size_t position, const uint32_t *cells,
                                const uint32_t *directions, const uint16_t *losses_cdb, size_t count);

/* A direction in steps, x east, y north, z up. */
uint32_t rw_plan_direction_index(rw_vec3 direction);

/* The direction in the middle of a row of elevation and a step of azimuth, which is clockwise from north. */
rw_vec3 rw_plan_direction_vector(uint32_t row, uint32_t azimuth);

/* An azimuth in steps. */
uint32_t rw_plan_azimuth_index(double azimuth_deg);

/* What is to be planned: sites, their sectors, the configurations of each, and what each cell weighs. */

typedef struct rw_plan_site {
    double x_m, y_m, cost;
    uint32_t sector_count;
    int is_retained; /* some sector of it stays */
} rw_plan_site;

typedef struct rw_plan_sector {
    uint32_t candidate, site, position;
    uint32_t first_variant, variant_count; /* of a sector that stays, the first is as it stands */
    double cost;
    rw_plan_keep keep;
    char *name;
} rw_plan_sector;

/* What a configuration is in the terms of a transmitter. */
typedef struct rw_plan_setting {
    double azimuth_deg, tilt_deg, power_dbm;
    uint32_t antenna;
} rw_plan_setting;

/* An antenna as it is mounted: the table of its gain. */
typedef struct rw_plan_pattern {
    uint32_t antenna;
    double tilt_deg, roll_deg;
} rw_plan_pattern;

typedef struct rw_plan_problem {
    rw_context *context;
    const rw_scene *scene;
    rw_plan_options options;
    rw_predict_options predict; /* all whole; transmitters are those below */
    rw_transmitter *transmitters;
    rw_plan_candidate *candidates;
    size_t *input_indices; /* the number of each candidate as it was given */
    size_t candidate_count, skipped;
    rw_plan_goal goal;
    double covered_dbm;      /* coverage: the level, with the margin of the confidence */
    rw_network_plan network; /* rate and sinr */
    rw_map_info cells;       /* of one level */
    size_t level_count;      /* heights of receivers, or storeys: cells of one level follow those of another */
    size_t cell_count;       /* of all levels */

    rw_plan_site *sites;
    size_t site_count;
    rw_plan_sector *sectors;
    size_t sector_count;
    rw_plan_variant *variants;
    rw_plan_setting *settings;
    uint32_t *variant_sectors;
    size_t variant_count;
    uint32_t *position_candidates; /* one candidate that stands there */
    double *position_eirp_dbm;     /* the most that is radiated from there */
    uint8_t *is_position_bad;      /* the model cannot predict from there */
    size_t position_count;
    char **antenna_names;
    rw_antenna **antennas;
    size_t antenna_count;
    rw_plan_pattern *patterns;
    size_t pattern_count;
    uint32_t *candidate_carriers;
    rw_plan_carrier *carriers;
    rw_network_plan *carrier_networks; /* of carriers: bandwidth, noise, streams */
    size_t carrier_count, channel_count;

    double *weights; /* of cells with a receiver; others 0 */
    double total_weight;
    uint32_t *integer_weights; /* the same, scaled */
    double weight_scale;
    uint32_t *rates;   /* rate: of bins, in steps, carrier after carrier */
    double rate_scale; /* steps in a Mbit/s */
} rw_plan_problem;

/* Takes and checks the options, drops or refuses bad candidates, and lists what can be chosen. Destroy it in any case.
 */
rw_status rw_plan_problem_create(const rw_scene *scene, const rw_plan_options *options, rw_plan_problem *problem);
void rw_plan_problem_destroy(rw_plan_problem *problem);

/* check_candidates.c: leaves out, or refuses, what cannot be used: inside buildings, off the map, two sites at one
 * place. */
rw_status rw_plan_check_candidates(rw_plan_problem *problem);

/* The same for what failed later: counts and tells it where it may be left out, or gives its status back. */
rw_status rw_plan_skip_candidate(rw_plan_problem *problem, rw_status status);

/* configurations.c: sites, sectors, places, antennas and configurations. */
rw_status rw_plan_list_configurations(rw_plan_problem *problem);

/* cell_weights.c: what each receiver weighs, and the rates of bins. */
rw_status rw_plan_weigh_cells(rw_plan_problem *problem);

/* Takes the weight of cells that are 0 in the mask, and scales what is left. */
rw_status rw_plan_limit_weights(rw_plan_problem *problem, const uint8_t *is_receiver);

/* predict_gains.c: losses and directions of all places. */
rw_status rw_plan_predict_gains(rw_plan_problem *problem, rw_position_gains *gains);

/* patterns.c: tables of the antennas for the rows of the gains; *tables is to be freed. */
rw_status rw_plan_compute_patterns(const rw_plan_problem *problem, const rw_position_gains *gains, int16_t **tables);

#define RW_PLAN_LEVELS_MAX 64

/* The options of the predictions of one level. */
rw_predict_options rw_plan_level_options(const rw_plan_problem *problem, size_t level);

/* The transmitter of a configuration. Its texts are the problem's. */
rw_transmitter rw_plan_transmitter(const rw_plan_problem *problem, uint32_t variant);

/* The least power that matters: below it nothing is covered, or heard above a hundredth of the noise. Cells that get
 * less from every configuration of a place are not kept. */
double rw_plan_min_dbm(const rw_plan_problem *problem);

/* A network while it is planned: which configurations are chosen, what the cells get from them, and what a change would
 * be worth. Only the cells that a change reaches are worked out anew. */

/* What the state is made of. Arrays are copied. */
typedef struct rw_plan_setup {
    rw_plan_goal goal;
    const rw_position_gains *gains; /* must outlive the state */
    const uint32_t *weights;
    const rw_plan_variant *variants;
    size_t variant_count;
    const int16_t *patterns; /* rows first_row to last_row of the gains */
    const rw_plan_carrier *carriers;
    size_t pattern_count, carrier_count, channel_count;
    int32_t level_cdbm;
    double percentile;     /* sinr: in percent of the weight */
    const uint32_t *rates; /* rate: of bins, carrier after carrier */
} rw_plan_setup;

typedef struct rw_plan_state {
    rw_context *context;
    rw_backend backend;
    rw_plan_view view; /* arrays of the backend */
    rw_plan_position *positions;
    size_t channel_count, slot_capacity;
    uint32_t *slot_carriers; /* of this machine, and what each slot holds */
    uint32_t *slot_variants;
    rw_plan_variant *variants;
    int64_t *value, *histogram; /* of the backend */
    uint32_t *questions;
    int64_t *answers;
    size_t question_capacity;
    int64_t *answers_here;
    int64_t histogram_here[RW_PLAN_BINS];
    int64_t value_here;
    uint64_t total_weight, target_weight;
    uint64_t evaluated; /* changes so far */
    double evaluate_s;  /* that took so long */
} rw_plan_state;

#define RW_PLAN_NO_VARIANT UINT32_MAX

/* Noise in the units of powers. */
float rw_plan_noise_units(double noise_mw);

rw_status rw_plan_state_create(rw_context *context, const rw_plan_setup *setup, rw_plan_state *state);
void rw_plan_state_destroy(rw_plan_state *state);

/* Adds a configuration in a slot of its own, whose number it gives; and takes it away. */
rw_status rw_plan_state_add(rw_plan_state *state, uint32_t variant, uint32_t *slot);
rw_status rw_plan_state_remove(rw_plan_state *state, uint32_t slot);

/* What each of the configurations would add to the value. */
rw_status rw_plan_state_evaluate(rw_plan_state *state, const uint32_t *variants, size_t count, int64_t *gains);

/* The value that is to be large. coverage: weight; rate: weight times rate; sinr: thousandths of a decibel times
 * RW_PLAN_SINR_STEP, and the share of the weight that is served at all below. */
int64_t rw_plan_state_value(const rw_plan_state *state);
#define RW_PLAN_SINR_STEP (1 << 20)

/* The lower end of a bin in dB; bin 0 has none and gets that of bin 1. */
double rw_plan_bin_db(uint32_t bin);

/* Bytes that the state takes on the backend for so many slots. */
double rw_plan_state_bytes(rw_plan_goal goal, size_t cells, size_t channels, size_t slots);

/* The search for the best choice: greedy steps, swaps, annealing, and all choices where there are few. */

/* A change as it is recorded. */
typedef struct rw_plan_change {
    const char *phase;
    uint32_t added, removed; /* configurations; RW_PLAN_NO_VARIANT: none */
    double cost;             /* after it, as the value */
    int64_t value;
} rw_plan_change;

typedef struct rw_plan_search {
    rw_context *context;
    const rw_plan_problem *problem;
    rw_plan_state *state;
    int64_t coverable;      /* weight of all cells that some place reaches */
    uint32_t *chosen;       /* configuration of each sector; RW_PLAN_NO_VARIANT: none */
    uint32_t *slots;        /* of each sector that is chosen */
    uint32_t *site_sectors; /* chosen sectors of each site */
    size_t sites, sectors;  /* chosen */
    double cost;
    /* What each configuration would add. In coverage never less than the truth; fresh where its round is the last. */
    int64_t *upper, *at_first;
    uint32_t *evaluated_in;
    uint32_t round;
    uint32_t *list; /* room for questions */
    int64_t *answers;
    int64_t *without; /* what those asked in this round add to the choice without one of its sectors */
    struct rw_plan_rank *ranks;
    int64_t *sector_gains;
    rw_plan_change *changes;
    size_t change_count, change_capacity;
    int64_t bound; /* coverage: no choice has more */
    int is_optimal;
} rw_plan_search;

/* A configuration and how promising it is. */
typedef struct rw_plan_rank {
    double key;
    uint32_t variant;
} rw_plan_rank;

rw_status rw_plan_search_create(const rw_plan_problem *problem, rw_plan_state *state, rw_plan_search *search);
void rw_plan_search_destroy(rw_plan_search *search);

/* --- moves (search.c) --- */

/* Whether a sector can be added within the limits. */
int rw_plan_can_add(const rw_plan_search *search, uint32_t sector);

/* What adding it costs. */
double rw_plan_cost_of(const rw_plan_search *search, uint32_t sector);
rw_status rw_plan_add(rw_plan_search *search, uint32_t variant);
rw_status rw_plan_remove(rw_plan_search *search, uint32_t sector);

/* Records what was done; the value is that of now. */
rw_status rw_plan_record(rw_plan_search *search, const char *phase, uint32_t added, uint32_t removed);

/* Records how the choice differs from that at the start of a phase: replacements, then what went without one. */
rw_status rw_plan_record_changes(rw_plan_search *search, const char *phase, const uint32_t *start);

/* Asks what the configurations of search->list add; the answers are upper[] and fresh. */
rw_status rw_plan_evaluate(rw_plan_search *search, size_t count);

/* Makes the choice that of a list with one configuration for each sector. */
rw_status rw_plan_restore(rw_plan_search *search, const uint32_t *chosen);

/* Sorts ranks: the largest key first, of equal ones the first configuration. */
void rw_plan_sort(rw_plan_rank *ranks, size_t count);

/* --- phases --- */

/* greedy.c: what stays; then one configuration after another. phase names the steps. */
rw_status rw_plan_add_retained(rw_plan_search *search);
rw_status rw_plan_greedy(rw_plan_search *search, const char *phase);

/* improve.c: replaces one sector at a time while that helps. */
rw_status rw_plan_swap(rw_plan_search *search);
rw_status rw_plan_anneal(rw_plan_search *search);

/* exact.c: compares all choices where that takes few questions. */
rw_status rw_plan_compare_all(rw_plan_search *search);

/* bound.c: coverage: makes search->bound as low as the choice of now shows it to be. */
rw_status rw_plan_find_bound(rw_plan_search *search);

/* The most that sectors can add together within the limits, by what each adds alone. From the choice of now where
 * from_here is 1, from what stays otherwise. */
int64_t rw_plan_upper_bound(rw_plan_search *search, const int64_t *sector_gains, int from_here);

/* A finished plan: the choice, the steps that led to it, and predictions of it. */

typedef struct rw_plan_choice {
    rw_transmitter transmitter; /* its texts are the plan's */
    size_t candidate;           /* as given */
    char *site;
    double cost, site_cost;
    rw_plan_keep keep;
} rw_plan_choice;

struct rw_plan {
    rw_context *context;
    char *crs;
    rw_plan_info info;
    rw_plan_choice *choices;
    size_t choice_count;
    rw_plan_step *steps;
    size_t step_count;
    rw_map *before[RW_PLAN_LEVELS_MAX], *after[RW_PLAN_LEVELS_MAX], *weights[RW_PLAN_LEVELS_MAX];
    size_t level_count;
};

/* verify.c: predictions of what stays and of the choice, and their values. */
rw_status rw_plan_verify(const rw_plan_search *search, rw_plan *plan);

/* A value of the search in the unit of the objective. */
double rw_plan_unit_value(const rw_plan_search *search, int64_t value);

#endif
