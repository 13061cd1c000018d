/* A fan: all directions between two edges, seen from a point, and the walls in it as lines over those directions.
 *
 * After section 4.2 of Schmitz and others (2011), where a beam is the view from a (virtual) source through an image
 * line. The transformation: with q = alpha right + beta left a point seen from the origin, u = beta / (alpha + beta)
 * runs from 0 at the right edge to 1 at the left one, and w = 1 / (alpha + beta) is the larger the nearer the point.
 * Straight walls are straight in (u, w), so that the nearest wall is the highest line. Corners that walls share get
 * the same u to the bit. Fans are narrower than 90 degrees. */
#ifndef RW_MODELS_BEAMS_FANS_FAN_K_H
#define RW_MODELS_BEAMS_FANS_FAN_K_H

#include "base/kernel/lanes.h"
#include "base/maths/vector.h"
#include <stddef.h>

typedef struct rw_fan {
    rw_vec2 origin;
    rw_vec2 right, left;      /* directions of the edges; left is counter-clockwise of right */
    int has_near;             /* whether only what lies beyond a line counts */
    rw_vec2 near_at, near_in; /* a point of that line, and its normal into the beam, of length 1 */
    double min_length;        /* no direction between the edges is shorter: 1 for edges of length 1 that are one */
} rw_fan;

/* A wall in a fan: over u0 to u1 its nearness runs straight from w0 to w1. */
typedef struct rw_fan_wall {
    double u0, w0, u1, w1;
    uint32_t wall;
    float passed_m;  /* the walk is past all of it where it has come so far along its axis */
    float slope_low; /* rays that get to it rise by more, a metre of plan */
    uint8_t solid;   /* it ends every ray that meets it, whatever its height */
    uint8_t turned;  /* its first end is at u1 */
    uint8_t cut;     /* bit 0: the stretch does not begin at an end of the wall; bit 1: it does not stop at one */
    uint8_t horizon; /* it is part of the horizon already */
} rw_fan_wall;

/* What is that much nearer than the near line is still beyond it: corners of the wall that the line is of. */
#define RW_NEAR_TOLERANCE_M 1e-9

RW_FN rw_vec2 rw_fan_direction(const rw_fan *fan, double u)
{
    return u <= 0   ? fan->right
           : u >= 1 ? fan->left
                    : rw_vec2_of(fan->right.x + u * (fan->left.x - fan->right.x),
                                 fan->right.y + u * (fan->left.y - fan->right.y));
}

/* For edges of length 1: the chord between them is nearest to the origin in its middle. */
RW_FN double rw_fan_min_length(rw_vec2 right, rw_vec2 left)
{
    double x = 0.5 * (right.x + left.x), y = 0.5 * (right.y + left.y);
    return sqrt(x * x + y * y);
}

/* Angle between two directions, right to left; of narrow fans and wide ones. */
RW_FN double rw_angle_between(rw_vec2 right, rw_vec2 left)
{
    return atan2(rw_vec2_cross(right, left), rw_vec2_dot(right, left));
}

/* The stretch t_begin to t_end of a line that lies where a + t (b - a) >= 0. Returns whether anything is left. */
RW_FN int rw_clip_stretch(double a, double b, double *t_begin, double *t_end)
{
    if (a >= 0 && b >= 0)
        return 1;
    if (a < 0 && b < 0)
        return 0;
    double t = a / (a - b);
    if (a < 0)
        *t_begin = t > *t_begin ? t : *t_begin;
    else
        *t_end = t < *t_end ? t : *t_end;
    return *t_begin < *t_end;
}

/* The stretch of a wall that is left by clipping, and at which u it was cut off last: 0 and 1 are the fan's edges,
 * other numbers are no edge. Computed from the cut, u would come out beside the edge by its rounding, and a wall that
 * reaches beyond the fan would leave a crack. */
typedef struct rw_fan_cut {
    double begin, end;
    double u_begin, u_end;
} rw_fan_cut;

#define RW_NO_EDGE 2.0

/* Clips to where a + t (b - a) >= 0, which ends at u. Returns whether anything is left. */
RW_FN int rw_fan_cut_at(double a, double b, double u, rw_fan_cut *cut)
{
    double begin = cut->begin, end = cut->end;
    if (!rw_clip_stretch(a, b, &cut->begin, &cut->end))
        return 0;
    cut->u_begin = cut->begin != begin ? u : cut->u_begin;
    cut->u_end = cut->end != end ? u : cut->u_end;
    return 1;
}

/* Transformation and clipping of one wall. Returns 0 where nothing of it lies in the fan, or where it is seen edge-on.
 */
RW_FN int rw_fan_project(const rw_fan *fan, rw_vec2 p0, rw_vec2 p1, rw_fan_wall *out)
{
    rw_vec2 q0 = rw_vec2_sub(p0, fan->origin), q1 = rw_vec2_sub(p1, fan->origin);
    double a0 = rw_vec2_cross(q0, fan->left), b0 = rw_vec2_cross(fan->right, q0);
    double a1 = rw_vec2_cross(q1, fan->left), b1 = rw_vec2_cross(fan->right, q1);
    rw_fan_cut cut = {0, 1, RW_NO_EDGE, RW_NO_EDGE};
    if (!rw_fan_cut_at(a0, a1, 1, &cut) || !rw_fan_cut_at(b0, b1, 0, &cut))
        return 0;
    if (fan->has_near) {
        double n0 = rw_vec2_dot(rw_vec2_sub(p0, fan->near_at), fan->near_in);
        double n1 = rw_vec2_dot(rw_vec2_sub(p1, fan->near_at), fan->near_in);
        if (n0 <= RW_NEAR_TOLERANCE_M && n1 <= RW_NEAR_TOLERANCE_M)
            return 0;
        if ((n0 < -RW_NEAR_TOLERANCE_M || n1 < -RW_NEAR_TOLERANCE_M) && !rw_fan_cut_at(n0, n1, RW_NO_EDGE, &cut))
            return 0;
    }
    double begin = cut.begin, end = cut.end;
    double ab = begin == 0 ? a0 : a0 + begin * (a1 - a0), bb = begin == 0 ? b0 : b0 + begin * (b1 - b0);
    double ae = end == 1 ? a1 : a0 + end * (a1 - a0), be = end == 1 ? b1 : b0 + end * (b1 - b0);
    double sum_begin = ab + bb, sum_end = ae + be, span = rw_vec2_cross(fan->right, fan->left);
    if (!(sum_begin > 0) || !(sum_end > 0))
        return 0;
    double u_begin = cut.u_begin != RW_NO_EDGE ? cut.u_begin : bb / sum_begin;
    double u_end = cut.u_end != RW_NO_EDGE ? cut.u_end : be / sum_end;
    u_begin = u_begin < 0 ? 0 : u_begin > 1 ? 1 : u_begin;
    u_end = u_end < 0 ? 0 : u_end > 1 ? 1 : u_end;
    if (u_begin == u_end)
        return 0;
    int turned = u_begin > u_end;
    out->turned = (uint8_t)turned;
    out->u0 = turned ? u_end : u_begin;
    out->u1 = turned ? u_begin : u_end;
    out->w0 = span / (turned ? sum_end : sum_begin);
    out->w1 = span / (turned ? sum_begin : sum_end);
    int cut_begin = begin != 0, cut_end = end != 1;
    out->cut = (uint8_t)(turned ? cut_end | cut_begin << 1 : cut_begin | cut_end << 1);
    return 1;
}

RW_FN double rw_fan_nearness(const rw_fan_wall *wall, double u)
{
    return u <= wall->u0   ? wall->w0
           : u >= wall->u1 ? wall->w1
                           : wall->w0 + (wall->w1 - wall->w0) * ((u - wall->u0) / (wall->u1 - wall->u0));
}

/* The point of the wall that is seen at u. */
RW_FN rw_vec2 rw_fan_point(const rw_fan *fan, const rw_fan_wall *wall, double u)
{
    double along = 1 / rw_fan_nearness(wall, u);
    rw_vec2 direction = rw_fan_direction(fan, u);
    return rw_vec2_of(fan->origin.x + along * direction.x, fan->origin.y + along * direction.y);
}

/* A stretch of directions in which one wall is the nearest, or none. */
typedef struct rw_fan_run {
    double u0, u1;
    int top;         /* into the walls; -1: none; RW_RUN_UNSEEN */
    int needs_check; /* walls of middling height stand before it */
} rw_fan_run;

#define RW_RUN_UNSEEN (-2) /* not known to the buffer of pixels (fan_buffer.k.h) */

#define RW_NEARNESS_TOLERANCE 1e-11

RW_FN double rw_fan_slope(const rw_fan_wall *wall)
{
    return (wall->w1 - wall->w0) / (wall->u1 - wall->u0);
}

/* Whether a wall comes before another at u, where both are: it is nearer, or as near and coming nearer. */
RW_FN int rw_fan_before(const rw_fan_wall *wall, double nearness, const rw_fan_wall *other, double other_nearness)
{
    double margin = RW_NEARNESS_TOLERANCE * other_nearness;
    return nearness > other_nearness + margin ||
           (nearness >= other_nearness - margin && rw_fan_slope(wall) > rw_fan_slope(other));
}

/* Of the walls that each lane found nearest, -1 for none, the one that is nearest of all. */
RW_FN int rw_fan_top_of_lanes(const rw_fan_wall *walls, double u, int top)
{
    for (int apart = rw_lane_count() / 2; apart; apart /= 2) {
        int other = (int)rw_lanes_from((uint32_t)top, rw_lane() ^ apart);
        int low = other < top ? other : top, high = other < top ? top : other;
        top = high;
        if (low >= 0 && low != high)
            top = rw_fan_before(&walls[high], rw_fan_nearness(&walls[high], u), &walls[low],
                                rw_fan_nearness(&walls[low], u))
                      ? high
                      : low;
    }
    return (int)rw_lanes_from((uint32_t)top, 0);
}

/* The nearest solid wall just left of u; of walls that meet there, the one that comes nearer. */
RW_FN int rw_fan_top(const rw_fan_wall *walls, int count, double u)
{
    int top = -1;
    double nearest = 0;
    for (int i = rw_lane(); i < count; i += rw_lane_count()) {
        if (!walls[i].solid || walls[i].u0 > u || walls[i].u1 <= u)
            continue;
        double w = rw_fan_nearness(&walls[i], u);
        if (top < 0 || rw_fan_before(&walls[i], w, &walls[top], nearest)) {
            top = i;
            nearest = w;
        }
    }
    return rw_fan_top_of_lanes(walls, u, top);
}

/* Where, left of u, another wall comes before the top one: where it begins before it, or where they cross. */
RW_FN double rw_fan_overtakes(const rw_fan_wall *top, const rw_fan_wall *other, double u)
{
    double begin = other->u0 > u ? other->u0 : u;
    double end = other->u1 < top->u1 ? other->u1 : top->u1;
    if (begin >= end)
        return 2;
    double ahead_begin = rw_fan_nearness(other, begin) - rw_fan_nearness(top, begin);
    double ahead_end = rw_fan_nearness(other, end) - rw_fan_nearness(top, end);
    double margin = RW_NEARNESS_TOLERANCE * rw_fan_nearness(top, begin);
    if (ahead_begin > margin)
        return begin > u ? begin : 2; /* at u itself the top was chosen */
    if (ahead_end <= margin)
        return 2;
    double crossing = begin + (end - begin) * (-ahead_begin / (ahead_end - ahead_begin));
    return crossing > u ? crossing : 2;
}

/* The run that begins at u: the sweep over the fan calls this until u1 is 1. Exact for walls that cross. Lanes share
 * the walls. */
RW_FN rw_fan_run rw_fan_next(const rw_fan_wall *walls, int count, double u)
{
    rw_fan_run run;
    run.u0 = u;
    run.needs_check = 0;
    run.top = rw_fan_top(walls, count, u);
    run.u1 = run.top >= 0 ? walls[run.top].u1 : 1;
    for (int i = rw_lane(); i < count; i += rw_lane_count()) {
        if (!walls[i].solid || i == run.top)
            continue;
        double next = 2;
        if (run.top >= 0)
            next = rw_fan_overtakes(&walls[run.top], &walls[i], u);
        else if (walls[i].u0 > u)
            next = walls[i].u0;
        run.u1 = next < run.u1 ? next : run.u1;
    }
    run.u1 = rw_lanes_min(run.u1);
    return run;
}

#endif
