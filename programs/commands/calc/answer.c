/* The answer of a calc subcommand, as text or as one JSON object. */
#include "commands/calc/calc.h"

#include <math.h>
#include <stdio.h>

static void print_json_string(const char *string)
{
    putchar('"');
    for (const unsigned char *c = (const unsigned char *)string; *c; c++)
        if (*c == '"' || *c == '\\')
            printf("\\%c", *c);
        else if (*c < 0x20)
            printf("\\u%04x", *c);
        else
            putchar(*c);
    putchar('"');
}

static void print_json_number(double value)
{
    if (isfinite(value))
        printf("%.12g", value);
    else
        fputs("null", stdout);
}

static void print_key(struct calc_call *call, const char *key)
{
    if (call->has_entries)
        fputs(", ", stdout);
    call->has_entries = 1;
    print_json_string(key);
    fputs(": ", stdout);
}

void answer_begin(struct calc_call *call)
{
    call->has_entries = 0;
    if (call->json)
        putchar('{');
}

void answer_number(struct calc_call *call, const char *key, const char *label, double value, const char *unit)
{
    if (call->json) {
        print_key(call, key);
        print_json_number(value);
    } else {
        printf("%-28s %.6g%s%s\n", label, value, *unit ? " " : "", unit);
    }
}

void answer_complex(struct calc_call *call, const char *key, const char *label, rw_field_value value, const char *unit)
{
    if (call->json) {
        print_key(call, key);
        fputs("{\"re\": ", stdout);
        print_json_number(value.re);
        fputs(", \"im\": ", stdout);
        print_json_number(value.im);
        putchar('}');
    } else {
        printf("%-28s %.6g %c j %.6g%s%s   (%.6g at %.2f deg)\n", label, value.re, value.im < 0 ? '-' : '+',
               fabs(value.im), *unit ? " " : "", unit, hypot(value.re, value.im),
               atan2(value.im, value.re) * 180.0 / 3.14159265358979323846);
    }
}

void answer_string(struct calc_call *call, const char *key, const char *label, const char *string)
{
    if (call->json) {
        print_key(call, key);
        print_json_string(string);
    } else {
        printf("%-28s %s\n", label, string);
    }
}

void answer_flag(struct calc_call *call, const char *key, const char *label, int value)
{
    if (call->json) {
        print_key(call, key);
        fputs(value ? "true" : "false", stdout);
    } else {
        printf("%-28s %s\n", label, value ? "yes" : "no");
    }
}

void answer_end(struct calc_call *call)
{
    if (!call->json)
        return;
    print_key(call, "warnings");
    putchar('[');
    for (int i = 0; i < call->warning_count; i++) {
        if (i)
            fputs(", ", stdout);
        print_json_string(call->warnings[i]);
    }
    puts("]}");
}
