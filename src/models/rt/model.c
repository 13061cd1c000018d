/* The rt model: its table, and the world its paths are in. */
#include "models/rt/rt.h"

#include "base/memory.h"

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

static const rw_rays_finder finder = {NULL, NULL, rw_rt_solve, rw_rt_trace, 0};

static rw_status open_model(const rw_prediction *prediction, rw_use use, void **state)
{
    return rw_rays_open(prediction, use, &finder, state);
}

const rw_model rw_model_rt = {.name = "rt",
                              .layer_kinds = rw_city_layer_kinds,
                              .layers = RW_LAYER_NAMES(RW_CITY_LAYERS),
                              .default_layers = RW_RAY_DEFAULT_LAYERS,
                              .options = rw_rt_options,
                              .open = open_model,
                              .close = rw_rays_close,
                              .solve = rw_rays_solve,
                              .prior_beside = 1,
                              .antenna_in_loss = 1,
                              .trace = rw_rays_trace,
                              .estimate = rw_rays_estimate,
                              .all_paths = 1};
