#include "report/json.h"

#include "base/text/json_write.h"

#include <math.h>

static void break_line(const struct json *json)
{
    if (!json->on_one_line)
        fprintf(json->stream, "\n%*s", 2 * json->depth, "");
}

/* Returns 0 if nothing is written. */
static int begin_entry(struct json *json, const char *key)
{
    if (!json->stream)
        return 0;
    if (json->has_entries & 1 << json->depth)
        fputs(json->on_one_line ? ", " : ",", json->stream);
    json->has_entries |= 1 << json->depth;
    break_line(json);
    if (key) {
        rw_json_write_string(json->stream, key);
        fputs(": ", json->stream);
    }
    return 1;
}

static void open_level(struct json *json, char bracket)
{
    fputc(bracket, json->stream);
    json->depth++;
    json->has_entries &= ~(1 << json->depth);
}

static void close_json_level(struct json *json, char bracket)
{
    int filled = json->has_entries & 1 << json->depth;
    json->depth--;
    if (filled)
        break_line(json);
    fputc(bracket, json->stream);
}

void json_begin(struct json *json, FILE *stream)
{
    *json = (struct json){.stream = stream};
    open_level(json, '{');
}

void json_begin_line(struct json *json, FILE *stream)
{
    *json = (struct json){.stream = stream, .on_one_line = 1};
    open_level(json, '{');
}

void json_end(struct json *json)
{
    if (!json->stream)
        return;
    close_json_level(json, '}');
    fputc('\n', json->stream);
}

void json_object(struct json *json, const char *key)
{
    if (begin_entry(json, key))
        open_level(json, '{');
}

void json_object_end(struct json *json)
{
    if (json->stream)
        close_json_level(json, '}');
}

void json_list(struct json *json, const char *key)
{
    if (begin_entry(json, key))
        open_level(json, '[');
}

void json_list_end(struct json *json)
{
    if (json->stream)
        close_json_level(json, ']');
}

void json_string(struct json *json, const char *key, const char *string)
{
    if (begin_entry(json, key))
        rw_json_write_string(json->stream, string);
}

void json_number(struct json *json, const char *key, double value)
{
    if (!begin_entry(json, key))
        return;
    if (isfinite(value))
        fprintf(json->stream, "%.12g", value);
    else
        fputs("null", json->stream);
}

void json_count(struct json *json, const char *key, size_t value)
{
    if (begin_entry(json, key))
        fprintf(json->stream, "%zu", value);
}

void json_flag(struct json *json, const char *key, int value)
{
    if (begin_entry(json, key))
        fputs(value ? "true" : "false", json->stream);
}

void json_value(struct json *json, const char *key, const char *value)
{
    if (begin_entry(json, key))
        fputs(value, json->stream);
}
