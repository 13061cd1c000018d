/* Whether a path holds: unfolded back from its receiver to the transmitter, every wall that turned it stands at the
 * height of the ray, and nothing stands in the way between.
 *
 * Asked where walls of middling height or terrain leave it open. The height of the ray runs straight along the unfolded
 * plan, so that the point where a wall was met gives its height; each leg is then one line of sight. */
#ifndef RW_MODELS_BEAMS_VERIFY_PATH_K_H
#define RW_MODELS_BEAMS_VERIFY_PATH_K_H

#include "models/beams/beam.k.h"
#include "mechanisms/atmosphere/medium.k.h"
#include "visibility/los/march_walls.k.h"

/* Where the ray from a beam's origin to a point beyond its wall crosses the line of that wall. */
RW_FN rw_vec2 rw_wall_crossing(const rw_exact_wall *wall, rw_vec2 origin, rw_vec2 to)
{
    rw_vec2 normal = rw_wall_normal(wall);
    double from_side = (origin.x - wall->x0) * normal.x + (origin.y - wall->y0) * normal.y;
    double to_side = (to.x - wall->x0) * normal.x + (to.y - wall->y0) * normal.y;
    double t = from_side / (from_side - to_side);
    return rw_vec2_of(origin.x + t * (to.x - origin.x), origin.y + t * (to.y - origin.y));
}

/* Ends of a leg are drawn together by this share, so that the walls they lie on do not block it. */
#define RW_LEG_MARGIN 1e-7

/* Asked from the end towards the receiver: rays come down to it, and what is in the way mostly stands near it. */
RW_FN int rw_leg_clear(const rw_wall_grid_view *grid, rw_vec3 from, rw_vec3 to)
{
    rw_vec3 step = rw_vec3_scale(rw_vec3_sub(to, from), RW_LEG_MARGIN);
    rw_sight sight = rw_sight_of(grid, rw_vec3_sub(to, step), rw_vec3_add(from, step));
    return rw_march_clear(grid, &sight);
}

/* The point where a beam left its wall or corner on the way to a point, in plan. */
RW_FN rw_vec2 rw_beam_exit(const rw_beam *beam, const rw_beam_walls *walls, rw_vec2 to)
{
    if (beam->kind == RW_BEAM_DIFFRACTED)
        return beam->origin;
    return rw_wall_crossing(walls->exact + beam->wall, beam->origin, to);
}

/* A path on its way back from its receiver to the transmitter, leg by leg. */
typedef struct rw_beam_legs {
    const rw_beam *beam; /* that the next leg is of */
    rw_vec2 at;          /* where that leg ends, in plan */
    double slope;        /* of the unfolded path */
} rw_beam_legs;

RW_FN rw_beam_legs rw_beam_legs_start(const rw_beam *beam, rw_vec3 source, rw_vec3 receiver)
{
    rw_beam_legs legs;
    rw_vec2 back;
    legs.beam = beam;
    legs.at = rw_vec2_of(receiver.x, receiver.y);
    back = rw_vec2_sub(legs.at, beam->origin);
    legs.slope = (receiver.z - source.z) / (beam->before_m + sqrt(rw_vec2_dot(back, back)));
    return legs;
}

/* Where the next leg begins, at the wall or corner that turned the path there; the last begins at the source. */
RW_FN rw_vec3 rw_beam_legs_next(rw_beam_legs *legs, const rw_beam *beams, const rw_beam_walls *walls, rw_vec3 source)
{
    const rw_beam *beam = legs->beam;
    if (beam->kind == RW_BEAM_SOURCE)
        return source;
    rw_vec2 met = rw_beam_exit(beam, walls, legs->at), leg = rw_vec2_sub(met, beam->origin);
    legs->at = met;
    legs->beam = beams + beam->parent;
    return rw_vec3_of(met.x, met.y, source.z + legs->slope * (beam->before_m + sqrt(rw_vec2_dot(leg, leg))));
}

RW_FN int rw_path_holds(const rw_beam *beams, const rw_beam *beam, const rw_beam_walls *walls,
                        const rw_wall_grid_view *grid, rw_vec3 source, rw_vec3 receiver)
{
    rw_beam_legs legs = rw_beam_legs_start(beam, source, receiver);
    rw_vec3 to = receiver;
    while (legs.beam->kind != RW_BEAM_SOURCE) {
        const rw_exact_wall *wall = walls->exact + legs.beam->wall;
        rw_vec3 from = rw_beam_legs_next(&legs, beams, walls, source);
        if (!(from.z < wall->top && from.z >= wall->bottom) || !rw_leg_clear(grid, from, to))
            return 0;
        to = from;
    }
    return rw_leg_clear(grid, source, to);
}

/* What trees and air take from a path. */
RW_RARE_FN double rw_path_medium_db(const rw_medium *medium, const rw_beam *beams, const rw_beam *beam,
                                    const rw_beam_walls *walls, rw_vec3 source, rw_vec3 receiver)
{
    rw_beam_legs legs = rw_beam_legs_start(beam, source, receiver);
    rw_medium_path path = rw_medium_start();
    rw_vec3 to = receiver;
    for (int more = 1; more;) {
        more = legs.beam->kind != RW_BEAM_SOURCE;
        rw_vec3 from = rw_beam_legs_next(&legs, beams, walls, source);
        rw_medium_go(medium, &path, from, to);
        to = from;
    }
    return rw_medium_loss_db(medium, &path, rw_vec3_length(rw_vec3_sub(receiver, source)));
}

#endif
