/* The options of the tiles model, and the limits of its rays. */
#include "field/surfaces/surfaces.h"
#include "models/tiles/database/database.h"
#include "discretise/prepared.h"
#include "models/tiles/tiles.h"

#include <math.h>
#include <string.h>

#define AREA_M2 100

const rw_model_option rw_tile_option_table[] = {
    {RW_OPTION_ROOFS, .choices = "vogler,polynomial,none"},
    {RW_OPTION_K_FACTOR},
    {RW_OPTION_GROUND},
    {RW_OPTION_PRIOR_BY_ENGINE},
    {RW_OPTION_COUNT("depth", depth, 1, RW_TILE_DEPTH_MAX), .default_value = "3",
     .help = "Most interactions of a path, all kinds together."},
    {RW_OPTION_COUNT("reflections", reflections, 0, RW_TILE_DEPTH_MAX), .default_text = "as depth",
     .help = "Most reflections of a path."},
    {RW_OPTION_COUNT("diffractions", diffractions, 0, RW_TILE_BENDS_MAX), .default_value = "1",
     .help = "Most diffractions of a path."},
    {RW_OPTION_COUNT("scatterings", scatterings, 0, 1), .default_text = "1 where something is rough",
     .help = "Most diffuse scatterings of a path, at rough surfaces."},
    {RW_OPTION_ROUGHNESS},
    {RW_OPTION_LOBE},
    {RW_OPTION_LOSS_MAX, .min = 40, .max = 1000, .default_value = "150dB"},
    {RW_OPTION_SUM},
    {.name = "cells",
     .type = RW_OPTION_CHOICE,
     .calls = RW_OPTION_OF_PREDICT | RW_OPTION_OF_EVALUATE,
     RW_OPTION_AT(cells),
     .default_value = "exact",
     .choices = "exact,nearest,nearest-any",
     .help =
         "Values of cells: at the receiver itself, of the nearest ground tile, or of the nearest tile of any kind."},
    {.name = "tile-area",
     .type = RW_OPTION_QUANTITY,
     .quantity = RW_QUANTITY_NUMBER,
     .calls = RW_OPTION_OF_PATHS | RW_OPTION_OF_PREPROCESS,
     RW_OPTION_AT(tile_area_m2),
     RW_OPTION_PREPROCESS_AT(tile_area_m2),
     .min = 0.01,
     .max = 1e6,
     .default_text = "100, or the database's",
     .unit = "m2",
     .help = "Wanted area of a tile."},
    {.name = "tile-quarter",
     .type = RW_OPTION_INTEGER,
     .calls = RW_OPTION_OF_PATHS | RW_OPTION_OF_PREPROCESS,
     RW_OPTION_AT(tile_quarter),
     RW_OPTION_PREPROCESS_AT(tile_quarter),
     .min = 0,
     .max = 6,
     .default_text = "0, or the database's",
     .help = "How often tiles of roofs and ground at an outline are cut into four."},
    {.name = "tile-shape",
     .type = RW_OPTION_CHOICE,
     .calls = RW_OPTION_OF_PATHS | RW_OPTION_OF_PREPROCESS,
     RW_OPTION_AT(tile_shape),
     RW_OPTION_PREPROCESS_AT(tile_shape),
     .default_text = "rectangle, or the database's",
     .choices = "rectangle,triangle",
     .help = "Rectangles, or triangles, two of them from a rectangle of twice the area."},
    {.name = "tile-least-side",
     .type = RW_OPTION_QUANTITY,
     .quantity = RW_QUANTITY_LENGTH_M,
     .calls = RW_OPTION_OF_PATHS | RW_OPTION_OF_PREPROCESS,
     RW_OPTION_AT(tile_min_m),
     RW_OPTION_PREPROCESS_AT(tile_min_m),
     .min = 0.01,
     .max = 1e3,
     .default_text = "0.5, or the database's",
     .unit = "m",
     .help = "Narrower walls and roofs have no tiles: they only stand in the way."},
    {.name = "tile-least-area",
     .type = RW_OPTION_QUANTITY,
     .quantity = RW_QUANTITY_NUMBER,
     .calls = RW_OPTION_OF_PATHS | RW_OPTION_OF_PREPROCESS,
     RW_OPTION_AT(tile_min_m2),
     RW_OPTION_PREPROCESS_AT(tile_min_m2),
     .min = 1e-6,
     .max = 1e6,
     .default_text = "1, or the database's",
     .unit = "m2",
     .help = "Smaller walls and roofs have no tiles: they only stand in the way."},
    {.name = "update",
     .type = RW_OPTION_FILE,
     .calls = RW_OPTION_OF_PREPROCESS,
     RW_OPTION_PREPROCESS_AT(update),
     .default_text = "none",
     .help = "Database of the scene before buildings changed; what they cannot change is taken from it."},
    {.name = "method",
     .type = RW_OPTION_CHOICE,
     .calls = RW_OPTION_OF_PATHS,
     RW_OPTION_AT(method),
     .default_value = "matrix",
     .choices = "matrix,online",
     .help = "Visibility of tiles: known beforehand, or tested while rays are followed."},
    {RW_OPTION_WEDGE},
    {.name = "database",
     .type = RW_OPTION_DATABASE,
     .calls = RW_OPTION_OF_PATHS,
     RW_OPTION_AT(database),
     .default_text = "none",
     .help = "Visibility database of the scene, made by preprocess."},
    RW_OPTIONS_RX_ANTENNA(RW_OPTION_OF_PATHS),
    {RW_OPTION_RX_SLANT},
    {RW_OPTION_REFERENCE},
    RW_OPTIONS_NEAR_FIELD,
    {RW_OPTION_REUSE},
    {RW_OPTION_RAIN},
    {RW_OPTION_GAS},
    {RW_OPTION_INDOOR},
    {RW_OPTION_FLOOR},
    {0}};

rw_tiling rw_tiling_requested(double area_m2, int quarter, double min_m, double min_m2, const char *shape)
{
    return (rw_tiling){.area_m2 = rw_option_or(area_m2, AREA_M2),
                       .quarter = quarter == RW_UNSET ? 0 : quarter,
                       .min_m = rw_option_or(min_m, 0),
                       .min_m2 = rw_option_or(min_m2, 0),
                       .triangles = shape && strcmp(shape, "triangle") == 0,
                       .box = {-INFINITY, -INFINITY, INFINITY, INFINITY}};
}

rw_tile_options rw_tiling_options(rw_tiling tiling)
{
    rw_tile_options tile_options;
    rw_tile_options_init(&tile_options);
    tile_options.area_m2 = tiling.area_m2;
    tile_options.border_quarter = (int)tiling.quarter;
    tile_options.triangles = tiling.triangles > 0;
    if (tiling.box[2] > tiling.box[0])
        memcpy(tile_options.box, tiling.box, sizeof tile_options.box);
    memcpy(tile_options.beyond, tiling.beyond, sizeof tile_options.beyond);
    tile_options.min_m = tiling.min_m > 0 ? tiling.min_m : tile_options.min_m;
    tile_options.min_m2 = tiling.min_m2 > 0 ? tiling.min_m2 : tile_options.min_m2;
    return tile_options;
}

rw_tiling rw_tiling_of(const rw_tile_options *options)
{
    return (rw_tiling){.area_m2 = options->area_m2,
                       .quarter = options->border_quarter,
                       .min_m = options->min_m,
                       .min_m2 = options->min_m2,
                       .triangles = options->triangles,
                       .box = {options->box[0], options->box[1], options->box[2], options->box[3]},
                       .beyond = {options->beyond[0], options->beyond[1], options->beyond[2], options->beyond[3]}};
}

/* With a database, tiles are its own; what is asked for by name must be as it has it. */
static rw_status check_tiling(const rw_prediction *prediction, const rw_tile_options *has)
{
    const rw_predict_options *options = prediction->options;
    rw_context *context = prediction->scene->context;
    const struct {
        const char *name, *unit;
        double requested, has;
    } numbers[] = {{"tile-area", " m2", options->tile_area_m2, has->area_m2},
                   {"tile-least-side", " m", options->tile_min_m, has->min_m},
                   {"tile-least-area", " m2", options->tile_min_m2, has->min_m2}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!isnan(numbers[i].requested) && numbers[i].requested != numbers[i].has)
            return rw_fail(context, RW_BAD_CALL, "the tiles of the database have %s = %g%s, not %g; leave %s out",
                           numbers[i].name, numbers[i].has, numbers[i].unit, numbers[i].requested, numbers[i].name);
    if (options->tile_quarter != RW_UNSET && options->tile_quarter != has->border_quarter)
        return rw_fail(context, RW_BAD_CALL,
                       "the database has tiles that are cut into four %d times, not %d; leave tile-quarter out",
                       has->border_quarter, options->tile_quarter);
    const char *shape = has->triangles ? "triangle" : "rectangle";
    if (options->tile_shape && strcmp(options->tile_shape, shape) != 0)
        return rw_fail(context, RW_BAD_CALL, "the tiles of the database have tile-shape = %s; leave tile-shape out",
                       shape);
    return RW_OK;
}

/* Surfaces farther from an area that is asked for, and from the transmitters, have no tiles: what they would bring has
 * gone a longer way than most that is nearer. In steps of as much, so that a transmitter may move and tiles stay. */
#define BEYOND_AREA_M 300.0

/* What of the scene has tiles, in the local frame. */
static void find_tiles_extent(const rw_prediction *prediction, double box[4])
{
    const rw_predict_options *options = prediction->options;
    rw_vec2 origin = prediction->scene->origin;
    box[0] = box[1] = -INFINITY;
    box[2] = box[3] = INFINITY;
    if (!isfinite(options->area_m[0]) || options->database)
        return;
    memcpy(box, options->area_m, sizeof options->area_m);
    for (size_t i = 0; i < options->transmitter_count; i++) {
        const rw_transmitter *tx = &options->transmitters[i];
        box[0] = fmin(box[0], tx->x_m);
        box[1] = fmin(box[1], tx->y_m);
        box[2] = fmax(box[2], tx->x_m);
        box[3] = fmax(box[3], tx->y_m);
    }
    for (int i = 0; i < 4; i++) {
        double steps = box[i] / BEYOND_AREA_M;
        box[i] = (i < 2 ? floor(steps) - 1 : ceil(steps) + 1) * BEYOND_AREA_M - (i % 2 ? origin.y : origin.x);
    }
}

/* In steps of so much the ground reaches beyond the scene, so that a transmitter may move and tiles stay. */
#define GROUND_STEP_M 50.0

/* Ground under all receivers and transmitters: also what lies between them and the scene reflects. */
static void find_ground_extent(const rw_prediction *prediction, double beyond[4])
{
    const rw_scene *scene = prediction->scene;
    const rw_receivers_view *view = &prediction->receivers.view;
    rw_vec2 centre = scene->prepared->grid.centre;
    double box[4] = {scene->box_min.x, scene->box_min.y, scene->box_max.x, scene->box_max.y}, wide[4];
    memcpy(wide, box, sizeof wide);
    for (size_t i = 0; i < view->outdoor_count + prediction->options->transmitter_count; i++) {
        size_t t = i - view->outdoor_count;
        const rw_transmitter *tx = i < view->outdoor_count ? NULL : &prediction->options->transmitters[t];
        rw_vec3 at = tx ? rw_vec3_of(tx->x_m - scene->origin.x, tx->y_m - scene->origin.y, 0)
                        : rw_receiver_point(view, view->outdoor[i]);
        double x = at.x + (tx ? 0 : centre.x), y = at.y + (tx ? 0 : centre.y);
        wide[0] = fmin(wide[0], x);
        wide[1] = fmin(wide[1], y);
        wide[2] = fmax(wide[2], x);
        wide[3] = fmax(wide[3], y);
    }
    for (int i = 0; i < 4; i++)
        beyond[i] = box[i] + (i < 2 ? -1 : 1) * GROUND_STEP_M * ceil(fabs(wide[i] - box[i]) / GROUND_STEP_M - 1e-9);
}

void rw_tiles_extent_key(const rw_prediction *prediction, double key[4])
{
    double box[4], beyond[4];
    find_tiles_extent(prediction, box);
    find_ground_extent(prediction, beyond);
    for (int i = 0; i < 4; i++)
        key[i] = beyond[i] + (isfinite(box[i]) ? 1e3 * box[i] : 0);
}

static rw_status resolve_tiling(const rw_prediction *prediction, rw_tiling *tiling)
{
    const rw_predict_options *options = prediction->options;
    *tiling = rw_tiling_requested(options->tile_area_m2, options->tile_quarter, options->tile_min_m,
                                  options->tile_min_m2, options->tile_shape);
    tiling->online = strcmp(options->method, "online") == 0;
    if (options->database && tiling->online > 0)
        return rw_fail(prediction->scene->context, RW_BAD_CALL,
                       "method online uses no database: leave the database or the method out");
    find_tiles_extent(prediction, tiling->box);
    if (!options->database) {
        find_ground_extent(prediction, tiling->beyond);
        return RW_OK;
    }
    RW_TRY(rw_database_check(options->database, prediction->scene, prediction->model));
    return check_tiling(prediction, &rw_tile_database_of(options->database)->tiles.options);
}

rw_status rw_tile_resolve(const rw_prediction *prediction, rw_use use, rw_tile_limits *limits, rw_tiling *tiling)
{
    const rw_predict_options *user = prediction->options;
    *limits = (rw_tile_limits){.depth = user->depth,
                               .reflections = user->reflections == RW_UNSET ? user->depth : user->reflections,
                               .diffractions = user->diffractions,
                               .scatterings = user->scatterings == RW_UNSET ? 1 : user->scatterings,
                               .loss_max_db = user->loss_max_db,
                               .holm = strcmp(user->wedge, "holm") == 0};
    limits->must_scatter = user->scatterings != RW_UNSET && user->scatterings > 0;
    limits->roughness = rw_wall_roughness(prediction->scene, user->roughness, limits->must_scatter);
    rw_scatter_lobe_init(user->lobe, &limits->lobe);
    limits->mechanisms = rw_list_contains(prediction->layers, "mechanism");
    RW_TRY(rw_roof_choice_resolve(prediction, 1, &limits->roofs));
    if (use == RW_USE_MAP && !user->roofs && !limits->roofs && prediction->scene->meshes.count)
        rw_warn(
            prediction->scene->context,
            "%zu meshes: the path over roofs is of buildings and terrain alone and is left out, so that cells behind "
            "meshes may have no value; import them as buildings to have it",
            prediction->scene->meshes.count);
    limits->curve_per_m = rw_prediction_curve_per_m(prediction);
    limits->ground_curve_per_m = rw_prediction_ground_curve_per_m(prediction);
    return resolve_tiling(prediction, tiling);
}
