/* JSON on a stream, written from left to right. In an object every value has a key; in a list, key is NULL. Without a
 * stream the calls do nothing. */
#ifndef REPORT_JSON_H
#define REPORT_JSON_H

#include <stdio.h>

struct json {
    FILE *stream;
    int depth;
    int has_entries; /* one bit a level */
    int on_one_line;
};

void json_begin(struct json *json, FILE *stream);      /* opens the outermost object */
void json_begin_line(struct json *json, FILE *stream); /* the same; all of it on one line */
void json_end(struct json *json);                      /* closes it */

void json_object(struct json *json, const char *key);
void json_object_end(struct json *json);
void json_list(struct json *json, const char *key);
void json_list_end(struct json *json);

void json_string(struct json *json, const char *key, const char *string);
void json_number(struct json *json, const char *key, double value); /* null where not finite */
void json_count(struct json *json, const char *key, size_t value);
void json_flag(struct json *json, const char *key, int value);
void json_value(struct json *json, const char *key, const char *value); /* a value that is JSON already */

#endif
