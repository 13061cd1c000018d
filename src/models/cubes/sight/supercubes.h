/* Runs the kernels of supercubes ring by ring: visibility of a cube (see_cubes.k.h), and the benchmark's sums
 * (sum_lines.k.h, sum_rings.k.h). */
#ifndef RW_MODELS_CUBES_SIGHT_SUPERCUBES_H
#define RW_MODELS_CUBES_SIGHT_SUPERCUBES_H

#include "device/device.h"
#include "models/cubes/sight/see_cubes.k.h"
#include "models/cubes/sight/sum_rings.k.h"

/* Answers every cube; pointers are the backend's. block 0: each line from the source. */
rw_status rw_cube_visibility(rw_context *context, rw_backend backend, const rw_cubes_view *cubes, const int source[3],
                             int block, uint8_t *seen);

/* Sums along the line to every cell; pointers are the backend's. block 0: each line from the source. With blocks and
 * room for the ends of rings it takes two launches, else one a ring. */
rw_status rw_sum(rw_context *context, rw_backend backend, const rw_sum_grid *grid, int block);

/* Sums that the ends of a grid need, of each of its grids. */
size_t rw_sum_ends_room(const rw_sum_grid *grid, int block);

/* Entry n of rw_sum_grid's table; n from 1. */
uint64_t rw_sum_per_step(int n);

#endif
