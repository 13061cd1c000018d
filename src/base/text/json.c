/* JSON for readers of the library: memory is checked against the budget, and what is wrong becomes the context's
 * sentence.
 */
#include "base/text/json.h"

#include "base/memory.h"

struct growing {
    rw_context *context;
    const char *name;
};

static rw_status grow_json_values(void *user, rw_json *json)
{
    const struct growing *growing = user;
    return rw_array_reserve(growing->context, &json->values, &json->capacity, json->count + 1, sizeof *json->values,
                            growing->name);
}

rw_status rw_json_parse(rw_context *context, const char *name, char *string, size_t size, rw_json *json)
{
    struct growing growing = {context, name};
    rw_json_fault fault;
    rw_status status = rw_json_read(string, size, grow_json_values, &growing, json, &fault);
    return fault.what ? rw_fail(context, status, "%s: line %u: %s", name, fault.line, fault.what) : status;
}
