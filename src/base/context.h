/* The context: options, errors, warnings and progress. All state of the library hangs on one of these. */
#ifndef RW_BASE_CONTEXT_H
#define RW_BASE_CONTEXT_H

#include "base/last_error.h"

#include <rasterwave/rasterwave.h>

struct rw_context {
    rw_context_options options;
    rw_backend backend; /* what AUTO came to: CPU or CUDA */
    int threads;        /* what 0 came to */
    char machine[256];
    double *launch_s; /* for profiling: seconds of kernels are added here, each is waited for; NULL: not asked */
    rw_error_owner *errors;
};

#ifdef __GNUC__
#define RW_PRINTF(format_at, values_at) __attribute__((format(printf, format_at, values_at)))
#else
#define RW_PRINTF(format_at, values_at)
#endif

/* Keeps the sentence for rw_last_error and returns status, so that a failing function ends in "return rw_fail(...)".
 * The sentence is of the calling thread alone: a loop that is shared among threads carries a worker's status and
 * sentence out of the loop and fails with them there. */
rw_status rw_fail(rw_context *context, rw_status status, const char *format, ...) RW_PRINTF(3, 4);

/* The static analyser does not look into other files: it is told that what fails is not RW_OK. */
#ifdef __clang_analyzer__
#define rw_fail(context, status, ...) ((void)(rw_fail)((context), (status), __VA_ARGS__), (status))
#endif

/* A validity warning to the caller's on_warning. */
void rw_warn(rw_context *context, const char *format, ...) RW_PRINTF(2, 3);

/* Reports progress; RW_CANCELLED where the caller asks to stop. Call from one thread. */
rw_status rw_progress(rw_context *context, double share, const char *stage);

/* Seconds of a steady clock. */
double rw_seconds(void);

#define RW_TRY(call)                                                                                                   \
    do {                                                                                                               \
        rw_status rw_try_status_ = (call);                                                                             \
        if (rw_try_status_ != RW_OK)                                                                                   \
            return rw_try_status_;                                                                                     \
    } while (0)

#endif
