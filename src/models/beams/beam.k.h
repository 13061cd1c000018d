/* A beam: all rays that left the transmitter by one sequence of walls and corners, and a piece of it up to the next
 * wall.
 *
 * After section 4.2 of Schmitz and others (2011). A beam is a fan seen from a virtual source: the transmitter mirrored
 * at the walls that reflected, or the last corner mirrored at those after it. In the unfolded plan its rays are
 * straight, and along each the height runs straight from transmitter to receiver: that is the whole of the third
 * dimension here (2.5-D). */
#ifndef RW_MODELS_BEAMS_BEAM_K_H
#define RW_MODELS_BEAMS_BEAM_K_H

#include "base/maths/vector.h"
#include "models/beams/fans/fan_walls.k.h"

typedef enum rw_beam_kind { RW_BEAM_SOURCE, RW_BEAM_REFLECTED, RW_BEAM_TRANSMITTED, RW_BEAM_DIFFRACTED } rw_beam_kind;

#define RW_NO_BEAM 0xffffffffu

typedef struct rw_beam {
    rw_vec2 origin;      /* virtual source, in the grid's frame */
    rw_vec2 right, left; /* edges, of length 1; left is counter-clockwise of right */
    double before_m;     /* length of the path up to the origin: 0, or up to the last corner */
    rw_vec2 face;        /* along the dark face of the last corner, away from it, mirrored as the beam was */
    float shadow_rad;    /* angle from that face to the shadow boundary */
    float exterior_rad;  /* angle of the corner's outside */
    float loss_db[3];    /* of reflections and transmissions, and of all before the last corner: at the right edge, in
                            the middle and at the left */
    float rotation_rad;  /* departure azimuth = turn + direction, turn - direction for a mirrored beam, turn behind a
                        corner */
    float leg_m;         /* length in plan from the corner before the last one, or the transmitter, to the last */
    float unused;
    float slope_low, slope_high; /* its rays rise by more than one, by what they pass over, and by less than the
                                    other, by walls they meet: a metre of unfolded plan */
    uint32_t parent;             /* beam that it comes from */
    uint32_t wall;               /* that reflected or transmitted; of a corner, the wall that is lit */
    uint32_t other_wall;         /* of a corner: the dark one; RW_NO_WALL: a free-standing wall's end */
    uint32_t corner_surface;     /* of the last corner */
    uint8_t kind;
    uint8_t reflections, transmissions, diffractions;
    uint8_t mirrored;    /* an odd number of reflections since the last corner */
    uint8_t needs_check; /* walls of middling height stand in it or before it: each receiver must be asked */
    uint8_t corner_end;  /* which end of wall the corner is */
    uint8_t min_db;      /* its paths cost at least so much beside what their length costs */
} rw_beam;

/* The part of a beam that ends at one wall, or nowhere. */
typedef struct rw_beam_piece {
    rw_vec2 right, left;
    uint32_t beam;
    uint32_t wall; /* where it ends; RW_NO_WALL: nowhere */
    uint32_t needs_check;
    float near_m, far_m; /* distances from the beam's origin, in plan, between which receivers may be reached */
    uint32_t unused;
} rw_beam_piece;

/* Walls as beams see them, beside the wall grid. */
typedef struct rw_beam_walls {
    const rw_exact_wall *exact;
    const uint32_t *next; /* at each end of each wall (2 a wall): the wall of the same building there, or RW_NO_WALL */
    const uint32_t *surface; /* of each wall */
    const uint8_t *building; /* 1: of a building, whose outside is on the right from first to second end */
} rw_beam_walls;

RW_FN rw_vec2 rw_wall_end(const rw_exact_wall *wall, int end)
{
    return end ? rw_vec2_of(wall->x1, wall->y1) : rw_vec2_of(wall->x0, wall->y0);
}

/* Unit normal to the right of a wall: outwards from a building. */
RW_FN rw_vec2 rw_wall_normal(const rw_exact_wall *wall)
{
    double dx = wall->x1 - wall->x0, dy = wall->y1 - wall->y0, over = 1 / sqrt(dx * dx + dy * dy);
    return rw_vec2_of(dy * over, -dx * over);
}

RW_FN rw_vec2 rw_mirror_direction(rw_vec2 direction, rw_vec2 normal)
{
    double twice = 2 * rw_vec2_dot(direction, normal);
    return rw_vec2_of(direction.x - twice * normal.x, direction.y - twice * normal.y);
}

RW_FN rw_vec2 rw_mirror_point(rw_vec2 point, const rw_exact_wall *wall, rw_vec2 normal)
{
    double twice = 2 * ((point.x - wall->x0) * normal.x + (point.y - wall->y0) * normal.y);
    return rw_vec2_of(point.x - twice * normal.x, point.y - twice * normal.y);
}

RW_FN rw_vec2 rw_unit(rw_vec2 v)
{
    double over = 1 / sqrt(rw_vec2_dot(v, v));
    return rw_vec2_of(v.x * over, v.y * over);
}

/* The fan of a beam: what lies between its edges and, for a beam that left a wall, beyond that wall. */
RW_FN rw_fan rw_beam_fan(const rw_beam *beam, const rw_exact_wall *walls)
{
    rw_fan fan;
    fan.origin = beam->origin;
    fan.right = beam->right;
    fan.left = beam->left;
    fan.min_length = rw_fan_min_length(beam->right, beam->left);
    fan.has_near = beam->kind == RW_BEAM_REFLECTED || beam->kind == RW_BEAM_TRANSMITTED;
    fan.near_at = rw_vec2_of(0, 0);
    fan.near_in = rw_vec2_of(0, 0);
    if (fan.has_near) {
        const rw_exact_wall *wall = walls + beam->wall;
        fan.near_at = rw_wall_end(wall, 0);
        fan.near_in = rw_wall_normal(wall);
        if (rw_vec2_dot(rw_vec2_sub(fan.near_at, fan.origin), fan.near_in) < 0)
            fan.near_in = rw_vec2_of(-fan.near_in.x, -fan.near_in.y);
    }
    return fan;
}

/* A parabola through three values at shares 0, 1/2 and 1. */
RW_FN float rw_parabola(const float values[3], float fraction)
{
    float a = 2.0f * (values[0] + values[2]) - 4.0f * values[1], b = values[2] - values[0] - a;
    return values[0] + fraction * (b + fraction * a);
}

/* Share of the way from the right edge to the left at which a direction (of length 1) lies, by its chord: 0 to 1. */
RW_FN float rw_edge_fraction(rw_vec2 right, rw_vec2 left, rw_vec2 direction)
{
    double cx = left.x - right.x, cy = left.y - right.y;
    double along = (direction.x - right.x) * cx + (direction.y - right.y) * cy, all = cx * cx + cy * cy;
    double fraction = all > 0 ? along / all : 0;
    return (float)(fraction < 0 ? 0 : fraction > 1 ? 1 : fraction);
}

#endif
