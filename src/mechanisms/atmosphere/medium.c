
#include "mechanisms/atmosphere/atmosphere.h"

#include <math.h>
#include <stdint.h>

rw_status rw_medium_upload(const rw_prediction *prediction, rw_use use, rw_device_medium *device_medium)
{
    *device_medium = (rw_device_medium){0};
    if (use == RW_USE_PATHS)
        return RW_OK;
    RW_TRY(rw_foliage_upload(prediction->scene, prediction->scene->context->backend, &device_medium->foliage));
    device_medium->prediction = prediction;
    return RW_OK;
}

void rw_medium_release(rw_device_medium *device_medium)
{
    rw_foliage_release(&device_medium->foliage);
    *device_medium = (rw_device_medium){0};
}

static rw_medium medium_at(const rw_prediction *prediction, const rw_foliage_view *foliage, size_t transmitter)
{
    rw_medium medium = {.foliage = *foliage,
                        .law = rw_foliage_law_of(rw_prediction_freq_hz(prediction, transmitter)),
                        .air_db_per_m = rw_air_db_per_m(prediction, transmitter)};
    medium.counts = medium.foliage.tops_m != NULL || medium.air_db_per_m > 0;
    return medium;
}

rw_medium rw_medium_of(const rw_device_medium *device_medium, size_t transmitter, int on_host)
{
    if (!device_medium->prediction)
        return (rw_medium){0};
    return medium_at(device_medium->prediction, on_host ? &device_medium->foliage.host : &device_medium->foliage.view,
                     transmitter);
}

/* A vertex in the frame of the wall grid. */
static rw_vec3 transform_to_grid(const rw_scene *scene, const rw_path_vertex *vertex)
{
    rw_vec2 centre = scene->prepared->grid.centre;
    return rw_vec3_of(vertex->x_m - scene->origin.x - centre.x, vertex->y_m - scene->origin.y - centre.y, vertex->z_m);
}

/* All of the air counts here: no engine adds the straight line's. */
static double path_db(const rw_prediction *prediction, const rw_medium *medium, const rw_path_vertex *vertices,
                      size_t count)
{
    rw_medium_path path = rw_medium_start();
    for (size_t i = 1; i < count; i++)
        rw_medium_go(medium, &path, transform_to_grid(prediction->scene, &vertices[i - 1]),
                     transform_to_grid(prediction->scene, &vertices[i]));
    return rw_medium_loss_db(medium, &path, 0);
}

static void add_to_paths(const rw_prediction *prediction, const rw_foliage_view *foliage, size_t first, rw_paths *paths)
{
    size_t transmitter = SIZE_MAX; /* whose medium is known: paths come transmitter by transmitter */
    rw_medium medium = {0};
    for (size_t i = first; i < paths->count; i++) {
        rw_path_entry *entry = &paths->entries[i];
        if (entry->transmitter != transmitter)
            medium = medium_at(prediction, foliage, entry->transmitter);
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
    rw_device_foliage foliage = {0};
    if (!prediction->foliage_in_paths)
        RW_TRY(rw_foliage_upload(prediction->scene, RW_BACKEND_CPU, &foliage));
    add_to_paths(prediction, &foliage.host, first, paths);
    rw_foliage_release(&foliage);
    return RW_OK;
}
