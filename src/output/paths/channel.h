/* Channels of antenna arrays: the arrays of a channel file in memory. */
#ifndef RW_OUTPUT_PATHS_CHANNEL_H
#define RW_OUTPUT_PATHS_CHANNEL_H

#include "ext/hdf5.h"
#include "output/paths/paths.h"

/* Of one pair of receiver and transmitter. */
enum {
    RW_CHANNEL_POWER,
    RW_CHANNEL_MEAN_DELAY,
    RW_CHANNEL_DELAY_SPREAD,
    RW_CHANNEL_AZIMUTH_SPREAD_T,
    RW_CHANNEL_AZIMUTH_SPREAD_R,
    RW_CHANNEL_ELEVATION_SPREAD_T,
    RW_CHANNEL_ELEVATION_SPREAD_R,
    RW_CHANNEL_FIGURES
};

typedef struct rw_channel {
    size_t points, transmitters, paths, taps; /* paths: the most of a pair */
    size_t rx_elements, tx_elements;          /* tx: of one port */
    size_t ports, frequencies;
    rw_vec3 *rx_positions_m,
        *tx_positions_m;     /* of the elements, each in its antenna's frame; tx: transmitter after transmitter */
    float *a, *h, *response; /* real and imaginary parts by turns */
    size_t *slots;           /* of each path of the list, its number among those of its pair */
    double *tau, *angles[4]; /* theta_t, phi_t, theta_r, phi_r */
    double *figures[RW_CHANNEL_FIGURES];
    uint32_t *counts;
} rw_channel;

/* Checks the options and fills everything. To be destroyed in any case. */
rw_status rw_channel_create(const rw_paths *paths, const rw_channel_options *options, rw_channel *channel);
void rw_channel_destroy(rw_channel *channel);

/* One of the frequencies of a response, off the carrier: the middles of equal shares of the bandwidth. */
double rw_channel_frequency_hz(double bandwidth_hz, size_t frequencies, size_t index);

/* Places, motion and geometry of the channels' paths, as sets of the file (channel_sets.c). */
typedef struct rw_channel_extra {
    double *positions, *times, *velocities, *doppler, *vertices, *frequencies_hz;
    uint8_t *interactions;
    size_t vertex_count; /* the most of a path */
} rw_channel_extra;

#define RW_CHANNEL_EXTRA_SETS 8

/* Fills them; to be destroyed in any case. */
rw_status rw_channel_extra_create(const rw_paths *paths, const rw_channel *channel, double bandwidth_hz,
                                  rw_channel_extra *extra);
void rw_channel_extra_destroy(rw_channel_extra *extra);

/* At most RW_CHANNEL_EXTRA_SETS sets that point to them; returns how many. */
size_t rw_channel_extra_list(const rw_channel *channel, const rw_channel_extra *extra, rw_hdf5_dataset *sets);

#endif
