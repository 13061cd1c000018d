/* rw_predict: checks the call, lays the receiver grid, places the transmitters, and hands over to the model. */
#include "base/memory.h"
#include "base/options.h"
#include "discretise/cross_meshes.k.h"
#include "models/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void rw_predict_options_init(rw_predict_options *options)
{
    memset(options, 0, sizeof *options);
    options->size = sizeof *options;
    options->model = "shadow";
    options->freq_hz = 947e6;
    options->res_m = NAN;
    options->rx_height_m = NAN;
}

static rw_status check_layers(rw_context *context, const rw_model *model, const char *layers)
{
    if (!*layers)
        return rw_fail(context, RW_BAD_CALL, "no layer is asked for; model %s has %s", model->name, model->layers);
    return rw_list_check(context, layers, model->layers, "layer");
}

static rw_status check_numbers(rw_context *context, const rw_predict_options *options)
{
    if (!(options->freq_hz >= RW_FREQ_MIN_HZ && options->freq_hz <= RW_FREQ_MAX_HZ))
        return rw_fail(context, RW_BAD_CALL,
                       "a frequency of %g Hz is not between 1 MHz and 1 THz; write for example --freq 947MHz",
                       options->freq_hz);
    if (!(options->res_m > 0) || !(options->res_m <= 1e6)) /* the side of the largest scene */
        return rw_fail(context, RW_BAD_CALL, "a resolution of %g m is not possible; write for example --res 5",
                       options->res_m);
    if (!(options->rx_height_m > 0) || !(options->rx_height_m < 1e5))
        return rw_fail(context, RW_BAD_CALL,
                       "a receiver height of %g m is not possible; write for example --rx-height 1.5",
                       options->rx_height_m);
    if (options->transmitter_count == 0)
        return rw_fail(context, RW_BAD_CALL,
                       "there is no transmitter; give one with --tx X,Y,HEIGHT or --sites FILE.csv");
    return RW_OK;
}

typedef struct map_grid {
    double x0_m, y0_m; /* south-western corner, world */
    size_t columns, rows;
} map_grid;

/* An area that was asked for: finite, not empty, and at least partly on the scene. */
static rw_status check_area(const rw_scene *scene, const double area[4])
{
    for (int i = 0; i < 4; i++)
        if (!(fabs(area[i]) <= 1e9)) /* as for the coordinates of a scene */
            return rw_fail(scene->context, RW_BAD_CALL, "the area has a corner that is not a finite number of metres");
    if (!(area[2] > area[0] && area[3] > area[1]))
        return rw_fail(scene->context, RW_BAD_CALL, "the area %g,%g,%g,%g is empty: it is west, south, east, north",
                       area[0], area[1], area[2], area[3]);
    double west = scene->box_min.x + scene->origin.x, south = scene->box_min.y + scene->origin.y;
    double east = scene->box_max.x + scene->origin.x, north = scene->box_max.y + scene->origin.y;
    if (area[0] > east || area[1] > north || area[2] < west || area[3] < south)
        return rw_fail(scene->context, RW_BAD_CALL,
                       "the area %.10g,%.10g,%.10g,%.10g lies off the scene, which is %.10g,%.10g,%.10g,%.10g", area[0],
                       area[1], area[2], area[3], west, south, east, north);
    return RW_OK;
}

/* The area asked for, or the scene's extent widened to whole cells. */
static rw_status settle_grid(const rw_scene *scene, const rw_predict_options *options, map_grid *grid)
{
    const double *area = options->area_m;
    double res = options->res_m, x1, y1;
    int chosen = area[0] != 0 || area[1] != 0 || area[2] != 0 || area[3] != 0;
    if (chosen)
        RW_TRY(check_area(scene, area));
    grid->x0_m = chosen ? area[0] : floor((scene->box_min.x + scene->origin.x) / res) * res;
    grid->y0_m = chosen ? area[1] : floor((scene->box_min.y + scene->origin.y) / res) * res;
    x1 = chosen ? area[2] : scene->box_max.x + scene->origin.x;
    y1 = chosen ? area[3] : scene->box_max.y + scene->origin.y;
    double columns = fmax(1, ceil((x1 - grid->x0_m) / res - 1e-9)),
           rows = fmax(1, ceil((y1 - grid->y0_m) / res - 1e-9));
    double bytes = columns * rows * 16, available = rw_memory_available();
    if (columns * rows > 4294967295.0 || bytes > available)
        return rw_fail(scene->context, RW_TOO_LARGE,
                       "%.0f x %.0f receivers would need %.3g GB, and %.3g GB is free; raise --res or give --area",
                       columns, rows, bytes / 1e9, available / 1e9);
    grid->columns = (size_t)columns;
    grid->rows = (size_t)rows;
    return RW_OK;
}

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
                : "; --area takes in more of its surroundings");
}

static rw_status check_transmitter(const rw_scene *scene, const map_grid *grid, double res_m,
                                   const rw_transmitter *transmitter, int rooms, rw_vec3 *source)
{
    rw_context *context = scene->context;
    rw_vec2 at = {transmitter->x_m - scene->origin.x, transmitter->y_m - scene->origin.y};
    if (!isfinite(at.x) || !isfinite(at.y) || !(transmitter->height_m > 0) || !(transmitter->height_m < 1e5))
        return rw_fail(context, RW_BAD_CALL,
                       "transmitter %s at %g,%g,%g: position and height must be finite, the height above 0",
                       transmitter->name, transmitter->x_m, transmitter->y_m, transmitter->height_m);
    int own_freq = transmitter->freq_hz != 0;
    if (own_freq && !(transmitter->freq_hz >= RW_FREQ_MIN_HZ && transmitter->freq_hz <= RW_FREQ_MAX_HZ))
        return rw_fail(context, RW_BAD_CALL, "transmitter %s: a frequency of %g Hz is not between 1 MHz and 1 THz",
                       transmitter->name, transmitter->freq_hz);
    if (!isfinite(transmitter->power_dbm) || !isfinite(transmitter->azimuth_deg) ||
        !isfinite(transmitter->downtilt_deg) || !isfinite(transmitter->roll_deg))
        return rw_fail(context, RW_BAD_CALL, "transmitter %s: power, azimuth, tilt and roll must be finite numbers",
                       transmitter->name);
    int in_scene =
        at.x >= scene->box_min.x && at.x <= scene->box_max.x && at.y >= scene->box_min.y && at.y <= scene->box_max.y;
    int in_map = transmitter->x_m >= grid->x0_m && transmitter->y_m >= grid->y0_m &&
                 transmitter->x_m <= grid->x0_m + (double)grid->columns * res_m &&
                 transmitter->y_m <= grid->y0_m + (double)grid->rows * res_m;
    if (!in_scene && !in_map)
        return refuse_off_map(scene, transmitter);
    *source = rw_vec3_make(at.x, at.y, rw_scene_ground_m(scene, at) + transmitter->height_m);
    return check_outdoor(scene, transmitter, at, source->z, rooms);
}

static rw_status place_transmitters(rw_prediction *prediction, const map_grid *grid, int rooms)
{
    const rw_predict_options *options = prediction->options;
    rw_context *context = prediction->scene->context;
    size_t count = options->transmitter_count;
    RW_TRY(rw_array_create(context, count, sizeof *prediction->sources, "transmitters", &prediction->sources));
    RW_TRY(rw_array_create(context, count, sizeof *prediction->antennas, "antennas", &prediction->antennas));
    for (size_t i = 0; i < count; i++) {
        const rw_transmitter *transmitter = &options->transmitters[i];
        RW_TRY(check_transmitter(prediction->scene, grid, options->res_m, transmitter, rooms, &prediction->sources[i]));
        RW_TRY(rw_antenna_create(context, transmitter->antenna, &prediction->antennas[i]));
    }
    return RW_OK;
}

static rw_status solve(rw_prediction *prediction, const rw_model *model, rw_map *map)
{
    const rw_predict_options *options = prediction->options;
    const rw_scene *scene = prediction->scene;
    double start_s = rw_seconds();
    map_grid grid = {map->info.x0_m, map->info.y0_m, map->info.columns, map->info.rows};
    RW_TRY(place_transmitters(prediction, &grid, model->rooms));
    rw_vec2 corner = {grid.x0_m - scene->origin.x, grid.y0_m - scene->origin.y};
    rw_wall_grid walls = scene->prepared->grid;
    if (model->rooms) /* no mesh makes a receiver indoor */
        walls.view.node_count = 0;
    RW_TRY(rw_receivers_create(scene, &walls, corner, grid.columns, grid.rows, options->res_m,
                               options->rx_height_m, &prediction->receivers));
    if (prediction->receivers.view.outdoor_count == 0)
        return rw_fail(scene->context, RW_BAD_CALL,
                       "the area has no receivers: all of its %zu cells are inside buildings",
                       grid.columns * grid.rows);
    RW_TRY(rw_map_set_transmitters(map, options->transmitters, options->transmitter_count));
    map->info.prepare_s = rw_seconds() - start_s;
    start_s = rw_seconds();
    RW_TRY(model->solve(prediction, map));
    map->info.solve_s = rw_seconds() - start_s;
    return RW_OK;
}

static void release(rw_prediction *prediction)
{
    for (size_t i = 0; prediction->antennas && i < prediction->options->transmitter_count; i++)
        rw_antenna_destroy(prediction->antennas[i]);
    free(prediction->antennas);
    free(prediction->sources);
    rw_receivers_destroy(&prediction->receivers);
}

/* Takes the caller's options over the defaults, and checks them. */
static rw_status check(const rw_scene *scene, const rw_predict_options *given, rw_predict_options *options,
                       const rw_model **model, rw_prediction *prediction, map_grid *grid)
{
    rw_context *context = scene->context;
    rw_predict_options_init(options);
    RW_TRY(rw_options_take(context, given, options, sizeof *options));
    if (!scene->committed)
        return rw_fail(context, RW_BAD_CALL, "the scene is not committed yet");
    *model = rw_model_find(options->model ? options->model : "");
    if (!*model)
        return rw_fail(context, RW_BAD_CALL, "there is no model '%s'; use shadow, images or sbr",
                       options->model ? options->model : "");
    if (isnan(options->res_m))
        options->res_m = (*model)->res_m > 0 ? (*model)->res_m : 5;
    if (isnan(options->rx_height_m))
        options->rx_height_m = (*model)->rx_height_m > 0 ? (*model)->rx_height_m : 1.5;
    *prediction = (rw_prediction){.scene = scene, .options = options};
    prediction->layers = options->layers ? options->layers : (*model)->default_layers;
    RW_TRY(check_layers(context, *model, prediction->layers));
    RW_TRY(rw_los_method_parse(context, options->method, &prediction->method));
    RW_TRY(check_numbers(context, options));
    return settle_grid(scene, options, grid);
}

rw_status rw_predict(const rw_scene *scene, const rw_predict_options *options, rw_map **map)
{
    const rw_model *model;
    rw_prediction prediction;
    rw_predict_options chosen;
    map_grid grid;
    *map = NULL;
    RW_TRY(check(scene, options, &chosen, &model, &prediction, &grid));
    rw_map_info info = {.columns = grid.columns,
                        .rows = grid.rows,
                        .x0_m = grid.x0_m,
                        .y0_m = grid.y0_m,
                        .res_m = chosen.res_m,
                        .rx_height_m = chosen.rx_height_m};
    snprintf(info.model, sizeof info.model, "%s", model->name);
    snprintf(info.backend, sizeof info.backend, "%s", rw_context_backend(scene->context));
    rw_map *made;
    RW_TRY(rw_map_create(scene->context, &info, rw_scene_crs(scene), &made));
    rw_status status = solve(&prediction, model, made);
    release(&prediction);
    if (status != RW_OK) {
        rw_map_destroy(made);
        return status;
    }
    *map = made;
    return RW_OK;
}

rw_status rw_predict_estimate(const rw_scene *scene, const rw_predict_options *options, rw_estimate *estimate)
{
    const rw_model *model;
    rw_prediction prediction;
    rw_predict_options chosen;
    map_grid grid;
    RW_TRY(check(scene, options, &chosen, &model, &prediction, &grid));
    size_t layers = 1;
    for (const char *at = prediction.layers; *at; at++)
        layers += *at == ',';
    estimate->cells = grid.columns * grid.rows;
    estimate->transmitters = chosen.transmitter_count;
    estimate->bytes = (double)estimate->cells * (5.0 + (double)chosen.transmitter_count * (4.0 * (double)layers + 5.0));
    return RW_OK;
}
