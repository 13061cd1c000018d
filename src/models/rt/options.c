/* The options of the rt model, and the limits of its search. */
#include "field/surfaces/scatter_balance.h"
#include "models/rt/rt.h"

#include <math.h>
#include <string.h>

const rw_model_option rw_rt_options[] = {{RW_OPTION_COUNT("depth", depth, 1, RW_RT_DEPTH_MAX), .usual = "2",
                                          .help = "Most interactions of a path, all kinds together."},
                                         {RW_OPTION_COUNT("reflections", reflections, 0, RW_RT_DEPTH_MAX),
                                          .words = "as depth", .help = "Most reflections of a path."},
                                         {RW_OPTION_COUNT("diffractions", diffractions, 0, RW_RT_EDGES_MAX),
                                          .usual = "1", .help = "Most diffractions of a path."},
                                         {RW_OPTION_COUNT("scatterings", scatterings, 0, 1),
                                          .words = "1 where something is rough",
                                          .help = "Most diffuse scatterings of a path, at rough surfaces."},
                                         {RW_OPTION_ROUGHNESS},
                                         {RW_OPTION_LOBE},
                                         {RW_OPTION_LOSS_MAX, .least = 40, .most = 1000, .usual = "200dB"},
                                         {RW_OPTION_SUM, .choices = "coherent,power,local",
                                          .help = "How paths add: fields, powers, or the mean power of a cell."},
                                         {.name = "tile-area",
                                          .type = RW_OPTION_QUANTITY,
                                          .quantity = RW_QUANTITY_NUMBER,
                                          .calls = RW_OPTION_OF_PATHS,
                                          RW_OPTION_AT(tile_area_m2),
                                          .least = 0.01,
                                          .most = 1e6,
                                          .usual = "6.25",
                                          .unit = "m2",
                                          .help = "Area of the patches of rough surfaces that scatter."},
                                         {RW_OPTION_WEDGE},
                                         {RW_OPTION_PRIOR_BESIDE},
                                         RW_OPTIONS_RX_ANTENNA(RW_OPTION_OF_PATHS),
                                         {RW_OPTION_RX_SLANT},
                                         {RW_OPTION_REFERENCE},
                                         RW_OPTIONS_NEAR_FIELD,
                                         {RW_OPTION_RAIN},
                                         {RW_OPTION_GAS},
                                         {RW_OPTION_INDOOR},
                                         {RW_OPTION_FLOOR},
                                         {0}};

void rw_rt_settle(const rw_prediction *prediction, rw_rt_limits *limits)
{
    const rw_predict_options *asked = prediction->options;
    *limits = (rw_rt_limits){.depth = asked->depth,
                             .reflections = asked->reflections == RW_UNSET ? asked->depth : asked->reflections,
                             .diffractions = asked->diffractions,
                             .scatterings = asked->scatterings == RW_UNSET ? 1 : asked->scatterings,
                             .must_scatter = asked->scatterings != RW_UNSET && asked->scatterings > 0,
                             .loss_max_db = asked->loss_max_db,
                             .patch_m = sqrt(asked->tile_area_m2),
                             .holm = strcmp(asked->wedge, "holm") == 0};
    rw_scatter_lobe_make(asked->lobe, &limits->lobe);
}
