/* The path over the roofs in addition to those of rays: a receiver that does not see the transmitter gets one path
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

/* 0: the receiver sees the transmitter. The medium is in it if the caller says so. */
static int find_rt_roof_path(const roof_search *of, rw_vec3 end, int with_medium, rw_main_edges *edges,
                             rw_ray_arrival *arrival)
{
    const rw_ray_view *at = &of->rays->scene.host;
    rw_vec3 vector = rw_vec3_sub(end, at->source);
    rw_sight sight = rw_sight_of(&of->grid, end, at->source);
    if (rw_march_clear(&of->grid, &sight))
        return 0;
    double straight_m = rw_vec3_length(vector);
    double excess_db = (double)rw_over_rooftop_db(&of->grid, &of->source, end, 0, edges);
    double length_m = edges->count ? rw_main_edges_length_m(edges, vector.z) : straight_m;
    double loss_db = excess_db + rw_free_space_loss_db(straight_m, at->wavelength_m);
    if (with_medium && at->medium.counts)
        loss_db += rw_medium_roof_db(&at->medium, &of->grid, end, at->source, length_m);
    double sent = rw_vec3c_abs2(rw_pattern_vector(&at->transmitter, rw_vec3_unit(vector)));
    *arrival = (rw_ray_arrival){.direction = arrival_direction(edges, at->source, end),
                                .delay_s = length_m / RW_SPEED_OF_LIGHT_M_S,
                                .diffuse = 1};
    double received = rw_vec3c_abs2(rw_pattern_vector(&at->receiver, rw_vec3_scale(arrival->direction, -1)));
    arrival->gain = rw_complex_of(sqrt(sent * received) * pow(10, -0.05 * loss_db), 0);
    return 1;
}

static void add_rt_roof_path(const roof_search *of, size_t point)
{
    const rw_ray_view *at = &of->rays->scene.host;
    rw_vec3 end = of->rays->points.positions[point];
    rw_ray_sums *sums = &of->rays->sums[point];
    rw_main_edges edges;
    rw_ray_arrival arrival;
    if (!find_rt_roof_path(of, end, 1, &edges, &arrival))
        return;
    double straight_m = rw_vec3_length(rw_vec3_sub(end, at->source)),
           free_gain = at->wavelength_m / (4 * RW_PI * straight_m);
    rw_ray_sums_add(sums, &arrival, free_gain, straight_m / RW_SPEED_OF_LIGHT_M_S, 0, at->wavelength_m);
    sums->over_roofs = rw_ray_fixed(rw_complex_abs2(arrival.gain) / (free_gain * free_gain), RW_RAY_AMPLITUDE_UNITS);
}

static void add_rt_roof_paths(void *user, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++)
        add_rt_roof_path(user, i);
}

/* *wanted 0: the options or the scene have no paths over roofs. */
static rw_status begin_roof_search(const rw_rays *rays, roof_search *of, int *wanted)
{
    const rw_prediction *prediction = rays->prediction;
    const rw_ray_view *at = &rays->scene.host;
    rw_roof_choice choice;
    *of = (roof_search){.rays = rays, .source = {at->source, (float)at->wavelength_m, RW_FACADE_DB}};
    RW_TRY(rw_roof_choice_resolve(prediction, 1, &choice));
    *wanted = choice != RW_ROOFS_NONE && prediction->scene->parts.count > 0;
    if (!*wanted)
        return RW_OK;
    RW_TRY(rw_prepared_view(prediction->scene, RW_BACKEND_CPU, &of->grid));
    of->grid.curve_per_m = rw_prediction_curve_per_m(prediction);
    of->grid.ground_curve_per_m = rw_prediction_ground_curve_per_m(prediction);
    rw_grid_widen(&of->grid, &prediction->receivers.view, at->source);
    return RW_OK;
}

rw_status rw_rt_add_over_roofs(rw_rays *rays)
{
    roof_search of;
    int wanted;
    RW_TRY(begin_roof_search(rays, &of, &wanted));
    return wanted ? rw_parallel(rays->prediction->scene->context, rays->points.view.count, 64, add_rt_roof_paths, &of)
                  : RW_OK;
}

static void list_roof_edges(const rw_main_edges *edges, rw_vec3 source, rw_vec3 end, rw_rt_roof_path *found)
{
    rw_vec3 away = rw_vec3_sub(end, source);
    for (int i = 0; i < edges->count; i++) {
        if (!(edges->h_m[i] > rw_main_string_m(edges, i)))
            continue;
        rw_vec3 on_line = rw_vec3_add(source, rw_vec3_scale(away, (double)edges->x_m[i] / (double)edges->length_m));
        on_line.z += (double)edges->h_m[i];
        found->points[found->count++] = on_line;
    }
}

rw_status rw_rt_list_over_roofs(const rw_rays *rays, rw_rt_roof_path *found)
{
    roof_search of;
    int wanted;
    RW_TRY(begin_roof_search(rays, &of, &wanted));
    for (size_t i = 0; i < rays->points.view.count && wanted; i++) {
        rw_vec3 end = rays->points.positions[i];
        rw_main_edges edges;
        found[i].there = find_rt_roof_path(&of, end, 0, &edges, &found[i].arrival);
        if (found[i].there)
            list_roof_edges(&edges, rays->scene.host.source, end, &found[i]);
    }
    return RW_OK;
}
