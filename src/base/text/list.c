#include "base/text/list.h"

#include <stdio.h>
#include <string.h>

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
