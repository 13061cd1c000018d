/* The sums of all paths of the rt model to the receivers of a map. */
#include "models/rt/rt.h"

#include "base/memory.h"

#include <math.h>

typedef struct summing {
    const rw_rt_world *world;
    const rw_vec3 *places;
    rw_ray_sums *sums;
} summing;

static void add_arrival(const summing *to, const rw_ray_arrival *arrival, size_t place)
{
    const rw_ray_world *at = to->world->at;
    double straight_m = rw_vec3_length(rw_vec3_sub(to->places[place], at->source));
    if (!(-10 * log10(rw_complex_abs2(arrival->gain)) <= to->world->limits.loss_max_db))
        return;
    rw_ray_sums_add(&to->sums[place], arrival, at->wavelength_m / (4 * RW_PI * straight_m),
                    straight_m / RW_SPEED_OF_LIGHT_M_S, &at->near, at->wavelength_m);
}

static void add_path(void *user, const rw_rt_path *path, size_t place)
{
    const summing *to = user;
    rw_wave wave = rw_rt_path_wave(to->world, path, to->places[place]);
    rw_ray_arrival arrival = {.gain = rw_wave_gain(&wave, &to->world->at->receiver, to->world->at->wavelength_m),
                              .delay_s = wave.length_m / RW_SPEED_OF_LIGHT_M_S,
                              .direction = wave.direction};
    if (to->world->at->medium.counts)
        rw_world_weaken(to->world->at, path->points, path->count, to->places[place], &arrival);
    add_arrival(to, &arrival, place);
}

static void add_one_scattered(void *user, const rw_rt_scattered *scattered)
{
    add_arrival(user, &scattered->arrival, scattered->place);
}

static rw_status add_scattered(const summing *to, size_t count)
{
    rw_rt_patches patches;
    summing user = *to;
    RW_TRY(rw_rt_patches_create(to->world, &patches));
    rw_status status = rw_rt_scatter(to->world, &patches, to->places, count, add_one_scattered, &user);
    rw_rt_patches_destroy(&patches);
    return status;
}

/* Edges and constructions are those of the scene at the transmitter's frequency. */
rw_status rw_rt_solve(rw_rays *rays)
{
    rw_rt_limits limits;
    rw_rt_world world;
    rw_rt_settle(rays->prediction, &limits);
    RW_TRY(rw_rt_world_create(rays->prediction->scene, &rays->scene, &limits, &world));
    summing to = {&world, rays->points.places, rays->sums};
    rw_status status = rw_rt_search(&world, limits.depth, rays->points.places, rays->points.view.count, add_path, &to);
    if (status == RW_OK)
        status = add_scattered(&to, rays->points.view.count);
    rw_rt_world_destroy(&world);
    return status;
}
