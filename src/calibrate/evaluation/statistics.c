/* From measured and predicted path loss to the figures of their difference: mean error, RMSE and standard deviation
 * after Rick and Kuhlen 2010, equations (21) to (23), with quantiles, correlation, histogram and a line of least
 * squares.
 *
 * error = measured - predicted. Sums run in double over deviations from the mean (two passes), so that a million values
 * of 120 dB lose no digits to their common level. The paper calls its equation (21) a mean squared error; it is the
 * root. */
#include "calibrate/evaluation/evaluation.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

static double mean_of(const double *values, size_t count)
{
    double sum = 0, rest = 0;
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    double mean = sum / (double)count;
    /* The second pass takes back what rounding has left in the first. */
    for (size_t i = 0; i < count; i++)
        rest += values[i] - mean;
    return mean + rest / (double)count;
}

/* Sum of (a - mean of a) (b - mean of b). */
static double sum_of_products(const double *a, double mean_a, const double *b, double mean_b, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += (a[i] - mean_a) * (b[i] - mean_b);
    return sum;
}

static int compare_error_values(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Between two values in sorted order the quantile is interpolated (Hyndman and Fan 1996, definition 7). */
static double interpolate_quantile(const double *sorted, size_t count, double fraction)
{
    double position = fraction * (double)(count - 1);
    size_t below = (size_t)position, above = below + 1 < count ? below + 1 : below;
    return sorted[below] + (position - (double)below) * (sorted[above] - sorted[below]);
}

static double compute_correlation(const double *a, const double *b, size_t count)
{
    double mean_a = mean_of(a, count), mean_b = mean_of(b, count);
    double square_a = sum_of_products(a, mean_a, a, mean_a, count);
    double square_b = sum_of_products(b, mean_b, b, mean_b, count);
    /* What rounding leaves of a constant is no variation. */
    double floor_a = (double)count * pow(1e-13 * mean_a, 2), floor_b = (double)count * pow(1e-13 * mean_b, 2);
    if (!(square_a > floor_a) || !(square_b > floor_b))
        return NAN;
    double value = sum_of_products(a, mean_a, b, mean_b, count) / (sqrt(square_a) * sqrt(square_b));
    return fmin(1, fmax(-1, value));
}

rw_status rw_error_figures(rw_context *context, const double *measured_db, const double *predicted_db, size_t count,
                           rw_error_statistics *figures)
{
    *figures = (rw_error_statistics){NAN, NAN, NAN, NAN, NAN, NAN};
    if (count == 0)
        return RW_OK;
    double *errors;
    RW_TRY(rw_array_create(context, count, sizeof *errors, "errors", &errors));
    for (size_t i = 0; i < count; i++)
        errors[i] = measured_db[i] - predicted_db[i];
    double mean = mean_of(errors, count), squares = sum_of_products(errors, mean, errors, mean, count);
    figures->mean_db = mean;                                        /* (23) */
    figures->rmse_db = sqrt(squares / (double)count + mean * mean); /* (21), by the parallel-axis theorem */
    if (count > 1)
        figures->std_dev_db = sqrt(squares / (double)(count - 1)); /* (22) */
    qsort(errors, count, sizeof *errors, compare_error_values);
    figures->median_db = interpolate_quantile(errors, count, 0.5);
    for (size_t i = 0; i < count; i++)
        errors[i] = fabs(errors[i]);
    qsort(errors, count, sizeof *errors, compare_error_values);
    figures->absolute_p90_db = interpolate_quantile(errors, count, 0.9);
    figures->correlation = compute_correlation(measured_db, predicted_db, count);
    free(errors);
    return RW_OK;
}

/* The next of 1, 2, 5, 10, 20, ... */
static double find_wider_width(double width)
{
    double leading = width / pow(10, floor(log10(width) + 1e-9));
    return width * (leading > 1.5 && leading < 3 ? 2.5 : 2);
}

void rw_error_histogram(const double *measured_db, const double *predicted_db, size_t count, rw_histogram *histogram)
{
    *histogram = (rw_histogram){.width_db = 1};
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        low = fmin(low, measured_db[i] - predicted_db[i]);
        high = fmax(high, measured_db[i] - predicted_db[i]);
    }
    if (!(low <= high))
        return;
    double width = 1;
    while (floor(high / width) - floor(low / width) + 1 > RW_HISTOGRAM_BINS_MAX)
        width = find_wider_width(width);
    double first = floor(low / width);
    histogram->width_db = width;
    histogram->low_db = first * width;
    histogram->bin_count = (size_t)(floor(high / width) - first) + 1;
    for (size_t i = 0; i < count; i++)
        histogram->counts[(size_t)(floor((measured_db[i] - predicted_db[i]) / width) - first)]++;
}

int rw_fit_line(const double *x, const double *y, size_t count, double *intercept, double *slope)
{
    *intercept = *slope = NAN;
    if (count < 2)
        return 0;
    double mean_x = mean_of(x, count), mean_y = mean_of(y, count);
    double square_x = sum_of_products(x, mean_x, x, mean_x, count);
    if (!(square_x > (double)count * pow(1e-12 * (1 + fabs(mean_x)), 2)))
        return 0;
    *slope = sum_of_products(x, mean_x, y, mean_y, count) / square_x;
    *intercept = mean_y - *slope * mean_x;
    return 1;
}
