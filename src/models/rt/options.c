/* The options of the rt model, and the limits of its search. */
#include "field/surfaces/surfaces.h"
#include "models/rt/rt.h"

#include <math.h>
#include <string.h>

const rw_model_option rw_rt_options[] = {{RW_OPTION_COUNT("depth", depth, 1, RW_RT_DEPTH_MAX), .default_value = "2",
                                          .help = "Most interactions of a path, all kinds together."},
                                         {RW_OPTION_COUNT("reflections", reflections, 0, RW_RT_DEPTH_MAX),
                                          .default_text = "as depth", .help = "Most reflections of a path."},
                                         {RW_OPTION_COUNT("diffractions", diffractions, 0, RW_RT_EDGES_MAX),
                                          .default_value = "1", .help = "Most diffractions of a path."},
                                         {RW_OPTION_COUNT("scatterings", scatterings, 0, 1),
                                          .default_text = "1 where something is rough",
                                          .help = "Most diffuse scatterings of a path, at rough surfaces."},
                                         {RW_OPTION_ROUGHNESS},
                                         {RW_OPTION_LOBE},
                                         {RW_OPTION_LOSS_MAX, .min = 40, .max = 1000, .default_value = "200dB"},
                                         {RW_OPTION_SUM},
                                         {.name = "tile-area",
                                          .type = RW_OPTION_QUANTITY,
                                          .quantity = RW_QUANTITY_NUMBER,
                                          .calls = RW_OPTION_OF_PATHS,
                                          RW_OPTION_AT(tile_area_m2),
                                          .min = 0.01,
                                          .max = 1e6,
                                          .default_value = "6.25",
                                          .unit = "m2",
                                          .help = "Area of the patches of rough surfaces that scatter."},
                                         {RW_OPTION_WEDGE},
                                         {.name = "roofs",
                                          .type = RW_OPTION_CHOICE,
                                          .calls = RW_OPTION_OF_PREDICT | RW_OPTION_OF_EVALUATE,
                                          RW_OPTION_AT(roofs),
                                          .choices = "vogler,none",
                                          .default_text = "vogler in maps of buildings and terrain",
                                          .help = "The way over the roofs beside the model's own paths."},
                                         {RW_OPTION_PRIOR_BY_ENGINE},
                                         RW_OPTIONS_RX_ANTENNA(RW_OPTION_OF_PATHS),
                                         {RW_OPTION_RX_SLANT},
                                         {RW_OPTION_REFERENCE},
                                         RW_OPTIONS_NEAR_FIELD,
                                         {RW_OPTION_RAIN},
                                         {RW_OPTION_GAS},
                                         {RW_OPTION_INDOOR},
                                         {RW_OPTION_FLOOR},
                                         {0}};

void rw_rt_resolve(const rw_prediction *prediction, rw_rt_limits *limits)
{
    const rw_predict_options *user = prediction->options;
    *limits = (rw_rt_limits){.depth = user->depth,
                             .reflections = user->reflections == RW_UNSET ? user->depth : user->reflections,
                             .diffractions = user->diffractions,
                             .scatterings = user->scatterings == RW_UNSET ? 1 : user->scatterings,
                             .must_scatter = user->scatterings != RW_UNSET && user->scatterings > 0,
                             .loss_max_db = user->loss_max_db,
                             .patch_m = sqrt(user->tile_area_m2),
                             .holm = strcmp(user->wedge, "holm") == 0};
    rw_scatter_lobe_init(user->lobe, &limits->lobe);
}
