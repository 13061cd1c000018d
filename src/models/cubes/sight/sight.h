/* Runs the kernels of lines through cubes: visibility of a cube (see_cubes.k.h), and the benchmark's sums
 * (sum_lines.k.h, sum_rings.k.h, sum_diagonals.k.h). */
#ifndef RW_MODELS_CUBES_SIGHT_SIGHT_H
#define RW_MODELS_CUBES_SIGHT_SIGHT_H

#include "device/device.h"
#include "models/cubes/sight/see_cubes.k.h"
#include "models/cubes/sight/sum_diagonals.k.h"
#include "models/cubes/sight/sum_rings.k.h"

/* How visibility is found: from point to point through surfaces, along whole lines of cubes, supercube by supercube
 * as the paper has it, or ring by ring of supercubes. */
#define RW_SIGHT_METHODS(X)                                                                                            \
    X(EXACT, "exact")                                                                                                  \
    X(CUBES, "cubes")                                                                                                  \
    X(SUPERCUBES, "supercubes")                                                                                        \
    X(RINGS, "rings")

typedef enum rw_sight_method {
#define RW_SIGHT_ENUM(name, word) RW_SIGHT_##name,
    RW_SIGHT_METHODS(RW_SIGHT_ENUM)
#undef RW_SIGHT_ENUM
} rw_sight_method;

#define RW_SIGHT_BLOCK_DEFAULT 32
#define RW_SIGHT_BLOCK_DEFAULT_TEXT "32"
#define RW_SIGHT_BLOCK_MAX 32768

typedef struct rw_sight_line {
    rw_sight_method method;
    int block; /* M of supercubes and rings, at least 1 */
} rw_sight_line;

/* The method of a word; -1: there is none. */
int rw_sight_method_find(const char *word);

/* Answers every cube; pointers are the backend's. The source is a point in cubes. */
rw_status rw_cube_visibility(rw_context *context, rw_backend backend, const rw_cubes_view *cubes, const float source[3],
                             rw_sight_line line, uint8_t *seen);

/* In which pass of a way a cube is answered, from 0; to is relative to the source's cube. */
int rw_sight_pass(rw_sight_line line, const int to[3]);

/* Sums along the line to every cell; pointers are the backend's. block 0: each line from the source. With blocks and
 * room for the ends of rings it takes two launches, else one a ring. */
rw_status rw_sum(rw_context *context, rw_backend backend, const rw_sum_grid *grid, int block);

/* The same by supercubes as the paper prints them, one launch a diagonal. */
rw_status rw_sum_by_diagonals(rw_context *context, rw_backend backend, const rw_sum_grid *grid, int block);

/* Sums that the ends of a grid need, of each of its grids. */
size_t rw_sum_ends_capacity(const rw_sum_grid *grid, int block);

/* Entry n of rw_sum_grid's table; n from 1. */
uint64_t rw_sum_per_step(int n);

#endif
