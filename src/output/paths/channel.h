/* Channels of antenna arrays: the arrays of a channel file in memory. */
#ifndef RW_OUTPUT_PATHS_CHANNEL_H
#define RW_OUTPUT_PATHS_CHANNEL_H

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
    size_t rx_elements, tx_elements;
    rw_vec3 *rx_places_m,
        *tx_places_m;        /* of the elements, each in its antenna's frame; tx: transmitter after transmitter */
    float *a, *h;            /* real and imaginary parts by turns */
    double *tau, *angles[4]; /* theta_t, phi_t, theta_r, phi_r */
    double *figures[RW_CHANNEL_FIGURES];
    uint32_t *counts;
} rw_channel;

/* Checks the options and fills everything. To be destroyed in any case. */
rw_status rw_channel_create(const rw_paths *paths, const rw_channel_options *options, rw_channel *channel);
void rw_channel_destroy(rw_channel *channel);

#endif
