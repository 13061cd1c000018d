/* Degrees with latitude and longitude swapped: a latitude beyond the pole, or a feature that lies among the others only
 * when its two numbers change places. A layer that is swapped as a whole within 90 degrees cannot be told from one of
 * another country. */
#include "ext/gdal.h"
#include "scene/readers/gis/gis.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* Features of one layer lie within so much of its middle, in degrees. */
#define NEAR_DEG 3.0

static int compare_degrees(const void *a, const void *b)
{
    double first = *(const double *)a, second = *(const double *)b;
    return first < second ? -1 : first > second;
}

/* The middle of the first points of all outlines. */
static rw_status find_middle(const rw_gis_outlines *from, double middle[2])
{
    double *values;
    RW_TRY(rw_array_create(from->scene->context, from->count, sizeof *values, "outlines", &values));
    for (int axis = 0; axis < 2; axis++) {
        for (size_t i = 0; i < from->count; i++)
            values[i] = from->xy[2 * from->items[i].first_point + (size_t)axis];
        qsort(values, from->count, sizeof *values, compare_degrees);
        middle[axis] = values[from->count / 2];
    }
    free(values);
    return RW_OK;
}

static int degrees_are_near(double x, double y, const double middle[2])
{
    return fabs(x - middle[0]) < NEAR_DEG && fabs(y - middle[1]) < NEAR_DEG;
}

static rw_status reject_swapped_degrees(const rw_gis_outlines *from, const rw_gis_outline *each, const char *why)
{
    char description[160];
    const double *at = from->xy + 2 * each->first_point;
    return rw_fail(from->scene->context, RW_BAD_INPUT,
                   "%s: %s at %.10g, %.10g: latitude and longitude are swapped: %s; longitude comes first", from->path,
                   rw_gis_describe(from, each->feature, description), at[0], at[1], why);
}

rw_status rw_gis_check_degrees(const rw_gis_outlines *from, const char *crs)
{
    rw_gdal_crs_about about;
    double middle[2];
    if (!*crs || !rw_gdal_is_in() || from->count == 0)
        return RW_OK;
    RW_TRY(rw_gdal_crs_describe(from->scene->context, crs, &about));
    if (!about.geographic)
        return RW_OK;
    for (size_t i = 0; i < from->count; i++) {
        const double *at = from->xy + 2 * from->items[i].first_point;
        if (fabs(at[1]) > 90 && fabs(at[1]) <= 360 && fabs(at[0]) <= 90)
            return reject_swapped_degrees(from, &from->items[i], "no latitude is beyond 90 degrees");
    }
    RW_TRY(find_middle(from, middle));
    for (size_t i = 0; i < from->count; i++) {
        const double *at = from->xy + 2 * from->items[i].first_point;
        if (!degrees_are_near(at[0], at[1], middle) && degrees_are_near(at[1], at[0], middle))
            return reject_swapped_degrees(from, &from->items[i],
                                          "the other features are where it is with both exchanged");
    }
    return RW_OK;
}
