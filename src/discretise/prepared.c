#include "discretise/prepared.h"

#include "base/memory.h"
#include "discretise/scene_cache.h"

#include <stdlib.h>

static void free_device_arrays(rw_prepared *prepared)
{
    for (int i = 0; i < RW_DEVICE_ARRAYS; i++) {
        if (prepared->device_arrays[i])
            rw_device_free(RW_BACKEND_CUDA, prepared->device_arrays[i]);
        prepared->device_arrays[i] = NULL;
    }
}

static void destroy_prepared(rw_prepared *prepared)
{
    if (!prepared)
        return;
    rw_scene_cache_destroy(prepared->cache);
    free_device_arrays(prepared);
    pthread_mutex_destroy(&prepared->device_lock);
    rw_built_over_destroy(&prepared->built_over);
    rw_scene_summary_destroy(&prepared->summary);
    rw_corner_list_destroy(&prepared->corners);
    if (prepared->bvh.nodes)
        rw_bvh_destroy(&prepared->bvh);
    rw_part_cover_destroy(&prepared->cover);
    rw_wall_grid_destroy(&prepared->grid);
    rw_wall_list_destroy(&prepared->walls);
    free(prepared);
}

static rw_status prepare_scene(rw_scene *scene)
{
    rw_prepared *prepared;
    RW_TRY(rw_array_create(scene->context, 1, sizeof *prepared, "the prepared scene", &prepared));
    pthread_mutex_init(&prepared->device_lock, NULL);
    scene->prepared = prepared;
    scene->destroy_prepared = destroy_prepared;
    RW_TRY(rw_scene_cache_create(scene->context, &prepared->cache));
    RW_TRY(rw_wall_list_create(scene, &prepared->walls));
    RW_TRY(rw_wall_grid_create(scene, &prepared->walls, 0, &prepared->grid));
    RW_TRY(rw_part_cover_create(scene, &prepared->walls, &prepared->grid, &prepared->cover));
    if (scene->triangles.count)
        RW_TRY(rw_bvh_create(scene, prepared->grid.centre, &prepared->bvh));
    rw_wall_grid_view *view = &prepared->grid.view;
    view->nodes = prepared->bvh.nodes;
    view->triangles = prepared->bvh.triangles;
    view->node_count = prepared->bvh.node_count;
    view->triangle_count = prepared->bvh.triangle_count;
    RW_TRY(rw_corner_list_create(scene, prepared, &prepared->corners));
    RW_TRY(rw_scene_summary_create(scene, &prepared->corners, &prepared->summary));
    return rw_note_overlaps(scene, prepared);
}

rw_status rw_scene_commit(rw_scene *scene)
{
    if (scene->committed)
        return RW_OK;
    double start_s = rw_seconds();
    RW_TRY(rw_scene_finalise(scene));
    rw_status status = prepare_scene(scene);
    if (status != RW_OK) {
        destroy_prepared(scene->prepared);
        scene->prepared = NULL;
        return status;
    }
    scene->prepare_s = rw_seconds() - start_s;
    scene->committed = 1;
    for (size_t i = 0; i < scene->notes.count; i++) {
        const rw_scene_note_entry *note = &scene->notes.items[i];
        rw_warn(scene->context, "%s: %zu%s%s", note->what, note->count, *note->example ? ", first: " : "",
                note->example);
    }
    return RW_OK;
}

/* Copies one array to the device and points the view at the copy. */
static rw_status upload_scene_array(rw_context *context, rw_prepared *prepared, int slot, const void *host,
                                    size_t bytes, const void **view_pointer)
{
    if (!host)
        return RW_OK;
    RW_TRY(rw_device_alloc(context, RW_BACKEND_CUDA, bytes, "the scene", &prepared->device_arrays[slot]));
    RW_TRY(rw_device_upload(context, RW_BACKEND_CUDA, prepared->device_arrays[slot], host, bytes));
    *view_pointer = prepared->device_arrays[slot];
    return RW_OK;
}

static rw_status upload_prepared(rw_context *context, rw_prepared *prepared)
{
    const rw_wall_grid *grid = &prepared->grid;
    rw_wall_grid_view *view = &prepared->device_view;
    *view = grid->view;
    size_t cells = (size_t)view->columns * (size_t)view->rows;
    size_t posts = (size_t)view->post_columns * (size_t)view->post_rows;
#define UPLOAD(slot, member, count)                                                                                    \
    RW_TRY(upload_scene_array(context, prepared, slot, grid->view.member, (count) * sizeof *view->member,              \
                              (const void **)&view->member))
    UPLOAD(0, cells, cells + 1);
    UPLOAD(1, entries, grid->entry_count);
    UPLOAD(2, exact, view->wall_count);
    UPLOAD(3, posts, posts);
    UPLOAD(4, cell_ground, cells);
    UPLOAD(5, nodes, view->node_count);
    UPLOAD(6, triangles, view->triangle_count);
    UPLOAD(8, cell_floor, cells);
#undef UPLOAD
    prepared->device_corners = (rw_corners_view){NULL, prepared->corners.count};
    RW_TRY(upload_scene_array(context, prepared, 7, prepared->corners.items,
                              prepared->corners.count * sizeof(rw_corner),
                              (const void **)&prepared->device_corners.items));
    RW_TRY(upload_scene_array(context, prepared, 9, prepared->walls.surfaces,
                              prepared->walls.count * sizeof *prepared->walls.surfaces,
                              (const void **)&prepared->device_surfaces));
    prepared->on_device = 1;
    return RW_OK;
}

rw_status rw_prepared_view(const rw_scene *scene, rw_backend backend, rw_wall_grid_view *view)
{
    rw_prepared *prepared = scene->prepared;
    if (backend == RW_BACKEND_CPU) {
        *view = prepared->grid.view;
        return RW_OK;
    }
    pthread_mutex_lock(&prepared->device_lock);
    rw_status status = prepared->on_device ? RW_OK : upload_prepared(scene->context, prepared);
    if (status != RW_OK) /* the next call tries again, from the start */
        free_device_arrays(prepared);
    *view = prepared->device_view;
    pthread_mutex_unlock(&prepared->device_lock);
    return status;
}

rw_status rw_prepared_corners(const rw_scene *scene, rw_backend backend, rw_corners_view *view)
{
    rw_prepared *prepared = scene->prepared;
    rw_wall_grid_view grid;
    RW_TRY(rw_prepared_view(scene, backend, &grid));
    *view = backend == RW_BACKEND_CPU ? (rw_corners_view){prepared->corners.items, prepared->corners.count}
                                      : prepared->device_corners;
    return RW_OK;
}

rw_status rw_prepared_surfaces(const rw_scene *scene, rw_backend backend, const uint32_t **surfaces)
{
    const rw_prepared *prepared = scene->prepared;
    rw_wall_grid_view grid;
    RW_TRY(rw_prepared_view(scene, backend, &grid));
    *surfaces = backend == RW_BACKEND_CPU ? prepared->walls.surfaces : prepared->device_surfaces;
    return RW_OK;
}

static rw_status find_built_over(const rw_scene *scene, rw_backend backend, rw_built_over_view *view)
{
    rw_prepared *prepared = scene->prepared;
    if (!prepared->has_built_over)
        RW_TRY(rw_built_over_create(scene, prepared->grid.centre, &prepared->built_over));
    prepared->has_built_over = 1;
    *view = prepared->built_over.view;
    if (backend == RW_BACKEND_CPU || !view->fractions)
        return RW_OK;
    if (!prepared->device_built_over.fractions) {
        rw_built_over_view device = *view;
        RW_TRY(upload_scene_array(scene->context, prepared, 10, view->fractions,
                                  (size_t)view->columns * (size_t)view->rows * sizeof *view->fractions,
                                  (const void **)&device.fractions));
        prepared->device_built_over = device;
    }
    *view = prepared->device_built_over;
    return RW_OK;
}

rw_status rw_prepared_built_over(const rw_scene *scene, rw_backend backend, rw_built_over_view *view)
{
    rw_prepared *prepared = scene->prepared;
    rw_wall_grid_view grid;
    RW_TRY(rw_prepared_view(scene, backend, &grid)); /* a failed upload of it frees all arrays, this one too */
    pthread_mutex_lock(&prepared->device_lock);
    rw_status status = find_built_over(scene, backend, view);
    pthread_mutex_unlock(&prepared->device_lock);
    return status;
}
