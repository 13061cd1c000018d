/* Answers about one line of sight, written without the wall grid: for deciding whether a receiver stands on the edge of
 * a shadow. */
#ifndef RW_TESTS_SIGHT_ORACLE_H
#define RW_TESTS_SIGHT_ORACLE_H

#include "visibility/los/los.h"

/* Walls between the two points, in the grid's frame. */
static inline uint32_t oracle_walls(const rw_scene *scene, rw_vec3 from, rw_vec3 to)
{
    const rw_wall_grid *grid = &scene->prepared->grid;
    uint32_t count = 0;
    for (size_t i = 0; i < grid->view.wall_count; i++) {
        double t;
        count += (uint32_t)rw_wall_blocks_exact(from, to, 0, &grid->exact[i], &t);
    }
    return count;
}

/* Whether the wall count changes within a millimetre of the receiver: then it stands on the edge of a shadow. */
static inline int oracle_on_edge(const rw_scene *scene, rw_vec3 receiver, rw_vec3 source)
{
    uint32_t here = oracle_walls(scene, receiver, source);
    for (int dx = -1; dx <= 1; dx++)
        for (int dy = -1; dy <= 1; dy++) {
            rw_vec3 moved = rw_vec3_of(receiver.x + 1e-3 * dx, receiver.y + 1e-3 * dy, receiver.z);
            if (oracle_walls(scene, moved, source) != here)
                return 1;
        }
    return 0;
}

/* A small generator of its own, so that tests draw the same positions everywhere. */
static inline double oracle_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 9007199254740992.0;
}

/* A place outside buildings for a transmitter, height_m above ground. */
static inline rw_vec3 oracle_source(const rw_scene *scene, uint64_t *state, double height_m)
{
    for (;;) {
        rw_vec2 at = {scene->box_min.x + oracle_random(state) * (scene->box_max.x - scene->box_min.x),
                      scene->box_min.y + oracle_random(state) * (scene->box_max.y - scene->box_min.y)};
        double z = rw_scene_ground_m(scene, at) + height_m;
        uint32_t part;
        if (rw_parts_at(scene, scene->prepared, at, z, &part, 1) == 0)
            return rw_vec3_of(at.x, at.y, z);
    }
}

#endif
