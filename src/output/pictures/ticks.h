/* Round numbers for legends and axes. */
#ifndef RW_OUTPUT_PICTURES_TICKS_H
#define RW_OUTPUT_PICTURES_TICKS_H

#include <stddef.h>

/* The round step (1, 2 or 5 times a power of ten) that parts the range into about the wanted number of pieces. */
double rw_tick_step(double range, int wanted);

/* The number as short as its step allows ("0.5", "120"); a minus is a true minus sign. */
void rw_tick_text(double value, double step, char *text, size_t size);

#endif
