/* Bounds on the heights of rays: along a ray the height runs straight over the unfolded plan, so it has one slope, and
 * what it passes over or is turned by bounds that slope. */
#ifndef RW_MODELS_BEAMS_FANS_RAY_HEIGHTS_K_H
#define RW_MODELS_BEAMS_FANS_RAY_HEIGHTS_K_H

#include "base/kernel/qualifiers.h"
#include <math.h>

/* What is known of the heights of a fan's rays. */
typedef struct rw_ray_heights {
    float low_m, high_m; /* every ray runs between these altitudes */
    double source_m, receiver_low_m, receiver_high_m;
    double before_m;              /* length in plan from the source to the fan's origin */
    double slope_low, slope_high; /* rays rise by more than one and by less than the other, a metre of plan */
    double longest_m;             /* no ray is longer in plan, for whatever other reason */
} rw_ray_heights;

/* The slope that a ray has at least where it passes over something between two distances. */
RW_FN double rw_slope_over(const rw_ray_heights *heights, double near_m, double far_m, double top_m)
{
    double rise_m = top_m - heights->source_m;
    return rise_m / (rise_m < 0 ? near_m : far_m);
}

/* The slope that a ray has at most where it meets something below its top. */
RW_FN double rw_slope_under(const rw_ray_heights *heights, double near_m, double far_m, double top_m)
{
    double rise_m = top_m - heights->source_m;
    return rise_m / (rise_m < 0 ? far_m : near_m);
}

/* Bounds with a part in a million left for rounding. */
RW_FN double rw_slope_below(double slope)
{
    return slope - 1e-6 * fabs(slope);
}

RW_FN double rw_slope_above(double slope)
{
    return slope + 1e-6 * fabs(slope);
}

/* The highest and the lowest that a ray can be between two distances in plan. */
RW_FN double rw_highest_ray_m(const rw_ray_heights *heights, double near_m, double far_m)
{
    double slope = heights->slope_high, ray_m = heights->source_m + slope * (slope < 0 ? near_m : far_m);
    return ray_m < (double)heights->high_m ? ray_m : (double)heights->high_m;
}

RW_FN double rw_lowest_ray_m(const rw_ray_heights *heights, double near_m, double far_m)
{
    double slope = heights->slope_low, ray_m = heights->source_m + slope * (slope < 0 ? far_m : near_m);
    return ray_m > (double)heights->low_m ? ray_m : (double)heights->low_m;
}

/* No ray is longer in plan: it has come down to the lowest receiver, or up to the highest. */
RW_FN double rw_ray_reach_m(const rw_ray_heights *heights)
{
    double reach_m = INFINITY;
    if (heights->slope_high < 0)
        reach_m = (heights->receiver_low_m - heights->source_m) / heights->slope_high;
    else if (heights->slope_low > 0)
        reach_m = (heights->receiver_high_m - heights->source_m) / heights->slope_low;
    return reach_m < heights->longest_m ? reach_m : heights->longest_m;
}

#endif
