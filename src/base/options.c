#include "base/options.h"

#include <string.h>

rw_status rw_options_take(rw_context *context, const void *given, void *chosen, size_t size)
{
    size_t given_size;
    memcpy(&given_size, given, sizeof given_size);
    if (given_size < sizeof given_size || given_size > 65536)
        return rw_fail(context, RW_BAD_CALL, "the options have no size: fill them with their init call first");
    memcpy(chosen, given, given_size < size ? given_size : size);
    memcpy(chosen, &size, sizeof size);
    return RW_OK;
}
