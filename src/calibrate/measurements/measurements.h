/* Measurements in memory: usable samples in the order of the file, as path loss. */
#ifndef RW_CALIBRATE_MEASUREMENTS_MEASUREMENTS_H
#define RW_CALIBRATE_MEASUREMENTS_MEASUREMENTS_H

#include "base/text/csv.h"

#include <rasterwave/calibrate.h>

typedef struct rw_sample {
    double x_m, y_m, z_m; /* z is NaN where not given */
    double path_loss_db;  /* NaN where it is that of a site (link_budget.c) */
    double power_dbm;     /* NaN where path loss was measured */
    size_t row;           /* of the table */
} rw_sample;

struct rw_measurements {
    rw_context *context;
    rw_csv csv; /* routes and sites are named in it */
    rw_sample *samples;
    size_t sample_count, not_numbers, not_chosen;
    size_t route_column, site_column, device_column; /* RW_CSV_NO_COLUMN where there is none */
    int by_site;                                     /* power was measured, and the site says what was sent */
    int z_named;                                     /* a header or the caller said which column z is */
    double power_fraction_db; /* of the site's power, what belongs to the measured one; 0 but for RSRP */
};

/* The name of a sample's route, site or device; "" where the file names none. */
const char *rw_sample_route(const rw_measurements *measurements, size_t sample);
const char *rw_sample_site(const rw_measurements *measurements, size_t sample);
const char *rw_sample_device(const rw_measurements *measurements, size_t sample);

/* Which column of a table of measurements holds what. */
typedef struct rw_measurement_columns {
    size_t x, y, value;            /* always there */
    size_t z, route, site, device; /* RW_CSV_NO_COLUMN where there is none */
    int is_degrees;                /* x and y are called longitude and latitude */
} rw_measurement_columns;

/* From "x=EAST,y=NORTH,value=LOSS", the usual names for what it leaves out, and the order x, y, [z,] value in files
 * without a header. choice may be NULL. */
rw_status rw_measurement_columns_find(const rw_csv *csv, const char *choice, int is_power,
                                      rw_measurement_columns *columns);

/* Groups of points that share an unknown offset: of one site, of one device, or of one device at one site. */
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
