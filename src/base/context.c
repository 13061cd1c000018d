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

void rw_context_options_init_sized(rw_context_options *options, size_t size)
{
    const rw_context_options own = {.backend = RW_BACKEND_AUTO};
    rw_defaults_copy(&own, sizeof own, options, size);
}

rw_status rw_context_create(const rw_context_options *options, rw_context **context)
{
    *context = NULL;
    rw_context *new_context = calloc(1, sizeof *new_context);
    rw_error_owner *errors = rw_error_owner_create();
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
    rw_error_owner_close(context->errors);
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
    return context ? rw_error_message(context->errors) : "no context";
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
    char *buffer = rw_error_buffer(context->errors);
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

rw_status rw_progress(rw_context *context, double fraction, const char *stage)
{
    if (context->options.on_progress && context->options.on_progress(context->options.user, fraction, stage))
        return rw_fail(context, RW_CANCELLED, "cancelled while %s", stage);
    return RW_OK;
}

static _Thread_local rw_progress_range progress_range = {0, 1};

void rw_progress_range_set(rw_progress_range range)
{
    progress_range = range;
}

rw_progress_range rw_progress_narrow(double from, double to)
{
    rw_progress_range before = progress_range;
    double span = before.to - before.from;
    progress_range = (rw_progress_range){before.from + from * span, before.from + to * span};
    return before;
}

rw_status rw_progress_within(rw_context *context, double fraction, const char *stage)
{
    return rw_progress(context, progress_range.from + fraction * (progress_range.to - progress_range.from), stage);
}

double rw_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
