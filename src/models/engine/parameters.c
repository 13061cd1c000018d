/* Values of a model's parameters: made from its list, read, set and checked. */
#include "models/engine/parameters.h"

#include "base/memory.h"
#include "base/options.h"
#include "field/edges/deflection.h"
#include "mechanisms/measured/correction.h"
#include "models/engine/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

rw_status rw_params_create(rw_context *context, const char *model, double freq_hz, rw_params **params)
{
    const rw_model *found;
    rw_params *new_params;
    *params = NULL;
    RW_TRY(rw_model_find(context, model, &found));
    if (!(freq_hz >= RW_FREQ_MIN_HZ && freq_hz <= RW_FREQ_MAX_HZ))
        return rw_fail(context, RW_BAD_CALL, "a frequency of %g Hz is not between 1 MHz and 1 THz", freq_hz);
    if (!found->parameter_count)
        return rw_fail(context, RW_UNSUPPORTED,
                       "model %s has no parameters to fit; calibrate shadow, beams, cubes or images", found->name);
    RW_TRY(rw_array_create(context, 1, sizeof *new_params, "parameters", &new_params));
    new_params->context = context;
    new_params->model = found;
    new_params->freq_hz = freq_hz;
    rw_status status =
        found->parameter_defaults ? found->parameter_defaults(context, freq_hz, new_params->values) : RW_OK;
    if (status != RW_OK) {
        free(new_params);
        return status;
    }
    for (size_t i = 0; i < found->parameter_count; i++) {
        new_params->uncalibrated[i] = new_params->values[i];
        new_params->standard_errors[i] = NAN;
    }
    new_params->record =
        (rw_params_record){.size = sizeof new_params->record, .data = "", .effects = "", .date = "", .holdout = ""};
    new_params->record.rmse_before_db = new_params->record.rmse_after_db = NAN;
    new_params->record.holdout_rmse_before_db = new_params->record.holdout_rmse_after_db = NAN;
    *params = new_params;
    return RW_OK;
}

rw_status rw_params_set_record_strings(rw_params *params, const char *data, const char *effects, const char *date,
                                       const char *holdout)
{
    const char *const strings[4] = {data, effects, date, holdout};
    const char **const targets[4] = {&params->record.data, &params->record.effects, &params->record.date,
                                     &params->record.holdout};
    size_t bytes = 0;
    char *buffer;
    for (int i = 0; i < 4; i++)
        bytes += strlen(strings[i]) + 1;
    RW_TRY(rw_array_create(params->context, bytes, 1, "the record of a calibration", &buffer));
    char *at = buffer;
    for (int i = 0; i < 4; i++) {
        *targets[i] = strcpy(at, strings[i]);
        at += strlen(strings[i]) + 1;
    }
    free(params->record_strings);
    params->record_strings = buffer;
    return RW_OK;
}

rw_status rw_params_copy(const rw_params *params, rw_params **copy)
{
    const rw_params_record *record = &params->record;
    RW_TRY(rw_array_create(params->context, 1, sizeof **copy, "parameters", copy));
    **copy = *params;
    (*copy)->record_strings = NULL;
    (*copy)->correction = NULL;
    rw_status status =
        rw_params_set_record_strings(*copy, record->data, record->effects, record->date, record->holdout);
    if (status == RW_OK)
        status = rw_correction_copy(params->context, params->correction, &(*copy)->correction);
    if (status != RW_OK) {
        rw_params_destroy(*copy);
        *copy = NULL;
    }
    return status;
}

void rw_params_destroy(rw_params *params)
{
    if (params) {
        free(params->record_strings);
        rw_correction_destroy(params->correction);
    }
    free(params);
}

const char *rw_params_model(const rw_params *params)
{
    return params->model->name;
}

double rw_params_freq_hz(const rw_params *params)
{
    return params->freq_hz;
}

size_t rw_params_count(const rw_params *params)
{
    return params->model->parameter_count;
}

rw_status rw_params_get(const rw_params *params, size_t index, rw_parameter *parameter)
{
    if (index >= params->model->parameter_count)
        return rw_fail(params->context, RW_BAD_CALL, "model %s has %zu parameters, there is no number %zu",
                       params->model->name, params->model->parameter_count, index);
    const rw_parameter_kind *kind = &params->model->parameters[index];
    const rw_parameter new_parameter = {.name = kind->name,
                                        .unit = kind->unit,
                                        .about = kind->about,
                                        .group = kind->group,
                                        .value = params->values[index],
                                        .uncalibrated = params->uncalibrated[index],
                                        .low = kind->low,
                                        .high = kind->high,
                                        .standard_error = params->standard_errors[index]};
    return RW_ASSIGN(params->context, &new_parameter, parameter);
}

rw_status rw_params_get_record(const rw_params *params, rw_params_record *record)
{
    return RW_ASSIGN(params->context, &params->record, record);
}

size_t rw_params_find(const rw_params *params, const char *name)
{
    size_t index = 0;
    while (index < params->model->parameter_count && strcmp(params->model->parameters[index].name, name) != 0)
        index++;
    return index;
}

static rw_status check_bounds(const rw_params *params, size_t index, double value, const char *source)
{
    const rw_parameter_kind *kind = &params->model->parameters[index];
    if (value >= kind->low && value <= kind->high)
        return RW_OK;
    return rw_fail(params->context, RW_BAD_INPUT, "%s: %s is %g%s%s, which is not between %g and %g", source,
                   kind->name, value, *kind->unit ? " " : "", kind->unit, kind->low, kind->high);
}

rw_status rw_params_set(rw_params *params, const char *name, double value)
{
    size_t index = rw_params_find(params, name);
    if (index == params->model->parameter_count)
        return rw_fail(params->context, RW_BAD_CALL, "model %s has no parameter '%.60s'", params->model->name, name);
    RW_TRY(check_bounds(params, index, value, "parameters"));
    params->values[index] = value;
    params->standard_errors[index] = NAN;
    return RW_OK;
}

rw_status rw_params_check(const rw_params *params, const char *source)
{
    const rw_model *model = params->model;
    for (size_t i = 0; i < model->parameter_count; i++)
        RW_TRY(check_bounds(params, i, params->values[i], source));
    for (size_t i = 0; i < model->parameter_count; i++) {
        const double *a = &params->values[i];
        if (model->parameters[i].power == 0 && !rw_deflection_is_physical((rw_deflection){a[0], a[1], a[2], a[3]}))
            return rw_fail(params->context, RW_BAD_INPUT,
                           "%s: the loss that %s to %s describe falls somewhere between 0 and pi; it must not", source,
                           model->parameters[i].name, model->parameters[i + 3].name);
    }
    return RW_OK;
}
