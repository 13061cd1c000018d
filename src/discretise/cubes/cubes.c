#include "discretise/cubes/cubes.h"

#include "base/memory.h"
#include "discretise/cubes/cube_walk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double rw_cubes_bytes(const rw_cube_frame *frame)
{
    double words = ceil((double)frame->columns / 32) * (double)frame->rows * (double)frame->layers;
    return words * (3 + RW_CUBE_KINDS) * sizeof(uint32_t);
}

static rw_status check_frame(rw_context *context, const rw_cube_frame *frame)
{
    double bytes = rw_cubes_bytes(frame);
    /* Numbers of cubes are kept in 32 bits. */
    double numbers = ceil((double)frame->columns / 32) * 32 * (double)frame->rows * (double)frame->layers;
    if (!rw_memory_fits(bytes) || numbers > 4294967295.0 || frame->columns > 16384 || frame->rows > 16384)
        return rw_fail(context, RW_TOO_LARGE,
                       "%zu x %zu x %zu cubes of %g m would need %.3g GB, and %.3g GB is free (at most 16384 cubes a "
                       "side and 2^32 in all); give a larger res or give a smaller area",
                       frame->columns, frame->rows, frame->layers, frame->res_m, bytes / 1e9,
                       rw_memory_available() / 1e9);
    return RW_OK;
}

void rw_cubes_locate(const rw_cube_frame *frame, rw_vec3 point, float at[3])
{
    at[0] = (float)((point.x - frame->x0_m) / frame->res_m);
    at[1] = (float)((point.y - frame->y0_m) / frame->res_m);
    at[2] = (float)((point.z - frame->z0_m) / frame->res_m);
}

rw_status rw_cubes_add_element(rw_context *context, rw_cubes *cubes, const rw_cube_element *element)
{
    size_t count = cubes->view.element_count;
    RW_TRY(rw_array_reserve(context, &cubes->elements, &cubes->element_capacity, count + 1, sizeof *element,
                            "surfaces and edges"));
    cubes->elements[count] = *element;
    cubes->view.element_count = count + 1;
    return RW_OK;
}

rw_status rw_cubes_add_item(rw_context *context, rw_cubes *cubes, int i, int j, int k, const float from[3],
                            const float to[3])
{
    if (!rw_cube_in_grid(&cubes->view, i, j, k))
        return RW_OK;
    size_t count = cubes->view.item_count, element = cubes->view.element_count - 1;
    RW_TRY(rw_array_reserve(context, &cubes->items, &cubes->item_capacity, count + 1, sizeof *cubes->items,
                            "pieces of surfaces and edges in cubes"));
    rw_cube_item *item = &cubes->items[count];
    item->element = (uint32_t)element;
    item->cube = (uint32_t)rw_cube_index(&cubes->view, i, j, k);
    memcpy(item->from, from, sizeof item->from);
    memcpy(item->to, to, sizeof item->to);
    cubes->view.item_count = count + 1;
    uint32_t bit = 1u << (i & 31);
    cubes->source[item->cube / 32] |= bit;
    cubes->kinds[cubes->elements[element].kind][item->cube / 32] |= bit;
    return RW_OK;
}

rw_status rw_cubes_add_edge(rw_context *context, rw_cubes *cubes, const float from[3], const float to[3])
{
    rw_cube_walk walk;
    for (rw_cube_walk_begin(&walk, from, to); rw_cube_walk_next(&walk);) {
        float low[3], high[3];
        rw_cube_walk_point(&walk, walk.t0, low);
        rw_cube_walk_point(&walk, walk.t1, high);
        RW_TRY(rw_cubes_add_item(context, cubes, walk.cube[0], walk.cube[1], walk.cube[2], low, high));
    }
    return RW_OK;
}

/* Numbers the sources and puts the items of each cube side by side. */
static rw_status sort_items(rw_context *context, rw_cubes *cubes)
{
    rw_cubes_view *view = &cubes->view;
    for (size_t word = 0; word < cubes->cube_words; word++) {
        cubes->source_before[word] = (uint32_t)view->source_count;
        view->source_count += rw_bit_count(cubes->source[word]);
    }
    RW_TRY(rw_array_create(context, view->source_count + 2, sizeof(uint32_t), "lists of cubes", &cubes->first_item));
    rw_cube_item *sorted;
    RW_TRY(rw_array_create(context, view->item_count, sizeof *sorted, "pieces in cubes", &sorted));
    uint32_t *next = cubes->first_item + 1; /* shifted by one: after the scatter it is the first of each source */
    for (size_t i = 0; i < view->item_count; i++) {
        uint32_t cube = cubes->items[i].cube;
        next[rw_cube_source(view, cube / 32, (int)(cube % 32)) + 1]++;
    }
    for (size_t i = 1; i <= view->source_count; i++)
        next[i] += next[i - 1];
    for (size_t i = 0; i < view->item_count; i++) {
        uint32_t cube = cubes->items[i].cube;
        sorted[next[rw_cube_source(view, cube / 32, (int)(cube % 32))]++] = cubes->items[i];
    }
    free(cubes->items);
    cubes->items = sorted;
    cubes->first_item[0] = 0;
    return RW_OK;
}

static rw_status allocate_cube_bits(rw_context *context, rw_cubes *cubes)
{
    size_t words = cubes->cube_words;
    RW_TRY(rw_array_create(context, words, sizeof(uint32_t), "cubes", &cubes->filled));
    RW_TRY(rw_array_create(context, words, sizeof(uint32_t), "cubes", &cubes->source));
    RW_TRY(rw_array_create(context, words, sizeof(uint32_t), "cubes", &cubes->source_before));
    for (int kind = 0; kind < RW_CUBE_KINDS; kind++)
        RW_TRY(rw_array_create(context, words, sizeof(uint32_t), "cubes", &cubes->kinds[kind]));
    cubes->view.filled = cubes->filled;
    cubes->view.source = cubes->source;
    cubes->view.source_before = cubes->source_before;
    return RW_OK;
}

static rw_status build_cubes(const rw_scene *scene, rw_cubes *cubes)
{
    RW_TRY(allocate_cube_bits(scene->context, cubes));
    RW_TRY(rw_cubes_mark_filled(scene, cubes));
    RW_TRY(rw_cubes_add_walls(scene, cubes));
    RW_TRY(rw_cubes_add_meshes(scene, cubes));
    RW_TRY(sort_items(scene->context, cubes));
    cubes->view.first_item = cubes->first_item;
    cubes->view.items = cubes->items;
    cubes->view.elements = cubes->elements;
    return RW_OK;
}

rw_status rw_cubes_create(const rw_scene *scene, const rw_cube_frame *frame, rw_cubes *cubes)
{
    *cubes = (rw_cubes){.frame = *frame};
    RW_TRY(check_frame(scene->context, frame));
    cubes->view.columns = (int)frame->columns;
    cubes->view.rows = (int)frame->rows;
    cubes->view.layers = (int)frame->layers;
    cubes->view.words = (int)((frame->columns + 31) / 32);
    cubes->cube_words = (size_t)cubes->view.words * frame->rows * frame->layers;
    rw_status status = build_cubes(scene, cubes);
    if (status != RW_OK)
        rw_cubes_destroy(cubes);
    return status;
}

void rw_cubes_destroy(rw_cubes *cubes)
{
    free(cubes->filled);
    free(cubes->source);
    free(cubes->source_before);
    free(cubes->first_item);
    for (int kind = 0; kind < RW_CUBE_KINDS; kind++)
        free(cubes->kinds[kind]);
    free(cubes->elements);
    free(cubes->items);
    *cubes = (rw_cubes){0};
}

static rw_status upload_cube_array(rw_context *context, rw_backend backend, const void *host, size_t bytes, void **copy)
{
    RW_TRY(rw_device_alloc(context, backend, bytes, "cubes", copy));
    return bytes ? rw_device_upload(context, backend, *copy, host, bytes) : RW_OK;
}

static rw_status upload_cube_arrays(rw_context *context, rw_backend backend, const rw_cubes *cubes,
                                    rw_device_cubes *device)
{
    rw_cubes_view *view = &device->view;
    void **copies = device->copies;
    size_t words = cubes->cube_words;
    RW_TRY(upload_cube_array(context, backend, view->filled, words * sizeof(uint32_t), &copies[0]));
    RW_TRY(upload_cube_array(context, backend, view->source, words * sizeof(uint32_t), &copies[1]));
    RW_TRY(upload_cube_array(context, backend, view->source_before, words * sizeof(uint32_t), &copies[2]));
    RW_TRY(
        upload_cube_array(context, backend, view->first_item, (view->source_count + 1) * sizeof(uint32_t), &copies[3]));
    RW_TRY(upload_cube_array(context, backend, view->items, view->item_count * sizeof *view->items, &copies[4]));
    RW_TRY(
        upload_cube_array(context, backend, view->elements, view->element_count * sizeof *view->elements, &copies[5]));
    view->filled = copies[0];
    view->source = copies[1];
    view->source_before = copies[2];
    view->first_item = copies[3];
    view->items = copies[4];
    view->elements = copies[5];
    return RW_OK;
}

rw_status rw_cubes_upload(rw_context *context, rw_backend backend, const rw_cubes *cubes, rw_device_cubes *device)
{
    *device = (rw_device_cubes){.view = cubes->view};
    if (backend == RW_BACKEND_CPU)
        return RW_OK;
    rw_status status = upload_cube_arrays(context, backend, cubes, device);
    if (status != RW_OK)
        rw_cubes_release(backend, device);
    return status;
}

void rw_cubes_release(rw_backend backend, rw_device_cubes *device)
{
    for (int i = 0; i < 6; i++)
        if (device->copies[i])
            rw_device_free(backend, device->copies[i]);
    *device = (rw_device_cubes){0};
}
