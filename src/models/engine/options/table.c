/* The options of all models, and what is done with the tables: find, check, fill, set, list. */
#include "base/options.h"
#include "models/engine/model.h"
#include "models/engine/options/options.h"

#include <stdio.h>
#include <string.h>

#define OF_ALL (RW_OPTION_OF_PATHS | RW_OPTION_OF_PREPROCESS)

static const rw_model_option common[] = {
    {.name = "layers",
     .type = RW_OPTION_LIST,
     .calls = RW_OPTION_OF_PREDICT,
     RW_OPTION_AT(layers),
     .help = "Layers of the map to compute."},
    {.name = "freq",
     .type = RW_OPTION_QUANTITY,
     .quantity = RW_QUANTITY_FREQUENCY_HZ,
     .calls = RW_OPTION_OF_PATHS,
     RW_OPTION_AT(freq_hz),
     .min = RW_FREQ_MIN_HZ,
     .max = RW_FREQ_MAX_HZ,
     .default_value = "947MHz",
     .unit = "Hz",
     .help = "Frequency of transmitters that name none."},
    {RW_OPTION_RES, .calls = RW_OPTION_OF_PREDICT | RW_OPTION_OF_EVALUATE, .default_value = "5m"},
    {RW_OPTION_RX_HEIGHT, .calls = RW_OPTION_OF_PATHS, .default_value = "1.5m"},
    {RW_OPTION_AREA_OF_MAP, .calls = RW_OPTION_OF_PREDICT},
    {.name = "memory",
     .type = RW_OPTION_QUANTITY,
     .quantity = RW_QUANTITY_BYTES,
     .calls = OF_ALL,
     RW_OPTION_AT(memory_bytes),
     RW_OPTION_PREPROCESS_AT(memory_bytes),
     .min = 1,
     .max = 1e15,
     .default_text = "chosen",
     .unit = "B",
     .help = "Budget of main memory."},
    {.name = "device-memory",
     .type = RW_OPTION_QUANTITY,
     .quantity = RW_QUANTITY_BYTES,
     .calls = OF_ALL,
     RW_OPTION_AT(device_memory_bytes),
     RW_OPTION_PREPROCESS_AT(device_memory_bytes),
     .min = 1,
     .max = 1e15,
     .default_text = "chosen",
     .unit = "B",
     .help = "Budget of the GPU's memory."},
    {.name = "zone",
     .type = RW_OPTION_FILE,
     .calls = RW_OPTION_OF_PREDICT,
     RW_OPTION_AT(zone),
     .default_text = "none",
     .help = "File of polygons that limits the map; area FILE is the same."},
    {.name = "radius",
     .type = RW_OPTION_QUANTITY,
     .quantity = RW_QUANTITY_LENGTH_M,
     .calls = RW_OPTION_OF_PREDICT,
     RW_OPTION_AT(radius_m),
     .min = 1e-3,
     .max = 1e7,
     .default_text = "the whole map",
     .unit = "m",
     .help = "How far from a transmitter its cells are computed; a sites table may say it for each."},
    {.name = "range-level",
     .type = RW_OPTION_QUANTITY,
     .quantity = RW_QUANTITY_POWER_DBM,
     .calls = RW_OPTION_OF_PREDICT,
     RW_OPTION_AT(range_level_dbm),
     .min = -500,
     .max = 500,
     .default_text = "none",
     .unit = "dBm",
     .help = "A transmitter is computed as far as this power could be received in free space."},
    {.name = "bandwidth",
     .type = RW_OPTION_QUANTITY,
     .quantity = RW_QUANTITY_FREQUENCY_HZ,
     .calls = RW_OPTION_OF_PREDICT,
     RW_OPTION_AT(bandwidth_hz),
     .min = 1e3,
     .max = 1e11,
     .default_value = "10MHz",
     .unit = "Hz",
     .help = "Of a channel, for the layers rsrp, noise, sinr and throughput."},
    {.name = "resource-blocks",
     .type = RW_OPTION_INTEGER,
     .calls = RW_OPTION_OF_PREDICT,
     RW_OPTION_AT(resource_blocks),
     .min = 1,
     .max = 100000,
     .default_text = "what fits into 90 % of the bandwidth",
     .help = "That the transmitted power is spread over, of 12 subcarriers each."},
    {.name = "subcarrier-spacing",
     .type = RW_OPTION_QUANTITY,
     .quantity = RW_QUANTITY_FREQUENCY_HZ,
     .calls = RW_OPTION_OF_PREDICT,
     RW_OPTION_AT(subcarrier_spacing_hz),
     .min = 1,
     .max = 1e9,
     .default_value = "15kHz",
     .unit = "Hz",
     .help = "Of resource elements: 15 kHz in LTE, 15 to 120 kHz in NR."},
    {.name = "noise-figure",
     .type = RW_OPTION_QUANTITY,
     .quantity = RW_QUANTITY_LEVEL_DB,
     .calls = RW_OPTION_OF_PREDICT,
     RW_OPTION_AT(noise_figure_db),
     .min = 0,
     .max = 100,
     .default_value = "9dB",
     .unit = "dB",
     .help = "Of the receivers."},
    {.name = "load",
     .type = RW_OPTION_QUANTITY,
     .quantity = RW_QUANTITY_NUMBER,
     .calls = RW_OPTION_OF_PREDICT,
     RW_OPTION_AT(load),
     .min = 0,
     .max = 1,
     .default_value = "1",
     .unit = "",
     .help = "Share of their resource elements that interferers use."},
    {.name = "throughput",
     .type = RW_OPTION_CHOICE,
     .calls = RW_OPTION_OF_PREDICT,
     RW_OPTION_AT(throughput),
     .choices = "3gpp,shannon,802.11n,802.11ac,802.11ax,lora",
     .default_value = "3gpp",
     .help = "From SINR to throughput: 3GPP TR 36.942 (0.6 of Shannon, -10 to 22 dB), Shannon's capacity, or a rate "
             "table."},
    {.name = "preset",
     .type = RW_OPTION_CHOICE,
     .calls = RW_OPTION_OF_PATHS,
     RW_OPTION_AT(preset),
     .choices = RW_PRESET_NAMES,
     .default_text = "none",
     .help = "Radio system by name: frequency, bandwidth, noise and rates of what is not given otherwise."},
    {0}};

static int same_name(const char *a, const char *b)
{
    for (; *a && (*a == *b || (*a == '-' && *b == '_')); a++)
        b++;
    return *a == *b;
}

static const rw_model_option *find_in(const rw_model_option *table, const char *name)
{
    for (; table->name; table++)
        if (same_name(table->name, name))
            return table;
    return NULL;
}

const rw_model_option *rw_model_option_find(const rw_model *model, const char *name)
{
    const rw_model_option *own = find_in(model->options, name);
    return own ? own : find_in(common, name);
}

/* What a model says of an option of all models stands in its place. */
const rw_model_option *rw_model_option_at(const rw_model *model, size_t index, int *of_all_models)
{
    for (const rw_model_option *option = common; option->name; option++)
        if (index-- == 0) {
            *of_all_models = 1;
            return rw_model_option_find(model, option->name);
        }
    *of_all_models = 0;
    for (const rw_model_option *option = model->options; option->name; option++)
        if (!find_in(common, option->name) && index-- == 0)
            return option;
    return NULL;
}

static const char *find_option_choices(const rw_model *model, const rw_model_option *option)
{
    return option->at == offsetof(rw_predict_options, layers) ? model->layers : option->choices;
}

/* Options of one struct: where a field is, and what the struct is for. */
typedef struct fields {
    char *first;
    size_t size;
    int of_preprocess;
} fields;

static void *field_of(const fields *of, const rw_model_option *option)
{
    size_t at = of->of_preprocess ? option->preprocess_at : option->at;
    return at && at + rw_option_size(option) <= of->size ? of->first + at : NULL;
}

/* "; plane is of images, sbr", or nothing where no model has it. */
static void list_others(const fields *of, const char *name, char *message, size_t size)
{
    const rw_model *model;
    message[0] = 0;
    for (size_t i = 0; (model = rw_model_at(i)) != NULL; i++) {
        const rw_model_option *option = rw_model_option_find(model, name);
        size_t length = strlen(message);
        if (option && field_of(of, option) && length)
            snprintf(message + length, size - length, ", %s", model->name);
        else if (option && field_of(of, option))
            snprintf(message, size, "; %s is of %s", option->name, model->name);
    }
}

static rw_status reject_unknown_option(rw_context *context, const rw_model *model, const fields *of, const char *name)
{
    char supported[1024] = "";
    int all;
    const rw_model_option *option;
    for (size_t i = 0; (option = rw_model_option_at(model, i, &all)) != NULL; i++) {
        size_t length = strlen(supported);
        if (field_of(of, option))
            snprintf(supported + length, sizeof supported - length, "%s%s", length ? ", " : "", option->name);
    }
    char others[128];
    list_others(of, name, others, sizeof others);
    return rw_fail(context, RW_BAD_CALL, "model %s has no option %s%s; it has %s%s", model->name, name,
                   of->of_preprocess ? " of preprocess" : "", supported, others);
}

/* Fields that are set and that only other models have. */
static rw_status check_foreign(rw_context *context, const rw_model *model, const fields *of)
{
    const rw_model *other;
    for (size_t i = 0; (other = rw_model_at(i)) != NULL; i++)
        for (const rw_model_option *option = other->options; option->name; option++) {
            const rw_model_option *own = rw_model_option_find(model, option->name);
            const void *field = field_of(of, option);
            if (field && (!own || !field_of(of, own)) && rw_option_is_set(option, field))
                return reject_unknown_option(context, model, of, option->name);
        }
    return RW_OK;
}

static rw_status resolve_option_fields(rw_context *context, const rw_model *model, const fields *of)
{
    int all;
    const rw_model_option *option;
    RW_TRY(check_foreign(context, model, of));
    for (size_t i = 0; (option = rw_model_option_at(model, i, &all)) != NULL; i++) {
        void *field = field_of(of, option);
        if (field && rw_option_is_set(option, field))
            RW_TRY(rw_option_check(context, option, find_option_choices(model, option), field));
        if (field)
            RW_TRY(rw_option_set_default(context, option, field));
    }
    return RW_OK;
}

rw_status rw_predict_options_apply_defaults(rw_context *context, rw_predict_options *options)
{
    const rw_model *model;
    RW_TRY(rw_model_find(context, options->model, &model));
    if (options->preset)
        rw_preset_apply(options);
    return resolve_option_fields(context, model, &(fields){(char *)options, sizeof *options, 0});
}

rw_status rw_preprocess_options_resolve(rw_context *context, const rw_preprocess_options *user_options,
                                        rw_preprocess_options *options)
{
    const rw_model *model;
    rw_preprocess_options_init(options);
    if (user_options)
        RW_TRY(RW_RESOLVE(context, user_options, options));
    RW_TRY(rw_model_find(context, options->model, &model));
    if (!model->database)
        return rw_fail(context, RW_BAD_CALL, "model '%s' has no database; shadow and tiles have one", model->name);
    return resolve_option_fields(context, model, &(fields){(char *)options, sizeof *options, 1});
}

static void unset_all(const fields *of)
{
    const rw_model *model;
    for (const rw_model_option *option = common; option->name; option++)
        if (field_of(of, option))
            rw_option_unset(option, field_of(of, option));
    for (size_t i = 0; (model = rw_model_at(i)) != NULL; i++)
        for (const rw_model_option *option = model->options; option->name; option++)
            if (field_of(of, option))
                rw_option_unset(option, field_of(of, option));
}

void rw_predict_options_init_for_sized(rw_predict_options *options, const char *model, size_t size)
{
    rw_predict_options own;
    memset(&own, 0, sizeof own); /* padding too: options are compared byte by byte */
    own.model = model;
    unset_all(&(fields){(char *)&own, sizeof own, 0});
    rw_defaults_copy(&own, sizeof own, options, size);
}

void rw_predict_options_init_sized(rw_predict_options *options, size_t size)
{
    rw_predict_options_init_for_sized(options, "shadow", size);
}

void rw_preprocess_options_init_sized(rw_preprocess_options *options, size_t size)
{
    rw_preprocess_options own = {.model = "shadow"};
    unset_all(&(fields){(char *)&own, sizeof own, 1});
    rw_defaults_copy(&own, sizeof own, options, size);
}

static rw_status set_option_field(rw_context *context, const char **model_name, const fields *of, const char *name,
                                  const char *string)
{
    const rw_model *model;
    if (of->size < 2 * sizeof(size_t))
        return rw_fail(context, RW_BAD_CALL, "the options have no size: fill them with their init call first");
    if (strcmp(name, "model") == 0) {
        RW_TRY(rw_model_find(context, string, &model));
        *model_name = model->name;
        return RW_OK;
    }
    RW_TRY(rw_model_find(context, *model_name, &model));
    const rw_model_option *option = rw_model_option_find(model, name);
    void *field = option ? field_of(of, option) : NULL;
    if (!field)
        return reject_unknown_option(context, model, of, name);
    union { /* what is refused leaves the options as they were */
        double numbers[9];
        const char *string;
    } parsed;
    RW_TRY(rw_option_parse(context, option, string, &parsed));
    RW_TRY(rw_option_check(context, option, find_option_choices(model, option), &parsed));
    memcpy(field, &parsed, rw_option_size(option));
    return RW_OK;
}

rw_status rw_predict_options_set(rw_context *context, rw_predict_options *options, const char *name, const char *string)
{
    return set_option_field(context, &options->model, &(fields){(char *)options, options->size, 0}, name, string);
}

rw_status rw_preprocess_options_set(rw_context *context, rw_preprocess_options *options, const char *name,
                                    const char *string)
{
    return set_option_field(context, &options->model, &(fields){(char *)options, options->size, 1}, name, string);
}

rw_status rw_predict_options_complete(rw_context *context, rw_predict_options *options)
{
    rw_predict_options resolved;
    rw_predict_options_init(&resolved);
    RW_TRY(RW_RESOLVE(context, options, &resolved));
    RW_TRY(rw_predict_options_apply_defaults(context, &resolved));
    return RW_ASSIGN(context, &resolved, options);
}

size_t rw_model_option_count(const char *model)
{
    const rw_model *registered = rw_model_lookup(model ? model : "");
    size_t count = 0;
    int all;
    while (registered && rw_model_option_at(registered, count, &all))
        count++;
    return count;
}

rw_status rw_model_option_get(const char *model, size_t index, rw_model_option_info *info)
{
    const rw_model *registered = rw_model_lookup(model ? model : "");
    int all = 0;
    const rw_model_option *option = registered ? rw_model_option_at(registered, index, &all) : NULL;
    if (!option)
        return RW_NOT_FOUND;
    int is_layers = option->at == offsetof(rw_predict_options, layers);
    const char *default_text = option->default_text ? option->default_text : option->default_value;
    rw_model_option_info found = {.name = option->name,
                                  .type = option->type,
                                  .quantity = option->quantity,
                                  .calls = option->calls,
                                  .of_all_models = all,
                                  .min = option->min,
                                  .max = option->max,
                                  .unit = option->unit ? option->unit : "",
                                  .default_text = is_layers ? registered->default_layers : default_text,
                                  .choices = find_option_choices(registered, option),
                                  .help = option->help};
    if (info->size < sizeof info->size) /* there is no context that could keep a sentence */
        return RW_BAD_CALL;
    rw_defaults_copy(&found, sizeof found, info, info->size);
    return RW_OK;
}
