/* PNG files: libpng where it is in (png.c), stored blocks written by hand where not (png_stub.c). */
#ifndef RW_EXT_PNG_H
#define RW_EXT_PNG_H

#include "base/context.h"

/* 8-bit RGB, rows from the top. Written beside and renamed. The context's provenance goes in as tEXt. */
rw_status rw_png_write(rw_context *context, const char *path, int width, int height, const uint8_t *rgb);

/* The bytes of such a file, of 8-bit RGB (3 channels) or RGBA (4). *bytes is to be freed; on failure it is NULL. */
rw_status rw_png_encode(rw_context *context, int width, int height, int channels, const uint8_t *pixels, char **bytes,
                        size_t *size);

#endif
