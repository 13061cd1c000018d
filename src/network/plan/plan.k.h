/* The kernels of planning: what a change of a network is worth, and the cells after it.
 *
 * From every place of a candidate the losses and directions of its cells are kept once (plan.h). The power of a
 * configuration in a cell is then one addition and one look at the antenna's table, in hundredths of a decibel, so that
 * the answers are the same whole numbers on every backend and by any number of threads. Three kernels ask what adding a
 * configuration changes (plan_coverage, plan_rate, plan_sinr), one item for each configuration and part of its cells; a
 * fourth (plan_settle) adds or removes one and works out its cells anew. */
#ifndef RW_NETWORK_PLAN_PLAN_K_H
#define RW_NETWORK_PLAN_PLAN_K_H

#include "base/kernel/lanes.h"
#include <stddef.h>

/* Steps of a turn, and of elevation from straight down to straight up. */
#define RW_PLAN_AZIMUTH_BITS 10
#define RW_PLAN_AZIMUTHS (1 << RW_PLAN_AZIMUTH_BITS)
#define RW_PLAN_ELEVATIONS 1024

#define RW_PLAN_NO_POWER (-32768) /* in a slot: the cell gets nothing */

/* Received powers as whole numbers of 1e-15 mW, by hundredths of a dBm from -150 dBm on. */
#define RW_PLAN_FIRST_CDBM (-15000)
#define RW_PLAN_UNIT_COUNT 19000

/* Ratios by the exponent and five bits behind it, from 2^-7 (-21 dB) to 2^15 (45 dB); bin 0: less, or nothing. */
#define RW_PLAN_BINS (22 * 32 + 1)

/* The cells of a place: their number, the direction in which waves leave towards each, the loss in 0.01 dB. */
typedef struct rw_plan_position {
    const uint32_t *cells;
    const uint32_t *directions; /* row of elevation, then azimuth */
    const uint16_t *losses_cdb;
    uint32_t count;
} rw_plan_position;

/* A configuration of a sector. */
typedef struct rw_plan_variant {
    uint32_t position, pattern;
    uint32_t azimuth; /* in steps of a turn */
    uint32_t carrier;
    int32_t power_cdbm;
} rw_plan_variant;

/* What sectors of one channel, bandwidth, number of streams and load have in common. */
typedef struct rw_plan_carrier {
    uint32_t channel; /* carriers of one interfere */
    float noise;      /* in units of power */
    double load;      /* share of its resource elements that interferes */
} rw_plan_carrier;

typedef enum rw_plan_goal { RW_PLAN_COVERAGE, RW_PLAN_RATE, RW_PLAN_SINR } rw_plan_goal;

/* What the kernels read, and the state of the cells that they keep. */
typedef struct rw_plan_view {
    rw_plan_goal goal;
    const rw_plan_position *positions;
    const rw_plan_variant *variants;
    const int16_t *patterns; /* gain in 0.01 dBi: pattern, row, azimuth */
    uint32_t first_row, row_count;
    size_t cell_count;
    const uint32_t *weights; /* of each cell */
    int32_t level_cdbm;      /* coverage: from here on a cell is covered */
    const uint64_t *units;   /* of powers */
    const uint32_t *rates;   /* of bins, carrier after carrier */
    const rw_plan_carrier *carriers;
    uint32_t slot_count;
    const uint32_t *slot_carriers;
    int16_t *slots;     /* power of each chosen configuration in each cell */
    uint32_t *open;     /* coverage: weight of the cells that are not covered */
    int16_t *best_cdbm; /* rate and sinr: of the best server */
    uint8_t *best_carrier;
    uint16_t *bins;   /* of SINR */
    uint64_t *totals; /* that interferes in each channel, cell after cell */
} rw_plan_view;

RW_FN int32_t rw_plan_power_cdbm(const rw_plan_view *plan, const rw_plan_variant *variant,
                                 const rw_plan_position *position, size_t index)
{
    uint32_t direction = position->directions[index];
    uint32_t row = (direction >> RW_PLAN_AZIMUTH_BITS) - plan->first_row;
    uint32_t azimuth = (direction - variant->azimuth) & (RW_PLAN_AZIMUTHS - 1u);
    size_t at = (((size_t)variant->pattern * plan->row_count + row) << RW_PLAN_AZIMUTH_BITS) + azimuth;
    return variant->power_cdbm + plan->patterns[at] - (int32_t)position->losses_cdb[index];
}

RW_FN uint64_t rw_plan_units(const rw_plan_view *plan, int32_t power_cdbm)
{
    int32_t at = power_cdbm - RW_PLAN_FIRST_CDBM;
    if (at < 0)
        return 0;
    return plan->units[at < RW_PLAN_UNIT_COUNT ? at : RW_PLAN_UNIT_COUNT - 1];
}

/* What a power adds to the interference of its channel. */
RW_FN uint64_t rw_plan_interference(const rw_plan_carrier *carrier, uint64_t power)
{
    return carrier->load == 1.0 ? power : (uint64_t)(carrier->load * (double)power);
}

/* The bin of a signal over the others of its channel and noise. */
RW_FN uint32_t rw_plan_bin(const rw_plan_carrier *carrier, uint64_t signal, uint64_t others)
{
    float ratio = (float)signal / ((float)others + carrier->noise);
    if (!(ratio >= 0.0078125f))
        return 0;
    uint32_t bin = (rw_float_bits(ratio) >> 18) - (120u << 5) + 1u;
    return bin < RW_PLAN_BINS ? bin : RW_PLAN_BINS - 1u;
}

/* Of equal powers that of the lower carrier serves, so that the answer does not depend on the order of slots. */
RW_FN int rw_plan_serves(int32_t power_cdbm, uint32_t carrier, int32_t best_cdbm, uint32_t best_carrier)
{
    return power_cdbm > best_cdbm || (power_cdbm == best_cdbm && carrier < best_carrier);
}

/* The bin of a cell that would also get this power; *carrier becomes that of its server. */
RW_FN uint32_t rw_plan_bin_with(const rw_plan_view *plan, size_t cell, int32_t power_cdbm, uint32_t *carrier)
{
    int32_t best_cdbm = plan->best_cdbm[cell];
    uint32_t server = plan->best_carrier[cell];
    uint64_t power = rw_plan_units(plan, power_cdbm);
    const rw_plan_carrier *own = &plan->carriers[*carrier], *best = &plan->carriers[server];
    if (rw_plan_serves(power_cdbm, *carrier, best_cdbm, server))
        return rw_plan_bin(own, power, plan->totals[own->channel * plan->cell_count + cell]);
    uint64_t signal = rw_plan_units(plan, best_cdbm);
    uint64_t others = plan->totals[best->channel * plan->cell_count + cell] - rw_plan_interference(best, signal);
    *carrier = server;
    return rw_plan_bin(best, signal, others + (best->channel == own->channel ? rw_plan_interference(own, power) : 0));
}

/* The rate of a bin of a carrier. */
RW_FN int64_t rw_plan_rate(const rw_plan_view *plan, uint32_t carrier, uint32_t bin)
{
    return (int64_t)plan->rates[carrier * RW_PLAN_BINS + bin];
}

/* Questions: configurations, each in so many parts. */
typedef struct rw_plan_questions {
    rw_plan_view plan;
    const uint32_t *variants; /* numbers of those asked for */
    uint32_t chunks;
} rw_plan_questions;

/* One part of a question. */
typedef struct rw_plan_chunk {
    const rw_plan_variant *variant;
    const rw_plan_position *position;
    size_t question, first, end;
} rw_plan_chunk;

RW_FN rw_plan_chunk rw_plan_chunk_of(const rw_plan_questions *of, size_t item)
{
    rw_plan_chunk chunk;
    size_t task = item / (size_t)rw_lane_count();
    chunk.question = task / of->chunks;
    chunk.variant = &of->plan.variants[of->variants[chunk.question]];
    chunk.position = &of->plan.positions[chunk.variant->position];
    size_t each = (chunk.position->count + of->chunks - 1u) / of->chunks;
    chunk.first = (task - chunk.question * of->chunks) * each;
    chunk.end = chunk.first + each < chunk.position->count ? chunk.first + each : chunk.position->count;
    return chunk;
}

struct rw_plan_coverage_args {
    rw_plan_questions of;
    uint64_t *scores; /* weight that becomes covered; zeros before */
};

RW_FN void rw_plan_coverage_item(const struct rw_plan_coverage_args *args, size_t item)
{
    const rw_plan_view *plan = &args->of.plan;
    rw_plan_chunk chunk = rw_plan_chunk_of(&args->of, item);
    uint64_t sum = 0;
    for (size_t i = chunk.first + (size_t)rw_lane(); i < chunk.end; i += (size_t)rw_lane_count()) {
        int covers = rw_plan_power_cdbm(plan, chunk.variant, chunk.position, i) >= plan->level_cdbm;
        sum += covers ? plan->open[chunk.position->cells[i]] : 0u;
    }
    double all = rw_lanes_sum((double)sum); /* below 2^53: exact */
    if (rw_lane() == 0)
        rw_shared_add_long(&args->scores[chunk.question], (uint64_t)all);
}

struct rw_plan_rate_args {
    rw_plan_questions of;
    int64_t *scores; /* weight times rate that is won; zeros before */
};

RW_FN void rw_plan_rate_item(const struct rw_plan_rate_args *args, size_t item)
{
    const rw_plan_view *plan = &args->of.plan;
    rw_plan_chunk chunk = rw_plan_chunk_of(&args->of, item);
    int64_t sum = 0;
    for (size_t i = chunk.first + (size_t)rw_lane(); i < chunk.end; i += (size_t)rw_lane_count()) {
        size_t cell = chunk.position->cells[i];
        int32_t power_cdbm = rw_plan_power_cdbm(plan, chunk.variant, chunk.position, i);
        uint32_t carrier = chunk.variant->carrier;
        uint32_t bin = rw_plan_bin_with(plan, cell, power_cdbm, &carrier);
        sum += (int64_t)plan->weights[cell] *
               (rw_plan_rate(plan, carrier, bin) - rw_plan_rate(plan, plan->best_carrier[cell], plan->bins[cell]));
    }
    double all = rw_lanes_sum((double)sum); /* below 2^53: exact */
    if (rw_lane() == 0)
        rw_shared_add_wide(&args->scores[chunk.question], (int64_t)all);
}

struct rw_plan_sinr_args {
    rw_plan_questions of;
    int64_t *histograms; /* change of the weight in each bin, RW_PLAN_BINS a question; zeros before */
};

RW_FN void rw_plan_sinr_item(const struct rw_plan_sinr_args *args, size_t item)
{
    const rw_plan_view *plan = &args->of.plan;
    rw_plan_chunk chunk = rw_plan_chunk_of(&args->of, item);
    int64_t *histogram = args->histograms + chunk.question * RW_PLAN_BINS;
    for (size_t i = chunk.first + (size_t)rw_lane(); i < chunk.end; i += (size_t)rw_lane_count()) {
        size_t cell = chunk.position->cells[i];
        int32_t power_cdbm = rw_plan_power_cdbm(plan, chunk.variant, chunk.position, i);
        uint32_t carrier = chunk.variant->carrier;
        uint32_t bin = rw_plan_bin_with(plan, cell, power_cdbm, &carrier), before = plan->bins[cell];
        if (bin == before)
            continue;
        rw_shared_add_wide(&histogram[bin], (int64_t)plan->weights[cell]);
        rw_shared_add_wide(&histogram[before], -(int64_t)plan->weights[cell]);
    }
}

/* Puts a configuration into a slot, or empties it, and works the cells of its place out anew. */
struct rw_plan_update_args {
    rw_plan_view plan;
    uint32_t variant, slot, position;
    int is_added;       /* 0: the slot is emptied */
    int64_t *value;     /* coverage: weight covered; rate: weight times rate */
    int64_t *histogram; /* sinr: weight in each bin */
};

/* Coverage: what is received decides alone. */
RW_FN void rw_plan_update_coverage(const struct rw_plan_update_args *args, size_t cell)
{
    const rw_plan_view *plan = &args->plan;
    uint32_t open = plan->weights[cell], before = plan->open[cell];
    for (uint32_t slot = 0; slot < plan->slot_count; slot++)
        if (plan->slots[slot * plan->cell_count + cell] >= plan->level_cdbm)
            open = 0;
    plan->open[cell] = open;
    if (open != before)
        rw_shared_add_wide(args->value, (int64_t)before - (int64_t)open);
}

RW_FN void rw_plan_update_sinr(const struct rw_plan_update_args *args, size_t cell)
{
    const rw_plan_view *plan = &args->plan;
    int32_t best_cdbm = RW_PLAN_NO_POWER;
    uint32_t server = 0, bin = 0, before = plan->bins[cell], server_before = plan->best_carrier[cell];
    for (uint32_t slot = 0; slot < plan->slot_count; slot++)
        plan->totals[plan->carriers[plan->slot_carriers[slot]].channel * plan->cell_count + cell] = 0;
    for (uint32_t slot = 0; slot < plan->slot_count; slot++) {
        int32_t power_cdbm = plan->slots[slot * plan->cell_count + cell];
        uint32_t carrier = plan->slot_carriers[slot];
        const rw_plan_carrier *of = &plan->carriers[carrier];
        plan->totals[of->channel * plan->cell_count + cell] +=
            rw_plan_interference(of, rw_plan_units(plan, power_cdbm));
        if (power_cdbm != RW_PLAN_NO_POWER && rw_plan_serves(power_cdbm, carrier, best_cdbm, server)) {
            best_cdbm = power_cdbm;
            server = carrier;
        }
    }
    uint64_t signal = rw_plan_units(plan, best_cdbm);
    const rw_plan_carrier *best = &plan->carriers[server];
    if (signal)
        bin = rw_plan_bin(best, signal,
                          plan->totals[best->channel * plan->cell_count + cell] - rw_plan_interference(best, signal));
    plan->best_cdbm[cell] = (int16_t)best_cdbm;
    plan->best_carrier[cell] = (uint8_t)server;
    plan->bins[cell] = (uint16_t)bin;
    if (bin == before && server == server_before)
        return;
    int64_t weight = (int64_t)plan->weights[cell];
    if (args->histogram) {
        rw_shared_add_wide(&args->histogram[bin], weight);
        rw_shared_add_wide(&args->histogram[before], -weight);
    } else {
        rw_shared_add_wide(args->value,
                           weight * (rw_plan_rate(plan, server, bin) - rw_plan_rate(plan, server_before, before)));
    }
}

RW_FN void rw_plan_update_item(const struct rw_plan_update_args *args, size_t item)
{
    const rw_plan_view *plan = &args->plan;
    const rw_plan_position *position = &plan->positions[args->position];
    size_t cell = position->cells[item];
    int32_t power_cdbm = RW_PLAN_NO_POWER;
    if (args->is_added) {
        power_cdbm = rw_plan_power_cdbm(plan, &plan->variants[args->variant], position, item);
        power_cdbm = power_cdbm > 32767 ? 32767 : power_cdbm < RW_PLAN_NO_POWER + 1 ? RW_PLAN_NO_POWER + 1 : power_cdbm;
    }
    plan->slots[args->slot * plan->cell_count + cell] = (int16_t)power_cdbm;
    if (plan->goal == RW_PLAN_COVERAGE)
        rw_plan_update_coverage(args, cell);
    else
        rw_plan_update_sinr(args, cell);
}

#endif
