/* The walls that a line between sources and receivers can meet: those of a box in plan around both, from the wall grid.
 * Where the box is a small part of the scene, methods that go through all walls go through these. */
#ifndef RW_VISIBILITY_LOS_POLYGONS_NEAR_WALLS_H
#define RW_VISIBILITY_LOS_POLYGONS_NEAR_WALLS_H

#include "discretise/prepared.h"
#include "discretise/receivers/receivers.k.h"

typedef struct rw_near_walls {
    rw_context *context;
    rw_backend backend;
    const rw_wall_grid *grid;     /* in main memory */
    int west, south, east, north; /* cells of the grid that the list is of; west > east: none yet */
    int is_all;                   /* there is no list: the box is a large part of the grid */
    uint64_t *marks;              /* a bit a wall */
    uint32_t *host;               /* numbers of walls, rising */
    size_t count, capacity;
    uint32_t *list; /* the same on the backend; NULL where is_all */
    size_t list_capacity;
} rw_near_walls;

rw_near_walls rw_near_walls_of(const rw_scene *scene);
void rw_near_walls_destroy(rw_near_walls *near);

/* Lists the walls around a grid of receivers and sources (frame of the wall grid), unless the list has them already. */
rw_status rw_near_walls_find(rw_near_walls *near, const rw_receivers_view *receivers, const rw_vec3 *sources,
                             size_t source_count);

#endif
