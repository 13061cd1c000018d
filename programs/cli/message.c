/* Error messages: one line on standard error. */
#include "command.h"
#include "report/json.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BAD_CALL_EXIT 2

/* Whether --json was given: then the first error is an object on standard output, too. */
static int as_json;

void print_errors_as_json(int wanted)
{
    as_json = wanted;
}

static void print_error_json(const char *message)
{
    struct json json;
    json_begin(&json, stdout);
    json_string(&json, "error", message);
    json_string(&json, "version", rw_version());
    json_end(&json);
    as_json = 0;
}

/* One line on standard error. */
static void print_message_line(const char *kind, char *line)
{
    for (char *at = line; *at; at++)
        if (*at == '\n' || *at == '\r')
            *at = ' ';
    fprintf(stderr, "rasterwave: %s%s\n", kind, line);
}

/* Where the sentences of this thread go; NULL: to standard error. */
static _Thread_local char *captured;
static _Thread_local size_t captured_size;

void capture_errors(char *message, size_t size)
{
    captured = message;
    captured_size = size;
    if (message)
        *message = 0;
}

int(report_error)(const char *format, ...)
{
    char line[2048];
    va_list values;
    va_start(values, format);
    vsnprintf(line, sizeof line, format, values);
    va_end(values);
    if (captured) {
        if (!*captured)
            snprintf(captured, captured_size, "%s", line);
        return BAD_CALL_EXIT;
    }
    print_message_line("", line);
    if (as_json)
        print_error_json(line);
    return BAD_CALL_EXIT;
}

/* 2: the call or its input must change; 1: the same call may succeed another time. */
int exit_code_of(rw_status status)
{
    switch (status) {
    case RW_OK:
        return 0;
    case RW_BAD_CALL:
    case RW_BAD_INPUT:
    case RW_NOT_FOUND:
    case RW_UNSUPPORTED:
    case RW_TOO_LARGE:
    case RW_NOT_WRITABLE:
        return BAD_CALL_EXIT;
    case RW_IO:
    case RW_OUT_OF_MEMORY:
    case RW_DEVICE:
    case RW_CANCELLED:
    case RW_INTERNAL:
        break;
    }
    return 1;
}

int report_out_of_memory(const char *what)
{
    report_error("no memory left for %s", what);
    return exit_code_of(RW_OUT_OF_MEMORY);
}

int report_status_message(struct call *call, rw_status status, const char *message)
{
    wipe_progress(call);
    report_error("%s", *message ? message : rw_status_message(status));
    return exit_code_of(status);
}

int(report_status)(struct call *call, rw_status status)
{
    return report_status_message(call, status, call->context ? rw_last_error(call->context) : "");
}

/* Warnings wait for the end: a run that fails says one thing only. The same sentence is said once. */
void on_warning(void *user, const char *message)
{
    struct call *call = user;
    for (size_t i = 0; i < call->warning_count; i++)
        if (strcmp(call->warnings[i], message) == 0)
            return;
    if (call->warning_count == WARNINGS_MAX)
        return;
    char *copy = malloc(strlen(message) + 1);
    if (!copy)
        return;
    strcpy(copy, message);
    call->warnings[call->warning_count++] = copy;
}

void print_warnings(const struct call *call)
{
    for (size_t i = 0; !call->quiet && i < call->warning_count; i++)
        print_message_line("warning: ", call->warnings[i]);
}
