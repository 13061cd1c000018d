/* Histograms of delays: kept with a map, written as HDF5. */
#include "base/memory.h"
#include "base/options.h"
#include "ext/hdf5.h"
#include "output/maps/map.h"

#include <stdlib.h>

rw_status rw_map_add_histogram(rw_map *map, size_t bands, size_t bins, double first_s, double bin_s, float **values)
{
    size_t count = bands * map->info.rows * map->info.columns;
    if (!rw_memory_fits((double)count * (double)bins * sizeof(float)))
        return rw_fail(map->context, RW_TOO_LARGE,
                       "a histogram of %zu bins would need %.3g GB, and %.3g GB is free; ask for fewer bins, raise "
                       "res or give a smaller area",
                       bins, (double)count * (double)bins * sizeof(float) / 1e9, rw_memory_available() / 1e9);
    RW_TRY(
        rw_array_create(map->context, count * bins, sizeof(float), "the histogram of delays", &map->histogram_values));
    map->histogram = (rw_map_histogram){sizeof map->histogram, bands, bins, first_s, bin_s, map->histogram_values};
    *values = map->histogram_values;
    return RW_OK;
}

rw_status rw_map_get_histogram(const rw_map *map, rw_map_histogram *histogram)
{
    if (!map->histogram.values)
        return rw_fail(map->context, RW_NOT_FOUND, "this map has no histogram of delays; ask for it with delay-bins");
    return RW_ASSIGN(map->context, &map->histogram, histogram);
}

static void fill_axis(double *axis, size_t count, double first, double step)
{
    for (size_t i = 0; i < count; i++)
        axis[i] = first + (double)i * step;
}

static rw_status write_histogram_datasets(const rw_map *map, const char *path, double *x_m, double *y_m,
                                          double *delay_s)
{
    const rw_map_histogram *histogram = &map->histogram;
    const rw_map_info *info = &map->info;
    fill_axis(x_m, info->columns, info->x0_m + 0.5 * info->res_m, info->res_m);
    fill_axis(y_m, info->rows, info->y0_m + 0.5 * info->res_m, info->res_m);
    fill_axis(delay_s, histogram->bins, histogram->first_s, histogram->bin_s);
    const rw_hdf5_dataset sets[] = {
        {.name = "power",
         .unit = "1",
         .description = "received over transmitted power: transmitter, row from the south, column, bin of delay",
         .type = RW_HDF5_FLOAT32,
         .rank = 4,
         .shape = {histogram->bands, info->rows, info->columns, histogram->bins},
         .values = histogram->values,
         .compress = 1},
        {"x", "m", "centres of the columns", RW_HDF5_FLOAT64, 1, {info->columns}, x_m, 0},
        {"y", "m", "centres of the rows", RW_HDF5_FLOAT64, 1, {info->rows}, y_m, 0},
        {"delay", "s", "where each bin begins", RW_HDF5_FLOAT64, 1, {histogram->bins}, delay_s, 0},
    };
    const rw_hdf5_attribute attributes[] = {{"model", info->model, 0},
                                            {"crs", map->crs, 0},
                                            {"bin_width_s", NULL, histogram->bin_s},
                                            {"rx_height_m", NULL, info->rx_height_m}};
    return rw_hdf5_write(map->context, path, sets, sizeof sets / sizeof *sets, attributes,
                         sizeof attributes / sizeof *attributes);
}

rw_status rw_map_write_histogram(const rw_map *map, const char *path)
{
    rw_map_histogram histogram = {.size = sizeof histogram};
    double *axes[3] = {NULL, NULL, NULL};
    RW_TRY(rw_map_get_histogram(map, &histogram));
    size_t counts[3] = {map->info.columns, map->info.rows, histogram.bins};
    rw_status status = RW_OK;
    for (int i = 0; i < 3 && status == RW_OK; i++)
        status = rw_array_create(map->context, counts[i], sizeof(double), "axes", &axes[i]);
    if (status == RW_OK)
        status = write_histogram_datasets(map, path, axes[0], axes[1], axes[2]);
    for (int i = 0; i < 3; i++)
        free(axes[i]);
    return status;
}
