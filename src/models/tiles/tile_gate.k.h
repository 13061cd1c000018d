/* What rays can reach once they have left their last tile or edge: a few planes or cones instead of the path itself.
 *
 * A mirror lets through what lies in the pyramid from the image of the source through the tile. An edge reaches what
 * lies between the Keller cones of its two ends. With the point q of the edge the way has a least length, which is
 * convex in q and falls at an end where the cosine of the direction to the target is at least that of the incoming ray;
 * the incoming ray at the ends does not depend on the target, not even behind another edge. These two are exact. Behind
 * an edge a mirror has no single image: all of them lie on a stretch of the edge's image, and a target that is outside
 * the same side of the pyramids of both ends is outside for every point between, since the points from which it is
 * outside are a half-space. This one, and an edge behind an edge, only say where nothing comes: rw_tile_reaches
 * decides. Blocks of tiles are passed over likewise. */
#ifndef RW_MODELS_TILES_TILE_GATE_K_H
#define RW_MODELS_TILES_TILE_GATE_K_H

#include "base/kernel/lanes.h"
#include "models/tiles/tile_ray.k.h"

enum {
    RW_GATE_OPEN,   /* a scatterer: everything */
    RW_GATE_CLOSED, /* nothing */
    RW_GATE_MIRROR, /* one pyramid */
    RW_GATE_STRIP,  /* two pyramids */
    RW_GATE_EDGE,   /* two cones */
    RW_GATE_TEST    /* nothing is known beforehand */
};

typedef struct rw_tile_gate {
    int kind;
    int exact; /* what passes is reached */
    /* A mirror: planes of pyramids, as normals that point out of them. */
    rw_vec3 apexes[2], sides[2][4];
    rw_vec3 centre, normal; /* of the mirror */
    int borders[4];         /* sides of the tile at which its wall ends */
    /* An edge. */
    rw_vec3 from, to, along; /* along of length 1 */
    double cosine_from, cosine_to;
    rw_vec3 normals[2];
} rw_tile_gate;

/* Slack of what is decided exactly afterwards. */
#define RW_GATE_SLACK 1e-9

RW_FN rw_vec3 rw_pyramid_side(const rw_tile *tile, rw_vec3 apex, int corner)
{
    rw_vec3 a = rw_vec3_sub(rw_tile_corner(tile, corner), apex);
    rw_vec3 b = rw_vec3_sub(rw_tile_corner(tile, (corner + 1) % 4), apex);
    rw_vec3 side = rw_vec3_cross(b, a);
    double inside = rw_vec3_dot(side, rw_vec3_sub(tile->centre, apex));
    return rw_vec3_scale(side, (inside > 0 ? -1.0 : 1.0) / fmax(rw_vec3_length(side), 1e-30));
}

/* How far behind the mirror a point is. */
RW_FN double rw_gate_behind_m(const rw_tile_gate *gate, rw_vec3 point)
{
    return -rw_vec3_dot(rw_vec3_sub(point, gate->centre), gate->normal);
}

/* The stretch of the last edge's image from which rays come to the tile: where those to its corners bend, and more on
 * either side, since the extremes need not be at corners. 0 where some corner has none. */
RW_RARE_FN int rw_gate_stretch(const rw_tile_images *images, const rw_tile *tile, rw_vec3 ends[2])
{
    double low = 1e300, high = -1e300, fractions[RW_TILE_BENDS_MAX];
    for (int i = 0; i < 5; i++) {
        if (!rw_tile_edge_fractions(images, i < 4 ? rw_tile_corner(tile, i) : tile->centre, fractions))
            return 0;
        low = fmin(low, fractions[images->bends - 1]);
        high = fmax(high, fractions[images->bends - 1]);
    }
    double more = (high - low) + 1e-3;
    ends[0] = rw_edge_line_at(&images->edges[images->bends - 1], low - more);
    ends[1] = rw_edge_line_at(&images->edges[images->bends - 1], high + more);
    return 1;
}

RW_FN void rw_gate_mirror(const rw_tile_images *images, const rw_tile *tile, rw_tile_gate *gate)
{
    gate->centre = tile->centre;
    gate->normal = tile->normal;
    gate->exact = images->bends == 0;
    gate->kind = gate->exact ? RW_GATE_MIRROR : RW_GATE_STRIP;
    gate->apexes[0] = images->source;
    if (!gate->exact && !rw_gate_stretch(images, tile, gate->apexes))
        gate->kind = RW_GATE_TEST;
    int behind = rw_gate_behind_m(gate, gate->apexes[0]) > 1e-6;
    if (gate->exact && !behind)
        gate->kind = RW_GATE_CLOSED;
    if (gate->kind == RW_GATE_STRIP && !(behind && rw_gate_behind_m(gate, gate->apexes[1]) > 1e-6))
        gate->kind = RW_GATE_TEST;
}

/* Cosine between the edge and the ray that comes to a point of it. 0 where no ray does. */
RW_FN int rw_gate_cosine(const rw_tile_images *images, rw_vec3 along, rw_vec3 at, double *cosine)
{
    rw_vec3 before = images->source;
    double fraction;
    if (images->bends == 2) {
        if (!rw_keller_fraction(images->edges[0].from, images->edges[0].span, images->source, at, &fraction))
            return 0;
        before = rw_edge_line_at(&images->edges[0], fraction);
    }
    rw_vec3 vector = rw_vec3_sub(at, before);
    *cosine = rw_vec3_dot(vector, along) / rw_vec3_length(vector);
    return rw_vec3_length(rw_vec3_cross(vector, along)) > 1e-6;
}

RW_RARE_FN void rw_gate_edge(const rw_tile_images *images, const rw_tile_edge *edge, rw_tile_gate *gate)
{
    gate->from = edge->from;
    gate->to = edge->to;
    gate->along = rw_vec3_unit(rw_vec3_sub(edge->to, edge->from));
    gate->normals[0] = edge->normals[0];
    gate->normals[1] = edge->normals[1];
    gate->exact = images->bends == 1;
    gate->kind = RW_GATE_EDGE;
    if (!rw_gate_cosine(images, gate->along, gate->from, &gate->cosine_from) ||
        !rw_gate_cosine(images, gate->along, gate->to, &gate->cosine_to))
        gate->kind = gate->exact ? RW_GATE_CLOSED : RW_GATE_TEST;
    else if (gate->exact && !rw_tile_edge_open(edge, rw_vec3_sub(images->source, gate->from)))
        gate->kind = RW_GATE_CLOSED;
    double slack = gate->exact ? 0.0 : RW_GATE_SLACK;
    gate->cosine_from -= slack;
    gate->cosine_to += slack;
}

/* Whether a wall ends at a side of one of its tiles. Beside the middle of the next tile the path may still meet the
 * wall, and no other tile is there to show it. */
RW_FN int rw_gate_border(const rw_tile_scene *scene, const rw_tile *tile, int corner)
{
    if (!scene->exact)
        return 0;
    const rw_tile_surface *surface = scene->tiles.surfaces + tile->surface;
    if (surface->kind != RW_TILE_WALL)
        return 0;
    rw_vec3 middle = rw_vec3_add(rw_tile_corner(tile, corner), rw_tile_corner(tile, (corner + 1) % 4));
    rw_vec3 vector = rw_vec3_sub(rw_vec3_scale(middle, 0.5), tile->centre);
    double beyond = 1.0 + 0.05 / fmax(rw_vec3_length(vector), 1e-3);
    return !rw_point_on_wall(scene->exact + surface->wall, rw_vec3_add(tile->centre, rw_vec3_scale(vector, beyond)));
}

/* The gate behind a last step; all lanes work at it. */
RW_FN void rw_gate_init(const rw_tile_scene *scene, const rw_tile_images *images, uint32_t last, rw_tile_gate *gate)
{
    uint32_t index = RW_TILE_STEP_INDEX(last);
    int bends = RW_TILE_STEP_BENDS(last);
    if (rw_lane() == 0) {
        if (bends)
            rw_gate_edge(images, scene->tiles.edges + index, gate);
        else
            rw_gate_mirror(images, scene->tiles.tiles + index, gate);
    }
    rw_lanes_meet();
    int apexes = gate->kind == RW_GATE_MIRROR ? 1 : gate->kind == RW_GATE_STRIP ? 2 : 0;
    for (int i = rw_lane(); i < 4 * apexes; i += rw_lane_count())
        gate->sides[i / 4][i % 4] = rw_pyramid_side(scene->tiles.tiles + index, gate->apexes[i / 4], i % 4);
    for (int i = rw_lane(); i < 4; i += rw_lane_count())
        gate->borders[i] = gate->kind == RW_GATE_MIRROR && rw_gate_border(scene, scene->tiles.tiles + index, i);
    rw_lanes_meet();
}

/* The same for all that may come to points by a tile: with what the tile claims. Only behind mirrors. */
RW_FN void rw_gate_init_wide(const rw_tile_scene *scene, const rw_tile_images *images, uint32_t tile,
                             rw_tile_gate *gate)
{
    if (rw_lane() == 0)
        rw_gate_mirror(images, scene->tiles.tiles + tile, gate);
    rw_lanes_meet();
    rw_tile grown = rw_tile_grown(scene, tile);
    for (int i = rw_lane(); i < 4; i += rw_lane_count())
        gate->sides[0][i] = rw_pyramid_side(&grown, gate->apexes[0], i);
    rw_lanes_meet();
}

/* Whether some of what is within radius_m of a point may be reached. */
RW_FN int rw_gate_wide_passes(const rw_tile_gate *gate, rw_vec3 point, double radius_m)
{
    rw_vec3 vector = rw_vec3_sub(point, gate->apexes[0]);
    int inside = gate->kind == RW_GATE_MIRROR && rw_gate_behind_m(gate, point) < radius_m;
    for (int i = 0; i < 4; i++)
        inside &= rw_vec3_dot(gate->sides[0][i], vector) <= radius_m;
    return inside;
}

/* A point before a mirror; a point on a side belongs to one of the two tiles that share it. Where the wall ends, what
 * is nearer than radius_m to the side is let through. */
RW_FN int rw_gate_pyramid(const rw_tile_gate *gate, rw_vec3 point, double radius_m)
{
    rw_vec3 vector = rw_vec3_sub(point, gate->apexes[0]);
    int inside = rw_gate_behind_m(gate, point) < -1e-6;
    inside &= rw_vec3_dot(gate->sides[0][0], vector) <= (gate->borders[0] ? radius_m : 0.0);
    inside &= rw_vec3_dot(gate->sides[0][1], vector) < (gate->borders[1] ? radius_m : 0.0);
    inside &= rw_vec3_dot(gate->sides[0][2], vector) < (gate->borders[2] ? radius_m : 0.0);
    inside &= rw_vec3_dot(gate->sides[0][3], vector) <= (gate->borders[3] ? radius_m : 0.0);
    return inside;
}

RW_FN int rw_gate_strip(const rw_tile_gate *gate, rw_vec3 point)
{
    rw_vec3 way0 = rw_vec3_sub(point, gate->apexes[0]), way1 = rw_vec3_sub(point, gate->apexes[1]);
    for (int i = 0; i < 4; i++)
        if (rw_vec3_dot(gate->sides[0][i], way0) > RW_GATE_SLACK &&
            rw_vec3_dot(gate->sides[1][i], way1) > RW_GATE_SLACK)
            return 0;
    return 1;
}

RW_FN int rw_gate_between(const rw_tile_gate *gate, rw_vec3 point)
{
    rw_vec3 from = rw_vec3_sub(point, gate->from), to = rw_vec3_sub(point, gate->to);
    return rw_vec3_dot(from, gate->along) >= gate->cosine_from * rw_vec3_length(from) &&
           rw_vec3_dot(to, gate->along) < gate->cosine_to * rw_vec3_length(to) &&
           (rw_vec3_dot(from, gate->normals[0]) > 0 || rw_vec3_dot(from, gate->normals[1]) > 0);
}

/* Whether something of that radius round a point passes. */
RW_FN int rw_gate_passes_round(const rw_tile_gate *gate, rw_vec3 point, double radius_m)
{
    switch (gate->kind) {
    case RW_GATE_CLOSED:
        return 0;
    case RW_GATE_MIRROR:
        return rw_gate_pyramid(gate, point, radius_m);
    case RW_GATE_STRIP:
        return rw_gate_strip(gate, point);
    case RW_GATE_EDGE:
        return rw_gate_between(gate, point);
    default:
        return 1;
    }
}

/* Whether a point passes; where the gate is exact, it is reached. */
RW_FN int rw_gate_passes(const rw_tile_gate *gate, rw_vec3 point)
{
    return rw_gate_passes_round(gate, point, 0.0);
}

/* How far the nearest point of a box, grown by reach_m, is beyond a plane through the apex. */
RW_FN double rw_box_beyond(rw_vec3 side, rw_vec3 apex, const rw_tile_block *box, double reach_m)
{
    double x = (side.x > 0 ? box->low[0] : box->high[0]) - apex.x;
    double y = (side.y > 0 ? box->low[1] : box->high[1]) - apex.y;
    double z = (side.z > 0 ? box->low[2] : box->high[2]) - apex.z;
    return side.x * x + side.y * y + side.z * z - reach_m * (fabs(side.x) + fabs(side.y) + fabs(side.z));
}

/* Least and greatest cosine between the edge and the ways from one of its points into a ball. */
RW_FN void rw_ball_cosines(rw_vec3 vector, rw_vec3 along, double radius_m, double cosines[2])
{
    double distance_m = rw_vec3_length(vector);
    cosines[0] = -1.0;
    cosines[1] = 1.0;
    if (!(distance_m > radius_m))
        return;
    double cosine = rw_vec3_dot(vector, along) / distance_m, sine = sqrt(fmax(1.0 - cosine * cosine, 0.0));
    double off = radius_m / distance_m, in = sqrt(1.0 - off * off);
    if (!(-cosine >= in)) /* the ball does not hold the axis behind, or ahead */
        cosines[0] = cosine * in - sine * off;
    if (!(cosine >= in))
        cosines[1] = cosine * in + sine * off;
}

RW_FN int rw_gate_edge_meets(const rw_tile_gate *gate, const rw_tile_block *box, double reach_m)
{
    rw_vec3 middle = rw_vec3_of(0.5 * (box->low[0] + box->high[0]), 0.5 * (box->low[1] + box->high[1]),
                                0.5 * (box->low[2] + box->high[2]));
    rw_vec3 corner = rw_vec3_of(box->high[0] - middle.x, box->high[1] - middle.y, box->high[2] - middle.z);
    double radius_m = rw_vec3_length(corner) + reach_m, cosines[2];
    rw_ball_cosines(rw_vec3_sub(middle, gate->from), gate->along, radius_m, cosines);
    if (cosines[1] < gate->cosine_from - RW_GATE_SLACK)
        return 0;
    rw_ball_cosines(rw_vec3_sub(middle, gate->to), gate->along, radius_m, cosines);
    return cosines[0] < gate->cosine_to + RW_GATE_SLACK;
}

/* Whether points that are not farther than reach_m from the middles of a block's tiles may pass. */
RW_FN int rw_gate_meets(const rw_tile_gate *gate, const rw_tile_block *box, double reach_m)
{
    if (gate->kind == RW_GATE_EDGE)
        return rw_gate_edge_meets(gate, box, reach_m);
    if (gate->kind != RW_GATE_MIRROR && gate->kind != RW_GATE_STRIP)
        return gate->kind != RW_GATE_CLOSED;
    int second = gate->kind == RW_GATE_STRIP ? 1 : 0;
    for (int i = 0; i < 4; i++)
        if (rw_box_beyond(gate->sides[0][i], gate->apexes[0], box, reach_m) > RW_GATE_SLACK &&
            rw_box_beyond(gate->sides[second][i], gate->apexes[second], box, reach_m) > RW_GATE_SLACK)
            return 0;
    return 1;
}

#endif
