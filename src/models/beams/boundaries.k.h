/* What the edges beside a path take from it: near the shadow boundary of a vertical edge the wave and the wave that the
 * edge diffracts are one field, which falls to half its amplitude at the boundary and goes on behind it as the
 * diffracted beam.
 *
 * From a path and the edges of the scene to a factor on its power. Of the edges on one side of a leg the one that
 * leaves least of the Fresnel ellipse counts, as the field behind a half screen (ITU-R P.526-15, section 4.1) with s^2
 * = k (s1 + s2 - s12), the distance parameter of the uniform theory of diffraction; at the boundary itself the power is
 * that of the diffracted beam there, with the reflections of the faces. Beyond a few Fresnel zones nothing is left of
 * it: different waves add by power, and so do the fringes.
 * Valid where the ends of the leg are a wavelength and more from the edge. */
#ifndef RW_MODELS_BEAMS_BOUNDARIES_K_H
#define RW_MODELS_BEAMS_BOUNDARIES_K_H

#include "discretise/walls/edge_grid.k.h"
#include "field/edges/edge_boundary.k.h"
#include "field/edges/knife_edge.k.h"
#include "models/beams/losses.k.h"
#include "models/beams/verify_path.k.h"

/* An outside angle that exceeds a straight one by so much is a full edge: 10 degrees. */
#define RW_BLUNT_RAD 0.1745

/* A wall is along a leg where their directions differ by less than this. */
#define RW_ALONG_WALL_RAD 0.03

/* What decides on one side of a leg. */
typedef struct rw_boundary_side {
    double root, next_root; /* least s and the least but one */
    double before_m, after_m;
    const rw_upright_edge *edge; /* of the least; NULL: a wall's end */
} rw_boundary_side;

/* One leg of a path, in plan as its beam's virtual source sees it. */
typedef struct rw_boundary_leg {
    rw_vec2 origin, ray;          /* unit */
    double near_m, far_m;         /* from the origin to where the leg begins and ends */
    double length_m;              /* to the next vertical edge of the path or the receiver */
    rw_vec3 from, to;             /* its ends in space */
    uint32_t near_wall, far_wall; /* that turn the path at its ends; RW_NO_WALL */
    int begins_at_edge, ends_at_edge;
} rw_boundary_leg;

/* Power beyond an edge at s over that of the wave alone: 1/4 at the boundary, 1 from RW_BOUNDARY_ROOT_MAX on. */
RW_FN double rw_boundary_power(double root)
{
    double inside = rw_complex_abs2(rw_screen_field(-root / 1.2533141373155003)); /* sqrt(pi/2) */
    return 1 + (inside - 1) * rw_boundary_coherence(root);
}

RW_FN int rw_same_place(rw_vec2 a, rw_vec2 b)
{
    return fabs(a.x - b.x) < 1e-6 && fabs(a.y - b.y) < 1e-6;
}

RW_FN int rw_is_end_of_wall(const rw_beam_walls *walls, uint32_t wall, rw_vec2 at)
{
    return wall != RW_NO_WALL && (rw_same_place(rw_wall_end(walls->exact + wall, 0), at) ||
                                  rw_same_place(rw_wall_end(walls->exact + wall, 1), at));
}

/* How far the shadow of a building begins at the edge, on the side of the leg where the edge is: 1 where both walls lie
 * there, 0 where the leg is along one of them, and another edge takes over. The same from both ends. */
RW_FN double rw_boundary_shadow_part(const rw_upright_edge *edge, rw_vec2 ray, int side)
{
    double a = rw_vec2_cross(ray, edge->a) * side, b = rw_vec2_cross(ray, edge->b) * side;
    return rw_boundary_window((a < b ? a : b) / RW_ALONG_WALL_RAD);
}

/* s of an edge beside a leg, more where the building ends above or the leg before it; *side: where the edge is. */
RW_FN double rw_boundary_root(const rw_boundary_leg *leg, const rw_upright_edge *edge, double wavenumber, int *side,
                              double *before_m, double *after_m)
{
    rw_vec2 away = rw_vec2_sub(edge->at, leg->origin);
    double along = rw_vec2_dot(away, leg->ray), across = rw_vec2_cross(leg->ray, away), aside = fabs(across);
    *side = across > 0 ? 1 : -1;
    *before_m = sqrt(along * along + across * across);
    *after_m = sqrt((leg->length_m - along) * (leg->length_m - along) + across * across);
    double longer_m = *before_m + *after_m - leg->length_m, part = rw_boundary_shadow_part(edge, leg->ray, *side);
    if (leg->near_wall != RW_NO_WALL)
        part *= rw_boundary_window(0.5 + (along - leg->near_m) / (2 * aside + 1e-9));
    if (leg->far_wall != RW_NO_WALL)
        part *= rw_boundary_window(0.5 + (leg->far_m - along) / (2 * aside + 1e-9));
    double t = (along - leg->near_m) / (leg->far_m - leg->near_m);
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    double z = leg->from.z + t * (leg->to.z - leg->from.z), each_m = *before_m * *after_m;
    double zone = sqrt(0.5 * wavenumber * (*before_m + *after_m) / (each_m > 1e-6 ? each_m : 1e-6));
    part *= rw_boundary_window(((double)edge->top - z) * zone) * (z >= (double)edge->bottom ? 1 : 0);
    return part > 1e-6 ? sqrt(wavenumber * (longer_m > 0 ? longer_m : 0)) / part : INFINITY;
}

/* Whether nothing stands between a leg and an edge beside it. */
RW_RARE_FN int rw_beam_edge_is_open(const rw_wall_grid_view *grid, const rw_boundary_leg *leg,
                                    const rw_upright_edge *edge)
{
    double t = (rw_vec2_dot(rw_vec2_sub(edge->at, leg->origin), leg->ray) - leg->near_m) / (leg->far_m - leg->near_m);
    t = t < 1e-3 ? 1e-3 : t > 1 - 1e-3 ? 1 - 1e-3 : t;
    rw_vec3 foot = rw_vec3_add(leg->from, rw_vec3_scale(rw_vec3_sub(leg->to, leg->from), t));
    rw_vec2 back = rw_unit(rw_vec2_add(edge->a, edge->b));
    double off = fabs(rw_vec2_cross(edge->a, edge->b)) > 1e-6 ? 1e-3 : 0; /* out of the building */
    rw_vec3 at = rw_vec3_of(edge->at.x - off * back.x, edge->at.y - off * back.y, foot.z);
    rw_sight sight = rw_sight_of(grid, foot, at);
    return rw_march_clear(grid, &sight);
}

/* What is left of a wave that a wall reflects or an edge diffracts under its upper end: nothing goes on above it. */
RW_FN double rw_boundary_top_factor(double above_m, double wavenumber, double before_m, double after_m)
{
    double each_m = before_m * after_m;
    return rw_boundary_window(above_m *
                              sqrt(0.5 * wavenumber * (before_m + after_m) / (each_m > 1e-6 ? each_m : 1e-6)));
}

/* What is left of a reflected wave towards the free ends of its wall: no wave of the edge's goes on beyond them. */
RW_FN double rw_boundary_end_factor(const rw_edge_grid_view *edges, const rw_boundary_leg *leg,
                                    const rw_exact_wall *wall, double wavenumber)
{
    double factor = 1;
    for (int end = 0; end < 2; end++) {
        rw_vec2 at = rw_wall_end(wall, end), away = rw_vec2_sub(at, leg->origin);
        double along = rw_vec2_dot(away, leg->ray), across = rw_vec2_cross(leg->ray, away);
        double rest_m = leg->length_m - along;
        double longer_m =
            sqrt(along * along + across * across) + sqrt(rest_m * rest_m + across * across) - leg->length_m;
        double root = sqrt(wavenumber * (longer_m > 0 ? longer_m : 0)) / RW_BOUNDARY_ROOT_WHOLE;
        if (!(root < 1))
            continue;
        const uint32_t *first =
            edges->first +
            (size_t)rw_edge_grid_index(at.y, edges->y0, edges->cell_m, edges->rows) * (size_t)edges->columns +
            (size_t)rw_edge_grid_index(at.x, edges->x0, edges->cell_m, edges->columns);
        for (uint32_t i = first[0]; i < first[1]; i++)
            if (rw_same_place(edges->edges[i].at, at)) {
                /* walls that meet at a blunt angle reflect on */
                double sharp = rw_boundary_window((edges->edges[i].exterior_rad - RW_PI) / RW_BLUNT_RAD);
                factor *= 1 - sharp * (1 - rw_boundary_window(root));
                break;
            }
    }
    return factor;
}

RW_FN void rw_boundary_note(rw_boundary_side *side, double root, double before_m, double after_m,
                            const rw_upright_edge *edge)
{
    if (root >= side->root) {
        side->next_root = root < side->next_root ? root : side->next_root;
        return;
    }
    side->next_root = side->root;
    side->root = root;
    side->before_m = before_m;
    side->after_m = after_m;
    side->edge = edge;
}

RW_FN void rw_boundary_try(const rw_edge_grid_view *edges, const rw_wall_grid_view *grid, const rw_beam_walls *walls,
                           double wavenumber, const rw_boundary_leg *leg, uint32_t index, rw_boundary_side sides[2])
{
    const rw_upright_edge *edge = edges->edges + index;
    double before_m, after_m;
    int side;
    double root = rw_boundary_root(leg, edge, wavenumber, &side, &before_m, &after_m);
    if (!(root < RW_BOUNDARY_ROOT_MAX) ||
        (leg->begins_at_edge && rw_same_place(edge->at, rw_vec2_of(leg->from.x, leg->from.y))) ||
        (leg->ends_at_edge && rw_same_place(edge->at, rw_vec2_of(leg->to.x, leg->to.y))) ||
        rw_is_end_of_wall(walls, leg->near_wall, edge->at) || rw_is_end_of_wall(walls, leg->far_wall, edge->at) ||
        !rw_beam_edge_is_open(grid, leg, edge))
        return;
    rw_boundary_note(&sides[side > 0], root, before_m, after_m, edge);
}

/* Edges beside the leg, strip by strip of the grid. */
RW_FN void rw_boundary_search(const rw_edge_grid_view *edges, const rw_wall_grid_view *grid, const rw_beam_walls *walls,
                              double wavenumber, const rw_boundary_leg *leg, rw_boundary_side sides[2])
{
    double longer_m = RW_BOUNDARY_ROOT_MAX * RW_BOUNDARY_ROOT_MAX / wavenumber;
    double reach_m = 0.5 * sqrt(longer_m * (2 * leg->length_m + longer_m)) + 1e-6;
    rw_vec2 from = rw_vec2_of(leg->from.x, leg->from.y), to = rw_vec2_of(leg->to.x, leg->to.y);
    rw_vec2 p0 = rw_vec2_of(from.x - reach_m * leg->ray.x, from.y - reach_m * leg->ray.y);
    rw_vec2 p1 = rw_vec2_of(to.x + reach_m * leg->ray.x, to.y + reach_m * leg->ray.y);
    double low = (p0.y < p1.y ? p0.y : p1.y) - reach_m, high = (p0.y < p1.y ? p1.y : p0.y) + reach_m;
    int last = rw_edge_grid_index(high, edges->y0, edges->cell_m, edges->rows);
    for (int row = rw_edge_grid_index(low, edges->y0, edges->cell_m, edges->rows); row <= last; row++) {
        double y = edges->y0 + row * edges->cell_m, x_low, x_high;
        if (!rw_stretch_in_strip(p0, p1, y - reach_m, y + edges->cell_m + reach_m, &x_low, &x_high))
            continue;
        const uint32_t *first = edges->first + (size_t)row * (size_t)edges->columns;
        int begin = rw_edge_grid_index(x_low - reach_m, edges->x0, edges->cell_m, edges->columns);
        int end = rw_edge_grid_index(x_high + reach_m, edges->x0, edges->cell_m, edges->columns);
        for (uint32_t i = first[begin]; i < first[end + 1]; i++)
            rw_boundary_try(edges, grid, walls, wavenumber, leg, i, sides);
    }
}

/* Power of the diffracted beam of an edge at its shadow boundary over that of the wave. */
RW_RARE_FN double rw_boundary_ratio(const rw_beam_losses *losses, const rw_boundary_leg *leg,
                                    const rw_boundary_side *side)
{
    const rw_upright_edge *edge = side->edge;
    double a_rad = fabs(rw_angle_between(leg->ray, edge->a)), b_rad = fabs(rw_angle_between(leg->ray, edge->b));
    double shadow_rad = a_rad < b_rad ? a_rad : b_rad, source_rad = shadow_rad + RW_PI;
    source_rad = source_rad > edge->exterior_rad ? edge->exterior_rad : source_rad;
    double before_m = side->before_m > 1e-3 ? side->before_m : 1e-3,
           after_m = side->after_m > 1e-3 ? side->after_m : 1e-3;
    double parameter_m = before_m * after_m / (before_m + after_m);
    return rw_corner_coefficient(losses, a_rad < b_rad ? edge->surface_b : edge->surface_a, edge->exterior_rad,
                                 source_rad, shadow_rad - 1e-7, parameter_m) / /* just behind the boundary */
           parameter_m;
}

/* What stays the same over the legs of a path. */
typedef struct rw_boundary_scene {
    const rw_edge_grid_view *edges;
    const rw_wall_grid_view *grid;
    const rw_beam_walls *walls;
    const rw_beam_losses *losses;
} rw_boundary_scene;

/* How far the diffracted beam decides: 1 at the boundary, 0 where the wave is clear of the edge, or where another edge
 * leaves as little. */
RW_FN double rw_boundary_closeness(const rw_boundary_side *side)
{
    double alone = side->root > 0 ? side->root / side->next_root : 0;
    return side->root < RW_BOUNDARY_ROOT_WHOLE
               ? (1 - rw_boundary_window(side->root / RW_BOUNDARY_ROOT_WHOLE)) * (1 - alone * alone)
               : 0;
}

/* The factor of the edges on one side of a leg from or to the edge that decides there, without the edges beside that.
 */
RW_FN double rw_boundary_part_factor(const rw_boundary_scene *scene, const rw_boundary_leg *leg, int side)
{
    rw_boundary_side none = {INFINITY, INFINITY, 0, 0, 0}, sides[2] = {none, none};
    if (!(leg->far_m - leg->near_m > 1e-6))
        return 1;
    rw_boundary_search(scene->edges, scene->grid, scene->walls, scene->losses->wavenumber, leg, sides);
    const rw_boundary_side *found = &sides[side > 0];
    if (!found->edge || !(found->root < RW_BOUNDARY_ROOT_MAX))
        return 1;
    double close = rw_boundary_closeness(found), power = rw_boundary_power(found->root);
    return close > 0 ? power * (1 + close * (4 * rw_boundary_ratio(scene->losses, leg, found) - 1)) : power;
}

/* The same of both legs of the diffracted beam: before the edge and after it. */
RW_RARE_FN double rw_boundary_parts_factor(const rw_boundary_scene *scene, const rw_boundary_leg *leg,
                                           const rw_boundary_side *found, int side)
{
    rw_vec2 at = found->edge->at, to = rw_vec2_of(leg->to.x, leg->to.y), ray = rw_vec2_sub(to, at);
    double along = rw_vec2_dot(rw_vec2_sub(at, leg->origin), leg->ray);
    double t = (along - leg->near_m) / (leg->far_m - leg->near_m);
    rw_vec3 turn = rw_vec3_of(at.x, at.y, leg->from.z + t * (leg->to.z - leg->from.z));
    rw_boundary_leg before = *leg, after = *leg;
    before.ray = rw_unit(rw_vec2_sub(at, leg->origin));
    rw_vec2 stretch = rw_vec2_sub(at, rw_vec2_of(leg->from.x, leg->from.y));
    before.far_m = before.length_m = found->before_m;
    before.near_m = before.far_m - sqrt(rw_vec2_dot(stretch, stretch));
    before.to = turn;
    before.ends_at_edge = 1;
    before.far_wall = RW_NO_WALL;
    after.origin = at;
    rw_vec2 goal = rw_vec2_of(leg->origin.x + leg->length_m * leg->ray.x, leg->origin.y + leg->length_m * leg->ray.y);
    after.ray = rw_unit(rw_vec2_sub(goal, at)); /* towards the end as it is seen in the walls */
    after.near_m = 0;
    after.far_m = sqrt(rw_vec2_dot(ray, ray));
    after.length_m = found->after_m;
    after.from = turn;
    after.begins_at_edge = 1;
    after.near_wall = RW_NO_WALL;
    return rw_boundary_part_factor(scene, &before, side) * rw_boundary_part_factor(scene, &after, side);
}

/* The factor of one side on the power. */
RW_FN double rw_boundary_factor(const rw_boundary_scene *scene, const rw_boundary_leg *leg,
                                const rw_boundary_side *found, int side)
{
    if (!found->edge || !(found->root < RW_BOUNDARY_ROOT_MAX))
        return 1;
    double power = rw_boundary_power(found->root), close = rw_boundary_closeness(found);
    if (!(close > 0))
        return power;
    double diffracted =
        4 * rw_boundary_ratio(scene->losses, leg, found) * rw_boundary_parts_factor(scene, leg, found, side);
    return power * (1 + close * (diffracted - 1));
}

/* In plan, from the edge before or the source, unfolded. */
RW_FN double rw_leg_to_edge_m(const rw_beam *beams, const rw_beam *beam)
{
    rw_vec2 leg = rw_vec2_sub(beam->origin, beams[beam->parent].origin);
    return sqrt(rw_vec2_dot(leg, leg));
}

/* What the edges take from a path, in dB. */
RW_RARE_FN double rw_boundaries_db(const rw_edge_grid_view *edges, const rw_beam_losses *losses, const rw_beam *beams,
                                   const rw_beam *last, const rw_beam_walls *walls, const rw_wall_grid_view *grid,
                                   rw_vec3 source, rw_vec3 receiver)
{
    rw_beam_legs legs = rw_beam_legs_start(last, source, receiver);
    rw_vec3 to = receiver;
    rw_vec2 across = rw_vec2_sub(legs.at, last->origin);
    double length_m = sqrt(rw_vec2_dot(across, across)), factor = 1;
    rw_boundary_scene scene = {edges, grid, walls, losses};
    rw_boundary_leg leg;
    leg.far_wall = RW_NO_WALL;
    leg.ends_at_edge = 0;
    for (int more = 1; more;) {
        const rw_beam *beam = legs.beam;
        rw_vec2 end = legs.at;
        more = beam->kind != RW_BEAM_SOURCE;
        rw_vec3 from = rw_beam_legs_next(&legs, beams, walls, source);
        rw_vec2 ray = rw_vec2_sub(end, beam->origin);
        leg.origin = beam->origin;
        leg.far_m = sqrt(rw_vec2_dot(ray, ray));
        leg.ray = rw_unit(ray);
        leg.near_m = rw_vec2_dot(rw_vec2_sub(rw_vec2_of(from.x, from.y), beam->origin), leg.ray);
        leg.length_m = length_m;
        leg.from = from;
        leg.to = to;
        leg.begins_at_edge = beam->kind == RW_BEAM_DIFFRACTED;
        leg.near_wall = beam->kind == RW_BEAM_REFLECTED || beam->kind == RW_BEAM_TRANSMITTED ? beam->wall : RW_NO_WALL;
        rw_boundary_side none = {INFINITY, INFINITY, 0, 0, 0}, sides[2] = {none, none};
        if (leg.far_m - leg.near_m > 1e-6) {
            rw_boundary_search(edges, grid, walls, losses->wavenumber, &leg, sides);
            for (int side = 0; side < 2; side++)
                factor *= rw_boundary_factor(&scene, &leg, &sides[side], side ? 1 : -1);
        }
        if (beam->kind == RW_BEAM_REFLECTED || beam->kind == RW_BEAM_DIFFRACTED) {
            const rw_exact_wall *wall = walls->exact + beam->wall;
            int edge = beam->kind == RW_BEAM_DIFFRACTED;
            double before_m = edge ? rw_leg_to_edge_m(beams, beam) : leg.near_m;
            double after_m = length_m - (edge ? 0 : leg.near_m);
            factor *= rw_boundary_top_factor(wall->top - from.z, losses->wavenumber, before_m, after_m);
            factor *= edge ? 1 : rw_boundary_end_factor(edges, &leg, wall, losses->wavenumber);
        }
        leg.far_wall = leg.near_wall;
        leg.ends_at_edge = leg.begins_at_edge;
        length_m = leg.begins_at_edge ? rw_leg_to_edge_m(beams, beam) : length_m;
        to = from;
    }
    return -10.0 * log10(factor > 1e-30 ? factor : 1e-30);
}

#endif
