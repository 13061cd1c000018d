/* rw_write_diffraction_sources: the corners that send waves on, as GeoJSON. */
#include "models/engine/model.h"

#include "base/file.h"
#include "base/text/json_write.h"
#include "output/geojson.h"

#include <stdlib.h>

static void write_source_feature(FILE *stream, const rw_prediction *prediction, size_t transmitter,
                                 const rw_diffraction_source *source)
{
    rw_vec2 origin = prediction->scene->origin;
    fprintf(stream, "{\"type\": \"Feature\", \"properties\": {\"transmitter\": %zu, \"order\": %d", transmitter + 1,
            source->order);
    rw_json_write_number_member(stream, "loss_db", source->loss_db);
    rw_json_write_number_member(stream, "low_m", source->low_m);
    rw_json_write_number_member(stream, "top_m", source->top_m);
    fprintf(stream, ", \"%s\": %zu}, \"geometry\": {\"type\": \"Point\", \"coordinates\": [",
            prediction->model->diffraction_sources_lead, source->count);
    rw_json_write_number(stream, source->at.x + origin.x);
    fputs(", ", stream);
    rw_json_write_number(stream, source->at.y + origin.y);
    fputs("]}}", stream);
}

static rw_status write_all_sources(const rw_prediction *prediction, FILE *stream)
{
    int any = 0;
    rw_geojson_begin(stream, prediction->scene->crs, prediction->scene->context->provenance);
    for (size_t t = 0; t < prediction->options->transmitter_count; t++) {
        rw_diffraction_source *sources = NULL;
        size_t count = 0;
        RW_TRY(prediction->model->diffraction_sources(prediction, t, &sources, &count));
        for (size_t i = 0; i < count; i++, any = 1) {
            fputs(any ? ",\n" : "\n", stream);
            write_source_feature(stream, prediction, t, &sources[i]);
        }
        free(sources);
    }
    rw_geojson_end(stream);
    return RW_OK;
}

static rw_status write_sources_file(const rw_prediction *prediction, const char *path)
{
    rw_context *context = prediction->scene->context;
    rw_file_writer writer;
    if (!prediction->model->diffraction_sources)
        return rw_fail(context, RW_BAD_CALL, "model %s lists no diffraction sources; the models shadow and beams do",
                       prediction->model->name);
    RW_TRY(rw_file_begin(context, path, &writer));
    rw_status status = write_all_sources(prediction, writer.stream);
    if (status == RW_OK)
        return rw_file_commit(context, &writer);
    rw_file_abandon(&writer);
    return status;
}

rw_status rw_write_diffraction_sources(const rw_scene *scene, const rw_predict_options *options, const char *path)
{
    rw_prediction *prediction;
    RW_TRY(rw_prediction_open(scene, options, &prediction));
    rw_status status = write_sources_file(prediction, path);
    rw_prediction_destroy(prediction);
    return status;
}
