/* HTML on a stream: a page, texts with their signs escaped, rows of tables, pictures inside the page. */
#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include <stdio.h>

void html_begin(FILE *out, const char *title, const char *about);
void html_end(FILE *out);
void html_text(FILE *out, const char *text);
void html_row(FILE *out, const char *name, const char *value);

/* A cell of a table; empty where the value is not finite. */
void html_number(FILE *out, const char *format, double value);

/* A PNG file as part of the page. Returns the exit status. */
int html_picture(FILE *out, const char *path, const char *title);

/* Bytes as a string in base 64, to be freed; NULL: no memory. */
char *encode_base64(const unsigned char *bytes, size_t size);

#endif
