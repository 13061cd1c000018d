/* JSON text to a tree in memory. Depth and sizes are bounded, time is linear in the text. It needs no context, so that
 * the program reads requests and project files with it, too. */
#ifndef RW_BASE_TEXT_JSON_READ_H
#define RW_BASE_TEXT_JSON_READ_H

#include <rasterwave/rasterwave.h>

#define RW_JSON_DEPTH_MAX 64

typedef enum rw_json_kind {
    RW_JSON_NULL,
    RW_JSON_FALSE,
    RW_JSON_TRUE,
    RW_JSON_NUMBER,
    RW_JSON_STRING,
    RW_JSON_ARRAY,
    RW_JSON_OBJECT
} rw_json_kind;

/* A value of the tree. Values of an array or object follow each other by next. */
typedef struct rw_json_value {
    rw_json_kind kind;
    uint32_t line;   /* from 1 */
    uint32_t count;  /* of an array's or object's values */
    uint32_t next;   /* 0: the last one */
    uint32_t first;  /* 0: none */
    const char *key; /* of an object's value; NULL otherwise */
    double number;
    const char *string; /* zero-terminated UTF-8; "" where not a text */
} rw_json_value;

typedef struct rw_json {
    rw_json_value *values; /* number 0 is the root */
    size_t count, capacity;
    char *bytes; /* texts and keys, unescaped in place */
} rw_json;

/* Where a text is no JSON: line from 1, and a few words; what is NULL where memory ended the reading. */
typedef struct rw_json_fault {
    uint32_t line;
    const char *what;
} rw_json_fault;

/* Makes room for at least one value more, or fails with a status. */
typedef rw_status (*rw_json_grow_fn)(void *user, rw_json *json);

/* Reads the text, which it takes over (freed with the tree, and on failure). It ends in a zero byte at text[size]. Not
 * accepted: more than RW_JSON_DEPTH_MAX levels, anything after the value, zero bytes in texts. */
rw_status rw_json_read(char *string, size_t size, rw_json_grow_fn grow, void *user, rw_json *json,
                       rw_json_fault *fault);
void rw_json_free(rw_json *json);

/* The first value of an array or object, and the one after; NULL where there is none. */
const rw_json_value *rw_json_first(const rw_json *json, const rw_json_value *value);
const rw_json_value *rw_json_next(const rw_json *json, const rw_json_value *value);

/* An object's value by its key; NULL where value is NULL, no object, or has none. Time is linear in the object. */
const rw_json_value *rw_json_member(const rw_json *json, const rw_json_value *value, const char *key);

/* The text or number of a value, or what to take otherwise; value may be NULL. */
const char *rw_json_string(const rw_json_value *value, const char *otherwise);
double rw_json_number(const rw_json_value *value, double otherwise);

#endif
