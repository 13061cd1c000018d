/* Parameters of models: what each model lists, and values for one model and frequency. */
#ifndef RW_MODELS_ENGINE_PARAMETERS_H
#define RW_MODELS_ENGINE_PARAMETERS_H

#include "base/context.h"
#include "base/maths/sha256.h"
#include "base/text/json.h"
#include "mechanisms/measured/correction.h"

#include <stdio.h>

#define RW_PARAMETERS_MAX 20 /* of a model */
#define RW_TERMS_MAX 256     /* of a path or a point, see model.h */

typedef struct rw_parameter_kind {
    const char *name, *unit, *about;
    const char *group; /* calibrated together; what --fit names */
    double low, high;
    int power; /* of the angle, in a curve of four consecutive parameters (powers 0 to 3); RW_ALONE: in none */
    int held;  /* 1: calibrated only where asked for */
} rw_parameter_kind;

#define RW_ALONE (-1)

/* The four coefficients of a curve: loss over the angle of deflection (field/edges/deflection.k.h). A curve runs
 * through four points of control over [0, pi], none lower than the one before; between two of them it rises by at most
 * RW_CURVE_STEP_DB. The bounds of the coefficients follow from that (unknowns.c of calibrate). */
#define RW_CURVE_STEP_DB 100.0
#define RW_CURVE_PARAMETERS(group, what)                                                                               \
    {group "_a0_db", "dB", "loss of " what " at angle 0", group, 0.0, RW_CURVE_STEP_DB, 0, 0},                         \
        {group "_a1_db_rad", "dB/rad", "its growth with the angle", group, 0.0, 96.0, 1, 0},                           \
        {group "_a2_db_rad2", "dB/rad2", "with the angle squared", group, -31.0, 31.0, 2, 0},                          \
    {                                                                                                                  \
        group "_a3_db_rad3", "dB/rad3", "with the angle cubed", group, -6.5, 6.5, 3, 0                                 \
    }

struct rw_model;

struct rw_params {
    rw_context *context;
    const struct rw_model *model;
    double freq_hz;
    double values[RW_PARAMETERS_MAX];
    double uncalibrated[RW_PARAMETERS_MAX];
    double standard_errors[RW_PARAMETERS_MAX]; /* NaN: not calibrated */
    struct rw_correction *correction;          /* what measurements add in every model; NULL: nothing */
    rw_params_record record;                   /* its texts stand in the next line's */
    char *record_strings;
    unsigned char digest[RW_SHA256_BYTES]; /* of its file; zeros: of none */
};

/* Gives the record copies of its four texts. */
rw_status rw_params_set_record_strings(rw_params *params, const char *data, const char *effects, const char *date,
                                       const char *holdout);

/* Where a name stands in the model's list; the list's length where nowhere. */
size_t rw_params_find(const rw_params *params, const char *name);

/* Whether every value is within its bounds and every curve is physical; source names the values in the sentence. */
rw_status rw_params_check(const rw_params *params, const char *source);

rw_status rw_params_copy(const rw_params *params, rw_params **copy);

/* What measurements add to a prediction, in parameter files. */

/* object NULL: the file has none, and *correction is NULL. After a failure *correction is the caller's to destroy. */
rw_status rw_correction_read(rw_context *context, const char *path, const rw_json *json, const rw_json_value *object,
                             rw_correction **correction);
void rw_correction_write(FILE *stream, const rw_correction *correction);

#endif
