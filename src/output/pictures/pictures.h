/* Pictures: a canvas, text on it, colours, plots, and the parts of a picture of a map. Styles of layers: layer_style.h.
 */
#ifndef RW_OUTPUT_PICTURES_PICTURES_H
#define RW_OUTPUT_PICTURES_PICTURES_H

#include "base/context.h"
#include "base/maths/vector.h"

#include <stddef.h>

/* A picture in memory and the marks made on it. Every mark (stroke, disc, polygon, text) is first laid down as coverage
 * in a mask and then inked in one colour, so that strokes that meet or cross do not darken each other.
 *
 * Pixels: x to the right, y downwards, (0, 0) is the upper left corner of the first pixel. */
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
/* Pixels x0 to x1 - 1 of row y as those of the row above. */
void rw_canvas_repeat_row(rw_canvas *canvas, int x0, int x1, int y);
void rw_canvas_frame(rw_canvas *canvas, rw_box_px box, int width_px, rw_colour colour);

/* Into the mask. Strokes have round ends; a stroke from a point to itself is a dot. Rings follow each other in points.
 */
void rw_canvas_stroke(rw_canvas *canvas, rw_vec2 from, rw_vec2 to, double width_px);
void rw_canvas_disc(rw_canvas *canvas, rw_vec2 centre, double radius_px);
rw_status rw_canvas_polygon(rw_canvas *canvas, const rw_vec2 *points, const size_t *ring_sizes, size_t ring_count);

/* The mask in one colour, with an opacity in [0, 1]; the mask is empty afterwards. */
void rw_canvas_ink(rw_canvas *canvas, rw_colour colour, double opacity);

/* A pixel in 0 to max (canvas.c). */
int rw_clamp_to_screen(double value, int max);

/* Calls on_sample for the middle of each pixel in the triangle, with the weights of its corners there (canvas.c). */
typedef void (*rw_triangle_fn)(void *user, int column, int row, const double weights[3]);
void rw_triangle_sample(const rw_vec3 p[3], int columns, int rows, rw_triangle_fn on_sample, void *user);

/* Sets pixels from x, y on to the means of samples, RW_CANVAS_SAMPLES in each direction of a pixel (canvas.c). */
#define RW_CANVAS_SAMPLES 2
void rw_canvas_set_samples(rw_canvas *canvas, int x, int y, const rw_colour *samples, int columns, int rows);

/* Writes the picture as PNG, beside and renamed. */
rw_status rw_canvas_write(const rw_canvas *canvas, const char *path);

/* Text on a canvas, in a stroke font of our own: printable ASCII and the few signs that units need (degree, micro,
 * dash, times, square, dot), in UTF-8. Letters with marks are drawn without them; any other
 * character that the font lacks is an empty box. */
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

/* Colours for numbers and for classes, made in a perceptually uniform space. */
#define RW_COLOUR_STEPS 256

/* From dark violet over blue and green to bright yellow; equal steps look equally different, and lightness alone orders
 * them, so the scale also reads in grey and with any colour blindness. */
void rw_colour_scale_compute(rw_colour steps[RW_COLOUR_STEPS]);

/* From blue over near white to red, for numbers on both sides of zero: lightness falls evenly on both. */
void rw_colour_scale_compute_two_sided(rw_colour steps[RW_COLOUR_STEPS]);

/* A colour for class number index: hues far apart, alternating in lightness. */
rw_colour rw_class_colour(size_t index);

/* Lightness in [0, 1], chroma and hue of OKLab to the screen; chroma is reduced until the screen can show it. */
rw_colour rw_colour_from_oklch(double lightness, double chroma, double hue_deg);

/* Difference of two colours as seen: their distance in OKLab. */
double rw_colour_difference(rw_colour a, rw_colour b);

/* Round numbers for legends and axes. */

/* Values beyond are not drawn: their differences would not be finite numbers. */
#define RW_PLOT_VALUE_MAX 1e38
/* No axis has more: where values differ by less than their rounding, there would be no end to them. */
#define RW_TICKS_MAX 100

/* Makes a range of no length, or of none but rounding, one that has a length. */
void rw_tick_widen(double *low, double *high);

/* The round step (1, 2 or 5 times a power of ten) that parts the range into about the wanted number of pieces. */
double rw_tick_step(double range, int wanted);

/* The number as short as its step allows ("0.5", "120"); a minus is a true minus sign. */
void rw_tick_label(double value, double step, char *label, size_t size);

/* Line plots: series of x and y over one pair of axes, as a PNG picture. For routes, impulse responses and profiles. */
typedef enum rw_series_kind { RW_SERIES_LINE, RW_SERIES_POINTS, RW_SERIES_STEMS } rw_series_kind;

/* A point that is not finite breaks the line. */
typedef struct rw_series {
    const char *name;
    const double *x, *y;
    size_t count;
    rw_series_kind kind;
} rw_series;

typedef struct rw_plot {
    const char *title, *subtitle, *x_label, *y_label;
    const rw_series *series;
    size_t series_count;
    int width_px, height_px;    /* 0: 1100 x 560 */
    int log_x, log_y;           /* powers of ten along the axis; values that are not positive are not drawn */
    int same_scale;             /* a metre is as long on both axes: a map */
    const double (*colours)[3]; /* lightness, chroma and hue (OKLCH) of each series; NULL: the usual ones */
} rw_plot;

/* The picture in memory; rw_canvas_free frees it. */
rw_status rw_plot_draw(rw_context *context, const rw_plot *plot, rw_canvas *canvas);
rw_status rw_plot_write(rw_context *context, const rw_plot *plot, const char *path);

#endif
