/* Texts and numbers as JSON, for writers of files. */
#ifndef RW_BASE_TEXT_JSON_WRITE_H
#define RW_BASE_TEXT_JSON_WRITE_H

#include <stdio.h>

/* In quotes. What is not UTF-8 is written byte by byte as Latin-1, so that the file always parses. */
void rw_json_write_string(FILE *stream, const char *string);

/* With all digits of a double; null where it is not finite. */
void rw_json_write_number(FILE *stream, double value);

/* A member of an object, after another one; a string may be NULL. */
void rw_json_write_string_member(FILE *stream, const char *key, const char *string);
void rw_json_write_number_member(FILE *stream, const char *key, double value);

#endif
