/* The model's answers at measured places, as loss and as terms: of the strongest path to each, or of all of them. */
#include "calibrate/measurements/places.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK ((size_t)1 << 16) /* places at once: their paths take some 30 MB */

/* A chunk of places of one transmitter. */
typedef struct place_chunk {
    rw_point *points;
    size_t *places; /* the number of each */
    size_t count;
} place_chunk;

typedef struct place_answers {
    const rw_model *model;
    float *terms;
    double *loss_db;
    uint8_t *reached;
} place_answers;

static rw_status take_paths(const rw_paths *paths, const place_chunk *chunk, const place_answers *answers)
{
    for (size_t i = 0; i < rw_paths_count(paths); i++) {
        rw_path path = {.size = sizeof path};
        RW_TRY(rw_paths_get(paths, i, &path));
        size_t place = chunk->places[path.point];
        int first = !answers->reached[place];
        if (!first && !answers->model->all_paths) /* paths of a point come from the strongest on */
            continue;
        answers->reached[place] = 1;
        float *terms = answers->terms ? answers->terms + place * answers->model->term_count : NULL;
        if (terms && first)
            memset(terms, 0, answers->model->term_count * sizeof *terms);
        if (terms)
            answers->model->path_terms(&path, terms);
        if (answers->loss_db)
            answers->loss_db[place] =
                first ? path.loss_db
                      : -10 * log10(pow(10, -0.1 * answers->loss_db[place]) + pow(10, -0.1 * path.loss_db));
    }
    return RW_OK;
}

static rw_status trace_chunk(const rw_places *places, const rw_predict_options *options, place_chunk *chunk,
                             const place_answers *answers)
{
    rw_paths *paths;
    if (chunk->count == 0)
        return RW_OK;
    RW_TRY(rw_trace(places->scene, options, chunk->points, chunk->count, &paths));
    rw_status status = take_paths(paths, chunk, answers);
    rw_paths_destroy(paths);
    chunk->count = 0;
    return status;
}

static rw_status trace_transmitter(const rw_places *places, size_t transmitter, rw_predict_options *options,
                                   place_chunk *chunk, const place_answers *answers)
{
    options->transmitters = &places->prediction->transmitters[transmitter];
    options->transmitter_count = 1;
    for (size_t i = 0; i < places->count; i++) {
        const rw_sample *sample = &places->measurements->samples[places->items[i].sample];
        if (places->items[i].transmitter != transmitter)
            continue;
        chunk->points[chunk->count] = (rw_point){sizeof(rw_point), sample->x_m, sample->y_m, NAN};
        chunk->places[chunk->count++] = i;
        if (chunk->count == CHUNK)
            RW_TRY(trace_chunk(places, options, chunk, answers));
    }
    return trace_chunk(places, options, chunk, answers);
}

rw_status rw_places_trace(const rw_places *places, const rw_params *params, float *terms, double *loss_db,
                          uint8_t *reached)
{
    rw_context *context = places->scene->context;
    rw_predict_options options = *places->prediction;
    place_chunk chunk = {0};
    place_answers answers = {.terms = terms, .loss_db = loss_db, .reached = reached};
    RW_TRY(rw_model_find(context, options.model, &answers.model));
    options.database = NULL; /* which is of cells, not of places */
    if (params)
        options.params = params;
    for (size_t i = 0; i < places->count; i++)
        reached[i] = 0;
    size_t room = places->count < CHUNK ? places->count : CHUNK;
    rw_status status = rw_array_create(context, room, sizeof *chunk.points, "points", &chunk.points);
    if (status == RW_OK)
        status = rw_array_create(context, room, sizeof *chunk.places, "points", &chunk.places);
    for (size_t i = 0; i < places->prediction->transmitter_count && status == RW_OK; i++)
        status = trace_transmitter(places, i, &options, &chunk, &answers);
    free(chunk.points);
    free(chunk.places);
    return status;
}
