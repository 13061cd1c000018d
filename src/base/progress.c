#include "base/progress.h"

#include "base/parallel.h"

/* Progress of the calling thread's call. */
static _Thread_local rw_progress_range progress_range = {0, 1};
static _Thread_local struct {
    double fraction, called_s;
    const char *stage;
} last_report;

static const char *const first_stage = "preparing";

rw_status rw_fail_cancelled(rw_context *context)
{
    return rw_fail(context, RW_CANCELLED, "cancelled while %s", last_report.stage ? last_report.stage : first_stage);
}

static rw_status report_progress(rw_context *context, double fraction, const char *stage, double now_s)
{
    last_report.fraction = fraction;
    last_report.stage = stage;
    last_report.called_s = now_s;
    if (context->options.on_progress && context->options.on_progress(context->options.user, fraction, stage))
        return rw_fail_cancelled(context);
    return RW_OK;
}

/* Whether this check is to cancel. */
static int measure_gap(rw_gaps *gaps, size_t items, const char *what, double now_s)
{
    if (gaps->items < items) {
        gaps->items = items;
        gaps->items_of = what;
    }
    if (gaps->checked_s > 0 && gaps->seconds < now_s - gaps->checked_s) {
        gaps->seconds = now_s - gaps->checked_s;
        gaps->seconds_of = what;
        gaps->seconds_after = gaps->last_of;
    }
    gaps->checked_s = now_s;
    gaps->last_of = what;
    gaps->checks++;
    return gaps->cancel_at && gaps->checks >= gaps->cancel_at;
}

void rw_gaps_restart(rw_gaps *gaps)
{
    gaps->checked_s = 0;
    gaps->last_of = NULL;
}

int rw_is_checked(const rw_context *context)
{
    return context->options.on_progress || context->gaps;
}

rw_status rw_progress(rw_context *context, double fraction, const char *stage)
{
    double now_s = rw_is_checked(context) ? rw_seconds() : 0;
    if (context->gaps && measure_gap(context->gaps, 0, stage, now_s))
        return rw_fail_cancelled(context);
    return report_progress(context, fraction, stage, now_s);
}

rw_status rw_check(rw_context *context, size_t items, const char *what)
{
    if (rw_parallel_is_stopped())
        return rw_fail_cancelled(context);
    if (!rw_is_checked(context) || !rw_parallel_is_caller())
        return RW_OK;
    double now_s = rw_seconds();
    if (context->gaps && measure_gap(context->gaps, items, what, now_s))
        return rw_fail_cancelled(context);
    if (now_s - last_report.called_s < RW_CHECK_S)
        return RW_OK;
    return report_progress(context, last_report.fraction, last_report.stage ? last_report.stage : first_stage, now_s);
}

int rw_item_is_cancelled(rw_context *context, size_t items, size_t every, const char *what)
{
    static _Thread_local size_t unchecked;
    unchecked += items;
    if (unchecked < every)
        return rw_parallel_is_stopped();
    items = unchecked;
    unchecked = 0;
    if (rw_check(context, items, what) == RW_OK)
        return 0;
    rw_parallel_stop();
    return 1;
}

void rw_progress_begin(void)
{
    last_report.fraction = 0;
    last_report.stage = NULL;
}

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
