/* Colours for numbers and for classes, made in a perceptually uniform space. */
#ifndef RW_OUTPUT_PICTURES_COLOUR_SCALE_H
#define RW_OUTPUT_PICTURES_COLOUR_SCALE_H

#include "output/pictures/canvas.h"

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

#endif
