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

/* Terms of a point: the number of its paths; and of each path: its length in dB, reflections, walls and corners. */
#define RW_BEAM_TERMS 1
#define RW_BEAM_PATH_TERMS 4

extern const rw_parameter_kind rw_beam_parameters[RW_BEAM_PARAMETERS];

rw_status rw_beam_parameter_defaults(rw_context *context, double freq_hz, double *values);

/* Adds a path to the terms of its point. */
void rw_beam_path_terms(const rw_path *path, float *terms);

/* Loss of the power sum of a point's paths, and its derivatives. */
double rw_beam_terms_loss_db(const float *terms, const double *values, double *derivatives);

#endif
