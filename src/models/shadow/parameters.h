/* The shadow model's parameters for calibration. */
#ifndef RW_MODELS_SHADOW_PARAMETERS_H
#define RW_MODELS_SHADOW_PARAMETERS_H

#include "models/engine/model.h"

/* Places in the list; curves have four. */
enum {
    RW_SHADOW_OFFSET,
    RW_SHADOW_STREET_CURVE,
    RW_SHADOW_ROOF_CURVE = RW_SHADOW_STREET_CURVE + 4,
    RW_SHADOW_ROOF_COUNT = RW_SHADOW_ROOF_CURVE + 4,
    RW_SHADOW_WALL_FIRST,
    RW_SHADOW_WALL_RATIO,
    RW_SHADOW_STREET_Q90,
    RW_SHADOW_ROOF_SCALE,
    RW_SHADOW_WALL_SCALE,
    RW_SHADOW_PRIOR_WEIGHT,
    RW_SHADOW_FACADE,
    RW_SHADOW_PARAMETERS
};

extern const rw_parameter_kind rw_shadow_parameters[RW_SHADOW_PARAMETERS];

rw_status rw_shadow_parameter_defaults(rw_context *context, double freq_hz, double *values);

/* A path in few numbers: free-space loss; at corners and, in the next four, at roofs: deflections and the sums of their
 * angles, of the squares and of the cubes; roofs that were only counted; walls. */
enum {
    RW_SHADOW_TERM_FREE_SPACE,
    RW_SHADOW_TERM_STREET,
    RW_SHADOW_TERM_ROOF = RW_SHADOW_TERM_STREET + 4,
    RW_SHADOW_TERM_COUNTED_ROOFS = RW_SHADOW_TERM_ROOF + 4,
    RW_SHADOW_TERM_WALLS,
    RW_SHADOW_TERM_BY_MECHANISM, /* 1: the next ones count and not those before */
    RW_SHADOW_TERM_DIRECT,       /* free space over the straight line */
    RW_SHADOW_TERM_SIGHT,        /* 1 in line of sight */
    RW_SHADOW_TERM_STREET_DB,    /* loss of each way alone */
    RW_SHADOW_TERM_STREET_STEP,  /* what q90 times e adds to it */
    RW_SHADOW_TERM_STREET_Q90,   /* for which it is */
    RW_SHADOW_TERM_ROOF_DB,      /* without the facade behind the receiver */
    RW_SHADOW_TERM_FACADE_DB,    /* what that adds, over free space over the straight line, were it a mirror */
    RW_SHADOW_TERM_WALL_DB,
    RW_SHADOW_TERM_RULE, /* rw_compose_rule, and the rest of rw_compose_input */
    RW_SHADOW_TERM_MEDIAN,
    RW_SHADOW_TERM_AVAILABLE,
    RW_SHADOW_TERM_BUILT,
    RW_SHADOW_TERM_SLOPE,
    RW_SHADOW_TERM_FOLIAGE,      /* on the straight line */
    RW_SHADOW_TERM_ROOF_FOLIAGE, /* on the way over roofs */
    RW_SHADOW_TERM_AIR,
    RW_SHADOW_TERM_OPEN,   /* of the terrain alone */
    RW_SHADOW_TERM_HILLS,  /* without what a smooth earth costs */
    RW_SHADOW_TERM_GROUND, /* of the terrain in every way */
    RW_SHADOW_TERM_SMOOTH, /* of that, what a smooth earth costs */
    RW_SHADOW_TERMS
};

void rw_shadow_path_terms(const rw_path *path, float *terms);
double rw_shadow_terms_loss_db(const float *terms, const double *values, double *derivatives);

#endif
