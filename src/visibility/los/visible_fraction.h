/* The share of pairs of points that see each other, from a sample of a few thousand: what visibility tables would take,
 * before they are made. */
#ifndef RW_VISIBILITY_LOS_VISIBLE_FRACTION_H
#define RW_VISIBILITY_LOS_VISIBLE_FRACTION_H

#include "discretise/prepared.h"

/* Points of such a sample, on either side. */
#define RW_SIGHT_SAMPLE_POINTS 64

/* In the frame of the wall grid, altitudes. A pair farther apart than reach_m in plan does not see each other, nor one
 * with something higher than tallest_m between. 0 where there is no pair. */
double rw_sight_fraction(const rw_scene *scene, const rw_vec3 *from, size_t from_count, const rw_vec3 *to,
                         size_t to_count, double reach_m, double tallest_m);

/* Cells spread evenly over a grid of columns x rows of res_m from the corner x0, y0 (world): points so far above the
 * ground, in the frame of the wall grid. Returns how many, at most RW_SIGHT_SAMPLE_POINTS. */
size_t rw_sight_sample_cells(const rw_scene *scene, const rw_map_info *cells, rw_vec3 points[RW_SIGHT_SAMPLE_POINTS]);

#endif
