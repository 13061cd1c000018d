/* rw_file_provenance: what a file says about where it came from, whatever its format. */
#include "base/file.h"
#include "base/memory.h"
#include "ext/gdal.h"
#include "ext/hdf5.h"
#include "output/maps/envi_header.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define TEXT_MAX 1000000

/* Chunks of a PNG file: length, type, content, checksum; texts come before the pixels. */
static rw_status read_png(rw_context *context, const char *path, const char *key, char **text)
{
    char *bytes;
    size_t size, at = 8, key_bytes = strlen(key) + 1;
    *text = NULL;
    RW_TRY(rw_file_read(context, path, &bytes, &size));
    while (!*text && at + 12 <= size) {
        const unsigned char *head = (const unsigned char *)bytes + at;
        size_t length = (size_t)head[0] << 24 | (size_t)head[1] << 16 | (size_t)head[2] << 8 | head[3];
        if (length > size - at - 12)
            break;
        const char *content = bytes + at + 8;
        if (memcmp(bytes + at + 4, "tEXt", 4) == 0 && length >= key_bytes && memcmp(content, key, key_bytes) == 0) {
            *text = calloc(length - key_bytes + 1, 1);
            if (*text)
                memcpy(*text, content + key_bytes, length - key_bytes);
        }
        at += length + 12;
    }
    free(bytes);
    return RW_OK;
}

/* A set of bytes, because texts of files that cannot be trusted are not read as attributes (hdf5.h). */
static rw_status read_hdf5(rw_context *context, const char *path, char **text)
{
    int rank;
    size_t shape[RW_HDF5_RANK_MAX];
    uint8_t *bytes;
    if (rw_hdf5_read(context, path, RW_PROVENANCE_KEY, RW_HDF5_UINT8, 1, &rank, shape, &bytes) != RW_OK)
        return RW_OK;
    size_t size = rank == 1 && shape[0] < TEXT_MAX ? shape[0] : 0;
    *text = calloc(size + 1, 1);
    if (*text && size)
        memcpy(*text, bytes, size);
    free(bytes);
    return RW_OK;
}

static rw_status read_envi(rw_context *context, const char *path, char **text)
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
        *text = rw_text_copy(header.provenance);
    free(header.file);
    for (char *at = *text ? strstr(*text, " | ") : NULL; at; at = strstr(at, " | ")) { /* lines, as they were */
        *at = '\n';
        memmove(at + 1, at + 3, strlen(at + 3) + 1);
    }
    return RW_OK;
}

rw_status rw_file_provenance(rw_context *context, const char *path, char **text)
{
    char start[16] = {0};
    size_t got;
    const char *dot = strrchr(path, '.');
    *text = NULL;
    RW_TRY(rw_file_peek(context, path, start, sizeof start - 1, &got));
    if (memcmp(start, "\x89PNG", 4) == 0)
        RW_TRY(read_png(context, path, RW_PROVENANCE_KEY, text));
    else if (memcmp(start, "\x89HDF", 4) == 0)
        RW_TRY(read_hdf5(context, path, text));
    else if (strncmp(start, "ENVI", 4) == 0 || (dot && strcasecmp(dot, ".bin") == 0))
        RW_TRY(read_envi(context, path, text));
    else if (strncmp(start, "II", 2) == 0 || strncmp(start, "MM", 2) == 0 || strncmp(start, "SQLite", 6) == 0)
        RW_TRY(rw_gdal_read_item(context, path, RW_PROVENANCE_KEY, text));
    if (!*text)
        *text = rw_text_copy("");
    return *text ? RW_OK : rw_fail(context, RW_OUT_OF_MEMORY, "no memory left for a text");
}
