/* Maps whose cells lie on a rectangle in space: its frame, and the frame as a text for the headers of files. */
#ifndef RW_OUTPUT_MAPS_PLANE_H
#define RW_OUTPUT_MAPS_PLANE_H

#include "base/context.h"
#include "base/maths/vector.h"

/* World coordinates; altitudes. */
typedef struct rw_plane {
    rw_vec3 corner;
    rw_vec3 along_u, along_v, normal; /* of length 1 */
    double width_m, height_m;         /* of the two sides */
} rw_plane;

#define RW_PLANE_STRING_MAX 256

/* Whether a plane was chosen: unset ones are NaN. */
int rw_plane_is_set(const double plane_m[9]);

rw_plane rw_plane_of(const double plane_m[9]);

/* Whether both sides have a length. */
int rw_plane_has_sides(const rw_plane *plane);

/* Centre of a cell. */
rw_vec3 rw_plane_cell(const rw_plane *plane, size_t column, size_t row, double res_m);

/* "X,Y,Z:UX,UY,UZ:VX,VY,VZ", and back; 0 where the text is none. */
void rw_plane_to_string(const double plane_m[9], char string[RW_PLANE_STRING_MAX]);
int rw_plane_from_string(const char *string, double plane_m[9]);

#endif
