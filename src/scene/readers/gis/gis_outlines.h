/* The outlines of one GIS layer between their file and the scene, and what is decided about them together. */
#ifndef RW_SCENE_READERS_GIS_GIS_OUTLINES_H
#define RW_SCENE_READERS_GIS_GIS_OUTLINES_H

#include "scene/readers/gis/gis_fields.h"
#include "scene/readers/ground_samples.h"

typedef struct rw_gis_outline {
    size_t first_point, point_count;
    size_t first_ring, ring_count;
    rw_gis_values values;
    long long feature;
    int roof_is_altitude; /* roof_height_m is one, from z */
    int ground_is_z;      /* ground_m is the lowest z of the feature */
    int is_replaced;      /* by its parts */
} rw_gis_outline;

/* The outlines of one layer, before and after their transformation. */
typedef struct rw_gis_outlines {
    rw_scene *scene;
    const char *path, *layer;
    double *xy;
    size_t *ring_sizes;
    rw_gis_outline *items;
    size_t point_count, ring_count, count;
    size_t xy_capacity, ring_capacity, capacity;
    size_t feature_count;
} rw_gis_outlines;

/* "feature 7 of layer roofs" */
const char *rw_gis_describe(const rw_gis_outlines *from, long long feature, char description[160]);

/* A note about a feature. */
rw_status rw_gis_note(const rw_gis_outlines *from, const char *what, long long feature);

/* Area of a ring of x, y pairs, without its sign. */
double rw_gis_ring_area(const double *xy, size_t count);

/* gis_heights.c: heights of a polygon of a feature in space, where no attribute tells them. The feature's faces that
 * are walls or its floor are no outlines: 0 for them. first_point: of the polygon, in the shape. */
int rw_gis_heights_from_z(const rw_vector_shape *shape, const double *z, size_t polygon, size_t first_point,
                          rw_gis_outline *outline);

/* gis_heights.c: refuses heights that no building has. */
rw_status rw_gis_check_heights(const rw_gis_outlines *from);

/* gis_swapped.c: refuses degrees whose latitude and longitude are swapped, before the transformation. */
rw_status rw_gis_check_degrees(const rw_gis_outlines *from, const char *crs);

/* gis_parts.c: buildings that their parts (building:part of OpenStreetMap) cover are replaced by them. */
rw_status rw_gis_replace_by_parts(rw_gis_outlines *from);

#endif
