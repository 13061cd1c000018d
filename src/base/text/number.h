/* Numbers from text, the same in every locale. */
#ifndef RW_BASE_TEXT_NUMBER_H
#define RW_BASE_TEXT_NUMBER_H

#include <stddef.h>

/* The number at the start of the text, as strtod reads it in the C locale; returns the characters used, 0 for none. */
size_t rw_parse_number(const char *string, double *value);

#endif
