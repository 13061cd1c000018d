/* Walls, corners and legs of the street oracle (street_oracle.h): what a straight leg passes in plan, and which corners
 * bend what comes from a point, after equations (5) to (8) of Rick and Kuhlen (2010).
 *
 * Every condition is decided three times: strictly (with 2 cm of height and 0.1 mm in plan to spare), as it is, and
 * leniently (where so much is missing). */
#ifndef RW_TESTS_STREET_LEGS_H
#define RW_TESTS_STREET_LEGS_H

#include "discretise/prepared.h"
#include "field/edges/deflection.h"

#include "unit.h"

enum { STREET_STRICT = -1, STREET_PLAIN = 0, STREET_LENIENT = 1, STREET_NEVER = 2 };

#define STREET_ORDER_MAX 3
#define STREET_KEPT 4
#define STREET_HEIGHT_SLACK_M 0.02
#define STREET_PLAN_SLACK_M 1e-4

typedef struct street_wall {
    rw_vec2 p0, p1;
    double bottom_m, top_m;
} street_wall;

/* Ends of the two walls are given relative to the corner. */
typedef struct street_corner {
    rw_vec2 at, along[2], normal[2];
    double bottom_m, top_m;
} street_corner;

/* What a leg passes: something up to top_m at share t of its length. It counts in variants up to certainty. */
typedef struct street_obstacle {
    double t, top_m;
    int certainty;
} street_obstacle;

typedef struct street_leg {
    rw_vec2 direction;
    double length_m;
    int from_variant; /* the strictest that may take it; STREET_NEVER: none */
    size_t first, count;
} street_leg;

/* Source and some corners: what receivers are then joined to. */
typedef struct street_chain {
    int count, from_variant;
    size_t corners[STREET_ORDER_MAX], legs[STREET_ORDER_MAX];
    double length_m, turns_db; /* all turns but the one at the last corner */
} street_chain;

typedef struct street_oracle {
    const rw_scene *scene;
    street_wall *walls;
    street_corner *corners;
    street_obstacle *obstacles;
    street_leg *legs;
    street_chain *chains;
    size_t wall_count, corner_count, obstacle_count, leg_count, chain_count;
    size_t wall_room, corner_room, obstacle_room, leg_room, chain_room;
    rw_vec3 source; /* in the scene's local frame, as everything here */
    rw_deflection turn;
    double wavelength_m;
} street_oracle;

/* The next item of a growing array. */
#define STREET_APPEND(oracle, array, kind)                                                                             \
    ((oracle)->array##_count == (oracle)->array##_room                                                                 \
         ? (void)((oracle)->array##s = street_grow((oracle)->array##s, &(oracle)->array##_room, sizeof(kind)))         \
         : (void)0,                                                                                                    \
     &(oracle)->array##s[(oracle)->array##_count++])

static inline void *street_grow(void *items, size_t *room, size_t size)
{
    *room = *room ? 2 * *room : 256;
    void *grown = realloc(items, *room * size);
    assert_non_null(grown);
    return grown;
}

static inline double street_length(rw_vec2 v)
{
    return hypot(v.x, v.y);
}

/* ---------------------------------------------------------------------------------------------- walls and corners */

/* A vertex with the ways along its walls to their other ends and the walls' outward normals, set off by a centimetre.
 */
static inline street_corner street_corner_make(rw_vec2 vertex, const rw_vec2 along[2], const rw_vec2 normal[2],
                                               double bottom_m, double top_m)
{
    rw_vec2 out = {normal[0].x + normal[1].x, normal[0].y + normal[1].y};
    if (street_length(out) < 1e-9)
        out = rw_vec2_of(-along[0].x, -along[0].y); /* the end of a thin wall: on beyond it */
    double scale = 0.01 / street_length(out);
    return (street_corner){{vertex.x + scale * out.x, vertex.y + scale * out.y},
                           {along[0], along[1]},
                           {normal[0], normal[1]},
                           bottom_m,
                           top_m};
}

/* A hill may bury a corner. */
static inline void street_add_corner(street_oracle *oracle, street_corner corner)
{
    const rw_scene *scene = oracle->scene;
    if (!scene->terrain.values || rw_scene_ground_m(scene, corner.at) < corner.top_m)
        *STREET_APPEND(oracle, corner, street_corner) = corner;
}

/* One ring of a building that touches no other; the solid is inside it, or outside it where it is a hole. */
static inline void street_add_ring(street_oracle *oracle, const rw_vec2 *points, size_t count, int hole,
                                   const rw_part *part)
{
    double area = 0;
    for (size_t i = 0; i < count; i++) {
        rw_vec2 p = points[i], q = points[(i + 1) % count];
        area += p.x * q.y - q.x * p.y;
        *STREET_APPEND(oracle, wall, street_wall) = (street_wall){p, q, part->bottom_m, part->top_m};
    }
    double solid_left = (area > 0) != (hole != 0) ? 1 : -1;
    for (size_t i = 0; i < count; i++) {
        rw_vec2 at = points[i], before = points[(i + count - 1) % count], after = points[(i + 1) % count];
        rw_vec2 in = {at.x - before.x, at.y - before.y}, on = {after.x - at.x, after.y - at.y};
        double turn = atan2(in.x * on.y - in.y * on.x, in.x * on.x + in.y * on.y) * solid_left;
        if (turn * 57.29577951308232 <= 1)
            continue;
        rw_vec2 along[2] = {{-in.x, -in.y}, on}, normal[2];
        normal[0] =
            rw_vec2_of(solid_left * in.y / street_length(in), -solid_left * in.x / street_length(in)); /* right */
        normal[1] = rw_vec2_of(solid_left * on.y / street_length(on), -solid_left * on.x / street_length(on));
        street_add_corner(oracle, street_corner_make(at, along, normal, part->bottom_m, part->top_m));
    }
}

static inline void street_add_panel(street_oracle *oracle, const rw_scene_panel *panel)
{
    rw_vec2 along = {panel->p1.x - panel->p0.x, panel->p1.y - panel->p0.y};
    double length = street_length(along);
    *STREET_APPEND(oracle, wall, street_wall) = (street_wall){panel->p0, panel->p1, panel->bottom_m, panel->top_m};
    for (int end = 0; end < 2; end++) {
        double sign = end ? -1 : 1;
        rw_vec2 ways[2] = {{sign * along.x, sign * along.y}, {sign * along.x, sign * along.y}};
        rw_vec2 normal[2] = {{-along.y / length, along.x / length}, {along.y / length, -along.x / length}};
        street_add_corner(oracle,
                          street_corner_make(end ? panel->p1 : panel->p0, ways, normal, panel->bottom_m, panel->top_m));
    }
}

/* Walls and corners of a committed scene whose buildings and panels stand apart. */
static inline void street_take_apart(street_oracle *oracle, const rw_scene *scene)
{
    for (size_t i = 0; i < scene->parts.count; i++) {
        const rw_part *part = &scene->parts.items[i];
        for (size_t r = 0; r < part->ring_count; r++)
            street_add_ring(oracle, rw_ring_points(scene, part->first_ring + r),
                            rw_ring_size(scene, part->first_ring + r), r > 0, part);
    }
    for (size_t i = 0; i < scene->panels.count; i++)
        street_add_panel(oracle, &scene->panels.items[i]);
}

/* Where buildings touch: the program's own walls and corners. */
static inline void street_take_prepared(street_oracle *oracle, const rw_scene *scene)
{
    const rw_prepared *prepared = scene->prepared;
    rw_vec2 centre = prepared->grid.centre;
    for (size_t i = 0; i < prepared->walls.count; i++) {
        const rw_wall *wall = &prepared->walls.walls[i];
        *STREET_APPEND(oracle, wall, street_wall) = (street_wall){wall->p0, wall->p1, wall->bottom_m, wall->top_m};
    }
    for (size_t i = 0; i < prepared->corners.count; i++) {
        const rw_corner *from = &prepared->corners.items[i];
        double a = hypot(from->ax, from->ay), b = hypot(from->bx, from->by);
        *STREET_APPEND(oracle, corner, street_corner) =
            (street_corner){{from->x + centre.x, from->y + centre.y},
                            {{from->ax, from->ay}, {from->bx, from->by}},
                            {{-from->ay / a, from->ax / a}, {from->by / b, -from->bx / b}},
                            from->bottom,
                            from->top};
    }
}

/* ------------------------------------------------------------------------------------------------------------ legs */

/* Whether a leg crosses a wall in plan when both are longer by extra_m at each end, and at which share of the leg. */
static inline int street_crosses(rw_vec2 from, rw_vec2 to, const street_wall *wall, double extra_m, double *t)
{
    rw_vec2 leg = {to.x - from.x, to.y - from.y}, along = {wall->p1.x - wall->p0.x, wall->p1.y - wall->p0.y};
    rw_vec2 off = {wall->p0.x - from.x, wall->p0.y - from.y};
    double across = leg.x * along.y - leg.y * along.x;
    double share = (off.x * leg.y - off.y * leg.x) / across;
    *t = (off.x * along.y - off.y * along.x) / across;
    double leg_extra = extra_m / street_length(leg), wall_extra = extra_m / street_length(along);
    return *t > -leg_extra && *t < 1 + leg_extra && share > -wall_extra && share < 1 + wall_extra;
}

/* The most lenient variant in which the wall is still in the leg's way in plan; below all of them: it never is. */
static inline int street_wall_certainty(rw_vec2 from, rw_vec2 to, const street_wall *wall, double *t)
{
    if (!street_crosses(from, to, wall, STREET_PLAN_SLACK_M, t))
        return STREET_STRICT - 1;
    if (street_crosses(from, to, wall, -STREET_PLAN_SLACK_M, t))
        return STREET_LENIENT;
    return street_crosses(from, to, wall, 0, t) ? STREET_PLAIN : STREET_STRICT;
}

static inline void street_pass(street_oracle *oracle, double t, double top_m, int certainty)
{
    *STREET_APPEND(oracle, obstacle, street_obstacle) = (street_obstacle){t, top_m, certainty};
}

/* The ground is flat between lines of posts along x, along y and along the diagonals: it is highest under a leg on
 * one of them or at the leg's ends. */
static inline void street_pass_ground(street_oracle *oracle, rw_vec2 from, rw_vec2 to)
{
    const rw_raster *terrain = &oracle->scene->terrain;
    if (!terrain->values)
        return;
    double u = (from.x - terrain->x0_m) / terrain->dx_m, v = (from.y - terrain->y0_m) / terrain->dy_m;
    double du = (to.x - from.x) / terrain->dx_m, dv = (to.y - from.y) / terrain->dy_m;
    double start[3] = {u, v, u - v}, step[3] = {du, dv, du - dv};
    for (int kind = 0; kind < 3; kind++)
        for (long line = -(long)terrain->rows; line <= (long)(terrain->columns + terrain->rows); line++) {
            double t = (line - start[kind]) / step[kind];
            if (t > 0 && t < 1)
                street_pass(oracle, t,
                            rw_scene_ground_m(oracle->scene,
                                              rw_vec2_of(from.x + t * (to.x - from.x), from.y + t * (to.y - from.y))),
                            STREET_LENIENT);
        }
    street_pass(oracle, 0, rw_scene_ground_m(oracle->scene, from), STREET_LENIENT);
    street_pass(oracle, 1, rw_scene_ground_m(oracle->scene, to), STREET_LENIENT);
}

/* A leg with all it passes, between ends that it meets no higher than said: what is surely in its way then closes it.
 */
static inline street_leg street_leg_make(street_oracle *oracle, rw_vec2 from, double from_top_m, rw_vec2 to,
                                         double to_top_m)
{
    street_leg leg = {.from_variant = STREET_STRICT, .first = oracle->obstacle_count};
    leg.direction = rw_vec2_of(to.x - from.x, to.y - from.y);
    leg.length_m = street_length(leg.direction);
    for (size_t i = 0; i < oracle->wall_count; i++) {
        double t;
        int certainty = street_wall_certainty(from, to, &oracle->walls[i], &t);
        if (certainty >= STREET_STRICT)
            street_pass(oracle, t, oracle->walls[i].top_m, certainty);
    }
    street_pass_ground(oracle, from, to);
    leg.count = oracle->obstacle_count - leg.first;
    for (size_t i = leg.first; i < oracle->obstacle_count; i++) {
        const street_obstacle *passed = &oracle->obstacles[i];
        double highest_m = from_top_m + passed->t * (to_top_m - from_top_m) + 3 * STREET_HEIGHT_SLACK_M;
        if (passed->certainty == STREET_LENIENT && passed->top_m > highest_m)
            leg.from_variant = STREET_NEVER;
    }
    if (leg.from_variant == STREET_NEVER)
        oracle->obstacle_count = leg.first;
    return leg;
}

static inline int street_leg_clear(const street_oracle *oracle, const street_leg *leg, double from_z_m, double to_z_m,
                                   int variant)
{
    for (size_t i = leg->first; i < leg->first + leg->count; i++) {
        const street_obstacle *passed = &oracle->obstacles[i];
        double z_m = from_z_m + passed->t * (to_z_m - from_z_m) + variant * STREET_HEIGHT_SLACK_M;
        if (variant <= passed->certainty && passed->top_m > z_m)
            return 0;
    }
    return 1;
}

/* Equations (6) to (8): one of the corner's walls faces away from the point and the corner is its nearer end. Returns
 * the strictest variant in which that holds. */
static inline int street_bends(const street_corner *corner, rw_vec2 from)
{
    rw_vec2 d = {corner->at.x - from.x, corner->at.y - from.y};
    for (int variant = STREET_STRICT; variant <= STREET_LENIENT; variant++)
        for (int wall = 0; wall < 2; wall++) {
            rw_vec2 n = corner->normal[wall], other = rw_vec2_add(d, corner->along[wall]);
            double spare = -variant * STREET_PLAN_SLACK_M;
            if (n.x * d.x + n.y * d.y > spare && street_length(d) + spare <= street_length(other))
                return variant;
        }
    return STREET_NEVER;
}

#endif
