/* Receivers beside the tiles: which of them see each tile or one beside it, once for all transmitters. */
#include "models/tiles/tiles.h"

#include "base/memory.h"
#include "base/progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Words of blocks that are looked at together: what lists take beside themselves. */
#define WORDS_AT_ONCE ((size_t)1 << 24)

/* The tiles that each point sees, point after point. */
typedef struct seen_lists {
    RW_ARRAY(uint32_t) tiles;
    uint32_t *counts;
} seen_lists;

static rw_status append_seen_words(const rw_tile_points *points, const uint32_t *words, size_t first, size_t count,
                                   uint32_t *row, seen_lists *seen)
{
    uint32_t blocks = points->city->world.view.block_count;
    for (size_t i = 0; i < count; i++) {
        size_t before = seen->tiles.count, bits = 0;
        rw_tile_words_widen(points->wide, words + i * blocks, blocks, row);
        for (uint32_t block = 0; block < blocks; block++)
            bits += rw_bit_count(row[block]);
        if (before + bits > UINT32_MAX)
            return rw_fail(points->city->context, RW_TOO_LARGE,
                           "%zu receivers see more tiles than can be listed; use a larger res, a smaller area or "
                           "cells nearest",
                           points->count);
        RW_TRY(RW_ARRAY_RESERVE(points->city->context, seen->tiles, bits, "points"));
        for (uint32_t block = 0; block < blocks; block++)
            for (uint32_t word = row[block]; word; word &= word - 1u)
                seen->tiles.items[seen->tiles.count++] = block * RW_TILE_BLOCK + rw_lowest_bit(word);
        seen->counts[first + i] = (uint32_t)bits;
    }
    return RW_OK;
}

/* Few points are looked from as transmitters are; horizons of all tiles would take longer. */
#define FEW_POINTS 64

/* words: of part points and one more. */
static rw_status find_seen_in_chunks(const rw_tile_points *points, size_t chunk, uint32_t *words, seen_lists *seen)
{
    uint32_t *row = words + chunk * points->city->world.view.block_count;
    int few = points->count <= FEW_POINTS;
    rw_point_visibility search = {0};
    rw_status status = few ? RW_OK : rw_point_visibility_begin(points->city, chunk, &search);
    for (size_t first = 0; status == RW_OK && first < points->count; first += chunk) {
        const rw_vec3 *from = points->points + first;
        size_t rest = points->count - first, now = chunk < rest ? chunk : rest;
        status = few ? rw_tile_city_look(points->city, from, now, 1, words)
                     : rw_point_visibility_find(&search, from, now, 1, words);
        if (status == RW_OK)
            status = append_seen_words(points, words, first, now, row, seen);
        if (status == RW_OK && !few)
            status = rw_progress(points->city->context, (double)(first + now) / (double)points->count, "cells");
    }
    if (!few)
        rw_point_visibility_end(&search);
    return status;
}

static rw_status find_points_seen(const rw_tile_points *points, seen_lists *seen)
{
    rw_context *context = points->city->context;
    size_t blocks = points->city->world.view.block_count, chunk = WORDS_AT_ONCE / blocks + 1;
    uint32_t *words;
    chunk = chunk < points->count ? chunk : points->count;
    RW_TRY(rw_array_create(context, (chunk + 1) * blocks, sizeof *words, "points", &words));
    rw_status status = rw_array_create(context, points->count, sizeof *seen->counts, "points", &seen->counts);
    if (status == RW_OK)
        status = find_seen_in_chunks(points, chunk, words, seen);
    free(words);
    return status;
}

/* From the tiles that points see to the points that see each tile. */
static rw_status invert_seen_lists(rw_tile_points *points, const seen_lists *seen)
{
    size_t tiles = points->city->tiles.view.tile_count, at = 0;
    rw_context *context = points->city->context;
    RW_TRY(rw_array_create(context, tiles + 2, sizeof *points->firsts, "points", &points->firsts));
    RW_TRY(rw_array_create(context, seen->tiles.count + 1, sizeof *points->lists, "points", &points->lists));
    for (size_t i = 0; i < seen->tiles.count; i++)
        points->firsts[seen->tiles.items[i] + 2]++;
    for (size_t i = 2; i < tiles + 2; i++)
        points->firsts[i] += points->firsts[i - 1];
    for (size_t i = 0; i < points->count; i++)
        for (uint32_t k = 0; k < seen->counts[i]; k++)
            points->lists[points->firsts[seen->tiles.items[at++] + 1]++] = (uint32_t)i;
    return RW_OK;
}

static rw_status upload_points_array(rw_tile_points *points, int slot, const void *host, size_t bytes)
{
    const rw_tile_city *city = points->city;
    RW_TRY(rw_device_alloc(city->context, city->backend, bytes + 1, "points", &points->copies[slot]));
    return rw_device_upload(city->context, city->backend, points->copies[slot], host, bytes);
}

static rw_status build_tile_points(rw_tile_points *points, const rw_vec3 *from)
{
    seen_lists seen = {0};
    size_t tiles = points->city->tiles.view.tile_count;
    RW_TRY(rw_array_create(points->city->context, points->count, sizeof *points->points, "points", &points->points));
    memcpy(points->points, from, points->count * sizeof *from);
    rw_status status = find_points_seen(points, &seen);
    if (status == RW_OK)
        status = invert_seen_lists(points, &seen);
    free(seen.tiles.items);
    free(seen.counts);
    RW_TRY(status);
    RW_TRY(upload_points_array(points, 0, points->points, points->count * sizeof *points->points));
    RW_TRY(upload_points_array(points, 1, points->firsts, (tiles + 1) * sizeof *points->firsts));
    return upload_points_array(points, 2, points->lists, points->firsts[tiles] * sizeof *points->lists);
}

rw_status rw_tile_points_create(const rw_tile_city *city, const rw_vec3 *points, size_t count,
                                rw_tile_points *tile_points)
{
    *tile_points = (rw_tile_points){.city = city, .count = count};
    rw_status status = count > 0 ? rw_tile_wide_acquire(city, &tile_points->wide) : RW_OK;
    if (status == RW_OK && count > 0)
        status = build_tile_points(tile_points, points);
    if (status != RW_OK)
        rw_tile_points_destroy(tile_points);
    return status;
}

rw_status rw_tile_points_of(const rw_prediction *prediction, const rw_tile_city *city, rw_tile_points *tile_points)
{
    const rw_receivers_view *view = &prediction->receivers.view;
    rw_vec3 *points;
    RW_TRY(rw_array_create(city->context, view->outdoor_count + 1, sizeof *points, "receivers", &points));
    for (size_t i = 0; i < view->outdoor_count; i++)
        points[i] = rw_receiver_point(view, view->outdoor[i]);
    rw_status status = rw_tile_points_create(city, points, view->outdoor_count, tile_points);
    free(points);
    return status;
}

double rw_tile_points_bytes(const rw_tile_city *city, size_t count)
{
    /* with neighbours of what is seen, about half as many again; without a matrix, as many as in the paper's city */
    double tiles = fmax(city->tiles.view.tile_count, 1);
    double seen =
        1.5 * (city->sight.view.firsts ? (double)rw_tile_sight_entries(&city->sight) / tiles : fmin(tiles, 952));
    return (double)count * (seen * 2 * sizeof(uint32_t) + sizeof(rw_vec3) + sizeof(rw_ray_sums));
}

void rw_tile_points_destroy(rw_tile_points *points)
{
    for (size_t i = 0; i < sizeof points->copies / sizeof *points->copies; i++)
        if (points->copies[i])
            rw_device_free(points->city->backend, points->copies[i]);
    rw_tile_wide_release(points->wide);
    free(points->points);
    free(points->firsts);
    free(points->lists);
    *points = (rw_tile_points){0};
}
