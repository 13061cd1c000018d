/* A transmitter of the shadow model as kernels see it: where it is, and what interactions cost at its frequency. */
#ifndef RW_MODELS_SHADOW_SOURCE_K_H
#define RW_MODELS_SHADOW_SOURCE_K_H

#include "base/maths/vector.h"
#include "field/edges/deflection.k.h"
#include "field/paths/berg.k.h"
#include "field/paths/multi_wall.k.h"
#include "mechanisms/atmosphere/medium.k.h"
#include "mechanisms/prior/median.k.h"

typedef struct rw_shadow_source {
    rw_vec3 at; /* in the grid's frame */
    double wavelength_m;
    double offset_db;    /* added to the path loss, and to every path */
    int berg;            /* along streets by Berg's recursion; 0: by the polynomial */
    float q90;           /* Berg's loss at a right angle */
    double street_reach; /* of Berg's distance over the straight one: paths end where this times it is above 1; 0: never
                          */
    float street_depth_m;    /* what is higher above the ground blocks Berg's paths between corners, at any altitude */
    float street_longest_m;  /* of Berg's paths in plan, to the farthest receiver */
    float street_farthest_m; /* from the source to it; infinite: not limited */
    rw_deflection street, roof;
    float street_min_db;   /* no turn costs less by street */
    float street_slope_db; /* steepest slope of street between 0 and pi, per radian */
    double roof_count_db; /* of each wall below the line, where roofs are only counted; negative: as a row of screens */
    rw_wall_kind wall;
    double roof_scale,
        wall_scale;  /* of losses over roofs by screens and through walls by slabs: 1 without calibration */
    float facade_db; /* at the facade behind the receiver, on the way over roofs by screens */
    rw_prior prior;
    rw_medium medium; /* on ways round corners */
} rw_shadow_source;

#endif
