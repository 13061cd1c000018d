/* What is kept out of a fit: a route, a site, or points drawn at random.
 *
 * Neighbours on a route are alike, so points drawn at random flatter the fit; a route or site of its own is the harder
 * and the more honest test. */
#include "calibrate/fitting/holdout.h"

#include "base/memory.h"
#include "base/maths/random.h"

#include <stdlib.h>
#include <string.h>

rw_status rw_holdout_parse(rw_context *context, const char *text, rw_holdout *holdout)
{
    *holdout = (rw_holdout){RW_HOLDOUT_NONE, NULL, 0};
    if (!text)
        return RW_OK;
    const char *equals = strchr(text, '=');
    size_t length = equals ? (size_t)(equals - text) : 0;
    if (equals && equals[1] && length == 5 && strncmp(text, "route", 5) == 0)
        *holdout = (rw_holdout){RW_HOLDOUT_ROUTE, equals + 1, 0};
    else if (equals && equals[1] && length == 4 && strncmp(text, "site", 4) == 0)
        *holdout = (rw_holdout){RW_HOLDOUT_SITE, equals + 1, 0};
    else if (equals && length == 6 && strncmp(text, "random", 6) == 0) {
        double share;
        RW_TRY(rw_parse_quantity(context, equals + 1, RW_QUANTITY_NUMBER, &share));
        if (!(share > 0 && share < 1))
            return rw_fail(context, RW_BAD_CALL, "a share of %g cannot be held out; it must be between 0 and 1", share);
        *holdout = (rw_holdout){RW_HOLDOUT_RANDOM, NULL, share};
    } else
        return rw_fail(context, RW_BAD_CALL, "'%.100s' cannot be held out; use route=NAME, site=NAME or random=0.3",
                       text);
    return RW_OK;
}

/* Whether a name is one of a list with commas. */
static int is_listed(const char *name, const char *list)
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
        (*held_out)[i] = strcmp(name, holdout->name) == 0 || is_listed(name, holdout->name);
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

rw_status rw_holdout_divide(const rw_holdout *holdout, uint64_t seed, rw_places *places)
{
    rw_random random = rw_random_make(seed, 0);
    size_t held = 0, kept = 0;
    rw_place *aside;
    RW_TRY(rw_array_create(places->scene->context, places->count, sizeof *aside, "points held out", &aside));
    for (size_t i = 0; i < places->count; i++) {
        rw_place place = places->items[i];
        if (holdout->kind == RW_HOLDOUT_RANDOM)
            place.held_out = (uint8_t)rw_random_chance(&random, holdout->share);
        if (place.held_out)
            aside[held++] = place;
        else
            places->items[kept++] = place;
    }
    memcpy(places->items + kept, aside, held * sizeof *aside);
    free(aside);
    return RW_OK;
}

rw_status rw_holdout_count(const rw_holdout *holdout, const rw_places *places, size_t *fit_count)
{
    rw_context *context = places->scene->context;
    *fit_count = 0;
    while (*fit_count < places->count && !places->items[*fit_count].held_out)
        ++*fit_count;
    if (*fit_count == 0)
        return rw_fail(context, RW_BAD_INPUT, "%s: all of its %zu points are held out, so none is left to fit to",
                       places->measurements->csv.path, places->count);
    if (*fit_count == places->count && holdout->kind != RW_HOLDOUT_NONE)
        return rw_fail(context, RW_BAD_INPUT, "%s: none of the points to be held out has a prediction",
                       places->measurements->csv.path);
    return RW_OK;
}
