/* Generators of cities, offices and terrain: what their files share. */
#ifndef RW_SCENE_GENERATORS_GENERATE_H
#define RW_SCENE_GENERATORS_GENERATE_H

#include "base/maths/hash.h"
#include "base/maths/vector.h"
#include "scene/scene.h"

/* Lots: convex pieces of land whose edges remember how much of the street before them lies inside.
 *
 * Streets come from cutting lots in two, buildings from what is left when each edge moves in by its margin. Convexity
 * is what keeps every step simple and safe: a cut adds at most one corner, and an inset never crosses itself. Only + -
 * * /, sqrt and comparisons, so that the same lots come out on every machine. */

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

/* What the generators share: the city while it is being made, and the steps from streets to buildings.
 *
 * A city is made in three steps: streets cut the land into blocks (generate_streets.c), each block is filled with
 * outlines (generate_block.c and what it calls), and the outlines become parts of a scene (generate_city.c). */

/* The character of a neighbourhood, which decides what its blocks look like. */
typedef enum rw_quarter { RW_QUARTER_OLD_TOWN, RW_QUARTER_DENSE, RW_QUARTER_ESTATE, RW_QUARTER_PARK } rw_quarter;

/* One block between streets: the lot still includes its share of the streets. */
typedef struct rw_block {
    rw_lot lot;
    rw_quarter quarter;
} rw_block;

/* One prism to be: rings follow each other in the city's points. */
typedef struct rw_draft {
    uint32_t building;
    size_t first_point;
    size_t ring_sizes[3];
    size_t ring_count;
    double base_height_m, roof_height_m;
} rw_draft;

typedef struct rw_city {
    rw_context *context;
    double width_m, depth_m;
    uint64_t seed;
    RW_ARRAY(rw_block) blocks;
    RW_ARRAY(rw_draft) drafts;
    RW_ARRAY(rw_vec2) points;
    uint32_t building_count;
    double land_m2;  /* of the blocks filled so far, with their streets */
    double built_m2; /* ground covered so far */
} rw_city;

/* The rings of one prism. A simple outline has one ring. */
typedef struct rw_shape {
    const rw_vec2 *rings[3];
    size_t ring_sizes[3];
    size_t ring_count;
    double base_height_m, roof_height_m;
} rw_shape;

rw_status rw_city_add_block(rw_city *city, const rw_lot *lot, rw_quarter quarter);

/* Adds a prism as a new building, or as another part of the latest one. */
rw_status rw_city_add(rw_city *city, const rw_shape *shape, int new_building);

/* Cuts the land of an old European city, or of a grid city, into blocks. */
rw_status rw_streets_european(rw_city *city);
rw_status rw_streets_grid(rw_city *city);

/* Moves the corners of a lot so that straight streets bend softly from block to block. */
void rw_streets_bend(const rw_city *city, rw_lot *lot);

/* Fills blocks with buildings. */
rw_status rw_block_fill_european(rw_city *city, const rw_block *block, rw_random *random);
rw_status rw_block_fill_grid(rw_city *city, const rw_block *block, rw_random *random);

/* Smooth noise of several octaves in about [-1, 1], made of integers and polynomials: the same on every machine. The
 * coarsest octave has bumps of size_m; each next is half as wide and half as high. */
double rw_noise(uint64_t seed, double x_m, double y_m, double size_m, int octaves);

/* Hills over a rectangle from 0 to relief_m, with posts spacing_m apart that reach its far edges. */
rw_status rw_scene_add_hills(rw_scene *scene, double width_m, double depth_m, double spacing_m, double relief_m,
                             uint64_t seed);

/* Coordinates are kept to 1/128 m, exact in binary, so that walls that meet still meet after a file in decimal. */
static inline double rw_round_coordinate(double value_m)
{
    return floor(value_m * 128 + 0.5) / 128;
}

/* A side of a generated scene: finite and within bounds. */
rw_status rw_check_length(rw_context *context, const char *what, double value_m, double min_m, double max_m);

/* A block while it is being built over: outlines that keep clear of each other inside one lot. */

#define RW_OUTLINE_POINTS_MAX 40
#define RW_YARD_OUTLINES_MAX 80

/* Counter-clockwise. Edge i, from point i to the next, faces the courtyard where open[i] is set: wings may grow there.
 */
typedef struct rw_outline {
    int count;
    rw_vec2 point[RW_OUTLINE_POINTS_MAX];
    unsigned char open[RW_OUTLINE_POINTS_MAX];
    double roof_height_m;
} rw_outline;

typedef struct rw_yard {
    rw_lot lot;
    int count;
    rw_outline outline[RW_YARD_OUTLINES_MAX];
} rw_yard;

/* How buildings stand along the streets round a block. */
typedef struct rw_frontage {
    double depth_m;    /* of the buildings, from the street to the courtyard */
    double piece_m;    /* mean length of street one building takes */
    double gap_chance; /* that two neighbours stand apart */
    double roof_height_m;
} rw_frontage;

/* Rows of buildings along all edges of the lot. Returns 0 and adds nothing where the lot is too small for a courtyard.
 */
int rw_yard_line_streets(rw_yard *yard, const rw_frontage *frontage, rw_random *random);

/* Tries once to grow a wing into the courtyard from a random building; returns whether it fitted. */
int rw_yard_grow_wing(rw_yard *yard, rw_random *random);

/* Tries once to put a free-standing box somewhere along a direction; returns whether it fitted. */
int rw_yard_add_box(rw_yard *yard, rw_vec2 centre, rw_vec2 direction, double length_m, double breadth_m,
                    double roof_height_m);

/* A random point in the bounding box of the lot along its first edge. */
rw_vec2 rw_yard_random_point(const rw_yard *yard, rw_random *random);

rw_status rw_yard_build(rw_city *city, const rw_yard *yard);

#endif
