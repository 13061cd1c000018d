/* The model's answers at measured places: the loss that its map would have there, and the terms of the strongest path
 * or of all of them. */
#include "calibrate/measurements/samples.h"

#include "base/memory.h"
#include "models/engine/calls/calls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK ((size_t)1 << 16)        /* places at once: their paths take some 30 MB */
#define CHUNK_OF_ALL ((size_t)1 << 11) /* of which all paths are wanted: some hundreds each */

/* A chunk of places of one transmitter. */
typedef struct point_chunk {
    rw_point *points;
    size_t *indices; /* the number of each */
    size_t count, capacity;
} point_chunk;

typedef struct point_answers {
    const rw_model *model;
    float *terms;
    rw_sample_point_terms *all; /* of all paths, in place of terms; NULL: not asked for */
    double *loss_db;
    uint8_t *reached;
    float *mechanisms; /* NULL: not requested */
    float *values;     /* of a chunk: path loss as a map has it and, where it has them, mechanisms; NULL: it is that
                          of the paths */
} point_answers;

/* Adds the terms of a path to those of its place, which are the last as long as its paths come. */
static rw_status add_terms(rw_context *context, const point_answers *answers, const rw_path *path, size_t point,
                           int first)
{
    rw_sample_point_terms *all = answers->all;
    size_t more = answers->model->path_term_count + (first ? answers->model->term_count : 0);
    if (all->count + more > all->capacity) {
        size_t wanted = 2 * (all->count + more) + 4096;
        RW_TRY(rw_memory_check(context, (double)wanted * sizeof *all->values, "terms of paths"));
        float *grown = realloc(all->values, wanted * sizeof *all->values);
        if (!grown)
            return rw_fail(context, RW_OUT_OF_MEMORY, "no memory for the terms of %zu paths", all->count);
        all->values = grown;
        all->capacity = wanted;
    }
    if (first)
        all->begins[point] = all->count;
    memset(all->values + all->count, 0, more * sizeof *all->values);
    all->count += more;
    answers->model->path_terms(path, all->values + all->begins[point]);
    return RW_OK;
}

static rw_status add_sample_paths(rw_context *context, const rw_paths *paths, const point_chunk *chunk,
                                  const point_answers *answers)
{
    for (size_t i = 0; i < rw_paths_count(paths); i++) {
        rw_path path = {.size = sizeof path};
        RW_TRY(rw_paths_get(paths, i, &path));
        size_t point = chunk->indices[path.point];
        int first = !answers->reached[point];
        if (!first && !answers->model->all_paths) /* paths of a point come from the strongest on */
            continue;
        answers->reached[point] = 1;
        if (answers->all)
            RW_TRY(add_terms(context, answers, &path, point, first));
        float *terms = answers->terms ? answers->terms + point * answers->model->term_count : NULL;
        if (terms && first)
            memset(terms, 0, answers->model->term_count * sizeof *terms);
        if (terms)
            answers->model->path_terms(&path, terms);
    }
    return RW_OK;
}

/* The losses of a map, which are of all ways together and need no paths. */
static rw_status solve_sample_chunk(const rw_sample_points *sample_points, const rw_predict_options *options,
                                    point_chunk *chunk, const point_answers *answers)
{
    rw_point_layer layers[] = {{"path_loss", answers->values}, {"mechanism", answers->values + chunk->count}};
    int has_mechanisms = rw_list_contains(answers->model->layers, "mechanism") &&
                         !(options->effects && strcmp(options->effects, "none") == 0);
    size_t layer_count = answers->mechanisms && has_mechanisms ? 2 : 1;
    RW_TRY(rw_solve_points(sample_points->scene, options, chunk->points, chunk->count, layers, layer_count));
    for (size_t i = 0; i < chunk->count && layer_count == 2; i++)
        answers->mechanisms[chunk->indices[i]] = layers[1].values[i];
    for (size_t i = 0; i < chunk->count; i++) {
        answers->reached[chunk->indices[i]] = isfinite(answers->values[i]) != 0;
        answers->loss_db[chunk->indices[i]] = (double)answers->values[i];
    }
    chunk->count = 0;
    return RW_OK;
}

/* Terms of all ways at each point, where the model has them. */
static rw_status find_point_terms(const rw_sample_points *sample_points, const rw_predict_options *options,
                                  point_chunk *chunk, const point_answers *answers, int *done)
{
    size_t terms = answers->model->term_count;
    float *found;
    double derivatives[RW_PARAMETERS_MAX];
    *done = 0;
    if (!answers->model->point_terms || !answers->terms || !options->params)
        return RW_OK;
    RW_TRY(
        rw_array_create(sample_points->scene->context, chunk->count * terms, sizeof *found, "terms of points", &found));
    for (size_t i = 0; i < chunk->count; i++)
        memcpy(found + i * terms, answers->terms + chunk->indices[i] * terms, terms * sizeof *found);
    rw_status status =
        answers->model->point_terms(sample_points->scene, options, chunk->points, chunk->count, found, done);
    for (size_t i = 0; i < chunk->count && status == RW_OK && *done; i++) {
        size_t point = chunk->indices[i];
        memcpy(answers->terms + point * terms, found + i * terms, terms * sizeof *found);
        double loss_db = answers->model->terms_loss_db(found + i * terms, options->params->values, derivatives);
        answers->reached[point] = loss_db < 1e3;
        if (answers->loss_db)
            answers->loss_db[point] = loss_db;
    }
    free(found);
    if (*done)
        chunk->count = 0;
    return status;
}

static rw_status trace_chunk(const rw_sample_points *sample_points, const rw_predict_options *options,
                             point_chunk *chunk, const point_answers *answers)
{
    rw_paths *paths;
    if (chunk->count == 0)
        return RW_OK;
    if (answers->values)
        return solve_sample_chunk(sample_points, options, chunk, answers);
    int done;
    RW_TRY(find_point_terms(sample_points, options, chunk, answers, &done));
    if (done)
        return RW_OK;
    RW_TRY(rw_trace(sample_points->scene, options, chunk->points, chunk->count, &paths));
    rw_status status = add_sample_paths(sample_points->scene->context, paths, chunk, answers);
    rw_paths_destroy(paths);
    chunk->count = 0;
    return status;
}

rw_point rw_sample_point_of(const rw_sample_points *sample_points, size_t point)
{
    size_t number = sample_points->items[point].sample;
    const rw_sample *sample = &sample_points->measurements->samples[number];
    return (rw_point){.size = sizeof(rw_point),
                      .x_m = sample->x_m,
                      .y_m = sample->y_m,
                      .height_m = rw_sample_height_m(sample_points, number)};
}

/* Places of one transmitter in their order: the first, and the next after each. */
typedef struct point_lists {
    size_t *first, *next;
} point_lists;

#define NO_POINT SIZE_MAX

static rw_status make_lists(const rw_sample_points *sample_points, point_lists *lists)
{
    rw_context *context = sample_points->scene->context;
    size_t count = sample_points->prediction->transmitter_count;
    RW_TRY(rw_array_create(context, count, sizeof *lists->first, "measured points", &lists->first));
    RW_TRY(rw_array_create(context, sample_points->count, sizeof *lists->next, "measured points", &lists->next));
    for (size_t i = 0; i < count; i++)
        lists->first[i] = NO_POINT;
    for (size_t i = sample_points->count; i-- > 0;) {
        size_t *first = &lists->first[sample_points->items[i].transmitter];
        lists->next[i] = *first;
        *first = i;
    }
    return RW_OK;
}

static rw_status trace_transmitter(const rw_sample_points *sample_points, const point_lists *lists, size_t transmitter,
                                   rw_predict_options *options, point_chunk *chunk, const point_answers *answers)
{
    size_t first = lists->first[transmitter], *next = lists->next;
    options->transmitters = &sample_points->prediction->transmitters[transmitter];
    options->transmitter_count = 1;
    for (size_t i = first; i != NO_POINT; i = next[i]) {
        chunk->points[chunk->count] = rw_sample_point_of(sample_points, i);
        chunk->indices[chunk->count++] = i;
        if (chunk->count == chunk->capacity)
            RW_TRY(trace_chunk(sample_points, options, chunk, answers));
    }
    return trace_chunk(sample_points, options, chunk, answers);
}

static rw_status trace_all_transmitters(const rw_sample_points *sample_points, rw_predict_options *options,
                                        size_t chunk_max, point_answers *answers)
{
    rw_context *context = sample_points->scene->context;
    point_chunk chunk = {.capacity = sample_points->count < chunk_max ? sample_points->count : chunk_max};
    point_lists lists = {0};
    for (size_t i = 0; i < sample_points->count; i++)
        answers->reached[i] = 0;
    rw_status status = rw_array_create(context, chunk.capacity, sizeof *chunk.points, "points", &chunk.points);
    if (status == RW_OK)
        status = rw_array_create(context, chunk.capacity, sizeof *chunk.indices, "points", &chunk.indices);
    if (status == RW_OK && !answers->terms && !answers->all)
        status = rw_array_create(context, 2 * chunk.capacity, sizeof *answers->values, "path loss", &answers->values);
    if (status == RW_OK)
        status = make_lists(sample_points, &lists);
    for (size_t i = 0; i < sample_points->prediction->transmitter_count && status == RW_OK; i++)
        status = trace_transmitter(sample_points, &lists, i, options, &chunk, answers);
    free(lists.first);
    free(lists.next);
    free(chunk.points);
    free(chunk.indices);
    free(answers->values);
    return status;
}

static rw_status trace_for(const rw_sample_points *sample_points, const rw_params *params, point_answers answers)
{
    rw_predict_options options = *sample_points->prediction;
    RW_TRY(rw_model_find(sample_points->scene->context, options.model, &answers.model));
    const rw_model_option *database = rw_model_option_find(answers.model, "database");
    if (!database || !(database->calls & RW_OPTION_OF_EVALUATE))
        options.database = NULL; /* which is of cells, not of places */
    if (params)
        options.params = params;
    return trace_all_transmitters(sample_points, &options, CHUNK, &answers);
}

rw_status rw_sample_points_trace(const rw_sample_points *sample_points, const rw_params *params, float *terms,
                                 double *loss_db, uint8_t *reached)
{
    return trace_for(sample_points, params, (point_answers){.terms = terms, .loss_db = loss_db, .reached = reached});
}

rw_status rw_sample_points_trace_map(const rw_sample_points *sample_points, double *loss_db, float *mechanisms,
                                     uint8_t *reached)
{
    return trace_for(sample_points, NULL,
                     (point_answers){.loss_db = loss_db, .mechanisms = mechanisms, .reached = reached});
}

/* By the losses without calibration, which no path of a city exceeds the limit with. */
rw_status rw_sample_points_trace_all(const rw_sample_points *sample_points, rw_sample_point_terms *terms,
                                     uint8_t *reached)
{
    rw_context *context = sample_points->scene->context;
    rw_predict_options options = *sample_points->prediction;
    point_answers answers = {.all = terms, .reached = reached};
    rw_params *params;
    RW_TRY(rw_model_find(context, options.model, &answers.model));
    const rw_model_option *limit = rw_model_option_find(answers.model, "loss-max");
    RW_TRY(rw_array_create(context, sample_points->count, sizeof *terms->begins, "terms of paths", &terms->begins));
    RW_TRY(rw_params_create(context, options.model, options.freq_hz, &params));
    options.database = NULL;
    options.params = params;
    if (limit)
        options.loss_max_db = limit->max;
    if (rw_model_option_find(answers.model, "roofs"))
        options.roofs = "none"; /* none of the parameters is in that path */
    rw_status status = trace_all_transmitters(sample_points, &options, CHUNK_OF_ALL, &answers);
    rw_params_destroy(params);
    return status;
}

void rw_sample_point_terms_destroy(rw_sample_point_terms *terms)
{
    free(terms->values);
    free(terms->begins);
    *terms = (rw_sample_point_terms){0};
}

/* Line of sight by the shadow model, which has it for points, without any effect. */
rw_status rw_sample_points_find_sight(const rw_sample_points *sample_points, uint8_t *in_sight)
{
    rw_context *context = sample_points->scene->context;
    rw_predict_options options;
    point_lists lists = {0};
    rw_point *points = NULL;
    float *values = NULL;
    rw_predict_options_init(&options);
    options.freq_hz = sample_points->prediction->freq_hz;
    options.rx_height_m = sample_points->prediction->rx_height_m;
    options.transmitter_count = 1;
    rw_status status = make_lists(sample_points, &lists);
    if (status == RW_OK)
        status = rw_array_create(context, sample_points->count, sizeof *points, "points", &points);
    if (status == RW_OK)
        status = rw_array_create(context, sample_points->count, sizeof *values, "line of sight", &values);
    for (size_t t = 0; t < sample_points->prediction->transmitter_count && status == RW_OK; t++) {
        size_t count = 0;
        rw_point_layer layer = {"los", values};
        options.transmitters = &sample_points->prediction->transmitters[t];
        for (size_t i = lists.first[t]; i != NO_POINT; i = lists.next[i]) {
            points[count++] = rw_sample_point_of(sample_points, i);
        }
        if (count)
            status = rw_solve_points(sample_points->scene, &options, points, count, &layer, 1);
        count = 0;
        for (size_t i = lists.first[t]; i != NO_POINT && status == RW_OK; i = lists.next[i])
            in_sight[i] = values[count++] > 0.5f;
    }
    free(lists.first);
    free(lists.next);
    free(points);
    free(values);
    return status;
}
