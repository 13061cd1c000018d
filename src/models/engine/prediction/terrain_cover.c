/* How much of a map lies beyond the scene's terrain, and a warning that says so. */
#include "models/engine/prediction/terrain_cover.h"

#include <math.h>

void rw_scene_full_extent(const rw_scene *scene, double extent_m[4])
{
    const rw_raster *terrain = &scene->terrain;
    rw_vec2 low = scene->box_min, high = scene->box_max;
    if (terrain->values) {
        low = rw_vec2_of(fmin(low.x, terrain->x0_m), fmin(low.y, terrain->y0_m));
        high.x = fmax(high.x, terrain->x0_m + (double)(terrain->columns - 1) * terrain->dx_m);
        high.y = fmax(high.y, terrain->y0_m + (double)(terrain->rows - 1) * terrain->dy_m);
    }
    extent_m[0] = low.x + scene->origin.x;
    extent_m[1] = low.y + scene->origin.y;
    extent_m[2] = high.x + scene->origin.x;
    extent_m[3] = high.y + scene->origin.y;
}

/* Whether the ground there is more than half a post away from the terrain's data. */
static int is_unknown(const rw_scene *scene, double x_m, double y_m)
{
    const rw_raster *terrain = &scene->terrain;
    double u = (x_m - scene->origin.x - terrain->x0_m) / terrain->dx_m;
    double v = (y_m - scene->origin.y - terrain->y0_m) / terrain->dy_m;
    if (!(u >= -0.5 && v >= -0.5 && u <= (double)terrain->columns - 0.5 && v <= (double)terrain->rows - 0.5))
        return 1;
    size_t column = (size_t)fmin(fmax(floor(u + 0.5), 0), (double)(terrain->columns - 1));
    size_t row = (size_t)fmin(fmax(floor(v + 0.5), 0), (double)(terrain->rows - 1));
    return scene->terrain_unknown && scene->terrain_unknown[row * terrain->columns + column];
}

/* Of the cells, or of a few hundred by a few hundred of them. */
double rw_terrain_missing_fraction(const rw_scene *scene, const rw_map_info *cells)
{
    const size_t max_count = 500;
    size_t columns = cells->columns < max_count ? cells->columns : max_count,
           rows = cells->rows < max_count ? cells->rows : max_count;
    size_t missing = 0;
    if (!scene->terrain.values || cells->has_plane)
        return 0;
    for (size_t row = 0; row < rows; row++)
        for (size_t column = 0; column < columns; column++) {
            double across = ((double)column + 0.5) / (double)columns, up = ((double)row + 0.5) / (double)rows;
            missing += (size_t)is_unknown(scene, cells->x0_m + across * (double)cells->columns * cells->res_m,
                                          cells->y0_m + up * (double)cells->rows * cells->res_m);
        }
    return (double)missing / (double)(columns * rows);
}

void rw_warn_of_missing_terrain(const rw_scene *scene, const rw_map_info *cells)
{
    double fraction = rw_terrain_missing_fraction(scene, cells);
    if (fraction > 0)
        rw_warn(scene->context, "%.3g %% of the area lies beyond the terrain's data, whose edge is carried on level",
                100 * fraction);
}
