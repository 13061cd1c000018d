/* Which coordinate system a scene gets, and bringing an input's coordinates into it. */
#include "scene/gis_crs.h"

#include "ext/gdal.h"

#include <math.h>
#include <stdio.h>

static rw_status take_utm(rw_scene *scene, const char *own, const char *name, const double *xy, size_t count)
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (size_t i = 0; i < 2 * count; i++) {
        low[i & 1] = fmin(low[i & 1], xy[i]);
        high[i & 1] = fmax(high[i & 1], xy[i]);
    }
    char utm[RW_NAME_MAX], example[256];
    RW_TRY(rw_gdal_crs_utm(scene->context, own, 0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]), utm));
    RW_TRY(rw_scene_set_crs(scene, utm));
    snprintf(example, sizeof example, "from %s to %s", name, utm);
    return rw_scene_note(scene, "coordinates brought into UTM metres", example);
}

rw_status rw_gis_bring_to_scene(rw_scene *scene, const char *own, const char *input, double *xy, size_t count)
{
    rw_context *context = scene->context;
    if (!*own)
        return rw_scene_note(scene, "no coordinate system is known; coordinates are taken as metres", input);
    if (!rw_gdal_is_in())
        return rw_scene_set_crs(scene, own);
    rw_gdal_crs_about about;
    RW_TRY(rw_gdal_crs_describe(context, own, &about));
    int is_metric = !about.geographic && fabs(about.metres_per_unit - 1) < 1e-9;
    if (!*rw_scene_crs(scene))
        RW_TRY(is_metric ? rw_scene_set_crs(scene, own) : take_utm(scene, own, about.name, xy, count));
    int same = 0;
    RW_TRY(rw_gdal_crs_is_same(context, own, rw_scene_crs(scene), &same));
    return same ? RW_OK : rw_gdal_transform(context, own, rw_scene_crs(scene), xy, count);
}
