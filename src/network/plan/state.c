#include "network/plan/plan.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_SLOTS 16
#define QUESTIONS_MAX 4096

double rw_plan_bin_db(uint32_t bin)
{
    uint32_t at = bin > 1 ? bin - 1 : 0;
    return 10 * log10(ldexp(1 + (at & 31u) / 32.0, (int)(at >> 5) - 7));
}

float rw_plan_noise_units(double noise_mw)
{
    return (float)(noise_mw * 1e15);
}

double rw_plan_state_bytes(rw_plan_goal goal, size_t cells, size_t channels, size_t slots)
{
    double each = 4 + 2 * (double)slots + (goal == RW_PLAN_COVERAGE ? 4 : 5 + 8 * (double)channels);
    return each * (double)cells + (goal == RW_PLAN_SINR ? RW_PLAN_BINS : 1) * 8.0 * QUESTIONS_MAX;
}

/* A copy on the backend. */
static rw_status upload_plan_array(rw_plan_state *state, const void *from, size_t bytes, const char *what,
                                   void *pointer_out)
{
    RW_TRY(rw_device_alloc(state->context, state->backend, bytes ? bytes : 1, what, pointer_out));
    void *pointer;
    memcpy(&pointer, pointer_out, sizeof pointer);
    return from ? rw_device_upload(state->context, state->backend, pointer, from, bytes)
                : rw_device_clear(state->context, state->backend, pointer, bytes);
}

/* Powers as whole numbers, by hundredths of a dBm. */
static rw_status upload_power_units(rw_plan_state *state)
{
    uint64_t *units;
    RW_TRY(rw_array_create(state->context, RW_PLAN_UNIT_COUNT, sizeof *units, "powers", &units));
    for (int i = 0; i < RW_PLAN_UNIT_COUNT; i++)
        units[i] = (uint64_t)(pow(10, i / 1000.0) + 0.5);
    rw_status status =
        upload_plan_array(state, units, RW_PLAN_UNIT_COUNT * sizeof *units, "powers", &state->view.units);
    free(units);
    return status;
}

/* What SINR needs of every cell. */
static rw_status upload_sinr_arrays(rw_plan_state *state, const rw_plan_setup *setup)
{
    rw_plan_view *view = &state->view;
    size_t cells = view->cell_count;
    int16_t *none;
    RW_TRY(upload_power_units(state));
    RW_TRY(rw_array_create(state->context, cells, sizeof *none, "cells", &none));
    for (size_t i = 0; i < cells; i++)
        none[i] = RW_PLAN_NO_POWER;
    rw_status status = upload_plan_array(state, none, cells * sizeof *none, "best servers", &view->best_cdbm);
    free(none);
    if (status == RW_OK)
        status = upload_plan_array(state, NULL, cells, "best servers", &view->best_carrier);
    if (status == RW_OK)
        status = upload_plan_array(state, NULL, cells * sizeof *view->bins, "SINR", &view->bins);
    if (status == RW_OK)
        status = upload_plan_array(state, NULL, cells * setup->channel_count * sizeof *view->totals, "powers",
                                   &view->totals);
    if (status == RW_OK && setup->rates)
        status = upload_plan_array(state, setup->rates, setup->carrier_count * RW_PLAN_BINS * sizeof *setup->rates,
                                   "rates", &view->rates);
    if (status == RW_OK)
        status = upload_plan_array(state, setup->carriers, setup->carrier_count * sizeof *setup->carriers, "carriers",
                                   &view->carriers);
    return status;
}

/* Room for more slots, the new ones empty. */
static rw_status grow_slots(rw_plan_state *state, size_t wanted)
{
    rw_plan_view *view = &state->view;
    size_t capacity = wanted > FIRST_SLOTS ? wanted : FIRST_SLOTS;
    size_t cells = view->cell_count, had = state->slot_capacity;
    uint32_t *carriers = realloc(state->slot_carriers, capacity * sizeof *carriers);
    if (carriers)
        state->slot_carriers = carriers;
    uint32_t *variants = realloc(state->slot_variants, capacity * sizeof *variants);
    if (variants)
        state->slot_variants = variants;
    if (!carriers || !variants)
        return rw_fail(state->context, RW_OUT_OF_MEMORY, "no memory for %zu chosen sectors", capacity);
    RW_TRY(rw_device_grow(state->context, state->backend, &view->slots, had * cells * sizeof *view->slots,
                          capacity * cells * sizeof *view->slots, "chosen sectors"));
    for (size_t i = had; i < capacity; i++) {
        state->slot_carriers[i] = 0;
        state->slot_variants[i] = RW_PLAN_NO_VARIANT;
    }
    state->slot_capacity = capacity;
    rw_device_free(state->backend, (void *)(uintptr_t)view->slot_carriers);
    view->slot_carriers = NULL;
    return upload_plan_array(state, state->slot_carriers, capacity * sizeof *carriers, "chosen sectors",
                             &view->slot_carriers);
}

/* Nothing arrives from a slot that is new. */
static rw_status empty_slot(rw_plan_state *state, size_t slot)
{
    size_t cells = state->view.cell_count;
    int16_t *none;
    RW_TRY(rw_array_create(state->context, cells, sizeof *none, "cells", &none));
    for (size_t i = 0; i < cells; i++)
        none[i] = RW_PLAN_NO_POWER;
    rw_status status =
        rw_device_upload(state->context, state->backend, state->view.slots + slot * cells, none, cells * sizeof *none);
    free(none);
    return status;
}

static rw_status upload_plan_state(rw_plan_state *state, const rw_plan_setup *setup)
{
    rw_plan_view *view = &state->view;
    const rw_position_gains *gains = setup->gains;
    size_t cells = view->cell_count;
    size_t pattern_bytes = setup->pattern_count * view->row_count * RW_PLAN_AZIMUTHS * sizeof *view->patterns;
    RW_TRY(upload_plan_array(state, gains->positions, gains->position_count * sizeof *gains->positions, "places",
                             &view->positions));
    RW_TRY(upload_plan_array(state, setup->variants, setup->variant_count * sizeof *setup->variants, "configurations",
                             &view->variants));
    RW_TRY(upload_plan_array(state, setup->patterns, pattern_bytes, "antenna patterns", &view->patterns));
    RW_TRY(upload_plan_array(state, setup->weights, cells * sizeof *setup->weights, "weights", &view->weights));
    RW_TRY(upload_plan_array(state, NULL, sizeof *state->value, "value", &state->value));
    if (setup->goal == RW_PLAN_COVERAGE)
        RW_TRY(upload_plan_array(state, setup->weights, cells * sizeof *setup->weights, "weights", &view->open));
    else
        RW_TRY(upload_sinr_arrays(state, setup));
    if (setup->goal == RW_PLAN_SINR) {
        state->histogram_here[0] = (int64_t)state->total_weight;
        RW_TRY(
            upload_plan_array(state, state->histogram_here, sizeof state->histogram_here, "SINR", &state->histogram));
    }
    state->question_capacity = QUESTIONS_MAX;
    size_t answer_bytes = (setup->goal == RW_PLAN_SINR ? RW_PLAN_BINS : 1) * QUESTIONS_MAX * sizeof(int64_t);
    RW_TRY(upload_plan_array(state, NULL, QUESTIONS_MAX * sizeof *state->questions, "questions", &state->questions));
    RW_TRY(upload_plan_array(state, NULL, answer_bytes, "answers", &state->answers));
    RW_TRY(rw_array_create(state->context, answer_bytes, 1, "answers", &state->answers_here));
    return grow_slots(state, FIRST_SLOTS);
}

rw_status rw_plan_state_create(rw_context *context, const rw_plan_setup *setup, rw_plan_state *state)
{
    const rw_position_gains *gains = setup->gains;
    *state = (rw_plan_state){.context = context,
                             .backend = gains->backend,
                             .channel_count = setup->channel_count,
                             .view = {.goal = setup->goal,
                                      .first_row = gains->first_row,
                                      .row_count = gains->last_row - gains->first_row + 1,
                                      .cell_count = gains->cell_count,
                                      .level_cdbm = setup->level_cdbm}};
    for (size_t i = 0; i < gains->cell_count; i++)
        state->total_weight += setup->weights[i];
    state->target_weight = (uint64_t)(setup->percentile / 100 * (double)state->total_weight);
    RW_TRY(rw_array_create(context, setup->variant_count, sizeof *state->variants, "configurations", &state->variants));
    memcpy(state->variants, setup->variants, setup->variant_count * sizeof *state->variants);
    RW_TRY(rw_array_create(context, gains->position_count, sizeof *state->positions, "places", &state->positions));
    memcpy(state->positions, gains->positions, gains->position_count * sizeof *state->positions);
    return upload_plan_state(state, setup);
}

void rw_plan_state_destroy(rw_plan_state *state)
{
    const rw_plan_view *view = &state->view;
    const void *const device_arrays[] = {
        view->positions, view->variants, view->patterns,      view->weights,    view->units,      view->rates,
        view->carriers,  view->slots,    view->slot_carriers, view->open,       view->best_cdbm,  view->best_carrier,
        view->bins,      view->totals,   state->value,        state->histogram, state->questions, state->answers};
    for (size_t i = 0; i < sizeof device_arrays / sizeof *device_arrays; i++)
        rw_device_free(state->backend, (void *)(uintptr_t)device_arrays[i]);
    free(state->positions);
    free(state->variants);
    free(state->slot_carriers);
    free(state->slot_variants);
    free(state->answers_here);
    *state = (rw_plan_state){0};
}

/* Of a histogram: the SINR that all but the percentile of the weight reach, in thousandths of a decibel, then how much
 * is served at all. */
static int64_t percentile_value(const rw_plan_state *state, const int64_t *histogram, const int64_t *change)
{
    int64_t below = 0, here = 0, target = (int64_t)state->target_weight;
    uint32_t bin = 0;
    for (; bin < RW_PLAN_BINS; bin++) {
        here = histogram[bin] + (change ? change[bin] : 0);
        if (below + here > target)
            break;
        below += here;
    }
    int64_t unserved = histogram[0] + (change ? change[0] : 0);
    double low_db = rw_plan_bin_db(bin), high_db = rw_plan_bin_db(bin + 1);
    double fraction = bin > 0 && here > 0 ? (double)(target - below) / (double)here : 0;
    int64_t thousandths = (int64_t)floor(1000 * (low_db + fraction * (high_db - low_db)) + 0.5);
    double served = 1 - (double)unserved / (double)(state->total_weight ? state->total_weight : 1);
    return thousandths * RW_PLAN_SINR_STEP + (int64_t)(served * (RW_PLAN_SINR_STEP - 1));
}

int64_t rw_plan_state_value(const rw_plan_state *state)
{
    return state->view.goal == RW_PLAN_SINR ? percentile_value(state, state->histogram_here, NULL) : state->value_here;
}

/* The cells of a slot after it was filled or is to be emptied. */
static rw_status update_slot_cells(rw_plan_state *state, uint32_t slot, uint32_t variant, int is_added)
{
    rw_context *context = state->context;
    struct rw_plan_update_args args = {.plan = state->view,
                                       .variant = variant,
                                       .slot = slot,
                                       .position = state->variants[variant].position,
                                       .is_added = is_added,
                                       .value = state->value,
                                       .histogram = state->histogram};
    RW_TRY(
        rw_device_launch(context, state->backend, RW_KERNEL_plan_update, &args, state->positions[args.position].count));
    if (state->histogram)
        return rw_device_download(context, state->backend, state->histogram_here, state->histogram,
                                  sizeof state->histogram_here);
    return rw_device_download(context, state->backend, &state->value_here, state->value, sizeof state->value_here);
}

rw_status rw_plan_state_add(rw_plan_state *state, uint32_t variant, uint32_t *slot)
{
    rw_plan_view *view = &state->view;
    uint32_t free_slot = 0;
    while (free_slot < view->slot_count && state->slot_variants[free_slot] != RW_PLAN_NO_VARIANT)
        free_slot++;
    if (free_slot == state->slot_capacity)
        RW_TRY(grow_slots(state, 2 * state->slot_capacity));
    if (free_slot == view->slot_count) {
        RW_TRY(empty_slot(state, free_slot));
        view->slot_count++;
    }
    state->slot_variants[free_slot] = variant;
    state->slot_carriers[free_slot] = state->variants[variant].carrier;
    RW_TRY(rw_device_upload(state->context, state->backend, (void *)(uintptr_t)view->slot_carriers,
                            state->slot_carriers, state->slot_capacity * sizeof *state->slot_carriers));
    *slot = free_slot;
    return update_slot_cells(state, free_slot, variant, 1);
}

rw_status rw_plan_state_remove(rw_plan_state *state, uint32_t slot)
{
    uint32_t variant = state->slot_variants[slot];
    RW_TRY(update_slot_cells(state, slot, variant, 0));
    state->slot_variants[slot] = RW_PLAN_NO_VARIANT;
    return RW_OK;
}

/* So many parts of a question that all threads, or the warps of a GPU, have work. */
static uint32_t count_chunks(const rw_plan_state *state, size_t count)
{
    size_t wanted = state->backend == RW_BACKEND_CUDA ? 16384 : 8 * (size_t)state->context->threads;
    size_t chunks = wanted / count;
    return chunks < 1 ? 1 : chunks > 64 ? 64 : (uint32_t)chunks;
}

static rw_status evaluate_batch(rw_plan_state *state, const uint32_t *variants, size_t count, int64_t *gains)
{
    rw_context *context = state->context;
    rw_plan_questions of = {.plan = state->view, .variants = state->questions, .chunks = count_chunks(state, count)};
    int is_sinr = state->view.goal == RW_PLAN_SINR;
    size_t items = count * of.chunks * rw_device_lanes(state->backend);
    size_t bytes = count * (is_sinr ? RW_PLAN_BINS : 1) * sizeof *state->answers;
    RW_TRY(rw_device_upload(context, state->backend, state->questions, variants, count * sizeof *variants));
    RW_TRY(rw_device_clear(context, state->backend, state->answers, bytes));
    if (state->view.goal == RW_PLAN_COVERAGE) {
        struct rw_plan_coverage_args args = {of, (uint64_t *)state->answers};
        RW_TRY(rw_device_launch(context, state->backend, RW_KERNEL_plan_coverage, &args, items));
    } else if (!is_sinr) {
        struct rw_plan_rate_args args = {of, state->answers};
        RW_TRY(rw_device_launch(context, state->backend, RW_KERNEL_plan_rate, &args, items));
    } else {
        struct rw_plan_sinr_args args = {of, state->answers};
        RW_TRY(rw_device_launch(context, state->backend, RW_KERNEL_plan_sinr, &args, items));
    }
    RW_TRY(rw_device_download(context, state->backend, state->answers_here, state->answers, bytes));
    int64_t value = rw_plan_state_value(state);
    for (size_t i = 0; i < count; i++)
        gains[i] = is_sinr
                       ? percentile_value(state, state->histogram_here, state->answers_here + i * RW_PLAN_BINS) - value
                       : state->answers_here[i];
    return RW_OK;
}

rw_status rw_plan_state_evaluate(rw_plan_state *state, const uint32_t *variants, size_t count, int64_t *gains)
{
    double start_s = rw_seconds();
    for (size_t first = 0; first < count; first += state->question_capacity) {
        size_t now = count - first < state->question_capacity ? count - first : state->question_capacity;
        RW_TRY(evaluate_batch(state, variants + first, now, gains + first));
    }
    state->evaluated += count;
    state->evaluate_s += rw_seconds() - start_s;
    return RW_OK;
}
