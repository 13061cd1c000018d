/* Many maps in one call of rw_predict_many, into memory of the backend: what a caller gets a second, beside the kernels
 * of los.c. Checked: every value of some of the maps against rw_predict. */
#include "bench/bench.h"

#include "base/memory.h"
#include "discretise/prepared.h"

#include <rasterwave/device_maps.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char group[] = "many maps";

#define REPEATS 7
#define CHECKED 4

typedef struct many_case {
    const char *name, *layer;
    rw_element_type type;
    size_t on_cpu, on_gpu; /* maps in a call */
    double target;         /* maps a second on a GPU */
} many_case;

static const many_case cases[] = {{"line of sight as bytes", "los", RW_ELEMENT_UINT8, 64, 4096, 1e5},
                                  {"shadow, path loss", "path_loss", RW_ELEMENT_FLOAT32, 2, 64, NAN}};

typedef struct many_bench {
    const many_case *line;
    rw_scene *scene;
    rw_context *context;
    rw_predict_options options;
    rw_map_array array;
    rw_buffer *buffer;
    size_t cells;
} many_bench;

static int is_different(rw_element_type type, const void *values, size_t at, float expected)
{
    if (type == RW_ELEMENT_UINT8)
        return (float)((const uint8_t *)values)[at] != (isnan(expected) ? 255.0f : expected);
    float got = ((const float *)values)[at];
    return !(got == expected || (isnan(got) && isnan(expected)));
}

/* Values of the first maps that are not those of rw_predict. */
static rw_status count_many_differences(many_bench *many, size_t *different)
{
    rw_predict_options options = many->options;
    rw_map *map;
    void *values;
    size_t count = options.transmitter_count < CHECKED ? options.transmitter_count : CHECKED, bytes = many->array.bytes;
    size_t first_bytes = bytes / options.transmitter_count * count;
    options.transmitter_count = count;
    *different = 0;
    RW_TRY(rw_array_create(many->context, first_bytes, 1, "maps", &values));
    rw_status status = rw_buffer_read(many->context, many->buffer, 0, values, first_bytes);
    rw_map_layer layer = {.size = sizeof layer};
    if (status == RW_OK)
        status = rw_predict(many->scene, &options, &map);
    if (status == RW_OK) {
        status = rw_map_get_layer(map, 0, &layer);
        for (size_t i = 0; status == RW_OK && i < count * many->cells; i++)
            *different += is_different(many->array.type, values, i, layer.values[i]);
        rw_map_destroy(map);
    }
    free(values);
    return status;
}

static int compare_many_seconds(const void *a, const void *b)
{
    double first = *(const double *)a, second = *(const double *)b;
    return first < second ? -1 : first > second;
}

static rw_status time_many_calls(const many_bench *many, double *seconds)
{
    double times[REPEATS];
    RW_TRY(rw_predict_many(many->scene, &many->options, &many->array)); /* opens the model */
    for (int i = 0; i < REPEATS; i++) {
        double start_s = rw_seconds();
        RW_TRY(rw_predict_many(many->scene, &many->options, &many->array));
        times[i] = rw_seconds() - start_s;
    }
    qsort(times, REPEATS, sizeof *times, compare_many_seconds);
    *seconds = times[REPEATS / 2];
    return RW_OK;
}

static rw_status make_transmitters(const many_bench *many, const char *city_name, size_t count,
                                   rw_transmitter **transmitter)
{
    rw_vec3 *positions;
    RW_TRY(rw_array_create(many->context, count, sizeof **transmitter, "transmitters", transmitter));
    RW_TRY(rw_array_create(many->context, count, sizeof *positions, "transmitters", &positions));
    rw_bench_locate_sources(many->scene, city_name, positions, count);
    for (size_t i = 0; i < count; i++) {
        rw_transmitter_init(&(*transmitter)[i]);
        (*transmitter)[i].x_m = positions[i].x + many->scene->origin.x;
        (*transmitter)[i].y_m = positions[i].y + many->scene->origin.y;
        (*transmitter)[i].height_m = positions[i].z;
    }
    free(positions);
    return RW_OK;
}

/* The array on the backend, its values, and what they took. */
static rw_status run_case(many_bench *many, size_t *different, double *seconds)
{
    rw_map_info grid = {.size = sizeof grid};
    RW_TRY(rw_predict_many_grid(many->scene, &many->options, &grid));
    many->cells = grid.columns * grid.rows;
    rw_map_array_init(&many->array);
    many->array.type = many->line->type;
    many->array.memory = RW_MEMORY_BACKEND;
    many->array.bytes = many->options.transmitter_count * many->cells * (many->line->type == RW_ELEMENT_UINT8 ? 1 : 4);
    RW_TRY(rw_buffer_create(many->context, many->array.bytes, &many->buffer));
    many->array.values = rw_buffer_data(many->buffer);
    rw_status status = time_many_calls(many, seconds);
    if (status == RW_OK)
        status = count_many_differences(many, different);
    rw_buffer_destroy(many->buffer);
    return status;
}

static rw_status bench_many_case(const rw_bench *bench, rw_context *context, rw_scene *scene, const char *city_name,
                                 const many_case *line)
{
    int gpu = context->backend == RW_BACKEND_CUDA;
    size_t count = gpu ? line->on_gpu : line->on_cpu, different = 0;
    many_bench many = {.line = line, .scene = scene, .context = context};
    rw_transmitter *transmitters = NULL;
    double seconds = NAN;
    rw_predict_options_init_for(&many.options, "shadow");
    many.options.layers = line->layer;
    rw_status status = make_transmitters(&many, city_name, count, &transmitters);
    many.options.transmitters = transmitters;
    many.options.transmitter_count = count;
    if (status == RW_OK)
        status = run_case(&many, &different, &seconds);
    free(transmitters);
    RW_TRY(status);
    char name[64], note[160];
    snprintf(name, sizeof name, "%s, caller, %s", line->name, rw_context_backend(context));
    snprintf(note, sizeof note, "%s at 5 m, %zu maps in a call, into memory of the backend", city_name, count);
    const rw_bench checked = rw_bench_checked(bench, (rw_bench_check){"rw_predict", (double)different, 0, "cells"});
    rw_bench_add_result(&checked, group, name, (double)count / seconds, "maps/s", NAN, gpu ? line->target : NAN, note);
    return RW_OK;
}

static rw_status bench_many_maps_on_backend(const rw_bench *bench, rw_context *context)
{
    rw_scene *scene;
    const char *city_name;
    rw_status status = RW_OK;
    RW_TRY(rw_bench_city(bench, context, &scene, &city_name));
    for (size_t i = 0; i < sizeof cases / sizeof *cases && status == RW_OK; i++)
        if (rw_bench_wants(bench, group, cases[i].name))
            status = bench_many_case(bench, context, scene, city_name, &cases[i]);
    rw_scene_destroy(scene);
    return status;
}

rw_status rw_bench_many_maps(const rw_bench *bench)
{
    return rw_bench_wants(bench, group, group) ? rw_bench_each_backend(bench, bench_many_maps_on_backend) : RW_OK;
}
