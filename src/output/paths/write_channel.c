/* Channels of antenna arrays to HDF5 files, and elements of arrays from CSV files. */
#include "base/text/csv.h"
#include "base/memory.h"
#include "base/options.h"
#include "ext/hdf5.h"
#include "output/paths/channel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SETS_MAX (8 + RW_CHANNEL_FIGURES)

static const struct {
    const char *name, *unit, *about;
} figures[RW_CHANNEL_FIGURES] = {
    [RW_CHANNEL_POWER] = {"power", "1", "received over transmitted power, summed over the paths: rx, tx"},
    [RW_CHANNEL_MEAN_DELAY] = {"mean_delay", "s", "weighed by power: rx, tx; NaN where there is no path"},
    [RW_CHANNEL_DELAY_SPREAD] = {"delay_spread", "s", "root mean square, ITU-R P.1407"},
    [RW_CHANNEL_AZIMUTH_SPREAD_T] = {"azimuth_spread_t", "rad", "of departure, 3GPP TR 38.901 annex A.1"},
    [RW_CHANNEL_AZIMUTH_SPREAD_R] = {"azimuth_spread_r", "rad", "of arrival"},
    [RW_CHANNEL_ELEVATION_SPREAD_T] = {"elevation_spread_t", "rad", "of departure"},
    [RW_CHANNEL_ELEVATION_SPREAD_R] = {"elevation_spread_r", "rad", "of arrival"}};

static void list_sets(const rw_channel *channel, rw_hdf5_dataset *sets)
{
    static const char *const angles[4] = {"theta_t", "phi_t", "theta_r", "phi_r"};
    *sets++ = (rw_hdf5_dataset){
        .name = "a",
        .type = RW_HDF5_COMPLEX64,
        .rank = 5,
        .shape = {channel->points, channel->rx_elements, channel->transmitters, channel->ports * channel->tx_elements,
                  channel->paths},
        .values = channel->a,
        .compress = 1,
        .description =
            "sqrt(received over transmitted power) with phase, e^{+j omega t}: rx, rx_ant, tx, tx_ant, path"};
    *sets++ = (rw_hdf5_dataset){.name = "tau",
                                .unit = "s",
                                .type = RW_HDF5_FLOAT64,
                                .rank = 3,
                                .shape = {channel->points, channel->transmitters, channel->paths},
                                .values = channel->tau,
                                .compress = 1,
                                .description = "delay: rx, tx, path; -1 beyond the last path"};
    for (int i = 0; i < 4; i++)
        *sets++ =
            (rw_hdf5_dataset){.name = angles[i],
                              .unit = "rad",
                              .type = RW_HDF5_FLOAT64,
                              .rank = 3,
                              .shape = {channel->points, channel->transmitters, channel->paths},
                              .values = channel->angles[i],
                              .compress = 1,
                              .description = i < 2 ? "of departure: rx, tx, path" : "towards where it comes from"};
    *sets++ = (rw_hdf5_dataset){.name = "path_count",
                                .type = RW_HDF5_UINT32,
                                .rank = 2,
                                .shape = {channel->points, channel->transmitters},
                                .values = channel->counts};
    for (int i = 0; i < RW_CHANNEL_FIGURES; i++)
        *sets++ = (rw_hdf5_dataset){.name = figures[i].name,
                                    .unit = figures[i].unit,
                                    .type = RW_HDF5_FLOAT64,
                                    .rank = 2,
                                    .shape = {channel->points, channel->transmitters},
                                    .values = channel->figures[i],
                                    .description = figures[i].about};
    *sets = (rw_hdf5_dataset){.name = "h",
                              .type = RW_HDF5_COMPLEX64,
                              .rank = 5,
                              .shape = {channel->points, channel->rx_elements, channel->transmitters,
                                        channel->ports * channel->tx_elements, channel->taps},
                              .values = channel->h,
                              .compress = 1,
                              .description = "impulse response at tap / bandwidth: rx, rx_ant, tx, tx_ant, tap"};
}

static rw_status write_channel_file(const rw_paths *paths, const rw_channel *channel, const rw_channel_options *options,
                                    const char *path)
{
    rw_hdf5_dataset sets[SETS_MAX + RW_CHANNEL_EXTRA_SETS];
    rw_channel_extra extra;
    double freq_hz = options->freq_hz;
    if (freq_hz == 0 && paths->transmitter_count > 0)
        freq_hz = paths->transmitters[0].freq_hz;
    const rw_hdf5_attribute attributes[] = {
        {"frequency_hz", NULL, freq_hz}, {"bandwidth_hz", NULL, options->bandwidth_hz}, {"version", rw_version(), 0}};
    list_sets(channel, sets);
    size_t count = channel->taps ? SETS_MAX : SETS_MAX - 1;
    rw_status status = rw_channel_extra_create(paths, channel, options->bandwidth_hz, &extra);
    if (status == RW_OK) {
        count += rw_channel_extra_list(channel, &extra, sets + count);
        status = rw_hdf5_write(paths->context, path, sets, count, attributes, 3);
    }
    rw_channel_extra_destroy(&extra);
    return status;
}

rw_status rw_paths_write_channel(const rw_paths *paths, const rw_channel_options *options, const char *path)
{
    rw_channel_options chosen;
    rw_channel channel;
    rw_channel_options_init(&chosen);
    RW_TRY(RW_RESOLVE(paths->context, options, &chosen));
    rw_status status = rw_channel_create(paths, &chosen, &channel);
    if (status == RW_OK)
        status = write_channel_file(paths, &channel, &chosen, path);
    rw_channel_destroy(&channel);
    return status;
}

static rw_status read_elements(const rw_csv *csv, rw_context *context, double **elements_m)
{
    static const char *const names[3] = {"x", "y", "z"};
    size_t columns[3];
    for (int i = 0; i < 3; i++)
        RW_TRY(rw_csv_require(csv, names[i], &columns[i]));
    RW_TRY(rw_array_create(context, 3 * csv->row_count + 1, sizeof **elements_m, "elements", elements_m));
    for (size_t row = 0; row < csv->row_count; row++)
        for (int i = 0; i < 3; i++)
            RW_TRY(rw_csv_required_number(csv, row, columns[i], RW_QUANTITY_LENGTH_M, *elements_m + 3 * row + i));
    return RW_OK;
}

rw_status rw_elements_load(rw_context *context, const char *path, double **elements_m, size_t *count)
{
    rw_csv csv;
    *elements_m = NULL;
    *count = 0;
    RW_TRY(rw_csv_read(context, path, &csv));
    rw_status status = read_elements(&csv, context, elements_m);
    if (status == RW_OK && csv.row_count == 0)
        status = rw_fail(context, RW_BAD_INPUT, "%s has no elements: a header line x,y,z and a line for each", path);
    if (status != RW_OK) {
        free(*elements_m);
        *elements_m = NULL;
    } else {
        *count = csv.row_count;
    }
    rw_csv_free(&csv);
    return status;
}
