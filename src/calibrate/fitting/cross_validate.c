/* Cross-validation: is a fit better than the values it started from, at points that it has not seen?
 *
 * The points are cut into folds; each is predicted by a fit to the others. Points of one site, or of one route, are
 * never on both sides, because neighbours are alike and would flatter the fit; where there is one of each, folds are
 * strips of the area. The fits are made with more and more weight on the start (ridge): the weight that predicts best
 * is taken, and where none beats the start by a margin that chance does not explain, the start stays. The weight is
 * chosen with the paths of the start; the errors that are reported are those of paths traced anew for each fold
 * (validate_with_own_paths in calibrate.c). */
#include "calibrate/fitting/fitting.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double ridges[] = {1, 10, 100, 1000, 10000};

/* Where a fit to some of the folds ends: errors are compared to a part in a million. */
#define COST_TOLERANCE 1e-7

/* What a fit must gain on unseen points, of the start's error. */
#define GAIN_MIN 0.005

/* A number for each different name, in the order of the places; names must outlive the call. */
static size_t number_names(const rw_sample_points *sample_points, size_t count,
                           const char *(*name)(const rw_sample_points *, size_t), uint32_t *numbers, const char **names,
                           size_t max_count)
{
    size_t found = 0, last = 0;
    for (size_t i = 0; i < count; i++) {
        const char *own = name(sample_points, i);
        if (!found || strcmp(names[last], own) != 0)
            for (last = 0; last < found && strcmp(names[last], own) != 0;)
                last++;
        if (last == max_count)
            return 0;
        if (last == found)
            names[found++] = own;
        numbers[i] = (uint32_t)last;
    }
    return found;
}

static const char *get_point_site(const rw_sample_points *sample_points, size_t point)
{
    return sample_points->prediction->transmitters[sample_points->items[point].transmitter].name;
}

static const char *get_point_route(const rw_sample_points *sample_points, size_t point)
{
    return rw_sample_route(sample_points->measurements, sample_points->items[point].first);
}

typedef struct point_along {
    double along_m;
    size_t point;
} point_along;

static int by_along(const void *left, const void *right)
{
    const point_along *a = left, *b = right;
    if (a->along_m != b->along_m)
        return a->along_m < b->along_m ? -1 : 1;
    return (a->point > b->point) - (a->point < b->point);
}

/* Strips across the longer side of the area, of equal numbers of points. */
static rw_status cut_strips(const rw_sample_points *sample_points, size_t count, int folds, uint8_t *numbers)
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    point_along *sorted;
    RW_TRY(rw_array_create(sample_points->scene->context, count, sizeof *sorted, "measured points", &sorted));
    for (size_t i = 0; i < count; i++) {
        const rw_sample *sample = &sample_points->measurements->samples[sample_points->items[i].sample];
        const double at[2] = {sample->x_m, sample->y_m};
        for (int k = 0; k < 2; k++) {
            low[k] = fmin(low[k], at[k]);
            high[k] = fmax(high[k], at[k]);
        }
    }
    int along_x = high[0] - low[0] >= high[1] - low[1];
    for (size_t i = 0; i < count; i++) {
        const rw_sample *sample = &sample_points->measurements->samples[sample_points->items[i].sample];
        sorted[i] = (point_along){along_x ? sample->x_m : sample->y_m, i};
    }
    qsort(sorted, count, sizeof *sorted, by_along);
    for (size_t i = 0; i < count; i++)
        numbers[sorted[i].point] = (uint8_t)(i * (size_t)folds / count);
    free(sorted);
    return RW_OK;
}

#define NAMES_MAX 4096

rw_status rw_folds_cut(const rw_sample_points *sample_points, size_t count, int *folds, uint8_t *numbers)
{
    rw_context *context = sample_points->scene->context;
    uint32_t *named = NULL;
    const char **names = NULL;
    rw_status status = rw_array_create(context, count, sizeof *named, "folds", &named);
    if (status == RW_OK)
        status = rw_array_create(context, NAMES_MAX, sizeof *names, "folds", &names);
    size_t found = 0;
    if (status == RW_OK)
        found = number_names(sample_points, count, get_point_site, named, names, NAMES_MAX);
    if (status == RW_OK && found < 2)
        found = number_names(sample_points, count, get_point_route, named, names, NAMES_MAX);
    if (status == RW_OK && found < 2) {
        status = cut_strips(sample_points, count, *folds, numbers);
    } else if (status == RW_OK) {
        *folds = found < (size_t)*folds ? (int)found : *folds;
        for (size_t i = 0; i < count; i++)
            numbers[i] = (uint8_t)(named[i] % (uint32_t)*folds);
    }
    free(named);
    free(names);
    return status;
}

/* Error of all folds, each by a fit to the others; unknowns NULL: by the start's values. */
static rw_status rmse_of_folds(rw_context *context, rw_fit_data data, int folds, const rw_unknowns *unknowns,
                               const double *start, double *rmse_db)
{
    double all = 0;
    size_t points = 0;
    for (int fold = 0; fold < folds; fold++) {
        rw_fit_result fit;
        double squares;
        size_t count;
        data.excluded_fold = (uint8_t)fold;
        if (unknowns)
            RW_TRY(rw_fit_solve(context, &data, unknowns, &fit));
        RW_TRY(rw_fit_excluded_squares(context, &data, unknowns ? fit.values : start, &squares, &count));
        all += squares;
        points += count;
    }
    *rmse_db = sqrt(all / (double)points);
    return RW_OK;
}

/* Points that are looked at: of more, every so many, in their order. The choice of a weight needs no more, and a fit
 * passes over them hundreds of times. */
#define FOLD_POINTS_MAX 10000

/* The points that are looked at, as copies. */
typedef struct thinned {
    float *terms, *measured_db;
    size_t *begins;
    uint32_t *groups;
    uint8_t *folds;
} thinned;

static void free_thinned(thinned *thinned_data)
{
    free(thinned_data->terms);
    free(thinned_data->begins);
    free(thinned_data->measured_db);
    free(thinned_data->groups);
    free(thinned_data->folds);
}

static rw_status thin_data(rw_context *context, rw_fit_data *data, thinned *thinned_data)
{
    size_t every = (data->count + FOLD_POINTS_MAX - 1) / FOLD_POINTS_MAX, count = (data->count + every - 1) / every;
    size_t terms = data->model->term_count;
    if (data->begins)
        RW_TRY(rw_array_create(context, count, sizeof *thinned_data->begins, "folds", &thinned_data->begins));
    else
        RW_TRY(rw_array_create(context, count * terms, sizeof(float), "folds", &thinned_data->terms));
    RW_TRY(rw_array_create(context, count, sizeof(float), "folds", &thinned_data->measured_db));
    RW_TRY(rw_array_create(context, count, sizeof *thinned_data->groups, "folds", &thinned_data->groups));
    RW_TRY(rw_array_create(context, count, 1, "folds", &thinned_data->folds));
    for (size_t i = 0; i < count; i++) {
        size_t from = i * every;
        if (data->begins)
            thinned_data->begins[i] = data->begins[from];
        else
            memcpy(thinned_data->terms + i * terms, data->terms + from * terms, terms * sizeof(float));
        thinned_data->measured_db[i] = data->measured_db[from];
        thinned_data->groups[i] = data->groups ? data->groups[from] : 0;
        thinned_data->folds[i] = data->folds[from];
    }
    data->count = count;
    if (data->begins)
        data->begins = thinned_data->begins;
    else
        data->terms = thinned_data->terms;
    data->measured_db = thinned_data->measured_db;
    data->groups = data->groups ? thinned_data->groups : NULL;
    data->folds = thinned_data->folds;
    return RW_OK;
}

static rw_status choose_ridge(rw_context *context, rw_fit_data data, int folds, const rw_unknowns *unknowns,
                              const double *start, rw_cross_validation *found)
{
    RW_TRY(rmse_of_folds(context, data, folds, NULL, start, &found->rmse_start_db));
    for (size_t i = 0; i < sizeof ridges / sizeof *ridges; i++) {
        double rmse_db;
        data.ridge = ridges[i];
        RW_TRY(rmse_of_folds(context, data, folds, unknowns, start, &rmse_db));
        if (rmse_db < found->rmse_fitted_db * (1 - 1e-6)) {
            found->rmse_fitted_db = rmse_db;
            found->ridge = ridges[i];
        }
    }
    found->better = found->rmse_fitted_db < (1 - GAIN_MIN) * found->rmse_start_db;
    return RW_OK;
}

rw_status rw_cross_validate(rw_context *context, const rw_fit_data *data_in, int folds, const uint8_t *numbers,
                            const rw_unknowns *unknowns, const double *start, rw_cross_validation *found)
{
    rw_fit_data data = *data_in;
    thinned thinned_data = {0};
    data.folds = numbers;
    data.cost_tolerance = COST_TOLERANCE;
    *found = (rw_cross_validation){.ridge = ridges[0], .rmse_fitted_db = INFINITY};
    rw_status status = data.count > FOLD_POINTS_MAX ? thin_data(context, &data, &thinned_data) : RW_OK;
    if (status == RW_OK)
        status = choose_ridge(context, data, folds, unknowns, start, found);
    free_thinned(&thinned_data);
    return status;
}
