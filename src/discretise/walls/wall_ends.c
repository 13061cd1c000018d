#include "discretise/walls/walls.h"

/* The list has the walls of each ring in its order, one for each of its points, and free-standing walls last. */
void rw_wall_ends(const rw_scene *scene, const rw_wall_list *walls, uint32_t *ends)
{
    size_t wall = 0;
    for (size_t i = 0; i < scene->parts.count; i++) {
        const rw_part *part = &scene->parts.items[i];
        for (size_t r = 0; r < part->ring_count; r++) {
            size_t count = rw_ring_size(scene, part->first_ring + r);
            for (size_t k = 0; k < count; k++) {
                ends[2 * (wall + k)] = (uint32_t)(wall + (k + count - 1) % count);
                ends[2 * (wall + k) + 1] = (uint32_t)(wall + (k + 1) % count);
            }
            wall += count;
        }
    }
    for (; wall < walls->count; wall++)
        ends[2 * wall] = ends[2 * wall + 1] = RW_NO_PART;
}
