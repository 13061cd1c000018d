/* Files that were read, looked at again: for programs that keep what they have read. The list is of context.h. */
#ifndef RASTERWAVE_INPUTS_H
#define RASTERWAVE_INPUTS_H

#include <rasterwave/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Ends the recording; the list stays, to be freed by rw_inputs_end. By the thread that began it. */
RW_API void rw_inputs_stop(rw_inputs *inputs);

/* The path of the first input whose content is another than when it was read, or that cannot be read any more; NULL:
 * all are the same. A hash that this context has computed is used again only if size, inode, and the times of
 * modification and change in nanoseconds are the same, and the file was at least 2 s old when it was hashed. Databases,
 * which count by their headers, have changed. */
RW_API const char *rw_inputs_find_changed(rw_context *context, const rw_inputs *inputs);

#ifdef __cplusplus
}
#endif

#endif
