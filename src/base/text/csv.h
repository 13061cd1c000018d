/* Tables of comma-separated text (RFC 4180), as floor plans, sites and measurements come.
 *
 * The first line is the header. The separator is a comma, a semicolon or a tab, whichever the header has most of.
 * Fields may stand in double quotes, with "" for a quote; line ends may be CR LF. Blank lines and lines that start with
 * # are left out. Every failure names the file, the line and what would be right. */
#ifndef RW_BASE_TEXT_CSV_H
#define RW_BASE_TEXT_CSV_H

#include "base/context.h"

typedef struct rw_csv {
    rw_context *context;
    char *path;
    char *bytes;   /* the file; fields point into it */
    char **fields; /* row after row, column_count each; the header is not among them */
    char **header; /* column_count names; "" each where the file has none */
    size_t *lines; /* of each row, from 1 */
    size_t column_count, row_count;
    int has_header;
    char *names;   /* that columns have got in place of the file's; NULL: none */
    char **stored; /* strings of fields that are not the file's own */
    size_t stored_count, stored_capacity;
} rw_csv;

/* A table inside another file is given as that file's path, a line end, and the text of the table; lines are counted
 * from the table's own first one. */
rw_status rw_csv_read(rw_context *context, const char *path, rw_csv *csv);

/* The same for tables as loggers write them: blanks may part the fields where the first line has no other separator,
 * and a first line of nothing but numbers is a row and not the header. */
rw_status rw_csv_read_loose(rw_context *context, const char *path, rw_csv *csv);
void rw_csv_free(rw_csv *csv);

#define RW_CSV_NO_COLUMN ((size_t)-1)

/* The column with one of these names, without regard to case: "height|height_m". RW_CSV_NO_COLUMN where there is none.
 */
size_t rw_csv_find(const rw_csv *csv, const char *names);

/* Gives columns other names, as a caller maps them: "x=Easting,height=3", by the name or the number (from 1) of a
 * column. A column of the file that has such a name already loses it. Fails where there is no such column. */
rw_status rw_csv_rename(rw_csv *csv, const char *columns);

/* A copy of a string for fields or the header, which is freed with the table. */
rw_status rw_csv_store(rw_csv *csv, const char *string, char **copy);

/* The same for a column that must be there. */
rw_status rw_csv_require(const rw_csv *csv, const char *names, size_t *column);

/* The text of a field without blanks around it; "" for RW_CSV_NO_COLUMN. */
const char *rw_csv_string(const rw_csv *csv, size_t row, size_t column);

/* The number in a field, with or without a unit of its quantity and with a point or a comma before its decimals
 * ("12,5", in quotes or between semicolons). A field that is empty or not there leaves value alone where it is
 * optional, and fails where it is required. */
rw_status rw_csv_required_number(const rw_csv *csv, size_t row, size_t column, rw_quantity quantity, double *value);
rw_status rw_csv_optional_number(const rw_csv *csv, size_t row, size_t column, rw_quantity quantity, double *value);

/* The same of any text of a table: what is wrong is not told with file and line. */
rw_status rw_csv_parse(rw_context *context, const char *string, rw_quantity quantity, double *value);

#endif
