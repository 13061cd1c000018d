/* Which building parts lie over a place, in a time that depends on what is near it alone: for each cell of the wall
 * grid the parts that cover it whole. Those that cover some of it have walls there. */
#ifndef RW_DISCRETISE_WALLS_PART_COVER_H
#define RW_DISCRETISE_WALLS_PART_COVER_H

#include "discretise/walls/wall_grid.h"

typedef struct rw_part_cover {
    uint32_t *first; /* into parts, for each cell of the grid and one more; NULL: no building */
    uint32_t *parts; /* also some that cover their cell in part */
} rw_part_cover;

rw_status rw_part_cover_create(const rw_scene *scene, const rw_wall_list *walls, const rw_wall_grid *grid,
                               rw_part_cover *cover);
void rw_part_cover_destroy(rw_part_cover *cover);

#endif
