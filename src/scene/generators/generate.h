/* What the generators share: the city while it is being made, and the steps from streets to buildings.
 *
 * A city is made in three steps: streets cut the land into blocks (generate_streets.c), each block is filled with
 * outlines (generate_block.c and what it calls), and the outlines become parts of a scene (generate_city.c). */
#ifndef RW_SCENE_GENERATORS_GENERATE_H
#define RW_SCENE_GENERATORS_GENERATE_H

#include "scene/generators/generate_lot.h"
#include "scene/scene.h"

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

#endif
