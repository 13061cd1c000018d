/* From attributes to heights: names as cities and OpenStreetMap publish them, numbers also as text with a unit. */
#include "scene/readers/gis/gis.h"

#include "base/range.h"
#include "base/text/units.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#define STOREY_HEIGHT_M 3.0
#define FOOT_M 0.3048

static const char *const height_names[] = {"roof_height_m",   "roof_height",     "height",      "height_m",
                                           "building_height", "building:height", "bldg_height", "measuredHeight",
                                           "measured_height", "heightroof",      "hoehe",       "gebaeudehoehe",
                                           "hauteur",         "altura",          NULL};
static const char *const level_names[] = {
    "building:levels", "building_levels", "building_l",   "building_le", "levels",       "num_floors",
    "numfloors",       "floors",          "floor_count",  "storeys",     "stories",      "storeysAboveGround",
    "storeysabo",      "geschosse",       "geschosszahl", "etagen",      "etages",       "nb_etages",
    "nbetages",        "pisos",           "plantas",      "kondygnacje", "verdiepingen", NULL};
static const char *const base_names[] = {"base_height_m", "base_height", "min_height", "min_height_m", NULL};
static const char *const base_level_names[] = {"building:min_level", "building_min_level", "min_level", NULL};

/* What a column in feet has behind the usual name of its quantity. */
static const char *const feet_ends[] = {"_ft", "_feet", "_foot", " ft", " feet", "(ft)", " (ft)", "ft", "feet", NULL};

/* New York City publishes its roofs under this name, in feet. */
static const char *const names_in_feet[] = {"heightroof", NULL};

double rw_gis_unit_m(const char *unit)
{
    static const struct {
        const char *word;
        double metres;
    } units[] = {{"m", 1}, {"metres", 1}, {"meters", 1}, {"ft", FOOT_M}, {"feet", FOOT_M}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcasecmp(unit, units[i].word) == 0)
            return units[i].metres;
    return 0;
}

/* Whether a column is called as a quantity usually is, with feet behind it. */
static int is_in_feet(const char *column, const char *standard_name)
{
    size_t length = strlen(standard_name);
    if (length > 2 && strcmp(standard_name + length - 2, "_m") == 0)
        length -= 2;
    if (strncasecmp(column, standard_name, length) != 0)
        return 0;
    for (const char *const *end = feet_ends; *end; end++)
        if (strcasecmp(column + length, *end) == 0)
            return 1;
    return 0;
}

static int ends_in_feet(const char *column)
{
    size_t length = strlen(column);
    for (const char *const *end = feet_ends; *end; end++) {
        size_t end_length = strlen(*end);
        int apart = !(((*end)[0] | 32) == 'f'); /* "lift" is no unit */
        if (apart && length > end_length && strcasecmp(column + length - end_length, *end) == 0)
            return 1;
    }
    for (const char *const *name = names_in_feet; *name; name++)
        if (strcasecmp(column, *name) == 0)
            return 1;
    return 0;
}

static int find_in_feet(const rw_vector_file *file, const char *standard_name)
{
    for (size_t i = 0; i < rw_vector_field_count(file); i++)
        if (is_in_feet(rw_vector_field_name(file, i), standard_name))
            return (int)i;
    return -1;
}

static int find_gis_field(const rw_vector_file *file, const char *const *names)
{
    for (; *names; names++) {
        int field = rw_vector_find_field(file, *names);
        if (field < 0)
            field = find_in_feet(file, *names);
        if (field >= 0)
            return field;
    }
    return -1;
}

static double find_field_unit_m(const rw_vector_file *file, int field, const char *standard_name)
{
    if (field < 0)
        return 1;
    const char *name = rw_vector_field_name(file, (size_t)field);
    return ends_in_feet(name) || is_in_feet(name, standard_name) ? FOOT_M : 1;
}

/* The first field whose name means it, in any language. */
static int find_by_meaning(const rw_vector_file *file, int (*means)(const char *name))
{
    for (size_t i = 0; i < rw_vector_field_count(file); i++)
        if (means(rw_vector_field_name(file, i)))
            return (int)i;
    return -1;
}

void rw_gis_find_fields(const rw_vector_file *file, const char *height_field, const char *storeys_field,
                        const char *height_unit, rw_gis_fields *fields)
{
    fields->levels_by_name = 0;
    double requested_unit_m = height_unit ? rw_gis_unit_m(height_unit) : 0;
    fields->height = height_field ? rw_vector_find_field(file, height_field) : find_gis_field(file, height_names);
    fields->levels = storeys_field  ? rw_vector_find_field(file, storeys_field)
                     : height_field ? -1
                                    : find_gis_field(file, level_names);
    if (storeys_field && !height_field)
        fields->height = -1; /* storeys were asked for */
    else if (!height_field && fields->height < 0)
        fields->height = find_by_meaning(file, rw_gis_names_height);
    if (!storeys_field && !height_field && fields->levels < 0) {
        fields->levels = find_by_meaning(file, rw_gis_names_storeys);
        fields->levels_by_name = fields->levels >= 0;
    }
    fields->base = find_gis_field(file, base_names);
    fields->base_levels = find_gis_field(file, base_level_names);
    fields->height_unit_m = height_unit ? requested_unit_m : find_field_unit_m(file, fields->height, "height");
    fields->base_unit_m = height_unit ? requested_unit_m : find_field_unit_m(file, fields->base, "min_height");
    fields->ground = rw_vector_find_field(file, "ground_m");
    fields->building_id = rw_vector_find_field(file, "building_id");
    /* Only beside our own names: elsewhere "surface" is an area or a pavement. */
    int is_ours = rw_vector_find_field(file, "roof_height_m") >= 0 && rw_vector_find_field(file, "base_height_m") >= 0;
    fields->surface = is_ours ? rw_vector_find_field(file, "surface") : -1;
    fields->building_tag = rw_vector_is_osm(file) ? rw_vector_find_field(file, "building") : -1;
    fields->part_tag = rw_vector_find_field(file, "building:part");
}

/* A number that may have a comma for its point. */
static size_t parse_decimal(const char *string, double *value)
{
    char copy[64];
    size_t length = strcspn(string, "\r\n");
    if (length >= sizeof copy)
        length = sizeof copy - 1;
    memcpy(copy, string, length);
    copy[length] = 0;
    char *comma = strchr(copy, ',');
    if (comma && !strchr(copy, '.'))
        *comma = '.';
    return rw_parse_number(copy, value);
}

/* bare_m: metres of a number without a unit. */
static int parse_length(const char *string, double bare_m, double *length_m)
{
    static const struct {
        const char *name;
        double factor_m;
    } units[] = {{"m", 1},       {"meter", 1},     {"metre", 1},  {"meters", 1}, {"metres", 1},
                 {"ft", FOOT_M}, {"feet", FOOT_M}, {"'", FOOT_M}, {"cm", 0.01},  {"km", 1000}};
    string += strspn(string, " \t~");
    double value;
    size_t used = parse_decimal(string, &value);
    if (used == 0 || !isfinite(value))
        return 0;
    const char *unit = string + used + strspn(string + used, " \t");
    size_t length = strcspn(unit, " \t\r\n;");
    *length_m = value * bare_m;
    if (length == 0)
        return 1;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strlen(units[i].name) == length && strncasecmp(units[i].name, unit, length) == 0) {
            *length_m = value * units[i].factor_m;
            return 1;
        }
    return 0;
}

int rw_gis_parse_length(const char *string, double *length_m)
{
    return parse_length(string, 1, length_m);
}

/* 0: the field is missing or empty; 1: a length; -1: something else stands there. */
static int read_length(rw_vector_file *file, int field, double bare_m, double *length_m)
{
    const char *string = rw_vector_string(file, field);
    if (!string || !*string)
        return 0;
    if (!parse_length(string, bare_m, length_m))
        return -1;
    double value; /* all its digits, which the text of a real number may not have */
    if (strspn(string, "+-0123456789.eE") == strlen(string) && rw_vector_real(file, field, &value) && isfinite(value))
        *length_m = value * bare_m;
    return 1;
}

int rw_gis_is_tagged(rw_vector_file *file, int field)
{
    const char *tag = rw_vector_string(file, field);
    return tag && *tag && strcmp(tag, "no") != 0;
}

static void read_roof(rw_vector_file *file, const rw_gis_fields *fields, double default_height_m, rw_gis_values *values)
{
    double roof_m = 0, levels = 0;
    int stated = read_length(file, fields->height, fields->height_unit_m, &roof_m);
    if (stated == 0 && read_length(file, fields->levels, 1, &levels) == 1) {
        stated = 1;
        values->storeys = levels;
        roof_m = levels * STOREY_HEIGHT_M;
    }
    values->roof_height_m = roof_m;
    values->height_is_stated = stated == 1;
    if (stated == 0)
        values->problem = "buildings without a height given the default height";
    else if (stated < 0)
        values->problem = "buildings whose height is not a number given the default height";
    else if (!(roof_m > 0))
        values->problem = "buildings whose height is not above 0 given the default height";
    if (values->problem)
        values->roof_height_m = default_height_m;
}

static void read_base(rw_vector_file *file, const rw_gis_fields *fields, rw_gis_values *values)
{
    double base_m = 0, levels = 0;
    int stated = read_length(file, fields->base, fields->base_unit_m, &base_m);
    if (stated == 0 && read_length(file, fields->base_levels, 1, &levels) == 1)
        base_m = levels * STOREY_HEIGHT_M;
    values->base_height_m = base_m;
    if (stated >= 0 && base_m < values->roof_height_m)
        return;
    values->base_height_m = 0;
    values->problem = "buildings whose base is not below their roof set on the ground";
}

void rw_gis_read_values(rw_vector_file *file, const rw_gis_fields *fields, double default_height_m,
                        rw_gis_values *values)
{
    long long number;
    double ground_m;
    memset(values, 0, sizeof *values);
    read_roof(file, fields, default_height_m, values);
    read_base(file, fields, values);
    values->ground_m = NAN;
    if (rw_vector_real(file, fields->ground, &ground_m) && rw_is_altitude(ground_m))
        values->ground_m = ground_m;
    values->is_part = rw_gis_is_tagged(file, fields->part_tag);
    const char *id = rw_vector_string(file, fields->building_id);
    int is_number = id && *id && strspn(id, "0123456789") == strlen(id);
    if (is_number && rw_vector_integer(file, fields->building_id, &number) && number > 0 && number < UINT32_MAX)
        values->building_id = (uint32_t)number;
    else if (id && *id && !values->problem)
        values->problem = "buildings whose building_id is not a whole number above 0 taken as buildings of their own";
    const char *surface = rw_vector_string(file, fields->surface);
    if (surface && *surface)
        values->surface = surface;
}
