/* Sites tables: one transmitter a line, from a CSV with a header, to rw_transmitter. Lines are read by site_columns.c,
 * places in other coordinate systems are brought into the caller's. */
#include "scene/antennas/antenna.h"

#include "base/memory.h"
#include "base/options.h"
#include "base/range.h"
#include "scene/antennas/site.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Bad lines that are named when they are left out; the rest are counted. */
#define NAMED_MAX 8

/* Whether a line that failed may be left out; then it is named. */
static int skip_site_line(const rw_csv *csv, const rw_sites_options *options, rw_status status, size_t *skipped)
{
    if (!skipped || status == RW_OUT_OF_MEMORY)
        return 0;
    ++*skipped;
    if (options->on_skipped)
        options->on_skipped(options->user, rw_last_error(csv->context));
    else if (*skipped <= NAMED_MAX)
        rw_warn(csv->context, "left out: %s", rw_last_error(csv->context));
    return 1;
}

/* From degrees, or the system that the caller says the table is in, to the caller's own. */
static rw_status transform_site(const rw_csv *csv, size_t row, const rw_sites_options *options, rw_site_line *line)
{
    const char *from = line->is_degrees ? "EPSG:4326" : options->crs;
    double at[2] = {line->site.x_m, line->site.y_m};
    char message[RW_MESSAGE_MAX / 2];
    if (!from || !*from)
        return RW_OK;
    rw_status status = rw_transform_points(csv->context, from, options->to_crs, at, 1);
    if (status == RW_OK && rw_is_coordinate(at[0]) && rw_is_coordinate(at[1])) {
        line->site.x_m = at[0];
        line->site.y_m = at[1];
        return RW_OK;
    }
    if (status == RW_OK)
        return rw_fail(csv->context, RW_BAD_INPUT,
                       "%s, line %zu: %.10g, %.10g is not within the coordinate system %.80s", csv->path,
                       csv->lines[row], line->site.x_m, line->site.y_m, options->to_crs);
    strncpy(message, rw_last_error(csv->context), sizeof message - 1);
    message[sizeof message - 1] = 0;
    return rw_fail(csv->context, status, "%s, line %zu: %s", csv->path, csv->lines[row], message);
}

/* The lines of the table, or the good ones where skipped counts the others. */
static rw_status read_site_lines(const rw_csv *csv, const rw_sites_options *options, rw_site_line *lines, size_t *count,
                                 size_t *skipped)
{
    RW_TRY(rw_site_columns_check(csv));
    for (size_t row = 0; row < csv->row_count; row++) {
        rw_site_line *line = &lines[*count];
        rw_status status = rw_site_line_read(csv, row, line);
        line->row = row;
        if (status == RW_OK)
            status = rw_site_positions_check(csv, row, options->crs && *options->crs ? options->crs : options->to_crs);
        if (status == RW_OK)
            status = transform_site(csv, row, options, line);
        *count += status == RW_OK;
        if (status != RW_OK && !skip_site_line(csv, options, status, skipped))
            return status;
        if (status != RW_OK)
            rw_site_line_free(line);
    }
    if (skipped && *skipped > NAMED_MAX && !options->on_skipped)
        rw_warn(csv->context, "left out: %zu more lines of %s", *skipped - NAMED_MAX, csv->path);
    return *count ? RW_OK
                  : rw_fail(csv->context, RW_BAD_INPUT, "%s: none of its %zu sites can be used", csv->path,
                            csv->row_count);
}

static const char *append_string(char **buffer, const char *string)
{
    char *written = *buffer;
    strcpy(written, string);
    *buffer += strlen(string) + 1;
    return written;
}

/* One piece of memory, which one call frees: the array in steps of the caller's size, then the texts. */
static rw_status pack_sites(rw_context *context, const rw_site_line *lines, size_t count, size_t size,
                            rw_transmitter **sites)
{
    size_t bytes = count * size;
    char *block;
    for (size_t i = 0; i < count; i++)
        bytes += strlen(lines[i].name) + strlen(lines[i].antenna) + strlen(lines[i].channel) + 3;
    RW_TRY(rw_array_create(context, bytes, 1, "sites", &block));
    char *buffer = block + count * size;
    for (size_t i = 0; i < count; i++) {
        rw_transmitter site = lines[i].site;
        site.name = append_string(&buffer, lines[i].name);
        site.antenna = append_string(&buffer, lines[i].antenna);
        site.channel = append_string(&buffer, lines[i].channel);
        rw_defaults_copy(&site, sizeof site, block + i * size, size);
    }
    *sites = (rw_transmitter *)(void *)block;
    return RW_OK;
}

rw_status rw_sites_from_csv(const rw_csv *csv, const rw_sites_options *options, size_t size, rw_transmitter **sites,
                            size_t *count, size_t *skipped, size_t *rows)
{
    rw_site_line *lines;
    if (csv->row_count == 0)
        return rw_fail(csv->context, RW_BAD_INPUT, "%s has a header line but no sites", csv->path);
    RW_TRY(rw_array_create(csv->context, csv->row_count, sizeof *lines, "sites", &lines));
    rw_status status = read_site_lines(csv, options, lines, count, skipped);
    if (status == RW_OK)
        status = pack_sites(csv->context, lines, *count, size, sites);
    for (size_t i = 0; rows && status == RW_OK && i < *count; i++)
        rows[i] = lines[i].row;
    for (size_t i = 0; i < csv->row_count; i++)
        rw_site_line_free(&lines[i]);
    free(lines);
    if (status != RW_OK)
        *count = 0;
    return status;
}

static rw_status load_sites_file(rw_context *context, const char *path, const rw_sites_options *options, size_t size,
                                 rw_transmitter **sites, size_t *count, size_t *skipped)
{
    rw_csv csv;
    *sites = NULL;
    *count = 0;
    RW_TRY(rw_options_check_size(context, size));
    RW_TRY(rw_csv_read(context, path, &csv));
    rw_status status = options->columns ? rw_site_columns_rename(&csv, options->columns) : RW_OK;
    if (status == RW_OK)
        status = rw_site_bands_expand(&csv);
    if (status == RW_OK)
        status = rw_sites_from_csv(&csv, options, size, sites, count, skipped, NULL);
    rw_csv_free(&csv);
    return status;
}

static const rw_sites_options plain = {.size = sizeof plain};

void rw_sites_options_init_sized(rw_sites_options *options, size_t size)
{
    rw_defaults_copy(&plain, sizeof plain, options, size);
}

rw_status rw_sites_load_sized(rw_context *context, const char *path, size_t size, rw_transmitter **sites, size_t *count)
{
    return load_sites_file(context, path, &plain, size, sites, count, NULL);
}

rw_status rw_sites_load_good_sized(rw_context *context, const char *path, size_t size, rw_transmitter **sites,
                                   size_t *count, size_t *skipped)
{
    *skipped = 0;
    return load_sites_file(context, path, &plain, size, sites, count, skipped);
}

rw_status rw_sites_load_for_sized(rw_context *context, const char *path, const rw_sites_options *user_options,
                                  size_t size, rw_transmitter **sites, size_t *count, size_t *skipped)
{
    rw_sites_options options = plain;
    *sites = NULL;
    *count = *skipped = 0;
    if (user_options)
        RW_TRY(RW_RESOLVE(context, user_options, &options));
    return load_sites_file(context, path, &options, size, sites, count, options.skip_bad ? skipped : NULL);
}
