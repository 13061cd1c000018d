/* The path over the roofs beside those of rays: a receiver of a map that does not see the transmitter gets one path
 * more, by Vogler's integral over the main edges of the profile (mechanisms/rooftop). Its phase is not known; it adds
 * by power. Rays alone give a flat roof the loss of a smooth slab that two edges diffract over, 30 to 60 dB more. */
#include "base/parallel.h"
#include "discretise/prepared.h"
#include "field/paths/free_space.k.h"
#include "mechanisms/rooftop/over_rooftop.h"
#include "models/rt/rt.h"

#include <math.h>

typedef struct roof_search {
    const rw_rays *rays;
    rw_wall_grid_view grid;
    rw_roof_source source;
} roof_search;

/* Height of the last edge of the string before the receiver, over the way to it: how the wave comes down. */
static rw_vec3 arrival_direction(const rw_main_edges *edges, rw_vec3 source, rw_vec3 end)
{
    rw_vec3 away = rw_vec3_sub(end, source);
    for (int i = edges->count - 1; i >= 0; i--) {
        if (!(edges->h_m[i] > rw_main_string_m(edges, i)))
            continue;
        double fraction = (double)edges->x_m[i] / (double)edges->length_m;
        double rest = 1 - fraction, fall_m = rest * away.z - (double)edges->h_m[i];
        return rw_vec3_unit(rw_vec3_of(rest * away.x, rest * away.y, fall_m));
    }
    return rw_vec3_unit(away);
}

static void add_rt_roof_path(const roof_search *of, size_t point)
{
    const rw_ray_view *at = &of->rays->scene.host;
    rw_vec3 end = of->rays->points.positions[point], vector = rw_vec3_sub(end, at->source);
    rw_sight sight = rw_sight_of(&of->grid, end, at->source);
    rw_ray_sums *sums = &of->rays->sums[point];
    rw_main_edges edges;
    if (rw_march_clear(&of->grid, &sight))
        return;
    double straight_m = rw_vec3_length(vector);
    double excess_db = (double)rw_over_rooftop_db(&of->grid, &of->source, end, 0, &edges);
    double length_m = edges.count ? rw_main_edges_length_m(&edges, vector.z) : straight_m;
    double loss_db = excess_db + rw_free_space_loss_db(straight_m, at->wavelength_m);
    if (at->medium.counts)
        loss_db += rw_medium_roof_db(&at->medium, &of->grid, end, at->source, length_m);
    double sent = rw_vec3c_abs2(rw_pattern_vector(&at->transmitter, rw_vec3_unit(vector)));
    rw_ray_arrival arrival = {.direction = arrival_direction(&edges, at->source, end),
                              .delay_s = length_m / RW_SPEED_OF_LIGHT_M_S,
                              .diffuse = 1};
    double received = rw_vec3c_abs2(rw_pattern_vector(&at->receiver, rw_vec3_scale(arrival.direction, -1)));
    arrival.gain = rw_complex_of(sqrt(sent * received) * pow(10, -0.05 * loss_db), 0);
    double free_gain = at->wavelength_m / (4 * RW_PI * straight_m);
    rw_ray_sums_add(sums, &arrival, free_gain, straight_m / RW_SPEED_OF_LIGHT_M_S, 0, at->wavelength_m);
    sums->over_roofs = rw_ray_fixed(rw_complex_abs2(arrival.gain) / (free_gain * free_gain), RW_RAY_AMPLITUDE_UNITS);
}

static void add_rt_roof_paths(void *user, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++)
        add_rt_roof_path(user, i);
}

rw_status rw_rt_add_over_roofs(rw_rays *rays)
{
    const rw_prediction *prediction = rays->prediction;
    const rw_ray_view *at = &rays->scene.host;
    rw_roof_choice choice;
    roof_search of = {.rays = rays, .source = {at->source, (float)at->wavelength_m, RW_FACADE_DB}};
    RW_TRY(rw_roof_choice_resolve(prediction, rays->use == RW_USE_MAP, &choice));
    if (choice == RW_ROOFS_NONE || rays->prediction->scene->parts.count == 0)
        return RW_OK;
    RW_TRY(rw_prepared_view(prediction->scene, RW_BACKEND_CPU, &of.grid));
    of.grid.curve_per_m = rw_prediction_curve_per_m(prediction);
    of.grid.ground_curve_per_m = rw_prediction_ground_curve_per_m(prediction);
    rw_grid_widen(&of.grid, &prediction->receivers.view, at->source);
    rw_parallel(prediction->scene->context, rays->points.view.count, 64, add_rt_roof_paths, &of);
    return RW_OK;
}
