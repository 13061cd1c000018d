/* Lots: convex pieces of land whose edges remember how much of the street before them lies inside.
 *
 * Streets come from cutting lots in two, buildings from what is left when each edge moves in by its margin. Convexity
 * is what keeps every step simple and safe: a cut adds at most one corner, and an inset never crosses itself. Only + -
 * * /, sqrt and comparisons, so that the same lots come out on every machine. */
#ifndef RW_SCENE_GENERATORS_GENERATE_LOT_H
#define RW_SCENE_GENERATORS_GENERATE_LOT_H

#include "base/maths/random.h"
#include "base/maths/vector.h"

#define RW_LOT_CORNERS_MAX 14

/* Counter-clockwise; edge i goes from corner i to corner i + 1. */
typedef struct rw_lot {
    int count;
    rw_vec2 corner[RW_LOT_CORNERS_MAX];
    double margin_m[RW_LOT_CORNERS_MAX];
} rw_lot;

rw_lot rw_lot_rectangle(double width_m, double depth_m, double margin_m);
double rw_lot_area_m2(const rw_lot *lot);
rw_vec2 rw_lot_centre(const rw_lot *lot);

/* Smallest and largest coordinate along a unit direction. */
void rw_lot_extent(const rw_lot *lot, rw_vec2 direction, double *low, double *high);
/* Unit vectors along an edge and along the longest one. */
rw_vec2 rw_lot_edge_direction(const rw_lot *lot, int edge);
rw_vec2 rw_lot_longest_edge(const rw_lot *lot);
int rw_lot_contains(const rw_lot *lot, rw_vec2 point);

/* What lies left of the line through a point along a direction; the new edge gets the margin. Empty (count 0) where
 * nothing does, or where the lot has too many corners. */
rw_lot rw_lot_clip(const rw_lot *lot, rw_vec2 point, rw_vec2 direction, double margin_m);

/* Both sides of a line. New corners are the same numbers in both. Returns 0 where the line misses the lot. */
int rw_lot_split(const rw_lot *lot, rw_vec2 point, rw_vec2 direction, double margin_m, rw_lot *left, rw_lot *right);

/* Whether no corner is nearer than clearance_m to the line along a unit direction: then a cut there makes no short
 * edge. */
int rw_lot_line_is_clear(const rw_lot *lot, rw_vec2 point, rw_vec2 direction, double clearance_m);

/* Every edge moved in by its margin; margins of the result are 0. Empty where nothing is left. */
rw_lot rw_lot_inset(const rw_lot *lot);

/* The same distance in along every edge, corner for corner. Returns 0 where an edge would become shorter than
 * shortest_m. */
int rw_lot_offset(const rw_lot *lot, double distance_m, double shortest_m, rw_lot *inner);

/* Leaves out corners that are nearly straight or closer than shortest_m to the next, and cuts off the tips of sharp
 * ones. */
void rw_lot_tidy(rw_lot *lot, double shortest_m);

/* Vector helpers of the generators. */
rw_vec2 rw_vec2_along(rw_vec2 from, rw_vec2 direction, double distance);
rw_vec2 rw_vec2_unit(rw_vec2 v);
rw_vec2 rw_vec2_left(rw_vec2 v);
double rw_vec2_distance(rw_vec2 a, rw_vec2 b);

/* A unit vector turned a little: by the angle whose tangent is tangent. */
rw_vec2 rw_vec2_turned(rw_vec2 direction, double tangent);

/* Any direction, nearly uniform; turn in [0, 4) goes round once. */
rw_vec2 rw_direction_at(double quarters);

#endif
