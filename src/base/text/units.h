/* Numbers with units. */
#ifndef RW_BASE_TEXT_UNITS_H
#define RW_BASE_TEXT_UNITS_H

#include "base/text/number.h"

#include <rasterwave/rasterwave.h>

#include <stddef.h>

/* "160 dB", "947 MHz": the value with the unit; frequencies, times and bytes with the unit that suits their size. */
void rw_quantity_to_string(rw_quantity quantity, double value, const char *unit, char *string, size_t size);

#endif
