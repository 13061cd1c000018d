#include "models/engine/run/run.h"

#include <math.h>
#include <string.h>

/* What paths may add to the straight one in free space. The best path of the shadow model is never stronger, but for
 * the median of cities that it is drawn towards; rays between walls add up, in a corridor over all of its length. */
static double surplus_db(const rw_model *model)
{
    return strcmp(model->name, "shadow") == 0 ? 6 : 20;
}

/* The distance at which free space leaves the level of what the antennas send and receive where they do it best. */
static double level_range_m(const rw_model *model, const rw_predict_options *options, const rw_transmitter *transmitter,
                            double gain_dbi)
{
    const double pi = 3.14159265358979323846;
    if (isnan(options->range_level_dbm))
        return INFINITY;
    double loss_db = transmitter->power_dbm + gain_dbi + surplus_db(model) - options->range_level_dbm;
    double freq_hz = transmitter->freq_hz > 0 ? transmitter->freq_hz : options->freq_hz;
    return fmax(RW_SPEED_OF_LIGHT_M_S / freq_hz / (4 * pi) * pow(10, loss_db / 20), options->res_m);
}

double rw_transmitter_range_m(const rw_model *model, const rw_predict_options *options,
                              const rw_transmitter *transmitter, double gain_dbi)
{
    double radius_m = transmitter->radius_m > 0  ? transmitter->radius_m
                      : isnan(options->radius_m) ? INFINITY
                                                 : options->radius_m;
    return fmin(radius_m, level_range_m(model, options, transmitter, gain_dbi));
}

static double find_peak_gain_dbi(const rw_prediction *prediction, size_t transmitter)
{
    const rw_antenna *receiver = prediction->receiver_antenna;
    return prediction->antennas[transmitter]->peak_gain_dbi + (receiver ? receiver->peak_gain_dbi : 0);
}

double rw_range_m(const rw_prediction *prediction, size_t transmitter)
{
    return rw_transmitter_range_m(prediction->model, prediction->options,
                                  &prediction->options->transmitters[transmitter],
                                  find_peak_gain_dbi(prediction, transmitter));
}

/* Cells of one axis from low_m to high_m, from the map's edge. */
static void clip_axis_cells(double low_m, double high_m, double res_m, size_t count, size_t *first, size_t *cells)
{
    double from = fmax(floor(low_m / res_m), 0), to = fmin(ceil(high_m / res_m), (double)count);
    *first = from < to ? (size_t)from : 0;
    *cells = from < to ? (size_t)to - (size_t)from : 0;
}

rw_window rw_window_around(const rw_map_info *cells, double x_m, double y_m, double range_m)
{
    rw_window window;
    double x = x_m - cells->x0_m, y = y_m - cells->y0_m;
    clip_axis_cells(x - range_m, x + range_m, cells->res_m, cells->columns, &window.column, &window.columns);
    clip_axis_cells(y - range_m, y + range_m, cells->res_m, cells->rows, &window.row, &window.rows);
    return window.columns && window.rows ? window : (rw_window){0};
}

rw_window rw_window_join(rw_window a, rw_window b)
{
    size_t column = a.column < b.column ? a.column : b.column, row = a.row < b.row ? a.row : b.row;
    size_t end_a = a.column + a.columns, end_b = b.column + b.columns, top_a = a.row + a.rows, top_b = b.row + b.rows;
    return (rw_window){column, row, (end_a > end_b ? end_a : end_b) - column, (top_a > top_b ? top_a : top_b) - row};
}

rw_map_info rw_window_cells(const rw_map_info *cells, rw_window window)
{
    rw_map_info window_map = *cells;
    window_map.x0_m += (double)window.column * cells->res_m;
    window_map.y0_m += (double)window.row * cells->res_m;
    window_map.columns = window.columns;
    window_map.rows = window.rows;
    return window_map;
}

size_t rw_ranges_alike(const rw_prediction *prediction, size_t first)
{
    const rw_transmitter *transmitters = prediction->options->transmitters;
    size_t count = prediction->options->transmitter_count, next = first + 1;
    double range_m = rw_range_m(prediction, first);
    while (next < count && transmitters[next].x_m == transmitters[first].x_m &&
           transmitters[next].y_m == transmitters[first].y_m && rw_range_m(prediction, next) == range_m)
        next++;
    return next - first;
}
