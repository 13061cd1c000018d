#include "models/tiles/database/database.h"

#include "base/memory.h"
#include "discretise/identity.h"
#include "visibility/tiles/tile_sight.k.h"

#include <stdlib.h>
#include <string.h>

/* Lines that pass a changed box within this are asked again. */
static const double margin_m = 0.05;

typedef struct numbered_key {
    uint64_t key;
    uint32_t number;
} numbered_key;

static int compare_numbered_keys(const void *a, const void *b)
{
    const numbered_key *first = a, *second = b;
    if (first->key != second->key)
        return first->key < second->key ? -1 : 1;
    return first->number < second->number ? -1 : first->number > second->number;
}

/* Calls visit with the numbers of equal keys of both lists, RW_NO_TILE for one that the other list has not. Keys that a
 * list has twice belong to nothing. */
typedef rw_status (*pair_visitor)(void *user, uint32_t old_number, uint32_t new_number);

static size_t equal_key_run(const numbered_key *keys, size_t at, size_t count)
{
    size_t length = 1;
    while (at + length < count && keys[at + length].key == keys[at].key)
        length++;
    return length;
}

static rw_status visit_run(const numbered_key *old_keys, size_t old_run, const numbered_key *new_keys, size_t new_run,
                           pair_visitor visit, void *user)
{
    if (old_run == 1 && new_run == 1)
        return visit(user, old_keys->number, new_keys->number);
    for (size_t i = 0; i < old_run; i++)
        RW_TRY(visit(user, old_keys[i].number, RW_NO_TILE));
    for (size_t i = 0; i < new_run; i++)
        RW_TRY(visit(user, RW_NO_TILE, new_keys[i].number));
    return RW_OK;
}

static rw_status merge_numbered_keys(numbered_key *old_keys, size_t old_count, numbered_key *new_keys, size_t new_count,
                                     pair_visitor visit, void *user)
{
    size_t old_at = 0, new_at = 0;
    rw_sort(old_keys, old_count, sizeof *old_keys, compare_numbered_keys);
    rw_sort(new_keys, new_count, sizeof *new_keys, compare_numbered_keys);
    while (old_at < old_count || new_at < new_count) {
        int has_old = old_at < old_count && (new_at == new_count || old_keys[old_at].key <= new_keys[new_at].key);
        int has_new = new_at < new_count && (old_at == old_count || new_keys[new_at].key <= old_keys[old_at].key);
        size_t old_run = has_old ? equal_key_run(old_keys, old_at, old_count) : 0;
        size_t new_run = has_new ? equal_key_run(new_keys, new_at, new_count) : 0;
        RW_TRY(visit_run(old_keys + old_at, old_run, new_keys + new_at, new_run, visit, user));
        old_at += old_run;
        new_at += new_run;
    }
    return RW_OK;
}

/* Keys lie stride bytes apart. */
static rw_status match_keys(rw_context *context, const uint64_t *old_keys, size_t old_count, const uint64_t *new_keys,
                            size_t new_count, size_t stride, pair_visitor visit, void *user)
{
    numbered_key *sorted;
    RW_TRY(rw_array_create(context, old_count + new_count + 1, sizeof *sorted, "keys", &sorted));
    for (size_t i = 0; i < old_count; i++)
        sorted[i] = (numbered_key){*(const uint64_t *)((const char *)old_keys + i * stride), (uint32_t)i};
    for (size_t i = 0; i < new_count; i++)
        sorted[old_count + i] = (numbered_key){*(const uint64_t *)((const char *)new_keys + i * stride), (uint32_t)i};
    rw_status status = merge_numbered_keys(sorted, old_count, sorted + old_count, new_count, visit, user);
    free(sorted);
    return status;
}

typedef struct change_maker {
    const rw_scene *scene;
    rw_tile_file *old;
    const rw_tile_identity *identity;
    uint32_t *renumbered; /* of each old tile: its new number */
    rw_tile_change *change;
} change_maker;

static rw_status note_tile(void *user, uint32_t old_number, uint32_t new_number)
{
    change_maker *maker = user;
    if (old_number != RW_NO_TILE)
        maker->renumbered[old_number] = new_number;
    if (old_number != RW_NO_TILE && new_number != RW_NO_TILE) {
        maker->change->existing[new_number / RW_TILE_BLOCK] |= 1u << new_number % RW_TILE_BLOCK;
        maker->change->existing_count++;
    }
    return RW_OK;
}

static rw_status note_obstacle(void *user, uint32_t old_number, uint32_t new_number)
{
    change_maker *maker = user;
    if (old_number != RW_NO_TILE && new_number != RW_NO_TILE)
        return RW_OK;
    const rw_tile_obstacle *one =
        old_number != RW_NO_TILE ? &maker->old->obstacles[old_number] : &maker->identity->obstacles[new_number];
    rw_vec2 shift = rw_vec2_add(maker->scene->origin, maker->scene->prepared->grid.centre);
    RW_TRY(RW_ARRAY_RESERVE(maker->scene->context, maker->change->boxes, 1, "changes"));
    maker->change->boxes.items[maker->change->boxes.count++] =
        (rw_changed_box){one->west - shift.x - margin_m, one->south - shift.y - margin_m,
                         one->east - shift.x + margin_m, one->north - shift.y + margin_m, one->top + margin_m};
    return RW_OK;
}

/* Every pair of the old rows whose tiles are still there: counted into firsts, then entered. */
static void renumber_pairs(const change_maker *maker, const rw_tile_half *half, uint64_t *counts, uint32_t *others)
{
    for (uint32_t row = 0; row < half->row_count; row++) {
        uint32_t first = maker->renumbered[row];
        for (uint64_t i = half->firsts.items[row]; i < half->firsts.items[row + 1] && first != RW_NO_TILE; i++)
            for (uint32_t bits = half->masks.items[i]; bits; bits &= bits - 1) {
                uint32_t second = maker->renumbered[half->blocks.items[i] * RW_TILE_BLOCK + rw_lowest_bit(bits)];
                if (second == RW_NO_TILE)
                    continue;
                uint32_t low = first < second ? first : second;
                if (others)
                    others[counts[low]] = first < second ? second : first;
                counts[low]++;
            }
    }
}

static rw_status preserve_pairs(const change_maker *maker, const rw_tile_half *half)
{
    rw_context *context = maker->scene->context;
    rw_tile_change *change = maker->change;
    size_t count = maker->identity->subject.tile_count;
    uint64_t sum = 0, *cursors;
    RW_TRY(rw_array_create(context, count + 1, sizeof *change->firsts, "rows of tiles", &change->firsts));
    RW_TRY(rw_array_create(context, count + 1, sizeof *cursors, "rows of tiles", &cursors));
    renumber_pairs(maker, half, cursors, NULL);
    for (size_t i = 0; i < count; i++) {
        uint64_t pairs = cursors[i];
        cursors[i] = change->firsts[i] = sum;
        sum += pairs;
    }
    change->firsts[count] = sum;
    rw_status status = rw_array_create(context, sum, sizeof *change->others, "rows of tiles", &change->others);
    if (status == RW_OK)
        renumber_pairs(maker, half, cursors, change->others);
    free(cursors);
    return status;
}

static rw_status check_same_surroundings(const rw_scene *scene, const rw_tile_file *old, const char *old_path)
{
    if (old->subject.terrain == rw_scene_terrain_identity(scene))
        return RW_OK;
    return rw_fail(scene->context, RW_BAD_INPUT,
                   "%s is of another terrain or other meshes; only buildings may differ: leave out update", old_path);
}

rw_status rw_tile_change_check(const rw_scene *scene, const char *old_path)
{
    rw_tile_file old;
    RW_TRY(rw_tile_file_open(scene->context, old_path, &old));
    rw_status status = check_same_surroundings(scene, &old, old_path);
    rw_tile_file_close(&old);
    return status;
}

static rw_status compare_tile_databases(change_maker *maker, const char *old_path)
{
    rw_context *context = maker->scene->context;
    const rw_tile_subject *old = &maker->old->subject, *now = &maker->identity->subject;
    rw_tile_half half;
    RW_TRY(check_same_surroundings(maker->scene, maker->old, old_path));
    RW_TRY(match_keys(context, maker->old->keys, old->tile_count, maker->identity->keys, now->tile_count,
                      sizeof *maker->identity->keys, note_tile, maker));
    RW_TRY(match_keys(context, &maker->old->obstacles->key, old->obstacle_count, &maker->identity->obstacles->key,
                      now->obstacle_count, sizeof *maker->identity->obstacles, note_obstacle, maker));
    RW_TRY(rw_tile_file_read(maker->old, &half));
    rw_status status = preserve_pairs(maker, &half);
    rw_tile_half_free(&half);
    return status;
}

rw_status rw_tile_change_find(const rw_scene *scene, const rw_tile_identity *identity, const char *old_path,
                              rw_tile_change *change)
{
    rw_context *context = scene->context;
    rw_tile_file old;
    *change = (rw_tile_change){0};
    change_maker maker = {.scene = scene, .old = &old, .identity = identity, .change = change};
    RW_TRY(rw_tile_file_open(context, old_path, &old));
    size_t blocks = identity->subject.tile_count / RW_TILE_BLOCK + 1;
    rw_status status = rw_array_create(context, blocks, sizeof *change->existing, "tiles", &change->existing);
    if (status == RW_OK)
        status = rw_array_create(context, old.subject.tile_count, sizeof *maker.renumbered, "tiles", &maker.renumbered);
    if (status == RW_OK)
        status = compare_tile_databases(&maker, old_path);
    free(maker.renumbered);
    rw_tile_file_close(&old);
    if (status != RW_OK)
        rw_tile_change_free(change);
    return status;
}

void rw_tile_change_free(rw_tile_change *change)
{
    free(change->boxes.items);
    free(change->existing);
    free(change->firsts);
    free(change->others);
    *change = (rw_tile_change){0};
}
