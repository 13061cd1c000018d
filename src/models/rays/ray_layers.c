#include "models/rays/ray_layers.h"

#include <math.h>
#include <string.h>

const rw_layer_kind rw_room_layer_kinds[RW_RAY_LAYER_COUNT + 2] = {RW_ROOM_LAYERS(RW_LAYER_KIND){NULL, NULL, NULL}};

const rw_layer_kind rw_city_layer_kinds[RW_RAY_LAYER_COUNT + 2] = {RW_CITY_LAYERS(RW_LAYER_KIND){NULL, NULL, NULL}};

rw_status rw_ray_sum_parse(rw_context *context, const char *name, rw_ray_sum_kind *kind)
{
    static const char *const names[] = {"coherent", "power", "local"};
    *kind = RW_RAY_SUM_COHERENT;
    for (int i = 0; name && i < 3; i++)
        if (strcmp(name, names[i]) == 0) {
            *kind = (rw_ray_sum_kind)i;
            return RW_OK;
        }
    return name ? rw_fail(context, RW_BAD_CALL, "there is no sum '%s'; there are coherent, power and local", name)
                : RW_OK;
}

/* 250 dB below free space: sums lose digits from there on. */
#define RW_RAY_POWER_MIN 1e-25

rw_status rw_ray_sum_resolve(const rw_prediction *prediction, size_t transmitter, rw_ray_sum_kind *kind)
{
    const rw_predict_options *options = prediction->options;
    double wavelength_m = RW_SPEED_OF_LIGHT_M_S / rw_prediction_freq_hz(prediction, transmitter);
    if (options->sum)
        return rw_ray_sum_parse(prediction->scene->context, options->sum, kind);
    *kind = options->res_m > 0.5 * wavelength_m ? RW_RAY_SUM_LOCAL : RW_RAY_SUM_COHERENT;
    return RW_OK;
}

static size_t count_layer_cells(const rw_ray_layers *layers)
{
    const rw_receivers_view *view = &layers->run->prediction->receivers.view;
    return view->columns * view->rows;
}

void rw_ray_layers_begin(const rw_ray_layers *layers)
{
    size_t count = count_layer_cells(layers);
    for (size_t i = 0; i < count; i++)
        layers->power_dbm[i] = NAN;
}

/* A value is worked out only where its layer is asked for: angles and spreads take most of the time. */
#define STORE_VALUE(layer, value)                                                                                      \
    do {                                                                                                               \
        float *values_ = rw_run_layer(layers->run, layer, layers->transmitter);                                        \
        if (values_)                                                                                                   \
            values_[cell] = (float)(value);                                                                            \
    } while (0)

void rw_ray_layers_store(const rw_ray_layers *layers, size_t cell, const rw_ray_sums *sums, double free_gain,
                         double straight_s)
{
    const rw_predict_options *options = layers->run->prediction->options;
    double relative_power = rw_ray_sums_power(sums, layers->kind);
    /* Near the last digit of the sums: many walls. Where the direct path alone carries nothing, as across the
     * receiver's polarisation, it has no excess and adds nothing. */
    if (!(relative_power > RW_RAY_POWER_MIN) && sums->straight > 0 && sums->straight_excess_db != 0)
        relative_power = pow(10, -0.1 * sums->straight_excess_db);
    double loss_db = relative_power > 0 ? -10 * log10(relative_power) - 20 * log10(free_gain) : INFINITY;
    double power_dbm = options->transmitters[layers->transmitter].power_dbm - loss_db;
    double degrees = 180 / RW_PI, none = sums->count > 0 ? 0 : INFINITY; /* no path: no delay and no angle either */
    layers->power_dbm[cell] = (float)power_dbm;
    STORE_VALUE(RW_RAY_PATH_LOSS, loss_db);
    STORE_VALUE(RW_RAY_PATHS, sums->count);
    STORE_VALUE(RW_RAY_DELAY_SPREAD, none + rw_ray_sums_delay_spread_s(sums) * 1e9);
    STORE_VALUE(RW_RAY_DELAY, none + (straight_s + rw_ray_sums_delay_s(sums)) * 1e9);
    STORE_VALUE(RW_RAY_AZIMUTH_SPREAD, none + rw_ray_sums_angular_spread(sums, 1) * degrees);
    STORE_VALUE(RW_RAY_ELEVATION_SPREAD, none + rw_ray_sums_angular_spread(sums, 0) * degrees);
    /* Clockwise from north, as antennas are told; and above the horizon. */
    STORE_VALUE(RW_RAY_AZIMUTH,
                none + fmod(450 - atan2((double)sums->azimuth_y, (double)sums->azimuth_x) * degrees, 360));
    STORE_VALUE(RW_RAY_ELEVATION, none + atan2((double)sums->elevation_y, (double)sums->elevation_x) * degrees);
}

rw_status rw_ray_layers_end(const rw_ray_layers *layers, rw_run *run)
{
    return rw_received_add_power(&run->received, layers->transmitter, layers->power_dbm);
}

/* The length of two coherent sums together. */
static int64_t merge_lengths(int64_t re, int64_t im, int64_t other_re, int64_t other_im)
{
    return llround(hypot(hypot((double)re, (double)im), hypot((double)other_re, (double)other_im)));
}

static int64_t find_larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

void rw_ray_sums_merge(rw_ray_sums *to, const rw_ray_sums *from)
{
    to->re = merge_lengths(to->re, to->im, from->re, from->im);
    to->im = 0;
    to->power += from->power;
    to->diffuse += from->diffuse;
    to->joint += from->joint;
    to->joint_fine += from->joint_fine;
    to->power_fine += from->power_fine;
    to->diffuse_fine += from->diffuse_fine;
    to->delay += from->delay;
    to->delay_squared += from->delay_squared;
    to->azimuth_x += from->azimuth_x;
    to->azimuth_y += from->azimuth_y;
    to->elevation_x += from->elevation_x;
    to->elevation_y += from->elevation_y;
    to->over_roofs += from->over_roofs;
    /* both ports go the same ways */
    to->count = find_larger(to->count, from->count);
    to->sight = find_larger(to->sight, from->sight);
    to->straight = find_larger(to->straight, from->straight);
    to->walled = find_larger(to->walled, from->walled);
    if (to->straight_excess_db != 0 && from->straight_excess_db != 0)
        to->straight_excess_db =
            -10 * log10(pow(10, -0.1 * to->straight_excess_db) + pow(10, -0.1 * from->straight_excess_db));
    for (int i = 0; i < RW_RAY_SPREAD_POINTS; i++) {
        to->near_re[i] = merge_lengths(to->near_re[i], to->near_im[i], from->near_re[i], from->near_im[i]);
        to->near_im[i] = 0;
    }
}
