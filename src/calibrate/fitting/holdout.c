/* What is kept out of a fit: a route, a site, or points drawn at random.
 *
 * Neighbours on a route are alike, so points drawn at random flatter the fit; a route or site of its own is the harder
 * and the more honest test. */
#include "calibrate/fitting/fitting.h"

#include "base/memory.h"
#include "base/maths/hash.h"

#include <stdlib.h>
#include <string.h>

rw_status rw_holdout_parse(rw_context *context, const char *string, rw_holdout *holdout)
{
    *holdout = (rw_holdout){RW_HOLDOUT_NONE, NULL, 0};
    if (!string)
        return RW_OK;
    const char *equals = strchr(string, '=');
    size_t length = equals ? (size_t)(equals - string) : 0;
    if (equals && equals[1] && length == 5 && strncmp(string, "route", 5) == 0)
        *holdout = (rw_holdout){RW_HOLDOUT_ROUTE, equals + 1, 0};
    else if (equals && equals[1] && length == 4 && strncmp(string, "site", 4) == 0)
        *holdout = (rw_holdout){RW_HOLDOUT_SITE, equals + 1, 0};
    else if (equals && length == 6 && strncmp(string, "random", 6) == 0) {
        double fraction;
        RW_TRY(rw_parse_quantity(context, equals + 1, RW_QUANTITY_NUMBER, &fraction));
        if (!(fraction > 0 && fraction < 1))
            return rw_fail(context, RW_BAD_CALL, "a share of %g cannot be held out; it must be between 0 and 1",
                           fraction);
        *holdout = (rw_holdout){RW_HOLDOUT_RANDOM, NULL, fraction};
    } else
        return rw_fail(context, RW_BAD_CALL, "'%.100s' cannot be held out; use route=NAME, site=NAME or random=0.3",
                       string);
    return RW_OK;
}

/* Whether a name is one of a list with commas. */
static int is_name_in_list(const char *name, const char *list)
{
    for (size_t length; *list; list += length + (list[length] == ',')) {
        length = strcspn(list, ",");
        if (strlen(name) == length && strncmp(name, list, length) == 0)
            return 1;
    }
    return 0;
}

rw_status rw_holdout_samples(const rw_holdout *holdout, const rw_measurements *measurements, uint8_t **held_out)
{
    int by_route = holdout->kind == RW_HOLDOUT_ROUTE;
    size_t found = 0;
    *held_out = NULL;
    if (!by_route && holdout->kind != RW_HOLDOUT_SITE)
        return RW_OK;
    RW_TRY(rw_array_create(measurements->context, measurements->sample_count, 1, "measurements", held_out));
    for (size_t i = 0; i < measurements->sample_count; i++) {
        const char *name = by_route ? rw_sample_route(measurements, i) : rw_sample_site(measurements, i);
        (*held_out)[i] = strcmp(name, holdout->name) == 0 || is_name_in_list(name, holdout->name);
        found += (*held_out)[i];
    }
    if (found > 0)
        return RW_OK;
    free(*held_out);
    *held_out = NULL;
    const char *what = by_route ? "route" : "site";
    size_t column = by_route ? measurements->route_column : measurements->site_column;
    if (column == RW_CSV_NO_COLUMN)
        return rw_fail(measurements->context, RW_BAD_INPUT,
                       "%s: no column for %s, so '%.100s' cannot be held out; name it, such as columns %s=NAME",
                       measurements->csv.path, what, holdout->name, what);
    return rw_fail(measurements->context, RW_BAD_INPUT,
                   "%s: no measurement is of %s '%.100s', which is to be held out; the first is of '%.60s'",
                   measurements->csv.path, what, holdout->name,
                   by_route ? rw_sample_route(measurements, 0) : rw_sample_site(measurements, 0));
}

rw_status rw_holdout_divide(const rw_holdout *holdout, uint64_t seed, rw_sample_points *sample_points)
{
    rw_random random = rw_random_of(seed, 0);
    size_t held = 0, kept_count = 0;
    rw_sample_point *aside;
    RW_TRY(
        rw_array_create(sample_points->scene->context, sample_points->count, sizeof *aside, "points held out", &aside));
    for (size_t i = 0; i < sample_points->count; i++) {
        rw_sample_point point = sample_points->items[i];
        if (holdout->kind == RW_HOLDOUT_RANDOM)
            point.held_out = (uint8_t)rw_random_chance(&random, holdout->fraction);
        if (point.held_out)
            aside[held++] = point;
        else
            sample_points->items[kept_count++] = point;
    }
    memcpy(sample_points->items + kept_count, aside, held * sizeof *aside);
    free(aside);
    return RW_OK;
}

rw_status rw_holdout_count(const rw_holdout *holdout, const rw_sample_points *sample_points, size_t *fit_count)
{
    rw_context *context = sample_points->scene->context;
    *fit_count = 0;
    while (*fit_count < sample_points->count && !sample_points->items[*fit_count].held_out)
        ++*fit_count;
    if (*fit_count == 0)
        return rw_fail(context, RW_BAD_INPUT, "%s: all of its %zu points are held out, so none is left to fit to",
                       sample_points->measurements->csv.path, sample_points->count);
    if (*fit_count == sample_points->count && holdout->kind != RW_HOLDOUT_NONE)
        return rw_fail(context, RW_BAD_INPUT, "%s: none of the points to be held out has a prediction",
                       sample_points->measurements->csv.path);
    return RW_OK;
}
