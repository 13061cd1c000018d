/* Parameter files: JSON with the model, the frequency, each parameter with its unit, and how the values came about.
 *
 * A value is a number, or an object with "value" and, where given, "unit" and "standard_error". Parameters that a file
 * leaves out keep their uncalibrated value; names that the model does not know are refused. */
#include "base/file.h"
#include "base/text/json.h"
#include "base/text/json_write.h"
#include "models/engine/parameters.h"
#include "models/engine/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct params_reader {
    rw_context *context;
    const char *path;
    const rw_json *json;
    rw_params *params;
} params_reader;

static rw_status read_standard_error(const params_reader *reader, const rw_json_value *entry, size_t index)
{
    const rw_json_value *error = rw_json_member(reader->json, entry, "standard_error");
    double value = rw_json_number(error, NAN);
    if (error && error->kind != RW_JSON_NULL && !(isfinite(value) && value >= 0))
        return rw_fail(reader->context, RW_BAD_INPUT,
                       "%s, line %u: the standard error of %s is to be a number, not negative", reader->path,
                       error->line, entry->key);
    reader->params->standard_errors[index] = value;
    return RW_OK;
}

static rw_status read_parameter(const params_reader *reader, const rw_json_value *entry)
{
    rw_params *params = reader->params;
    const rw_model *model = params->model;
    size_t index = rw_params_find(params, entry->key);
    if (index == model->parameter_count)
        return rw_fail(reader->context, RW_BAD_INPUT, "%s, line %u: model %s has no parameter '%.60s'", reader->path,
                       entry->line, model->name, entry->key);
    const rw_json_value *value = entry->kind == RW_JSON_OBJECT ? rw_json_member(reader->json, entry, "value") : entry;
    if (!value || value->kind != RW_JSON_NUMBER)
        return rw_fail(reader->context, RW_BAD_INPUT, "%s, line %u: the value of %s is to be a number", reader->path,
                       entry->line, entry->key);
    const char *unit = rw_json_string(rw_json_member(reader->json, entry, "unit"), model->parameters[index].unit);
    if (strcmp(unit, model->parameters[index].unit) != 0)
        return rw_fail(reader->context, RW_BAD_INPUT, "%s, line %u: %s is in '%.20s', expected '%s'", reader->path,
                       entry->line, entry->key, unit, model->parameters[index].unit);
    params->values[index] = value->number;
    return read_standard_error(reader, entry, index);
}

static rw_status read_parameters(const params_reader *reader, const rw_json_value *list)
{
    if (!list || list->kind != RW_JSON_OBJECT)
        return rw_fail(reader->context, RW_BAD_INPUT, "%s: it has no object \"parameters\", so it is no parameter file",
                       reader->path);
    for (const rw_json_value *entry = rw_json_first(reader->json, list); entry;
         entry = rw_json_next(reader->json, entry)) {
        if (rw_json_member(reader->json, list, entry->key) != entry)
            return rw_fail(reader->context, RW_BAD_INPUT, "%s, line %u: %.60s is given twice", reader->path,
                           entry->line, entry->key);
        RW_TRY(read_parameter(reader, entry));
    }
    return RW_OK;
}

static size_t read_count(const rw_json_value *value)
{
    double count = rw_json_number(value, 0);
    return count >= 1 && count < 1e15 ? (size_t)count : 0;
}

/* What is told about the calibration is kept, and nothing hangs on it. */
static rw_status read_record(const params_reader *reader, const rw_json_value *list)
{
    const rw_json *json = reader->json;
    rw_params_record *record = &reader->params->record;
    record->points = read_count(rw_json_member(json, list, "points"));
    record->holdout_points = read_count(rw_json_member(json, list, "holdout_points"));
    record->rmse_before_db = rw_json_number(rw_json_member(json, list, "rmse_before_db"), NAN);
    record->rmse_after_db = rw_json_number(rw_json_member(json, list, "rmse_after_db"), NAN);
    record->holdout_rmse_before_db = rw_json_number(rw_json_member(json, list, "holdout_rmse_before_db"), NAN);
    record->holdout_rmse_after_db = rw_json_number(rw_json_member(json, list, "holdout_rmse_after_db"), NAN);
    return rw_params_set_record_strings(reader->params, rw_json_string(rw_json_member(json, list, "data"), ""),
                                        rw_json_string(rw_json_member(json, list, "effects"), ""),
                                        rw_json_string(rw_json_member(json, list, "date"), ""),
                                        rw_json_string(rw_json_member(json, list, "holdout"), ""));
}

static rw_status read_params_root(params_reader *reader)
{
    const rw_json_value *root = &reader->json->values[0];
    const char *model = rw_json_string(rw_json_member(reader->json, root, "model"), "");
    double freq_hz = rw_json_number(rw_json_member(reader->json, root, "freq_hz"), NAN);
    const rw_model *found;
    if (rw_model_find(reader->context, model, &found) != RW_OK)
        return rw_fail(reader->context, RW_BAD_INPUT, "%s: \"model\" is to name one of the models, such as \"%s\"",
                       reader->path, rw_model_name(0));
    if (!(freq_hz >= RW_FREQ_MIN_HZ && freq_hz <= RW_FREQ_MAX_HZ))
        return rw_fail(reader->context, RW_BAD_INPUT, "%s: \"freq_hz\" is to be a number from 1e6 to 1e12",
                       reader->path);
    RW_TRY(rw_params_create(reader->context, model, freq_hz, &reader->params));
    RW_TRY(read_parameters(reader, rw_json_member(reader->json, root, "parameters")));
    RW_TRY(read_record(reader, rw_json_member(reader->json, root, "calibration")));
    RW_TRY(rw_correction_read(reader->context, reader->path, reader->json,
                              rw_json_member(reader->json, root, "measured"), &reader->params->correction));
    return rw_params_check(reader->params, reader->path);
}

rw_status rw_params_load(rw_context *context, const char *path, rw_params **params)
{
    char *bytes;
    size_t size;
    rw_json json = {0};
    *params = NULL;
    unsigned char digest[RW_SHA256_BYTES];
    RW_TRY(rw_file_read(context, path, &bytes, &size));
    rw_sha256 hash;
    rw_sha256_init(&hash);
    rw_sha256_add(&hash, bytes, size);
    rw_sha256_end(&hash, digest);
    RW_TRY(rw_json_parse(context, path, bytes, size, &json));
    params_reader reader = {context, path, &json, NULL};
    rw_status status = read_params_root(&reader);
    rw_json_free(&json);
    if (status == RW_OK) {
        *params = reader.params;
        memcpy(reader.params->digest, digest, sizeof digest);
    } else {
        rw_params_destroy(reader.params);
    }
    return status;
}

static void write_string_field(FILE *stream, const char *key, const char *string)
{
    fprintf(stream, "    \"%s\": ", key);
    rw_json_write_string(stream, string);
    fputs(",\n", stream);
}

static void write_error_field(FILE *stream, const char *key, double value_db, const char *end)
{
    fprintf(stream, "    \"%s\": ", key);
    rw_json_write_number(stream, value_db);
    fputs(end, stream);
}

static void write_calibration_record(FILE *stream, const rw_params_record *record)
{
    fputs(",\n  \"calibration\": {\n", stream);
    write_string_field(stream, "data", record->data);
    write_string_field(stream, "effects", record->effects);
    write_string_field(stream, "date", record->date);
    write_string_field(stream, "holdout", record->holdout);
    fprintf(stream, "    \"points\": %zu,\n    \"holdout_points\": %zu,\n", record->points, record->holdout_points);
    write_error_field(stream, "rmse_before_db", record->rmse_before_db, ",\n");
    write_error_field(stream, "rmse_after_db", record->rmse_after_db, ",\n");
    write_error_field(stream, "holdout_rmse_before_db", record->holdout_rmse_before_db, ",\n");
    write_error_field(stream, "holdout_rmse_after_db", record->holdout_rmse_after_db, "\n  }");
}

rw_status rw_params_save(const rw_params *params, const char *path)
{
    const rw_model *model = params->model;
    rw_file_writer writer;
    RW_TRY(rw_params_check(params, "parameters"));
    RW_TRY(rw_file_begin(params->context, path, &writer));
    fprintf(writer.stream, "{\n  \"model\": \"%s\",\n  \"freq_hz\": %.17g,\n  \"parameters\": {", model->name,
            params->freq_hz);
    for (size_t i = 0; i < model->parameter_count; i++) {
        fprintf(writer.stream, "%s\n    \"%s\": {\"value\": ", i ? "," : "", model->parameters[i].name);
        rw_json_write_number(writer.stream, params->values[i]);
        fprintf(writer.stream, ", \"unit\": \"%s\", \"standard_error\": ", model->parameters[i].unit);
        rw_json_write_number(writer.stream, params->standard_errors[i]);
        fputc('}', writer.stream);
    }
    fputs("\n  }", writer.stream);
    if (params->record.points)
        write_calibration_record(writer.stream, &params->record);
    if (params->correction)
        rw_correction_write(writer.stream, params->correction);
    fputs("\n}\n", writer.stream);
    return rw_file_commit(params->context, &writer);
}
