/* The beams model's parameters for calibration (parameters.c). */
#ifndef RW_MODELS_BEAMS_PARAMETERS_H
#define RW_MODELS_BEAMS_PARAMETERS_H

#include "models/engine/model.h"

/* The order of the parameters. */
enum {
    RW_BEAM_EXPONENT,
    RW_BEAM_CONSTANT,
    RW_BEAM_REFLECTION,       /* the first, second, third and further ones */
    RW_BEAM_TRANSMISSION = 6, /* the first and further ones */
    RW_BEAM_DIFFRACTION = 8,  /* the same */
    RW_BEAM_PARAMETERS = 10
};

#define RW_BEAM_PATHS_FITTED 24 /* strongest paths of a point that a fit takes */
#define RW_BEAM_TERMS (1 + 4 * RW_BEAM_PATHS_FITTED)

extern const rw_parameter_kind rw_beam_parameters[RW_BEAM_PARAMETERS];

rw_status rw_beam_parameter_defaults(rw_context *context, double freq_hz, double *values);

/* Adds a path to the terms of its point: how many there are, and of each its length in dB and its interactions. */
void rw_beam_path_terms(const rw_path *path, float *terms);

/* Loss of the power sum of a point's paths, and its derivatives. */
double rw_beam_terms_loss_db(const float *terms, const double *values, double *derivatives);

#endif
