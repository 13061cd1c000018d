/* JSON text to a tree in memory, for readers of the library. Errors name the line. */
#ifndef RW_BASE_TEXT_JSON_H
#define RW_BASE_TEXT_JSON_H

#include "base/context.h"
#include "base/text/json_read.h"

/* rw_json_read, with a sentence in the context where it fails; name is for that. */
rw_status rw_json_parse(rw_context *context, const char *name, char *string, size_t size, rw_json *json);

#endif
