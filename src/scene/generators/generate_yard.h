/* A block while it is being built over: outlines that keep clear of each other inside one lot. */
#ifndef RW_SCENE_GENERATORS_GENERATE_YARD_H
#define RW_SCENE_GENERATORS_GENERATE_YARD_H

#include "scene/generators/generate.h"

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

void rw_outline_append(rw_outline *outline, rw_vec2 point, int open);

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
