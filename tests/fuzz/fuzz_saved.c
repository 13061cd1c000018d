/* Saved scenes, and buildings of GIS files, from any bytes: a text in place of the file that GDAL would read, so that
 * the search does not have to find its way through SQLite.
 *
 * "layer NAME" begins a layer; every other line is a feature, "field=value" with tabs between. Shapes are numbers in
 * the field "shape", with ";" between rings and "|" between polygons. A value that begins with "d:", "w:" or "f:" is a
 * list of numbers whose bytes are 8-byte, whole 4-byte or 4-byte floating ones. */
#include "target.h"

#include "ext/gdal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define LAYERS_MAX 16
#define NUMBERS_MAX 512

typedef struct layer {
    char name[64];
    const char *features; /* of the text: from here up to the next layer */
} layer;

struct rw_vector_file {
    layer layers[LAYERS_MAX];
    size_t layer_count;
    const char *at; /* of the layer that is being read */
    char *feature;  /* a copy of its line, of just its size, so that use after the next one is seen */
    size_t feature_size;
    unsigned char *blob; /* likewise */
    long long number;
    double xy[NUMBERS_MAX];
    size_t ring_sizes[NUMBERS_MAX], polygon_first[NUMBERS_MAX];
};

static struct rw_vector_file memory;
static char *text_of_input;

static const char *const fields[] = {"key",
                                     "value",
                                     "building_id",
                                     "ground_m",
                                     "base_height_m",
                                     "roof_height_m",
                                     "surface",
                                     "bottom_m",
                                     "top_m",
                                     "name",
                                     "vertices",
                                     "triangles",
                                     "a",
                                     "b",
                                     "c",
                                     "d",
                                     "freq_min_hz",
                                     "freq_max_hz",
                                     "perfect_conductor",
                                     "scattering",
                                     "layers",
                                     "columns",
                                     "rows",
                                     "x0_m",
                                     "y0_m",
                                     "dx_m",
                                     "dy_m",
                                     "first_row",
                                     "row_count",
                                     "heights",
                                     "building:levels"};
#define FIELD_COUNT (sizeof fields / sizeof *fields)

static const char *line_end(const char *at)
{
    return at + strcspn(at, "\n");
}

static int is_layer(const char *line)
{
    return strncmp(line, "layer ", 6) == 0;
}

rw_status __wrap_rw_vector_open(rw_context *context, const char *path, rw_vector_file **file);
rw_status __wrap_rw_vector_open(rw_context *context, const char *path, rw_vector_file **file)
{
    (void)context, (void)path;
    memset(&memory, 0, sizeof memory);
    for (const char *at = text_of_input; *at; at = line_end(at) + (*line_end(at) != 0)) {
        if (!is_layer(at) || memory.layer_count == LAYERS_MAX)
            continue;
        layer *one = &memory.layers[memory.layer_count++];
        snprintf(one->name, sizeof one->name, "%.*s", (int)(line_end(at) - at - 6), at + 6);
        one->features = line_end(at) + (*line_end(at) != 0);
    }
    *file = &memory;
    return RW_OK;
}

static void drop_feature(rw_vector_file *file)
{
    free(file->feature);
    free(file->blob);
    file->feature = NULL;
    file->blob = NULL;
}

void __wrap_rw_vector_close(rw_vector_file *file);
void __wrap_rw_vector_close(rw_vector_file *file)
{
    drop_feature(file);
}

int __wrap_rw_gdal_is_raster(const char *path);
int __wrap_rw_gdal_is_raster(const char *path)
{
    (void)path;
    return 0;
}

int __wrap_rw_vector_is_osm(const rw_vector_file *file);
int __wrap_rw_vector_is_osm(const rw_vector_file *file)
{
    return file->layer_count && strcmp(file->layers[0].name, "multipolygons") == 0;
}

size_t __wrap_rw_vector_layer_count(const rw_vector_file *file);
size_t __wrap_rw_vector_layer_count(const rw_vector_file *file)
{
    return file->layer_count;
}

const char *__wrap_rw_vector_layer_name(const rw_vector_file *file, size_t number);
const char *__wrap_rw_vector_layer_name(const rw_vector_file *file, size_t number)
{
    return file->layers[number].name;
}

int __wrap_rw_vector_layer_has_shapes(const rw_vector_file *file, size_t number);
int __wrap_rw_vector_layer_has_shapes(const rw_vector_file *file, size_t number)
{
    return strcmp(file->layers[number].name, "table") != 0;
}

rw_status __wrap_rw_vector_select(rw_vector_file *file, size_t number);
rw_status __wrap_rw_vector_select(rw_vector_file *file, size_t number)
{
    drop_feature(file);
    file->at = file->layers[number].features;
    file->number = 0;
    return RW_OK;
}

const char *__wrap_rw_vector_crs(const rw_vector_file *file);
const char *__wrap_rw_vector_crs(const rw_vector_file *file)
{
    (void)file;
    return "";
}

size_t __wrap_rw_vector_field_count(const rw_vector_file *file);
size_t __wrap_rw_vector_field_count(const rw_vector_file *file)
{
    (void)file;
    return FIELD_COUNT;
}

const char *__wrap_rw_vector_field_name(const rw_vector_file *file, size_t field);
const char *__wrap_rw_vector_field_name(const rw_vector_file *file, size_t field)
{
    (void)file;
    return fields[field];
}

int __wrap_rw_vector_find_field(const rw_vector_file *file, const char *name);
int __wrap_rw_vector_find_field(const rw_vector_file *file, const char *name)
{
    (void)file;
    for (size_t i = 0; i < FIELD_COUNT; i++)
        if (strcasecmp(fields[i], name) == 0)
            return (int)i;
    return -1;
}

rw_status __wrap_rw_vector_next(rw_vector_file *file, int *more);
rw_status __wrap_rw_vector_next(rw_vector_file *file, int *more)
{
    drop_feature(file);
    *more = *file->at && !is_layer(file->at);
    if (!*more)
        return RW_OK;
    const char *end = line_end(file->at);
    size_t length = (size_t)(end - file->at);
    file->feature = calloc(length + 1, 1);
    if (!file->feature)
        exit(1);
    memcpy(file->feature, file->at, length);
    for (char *tab = strchr(file->feature, '\t'); tab; tab = strchr(tab + 1, '\t'))
        *tab = 0;
    file->feature_size = length + 1;
    file->at = end + (*end != 0);
    file->number++;
    return RW_OK;
}

long long __wrap_rw_vector_feature_id(const rw_vector_file *file);
long long __wrap_rw_vector_feature_id(const rw_vector_file *file)
{
    return file->number;
}

static const char *find_value(const rw_vector_file *file, const char *name)
{
    size_t length = strlen(name);
    for (const char *part = file->feature; part && part < file->feature + file->feature_size; part += strlen(part) + 1)
        if (strncmp(part, name, length) == 0 && part[length] == '=')
            return part + length + 1;
    return NULL;
}

const char *__wrap_rw_vector_text(rw_vector_file *file, int field);
const char *__wrap_rw_vector_text(rw_vector_file *file, int field)
{
    return field < 0 ? NULL : find_value(file, fields[field]);
}

int __wrap_rw_vector_real(rw_vector_file *file, int field, double *value);
int __wrap_rw_vector_real(rw_vector_file *file, int field, double *value)
{
    const char *text = __wrap_rw_vector_text(file, field);
    if (text)
        *value = strtod(text, NULL);
    return text != NULL;
}

int __wrap_rw_vector_integer(rw_vector_file *file, int field, long long *value);
int __wrap_rw_vector_integer(rw_vector_file *file, int field, long long *value)
{
    const char *text = __wrap_rw_vector_text(file, field);
    if (text)
        *value = strtoll(text, NULL, 10);
    return text != NULL;
}

/* Bytes of the number in the form that the kind names. */
static size_t put_number(unsigned char *bytes, char kind, double number)
{
    float single = (float)number;
    uint32_t word = number >= 0 && number < 4294967296.0 ? (uint32_t)number : UINT32_MAX;
    const void *from = kind == 'd' ? (const void *)&number : kind == 'f' ? (const void *)&single : (const void *)&word;
    size_t size = kind == 'd' ? 8 : 4;
    memcpy(bytes, from, size);
    return size;
}

const void *__wrap_rw_vector_blob(rw_vector_file *file, int field, size_t *size);
const void *__wrap_rw_vector_blob(rw_vector_file *file, int field, size_t *size)
{
    const char *text = __wrap_rw_vector_text(file, field);
    unsigned char bytes[8 * NUMBERS_MAX];
    *size = 0;
    if (!text)
        return NULL;
    if ((*text != 'd' && *text != 'w' && *text != 'f') || text[1] != ':') {
        *size = strlen(text);
        return text;
    }
    char *end;
    for (const char *at = text + 2; *size + 8 <= sizeof bytes; at = end) {
        double number = strtod(at, &end);
        if (end == at)
            break;
        *size += put_number(bytes + *size, *text, number);
    }
    free(file->blob);
    file->blob = malloc(*size + 1);
    if (!file->blob)
        exit(1);
    memcpy(file->blob, bytes, *size);
    return file->blob;
}

/* What stands between two numbers ends a ring, a polygon, or nothing. */
static rw_status read_shape(rw_vector_file *file, rw_vector_shape *shape)
{
    const char *at = find_value(file, "shape");
    size_t numbers = 0, rings = 0, polygons = 0, ring_start = 0;
    *shape = (rw_vector_shape){.xy = file->xy, .ring_sizes = file->ring_sizes, .polygon_first = file->polygon_first};
    while (at && *at && numbers + 2 < NUMBERS_MAX) {
        char *end;
        double number = strtod(at, &end);
        if (end != at)
            file->xy[numbers++] = number;
        int ends_ring = *end == ';' || *end == '|', ends_polygon = *end == '|';
        at = *end ? end + 1 : end;
        if (*at && !ends_ring)
            continue;
        size_t points = (numbers - ring_start) / 2;
        numbers = ring_start + 2 * points;
        ring_start = numbers;
        if (points)
            file->ring_sizes[rings++] = points;
        if ((ends_polygon || !*at) && rings > (polygons ? file->polygon_first[polygons] : 0))
            file->polygon_first[++polygons] = rings;
    }
    file->polygon_first[0] = 0;
    shape->ring_count = polygons ? file->polygon_first[polygons] : 0;
    shape->polygon_count = polygons;
    return RW_OK;
}

rw_status __wrap_rw_vector_polygons(rw_vector_file *file, rw_vector_shape *shape);
rw_status __wrap_rw_vector_polygons(rw_vector_file *file, rw_vector_shape *shape)
{
    return read_shape(file, shape);
}

rw_status __wrap_rw_vector_line(rw_vector_file *file, rw_vector_shape *shape);
rw_status __wrap_rw_vector_line(rw_vector_file *file, rw_vector_shape *shape)
{
    return read_shape(file, shape);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    text_of_input = calloc(size + 1, 1);
    if (!text_of_input)
        exit(1);
    memcpy(text_of_input, bytes, size);
    fuzz_scene("input.gpkg", "gis", (const uint8_t *)"saved", 5);
    free(text_of_input);
    return 0;
}
