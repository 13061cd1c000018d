/* Pixels to a PNG file through libpng. */
#include "ext/png.h"

#include "base/file.h"

#include <png.h>
#include <stdlib.h>

/* libpng leaves a failed write by longjmp; everything that must survive it is made by the caller. */
static int write_image(png_structp png, png_infop info, FILE *stream, int width, int height, int channels,
                       const uint8_t *pixels, const char *provenance)
{
    if (setjmp(png_jmpbuf(png)))
        return 0;
    png_init_io(png, stream);
    png_set_IHDR(png, info, (png_uint_32)width, (png_uint_32)height, 8,
                 channels == 4 ? PNG_COLOR_TYPE_RGBA : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    /* Maps repeat whole cells and rows of cells: without filters they are a fifth smaller, and level 2 takes a third of
     * the time of level 6 for 3 % more bytes. */
    png_set_compression_level(png, 2);
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);
    if (provenance) {
        /* libpng only reads them */
        png_text entry = {.compression = PNG_TEXT_COMPRESSION_NONE,
                          .key = (char *)(uintptr_t)RW_PROVENANCE_KEY,
                          .text = (char *)(uintptr_t)provenance};
        png_set_text(png, info, &entry, 1);
    }
    png_write_info(png, info);
    for (int row = 0; row < height; row++)
        png_write_row(png, pixels + (size_t)channels * (size_t)width * (size_t)row);
    png_write_end(png, info);
    return 1;
}

static void stay_silent(png_structp png, png_const_charp message)
{
    (void)png, (void)message;
}

static void leave_png_error(png_structp png, png_const_charp message)
{
    (void)message;
    png_longjmp(png, 1);
}

/* Errors of the stream are the caller's to see. */
static rw_status write_png_stream(const rw_context *context, FILE *stream, int width, int height, int channels,
                                  const uint8_t *pixels)
{
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, leave_png_error, stay_silent);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    int written = info && write_image(png, info, stream, width, height, channels, pixels, context->provenance);
    int memory_failed = !info;
    png_destroy_write_struct(&png, &info);
    return memory_failed ? RW_OUT_OF_MEMORY : !written && !ferror(stream) ? RW_IO : RW_OK;
}

static rw_status report_png_failure(rw_context *context, rw_status status, const char *what)
{
    return status == RW_OUT_OF_MEMORY ? rw_fail(context, status, "%s: no memory left to write it", what)
                                      : rw_fail(context, status, "%s: libpng could not write it", what);
}

rw_status rw_png_write(rw_context *context, const char *path, int width, int height, const uint8_t *rgb)
{
    rw_file_writer writer;
    RW_TRY(rw_file_begin(context, path, &writer));
    rw_status status = write_png_stream(context, writer.stream, width, height, 3, rgb);
    if (status == RW_OK)
        return rw_file_commit(context, &writer);
    rw_file_abandon(&writer);
    return report_png_failure(context, status, path);
}

rw_status rw_png_encode(rw_context *context, int width, int height, int channels, const uint8_t *pixels, char **bytes,
                        size_t *size)
{
    *bytes = NULL;
    FILE *stream = open_memstream(bytes, size);
    if (!stream)
        return report_png_failure(context, RW_OUT_OF_MEMORY, "a picture");
    rw_status status = write_png_stream(context, stream, width, height, channels, pixels);
    int failed = ferror(stream);
    failed |= fclose(stream) != 0;
    if (status == RW_OK && !failed)
        return RW_OK;
    free(*bytes);
    *bytes = NULL;
    return report_png_failure(context, failed ? RW_OUT_OF_MEMORY : status, "a picture");
}
