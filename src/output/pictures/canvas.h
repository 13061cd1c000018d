/* A picture in memory and the marks made on it. Every mark (stroke, disc, polygon, text) is first laid down as coverage
 * in a mask and then inked in one colour, so that strokes that meet or cross do not darken each other.
 *
 * Pixels: x to the right, y downwards, (0, 0) is the upper left corner of the first pixel. */
#ifndef RW_OUTPUT_PICTURES_CANVAS_H
#define RW_OUTPUT_PICTURES_CANVAS_H

#include "base/context.h"
#include "base/maths/vector.h"

typedef struct rw_colour {
    uint8_t red, green, blue;
} rw_colour;

typedef struct rw_box_px {
    int x0, y0, x1, y1; /* x1 and y1 are the first pixels outside */
} rw_box_px;

typedef struct rw_canvas {
    rw_context *context;
    int width, height;
    uint8_t *rgb;    /* rows from the top */
    uint8_t *mask;   /* coverage laid down and not yet inked */
    rw_box_px dirty; /* where the mask may be set */
    rw_box_px clip;  /* marks fall only in here */
} rw_canvas;

rw_status rw_canvas_create(rw_context *context, int width, int height, rw_colour paper, rw_canvas *canvas);
void rw_canvas_free(rw_canvas *canvas);

void rw_canvas_clip(rw_canvas *canvas, rw_box_px box);
void rw_canvas_unclip(rw_canvas *canvas);

/* At once, without the mask. */
void rw_canvas_fill_box(rw_canvas *canvas, rw_box_px box, rw_colour colour);
void rw_canvas_set(rw_canvas *canvas, int x, int y, rw_colour colour);
void rw_canvas_frame(rw_canvas *canvas, rw_box_px box, int width_px, rw_colour colour);

/* Into the mask. Strokes have round ends; a stroke from a point to itself is a dot. Rings follow each other in points.
 */
void rw_canvas_stroke(rw_canvas *canvas, rw_vec2 from, rw_vec2 to, double width_px);
void rw_canvas_disc(rw_canvas *canvas, rw_vec2 centre, double radius_px);
rw_status rw_canvas_polygon(rw_canvas *canvas, const rw_vec2 *points, const size_t *ring_sizes, size_t ring_count);

/* The mask in one colour, with an opacity in [0, 1]; the mask is empty afterwards. */
void rw_canvas_ink(rw_canvas *canvas, rw_colour colour, double opacity);

/* Writes the picture as PNG, beside and renamed. */
rw_status rw_canvas_write(const rw_canvas *canvas, const char *path);

#endif
