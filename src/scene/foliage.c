/* Trees of a scene: how high they are above ground, on a raster. Cells are squares round their posts. */
#include "scene/scene.h"

#include "base/memory.h"
#include "base/options.h"

#include <math.h>
#include <stdlib.h>

#define HEIGHT_MAX_M 150.0 /* no tree is higher */

rw_status rw_scene_set_foliage(rw_scene *scene, const rw_raster *user_raster)
{
    rw_context *context = scene->context;
    rw_raster foliage = {0};
    float *values;
    if (scene->committed)
        return rw_fail(context, RW_BAD_CALL, "the scene is committed and cannot be changed");
    RW_TRY(RW_RESOLVE(context, user_raster, &foliage));
    RW_TRY(rw_scene_check_raster(context, &foliage, 1, "foliage"));
    size_t count = foliage.columns * foliage.rows, high = 0, found = 0;
    RW_TRY(rw_array_create(context, count, sizeof *values, "foliage", &values));
    for (size_t i = 0; i < count; i++) {
        float height_m = foliage.values[i];
        values[i] = isfinite(height_m) && height_m > 0 ? fminf(height_m, (float)HEIGHT_MAX_M) : 0;
        high += height_m > (float)HEIGHT_MAX_M;
        found += values[i] > 0;
    }
    free(scene->foliage.values);
    scene->foliage = foliage;
    scene->foliage.values = values;
    if (high)
        RW_TRY(rw_scene_note(scene, "foliage higher than 150 m is cut to that", ""));
    return found ? RW_OK : rw_scene_note(scene, "the foliage has no tree", "");
}
