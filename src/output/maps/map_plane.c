#include "output/maps/map.h"

#include "base/range.h"
#include "base/text/units.h"

#include <math.h>
#include <stdio.h>

rw_plane rw_plane_of(const double plane_m[9])
{
    rw_plane plane = {.corner = rw_vec3_of(plane_m[0], plane_m[1], plane_m[2]),
                      .along_u = rw_vec3_of(plane_m[3], plane_m[4], plane_m[5]),
                      .along_v = rw_vec3_of(plane_m[6], plane_m[7], plane_m[8])};
    plane.width_m = rw_vec3_length(plane.along_u);
    plane.height_m = rw_vec3_length(plane.along_v);
    plane.along_u = rw_vec3_scale(plane.along_u, 1 / plane.width_m);
    plane.along_v = rw_vec3_scale(plane.along_v, 1 / plane.height_m);
    plane.normal = rw_vec3_cross(plane.along_u, plane.along_v);
    return plane;
}

int rw_plane_has_sides(const rw_plane *plane)
{
    return plane->width_m >= RW_CELL_MIN_M && plane->height_m >= RW_CELL_MIN_M;
}

rw_vec3 rw_plane_cell(const rw_plane *plane, size_t column, size_t row, double res_m)
{
    return rw_vec3_add(plane->corner, rw_vec3_add(rw_vec3_scale(plane->along_u, ((double)column + 0.5) * res_m),
                                                  rw_vec3_scale(plane->along_v, ((double)row + 0.5) * res_m)));
}

void rw_plane_to_string(const double plane_m[9], char string[RW_PLANE_STRING_MAX])
{
    int length = 0;
    for (int i = 0; i < 9; i++)
        length += snprintf(string + length, (size_t)(RW_PLANE_STRING_MAX - length), "%s%.17g",
                           i == 0       ? ""
                           : i % 3 == 0 ? ":"
                                        : ",",
                           plane_m[i]);
}

int rw_plane_from_string(const char *string, double plane_m[9])
{
    for (int i = 0; i < 9; i++) {
        size_t used = rw_parse_number(string, &plane_m[i]);
        string += used;
        if (used == 0 || !rw_is_coordinate(plane_m[i]) || *string != (i == 8 ? 0 : i % 3 == 2 ? ':' : ','))
            return 0;
        string += i < 8;
    }
    rw_plane plane = rw_plane_of(plane_m);
    return rw_plane_has_sides(&plane);
}
