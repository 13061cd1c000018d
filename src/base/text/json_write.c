#include "base/text/json_write.h"

#include "base/text/utf8.h"

#include <math.h>
#include <stddef.h>

void rw_json_write_string(FILE *stream, const char *string)
{
    fputc('"', stream);
    for (const unsigned char *at = (const unsigned char *)string; *at;) {
        size_t length = rw_utf8_length(at, 4);
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

void rw_json_write_number(FILE *stream, double value)
{
    if (isfinite(value))
        fprintf(stream, "%.17g", value);
    else
        fputs("null", stream);
}

void rw_json_write_string_member(FILE *stream, const char *key, const char *string)
{
    fprintf(stream, ", \"%s\": ", key);
    if (string)
        rw_json_write_string(stream, string);
    else
        fputs("null", stream);
}

void rw_json_write_number_member(FILE *stream, const char *key, double value)
{
    fprintf(stream, ", \"%s\": ", key);
    rw_json_write_number(stream, value);
}
