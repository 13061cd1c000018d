/* Finds the convex corners of a scene: of buildings where nothing stands before them, and the ends of free walls. */
#ifndef RW_DISCRETISE_WALLS_CORNERS_H
#define RW_DISCRETISE_WALLS_CORNERS_H

#include "discretise/walls/corners.k.h"
#include "scene/scene.h"

struct rw_prepared;

typedef struct rw_corner_list {
    rw_corner *items;
    size_t count, capacity;
} rw_corner_list;

/* Needs the walls and the wall grid of the prepared scene. Corners come in strips, each once: those near in
 * the list are near in space. */
rw_status rw_corner_list_create(const rw_scene *scene, const struct rw_prepared *prepared, rw_corner_list *list);
void rw_corner_list_destroy(rw_corner_list *list);

#endif
