#include "base/context.h"

#include "base/memory.h"
#include "base/options.h"
#include "base/parallel.h"

#include "device/device.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

const char *rw_status_text(rw_status status)
{
    switch (status) {
#define RW_STATUS_TEXT(name, text)                                                                                     \
    case RW_##name:                                                                                                    \
        return text;
        RW_STATUS_MAP(RW_STATUS_TEXT)
#undef RW_STATUS_TEXT
    }
    return "unknown status";
}

void rw_context_options_init_sized(rw_context_options *options, size_t size)
{
    const rw_context_options own = {.backend = RW_BACKEND_AUTO};
    rw_defaults_give(&own, sizeof own, options, size);
}

rw_status rw_context_create(const rw_context_options *options, rw_context **context)
{
    *context = NULL;
    rw_context *made = calloc(1, sizeof *made);
    rw_error_owner *errors = rw_error_owner_create();
    rw_helpers *helpers = rw_helpers_create();
    if (!made || !errors || !helpers) {
        free(made);
        free(errors);
        rw_helpers_destroy(helpers);
        return RW_OUT_OF_MEMORY;
    }
    made->errors = errors;
    made->helpers = helpers;
    rw_context_options_init(&made->options);
    *context = made;
    if (options)
        RW_TRY(RW_TAKE(made, options, &made->options));
    return rw_device_choose(made);
}

void rw_context_destroy(rw_context *context)
{
    if (!context)
        return;
    rw_helpers_destroy(context->helpers);
    rw_error_owner_close(context->errors);
    free(context->provenance);
    free(context);
}

rw_status rw_context_set_provenance(rw_context *context, const char *text)
{
    char *copy = text ? rw_text_copy(text) : NULL;
    if (text && !copy)
        return rw_fail(context, RW_OUT_OF_MEMORY, "no memory left for a text");
    free(context->provenance);
    context->provenance = copy;
    return RW_OK;
}

const char *rw_last_error(const rw_context *context)
{
    return context ? rw_error_text(context->errors) : "no context";
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
    char sentence[RW_MESSAGE_MAX]; /* the values may be of the sentence before */
    va_list values;
    va_start(values, format);
    vsnprintf(sentence, sizeof sentence, format, values);
    va_end(values);
    char *room = rw_error_room(context->errors);
    if (room)
        memcpy(room, sentence, sizeof sentence);
    return status;
}

void rw_failure_keep(const rw_context *context, rw_status status, rw_failure *failure)
{
    if (status == RW_OK || failure->status != RW_OK)
        return;
    failure->status = status;
    snprintf(failure->sentence, sizeof failure->sentence, "%s", rw_last_error(context));
}

rw_status rw_failure_tell(rw_context *context, const rw_failure *failure)
{
    return failure->status == RW_OK ? RW_OK : rw_fail(context, failure->status, "%s", failure->sentence);
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

rw_status rw_progress(rw_context *context, double share, const char *stage)
{
    if (context->options.on_progress && context->options.on_progress(context->options.user, share, stage))
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

rw_status rw_progress_within(rw_context *context, double share, const char *stage)
{
    return rw_progress(context, progress_range.from + share * (progress_range.to - progress_range.from), stage);
}

double rw_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
