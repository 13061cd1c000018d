/* What the forms of line of sight share: sources times receivers in, one answer each out. */
#ifndef RW_VISIBILITY_LOS_LOS_ARGS_K_H
#define RW_VISIBILITY_LOS_LOS_ARGS_K_H

#include "discretise/receivers/receivers.k.h"
#include "visibility/los/march_walls.k.h"

/* Answers: source s, cell c at s * cells + c. los is 1 or 0; walls counts. Cells inside buildings are not written. */
typedef struct rw_los_arrays {
    rw_wall_grid_view grid;
    rw_receivers_view receivers;
    const rw_vec3 *sources; /* in the grid's frame, altitude */
    size_t source_count;
    const uint32_t *near_walls; /* those that lines can meet (polygons/polygons.h); NULL: all */
    size_t near_count;          /* of these, or of all */
    uint8_t *los;
    uint32_t *walls;      /* NULL: not counted, so that a march may stop at the first wall */
    double lowest_roof_m; /* of the buildings */
    int has_decks;        /* 1: some building has air below */
} rw_los_arrays;

/* The number of a wall by its place among those that lines can meet. */
RW_FN size_t rw_los_wall(const rw_los_arrays *all, size_t index)
{
    return all->near_walls ? (size_t)all->near_walls[index] : index;
}

/* No receiver lies lower, seen from the level of any source over an earth that curves away. */
RW_FN double rw_los_lowest_m(const rw_los_arrays *all)
{
    double reach = (double)all->grid.coordinate_max; /* of both coordinates of both ends */
    return (double)all->receivers.low_m - 8.0 * all->grid.curve_per_m * reach * reach;
}

#endif
