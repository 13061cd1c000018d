/* Groups of points that share an unknown offset: of one site, of one device, or of one device at one site. */
#ifndef RW_CALIBRATE_MEASUREMENTS_GROUPS_H
#define RW_CALIBRATE_MEASUREMENTS_GROUPS_H

#include "calibrate/measurements/measurements.h"

typedef struct rw_offset_kind {
    int by_site, by_device;
} rw_offset_kind;

/* "none" (also NULL), "site", "device" or "site,device". */
rw_status rw_offset_kind_parse(rw_context *context, const char *string, rw_offset_kind *kind);

/* A number for each device that the samples name, in the order of the file, and how many there are. devices has room
 * for every sample. */
rw_status rw_sample_devices(const rw_measurements *measurements, uint32_t *devices, size_t *device_count);

/* Adds to predicted what makes the mean error of each group zero. groups: of each point, below group_count; offsets and
 * counts: of each group, to be filled. */
void rw_offsets_fit(const double *measured_db, double *predicted_db, const uint32_t *groups, size_t count,
                    size_t group_count, double *offsets_db, size_t *counts);

#endif
