/* Scenes of GIS files: coordinate systems, fields of buildings, outlines. */
#ifndef RW_SCENE_READERS_GIS_GIS_H
#define RW_SCENE_READERS_GIS_GIS_H

#include "ext/gdal.h"
#include "scene/readers/readers.h"
#include "scene/scene.h"

/* Coordinates of an input into metres of the scene's coordinate system. */

/* Whether distances in a coordinate system are metres near a point: utm is "" then, and the UTM zone of the point
 * otherwise. Degrees and feet are not, nor is Web Mercator, whose metre is stretched by half in the middle latitudes.
 */
rw_status rw_gis_find_utm(rw_context *context, const char *crs, double x, double y, rw_gdal_crs_about *about,
                          char utm[RW_CRS_CODE_MAX]);

/* Transforms x, y pairs from the input's own system ("" where unknown) into the scene's. A scene without one takes the
 * input's where that is in metres, and the UTM zone of the points' centre otherwise. input names it in notes. Pairs
 * that cannot be transformed become NaN. A build without GDAL keeps system and coordinates as they are. */
rw_status rw_gis_transform_to_scene(rw_scene *scene, const char *own, const char *input, double *xy, size_t count);

/* Which attributes of a GIS layer tell a building's heights, and what they tell. */

/* Field numbers; -1: the layer has none. */
typedef struct rw_gis_fields {
    int height, levels;    /* of the roof above ground */
    int base, base_levels; /* of the underside above ground */
    int ground;            /* altitude */
    int building_id;
    int surface;
    int building_tag;                  /* OSM: only features that have it are buildings */
    int part_tag;                      /* OSM: features that have it are parts of buildings */
    int levels_by_name;                /* levels is a guess by its name: used if all its values are counts */
    double height_unit_m, base_unit_m; /* of numbers without a unit of their own */
} rw_gis_fields;

typedef struct rw_gis_values {
    double ground_m, base_height_m, roof_height_m; /* ground NaN where not told */
    int height_is_stated;                          /* by an attribute */
    double storeys;                                /* that the height was taken from; 0: it was not */
    int is_part;                                   /* of a building that another feature outlines */
    uint32_t building_id;                          /* 0 where not told */
    const char *surface;                           /* NULL where not told */
    const char *problem;                           /* a note to take, or NULL */
} rw_gis_values;

/* height_field: the user's choice, or NULL for the usual names; -1 in height where the layer has no such field.
 * height_unit: "m", "ft", or NULL: by the name of the column, which may end in _ft or feet. */
void rw_gis_find_fields(const rw_vector_file *file, const char *height_field, const char *storeys_field,
                        const char *height_unit, rw_gis_fields *fields);

/* gis_names.c: what a name means, in many languages: a layer of buildings; a layer of something else, such as land use,
 * although it names buildings; a layer of building parts; a field with numbers of storeys; one with heights of roofs.
 */
int rw_gis_names_buildings(const char *name);
int rw_gis_names_other_layer(const char *name);
int rw_gis_names_parts(const char *name);
int rw_gis_names_storeys(const char *name);
int rw_gis_names_height(const char *name);

/* Whether two names differ in numbers alone, as those of the tiles of one layer do. */
int rw_gis_same_but_numbers(const char *first, const char *second);

/* Values of the feature; a height that is missing or not possible becomes the default one, and problem says so. */
void rw_gis_read_values(rw_vector_file *file, const rw_gis_fields *fields, double default_height_m,
                        rw_gis_values *values);

/* Whether the feature has a tag that is not "no". */
int rw_gis_is_tagged(rw_vector_file *file, int field);

/* A length from text such as "12", "12.5 m", "12,5m", "40 ft" or "40'"; 0 where it is none. */
int rw_gis_parse_length(const char *string, double *length_m);

/* Metres of a unit of heights, "m" or "ft"; 0 where the word is neither. */
double rw_gis_unit_m(const char *unit);

/* The outlines of one GIS layer between their file and the scene, and what is decided about them together. */
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
