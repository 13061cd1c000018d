/* The rt model: its table, and the world its paths are in. */
#include "models/rt/rt.h"

#include "base/memory.h"
#include <math.h>
#include <stdlib.h>

/* Kinds of surfaces begin with the scene's own, in its order; the last is the ground's. */
static rw_status find_edge_permittivities(rw_rt_geometry *geometry)
{
    const rw_scene *scene = geometry->scene;
    size_t ground = geometry->rays->surfaces.kind_count - 1;
    RW_TRY(rw_array_create(scene->context, geometry->edge_count + 1, sizeof *geometry->permittivities, "edges",
                           &geometry->permittivities));
    for (size_t i = 0; i < geometry->edge_count; i++) {
        const rw_free_edge *sheet = rw_rt_sheet_edge(geometry, (uint32_t)i);
        uint32_t part = geometry->edges[i].part;
        size_t kind = sheet                ? geometry->at->surfaces.surfaces[sheet->surface].kind
                      : part == RW_NO_PART ? ground
                                           : scene->parts.items[part].surface;
        geometry->permittivities[i] = geometry->at->walls[kind].layers[0].permittivity;
    }
    return RW_OK;
}

/* Whether a building's own edges have one already. */
static int building_has_edge(const rw_rt_geometry *geometry, const rw_free_edge *edge)
{
    const double near_m = 0.01;
    rw_vec3 middle = rw_vec3_scale(rw_vec3_add(edge->from, edge->to), 0.5);
    for (size_t i = 0; i < geometry->built_count; i++) {
        const rw_building_edge *other = &geometry->edges[i];
        rw_vec3 vector = rw_vec3_sub(other->to, other->from), off = rw_vec3_sub(middle, other->from);
        double fraction = rw_vec3_dot(off, vector) / rw_vec3_dot(vector, vector);
        if (fraction > 0 && fraction < 1 && rw_vec3_length(rw_vec3_sub(off, rw_vec3_scale(vector, fraction))) < near_m)
            return 1;
    }
    return 0;
}

/* Edges of panels and meshes, and between two faces of buildings only upright ones that no building has alone: corners
 * that two houses share. */
static int needs_sheet_edge(const rw_rt_geometry *geometry, const rw_free_edge *edge)
{
    const rw_surface *surfaces = geometry->at->surfaces.surfaces;
    if (!surfaces[edge->surface].built || (edge->other != RW_NO_SURFACE && !surfaces[edge->other].built))
        return 1;
    rw_vec3 vector = rw_vec3_sub(edge->to, edge->from);
    return rw_edge_is_wedge(edge) && fabs(vector.z) > 0.999 * rw_vec3_length(vector) &&
           !building_has_edge(geometry, edge);
}

/* Edges of panels and meshes behind those of buildings. */
static rw_status add_sheet_edges(rw_rt_geometry *geometry)
{
    rw_context *context = geometry->scene->context;
    size_t count, capacity = geometry->edge_count;
    geometry->built_count = geometry->edge_count;
    RW_TRY(rw_free_edges_find(context, &geometry->rays->surfaces, &geometry->sheet_edges, &count));
    RW_TRY(rw_array_reserve(context, &geometry->edges, &capacity, geometry->edge_count + count, sizeof *geometry->edges,
                            "edges"));
    for (size_t i = 0, count_kept = 0; i < count; i++) {
        const rw_free_edge *edge = &geometry->sheet_edges[i];
        if (!needs_sheet_edge(geometry, edge))
            continue;
        geometry->sheet_edges[count_kept++] = *edge;
        rw_vec3 vector = rw_vec3_sub(edge->to, edge->from);
        geometry->edges[geometry->edge_count++] =
            (rw_building_edge){.from = edge->from,
                               .to = edge->to,
                               .edge = rw_vec3_cross(edge->along, edge->normal),
                               .zero_along = edge->along,
                               .zero_normal = edge->normal,
                               .exterior_over_pi = edge->exterior_over_pi,
                               .part = RW_NO_PART,
                               .upright = fabs(vector.z) > 0.7 * rw_vec3_length(vector)};
    }
    return RW_OK;
}

rw_status rw_rt_geometry_create(const rw_scene *scene, rw_ray_scene *rays, const rw_rt_limits *limits,
                                rw_rt_geometry *geometry)
{
    *geometry = (rw_rt_geometry){.scene = scene, .rays = rays, .at = &rays->host, .limits = *limits};
    if (limits->diffractions == 0)
        return RW_OK;
    rw_status status = rw_building_edges_find(scene, &geometry->edges, &geometry->edge_count);
    if (status == RW_OK)
        status = rw_ground_edges_add(scene, &geometry->edges, &geometry->edge_count);
    if (status == RW_OK)
        status = add_sheet_edges(geometry);
    if (status == RW_OK)
        status = find_edge_permittivities(geometry);
    if (status != RW_OK)
        rw_rt_geometry_destroy(geometry);
    return status;
}

void rw_rt_geometry_destroy(rw_rt_geometry *geometry)
{
    free(geometry->edges);
    free(geometry->sheet_edges);
    free(geometry->permittivities);
    *geometry = (rw_rt_geometry){0};
}

static const rw_rays_search rt_search = {NULL, NULL, rw_rt_solve, rw_rt_trace, 0};

static rw_status open_rt_model(const rw_prediction *prediction, rw_use use, void **state)
{
    const rw_scene *scene = prediction->scene;
    if (use == RW_USE_MAP && !prediction->options->roofs && scene->meshes.count)
        rw_warn(
            scene->context,
            "%zu meshes: the path over roofs is of buildings and terrain alone and is left out, so that cells behind "
            "meshes may have no value; import them as buildings, or name roofs=none",
            scene->meshes.count);
    return rw_rays_open(prediction, use, &rt_search, state);
}

/* Sequences of surfaces and edges are all tried, each after what the one before sees; measured on generated cities of
 * 180 to 310 walls. */
static rw_status estimate_rt_cost(const rw_prediction *prediction, const rw_map_info *cells, rw_estimate *estimate)
{
    const rw_predict_options *options = prediction->options;
    double walls = rw_rays_surface_estimate(prediction->scene) + 1;
    double sequences = walls * walls * pow(0.28 * walls, options->depth - 2) * pow(10, options->diffractions);
    rw_estimate_work(prediction, estimate, 4e-9 * sequences * (double)estimate->cells * (double)estimate->transmitters);
    return rw_rays_estimate(prediction, cells, estimate);
}

const rw_model rw_model_rt = {.name = "rt",
                              .title = "Exact, small scenes: ray tracing in full space",
                              .polarised = 1,
                              .flat_earth = 1,
                              .layer_kinds = rw_city_layer_kinds,
                              .layers = RW_LAYER_NAMES(RW_CITY_LAYERS),
                              .default_layers = RW_RAY_DEFAULT_LAYERS,
                              .options = rw_rt_options,
                              .open = open_rt_model,
                              .close = rw_rays_close,
                              .solve = rw_rays_solve,
                              .prior_by_engine = RW_PRIOR_AMONG_BUILDINGS,
                              .antenna_in_loss = 1,
                              .trace = rw_rays_trace,
                              .estimate = estimate_rt_cost,
                              .all_paths = 1};
