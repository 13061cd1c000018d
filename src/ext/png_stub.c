/* Pixels to a PNG file without libpng or zlib: the deflate stream consists of stored blocks (RFC 1950, RFC 1951), so
 * the file is as large as its pixels and every viewer reads it. */
#include "ext/png.h"

#include "base/file.h"

#include <stdlib.h>
#include <string.h>

#define BLOCK_MAX 65535u
#define ADLER_BASE 65521u

struct stream {
    FILE *file;
    uint32_t crc;        /* of the chunk being written */
    uint32_t low, high;  /* of Adler-32 */
    size_t bytes_left;   /* of the picture */
    unsigned block_left; /* of the stored block */
};

static void write_png_bytes(struct stream *stream, const void *bytes, size_t size)
{
    const uint8_t *byte = bytes;
    for (size_t i = 0; i < size; i++) {
        stream->crc ^= byte[i];
        for (int bit = 0; bit < 8; bit++)
            stream->crc = (stream->crc >> 1) ^ (stream->crc & 1 ? 0xedb88320u : 0);
    }
    fwrite(bytes, 1, size, stream->file);
}

static void write_png_u32(struct stream *stream, uint32_t value)
{
    uint8_t bytes[4] = {(uint8_t)(value >> 24), (uint8_t)(value >> 16), (uint8_t)(value >> 8), (uint8_t)value};
    write_png_bytes(stream, bytes, 4);
}

static void begin_chunk(struct stream *stream, uint32_t size, const char *type)
{
    write_png_u32(stream, size);
    stream->crc = 0xffffffffu;
    write_png_bytes(stream, type, 4);
}

static void end_chunk(struct stream *stream)
{
    write_png_u32(stream, ~stream->crc);
}

static void begin_deflate_block(struct stream *stream)
{
    unsigned size = stream->bytes_left < BLOCK_MAX ? (unsigned)stream->bytes_left : BLOCK_MAX;
    uint8_t head[5] = {stream->bytes_left <= BLOCK_MAX, (uint8_t)size, (uint8_t)(size >> 8), (uint8_t)~size,
                       (uint8_t)(~size >> 8)};
    write_png_bytes(stream, head, sizeof head);
    stream->block_left = size;
}

static void write_png_pixels(struct stream *stream, const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        stream->low = (stream->low + bytes[i]) % ADLER_BASE;
        stream->high = (stream->high + stream->low) % ADLER_BASE;
    }
    while (size > 0) {
        if (stream->block_left == 0)
            begin_deflate_block(stream);
        size_t piece = size < stream->block_left ? size : stream->block_left;
        write_png_bytes(stream, bytes, piece);
        bytes += piece;
        size -= piece;
        stream->block_left -= (unsigned)piece;
        stream->bytes_left -= piece;
    }
}

static rw_status encode_png_stream(rw_context *context, FILE *file, const char *what, int width, int height,
                                   int channels, const uint8_t *pixels)
{
    size_t row_bytes = (size_t)channels * (size_t)width, total = (size_t)height * (row_bytes + 1);
    size_t blocks = (total + BLOCK_MAX - 1) / BLOCK_MAX, packed = 2 + 5 * blocks + total + 4;
    if (packed > 0x7fffffffu)
        return rw_fail(context, RW_TOO_LARGE, "%s: %d x %d pixels are too many for a picture without libpng", what,
                       width, height);
    struct stream stream = {.file = file, .low = 1, .bytes_left = total};
    write_png_bytes(&stream, "\x89PNG\r\n\x1a\n", 8);
    begin_chunk(&stream, 13, "IHDR");
    write_png_u32(&stream, (uint32_t)width);
    write_png_u32(&stream, (uint32_t)height);
    /* 8 bits, RGB or RGBA, deflate, standard filters, not interlaced */
    write_png_bytes(&stream, channels == 4 ? "\x08\x06\x00\x00\x00" : "\x08\x02\x00\x00\x00", 5);
    end_chunk(&stream);
    if (context->provenance) {
        uint32_t key = sizeof RW_PROVENANCE_KEY; /* with its zero */
        begin_chunk(&stream, key + (uint32_t)strlen(context->provenance), "tEXt");
        write_png_bytes(&stream, RW_PROVENANCE_KEY, key);
        write_png_bytes(&stream, context->provenance, strlen(context->provenance));
        end_chunk(&stream);
    }
    begin_chunk(&stream, (uint32_t)packed, "IDAT");
    write_png_bytes(&stream, "\x78\x01", 2);
    for (int row = 0; row < height; row++) {
        write_png_pixels(&stream, (const uint8_t *)"", 1); /* filter 0 */
        write_png_pixels(&stream, pixels + row_bytes * (size_t)row, row_bytes);
    }
    write_png_u32(&stream, stream.high << 16 | stream.low);
    end_chunk(&stream);
    begin_chunk(&stream, 0, "IEND");
    end_chunk(&stream);
    return RW_OK;
}

rw_status rw_png_write(rw_context *context, const char *path, int width, int height, const uint8_t *rgb)
{
    rw_file_writer writer;
    RW_TRY(rw_file_begin(context, path, &writer));
    rw_status status = encode_png_stream(context, writer.stream, path, width, height, 3, rgb);
    if (status == RW_OK)
        return rw_file_commit(context, &writer);
    rw_file_abandon(&writer);
    return status;
}

rw_status rw_png_encode(rw_context *context, int width, int height, int channels, const uint8_t *pixels, char **bytes,
                        size_t *size)
{
    *bytes = NULL;
    FILE *stream = open_memstream(bytes, size);
    if (!stream)
        return rw_fail(context, RW_OUT_OF_MEMORY, "no memory left for a picture");
    rw_status status = encode_png_stream(context, stream, "a picture", width, height, channels, pixels);
    int failed = ferror(stream);
    failed |= fclose(stream) != 0;
    if (status == RW_OK && failed)
        status = rw_fail(context, RW_OUT_OF_MEMORY, "no memory left for a picture");
    if (status != RW_OK) {
        free(*bytes);
        *bytes = NULL;
    }
    return status;
}
