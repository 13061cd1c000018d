/* The member "measured" of a parameter file: what measurements add to a prediction (mechanisms/measured/correction.h).
 * A residual is a row: number of the site from 0, x, y, value and the variance that its neighbours do not share. */
#include "models/engine/parameters.h"

#include "base/memory.h"
#include "base/text/json_write.h"

#include <math.h>
#include <stdlib.h>

typedef struct correction_reader {
    rw_context *context;
    const char *path;
    const rw_json *json;
    rw_correction *correction;
} correction_reader;

#define RESIDUAL_NUMBERS 5

static size_t count_items(const rw_json *json, const rw_json_value *list)
{
    size_t count = 0;
    for (const rw_json_value *item = list ? rw_json_first(json, list) : NULL; item; item = rw_json_next(json, item))
        count++;
    return count;
}

/* The first line stands for a value that is missing. */
static unsigned find_line(const rw_json_value *value)
{
    return value ? value->line : 1u;
}

static rw_status fail_correction(const correction_reader *reader, const rw_json_value *at, const char *problem)
{
    return rw_fail(reader->context, RW_BAD_INPUT, "%s, line %u: %s", reader->path, find_line(at), problem);
}

/* A number within +-limit. */
static rw_status read_bounded(const correction_reader *reader, const rw_json_value *of, const char *key, double limit,
                              double *number)
{
    const rw_json_value *value = rw_json_member(reader->json, of, key);
    *number = rw_json_number(value, value ? NAN : 0);
    if (fabs(*number) <= limit)
        return RW_OK;
    return rw_fail(reader->context, RW_BAD_INPUT, "%s, line %u: %s is to be a number from %g to %g", reader->path,
                   find_line(of), key, -limit, limit);
}

static rw_status read_site(const correction_reader *reader, const rw_json_value *entry, rw_correction_site *site)
{
    site->name = rw_string_copy(rw_json_string(rw_json_member(reader->json, entry, "name"), ""));
    if (!site->name)
        return rw_fail(reader->context, RW_OUT_OF_MEMORY, "no memory left for parameters");
    RW_TRY(read_bounded(reader, entry, "x", 1e9, &site->x_m));
    RW_TRY(read_bounded(reader, entry, "y", 1e9, &site->y_m));
    RW_TRY(read_bounded(reader, entry, "height", 1e5, &site->height_m));
    RW_TRY(read_bounded(reader, entry, "azimuth", 360, &site->azimuth_deg));
    return read_bounded(reader, entry, "offset_db", 300, &site->offset_db);
}

static rw_status read_residual(const correction_reader *reader, const rw_json_value *row, rw_residual *residual)
{
    double numbers[RESIDUAL_NUMBERS];
    int count = 0;
    for (const rw_json_value *item = rw_json_first(reader->json, row); item; item = rw_json_next(reader->json, item))
        if (count++ < RESIDUAL_NUMBERS)
            numbers[count - 1] = rw_json_number(item, NAN);
    if (count != RESIDUAL_NUMBERS || !(numbers[0] >= 0 && numbers[0] < (double)reader->correction->site_count) ||
        !(fabs(numbers[1]) < 1e9) || !(fabs(numbers[2]) < 1e9) || !(fabs(numbers[3]) < 300) ||
        !(numbers[4] >= 0 && numbers[4] < 1e6))
        return fail_correction(reader, row, "a residual is a row [site, x, y, dB, dB2] of a site that the file names");
    *residual = (rw_residual){.site = (uint32_t)numbers[0],
                              .x_m = numbers[1],
                              .y_m = numbers[2],
                              .value_db = numbers[3],
                              .noise_db2 = numbers[4]};
    return RW_OK;
}

static rw_status read_residuals(const correction_reader *reader, const rw_json_value *list)
{
    rw_residual_field *field = &reader->correction->residuals;
    const rw_json_value *rows = list ? rw_json_member(reader->json, list, "samples") : NULL;
    size_t count = count_items(reader->json, rows), i = 0;
    rw_residual *items;
    if (!count)
        return RW_OK;
    RW_TRY(read_bounded(reader, list, "sill_db2", 1e4, &field->sill_db2));
    RW_TRY(read_bounded(reader, list, "nugget_db2", 1e4, &field->nugget_db2));
    RW_TRY(read_bounded(reader, list, "length_m", 1e4, &field->length_m));
    if (!(field->sill_db2 >= 0 && field->nugget_db2 >= 0 && field->length_m >= 0.1))
        return fail_correction(reader, list, "sill_db2 and nugget_db2 are not negative, and length_m is at least 0.1");
    RW_TRY(rw_array_create(reader->context, count, sizeof *items, "residuals", &items));
    rw_status status = RW_OK;
    for (const rw_json_value *row = rw_json_first(reader->json, rows); row && status == RW_OK;
         row = rw_json_next(reader->json, row))
        status = read_residual(reader, row, &items[i++]);
    if (status == RW_OK)
        return rw_residual_field_create(reader->context, items, count, field);
    free(items);
    return status;
}

static rw_status read_measured(const correction_reader *reader, const rw_json_value *object)
{
    rw_correction *correction = reader->correction;
    const rw_json_value *sites = rw_json_member(reader->json, object, "sites");
    size_t i = 0;
    RW_TRY(read_bounded(reader, object, "distance_exponent", 5, &correction->exponent));
    RW_TRY(read_bounded(reader, object, "contrast_db", 60, &correction->contrast_db));
    RW_TRY(read_bounded(reader, object, "default_offset_db", 300, &correction->default_offset_db));
    correction->sigma_db = rw_json_number(rw_json_member(reader->json, object, "sigma_db"), NAN);
    for (const rw_json_value *site = sites ? rw_json_first(reader->json, sites) : NULL; site;
         site = rw_json_next(reader->json, site))
        RW_TRY(read_site(reader, site, &correction->sites[i++]));
    rw_correction_number_sectors(correction);
    return read_residuals(reader, rw_json_member(reader->json, object, "residuals"));
}

rw_status rw_correction_read(rw_context *context, const char *path, const rw_json *json, const rw_json_value *object,
                             rw_correction **correction)
{
    *correction = NULL;
    if (!object)
        return RW_OK;
    if (object->kind != RW_JSON_OBJECT)
        return rw_fail(context, RW_BAD_INPUT, "%s, line %u: \"measured\" is to be an object", path, object->line);
    RW_TRY(rw_correction_create(context, count_items(json, rw_json_member(json, object, "sites")), correction));
    correction_reader reader = {context, path, json, *correction};
    return read_measured(&reader, object);
}

static void write_number_field(FILE *stream, const char *key, double value, const char *end)
{
    fprintf(stream, "\"%s\": ", key);
    rw_json_write_number(stream, value);
    fputs(end, stream);
}

static void write_sites(FILE *stream, const rw_correction *correction)
{
    fputs("    \"sites\": [", stream);
    for (size_t i = 0; i < correction->site_count; i++) {
        const rw_correction_site *site = &correction->sites[i];
        fprintf(stream, "%s\n      {\"name\": ", i ? "," : "");
        rw_json_write_string(stream, site->name);
        fputs(", ", stream);
        write_number_field(stream, "x", site->x_m, ", ");
        write_number_field(stream, "y", site->y_m, ", ");
        write_number_field(stream, "height", site->height_m, ", ");
        write_number_field(stream, "azimuth", site->azimuth_deg, ", ");
        write_number_field(stream, "offset_db", site->offset_db, "}");
    }
    fputs("]", stream);
}

static void write_residuals(FILE *stream, const rw_residual_field *field)
{
    fputs(",\n    \"residuals\": {", stream);
    write_number_field(stream, "sill_db2", field->sill_db2, ", ");
    write_number_field(stream, "nugget_db2", field->nugget_db2, ", ");
    write_number_field(stream, "length_m", field->length_m, ", \"samples\": [");
    for (size_t i = 0; i < field->count; i++) {
        const rw_residual *item = &field->items[i];
        fprintf(stream, "%s\n      [%u, %.2f, %.2f, %.3f, %.4g]", i ? "," : "", (unsigned)item->site, item->x_m,
                item->y_m, item->value_db, item->noise_db2);
    }
    fputs("]}", stream);
}

void rw_correction_write(FILE *stream, const rw_correction *correction)
{
    fputs(",\n  \"measured\": {\n    ", stream);
    write_number_field(stream, "distance_exponent", correction->exponent, ", ");
    write_number_field(stream, "contrast_db", correction->contrast_db, ", ");
    write_number_field(stream, "default_offset_db", correction->default_offset_db, ", ");
    write_number_field(stream, "sigma_db", correction->sigma_db, ",\n");
    write_sites(stream, correction);
    if (correction->residuals.count)
        write_residuals(stream, &correction->residuals);
    fputs("\n  }", stream);
}
