/* The images model's parameters for calibration (parameters.c). */
#ifndef RW_MODELS_RAYS_RAY_PARAMETERS_H
#define RW_MODELS_RAYS_RAY_PARAMETERS_H

#include "field/surfaces/construction.k.h"
#include "models/engine/model.h"

/* The order of the parameters: factors of materials from 0 on, then these. */
enum { RW_IMAGE_OTHER = 5, RW_IMAGE_REFLECTION, RW_IMAGE_OFFSET, RW_IMAGE_PARAMETERS };

#define RW_IMAGE_PATHS_FITTED 30 /* of a point, one by one; those weaker are one together */
#define RW_IMAGE_PATH_TERMS (1 + RW_IMAGE_OFFSET)
#define RW_IMAGE_TERMS (2 + RW_IMAGE_PATH_TERMS * RW_IMAGE_PATHS_FITTED)

extern const rw_parameter_kind rw_image_parameters[RW_IMAGE_PARAMETERS];

rw_status rw_image_parameter_defaults(rw_context *context, double freq_hz, double *values);

/* Which factor a material of that name takes. */
size_t rw_image_material(const char *name);

/* Gives a construction its factors; user: the values. As rw_ray_scene_request wants it. */
void rw_image_adjust(void *user, const char *material, rw_construction *wall);

/* Adds a path to the terms of its point. */
void rw_image_path_terms(const rw_path *path, float *terms);

/* Loss of the power sum of a point's paths, and its derivatives. */
double rw_image_terms_loss_db(const float *terms, const double *values, double *derivatives);

#endif
