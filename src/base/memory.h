/* Memory whose sizes are checked before they are asked for. */
#ifndef RW_BASE_MEMORY_H
#define RW_BASE_MEMORY_H

#include "base/context.h"

/* An array of count elements of element_size bytes, zeroed. what names it in the sentence of a failure. A count whose
 * bytes would not fit into this machine's memory fails with RW_TOO_LARGE and the number of bytes it would need. */
rw_status rw_array_create(rw_context *context, size_t count, size_t element_size, const char *what, void *array_out);

/* Makes room for one run of more elements in a growing array: array_io points to the pointer, capacity_io to the number
 * of elements there is room for. Grows by half, so that appending costs amortised constant time. */
rw_status rw_array_reserve(rw_context *context, void *array_io, size_t *capacity_io, size_t count, size_t element_size,
                           const char *what);

/* A copy of the text; NULL where memory is out. */
char *rw_string_copy(const char *string);

/* The same in place of the text that *kept holds, or of NULL, which is freed. */
rw_status rw_string_replace(rw_context *context, const char *string, char **target);

/* Whether so many bytes may be asked for: no more than rw_memory_available. The system is not asked about few bytes,
 * because that takes a tenth of a millisecond. For whoever takes memory in another way than by an array, or refuses
 * before the work with a sentence of its own. */
int rw_memory_fits(double bytes);

/* The same, which fails with RW_TOO_LARGE and both numbers. */
rw_status rw_memory_check(rw_context *context, double bytes, const char *what);

/* --- limits (memory_limits.c) --- */

/* Bytes of memory that this process may still take: what the machine has free, its control groups allow, and the limits
 * of the process (RLIMIT_AS, RLIMIT_DATA) leave, whichever is least; a generous guess where the system does not say. */
double rw_memory_available(void);

/* The same by a control group and all groups that it is in: group is a path below the folder where groups are mounted,
 * of either version. Memory that only caches files counts as free. Infinite: no limit. */
double rw_memory_free_in_group(const char *mount, const char *group);

/* The most memory this process has held, in bytes. */
double rw_memory_peak(void);

/* qsort, also for a list that was never made. */
void rw_sort(void *items, size_t count, size_t size, int (*compare)(const void *, const void *));

#endif
