/* From a table of measurements (CSV, or lines of numbers as the COST 231 routes are published) to samples of path loss.
 * Rows whose x, y or value is no number are counted, not guessed at; received power becomes path loss by the power that
 * was sent, which is given here or is that of each site (link_budget.c). */
#include "calibrate/measurements/measurements.h"

#include "base/memory.h"
#include "base/options.h"
#include "base/range.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Loggers write 9999 or -9999 for "nothing was heard"; no radio link has such a loss. */
#define BELIEVABLE_DB 1000

void rw_measurements_options_init_sized(rw_measurements_options *options, size_t size)
{
    const rw_measurements_options own = {.quantity = "path_loss", .tx_power_dbm = NAN};
    rw_defaults_copy(&own, sizeof own, options, size);
}

#define SUBCARRIERS_OF_BLOCK 12 /* 3GPP TS 36.211, table 6.2.3-1 */

static rw_status check_quantity(rw_context *context, const rw_measurements_options *options, int *is_power)
{
    const char *quantity = options->quantity ? options->quantity : "path_loss";
    int is_rsrp = strcmp(quantity, "rsrp") == 0;
    *is_power = is_rsrp || strcmp(quantity, "power") == 0;
    if (!*is_power && strcmp(quantity, "path_loss") != 0)
        return rw_fail(context, RW_BAD_CALL, "there is no quantity '%s'; use path_loss, power or rsrp", quantity);
    if (isinf(options->tx_power_dbm))
        return rw_fail(context, RW_BAD_CALL, "a transmitted power must be finite, such as tx-power 43dBm");
    if (!*is_power && !isnan(options->tx_power_dbm))
        return rw_fail(context, RW_BAD_CALL, "a transmitted power is for measurements of power: quantity power");
    if (options->resource_blocks < 0 || (options->resource_blocks && !is_rsrp))
        return rw_fail(context, RW_BAD_CALL, "resource blocks are for measurements of RSRP: quantity rsrp");
    return RW_OK;
}

/* Whether the field is a finite number of its quantity. */
static int read_sample_number(const rw_csv *csv, size_t row, size_t column, rw_quantity quantity, double *value)
{
    return rw_csv_parse(csv->context, rw_csv_string(csv, row, column), quantity, value) == RW_OK;
}

static int is_row_chosen(const rw_csv *csv, size_t row, size_t column, const char *name)
{
    return !name || strcmp(rw_csv_string(csv, row, column), name) == 0;
}

static int read_measured_sample(const rw_measurements *measurements, size_t row, const rw_measurement_columns *columns,
                                int is_power, double tx_power_dbm, rw_sample *sample)
{
    const rw_csv *csv = &measurements->csv;
    double value;
    sample->row = row;
    if (!read_sample_number(csv, row, columns->x, RW_QUANTITY_LENGTH_M, &sample->x_m) ||
        !read_sample_number(csv, row, columns->y, RW_QUANTITY_LENGTH_M, &sample->y_m) ||
        !read_sample_number(csv, row, columns->value, is_power ? RW_QUANTITY_POWER_DBM : RW_QUANTITY_LEVEL_DB, &value))
        return 0;
    if (columns->z == RW_CSV_NO_COLUMN || !read_sample_number(csv, row, columns->z, RW_QUANTITY_LENGTH_M, &sample->z_m))
        sample->z_m = NAN;
    sample->power_dbm = is_power ? value : NAN;
    sample->path_loss_db =
        is_power ? tx_power_dbm - measurements->power_fraction_db - value : value; /* NaN where sites say it */
    return fabs(value) <= BELIEVABLE_DB && !(fabs(sample->path_loss_db) > BELIEVABLE_DB);
}

static rw_status check_filter(const rw_csv *csv, const char *what, const char *name, size_t column)
{
    if (name && column == RW_CSV_NO_COLUMN)
        return rw_fail(csv->context, RW_BAD_INPUT,
                       "%s: no column for %s, so '%.100s' cannot be chosen; name it, such as "
                       "columns %s=NAME",
                       csv->path, what, name, what);
    return RW_OK;
}

/* Places in degrees, or in the system that the caller says, into the caller's own; what has no place there is no
 * measurement. */
static rw_status transform_samples(rw_measurements *new_measurements, const rw_measurements_options *options,
                                   int is_degrees)
{
    const char *from = options->crs && *options->crs ? options->crs : is_degrees ? "EPSG:4326" : NULL;
    size_t count = new_measurements->sample_count, valid_count = 0;
    double *xy;
    if (!from || count == 0)
        return RW_OK;
    RW_TRY(rw_array_create(new_measurements->context, 2 * count, sizeof *xy, "measurements", &xy));
    for (size_t i = 0; i < count; i++) {
        xy[2 * i] = new_measurements->samples[i].x_m;
        xy[2 * i + 1] = new_measurements->samples[i].y_m;
    }
    rw_status status = rw_transform_points(new_measurements->context, from, options->to_crs, xy, count);
    for (size_t i = 0; i < count && status == RW_OK; i++) {
        if (!rw_is_coordinate(xy[2 * i]) || !rw_is_coordinate(xy[2 * i + 1]))
            continue;
        new_measurements->samples[valid_count] = new_measurements->samples[i];
        new_measurements->samples[valid_count].x_m = xy[2 * i];
        new_measurements->samples[valid_count++].y_m = xy[2 * i + 1];
    }
    free(xy);
    if (status != RW_OK)
        return status;
    new_measurements->not_numbers += count - valid_count;
    new_measurements->sample_count = valid_count;
    return RW_OK;
}

static rw_status read_samples(rw_measurements *new_measurements, const rw_measurements_options *options)
{
    const rw_csv *csv = &new_measurements->csv;
    rw_measurement_columns columns;
    int is_power;
    RW_TRY(check_quantity(new_measurements->context, options, &is_power));
    RW_TRY(rw_measurement_columns_find(csv, options->columns, is_power, &columns));
    RW_TRY(check_filter(csv, "route", options->route, columns.route));
    RW_TRY(check_filter(csv, "site", options->site, columns.site));
    if (csv->row_count == 0)
        return rw_fail(new_measurements->context, RW_BAD_INPUT, "%s has a header line but no measurements", csv->path);
    new_measurements->route_column = columns.route;
    new_measurements->site_column = columns.site;
    new_measurements->device_column = columns.device;
    new_measurements->z_named = columns.z != RW_CSV_NO_COLUMN && (csv->has_header || options->columns);
    new_measurements->by_site = is_power && isnan(options->tx_power_dbm);
    new_measurements->power_fraction_db =
        options->resource_blocks ? 10 * log10(SUBCARRIERS_OF_BLOCK * (double)options->resource_blocks) : 0;
    RW_TRY(rw_array_create(new_measurements->context, csv->row_count, sizeof *new_measurements->samples, "measurements",
                           &new_measurements->samples));
    for (size_t row = 0; row < csv->row_count; row++) {
        if (!is_row_chosen(csv, row, columns.route, options->route) ||
            !is_row_chosen(csv, row, columns.site, options->site))
            new_measurements->not_chosen++;
        else if (read_measured_sample(new_measurements, row, &columns, is_power, options->tx_power_dbm,
                                      &new_measurements->samples[new_measurements->sample_count]))
            new_measurements->sample_count++;
        else
            new_measurements->not_numbers++;
    }
    RW_TRY(transform_samples(new_measurements, options, columns.is_degrees));
    if (new_measurements->sample_count > 0)
        return RW_OK;
    return rw_fail(
        new_measurements->context, RW_BAD_INPUT,
        "%s: none of its %zu lines is a measurement: %zu have no number in x, y or value, %zu are of another "
        "route or site",
        csv->path, csv->row_count, new_measurements->not_numbers, new_measurements->not_chosen);
}

rw_status rw_measurements_load(rw_context *context, const char *path, const rw_measurements_options *options,
                               rw_measurements **measurements)
{
    rw_measurements_options chosen;
    rw_measurements *new_measurements;
    *measurements = NULL;
    rw_measurements_options_init(&chosen);
    if (options)
        RW_TRY(RW_RESOLVE(context, options, &chosen));
    RW_TRY(rw_array_create(context, 1, sizeof *new_measurements, "measurements", &new_measurements));
    new_measurements->context = context;
    rw_status status = rw_csv_read_loose(context, path, &new_measurements->csv);
    if (status == RW_OK)
        status = read_samples(new_measurements, &chosen);
    if (status != RW_OK) {
        rw_measurements_destroy(new_measurements);
        return status;
    }
    *measurements = new_measurements;
    return RW_OK;
}

void rw_measurements_destroy(rw_measurements *measurements)
{
    if (!measurements)
        return;
    rw_csv_free(&measurements->csv);
    free(measurements->samples);
    free(measurements);
}

rw_status rw_measurements_get_info(const rw_measurements *measurements, rw_measurements_info *info)
{
    const rw_measurements_info measurements_info = {.rows = measurements->csv.row_count,
                                                    .samples = measurements->sample_count,
                                                    .not_numbers = measurements->not_numbers,
                                                    .not_chosen = measurements->not_chosen};
    return RW_ASSIGN(measurements->context, &measurements_info, info);
}

const char *rw_sample_route(const rw_measurements *measurements, size_t sample)
{
    return rw_csv_string(&measurements->csv, measurements->samples[sample].row, measurements->route_column);
}

const char *rw_sample_site(const rw_measurements *measurements, size_t sample)
{
    return rw_csv_string(&measurements->csv, measurements->samples[sample].row, measurements->site_column);
}

const char *rw_sample_device(const rw_measurements *measurements, size_t sample)
{
    return rw_csv_string(&measurements->csv, measurements->samples[sample].row, measurements->device_column);
}

rw_status rw_measurements_get(const rw_measurements *measurements, size_t index, rw_measurement *measurement)
{
    const rw_csv *csv = &measurements->csv;
    if (index >= measurements->sample_count)
        return rw_fail(measurements->context, RW_BAD_CALL, "there are %zu measurements, there is no number %zu",
                       measurements->sample_count, index);
    const rw_sample *sample = &measurements->samples[index];
    const rw_measurement new_measurement = {.x_m = sample->x_m,
                                            .y_m = sample->y_m,
                                            .z_m = sample->z_m,
                                            .path_loss_db = sample->path_loss_db,
                                            .route = rw_sample_route(measurements, index),
                                            .site = rw_sample_site(measurements, index),
                                            .line = csv->lines[sample->row],
                                            .power_dbm = sample->power_dbm,
                                            .device = rw_sample_device(measurements, index)};
    return RW_ASSIGN(measurements->context, &new_measurement, measurement);
}
