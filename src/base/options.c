#include "base/options.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define SIZE_MOST 65536 /* no struct is larger: what was never set often is */

rw_status rw_options_check_size(rw_context *context, size_t size)
{
    if (size >= sizeof size && size <= SIZE_MOST)
        return RW_OK;
    return rw_fail(context, RW_BAD_CALL,
                   "a struct of this call has no size: set it to sizeof of the struct, or fill options with their init "
                   "call first");
}

static rw_status read_size(rw_context *context, const void *given, size_t *size)
{
    memcpy(size, given, sizeof *size);
    return rw_options_check_size(context, *size);
}

static void lay_over(const void *given, size_t given_size, void *chosen, size_t size)
{
    memcpy(chosen, given, given_size < size ? given_size : size);
    memcpy(chosen, &size, sizeof size);
}

rw_status rw_options_take(rw_context *context, const void *given, void *chosen, size_t size)
{
    size_t given_size;
    RW_TRY(read_size(context, given, &given_size));
    lay_over(given, given_size, chosen, size);
    return RW_OK;
}

rw_status rw_options_take_array(rw_context *context, const void *given, size_t count, const void *defaults, size_t size,
                                void *taken_out, void *room_out)
{
    size_t stride = size, each;
    char *room;
    *(void **)room_out = NULL;
    *(const void **)taken_out = given;
    for (size_t i = 0; i < count; i++) {
        RW_TRY(read_size(context, (const char *)given + i * stride, &each));
        if (i > 0 && each != stride)
            return rw_fail(context, RW_BAD_CALL,
                           "the structs of an array have sizes of %zu and %zu bytes; all are alike", stride, each);
        stride = each;
    }
    if (count == 0 || stride == size)
        return RW_OK;
    RW_TRY(rw_array_create(context, count, size, "an array of structs", &room));
    for (size_t i = 0; i < count; i++) {
        memcpy(room + i * size, defaults, size);
        lay_over((const char *)given + i * stride, stride, room + i * size, size);
    }
    *(void **)room_out = room;
    *(const void **)taken_out = room;
    return RW_OK;
}

void rw_defaults_give(const void *defaults, size_t size, void *out, size_t given_size)
{
    if (given_size < sizeof given_size)
        return;
    memset(out, 0, given_size);
    memcpy(out, defaults, given_size < size ? given_size : size);
    memcpy(out, &given_size, sizeof given_size);
}

rw_status rw_result_give(rw_context *context, const void *made, size_t size, void *out)
{
    size_t given_size;
    RW_TRY(read_size(context, out, &given_size));
    rw_defaults_give(made, size, out, given_size);
    return RW_OK;
}
