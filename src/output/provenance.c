/* rw_file_provenance: what a file says about where it came from, whatever its format. */
#include "base/file.h"
#include "base/memory.h"
#include "ext/gdal.h"
#include "ext/hdf5.h"
#include "output/maps/raster_file.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define PROVENANCE_MAX 1000000
#define HEAD_BYTES 65536 /* of a text file in which its provenance stands */

/* Chunks of a PNG file: length, type, content, checksum; texts come before the pixels. */
static rw_status read_png(rw_context *context, const char *path, const char *key, char **provenance)
{
    char *bytes;
    size_t size, at = 8, key_bytes = strlen(key) + 1;
    *provenance = NULL;
    RW_TRY(rw_file_read(context, path, &bytes, &size));
    while (!*provenance && at + 12 <= size) {
        const unsigned char *head = (const unsigned char *)bytes + at;
        size_t length = (size_t)head[0] << 24 | (size_t)head[1] << 16 | (size_t)head[2] << 8 | head[3];
        if (length > size - at - 12)
            break;
        const char *content = bytes + at + 8;
        if (memcmp(bytes + at + 4, "tEXt", 4) == 0 && length >= key_bytes && memcmp(content, key, key_bytes) == 0) {
            *provenance = calloc(length - key_bytes + 1, 1);
            if (*provenance)
                memcpy(*provenance, content + key_bytes, length - key_bytes);
        }
        at += length + 12;
    }
    free(bytes);
    return RW_OK;
}

/* A set of bytes, because texts of files that cannot be trusted are not read as attributes (hdf5.h). */
static rw_status read_hdf5(rw_context *context, const char *path, char **provenance)
{
    int rank;
    size_t shape[RW_HDF5_RANK_MAX];
    uint8_t *bytes;
    if (rw_hdf5_read(context, path, RW_PROVENANCE_KEY, RW_HDF5_UINT8, 1, &rank, shape, &bytes) != RW_OK)
        return RW_OK;
    size_t size = rank == 1 && shape[0] < PROVENANCE_MAX ? shape[0] : 0;
    *provenance = calloc(size + 1, 1);
    if (*provenance && size)
        memcpy(*provenance, bytes, size);
    free(bytes);
    return RW_OK;
}

static rw_status read_envi(rw_context *context, const char *path, char **provenance)
{
    char header_path[4096];
    rw_envi_header header;
    const char *dot = strrchr(path, '.');
    if (strlen(path) >= sizeof header_path)
        return RW_OK;
    strcpy(header_path, path);
    if (dot)
        strcpy(header_path + (dot - path), ".hdr");
    if (rw_envi_read_header(context, header_path, &header) == RW_OK && header.provenance[0])
        *provenance = rw_string_copy(header.provenance);
    free(header.file);
    for (char *at = *provenance ? strstr(*provenance, " | ") : NULL; at;
         at = strstr(at, " | ")) { /* lines, as they were */
        *at = '\n';
        memmove(at + 1, at + 3, strlen(at + 3) + 1);
    }
    return RW_OK;
}

/* What stands between two texts of a file's beginning. */
static rw_status read_between(rw_context *context, const char *path, const char *before, const char *behind,
                              char **provenance)
{
    char *start;
    size_t got;
    RW_TRY(rw_array_create(context, HEAD_BYTES + 1, 1, "a file", &start));
    rw_status status = rw_file_peek(context, path, start, HEAD_BYTES, &got);
    got = status == RW_OK ? got : 0;
    start[got] = 0;
    for (size_t i = 0; i < got; i++) /* of the header of an archive */
        start[i] = start[i] ? start[i] : ' ';
    char *from = strstr(start, before), *end = from ? strstr(from + strlen(before), behind) : NULL;
    if (end) {
        *end = 0;
        *provenance = rw_string_copy(from + strlen(before));
    }
    free(start);
    return status;
}

/* Puts one character in place of each of some texts. */
static void replace_characters(char *provenance, const char *what, char by)
{
    for (char *at = provenance ? strstr(provenance, what) : NULL; at; at = strstr(at + 1, what)) {
        *at = by;
        memmove(at + 1, at + strlen(what), strlen(at + strlen(what)) + 1);
    }
}

static rw_status read_geojson(rw_context *context, const char *path, char **provenance)
{
    RW_TRY(read_between(context, path, "\"" RW_PROVENANCE_KEY "\": \"", "\",", provenance));
    replace_characters(*provenance, "\\u000a", '\n');
    replace_characters(*provenance, "\\\"", '"');
    replace_characters(*provenance, "\\\\", '\\');
    return RW_OK;
}

static rw_status read_kml(rw_context *context, const char *path, char **provenance)
{
    RW_TRY(read_between(context, path, "<Data name=\"" RW_PROVENANCE_KEY "\"><value>", "</value>", provenance));
    replace_characters(*provenance, "&lt;", '<');
    replace_characters(*provenance, "&gt;", '>');
    replace_characters(*provenance, "&amp;", '&');
    return RW_OK;
}

/* A text beside the shapes. */
static rw_status read_shape_provenance(rw_context *context, const char *path, char **provenance)
{
    char sidecar[4096], *bytes;
    size_t size;
    if (strlen(path) >= sizeof sidecar)
        return RW_OK;
    strcpy(sidecar, path);
    strcpy(sidecar + strlen(sidecar) - 3, "txt");
    if (rw_file_read(context, sidecar, &bytes, &size) != RW_OK)
        return RW_OK;
    if (strncmp(bytes, "version: ", 9) == 0)
        *provenance = rw_string_copy(bytes);
    free(bytes);
    return RW_OK;
}

rw_status rw_file_provenance(rw_context *context, const char *path, char **provenance)
{
    char start[16] = {0};
    size_t got;
    const char *dot = strrchr(path, '.');
    *provenance = NULL;
    RW_TRY(rw_file_peek(context, path, start, sizeof start - 1, &got));
    if (memcmp(start, "\x89PNG", 4) == 0)
        RW_TRY(read_png(context, path, RW_PROVENANCE_KEY, provenance));
    else if (memcmp(start, "\x89HDF", 4) == 0)
        RW_TRY(read_hdf5(context, path, provenance));
    else if (strncmp(start, "ENVI", 4) == 0 || (dot && strcasecmp(dot, ".bin") == 0))
        RW_TRY(read_envi(context, path, provenance));
    else if (strncmp(start, "II", 2) == 0 || strncmp(start, "MM", 2) == 0 || strncmp(start, "SQLite", 6) == 0)
        RW_TRY(rw_gdal_read_item(context, path, RW_PROVENANCE_KEY, provenance));
    else if (dot && (strcasecmp(dot, ".geojson") == 0 || strcasecmp(dot, ".json") == 0))
        RW_TRY(read_geojson(context, path, provenance));
    else if (dot && (strcasecmp(dot, ".kml") == 0 || strcasecmp(dot, ".kmz") == 0))
        RW_TRY(read_kml(context, path, provenance));
    else if (dot && strcasecmp(dot, ".shp") == 0)
        RW_TRY(read_shape_provenance(context, path, provenance));
    if (!*provenance)
        *provenance = rw_string_copy("");
    return *provenance ? RW_OK : rw_fail(context, RW_OUT_OF_MEMORY, "no memory left for a text");
}
