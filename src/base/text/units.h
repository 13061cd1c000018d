/* Numbers from text, the same in every locale. */
#ifndef RW_BASE_TEXT_UNITS_H
#define RW_BASE_TEXT_UNITS_H

#include <rasterwave/rasterwave.h>

#include <stddef.h>

/* The number at the start of the text, as strtod reads it in the C locale; returns the characters used, 0 for none. */
size_t rw_parse_number(const char *text, double *value);

/* "160 dB", "947 MHz": the value with the unit; frequencies, times and bytes with the unit that suits their size. */
void rw_quantity_to_text(rw_quantity quantity, double value, const char *unit, char *text, size_t size);

#endif
