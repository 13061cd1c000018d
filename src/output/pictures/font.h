/* Text on a canvas, in a stroke font of our own: printable ASCII and the few signs that units need (degree, micro,
 * dash, times, square, dot), in UTF-8. Letters with marks are drawn without them; any other
 * character that the font lacks is an empty box. */
#ifndef RW_OUTPUT_PICTURES_FONT_H
#define RW_OUTPUT_PICTURES_FONT_H

#include "output/pictures/canvas.h"

typedef enum rw_text_align { RW_TEXT_LEFT, RW_TEXT_CENTRE, RW_TEXT_RIGHT } rw_text_align;

typedef struct rw_text_style {
    double size_px; /* height of a capital letter */
    double weight;  /* width of the strokes, 1: regular, 1.5: bold */
    rw_text_align align;
    rw_colour colour;
} rw_text_style;

/* baseline is the left end, middle or right end of the line on which the letters stand. */
void rw_canvas_text(rw_canvas *canvas, rw_vec2 baseline, const rw_text_style *style, const char *text);

/* The same from bottom to top, for the names of vertical axes. */
void rw_canvas_text_upwards(rw_canvas *canvas, rw_vec2 baseline, const rw_text_style *style, const char *text);

/* Text with a pale rim, so that it reads on any ground. */
void rw_canvas_text_with_rim(rw_canvas *canvas, rw_vec2 baseline, const rw_text_style *style, rw_colour rim,
                             const char *text);

double rw_text_width_px(const char *text, const rw_text_style *style);

#endif
