/* Many items whose output has bounded room. How much they fill is not known beforehand: a batch that does not fit is
 * done again as smaller ones. */
#ifndef RW_DEVICE_BATCHES_H
#define RW_DEVICE_BATCHES_H

#include "base/context.h"

typedef enum rw_batch_fill_fn {
    RW_BATCH_FITS,
    RW_BATCH_FULL,  /* the output had no room: nothing of the batch counts */
    RW_BATCH_SPARSE /* a batch of twice as many items is worth a try */
} rw_batch_fill_fn;

/* Does count items from first on. One item alone is never RW_BATCH_FULL: it is done otherwise, or refused. */
typedef rw_status (*rw_batch_fn)(void *user, size_t first, size_t count, rw_batch_fill_fn *fill);

/* Does items first to end - 1 in order, at most *size at once. *size is what was found to fit, for the next call. */
rw_status rw_batches_run(size_t first, size_t end, size_t *size, rw_batch_fn run, void *user);

#endif
