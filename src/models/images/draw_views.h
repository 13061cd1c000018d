/* Frame buffers along a sequence of the image tree as a picture (draw_views.c). */
#ifndef RW_MODELS_IMAGES_DRAW_VIEWS_H
#define RW_MODELS_IMAGES_DRAW_VIEWS_H

#include "models/images/images.h"

#define RW_VIEW_PANELS_MAX 5 /* the transmitter's view, and those behind up to four interactions */
#define RW_VIEW_PANEL_PX 360

/* One of the six views from the transmitter, and the interactions after it. */
typedef struct rw_view_sequence {
    uint32_t side, steps[RW_IMAGE_DEPTH_MAX];
    int count;
} rw_view_sequence;

/* The transmitter must be placed in the scene. */
rw_status rw_view_sequence_draw(rw_ray_scene *scene, const rw_view_sequence *sequence, uint32_t pixels,
                                const char *path);

#endif
