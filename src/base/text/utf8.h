/* Characters as UTF-8: written from their numbers, and measured. */
#ifndef RW_BASE_TEXT_UTF8_H
#define RW_BASE_TEXT_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* Writes one to four bytes; the place after them. */
static inline char *rw_utf8_write(char *out, uint32_t code)
{
    if (code < 0x80) {
        *out++ = (char)code;
        return out;
    }
    int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const unsigned char leads[4] = {0, 0xC0, 0xE0, 0xF0};
    *out++ = (char)(leads[more] | code >> 6 * more);
    while (more-- > 0)
        *out++ = (char)(0x80 | (code >> 6 * more & 63));
    return out;
}

/* Bytes of the character that starts here, of which there are so many; 0: it is none. Longer forms than needed, halves
 * of surrogate pairs and numbers beyond U+10FFFF are none. */
static inline size_t rw_utf8_length(const unsigned char *bytes, size_t size)
{
    size_t length = bytes[0] < 0x80                       ? 1
                    : bytes[0] >= 0xc2 && bytes[0] < 0xe0 ? 2
                    : bytes[0] >= 0xe0 && bytes[0] < 0xf0 ? 3
                    : bytes[0] >= 0xf0 && bytes[0] < 0xf5 ? 4
                                                          : 0;
    if (length > size)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((bytes[i] & 0xc0) != 0x80)
            return 0;
    int is_wrong = (bytes[0] == 0xe0 && bytes[1] < 0xa0) || (bytes[0] == 0xed && bytes[1] >= 0xa0) ||
                   (bytes[0] == 0xf0 && bytes[1] < 0x90) || (bytes[0] == 0xf4 && bytes[1] >= 0x90);
    return is_wrong ? 0 : length;
}

#endif
