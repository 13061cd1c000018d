/* A picture of a map: its parts, in the order in which they are drawn. */
#ifndef RW_OUTPUT_PICTURES_PICTURE_H
#define RW_OUTPUT_PICTURES_PICTURE_H

#include "output/pictures/pictures.h"
#include "output/pictures/layer_style.h"

typedef struct rw_picture {
    const rw_map *map;
    const rw_layer_data *layer;
    size_t band;
    rw_layer_style style;
    rw_canvas canvas;
    rw_box_px map_box;      /* where the cells are */
    double pixels_per_cell; /* the same in x and y */
    double unit_px;         /* grows with the picture: 1 for a map of 900 pixels */
} rw_picture;

extern const rw_colour rw_colour_text, rw_colour_quiet, rw_colour_paper;

/* picture_map.c: cells, buildings and their outlines, marks; and the pixel of a place. */
rw_status rw_picture_draw_cells(rw_picture *picture);
rw_status rw_picture_draw_buildings(rw_picture *picture, const rw_scene *scene);
void rw_picture_draw_marks(rw_picture *picture, const double *marks_m, size_t count);

/* Transmitters: those at one place share a marker and have a name each. */
void rw_picture_draw_transmitters(rw_picture *picture, const rw_transmitter *transmitters, size_t count);
void rw_picture_draw_marker(rw_picture *picture, rw_vec2 at, const char *name); /* of one transmitter, at a pixel */

/* picture_cut.c: on a plane in space, what it cuts of the scene, and where the foot of a transmitter is. */
void rw_picture_draw_cut(rw_picture *picture, const rw_scene *scene);
rw_vec2 rw_picture_foot(const rw_picture *picture, const rw_transmitter *transmitter);

/* picture_legend.c: what the colours mean, and how long a hundred metres are. */
void rw_picture_draw_legend(rw_picture *picture, rw_box_px box);
double rw_picture_legend_width_px(const rw_picture *picture);
void rw_picture_draw_scale_bar(rw_picture *picture, double x, double y);

#endif
