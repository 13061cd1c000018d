/* Coordinates as people have them: points and areas of the command line in another system than the scene's. */
#include "command.h"

#include <math.h>

/* Points along each side of an area, whose box is taken: straight sides of one system are curved in another. */
#define SIDE_POINTS 9

int transform_points(struct call *call, const char *crs, const char *what, double *xy, size_t count)
{
    const char *from = call->points_crs;
    if (!from)
        return 0;
    rw_status status = rw_transform_points(call->context, from, crs, xy, count);
    if (status != RW_OK)
        return report_status(call, status);
    for (size_t i = 0; i < 2 * count; i++)
        if (!isfinite(xy[i]))
            return report_error("%s: point %zu is not within the coordinate systems %s and %s", what, i / 2 + 1, from,
                                crs);
    return 0;
}

int transform_area(struct call *call, const char *crs, double area_m[4])
{
    double xy[8 * SIDE_POINTS];
    if (!call->points_crs || !isfinite(area_m[0]))
        return 0;
    for (int i = 0; i < 4 * SIDE_POINTS; i++) {
        int side = i / SIDE_POINTS;
        double along = (i % SIDE_POINTS) / (double)(SIDE_POINTS - 1), x = side & 1 ? area_m[2] : area_m[0];
        double y = side & 1 ? area_m[3] : area_m[1];
        xy[2 * i] = side < 2 ? area_m[0] + along * (area_m[2] - area_m[0]) : x;
        xy[2 * i + 1] = side < 2 ? y : area_m[1] + along * (area_m[3] - area_m[1]);
    }
    int exit_status = transform_points(call, crs, "--area", xy, (size_t)4 * SIDE_POINTS);
    if (exit_status)
        return exit_status;
    for (int k = 0; k < 2; k++) {
        area_m[k] = INFINITY;
        area_m[k + 2] = -INFINITY;
        for (int i = 0; i < 4 * SIDE_POINTS; i++) {
            area_m[k] = fmin(area_m[k], xy[2 * i + k]);
            area_m[k + 2] = fmax(area_m[k + 2], xy[2 * i + k]);
        }
    }
    return 0;
}
