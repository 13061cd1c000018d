/* A piece of a beam as a region of the map: the borders that it is rasterised between. */
#ifndef RW_MODELS_BEAMS_EVALUATION_PIECE_REGION_K_H
#define RW_MODELS_BEAMS_EVALUATION_PIECE_REGION_K_H

#include "discretise/receivers/receivers.k.h"
#include "models/beams/beam.k.h"
#include "models/beams/raster/raster_region.k.h"

RW_FN double rw_lesser(double a, double b)
{
    return a < b ? a : b;
}

RW_FN double rw_greater(double a, double b)
{
    return a > b ? a : b;
}

RW_FN void rw_box_add(rw_region *region, rw_vec2 point)
{
    region->west = rw_lesser(region->west, point.x);
    region->east = rw_greater(region->east, point.x);
    region->south = rw_lesser(region->south, point.y);
    region->north = rw_greater(region->north, point.y);
}

/* How far along an edge the line of a wall is met; otherwise where it is not, or farther than that. */
RW_FN double rw_edge_meets(rw_vec2 origin, rw_vec2 edge, const rw_exact_wall *wall, double otherwise, double farthest)
{
    if (!wall)
        return otherwise;
    rw_vec2 normal = rw_wall_normal(wall);
    double towards = rw_vec2_dot(edge, normal);
    double distance = (wall->x0 - origin.x) * normal.x + (wall->y0 - origin.y) * normal.y;
    double met = towards != 0 ? distance / towards : 0;
    return met > 0 && met < farthest ? met : otherwise;
}

/* Takes in where an edge begins and ends: at the line of a wall, at the origin, or where no receiver is reached. */
RW_FN void rw_box_add_edge(rw_region *region, rw_vec2 origin, rw_vec2 edge, const rw_exact_wall *near,
                           const rw_exact_wall *far, double nearest_m, double reach_m)
{
    double begin = rw_edge_meets(origin, edge, near, 0, reach_m),
           end = rw_edge_meets(origin, edge, far, reach_m, reach_m);
    begin = begin < nearest_m ? nearest_m : begin;
    begin = begin < end ? begin : end;
    rw_box_add(region, rw_vec2_of(origin.x + begin * edge.x, origin.y + begin * edge.y));
    rw_box_add(region, rw_vec2_of(origin.x + end * edge.x, origin.y + end * edge.y));
}

/* The line of a wall as a border: the region is on the other side than the origin, or on the same. */
RW_FN rw_border rw_wall_border(const rw_exact_wall *wall, rw_vec2 origin, int beyond)
{
    rw_border border = rw_border_of(wall->x0, wall->y0, wall->x1 - wall->x0, wall->y1 - wall->y0, beyond);
    int origin_left = rw_border_side(&border, origin.x, origin.y) >= 0;
    if (!origin_left) { /* turned round, so that the origin is on the left */
        border = rw_border_of(wall->x1, wall->y1, wall->x0 - wall->x1, wall->y0 - wall->y1, beyond);
    }
    return border;
}

/* No receiver is reached by the piece nearer to the beam's origin, in plan: rays are higher there than all receivers,
 * or lower. */
RW_FN double rw_piece_nearest_m(const rw_beam *beam, const rw_beam_piece *piece, const rw_receivers_view *receivers,
                                double source_m)
{
    double fall_m = source_m - (double)receivers->high_m, rise_m = (double)receivers->low_m - source_m, plan_m = 0;
    if (fall_m > 0 && beam->slope_low < 0.0f)
        plan_m = fall_m / -(double)beam->slope_low;
    else if (rise_m > 0 && beam->slope_high > 0.0f)
        plan_m = rise_m / (double)beam->slope_high;
    plan_m = 0.99999 * plan_m - beam->before_m;
    return plan_m > (double)piece->near_m ? plan_m : (double)piece->near_m;
}

/* A line across a piece, through its edges so far along them. The region is beyond it, or before it. */
RW_FN rw_border rw_line_across(rw_vec2 origin, const rw_beam_piece *piece, double along, int beyond)
{
    rw_vec2 right = rw_vec2_of(origin.x + along * piece->right.x, origin.y + along * piece->right.y);
    rw_vec2 left = rw_vec2_of(origin.x + along * piece->left.x, origin.y + along * piece->left.y);
    return rw_border_of(right.x, right.y, left.x - right.x, left.y - right.y, beyond);
}

/* Takes in where a line across, so far along both edges, meets the line of a wall between them: a corner of the region
 * where the wall bounds one edge and the line across the other. */
RW_FN void rw_box_add_crossing(rw_region *region, rw_vec2 origin, const rw_beam_piece *piece, const rw_exact_wall *wall,
                               double along)
{
    if (!wall)
        return;
    rw_vec2 normal = rw_wall_normal(wall);
    rw_vec2 right = rw_vec2_of(origin.x + along * piece->right.x, origin.y + along * piece->right.y);
    rw_vec2 left = rw_vec2_of(origin.x + along * piece->left.x, origin.y + along * piece->left.y);
    double from = (right.x - wall->x0) * normal.x + (right.y - wall->y0) * normal.y;
    double to = (left.x - wall->x0) * normal.x + (left.y - wall->y0) * normal.y;
    if ((from > 0) == (to > 0))
        return;
    double fraction = from / (from - to);
    rw_box_add(region, rw_vec2_of(right.x + fraction * (left.x - right.x), right.y + fraction * (left.y - right.y)));
}

/* The quadrilateral of a piece: between its edges, beyond the wall it comes from, up to the wall it ends at. Where no
 * receiver is reached it is cut off: nearer than nearest_m, farther than its reach. */
RW_FN rw_region rw_piece_region(const rw_beam *beam, const rw_beam_piece *piece, const rw_exact_wall *walls,
                                double nearest_m)
{
    rw_region region;
    rw_vec2 origin = beam->origin;
    const rw_exact_wall *near =
        beam->kind == RW_BEAM_REFLECTED || beam->kind == RW_BEAM_TRANSMITTED ? walls + beam->wall : 0;
    const rw_exact_wall *far = piece->wall != RW_NO_WALL ? walls + piece->wall : 0;
    region.borders[0] = rw_border_of(origin.x, origin.y, piece->right.x, piece->right.y, 0);
    region.borders[1] = rw_border_of(origin.x, origin.y, piece->left.x, piece->left.y, 1);
    region.border_count = 2;
    if (near)
        region.borders[region.border_count++] = rw_wall_border(near, origin, 1);
    if (far)
        region.borders[region.border_count++] = rw_wall_border(far, origin, 0);
    /* the line across that holds the arc at the reach */
    double reach_m = (double)piece->far_m / rw_fan_min_length(beam->right, beam->left);
    reach_m = reach_m < 1e9 ? reach_m : 1e9;
    if (reach_m < 1e7)
        region.borders[region.border_count++] = rw_line_across(origin, piece, reach_m, 0);
    if (nearest_m > 0)
        region.borders[region.border_count++] = rw_line_across(origin, piece, nearest_m, 1);
    region.west = region.south = INFINITY;
    region.east = region.north = -INFINITY;
    rw_box_add_edge(&region, origin, piece->right, near, far, nearest_m, reach_m);
    rw_box_add_edge(&region, origin, piece->left, near, far, nearest_m, reach_m);
    if (reach_m < 1e7)
        rw_box_add_crossing(&region, origin, piece, far, reach_m);
    if (nearest_m > 0)
        rw_box_add_crossing(&region, origin, piece, near, nearest_m);
    return region;
}

#endif
