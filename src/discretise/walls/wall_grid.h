/* Builds the uniform grid of walls, in time linear in walls and cells. */
#ifndef RW_DISCRETISE_WALLS_WALL_GRID_H
#define RW_DISCRETISE_WALLS_WALL_GRID_H

#include "discretise/walls/wall_grid.k.h"
#include "discretise/walls/walls.h"

typedef struct rw_wall_grid {
    rw_vec2 centre;         /* of the grid's frame, in the scene's local frame */
    rw_wall_grid_view view; /* its arrays belong to this struct */
    size_t entry_count;
    rw_grid_cell *cells;
    rw_wall_entry *entries;
    rw_exact_wall *exact;
    float *cell_ground, *cell_floor;
} rw_wall_grid;

/* cell_m 0: chosen so that a cell has about one wall. The grid covers the scene's
 * extent and its terrain. */
rw_status rw_wall_grid_create(const rw_scene *scene, const rw_wall_list *walls, double cell_m, rw_wall_grid *grid);
void rw_wall_grid_destroy(rw_wall_grid *grid);

#endif
