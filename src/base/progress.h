/* Progress of a call and its cancellation. A call is cancelled by its on_progress, which is called from the thread of
 * the call: with each report of progress, and again with the last report during work between two. All long work
 * counts its items (cells, rays, pairs, walls) and passes a check after a bounded number of them: rw_parallel and
 * launches of kernels after each range of grain items, other loops by rw_check. */
#ifndef RW_BASE_PROGRESS_H
#define RW_BASE_PROGRESS_H

#include "base/context.h"

/* Reports progress; RW_CANCELLED if the caller cancels. Call from the thread of the call. */
rw_status rw_progress(rw_context *context, double fraction, const char *stage);

/* Progress inside a part of the work: a range of the whole, of the calling thread, that may be narrowed again and
 * again. rw_progress_range_set: the whole range of a part, where one begins; rw_progress_narrow: a part of the present
 * range, which it returns for rw_progress_range_set to go back to; rw_progress_within: a share of the present range. */
typedef struct rw_progress_range {
    double from, to;
} rw_progress_range;
void rw_progress_range_set(rw_progress_range range);
rw_progress_range rw_progress_narrow(double from, double to);
rw_status rw_progress_within(rw_context *context, double fraction, const char *stage);

/* Begins a call of the calling thread: checks repeat progress 0 until it reports. */
void rw_progress_begin(void);

/* items of work have been done since the last check; what names them, a constant string. RW_CANCELLED if the caller
 * cancels: it is called at most every RW_CHECK_S. In a loop that threads share: whether that loop is cancelled. */
#define RW_CHECK_S 0.01
rw_status rw_check(rw_context *context, size_t items, const char *what);

/* In a loop that threads share, within an item that takes long: items of its work have been done. Checks after every so
 * many; 1: the call is cancelled, and the item may end unfinished. */
int rw_item_is_cancelled(rw_context *context, size_t items, size_t every, const char *what);

/* Fails with RW_CANCELLED and the stage of the last report. */
rw_status rw_fail_cancelled(rw_context *context);

/* Whether work on the context is checked at all: the caller can cancel, or gaps are measured. */
int rw_is_checked(const rw_context *context);

/* The largest gaps between two checks, for tests and the benchmark: zero before, and context->gaps points to it while
 * one thread calls. A test sets cancel_at to cancel at any check, whatever the time. */
typedef struct rw_gaps {
    size_t items; /* most items, and of which work */
    const char *items_of;
    double seconds, checked_s; /* longest time; when the last check was, 0: none yet */
    const char *seconds_of;    /* the work that ended with the check, and the one before */
    const char *seconds_after, *last_of;
    size_t checks, cancel_at; /* so far; and the one that cancels, as the caller would; 0: none */
} rw_gaps;

/* Begins to measure anew: time that passed outside of calls is not a gap. */
void rw_gaps_restart(rw_gaps *gaps);

#endif
