/* Which coordinate system a scene gets, and bringing an input's coordinates into it. */
#include "scene/readers/gis/gis.h"

#include <math.h>
#include <stdio.h>

/* Of distances; UTM itself is within 0.1 % over its zone. */
#define SCALE_TOLERANCE 0.005

static int is_true_scale(rw_context *context, const char *crs, double x, double y, const char *utm)
{
    double step = 100, points[6] = {x, y, x + step, y, x, y + step};
    if (rw_gdal_transform(context, crs, utm, points, 3) != RW_OK)
        return 0;
    double east = hypot(points[2] - points[0], points[3] - points[1]) / step;
    double north = hypot(points[4] - points[0], points[5] - points[1]) / step;
    return fabs(east - 1) < SCALE_TOLERANCE && fabs(north - 1) < SCALE_TOLERANCE;
}

rw_status rw_gis_find_utm(rw_context *context, const char *crs, double x, double y, rw_gdal_crs_about *about,
                          char utm[RW_CRS_CODE_MAX])
{
    RW_TRY(rw_gdal_crs_describe(context, crs, about));
    int is_metric = !about->geographic && fabs(about->metres_per_unit - 1) < 1e-9;
    rw_status status = rw_gdal_crs_utm(context, crs, x, y, utm);
    if (!is_metric)
        return status;
    /* A system that is not tied to the earth, or a point off its area, stays as it is. */
    if (status != RW_OK || is_true_scale(context, crs, x, y, utm))
        utm[0] = 0;
    return RW_OK;
}

static rw_status choose_crs(rw_scene *scene, const char *own, const double *xy, size_t count)
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (size_t i = 0; i < 2 * count; i++) {
        low[i & 1] = fmin(low[i & 1], xy[i]);
        high[i & 1] = fmax(high[i & 1], xy[i]);
    }
    rw_gdal_crs_about about;
    char utm[RW_CRS_CODE_MAX], example[256];
    RW_TRY(rw_gis_find_utm(scene->context, own, 0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]), &about, utm));
    if (!*utm)
        return rw_scene_set_crs(scene, own);
    RW_TRY(rw_scene_set_crs(scene, utm));
    snprintf(example, sizeof example, "from %s to %s", about.name, utm);
    return rw_scene_note(scene, "coordinates brought into UTM metres", example);
}

rw_status rw_gis_transform_to_scene(rw_scene *scene, const char *own, const char *input, double *xy, size_t count)
{
    rw_context *context = scene->context;
    if (!*own)
        return rw_scene_note(scene, "no coordinate system is known; coordinates are taken as metres", input);
    if (!rw_gdal_is_in())
        return rw_scene_set_crs(scene, own);
    if (!*rw_scene_crs(scene))
        RW_TRY(choose_crs(scene, own, xy, count));
    int same = 0;
    RW_TRY(rw_gdal_crs_is_same(context, own, rw_scene_crs(scene), &same));
    return same ? RW_OK : rw_gdal_transform(context, own, rw_scene_crs(scene), xy, count);
}
