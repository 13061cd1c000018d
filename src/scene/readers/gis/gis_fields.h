/* Which attributes of a GIS layer tell a building's heights, and what they tell. */
#ifndef RW_SCENE_READERS_GIS_GIS_FIELDS_H
#define RW_SCENE_READERS_GIS_GIS_FIELDS_H

#include "ext/gdal.h"
#include "scene/scene.h"

/* Field numbers; -1: the layer has none. */
typedef struct rw_gis_fields {
    int height, levels;    /* of the roof above ground */
    int base, base_levels; /* of the underside above ground */
    int ground;            /* altitude */
    int building_id;
    int surface;
    int building_tag;                  /* OSM: only features that have it are buildings */
    int part_tag;                      /* OSM: features that have it are parts of buildings */
    double height_unit_m, base_unit_m; /* of numbers without a unit of their own */
} rw_gis_fields;

typedef struct rw_gis_values {
    double ground_m, base_height_m, roof_height_m; /* ground NaN where not told */
    int height_is_stated;                          /* by an attribute */
    int is_part;                                   /* of a building that another feature outlines */
    uint32_t building_id;                          /* 0 where not told */
    const char *surface;                           /* NULL where not told */
    const char *problem;                           /* a note to take, or NULL */
} rw_gis_values;

/* height_field: the user's choice, or NULL for the usual names; -1 in height where the layer has no such field.
 * height_unit: "m", "ft", or NULL: by the name of the column, which may end in _ft or feet. */
void rw_gis_find_fields(const rw_vector_file *file, const char *height_field, const char *storeys_field,
                        const char *height_unit, rw_gis_fields *fields);

/* Whether a field of that name usually has the number of storeys. */
int rw_gis_counts_storeys(const char *name);

/* Values of the feature; a height that is missing or not possible becomes the default one, and problem says so. */
void rw_gis_read_values(rw_vector_file *file, const rw_gis_fields *fields, double default_height_m,
                        rw_gis_values *values);

/* Whether the feature has a tag that is not "no". */
int rw_gis_is_tagged(rw_vector_file *file, int field);

/* A length from text such as "12", "12.5 m", "12,5m", "40 ft" or "40'"; 0 where it is none. */
int rw_gis_parse_length(const char *string, double *length_m);

/* Metres of a unit of heights, "m" or "ft"; 0 where the word is neither. */
double rw_gis_unit_m(const char *unit);

#endif
