/* The raster of a region that a network has written: a list of its blocks (VRT) that are read as one map.
 *
 * GDAL's driver opens whatever such a list names. Only lists of this form are opened: sources relative to the list, in
 * the folder blocks, of letters, digits, '-', '_' and '.', that are GeoTIFFs; nothing that computes, warps or names
 * other files. */
#include "ext/gdal_internal.h"

#include "base/file.h"
#include "base/path.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SOURCE_START "<SourceFilename"
#define SOURCE_FORM "<SourceFilename relativeToVRT=\"1\">blocks/"

int rw_gdal_is_region(const char *path)
{
    return rw_path_has_extension(path, ".vrt");
}

/* Whether a block is a GeoTIFF by its content, whatever it is called. */
static int is_block_file(const char *region, const char *name, size_t length)
{
    static const char *const drivers[] = {"GTiff", NULL};
    char path[RW_PATH_MAX];
    const char *slash = strrchr(region, '/');
    int folder = slash ? (int)(slash - region) + 1 : 0;
    if (snprintf(path, sizeof path, "%.*sblocks/%.*s", folder, region, (int)length, name) >= (int)sizeof path)
        return 0;
    return rw_path_is_regular_file(path) && GDALIdentifyDriverEx(path, GDAL_OF_RASTER, drivers, NULL) != NULL;
}

/* A tag or attribute that plain lists do not have. */
static int has_other_tags(const char *text)
{
    static const char *const others[] = {"subClass",        "PixelFunction",   "<Overview>", "MaskBand",
                                         "GDALWarpOptions", "SourceBand>mask", "<!",         "KernelFilteredSource",
                                         "OpenOptions",     "ArraySource",     NULL};
    for (const char *const *other = others; *other; other++)
        if (strstr(text, *other))
            return 1;
    return 0;
}

static rw_status check_region(rw_context *context, const char *path, const char *text)
{
    int is_plain = strncmp(text, "<VRTDataset ", 12) == 0 && !has_other_tags(text);
    for (const char *at = strstr(text, SOURCE_START); at && is_plain; at = strstr(at + 1, SOURCE_START)) {
        const char *name = at + strlen(SOURCE_FORM);
        size_t length = 0;
        is_plain = strncmp(at, SOURCE_FORM, strlen(SOURCE_FORM)) == 0;
        while (is_plain && (isalnum((unsigned char)name[length]) || strchr("-_.", name[length])) && name[length])
            length++;
        is_plain = is_plain && length > 0 && name[0] != '.' && strncmp(name + length, "</SourceFilename>", 17) == 0;
        if (is_plain && !is_block_file(path, name, length))
            return rw_fail(context, RW_BAD_INPUT, "%s: its block blocks/%.*s is missing or not a GeoTIFF", path,
                           (int)length, name);
    }
    if (is_plain)
        return RW_OK;
    return rw_fail(context, RW_BAD_INPUT,
                   "%s is not the list of blocks that network writes: convert it to a GeoTIFF, such as with "
                   "gdal_translate",
                   path);
}

rw_status rw_gdal_open_region(rw_context *context, const char *path, GDALDatasetH *dataset)
{
    static const char *const drivers[] = {"VRT", NULL};
    char *text;
    size_t size;
    *dataset = NULL;
    RW_TRY(rw_file_read(context, path, &text, &size));
    rw_status status = check_region(context, path, text);
    if (status == RW_OK)
        *dataset = GDALOpenEx(path, GDAL_OF_RASTER | GDAL_OF_READONLY, drivers, NULL, NULL);
    free(text);
    if (status == RW_OK && !*dataset)
        status = rw_fail(context, RW_BAD_INPUT, "%s cannot be read as a raster", path);
    return status;
}
