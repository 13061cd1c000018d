/* The horizon of a fan that is walked front to back: what lies behind the walk bounds the slopes of rays that go on. */
#ifndef RW_MODELS_BEAMS_FANS_FAN_HORIZON_K_H
#define RW_MODELS_BEAMS_FANS_FAN_HORIZON_K_H

#include "models/beams/fans/fan_scratch.k.h"

/* The horizon of a walk: rays of each part of the fan that get to where the walk is have passed over walls and ground,
 * and rise by more. */
typedef struct rw_fan_horizon {
    double *slopes;   /* of the room */
    double min_slope; /* of them, and of the rays at all */
} rw_fan_horizon;

RW_FN double rw_horizon_between(const rw_fan_horizon *horizon, double u0, double u1)
{
    int first = (int)(u0 * RW_FAN_HORIZON), last = (int)(u1 * RW_FAN_HORIZON);
    double lowest = INFINITY;
    first = first < RW_FAN_HORIZON ? first : RW_FAN_HORIZON - 1;
    last = last < RW_FAN_HORIZON ? last : RW_FAN_HORIZON - 1;
    for (int i = first; i <= last; i++)
        lowest = horizon->slopes[i] < lowest ? horizon->slopes[i] : lowest;
    return lowest > horizon->min_slope ? lowest : horizon->min_slope;
}

/* Raises the horizon by one wall, in the parts that it covers. Lanes share the parts. */
RW_FN void rw_horizon_raise(const rw_fan *fan, const rw_ray_heights *heights, const rw_exact_wall *exact,
                            const rw_fan_wall *wall, rw_fan_horizon *horizon)
{
    int first = (int)ceil(wall->u0 * RW_FAN_HORIZON), end = (int)floor(wall->u1 * RW_FAN_HORIZON);
    for (int i = first + rw_lane(); i < end; i += rw_lane_count()) {
        double w0 = rw_fan_nearness(wall, (double)i / RW_FAN_HORIZON);
        double w1 = rw_fan_nearness(wall, (double)(i + 1) / RW_FAN_HORIZON);
        double near_m = heights->before_m + fan->min_length / (w0 > w1 ? w0 : w1);
        double far_m = heights->before_m + 1 / (w0 < w1 ? w0 : w1);
        double slope = wall->solid ? INFINITY : rw_slope_below(rw_slope_over(heights, near_m, far_m, exact->top));
        horizon->slopes[i] = slope > horizon->slopes[i] ? slope : horizon->slopes[i];
    }
}

/* Takes in those of some walls that lie wholly behind the walk now, and lowers pending_m to where it is past the first
 * of the others that this lane looks at. Returns whether there are any. */
RW_FN int rw_horizon_pass(const rw_wall_grid_view *grid, const rw_fan *fan, const rw_ray_heights *heights,
                          double walked_m, rw_fan_wall *walls, int count, double *pending_m, rw_fan_horizon *horizon)
{
    int fresh = 0;
    for (int from = 0; from < count; from += rw_lane_count()) {
        int mine = from + rw_lane();
        int passed = mine < count && (double)walls[mine].passed_m <= walked_m;
        uint32_t which = rw_lanes_which(passed && !walls[mine].horizon);
        fresh |= which != 0;
        for (; which; which &= which - 1) {
            const rw_fan_wall *wall = &walls[from + rw_lanes_first(which)];
            const rw_exact_wall *exact = grid->exact + wall->wall;
            if (exact->bottom <= (double)heights->low_m)
                rw_horizon_raise(fan, heights, exact, wall, horizon);
            rw_lanes_meet();
        }
        if (passed)
            walls[mine].horizon = 1;
        else if (mine < count && (double)walls[mine].passed_m < *pending_m)
            *pending_m = (double)walls[mine].passed_m;
    }
    return fresh;
}

/* Takes in the walls that lie wholly behind the walk now, and what that means for all rays. */
RW_FN void rw_horizon_advance(const rw_wall_grid_view *grid, const rw_fan *fan, const rw_ray_heights *heights,
                              double walked_m, rw_fan_walls *found, rw_fan_horizon *horizon)
{
    double pending_m = INFINITY;
    int late = found->late_count < RW_FAN_LATE_MAX ? found->late_count : RW_FAN_LATE_MAX;
    int fresh = rw_horizon_pass(grid, fan, heights, walked_m, found->walls, found->count, &pending_m, horizon);
    fresh |= rw_horizon_pass(grid, fan, heights, walked_m, found->workspace->late, late, &pending_m, horizon);
    found->pending_m = (float)rw_lanes_min(pending_m);
    if (!fresh)
        return;
    rw_lanes_meet();
    double lowest = INFINITY;
    for (int i = rw_lane(); i < RW_FAN_HORIZON; i += rw_lane_count())
        lowest = horizon->slopes[i] < lowest ? horizon->slopes[i] : lowest;
    lowest = rw_lanes_min(lowest);
    horizon->min_slope = lowest > horizon->min_slope ? lowest : horizon->min_slope;
}

#endif
