#include "base/text/json_write.h"

#include <math.h>
#include <stddef.h>

/* Bytes of the UTF-8 character that starts here; 0: it is none. */
static size_t character_length(const unsigned char *text)
{
    size_t length = text[0] < 0x80                      ? 1
                    : text[0] >= 0xc2 && text[0] < 0xe0 ? 2
                    : text[0] >= 0xe0 && text[0] < 0xf0 ? 3
                    : text[0] >= 0xf0 && text[0] < 0xf5 ? 4
                                                        : 0;
    for (size_t i = 1; i < length; i++)
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    return length;
}

void rw_json_put_text(FILE *stream, const char *text)
{
    fputc('"', stream);
    for (const unsigned char *at = (const unsigned char *)text; *at;) {
        size_t length = character_length(at);
        if (length == 0 || *at < 0x20)
            fprintf(stream, "\\u%04x", *at);
        else if (*at == '"' || *at == '\\')
            fprintf(stream, "\\%c", *at);
        else
            fwrite(at, 1, length, stream);
        at += length ? length : 1;
    }
    fputc('"', stream);
}

void rw_json_put_number(FILE *stream, double value)
{
    if (isfinite(value))
        fprintf(stream, "%.17g", value);
    else
        fputs("null", stream);
}
