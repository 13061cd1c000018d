/* Kept rays as a file: a container (base/container.h) that says what they are of; then for each transmitter its place,
 * how far down its rays were kept, its scatterers and its rays. */
#include "models/tiles/tiles.h"

#include "base/memory.h"
#include "base/range.h"

#include <stdlib.h>
#include <string.h>

const rw_container_kind rw_stored_rays_kind = {
    .name = "kept rays",
    .model = "tiles",
    .version = 3,
    .again = "delete it or name another file, which is then made",
    .other = "name a file that does not exist yet, or one that was made in this way"};

static rw_status write_stored_rays(rw_container_writer *writer, size_t i, const rw_stored_rays *of_one)
{
    RW_TRY(rw_container_write(writer, "source", i, sizeof of_one->source, 1, &of_one->source));
    RW_TRY(rw_container_write(writer, "threshold", i, sizeof of_one->threshold, 1, &of_one->threshold));
    RW_TRY(rw_container_write(writer, "scatterers", i, sizeof *of_one->keys, of_one->key_count, of_one->keys));
    RW_TRY(rw_container_write(writer, "direct", i, sizeof(rw_tile_ray), of_one->direct.count, of_one->direct.items));
    return rw_container_write(writer, "scattered", i, sizeof(rw_tile_ray), of_one->scattered.count,
                              of_one->scattered.items);
}

rw_status rw_stored_tiles_write(const rw_stored_tiles *stored)
{
    rw_container_writer writer;
    RW_TRY(rw_container_begin(stored->context, stored->path, &rw_stored_rays_kind, stored->scene, 0, &writer));
    rw_status status = rw_container_write(&writer, "subject", 0, sizeof stored->subject, 1, &stored->subject);
    for (size_t i = 0; i < stored->subject.transmitter_count && status == RW_OK; i++)
        status = write_stored_rays(&writer, i, &stored->transmitters[i]);
    if (status == RW_OK)
        return rw_container_commit(&writer);
    rw_container_abandon(&writer);
    return status;
}

/* Whether all that the ray names is there, and no more of each kind than rays can have. */
static int ray_holds(const rw_stored_tiles_subject *subject, const rw_stored_rays *of_one, const rw_tile_ray *ray,
                     int scattered)
{
    uint64_t ends = ray->end_kind == RW_END_TILE    ? subject->tile_count
                    : ray->end_kind == RW_END_POINT ? subject->point_count
                                                    : 0;
    int bends = 0, first = rw_tile_ray_first(ray);
    if (ray->scattered != scattered || ray->count > RW_TILE_DEPTH_MAX || ray->count < first || ray->end >= ends ||
        (scattered && ray->steps[0] >= of_one->key_count))
        return 0;
    for (int i = first; i < ray->count; i++) {
        int bent = RW_TILE_STEP_BENDS(ray->steps[i]);
        bends += bent;
        if (RW_TILE_STEP_INDEX(ray->steps[i]) >= (bent ? subject->edge_count : subject->tile_count))
            return 0;
    }
    return bends <= RW_TILE_BENDS_MAX;
}

static int rays_hold(const rw_stored_tiles_subject *subject, const rw_stored_rays *of_one)
{
    int hold = 1;
    for (size_t i = 0; i < of_one->direct.count; i++)
        hold &= ray_holds(subject, of_one, &of_one->direct.items[i], 0);
    for (size_t i = 0; i < of_one->scattered.count; i++)
        hold &= ray_holds(subject, of_one, &of_one->scattered.items[i], 1);
    return hold;
}

/* Rays as they are in the file, with room to take some out. */
static rw_status read_rays(rw_container *container, const char *name, size_t i, rw_tile_ray **rays, size_t *count,
                           size_t *capacity)
{
    RW_TRY(rw_container_copy(container, name, i, sizeof(rw_tile_ray), rays, count));
    *capacity = *count + 1;
    return RW_OK;
}

rw_status rw_stored_rays_read(rw_container *container, const rw_stored_tiles_subject *subject, size_t i,
                              rw_stored_rays *of_one)
{
    RW_TRY(rw_container_get_one(container, "source", i, sizeof of_one->source, &of_one->source));
    if (!rw_is_coordinate(of_one->source.x) || !rw_is_coordinate(of_one->source.y) || !rw_is_altitude(of_one->source.z))
        return rw_container_damaged(container, "source");
    RW_TRY(rw_container_get_one(container, "threshold", i, sizeof of_one->threshold, &of_one->threshold));
    if (!rw_is_within(of_one->threshold.freq_hz, 1, 1e15) || !rw_is_within(of_one->threshold.loss_db, 0, 1e4))
        return rw_container_damaged(container, "threshold");
    RW_TRY(rw_container_copy(container, "scatterers", i, sizeof *of_one->keys, &of_one->keys, &of_one->key_count));
    RW_TRY(read_rays(container, "direct", i, &of_one->direct.items, &of_one->direct.count, &of_one->direct.capacity));
    RW_TRY(read_rays(container, "scattered", i, &of_one->scattered.items, &of_one->scattered.count,
                     &of_one->scattered.capacity));
    return rays_hold(subject, of_one) ? RW_OK : rw_container_damaged(container, "direct");
}

void rw_stored_rays_free(rw_stored_rays *rays)
{
    free(rays->direct.items);
    free(rays->scattered.items);
    free(rays->keys);
    *rays = (rw_stored_rays){0};
}

/* What of the file is not what is asked for; NULL: nothing. */
static const char *find_stored_difference(const rw_stored_tiles_subject *has, const rw_stored_tiles_subject *wanted)
{
    if (has->tiles_hash != wanted->tiles_hash || has->tile_count != wanted->tile_count ||
        has->edge_count != wanted->edge_count)
        return "other tiles";
    if (wanted->point_count > 0 && (has->points_hash != wanted->points_hash || has->point_count != wanted->point_count))
        return "other receivers";
    if (has->transmitter_count != wanted->transmitter_count)
        return "another number of transmitters";
    if (has->depth != wanted->depth || has->reflections != wanted->reflections ||
        has->diffractions != wanted->diffractions || has->scatterings != wanted->scatterings)
        return "other limits of interactions";
    return NULL;
}

/* Rays to points, where none are asked for. */
static void drop_points(rw_stored_rays *of_one)
{
    size_t direct = 0, scattered = 0;
    for (size_t i = 0; i < of_one->direct.count; i++)
        if (of_one->direct.items[i].end_kind != RW_END_POINT)
            of_one->direct.items[direct++] = of_one->direct.items[i];
    for (size_t i = 0; i < of_one->scattered.count; i++)
        if (of_one->scattered.items[i].end_kind != RW_END_POINT)
            of_one->scattered.items[scattered++] = of_one->scattered.items[i];
    of_one->direct.count = direct;
    of_one->scattered.count = scattered;
}

static rw_status read_stored_tiles(rw_stored_tiles *stored, rw_container *container)
{
    rw_stored_tiles_subject subject;
    RW_TRY(rw_container_check_scene(container, stored->scene));
    RW_TRY(rw_container_get_one(container, "subject", 0, sizeof subject, &subject));
    const char *differs = find_stored_difference(&subject, &stored->subject);
    int points = stored->subject.point_count > 0;
    if (differs)
        return rw_fail(stored->context, RW_BAD_CALL, "%s has rays of %s; choose another file for reuse", stored->path,
                       differs);
    stored->subject = subject;
    for (size_t i = 0; i < subject.transmitter_count; i++)
        RW_TRY(rw_stored_rays_read(container, &subject, i, &stored->transmitters[i]));
    for (size_t i = 0; !points && i < subject.transmitter_count; i++)
        drop_points(&stored->transmitters[i]);
    return RW_OK;
}

rw_status rw_stored_tiles_read(rw_stored_tiles *stored)
{
    rw_container container;
    RW_TRY(rw_container_open(stored->context, stored->path, &rw_stored_rays_kind, &container));
    rw_status status = read_stored_tiles(stored, &container);
    rw_container_close(&container);
    return status;
}
