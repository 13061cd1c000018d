#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void rw_free(void *memory)
{
    free(memory);
}

int rw_memory_fits(double bytes)
{
    return bytes < 16e6 || (bytes <= (double)(SIZE_MAX / 4) && bytes <= rw_memory_available());
}

rw_status rw_memory_check(rw_context *context, double bytes, const char *what)
{
    if (rw_memory_fits(bytes))
        return RW_OK;
    return rw_fail(context, RW_TOO_LARGE, "%s would need %.3g GB of memory, and %.3g GB is free", what, bytes / 1e9,
                   rw_memory_available() / 1e9);
}

/* The pointer behind void *array_io is read and written as void *: every object pointer has its representation on the
 * systems this runs on (POSIX). */
rw_status rw_array_create(rw_context *context, size_t count, size_t element_size, const char *what, void *array_out)
{
    *(void **)array_out = NULL;
    RW_TRY(rw_memory_check(context, (double)count * (double)element_size, what));
    void *array = calloc(count ? count : 1, element_size);
    if (!array)
        return rw_fail(context, RW_OUT_OF_MEMORY, "no memory left for %s (%.3g MB)", what,
                       (double)count * (double)element_size / 1e6);
    *(void **)array_out = array;
    return RW_OK;
}

rw_status rw_array_reserve(rw_context *context, void *array_io, size_t *capacity_io, size_t count, size_t element_size,
                           const char *what)
{
    if (count <= *capacity_io)
        return RW_OK;
    size_t capacity = *capacity_io + *capacity_io / 2 + 16;
    if (capacity < count)
        capacity = count;
    RW_TRY(rw_memory_check(context, (double)capacity * (double)element_size, what));
    void *grown = realloc(*(void **)array_io, capacity * element_size);
    if (!grown)
        return rw_fail(context, RW_OUT_OF_MEMORY, "no memory left for %s (%.3g MB)", what,
                       (double)capacity * (double)element_size / 1e6);
    *(void **)array_io = grown;
    *capacity_io = capacity;
    return RW_OK;
}

char *rw_string_copy(const char *string)
{
    size_t bytes = strlen(string) + 1;
    char *copy = malloc(bytes);
    if (copy)
        memcpy(copy, string, bytes);
    return copy;
}

rw_status rw_string_replace(rw_context *context, const char *string, char **target)
{
    char *copy = rw_string_copy(string);
    if (!copy)
        return rw_fail(context, RW_OUT_OF_MEMORY, "no memory left for a text");
    free(*target);
    *target = copy;
    return RW_OK;
}

void rw_sort(void *items, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    if (count > 1)
        qsort(items, count, size, compare);
}
