/* Round numbers for legends and axes. */
#ifndef RW_OUTPUT_PICTURES_TICKS_H
#define RW_OUTPUT_PICTURES_TICKS_H

#include <stddef.h>

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

#endif
