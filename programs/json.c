#include "json.h"

#include <math.h>
#include <string.h>

/* A byte sequence that is not UTF-8 is written byte by byte as Latin-1, so that the output always parses. */
static size_t utf8_length(const unsigned char *text)
{
    static const struct {
        unsigned char mask, lead;
        size_t length;
    } forms[] = {{0x80, 0x00, 1}, {0xe0, 0xc0, 2}, {0xf0, 0xe0, 3}, {0xf8, 0xf0, 4}};
    for (size_t i = 0; i < 4; i++) {
        if ((text[0] & forms[i].mask) != forms[i].lead)
            continue;
        for (size_t k = 1; k < forms[i].length; k++)
            if ((text[k] & 0xc0) != 0x80)
                return 0;
        return text[0] == 0xc0 || text[0] == 0xc1 ? 0 : forms[i].length;
    }
    return 0;
}

static void put_text(FILE *stream, const char *text)
{
    fputc('"', stream);
    for (const unsigned char *at = (const unsigned char *)text; *at;) {
        size_t length = utf8_length(at);
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

static void begin_entry(struct json *json, const char *key)
{
    fputs(json->has_entries & 1 << json->depth ? "," : "", json->stream);
    json->has_entries |= 1 << json->depth;
    fprintf(json->stream, "\n%*s", 2 * json->depth, "");
    if (key) {
        put_text(json->stream, key);
        fputs(": ", json->stream);
    }
}

static void open_level(struct json *json, char bracket)
{
    fputc(bracket, json->stream);
    json->depth++;
    json->has_entries &= ~(1 << json->depth);
}

static void close_level(struct json *json, char bracket)
{
    int filled = json->has_entries & 1 << json->depth;
    json->depth--;
    if (filled)
        fprintf(json->stream, "\n%*s", 2 * json->depth, "");
    fputc(bracket, json->stream);
}

void json_begin(struct json *json, FILE *stream)
{
    *json = (struct json){.stream = stream};
    open_level(json, '{');
}

void json_end(struct json *json)
{
    close_level(json, '}');
    fputc('\n', json->stream);
}

void json_object(struct json *json, const char *key)
{
    begin_entry(json, key);
    open_level(json, '{');
}

void json_object_end(struct json *json)
{
    close_level(json, '}');
}

void json_list(struct json *json, const char *key)
{
    begin_entry(json, key);
    open_level(json, '[');
}

void json_list_end(struct json *json)
{
    close_level(json, ']');
}

void json_text(struct json *json, const char *key, const char *text)
{
    begin_entry(json, key);
    put_text(json->stream, text);
}

void json_number(struct json *json, const char *key, double value)
{
    begin_entry(json, key);
    if (isfinite(value))
        fprintf(json->stream, "%.12g", value);
    else
        fputs("null", json->stream);
}

void json_count(struct json *json, const char *key, size_t value)
{
    begin_entry(json, key);
    fprintf(json->stream, "%zu", value);
}

void json_flag(struct json *json, const char *key, int value)
{
    begin_entry(json, key);
    fputs(value ? "true" : "false", json->stream);
}
