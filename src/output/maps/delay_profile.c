/* The histogram of delays of one cell: from a map or from its HDF5 file, with its moments and as a picture. */
#include "base/memory.h"
#include "base/options.h"
#include "ext/hdf5.h"
#include "output/maps/map.h"
#include "output/pictures/pictures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where histograms lie: cells in rows from the south, bins of a cell side by side. */
typedef struct histogram_source {
    double x0_m, y0_m, res_m; /* corner of the first cell */
    size_t bands, rows, columns;
    const float *values;
} histogram_source;

/* Moments of ITU-R P.1407, of the bins' middles. */
static void find_moments(rw_delay_profile *profile)
{
    double sum = 0, first = 0, second = 0;
    for (size_t i = 0; i < profile->bins; i++) {
        double power = (double)profile->power[i];
        double delay_s = profile->first_s + ((double)i + 0.5) * profile->bin_s;
        sum += power;
        first += power * delay_s;
        second += power * delay_s * delay_s;
    }
    profile->path_loss_db = sum > 0 ? -10 * log10(sum) : INFINITY;
    profile->mean_delay_s = sum > 0 ? first / sum : NAN;
    profile->delay_spread_s =
        sum > 0 ? sqrt(fmax(0, second / sum - profile->mean_delay_s * profile->mean_delay_s)) : NAN;
}

static rw_status read_cell_profile(rw_context *context, const histogram_source *from, double x_m, double y_m,
                                   size_t transmitter, rw_delay_profile *profile, rw_delay_profile *out)
{
    double column = floor((x_m - from->x0_m) / from->res_m), row = floor((y_m - from->y0_m) / from->res_m);
    if (!(column >= 0 && column < (double)from->columns && row >= 0 && row < (double)from->rows))
        return rw_fail(context, RW_BAD_CALL,
                       "%.10g, %.10g is not on the map, which goes from %.10g, %.10g to %.10g, %.10g", x_m, y_m,
                       from->x0_m, from->y0_m, from->x0_m + (double)from->columns * from->res_m,
                       from->y0_m + (double)from->rows * from->res_m);
    if (transmitter >= from->bands)
        return rw_fail(context, RW_BAD_CALL, "there are histograms of %zu transmitter%s, and none of number %zu",
                       from->bands, from->bands == 1 ? "" : "s", transmitter + 1);
    size_t cell = (transmitter * from->rows + (size_t)row) * from->columns + (size_t)column;
    RW_TRY(rw_array_create(context, profile->bins, sizeof *profile->power, "a histogram", &profile->power));
    memcpy(profile->power, from->values + cell * profile->bins, profile->bins * sizeof *profile->power);
    profile->size = sizeof *profile;
    profile->x_m = from->x0_m + (column + 0.5) * from->res_m;
    profile->y_m = from->y0_m + (row + 0.5) * from->res_m;
    find_moments(profile);
    rw_status status = RW_ASSIGN(context, profile, out);
    if (status != RW_OK)
        free(profile->power);
    return status;
}

rw_status rw_map_get_delay_profile(const rw_map *map, double x_m, double y_m, size_t transmitter,
                                   rw_delay_profile *profile)
{
    rw_map_histogram histogram = {.size = sizeof histogram};
    RW_TRY(rw_map_get_histogram(map, &histogram));
    const rw_map_info *info = &map->info;
    histogram_source from = {info->x0_m, info->y0_m,    info->res_m,     histogram.bands,
                             info->rows, info->columns, histogram.values};
    rw_delay_profile delay_profile = {.bins = histogram.bins, .first_s = histogram.first_s, .bin_s = histogram.bin_s};
    return read_cell_profile(map->context, &from, x_m, y_m, transmitter, &delay_profile, profile);
}

/* An axis of the file: its first value and its step. */
static rw_status read_axis(rw_context *context, const char *path, const char *name, size_t expected, double axis[2])
{
    int rank;
    size_t shape[RW_HDF5_RANK_MAX];
    double *values;
    RW_TRY(rw_hdf5_read(context, path, name, RW_HDF5_FLOAT64, 1, &rank, shape, &values));
    int right = rank == 1 && shape[0] == expected && expected > 0;
    if (right) {
        axis[0] = values[0];
        axis[1] = shape[0] > 1 ? values[1] - values[0] : NAN;
    }
    free(values);
    return right ? RW_OK : rw_fail(context, RW_BAD_INPUT, "%s: axis %s does not fit the set power", path, name);
}

static rw_status read_histogram_axes(rw_context *context, const char *path, const size_t shape[4],
                                     histogram_source *from, rw_delay_profile *delay_profile)
{
    double x[2], y[2], delay[2];
    *from = (histogram_source){.bands = shape[0], .rows = shape[1], .columns = shape[2]};
    RW_TRY(read_axis(context, path, "x", shape[2], x));
    RW_TRY(read_axis(context, path, "y", shape[1], y));
    RW_TRY(read_axis(context, path, "delay", shape[3], delay));
    RW_TRY(rw_hdf5_read_number(context, path, "/", "bin_width_s", &delay_profile->bin_s));
    from->res_m = isnan(x[1]) ? y[1] : x[1];
    if (isnan(from->res_m))
        from->res_m = 1; /* one cell alone */
    if (!(from->res_m > 0) || !(delay_profile->bin_s > 0))
        return rw_fail(context, RW_BAD_INPUT, "%s: its axes do not rise", path);
    from->x0_m = x[0] - 0.5 * from->res_m;
    from->y0_m = y[0] - 0.5 * from->res_m;
    delay_profile->bins = shape[3];
    delay_profile->first_s = delay[0];
    return RW_OK;
}

rw_status rw_delay_profile_read(rw_context *context, const char *path, double x_m, double y_m, size_t transmitter,
                                rw_delay_profile *profile)
{
    int rank;
    size_t shape[RW_HDF5_RANK_MAX];
    float *values;
    histogram_source from;
    rw_delay_profile delay_profile = {0};
    RW_TRY(rw_hdf5_read(context, path, "power", RW_HDF5_FLOAT32, 4, &rank, shape, &values));
    rw_status status =
        rank == 4 ? RW_OK : rw_fail(context, RW_BAD_INPUT, "%s: power is no histogram of delays of a map", path);
    if (status == RW_OK)
        status = read_histogram_axes(context, path, shape, &from, &delay_profile);
    if (status == RW_OK) {
        from.values = values;
        status = read_cell_profile(context, &from, x_m, y_m, transmitter, &delay_profile, profile);
    }
    free(values);
    return status;
}

rw_status rw_delay_profile_draw(rw_context *context, const rw_delay_profile *profile, const char *path)
{
    double *x;
    char subtitle[256];
    size_t count = 0;
    RW_TRY(rw_array_create(context, 2 * (profile->bins + 1), sizeof *x, "a picture", &x));
    double *y = x + profile->bins + 1;
    for (size_t i = 0; i < profile->bins; i++)
        if (profile->power[i] > 0) {
            x[count] = 1e9 * (profile->first_s + ((double)i + 0.5) * profile->bin_s);
            y[count++] = 10 * log10((double)profile->power[i]);
        }
    snprintf(subtitle, sizeof subtitle,
             "at %.1f, %.1f: path loss %.1f dB, mean delay %.0f ns, delay spread %.0f ns, bins of %g ns", profile->x_m,
             profile->y_m, profile->path_loss_db, 1e9 * profile->mean_delay_s, 1e9 * profile->delay_spread_s,
             1e9 * profile->bin_s);
    const rw_series series = {"power in a bin", x, y, count, RW_SERIES_STEMS};
    rw_plot plot = {.title = "Histogram of delays",
                    .subtitle = subtitle,
                    .x_label = "delay in ns",
                    .y_label = "received over transmitted power in dB",
                    .series = &series,
                    .series_count = 1};
    rw_status status = count ? rw_plot_write(context, &plot, path)
                             : rw_fail(context, RW_BAD_CALL, "nothing arrives at %.10g, %.10g within these bins",
                                       profile->x_m, profile->y_m);
    free(x);
    return status;
}
