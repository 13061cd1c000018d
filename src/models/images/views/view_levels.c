#include "models/images/views/views.h"

#include "base/memory.h"
#include "discretise/scene_cache.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void release_view_levels(rw_view_levels *levels)
{
    for (int i = 0; i <= RW_IMAGE_DEPTH_MAX; i++) {
        if (levels->on_backend) {
            rw_device_free(levels->backend, levels->views[i]);
            rw_device_free(levels->backend, levels->steps[i]);
        } else {
            free(levels->views[i]);
            free(levels->steps[i]);
        }
        levels->views[i] = NULL;
        levels->steps[i] = NULL;
    }
}

static void destroy_view_levels(void *value)
{
    release_view_levels(value);
    free(value);
}

static double view_levels_bytes(const void *value)
{
    return ((const rw_view_levels *)value)->bytes;
}

static const rw_cache_kind levels_kind = {"view trees", 8, destroy_view_levels};

double rw_views_stored_bytes(rw_backend backend)
{
    double bytes = rw_device_buffer_bytes(backend, RW_VIEWS_STORED_BYTES, 0.25);
    return backend == RW_BACKEND_CPU ? fmin(bytes, rw_memory_available() / 8) : bytes;
}

/* Numbers of the options one after the other, so that nothing between the members of a struct counts. */
rw_status rw_view_levels_key_create(rw_context *context, const rw_view_tree_options *options, const rw_refractor *slabs,
                                    size_t kind_count, int coplanar, rw_view_levels_key *key)
{
    const double numbers[] = {options->source.x,       options->source.y,           options->source.z,
                              options->pixels,         options->threshold,          options->depth,
                              options->limits.bounded, options->limits.reflections, options->limits.transmissions,
                              options->straight,       options->skips_culling,      coplanar};
    char *bytes;
    key->size = sizeof numbers + kind_count * sizeof *slabs;
    RW_TRY(rw_array_create(context, key->size, 1, "views", &bytes));
    memcpy(bytes, numbers, sizeof numbers);
    rw_refractor *copies = (rw_refractor *)(void *)(bytes + sizeof numbers);
    for (size_t i = 0; i < kind_count; i++) {
        copies[i].opaque = slabs[i].opaque;
        copies[i].straight = slabs[i].straight;
        if (slabs[i].straight) /* views go straight through, whatever the slab is */
            continue;
        copies[i].thickness_m = slabs[i].thickness_m;
        copies[i].layer_count = slabs[i].layer_count;
        memcpy(copies[i].layer_m, slabs[i].layer_m, (size_t)slabs[i].layer_count * sizeof *slabs[i].layer_m);
        memcpy(copies[i].index, slabs[i].index, (size_t)slabs[i].layer_count * sizeof *slabs[i].index);
    }
    key->bytes = bytes;
    return RW_OK;
}

rw_view_levels *rw_view_levels_borrow(const rw_scene *scene, const rw_view_levels_key *key)
{
    return rw_scene_cache_borrow(scene, &levels_kind, key->bytes, key->size);
}

void rw_view_levels_return(const rw_scene *scene, const rw_view_levels_key *key, rw_view_levels *levels)
{
    if (levels && levels->complete) {
        double max_bytes = rw_views_stored_bytes(levels->backend);
        rw_scene_cache_return(scene, &levels_kind, key->bytes, key->size, levels);
        rw_scene_cache_limit(scene, &levels_kind, view_levels_bytes, max_bytes);
    } else if (levels)
        destroy_view_levels(levels);
}

rw_status rw_view_levels_create(rw_context *context, rw_backend backend, rw_view_levels **levels)
{
    RW_TRY(rw_array_create(context, 1, sizeof **levels, "views", levels));
    (*levels)->backend = backend;
    (*levels)->max_bytes = rw_views_stored_bytes(backend);
    return RW_OK;
}

rw_status rw_view_levels_add(rw_context *context, rw_view_levels *levels, const rw_view_batch *batch)
{
    size_t level = (size_t)batch->level, before = levels->counts[level], count = before + batch->count;
    levels->bytes += (double)batch->count * (double)(sizeof *batch->views + level * sizeof *batch->steps);
    levels->counts[level] = count;
    if (levels->bytes > levels->max_bytes) {
        release_view_levels(levels);
        return RW_OK;
    }
    RW_TRY(rw_array_reserve(context, &levels->views[level], &levels->capacities[0][level], count,
                            sizeof *levels->views[level], "views"));
    RW_TRY(rw_array_reserve(context, &levels->steps[level], &levels->capacities[1][level], count * level + 1,
                            sizeof *levels->steps[level], "views"));
    RW_TRY(rw_device_download(context, levels->backend, levels->views[level] + before, batch->views,
                              batch->count * sizeof *batch->views));
    return rw_device_download(context, levels->backend, levels->steps[level] + before * level, batch->steps,
                              batch->count * level * sizeof *batch->steps);
}

/* Replaces an array of the host by one of the backend. */
static rw_status move_to_backend(rw_context *context, rw_backend backend, size_t bytes, void *array_io)
{
    void *host = *(void **)array_io, *copy = NULL;
    rw_status status = rw_device_alloc(context, backend, bytes + 1, "views", &copy);
    if (status == RW_OK)
        status = rw_device_upload(context, backend, copy, host, bytes);
    free(host);
    *(void **)array_io = copy;
    return status;
}

rw_status rw_view_levels_complete(rw_context *context, rw_view_levels *levels, const rw_view_tree_size *size)
{
    rw_status status = RW_OK;
    if (levels->bytes > levels->max_bytes)
        return RW_OK;
    for (size_t i = 0; i <= RW_IMAGE_DEPTH_MAX; i++) {
        rw_status first = move_to_backend(context, levels->backend, levels->counts[i] * sizeof *levels->views[i],
                                          (void *)&levels->views[i]);
        rw_status second = move_to_backend(context, levels->backend, levels->counts[i] * i * sizeof *levels->steps[i],
                                           (void *)&levels->steps[i]);
        status = status != RW_OK ? status : first != RW_OK ? first : second;
    }
    levels->on_backend = 1;
    levels->size = *size;
    levels->complete = status == RW_OK;
    return status;
}

rw_status rw_view_levels_visit(const rw_view_levels *levels, rw_view_visit visit, void *user)
{
    for (int i = 0; i <= RW_IMAGE_DEPTH_MAX; i++) {
        rw_view_batch batch = {
            .level = i, .views = levels->views[i], .count = levels->counts[i], .steps = levels->steps[i]};
        if (batch.count)
            RW_TRY(visit(user, &batch));
    }
    return RW_OK;
}
