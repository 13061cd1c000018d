#include "scene/routes/routes.h"

#include "base/text/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Days from 1970-01-01 to a date of the Gregorian calendar: whole eras of 400 years, years that begin in March. */
static double days_since_1970(int year, int month, int day)
{
    int shifted = month > 2 ? year : year - 1;
    int era = (shifted >= 0 ? shifted : shifted - 399) / 400, of_era = shifted - 400 * era;
    int of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return 146097.0 * era + (365 * of_era + of_era / 4 - of_era / 100 + of_year) - 719468;
}

/* "Z", "+02:00" or nothing behind a time, in seconds. */
static double parse_zone(const char *string)
{
    int hours = 0, minutes = 0;
    if ((*string != '+' && *string != '-') || sscanf(string + 1, "%2d:%2d", &hours, &minutes) < 1)
        return 0;
    return (*string == '-' ? -1 : 1) * (3600.0 * hours + 60.0 * minutes);
}

double rw_route_parse_time(const char *string)
{
    int year, month, day, hour, minute, used = 0;
    string += strspn(string, " \t\r\n");
    if (sscanf(string, "%4d-%2d-%2d%*[T ]%2d:%2d:%n", &year, &month, &day, &hour, &minute, &used) >= 5 && used > 0) {
        double seconds;
        size_t length = rw_parse_number(string + used, &seconds);
        int possible = year >= 0 && month >= 1 && month <= 12 && day >= 1 && day <= 31 && hour >= 0 && hour < 25 &&
                       minute >= 0 && minute < 60;
        if (length == 0 || !possible || !(seconds >= 0 && seconds < 62))
            return NAN;
        return 86400 * days_since_1970(year, month, day) + 3600.0 * hour + 60.0 * minute + seconds -
               parse_zone(string + used + length);
    }
    double value;
    size_t length = rw_parse_number(string, &value);
    const char *rest = string + length + strspn(string + length, " \t\r\n");
    return length > 0 && isfinite(value) && (!*rest || strcmp(rest, "s") == 0) ? value : NAN;
}
