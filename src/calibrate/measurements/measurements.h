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

#endif
