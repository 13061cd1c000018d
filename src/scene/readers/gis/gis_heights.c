/* Heights from z of shapes in space, and heights that are refused.
 *
 * A feature of one face tells the altitude of its roof. A feature of several faces (roof, walls and floor, as 3-D
 * models are kept) stands on its lowest point, and each face above the floor is the roof of a prism up to its highest
 * point. z of 0 everywhere tells nothing. */
#include "scene/readers/gis/gis.h"

#include "base/range.h"

#include <math.h>

/* Faces in the lowest part of a feature are its floor. */
#define FLOOR_FRACTION 0.3
/* Below this a shape has no height: footprints on level ground. */
#define THIN_M 0.5
/* A face whose plan is so much smaller than the square of its length stands upright. */
#define UPRIGHT_FRACTION 1e-6

double rw_gis_ring_area(const double *xy, size_t count)
{
    double area = 0;
    for (size_t i = 0; i < count; i++) {
        size_t next = i + 1 < count ? i + 1 : 0;
        area += (xy[2 * i] - xy[0]) * (xy[2 * next + 1] - xy[1]) - (xy[2 * next] - xy[0]) * (xy[2 * i + 1] - xy[1]);
    }
    return 0.5 * fabs(area);
}

static int is_upright(const double *xy, size_t count)
{
    double length = 0;
    for (size_t i = 1; i < count; i++)
        length = fmax(length, hypot(xy[2 * i] - xy[0], xy[2 * i + 1] - xy[1]));
    return rw_gis_ring_area(xy, count) <= UPRIGHT_FRACTION * length * length;
}

static void find_height_range(const double *z, size_t count, double range_m[2])
{
    range_m[0] = INFINITY;
    range_m[1] = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        range_m[0] = fmin(range_m[0], z[i]);
        range_m[1] = fmax(range_m[1], z[i]);
    }
}

static size_t count_points(const rw_vector_shape *shape, size_t first_ring, size_t end_ring)
{
    size_t count = 0;
    for (size_t ring = first_ring; ring < end_ring; ring++)
        count += shape->ring_sizes[ring];
    return count;
}

int rw_gis_heights_from_z(const rw_vector_shape *shape, const double *z, size_t polygon, size_t first_point,
                          rw_gis_outline *outline)
{
    double all_m[2], face_m[2];
    rw_gis_values *values = &outline->values;
    if (!z)
        return 1;
    size_t first_ring = shape->polygon_first[polygon], end_ring = shape->polygon_first[polygon + 1];
    find_height_range(z, count_points(shape, 0, shape->ring_count), all_m);
    find_height_range(z + first_point, count_points(shape, first_ring, end_ring), face_m);
    if (!isfinite(all_m[0]) || !isfinite(all_m[1]) || (all_m[0] == 0 && all_m[1] == 0))
        return 1;
    double height_m = all_m[1] - all_m[0];
    int is_model = shape->polygon_count > 1 && height_m > THIN_M;
    if (is_model && (is_upright(shape->xy + 2 * first_point, shape->ring_sizes[first_ring]) ||
                     face_m[1] <= all_m[0] + FLOOR_FRACTION * height_m))
        return 0;
    if (values->height_is_stated)
        return 1;
    if (is_model) {
        outline->ground_is_z = isnan(values->ground_m);
        values->ground_m = isnan(values->ground_m) ? all_m[0] : values->ground_m;
        values->roof_height_m = face_m[1] - values->ground_m;
    } else if (face_m[1] > 0) {
        outline->roof_is_altitude = isnan(values->ground_m);
        values->roof_height_m = isnan(values->ground_m) ? face_m[1] : face_m[1] - values->ground_m;
    }
    if (is_model || face_m[1] > 0)
        values->problem = NULL;
    return 1;
}

rw_status rw_gis_check_heights(const rw_gis_outlines *from)
{
    char description[160];
    for (size_t i = 0; i < from->count; i++) {
        const rw_gis_outline *each = &from->items[i];
        double height_m = each->values.roof_height_m;
        if (each->roof_is_altitude ? height_m <= RW_ROOF_ALTITUDE_MAX_M : height_m <= RW_BUILDING_HEIGHT_MAX_M)
            continue;
        return rw_fail(from->scene->context, RW_BAD_INPUT,
                       "%s: %s: a height of %g m is higher than any building (%g m); correct it, or say its unit with "
                       "height-unit m or ft",
                       from->path, rw_gis_describe(from, each->feature, description), height_m,
                       RW_BUILDING_HEIGHT_MAX_M);
    }
    return RW_OK;
}
