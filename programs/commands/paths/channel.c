/* Antenna arrays of the command line, and the channel file of paths --out NAME.h5. */
#include "commands/paths/paths.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "8", "4x2" or "4x2@0.7": rows, columns and their distance in wavelengths. 0 where the text is none of these. */
static int read_array(const char *string, int *rows, int *columns, double *spacing)
{
    char *end;
    long first = strtol(string, &end, 10), second = 0;
    int several = *end == 'x';
    if (end == string)
        return 0;
    if (several) {
        string = end + 1;
        second = strtol(string, &end, 10);
        if (end == string)
            return 0;
    }
    if (*end == '@') {
        string = end + 1;
        *spacing = strtod(string, &end);
        if (end == string)
            return 0;
    }
    long max_count = 1 << 20; /* what is too much is told by the library */
    *rows = several ? (int)(first < max_count ? first : max_count) : 1;
    *columns = several ? (int)(second < max_count ? second : max_count) : (int)(first < max_count ? first : max_count);
    return *end == 0;
}

static int is_file(const char *string)
{
    size_t length = strlen(string);
    return length > 4 && strcmp(string + length - 4, ".csv") == 0;
}

static int check_antenna_array(const char *option, const char *string)
{
    int rows, columns;
    double spacing;
    if (!string || is_file(string) || read_array(string, &rows, &columns, &spacing))
        return 0;
    return report_error(
        "--%s %s: expected a number of antennas (8), ROWSxCOLUMNS (4x2, or 4x2@0.7 wavelengths apart) or a "
        "file NAME.csv",
        option, string);
}

int check_arrays(const struct call *call)
{
    const struct paths_settings *settings = call->settings;
    int exit_status = check_antenna_array("rx-array", settings->rx_array);
    return exit_status ? exit_status : check_antenna_array("tx-array", settings->tx_array);
}

rw_status write_channel(struct call *call, const rw_paths *paths, int ports)
{
    const struct paths_settings *settings = call->settings;
    rw_channel_options options;
    double *elements_m[2] = {NULL, NULL};
    rw_status status = RW_OK;
    rw_channel_options_init(&options);
    options.bandwidth_hz = settings->bandwidth_hz;
    options.frequencies = settings->frequencies;
    options.tx_ports = ports;
    if (settings->rx_array && is_file(settings->rx_array))
        status = rw_elements_load(call->context, settings->rx_array, &elements_m[0], &options.rx_element_count);
    else if (settings->rx_array)
        read_array(settings->rx_array, &options.rx_rows, &options.rx_columns, &options.rx_spacing);
    if (status == RW_OK && settings->tx_array && is_file(settings->tx_array))
        status = rw_elements_load(call->context, settings->tx_array, &elements_m[1], &options.tx_element_count);
    else if (settings->tx_array)
        read_array(settings->tx_array, &options.tx_rows, &options.tx_columns, &options.tx_spacing);
    options.rx_elements_m = elements_m[0];
    options.tx_elements_m = elements_m[1];
    if (status == RW_OK)
        status = rw_paths_write_channel(paths, &options, settings->out);
    for (int i = 0; i < 2; i++)
        rw_free(elements_m[i]);
    return status;
}
