#include "base/context.h"

#include "base/inputs.h"

#include "base/memory.h"
#include "base/options.h"
#include "base/parallel.h"

#include "device/device.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <pthread.h>
#include <stdatomic.h>

const char *rw_status_message(rw_status status)
{
    switch (status) {
#define RW_STATUS_MESSAGE(name, string)                                                                                \
    case RW_##name:                                                                                                    \
        return string;
        RW_STATUS_MAP(RW_STATUS_MESSAGE)
#undef RW_STATUS_MESSAGE
    }
    return "unknown status";
}

struct rw_error_owner {
    atomic_int holders; /* the context and every thread that failed in it */
    atomic_int closed;  /* 1: the context is gone, and its messages cannot be read any more */
};

typedef struct thread_error {
    rw_error_owner *owner;
    struct thread_error *next;
    char message[RW_MESSAGE_MAX];
} thread_error;

static pthread_once_t key_once = PTHREAD_ONCE_INIT;
static pthread_key_t key; /* of a thread's first thread_error */
static int key_created;

static void release_error_owner(rw_error_owner *owner)
{
    if (atomic_fetch_sub(&owner->holders, 1) == 1)
        free(owner);
}

static void destroy_thread_error(thread_error *error)
{
    release_error_owner(error->owner);
    free(error);
}

static void destroy_thread_errors(void *first)
{
    for (thread_error *error = first, *next; error; error = next) {
        next = error->next;
        destroy_thread_error(error);
    }
}

static void create_error_key(void)
{
    key_created = pthread_key_create(&key, destroy_thread_errors) == 0;
}

static thread_error *first_error(void)
{
    pthread_once(&key_once, create_error_key);
    return key_created ? pthread_getspecific(key) : NULL;
}

/* Drops the sentences of contexts that are gone and returns the first that is left: a thread that outlives many
 * contexts does not collect them. */
static thread_error *without_closed(thread_error *first)
{
    for (thread_error **at = &first; *at;) {
        thread_error *error = *at;
        if (!atomic_load(&error->owner->closed)) {
            at = &error->next;
            continue;
        }
        *at = error->next;
        destroy_thread_error(error);
    }
    return first;
}

static thread_error *find_thread_error(const rw_error_owner *owner)
{
    thread_error *error = first_error();
    while (error && error->owner != owner)
        error = error->next;
    return error;
}

static rw_error_owner *create_error_owner(void)
{
    rw_error_owner *owner = malloc(sizeof *owner);
    if (!owner)
        return NULL;
    atomic_init(&owner->holders, 1);
    atomic_init(&owner->closed, 0);
    return owner;
}

static void close_error_owner(rw_error_owner *owner)
{
    atomic_store(&owner->closed, 1);
    release_error_owner(owner);
}

/* Room of RW_MESSAGE_MAX bytes for the calling thread's sentence; NULL: no memory. */
static char *find_error_buffer(rw_error_owner *owner)
{
    thread_error *error = find_thread_error(owner);
    if (error)
        return error->message;
    error = key_created ? calloc(1, sizeof *error) : NULL;
    if (!error)
        return NULL;
    error->owner = owner;
    error->next = without_closed(first_error());
    if (pthread_setspecific(key, error) != 0) { /* only a thread's first can fail, which has none behind it */
        free(error);
        return NULL;
    }
    atomic_fetch_add(&owner->holders, 1);
    return error->message;
}

/* The calling thread's sentence, or "". */
static const char *find_error_message(const rw_error_owner *owner)
{
    const thread_error *error = find_thread_error(owner);
    return error ? error->message : "";
}

void rw_context_options_init_sized(rw_context_options *options, size_t size)
{
    const rw_context_options own = {.backend = RW_BACKEND_AUTO};
    rw_defaults_copy(&own, sizeof own, options, size);
}

rw_status rw_context_create(const rw_context_options *options, rw_context **context)
{
    *context = NULL;
    rw_context *new_context = calloc(1, sizeof *new_context);
    rw_error_owner *errors = create_error_owner();
    rw_helpers *helpers = rw_helpers_create();
    rw_hashed_files *hashed_files = rw_hashed_files_create();
    if (!new_context || !errors || !helpers || !hashed_files) {
        free(new_context);
        free(errors);
        rw_helpers_destroy(helpers);
        rw_hashed_files_destroy(hashed_files);
        return RW_OUT_OF_MEMORY;
    }
    new_context->errors = errors;
    new_context->helpers = helpers;
    new_context->hashed_files = hashed_files;
    rw_context_options_init(&new_context->options);
    *context = new_context;
    if (options)
        RW_TRY(RW_RESOLVE(new_context, options, &new_context->options));
    return rw_device_choose(new_context);
}

void rw_context_destroy(rw_context *context)
{
    if (!context)
        return;
    rw_helpers_destroy(context->helpers);
    close_error_owner(context->errors);
    rw_hashed_files_destroy(context->hashed_files);
    free(context->provenance);
    free(context);
}

rw_status rw_context_set_provenance(rw_context *context, const char *string)
{
    char *copy = string ? rw_string_copy(string) : NULL;
    if (string && !copy)
        return rw_fail(context, RW_OUT_OF_MEMORY, "no memory left for a text");
    free(context->provenance);
    context->provenance = copy;
    return RW_OK;
}

const char *rw_last_error(const rw_context *context)
{
    return context ? find_error_message(context->errors) : "no context";
}

const char *rw_context_backend(const rw_context *context)
{
    return context->backend == RW_BACKEND_CUDA ? "cuda" : "cpu";
}

const char *rw_context_machine(const rw_context *context)
{
    return context->machine;
}

rw_status(rw_fail)(rw_context *context, rw_status status, const char *format, ...)
{
    char message[RW_MESSAGE_MAX]; /* the values may be of the sentence before */
    va_list values;
    va_start(values, format);
    vsnprintf(message, sizeof message, format, values);
    va_end(values);
    char *buffer = find_error_buffer(context->errors);
    if (buffer)
        memcpy(buffer, message, sizeof message);
    return status;
}

void rw_failure_store(const rw_context *context, rw_status status, rw_failure *failure)
{
    if (status == RW_OK || failure->status != RW_OK)
        return;
    failure->status = status;
    snprintf(failure->message, sizeof failure->message, "%s", rw_last_error(context));
}

rw_status rw_failure_report(rw_context *context, const rw_failure *failure)
{
    return failure->status == RW_OK ? RW_OK : rw_fail(context, failure->status, "%s", failure->message);
}

static _Thread_local int warnings_held;

int rw_warnings_hold(int hold)
{
    int before = warnings_held;
    warnings_held = hold;
    return before;
}

void rw_warn(rw_context *context, const char *format, ...)
{
    if (!context->options.on_warning || warnings_held)
        return;
    char message[RW_MESSAGE_MAX];
    va_list values;
    va_start(values, format);
    vsnprintf(message, sizeof message, format, values);
    va_end(values);
    context->options.on_warning(context->options.user, message);
}

double rw_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
