/* Text of files as every writer may use it: UTF-8 without control characters, composed (Unicode normal form C of
 * characters that follow each other). A line that is not UTF-8 is read as Windows-1252, the ISO 8859-1 of spreadsheets.
 * Control characters but tab and line ends become blanks, and so do U+FFFE and U+FFFF, which XML does not have; a zero
 * byte stays. */
#ifndef RW_BASE_TEXT_NORMALISE_H
#define RW_BASE_TEXT_NORMALISE_H

#include <stddef.h>

#define RW_NORMALISED_BYTES_MAX(size) (3 * (size) + 1)

/* Writes at most RW_NORMALISED_BYTES_MAX(size) bytes with a zero after them; the number before it. */
size_t rw_text_normalise(const char *bytes, size_t size, char *out);

/* Whether all is ASCII without control characters, and stays as it is. */
int rw_text_is_plain(const char *bytes, size_t size);

#endif
