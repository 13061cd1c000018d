/* Options of models as data: each model has a table, and all models share one. From the tables come the checks of every
 * call, the values of what is unset, the setter for texts and the enumeration in the public interface. */
#ifndef RW_MODELS_ENGINE_OPTIONS_OPTIONS_H
#define RW_MODELS_ENGINE_OPTIONS_OPTIONS_H

#include "base/context.h"
#include "base/options.h"
#include "base/range.h"

typedef struct rw_model rw_model;

typedef struct rw_model_option {
    const char *name; /* as in project files: "loss-max"; NULL ends a table */
    rw_option_type type;
    rw_quantity quantity;
    int calls;            /* that use it: RW_OPTION_OF_PREDICT and so on */
    size_t at;            /* of its field in rw_predict_options; 0: it has none there */
    size_t preprocess_at; /* the same in rw_preprocess_options */
    double min, max;
    const char
        *default_value; /* value where it is unset, as the text that a user would write; NULL: the model chooses */
    const char *default_text; /* the same for readers, where usual does not say it */
    const char *unit, *choices, *help;
} rw_model_option;

#define RW_OPTION_AT(member) .at = offsetof(rw_predict_options, member)
#define RW_OPTION_PREPROCESS_AT(member) .preprocess_at = offsetof(rw_preprocess_options, member)
#define RW_OPTION_OF_PATHS (RW_OPTION_OF_PREDICT | RW_OPTION_OF_TRACE | RW_OPTION_OF_EVALUATE)

/* Entries that several models have with other values. */
#define RW_OPTION_RES                                                                                                  \
    .name = "res", .type = RW_OPTION_QUANTITY, .quantity = RW_QUANTITY_LENGTH_M, RW_OPTION_AT(res_m),                  \
    .min = RW_CELL_MIN_M, .max = RW_CELL_MAX_M, .unit = "m", .help = "Side of a cell."
#define RW_OPTION_RX_HEIGHT                                                                                            \
    .name = "rx-height", .type = RW_OPTION_QUANTITY, .quantity = RW_QUANTITY_LENGTH_M, RW_OPTION_AT(rx_height_m),      \
    .min = 1e-3, .max = 1e5, .unit = "m", .help = "Height of the receivers above ground."
#define RW_OPTION_AREA_OF_MAP                                                                                          \
    .name = "area", .type = RW_OPTION_AREA, .quantity = RW_QUANTITY_LENGTH_M, RW_OPTION_AT(area_m),                    \
    .min = -RW_COORDINATE_MAX_M, .max = RW_COORDINATE_MAX_M, .default_text = "the scene's extent", .unit = "m",        \
    .help = "Part of the scene to predict: west, south, east and north edge."
#define RW_OPTION_COUNT(option, member, low, high)                                                                     \
    .name = option, .type = RW_OPTION_INTEGER, .calls = RW_OPTION_OF_PATHS, RW_OPTION_AT(member), .min = low,          \
    .max = high
#define RW_OPTION_LOSS_MAX                                                                                             \
    .name = "loss-max", .type = RW_OPTION_QUANTITY, .quantity = RW_QUANTITY_LEVEL_DB, .calls = RW_OPTION_OF_PATHS,     \
    RW_OPTION_AT(loss_max_db), .unit = "dB", .help = "Paths with a higher loss are dropped."
#define RW_OPTION_SUM                                                                                                  \
    .name = "sum", .type = RW_OPTION_CHOICE, .calls = RW_OPTION_OF_PREDICT | RW_OPTION_OF_EVALUATE, RW_OPTION_AT(sum), \
    .default_text = "local where cells are wider than half a wavelength, else coherent",                               \
    .choices = "coherent,power,local", .help = "How paths add: fields, powers, or the mean power over a cell."
#define RW_OPTION_WEDGE                                                                                                \
    .name = "wedge", .type = RW_OPTION_CHOICE, .calls = RW_OPTION_OF_PATHS, RW_OPTION_AT(wedge),                       \
    .default_value = "holm", .choices = "holm,luebbers", .help = "Diffraction coefficients of lossy edges."
#define RW_OPTION_ROOFS                                                                                                \
    .name = "roofs", .type = RW_OPTION_CHOICE, .calls = RW_OPTION_OF_PATHS, RW_OPTION_AT(roofs),                       \
    .default_text = "vogler in maps of buildings and terrain, none in paths",                                          \
    .help = "The way over the roofs beside the model's own paths."
#define RW_OPTION_PRIOR                                                                                                \
    .name = "prior", .type = RW_OPTION_CHOICE, .calls = RW_OPTION_OF_PATHS, RW_OPTION_AT(prior),                       \
    .choices = "3gpp,p1411,none", .help = "Empirical median that the path loss is composed with; no path contains it."
#define RW_OPTION_K_FACTOR                                                                                             \
    .name = "k-factor", .type = RW_OPTION_QUANTITY, .quantity = RW_QUANTITY_NUMBER, .calls = RW_OPTION_OF_PATHS,       \
    RW_OPTION_AT(k_factor), .min = 0.1, .max = 1e6, .default_text = "4/3", .unit = "",                                 \
    .help = "On terrain: effective earth radius over the true one, 6371 km; 1e6 for a flat earth."
#define RW_OPTION_GROUND                                                                                               \
    .name = "ground", .type = RW_OPTION_CHOICE, .calls = RW_OPTION_OF_PATHS, RW_OPTION_AT(ground),                     \
    .choices = "smooth,none", .default_text = "smooth; none in floor plans and scenes of meshes alone",                \
    .help = "Loss over the smooth earth, with terrain or without; none: free space at any distance."
#define RW_OPTION_PRIOR_BY_ENGINE                                                                                      \
    RW_OPTION_PRIOR, .default_text = "3gpp among buildings; none with params or roofs of the paper"
#define RW_OPTION_PRIOR_OF_ROOMS RW_OPTION_PRIOR, .default_text = "none"
#define RW_OPTION_PLANE_OF_MAP                                                                                         \
    .name = "plane", .type = RW_OPTION_PLANE, .quantity = RW_QUANTITY_LENGTH_M, .calls = RW_OPTION_OF_PREDICT,         \
    RW_OPTION_AT(plane_m), .min = -RW_COORDINATE_MAX_M, .max = RW_COORDINATE_MAX_M,                                    \
    .default_text = "the area at rx-height", .unit = "m",                                                              \
    .help = "Receivers on a rectangle in space: a corner and two sides."
#define RW_OPTION_PARAMS_OF_MODEL                                                                                      \
    .name = "params", .type = RW_OPTION_PARAMS, .calls = RW_OPTION_OF_PATHS, RW_OPTION_AT(params),                     \
    .default_text = "uncalibrated", .help = "Parameters that calibrate has found (JSON file)."
#define RW_OPTION_DATABASE_OF_SCENE                                                                                    \
    .name = "database", .type = RW_OPTION_DATABASE, .calls = RW_OPTION_OF_PREDICT | RW_OPTION_OF_TRACE,                \
    RW_OPTION_AT(database), .default_text = "none", .help = "Visibility database of the scene, made by preprocess."
#define RW_OPTION_INDOOR                                                                                               \
    .name = "indoor", .type = RW_OPTION_CHOICE, .calls = RW_OPTION_OF_PATHS, RW_OPTION_AT(indoor),                     \
    .choices = "slab,p2109,p2109-efficient", .default_text = "none",                                                   \
    .help = "Values inside buildings: by facade and depth, or ITU-R P.2109 for traditional or efficient buildings."
#define RW_OPTION_FLOOR                                                                                                \
    .name = "floor", .type = RW_OPTION_INTEGER, .calls = RW_OPTION_OF_PREDICT | RW_OPTION_OF_TRACE,                    \
    RW_OPTION_AT(floor), .min = 0, .max = 300, .default_text = "that of rx-height",                                    \
    .help = "Storey of the receivers, 3 m each, 0 at the ground: rx-height is above its floor. Needs indoor."
#define RW_OPTION_ROUGHNESS                                                                                            \
    .name = "roughness", .type = RW_OPTION_QUANTITY, .quantity = RW_QUANTITY_NUMBER, .calls = RW_OPTION_OF_PATHS,      \
    RW_OPTION_AT(roughness), .min = 0, .max = 1,                                                                       \
    .default_text = "0.4 where scatterings is given and no material is rough", .unit = "",                             \
    .help = "Effective roughness S of walls and roofs whose materials have none: S^2 of the power scatters."
#define RW_OPTION_LOBE                                                                                                 \
    .name = "lobe", .type = RW_OPTION_CHOICE, .calls = RW_OPTION_OF_PATHS, RW_OPTION_AT(lobe),                         \
    .choices = "lambertian,directive,backscattering", .default_value = "lambertian",                                   \
    .help = "Lobe of scattered power, after Degli-Esposti and others (2007)."
#define RW_OPTION_RAIN                                                                                                 \
    .name = "rain", .type = RW_OPTION_QUANTITY, .quantity = RW_QUANTITY_RAIN_MM_H, .calls = RW_OPTION_OF_PATHS,        \
    RW_OPTION_AT(rain_mm_h), .min = 0, .max = 500, .default_text = "none", .unit = "mm/h",                             \
    .help = "Rain along every path, by ITU-R P.838."
#define RW_OPTION_GAS                                                                                                  \
    .name = "gas", .type = RW_OPTION_CHOICE, .calls = RW_OPTION_OF_PATHS, RW_OPTION_AT(gas),                           \
    .choices = "standard,none", .default_text = "standard from 6 GHz on",                                              \
    .help = "Oxygen and water vapour along every path, by ITU-R P.676 at 15 degrees and 7.5 g/m3."
#define RW_OPTION_RX_ANGLE(option, member, of_calls)                                                                   \
    .name = option, .type = RW_OPTION_QUANTITY, .quantity = RW_QUANTITY_ANGLE_DEG, .calls = of_calls,                  \
    RW_OPTION_AT(member), .min = -360, .max = 360, .default_text = "0", .unit = "deg"
/* The antenna of the receivers (prediction/transmitters.c); of_calls: RW_OPTION_OF_PATHS where paths have gains. */
#define RW_OPTIONS_RX_ANTENNA(of_calls)                                                                                \
    {.name = "rx-antenna",                                                                                             \
     .type = RW_OPTION_FILE,                                                                                           \
     .calls = of_calls,                                                                                                \
     RW_OPTION_AT(rx_antenna),                                                                                         \
     .default_text = "isotropic",                                                                                      \
     .help = "Antenna of the receivers: isotropic, dipole, 3gpp, macro, omni, sector:... or an MSI file."},            \
        {RW_OPTION_RX_ANGLE("rx-azimuth", rx_azimuth_deg, of_calls),                                                   \
         .help = "Bearing of that antenna, clockwise from north."},                                                    \
        {RW_OPTION_RX_ANGLE("rx-tilt", rx_tilt_deg, of_calls), .help = "Downtilt of that antenna."},                   \
    {                                                                                                                  \
        RW_OPTION_RX_ANGLE("rx-roll", rx_roll_deg, of_calls), .help = "Roll of that antenna, clockwise from behind."   \
    }
#define RW_OPTION_RX_SLANT                                                                                             \
    RW_OPTION_RX_ANGLE("rx-slant", rx_slant_deg, RW_OPTION_OF_PATHS),                                                  \
        .help = "Polarisation of the receivers' antenna: 0 vertical, 45 slanted, 90 horizontal."
/* Receivers in the near field (run/run.h); of every model. */
#define RW_OPTIONS_NEAR_FIELD                                                                                          \
    {.name = "exclude-within",                                                                                         \
     .type = RW_OPTION_QUANTITY,                                                                                       \
     .quantity = RW_QUANTITY_LENGTH_M,                                                                                 \
     .calls = RW_OPTION_OF_PREDICT,                                                                                    \
     RW_OPTION_AT(exclude_within_m),                                                                                   \
     .min = 0,                                                                                                         \
     .max = 1e6,                                                                                                       \
     .default_text = "none",                                                                                           \
     .unit = "m",                                                                                                      \
     .help = "Receivers nearer to a transmitter have no value."},                                                      \
    {                                                                                                                  \
        .name = "antenna-size", .type = RW_OPTION_QUANTITY, .quantity = RW_QUANTITY_LENGTH_M,                          \
        .calls = RW_OPTION_OF_PREDICT, RW_OPTION_AT(antenna_size_m), .min = 0, .max = 1000, .default_text = "none",    \
        .unit = "m", .help = "Size D of the antennas: receivers within 2 D^2 / wavelength have no value."              \
    }
/* Of models whose losses have the transmitter's antenna in them. */
#define RW_OPTION_REFERENCE                                                                                            \
    .name = "reference", .type = RW_OPTION_CHOICE, .calls = RW_OPTION_OF_PREDICT, RW_OPTION_AT(reference),             \
    .choices = "eirp,erp", .default_text = "the antenna's input",                                                      \
    .help = "Power that path loss counts from: EIRP, or ERP, 2.15 dB less."
#define RW_OPTION_REUSE                                                                                                \
    .name = "reuse", .type = RW_OPTION_STORED_FILE, .calls = RW_OPTION_OF_PREDICT, RW_OPTION_AT(reuse),                \
    .default_text = "none", .help = "File of traced paths: written by the first prediction, used by later ones."

/* Checks that every option that is set is one of the model's and in range, and sets the others to the model's values.
 * What has been settled passes again. */
rw_status rw_predict_options_apply_defaults(rw_context *context, rw_predict_options *options);

/* The same of what a caller of preprocess gave; given NULL: all unset. */
rw_status rw_preprocess_options_resolve(rw_context *context, const rw_preprocess_options *user_options,
                                        rw_preprocess_options *options);

/* The option of that name ('_' counts as '-'); NULL where the model has none. */
const rw_model_option *rw_model_option_find(const rw_model *model, const char *name);

/* The options of a model one after the other: its index-th, those of all models first; NULL beyond the last. */
const rw_model_option *rw_model_option_at(const rw_model *model, size_t index, int *of_all_models);

/* A text into the field, and whether what is in a field is possible. choices: those of the option for this model. */
rw_status rw_option_parse(rw_context *context, const rw_model_option *option, const char *string, void *field);
rw_status rw_option_set_default(rw_context *context, const rw_model_option *option, void *field); /* what is unset */
rw_status rw_option_check(rw_context *context, const rw_model_option *option, const char *choices, const void *field);
int rw_option_is_set(const rw_model_option *option, const void *field);
void rw_option_unset(const rw_model_option *option, void *field);
size_t rw_option_size(const rw_model_option *option);   /* of the field in bytes */
int rw_option_is_string(const rw_model_option *option); /* whether the field is a text */

/* Radio systems by name: typical numbers of Wi-Fi, LoRa, LTE and NR, for the option preset and for readers. */

/* As the table of presets.c has them. */
#define RW_PRESET_NAMES                                                                                                \
    "wifi-2.4,wifi-5,wifi-6,lora-868,lora-915,lte-700,lte-800,lte-1800,lte-2600,nr-700,nr-3500,nr-26000"

/* Sets what the options leave unset from their preset; a name that is not in the table is left for the check of
 * choices. */
void rw_preset_apply(rw_predict_options *options);

#endif
