#include "models/engine/prediction/prediction.h"

#include "base/maths/hash.h"
#include "base/memory.h"
#include "base/options.h"
#include "base/progress.h"
#include "discretise/scene_cache.h"
#include "discretise/tiles/tiles.k.h"
#include "mechanisms/indoor/indoor.h"
#include "models/engine/model.h"
#include "scene/antennas/site.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Strings among the options of a model: where they are in the options. */
#define STRINGS_MAX 48

typedef struct string_list {
    size_t at[STRINGS_MAX], count;
} string_list;

static string_list list_option_strings(const rw_model *model)
{
    string_list strings = {.at = {offsetof(rw_predict_options, model)}, .count = 1};
    const rw_model_option *option;
    int of_all;
    for (size_t i = 0; (option = rw_model_option_at(model, i, &of_all)) != NULL && strings.count < STRINGS_MAX; i++)
        if (option->at && rw_option_is_string(option))
            strings.at[strings.count++] = option->at;
    return strings;
}

static const char **locate_option_string(rw_predict_options *options, size_t at)
{
    return (const char **)(void *)((char *)options + at);
}

static size_t count_string_bytes(const char *string)
{
    return string ? strlen(string) + 1 : 1;
}

/* All strings of the options in one piece, each with its zero; one that is not given is the byte 1. */
static size_t count_all_string_bytes(rw_predict_options *options, const string_list *strings)
{
    size_t bytes = 0;
    for (size_t i = 0; i < strings->count; i++)
        bytes += count_string_bytes(*locate_option_string(options, strings->at[i]));
    return bytes;
}

/* The options point to the copies from then on. */
static rw_status copy_option_strings(rw_prediction *prediction)
{
    rw_predict_options *options = &prediction->resolved_options;
    const string_list strings = list_option_strings(prediction->model);
    char *at;
    RW_TRY(
        rw_array_create(prediction->scene->context, count_all_string_bytes(options, &strings), 1, "the options", &at));
    free(prediction->strings);
    prediction->strings = at;
    for (size_t i = 0; i < strings.count; i++) {
        const char **string = locate_option_string(options, strings.at[i]);
        size_t bytes = count_string_bytes(*string);
        if (*string)
            *string = memcpy(at, *string, bytes);
        at += bytes;
    }
    return RW_OK;
}

/* Parameters must be of this model and physical. Where no effects are chosen, those that they were found with count. */
static rw_status check_and_apply_params(rw_prediction *prediction)
{
    rw_predict_options *options = &prediction->resolved_options;
    const rw_params *params = options->params;
    if (!params)
        return RW_OK;
    if (params->model != prediction->model)
        return rw_fail(prediction->scene->context, RW_BAD_CALL,
                       "the parameters are those of model %s, and the prediction is by model %s", params->model->name,
                       prediction->model->name);
    const rw_model_option *effects = rw_model_option_find(prediction->model, "effects");
    if (!effects && params->record.effects[0])
        return rw_fail(prediction->scene->context, RW_BAD_CALL,
                       "the parameters were found with effects '%s', which model %s does not have: calibrate again",
                       params->record.effects, prediction->model->name);
    if (!options->effects && params->record.effects[0]) {
        options->effects = params->record.effects;
        RW_TRY(rw_option_check(prediction->scene->context, effects, effects->choices, &options->effects));
    }
    return rw_params_check(params, "parameters");
}

/* Receivers on a storey are so much higher; cells with the value of the nearest ground tile are as low as it. */
static rw_status apply_receiver_height(rw_context *context, rw_predict_options *options)
{
    if (options->floor != RW_UNSET && !options->indoor)
        return rw_fail(context, RW_BAD_CALL, "floor = %d needs the option indoor, for example slab", options->floor);
    if (options->floor != RW_UNSET)
        options->rx_height_m += RW_STOREY_M * options->floor;
    options->floor = RW_UNSET;
    if (options->cells && strcmp(options->cells, "nearest") == 0)
        options->rx_height_m = RW_TILE_OFFSET_M;
    return RW_OK;
}

static void set_prediction_model(rw_prediction *prediction, const rw_model *model)
{
    prediction->model = model;
    prediction->buildings_only = model->buildings_only;
    prediction->foliage_in_paths = model->foliage_in_paths;
    prediction->prior_by_engine = model->prior_by_engine;
    prediction->has_air = rw_model_option_find(model, "gas") != NULL;
}

rw_status rw_predict_options_resolve(rw_context *context, const rw_predict_options *user_options,
                                     rw_predict_options *options, rw_transmitter **transmitter_buffer)
{
    rw_predict_options_init(options);
    *transmitter_buffer = NULL;
    RW_TRY(RW_RESOLVE(context, user_options, options));
    RW_TRY(rw_predict_options_apply_defaults(context, options));
    if (!options->transmitters)
        options->transmitter_count = 0;
    return rw_transmitters_resolve(context, options->transmitters, options->transmitter_count, &options->transmitters,
                                   transmitter_buffer);
}

static void warn_of_model(const rw_prediction *prediction)
{
    const rw_scene *scene = prediction->scene;
    if (prediction->model->one_material && scene->materials.count + scene->slabs.count)
        rw_warn(scene->context, "model %s has one loss for all surfaces: materials and slabs of the scene do not count",
                prediction->model->name);
    if (prediction->model->buildings_only && scene->meshes.count)
        rw_warn(
            scene->context,
            "%zu meshes only block and count as walls in model %s, which knows no way over or round them: no building "
            "or wall was made of them; rt, tiles and images take their reflections and edges",
            scene->meshes.count, prediction->model->name);
}

static rw_status resolve_points(rw_prediction *prediction, const rw_target *target)
{
    prediction->point_count = target->point_count;
    if (!target->points)
        return RW_OK;
    return RW_RESOLVE_ARRAY(prediction->scene->context, target->points, target->point_count,
                            &(rw_point){.height_m = NAN}, &prediction->points, &prediction->point_buffer);
}

static rw_status resolve_grid(rw_prediction *prediction, const rw_target *target)
{
    rw_predict_options *options = &prediction->resolved_options;
    rw_grid *grid = &prediction->grid;
    if (target->use != RW_USE_MAP || target->point_count)
        return RW_OK;
    if (target->grid) {
        *grid = *target->grid;
        grid->cells.rx_height_m = options->rx_height_m;
        options->area_m[0] = grid->cells.x0_m;
        options->area_m[1] = grid->cells.y0_m;
        options->area_m[2] = grid->cells.x0_m + (double)grid->cells.columns * grid->cells.res_m;
        options->area_m[3] = grid->cells.y0_m + (double)grid->cells.rows * grid->cells.res_m;
    } else {
        RW_TRY(rw_grid_resolve(prediction->scene, options, &grid->cells));
    }
    grid->zone = options->zone;
    return RW_OK;
}

/* Cells of floor plans and rooms: at least about 100 along the longer side, 0.1 to 5 m. */
#define ROOM_CELLS 100
#define ROOM_CELL_MIN_M 0.1

rw_status rw_predict_options_resolve_cells(const rw_scene *scene, const rw_predict_options *user_options,
                                           rw_predict_options *options)
{
    rw_predict_options given;
    rw_predict_options_init(&given);
    RW_TRY(RW_RESOLVE(scene->context, user_options, &given));
    int has_rooms = scene->parts.count == 0 && !scene->terrain.values && scene->panels.count + scene->meshes.count > 0;
    if (!isnan(given.res_m) || given.database || !has_rooms || !scene->committed)
        return RW_OK;
    double side_m = fmax(scene->box_max.x - scene->box_min.x, scene->box_max.y - scene->box_min.y) / ROOM_CELLS;
    double power = pow(10, floor(log10(fmax(side_m, ROOM_CELL_MIN_M)) + 1e-9)), step = side_m / power;
    double res_m = power * (step < 2 ? 1 : step < 5 ? 2 : 5);
    options->res_m = fmin(fmax(res_m, ROOM_CELL_MIN_M), options->res_m);
    return RW_OK;
}

static rw_status check_call(rw_prediction *prediction, const rw_predict_options *user_options, const rw_target *target)
{
    rw_context *context = prediction->scene->context;
    rw_predict_options *options = &prediction->resolved_options;
    RW_TRY(rw_predict_options_resolve(context, user_options, options, &prediction->transmitter_buffer));
    RW_TRY(rw_predict_options_resolve_cells(prediction->scene, user_options, options));
    if (!prediction->scene->committed)
        return rw_fail(context, RW_BAD_CALL, "the scene is not committed yet");
    RW_TRY(apply_receiver_height(context, options));
    set_prediction_model(prediction, rw_model_lookup(options->model));
    warn_of_model(prediction);
    if (options->transmitter_count == 0 && !target->cells_alone)
        return rw_fail(context, RW_BAD_CALL, "there is no transmitter");
    RW_TRY(check_and_apply_params(prediction));
    RW_TRY(copy_option_strings(prediction));
    prediction->layers = options->layers ? options->layers : prediction->model->default_layers;
    RW_TRY(resolve_points(prediction, target));
    return resolve_grid(prediction, target);
}

rw_status rw_prediction_create(const rw_scene *scene, const rw_predict_options *options, const rw_target *target,
                               rw_prediction **prediction_out)
{
    const rw_target map = {.use = RW_USE_MAP};
    rw_prediction *prediction;
    target = target ? target : &map;
    *prediction_out = NULL;
    rw_progress_begin();
    RW_TRY(rw_array_create(scene->context, 1, sizeof *prediction, "a prediction", &prediction));
    prediction->scene = scene;
    prediction->options = &prediction->resolved_options;
    prediction->use = target->use;
    prediction->in_caller_memory = target->in_caller_memory;
    rw_status status = check_call(prediction, options, target);
    if (status == RW_OK)
        *prediction_out = prediction;
    else
        rw_prediction_destroy(prediction);
    return status;
}

void rw_prediction_destroy(rw_prediction *prediction)
{
    if (!prediction)
        return;
    rw_prediction_release_transmitters(prediction);
    rw_prediction_release_receivers(prediction);
    free(prediction->point_buffer);
    free(prediction->transmitter_buffer);
    free(prediction->strings);
    free(prediction);
}

/* A session is cached with its prediction, longer than the caller's points live. */
static rw_status copy_part_points(rw_prediction *prediction, const rw_point *points)
{
    RW_TRY(rw_array_create(prediction->scene->context, prediction->point_count, sizeof *prediction->point_buffer,
                           "points", &prediction->point_buffer));
    memcpy(prediction->point_buffer, points, prediction->point_count * sizeof *points);
    prediction->points = prediction->point_buffer;
    return RW_OK;
}

static rw_status apply_part(rw_prediction *prediction, const rw_prediction_part *part)
{
    rw_predict_options *options = &prediction->resolved_options;
    const rw_target target = {.use = prediction->use, .grid = part->grid};
    options->transmitters += part->first;
    options->transmitter_count = part->count ? part->count : options->transmitter_count - part->first;
    options->layers = part->layers ? part->layers : options->layers;
    options->rx_height_m += part->raised_m;
    prediction->in_caller_memory = part->in_caller_memory;
    RW_TRY(copy_option_strings(prediction));
    prediction->layers = options->layers ? options->layers : prediction->model->default_layers;
    prediction->grid.zone = options->zone;
    prediction->grid.cells.rx_height_m += prediction->grid.cells.has_plane ? 0 : part->raised_m;
    if (part->points || part->grid) {
        prediction->points = NULL;
        prediction->point_count = part->point_count;
    }
    if (part->points)
        RW_TRY(copy_part_points(prediction, part->points));
    return part->grid ? resolve_grid(prediction, &target) : RW_OK;
}

rw_status rw_prediction_create_part(const rw_prediction *whole, const rw_prediction_part *part,
                                    rw_prediction **prediction_out)
{
    rw_prediction *prediction;
    *prediction_out = NULL;
    RW_TRY(rw_array_create(whole->scene->context, 1, sizeof *prediction, "a prediction", &prediction));
    *prediction = (rw_prediction){.scene = whole->scene,
                                  .use = whole->use,
                                  .grid = whole->grid,
                                  .points = whole->points,
                                  .point_count = whole->point_count,
                                  .resolved_options = whole->resolved_options};
    prediction->options = &prediction->resolved_options;
    set_prediction_model(prediction, whole->model);
    rw_status status = apply_part(prediction, part);
    if (status == RW_OK)
        *prediction_out = prediction;
    else
        rw_prediction_destroy(prediction);
    return status;
}

void rw_prediction_replace_transmitters(rw_prediction *prediction, rw_prediction *next)
{
    rw_predict_options *options = &prediction->resolved_options;
    free(prediction->transmitter_buffer);
    prediction->transmitter_buffer = next ? next->transmitter_buffer : NULL;
    options->transmitters = next ? next->options->transmitters : NULL;
    options->transmitter_count = next ? next->options->transmitter_count : options->transmitter_count;
    options->params = next ? next->options->params : NULL;
    prediction->transmitters_before = prediction->transmitters_in_all = 0;
    if (!next)
        return;
    prediction->in_caller_memory = next->in_caller_memory;
    next->transmitter_buffer = NULL;
}

/* Transmitters at a time on which the size of a model's memory depends. */
#define BATCH_MAX 64

struct rw_prediction_key {
    rw_predict_options options; /* without pointers */
    const rw_database *database;
    size_t batch;
    double parameters[RW_PARAMETERS_MAX];
    double circle_m[3]; /* of the receivers */
    uint64_t points;    /* a hash of those; 0: cells */
    int has_parameters;
    double extent[4]; /* of rw_model; zeros: all of the scene */
    char strings[];
};

rw_status rw_prediction_key_create(const rw_prediction *prediction, rw_prediction_key **key_out, size_t *size)
{
    rw_predict_options options = prediction->resolved_options;
    const string_list strings = list_option_strings(prediction->model);
    rw_prediction_key *key;
    *size = sizeof *key + count_all_string_bytes(&options, &strings);
    RW_TRY(rw_array_create(prediction->scene->context, *size, 1, "a session", &key));
    char *at = key->strings;
    for (size_t i = 0; i < strings.count; i++) {
        const char **string = locate_option_string(&options, strings.at[i]);
        memcpy(at, *string ? *string : "\1", count_string_bytes(*string));
        at += count_string_bytes(*string);
        *string = NULL;
    }
    key->database = options.database;
    key->batch = options.transmitter_count < BATCH_MAX ? options.transmitter_count : BATCH_MAX;
    key->circle_m[0] = prediction->grid.x_m;
    key->circle_m[1] = prediction->grid.y_m;
    key->circle_m[2] = prediction->grid.range_m;
    if (prediction->points)
        key->points = rw_hash(RW_HASH_START, prediction->points, prediction->point_count * sizeof *prediction->points);
    key->has_parameters = options.params != NULL;
    if (options.params)
        memcpy(key->parameters, options.params->values,
               prediction->model->parameter_count * sizeof *options.params->values);
    if (prediction->model->extent)
        prediction->model->extent(prediction, key->extent);
    options.params = NULL;
    options.database = NULL;
    options.transmitters = NULL;
    options.transmitter_count = 0;
    memcpy(&key->options, &options, sizeof options); /* padding too: it is that of one struct, set to zero */
    *key_out = key;
    return RW_OK;
}

/* Where transmitters may be beside the scene: on the map, as west, south, east, north. */
static void find_map_area(const rw_map_info *cells, double area_m[4])
{
    area_m[0] = cells->has_plane ? INFINITY : cells->x0_m; /* a plane's x and y are its own */
    area_m[1] = cells->has_plane ? INFINITY : cells->y0_m;
    area_m[2] = cells->has_plane ? -INFINITY : cells->x0_m + (double)cells->columns * cells->res_m;
    area_m[3] = cells->has_plane ? -INFINITY : cells->y0_m + (double)cells->rows * cells->res_m;
}

static int has_receivers_inside(const rw_prediction *prediction)
{
    const rw_receivers_view *view = &prediction->receivers.view;
    return prediction->options->indoor && memchr(view->indoor, 1, view->columns * view->rows);
}

static rw_status locate_grid(rw_prediction *prediction)
{
    const rw_map_info *cells = &prediction->grid.cells;
    double area_m[4];
    find_map_area(cells, area_m);
    RW_TRY(rw_prediction_locate_transmitters(prediction, area_m));
    if (!prediction->receivers.view.columns)
        RW_TRY(rw_prediction_locate_cells(prediction));
    if (prediction->receivers.view.outdoor_count || has_receivers_inside(prediction))
        return RW_OK;
    return rw_fail(prediction->scene->context, RW_BAD_CALL,
                   prediction->options->zone
                       ? "the area has no receivers: all of its %zu cells are inside buildings or outside its polygons"
                       : "the area has no receivers: all of its %zu cells are inside buildings",
                   cells->columns * cells->rows);
}

rw_status rw_prediction_locate(rw_prediction *prediction)
{
    double area_m[4] = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    if (!prediction->points)
        return locate_grid(prediction);
    RW_TRY(rw_prediction_locate_points(prediction, area_m));
    return rw_prediction_locate_transmitters(prediction, area_m);
}

rw_status rw_prediction_open(const rw_scene *scene, const rw_predict_options *options, rw_prediction **prediction)
{
    RW_TRY(rw_prediction_create(scene, options, NULL, prediction));
    rw_status status = rw_prediction_locate(*prediction);
    if (status == RW_OK)
        return RW_OK;
    rw_prediction_destroy(*prediction);
    *prediction = NULL;
    return status;
}

/* What theory says at a frequency takes milliseconds to work out, and the sites of a network have few frequencies. */
typedef struct theory_key {
    const rw_model *model;
    double freq_hz;
} theory_key;

typedef struct theory_request {
    rw_context *context;
    theory_key key;
} theory_request;

static rw_status make_theory(void *user, void **value)
{
    const theory_request *request = user;
    double *values;
    RW_TRY(rw_array_create(request->context, RW_PARAMETERS_MAX, sizeof *values, "parameters", &values));
    rw_status status = request->key.model->parameter_defaults(request->context, request->key.freq_hz, values);
    if (status == RW_OK)
        *value = values;
    else
        free(values);
    return status;
}

static const rw_cache_kind theory_kind = {"parameters by theory", 8, free};

rw_status rw_prediction_values(const rw_prediction *prediction, size_t transmitter, double *values)
{
    const rw_params *params = prediction->options->params;
    if (!params) {
        const rw_scene *scene = prediction->scene;
        theory_request request = {scene->context, {prediction->model, rw_prediction_freq_hz(prediction, transmitter)}};
        void *theory;
        RW_TRY(rw_scene_cache_acquire(scene, &theory_kind, &request.key, sizeof request.key, make_theory, &request,
                                      &theory));
        memcpy(values, theory, prediction->model->parameter_count * sizeof *values);
        rw_scene_cache_release(scene, theory);
        return RW_OK;
    }
    memcpy(values, params->values, prediction->model->parameter_count * sizeof *values);
    return RW_OK;
}

double rw_prediction_done_fraction(const rw_prediction *prediction, double transmitters_done)
{
    size_t all =
        prediction->transmitters_in_all ? prediction->transmitters_in_all : prediction->options->transmitter_count;
    return ((double)prediction->transmitters_before + transmitters_done) / (double)all;
}

rw_status rw_prediction_progress(const rw_prediction *prediction, double transmitters_done)
{
    return rw_progress(prediction->scene->context, rw_prediction_done_fraction(prediction, transmitters_done),
                       "predicting");
}
