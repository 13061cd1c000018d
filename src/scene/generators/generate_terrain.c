/* Hills: from a seed to a terrain raster of smooth fractal noise, and a scene of terrain alone.
 *
 * The noise (after Perlin 2002) interpolates random slopes at lattice points with a fifth-degree polynomial, octave
 * over octave. */
#include "scene/generators/generate.h"

#include "base/memory.h"
#include "base/options.h"

#include <stdlib.h>

#define POSTS_MAX 1000000 /* a side */

rw_status rw_check_length(rw_context *context, const char *what, double value_m, double min_m, double max_m)
{
    if (!(value_m >= min_m && value_m <= max_m))
        return rw_fail(context, RW_BAD_CALL, "the %s of %g m is not possible; it must be %g to %g m", what, value_m,
                       min_m, max_m);
    return RW_OK;
}

/* How a random slope at a lattice point would continue to a point at a distance from it. */
static double lattice_slope(uint64_t seed, double column, double row, double dx, double dy)
{
    uint64_t mixed = rw_random_mix(seed + (uint64_t)(int64_t)column * UINT64_C(0x9e3779b97f4a7c15));
    mixed = rw_random_mix(mixed + (uint64_t)(int64_t)row * UINT64_C(0xd1b54a32d192ed03));
    double slope_x = (double)(mixed >> 32) * 0x1p-31 - 1, slope_y = (double)(mixed & 0xffffffffu) * 0x1p-31 - 1;
    return slope_x * dx + slope_y * dy;
}

/* No slope and no curvature at its ends, so that the ground has no creases. */
static double ease_slope(double t)
{
    return t * t * t * (t * (t * 6 - 15) + 10);
}

static double noise_octave(uint64_t seed, double x, double y)
{
    double column = floor(x), row = floor(y), dx = x - column, dy = y - row, u = ease_slope(dx), v = ease_slope(dy);
    double south =
        lattice_slope(seed, column, row, dx, dy) * (1 - u) + lattice_slope(seed, column + 1, row, dx - 1, dy) * u;
    double north = lattice_slope(seed, column, row + 1, dx, dy - 1) * (1 - u) +
                   lattice_slope(seed, column + 1, row + 1, dx - 1, dy - 1) * u;
    return 1.8 * (south * (1 - v) + north * v);
}

/* Each octave is turned against the one before by the angle of the triangle 3, 4, 5, so that lattices do not line up.
 */
double rw_noise(uint64_t seed, double x_m, double y_m, double size_m, int octaves)
{
    double sum = 0, height = 1, x = x_m / size_m, y = y_m / size_m;
    for (int octave = 0; octave < octaves; octave++, height /= 2) {
        sum += height * noise_octave(rw_random_mix(seed + (uint64_t)octave), x, y);
        double turned = 2 * (0.8 * x - 0.6 * y);
        y = 2 * (0.6 * x + 0.8 * y);
        x = turned;
    }
    return sum;
}

/* Bumps down to about six posts wide: finer ones would be noise between posts, not ground. */
static int octave_count(double size_m, double spacing_m)
{
    int octaves = 1;
    while (octaves < 12 && size_m > 12 * spacing_m) {
        size_m /= 2;
        octaves++;
    }
    return octaves;
}

static double larger_m(double a_m, double b_m)
{
    return a_m > b_m ? a_m : b_m;
}

/* Lifts the lowest post to 0 and the highest to relief_m, and keeps what is exact in binary. */
static void scale_heights(rw_raster *raster, double relief_m)
{
    size_t count = raster->columns * raster->rows;
    float lowest = raster->values[0], highest = raster->values[0];
    for (size_t i = 1; i < count; i++) {
        lowest = raster->values[i] < lowest ? raster->values[i] : lowest;
        highest = raster->values[i] > highest ? raster->values[i] : highest;
    }
    double scale = highest > lowest ? relief_m / ((double)highest - lowest) : 0;
    for (size_t i = 0; i < count; i++)
        raster->values[i] = (float)rw_round_coordinate(((double)raster->values[i] - lowest) * scale);
}

rw_status rw_scene_add_hills(rw_scene *scene, double width_m, double depth_m, double spacing_m, double relief_m,
                             uint64_t seed)
{
    rw_raster raster = {.size = sizeof raster,
                        .columns = (size_t)ceil(width_m / spacing_m) + 1,
                        .rows = (size_t)ceil(depth_m / spacing_m) + 1,
                        .dx_m = spacing_m,
                        .dy_m = spacing_m};
    RW_TRY(rw_array_create(scene->context, raster.columns * raster.rows, sizeof *raster.values, "the terrain",
                           &raster.values));
    double third_m = larger_m(width_m, depth_m) / 3, size_m = third_m < 4000 ? third_m : 4000;
    int octaves = octave_count(size_m, spacing_m);
    for (size_t row = 0; row < raster.rows; row++)
        for (size_t column = 0; column < raster.columns; column++)
            raster.values[row * raster.columns + column] =
                (float)rw_noise(seed, (double)column * spacing_m, (double)row * spacing_m, size_m, octaves);
    scale_heights(&raster, relief_m);
    rw_status status = rw_scene_set_terrain(scene, &raster);
    free(raster.values);
    return status;
}

void rw_terrain_options_init_sized(rw_terrain_options *options, size_t size)
{
    const rw_terrain_options own = {.width_m = 5000, .depth_m = 5000, .spacing_m = 20, .relief_m = 150, .seed = 1};
    rw_defaults_copy(&own, sizeof own, options, size);
}

rw_status rw_generate_terrain(rw_context *context, const rw_terrain_options *options, rw_scene **scene)
{
    *scene = NULL;
    rw_terrain_options chosen;
    rw_terrain_options_init(&chosen);
    RW_TRY(RW_RESOLVE(context, options, &chosen));
    RW_TRY(rw_check_length(context, "spacing", chosen.spacing_m, 0.01, 10000));
    RW_TRY(rw_check_length(context, "width", chosen.width_m, chosen.spacing_m, 200000));
    RW_TRY(rw_check_length(context, "depth", chosen.depth_m, chosen.spacing_m, 200000));
    if (larger_m(chosen.width_m, chosen.depth_m) / chosen.spacing_m > POSTS_MAX)
        return rw_fail(context, RW_BAD_CALL, "%g x %g m at a spacing of %g m has more than %d posts a side",
                       chosen.width_m, chosen.depth_m, chosen.spacing_m, POSTS_MAX);
    RW_TRY(rw_check_length(context, "relief", chosen.relief_m, 0, 9000));
    rw_scene *new_scene;
    RW_TRY(rw_scene_create(context, &new_scene));
    rw_status status =
        rw_scene_add_hills(new_scene, chosen.width_m, chosen.depth_m, chosen.spacing_m, chosen.relief_m, chosen.seed);
    if (status != RW_OK) {
        rw_scene_destroy(new_scene);
        return status;
    }
    *scene = new_scene;
    return RW_OK;
}
