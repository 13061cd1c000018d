/* Which column of a table of measurements holds what. */
#ifndef RW_CALIBRATE_MEASUREMENTS_MEASUREMENT_COLUMNS_H
#define RW_CALIBRATE_MEASUREMENTS_MEASUREMENT_COLUMNS_H

#include "base/text/csv.h"

#include <rasterwave/calibrate.h>

typedef struct rw_measurement_columns {
    size_t x, y, value;            /* always there */
    size_t z, route, site, device; /* RW_CSV_NO_COLUMN where there is none */
    int is_degrees;                /* x and y are called longitude and latitude */
} rw_measurement_columns;

/* From "x=EAST,y=NORTH,value=LOSS", the usual names for what it leaves out, and the order x, y, [z,] value in files
 * without a header. choice may be NULL. */
rw_status rw_measurement_columns_find(const rw_csv *csv, const char *choice, int is_power,
                                      rw_measurement_columns *columns);

#endif
