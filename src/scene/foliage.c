/* Trees of a scene: how high they are above ground, on a raster. Cells are squares round their posts. */
#include "scene/scene.h"

#include "base/memory.h"
#include "base/options.h"

#include <math.h>
#include <stdlib.h>

#define HEIGHT_MOST_M 150.0 /* no tree is higher */

static rw_status check(rw_context *context, const rw_raster *trees)
{
    if (trees->columns < 1 || trees->rows < 1 || trees->columns > 1u << 20 || trees->rows > 1u << 20)
        return rw_fail(context, RW_BAD_INPUT, "foliage of %zu x %zu cells is not possible", trees->columns,
                       trees->rows);
    if (!(trees->dx_m > 0) || !(trees->dy_m > 0) || !isfinite(trees->dx_m) || !isfinite(trees->dy_m) ||
        !isfinite(trees->x0_m) || !isfinite(trees->y0_m))
        return rw_fail(context, RW_BAD_INPUT, "the foliage's spacing %g x %g m is not possible", trees->dx_m,
                       trees->dy_m);
    return RW_OK;
}

rw_status rw_scene_set_foliage(rw_scene *scene, const rw_raster *given)
{
    rw_context *context = scene->context;
    rw_raster trees = {0};
    float *values;
    if (scene->committed)
        return rw_fail(context, RW_BAD_CALL, "the scene is committed and cannot be changed");
    RW_TRY(RW_TAKE(context, given, &trees));
    RW_TRY(check(context, &trees));
    size_t count = trees.columns * trees.rows, high = 0, found = 0;
    RW_TRY(rw_array_create(context, count, sizeof *values, "foliage", &values));
    for (size_t i = 0; i < count; i++) {
        float height_m = trees.values[i];
        values[i] = isfinite(height_m) && height_m > 0 ? fminf(height_m, (float)HEIGHT_MOST_M) : 0;
        high += height_m > (float)HEIGHT_MOST_M;
        found += values[i] > 0;
    }
    free(scene->foliage.values);
    scene->foliage = trees;
    scene->foliage.values = values;
    if (high)
        RW_TRY(rw_scene_note(scene, "foliage higher than 150 m is cut to that", ""));
    return found ? RW_OK : rw_scene_note(scene, "the foliage has no tree", "");
}
