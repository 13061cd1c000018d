/* Readers: each turns one file format into calls of rw_scene_add_*. One line each in the table of load.c. */
#ifndef RW_SCENE_READERS_READERS_H
#define RW_SCENE_READERS_READERS_H

#include "scene/scene.h"

typedef struct rw_reader {
    const char *name;    /* as --format takes it */
    const char *summary; /* for help and errors */

    /* Whether a file that starts with these bytes (zero-terminated at size) and has this path is for this reader. */
    int (*recognises)(const char *path, const char *start, size_t size);

    /* Adds the file's content to an empty, uncommitted scene. */
    rw_status (*read)(rw_scene *scene, const char *path, const rw_load_options *options);

    unsigned fields; /* which options of fields it reads; the others are rejected */
} rw_reader;

enum { RW_READS_LAYER = 1, RW_READS_HEIGHT_FIELD = 2, RW_READS_STOREYS_FIELD = 4, RW_READS_HEIGHT_UNIT = 8 };

/* Fails for an option of fields that is given and not among these. what: "is a PLY mesh". */
rw_status rw_reader_check_fields(rw_context *context, const char *path, const char *what, unsigned fields,
                                 const rw_load_options *options);

extern const rw_reader rw_reader_cost231;   /* read_cost231.c */
extern const rw_reader rw_reader_mitsuba;   /* read_mitsuba.c */
extern const rw_reader rw_reader_ply;       /* read_ply.c */
extern const rw_reader rw_reader_obj;       /* read_obj.c */
extern const rw_reader rw_reader_floorplan; /* floor_plan.c */
extern const rw_reader rw_reader_cityjson;  /* read_cityjson.c */
extern const rw_reader rw_reader_dxf;       /* floor_plans/read_dxf.c */
extern const rw_reader rw_reader_gis;       /* read_gis.c, over ext/gdal */

/* read_terrain.c: world coordinates of everything added so far; 0 if there is nothing. */
int rw_scene_find_input_extent(const rw_scene *scene, double box[4]);

/* From the altitudes of the ground at buildings to a terrain. */
typedef struct rw_ground_sample {
    rw_vec2 at; /* world */
    double altitude_m;
} rw_ground_sample;

typedef struct rw_ground_samples {
    RW_ARRAY(rw_ground_sample) list;
} rw_ground_samples;

/* The ground at a ring's corners, taken at their mean. */
rw_status rw_ground_samples_add(rw_context *context, rw_ground_samples *samples, const rw_vec2 *corners, size_t count,
                                double altitude_m);

/* A raster over the box whose posts are means of the samples around them, with weights that fall off like a Gaussian of
 * standard deviation radius_m, and further where no sample is near. Posts are 50 m apart (more, where that would be far
 * more posts than samples). In time linear in samples and posts. values of the raster are to be freed. */
rw_status rw_ground_samples_smooth(rw_context *context, const rw_ground_samples *samples, rw_vec2 box_min,
                                   rw_vec2 box_max, double radius_m, rw_raster *raster);

/* The same as the scene's terrain, over everything that has been added to it. */
rw_status rw_ground_samples_set_terrain(rw_scene *scene, const rw_ground_samples *samples, double radius_m);

void rw_ground_samples_free(rw_ground_samples *samples);

/* Triangles on their way from a mesh file to the scene. */
typedef struct rw_triangle_list {
    RW_ARRAY(rw_vec3) vertices;
    RW_ARRAY(uint32_t) corners; /* three vertices a triangle */
    size_t short_faces;         /* faces left out because they had fewer than three corners */
} rw_triangle_list;

void rw_triangle_list_free(rw_triangle_list *list);

rw_status rw_triangle_list_add_vertex(rw_context *context, rw_triangle_list *list, rw_vec3 vertex);
rw_status rw_triangle_list_add(rw_context *context, rw_triangle_list *list, uint32_t a, uint32_t b, uint32_t c);

/* Adds the list to the scene as one mesh; source names the file in notes. */
rw_status rw_scene_add_triangles(rw_scene *scene, const rw_triangle_list *list, const char *name, const char *surface,
                                 const char *source);

/* The surface that a material's name in a mesh file stands for: without the "mat-" of Blender's exporter, and "itu-" as
 * "itu_". The scene keeps the text. */
rw_status rw_surface_from_material(rw_scene *scene, const char *material, const char **surface);

#endif
