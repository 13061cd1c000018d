/* The options of the beams model, and the settings made of them. */
#include "base/text/units.h"
#include "models/beams/beams.h"

#include <stdio.h>
#include <string.h>

#define INTERACTIONS_MAX 30 /* of a kind; a path of more is weaker than any receiver hears */

const rw_model_option rw_beam_options[] = {
    {RW_OPTION_ROOFS, .choices = "vogler,polynomial,none"},
    {RW_OPTION_K_FACTOR},
    {RW_OPTION_GROUND},
    {RW_OPTION_PRIOR_BY_ENGINE},
    {RW_OPTION_COUNT("reflections", reflections, 0, INTERACTIONS_MAX), .default_value = "4",
     .help = "Most reflections of a path."},
    {RW_OPTION_COUNT("transmissions", transmissions, 0, INTERACTIONS_MAX), .default_value = "1",
     .help = "Most transmissions of a path, through walls."},
    {RW_OPTION_COUNT("diffractions", diffractions, 0, INTERACTIONS_MAX), .default_value = "1",
     .help = "Most diffractions of a path."},
    {RW_OPTION_COUNT("dimensions", dimensions, 2, 3), .default_value = "3",
     .help = "2: in the horizontal plane of the receivers, as the paper's 2-D mode; transmitters are in it too."},
    {RW_OPTION_LOSS_MAX, .min = 40, .max = 250, .default_value = "160dB"},
    {.name = "losses",
     .type = RW_OPTION_STRING,
     .calls = RW_OPTION_OF_PATHS,
     RW_OPTION_AT(losses),
     .default_text = "theory",
     .help = "Losses of interactions: theory, or constants in dB such as reflection=6,diffraction=25."},
    {RW_OPTION_WEDGE},
    {.name = "delay-bins",
     .type = RW_OPTION_BINS,
     .quantity = RW_QUANTITY_NUMBER,
     .calls = RW_OPTION_OF_PREDICT,
     RW_OPTION_AT(delay_bins),
     .min = 0,
     .max = 65536,
     .default_value = "0,5e-8s,0s", /* exactly 50e-9 */
     .default_text = "0: none; bins of 50ns",
     .help = "Histogram of delays: number of bins, their width and where the first begins."},
    {.name = "method",
     .type = RW_OPTION_CHOICE,
     .calls = RW_OPTION_OF_PREDICT,
     RW_OPTION_AT(method),
     .default_value = "spans",
     .choices = "spans,scanlines,half-spaces",
     .help = "How beams are rasterised: by rows, or by the paper's two rasterisers over blocks of pixels."},
    {.name = "tiling",
     .type = RW_OPTION_STRING,
     .calls = RW_OPTION_OF_PREDICT,
     RW_OPTION_AT(tiling),
     .default_text = "8x4,1x1",
     .help = "For scanlines and half-spaces: pixels of a block, and blocks of the grid that shares a beam."},
    {.name = "split",
     .type = RW_OPTION_CHOICE,
     .calls = RW_OPTION_OF_PATHS,
     RW_OPTION_AT(split),
     .default_value = "sweep",
     .choices = "sweep,buffer",
     .help = "How beams are split at walls: exactly, or by the paper's ID and depth buffer."},
    {RW_OPTION_COUNT("split-pixels", split_pixels, 16, 65536), .default_value = "1024",
     .help = "Pixels of that buffer, across a beam of at most 5.6 degrees."},
    {.name = "clip",
     .type = RW_OPTION_CHOICE,
     .calls = RW_OPTION_OF_PATHS,
     RW_OPTION_AT(clip),
     .default_value = "grid",
     .choices = "grid,quadtree",
     .help = "What finds the walls of a beam: the wall grid, or the paper's quadtree."},
    {.name = "reuse",
     .type = RW_OPTION_STORED_FILE,
     .calls = RW_OPTION_OF_PREDICT | RW_OPTION_OF_TRACE,
     RW_OPTION_AT(reuse),
     .default_text = "none",
     .help = "File of traced paths: written by the first prediction, used by later ones and by paths."},
    {RW_OPTION_PARAMS_OF_MODEL},
    RW_OPTIONS_RX_ANTENNA(RW_OPTION_OF_PREDICT),
    RW_OPTIONS_NEAR_FIELD,
    {RW_OPTION_RAIN},
    {RW_OPTION_GAS},
    {RW_OPTION_INDOOR},
    {RW_OPTION_FLOOR},
    {0}};

void rw_beam_settings_init(rw_beam_settings *settings)
{
    *settings = (rw_beam_settings){.reflections = 4,
                                   .transmissions = 1,
                                   .diffractions = 1,
                                   .theory = 1,
                                   .holm = 1,
                                   .exponent = 2,
                                   .tiling = {8, 4, 1, 1},
                                   .constant_db = NAN,
                                   .loss_max_db = 160,
                                   .angle_min_rad = 1e-6,
                                   .bin_s = 50e-9};
}

/* Constants that a text may name. An interaction's constant holds for the first and all further ones; with a number
 * behind it ("reflection2=8") for that one and those after it. */
static rw_status set_loss_constant(rw_context *context, const char *name, double value, rw_beam_settings *settings)
{
    static const char *const kinds[] = {"reflection", "transmission", "diffraction"};
    float *constants[] = {settings->reflection_db, settings->transmission_db, settings->diffraction_db};
    if (strcmp(name, "exponent") == 0 || strcmp(name, "constant") == 0) {
        int is_exponent = name[0] == 'e';
        if (is_exponent ? !(value >= 1 && value <= 8) : !(fabs(value) <= 200))
            return rw_fail(context, RW_BAD_CALL, "losses: %s=%g is not possible; use %s", name, value,
                           is_exponent ? "1 to 8" : "-200 to 200");
        *(is_exponent ? &settings->exponent : &settings->constant_db) = value;
        return RW_OK;
    }
    for (int kind = 0; kind < 3; kind++) {
        size_t length = strlen(kinds[kind]);
        if (strncmp(name, kinds[kind], length) != 0)
            continue;
        int order = name[length] ? name[length] - '0' : 1;
        if (order < 1 || order > RW_BEAM_ORDERS || (name[length] && name[length + 1]))
            break;
        if (!(value >= 0 && value <= 200))
            return rw_fail(context, RW_BAD_CALL, "losses: %s=%g is not a loss of 0 to 200 dB", name, value);
        for (int i = order - 1; i < RW_BEAM_ORDERS; i++)
            constants[kind][i] = (float)value;
        return RW_OK;
    }
    return rw_fail(context, RW_BAD_CALL,
                   "losses: there is no '%s'; there are reflection, transmission, diffraction (each also with a number "
                   "1 to 8), exponent and constant",
                   name);
}

/* "theory", or "name=value,name=value". */
static rw_status parse_beam_losses(rw_context *context, const char *string, rw_beam_settings *settings)
{
    if (!string || strcmp(string, "theory") == 0)
        return RW_OK;
    settings->theory = 0;
    while (*string) {
        char name[32];
        double value;
        size_t length = strcspn(string, "=,");
        size_t used = string[length] == '=' ? rw_parse_number(string + length + 1, &value) : 0;
        const char *after = string + length + 1 + used;
        if (length >= sizeof name || used == 0 || (*after && *after != ','))
            return rw_fail(context, RW_BAD_CALL,
                           "losses are 'theory' or constants in dB such as reflection=6,diffraction=25, not '%s'",
                           string);
        snprintf(name, sizeof name, "%.*s", (int)length, string);
        RW_TRY(set_loss_constant(context, name, value, settings));
        string = after + (*after == ',');
    }
    return RW_OK;
}

/* "8x4" or "8x4,2x2": pixels of a block, and blocks of the grid. */
static rw_status parse_raster_tiling(rw_context *context, const char *string, rw_raster_tiling *tiling)
{
    int *numbers[4] = {&tiling->block_columns, &tiling->block_rows, &tiling->grid_columns, &tiling->grid_rows};
    static const char before[4] = {0, 'x', ',', 'x'};
    int count = 0;
    if (!string)
        return RW_OK;
    const char *at = string;
    for (; count < 4 && (count == 0 || *at == before[count]); count++) {
        double value;
        at += count > 0;
        size_t used = rw_parse_number(at, &value);
        if (!used || !(value >= 1 && value <= 256) || value != floor(value))
            break;
        *numbers[count] = (int)value;
        at += used;
    }
    if (*at || (count != 2 && count != 4) || at[-1] == ',')
        return rw_fail(context, RW_BAD_CALL,
                       "tiling is pixels of a block and blocks of a grid, each 1 to 256, such as 8x4 or 8x4,2x2; not "
                       "'%s'",
                       string);
    return RW_OK;
}

/* The paper's own algorithms, where they are asked for. */
static rw_status resolve_beam_algorithms(rw_context *context, const rw_predict_options *options,
                                         rw_beam_settings *settings)
{
    settings->raster = strcmp(options->method, "scanlines") == 0     ? RW_BEAM_SCANLINES
                       : strcmp(options->method, "half-spaces") == 0 ? RW_BEAM_HALF_SPACES
                                                                     : RW_BEAM_SPANS;
    settings->split_pixels = strcmp(options->split, "buffer") == 0 ? options->split_pixels : 0;
    if (options->reuse && settings->split_pixels)
        return rw_fail(context, RW_BAD_CALL,
                       "reuse keeps every path, and split=buffer may miss some: leave one of the two out");
    settings->quadtree = strcmp(options->clip, "quadtree") == 0;
    return parse_raster_tiling(context, options->tiling, &settings->tiling);
}

/* In the plane of the receivers there is one height, and neither roof nor ground. */
static rw_status check_beam_dimensions(const rw_prediction *prediction)
{
    const rw_predict_options *options = prediction->options;
    const rw_receivers_view *view = &prediction->receivers.view;
    if (options->dimensions != 2)
        return RW_OK;
    if (options->roofs && strcmp(options->roofs, "none") != 0)
        return rw_fail(prediction->scene->context, RW_BAD_CALL,
                       "dimensions = 2 has no path over roofs: leave out roofs = %s", options->roofs);
    if (view->low_m != view->high_m)
        return rw_fail(
            prediction->scene->context, RW_BAD_CALL,
            "dimensions = 2 is one horizontal plane, and the receivers are at altitudes from %g to %g m: use "
            "terrain = flat and one height",
            (double)view->low_m, (double)view->high_m);
    return RW_OK;
}

rw_status rw_beam_settings_resolve(const rw_prediction *prediction, rw_beam_settings *settings)
{
    rw_context *context = prediction->scene->context;
    const rw_predict_options *options = prediction->options;
    rw_beam_settings_init(settings);
    settings->verify = prediction->scene->terrain.values != NULL || prediction->scene->triangles.count > 0;
    settings->reflections = options->reflections;
    settings->transmissions = options->transmissions;
    settings->diffractions = options->diffractions;
    settings->loss_max_db = options->loss_max_db;
    RW_TRY(check_beam_dimensions(prediction));
    RW_TRY(resolve_beam_algorithms(context, options, settings));
    settings->holm = strcmp(options->wedge, "holm") == 0;
    settings->bins = options->delay_bins;
    settings->bin_s = options->delay_bin_s;
    settings->delay_first_s = options->delay_first_s;
    int own_losses = options->params || (options->losses && strcmp(options->losses, "theory") != 0);
    int in_plane = options->dimensions == 2;
    RW_TRY(rw_roof_choice_resolve(prediction, !own_losses && !in_plane, &settings->roofs));
    settings->ground = !in_plane && (prediction->scene->terrain.values || rw_prediction_has_ground(prediction)) &&
                       !own_losses && (!options->roofs || settings->roofs == RW_ROOFS_VOGLER);
    settings->ground |= settings->roofs == RW_ROOFS_VOGLER;
    if (options->params && options->losses)
        return rw_fail(context, RW_BAD_CALL, "losses come from params or from losses, not from both");
    return parse_beam_losses(context, options->losses, settings);
}
