/* From the options of a prediction to the limits of the tiles model. */
#include "models/shadow/database/database.h"
#include "models/rays/ray_layers.h"
#include "models/tiles/tiles.h"

#include <math.h>

#define DEPTH 3
#define LOSS_MAX_DB 150
#define AREA_M2 100

static rw_status take(rw_context *context, const char *what, int given, int most, int usual, int *value)
{
    *value = given < 0 ? usual : given;
    if (*value > most)
        return rw_fail(context, RW_BAD_CALL, "%d %s of one path are more than model tiles follows; use 0 to %d", given,
                       what, most);
    return RW_OK;
}

/* "roofs", or "none". */
static rw_status take_effects(const rw_prediction *prediction, rw_tile_limits *limits)
{
    rw_context *context = prediction->scene->context;
    const char *effects = prediction->options->effects;
    if (!effects)
        return RW_OK;
    RW_TRY(rw_list_check(context, effects, "roofs,none", "effect of model tiles"));
    limits->roofs = rw_list_contains(effects, "roofs");
    if (limits->roofs && prediction->scene->triangles.count)
        return rw_fail(context, RW_BAD_CALL,
                       "roofs know buildings and terrain, and this scene has meshes; leave --effects out");
    return RW_OK;
}

static rw_status take_area(const rw_prediction *prediction, double *area_m2)
{
    rw_context *context = prediction->scene->context;
    double asked_m2 = prediction->options->tile_area_m2;
    const rw_database *database = prediction->options->database;
    *area_m2 = asked_m2 == 0 ? AREA_M2 : asked_m2;
    if (!(*area_m2 >= 0.01) || !(*area_m2 <= 1e6))
        return rw_fail(context, RW_BAD_CALL, "tiles of %g m2 are not possible; write for example --tile-area 100",
                       asked_m2);
    if (!database || asked_m2 == 0)
        return RW_OK;
    RW_TRY(rw_database_check_model(database, prediction->scene, "tiles"));
    if (asked_m2 != database->tiles.options.area_m2)
        return rw_fail(context, RW_BAD_CALL, "the database has tiles of %g m2, not of %g; leave --tile-area out",
                       database->tiles.options.area_m2, asked_m2);
    return RW_OK;
}

static rw_status take_numbers(const rw_prediction *prediction, rw_tile_limits *limits)
{
    rw_context *context = prediction->scene->context;
    const rw_predict_options *asked = prediction->options;
    if (!(asked->loss_max_db >= 0))
        return rw_fail(context, RW_BAD_CALL, "a highest loss of %g dB is not possible; write for example --loss-max %d",
                       asked->loss_max_db, LOSS_MAX_DB);
    if (!(asked->memory_bytes >= 0))
        return rw_fail(context, RW_BAD_CALL, "%g bytes of memory are not possible; 0 lets the program choose",
                       asked->memory_bytes);
    limits->loss_max_db = asked->loss_max_db > 0 ? asked->loss_max_db : LOSS_MAX_DB;
    return RW_OK;
}

rw_status rw_tile_settle(const rw_prediction *prediction, rw_tile_limits *limits, double *area_m2)
{
    rw_context *context = prediction->scene->context;
    const rw_predict_options *asked = prediction->options;
    *limits = (rw_tile_limits){0};
    RW_TRY(rw_ray_option(context, "depth", asked->depth, 1, RW_TILE_DEPTH_MAX, DEPTH, &limits->depth));
    RW_TRY(take(context, "reflections", asked->reflections, RW_TILE_DEPTH_MAX, limits->depth, &limits->reflections));
    RW_TRY(take(context, "diffractions", asked->diffractions, RW_TILE_BENDS_MAX, 1, &limits->diffractions));
    RW_TRY(take(context, "scatterings", asked->scatterings, 1, 1, &limits->scatterings));
    RW_TRY(take_effects(prediction, limits));
    RW_TRY(take_numbers(prediction, limits));
    return take_area(prediction, area_m2);
}
