/* The ground as a surface: two triangles to each cell of the terrain raster, split from its south-west to its
 * north-east corner. Piecewise linear, so that a line of sight over it is tested exactly at the lines it crosses. */
#include "scene/scene.h"

static double clamp(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

double rw_scene_ground_m(const rw_scene *scene, rw_vec2 at)
{
    return scene->terrain.values ? rw_raster_height_m(&scene->terrain, at) : 0;
}

double rw_raster_height_m(const rw_raster *terrain, rw_vec2 at)
{
    double u = clamp((at.x - terrain->x0_m) / terrain->dx_m, 0, (double)(terrain->columns - 1));
    double v = clamp((at.y - terrain->y0_m) / terrain->dy_m, 0, (double)(terrain->rows - 1));
    size_t column = (size_t)u < terrain->columns - 2 ? (size_t)u : terrain->columns - 2;
    size_t row = (size_t)v < terrain->rows - 2 ? (size_t)v : terrain->rows - 2;
    u -= (double)column;
    v -= (double)row;
    const float *post = terrain->values + row * terrain->columns + column;
    double south_west = post[0], south_east = post[1];
    double north_west = post[terrain->columns], north_east = post[terrain->columns + 1];
    if (u >= v)
        return south_west + u * (south_east - south_west) + v * (north_east - south_east);
    return south_west + v * (north_west - south_west) + u * (north_east - north_west);
}
