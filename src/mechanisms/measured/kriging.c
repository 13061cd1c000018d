#include "mechanisms/measured/kriging.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RANGE_LENGTHS 3.0 /* a sample farther away says less than 5 % of the field */
#define SQUARE_LENGTHS 0.5
#define BUCKETS_MAX ((size_t)1 << 22)

struct rw_kriging_candidate {
    double distance2_m2;
    const rw_residual *sample;
};

/* ------------------------------------------------------------------ buckets */

typedef struct bucketed {
    size_t bucket, order;
    rw_residual item;
} bucketed;

static int by_bucket(const void *left, const void *right)
{
    const bucketed *a = left, *b = right;
    if (a->bucket != b->bucket)
        return a->bucket < b->bucket ? -1 : 1;
    return (a->order > b->order) - (a->order < b->order);
}

static size_t bucket_index(double at_m, double from_m, double bucket_m, size_t count)
{
    double index = floor((at_m - from_m) / bucket_m);
    return index <= 0 ? 0 : index >= (double)count ? count - 1 : (size_t)index;
}

/* The extent in buckets of one length, larger ones where that would be too many. */
static void find_field_extent(rw_residual_field *field)
{
    double x1_m = -INFINITY, y1_m = -INFINITY;
    field->x0_m = field->y0_m = INFINITY;
    for (size_t i = 0; i < field->count; i++) {
        field->x0_m = fmin(field->x0_m, field->items[i].x_m);
        field->y0_m = fmin(field->y0_m, field->items[i].y_m);
        x1_m = fmax(x1_m, field->items[i].x_m);
        y1_m = fmax(y1_m, field->items[i].y_m);
    }
    double columns, rows;
    field->bucket_m = 0.5 * field->length_m;
    do {
        field->bucket_m *= 2;
        columns = floor((x1_m - field->x0_m) / field->bucket_m) + 1;
        rows = floor((y1_m - field->y0_m) / field->bucket_m) + 1;
    } while (columns * rows > (double)BUCKETS_MAX);
    field->columns = (size_t)columns;
    field->rows = (size_t)rows;
}

static rw_status sort_into_buckets(rw_context *context, rw_residual_field *field)
{
    bucketed *sorted;
    RW_TRY(rw_array_create(context, field->count, sizeof *sorted, "residuals", &sorted));
    for (size_t i = 0; i < field->count; i++) {
        const rw_residual *item = &field->items[i];
        sorted[i] = (bucketed){bucket_index(item->y_m, field->y0_m, field->bucket_m, field->rows) * field->columns +
                                   bucket_index(item->x_m, field->x0_m, field->bucket_m, field->columns),
                               i, *item};
    }
    qsort(sorted, field->count, sizeof *sorted, by_bucket);
    for (size_t i = 0, bucket = 0; i < field->count; i++) {
        field->items[i] = sorted[i].item;
        while (bucket <= sorted[i].bucket)
            field->first[bucket++] = i;
    }
    for (size_t bucket = sorted[field->count - 1].bucket + 1; bucket <= field->columns * field->rows; bucket++)
        field->first[bucket] = field->count;
    free(sorted);
    return RW_OK;
}

rw_status rw_residual_field_create(rw_context *context, rw_residual *items, size_t count, rw_residual_field *field)
{
    field->items = items;
    field->count = count;
    if (count == 0)
        return RW_OK;
    find_field_extent(field);
    RW_TRY(
        rw_array_create(context, field->columns * field->rows + 1, sizeof *field->first, "residuals", &field->first));
    return sort_into_buckets(context, field);
}

void rw_residual_field_destroy(rw_residual_field *field)
{
    free(field->items);
    free(field->first);
    *field = (rw_residual_field){0};
}

/* ------------------------------------------------------------------ one square */

static double site_correlation(const rw_kriging_target *target, uint32_t a, uint32_t b)
{
    if (a == b)
        return 1;
    return target->sectors[a] == target->sectors[b] ? RW_KRIGING_SAME_MAST : RW_KRIGING_OTHER_MAST;
}

static double target_correlation(const rw_kriging_target *target, uint32_t site)
{
    if (site == target->site)
        return 1;
    return target->sectors[site] == target->sector ? RW_KRIGING_SAME_MAST : RW_KRIGING_OTHER_MAST;
}

static double evaluate_decay(const rw_residual_field *field, double dx_m, double dy_m)
{
    return exp(-sqrt(dx_m * dx_m + dy_m * dy_m) / field->length_m);
}

static int by_distance(const void *left, const void *right)
{
    const struct rw_kriging_candidate *a = left, *b = right;
    if (a->distance2_m2 != b->distance2_m2)
        return a->distance2_m2 < b->distance2_m2 ? -1 : 1;
    return (a->sample > b->sample) - (a->sample < b->sample);
}

/* Samples within reach of the middle of the square, as candidates; returns how many. */
static size_t list_candidates(rw_kriging *kriging, double x_m, double y_m)
{
    const rw_residual_field *field = kriging->field;
    double reach_m = (RANGE_LENGTHS + SQUARE_LENGTHS) * field->length_m;
    size_t count = 0;
    if (x_m + reach_m < field->x0_m || y_m + reach_m < field->y0_m ||
        x_m - reach_m > field->x0_m + (double)field->columns * field->bucket_m ||
        y_m - reach_m > field->y0_m + (double)field->rows * field->bucket_m)
        return 0;
    size_t column0 = bucket_index(x_m - reach_m, field->x0_m, field->bucket_m, field->columns);
    size_t column1 = bucket_index(x_m + reach_m, field->x0_m, field->bucket_m, field->columns);
    size_t row0 = bucket_index(y_m - reach_m, field->y0_m, field->bucket_m, field->rows);
    size_t row1 = bucket_index(y_m + reach_m, field->y0_m, field->bucket_m, field->rows);
    for (size_t row = row0; row <= row1; row++) {
        size_t begin = field->first[row * field->columns + column0],
               end = field->first[row * field->columns + column1 + 1];
        if (count + (end - begin) > kriging->capacity) {
            size_t capacity = 2 * (count + (end - begin));
            void *grown = realloc(kriging->candidates, capacity * sizeof *kriging->candidates);
            if (!grown)
                return 0;
            kriging->candidates = grown;
            kriging->capacity = capacity;
        }
        for (size_t i = begin; i < end; i++) {
            double dx_m = field->items[i].x_m - x_m, dy_m = field->items[i].y_m - y_m, d2 = dx_m * dx_m + dy_m * dy_m;
            if (d2 <= reach_m * reach_m)
                kriging->candidates[count++] = (struct rw_kriging_candidate){d2, &field->items[i]};
        }
    }
    qsort(kriging->candidates, count, sizeof *kriging->candidates, by_distance);
    return count;
}

static void choose_samples(rw_kriging *kriging, double x_m, double y_m)
{
    size_t candidates = list_candidates(kriging, x_m, y_m), own = 0, other = 0;
    kriging->count = 0;
    for (size_t i = 0; i < candidates; i++) {
        const rw_residual *sample = kriging->candidates[i].sample;
        double correlation = target_correlation(&kriging->target, sample->site);
        size_t *used = correlation >= RW_KRIGING_SAME_MAST ? &own : &other;
        if (*used == (used == &own ? RW_KRIGING_OWN : RW_KRIGING_OTHER))
            continue;
        ++*used;
        kriging->samples[kriging->count] = sample;
        kriging->correlations[kriging->count++] = correlation * kriging->field->sill_db2;
    }
}

/* Solves L x = b in place. */
static void solve_lower(const rw_kriging *kriging, double *x)
{
    for (size_t i = 0; i < kriging->count; i++) {
        double sum = x[i];
        for (size_t k = 0; k < i; k++)
            sum -= kriging->factor[i][k] * x[k];
        x[i] = sum / kriging->factor[i][i];
    }
}

static void factor_covariance(rw_kriging *kriging)
{
    const rw_residual_field *field = kriging->field;
    for (size_t i = 0; i < kriging->count; i++)
        for (size_t j = 0; j <= i; j++) {
            const rw_residual *a = kriging->samples[i], *b = kriging->samples[j];
            double sum = field->sill_db2 * site_correlation(&kriging->target, a->site, b->site) *
                         evaluate_decay(field, a->x_m - b->x_m, a->y_m - b->y_m);
            if (i == j)
                sum += fmax(a->noise_db2, 1e-6 * field->sill_db2 + 1e-9);
            for (size_t k = 0; k < j; k++)
                sum -= kriging->factor[i][k] * kriging->factor[j][k];
            kriging->factor[i][j] = i == j ? sqrt(fmax(sum, 1e-12)) : sum / kriging->factor[j][j];
        }
}

static void solve_square(rw_kriging *kriging, int64_t column, int64_t row)
{
    double square_m = SQUARE_LENGTHS * kriging->field->length_m;
    choose_samples(kriging, ((double)column + 0.5) * square_m, ((double)row + 0.5) * square_m);
    kriging->column = column;
    kriging->row = row;
    kriging->is_solved = 1;
    factor_covariance(kriging);
    for (size_t i = 0; i < kriging->count; i++)
        kriging->weights[i] = kriging->samples[i]->value_db;
    solve_lower(kriging, kriging->weights);
    for (size_t i = kriging->count; i-- > 0;) {
        for (size_t k = i + 1; k < kriging->count; k++)
            kriging->weights[i] -= kriging->factor[k][i] * kriging->weights[k];
        kriging->weights[i] /= kriging->factor[i][i];
    }
}

/* Covariances of a point with the samples. */
static void find_covariances(const rw_kriging *kriging, double x_m, double y_m, double *covariances)
{
    for (size_t i = 0; i < kriging->count; i++)
        covariances[i] = kriging->correlations[i] *
                         evaluate_decay(kriging->field, kriging->samples[i]->x_m - x_m, kriging->samples[i]->y_m - y_m);
}

/* In mean over two rings round the point, after one more sample at it: the covariance left there between ring and point
 * is c = c0 - k1 K^-1 k0, and a sample of variance v lowers the ring's variance by c^2 / v. */
static double benefit_of_sample(const rw_kriging *kriging, double x_m, double y_m, const double *half,
                                double variance_db2)
{
    const rw_residual_field *field = kriging->field;
    double gained_db = 0, ring[RW_KRIGING_MAX];
    for (int i = 0; i < 8; i++) {
        double angle = i * 0.78539816339744831, radius_m = (i % 2 ? 0.8 : 0.4) * field->length_m;
        double dx_m = radius_m * cos(angle), dy_m = radius_m * sin(angle);
        double covariance = field->sill_db2 * evaluate_decay(field, dx_m, dy_m),
               before = field->sill_db2 + field->nugget_db2;
        find_covariances(kriging, x_m + dx_m, y_m + dy_m, ring);
        solve_lower(kriging, ring);
        for (size_t k = 0; k < kriging->count; k++) {
            covariance -= ring[k] * half[k];
            before -= ring[k] * ring[k];
        }
        double after = fmax(0, before - covariance * covariance / variance_db2);
        gained_db += (sqrt(fmax(0, before)) - sqrt(after)) / 8;
    }
    return gained_db;
}

double rw_kriging_estimate(rw_kriging *kriging, double x_m, double y_m, double *variance_db2, double *benefit_db)
{
    const rw_residual_field *field = kriging->field;
    double square_m = SQUARE_LENGTHS * field->length_m, covariances[RW_KRIGING_MAX], value_db = 0;
    int64_t column = (int64_t)floor(x_m / square_m), row = (int64_t)floor(y_m / square_m);
    if (field->count && (!kriging->is_solved || column != kriging->column || row != kriging->row))
        solve_square(kriging, column, row);
    find_covariances(kriging, x_m, y_m, covariances);
    for (size_t i = 0; i < kriging->count; i++)
        value_db += covariances[i] * kriging->weights[i];
    if (!variance_db2 && !benefit_db)
        return value_db;
    double variance = field->sill_db2 + field->nugget_db2;
    solve_lower(kriging, covariances);
    for (size_t i = 0; i < kriging->count; i++)
        variance -= covariances[i] * covariances[i];
    variance = fmax(variance, field->nugget_db2);
    if (variance_db2)
        *variance_db2 = variance;
    if (benefit_db)
        *benefit_db = variance > 0 ? benefit_of_sample(kriging, x_m, y_m, covariances, variance) : 0;
    return value_db;
}

void rw_kriging_free(rw_kriging *kriging)
{
    free(kriging->candidates);
    kriging->candidates = NULL;
    kriging->capacity = 0;
}

/* ------------------------------------------------------------------ sill and nugget */

#define PAIRS_OF_SAMPLE 64 /* at most: enough for sums over thousands of samples */

typedef struct variogram_sums {
    double weight, x, y, xx, xy;
} variogram_sums;

static void add_pair(const rw_residual *a, const rw_residual *b, double length_m, variogram_sums *sums)
{
    double distance_m = hypot(a->x_m - b->x_m, a->y_m - b->y_m);
    if (a->site != b->site || distance_m > 2 * length_m)
        return;
    double x = 1 - exp(-distance_m / length_m), y = 0.5 * pow(a->value_db - b->value_db, 2);
    double weight = 1 / pow(0.2 + x, 2); /* a squared difference scatters as its mean does */
    sums->weight += weight;
    sums->x += weight * x;
    sums->y += weight * y;
    sums->xx += weight * x * x;
    sums->xy += weight * x * y;
}

rw_status rw_residual_field_fit(rw_context *context, const rw_residual *items, size_t count, double length_m,
                                double *sill_db2, double *nugget_db2)
{
    (void)context;
    variogram_sums sums = {0};
    double total = 0;
    for (size_t i = 0; i < count; i++) {
        total += items[i].value_db * items[i].value_db / (double)count;
        size_t step = 1 + (i * 2654435761u) % 3; /* near and farther neighbours in the order of the drive */
        for (size_t k = 1, n = 0; n < PAIRS_OF_SAMPLE && i + k < count; k += step, n++)
            add_pair(&items[i], &items[i + k], length_m, &sums);
    }
    double nugget = 0.3 * total, spread = sums.weight * sums.xx - sums.x * sums.x;
    if (spread > 1e-9 * sums.weight * sums.weight)
        nugget = (sums.y * sums.xx - sums.x * sums.xy) / spread;
    *nugget_db2 = fmin(0.9 * total, fmax(0.05 * total, nugget)); /* together they are the variance */
    *sill_db2 = total - *nugget_db2;
    return RW_OK;
}
