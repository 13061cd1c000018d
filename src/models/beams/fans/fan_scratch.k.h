/* The walls that are found in a fan, and the runs that they make: what the lanes that look at it share. */
#ifndef RW_MODELS_BEAMS_FANS_FAN_SCRATCH_K_H
#define RW_MODELS_BEAMS_FANS_FAN_SCRATCH_K_H

#include "discretise/receivers/receiver_tops.k.h"
#include "discretise/walls/wall_grid.k.h"
#include "models/beams/fans/fan.k.h"
#include "models/beams/fans/ray_heights.k.h"

#define RW_FAN_WALLS_MAX 48
#define RW_FAN_SOLID_RESERVED 12 /* of these, places that only solid walls take */
#define RW_NO_WALL 0xffffffffu

#define RW_FAN_HORIZON 16   /* parts of a fan */
#define RW_FAN_RUNS_MAX 128 /* walls that do not cross make at most 2 * RW_FAN_WALLS_MAX + 1 */

#define RW_FAN_LATE_MAX 16
#define RW_FAN_REACHED_MAX 8

/* Distances from the origin, in plan, between which receivers may be reached. */
typedef struct rw_fan_reached {
    float near_m, far_m;
} rw_fan_reached;

/* What the lanes that look at a fan share. */
typedef struct rw_fan_workspace {
    rw_fan_wall walls[RW_FAN_WALLS_MAX + 1]; /* one more that is being looked at */
    rw_fan_wall late[RW_FAN_LATE_MAX];       /* walls for which there was no room, until they have raised the horizon */
    double horizon[RW_FAN_HORIZON];
    rw_fan_run runs[RW_FAN_RUNS_MAX];
    rw_fan_reached reached[RW_FAN_REACHED_MAX]; /* one after the other, with gaps between */
} rw_fan_workspace;

typedef struct rw_fan_walls {
    rw_fan_workspace *workspace;
    rw_fan_wall *walls; /* of the room */
    int count;
    int solid_count;      /* of them */
    int overflow;         /* there were more solid walls */
    int middling_skipped; /* there were more of middling height: the farther ones are not among these */
    double reach_m;       /* no ray gets farther from the origin, in plan */
    int late_count;
    int reached_count;
    float reached_to_m; /* where the last of them ends */
    float pending_m; /* the walk is past none of the walls that have not raised the horizon before it has come here */
} rw_fan_walls;

/* What is asked of a fan. */
typedef struct rw_fan_question {
    rw_ray_heights heights;
    uint32_t skipped[2]; /* walls that it does not meet: those that it comes from */
    int complete; /* 0: the caller narrows the fan where walls are left out, so that the rest need not be found */
    const uint32_t
        *receiver_tops; /* in each cell of the grid (discretise/receivers/receiver_tops.k.h); NULL: may be anywhere */
} rw_fan_question;

RW_FN int rw_fan_has(const rw_fan_walls *found, uint32_t wall)
{
    for (int i = found->count - 1; i >= 0; i--)
        if (found->walls[i].wall == wall)
            return 1;
    return 0;
}

/* Whether there is a solid wall in every direction of the fan. */
RW_FN int rw_fan_closed(const rw_fan_walls *found)
{
    double u = 0;
    while (u < 1) {
        double to = u;
        for (int i = rw_lane(); i < found->count; i += rw_lane_count()) {
            const rw_fan_wall *wall = &found->walls[i];
            if (wall->solid && wall->u0 <= u && wall->u1 > to)
                to = wall->u1;
        }
        to = rw_lanes_max(to);
        if (to == u)
            return 0;
        u = to;
    }
    return 1;
}

/* The runs of a fan, from its right edge to its left, into the room. Returns how many; lanes share the walls. Walls
 * that cross may make more than there is room for: the rest belongs to the last one then. */
RW_FN int rw_fan_find_runs(const rw_fan_walls *found)
{
    int count = 0;
    double u = 0;
    while (u < 1 && count < RW_FAN_RUNS_MAX) {
        rw_fan_run run = rw_fan_next(found->walls, found->count, u);
        u = run.u1;
        if (count == RW_FAN_RUNS_MAX - 1)
            run.u1 = 1;
        if (rw_lane() == 0)
            found->workspace->runs[count] = run;
        count++;
    }
    rw_lanes_meet();
    return count;
}

#endif
