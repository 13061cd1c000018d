/* The ground as a surface: two triangles to each cell of the terrain raster, split from its south-west to its
 * north-east corner. Piecewise linear, so that a line of sight over it is tested exactly at the lines it crosses. */
#include "scene/scene.h"

#include <string.h>

static double clamp_to_raster(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

double rw_scene_ground_m(const rw_scene *scene, rw_vec2 at)
{
    return scene->terrain.values ? rw_raster_height_m(&scene->terrain, at) : 0;
}

double rw_raster_height_m(const rw_raster *terrain, rw_vec2 at)
{
    double u = clamp_to_raster((at.x - terrain->x0_m) / terrain->dx_m, 0, (double)(terrain->columns - 1));
    double v = clamp_to_raster((at.y - terrain->y0_m) / terrain->dy_m, 0, (double)(terrain->rows - 1));
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

/* The unknown posts of a row from the nearest known ones; 0 where none is known. */
static int fill_unknown_row(float *values, const uint8_t *unknown, size_t columns)
{
    size_t before = columns; /* the last known post */
    for (size_t i = 0; i <= columns; i++) {
        if (i < columns && unknown[i])
            continue;
        size_t first = before < columns ? before + 1 : 0;
        for (size_t k = first; k < i; k++) {
            int from_left = before < columns && (i == columns || k - before <= i - k);
            if (from_left || i < columns)
                values[k] = values[from_left ? before : i];
        }
        before = i < columns ? i : before;
    }
    return before < columns;
}

void rw_raster_fill_unknown(float *values, const uint8_t *unknown, size_t columns, size_t rows)
{
    size_t valid_row = rows; /* the last row with a known post */
    for (size_t row = 0; row < rows; row++) {
        if (!fill_unknown_row(values + row * columns, unknown + row * columns, columns))
            continue;
        for (size_t k = valid_row < rows ? valid_row + 1 : 0; k < row; k++) {
            size_t from = valid_row < rows && k - valid_row <= row - k ? valid_row : row;
            memcpy(values + k * columns, values + from * columns, columns * sizeof *values);
        }
        valid_row = row;
    }
    for (size_t k = valid_row + 1; k < rows; k++)
        memcpy(values + k * columns, values + valid_row * columns, columns * sizeof *values);
}
