/* The runs of a fan from a buffer of IDs and depths, as Schmitz and others (2011) split beams (section 4.2.2).
 *
 * The solid walls of the fan are drawn into a frame buffer of one dimension, whose pixels are directions; the nearest
 * wall of each stays. Pixels side by side with the same wall are a run. Its ends are then computed exactly, as the
 * paper's equations (1) and (2) do, and clamped to the ends of the walls: between two pixels that see different walls
 * the run changes where one of the two begins or ends, or where they cross. What is seen under less than a pixel may be
 * missed, and so may be what lies between the ends of walls beside each other. On a GPU the lanes of a warp are as many
 * pixels of the buffer. */
#ifndef RW_MODELS_BEAMS_FANS_FAN_BUFFER_K_H
#define RW_MODELS_BEAMS_FANS_FAN_BUFFER_K_H

#include "models/beams/fans/fan_scratch.k.h"

/* One pixel: the walls drawn one after the other under the depth test. */
RW_FN int rw_buffer_pixel(const rw_fan_walls *found, double u)
{
    int top = -1;
    double nearest = 0;
    for (int i = 0; i < found->count; i++) {
        const rw_fan_wall *wall = &found->walls[i];
        if (!wall->solid || wall->u0 > u || wall->u1 <= u)
            continue;
        double w = rw_fan_nearness(wall, u);
        if (top < 0 || rw_fan_before(wall, w, &found->walls[top], nearest)) {
            top = i;
            nearest = w;
        }
    }
    return top;
}

/* Where, between two pixels at u0 and u1 that see different walls (-1: none), one gives way to the other. */
RW_FN double rw_buffer_change(const rw_fan_walls *found, double u0, int before, double u1, int after)
{
    double change = 2;
    if (before >= 0)
        change = found->walls[before].u1;
    if (before >= 0 && after >= 0) {
        double overtakes = rw_fan_overtakes(&found->walls[before], &found->walls[after], u0);
        change = overtakes < change ? overtakes : change;
    } else if (after >= 0) {
        change = found->walls[after].u0;
    }
    return change > u0 && change <= u1 ? change : 0.5 * (u0 + u1);
}

RW_FN int rw_buffer_add_run(const rw_fan_walls *found, int count, double u0, double u1, int top)
{
    rw_fan_run run;
    run.u0 = u0;
    run.u1 = u1;
    run.top = top;
    run.needs_check = 0;
    if (rw_lane() == 0)
        found->workspace->runs[count] = run;
    return count + 1;
}

/* Appends a run, clamped to its wall; what is left beside the wall is not seen. Returns how many there are. */
RW_FN int rw_buffer_append(const rw_fan_walls *found, int count, double u0, double u1, int top)
{
    double from = top >= 0 && found->walls[top].u0 > u0 ? found->walls[top].u0 : u0;
    double to = top >= 0 && found->walls[top].u1 < u1 ? found->walls[top].u1 : u1;
    if (from > u0)
        count = rw_buffer_add_run(found, count, u0, from, RW_RUN_UNSEEN);
    count = rw_buffer_add_run(found, count, from, to, top);
    return to < u1 ? rw_buffer_add_run(found, count, to, u1, RW_RUN_UNSEEN) : count;
}

/* The runs of a fan from its right edge to its left, into the room, by a buffer of so many pixels. Returns how many. */
RW_FN int rw_buffer_find_runs(const rw_fan_walls *found, int pixels)
{
    int count = 0, now = -2; /* the run that is open; -2: none yet */
    double begin = 0, res = 1.0 / (double)pixels;
    for (int from = 0; from < pixels; from += rw_lane_count()) {
        int mine = from + rw_lane();
        int top = mine < pixels ? rw_buffer_pixel(found, ((double)mine + 0.5) * res) : -2;
        for (int lane = 0; lane < rw_lane_count() && from + lane < pixels; lane++) {
            int next = (int)rw_lanes_from((uint32_t)top, lane);
            double u = ((double)(from + lane) + 0.5) * res;
            if (now == -2 || next == now) {
                now = next;
                continue;
            }
            double change = rw_buffer_change(found, u - res, now, u, next);
            if (count < RW_FAN_RUNS_MAX - 6) { /* the rest belongs to the last run then */
                count = rw_buffer_append(found, count, begin, change, now);
                begin = change;
                now = next;
            }
        }
    }
    count = rw_buffer_append(found, count, begin, 1, now);
    rw_lanes_meet();
    return count;
}

#endif
