/* Transmitters of a prediction: checked, put on the ground, with their antennas. */
#include "base/memory.h"
#include "base/range.h"
#include "discretise/triangles/cross_meshes.k.h"
#include "models/engine/receiver_antenna.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static rw_status check_outdoor(const rw_scene *scene, const rw_transmitter *transmitter, rw_vec2 at, double z_m,
                               int rooms)
{
    rw_context *context = scene->context;
    const rw_wall_grid *grid = &scene->prepared->grid;
    uint32_t part;
    if (rw_parts_at(scene, scene->prepared, at, z_m, &part, 1) > 0)
        return rw_fail(
            context, RW_BAD_CALL,
            "transmitter %s at %.2f,%.2f is inside a building (%s): raise it above its roof, %.1f m above the "
            "ground there, or move it",
            transmitter->name, transmitter->x_m, transmitter->y_m, scene->part_sources.items[part],
            scene->parts.items[part].top_m - rw_scene_ground_m(scene, at));
    rw_vec3 point = rw_vec3_make(at.x - grid->centre.x, at.y - grid->centre.y, z_m);
    if (!rooms && grid->view.node_count && rw_inside_meshes(&grid->view, point, rw_bvh_outside(&grid->view)))
        return rw_fail(context, RW_BAD_CALL,
                       "transmitter %s at %.2f,%.2f,%.2f is inside a closed mesh: raise it above its roof or move it",
                       transmitter->name, transmitter->x_m, transmitter->y_m, transmitter->height_m);
    return RW_OK;
}

static rw_status refuse_off_map(const rw_scene *scene, const rw_transmitter *transmitter)
{
    int degrees = fabs(transmitter->x_m) <= 180 && fabs(transmitter->y_m) <= 90 && *rw_scene_crs(scene);
    return rw_fail(
        scene->context, RW_BAD_CALL,
        "transmitter %s at %.2f,%.2f is off the map, which is x %.2f to %.2f, y %.2f to %.2f%s", transmitter->name,
        transmitter->x_m, transmitter->y_m, scene->box_min.x + scene->origin.x, scene->box_max.x + scene->origin.x,
        scene->box_min.y + scene->origin.y, scene->box_max.y + scene->origin.y,
        degrees ? "; if these are degrees, give metres in the map's coordinate system (rasterwave info tells it)"
                : "; the scene, or the area of a map, must hold it");
}

/* Turned a thousand times: beyond that an angle is a mistake, and its sine loses digits. */
#define ANGLE_MAX_DEG 360e3

static rw_status check_transmitter(const rw_scene *scene, const double area_m[4], const rw_transmitter *transmitter,
                                   int rooms, rw_vec3 *source)
{
    rw_context *context = scene->context;
    rw_vec2 at = {transmitter->x_m - scene->origin.x, transmitter->y_m - scene->origin.y};
    if (!rw_is_coordinate(transmitter->x_m) || !rw_is_coordinate(transmitter->y_m) || !(transmitter->height_m > 0) ||
        !(transmitter->height_m < RW_HEIGHT_MAX_M))
        return rw_fail(
            context, RW_BAD_CALL,
            "transmitter %s at %g,%g,%g: position and height must be finite, the height above 0 and below 100 km",
            transmitter->name, transmitter->x_m, transmitter->y_m, transmitter->height_m);
    int own_freq = transmitter->freq_hz != 0;
    if (own_freq && !(transmitter->freq_hz >= RW_FREQ_MIN_HZ && transmitter->freq_hz <= RW_FREQ_MAX_HZ))
        return rw_fail(context, RW_BAD_CALL, "transmitter %s: a frequency of %g Hz is not between 1 MHz and 1 THz",
                       transmitter->name, transmitter->freq_hz);
    const double angles_deg[3] = {transmitter->azimuth_deg, transmitter->downtilt_deg, transmitter->roll_deg};
    if (!rw_is_decibels(transmitter->power_dbm) || rw_find_outside(angles_deg, 3, -ANGLE_MAX_DEG, ANGLE_MAX_DEG) < 3)
        return rw_fail(context, RW_BAD_CALL, "transmitter %s: power, azimuth, tilt and roll must be finite numbers",
                       transmitter->name);
    int in_scene =
        at.x >= scene->box_min.x && at.x <= scene->box_max.x && at.y >= scene->box_min.y && at.y <= scene->box_max.y;
    int in_area = transmitter->x_m >= area_m[0] && transmitter->y_m >= area_m[1] && transmitter->x_m <= area_m[2] &&
                  transmitter->y_m <= area_m[3];
    if (!in_scene && !in_area)
        return refuse_off_map(scene, transmitter);
    *source = rw_vec3_make(at.x, at.y, rw_scene_ground_m(scene, at) + transmitter->height_m);
    return check_outdoor(scene, transmitter, at, source->z, rooms);
}

/* Far from the frequency that they were found at, parameters are worth less. */
static void warn_of_frequency(const rw_prediction *prediction)
{
    const rw_params *params = prediction->options->params;
    for (size_t i = 0; params && i < prediction->options->transmitter_count; i++) {
        double freq_hz = rw_prediction_freq_hz(prediction, i);
        if (!(fabs(freq_hz - params->freq_hz) > 0.1 * params->freq_hz))
            continue;
        rw_warn(prediction->scene->context, "the parameters are for %.6g MHz, and transmitter %s sends at %.6g MHz",
                params->freq_hz / 1e6, prediction->options->transmitters[i].name, freq_hz / 1e6);
        return;
    }
}

static void release_transmitters(rw_prediction *prediction)
{
    for (size_t i = 0; i < prediction->placed_count; i++)
        rw_antenna_destroy(prediction->antennas[i]);
    free(prediction->antennas);
    free(prediction->sources);
    prediction->antennas = NULL;
    prediction->sources = NULL;
    prediction->placed_count = 0;
}

/* Places for as many transmitters as there are now. */
static rw_status take_places(rw_prediction *prediction)
{
    rw_context *context = prediction->scene->context;
    size_t count = prediction->options->transmitter_count;
    if (prediction->sources && prediction->placed_count == count)
        return RW_OK;
    release_transmitters(prediction);
    RW_TRY(rw_array_create(context, count, sizeof *prediction->sources, "transmitters", &prediction->sources));
    RW_TRY(rw_array_create(context, count, sizeof *prediction->antennas, "antennas", &prediction->antennas));
    prediction->placed_count = count;
    return RW_OK;
}

/* Keeps the antenna of the call before where it is the same. A file may have changed since. */
static rw_status place_antenna(rw_context *context, const char *description, rw_antenna **antenna)
{
    if (*antenna && strcmp(description, rw_antenna_name(*antenna)) == 0 && (*antenna)->kind != RW_ANTENNA_CUTS)
        return RW_OK;
    rw_antenna_destroy(*antenna);
    *antenna = NULL;
    return rw_antenna_create(context, description, antenna);
}

rw_status rw_prediction_place_transmitters(rw_prediction *prediction, const double area_m[4])
{
    const rw_predict_options *options = prediction->options;
    warn_of_frequency(prediction);
    RW_TRY(take_places(prediction));
    for (size_t i = 0; i < options->transmitter_count; i++) {
        const rw_transmitter *transmitter = &options->transmitters[i];
        RW_TRY(check_transmitter(prediction->scene, area_m, transmitter, prediction->model->rooms,
                                 &prediction->sources[i]));
        RW_TRY(place_antenna(prediction->scene->context, transmitter->antenna, &prediction->antennas[i]));
    }
    return rw_prediction_place_receiver_antenna(prediction);
}

void rw_prediction_release(rw_prediction *prediction)
{
    release_transmitters(prediction);
    rw_antenna_destroy(prediction->receiver_antenna);
    prediction->receiver_antenna = NULL;
    rw_prediction_release_receivers(prediction);
}
