/* Option structs of callers: they start with their own size, which may be that of an older or a newer header. */
#ifndef RW_BASE_OPTIONS_H
#define RW_BASE_OPTIONS_H

#include "base/context.h"

/* Lays the caller's options over chosen, which has size bytes and holds the defaults: what an older caller does not
 * know stays at its default, what a newer one adds is left out. Options that no init call has filled are refused. */
rw_status rw_options_take(rw_context *context, const void *given, void *chosen, size_t size);

#endif
