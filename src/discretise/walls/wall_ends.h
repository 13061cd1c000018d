/* Corners: which wall of the same outline meets each end of a wall. */
#ifndef RW_DISCRETISE_WALLS_WALL_ENDS_H
#define RW_DISCRETISE_WALLS_WALL_ENDS_H

#include "discretise/walls/walls.h"

/* Two numbers a wall, for its first and its second end: the wall that begins or ends there, RW_NO_PART for the ends of
 * a free-standing wall. ends has room for 2 count of the list. */
void rw_wall_ends(const rw_scene *scene, const rw_wall_list *walls, uint32_t *ends);

#endif
