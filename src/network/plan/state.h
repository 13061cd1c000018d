/* A network while it is planned: which configurations are chosen, what the cells get from them, and what a change would
 * be worth. Only the cells that a change reaches are worked out anew. */
#ifndef RW_NETWORK_PLAN_STATE_H
#define RW_NETWORK_PLAN_STATE_H

#include "network/plan/point_gains.h"

/* What the state is made of. Arrays are copied. */
typedef struct rw_plan_setup {
    rw_plan_goal goal;
    const rw_position_gains *gains; /* must outlive the state */
    const uint32_t *weights;
    const rw_plan_variant *variants;
    size_t variant_count;
    const int16_t *patterns; /* rows first_row to last_row of the gains */
    size_t pattern_count, channel_count;
    int32_t level_cdbm;
    double percentile;     /* sinr: in percent of the weight */
    double noise_mw, load; /* rate and sinr */
    const uint32_t *rates; /* rate: of bins */
} rw_plan_setup;

typedef struct rw_plan_state {
    rw_context *context;
    rw_backend backend;
    rw_plan_view view; /* arrays of the backend */
    rw_plan_position *positions;
    size_t channel_count, slot_capacity;
    uint32_t *slot_channels; /* of this machine, and what each slot holds */
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

#endif
