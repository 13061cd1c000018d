/* Kept rays as a file: a head that says what they are of, then for each transmitter its place, its scatterers and its
 * rays as they are in memory; a hash of all of it behind the head. */
#include "models/tiles/kept.h"

#include "base/file.h"
#include "base/maths/hash.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define MAGIC "rwrays1"
#define BYTE_ORDER_MARK UINT64_C(0x0102030405060708)

typedef struct file_head {
    char magic[8];
    uint64_t order;
    rw_kept_tiles_subject subject;
    uint64_t body_hash;
} file_head;

typedef struct shot_head {
    rw_vec3 source;
    uint64_t direct_count, scattered_count, key_count;
} shot_head;

static uint64_t hash_shot(uint64_t hash, const shot_head *head, const rw_kept_rays *shot)
{
    hash = rw_hash(hash, head, sizeof *head);
    hash = rw_hash(hash, shot->keys, shot->key_count * sizeof *shot->keys);
    hash = rw_hash(hash, shot->direct.items, shot->direct.count * sizeof(rw_tile_ray));
    return rw_hash(hash, shot->scattered.items, shot->scattered.count * sizeof(rw_tile_ray));
}

static shot_head head_of(const rw_kept_rays *shot)
{
    return (shot_head){shot->source, shot->direct.count, shot->scattered.count, shot->key_count};
}

rw_status rw_kept_tiles_write(const rw_kept_tiles *kept)
{
    rw_file_writer writer;
    file_head head;
    memset(&head, 0, sizeof head);
    memcpy(head.magic, MAGIC, sizeof MAGIC);
    head.order = BYTE_ORDER_MARK;
    head.subject = kept->subject;
    head.body_hash = RW_HASH_START;
    for (size_t i = 0; i < kept->subject.transmitter_count; i++) {
        shot_head shot = head_of(&kept->shots[i]);
        head.body_hash = hash_shot(head.body_hash, &shot, &kept->shots[i]);
    }
    RW_TRY(rw_file_begin(kept->context, kept->path, &writer));
    /* write errors are found by rw_file_commit */
    fwrite(&head, sizeof head, 1, writer.stream);
    for (size_t i = 0; i < kept->subject.transmitter_count; i++) {
        const rw_kept_rays *shot = &kept->shots[i];
        shot_head its = head_of(shot);
        fwrite(&its, sizeof its, 1, writer.stream);
        fwrite(shot->keys, sizeof *shot->keys, shot->key_count, writer.stream);
        fwrite(shot->direct.items, sizeof(rw_tile_ray), shot->direct.count, writer.stream);
        fwrite(shot->scattered.items, sizeof(rw_tile_ray), shot->scattered.count, writer.stream);
    }
    return rw_file_commit(kept->context, &writer);
}

/* What is left of the file. */
typedef struct file_rest {
    const unsigned char *at;
    size_t left;
} file_rest;

static int take(file_rest *rest, void *to, size_t size)
{
    if (rest->left < size)
        return 0;
    memcpy(to, rest->at, size);
    rest->at += size;
    rest->left -= size;
    return 1;
}

static rw_status damaged(const rw_kept_tiles *kept)
{
    return rw_fail(kept->context, RW_BAD_INPUT, "%s is damaged or not a file of kept rays; remove it and run again",
                   kept->path);
}

/* Whether all that the ray names is there, and no more of each kind than rays can have. */
static int ray_holds(const rw_kept_tiles *kept, const rw_kept_rays *shot, const rw_tile_ray *ray, int scattered)
{
    const rw_kept_tiles_subject *subject = &kept->subject;
    uint64_t ends = ray->end_kind == RW_END_TILE    ? subject->tile_count
                    : ray->end_kind == RW_END_POINT ? subject->point_count
                                                    : 0;
    int bends = 0, first = rw_tile_ray_first(ray);
    if (ray->scattered != scattered || ray->count > RW_TILE_DEPTH_MAX || ray->count < first || ray->end >= ends ||
        (scattered && ray->steps[0] >= shot->key_count))
        return 0;
    for (int i = first; i < ray->count; i++) {
        int bent = RW_TILE_STEP_BENDS(ray->steps[i]);
        bends += bent;
        if (RW_TILE_STEP_INDEX(ray->steps[i]) >= (bent ? subject->edge_count : subject->tile_count))
            return 0;
    }
    return bends <= RW_TILE_BENDS_MAX;
}

static int rays_hold(const rw_kept_tiles *kept, const rw_kept_rays *shot)
{
    int hold = 1;
    for (size_t i = 0; i < shot->direct.count; i++)
        hold &= ray_holds(kept, shot, &shot->direct.items[i], 0);
    for (size_t i = 0; i < shot->scattered.count; i++)
        hold &= ray_holds(kept, shot, &shot->scattered.items[i], 1);
    return hold;
}

static rw_status read_shot(const rw_kept_tiles *kept, file_rest *rest, uint64_t *hash, rw_kept_rays *shot)
{
    shot_head head;
    if (!take(rest, &head, sizeof head) || head.direct_count > rest->left / sizeof(rw_tile_ray) ||
        head.scattered_count > rest->left / sizeof(rw_tile_ray) || head.key_count > rest->left / sizeof *shot->keys)
        return damaged(kept);
    shot->source = head.source;
    RW_TRY(rw_array_create(kept->context, head.key_count + 1, sizeof *shot->keys, "kept rays", &shot->keys));
    RW_TRY(RW_ARRAY_RESERVE(kept->context, shot->direct, head.direct_count + 1, "kept rays"));
    RW_TRY(RW_ARRAY_RESERVE(kept->context, shot->scattered, head.scattered_count + 1, "kept rays"));
    shot->key_count = head.key_count;
    shot->direct.count = head.direct_count;
    shot->scattered.count = head.scattered_count;
    if (!take(rest, shot->keys, head.key_count * sizeof *shot->keys) ||
        !take(rest, shot->direct.items, head.direct_count * sizeof(rw_tile_ray)) ||
        !take(rest, shot->scattered.items, head.scattered_count * sizeof(rw_tile_ray)))
        return damaged(kept);
    *hash = hash_shot(*hash, &head, shot);
    return rays_hold(kept, shot) ? RW_OK : damaged(kept);
}

/* What of the file is not what is asked for; NULL: nothing. */
static const char *difference(const rw_kept_tiles_subject *has, const rw_kept_tiles_subject *asked)
{
    if (has->scene_hash != asked->scene_hash)
        return "another scene";
    if (has->tiles_hash != asked->tiles_hash || has->tile_count != asked->tile_count ||
        has->edge_count != asked->edge_count)
        return "other tiles";
    if (asked->point_count > 0 && (has->points_hash != asked->points_hash || has->point_count != asked->point_count))
        return "other receivers";
    if (has->transmitter_count != asked->transmitter_count)
        return "another number of transmitters";
    if (has->depth != asked->depth || has->reflections != asked->reflections ||
        has->diffractions != asked->diffractions || has->scatterings != asked->scatterings)
        return "other limits of interactions";
    return NULL;
}

/* Rays to points, where none are asked for. */
static void drop_points(rw_kept_rays *shot)
{
    size_t direct = 0, scattered = 0;
    for (size_t i = 0; i < shot->direct.count; i++)
        if (shot->direct.items[i].end_kind != RW_END_POINT)
            shot->direct.items[direct++] = shot->direct.items[i];
    for (size_t i = 0; i < shot->scattered.count; i++)
        if (shot->scattered.items[i].end_kind != RW_END_POINT)
            shot->scattered.items[scattered++] = shot->scattered.items[i];
    shot->direct.count = direct;
    shot->scattered.count = scattered;
}

static rw_status read_body(rw_kept_tiles *kept, file_rest rest)
{
    file_head head;
    uint64_t hash = RW_HASH_START;
    if (!take(&rest, &head, sizeof head) || memcmp(head.magic, MAGIC, sizeof MAGIC) != 0 ||
        head.order != BYTE_ORDER_MARK)
        return damaged(kept);
    const char *differs = difference(&head.subject, &kept->subject);
    int points = kept->subject.point_count > 0;
    if (differs)
        return rw_fail(kept->context, RW_BAD_CALL, "%s has rays of %s; give --reuse another file", kept->path, differs);
    kept->subject = head.subject;
    for (size_t i = 0; i < kept->subject.transmitter_count; i++)
        RW_TRY(read_shot(kept, &rest, &hash, &kept->shots[i]));
    for (size_t i = 0; !points && i < kept->subject.transmitter_count; i++)
        drop_points(&kept->shots[i]);
    return hash == head.body_hash && rest.left == 0 ? RW_OK : damaged(kept);
}

rw_status rw_kept_tiles_read(rw_kept_tiles *kept)
{
    file_rest rest;
    const unsigned char *bytes;
    size_t size;
    RW_TRY(rw_file_map(kept->context, kept->path, &bytes, &size));
    rest = (file_rest){bytes, size};
    rw_status status = read_body(kept, rest);
    rw_file_unmap(bytes, size);
    return status;
}
