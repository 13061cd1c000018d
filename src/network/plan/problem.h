/* What is to be planned: sites, their sectors, the configurations of each, and what each cell weighs. */
#ifndef RW_NETWORK_PLAN_PROBLEM_H
#define RW_NETWORK_PLAN_PROBLEM_H

#include "models/engine/received/sinr.h"
#include "network/plan/point_gains.h"
#include "network/plan/state.h"
#include "scene/antennas/antenna.h"

#include <rasterwave/plan.h>

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
    rw_network_plan network; /* rate and sinr */
    rw_map_info cells;
    size_t cell_count;

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
    uint32_t *channels; /* of candidates */
    size_t channel_count;

    double *weights; /* of cells with a receiver; others 0 */
    double total_weight;
    uint32_t *integer_weights; /* the same, scaled */
    double weight_scale;
    uint32_t *rates;   /* rate: of bins, in steps */
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

/* The transmitter of a configuration. Its texts are the problem's. */
rw_transmitter rw_plan_transmitter(const rw_plan_problem *problem, uint32_t variant);

/* The least power that matters: below it nothing is covered, or heard above a hundredth of the noise. Cells that get
 * less from every configuration of a place are not kept. */
double rw_plan_min_dbm(const rw_plan_problem *problem);

#endif
