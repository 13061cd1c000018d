#include "visibility/los/visible_fraction.h"

#include "visibility/los/height_march.k.h"

#include <math.h>

double rw_sight_fraction(const rw_scene *scene, const rw_vec3 *from, size_t from_count, const rw_vec3 *to,
                         size_t to_count, double reach_m, double tallest_m)
{
    const rw_wall_grid_view *grid = &scene->prepared->grid.view;
    float tallest = isinf(tallest_m) ? RW_HEIGHT_ANY : (float)tallest_m;
    size_t seen = 0, pairs = from_count * to_count;
    for (size_t i = 0; i < from_count; i++)
        for (size_t j = 0; j < to_count; j++) {
            if (hypot(to[j].x - from[i].x, to[j].y - from[i].y) > reach_m)
                continue;
            rw_sight sight = rw_sight_of(grid, from[i], to[j]);
            rw_height_need need = rw_height_march_below(grid, &sight, (float)to[j].z, tallest);
            seen += need.min_z_m <= (float)to[j].z && need.highest <= tallest;
        }
    return pairs ? (double)seen / (double)pairs : 0;
}

size_t rw_sight_sample_cells(const rw_scene *scene, const rw_map_info *cells, rw_vec3 points[RW_SIGHT_SAMPLE_POINTS])
{
    const size_t side = 8; /* RW_SIGHT_SAMPLE_POINTS are 8 x 8 */
    rw_vec2 centre = scene->prepared->grid.centre;
    size_t count = 0;
    for (size_t i = 0; i < side * side; i++) {
        size_t column = (2 * (i % side) + 1) * cells->columns / (2 * side);
        size_t row = (2 * (i / side) + 1) * cells->rows / (2 * side);
        rw_vec2 at = {cells->x0_m + ((double)column + 0.5) * cells->res_m - scene->origin.x,
                      cells->y0_m + ((double)row + 0.5) * cells->res_m - scene->origin.y};
        uint32_t part;
        if (rw_parts_over(scene, scene->prepared, at, &part, 1) > 0)
            continue; /* inside a building */
        points[count++] =
            rw_vec3_of(at.x - centre.x, at.y - centre.y, rw_scene_ground_m(scene, at) + cells->rx_height_m);
    }
    return count;
}
