#include "base/options.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <stdio.h>

#define STRUCT_SIZE_MAX 65536 /* no struct is larger: what was never set often is */

rw_status rw_options_check_size(rw_context *context, size_t size)
{
    if (size >= sizeof size && size <= STRUCT_SIZE_MAX)
        return RW_OK;
    return rw_fail(context, RW_BAD_CALL,
                   "a struct of this call has no size: set it to sizeof of the struct, or fill options with their init "
                   "call first");
}

static rw_status read_size(rw_context *context, const void *user_options, size_t *size)
{
    memcpy(size, user_options, sizeof *size);
    return rw_options_check_size(context, *size);
}

static void lay_over(const void *user_options, size_t user_size, void *chosen, size_t size)
{
    memcpy(chosen, user_options, user_size < size ? user_size : size);
    memcpy(chosen, &size, sizeof size);
}

rw_status rw_options_resolve(rw_context *context, const void *user_options, void *chosen, size_t size)
{
    size_t user_size;
    if (!user_options)
        return RW_OK;
    RW_TRY(read_size(context, user_options, &user_size));
    lay_over(user_options, user_size, chosen, size);
    return RW_OK;
}

rw_status rw_options_resolve_array(rw_context *context, const void *user_options, size_t count, const void *defaults,
                                   size_t size, void *resolved_out, void *copy_out)
{
    size_t stride = size, each;
    char *copy;
    *(void **)copy_out = NULL;
    *(const void **)resolved_out = user_options;
    for (size_t i = 0; i < count; i++) {
        RW_TRY(read_size(context, (const char *)user_options + i * stride, &each));
        if (i > 0 && each != stride)
            return rw_fail(context, RW_BAD_CALL,
                           "the structs of an array have sizes of %zu and %zu bytes; all are alike", stride, each);
        stride = each;
    }
    if (count == 0 || stride == size)
        return RW_OK;
    RW_TRY(rw_array_create(context, count, size, "an array of structs", &copy));
    for (size_t i = 0; i < count; i++) {
        memcpy(copy + i * size, defaults, size);
        lay_over((const char *)user_options + i * stride, stride, copy + i * size, size);
    }
    *(void **)copy_out = copy;
    *(const void **)resolved_out = copy;
    return RW_OK;
}

void rw_defaults_copy(const void *defaults, size_t size, void *out, size_t user_size)
{
    if (user_size < sizeof user_size)
        return;
    memset(out, 0, user_size);
    memcpy(out, defaults, user_size < size ? user_size : size);
    memcpy(out, &user_size, sizeof user_size);
}

rw_status rw_result_assign(rw_context *context, const void *made, size_t size, void *out)
{
    size_t user_size;
    RW_TRY(read_size(context, out, &user_size));
    rw_defaults_copy(made, size, out, user_size);
    return RW_OK;
}

int rw_list_contains(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = list; *at; at += strcspn(at, ",") + (at[strcspn(at, ",")] == ','))
        if (strcspn(at, ",") == length && strncmp(at, name, length) == 0)
            return 1;
    return 0;
}

rw_status rw_list_check(rw_context *context, const char *list, const char *choices, const char *what)
{
    for (const char *at = list; *at; at += strcspn(at, ",") + (at[strcspn(at, ",")] == ',')) {
        char name[64]; /* longer than any that is known */
        size_t length = strcspn(at, ",");
        snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1), at);
        if (!rw_list_contains(choices, name))
            return rw_fail(context, RW_BAD_CALL, "there is no %s '%s'; there are %s", what, name, choices);
    }
    return RW_OK;
}
