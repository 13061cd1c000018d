/* Lists of a plan from their texts. */
#include "commands/plan/plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LIST_MAX 3600

/* FIRST:LAST:STEP into values; 0 where the text is no such range. */
static int read_range(const char *name, const char *string, double *values, size_t *count)
{
    double ends[3];
    const char *at = string;
    for (int i = 0; i < 3; i++) {
        char *end;
        ends[i] = strtod(at, &end);
        if (end == at || *end != (i < 2 ? ':' : 0))
            return report_error("--%s %.60s: expected values with commas, or FIRST:LAST:STEP such as 0:330:30", name,
                                string);
        at = end + 1;
    }
    double steps = floor((ends[1] - ends[0]) / ends[2] + 1e-9);
    if (!(steps >= 0 && steps < LIST_MAX))
        return report_error("--%s %.60s: from the first to the last in steps is no list of 1 to %d values", name,
                            string, LIST_MAX);
    for (*count = 0; (double)*count <= steps; ++*count)
        values[*count] = ends[0] + (double)*count * ends[2];
    return 0;
}

static int read_list_values(struct call *call, const char *name, const char *string, rw_quantity quantity,
                            double *values, size_t *count)
{
    char token[64];
    for (*count = 0; *count < LIST_MAX;) {
        size_t length = strcspn(string, ",");
        snprintf(token, sizeof token, "%.*s", (int)(length < sizeof token ? length : sizeof token - 1), string);
        if (rw_parse_quantity(call->context, token, quantity, &values[*count]) != RW_OK)
            return report_error("--%s: %s", name, rw_last_error(call->context));
        ++*count;
        if (!string[length])
            return 0;
        string += length + 1;
    }
    return report_error("--%s: more than %d values", name, LIST_MAX);
}

static int read_list(struct call *call, const char *name, const char *string, rw_quantity quantity, double **values,
                     size_t *count)
{
    if (!string)
        return 0;
    *values = malloc(LIST_MAX * sizeof **values);
    if (!*values)
        return report_out_of_memory("a list");
    return strchr(string, ':') ? read_range(name, string, *values, count)
                               : read_list_values(call, name, string, quantity, *values, count);
}

static int read_antennas(const char *string, struct planning *planning)
{
    size_t count = 0;
    if (!string)
        return 0;
    char **names = calloc(strlen(string) + 1, sizeof *names);
    char *copy = strdup(string);
    planning->antennas = names;
    if (!names || !copy) {
        free(copy);
        return report_out_of_memory("a list");
    }
    names[0] = copy; /* the others point into it */
    for (char *at = copy; at; at = strchr(at, ',')) {
        if (*at == ',')
            *at++ = 0;
        names[count++] = at;
        if (!*at || *at == ',')
            return report_error("--antennas %.60s: an antenna has no name", string);
    }
    planning->options.antennas = (const char *const *)names;
    planning->options.antenna_count = count;
    return 0;
}

int read_plan_lists(struct call *call, struct planning *planning)
{
    const struct plan_settings *settings = call->settings;
    rw_plan_options *options = &planning->options;
    TRY(read_list(call, "azimuths", settings->azimuths, RW_QUANTITY_ANGLE_DEG, &planning->azimuths_deg,
                  &options->azimuth_count));
    TRY(read_list(call, "tilts", settings->tilts, RW_QUANTITY_ANGLE_DEG, &planning->tilts_deg, &options->tilt_count));
    TRY(read_list(call, "powers", settings->powers, RW_QUANTITY_POWER_DBM, &planning->powers_dbm,
                  &options->power_count));
    TRY(read_antennas(settings->antennas, planning));
    options->azimuths_deg = planning->azimuths_deg;
    options->tilts_deg = planning->tilts_deg;
    options->powers_dbm = planning->powers_dbm;
    return 0;
}

void free_plan_lists(struct planning *planning)
{
    free(planning->azimuths_deg);
    free(planning->tilts_deg);
    free(planning->powers_dbm);
    if (planning->antennas)
        free(planning->antennas[0]);
    free(planning->antennas);
}
