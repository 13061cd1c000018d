/* What is kept out of a fit, to see how good the fit is elsewhere. */
#ifndef RW_CALIBRATE_FITTING_HOLDOUT_H
#define RW_CALIBRATE_FITTING_HOLDOUT_H

#include "calibrate/measurements/samples.h"

#include <rasterwave/calibrate.h>

typedef enum rw_holdout_kind { RW_HOLDOUT_NONE, RW_HOLDOUT_ROUTE, RW_HOLDOUT_SITE, RW_HOLDOUT_RANDOM } rw_holdout_kind;

typedef struct rw_holdout {
    rw_holdout_kind kind;
    const char *name; /* of the route or site */
    double fraction;
} rw_holdout;

/* "route=NAME", "site=NAME" or "random=0.3"; NULL: nothing. The name stays in the text. */
rw_status rw_holdout_parse(rw_context *context, const char *string, rw_holdout *holdout);

/* Samples of the route or site; NULL where none is marked (nothing is held out, or it is drawn). To be freed. */
rw_status rw_holdout_samples(const rw_holdout *holdout, const rw_measurements *measurements, uint8_t **held_out);

/* Draws places where that is asked for, and puts those that are held out behind the others. */
rw_status rw_holdout_divide(const rw_holdout *holdout, uint64_t seed, rw_sample_points *sample_points);

/* How many places come before those. Fails where one side is empty. */
rw_status rw_holdout_count(const rw_holdout *holdout, const rw_sample_points *sample_points, size_t *fit_count);

#endif
