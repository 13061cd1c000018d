/* Map layers as ENVI rasters, for builds without GDAL: BASE.bin holds the floats, band after band from the north,
 * BASE.hdr says in text where they lie. Every GIS reads it. Keys that start with "rasterwave" are ours and ignored by
 * others. */
#include "output/maps/raster_file.h"

#include "base/file.h"
#include "base/inputs.h"
#include "base/memory.h"
#include "output/maps/map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* X.hdr for X.bin or X.hdr. */
static rw_status header_path(rw_context *context, const char *path, char *header, size_t size)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    size_t stem = dot && (!slash || dot > slash) ? (size_t)(dot - path) : strlen(path);
    if (strlen(path) + sizeof ".hdr" > size)
        return rw_fail(context, RW_BAD_CALL, "the path %.60s... is too long", path);
    snprintf(header, size, "%.*s.hdr", (int)stem, path);
    return RW_OK;
}

static int host_is_big_endian(void)
{
    const uint16_t probe = 1;
    return *(const unsigned char *)&probe == 0;
}

static rw_status write_values(const rw_map *map, const rw_layer_data *layer, FILE *stream)
{
    size_t columns = map->info.columns, rows = map->info.rows;
    float *line;
    RW_TRY(rw_array_create(map->context, columns, sizeof *line, "a raster line", &line));
    for (size_t band = 0; band < layer->bands; band++)
        for (size_t row = rows; row-- > 0;) {
            const float *values = layer->values + (band * rows + row) * columns;
            for (size_t i = 0; i < columns; i++)
                line[i] = rw_to_file_value(values[i]);
            fwrite(line, sizeof *line, columns, stream);
        }
    free(line);
    return RW_OK;
}

/* Braces and line ends would break the header's syntax. */
static void write_header_string(FILE *stream, const char *string)
{
    for (; *string; string++)
        fputc(strchr("{}\n\r", *string) ? ' ' : *string, stream);
}

static void write_list_entry(FILE *stream, const char *string)
{
    for (; *string; string++)
        fputc(strchr("{}\n\r,", *string) ? ' ' : *string, stream);
}

static rw_status write_header(const rw_map *map, const rw_layer_data *layer, FILE *stream)
{
    const rw_map_info *info = &map->info;
    fprintf(stream, "ENVI\ndescription = {rasterwave %s%s%s}\n", layer->name, layer->unit[0] ? " in " : "",
            layer->unit);
    fprintf(stream, "samples = %zu\nlines = %zu\nbands = %zu\nheader offset = 0\nfile type = ENVI Standard\n",
            info->columns, info->rows, layer->bands);
    fprintf(stream, "data type = 4\ninterleave = bsq\nbyte order = %d\ndata ignore value = nan\n",
            host_is_big_endian());
    fprintf(stream, "map info = {Arbitrary, 1, 1, %.17g, %.17g, %.17g, %.17g, units=Meters}\n", info->x0_m,
            info->y0_m + (double)info->rows * info->res_m, info->res_m, info->res_m);
    fputs("band names = {", stream);
    for (size_t band = 0; band < layer->bands; band++) {
        fputs(band ? ", " : "", stream);
        char name[RW_BAND_NAME_MAX];
        rw_layer_band_name(map, layer, band, name);
        write_list_entry(stream, name[0] ? name : layer->name);
    }
    fputs("}\n", stream);
    if (map->crs[0] && !info->has_plane) { /* a plane has a frame of its own */
        /* GIS programs expect WKT here; a code such as EPSG:25832 is kept for ourselves. */
        fputs(strchr(map->crs, '[') ? "coordinate system string = {" : "rasterwave crs = {", stream);
        write_header_string(stream, map->crs);
        fputs("}\n", stream);
    }
    fprintf(stream, "rasterwave layer = %s\nrasterwave unit = %s\nrasterwave model = %s\n", layer->name, layer->unit,
            info->model);
    fprintf(stream, "rasterwave receiver height = %.17g\n", info->rx_height_m);
    if (map->context->provenance) {
        fputs("rasterwave provenance = {", stream);
        for (const char *at = map->context->provenance; *at; at++) {
            if (*at == '\n')
                fputs(at[1] ? " | " : "", stream);
            else
                fputc(strchr("{}\r", *at) ? ' ' : *at, stream);
        }
        fputs("}\n", stream);
    }
    if (info->has_plane) {
        char plane[RW_PLANE_STRING_MAX];
        rw_plane_to_string(info->plane_m, plane);
        fprintf(stream, "rasterwave plane = {%s}\n", plane);
    }
    char *positions;
    RW_TRY(rw_map_transmitters_to_string(map, &positions));
    if (*positions && layer->bands == map->band_count)
        fprintf(stream, "rasterwave transmitters = {%s}\n", positions);
    free(positions);
    return RW_OK;
}

rw_status rw_envi_write_layer(const rw_map *map, const rw_layer_data *layer, const char *path)
{
    rw_context *context = map->context;
    char header[4096];
    rw_file_writer values_file, header_file;
    RW_TRY(header_path(context, path, header, sizeof header));
    RW_TRY(rw_file_begin(context, path, &values_file));
    rw_status status = rw_file_begin(context, header, &header_file);
    if (status != RW_OK) {
        rw_file_abandon(&values_file);
        return status;
    }
    status = write_values(map, layer, values_file.stream);
    if (status == RW_OK)
        status = write_header(map, layer, header_file.stream);
    if (status == RW_OK)
        status = rw_file_flush(context, &header_file);
    if (status == RW_OK)
        status = rw_file_flush(context, &values_file);
    if (status == RW_OK) {
        unlink(header); /* an old one must never describe the new values */
        status = rw_file_commit(context, &values_file);
    } else {
        rw_file_abandon(&values_file);
    }
    if (status != RW_OK) {
        rw_file_abandon(&header_file);
        return status;
    }
    status = rw_file_commit(context, &header_file);
    if (status != RW_OK)
        unlink(path); /* values without a header are of no use */
    return status;
}

static rw_status check_data_size(rw_context *context, const char *path, const rw_envi_header *header)
{
    struct stat about;
    double expected =
        (double)header->offset + 4.0 * (double)header->columns * (double)header->rows * (double)header->bands;
    if (stat(path, &about) != 0)
        return rw_fail(context, RW_NOT_FOUND, "%s is not there, though its header is", path);
    if ((double)about.st_size < expected)
        return rw_fail(context, RW_BAD_INPUT, "%s has %.0f bytes, its header promises %.0f", path,
                       (double)about.st_size, expected);
    return RW_OK;
}

static void decode_envi_values(float *values, size_t count, const rw_envi_header *header)
{
    for (size_t i = 0; i < count; i++) {
        if (header->big_endian != host_is_big_endian()) {
            unsigned char *byte = (unsigned char *)&values[i], swapped[4] = {byte[3], byte[2], byte[1], byte[0]};
            memcpy(byte, swapped, 4);
        }
        if (header->has_nodata && values[i] == (float)header->nodata)
            values[i] = NAN;
        else if (header->has_no_path && values[i] == (float)header->no_path)
            values[i] = INFINITY;
        else
            values[i] = rw_from_file_value(values[i]);
    }
}

static rw_status read_envi_values(rw_map *map, const char *path, const rw_envi_header *header, float *values)
{
    RW_TRY(rw_input_record(map->context, path));
    FILE *file = fopen(path, "rb");
    if (!file)
        return rw_fail(map->context, RW_NOT_FOUND, "%s cannot be read", path);
    size_t columns = header->columns, rows = header->rows, got = columns;
    int failed = fseek(file, (long)header->offset, SEEK_SET) != 0;
    for (size_t band = 0; band < header->bands && !failed; band++)
        for (size_t row = rows; row-- > 0 && got == columns;) {
            float *line = values + (band * rows + row) * columns;
            got = fread(line, sizeof *line, columns, file);
            decode_envi_values(line, columns, header);
        }
    fclose(file);
    return failed || got < columns ? rw_fail(map->context, RW_IO, "%s: reading failed", path) : RW_OK;
}

/* Names that are parted by commas. */
static rw_status name_bands(rw_map *map, const rw_envi_header *header)
{
    RW_TRY(rw_map_set_bands(map, header->bands));
    const char *entry = header->band_names;
    for (size_t band = 0; band < header->bands && *entry; band++) {
        entry += strspn(entry, " ");
        size_t length = strcspn(entry, ",");
        char *name;
        RW_TRY(rw_array_create(map->context, length + 1, 1, "band names", &name));
        memcpy(name, entry, length);
        free(map->band_names[band]);
        map->band_names[band] = name;
        entry += length + (entry[length] == ',');
    }
    return RW_OK;
}

static rw_status fill_map(rw_map *map, const char *path, const rw_envi_header *header)
{
    float *values;
    RW_TRY(rw_map_add_layer(map, header->layer, header->unit, header->bands, &values));
    RW_TRY(read_envi_values(map, path, header, values));
    RW_TRY(name_bands(map, header));
    return rw_map_transmitters_from_string(map, header->transmitters);
}

static rw_status read_with_header(rw_context *context, const char *path, const rw_envi_header *header, rw_map **map)
{
    RW_TRY(check_data_size(context, path, header));
    rw_map_info info = {.size = sizeof info, .columns = header->columns, .rows = header->rows};
    info.x0_m = header->x_m;
    info.y0_m = header->top_m - (double)header->rows * header->res_m;
    info.res_m = header->res_m;
    info.rx_height_m = header->rx_height_m;
    info.has_plane = rw_plane_from_string(header->plane, info.plane_m);
    info.model = header->model;
    RW_TRY(rw_map_check_position(context, &info, path));
    rw_map *new_map;
    RW_TRY(rw_map_create(context, &info, header->crs, &new_map));
    rw_status status = fill_map(new_map, path, header);
    if (status != RW_OK) {
        rw_map_destroy(new_map);
        return status;
    }
    *map = new_map;
    return RW_OK;
}

rw_status rw_envi_read_map(rw_context *context, const char *path, rw_map **map)
{
    *map = NULL;
    char header_file[4096], values_file[4096];
    rw_envi_header header;
    RW_TRY(header_path(context, path, header_file, sizeof header_file));
    int is_header = strcmp(path, header_file) == 0;
    snprintf(values_file, sizeof values_file, "%.*s%s", (int)(strlen(path) - (is_header ? 3 : 0)), path,
             is_header ? "bin" : "");
    rw_status status = rw_envi_read_header(context, header_file, &header);
    if (status == RW_OK)
        status = read_with_header(context, values_file, &header, map);
    free(header.file);
    return status;
}
