/* The rt model: its limits, its world, and the sums of all paths to the receivers of a map. */
#include "models/rt/rt.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* Kinds of surfaces begin with the scene's own, in its order. */
static rw_status find_faces(rw_rt_world *world)
{
    const rw_scene *scene = world->scene;
    RW_TRY(rw_array_create(scene->context, world->edge_count + 1, sizeof *world->permittivities, "edges",
                           &world->permittivities));
    for (size_t i = 0; i < world->edge_count; i++)
        world->permittivities[i] =
            world->at->walls[scene->parts.items[world->edges[i].part].surface].layers[0].permittivity;
    return RW_OK;
}

rw_status rw_rt_world_create(const rw_scene *scene, rw_ray_scene *rays, const rw_rt_limits *limits, rw_rt_world *world)
{
    *world = (rw_rt_world){.scene = scene, .rays = rays, .at = &rays->host, .limits = *limits};
    if (limits->diffractions == 0)
        return RW_OK;
    rw_status status = rw_building_edges_find(scene, &world->edges, &world->edge_count);
    if (status == RW_OK)
        status = find_faces(world);
    if (status != RW_OK)
        rw_rt_world_destroy(world);
    return status;
}

void rw_rt_world_destroy(rw_rt_world *world)
{
    free(world->edges);
    free(world->permittivities);
    *world = (rw_rt_world){0};
}

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
    add_arrival(to, &arrival, place);
}

static rw_status add_scattered(const summing *to, size_t count)
{
    rw_rt_patches patches;
    RW_TRY(rw_rt_patches_create(to->world, &patches));
#pragma omp parallel for schedule(dynamic, 16) num_threads(to->world->rays->context->threads)
    for (long long i = 0; i < (long long)count; i++)
        for (size_t patch = 0; patch < patches.count; patch++) {
            rw_ray_arrival arrival;
            if (rw_rt_patch_arrival(to->world, &patches, patch, to->places[i], &arrival))
                add_arrival(to, &arrival, (size_t)i);
        }
    rw_rt_patches_destroy(&patches);
    return RW_OK;
}

/* Edges and constructions are those of the scene at the transmitter's frequency. */
static rw_status find_sums(rw_rays *rays)
{
    rw_rt_limits limits;
    rw_rt_world world;
    rw_rt_settle(rays->prediction, &limits);
    RW_TRY(rw_rt_world_create(rays->prediction->scene, &rays->scene, &limits, &world));
    summing to = {&world, rays->points.places, rays->sums};
    rw_rt_search(&world, limits.depth, rays->points.places, rays->points.view.count, add_path, &to);
    rw_status status = add_scattered(&to, rays->points.view.count);
    rw_rt_world_destroy(&world);
    return status;
}

static const rw_rays_finder finder = {NULL, NULL, find_sums, rw_rt_trace};

static rw_status open_model(const rw_prediction *prediction, rw_use use, void **state)
{
    return rw_rays_open(prediction, use, &finder, state);
}

const rw_model rw_model_rt = {.name = "rt",
                              .layer_kinds = rw_ray_layer_kinds,
                              .layers = RW_LAYER_NAMES(RW_RAY_LAYERS),
                              .default_layers = RW_RAY_DEFAULT_LAYERS,
                              .options = rw_rt_options,
                              .open = open_model,
                              .close = rw_rays_close,
                              .solve = rw_rays_solve,
                              .trace = rw_rays_trace,
                              .estimate = rw_rays_estimate,
                              .all_paths = 1};
