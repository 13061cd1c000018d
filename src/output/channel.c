/* Channel matrices of antenna arrays from paths, as HDF5. Plane waves over each array: an element at r sees a path of
 * direction u with e^{+j k u.r} more phase than the array's centre, at both ends. */
#include "output/paths.h"

#include "base/elementary.h"
#include "base/memory.h"
#include "base/options.h"
#include "ext/hdf5.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ELEMENTS_MAX 4096

void rw_channel_options_init(rw_channel_options *options)
{
    memset(options, 0, sizeof *options);
    options->size = sizeof *options;
    options->rx_rows = options->rx_columns = options->tx_rows = options->tx_columns = 1;
    options->freq_hz = 947e6;
}

/* The arrays of the file. */
typedef struct channel {
    size_t points, transmitters, paths, rx_elements, tx_elements;
    float *re, *im;
    double *tau, *angles[4]; /* theta_t, phi_t, theta_r, phi_r */
    uint32_t *counts;
} channel;

static void release(channel *made)
{
    free(made->re);
    free(made->im);
    free(made->tau);
    free(made->counts);
    for (int i = 0; i < 4; i++)
        free(made->angles[i]);
}

static void measure(const rw_paths *paths, const rw_channel_options *options, channel *made)
{
    made->points = options->points;
    made->transmitters = options->transmitters;
    for (size_t i = 0; i < paths->count; i++) {
        const rw_path_entry *entry = &paths->entries[i];
        made->points = entry->point >= made->points ? entry->point + 1 : made->points;
        made->transmitters = entry->transmitter >= made->transmitters ? entry->transmitter + 1 : made->transmitters;
    }
    made->rx_elements = (size_t)options->rx_rows * (size_t)options->rx_columns;
    made->tx_elements = (size_t)options->tx_rows * (size_t)options->tx_columns;
}

static rw_status take(rw_context *context, const rw_paths *paths, channel *made)
{
    size_t pairs = made->points * made->transmitters;
    RW_TRY(rw_array_create(context, pairs + 1, sizeof *made->counts, "channels", &made->counts));
    for (size_t i = 0; i < paths->count; i++) {
        uint32_t *count = &made->counts[paths->entries[i].point * made->transmitters + paths->entries[i].transmitter];
        made->paths = ++*count > made->paths ? *count : made->paths;
    }
    memset(made->counts, 0, pairs * sizeof *made->counts);
    size_t cells = pairs * made->paths;
    for (int i = 0; i < 4; i++)
        RW_TRY(rw_array_create(context, cells + 1, sizeof(double), "channels", &made->angles[i]));
    RW_TRY(rw_array_create(context, cells + 1, sizeof(double), "channels", &made->tau));
    for (size_t i = 0; i < cells; i++)
        made->tau[i] = -1;
    size_t values = cells * made->rx_elements * made->tx_elements + 1;
    RW_TRY(rw_array_create(context, values, sizeof(float), "channels", &made->re));
    return rw_array_create(context, values, sizeof(float), "channels", &made->im);
}

/* Turns of phase by which an element is ahead of its array's centre. */
static double element_turns(size_t element, int rows, int columns, double theta_deg, double phi_deg)
{
    double row = (double)(element / (size_t)columns) - 0.5 * (rows - 1);
    double column = (double)(element % (size_t)columns) - 0.5 * (columns - 1);
    double theta = theta_deg * RW_PI / 180, phi = phi_deg * RW_PI / 180;
    return 0.5 * (column * sin(theta) * cos(phi) + row * cos(theta));
}

static void add_path(const rw_path *path, const rw_channel_options *options, channel *made)
{
    size_t pair = path->point * made->transmitters + path->transmitter, index = made->counts[pair]++;
    size_t cell = pair * made->paths + index;
    const double angles[4] = {path->departure_theta_deg, path->departure_phi_deg, path->arrival_theta_deg,
                              path->arrival_phi_deg};
    made->tau[cell] = path->delay_s;
    for (int i = 0; i < 4; i++)
        made->angles[i][cell] = angles[i] * RW_PI / 180;
    for (size_t r = 0; r < made->rx_elements; r++)
        for (size_t t = 0; t < made->tx_elements; t++) {
            double turns = element_turns(r, options->rx_rows, options->rx_columns, angles[2], angles[3]) +
                           element_turns(t, options->tx_rows, options->tx_columns, angles[0], angles[1]);
            rw_complex gain =
                rw_complex_mul(rw_complex_make(path->gain_re, path->gain_im), rw_complex_polar(1, 2 * RW_PI * turns));
            size_t at =
                (((path->point * made->rx_elements + r) * made->transmitters + path->transmitter) * made->tx_elements +
                 t) *
                    made->paths +
                index;
            made->re[at] = (float)gain.re;
            made->im[at] = (float)gain.im;
        }
}

static rw_status write(rw_context *context, const channel *made, double freq_hz, const char *path)
{
    static const char *const names[4] = {"theta_t", "phi_t", "theta_r", "phi_r"};
    rw_hdf5_dataset sets[8] = {
        {.name = "a_real",
         .type = RW_HDF5_FLOAT32,
         .rank = 5,
         .values = made->re,
         .compress = 1,
         .description = "real part of sqrt(received over transmitted power): rx, rx_ant, tx, tx_ant, path"},
        {.name = "a_imag",
         .type = RW_HDF5_FLOAT32,
         .rank = 5,
         .values = made->im,
         .compress = 1,
         .description = "its imaginary part; fields follow e^{+j omega t}"},
        {.name = "tau",
         .unit = "s",
         .type = RW_HDF5_FLOAT64,
         .rank = 3,
         .values = made->tau,
         .compress = 1,
         .description = "delay: rx, tx, path; -1 beyond the last path"}};
    for (int s = 0; s < 2; s++) {
        const size_t shape[5] = {made->points, made->rx_elements, made->transmitters, made->tx_elements, made->paths};
        memcpy(sets[s].shape, shape, sizeof shape);
    }
    for (int s = 2; s < 7; s++) {
        const size_t shape[3] = {made->points, made->transmitters, made->paths};
        if (s > 2)
            sets[s] = (rw_hdf5_dataset){.name = names[s - 3],
                                        .unit = "rad",
                                        .type = RW_HDF5_FLOAT64,
                                        .rank = 3,
                                        .values = made->angles[s - 3],
                                        .compress = 1};
        memcpy(sets[s].shape, shape, sizeof shape);
    }
    sets[7] = (rw_hdf5_dataset){.name = "path_count",
                                .type = RW_HDF5_UINT32,
                                .rank = 2,
                                .values = made->counts,
                                .shape = {made->points, made->transmitters}};
    const rw_hdf5_attribute attributes[] = {{"frequency_hz", NULL, freq_hz}};
    return rw_hdf5_write(context, path, sets, 8, attributes, 1);
}

static rw_status check(rw_context *context, const rw_paths *paths, const rw_channel_options *options)
{
    const int sides[4] = {options->rx_rows, options->rx_columns, options->tx_rows, options->tx_columns};
    for (int i = 0; i < 4; i++)
        if (sides[i] < 1 || sides[i] > ELEMENTS_MAX)
            return rw_fail(context, RW_BAD_CALL, "an array of %d elements a side is not possible; 1 to %d are",
                           sides[i], ELEMENTS_MAX);
    for (size_t i = 0; i < paths->count; i++)
        if (paths->entries[i].gain.re == 0 && paths->entries[i].gain.im == 0)
            return rw_fail(context, RW_BAD_CALL,
                           "the paths have losses and no phases; use --model images for channels");
    return RW_OK;
}

rw_status rw_paths_write_channel(const rw_paths *paths, const rw_channel_options *options, const char *path)
{
    rw_channel_options chosen;
    channel made = {0};
    rw_channel_options_init(&chosen);
    RW_TRY(rw_options_take(paths->context, options, &chosen, sizeof chosen));
    RW_TRY(check(paths->context, paths, &chosen));
    measure(paths, &chosen, &made);
    rw_status status = take(paths->context, paths, &made);
    for (size_t i = 0; status == RW_OK && i < paths->count; i++) {
        rw_path one;
        status = rw_paths_get(paths, i, &one);
        if (status == RW_OK)
            add_path(&one, &chosen, &made);
    }
    if (status == RW_OK)
        status = write(paths->context, &made, chosen.freq_hz, path);
    release(&made);
    return status;
}
