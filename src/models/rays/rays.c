#include "models/rays/rays.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "device/device.h"
#include "discretise/prepared.h"
#include "discretise/surfaces/surfaces.h"
#include "field/surfaces/material.k.h"
#include "models/rays/edge_gains.k.h"
#include "models/rays/straight_gains.k.h"
#include "scene/antennas/antenna.h"
#include "scene/antennas/site.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

rw_status rw_rays_add_edges(const rw_ray_scene *scene, const rw_points_view *points, rw_ray_sums *sums)
{
    rw_free_edge *edges = NULL;
    size_t count = 0;
    rw_status status = rw_free_edges_find(scene->context, &scene->surfaces, &edges, &count);
    struct rw_edge_gains_args args = {.view = scene->view, .points = *points, .sums = sums};
    rw_kernel_array column = {.field = &args.edges, .host = edges, .bytes = count * sizeof *edges};
    if (status == RW_OK && count > 0)
        status = rw_kernel_arrays_run(scene->context, scene->backend, RW_KERNEL_edge_gains, &args, &column, 1,
                                      count * args.points.count);
    free(edges);
    return status;
}

static int set_or(int value, int otherwise)
{
    return value == RW_UNSET ? otherwise : value;
}

rw_search_limits rw_search_limits_of(const rw_predict_options *options)
{
    const int default_depth = 4;
    int each = set_or(options->depth, default_depth);
    rw_search_limits limits = {
        .depth = each,
        .steps = {.bounded = options->reflections != RW_UNSET || options->transmissions != RW_UNSET,
                  .reflections = set_or(options->reflections, each),
                  .transmissions = set_or(options->transmissions, each)},
        .diffraction = set_or(options->diffractions, 0),
        .direct_always = strcmp(options->direct, "always") == 0};
    int both = limits.steps.reflections + limits.steps.transmissions;
    if (options->depth == RW_UNSET && limits.steps.bounded)
        limits.depth = both < RW_IMAGE_DEPTH_MAX ? both : RW_IMAGE_DEPTH_MAX;
    return limits;
}

rw_status rw_rays_add_straight(const rw_ray_scene *scene, const rw_points_view *points, rw_ray_sums *sums)
{
    struct rw_straight_gains_args args = {.view = scene->view, .points = *points, .sums = sums};
    return rw_device_launch(scene->context, scene->backend, RW_KERNEL_straight_gains, &args, points->count);
}

rw_path_vertex rw_ray_vertex(const rw_scene *scene, rw_vec3 position, rw_interaction kind)
{
    rw_vec2 centre = scene->prepared->grid.centre;
    return (rw_path_vertex){.x_m = position.x + centre.x + scene->origin.x,
                            .y_m = position.y + centre.y + scene->origin.y,
                            .z_m = position.z,
                            .interaction = kind};
}

float rw_ray_vertex_angle_rad(const rw_path_vertex *vertex)
{
    const rw_path_vertex *before = vertex - 1, *after = vertex + 1;
    rw_vec3 in = rw_vec3_of(vertex->x_m - before->x_m, vertex->y_m - before->y_m, vertex->z_m - before->z_m);
    rw_vec3 out = rw_vec3_of(after->x_m - vertex->x_m, after->y_m - vertex->y_m, after->z_m - vertex->z_m);
    double lengths = rw_vec3_length(in) * rw_vec3_length(out);
    return (float)acos(fmax(-1, fmin(1, lengths > 0 ? rw_vec3_dot(in, out) / lengths : 1)));
}

typedef struct point_search {
    const rw_receivers_view *view;
    const rw_ray_scene *scene;
    rw_vec3 *positions;
    uint32_t *cells;
} point_search;

#define OFF_SHEET_M 2e-5

/* Where rays go straight through slabs, a receiver on one is just above it, or before a vertical one; returns whether
 * it is free. */
static int move_off_sheet(const rw_ray_scene *scene, rw_vec3 *position)
{
    uint32_t index = rw_ray_scene_inside(scene, *position);
    if (index == RW_NO_SURFACE)
        return 1;
    const rw_surface *surface = &scene->surfaces.surfaces[index];
    if (!scene->slabs[surface->kind].straight)
        return 0;
    double off_m = surface->normal.z < -1e-6 ? -OFF_SHEET_M : OFF_SHEET_M;
    *position = rw_vec3_add(*position, rw_vec3_scale(surface->normal, off_m - rw_surface_height_m(surface, *position)));
    return rw_ray_scene_inside(scene, *position) == RW_NO_SURFACE;
}

static void locate_ray_points(void *user, size_t begin, size_t end)
{
    const point_search *to = user;
    for (size_t i = begin; i < end; i++) {
        uint32_t cell = to->view->outdoor[i];
        to->positions[i] = rw_receiver_point(to->view, cell);
        to->cells[i] = move_off_sheet(to->scene, &to->positions[i]) ? cell : UINT32_MAX;
    }
}

/* The receivers that are not inside a wall. */
static rw_status list_points(const rw_prediction *prediction, const rw_ray_scene *scene, rw_points *points)
{
    const rw_receivers_view *view = &prediction->receivers.view;
    rw_context *context = prediction->scene->context;
    rw_vec3 *positions;
    uint32_t *cells;
    RW_TRY(rw_array_create(context, view->outdoor_count + 1, sizeof *positions, "receivers", &positions));
    rw_status status = rw_array_create(context, view->outdoor_count + 1, sizeof *cells, "receivers", &cells);
    size_t count = 0;
    if (status == RW_OK) {
        point_search to = {view, scene, positions, cells};
        status = rw_parallel(context, view->outdoor_count, 128, locate_ray_points, &to);
        for (size_t i = 0; status == RW_OK && i < view->outdoor_count; i++) {
            positions[count] = positions[i];
            cells[count] = cells[i];
            count += cells[i] != UINT32_MAX;
        }
        if (status == RW_OK && count == 0)
            status =
                rw_fail(context, RW_BAD_CALL,
                        "every receiver is inside a wall or floor; change the height of the receivers or the area");
    }
    if (status == RW_OK)
        status = rw_points_create(context, positions, cells, count, points);
    free(positions);
    free(cells);
    return status;
}

static rw_status check_free(const rw_prediction *prediction, const rw_ray_scene *scene, size_t transmitter,
                            rw_vec3 source)
{
    const rw_transmitter *about = &prediction->options->transmitters[transmitter];
    uint32_t surface = rw_ray_scene_inside(scene, source);
    if (surface == RW_NO_SURFACE)
        return RW_OK;
    uint32_t kind = scene->surfaces.surfaces[surface].kind;
    return rw_fail(prediction->scene->context, RW_BAD_CALL,
                   "%s%s at %.2f,%.2f,%.2f is inside a wall or floor (%s, %.3g m thick): move it out",
                   rw_transmitter_prefix(about->name), about->name, about->x_m, about->y_m, about->height_m,
                   scene->surfaces.kinds[kind], scene->slabs[kind].thickness_m);
}

/* What adjust is told of: a roughness, and the ground, which has its own. */
typedef struct roughening {
    double scattering;
    const char *ground;
} roughening;

static void roughen_wall(void *user, const char *material, rw_construction *wall)
{
    const roughening *by = user;
    if (strcmp(material, by->ground) != 0)
        rw_construction_roughen(wall, by->scattering);
}

static int matches_choice(const char *option, const char *choice)
{
    return option && strcmp(option, choice) == 0;
}

/* Walls of a material without a thickness let nothing through, which a name such as plasterboard does not tell. */
static void warn_of_half_spaces(const rw_scene *scene, const rw_ray_scene *rays)
{
    for (size_t i = 0; i < rays->surfaces.kind_count; i++) {
        const rw_construction *wall = &rays->walls[i];
        if (wall->opaque && wall->layers[0].permittivity.im > 0.5 * RW_PERMITTIVITY_CONDUCTOR_IM)
            rw_warn(scene->context,
                    "walls of %s let nothing through: it is a material without a thickness; give a slab, or "
                    "thickness_m in a table of materials",
                    rays->surfaces.kinds[i]);
    }
}

/* The scene at a transmitter's frequency, with the losses that the parameters say. */
static rw_status open_ray_scene(const rw_prediction *prediction, size_t transmitter, rw_ray_scene *rays)
{
    const rw_predict_options *options = prediction->options;
    double values[RW_PARAMETERS_MAX];
    int must_scatter = options->scatterings != RW_UNSET && options->scatterings > 0;
    roughening by = {rw_wall_roughness(prediction->scene, options->roughness, must_scatter),
                     rw_construction_material(prediction->scene, rw_ground_surface(prediction->scene))};
    rw_ray_scene_request request = {.freq_hz = rw_prediction_freq_hz(prediction, transmitter),
                                    .straight = matches_choice(options->refraction, "none"),
                                    .form = {.coplanar = matches_choice(options->surfaces, "coplanar")}};
    if (!prediction->model->rooms) {
        request.exact = request.form.outdoors = 1;
        request.adjust = roughen_wall;
        request.user = &by;
    }
    if (!prediction->model->rooms)
        return rw_ray_scene_create_as(prediction->scene, &request, rays);
    if (!prediction->model->parameter_count) {
        RW_TRY(rw_ray_scene_create_as(prediction->scene, &request, rays));
        warn_of_half_spaces(prediction->scene, rays);
        return RW_OK;
    }
    RW_TRY(rw_prediction_values(prediction, transmitter, values));
    request.adjust = rw_image_adjust;
    request.user = values;
    RW_TRY(rw_ray_scene_create_as(prediction->scene, &request, rays));
    warn_of_half_spaces(prediction->scene, rays);
    rays->offset_db = values[RW_IMAGE_OFFSET];
    return RW_OK;
}

/* The receivers' antenna, which a calibrated offset makes weaker. */
static rw_status upload_receiver_antenna(const rw_prediction *prediction, rw_ray_scene *rays)
{
    RW_TRY(rw_receiver_pattern_upload(prediction, rays->backend, &rays->receiver, &rays->host.receiver,
                                      &rays->view.receiver));
    double factor = pow(10, -rays->offset_db / 20);
    rays->host.receiver.peak_amplitude *= factor;
    rays->view.receiver.peak_amplitude *= factor;
    return RW_OK;
}

/* Memory of a session, once the first transmitter has told which receivers are free. */
static rw_status allocate_ray_memory(rw_rays *rays)
{
    rw_context *context = rays->prediction->scene->context;
    const rw_receivers_view *view = &rays->prediction->receivers.view;
    RW_TRY(list_points(rays->prediction, &rays->scene, &rays->points));
    rays->has_points = 1;
    if (rays->use == RW_USE_PATHS)
        return RW_OK;
    RW_TRY(rw_array_create(context, view->columns * view->rows, sizeof(float), "received power", &rays->power_dbm));
    return rw_array_create(context, rays->points.view.count, sizeof *rays->sums, "sums", &rays->sums);
}

/* One port of a transmitter: of two in a map each has half of the power. */
static rw_status set_port_pattern(rw_rays *rays, size_t transmitter, int port)
{
    const rw_prediction *prediction = rays->prediction;
    rw_vec2 centre = prediction->scene->prepared->grid.centre;
    rw_vec3 source = prediction->sources[transmitter];
    rw_transmitter about = prediction->options->transmitters[transmitter];
    about.slant_deg -= 90 * port;
    RW_TRY(rw_ray_scene_set_transmitter(&rays->scene, prediction->antennas[transmitter], &about,
                                        rw_vec3_of(source.x - centre.x, source.y - centre.y, source.z)));
    if (!about.dual_polarised || rays->use == RW_USE_PATHS)
        return RW_OK;
    rays->scene.host.transmitter.peak_amplitude *= sqrt(0.5);
    rays->scene.view.transmitter.peak_amplitude *= sqrt(0.5);
    return RW_OK;
}

/* The surfaces at the transmitter's frequency, and the transmitter among them. */
static rw_status prepare_ray_transmitter(rw_rays *rays, size_t transmitter)
{
    const rw_prediction *prediction = rays->prediction;
    double freq_hz = rw_prediction_freq_hz(prediction, transmitter);
    rw_vec2 centre = prediction->scene->prepared->grid.centre;
    rw_vec3 source = prediction->sources[transmitter];
    source = rw_vec3_of(source.x - centre.x, source.y - centre.y, source.z);
    if (freq_hz != rays->freq_hz) {
        rw_ray_scene next; /* what is open stays whole where this fails: the model's memory goes by it */
        RW_TRY(open_ray_scene(prediction, transmitter, &next));
        rw_ray_scene_destroy(&rays->scene);
        rays->scene = next;
        rays->freq_hz = freq_hz;
    }
    rays->transmitter = transmitter;
    RW_TRY(check_free(prediction, &rays->scene, transmitter, source));
    RW_TRY(set_port_pattern(rays, transmitter, 0));
    RW_TRY(upload_receiver_antenna(prediction, &rays->scene));
    if (!rays->has_points)
        RW_TRY(allocate_ray_memory(rays));
    if (rays->search->open && !rays->own)
        RW_TRY(rays->search->open(rays));
    rays->scene.view.medium = rw_medium_of(&rays->medium, transmitter, 0);
    rays->scene.host.medium = rw_medium_of(&rays->medium, transmitter, 1);
    RW_TRY(rw_ray_sum_resolve(prediction, transmitter, &rays->kind));
    if (rays->kind == RW_RAY_SUM_LOCAL && rays->use == RW_USE_MAP)
        rays->scene.host.near = rays->scene.view.near = rw_prediction_cell(prediction);
    return RW_OK;
}

rw_status rw_rays_open(const rw_prediction *prediction, rw_use use, const rw_rays_search *search, void **state)
{
    rw_rays *rays;
    rw_context *context = prediction->scene->context;
    RW_TRY(rw_array_create(context, 1, sizeof *rays, "a model of rays", &rays));
    rays->prediction = prediction;
    rays->search = search;
    rays->use = use;
    rw_status status = rw_medium_upload(prediction, use, &rays->medium);
    if (status == RW_OK)
        *state = rays;
    else
        rw_rays_close(rays);
    return status;
}

void rw_rays_close(void *state)
{
    rw_rays *rays = state;
    if (rays->search->close)
        rays->search->close(rays);
    rw_points_destroy(&rays->points);
    rw_ray_scene_destroy(&rays->scene);
    rw_medium_release(&rays->medium);
    free(rays->sums);
    free(rays->power_dbm);
    free(rays);
}

/* What the paths of a receiver have met, as the layer mechanism says it. */
static float mechanism_of(const rw_ray_sums *sums)
{
    if (sums->count == 0)
        return INFINITY;
    return sums->sight > 0 ? RW_ROOM_SIGHT : sums->walled == sums->count ? RW_ROOM_WALLS : RW_ROOM_REFLECTION;
}

typedef struct storing {
    rw_rays *rays;
    const rw_ray_layers *layers;
    float *mechanism;
} storing;

static void store_points(void *user, size_t begin, size_t end)
{
    const storing *to = user;
    const rw_rays *rays = to->rays;
    const rw_ray_view *view = &rays->scene.view;
    for (size_t i = begin; i < end; i++) {
        double straight_m = rw_vec3_length(rw_vec3_sub(rays->points.positions[i], view->source));
        rw_ray_layers_store(to->layers, rays->points.cells[i], &rays->sums[i],
                            view->wavelength_m / (4 * RW_PI * straight_m), straight_m / RW_SPEED_OF_LIGHT_M_S);
        if (to->mechanism)
            to->mechanism[rays->points.cells[i]] = mechanism_of(&rays->sums[i]);
    }
}

/* Adds what comes from the second port of a dual-polarised transmitter. */
static rw_status solve_second_port(rw_rays *rays, size_t transmitter)
{
    size_t count = rays->points.view.count;
    rw_ray_sums *first;
    RW_TRY(rw_array_create(rays->scene.context, count, sizeof *first, "sums", &first));
    memcpy(first, rays->sums, count * sizeof *first);
    memset(rays->sums, 0, count * sizeof *rays->sums);
    rw_status status = set_port_pattern(rays, transmitter, 1);
    if (status == RW_OK)
        status = rays->search->solve(rays);
    for (size_t i = 0; i < count && status == RW_OK; i++)
        rw_ray_sums_merge(&rays->sums[i], &first[i]);
    free(first);
    return status;
}

static rw_status solve_ray_transmitter(rw_rays *rays, rw_run *run, size_t transmitter)
{
    RW_TRY(prepare_ray_transmitter(rays, transmitter));
    size_t count = rays->points.view.count;
    memset(rays->sums, 0, count * sizeof *rays->sums);
    RW_TRY(rays->search->solve(rays));
    if (rays->prediction->options->transmitters[transmitter].dual_polarised)
        RW_TRY(solve_second_port(rays, transmitter));
    rw_ray_layers layers = {run, transmitter, rays->kind, rays->power_dbm};
    float *mechanism = rays->search->reports_walls ? rw_run_layer(run, RW_ROOM_LAYER_MECHANISM, transmitter) : NULL;
    storing to = {rays, &layers, mechanism};
    rw_ray_layers_begin(&layers);
    RW_TRY(rw_parallel(rays->scene.context, count, 2048, store_points, &to));
    return rw_ray_layers_end(&layers, run);
}

rw_status rw_rays_solve(void *state, rw_run *run, size_t first, size_t count)
{
    for (size_t i = first; i < first + count; i++)
        RW_TRY(solve_ray_transmitter(state, run, i));
    return RW_OK;
}

rw_status rw_rays_trace(void *state, size_t first, size_t count, rw_paths *paths)
{
    rw_rays *rays = state;
    for (size_t i = first; i < first + count; i++) {
        RW_TRY(prepare_ray_transmitter(rays, i));
        RW_TRY(rays->search->trace(rays, paths));
    }
    return RW_OK;
}

double rw_rays_surface_estimate(const rw_scene *scene)
{
    return (double)scene->panels.count + (double)scene->triangles.count / 6 + (double)scene->prepared->walls.count +
           (double)scene->parts.count;
}

/* Sums of 100 bytes a receiver on the host and on the backend, and its place. */
rw_status rw_rays_estimate(const rw_prediction *prediction, const rw_map_info *cells, rw_estimate *estimate)
{
    (void)cells;
    rw_estimate_add(prediction, estimate, sizeof(rw_ray_sums), sizeof(rw_ray_sums) + 40.0);
    return RW_OK;
}
