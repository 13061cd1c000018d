/* Sets of a channel file beside the coefficients: where the points are and how they move, Doppler shifts, the vertices
 * and interactions of each path, and the frequency response. */
#include "base/memory.h"
#include "output/paths/channel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NO_INTERACTION 255

void rw_channel_extra_destroy(rw_channel_extra *extra)
{
    free(extra->positions);
    free(extra->times);
    free(extra->velocities);
    free(extra->doppler);
    free(extra->vertices);
    free(extra->frequencies_hz);
    free(extra->interactions);
    *extra = (rw_channel_extra){0};
}

static rw_status allocate_channel_extra(const rw_paths *paths, const rw_channel *channel, rw_channel_extra *extra)
{
    rw_context *context = paths->context;
    size_t cells = channel->points * channel->transmitters * channel->paths;
    for (size_t i = 0; i < paths->count; i++)
        if (paths->entries[i].vertex_count > extra->vertex_count)
            extra->vertex_count = paths->entries[i].vertex_count;
    size_t vertex_slots = cells * extra->vertex_count;
    RW_TRY(rw_array_create(context, 3 * channel->points + 1, sizeof(double), "channels", &extra->positions));
    RW_TRY(rw_array_create(context, 3 * channel->points + 1, sizeof(double), "channels", &extra->velocities));
    RW_TRY(rw_array_create(context, channel->points + 1, sizeof(double), "channels", &extra->times));
    RW_TRY(rw_array_create(context, cells + 1, sizeof(double), "channels", &extra->doppler));
    RW_TRY(rw_array_create(context, 3 * vertex_slots + 1, sizeof(double), "channels", &extra->vertices));
    RW_TRY(rw_array_create(context, vertex_slots + 1, 1, "channels", &extra->interactions));
    RW_TRY(rw_array_create(context, channel->frequencies + 1, sizeof(double), "channels", &extra->frequencies_hz));
    for (size_t i = 0; i < 3 * vertex_slots; i++)
        extra->vertices[i] = NAN;
    memset(extra->interactions, NO_INTERACTION, vertex_slots);
    return RW_OK;
}

static void copy_channel_points(const rw_paths *paths, const rw_channel *channel, rw_channel_extra *extra)
{
    for (size_t i = 0; i < channel->points; i++) {
        const rw_point *at = i < paths->point_count ? &paths->points[i] : NULL;
        const rw_motion motion = rw_paths_motion(paths, i);
        extra->positions[3 * i] = at ? at->x_m : NAN;
        extra->positions[3 * i + 1] = at ? at->y_m : NAN;
        extra->positions[3 * i + 2] = at ? at->height_m : NAN;
        extra->times[i] = motion.time_s;
        memcpy(extra->velocities + 3 * i, motion.velocity_m_s, sizeof motion.velocity_m_s);
    }
}

static rw_status fill_path(const rw_paths *paths, const rw_channel *channel, size_t index, rw_channel_extra *extra)
{
    rw_path path = {.size = sizeof path};
    RW_TRY(rw_paths_get(paths, index, &path));
    size_t pair = path.point * channel->transmitters + path.transmitter / channel->ports;
    size_t cell = pair * channel->paths + channel->slots[index];
    extra->doppler[cell] = path.doppler_hz;
    for (size_t i = 0; i < path.vertex_count; i++) {
        size_t at = cell * extra->vertex_count + i;
        extra->vertices[3 * at] = path.vertices[i].x_m;
        extra->vertices[3 * at + 1] = path.vertices[i].y_m;
        extra->vertices[3 * at + 2] = path.vertices[i].z_m;
        extra->interactions[at] = (uint8_t)path.vertices[i].interaction;
    }
    return RW_OK;
}

rw_status rw_channel_extra_create(const rw_paths *paths, const rw_channel *channel, double bandwidth_hz,
                                  rw_channel_extra *extra)
{
    *extra = (rw_channel_extra){0};
    RW_TRY(allocate_channel_extra(paths, channel, extra));
    copy_channel_points(paths, channel, extra);
    for (size_t i = 0; i < channel->frequencies; i++)
        extra->frequencies_hz[i] = rw_channel_frequency_hz(bandwidth_hz, channel->frequencies, i);
    for (size_t i = 0; i < paths->count; i++)
        RW_TRY(fill_path(paths, channel, i, extra));
    return RW_OK;
}

size_t rw_channel_extra_list(const rw_channel *channel, const rw_channel_extra *extra, rw_hdf5_dataset *sets)
{
    size_t points = channel->points, transmitters = channel->transmitters, paths = channel->paths;
    const rw_hdf5_dataset hdf5_dataset[RW_CHANNEL_EXTRA_SETS] = {
        {"position", "m", "x, y and height above ground: rx, 3", RW_HDF5_FLOAT64, 2, {points, 3}, extra->positions, 1},
        {"time", "s", "when the receiver is there: rx", RW_HDF5_FLOAT64, 1, {points}, extra->times, 1},
        {"velocity", "m/s", "east, north and up: rx, 3", RW_HDF5_FLOAT64, 2, {points, 3}, extra->velocities, 1},
        {"doppler",
         "Hz",
         "shift by the velocity: rx, tx, path",
         RW_HDF5_FLOAT64,
         3,
         {points, transmitters, paths},
         extra->doppler,
         1},
        {"vertices",
         "m",
         "from the transmitter to the point: rx, tx, path, vertex, 3; NaN beyond the last",
         RW_HDF5_FLOAT64,
         5,
         {points, transmitters, paths, extra->vertex_count, 3},
         extra->vertices,
         1},
        {"interactions",
         NULL,
         "0 end, 1 street, 2 roof, 3 wall, 4 reflection, 5 scattering, 255 none: rx, tx, path, vertex",
         RW_HDF5_UINT8,
         4,
         {points, transmitters, paths, extra->vertex_count},
         extra->interactions,
         1},
        {"frequency", "Hz", "off the carrier", RW_HDF5_FLOAT64, 1, {channel->frequencies}, extra->frequencies_hz, 0},
        {"frequency_response",
         NULL,
         "sum of the paths: rx, rx_ant, tx, tx_ant, frequency",
         RW_HDF5_COMPLEX64,
         5,
         {points, channel->rx_elements, transmitters, channel->ports * channel->tx_elements, channel->frequencies},
         channel->response,
         1}};
    size_t count = RW_CHANNEL_EXTRA_SETS - (channel->frequencies ? 0 : 2);
    memcpy(sets, hdf5_dataset, count * sizeof *sets);
    return count;
}
