#include "models/images/images.h"

#include "base/maths/hash.h"
#include "base/memory.h"
#include "discretise/scene_cache.h"

#include <stdlib.h>
#include <string.h>

static void release_found_batch(rw_found_batch *batch)
{
    free(batch->steps);
    free(batch->sides);
    free(batch->pairs);
}

static void release_found_batches(rw_found_pairs *found)
{
    for (size_t i = 0; i < found->batches.count; i++)
        release_found_batch(&found->batches.items[i]);
    found->batches.count = 0;
}

static void destroy_found_pairs(void *value)
{
    rw_found_pairs *found = value;
    release_found_batches(found);
    free(found->batches.items);
    free(found);
}

static double found_pairs_bytes(const void *value)
{
    return ((const rw_found_pairs *)value)->bytes;
}

static const rw_cache_kind found_kind = {"paths of receivers", 4, destroy_found_pairs};

rw_status rw_found_pairs_key_add(rw_context *context, const rw_points_view *points, const rw_images_options *options,
                                 rw_view_levels_key *key)
{
    size_t bytes = points->count * sizeof *points->positions;
    const uint64_t words[] = {points->count, rw_hash(RW_HASH_START, points->positions, bytes),
                              rw_hash(1, points->positions, bytes), (uint64_t)options->direct_always};
    char *longer;
    RW_TRY(rw_array_create(context, key->size + sizeof words, 1, "views", &longer));
    memcpy(longer, key->bytes, key->size);
    memcpy(longer + key->size, words, sizeof words);
    free(key->bytes);
    key->bytes = longer;
    key->size += sizeof words;
    return RW_OK;
}

rw_found_pairs *rw_found_pairs_borrow(const rw_scene *scene, const rw_view_levels_key *key)
{
    return rw_scene_cache_borrow(scene, &found_kind, key->bytes, key->size);
}

void rw_found_pairs_return(const rw_scene *scene, const rw_view_levels_key *key, rw_found_pairs *found)
{
    if (found && found->complete) {
        rw_scene_cache_return(scene, &found_kind, key->bytes, key->size, found);
        rw_scene_cache_limit(scene, &found_kind, found_pairs_bytes, rw_views_stored_bytes(RW_BACKEND_CPU));
    } else if (found)
        destroy_found_pairs(found);
}

rw_status rw_found_pairs_create(rw_context *context, rw_found_pairs **found)
{
    RW_TRY(rw_array_create(context, 1, sizeof **found, "paths", found));
    (*found)->max_bytes = rw_views_stored_bytes(RW_BACKEND_CPU);
    return RW_OK;
}

/* Numbers the views that have pairs, in their order; numbers has one entry for each view from first on. */
static size_t number_views(uint32_t *numbers, size_t first, size_t count, const rw_view_pair *pairs, size_t pair_count)
{
    uint32_t views = 0;
    memset(numbers, 0, count * sizeof *numbers);
    for (size_t i = 0; i < pair_count; i++)
        if (pairs[i].view != RW_NO_VIEW)
            numbers[pairs[i].view - first] = 1;
    for (size_t i = 0; i < count; i++) {
        uint32_t has = numbers[i];
        numbers[i] = has ? views : RW_NO_VIEW;
        views += has;
    }
    return views;
}

static size_t count_found(const rw_view_pair *pairs, size_t count)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++)
        found += pairs[i].view != RW_NO_VIEW;
    return found;
}

/* Copies the views that have numbers, and the pairs. */
static void copy_found(const rw_view_batch *batch, const uint32_t *numbers, size_t first, size_t count,
                       const rw_view_pair *pairs, size_t pair_count, rw_found_batch *copy)
{
    size_t level = (size_t)batch->level, to = 0;
    for (size_t i = 0; i < count; i++) {
        if (numbers[i] == RW_NO_VIEW)
            continue;
        copy->sides[numbers[i]] = batch->views[first + i].side;
        memcpy(copy->steps + numbers[i] * level, batch->steps + (first + i) * level, level * sizeof *copy->steps);
    }
    for (size_t i = 0; i < pair_count; i++)
        if (pairs[i].view != RW_NO_VIEW)
            copy->pairs[to++] = (rw_view_pair){numbers[pairs[i].view - first], pairs[i].point};
}

static rw_status append_found_batch(rw_context *context, rw_found_pairs *found, const rw_view_batch *batch,
                                    size_t first, size_t count, const rw_view_pair *pairs, size_t pair_count,
                                    uint32_t *numbers)
{
    rw_found_batch copy = {.level = batch->level, .pair_count = count_found(pairs, pair_count)};
    copy.view_count = number_views(numbers, first, count, pairs, pair_count);
    RW_TRY(RW_ARRAY_RESERVE(context, found->batches, 1, "paths"));
    rw_status status =
        rw_array_create(context, copy.view_count * (size_t)batch->level + 1, sizeof *copy.steps, "paths", &copy.steps);
    if (status == RW_OK)
        status = rw_array_create(context, copy.view_count + 1, sizeof *copy.sides, "paths", &copy.sides);
    if (status == RW_OK)
        status = rw_array_create(context, copy.pair_count + 1, sizeof *copy.pairs, "paths", &copy.pairs);
    if (status != RW_OK) {
        release_found_batch(&copy);
        return status;
    }
    copy_found(batch, numbers, first, count, pairs, pair_count, &copy);
    found->batches.items[found->batches.count++] = copy;
    found->bytes += (double)copy.view_count * (double)((size_t)batch->level * sizeof *copy.steps + sizeof *copy.sides);
    return RW_OK;
}

rw_status rw_found_pairs_add(rw_context *context, rw_found_pairs *found, const rw_view_batch *batch, size_t first,
                             size_t count, const rw_view_pair *pairs, size_t pair_count)
{
    uint32_t *numbers;
    found->bytes += (double)count_found(pairs, pair_count) * sizeof *pairs;
    if (found->bytes > found->max_bytes) {
        release_found_batches(found);
        return RW_OK;
    }
    RW_TRY(rw_array_create(context, count + 1, sizeof *numbers, "paths", &numbers));
    rw_status status = append_found_batch(context, found, batch, first, count, pairs, pair_count, numbers);
    free(numbers);
    return status;
}
