/* Several bands in one row of a sites table, as operators export them: each band becomes a row of its own.
 *
 * Two forms. Lists in the cells: freq "800/1800 MHz" and, where it differs, power "43/46", separated by / | + or ;.
 * Columns of bands: power_800, power_1800, antenna_L1800 (a frequency in MHz ends the name of the band), or freq_1,
 * power_1, freq_2, power_2; a band without a value in any of its columns is not at the site. A column "band" has 3GPP
 * bands (B20, n78) or frequencies in MHz; their frequency is the centre of the downlink (3GPP TS 36.101, table 5.5-1,
 * and TS 38.101-1 and -2, tables 5.2-1). Rows of one site get its text in the column site, and names with the band. */
#include "scene/antennas/site.h"

#include "base/memory.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define FREQ_NAMES "freq|freq_hz|frequency|frequency_hz|freq_mhz|frequency_mhz|freq_ghz|frequency_ghz"
#define BAND_NAMES "band|bands"
#define SEPARATORS "/|+;"
#define BANDS_MAX 32
#define CELL_MAX 512

/* Centre of the downlink of a band by its number, in MHz. */
static double find_band_mhz(int number)
{
    static const struct {
        int number;
        double mhz;
    } bands[] = {{1, 2140},   {2, 1960},    {3, 1842.5},  {4, 2132.5},  {5, 881.5},  {7, 2655},  {8, 942.5},
                 {12, 737.5}, {13, 751},    {17, 740},    {18, 867.5},  {19, 882.5}, {20, 806},  {25, 1962.5},
                 {26, 876.5}, {28, 780.5},  {32, 1474},   {38, 2595},   {39, 1900},  {40, 2350}, {41, 2593},
                 {42, 3500},  {43, 3700},   {48, 3625},   {66, 2155},   {71, 634.5}, {77, 3750}, {78, 3550},
                 {79, 4700},  {257, 28000}, {258, 25875}, {260, 38500}, {261, 27925}};
    for (size_t i = 0; i < sizeof bands / sizeof *bands; i++)
        if (bands[i].number == number)
            return bands[i].mhz;
    return 0;
}

/* The frequency in MHz of "B20", "n78", "800", "LTE1800", "L800", "700MHz", "3.5GHz"; 0: it is none. A bare number
 * below 300 is a band only where it is said to be one. */
static double parse_band_mhz(const char *string, int bare_is_band)
{
    size_t letters = 0;
    while (isalpha((unsigned char)string[letters]))
        letters++;
    const char *digits = string + letters + strspn(string + letters, " _-");
    char *end;
    double value = strtod(digits, &end);
    end += strspn(end, " ");
    if (end == digits || !(value > 0))
        return 0;
    if (strcasecmp(end, "ghz") == 0)
        return 1000 * value;
    if (*end && strcasecmp(end, "mhz") != 0)
        return 0;
    if (*end || value >= 300)
        return value >= 300 && value <= 1e5 ? value : 0;
    int is_named = (letters == 1 && strchr("bBnN", *string)) || (letters == 4 && strncasecmp(string, "band", 4) == 0);
    return is_named || (!letters && bare_is_band) ? find_band_mhz((int)value) : 0;
}

/* A table while it is built from another. */
typedef struct band_table {
    rw_csv *from;
    const char **header;
    size_t column_count;
    char **fields;
    size_t *lines;
    size_t row_count, row_capacity, line_capacity;
} band_table;

static rw_status add_band_row(band_table *into, size_t row, const char *const *values)
{
    rw_csv *csv = into->from;
    size_t first = into->row_count * into->column_count;
    RW_TRY(rw_array_reserve(csv->context, &into->fields, &into->row_capacity, first + into->column_count,
                            sizeof *into->fields, "bands"));
    RW_TRY(rw_array_reserve(csv->context, &into->lines, &into->line_capacity, into->row_count + 1, sizeof *into->lines,
                            "bands"));
    for (size_t i = 0; i < into->column_count; i++)
        RW_TRY(rw_csv_store(csv, values[i], &into->fields[first + i]));
    into->lines[into->row_count++] = csv->lines[row];
    return RW_OK;
}

/* The new table in place of the old. */
static rw_status replace_table(band_table *with)
{
    rw_csv *csv = with->from;
    char **header;
    RW_TRY(rw_array_create(csv->context, with->column_count, sizeof *header, "bands", &header));
    for (size_t i = 0; i < with->column_count; i++) {
        rw_status status = rw_csv_store(csv, with->header[i], &header[i]);
        if (status != RW_OK) {
            free(header);
            return status;
        }
    }
    free(csv->header);
    free(csv->fields);
    free(csv->lines);
    csv->header = header;
    csv->fields = with->fields;
    csv->lines = with->lines;
    csv->column_count = with->column_count;
    csv->row_count = with->row_count;
    with->fields = NULL;
    with->lines = NULL;
    return RW_OK;
}

static size_t find_header(const band_table *table, const char *name)
{
    size_t i = 0;
    while (i < table->column_count && strcasecmp(table->header[i], name) != 0)
        i++;
    return i;
}

/* The column of the new table that says the same as a name, such as power_dbm for power. */
static size_t find_equivalent(const band_table *table, const char *name)
{
    size_t i = 0;
    int group = rw_site_column_group(name);
    while (i < table->column_count && rw_site_column_group(table->header[i]) != group)
        i++;
    return i;
}

/* The columns of the new table, and the columns that name rows: those of the old but what is left out. */
static rw_status begin_band_table(rw_csv *csv, const uint8_t *is_left_out, band_table *table)
{
    *table = (band_table){.from = csv};
    RW_TRY(rw_array_create(csv->context, csv->column_count + 4 * BANDS_MAX, sizeof *table->header, "bands",
                           &table->header));
    for (size_t i = 0; i < csv->column_count; i++)
        if (!is_left_out || !is_left_out[i])
            table->header[table->column_count++] = csv->header[i];
    return RW_OK;
}

static size_t require_header(band_table *table, const char *name)
{
    size_t at = find_header(table, name);
    if (at == table->column_count)
        table->header[table->column_count++] = name;
    return at;
}

static void end_band_table(band_table *table)
{
    free(table->header);
    free(table->fields);
    free(table->lines);
}

/* Values of a row of the new table, from the old one's row. */
static void copy_row_values(const band_table *table, size_t row, const char **values)
{
    for (size_t i = 0; i < table->column_count; i++)
        values[i] = rw_csv_string(table->from, row, rw_csv_find(table->from, table->header[i]));
}

/* Names of one band of a row: the row's own with the band, and its site. */
static void name_band_row(const band_table *table, size_t row, const char *band, const char **values,
                          char name[CELL_MAX], char site[CELL_MAX])
{
    const rw_csv *csv = table->from;
    const char *own = rw_csv_string(csv, row, rw_csv_find(csv, "name|site|id"));
    if (*own)
        snprintf(site, CELL_MAX, "%.200s", own);
    else
        snprintf(site, CELL_MAX, "site %zu", row + 1);
    size_t used = (size_t)snprintf(name, CELL_MAX, "%.200s ", site);
    for (; *band && used < 300; band++)
        if (*band != ' ')
            name[used++] = *band;
    name[used] = 0;
    values[find_header(table, "name")] = name;
    size_t at = find_header(table, RW_PLAN_SITE_COLUMN);
    if (!*values[at])
        values[at] = site;
}

/* ------------------------------------------------------------------------------------------- lists in the cells */

/* Number of items of a list, and one of them without blanks around it. */
static size_t count_band_items(const char *cell, char separator)
{
    size_t count = 1;
    for (const char *at = cell + (*cell == separator); *at; at++)
        count += *at == separator && at != cell;
    return count;
}

static void copy_band_item(const char *cell, char separator, size_t index, char item[CELL_MAX])
{
    const char *at = cell, *end;
    for (; index > 0; index--)
        at = strchr(at + (*at == separator && at == cell), separator) + 1;
    end = strchr(at + (*at == separator && at == cell), separator);
    end = end ? end : at + strlen(at);
    while (at < end && isspace((unsigned char)*at))
        at++;
    while (end > at && isspace((unsigned char)end[-1]))
        end--;
    snprintf(item, CELL_MAX, "%.*s", (int)(end - at), at);
}

/* The unit of "800/1800 MHz" belongs to each item. */
static void append_unit(const char *cell, char item[CELL_MAX])
{
    size_t length = strlen(cell), used = strlen(item);
    while (length > 0 && isalpha((unsigned char)cell[length - 1]))
        length--;
    if (used && isdigit((unsigned char)item[used - 1]))
        snprintf(item + used, CELL_MAX - used, "%s", cell + length);
}

/* The list of bands of a row: the column, what separates it, and how many there are. */
typedef struct band_list {
    size_t column, count;
    char separator;
    int is_band; /* of names of bands, not of frequencies */
} band_list;

static band_list find_band_list(const rw_csv *csv, size_t row)
{
    band_list list = {RW_CSV_NO_COLUMN, 1, '/', 0};
    for (size_t i = 0; i < csv->column_count; i++) {
        int is_band = rw_site_names_include(BAND_NAMES, csv->header[i]);
        const char *cell = rw_csv_string(csv, row, i);
        if (!*cell || (!is_band && !rw_site_names_include(FREQ_NAMES, csv->header[i])) ||
            (is_band && list.column != RW_CSV_NO_COLUMN))
            continue;
        list = (band_list){i, 1, '/', is_band};
        for (const char *separator = SEPARATORS; *separator && list.count == 1; separator++) {
            list.separator = *separator;
            list.count = count_band_items(cell, *separator);
        }
    }
    return list;
}

/* Columns whose values may have the separator in them keep it, unless there are as many as bands. */
static int may_hold_separator(const char *header)
{
    return rw_site_names_include("name|site|id|antenna|channel|earfcn|nrarfcn|arfcn", header) ||
           rw_site_column_group(header) < 0;
}

static rw_status set_band_values(const band_table *table, size_t row, const band_list *list, size_t index,
                                 const char **values, char (*items)[CELL_MAX])
{
    for (size_t i = 0; i < table->column_count; i++) {
        size_t count = count_band_items(values[i], list->separator);
        if (list->count == 1 || count == 1)
            continue;
        if (count == list->count) {
            const char *cell = values[i];
            copy_band_item(cell, list->separator, index, items[i]);
            append_unit(cell, items[i]);
            values[i] = items[i];
        } else if (!may_hold_separator(table->header[i])) {
            return rw_fail(table->from->context, RW_BAD_INPUT,
                           "%s, line %zu: column %.40s has %zu values for %zu bands", table->from->path,
                           table->from->lines[row], table->header[i], count, list->count);
        }
    }
    return RW_OK;
}

static rw_status add_list_rows(band_table *table, size_t row, const char **values, char (*items)[CELL_MAX])
{
    const rw_csv *csv = table->from;
    band_list list = find_band_list(csv, row);
    char band[CELL_MAX], name[CELL_MAX], site[CELL_MAX], freq[40];
    for (size_t i = 0; i < list.count; i++) {
        copy_row_values(table, row, values);
        RW_TRY(set_band_values(table, row, &list, i, values, items));
        if (list.is_band) {
            copy_band_item(rw_csv_string(csv, row, list.column), list.separator, i, band);
            double mhz = parse_band_mhz(band, 1);
            if (!(mhz > 0))
                return rw_fail(
                    csv->context, RW_BAD_INPUT,
                    "%s, line %zu: band '%.40s' is neither a 3GPP band such as B20 or n78 nor a frequency in MHz",
                    csv->path, csv->lines[row], band);
            snprintf(freq, sizeof freq, "%.10gMHz", mhz);
            values[find_header(table, "freq")] = freq;
        } else if (list.count > 1) {
            copy_band_item(rw_csv_string(csv, row, list.column), list.separator, i, band);
            append_unit(rw_csv_string(csv, row, list.column), band);
        }
        if (list.count > 1)
            name_band_row(table, row, band, values, name, site);
        RW_TRY(add_band_row(table, row, values));
    }
    return RW_OK;
}

static rw_status expand_lists(rw_csv *csv)
{
    band_table table;
    size_t rows = 0, band_column = rw_csv_find(csv, BAND_NAMES);
    const char **values = NULL;
    char(*items)[CELL_MAX] = NULL;
    uint8_t *is_left_out = NULL;
    for (size_t row = 0; row < csv->row_count; row++)
        rows += find_band_list(csv, row).count;
    if (rows == csv->row_count && band_column == RW_CSV_NO_COLUMN)
        return RW_OK;
    RW_TRY(rw_array_create(csv->context, csv->column_count, 1, "bands", &is_left_out));
    if (band_column != RW_CSV_NO_COLUMN)
        is_left_out[band_column] = 1;
    rw_status status = begin_band_table(csv, is_left_out, &table);
    if (status == RW_OK && band_column != RW_CSV_NO_COLUMN)
        require_header(&table, "freq");
    if (status == RW_OK && rows > csv->row_count) {
        require_header(&table, "name");
        require_header(&table, RW_PLAN_SITE_COLUMN);
    }
    if (status == RW_OK)
        status = rw_array_create(csv->context, table.column_count, sizeof *values, "bands", &values);
    if (status == RW_OK)
        status = rw_array_create(csv->context, table.column_count, sizeof *items, "bands", &items);
    for (size_t row = 0; row < csv->row_count && status == RW_OK; row++)
        status = add_list_rows(&table, row, values, items);
    if (status == RW_OK)
        status = replace_table(&table);
    end_band_table(&table);
    free(values);
    free(items);
    free(is_left_out);
    return status;
}

/* ------------------------------------------------------------------------------------------- columns of bands */

/* A column of one band: its name is that of a column, and the band before or after it. */
typedef struct banded_column {
    size_t column, band;
    char base[CELL_MAX];
} banded_column;

typedef struct band_columns {
    banded_column *list;
    size_t count, band_count;
    char bands[BANDS_MAX][CELL_MAX];
    double mhz[BANDS_MAX];
    int has_freq[BANDS_MAX]; /* a column of its own says it */
} band_columns;

/* "power_L800" or "L800 power": the column and the band; 0: the name has no band. */
static int split_band_name(const char *header, char base[CELL_MAX], char band[CELL_MAX])
{
    for (const char *at = header; *at; at++) {
        if (!strchr("_ -.@", *at) || at == header || !at[1])
            continue;
        snprintf(base, CELL_MAX, "%.*s", (int)(at - header), header);
        snprintf(band, CELL_MAX, "%.100s", at + 1);
        if (rw_site_column_group(base) >= 0)
            return 1;
        snprintf(band, CELL_MAX, "%.*s", (int)(at - header < 100 ? at - header : 100), header);
        snprintf(base, CELL_MAX, "%.200s", at + 1);
        if (rw_site_column_group(base) >= 0)
            return 1;
    }
    return 0;
}

int rw_site_column_has_band(const char *name)
{
    char base[CELL_MAX], band[CELL_MAX];
    return rw_site_column_group(name) < 0 && split_band_name(name, base, band) && strpbrk(band, "0123456789") != NULL;
}

static rw_status list_bands(const rw_csv *csv, band_columns *of)
{
    RW_TRY(rw_array_create(csv->context, csv->column_count, sizeof *of->list, "bands", &of->list));
    for (size_t i = 0; i < csv->column_count; i++) {
        banded_column *each = &of->list[of->count];
        char band[CELL_MAX];
        size_t at = 0;
        if (!rw_site_column_has_band(csv->header[i]))
            continue;
        split_band_name(csv->header[i], each->base, band);
        while (at < of->band_count && strcasecmp(of->bands[at], band) != 0)
            at++;
        if (at == BANDS_MAX)
            return rw_fail(csv->context, RW_BAD_INPUT, "%s has columns of more than %d bands", csv->path, BANDS_MAX);
        if (at == of->band_count) {
            snprintf(of->bands[at], CELL_MAX, "%s", band);
            of->mhz[at] = parse_band_mhz(band, 0);
            of->band_count++;
        }
        of->has_freq[at] |= rw_site_names_include(FREQ_NAMES, each->base);
        each->column = i;
        each->band = at;
        of->count++;
    }
    return RW_OK;
}

/* What is no band after all, such as "power_max", is left to the warning about columns. */
static void drop_other_columns(band_columns *of)
{
    size_t remaining = 0;
    for (size_t i = 0; i < of->count; i++)
        if (of->has_freq[of->list[i].band] || of->mhz[of->list[i].band] > 0)
            of->list[remaining++] = of->list[i];
    of->count = remaining;
}

static int is_absent(const char *cell)
{
    return !*cell || strcmp(cell, "-") == 0 || strcasecmp(cell, "no") == 0 || strcasecmp(cell, "n/a") == 0;
}

/* Sets what the columns of a band say; 0: the band is not at the site. */
static int set_banded_values(const band_table *table, const band_columns *of, size_t row, size_t band,
                             const char **values, char freq[CELL_MAX])
{
    int is_there = 0;
    for (size_t i = 0; i < of->count; i++) {
        const banded_column *each = &of->list[i];
        const char *cell = rw_csv_string(table->from, row, each->column);
        if (each->band != band || is_absent(cell))
            continue;
        int is_freq = rw_site_names_include(FREQ_NAMES, each->base);
        is_there |= !of->has_freq[band] || is_freq;
        for (size_t k = 0; is_freq && k < table->column_count; k++)
            if (rw_site_names_include(FREQ_NAMES, table->header[k]))
                values[k] = "";
        values[find_equivalent(table, each->base)] = cell;
    }
    if (!of->has_freq[band]) {
        for (size_t k = 0; k < table->column_count; k++)
            if (rw_site_names_include(FREQ_NAMES, table->header[k]))
                values[k] = "";
        snprintf(freq, CELL_MAX, "%.10gMHz", of->mhz[band]);
        values[find_header(table, "freq")] = freq;
    }
    return is_there;
}

static rw_status add_banded_rows(band_table *table, const band_columns *of, size_t row, const char **values)
{
    char name[CELL_MAX], site[CELL_MAX], freq[CELL_MAX];
    size_t added = 0;
    for (size_t band = 0; band < of->band_count; band++) {
        if (!of->has_freq[band] && !(of->mhz[band] > 0))
            continue;
        copy_row_values(table, row, values);
        if (!set_banded_values(table, of, row, band, values, freq))
            continue;
        name_band_row(table, row, of->bands[band], values, name, site);
        RW_TRY(add_band_row(table, row, values));
        added++;
    }
    if (added)
        return RW_OK;
    copy_row_values(table, row, values); /* a row of one band in the common columns */
    return add_band_row(table, row, values);
}

static rw_status expand_columns(rw_csv *csv)
{
    band_columns *of;
    band_table table = {0};
    const char **values = NULL;
    uint8_t *is_left_out = NULL;
    RW_TRY(rw_array_create(csv->context, 1, sizeof *of, "bands", &of));
    rw_status status = list_bands(csv, of);
    if (status == RW_OK)
        drop_other_columns(of);
    if (status == RW_OK && of->count) {
        status = rw_array_create(csv->context, csv->column_count, 1, "bands", &is_left_out);
        for (size_t i = 0; status == RW_OK && i < of->count; i++)
            is_left_out[of->list[i].column] = 1;
        if (status == RW_OK)
            status = begin_band_table(csv, is_left_out, &table);
        for (size_t i = 0; status == RW_OK && i < of->count; i++)
            if (find_equivalent(&table, of->list[i].base) == table.column_count &&
                table.column_count < csv->column_count + 4 * BANDS_MAX - 4)
                table.header[table.column_count++] = of->list[i].base;
        if (status == RW_OK) {
            require_header(&table, "name");
            require_header(&table, RW_PLAN_SITE_COLUMN);
            require_header(&table, "freq");
            status = rw_array_create(csv->context, table.column_count, sizeof *values, "bands", &values);
        }
        for (size_t row = 0; row < csv->row_count && status == RW_OK; row++)
            status = add_banded_rows(&table, of, row, values);
        if (status == RW_OK)
            status = replace_table(&table);
    }
    end_band_table(&table);
    free(values);
    free(is_left_out);
    free(of->list);
    free(of);
    return status;
}

rw_status rw_site_bands_expand(rw_csv *csv)
{
    RW_TRY(expand_columns(csv));
    return expand_lists(csv);
}
