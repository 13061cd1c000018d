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
} rw_reader;

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

#endif
