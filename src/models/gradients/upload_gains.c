/* Kept gains on a backend. */
#include "models/gradients/gains.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static rw_status send(rw_gains *gains, const void *host, size_t bytes, void *placed_out)
{
    RW_TRY(rw_device_alloc(gains->context, gains->backend, bytes + 8, "kept paths", placed_out));
    void *placed = *(void **)placed_out;
    return bytes ? rw_device_upload(gains->context, gains->backend, placed, host, bytes) : RW_OK;
}

static rw_status take(rw_gains *gains, size_t bytes, void *placed_out)
{
    return rw_device_alloc(gains->context, gains->backend, bytes + 8, "kept paths", placed_out);
}

/* Samples of the cuts of all antennas one after the other, and where each begins. */
static size_t list_cut(const rw_cut_view *cut, double *curves)
{
    size_t count = (size_t)cut->count;
    if (curves && count) {
        memcpy(curves, cut->angle_deg, count * sizeof *curves);
        memcpy(curves + count, cut->loss_db, count * sizeof *curves);
        memcpy(curves + 2 * count, cut->slope_db_per_deg, count * sizeof *curves);
    }
    return 3 * count;
}

static size_t point_cut(rw_cut_view *cut, const double *curves)
{
    size_t count = (size_t)cut->count;
    cut->angle_deg = curves;
    cut->loss_db = curves + count;
    cut->slope_db_per_deg = curves + 2 * count;
    return 3 * count;
}

static rw_status place_cuts(rw_gains *gains)
{
    const rw_gain_record *record = &gains->record;
    size_t count = 0;
    double *curves;
    for (size_t i = 0; i < record->transmitter_count; i++)
        count += list_cut(&record->senders[i].antenna.horizontal, NULL) +
                 list_cut(&record->senders[i].antenna.vertical, NULL);
    RW_TRY(rw_array_create(gains->context, count + 1, sizeof *curves, "antennas", &curves));
    size_t at = 0;
    for (size_t i = 0; i < record->transmitter_count; i++) {
        at += list_cut(&record->senders[i].antenna.horizontal, curves + at);
        at += list_cut(&record->senders[i].antenna.vertical, curves + at);
    }
    rw_status status = send(gains, curves, count * sizeof *curves, &gains->placed.curves);
    free(curves);
    RW_TRY(status);
    at = 0;
    for (size_t i = 0; i < record->transmitter_count; i++) {
        rw_scalar_antenna *antenna = &gains->senders[i].sender.antenna;
        at += point_cut(&antenna->horizontal, gains->placed.curves + at);
        at += point_cut(&antenna->vertical, gains->placed.curves + at);
    }
    return RW_OK;
}

static rw_status place_antennas(rw_gains *gains)
{
    const rw_gain_record *record = &gains->record;
    size_t bytes = (size_t)RW_PATTERN_ROWS * RW_PATTERN_COLUMNS * sizeof(float);
    RW_TRY(rw_array_create(gains->context, record->transmitter_count, sizeof *gains->placed.tables, "antennas",
                           &gains->placed.tables));
    for (size_t i = 0; i < record->transmitter_count; i++) {
        gains->senders[i].sender = record->senders[i];
        if (!record->tables[i])
            continue;
        RW_TRY(send(gains, record->tables[i], bytes, &gains->placed.tables[i]));
        gains->senders[i].sender.pattern.amplitudes = gains->placed.tables[i];
    }
    return place_cuts(gains);
}

static size_t most(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Values and their derivatives: each of three arrays has room for all parameters, all pairs and all paths. */
size_t rw_gains_values_room(const rw_gains *gains)
{
    const rw_gain_record *record = &gains->record;
    return most(most(gains->parameter_count, record->transmitter_count * record->point_count), 2 * record->path_count) +
           1;
}

/* What the way back needs. Slots that no path writes stay zero. */
static rw_status place_derivatives(rw_gains *gains)
{
    const rw_gain_record *record = &gains->record;
    rw_gains_placed *placed = &gains->placed;
    size_t pairs = record->transmitter_count * record->point_count;
    size_t places = (size_t)rw_gain_places((int)gains->sum);
    RW_TRY(take(gains, record->node_count * sizeof *placed->states, &placed->states));
    RW_TRY(take(gains, pairs * places * sizeof *placed->fields, &placed->fields));
    RW_TRY(take(gains, pairs * sizeof *placed->weights, &placed->weights));
    RW_TRY(take(gains, gains->slot_count * sizeof *placed->slots, &placed->slots));
    RW_TRY(rw_device_clear(gains->context, gains->backend, placed->slots, gains->slot_count * sizeof *placed->slots));
    RW_TRY(take(gains, gains->stretch_count * sizeof *placed->sums, &placed->sums));
    RW_TRY(send(gains, gains->stretches, gains->stretch_count * sizeof *gains->stretches, &placed->stretches));
    return send(gains, gains->stretch_firsts, (gains->parameter_count + 1) * sizeof *gains->stretch_firsts,
                &placed->stretch_firsts);
}

rw_status rw_gains_place(rw_gains *gains)
{
    const rw_gain_record *record = &gains->record;
    rw_gains_placed *placed = &gains->placed;
    size_t pairs = record->transmitter_count * record->point_count, paths = record->path_count;
    RW_TRY(place_antennas(gains));
    RW_TRY(send(gains, record->paths, paths * sizeof *record->paths, &placed->paths));
    RW_TRY(send(gains, record->nodes, record->node_count * sizeof *record->nodes, &placed->nodes));
    RW_TRY(send(gains, record->numbers, record->number_count * sizeof *record->numbers, &placed->numbers));
    if (record->positions)
        RW_TRY(send(gains, record->slopes, 3 * record->number_count * sizeof *record->slopes, &placed->slopes));
    RW_TRY(send(gains, gains->firsts, (pairs + 1) * sizeof *gains->firsts, &placed->firsts));
    RW_TRY(take(gains, record->wall_count * sizeof *placed->walls, &placed->walls));
    RW_TRY(take(gains, record->transmitter_count * sizeof *placed->senders, &placed->senders));
    RW_TRY(take(gains, paths * sizeof *placed->gains, &placed->gains));
    RW_TRY(take(gains, paths * sizeof *placed->changes, &placed->changes));
    RW_TRY(take(gains, 3 * rw_gains_values_room(gains) * sizeof *placed->values, &placed->values));
    return place_derivatives(gains);
}

void rw_gains_remove(rw_gains *gains)
{
    rw_gains_placed *placed = &gains->placed;
    void *all[] = {placed->paths,   placed->nodes,     placed->numbers,       placed->slopes,  placed->walls,
                   placed->senders, placed->firsts,    placed->gains,         placed->changes, placed->weights,
                   placed->values,  placed->curves,    placed->states,        placed->fields,  placed->slots,
                   placed->sums,    placed->stretches, placed->stretch_firsts};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        rw_device_free(gains->backend, all[i]);
    for (size_t i = 0; placed->tables && i < gains->record.transmitter_count; i++)
        rw_device_free(gains->backend, placed->tables[i]);
    free(placed->tables);
    *placed = (rw_gains_placed){0};
}

rw_gain_world rw_gains_world(const rw_gains *gains)
{
    const rw_gains_placed *placed = &gains->placed;
    return (rw_gain_world){.paths = placed->paths,
                           .nodes = placed->nodes,
                           .numbers = placed->numbers,
                           .slopes = placed->slopes,
                           .walls = placed->walls,
                           .senders = placed->senders,
                           .states = placed->states,
                           .path_count = gains->record.path_count,
                           .wavelength_m = gains->record.wavelength_m,
                           .freq_hz = gains->record.freq_hz};
}
