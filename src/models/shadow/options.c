/* The options of the shadow model, and the effects that they choose. */
#include "models/shadow/parameters.h"
#include "models/shadow/shadow.h"

#include <string.h>

#define OF_CELLS (RW_OPTION_OF_PREDICT | RW_OPTION_OF_PREPROCESS)

const rw_model_option rw_shadow_options[] = {
    {RW_OPTION_RES, .calls = OF_CELLS | RW_OPTION_OF_EVALUATE, RW_OPTION_PREPROCESS_AT(res_m), .default_value = "5m"},
    {RW_OPTION_RX_HEIGHT, .calls = RW_OPTION_OF_PATHS | RW_OPTION_OF_PREPROCESS, RW_OPTION_PREPROCESS_AT(rx_height_m),
     .default_value = "1.5m"},
    {RW_OPTION_AREA_OF_MAP, .calls = OF_CELLS, RW_OPTION_PREPROCESS_AT(area_m)},
    {.name = "effects",
     .type = RW_OPTION_LIST,
     .calls = RW_OPTION_OF_PATHS,
     RW_OPTION_AT(effects),
     .default_text = "all that the scene can have",
     .choices = "streets,streets_polynomial,roofs,roofs_polynomial,roofs_counted,walls,none",
     .help = "Propagation mechanisms beside the straight path; none: free space alone."},
    {.name = "walls",
     .type = RW_OPTION_CHOICE,
     .calls = RW_OPTION_OF_PATHS,
     RW_OPTION_AT(walls),
     .default_text = "slab; constant with params for them",
     .choices = "slab,constant",
     .help = "Loss of walls and counted roofs: by material, thickness and angle, or the parameters' constants."},
    {RW_OPTION_PRIOR, .default_text = "3gpp; none with effects of the paper by name"},
    {RW_OPTION_K_FACTOR},
    {RW_OPTION_GROUND},
    {.name = "method",
     .type = RW_OPTION_CHOICE,
     .calls = RW_OPTION_OF_PREDICT | RW_OPTION_OF_TRACE,
     RW_OPTION_AT(method),
     .default_text = "the fastest",
     .choices = "polar,march,polygons,sectors,brute",
     .help = "Algorithm for line of sight and wall counts."},
    {.name = "street-method",
     .type = RW_OPTION_CHOICE,
     .calls = RW_OPTION_OF_PATHS,
     RW_OPTION_AT(street_method),
     .default_value = "graph",
     .choices = "graph,polygons",
     .help =
         "Paths round corners: in space by the graph of corners, or as in the paper: corners in the receiver plane, "
         "each with its shadow polygons; needs streets_polynomial and flat ground."},
    {RW_OPTION_COUNT("order", order, 1, RW_STREET_ORDER_MAX), .default_text = "20, with streets_polynomial 2",
     .help = "Most street corners that a path goes round."},
    {.name = "sum",
     .type = RW_OPTION_CHOICE,
     .calls = RW_OPTION_OF_PATHS,
     RW_OPTION_AT(sum),
     .default_value = "power",
     .choices = "power,terms",
     .help = "Ways add by power, or, as equation (20) is written, the terms of streets, roofs and walls on one path."},
    {.name = "best",
     .type = RW_OPTION_INTEGER,
     .calls = RW_OPTION_OF_PREDICT | RW_OPTION_OF_TRACE,
     RW_OPTION_AT(best),
     .min = 1,
     .max = RW_STRONGEST_PATHS_MAX,
     .default_text = "the strongest of each kind; 1 where all effects are of the paper",
     .help = "How many of the strongest paths are added by power; of paths: how many are told."},
    {RW_OPTION_DATABASE_OF_SCENE},
    {RW_OPTION_PARAMS_OF_MODEL},
    {RW_OPTION_RAIN},
    {RW_OPTION_GAS},
    RW_OPTIONS_NEAR_FIELD,
    {RW_OPTION_INDOOR},
    {RW_OPTION_FLOOR},
    {.name = "sigma",
     .type = RW_OPTION_CHOICE,
     .calls = RW_OPTION_OF_PREDICT,
     RW_OPTION_AT(sigma),
     .choices = "constant,ensemble",
     .default_text = "none; constant with layer sigma",
     .help =
         "Layer sigma: 8 dB, the error of a prediction without measurements, or the spread of an ensemble, which is "
         "the sensitivity to the inputs."},
    {.name = "members",
     .type = RW_OPTION_INTEGER,
     .calls = RW_OPTION_OF_PREDICT,
     RW_OPTION_AT(members),
     .min = 2,
     .max = 1000,
     .default_text = "32 with sigma ensemble",
     .help = "Members of the ensemble."},
    {.name = "level",
     .type = RW_OPTION_QUANTITY,
     .quantity = RW_QUANTITY_POWER_DBM,
     .calls = RW_OPTION_OF_PREDICT,
     RW_OPTION_AT(level_dbm),
     .min = -1000,
     .max = 1000,
     .default_text = "none",
     .unit = "dBm",
     .help = "Received power whose probability the layer coverage_probability has."},
    {0}};

/* With no effects chosen a scene gets all that it can have. */
static void choose_effects(const rw_prediction *prediction, rw_shadow_effects *effects)
{
    const rw_scene *scene = prediction->scene;
    int floor_plan = scene->panels.count > 0 && scene->parts.count == 0; /* no way leads over its walls */
    int walls_alone = floor_plan || (scene->triangles.count > 0 && scene->parts.count == 0);
    effects->walls = 1;
    effects->streets = walls_alone ? RW_SHADOW_STREETS_NONE : RW_SHADOW_STREETS_BERG;
    effects->roofs = walls_alone ? RW_SHADOW_ROOFS_NONE : RW_SHADOW_ROOFS_SCREENS;
}

/* Whether parameters are calibrated for walls and roofs that are counted. */
static int has_wall_constants(const rw_params *params)
{
    static const int counted[] = {RW_SHADOW_ROOF_COUNT, RW_SHADOW_WALL_FIRST, RW_SHADOW_WALL_RATIO};
    int found = 0;
    for (size_t i = 0; params && i < sizeof counted / sizeof *counted; i++)
        found |= params->values[counted[i]] != params->uncalibrated[counted[i]];
    return found;
}

static void parse_effects(const char *list, rw_shadow_effects *effects)
{
    effects->walls = rw_list_contains(list, "walls");
    effects->streets = rw_list_contains(list, "streets")              ? RW_SHADOW_STREETS_BERG
                       : rw_list_contains(list, "streets_polynomial") ? RW_SHADOW_STREETS_POLYNOMIAL
                                                                      : RW_SHADOW_STREETS_NONE;
    effects->roofs = rw_list_contains(list, "roofs")              ? RW_SHADOW_ROOFS_SCREENS
                     : rw_list_contains(list, "roofs_polynomial") ? RW_SHADOW_ROOFS_ANGLES
                     : rw_list_contains(list, "roofs_counted")    ? RW_SHADOW_ROOFS_COUNTED
                                                                  : RW_SHADOW_ROOFS_NONE;
}

/* The paper's own effects come with its own sum: the strongest way. */
static int as_in_paper(const rw_shadow_effects *effects)
{
    return effects->streets != RW_SHADOW_STREETS_BERG && effects->roofs != RW_SHADOW_ROOFS_SCREENS;
}

static rw_status check_effects_for_scene(const rw_prediction *prediction, const rw_shadow_effects *effects)
{
    rw_context *context = prediction->scene->context;
    int bent = effects->streets || effects->roofs || effects->walls;
    if ((effects->roofs || effects->streets) && prediction->scene->triangles.count &&
        prediction->scene->parts.count == 0)
        return rw_fail(context, RW_BAD_CALL,
                       "effects streets and roofs need buildings and terrain, and this scene has meshes alone; use "
                       "walls");
    if (!bent &&
        (rw_list_contains(prediction->layers, "mechanism") || rw_list_contains(prediction->layers, "deflections")))
        return rw_fail(context, RW_BAD_CALL,
                       "layers mechanism and deflections need effects, for example streets,walls");
    return RW_OK;
}

static rw_status check_polygon_method(const rw_prediction *prediction, const rw_shadow_effects *effects)
{
    rw_context *context = prediction->scene->context;
    if (effects->streets != RW_SHADOW_STREETS_POLYNOMIAL)
        return rw_fail(context, RW_BAD_CALL,
                       "street-method polygons is the paper's search for effects streets_polynomial: choose that");
    if (prediction->options->database)
        return rw_fail(context, RW_BAD_CALL, "street-method polygons takes no database: leave out one of them");
    return RW_OK;
}

/* An ensemble is of all ways together, and of effects whose losses are not constants. */
static rw_status check_ensemble(const rw_prediction *prediction, const rw_shadow_effects *effects)
{
    rw_context *context = prediction->scene->context;
    if (effects->streets == RW_SHADOW_STREETS_POLYNOMIAL || effects->roofs == RW_SHADOW_ROOFS_ANGLES ||
        effects->roofs == RW_SHADOW_ROOFS_COUNTED)
        return rw_fail(context, RW_BAD_CALL,
                       "sigma is of effects streets, roofs and walls: streets_polynomial, roofs_polynomial and "
                       "roofs_counted have none");
    if (prediction->options->best != RW_UNSET)
        return rw_fail(context, RW_BAD_CALL, "sigma is of all paths together: leave out best");
    return RW_OK;
}

int rw_shadow_members(const rw_prediction *prediction)
{
    const int default_count = 32;
    const rw_predict_options *options = prediction->options;
    if (!options->sigma || strcmp(options->sigma, "ensemble") != 0)
        return 0;
    return options->members != RW_UNSET ? options->members : default_count;
}

static rw_status check_sigma(const rw_prediction *prediction, const rw_shadow_effects *effects)
{
    rw_context *context = prediction->scene->context;
    if (prediction->options->members != RW_UNSET && !rw_shadow_members(prediction))
        return rw_fail(context, RW_BAD_CALL, "members are of an ensemble: they need sigma ensemble");
    if (rw_list_contains(prediction->layers, "coverage_probability") && isnan(prediction->options->level_dbm))
        return rw_fail(context, RW_BAD_CALL, "layer coverage_probability needs a level, for example -90dBm");
    return rw_shadow_members(prediction) ? check_ensemble(prediction, effects) : RW_OK;
}

/* Where paths along streets end beside the way over roofs, which then brings more. */
#define STREET_EXCESS_MAX_DB 50.0

rw_status rw_shadow_effects_resolve(const rw_prediction *prediction, rw_shadow_effects *effects)
{
    const rw_predict_options *options = prediction->options;
    *effects = (rw_shadow_effects){0};
    if (options->effects)
        parse_effects(options->effects, effects);
    else
        choose_effects(prediction, effects);
    int paper = as_in_paper(effects);
    effects->slabs = options->walls ? strcmp(options->walls, "slab") == 0 : !has_wall_constants(options->params);
    effects->best_count = options->best != RW_UNSET ? options->best : paper;
    effects->all_terms = options->sum && strcmp(options->sum, "terms") == 0;
    if (effects->all_terms && !paper)
        return rw_fail(prediction->scene->context, RW_BAD_CALL,
                       "sum terms is equation (20) of the paper: it needs effects of the paper, streets_polynomial, "
                       "roofs_polynomial or roofs_counted, and walls");
    if (effects->all_terms)
        effects->best_count = 1;
    effects->in_plane = options->street_method && strcmp(options->street_method, "polygons") == 0;
    RW_TRY(effects->in_plane ? check_polygon_method(prediction, effects) : RW_OK);
    effects->order = options->order != RW_UNSET                         ? options->order
                     : effects->streets == RW_SHADOW_STREETS_POLYNOMIAL ? 2
                                                                        : RW_STREET_ORDER_MAX;
    effects->street_excess_db = effects->roofs ? STREET_EXCESS_MAX_DB : 0;
    effects->prior = options->prior || (paper && options->effects) ? options->prior : "3gpp";
    RW_TRY(check_effects_for_scene(prediction, effects));
    return check_sigma(prediction, effects);
}
