/* Floor plans from lines: each line becomes walls from floor to ceiling of its storey, of a material that the line's
 * layer or column names, as a slab of the usual thickness of such walls; a slab lies under and between the storeys.
 *
 * Valid for plans in plan view: heights come from columns or are those of a storey of 3 m. */
#ifndef RW_SCENE_READERS_FLOOR_PLANS_FLOOR_PLAN_H
#define RW_SCENE_READERS_FLOOR_PLANS_FLOOR_PLAN_H

#include "scene/scene.h"
#include "ext/gdal.h"

#define RW_PLAN_STOREY_M 3.0
#define RW_PLAN_NAME_MAX 128

/* What is known of a line. */
typedef struct rw_plan_wall {
    const char
        *material;      /* a slab or material of the scene, or a text that names one, such as "A-WALL-BRICK"; "": no */
    double thickness_m; /* NaN: the usual one of the material */
    double storey;      /* from 0; NaN: the first */
    double bottom_m, top_m; /* altitudes; NaN: of the storey */
    const char *source;     /* for notes */
} rw_plan_wall;

/* Adds the walls along points of x, y (metres); closed: the last is joined to the first. */
rw_status rw_plan_add_line(rw_scene *scene, const double *xy, size_t count, int closed, const rw_plan_wall *wall);

/* The slab that walls of that material are: its own where the scene has one, else the usual construction, which is
 * added to the scene. */
rw_status rw_plan_surface(rw_scene *scene, const rw_plan_wall *wall, char name[RW_PLAN_NAME_MAX]);

/* Raises walls below 0 so that the lowest floor is at 0, and notes it: receivers and access points are above ground. */
rw_status rw_plan_raise_basements(rw_scene *scene);

/* After all lines: floors under and between the storeys that walls stand on. */
rw_status rw_plan_add_floors(rw_scene *scene);

/* Floor plans from lines of GIS files. */

/* Whether the file has lines and no polygons. */
rw_status rw_plan_is(rw_vector_file *file, int *is);
rw_status rw_plan_read_lines(rw_scene *scene, rw_vector_file *file, const rw_load_options *options);

#endif
