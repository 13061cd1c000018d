/* Kept gains on a backend. */
#include "models/gradients/gradients.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static rw_status upload_gain_array(rw_gains *gains, const void *host, size_t bytes, void *device_out)
{
    RW_TRY(rw_device_alloc(gains->context, gains->backend, bytes + 8, "kept paths", device_out));
    void *device = *(void **)device_out;
    return bytes ? rw_device_upload(gains->context, gains->backend, device, host, bytes) : RW_OK;
}

static rw_status allocate_gain_array(rw_gains *gains, size_t bytes, void *device_out)
{
    return rw_device_alloc(gains->context, gains->backend, bytes + 8, "kept paths", device_out);
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

static rw_status upload_antenna_cuts(rw_gains *gains)
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
    rw_status status = upload_gain_array(gains, curves, count * sizeof *curves, &gains->device.curves);
    free(curves);
    RW_TRY(status);
    at = 0;
    for (size_t i = 0; i < record->transmitter_count; i++) {
        rw_scalar_antenna *antenna = &gains->senders[i].sender.antenna;
        at += point_cut(&antenna->horizontal, gains->device.curves + at);
        at += point_cut(&antenna->vertical, gains->device.curves + at);
    }
    return RW_OK;
}

static rw_status upload_gain_antennas(rw_gains *gains)
{
    const rw_gain_record *record = &gains->record;
    size_t bytes = (size_t)RW_PATTERN_ROWS * RW_PATTERN_COLUMNS * sizeof(float);
    RW_TRY(rw_array_create(gains->context, record->transmitter_count, sizeof *gains->device.tables, "antennas",
                           &gains->device.tables));
    for (size_t i = 0; i < record->transmitter_count; i++) {
        gains->senders[i].sender = record->senders[i];
        if (!record->tables[i])
            continue;
        RW_TRY(upload_gain_array(gains, record->tables[i], bytes, &gains->device.tables[i]));
        gains->senders[i].sender.pattern.amplitudes = gains->device.tables[i];
    }
    return upload_antenna_cuts(gains);
}

static size_t max_size(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Values and their derivatives: each of three arrays has room for all parameters, all pairs and all paths. */
size_t rw_gains_values_capacity(const rw_gains *gains)
{
    const rw_gain_record *record = &gains->record;
    return max_size(max_size(gains->parameter_count, record->transmitter_count * record->point_count),
                    2 * record->path_count) +
           1;
}

/* What the way back needs. Slots that no path writes stay zero. */
static rw_status allocate_derivatives(rw_gains *gains)
{
    const rw_gain_record *record = &gains->record;
    rw_gains_device *device = &gains->device;
    size_t pairs = record->transmitter_count * record->point_count;
    size_t field_points = (size_t)rw_gain_field_points((int)gains->sum);
    RW_TRY(allocate_gain_array(gains, record->node_count * sizeof *device->states, &device->states));
    RW_TRY(allocate_gain_array(gains, pairs * field_points * sizeof *device->fields, &device->fields));
    RW_TRY(allocate_gain_array(gains, pairs * sizeof *device->weights, &device->weights));
    RW_TRY(allocate_gain_array(gains, gains->slot_count * sizeof *device->slots, &device->slots));
    RW_TRY(rw_device_clear(gains->context, gains->backend, device->slots, gains->slot_count * sizeof *device->slots));
    RW_TRY(allocate_gain_array(gains, gains->stretch_count * sizeof *device->sums, &device->sums));
    RW_TRY(upload_gain_array(gains, gains->stretches, gains->stretch_count * sizeof *gains->stretches,
                             &device->stretches));
    return upload_gain_array(gains, gains->stretch_firsts, (gains->parameter_count + 1) * sizeof *gains->stretch_firsts,
                             &device->stretch_firsts);
}

rw_status rw_gains_upload(rw_gains *gains)
{
    const rw_gain_record *record = &gains->record;
    rw_gains_device *device = &gains->device;
    size_t pairs = record->transmitter_count * record->point_count, paths = record->path_count;
    RW_TRY(upload_gain_antennas(gains));
    RW_TRY(upload_gain_array(gains, record->paths, paths * sizeof *record->paths, &device->paths));
    RW_TRY(upload_gain_array(gains, record->nodes, record->node_count * sizeof *record->nodes, &device->nodes));
    RW_TRY(upload_gain_array(gains, record->numbers, record->number_count * sizeof *record->numbers, &device->numbers));
    if (record->positions)
        RW_TRY(upload_gain_array(gains, record->slopes, 3 * record->number_count * sizeof *record->slopes,
                                 &device->slopes));
    RW_TRY(upload_gain_array(gains, gains->firsts, (pairs + 1) * sizeof *gains->firsts, &device->firsts));
    RW_TRY(allocate_gain_array(gains, record->wall_count * sizeof *device->walls, &device->walls));
    RW_TRY(allocate_gain_array(gains, record->transmitter_count * sizeof *device->senders, &device->senders));
    RW_TRY(allocate_gain_array(gains, paths * sizeof *device->gains, &device->gains));
    RW_TRY(allocate_gain_array(gains, paths * sizeof *device->changes, &device->changes));
    RW_TRY(allocate_gain_array(gains, 3 * rw_gains_values_capacity(gains) * sizeof *device->values, &device->values));
    return allocate_derivatives(gains);
}

void rw_gains_release(rw_gains *gains)
{
    rw_gains_device *device = &gains->device;
    void *all[] = {device->paths,   device->nodes,     device->numbers,       device->slopes,  device->walls,
                   device->senders, device->firsts,    device->gains,         device->changes, device->weights,
                   device->values,  device->curves,    device->states,        device->fields,  device->slots,
                   device->sums,    device->stretches, device->stretch_firsts};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        rw_device_free(gains->backend, all[i]);
    for (size_t i = 0; device->tables && i < gains->record.transmitter_count; i++)
        rw_device_free(gains->backend, device->tables[i]);
    free(device->tables);
    *device = (rw_gains_device){0};
}

rw_gain_view rw_gains_view(const rw_gains *gains)
{
    const rw_gains_device *device = &gains->device;
    return (rw_gain_view){.paths = device->paths,
                          .nodes = device->nodes,
                          .numbers = device->numbers,
                          .slopes = device->slopes,
                          .walls = device->walls,
                          .senders = device->senders,
                          .states = device->states,
                          .path_count = gains->record.path_count,
                          .wavelength_m = gains->record.wavelength_m,
                          .freq_hz = gains->record.freq_hz};
}
