/* A field of residuals, measured minus predicted loss, between the points where it was measured: simple kriging.
 *
 * Residuals of one site are correlated over distance as e^(-d / length) (3GPP TR 38.901 section 7.4.4; lengths in table
 * 7.5-6), those of two sites in addition by a factor: 0.9 between cells of one mast and azimuth, 0.3 between others.
 * What a sample has of its own, noise, is not shared with its neighbours. The mean of the field is 0, so that far from
 * all samples a prediction stays as it is.
 *
 * The system of all samples would cost n^3 / 3 operations, 2.7e12 for 20 000. An exponential covariance screens what
 * lies behind other samples, so a square of half a length uses the nearest RW_KRIGING_OWN samples of its own mast and
 * the nearest RW_KRIGING_OTHER of others within three lengths: 80^3 / 3 = 1.7e5 operations a square, and for each point
 * 80 exponentials and 80^2 / 2 multiply-adds. The squares lie at fixed coordinates: the value at a point does not
 * depend on the map that it is part of. */
#ifndef RW_MECHANISMS_MEASURED_KRIGING_H
#define RW_MECHANISMS_MEASURED_KRIGING_H

#include "base/context.h"

#define RW_KRIGING_OWN 48
#define RW_KRIGING_OTHER 32
#define RW_KRIGING_MAX (RW_KRIGING_OWN + RW_KRIGING_OTHER)
#define RW_KRIGING_SAME_MAST 0.9
#define RW_KRIGING_OTHER_MAST 0.3

typedef struct rw_residual {
    double x_m, y_m;
    double value_db;
    double noise_db2; /* variance that its neighbours do not share */
    uint32_t site;
} rw_residual;

typedef struct rw_residual_field {
    double sill_db2;   /* variance that neighbours share */
    double nugget_db2; /* variance of one more sample that they do not */
    double length_m;
    size_t count;
    rw_residual *items; /* sorted by bucket */
    /* Buckets of one length: those of row r and column c are items[first[r * columns + c]] up to the next's first. */
    double x0_m, y0_m, bucket_m;
    size_t columns, rows;
    size_t *first;
} rw_residual_field;

/* Sorts the items, which then belong to the field, and builds its buckets. */
rw_status rw_residual_field_create(rw_context *context, rw_residual *items, size_t count, rw_residual_field *field);
void rw_residual_field_destroy(rw_residual_field *field);

/* The sites of the residuals and their sectors (correction.h), and the prediction's own site and sector; UINT32_MAX: it
 * is of neither. */
typedef struct rw_kriging_target {
    const uint32_t *sectors; /* of each site */
    uint32_t site, sector;
} rw_kriging_target;

/* The solved system of one square. */
typedef struct rw_kriging {
    const rw_residual_field *field;
    rw_kriging_target target;
    int64_t column, row;
    int is_solved;
    size_t count;
    const rw_residual *samples[RW_KRIGING_MAX];
    double correlations[RW_KRIGING_MAX];           /* of the target with each sample's site, times the sill */
    double factor[RW_KRIGING_MAX][RW_KRIGING_MAX]; /* lower triangle of the Cholesky factor */
    double weights[RW_KRIGING_MAX];                /* covariance^-1 residuals */
    struct rw_kriging_candidate *candidates;       /* working memory, grown as needed */
    size_t capacity;
} rw_kriging;

/* The field at a point. variance_db2: of one more sample there; NULL: not needed. benefit_db: by how much, in mean over
 * the surroundings, one more sample here would lower the standard deviation; NULL: not needed. Without memory for the
 * neighbours the field is taken as unknown. */
double rw_kriging_estimate(rw_kriging *kriging, double x_m, double y_m, double *variance_db2, double *benefit_db);
void rw_kriging_free(rw_kriging *kriging);

/* Sill and nugget from the residuals' own differences: gamma(h) = nugget + sill (1 - e^(-h / length)), by weighted
 * least squares over pairs of one site within two lengths, within physical limits. */
rw_status rw_residual_field_fit(rw_context *context, const rw_residual *items, size_t count, double length_m,
                                double *sill_db2, double *nugget_db2);

#endif
