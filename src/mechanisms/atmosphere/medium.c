#include "mechanisms/atmosphere/medium.h"

#include "mechanisms/atmosphere/atmosphere.h"

#include <math.h>
#include <stdint.h>

rw_status rw_medium_place(const rw_prediction *prediction, rw_use use, rw_placed_medium *placed)
{
    *placed = (rw_placed_medium){0};
    if (use == RW_USE_PATHS)
        return RW_OK;
    RW_TRY(rw_trees_place(prediction->scene, prediction->scene->context->backend, &placed->trees));
    placed->prediction = prediction;
    return RW_OK;
}

void rw_medium_remove(rw_placed_medium *placed)
{
    rw_trees_remove(&placed->trees);
    *placed = (rw_placed_medium){0};
}

static rw_medium medium_at(const rw_prediction *prediction, const rw_trees_view *trees, size_t transmitter)
{
    rw_medium medium = {.trees = *trees,
                        .law = rw_foliage_law_of(rw_prediction_freq_hz(prediction, transmitter)),
                        .air_db_per_m = rw_air_db_per_m(prediction, transmitter)};
    medium.counts = medium.trees.tops_m != NULL || medium.air_db_per_m > 0;
    return medium;
}

rw_medium rw_medium_of(const rw_placed_medium *placed, size_t transmitter, int on_host)
{
    if (!placed->prediction)
        return (rw_medium){0};
    return medium_at(placed->prediction, on_host ? &placed->trees.host : &placed->trees.view, transmitter);
}

/* A vertex in the frame of the wall grid. */
static rw_vec3 place_of(const rw_scene *scene, const rw_path_vertex *vertex)
{
    rw_vec2 centre = scene->prepared->grid.centre;
    return rw_vec3_make(vertex->x_m - scene->origin.x - centre.x, vertex->y_m - scene->origin.y - centre.y,
                        vertex->z_m);
}

/* All of the air counts here: no engine adds the straight line's. */
static double path_db(const rw_prediction *prediction, const rw_medium *medium, const rw_path_vertex *vertices,
                      size_t count)
{
    rw_medium_way way = rw_medium_start();
    for (size_t i = 1; i < count; i++)
        rw_medium_go(medium, &way, place_of(prediction->scene, &vertices[i - 1]),
                     place_of(prediction->scene, &vertices[i]));
    return rw_medium_loss_db(medium, &way, 0);
}

static void add_to_paths(const rw_prediction *prediction, const rw_trees_view *trees, size_t first, rw_paths *paths)
{
    size_t transmitter = SIZE_MAX; /* whose medium is known: paths come transmitter by transmitter */
    rw_medium medium = {0};
    for (size_t i = first; i < paths->count; i++) {
        rw_path_entry *entry = &paths->entries[i];
        if (entry->transmitter != transmitter)
            medium = medium_at(prediction, trees, entry->transmitter);
        transmitter = entry->transmitter;
        if (!medium.counts)
            continue;
        double added_db = path_db(prediction, &medium, paths->vertices + entry->first_vertex, entry->vertex_count);
        entry->free_space_db += added_db;
        entry->loss_db += added_db;
        entry->gain = rw_complex_scale(entry->gain, pow(10, -added_db / 20));
    }
}

rw_status rw_medium_add_to_paths(const rw_prediction *prediction, size_t first, rw_paths *paths)
{
    rw_placed_trees trees = {0};
    if (!prediction->model->trees_in_paths)
        RW_TRY(rw_trees_place(prediction->scene, RW_BACKEND_CPU, &trees));
    add_to_paths(prediction, &trees.host, first, paths);
    rw_trees_remove(&trees);
    return RW_OK;
}
