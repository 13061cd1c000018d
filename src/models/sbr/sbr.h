/* One transmitter by launched rays to every receiver. */
#ifndef RW_MODELS_SBR_SBR_H
#define RW_MODELS_SBR_SBR_H

#include "discretise/receivers/receivers.h"
#include "models/rays/rays.h"

extern const rw_model_option rw_sbr_options[]; /* options.c */

extern const rw_rays_search rw_sbr_search; /* solve.c */

typedef struct rw_sbr_settings {
    size_t divisions; /* what an edge of the icosahedron is cut into; 10 parts^2 + 2 rays */
    int depth;
    double sphere_m; /* radius of spheres that take every ray by its density; 0: the nearest ray counts */
    double limit_s;  /* no rays are launched after this time; 0: all are */
} rw_sbr_settings;

/* sums are on the host and zero. launched: how many rays there was time for; may be NULL. */
rw_status rw_sbr_solve(rw_ray_scene *scene, const rw_points *points, const rw_sbr_settings *settings, rw_ray_sums *sums,
                       size_t *launched);

#endif
