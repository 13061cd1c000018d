/* From the options of a prediction to the settings of the beams model. */
#include "base/text/units.h"
#include "models/beams/beams.h"

#include <stdio.h>
#include <string.h>

#define INTERACTIONS_MAX 30 /* of a kind; a path of more is weaker than any receiver hears */

void rw_beam_settings_init(rw_beam_settings *settings)
{
    *settings = (rw_beam_settings){.reflections = 4,
                                   .transmissions = 1,
                                   .diffractions = 1,
                                   .theory = 1,
                                   .exponent = 2,
                                   .constant_db = NAN,
                                   .loss_max_db = 160,
                                   .angle_min_rad = 1e-6,
                                   .bin_s = 50e-9};
}

static rw_status take_count(rw_context *context, int given, const char *what, int *count)
{
    if (given > INTERACTIONS_MAX)
        return rw_fail(context, RW_BAD_CALL, "%d %s of one path are not possible; use 0 to %d", given, what,
                       INTERACTIONS_MAX);
    *count = given < 0 ? *count : given;
    return RW_OK;
}

/* Constants that a text may name. An interaction's constant holds for the first and all further ones; with a number
 * behind it ("reflection2=8") for that one and those after it. */
static rw_status take_constant(rw_context *context, const char *name, double value, rw_beam_settings *settings)
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
static rw_status take_losses(rw_context *context, const char *text, rw_beam_settings *settings)
{
    if (!text || strcmp(text, "theory") == 0)
        return RW_OK;
    settings->theory = 0;
    while (*text) {
        char name[32];
        double value;
        size_t length = strcspn(text, "=,");
        size_t used = text[length] == '=' ? rw_parse_number(text + length + 1, &value) : 0;
        const char *after = text + length + 1 + used;
        if (length >= sizeof name || used == 0 || (*after && *after != ','))
            return rw_fail(context, RW_BAD_CALL,
                           "losses are 'theory' or constants in dB such as reflection=6,diffraction=25, not '%s'",
                           text);
        snprintf(name, sizeof name, "%.*s", (int)length, text);
        RW_TRY(take_constant(context, name, value, settings));
        text = after + (*after == ',');
    }
    return RW_OK;
}

static rw_status take_histogram(rw_context *context, const rw_predict_options *options, rw_beam_settings *settings)
{
    settings->bins = options->delay_bins;
    settings->bin_s = options->delay_bin_s;
    settings->delay_first_s = options->delay_first_s;
    if (settings->bins < 0 || settings->bins > 65536)
        return rw_fail(context, RW_BAD_CALL, "%d bins of delay are not possible; use 1 to 65536", settings->bins);
    if (!(settings->bin_s > 0) || !(settings->bin_s < 1) || !(fabs(settings->delay_first_s) < 1))
        return rw_fail(context, RW_BAD_CALL, "bins of %g s from %g s on are not possible; write for example 128,50ns",
                       settings->bin_s, settings->delay_first_s);
    return RW_OK;
}

/* Effects beside beams: "roofs", or "none". */
static rw_status take_effects(const rw_prediction *prediction, rw_beam_settings *settings)
{
    rw_context *context = prediction->scene->context;
    const char *effects = prediction->options->effects ? prediction->options->effects : "none";
    RW_TRY(rw_list_check(context, effects, "roofs,none", "effect of model beams"));
    settings->roofs = rw_list_contains(effects, "roofs");
    if (settings->roofs && prediction->scene->triangles.count)
        return rw_fail(context, RW_BAD_CALL,
                       "roofs know buildings and terrain, and this scene has meshes; leave --effects out");
    return RW_OK;
}

rw_status rw_beam_settings_take(const rw_prediction *prediction, rw_beam_settings *settings)
{
    rw_context *context = prediction->scene->context;
    const rw_predict_options *options = prediction->options;
    rw_beam_settings_init(settings);
    settings->verify = prediction->scene->terrain.values != NULL || prediction->scene->triangles.count > 0;
    RW_TRY(take_count(context, options->reflections, "reflections", &settings->reflections));
    RW_TRY(take_count(context, options->transmissions, "transmissions", &settings->transmissions));
    RW_TRY(take_count(context, options->diffractions, "diffractions", &settings->diffractions));
    if (options->loss_max_db != 0)
        settings->loss_max_db = options->loss_max_db;
    if (!(settings->loss_max_db >= 40 && settings->loss_max_db <= 250))
        return rw_fail(context, RW_BAD_CALL, "a highest loss of %g dB is not possible; use 40 to 250",
                       settings->loss_max_db);
    if (!(options->memory_bytes >= 0))
        return rw_fail(context, RW_BAD_CALL, "%g bytes of memory are not possible", options->memory_bytes);
    if (options->params && options->losses)
        return rw_fail(context, RW_BAD_CALL, "losses come from --params or from --losses, not from both");
    RW_TRY(take_effects(prediction, settings));
    RW_TRY(take_losses(context, options->losses, settings));
    return take_histogram(context, options, settings);
}
