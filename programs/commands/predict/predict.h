/* What a prediction was and what it left, for its report. */
#ifndef COMMANDS_PREDICT_PREDICT_H
#define COMMANDS_PREDICT_PREDICT_H

#include "command.h"

/* Options. */
struct predict_settings {
    struct input_options inputs;
    const char *tiles, *beam_outlines, *diffraction_sources, *out, *report, *zones, *storey_table, *name_field,
        *weights, *to_crs, *points_file, *plot;
    struct point_list at;
    struct level_list levels;
};

#define PICTURES_MAX 8 /* of one layer */
#define LAYERS_MAX 32

struct written_layer {
    char raster[4096];
    char pictures[PICTURES_MAX][4096];
    size_t picture_count;
};

struct prediction {
    struct request request;
    rw_map *map;
    rw_tile_map *tiles; /* NULL: not asked for */
    double prepare_s, solve_s, write_s;
    struct written_layer *layers; /* LAYERS_MAX */
    size_t layer_count;
    char histogram[4096];  /* file of the histogram of delays; empty: none */
    char plane_file[4096]; /* file of a plane's map with the receivers' places; empty: none */
    char layer_list[512];  /* those asked for, where they are not the caller's own list */
};

/* output.c: whether --out names one raster and not a folder; then one layer is asked for; and written. */
int is_map_file(const char *path);
int request_one_layer(const struct call *call, struct prediction *prediction);
int write_map_file(struct call *call, struct prediction *prediction);

/* output.c: names what earlier predictions left in the folder beside the files of this one. */
int write_prediction_manifest(struct call *call, const struct prediction *prediction);
void name_old_layers(struct call *call, const struct prediction *prediction);

/* write.c: all rasters and pictures, or none. Returns the exit status; what is wrong has been said. */
int write_layers(struct call *call, struct prediction *prediction);

/* write.c: whether the files of --tiles and --reuse can be written, before the work. Returns the exit status.
 */
int check_names(struct call *call);

/* write.c: beams as polygons, where they are asked for. Returns the exit status. */
int write_beams(struct call *call, const struct prediction *prediction);

/* write.c: whether --tiles asks for values, and not for rays. */
int wants_values_on_tiles(const struct call *call);

/* Nothing where no file was asked for. Both return the exit status. */
int write_rays_file(struct call *call, const struct prediction *prediction);
int write_tiles(struct call *call, const struct prediction *prediction);

/* coverage.c: the layers of --level are among those of the map. Returns the exit status. */
int request_level_layers(const struct call *call, struct prediction *prediction);

/* Nothing where no level was given. */
void report_coverage(struct report *report, const struct call *call, const struct prediction *prediction);

/* html.c: the page of --report. Returns the exit status. */
int write_report(struct call *call, const struct prediction *prediction);

/* points.c: the prediction at the points of --at and --points. Returns the exit status. */
int predict_points(struct call *call, struct prediction *prediction);

/* report.c */
void report_prediction(struct call *call, const struct prediction *prediction);

#endif
