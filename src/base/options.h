/* Structs of callers: each starts with its own size, which may be that of an older or a newer header. Inside the
 * library structs are whole; here they come in and go out. */
#ifndef RW_BASE_OPTIONS_H
#define RW_BASE_OPTIONS_H

#include "base/context.h"

#include <math.h>

/* Whether a struct can have this size: refuses one that was never set. */
rw_status rw_options_check_size(rw_context *context, size_t size);

/* Lays the caller's struct over chosen, which has size bytes and holds the defaults: what an older caller does not know
 * stays at its default, what a newer one adds is skipped. A struct without a size is refused; NULL leaves the defaults.
 */
rw_status rw_options_resolve(rw_context *context, const void *user_options, void *chosen, size_t size);
#define RW_RESOLVE(context, user_options, chosen)                                                                      \
    rw_options_resolve((context), (user_options), (chosen), sizeof *(chosen))

/* An array of count structs that are as far apart as the first one's size says, as whole ones of size bytes over the
 * defaults. *taken is the caller's own where its structs are of that size, so that nothing is copied; else it is also
 * put into *room, to be freed. */
rw_status rw_options_resolve_array(rw_context *context, const void *user_options, size_t count, const void *defaults,
                                   size_t size, void *resolved_out, void *copy_out);
#define RW_RESOLVE_ARRAY(context, user_options, count, defaults, resolved, copy)                                       \
    rw_options_resolve_array((context), (user_options), (count), (defaults), sizeof *(defaults), (resolved), (copy))

/* A result of size bytes out to the caller's struct, no further than that reaches; what the library does not know of it
 * becomes zero. Its size stays as it is; a struct without one is refused and nothing is written. */
rw_status rw_result_assign(rw_context *context, const void *made, size_t size, void *out);
#define RW_ASSIGN(context, made, out) rw_result_assign((context), (made), sizeof *(made), (out))

/* Defaults out to a struct of user_size bytes, which becomes its size: what every init call does. */
void rw_defaults_copy(const void *defaults, size_t size, void *out, size_t user_size);

/* A number, or another one if it is unset (NaN). */
static inline double rw_option_or(double value, double otherwise)
{
    return isnan(value) ? otherwise : value;
}

/* Whether a comma-separated list of names, such as layers and effects, contains the name. */
int rw_list_contains(const char *list, const char *name);

/* Checks that every name of a comma-separated list is one of the choices; what they are called in the message. */
rw_status rw_list_check(rw_context *context, const char *list, const char *choices, const char *what);

#endif
