/* The answer of a calc subcommand, as text or as one JSON object on one line. */
#include "commands/calc/calc.h"

#include <math.h>

void answer_begin(struct calc_call *call)
{
    call->report = (struct report){.text = call->json ? NULL : stdout};
    if (call->json)
        json_begin_line(&call->report.json, stdout);
}

void answer_number(struct calc_call *call, const char *key, const char *label, double value, const char *unit)
{
    json_number(&call->report.json, key, value);
    report_text(&call->report, "%-28s %.6g%s%s\n", label, value, *unit ? " " : "", unit);
}

void answer_complex(struct calc_call *call, const char *key, const char *label, rw_field_value value, const char *unit)
{
    struct json *json = &call->report.json;
    json_object(json, key);
    json_number(json, "re", value.re);
    json_number(json, "im", value.im);
    json_object_end(json);
    report_text(&call->report, "%-28s %.6g %c j %.6g%s%s   (%.6g at %.2f deg)\n", label, value.re,
                value.im < 0 ? '-' : '+', fabs(value.im), *unit ? " " : "", unit, hypot(value.re, value.im),
                atan2(value.im, value.re) * 180.0 / 3.14159265358979323846);
}

void answer_string(struct calc_call *call, const char *key, const char *label, const char *string)
{
    json_string(&call->report.json, key, string);
    report_text(&call->report, "%-28s %s\n", label, string);
}

void answer_flag(struct calc_call *call, const char *key, const char *label, int value)
{
    json_flag(&call->report.json, key, value);
    report_text(&call->report, "%-28s %s\n", label, value ? "yes" : "no");
}

void answer_end(struct calc_call *call)
{
    json_list(&call->report.json, "warnings");
    for (int i = 0; i < call->warning_count; i++)
        json_string(&call->report.json, NULL, call->warnings[i]);
    json_list_end(&call->report.json);
    report_end(&call->report);
}
