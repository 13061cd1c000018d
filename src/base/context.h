/* The context: options, errors, warnings and progress. All state of the library belongs to one of these. */
#ifndef RW_BASE_CONTEXT_H
#define RW_BASE_CONTEXT_H

#include <rasterwave/rasterwave.h>

/* The last failure of each thread in each context. A context may be shared by many threads, and each reads only its own
 * failures: the sentences belong to the threads. */
#define RW_MESSAGE_MAX 1024

/* What a context and the threads that failed in it share. It outlives the context while a thread still refers to it, so
 * that a new context at the same address is never taken for the old one. */
typedef struct rw_error_owner rw_error_owner;

/* base/parallel.h */
typedef struct rw_helpers rw_helpers;

/* base/inputs.h */
typedef struct rw_hashed_files rw_hashed_files;

/* base/progress.h */
typedef struct rw_gaps rw_gaps;

struct rw_context {
    rw_context_options options;
    rw_backend backend; /* what AUTO came to: CPU or CUDA */
    int threads;        /* what 0 came to */
    char machine[256];
    double *launch_s; /* for profiling: seconds of kernels are added here, each is waited for; NULL: not asked */
    rw_gaps *gaps;    /* for tests and the benchmark: gaps between checks are measured; NULL: not asked */
    rw_error_owner *errors;
    rw_helpers *helpers; /* threads that share its loops */
    char *provenance;    /* for files that are written; NULL: none */
    rw_hashed_files *hashed_files;
};

/* The name of the provenance in files of every format. */
#define RW_PROVENANCE_KEY "provenance"

#ifdef __GNUC__
#define RW_PRINTF(format_at, values_at) __attribute__((format(printf, format_at, values_at)))
#else
#define RW_PRINTF(format_at, values_at)
#endif

/* Keeps the sentence for rw_last_error and returns status, so that a failing function ends in "return rw_fail(...)".
 * The sentence is of the calling thread alone: a loop that is shared among threads keeps a worker's failure
 * (rw_failure_store) and tells it behind the loop. */
rw_status rw_fail(rw_context *context, rw_status status, const char *format, ...) RW_PRINTF(3, 4);

/* The static analyser does not look into other files: it is told that what fails is not RW_OK. */
#ifdef __clang_analyzer__
#define rw_fail(context, status, ...) ((void)(rw_fail)((context), (status), __VA_ARGS__), (status))
#endif

/* The first failure among the threads of a loop; all zero at first. */
typedef struct rw_failure {
    rw_status status;
    char message[RW_MESSAGE_MAX];
} rw_failure;

/* In the thread that failed, one thread at a time: keeps its status and sentence where there is none yet. RW_OK is no
 * failure. */
void rw_failure_store(const rw_context *context, rw_status status, rw_failure *failure);

/* Behind the loop, in the thread of the call: fails with what was kept, or returns RW_OK. */
rw_status rw_failure_report(rw_context *context, const rw_failure *failure);

/* A validity warning to the caller's on_warning. */
void rw_warn(rw_context *context, const char *format, ...) RW_PRINTF(2, 3);

/* 1: warnings of this thread are dropped, as where one call is made of many that would all tell the same; 0: told
 * again. Returns what held before. */
int rw_warnings_hold(int hold);

/* Seconds of a steady clock. */
double rw_seconds(void);

#define RW_TRY(call)                                                                                                   \
    do {                                                                                                               \
        rw_status rw_try_status_ = (call);                                                                             \
        if (rw_try_status_ != RW_OK)                                                                                   \
            return rw_try_status_;                                                                                     \
    } while (0)

#endif
