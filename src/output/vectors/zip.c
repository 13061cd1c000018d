/* After PKWARE's APPNOTE 6.3: local headers with the files, then the central directory. Dates are those of 1980, so
 * that the same files give the same bytes. */
#include "output/vectors/vectors.h"

#include <string.h>

static void write_zip_u16(FILE *stream, unsigned value)
{
    fputc((int)(value & 0xff), stream);
    fputc((int)(value >> 8 & 0xff), stream);
}

static void write_zip_u32(FILE *stream, uint32_t value)
{
    write_zip_u16(stream, value & 0xffff);
    write_zip_u16(stream, value >> 16);
}

static uint32_t crc32_of(const void *bytes, size_t size)
{
    uint32_t table[256], crc = 0xffffffffu;
    for (uint32_t i = 0; i < 256; i++) {
        table[i] = i;
        for (int bit = 0; bit < 8; bit++)
            table[i] = (table[i] >> 1) ^ (table[i] & 1 ? 0xedb88320u : 0);
    }
    for (size_t i = 0; i < size; i++)
        crc = (crc >> 8) ^ table[(crc ^ ((const uint8_t *)bytes)[i]) & 0xff];
    return ~crc;
}

/* What both headers of a file have: versions, method, date, sizes, length of the name. */
static void write_zip_entry(FILE *stream, const rw_zip_file *file, uint32_t crc)
{
    write_zip_u16(stream, 20);     /* version needed */
    write_zip_u16(stream, 0x0800); /* names are UTF-8 */
    write_zip_u16(stream, 0);      /* stored */
    write_zip_u16(stream, 0);
    write_zip_u16(stream, 0x0021); /* 1 January 1980 */
    write_zip_u32(stream, crc);
    write_zip_u32(stream, (uint32_t)file->size);
    write_zip_u32(stream, (uint32_t)file->size);
    write_zip_u16(stream, (unsigned)strlen(file->name));
    write_zip_u16(stream, 0); /* no extra field */
}

rw_status rw_zip_write(rw_context *context, FILE *stream, const rw_zip_file *files, size_t count)
{
    uint64_t at = 0, directory, directory_size = 0;
    for (size_t i = 0; i < count; i++)
        at += 30 + strlen(files[i].name) + files[i].size;
    if (at > 0xffff0000u)
        return rw_fail(context, RW_TOO_LARGE, "an archive of %.3g GB is too large for its format", (double)at / 1e9);
    directory = at;
    for (size_t i = 0; i < count; i++) {
        write_zip_u32(stream, 0x04034b50u);
        write_zip_entry(stream, &files[i], crc32_of(files[i].bytes, files[i].size));
        fwrite(files[i].name, 1, strlen(files[i].name), stream);
        fwrite(files[i].bytes, 1, files[i].size, stream);
    }
    at = 0;
    for (size_t i = 0; i < count; i++) {
        write_zip_u32(stream, 0x02014b50u);
        write_zip_u16(stream, 20); /* version that made it */
        write_zip_entry(stream, &files[i], crc32_of(files[i].bytes, files[i].size));
        write_zip_u16(stream, 0);
        write_zip_u16(stream, 0);
        write_zip_u16(stream, 0);
        write_zip_u32(stream, 0);
        write_zip_u32(stream, (uint32_t)at);
        fwrite(files[i].name, 1, strlen(files[i].name), stream);
        at += 30 + strlen(files[i].name) + files[i].size;
        directory_size += 46 + strlen(files[i].name);
    }
    write_zip_u32(stream, 0x06054b50u);
    write_zip_u32(stream, 0);
    write_zip_u16(stream, (unsigned)count);
    write_zip_u16(stream, (unsigned)count);
    write_zip_u32(stream, (uint32_t)directory_size);
    write_zip_u32(stream, (uint32_t)directory);
    write_zip_u16(stream, 0);
    return RW_OK;
}
