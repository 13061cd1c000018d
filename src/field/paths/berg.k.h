/* Loss along streets, with the reflections that walls on both sides guide round corners: Berg's recursion.
 *
 * After Berg (PIMRC 1995; COST 231 final report, section 4.4): each turn by an angle makes the legs that follow count
 * longer, k' = k + d q(angle), and the illusory distance grows by the leg times that, d' = d + k' s. The loss is that
 * of free space over the illusory distance. q(angle) = q90 (angle / 90 degrees)^1.5, with q90 = 0.5 at 947 MHz and
 * growing as the root of the frequency: sqrt(0.079 m / wavelength). Reciprocal: both ends give the same distance. For
 * transmitters below the roofs. */
#ifndef RW_FIELD_PATHS_BERG_K_H
#define RW_FIELD_PATHS_BERG_K_H

#include "base/maths/elementary.h"

typedef struct rw_berg {
    float distance_m; /* illusory */
    float factor;     /* by which the next leg counts longer */
} rw_berg;

RW_FN rw_berg rw_berg_start(float length_m)
{
    rw_berg berg = {length_m, 1.0f};
    return berg;
}

RW_FN double rw_berg_q90(double wavelength_m)
{
    return sqrt(0.079 / wavelength_m);
}

RW_FN float rw_berg_q(float q90, float angle_rad)
{
    float quarters = angle_rad * (float)(2.0 / RW_PI);
    return q90 * quarters * sqrtf(quarters);
}

/* A turn, and the leg after it. */
RW_FN rw_berg rw_berg_diffract(rw_berg before, float q90, float angle_rad, float length_m)
{
    rw_berg after;
    after.factor = before.factor + before.distance_m * rw_berg_q(q90, angle_rad);
    after.distance_m = before.distance_m + after.factor * length_m;
    return after;
}

/* Whether one way to a corner is no worse than another whichever way both go on, where the directions in which they
 * arrive differ by apart_rad: then it turns by no more than the other's angle and apart_rad. What remains of the
 * difference is least where the slopes of the two terms are equal. */
RW_FN int rw_berg_dominates(rw_berg better, rw_berg other, float q90, float apart_rad)
{
    if (!(better.distance_m <= other.distance_m))
        return 0;
    float ratio = better.distance_m / other.distance_m, square = ratio * ratio;
    float angle = square < 0.9999f ? apart_rad * square / (1.0f - square) : (float)RW_PI;
    angle = angle < (float)RW_PI ? angle : (float)RW_PI;
    return better.factor + better.distance_m * rw_berg_q(q90, angle + apart_rad) <=
           other.factor + other.distance_m * rw_berg_q(q90, angle);
}

/* Legs between corners are no longer: beyond it a street bends or ends, and from high masts whole cities are in sight.
 */
#define RW_BERG_LEG_MAX_M 1000.0f

/* How long a path along streets may be in plan: far beside the straight line the roofs bring more. It depends on the
 * two ends alone, so that an answer at one place does not depend on which others are asked. */
RW_FN float rw_berg_longest_m(float straight_m)
{
    return 1.5f * straight_m + 300.0f;
}

#endif
