#include "models/rays/ray_layers.h"

#include "base/memory.h"
#include "discretise/prepared.h"
#include "models/images/parameters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

rw_status rw_ray_option(rw_context *context, const char *name, int given, int low, int high, int otherwise, int *value)
{
    *value = given == 0 ? otherwise : given;
    if (*value < low || *value > high)
        return rw_fail(context, RW_BAD_CALL, "%s is %d; it must be from %d to %d", name, given, low, high);
    return RW_OK;
}

rw_path_vertex rw_ray_vertex(const rw_scene *scene, rw_vec3 place, rw_interaction kind)
{
    rw_vec2 centre = scene->prepared->grid.centre;
    return (rw_path_vertex){.x_m = place.x + centre.x + scene->origin.x,
                            .y_m = place.y + centre.y + scene->origin.y,
                            .z_m = place.z,
                            .interaction = kind};
}

float rw_ray_turn_rad(const rw_path_vertex *vertex)
{
    const rw_path_vertex *before = vertex - 1, *after = vertex + 1;
    rw_vec3 in = rw_vec3_make(vertex->x_m - before->x_m, vertex->y_m - before->y_m, vertex->z_m - before->z_m);
    rw_vec3 out = rw_vec3_make(after->x_m - vertex->x_m, after->y_m - vertex->y_m, after->z_m - vertex->z_m);
    double lengths = rw_vec3_length(in) * rw_vec3_length(out);
    return (float)acos(fmax(-1, fmin(1, lengths > 0 ? rw_vec3_dot(in, out) / lengths : 1)));
}

rw_status rw_ray_layers_add(const rw_prediction *prediction, rw_map *map, rw_ray_layers *layers)
{
    *layers = (rw_ray_layers){0};
    RW_TRY(rw_prediction_add_layer(prediction, map, "path_loss", "dB", &layers->path_loss));
    RW_TRY(rw_prediction_add_layer(prediction, map, "power", "dBm", &layers->power));
    RW_TRY(rw_prediction_add_layer(prediction, map, "delay_spread", "ns", &layers->delay_spread));
    RW_TRY(rw_prediction_add_layer(prediction, map, "delay", "ns", &layers->delay));
    RW_TRY(rw_prediction_add_layer(prediction, map, "azimuth_spread", "deg", &layers->azimuth_spread));
    RW_TRY(rw_prediction_add_layer(prediction, map, "elevation_spread", "deg", &layers->elevation_spread));
    RW_TRY(rw_prediction_add_layer(prediction, map, "azimuth", "deg", &layers->azimuth));
    RW_TRY(rw_prediction_add_layer(prediction, map, "elevation", "deg", &layers->elevation));
    RW_TRY(rw_prediction_add_layer(prediction, map, "paths", "paths", &layers->paths));
    int several = prediction->options->transmitter_count > 1 && !prediction->options->layers;
    if (!several && !rw_list_contains(prediction->layers, "best"))
        return RW_OK;
    RW_TRY(rw_map_add_layer(map, "best", "transmitter", 1, &layers->best));
    size_t cells = prediction->receivers.view.columns * prediction->receivers.view.rows;
    RW_TRY(rw_array_create(prediction->scene->context, cells, sizeof(float), "best powers", &layers->best_power));
    for (size_t i = 0; i < cells; i++)
        layers->best_power[i] = -INFINITY;
    return RW_OK;
}

void rw_ray_layers_release(rw_ray_layers *layers)
{
    free(layers->best_power);
    *layers = (rw_ray_layers){0};
}

void rw_ray_layers_store(const rw_prediction *prediction, size_t transmitter, size_t cell, const rw_ray_sums *sums,
                         rw_ray_sum_kind kind, double free_gain, double straight_s, const rw_ray_layers *layers)
{
    size_t at = transmitter * prediction->receivers.view.columns * prediction->receivers.view.rows + cell;
    double share = rw_ray_sums_power(sums, kind);
    double loss_db = share > 0 ? -10 * log10(share) - 20 * log10(free_gain) : INFINITY;
    double power_dbm = prediction->options->transmitters[transmitter].power_dbm - loss_db;
    double degrees = 180 / RW_PI;
    int any = sums->count > 0;
    double none = any ? 0 : INFINITY; /* no path: no delay and no angle either */
    if (layers->path_loss)
        layers->path_loss[at] = (float)loss_db;
    if (layers->power)
        layers->power[at] = (float)power_dbm;
    if (layers->paths)
        layers->paths[at] = (float)sums->count;
    if (layers->delay_spread)
        layers->delay_spread[at] = (float)(none + rw_ray_sums_delay_spread_s(sums) * 1e9);
    if (layers->delay)
        layers->delay[at] = (float)(none + (straight_s + rw_ray_sums_delay_s(sums)) * 1e9);
    if (layers->azimuth_spread)
        layers->azimuth_spread[at] = (float)(none + rw_ray_sums_angular_spread(sums, 1) * degrees);
    if (layers->elevation_spread)
        layers->elevation_spread[at] = (float)(none + rw_ray_sums_angular_spread(sums, 0) * degrees);
    /* Clockwise from north, as antennas are told; and above the horizon. */
    if (layers->azimuth)
        layers->azimuth[at] =
            (float)(none + fmod(450 - atan2((double)sums->azimuth_y, (double)sums->azimuth_x) * degrees, 360));
    if (layers->elevation)
        layers->elevation[at] = (float)(none + atan2((double)sums->elevation_y, (double)sums->elevation_x) * degrees);
    if (layers->best && any && power_dbm > (double)layers->best_power[cell]) {
        layers->best[cell] = (float)(transmitter + 1);
        layers->best_power[cell] = (float)power_dbm;
    }
}

/* The receivers that are not inside a wall. */
static rw_status list_points(const rw_prediction *prediction, const rw_ray_scene *scene, rw_points *points)
{
    const rw_receivers_view *view = &prediction->receivers.view;
    rw_context *context = prediction->scene->context;
    rw_vec3 *places;
    uint32_t *cells;
    long long all = (long long)view->outdoor_count;
    RW_TRY(rw_array_create(context, view->outdoor_count + 1, sizeof *places, "receivers", &places));
    rw_status status = rw_array_create(context, view->outdoor_count + 1, sizeof *cells, "receivers", &cells);
    size_t count = 0;
    if (status == RW_OK) {
#pragma omp parallel for schedule(static) num_threads(context->threads)
        for (long long i = 0; i < all; i++) {
            places[i] = rw_receiver_point(view, view->outdoor[i]);
            cells[i] = rw_ray_scene_inside(scene, places[i]) == RW_NO_SURFACE ? view->outdoor[i] : UINT32_MAX;
        }
        for (long long i = 0; i < all; i++) {
            places[count] = places[i];
            cells[count] = cells[i];
            count += cells[i] != UINT32_MAX;
        }
        if (count == 0)
            status =
                rw_fail(context, RW_BAD_CALL, "every receiver is inside a wall or floor; change --rx-height or --area");
    }
    if (status == RW_OK)
        status = rw_points_create(context, places, cells, count, points);
    free(places);
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
                   "transmitter %s at %.2f,%.2f,%.2f is inside a wall or floor (%s, %.3g m thick): move it out",
                   about->name, about->x_m, about->y_m, about->height_m, scene->surfaces.kinds[kind],
                   scene->slabs[kind].thickness_m);
}

/* The scene at a transmitter's frequency, with the losses that the parameters say. */
static rw_status open_rays(const rw_prediction *prediction, size_t transmitter, rw_ray_scene *rays)
{
    double values[RW_PARAMETERS_MAX], freq_hz = rw_prediction_freq_hz(prediction, transmitter);
    if (!prediction->model->rooms)
        return rw_ray_scene_create_outdoors(prediction->scene, freq_hz, rays);
    if (!prediction->model->parameter_count)
        return rw_ray_scene_create(prediction->scene, freq_hz, 0, rays);
    RW_TRY(rw_prediction_values(prediction, transmitter, values));
    RW_TRY(rw_ray_scene_create_adjusted(prediction->scene, freq_hz, 0, rw_image_adjust, values, rays));
    rays->world.receiver.peak_amplitude *= pow(10, -values[RW_IMAGE_OFFSET] / 20);
    rays->host.receiver = rays->world.receiver;
    return RW_OK;
}

rw_status rw_ray_transmitter(const rw_prediction *prediction, size_t transmitter, rw_ray_visit visit, void *user)
{
    const rw_scene *scene = prediction->scene;
    rw_vec2 centre = scene->prepared->grid.centre;
    rw_vec3 source = prediction->sources[transmitter];
    rw_ray_scene rays;
    rw_points points = {0};
    source = rw_vec3_make(source.x - centre.x, source.y - centre.y, source.z);
    RW_TRY(open_rays(prediction, transmitter, &rays));
    rw_status status = check_free(prediction, &rays, transmitter, source);
    if (status == RW_OK)
        status = rw_ray_scene_place(&rays, prediction->antennas[transmitter],
                                    &prediction->options->transmitters[transmitter], source);
    if (status == RW_OK)
        status = list_points(prediction, &rays, &points);
    if (status == RW_OK)
        status = visit(prediction, &rays, &points, transmitter, user);
    rw_points_destroy(&points);
    rw_ray_scene_destroy(&rays);
    return status;
}

/* What filling layers needs beside the prediction. */
typedef struct layer_filler {
    rw_ray_solve solve;
    rw_ray_sum_kind kind;
    const rw_ray_layers *layers;
} layer_filler;

static rw_status fill_transmitter(const rw_prediction *prediction, rw_ray_scene *scene, const rw_points *points,
                                  size_t transmitter, void *user)
{
    const layer_filler *filler = user;
    rw_ray_sums *sums;
    if (filler->kind == RW_RAY_SUM_LOCAL)
        scene->world.near = rw_prediction_cell(prediction);
    RW_TRY(rw_array_create(scene->context, points->view.count, sizeof *sums, "sums", &sums));
    rw_status status = filler->solve(prediction, scene, points, sums);
    for (size_t i = 0; status == RW_OK && i < points->view.count; i++) {
        double straight_m = rw_vec3_length(rw_vec3_sub(points->places[i], scene->world.source));
        rw_ray_layers_store(prediction, transmitter, points->cells[i], &sums[i], filler->kind,
                            scene->world.wavelength_m / (4 * RW_PI * straight_m), straight_m / RW_SPEED_OF_LIGHT_M_S,
                            filler->layers);
    }
    free(sums);
    return status;
}

rw_status rw_ray_layers_fill(const rw_prediction *prediction, rw_map *map, rw_ray_solve solve)
{
    rw_ray_layers layers;
    layer_filler filler = {.solve = solve, .layers = &layers};
    RW_TRY(rw_ray_sum_parse(prediction->scene->context, prediction->options->sum, &filler.kind));
    rw_status status = rw_ray_layers_add(prediction, map, &layers);
    for (size_t i = 0; status == RW_OK && i < prediction->options->transmitter_count; i++)
        status = rw_ray_transmitter(prediction, i, fill_transmitter, &filler);
    rw_ray_layers_release(&layers);
    return status;
}
