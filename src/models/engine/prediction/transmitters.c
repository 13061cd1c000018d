/* Transmitters of a prediction: checked, put on the ground, with their antennas. */
#include "base/memory.h"

#include "base/range.h"
#include "discretise/bvh/cross_meshes.k.h"
#include "models/engine/prediction/prediction.h"
#include "models/engine/received/sinr.k.h"
#include "models/engine/model.h"
#include "scene/antennas/antenna.h"
#include "scene/coordinates.h"
#include "scene/antennas/site.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static rw_status check_outdoor(const rw_scene *scene, const rw_transmitter *transmitter, rw_vec2 at, double z_m,
                               int rooms)
{
    rw_context *context = scene->context;
    const rw_wall_grid *grid = &scene->prepared->grid;
    uint32_t part;
    if (rw_parts_at(scene, scene->prepared, at, z_m, &part, 1) > 0)
        return rw_fail(context, RW_BAD_CALL,
                       "%s%s at %.2f,%.2f is inside a building (%s): raise it above its roof, %.1f m above the "
                       "ground there, or move it",
                       rw_transmitter_prefix(transmitter->name), transmitter->name, transmitter->x_m, transmitter->y_m,
                       scene->part_sources.items[part], scene->parts.items[part].top_m - rw_scene_ground_m(scene, at));
    rw_vec3 point = rw_vec3_of(at.x - grid->centre.x, at.y - grid->centre.y, z_m);
    if (!rooms && grid->view.node_count && rw_inside_meshes(&grid->view, point, rw_bvh_outside(&grid->view)))
        return rw_fail(context, RW_BAD_CALL,
                       "%s%s at %.2f,%.2f,%.2f is inside a closed mesh: raise it above its roof or move it",
                       rw_transmitter_prefix(transmitter->name), transmitter->name, transmitter->x_m, transmitter->y_m,
                       transmitter->height_m);
    return RW_OK;
}

/* Sites beside the map serve it and interfere on it. One further off is a mistake, or of another coordinate system. */
#define OFF_MAP_MAX_M 50e3

/* How far a place is from a box; 0 inside. */
static double distance_off(const double box_m[4], double x_m, double y_m)
{
    double x = fmax(fmax(box_m[0] - x_m, x_m - box_m[2]), 0), y = fmax(fmax(box_m[1] - y_m, y_m - box_m[3]), 0);
    return hypot(x, y);
}

/* Rooms of a floor plan, with nothing outside. */
static int is_plan(const rw_scene *scene)
{
    return !scene->no_ground && scene->panels.count > 0 && scene->parts.count == 0;
}

static rw_status reject_off_map(const rw_scene *scene, const double box_m[4], const char *what, double x_m, double y_m,
                                double max_m)
{
    int degrees = fabs(x_m) <= 180 && fabs(y_m) <= 90 && *rw_scene_crs(scene);
    const double swapped[4] = {box_m[1], box_m[0], box_m[3], box_m[2]};
    const double near_m[4] = {box_m[0] - max_m, box_m[1] - max_m, box_m[2] + max_m, box_m[3] + max_m};
    const char *hint =
        max_m > 0 ? "; places up to 50 km beside it are taken" : "; beside a floor plan nothing is known";
    if (degrees)
        hint = "; if these are degrees, say so with points-crs EPSG:4326";
    else if (distance_off(swapped, x_m, y_m) == 0)
        hint = "; x and y are swapped";
    else if (rw_is_swapped_on(scene, near_m, x_m, y_m))
        hint = "; its latitude and longitude are swapped: longitude comes first";
    return rw_fail(scene->context, RW_BAD_CALL,
                   "%s at %.2f,%.2f is off the map, which is x %.2f to %.2f, y %.2f to %.2f%s", what, x_m, y_m,
                   box_m[0], box_m[2], box_m[1], box_m[3], hint);
}

/* The least box around the scene and the area. */
static void join_boxes(const rw_scene *scene, const double area_m[4], double box_m[4])
{
    box_m[0] = fmin(area_m[0], scene->box_min.x + scene->origin.x);
    box_m[1] = fmin(area_m[1], scene->box_min.y + scene->origin.y);
    box_m[2] = fmax(area_m[2], scene->box_max.x + scene->origin.x);
    box_m[3] = fmax(area_m[3], scene->box_max.y + scene->origin.y);
}

rw_status rw_check_near_scene(const rw_scene *scene, double x_m, double y_m, const char *what)
{
    const double nowhere[4] = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    double box_m[4];
    join_boxes(scene, nowhere, box_m);
    if (scene->no_ground || !(box_m[0] <= box_m[2]) || distance_off(box_m, x_m, y_m) <= OFF_MAP_MAX_M)
        return RW_OK;
    return reject_off_map(scene, box_m, what, x_m, y_m, OFF_MAP_MAX_M);
}

/* Turned a thousand times: beyond that an angle is a mistake, and its sine loses digits. */
#define ANGLE_MAX_DEG 360e3

static rw_status check_transmitter_fields(const rw_scene *scene, const double area_m[4],
                                          const rw_transmitter *transmitter, int rooms, rw_vec3 *source)
{
    rw_context *context = scene->context;
    rw_vec2 at = {transmitter->x_m - scene->origin.x, transmitter->y_m - scene->origin.y};
    if (!rw_is_coordinate(transmitter->x_m) || !rw_is_coordinate(transmitter->y_m) || !(transmitter->height_m > 0) ||
        !(transmitter->height_m < RW_HEIGHT_MAX_M))
        return rw_fail(
            context, RW_BAD_CALL,
            "%s%s at %.10g,%.10g,%g: position and height must be finite, the height above 0 and below 100 km",
            rw_transmitter_prefix(transmitter->name), transmitter->name, transmitter->x_m, transmitter->y_m,
            transmitter->height_m);
    int own_freq = transmitter->freq_hz != 0;
    if (own_freq && !(transmitter->freq_hz >= RW_FREQ_MIN_HZ && transmitter->freq_hz <= RW_FREQ_MAX_HZ))
        return rw_fail(context, RW_BAD_CALL, "%s%s: a frequency of %g Hz is not between 1 MHz and 1 THz",
                       rw_transmitter_prefix(transmitter->name), transmitter->name, transmitter->freq_hz);
    const double angles_deg[4] = {transmitter->azimuth_deg, transmitter->downtilt_deg, transmitter->roll_deg,
                                  transmitter->slant_deg};
    if (!rw_is_decibels(transmitter->power_dbm) || rw_find_outside(angles_deg, 4, -ANGLE_MAX_DEG, ANGLE_MAX_DEG) < 4)
        return rw_fail(context, RW_BAD_CALL, "%s%s: power, azimuth, tilt, roll and slant must be finite numbers",
                       rw_transmitter_prefix(transmitter->name), transmitter->name);
    if (!(transmitter->radius_m >= 0 && transmitter->radius_m <= RW_RADIUS_MAX_M))
        return rw_fail(context, RW_BAD_CALL, "%s%s: a radius of %g m is not between 0 (none) and 10000 km",
                       rw_transmitter_prefix(transmitter->name), transmitter->name, transmitter->radius_m);
    if (!(transmitter->bandwidth_hz == 0 || (transmitter->bandwidth_hz >= 1e3 && transmitter->bandwidth_hz <= 1e11)))
        return rw_fail(context, RW_BAD_CALL, "%s%s: a bandwidth of %g Hz is not between 1 kHz and 100 GHz",
                       rw_transmitter_prefix(transmitter->name), transmitter->name, transmitter->bandwidth_hz);
    if (transmitter->streams < 0 || transmitter->streams > RW_STREAMS_MAX)
        return rw_fail(context, RW_BAD_CALL, "%s%s: %d spatial streams are not between 1 and %d",
                       rw_transmitter_prefix(transmitter->name), transmitter->name, transmitter->streams,
                       RW_STREAMS_MAX);
    double box_m[4];
    join_boxes(scene, area_m, box_m);
    double max_m = rooms && is_plan(scene) ? 0 : OFF_MAP_MAX_M;
    if (distance_off(box_m, transmitter->x_m, transmitter->y_m) > max_m) {
        char what[160];
        snprintf(what, sizeof what, "transmitter %.120s", transmitter->name);
        return reject_off_map(scene, box_m, what, transmitter->x_m, transmitter->y_m, max_m);
    }
    *source = rw_vec3_of(at.x, at.y, rw_scene_ground_m(scene, at) + transmitter->height_m);
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

/* Models that follow the loss of a path and not its field take every wave as vertically polarised. */
static void warn_of_polarisation(const rw_prediction *prediction)
{
    const rw_predict_options *options = prediction->options;
    for (size_t i = 0; i < options->transmitter_count && !prediction->model->polarised; i++)
        if (options->transmitters[i].slant_deg != 0 || options->transmitters[i].dual_polarised) {
            rw_warn(prediction->scene->context,
                    "model %s takes every transmitter as vertically polarised, also %.60s; rt, tiles, images and sbr "
                    "follow polarisation",
                    prediction->model->name, options->transmitters[i].name);
            return;
        }
}

void rw_prediction_release_transmitters(rw_prediction *prediction)
{
    for (size_t i = 0; i < prediction->located_count; i++)
        rw_antenna_destroy(prediction->antennas[i]);
    free(prediction->antennas);
    free(prediction->sources);
    prediction->antennas = NULL;
    prediction->sources = NULL;
    prediction->located_count = 0;
    rw_antenna_destroy(prediction->receiver_antenna);
    prediction->receiver_antenna = NULL;
}

/* Places for as many transmitters as there are now. */
static rw_status allocate_transmitters(rw_prediction *prediction)
{
    rw_context *context = prediction->scene->context;
    size_t count = prediction->options->transmitter_count;
    if (prediction->sources && prediction->located_count == count)
        return RW_OK;
    rw_prediction_release_transmitters(prediction);
    RW_TRY(rw_array_create(context, count, sizeof *prediction->sources, "transmitters", &prediction->sources));
    RW_TRY(rw_array_create(context, count, sizeof *prediction->antennas, "antennas", &prediction->antennas));
    prediction->located_count = count;
    return RW_OK;
}

/* Keeps the antenna of the call before where it is the same. A file may have changed since. */
static rw_status update_antenna(rw_context *context, const char *description, rw_antenna **antenna)
{
    if (*antenna && strcmp(description, rw_antenna_name(*antenna)) == 0 && (*antenna)->kind != RW_ANTENNA_CUTS)
        return RW_OK;
    rw_antenna_destroy(*antenna);
    *antenna = NULL;
    return rw_antenna_create(context, description, antenna);
}

/* The line of sight of some models is straight over a flat earth, which is wrong by this much in its middle. */
#define BULGE_WARN_M 1.0

static void warn_of_flat_earth(const rw_prediction *prediction, const double area_m[4])
{
    const rw_predict_options *options = prediction->options;
    double furthest_m = 0, curve_per_m = rw_prediction_curve_per_m(prediction);
    size_t furthest = 0;
    for (size_t i = 0; i < options->transmitter_count; i++) {
        const rw_transmitter *at = &options->transmitters[i];
        double x_m = fmax(fabs(at->x_m - area_m[0]), fabs(at->x_m - area_m[2]));
        double y_m = fmax(fabs(at->y_m - area_m[1]), fabs(at->y_m - area_m[3]));
        double far_m = hypot(x_m, y_m);
        far_m = at->radius_m > 0 ? fmin(far_m, at->radius_m) : far_m;
        furthest = far_m > furthest_m ? i : furthest;
        furthest_m = fmax(furthest_m, far_m);
    }
    double bulge_m = 0.25 * curve_per_m * furthest_m * furthest_m;
    if (prediction->model->flat_earth && bulge_m > BULGE_WARN_M)
        rw_warn(prediction->scene->context,
                "lines of sight of model %s are over a flat earth: the true one rises by %.0f m into that from %.60s "
                "over %.0f km; shadow and beams know it",
                prediction->model->name, bulge_m, options->transmitters[furthest].name, furthest_m / 1e3);
}

/* Nothing is known of what stands between them and the map. */
static void warn_of_off_map(const rw_prediction *prediction, const double area_m[4])
{
    const rw_predict_options *options = prediction->options;
    double box_m[4], furthest_m = 0;
    size_t count = 0, furthest = 0;
    join_boxes(prediction->scene, area_m, box_m);
    for (size_t i = 0; i < options->transmitter_count; i++) {
        double off_m = distance_off(box_m, options->transmitters[i].x_m, options->transmitters[i].y_m);
        count += off_m > 0;
        furthest = off_m > furthest_m ? i : furthest;
        furthest_m = fmax(furthest_m, off_m);
    }
    if (count && !prediction->scene->no_ground)
        rw_warn(prediction->scene->context,
                "%zu transmitter%s off the map, the furthest (%.60s) by %.0f m: the way to the map is taken as free of "
                "buildings",
                count, count == 1 ? " stands" : "s stand", options->transmitters[furthest].name, furthest_m);
}

/* Sums of paths hold 51 dB beyond isotropic antennas in free space; some of it is for reflections. */
#define GAINS_MAX_DBI 45

static rw_status check_gains(const rw_prediction *prediction)
{
    for (size_t i = 0; i < prediction->located_count; i++)
        if (prediction->antennas[i]->peak_gain_dbi + prediction->receiver_antenna->peak_gain_dbi > GAINS_MAX_DBI)
            return rw_fail(prediction->scene->context, RW_BAD_CALL,
                           "the antennas of transmitter %s and of the receivers have %.1f and %.1f dBi, more than %d "
                           "dBi together",
                           prediction->options->transmitters[i].name, prediction->antennas[i]->peak_gain_dbi,
                           prediction->receiver_antenna->peak_gain_dbi, GAINS_MAX_DBI);
    return RW_OK;
}

/* Reads the antenna that the options name, and refuses what maps could not hold. */
static rw_status load_receiver_antenna(rw_prediction *prediction)
{
    const rw_predict_options *options = prediction->options;
    rw_context *context = prediction->scene->context;
    rw_antenna_destroy(prediction->receiver_antenna); /* its file may have changed since the last call */
    prediction->receiver_antenna = NULL;
    if (!options->rx_antenna)
        return RW_OK;
    if (rw_list_contains(prediction->layers, "field_strength"))
        return rw_fail(context, RW_BAD_CALL,
                       "field_strength is of the wave, not of what an antenna receives: leave rx-antenna out");
    RW_TRY(rw_antenna_create(context, options->rx_antenna, &prediction->receiver_antenna));
    return check_gains(prediction);
}

rw_status rw_prediction_locate_transmitters(rw_prediction *prediction, const double area_m[4])
{
    const rw_predict_options *options = prediction->options;
    warn_of_frequency(prediction);
    warn_of_polarisation(prediction);
    RW_TRY(allocate_transmitters(prediction));
    for (size_t i = 0; i < options->transmitter_count; i++) {
        const rw_transmitter *transmitter = &options->transmitters[i];
        RW_TRY(check_transmitter_fields(prediction->scene, area_m, transmitter, prediction->model->rooms,
                                        &prediction->sources[i]));
        RW_TRY(update_antenna(prediction->scene->context, transmitter->antenna, &prediction->antennas[i]));
    }
    warn_of_off_map(prediction, area_m);
    warn_of_flat_earth(prediction, area_m);
    return load_receiver_antenna(prediction);
}

rw_status rw_check_transmitter(const rw_scene *scene, const rw_predict_options *options, size_t index)
{
    rw_prediction *prediction;
    RW_TRY(rw_prediction_create(scene, options, NULL, &prediction));
    rw_predict_options *resolved = &prediction->resolved_options;
    const rw_map_info *cells = &prediction->grid.cells;
    const double area_m[4] = {cells->x0_m, cells->y0_m, cells->x0_m + (double)cells->columns * cells->res_m,
                              cells->y0_m + (double)cells->rows * cells->res_m};
    rw_status status = RW_OK;
    if (index < resolved->transmitter_count) {
        resolved->transmitters += index;
        resolved->transmitter_count = 1;
        status = rw_prediction_locate_transmitters(prediction, area_m);
    } else {
        status = rw_fail(scene->context, RW_BAD_CALL, "there are %zu transmitters, there is no number %zu",
                         resolved->transmitter_count, index);
    }
    rw_prediction_destroy(prediction);
    return status;
}

rw_status rw_receiver_pattern_upload(const rw_prediction *prediction, rw_backend backend,
                                     rw_device_pattern *table_buffer, rw_pattern *host, rw_pattern *device_pattern)
{
    const rw_predict_options *options = prediction->options;
    const rw_antenna isotropic = {.kind = RW_ANTENNA_ISOTROPIC};
    const rw_antenna *antenna = prediction->receiver_antenna ? prediction->receiver_antenna : &isotropic;
    rw_transmitter orientation = rw_receiver_orientation(options);
    RW_TRY(rw_pattern_upload(prediction->scene->context, backend, antenna, &orientation, table_buffer, host,
                             device_pattern));
    device_pattern->polarisation = host->polarisation = rw_polarisation_slanted(rw_option_or(options->rx_slant_deg, 0));
    device_pattern->dual = host->dual = options->rx_ports == 2;
    return RW_OK;
}
