#include "network/plan/plan.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

rw_status rw_position_gains_create(rw_context *context, size_t position_count, size_t cell_count,
                                   rw_position_gains *gains)
{
    *gains = (rw_position_gains){.context = context,
                                 .backend = context->backend,
                                 .position_count = position_count,
                                 .first_row = RW_PLAN_ELEVATIONS - 1,
                                 .cell_count = cell_count};
    RW_TRY(
        rw_array_create(context, position_count, sizeof *gains->positions, "places of candidates", &gains->positions));
    RW_TRY(rw_array_create(context, position_count, sizeof *gains->blocks, "places of candidates", &gains->blocks));
    return rw_array_create(context, cell_count, 1, "cells of candidates", &gains->is_reached);
}

void rw_position_gains_destroy(rw_position_gains *gains)
{
    for (size_t i = 0; gains->blocks && i < gains->position_count; i++)
        rw_device_free(gains->backend, gains->blocks[i]);
    free(gains->blocks);
    free(gains->positions);
    free(gains->is_reached);
    *gains = (rw_position_gains){0};
}

rw_status rw_position_gains_add(rw_position_gains *gains, size_t position, const uint32_t *cells,
                                const uint32_t *directions, const uint16_t *losses_cdb, size_t count)
{
    rw_context *context = gains->context;
    rw_plan_position *stored = &gains->positions[position];
    if (count == 0)
        return RW_OK;
    RW_TRY(rw_device_alloc(context, gains->backend, count * RW_POSITION_GAIN_BYTES, "gains of candidates",
                           &gains->blocks[position]));
    uint32_t *all = gains->blocks[position];
    *stored = (rw_plan_position){all, all + count, (const uint16_t *)(all + 2 * count), (uint32_t)count};
    gains->entry_count += count;
    for (size_t i = 0; i < count; i++) {
        uint32_t row = directions[i] >> RW_PLAN_AZIMUTH_BITS;
        gains->first_row = row < gains->first_row ? row : gains->first_row;
        gains->last_row = row > gains->last_row ? row : gains->last_row;
        gains->is_reached[cells[i]] = 1;
    }
    RW_TRY(rw_device_upload(context, gains->backend, all, cells, count * sizeof *cells));
    RW_TRY(rw_device_upload(context, gains->backend, all + count, directions, count * sizeof *directions));
    return rw_device_upload(context, gains->backend, all + 2 * count, losses_cdb, count * sizeof *losses_cdb);
}

uint32_t rw_plan_azimuth_index(double azimuth_deg)
{
    double cycles = azimuth_deg / 360;
    return (uint32_t)((cycles - floor(cycles)) * RW_PLAN_AZIMUTHS + 0.5) & (RW_PLAN_AZIMUTHS - 1u);
}

uint32_t rw_plan_direction_index(rw_vec3 direction)
{
    double plan_m = hypot(direction.x, direction.y);
    double elevation = (atan2(direction.z, plan_m) / PI + 0.5) * (RW_PLAN_ELEVATIONS - 1);
    uint32_t azimuth = plan_m > 0 ? rw_plan_azimuth_index(atan2(direction.x, direction.y) * 180 / PI) : 0;
    return (uint32_t)(elevation + 0.5) << RW_PLAN_AZIMUTH_BITS | azimuth;
}

rw_vec3 rw_plan_direction_vector(uint32_t row, uint32_t azimuth)
{
    double elevation = ((double)row / (RW_PLAN_ELEVATIONS - 1) - 0.5) * PI;
    double bearing = 2 * PI * azimuth / RW_PLAN_AZIMUTHS;
    return rw_vec3_of(cos(elevation) * sin(bearing), cos(elevation) * cos(bearing), sin(elevation));
}
