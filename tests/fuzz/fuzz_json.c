/* Fuzz target: any bytes as JSON. What is accepted is walked whole. */
#include "base/text/json.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t walk(const rw_json *json, const rw_json_value *value)
{
    size_t sum = strlen(value->string) + (value->key ? strlen(value->key) : 0);
    for (const rw_json_value *at = rw_json_first(json, value); at; at = rw_json_next(json, at))
        sum += walk(json, at);
    return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static rw_context *context;
    if (!context && rw_context_create(NULL, &context) != RW_OK)
        return 0;
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = 0;
    rw_json json;
    if (rw_json_parse(context, "fuzz", text, size, &json) == RW_OK) {
        if (walk(&json, json.values) > size) /* unescaping never makes a text longer */
            abort();
        rw_json_free(&json);
    }
    return 0;
}
