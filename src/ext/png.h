/* PNG files: libpng where it is in (png.c), stored blocks written by hand where not (png_none.c). */
#ifndef RW_EXT_PNG_H
#define RW_EXT_PNG_H

#include "base/context.h"

/* 8-bit RGB, rows from the top. Written beside and renamed. */
rw_status rw_png_write(rw_context *context, const char *path, int width, int height, const uint8_t *rgb);

#endif
