/* From paths to the channels of antenna arrays: coefficients of each pair of elements, impulse response, spreads.
 *
 * Plane waves over each array: an element at r sees a path of direction u with e^{+j k u.r} more phase than the array's
 * centre, at both ends. The impulse response is that of an ideal low pass: h_l = sum of a sinc(l - B tau), as Tse and
 * Viswanath (2005), equation (2.34), have it. Valid where arrays are small against the distances. */
#include "output/paths/channel.h"

#include "base/maths/elementary.h"
#include "base/memory.h"
#include "base/options.h"
#include "field/paths/polarisation.k.h"
#include "field/paths/ray_sums.k.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ELEMENTS_MAX 4096
#define TAPS_MAX 65536
#define FREQUENCIES_MAX 65536
#define PORTS_MAX 8
#define SAME_DELAY_S 1e-13 /* of one path between other ports: 0.03 mm */
#define SAME_POSITION_M 1e-3
#define TAPS_BEHIND 8 /* the last path: what its low pass leaves beyond them is below -28 dB */

void rw_channel_options_init_sized(rw_channel_options *options, size_t size)
{
    const rw_channel_options own = {.rx_rows = 1,
                                    .rx_columns = 1,
                                    .tx_rows = 1,
                                    .tx_columns = 1,
                                    .rx_spacing = 0.5,
                                    .tx_spacing = 0.5,
                                    .tx_ports = 1};
    rw_defaults_copy(&own, sizeof own, options, size);
}

void rw_channel_destroy(rw_channel *channel)
{
    free(channel->rx_positions_m);
    free(channel->tx_positions_m);
    free(channel->a);
    free(channel->h);
    free(channel->response);
    free(channel->slots);
    free(channel->tau);
    free(channel->counts);
    for (int i = 0; i < 4; i++)
        free(channel->angles[i]);
    for (int i = 0; i < RW_CHANNEL_FIGURES; i++)
        free(channel->figures[i]);
    *channel = (rw_channel){0};
}

/* One end's array, as the options say it. */
typedef struct requested_array {
    const char *name;
    int rows, columns;
    double spacing;
    const double *elements_m;
    size_t element_count;
} requested_array;

static rw_status check_channel_array(rw_context *context, const requested_array *requested)
{
    if (requested->elements_m) {
        for (size_t i = 0; i < 3 * requested->element_count; i++)
            if (!(fabs(requested->elements_m[i]) < 1e4))
                return rw_fail(context, RW_BAD_CALL, "element %zu of the %s array is not within 10 km of its centre",
                               i / 3 + 1, requested->name);
        if (requested->element_count < 1 || requested->element_count > ELEMENTS_MAX)
            return rw_fail(context, RW_BAD_CALL, "a %s array of %zu elements is not possible; 1 to %d are",
                           requested->name, requested->element_count, ELEMENTS_MAX);
        return RW_OK;
    }
    if (requested->rows < 1 || requested->columns < 1 || requested->rows > ELEMENTS_MAX ||
        requested->columns > ELEMENTS_MAX || requested->rows * requested->columns > ELEMENTS_MAX)
        return rw_fail(context, RW_BAD_CALL, "a %s array of %d x %d elements is not possible; 1 to %d elements are",
                       requested->name, requested->rows, requested->columns, ELEMENTS_MAX);
    if (!(requested->spacing > 0 && requested->spacing < 1e4))
        return rw_fail(context, RW_BAD_CALL,
                       "elements %g wavelengths apart are not possible in the %s array; 0.5 is usual",
                       requested->spacing, requested->name);
    return RW_OK;
}

static size_t count_array_elements(const requested_array *requested)
{
    return requested->elements_m ? requested->element_count : (size_t)requested->rows * (size_t)requested->columns;
}

/* Elements in the scene's frame, round the antenna. */
static void locate_elements(const requested_array *requested, const rw_antenna_axes *axes, double wavelength_m,
                            rw_vec3 *positions)
{
    for (size_t i = 0; i < count_array_elements(requested); i++) {
        double x, y = 0, z;
        if (requested->elements_m) {
            x = requested->elements_m[3 * i];
            y = requested->elements_m[3 * i + 1];
            z = requested->elements_m[3 * i + 2];
        } else {
            x = ((double)(i % (size_t)requested->columns) - 0.5 * (requested->columns - 1)) * requested->spacing *
                wavelength_m;
            z = ((double)(i / (size_t)requested->columns) - 0.5 * (requested->rows - 1)) * requested->spacing *
                wavelength_m;
        }
        positions[i] = rw_vec3_add(rw_vec3_sub(rw_vec3_scale(axes->forward, y), rw_vec3_scale(axes->left, x)),
                                   rw_vec3_scale(axes->up, z));
    }
}

static double wavelength_of(const rw_paths *paths, const rw_channel_options *options, size_t transmitter)
{
    double freq_hz = options->freq_hz;
    if (freq_hz == 0 && transmitter < paths->transmitter_count)
        freq_hz = paths->transmitters[transmitter].freq_hz; /* NOLINT: there are as many as the count says */
    return RW_SPEED_OF_LIGHT_M_S / freq_hz;
}

/* A receiver's rows and columns are in wavelengths, so that they too hang on the transmitter. */
static rw_status locate_arrays(const rw_paths *paths, const rw_channel_options *options,
                               const requested_array requested[2], rw_channel *channel)
{
    rw_context *context = paths->context;
    channel->rx_elements = count_array_elements(&requested[0]);
    if (paths->own_antennas && channel->rx_elements > 1)
        return rw_fail(context, RW_BAD_CALL,
                       "points with antennas of their own have one antenna each; leave rx-array out, or the antennas");
    channel->tx_elements = count_array_elements(&requested[1]);
    RW_TRY(rw_array_create(context, channel->transmitters * channel->rx_elements + 1, sizeof(rw_vec3), "arrays",
                           &channel->rx_positions_m));
    RW_TRY(rw_array_create(context, channel->transmitters * channel->tx_elements + 1, sizeof(rw_vec3), "arrays",
                           &channel->tx_positions_m));
    rw_antenna_axes upright = rw_antenna_axes_of(0, 0, 0),
                    receiver = rw_antenna_axes_of(paths->rx_azimuth_deg, paths->rx_tilt_deg, paths->rx_roll_deg);
    for (size_t i = 0; i < channel->transmitters; i++) {
        size_t first = i * channel->ports;
        const rw_transmitter *about = first < paths->transmitter_count ? &paths->transmitters[first] : NULL;
        rw_antenna_axes axes =
            about ? rw_antenna_axes_of(about->azimuth_deg, about->downtilt_deg, about->roll_deg) : upright;
        double wavelength_m = wavelength_of(paths, options, first);
        locate_elements(&requested[0], &receiver, wavelength_m, channel->rx_positions_m + i * channel->rx_elements);
        locate_elements(&requested[1], &axes, wavelength_m, channel->tx_positions_m + i * channel->tx_elements);
    }
    return RW_OK;
}

static void count_channel_ends(const rw_paths *paths, const rw_channel_options *options, rw_channel *channel)
{
    channel->points = paths->point_count > options->points ? paths->point_count : options->points;
    channel->ports = (size_t)options->tx_ports;
    size_t transmitters = (paths->transmitter_count + channel->ports - 1) / channel->ports;
    channel->transmitters = transmitters > options->transmitters ? transmitters : options->transmitters;
    for (size_t i = 0; i < paths->count; i++) {
        const rw_path_entry *entry = &paths->entries[i];
        size_t transmitter = entry->transmitter / channel->ports;
        channel->points = entry->point >= channel->points ? entry->point + 1 : channel->points;
        channel->transmitters = transmitter >= channel->transmitters ? transmitter + 1 : channel->transmitters;
    }
}

/* Whether two paths are one, between other ports. */
static int is_same_path(const rw_paths *paths, size_t a, size_t b)
{
    const rw_path_entry *first = &paths->entries[a], *second = &paths->entries[b];
    if (first->transmitter == second->transmitter || first->vertex_count != second->vertex_count ||
        fabs(first->length_m - second->length_m) > SAME_POSITION_M ||
        fabs(first->delay_s - second->delay_s) > SAME_DELAY_S)
        return 0;
    for (size_t i = 0; i < first->vertex_count; i++) {
        const rw_path_vertex *p = &paths->vertices[first->first_vertex + i],
                             *q = &paths->vertices[second->first_vertex + i];
        double apart_m = fabs(p->x_m - q->x_m) + fabs(p->y_m - q->y_m) + fabs(p->z_m - q->z_m);
        if (p->interaction != q->interaction || !(apart_m < SAME_POSITION_M))
            return 0;
    }
    return 1;
}

/* Numbers the paths of each pair. A path between several ports has one number. */
static rw_status number_paths(const rw_paths *paths, rw_channel *channel)
{
    size_t pairs = channel->points * channel->transmitters, *last, *before;
    RW_TRY(rw_array_create(paths->context, paths->count + 1, sizeof *channel->slots, "channels", &channel->slots));
    RW_TRY(rw_array_create(paths->context, pairs + paths->count + 2, sizeof *last, "channels", &last));
    before = last + pairs + 1; /* of each path, the one of its pair before it that has a number of its own, + 1 */
    for (size_t i = 0; i < paths->count; i++) {
        const rw_path_entry *entry = &paths->entries[i];
        size_t pair = entry->point * channel->transmitters + entry->transmitter / channel->ports;
        size_t found = channel->ports > 1 ? last[pair] : 0;
        while (found && !is_same_path(paths, found - 1, i))
            found = before[found - 1];
        channel->slots[i] = found ? channel->slots[found - 1] : channel->counts[pair]++;
        if (found)
            continue;
        before[i] = last[pair];
        last[pair] = i + 1;
    }
    free(last);
    return RW_OK;
}

static rw_status allocate_channel(const rw_paths *paths, const rw_channel_options *options, rw_channel *channel)
{
    rw_context *context = paths->context;
    size_t pairs = channel->points * channel->transmitters;
    double latest_s = 0;
    RW_TRY(rw_array_create(context, pairs + 1, sizeof *channel->counts, "channels", &channel->counts));
    RW_TRY(number_paths(paths, channel));
    for (size_t i = 0; i < paths->count; i++) {
        rw_path path = {.size = sizeof path};
        RW_TRY(rw_paths_get(paths, i, &path));
        channel->paths = channel->slots[i] >= channel->paths ? channel->slots[i] + 1 : channel->paths;
        latest_s = fmax(latest_s, path.delay_s);
    }
    size_t cells = pairs * channel->paths, elements = channel->rx_elements * channel->ports * channel->tx_elements;
    for (int i = 0; i < 4; i++)
        RW_TRY(rw_array_create(context, cells + 1, sizeof(double), "channels", &channel->angles[i]));
    for (int i = 0; i < RW_CHANNEL_FIGURES; i++)
        RW_TRY(rw_array_create(context, pairs + 1, sizeof(double), "channels", &channel->figures[i]));
    RW_TRY(rw_array_create(context, cells + 1, sizeof(double), "channels", &channel->tau));
    for (size_t i = 0; i < cells; i++)
        channel->tau[i] = -1;
    RW_TRY(rw_array_create(context, 2 * cells * elements + 1, sizeof(float), "channels", &channel->a));
    channel->frequencies = (size_t)options->frequencies;
    RW_TRY(rw_array_create(context, 2 * pairs * channel->frequencies * elements + 1, sizeof(float), "channels",
                           &channel->response));
    if (options->bandwidth_hz == 0)
        return RW_OK;
    if (latest_s * options->bandwidth_hz > TAPS_MAX - TAPS_BEHIND - 1)
        return rw_fail(context, RW_TOO_LARGE, "an impulse response of %.3g s at %.3g MHz has more than %d taps",
                       latest_s, options->bandwidth_hz / 1e6, TAPS_MAX);
    channel->taps = (size_t)ceil(latest_s * options->bandwidth_hz) + TAPS_BEHIND + 1;
    return rw_array_create(context, 2 * pairs * channel->taps * elements + 1, sizeof(float), "channels", &channel->h);
}

static rw_vec3 direction_from_angles(double theta, double phi)
{
    return rw_vec3_of(sin(theta) * cos(phi), sin(theta) * sin(phi), cos(theta));
}

static double low_pass(double taps)
{
    return fabs(taps) < 1e-9 ? 1 : sin(RW_PI * taps) / (RW_PI * taps);
}

double rw_channel_frequency_hz(double bandwidth_hz, size_t frequencies, size_t index)
{
    return bandwidth_hz * (((double)index + 0.5) / (double)frequencies - 0.5);
}

/* One path between one pair of elements: its place in a, and its share of every tap. */
static void add_coefficient(rw_channel *channel, const rw_path *path, size_t index, size_t r, size_t t, rw_complex gain,
                            double bandwidth_hz)
{
    size_t senders = channel->ports * channel->tx_elements, port = path->transmitter % channel->ports;
    size_t pair =
        ((path->point * channel->rx_elements + r) * channel->transmitters + path->transmitter / channel->ports) *
            senders +
        port * channel->tx_elements + t;
    channel->a[2 * (pair * channel->paths + index)] = (float)gain.re;
    channel->a[2 * (pair * channel->paths + index) + 1] = (float)gain.im;
    for (size_t tap = 0; tap < channel->taps; tap++) {
        double weight = low_pass((double)tap - bandwidth_hz * path->delay_s);
        channel->h[2 * (pair * channel->taps + tap)] += (float)(weight * gain.re);
        channel->h[2 * (pair * channel->taps + tap) + 1] += (float)(weight * gain.im);
    }
    for (size_t i = 0; i < channel->frequencies; i++) {
        double cycles = rw_channel_frequency_hz(bandwidth_hz, channel->frequencies, i) * path->delay_s;
        rw_complex at = rw_complex_mul(gain, rw_complex_polar(1, -2 * RW_PI * (cycles - floor(cycles))));
        channel->response[2 * (pair * channel->frequencies + i)] += (float)at.re;
        channel->response[2 * (pair * channel->frequencies + i) + 1] += (float)at.im;
    }
}

static void add_path_to_channel(const rw_paths *paths, const rw_path *path, size_t index,
                                const rw_channel_options *options, rw_channel *channel)
{
    size_t transmitter = path->transmitter / channel->ports;
    size_t pair = path->point * channel->transmitters + transmitter;
    size_t cell = pair * channel->paths + index;
    const double angles_deg[4] = {path->departure_theta_deg, path->departure_phi_deg, path->arrival_theta_deg,
                                  path->arrival_phi_deg};
    double wavelength_m = wavelength_of(paths, options, path->transmitter), angles[4];
    channel->tau[cell] = path->delay_s;
    for (int i = 0; i < 4; i++)
        channel->angles[i][cell] = angles[i] = angles_deg[i] * RW_PI / 180;
    rw_vec3 departs = direction_from_angles(angles[0], angles[1]),
            arrives = direction_from_angles(angles[2], angles[3]);
    const rw_vec3 *receivers = channel->rx_positions_m + transmitter * channel->rx_elements;
    const rw_vec3 *senders = channel->tx_positions_m + transmitter * channel->tx_elements;
    for (size_t r = 0; r < channel->rx_elements; r++)
        for (size_t t = 0; t < channel->tx_elements; t++) {
            double ahead_m = rw_vec3_dot(receivers[r], arrives) + rw_vec3_dot(senders[t], departs);
            rw_complex gain = rw_complex_mul(rw_complex_of(path->gain_re, path->gain_im),
                                             rw_complex_polar(1, 2 * RW_PI * ahead_m / wavelength_m));
            add_coefficient(channel, path, index, r, t, gain, options->bandwidth_hz);
        }
}

/* Power, delays (ITU-R P.1407) and angular spreads of one pair, from its paths. path_power: of each, in their order. */
static void summarise_pair(rw_channel *channel, size_t pair, const double *path_power)
{
    double power = 0, mean = 0, square = 0, circle[4][2] = {{0}};
    for (size_t i = 0; i < channel->counts[pair]; i++) {
        size_t cell = pair * channel->paths + i;
        double p = path_power[cell];
        power += p;
        mean += p * channel->tau[cell];
        for (int k = 0; k < 4; k++) {
            circle[k][0] += p * cos(channel->angles[k][cell]);
            circle[k][1] += p * sin(channel->angles[k][cell]);
        }
    }
    mean /= power;
    for (size_t i = 0; i < channel->counts[pair]; i++) {
        double late = channel->tau[pair * channel->paths + i] - mean;
        square += path_power[pair * channel->paths + i] * late * late / power;
    }
    int none = channel->counts[pair] == 0;
    const double figures[RW_CHANNEL_FIGURES] = {power,
                                                mean,
                                                sqrt(square),
                                                rw_circular_spread(circle[1][0], circle[1][1], power),
                                                rw_circular_spread(circle[3][0], circle[3][1], power),
                                                rw_circular_spread(circle[0][0], circle[0][1], power),
                                                rw_circular_spread(circle[2][0], circle[2][1], power)};
    for (int i = 0; i < RW_CHANNEL_FIGURES; i++)
        channel->figures[i][pair] = none && i != RW_CHANNEL_POWER ? NAN : figures[i];
}

static rw_status compute_channel(const rw_paths *paths, const rw_channel_options *options, rw_channel *channel)
{
    double *path_power;
    size_t pairs = channel->points * channel->transmitters;
    RW_TRY(rw_array_create(paths->context, pairs * channel->paths + 1, sizeof *path_power, "channels", &path_power));
    rw_status status = RW_OK;
    for (size_t i = 0; status == RW_OK && i < paths->count; i++) {
        rw_path path = {.size = sizeof path};
        status = rw_paths_get(paths, i, &path);
        if (status != RW_OK)
            break;
        size_t pair = path.point * channel->transmitters + path.transmitter / channel->ports;
        path_power[pair * channel->paths + channel->slots[i]] += /* the mean of its ports */
            (path.gain_re * path.gain_re + path.gain_im * path.gain_im) / (double)channel->ports;
        add_path_to_channel(paths, &path, channel->slots[i], options, channel);
    }
    for (size_t pair = 0; status == RW_OK && pair < pairs; pair++)
        summarise_pair(channel, pair, path_power);
    free(path_power);
    return status;
}

static rw_status check_channel_options(const rw_paths *paths, const rw_channel_options *options)
{
    rw_context *context = paths->context;
    if (!(options->freq_hz == 0 || (options->freq_hz >= 1e6 && options->freq_hz <= 1e12)))
        return rw_fail(context, RW_BAD_CALL, "a frequency of %g Hz is not between 1 MHz and 1 THz", options->freq_hz);
    if (!(options->bandwidth_hz == 0 || (options->bandwidth_hz >= 1 && options->bandwidth_hz <= 1e12)))
        return rw_fail(context, RW_BAD_CALL, "a bandwidth of %g Hz is not between 1 Hz and 1 THz",
                       options->bandwidth_hz);
    if (options->frequencies < 0 || options->frequencies > FREQUENCIES_MAX ||
        (options->frequencies && options->bandwidth_hz == 0))
        return rw_fail(context, RW_BAD_CALL, "a frequency response has 1 to %d frequencies over a bandwidth, not %d",
                       FREQUENCIES_MAX, options->frequencies);
    if (options->tx_ports < 1 || options->tx_ports > PORTS_MAX)
        return rw_fail(context, RW_BAD_CALL, "a transmitter has 1 to %d ports, not %d", PORTS_MAX, options->tx_ports);
    for (size_t i = 0; i < paths->count; i++)
        if (paths->entries[i].gain.re == 0 && paths->entries[i].gain.im == 0)
            return rw_fail(
                context, RW_BAD_CALL,
                "the paths have losses and no phases, which channels need; use model rt or tiles, indoors images");
    return RW_OK;
}

rw_status rw_channel_create(const rw_paths *paths, const rw_channel_options *options, rw_channel *channel)
{
    const requested_array requested[2] = {{"receiver's", options->rx_rows, options->rx_columns, options->rx_spacing,
                                           options->rx_elements_m, options->rx_element_count},
                                          {"transmitter's", options->tx_rows, options->tx_columns, options->tx_spacing,
                                           options->tx_elements_m, options->tx_element_count}};
    *channel = (rw_channel){0};
    for (int i = 0; i < 2; i++)
        RW_TRY(check_channel_array(paths->context, &requested[i]));
    RW_TRY(check_channel_options(paths, options));
    count_channel_ends(paths, options, channel);
    RW_TRY(locate_arrays(paths, options, requested, channel));
    RW_TRY(allocate_channel(paths, options, channel));
    return compute_channel(paths, options, channel);
}
