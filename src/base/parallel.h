/* Loops that threads share. The calling thread works itself; helpers of its context sleep until there is work and join
 * while some is left. No thread spins: one that waits costs nothing, and a loop never waits for a helper that the
 * system has not run yet. A short loop wakes no helper: how long the items of each loop take is measured as they run.
 */
#ifndef RW_BASE_PARALLEL_H
#define RW_BASE_PARALLEL_H

#include "base/context.h"

typedef void (*rw_range_fn)(void *user, size_t begin, size_t end);

/* Calls run for ranges of up to grain items that together are 0 .. count - 1, in any order, by up to context->threads
 * threads, and returns when all are done. Inside such a loop, another one is run by its caller alone; so is any with
 * context NULL. Several threads may call at once. RW_CANCELLED if the caller of the library cancels, which is checked
 * after each range (base/progress.h): the loop is incomplete then. */
#define rw_parallel(context, count, grain, run, user)                                                                  \
    rw_parallel_as(context, (uintptr_t)(run), #run, count, grain, run, user)

/* The same for loops that share one run: work tells them apart where their time is measured; what names them, a
 * constant string. */
rw_status rw_parallel_as(rw_context *context, uintptr_t work, const char *what, size_t count, size_t grain,
                         rw_range_fn run, void *user) __attribute__((warn_unused_result));

/* The same to the end, without checks, for loops that take a few milliseconds: copies, and tables of a fixed size. */
void rw_parallel_whole(rw_context *context, size_t count, size_t grain, rw_range_fn run, void *user);

/* In a loop: whether it was cancelled, and to cancel it (rw_item_is_cancelled). */
int rw_parallel_is_stopped(void);
void rw_parallel_stop(void);

/* Whether this thread made the call, and is not a helper. */
int rw_parallel_is_caller(void);

/* Number of the thread within the loop that it works for, below context->threads, for working memory of its own. */
int rw_parallel_worker(void);

/* The helpers of a context; they start when they are first needed. NULL where memory is out. */
rw_helpers *rw_helpers_create(void);
void rw_helpers_destroy(rw_helpers *helpers);

#endif
