/* Comma-separated lists of names, such as layers and effects. */
#ifndef RW_BASE_TEXT_LIST_H
#define RW_BASE_TEXT_LIST_H

#include "base/context.h"

/* Whether a comma-separated list contains the name. */
int rw_list_contains(const char *list, const char *name);

/* Checks that every name of a comma-separated list is one of the choices; what they are called in the message. */
rw_status rw_list_check(rw_context *context, const char *list, const char *choices, const char *what);

#endif
