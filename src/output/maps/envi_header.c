/* "key = value" lines and "key = {value over several lines}" to a header. Keys that we do not know are passed over. */
#include "output/maps/raster_file.h"

#include "base/file.h"
#include "base/text/units.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define SIDE_MAX 1e9

/* One line for each key that matters: where its value goes. */
enum value_kind { COUNT, REAL, STRING };
static const struct key {
    const char *name;
    enum value_kind kind;
    size_t at;
} keys[] = {
#define FIELD(member) offsetof(rw_envi_header, member)
    {"samples", COUNT, FIELD(columns)},
    {"lines", COUNT, FIELD(rows)},
    {"bands", COUNT, FIELD(bands)},
    {"header offset", COUNT, FIELD(offset)},
    {"rasterwave receiver height", REAL, FIELD(rx_height_m)},
    {"data ignore value", REAL, FIELD(nodata)},
    {"rasterwave no path value", REAL, FIELD(no_path)},
    {"rasterwave layer", STRING, FIELD(layer)},
    {"rasterwave unit", STRING, FIELD(unit)},
    {"rasterwave model", STRING, FIELD(model)},
    {"band names", STRING, FIELD(band_names)},
    {"coordinate system string", STRING, FIELD(crs)},
    {"rasterwave crs", STRING, FIELD(crs)},
    {"rasterwave plane", STRING, FIELD(plane)},
    {"rasterwave transmitters", STRING, FIELD(transmitters)},
    {"rasterwave provenance", STRING, FIELD(provenance)},
#undef FIELD
};

static char *trim_string(char *string)
{
    while (isspace((unsigned char)*string))
        string++;
    for (size_t length = strlen(string); length > 0 && isspace((unsigned char)string[length - 1]);)
        string[--length] = 0;
    return string;
}

static rw_status read_map_info(rw_context *context, const char *path, char *value, rw_envi_header *header)
{
    double numbers[6];
    char *entry = strchr(value, ',');
    for (int i = 0; i < 6; i++) {
        if (!entry || rw_parse_number(entry + 1, &numbers[i]) == 0 || !isfinite(numbers[i]))
            return rw_fail(context, RW_BAD_INPUT, "%s: 'map info' must hold a name and six numbers", path);
        entry = strchr(entry + 1, ',');
    }
    if (!(numbers[4] > 0) || !(fabs(numbers[4] - numbers[5]) <= 1e-9 * numbers[4]))
        return rw_fail(context, RW_BAD_INPUT, "%s: cells of %g x %g are not square", path, numbers[4], numbers[5]);
    header->res_m = numbers[4];
    header->x_m = numbers[2] - (numbers[0] - 1) * numbers[4];
    header->top_m = numbers[3] + (numbers[1] - 1) * numbers[4];
    return RW_OK;
}

/* What we write is the only form that is read back: floats, band after band. */
static rw_status check_form(rw_context *context, const char *path, const char *name, const char *value,
                            rw_envi_header *header)
{
    if (strcmp(name, "data type") == 0 && strcmp(value, "4") != 0)
        return rw_fail(context, RW_BAD_INPUT, "%s: data type %.20s; only 4 (float) is read", path, value);
    if (strcmp(name, "interleave") == 0 && strcmp(value, "bsq") != 0 && strcmp(value, "BSQ") != 0)
        return rw_fail(context, RW_BAD_INPUT, "%s: interleave %.20s; only bsq is read", path, value);
    if (strcmp(name, "byte order") == 0)
        header->big_endian = strcmp(value, "1") == 0;
    return RW_OK;
}

static rw_status read_header_field(rw_context *context, const char *path, const char *name, char *value,
                                   rw_envi_header *header)
{
    if (strcmp(name, "map info") == 0)
        return read_map_info(context, path, value, header);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (strcmp(keys[i].name, name) != 0)
            continue;
        char *target = (char *)header + keys[i].at;
        if (keys[i].kind == STRING) {
            const char *string = value;
            memcpy(target, &string, sizeof string);
            return RW_OK;
        }
        double number;
        if (target == (char *)&header->nodata && strcasecmp(value, "nan") == 0)
            return RW_OK; /* NaN is nodata anyway */
        if (rw_parse_number(value, &number) == 0 || !isfinite(number))
            return rw_fail(context, RW_BAD_INPUT, "%s: '%s = %.40s' is not a number", path, name, value);
        if (keys[i].kind == REAL) {
            memcpy(target, &number, sizeof number);
            header->has_nodata |= target == (char *)&header->nodata;
            header->has_no_path |= target == (char *)&header->no_path;
            return RW_OK;
        }
        if (number < 0 || number > SIDE_MAX || number != floor(number))
            return rw_fail(context, RW_BAD_INPUT, "%s: '%s = %.40s' is not a count", path, name, value);
        size_t count = (size_t)number;
        memcpy(target, &count, sizeof count);
        return RW_OK;
    }
    return check_form(context, path, name, value, header);
}

static rw_status parse_envi_header(rw_context *context, const char *path, char *content, rw_envi_header *header)
{
    if (strncmp(content, "ENVI", 4) != 0)
        return rw_fail(context, RW_BAD_INPUT, "%s is no ENVI header: it does not start with ENVI", path);
    for (char *line = content + 4; line && *line;) {
        char *name = line, *equals = strchr(line, '='), *end = strchr(line, '\n');
        if (!equals || (end && end < equals)) {
            line = end ? end + 1 : NULL;
            continue;
        }
        char *value = equals + 1 + strspn(equals + 1, " \t");
        int in_braces = *value == '{';
        char *value_end = in_braces ? strchr(value, '}') : strchr(value, '\n');
        if (in_braces && !value_end)
            return rw_fail(context, RW_BAD_INPUT, "%s: a brace is never closed", path);
        line = value_end ? value_end + 1 : NULL;
        if (value_end)
            *value_end = 0;
        *equals = 0;
        RW_TRY(read_header_field(context, path, trim_string(name), trim_string(value + in_braces), header));
    }
    return RW_OK;
}

rw_status rw_envi_read_header(rw_context *context, const char *path, rw_envi_header *header)
{
    size_t size;
    *header = (rw_envi_header){.bands = 1,
                               .layer = "layer",
                               .unit = "",
                               .model = "",
                               .band_names = "",
                               .crs = "",
                               .plane = "",
                               .transmitters = "",
                               .provenance = ""};
    RW_TRY(rw_file_read(context, path, &header->file, &size));
    RW_TRY(parse_envi_header(context, path, header->file, header));
    if (header->columns < 1 || header->rows < 1 || header->bands < 1)
        return rw_fail(context, RW_BAD_INPUT, "%s: samples, lines and bands must be at least 1", path);
    if (!(header->res_m > 0))
        return rw_fail(context, RW_BAD_INPUT, "%s: 'map info' is missing, so the cells have no place", path);
    return RW_OK;
}
