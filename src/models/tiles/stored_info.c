/* What kept rays hold, for callers: counts by kind and length. */
#include "base/memory.h"
#include "base/options.h"
#include "models/tiles/tiles.h"

#include <string.h>

#define COUNTS_MAX (sizeof((rw_stored_rays_info *)0)->by_count / sizeof(size_t))

static void count_ray(const rw_tile_ray *ray, rw_stored_rays_info *info)
{
    info->rays++;
    info->to_tiles += ray->end_kind == RW_END_TILE;
    info->to_points += ray->end_kind == RW_END_POINT;
    info->scattered += ray->scattered;
    info->by_count[ray->count < COUNTS_MAX ? ray->count : COUNTS_MAX - 1]++;
    for (int i = rw_tile_ray_first(ray); i < ray->count; i++) {
        int bends = RW_TILE_STEP_BENDS(ray->steps[i]);
        info->diffracted += (size_t)bends;
        info->reflected += (size_t)!bends;
    }
}

static rw_status count_transmitter(rw_container *container, const rw_stored_tiles_subject *subject, size_t transmitter,
                                   rw_stored_rays_info *info)
{
    rw_stored_rays rays = {0};
    rw_status status = rw_stored_rays_read(container, subject, transmitter, &rays);
    if (status == RW_OK && info->freq_hz == 0) {
        info->freq_hz = rays.threshold.freq_hz;
        info->loss_db = rays.threshold.loss_db;
    }
    for (size_t i = 0; status == RW_OK && i < rays.direct.count; i++)
        count_ray(&rays.direct.items[i], info);
    for (size_t i = 0; status == RW_OK && i < rays.scattered.count; i++)
        count_ray(&rays.scattered.items[i], info);
    rw_stored_rays_free(&rays);
    return status;
}

rw_status rw_stored_file_get_rays(rw_stored_file *file, size_t transmitter, rw_stored_rays_info *info)
{
    rw_container *container = rw_stored_file_container(file);
    rw_stored_tiles_subject subject;
    if (strcmp(container->header.kind, rw_stored_rays_kind.name) != 0 ||
        container->header.kind_version != rw_stored_rays_kind.version)
        return rw_fail(container->context, RW_BAD_CALL, "%s holds %s, version %u, and no %s of version %u",
                       container->path, container->header.kind, (unsigned)container->header.kind_version,
                       rw_stored_rays_kind.name, (unsigned)rw_stored_rays_kind.version);
    RW_TRY(rw_container_get_one(container, "subject", 0, sizeof subject, &subject));
    if (transmitter != SIZE_MAX && transmitter >= subject.transmitter_count)
        return rw_fail(container->context, RW_BAD_CALL, "%s has rays of %llu transmitters, none has number %zu",
                       container->path, (unsigned long long)subject.transmitter_count, transmitter);
    rw_stored_rays_info stored_rays_info = {.transmitters = subject.transmitter_count,
                                            .tiles = subject.tile_count,
                                            .edges = subject.edge_count,
                                            .points = subject.point_count,
                                            .depth = subject.depth,
                                            .reflections = subject.reflections,
                                            .diffractions = subject.diffractions,
                                            .scatterings = subject.scatterings};
    size_t first = transmitter == SIZE_MAX ? 0 : transmitter;
    size_t end = transmitter == SIZE_MAX ? subject.transmitter_count : transmitter + 1;
    for (size_t i = first; i < end; i++)
        RW_TRY(count_transmitter(container, &subject, i, &stored_rays_info));
    return RW_ASSIGN(container->context, &stored_rays_info, info);
}
