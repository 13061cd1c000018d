/* From an antenna of the scene to a pattern that kernels read. */
#ifndef RW_FIELD_PATHS_PATTERN_H
#define RW_FIELD_PATHS_PATTERN_H

#include "field/paths/ray_field.k.h"
#include "scene/antennas/antenna.h"

/* The antenna where it stands; its field is along its own theta. amplitudes takes RW_PATTERN_ROWS * RW_PATTERN_COLUMNS
 * values where the antenna needs a table, and is pointed to by the pattern then. */
void rw_pattern_init(const rw_antenna *antenna, const rw_transmitter *transmitter, float *amplitudes,
                     rw_pattern *pattern);

/* Tables of a pattern on the host and on a backend, kept for the next antenna that is placed. */
typedef struct rw_device_pattern {
    float *amplitudes;
    void *copy;
} rw_device_pattern;

/* The antenna as kernels read it on the host and on the backend. */
rw_status rw_pattern_upload(rw_context *context, rw_backend backend, const rw_antenna *antenna,
                            const rw_transmitter *transmitter, rw_device_pattern *buffers, rw_pattern *host,
                            rw_pattern *device);
void rw_pattern_release(rw_backend backend, rw_device_pattern *buffers);

/* Isotropic and vertically polarised. */
rw_pattern rw_pattern_receiver(void);

#endif
