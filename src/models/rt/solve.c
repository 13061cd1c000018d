/* The sums of all paths of the rt model to the receivers of a map. */
#include "models/rt/rt.h"

#include "base/memory.h"
#include "models/rays/joint_waves.h"

#include <math.h>
#include <stdlib.h>

typedef struct summing {
    const rw_rt_geometry *geometry;
    const rw_vec3 *positions;
    rw_ray_sums *sums;
    rw_joint_waves *joint; /* of power sums; NULL: others */
} summing;

static int is_within_loss(const summing *to, const rw_ray_arrival *arrival)
{
    return -10 * log10(rw_complex_abs2(arrival->gain)) <= to->geometry->limits.loss_max_db;
}

/* Of the straight line, which sums are relative to. */
static double find_free_gain(const summing *to, size_t point)
{
    const rw_ray_view *at = to->geometry->at;
    return at->wavelength_m / (4 * RW_PI * rw_vec3_length(rw_vec3_sub(to->positions[point], at->source)));
}

static void add_arrival(const summing *to, const rw_ray_arrival *arrival, size_t point)
{
    const rw_ray_view *at = to->geometry->at;
    double straight_m = rw_vec3_length(rw_vec3_sub(to->positions[point], at->source));
    if (!is_within_loss(to, arrival))
        return;
    rw_ray_sums_add(&to->sums[point], arrival, find_free_gain(to, point), straight_m / RW_SPEED_OF_LIGHT_M_S, &at->near,
                    at->wavelength_m);
}

static void add_rt_joint_wave(const summing *to, const rw_rt_path *path, const rw_ray_arrival *arrival, size_t point)
{
    rw_vec3 first = path->count ? path->points[0] : to->positions[point];
    rw_joint_wave wave = {.point = point,
                          .over_edge = rw_rt_path_bends(path) > 0,
                          .gain = arrival->gain,
                          .length_m = arrival->delay_s * RW_SPEED_OF_LIGHT_M_S,
                          .departure = rw_vec3_unit(rw_vec3_sub(first, to->geometry->at->source)),
                          .arrival = arrival->direction};
    rw_joint_waves_add(to->joint, &wave);
}

static void add_rt_path_sums(void *user, const rw_rt_path *path, size_t point)
{
    const summing *to = user;
    rw_wave wave = rw_rt_path_wave(to->geometry, path, to->positions[point]);
    rw_ray_arrival arrival = {.gain = rw_wave_gain(&wave, &to->geometry->at->receiver, to->geometry->at->wavelength_m),
                              .delay_s = wave.length_m / RW_SPEED_OF_LIGHT_M_S,
                              .direction = wave.direction};
    if (to->geometry->at->medium.counts)
        rw_ray_view_attenuate(to->geometry->at, path->points, path->count, to->positions[point], &arrival);
    add_arrival(to, &arrival, point);
    if (to->joint && is_within_loss(to, &arrival))
        add_rt_joint_wave(to, path, &arrival, point);
}

static void add_one_scattered(void *user, const rw_rt_scattered *scattered)
{
    add_arrival(user, &scattered->arrival, scattered->point);
}

static rw_status add_scattered(const summing *to, size_t count)
{
    rw_rt_patches patches;
    summing user = *to;
    RW_TRY(rw_rt_patches_create(to->geometry, &patches));
    rw_status status = rw_rt_scatter(to->geometry, &patches, to->positions, count, add_one_scattered, &user);
    rw_rt_patches_destroy(&patches);
    return status;
}

/* A wave and the diffraction of the edge that ends it are one field. */
static rw_status add_rt_joint_power(const summing *to, size_t count)
{
    double *free_gains;
    RW_TRY(rw_array_create(to->joint->context, count, sizeof *free_gains, "receivers", &free_gains));
    for (size_t i = 0; i < count; i++)
        free_gains[i] = find_free_gain(to, i);
    rw_status status = rw_joint_waves_sum(to->joint, free_gains, to->geometry->at->wavelength_m, to->sums);
    free(free_gains);
    return status;
}

/* Edges and constructions are those of the scene at the transmitter's frequency. */
rw_status rw_rt_solve(rw_rays *rays)
{
    rw_rt_limits limits;
    rw_rt_geometry geometry;
    rw_rt_resolve(rays->prediction, &limits);
    RW_TRY(rw_rt_geometry_create(rays->prediction->scene, &rays->scene, &limits, &geometry));
    rw_joint_waves joint;
    rw_joint_waves_init(rays->prediction->scene->context, &joint);
    summing to = {&geometry, rays->points.positions, rays->sums, rays->kind == RW_RAY_SUM_POWER ? &joint : NULL};
    rw_status status =
        rw_rt_search(&geometry, limits.depth, rays->points.positions, rays->points.view.count, add_rt_path_sums, &to);
    if (status == RW_OK && to.joint)
        status = add_rt_joint_power(&to, rays->points.view.count);
    rw_joint_waves_free(&joint);
    if (status == RW_OK)
        status = add_scattered(&to, rays->points.view.count);
    rw_rt_geometry_destroy(&geometry);
    return status == RW_OK ? rw_rt_add_over_roofs(rays) : status;
}
