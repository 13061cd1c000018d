/* Values on tiles from a PLY file as tile_mesh.c writes it: its comments say what the layers and transmitters are. */
#include "base/bytes.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/range.h"
#include "output/tiles/tiles.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORD_MAX 63
#define VERTEX_BYTES 27 /* three doubles and a colour */
#define FACE_BYTES 22   /* a list of four, kind and building */
#define TILES_MAX (UINT32_MAX / 4)

/* The file while it is read. */
typedef struct tile_reading {
    rw_context *context;
    const char *path;
    const unsigned char *body;
    size_t body_bytes;
    size_t band_count; /* of all layers */
    double area_m2;
    size_t source_count;
    rw_tile_map *map;
} tile_reading;

static rw_status reject_tile_file(const tile_reading *reading, const char *why)
{
    return rw_fail(reading->context, RW_BAD_INPUT,
                   "%s: %s; values on tiles are read from the .ply files that predict --tiles writes", reading->path,
                   why);
}

/* "layer NAME BANDS [UNIT]" */
static rw_status read_tile_layer(tile_reading *reading, const char *line)
{
    char name[WORD_MAX + 1], unit[WORD_MAX + 1] = "";
    unsigned long bands;
    float *values;
    if (sscanf(line, "%63s %lu %63s", name, &bands, unit) < 2 || bands < 1 || bands > 100000 ||
        reading->map->values->info.layers >= RW_MAP_LAYERS_MAX)
        return reject_tile_file(reading, "a layer in its header makes no sense");
    reading->band_count += bands;
    if (reading->band_count > reading->body_bytes / (4 * reading->map->count))
        return reject_tile_file(reading, "it ends before its last tile");
    return rw_map_add_layer(reading->map->values, name, unit, bands, &values);
}

/* "transmitter X Y Z HZ NAME": counted first, and then taken. */
static rw_status read_tile_source(tile_reading *reading, const char *line, rw_transmitter *to)
{
    int used = 0;
    if (sscanf(line, "%lf %lf %lf %lf %n", &to->x_m, &to->y_m, &to->height_m, &to->freq_hz, &used) < 4 ||
        !rw_is_coordinate(to->x_m) || !rw_is_coordinate(to->y_m) || !rw_is_altitude(to->height_m) ||
        !rw_is_within(to->freq_hz, 0, 1e15))
        return reject_tile_file(reading, "a transmitter in its header makes no sense");
    to->name = line + used;
    return RW_OK;
}

/* A line of the header without what it starts with; NULL: it starts otherwise. */
static const char *skip_start(const char *line, const char *start)
{
    size_t length = strlen(start);
    return strncmp(line, start, length) == 0 ? line + length : NULL;
}

static rw_status make_map(tile_reading *reading, size_t count)
{
    rw_tile_map *map = reading->map;
    rw_context *context = reading->context;
    rw_map_info info = {
        .size = sizeof info, .columns = count, .rows = 1, .res_m = sqrt(reading->area_m2), .model = "tiles"};
    map->count = count;
    map->name_count = 1;
    RW_TRY(rw_tile_map_allocate(map));
    RW_TRY(rw_string_replace(context, "", &map->names[0]));
    return rw_map_create(context, &info, "", &map->values);
}

/* Header lines in two passes: how many tiles there are, of what size; then layers and transmitters. */
static rw_status count_tiles(tile_reading *reading, char **lines, size_t line_count)
{
    size_t tiles = 0, vertices = 0;
    for (size_t i = 0; i < line_count; i++) {
        const char *rest;
        if ((rest = skip_start(lines[i], "element face ")) != NULL)
            tiles = strtoul(rest, NULL, 10);
        else if ((rest = skip_start(lines[i], "element vertex ")) != NULL)
            vertices = strtoul(rest, NULL, 10);
        else if ((rest = skip_start(lines[i], "comment area ")) != NULL)
            reading->area_m2 = strtod(rest, NULL);
        else if (skip_start(lines[i], "comment transmitter ") != NULL)
            reading->source_count++;
    }
    if (tiles == 0 || tiles > TILES_MAX || vertices != 4 * tiles || !rw_is_within(reading->area_m2, 1e-3, 1e7) ||
        tiles > reading->body_bytes / (4 * VERTEX_BYTES))
        return reject_tile_file(reading, "its header has no tiles");
    return make_map(reading, tiles);
}

static rw_status read_tile_sources(tile_reading *reading, char **lines, size_t line_count)
{
    rw_transmitter *sites;
    size_t count = 0;
    if (reading->source_count == 0)
        return RW_OK;
    RW_TRY(rw_array_create(reading->context, reading->source_count, sizeof *sites, "transmitters", &sites));
    rw_status status = rw_tile_map_add_sources(reading->map, reading->source_count);
    for (size_t i = 0; i < line_count && status == RW_OK; i++) {
        const char *rest = skip_start(lines[i], "comment transmitter ");
        if (!rest)
            continue;
        rw_transmitter_init(&sites[count]);
        status = read_tile_source(reading, rest, &sites[count]);
        reading->map->sources[count] = rw_vec3_of(sites[count].x_m, sites[count].y_m, sites[count].height_m);
        reading->map->freqs_hz[count] = sites[count].freq_hz;
        count++;
    }
    if (status == RW_OK)
        status = rw_map_set_transmitters(reading->map->values, sites, count);
    free(sites);
    return status;
}

static rw_status read_tile_header(tile_reading *reading, char **lines, size_t line_count)
{
    RW_TRY(count_tiles(reading, lines, line_count));
    for (size_t i = 0; i < line_count; i++) {
        const char *rest = skip_start(lines[i], "comment layer ");
        if (rest)
            RW_TRY(read_tile_layer(reading, rest));
    }
    if (reading->band_count == 0)
        return reject_tile_file(reading, "its header has no layers");
    return read_tile_sources(reading, lines, line_count);
}

/* Corners relative to the first one, so that floats of pictures keep their digits. */
static rw_status read_tile_vertices(tile_reading *reading)
{
    rw_tile_map *map = reading->map;
    for (size_t i = 0; i < map->count; i++)
        for (size_t corner = 0; corner < 4; corner++) {
            const unsigned char *at = reading->body + (4 * i + corner) * VERTEX_BYTES;
            double numbers[3];
            rw_bytes_get_doubles(at, 3, numbers);
            rw_vec3 position = rw_vec3_of(numbers[0], numbers[1], numbers[2]);
            if (!rw_is_coordinate(position.x) || !rw_is_coordinate(position.y) || !rw_is_altitude(position.z))
                return reject_tile_file(reading, "a corner of its tiles is no place");
            if (i == 0 && corner == 0)
                map->origin = rw_vec2_of(position.x, position.y);
            map->corners[i][corner] = rw_vec3_of(position.x - map->origin.x, position.y - map->origin.y, position.z);
        }
    for (size_t i = 0; i < map->source_count; i++) {
        map->sources[i].x -= map->origin.x;
        map->sources[i].y -= map->origin.y;
    }
    return RW_OK;
}

static rw_status read_tile_faces(tile_reading *reading)
{
    rw_tile_map *map = reading->map;
    rw_map *values = map->values;
    const unsigned char *at = reading->body + 4 * VERTEX_BYTES * map->count;
    for (size_t i = 0; i < map->count; i++, at += FACE_BYTES + 4 * reading->band_count) {
        const rw_vec3 *corners = map->corners[i];
        rw_vec3 across = rw_vec3_cross(rw_vec3_sub(corners[2], corners[0]), rw_vec3_sub(corners[3], corners[1]));
        double twice_m2 = rw_vec3_length(across); /* the area, by the diagonals */
        map->normals[i] = twice_m2 > 0 ? rw_vec3_scale(across, 1 / twice_m2) : rw_vec3_of(0, 0, 1);
        map->areas_m2[i] = (float)(0.5 * twice_m2);
        map->kinds[i] = at[17];
        map->buildings[i] = (uint32_t)rw_bytes_get(at + 18, 4);
        if (at[0] != 4 || map->kinds[i] >= RW_TILE_KINDS)
            return reject_tile_file(reading, "a face of it is no tile");
        const unsigned char *value = at + FACE_BYTES;
        for (size_t k = 0; k < values->info.layers; k++)
            for (size_t band = 0; band < values->layers[k].bands; band++, value += 4)
                values->layers[k].values[band * map->count + i] = rw_bits_float((uint32_t)rw_bytes_get(value, 4));
    }
    return RW_OK;
}

static rw_status read_tile_body(tile_reading *reading)
{
    size_t tiles = reading->map->count;
    if (reading->body_bytes / tiles < 4 * VERTEX_BYTES + FACE_BYTES + 4 * reading->band_count)
        return reject_tile_file(reading, "it ends before its last tile");
    RW_TRY(read_tile_vertices(reading));
    return read_tile_faces(reading);
}

/* Cuts the header into lines, up to the one that ends it; returns where the body begins, 0 where there is none. */
static size_t cut_lines(char *bytes, size_t size, char **lines, size_t capacity, size_t *count)
{
    char *at = bytes, *end = bytes + size;
    *count = 0;
    while (at < end && *count < capacity) {
        char *line_end = memchr(at, '\n', (size_t)(end - at));
        if (!line_end)
            return 0;
        *line_end = 0;
        lines[(*count)++] = at;
        if (strcmp(at, "end_header") == 0)
            return (size_t)(line_end + 1 - bytes);
        at = line_end + 1;
    }
    return 0;
}

static rw_status read_tile_bytes(tile_reading *reading, char *bytes, size_t size)
{
    const size_t capacity = size / 4 < 1u << 20 ? size / 4 + 1 : 1u << 20; /* lines of the header */
    char **lines;
    size_t count;
    RW_TRY(rw_array_create(reading->context, capacity, sizeof *lines, "a header", &lines));
    size_t header = cut_lines(bytes, size, lines, capacity, &count);
    int ours = header && strcmp(lines[0], "ply") == 0 && count > 2 &&
               strcmp(lines[1], "format binary_little_endian 1.0") == 0 &&
               strcmp(lines[2], "comment rasterwave tiles") == 0;
    reading->body = (const unsigned char *)bytes + header;
    reading->body_bytes = size - header;
    rw_status status =
        ours ? read_tile_header(reading, lines, count) : reject_tile_file(reading, "it has no values on tiles");
    free(lines);
    return status == RW_OK ? read_tile_body(reading) : status;
}

rw_status rw_tile_map_read(rw_context *context, const char *path, rw_tile_map **map)
{
    tile_reading reading = {.context = context, .path = path};
    char *bytes;
    size_t size;
    *map = NULL;
    RW_TRY(rw_file_read(context, path, &bytes, &size));
    rw_status status = rw_array_create(context, 1, sizeof *reading.map, "a map of tiles", &reading.map);
    if (status == RW_OK) {
        reading.map->context = context;
        status = read_tile_bytes(&reading, bytes, size);
    }
    free(bytes);
    if (status == RW_OK)
        *map = reading.map;
    else
        rw_tile_map_destroy(reading.map);
    return status;
}
