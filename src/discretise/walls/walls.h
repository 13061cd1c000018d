/* The wall list: every vertical wall of the scene, of buildings and free-standing, with its outward normal. */
#ifndef RW_DISCRETISE_WALLS_WALLS_H
#define RW_DISCRETISE_WALLS_WALLS_H

#include "discretise/walls/wall_grid.k.h"
#include "scene/scene.h"

#define RW_NO_PART RW_NO_WALL_PART

/* In the scene's local frame; altitudes. Seen from p0 to p1, the outside of the building is to the right. */
typedef struct rw_wall {
    rw_vec2 p0, p1;
    double bottom_m, top_m;
} rw_wall;

typedef struct rw_wall_list {
    size_t count;
    rw_wall *walls;
    rw_vec2 *normals;   /* outward, of length 1 */
    uint32_t *parts;    /* part of the scene, or RW_NO_PART for a free-standing wall */
    uint32_t *surfaces; /* into the scene's surfaces */
    double longest_m;
} rw_wall_list;

rw_status rw_wall_list_create(const rw_scene *scene, rw_wall_list *list);
void rw_wall_list_destroy(rw_wall_list *list);

#endif
