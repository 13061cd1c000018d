/* What measurements add to a prediction, the same in every model: a constant for each site, a distance slope, a
 * contrast between points in and out of sight, and a field of what then remains (kriging.h).
 *
 *     L = L_model + offset(site) + 10 n lg(d / 100 m) + c [out of sight] + residual(x, y, site)
 *
 * with d the distance in space, at least 1 m. It comes after the composition of the mechanisms, and belongs to the
 * parameters of a model (models/engine/parameters.h), whose file stores it. calibrate/fitting finds the values. */
#ifndef RW_MECHANISMS_MEASURED_CORRECTION_H
#define RW_MECHANISMS_MEASURED_CORRECTION_H

#include "base/maths/sha256.h"
#include "mechanisms/measured/kriging.h"
#include "mechanisms/prediction.h"

#define RW_CORRECTION_REFERENCE_M 100.0

/* A site that was measured. */
typedef struct rw_correction_site {
    char *name;
    double x_m, y_m, height_m, azimuth_deg;
    double offset_db;
} rw_correction_site;

typedef struct rw_correction {
    double exponent; /* n */
    double contrast_db;
    double default_offset_db; /* of sites that were not measured */
    double sigma_db;          /* standard deviation of the error where nothing was measured; NaN: not known */
    size_t site_count;
    rw_correction_site *sites;
    uint32_t *sectors;           /* of each site: the same for those of one mast and azimuth */
    rw_residual_field residuals; /* count 0: there is none */
} rw_correction;

rw_status rw_correction_create(rw_context *context, size_t site_count, rw_correction **correction);
rw_status rw_correction_copy(rw_context *context, const rw_correction *correction, rw_correction **copy);
void rw_correction_destroy(rw_correction *correction);

/* Numbers the sectors of the sites: those within 10 m and 20 degrees of each other share one. */
void rw_correction_number_sectors(rw_correction *correction);

/* Adds all that has an effect on values. */
void rw_correction_add(const rw_correction *correction, rw_sha256 *hash);

/* Without the residuals, at one receiver. */
double rw_correction_level_db(const rw_correction *correction, double offset_db, double distance_m, int in_sight);

/* The offset of a transmitter: of the site of that name or, if no site has its name, of the one that stands there. */
double rw_correction_offset_db(const rw_correction *correction, const rw_transmitter *transmitter);

/* The correction of each cell outside buildings for one transmitter of a prediction. sigma_db and benefit_db may be
 * NULL; values_db too. */
rw_status rw_correction_find(const rw_prediction *prediction, const rw_correction *correction, size_t transmitter,
                             float *values_db, float *sigma_db, float *benefit_db);

#endif
