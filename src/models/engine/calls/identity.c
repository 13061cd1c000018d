#include "models/engine/calls/calls.h"

#include "device/device.h"
#include "base/memory.h"
#include "discretise/identity.h"
#include "mechanisms/measured/correction.h"
#include "models/engine/options/options.h"
#include "models/engine/parameters.h"
#include "models/engine/prediction/prediction.h"
#include "scene/antennas/antenna.h"

#include <stdlib.h>
#include <string.h>

/* Antennas that were hashed. */
typedef struct antenna_names {
    const char **items;
    size_t count, capacity;
} antenna_names;

/* Budgets change nothing of the values; layers are chosen anew by each caller. */
static int decides_values(const rw_model_option *option)
{
    static const char *const names[] = {"memory", "device-memory", "layers"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(option->name, names[i]) == 0)
            return 0;
    return option->at && option->type != RW_OPTION_PARAMS && option->type != RW_OPTION_DATABASE;
}

static void add_options(const rw_model *model, const rw_predict_options *options, rw_sha256 *hash)
{
    const rw_model_option *option;
    int of_all;
    for (size_t i = 0; (option = rw_model_option_at(model, i, &of_all)) != NULL; i++) {
        const char *field = (const char *)options + option->at;
        if (!decides_values(option))
            continue;
        rw_sha256_add_string(hash, option->name);
        if (rw_option_is_string(option)) {
            rw_sha256_add_string(hash, *(const char *const *)(const void *)field);
        } else if (option->type == RW_OPTION_BINS) { /* one by one: the bytes between them are not defined */
            const double bins[] = {options->delay_bins, options->delay_bin_s, options->delay_first_s};
            rw_sha256_add(hash, bins, sizeof bins);
        } else {
            rw_sha256_add(hash, field, rw_option_size(option));
        }
    }
    if (options->params)
        rw_sha256_add(hash, options->params->values, model->parameter_count * sizeof *options->params->values);
    if (options->params)
        rw_sha256_add(hash, options->params->digest, sizeof options->params->digest);
    if (options->params && options->params->correction)
        rw_correction_add(options->params->correction, hash);
}

static void add_transmitters(const rw_predict_options *options, rw_sha256 *hash)
{
    for (size_t i = 0; i < options->transmitter_count; i++) {
        const rw_transmitter *site = &options->transmitters[i];
        const double numbers[] = {site->x_m,          site->y_m,       site->height_m,       site->azimuth_deg,
                                  site->roll_deg,     site->power_dbm, site->freq_hz,        site->downtilt_deg,
                                  site->slant_deg,    site->radius_m,  site->dual_polarised, site->load,
                                  site->bandwidth_hz, site->streams};
        rw_sha256_add(hash, numbers, sizeof numbers);
        rw_sha256_add_string(hash, site->name);
        rw_sha256_add_string(hash, site->antenna);
        rw_sha256_add_string(hash, site->channel);
    }
}

/* Reads an antenna only for its files to be recorded. */
static rw_status read_antenna_files(rw_context *context, const char *name)
{
    rw_antenna *antenna = NULL;
    RW_TRY(rw_antenna_create(context, name, &antenna));
    rw_antenna_destroy(antenna);
    return RW_OK;
}

/* What one name reads, one name after the other: two files that exchange their contents are another run. */
static rw_status add_files_of(rw_context *context, const char *name,
                              rw_status (*read)(rw_context *context, const char *name), rw_sha256 *hash)
{
    rw_inputs inputs = {0};
    rw_inputs_open(&inputs);
    rw_status status = read(context, name);
    rw_inputs_close(&inputs);
    if (status == RW_OK)
        status = rw_inputs_hash(context, &inputs, hash);
    rw_inputs_free(&inputs);
    return status;
}

/* An option that names a file, as a zone, decides by its content. */
static rw_status add_option_files(rw_context *context, const rw_model *model, const rw_predict_options *options,
                                  rw_sha256 *hash)
{
    const rw_model_option *option;
    int of_all;
    for (size_t i = 0; (option = rw_model_option_at(model, i, &of_all)) != NULL; i++) {
        const char *field = (const char *)options + option->at;
        const char *string =
            decides_values(option) && rw_option_is_string(option) ? *(const char *const *)(const void *)field : NULL;
        if (string && *string)
            RW_TRY(add_files_of(context, string, rw_input_record, hash));
    }
    return RW_OK;
}

static rw_status add_antennas(rw_context *context, const rw_predict_options *options, rw_sha256 *hash)
{
    antenna_names names = {0};
    rw_status status = RW_OK;
    for (size_t i = 0; i < options->transmitter_count && status == RW_OK; i++) {
        const char *name = options->transmitters[i].antenna;
        size_t earlier = 0;
        while (earlier < names.count && strcmp(names.items[earlier], name) != 0)
            earlier++;
        if (earlier < names.count)
            continue;
        status = rw_array_reserve(context, &names.items, &names.capacity, names.count + 1, sizeof *names.items,
                                  "the list of antennas");
        if (status == RW_OK) {
            names.items[names.count++] = name;
            status = add_files_of(context, name, read_antenna_files, hash);
        }
    }
    free(names.items);
    RW_TRY(status);
    return options->rx_antenna ? add_files_of(context, options->rx_antenna, read_antenna_files, hash) : RW_OK;
}

static rw_status add_files(rw_context *context, const rw_model *model, const rw_predict_options *options,
                           rw_sha256 *hash)
{
    RW_TRY(add_antennas(context, options, hash));
    return add_option_files(context, model, options, hash);
}

rw_status rw_run_identity_add(rw_context *context, const rw_scene *scene, const rw_model *model,
                              const rw_predict_options *options, rw_sha256 *hash)
{
    rw_sha256_add_string(hash, rw_version());
    rw_sha256_add_string(hash, rw_context_backend(context));
    rw_sha256_add_string(hash, rw_cpu_isa());
    if (scene)
        RW_TRY(rw_inputs_hash(context, &scene->inputs, hash));
    if (scene && scene->committed)
        rw_scene_content_add(scene, hash);
    rw_sha256_add_string(hash, model->name);
    add_options(model, options, hash);
    add_transmitters(options, hash);
    return add_files(context, model, options, hash);
}

rw_status rw_prediction_identity(const rw_scene *scene, const rw_predict_options *options, char sha256[RW_SHA256_TEXT])
{
    rw_context *context = scene->context;
    rw_predict_options resolved;
    rw_transmitter *transmitters;
    const rw_model *model;
    unsigned char digest[RW_SHA256_BYTES];
    rw_sha256 hash;
    RW_TRY(rw_predict_options_resolve(context, options, &resolved, &transmitters));
    rw_sha256_init(&hash);
    rw_status status = rw_predict_options_resolve_cells(scene, options, &resolved);
    if (status == RW_OK)
        status = rw_inputs_join(context, &scene->inputs);
    if (status == RW_OK)
        status = rw_model_find(context, resolved.model, &model);
    if (status == RW_OK)
        status = rw_run_identity_add(context, scene, model, &resolved, &hash);
    free(transmitters);
    RW_TRY(status);
    rw_sha256_end(&hash, digest);
    rw_sha256_print(digest, sha256);
    return RW_OK;
}
