#include "base/text/csv.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text/normalise.h"
#include "base/text/units.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Where the scanner stands in the bytes of the file. */
typedef struct scanner {
    rw_csv *csv;
    char *at, *end;
    size_t line;
    char separator;
    int loose; /* blanks may be separators and the header may be missing */
    size_t field_count, field_capacity, line_capacity;
} scanner;

static void skip_byte_order_mark(scanner *scan)
{
    if (strncmp(scan->at, "\xEF\xBB\xBF", 3) == 0)
        scan->at += 3;
}

/* Steps over blank and comment lines; 0 at the end of the file. */
static int find_row(scanner *scan)
{
    while (scan->at < scan->end) {
        size_t blank = strspn(scan->at, " \t\r");
        char next = scan->at[blank];
        if (next == 0)
            return 0;
        if (next != '\n' && next != '#')
            return 1;
        char *line_end = strchr(scan->at, '\n');
        if (!line_end)
            return 0;
        scan->at = line_end + 1;
        scan->line++;
    }
    return 0;
}

static char find_frequent_separator(const char *line)
{
    size_t commas = 0, semicolons = 0, tabs = 0;
    for (; *line && *line != '\n'; line++) {
        commas += *line == ',';
        semicolons += *line == ';';
        tabs += *line == '\t';
    }
    if (semicolons > commas && semicolons >= tabs)
        return ';';
    return tabs > commas ? '\t' : ',';
}

/* Reads a quoted field in place: the text moves down over its quotes. The scanner ends up after the closing quote. */
static rw_status unquote_field(scanner *scan, char **field)
{
    size_t first_line = scan->line;
    char *write = ++scan->at;
    *field = write;
    for (; *scan->at; scan->at++) {
        if (*scan->at == '"' && *++scan->at != '"') {
            /* The character after the closing quote must be looked at before the field is ended over it. */
            char *after = scan->at + strspn(scan->at, " \r");
            if (*after && *after != '\n' && *after != scan->separator)
                return rw_fail(scan->csv->context, RW_BAD_INPUT,
                               "%s, line %zu: text follows a closing quote; write a quote inside a field twice",
                               scan->csv->path, scan->line);
            *write = 0;
            scan->at = after;
            return RW_OK;
        }
        scan->line += *scan->at == '\n';
        *write++ = *scan->at;
    }
    return rw_fail(scan->csv->context, RW_BAD_INPUT, "%s, line %zu: a field in quotes is not closed by a second quote",
                   scan->csv->path, first_line);
}

static void read_plain_field(scanner *scan, char **field)
{
    *field = scan->at + strspn(scan->at, " ");
    while (*scan->at && *scan->at != '\n' && *scan->at != scan->separator)
        scan->at++;
}

/* Ends a field at its terminator and cuts the blanks before it. Only called once the terminator is known. */
static void cut_tail(char *field, char *end)
{
    while (end > field && (end[-1] == ' ' || end[-1] == '\r' || end[-1] == '\t'))
        end--;
    *end = 0;
}

/* One row into fields; count receives its number of fields. */
static rw_status read_csv_row(scanner *scan, size_t *count)
{
    rw_csv *csv = scan->csv;
    *count = 0;
    for (;;) {
        RW_TRY(rw_array_reserve(csv->context, &csv->fields, &scan->field_capacity, scan->field_count + 1,
                                sizeof *csv->fields, "the fields of a table"));
        char *field;
        char *start = scan->at + strspn(scan->at, " ");
        int quoted = *start == '"';
        if (quoted) {
            scan->at = start;
            RW_TRY(unquote_field(scan, &field));
        } else {
            read_plain_field(scan, &field);
        }
        char terminator = *scan->at;
        if (!quoted)
            cut_tail(field, scan->at < field ? field : scan->at);
        csv->fields[scan->field_count++] = field;
        ++*count;
        if (terminator)
            scan->at++;
        if (terminator != scan->separator)
            break;
    }
    scan->line++;
    return RW_OK;
}

/* From here on, each run of blanks between two words becomes one comma. The text only gets shorter, so it stays in
 * place.
 */
static void blanks_to_commas(scanner *scan)
{
    char *write = scan->at;
    for (const char *read = scan->at; *read;) {
        size_t blank = strspn(read, " \r");
        read += blank;
        int between = blank && write > scan->at && write[-1] != '\n' && *read && *read != '\n';
        if (between)
            *write++ = ',';
        if (*read)
            *write++ = *read++;
    }
    *write = 0;
    scan->end = write;
}

static int has_separator(const char *line)
{
    char first = line[strcspn(line, ",;\t\n")];
    return first && first != '\n';
}

/* A number with a comma for its point becomes one with a point; any other text stays. */
static const char *with_point(const char *string, char buffer[64])
{
    const char *comma = strchr(string, ',');
    size_t length = strlen(string);
    if (!comma || strchr(string, '.') || strchr(comma + 1, ',') || length >= 64)
        return string;
    memcpy(buffer, string, length + 1);
    buffer[comma - string] = '.';
    return buffer;
}

/* Whether every field read so far is a number or empty, and not all are empty. */
static int holds_numbers(const scanner *scan)
{
    size_t numbers = 0;
    for (size_t i = 0; i < scan->field_count; i++) {
        char buffer[64];
        const char *field = with_point(scan->csv->fields[i], buffer);
        double value;
        size_t used = rw_parse_number(field, &value);
        if (field[used])
            return 0;
        numbers += used > 0;
    }
    return numbers > 0;
}

/* The first line turned out to be a row: it stays one, and the columns have no names. */
static rw_status do_without_header(scanner *scan, size_t line)
{
    static char no_name[] = "";
    rw_csv *csv = scan->csv;
    RW_TRY(rw_array_create(csv->context, csv->column_count, sizeof *csv->header, "a header", &csv->header));
    for (size_t i = 0; i < csv->column_count; i++)
        csv->header[i] = no_name;
    RW_TRY(rw_array_reserve(csv->context, &csv->lines, &scan->line_capacity, 1, sizeof *csv->lines,
                            "the lines of a table"));
    csv->lines[csv->row_count++] = line;
    return RW_OK;
}

static rw_status read_header(scanner *scan)
{
    rw_csv *csv = scan->csv;
    if (!find_row(scan))
        return rw_fail(csv->context, RW_BAD_INPUT, "%s has no header line", csv->path);
    if (scan->loose && !has_separator(scan->at))
        blanks_to_commas(scan);
    size_t line = scan->line;
    scan->separator = find_frequent_separator(scan->at);
    RW_TRY(read_csv_row(scan, &csv->column_count));
    if (scan->loose && holds_numbers(scan))
        return do_without_header(scan, line);
    csv->has_header = 1;
    csv->header = csv->fields;
    csv->fields = NULL;
    scan->field_count = scan->field_capacity = 0;
    return RW_OK;
}

static rw_status read_csv_rows(scanner *scan)
{
    rw_csv *csv = scan->csv;
    while (find_row(scan)) {
        size_t line = scan->line, count;
        RW_TRY(rw_array_reserve(csv->context, &csv->lines, &scan->line_capacity, csv->row_count + 1, sizeof *csv->lines,
                                "the lines of a table"));
        RW_TRY(read_csv_row(scan, &count));
        if (count != csv->column_count)
            return rw_fail(csv->context, RW_BAD_INPUT, "%s, line %zu: %zu fields where the header has %zu", csv->path,
                           line, count, csv->column_count);
        csv->lines[csv->row_count++] = line;
    }
    return RW_OK;
}

static rw_status scan_table(rw_csv *csv, size_t size, int loose)
{
    const char *zero = memchr(csv->bytes, 0, size);
    if (zero)
        return rw_fail(csv->context, RW_BAD_INPUT, "%s is not text: it has a zero byte at position %zu", csv->path,
                       (size_t)(zero - csv->bytes));
    scanner scan = {.csv = csv, .at = csv->bytes, .end = csv->bytes + size, .line = 1, .loose = loose};
    skip_byte_order_mark(&scan);
    RW_TRY(read_header(&scan));
    return read_csv_rows(&scan);
}

/* The bytes of a table: of the file, or those after the first line of a path that has several (csv.h). */
static rw_status load_csv_bytes(rw_csv *csv, const char *path, size_t *size)
{
    const char *text = strchr(path, '\n');
    if (!text) {
        RW_TRY(rw_file_read(csv->context, path, &csv->bytes, size));
        csv->path = rw_string_copy(path);
        return RW_OK;
    }
    *size = strlen(text + 1);
    csv->bytes = rw_string_copy(text + 1);
    csv->path = rw_string_copy(path);
    if (csv->path)
        csv->path[text - path] = 0;
    return csv->bytes ? RW_OK : rw_fail(csv->context, RW_OUT_OF_MEMORY, "no memory left for a table");
}

/* Names go into JSON, XML and HTML. */
static rw_status normalise_table(rw_csv *csv, size_t *size)
{
    char *text;
    if (rw_text_is_plain(csv->bytes, *size))
        return RW_OK;
    RW_TRY(rw_array_create(csv->context, RW_NORMALISED_BYTES_MAX(*size), 1, "a table", &text));
    *size = rw_text_normalise(csv->bytes, *size, text);
    free(csv->bytes);
    csv->bytes = text;
    return RW_OK;
}

static rw_status read_csv_table(rw_context *context, const char *path, int loose, rw_csv *csv)
{
    size_t size;
    *csv = (rw_csv){.context = context};
    rw_status status = load_csv_bytes(csv, path, &size);
    if (status == RW_OK)
        status = normalise_table(csv, &size);
    if (status == RW_OK)
        status =
            csv->path ? scan_table(csv, size, loose) : rw_fail(context, RW_OUT_OF_MEMORY, "no memory left for a path");
    if (status != RW_OK)
        rw_csv_free(csv);
    return status;
}

rw_status rw_csv_read(rw_context *context, const char *path, rw_csv *csv)
{
    return read_csv_table(context, path, 0, csv);
}

rw_status rw_csv_read_loose(rw_context *context, const char *path, rw_csv *csv)
{
    return read_csv_table(context, path, 1, csv);
}

void rw_csv_free(rw_csv *csv)
{
    free(csv->path);
    free(csv->bytes);
    free(csv->fields);
    free(csv->header);
    free(csv->lines);
    free(csv->names);
    for (size_t i = 0; i < csv->stored_count; i++)
        free(csv->stored[i]);
    free(csv->stored);
    *csv = (rw_csv){0};
}

size_t rw_csv_find(const rw_csv *csv, const char *names)
{
    for (const char *name = names; *name;) {
        size_t length = strcspn(name, "|");
        for (size_t i = 0; i < csv->column_count; i++)
            if (strlen(csv->header[i]) == length && strncasecmp(csv->header[i], name, length) == 0)
                return i;
        name += length + (name[length] == '|');
    }
    return RW_CSV_NO_COLUMN;
}

/* A column by its name or its number. */
static size_t find_column_of_file(const rw_csv *csv, const char *string)
{
    char *end;
    for (size_t i = 0; i < csv->column_count; i++)
        if (strcasecmp(csv->header[i], string) == 0)
            return i;
    unsigned long number = strtoul(string, &end, 10);
    return *string >= '1' && *string <= '9' && !*end && number <= csv->column_count ? number - 1 : RW_CSV_NO_COLUMN;
}

static rw_status rename_column(rw_csv *csv, char *entry, char **header, const char *columns)
{
    static char unnamed[] = "";
    char *column = strchr(entry, '=');
    if (!column || column == entry || !column[1])
        return rw_fail(csv->context, RW_BAD_CALL,
                       "columns '%.200s': expected NAME=COLUMN with commas, such as x=Easting", columns);
    *column++ = 0;
    size_t found = find_column_of_file(csv, column);
    if (found == RW_CSV_NO_COLUMN)
        return rw_fail(csv->context, RW_BAD_INPUT, "%s has no column '%.100s' for %.60s", csv->path, column, entry);
    for (size_t i = 0; i < csv->column_count; i++)
        if (strcasecmp(header[i], entry) == 0)
            header[i] = unnamed;
    header[found] = entry;
    return RW_OK;
}

rw_status rw_csv_rename(rw_csv *csv, const char *columns)
{
    char **header;
    RW_TRY(rw_string_replace(csv->context, columns, &csv->names));
    RW_TRY(rw_array_create(csv->context, csv->column_count, sizeof *header, "the columns of a table", &header));
    memcpy(header, csv->header, csv->column_count * sizeof *header);
    rw_status status = RW_OK;
    for (char *entry = csv->names, *next; entry && status == RW_OK; entry = next) {
        next = strchr(entry, ',');
        if (next)
            *next++ = 0;
        status = rename_column(csv, entry, header, columns);
    }
    if (status == RW_OK)
        memcpy(csv->header, header, csv->column_count * sizeof *header);
    free(header);
    return status;
}

rw_status rw_csv_store(rw_csv *csv, const char *string, char **copy)
{
    RW_TRY(rw_array_reserve(csv->context, &csv->stored, &csv->stored_capacity, csv->stored_count + 1,
                            sizeof *csv->stored, "a table"));
    *copy = rw_string_copy(string);
    if (!*copy)
        return rw_fail(csv->context, RW_OUT_OF_MEMORY, "no memory for the fields of %s", csv->path);
    csv->stored[csv->stored_count++] = *copy;
    return RW_OK;
}

rw_status rw_csv_require(const rw_csv *csv, const char *names, size_t *column)
{
    *column = rw_csv_find(csv, names);
    if (*column != RW_CSV_NO_COLUMN)
        return RW_OK;
    return rw_fail(csv->context, RW_BAD_INPUT, "%s: the header line has no column '%.*s'", csv->path,
                   (int)strcspn(names, "|"), names);
}

const char *rw_csv_string(const rw_csv *csv, size_t row, size_t column)
{
    return column == RW_CSV_NO_COLUMN ? "" : csv->fields[row * csv->column_count + column];
}

rw_status rw_csv_parse(rw_context *context, const char *string, rw_quantity quantity, double *value)
{
    char buffer[64];
    return rw_parse_quantity(context, with_point(string, buffer), quantity, value);
}

rw_status rw_csv_required_number(const rw_csv *csv, size_t row, size_t column, rw_quantity quantity, double *value)
{
    const char *string = rw_csv_string(csv, row, column);
    rw_status status = rw_csv_parse(csv->context, string, quantity, value);
    if (status == RW_OK)
        return RW_OK;
    char reason[RW_MESSAGE_MAX / 2];
    strncpy(reason, rw_last_error(csv->context), sizeof reason - 1);
    reason[sizeof reason - 1] = 0;
    const char *name = column == RW_CSV_NO_COLUMN ? "that is missing" : csv->header[column];
    return rw_fail(csv->context, RW_BAD_INPUT, "%s, line %zu, column %.60s: %s", csv->path, csv->lines[row], name,
                   reason);
}

rw_status rw_csv_optional_number(const rw_csv *csv, size_t row, size_t column, rw_quantity quantity, double *value)
{
    if (!*rw_csv_string(csv, row, column))
        return RW_OK;
    return rw_csv_required_number(csv, row, column, quantity, value);
}
