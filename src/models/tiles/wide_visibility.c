/* A wider visibility, for paths to points: a tile also counts as seen where a neighbour of it is, from either side.
 *
 * Tiles see each other by their middles, as in the paper, so that of a partly shaded tile all or nothing counts. Paths
 * to points are tested whole where they end, and there it is better to have tried too many tiles than too few. Each
 * place of a path then belongs to one tile: the neighbours of a tile say where it ends. Without a matrix there are no
 * rows, and kernels find the same from the neighbours (online_sight.k.h). */
#include "models/tiles/tiles.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "discretise/scene_cache.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SIDES RW_TILE_SIDES
#define STRIDE RW_TILE_NEIGHBOURS
#define ROWS_AT_ONCE 256

/* Tiles by the cube that their centre is in. */
typedef struct tile_hash {
    const rw_tiles_view *tiles;
    double side_m;
    uint32_t *heads, *next;
    size_t mask;
} tile_hash;

static size_t slot_of(const tile_hash *hash, uint32_t surface, const long cube[3])
{
    uint64_t key = surface;
    for (int axis = 0; axis < 3; axis++)
        key = (key ^ (uint64_t)cube[axis]) * 0x9e3779b97f4a7c15u + (key >> 29);
    return (size_t)(key >> 20) & hash->mask;
}

static void cube_of(const tile_hash *hash, rw_vec3 at, long cube[3])
{
    cube[0] = (long)floor(at.x / hash->side_m);
    cube[1] = (long)floor(at.y / hash->side_m);
    cube[2] = (long)floor(at.z / hash->side_m);
}

static rw_status hash_tiles(rw_context *context, const rw_tiles *tiles, tile_hash *hash)
{
    size_t count = tiles->view.tile_count, size = 1;
    long cube[3];
    while (size < 2 * count)
        size *= 2;
    *hash = (tile_hash){.tiles = &tiles->view, .side_m = sqrt(tiles->options.area_m2), .mask = size - 1};
    RW_TRY(rw_array_create(context, size, sizeof *hash->heads, "tiles", &hash->heads));
    RW_TRY(rw_array_create(context, count, sizeof *hash->next, "tiles", &hash->next));
    memset(hash->heads, 0xff, size * sizeof *hash->heads);
    for (uint32_t i = 0; i < count; i++) {
        cube_of(hash, tiles->view.tiles[i].centre, cube);
        size_t slot = slot_of(hash, tiles->view.tiles[i].surface, cube);
        hash->next[i] = hash->heads[slot];
        hash->heads[slot] = i;
    }
    return RW_OK;
}

static uint32_t find_in_cube(const tile_hash *hash, uint32_t surface, const long cube[3], rw_vec3 at, double within_m)
{
    for (uint32_t i = hash->heads[slot_of(hash, surface, cube)]; i != RW_NO_TILE; i = hash->next[i])
        if (hash->tiles->tiles[i].surface == surface &&
            rw_vec3_length(rw_vec3_sub(hash->tiles->tiles[i].centre, at)) < within_m)
            return i;
    return RW_NO_TILE;
}

/* The tile of a surface whose centre is about there. */
static uint32_t find_surface_tile(const tile_hash *hash, uint32_t surface, rw_vec3 at, double within_m)
{
    long low[3], high[3], cube[3];
    rw_vec3 reach = {within_m, within_m, within_m};
    uint32_t found = RW_NO_TILE;
    cube_of(hash, rw_vec3_sub(at, reach), low);
    cube_of(hash, rw_vec3_add(at, reach), high);
    for (cube[0] = low[0]; cube[0] <= high[0]; cube[0]++)
        for (cube[1] = low[1]; cube[1] <= high[1]; cube[1]++)
            for (cube[2] = low[2]; cube[2] <= high[2] && found == RW_NO_TILE; cube[2]++)
                found = find_in_cube(hash, surface, cube, at, within_m);
    return found;
}

/* From the middle of a parallelogram to that of the next beyond a side. */
static rw_vec3 step_over(const rw_tile *tile, int side)
{
    const float *half = side < 2 ? tile->half_u : tile->half_v;
    double sign = side % 2 ? 2 : -2;
    return rw_vec3_of(sign * (double)half[0], sign * (double)half[1], sign * (double)half[2]);
}

/* The tile of a half that a parallelogram like this one has, or would have, with its middle there. */
static uint32_t find_half(const tile_hash *hash, const rw_tile *like, uint32_t half, rw_vec3 middle, double within_m)
{
    double fraction = half == RW_TILE_LOWER ? -1.0 / 3.0 : half == RW_TILE_UPPER ? 1.0 / 3.0 : 0;
    rw_vec3 vector = {fraction * ((double)like->half_u[0] + (double)like->half_v[0]),
                      fraction * ((double)like->half_u[1] + (double)like->half_v[1]),
                      fraction * ((double)like->half_u[2] + (double)like->half_v[2])};
    return find_surface_tile(hash, like->surface, rw_vec3_add(middle, vector), within_m);
}

/* The first tile of a parallelogram. */
static uint32_t find_first_within(const tile_hash *hash, const rw_tile *like, rw_vec3 middle, double within_m)
{
    if (like->half == RW_TILE_PARALLELOGRAM)
        return find_half(hash, like, RW_TILE_PARALLELOGRAM, middle, within_m);
    uint32_t lower = find_half(hash, like, RW_TILE_LOWER, middle, within_m),
             upper = find_half(hash, like, RW_TILE_UPPER, middle, within_m);
    return lower < upper ? lower : upper;
}

/* Whether a parallelogram is the one of those round an empty place that has it: the first. */
static int claims_parallelogram(const tile_hash *hash, const rw_tile *tile, rw_vec3 middle, int side)
{
    rw_vec3 empty = rw_vec3_add(middle, step_over(tile, side));
    double near_m = 0.25 * rw_vec3_length(step_over(tile, side));
    uint32_t own = find_first_within(hash, tile, middle, near_m);
    for (int other = 0; other < SIDES; other++) {
        rw_vec3 vector = step_over(tile, other);
        if (find_first_within(hash, tile, rw_vec3_add(empty, vector), 0.25 * rw_vec3_length(vector)) < own)
            return 0;
    }
    return 1;
}

/* Whether a wall has tiles beyond a side of this one at any height: on a slope, columns begin at heights of their own,
 * and what is above or below a column belongs to that column. */
static int wall_goes_on(const tile_hash *hash, const rw_tile *tile, rw_vec3 middle, int side)
{
    const int rows = 8;
    rw_vec3 next = rw_vec3_add(middle, step_over(tile, side)), up = step_over(tile, 3);
    double within_m = fmin(0.3 * rw_vec3_length(up), 0.9 * rw_vec3_length(step_over(tile, side)));
    for (int i = -2 * rows; side < 2 && i <= 2 * rows; i++)
        if (find_first_within(hash, tile, rw_vec3_add(next, rw_vec3_scale(up, 0.5 * i)), within_m) != RW_NO_TILE)
            return 1;
    return 0;
}

/* Beyond a side: the tile that touches it, or of a triangle beyond the corner that it lacks, the same half. */
static uint32_t adjacent_half(const rw_tile *tile, int side)
{
    if (tile->half == RW_TILE_PARALLELOGRAM)
        return RW_TILE_PARALLELOGRAM;
    int touches = tile->half == RW_TILE_LOWER ? side % 2 == 0 : side % 2 == 1;
    return touches ? RW_TILE_LOWER + RW_TILE_UPPER - tile->half : tile->half;
}

static void find_neighbours(const tile_hash *hash, int uneven, uint32_t *neighbours)
{
    for (uint32_t i = 0; i < hash->tiles->tile_count; i++) {
        const rw_tile *tile = &hash->tiles->tiles[i];
        uint32_t kind = hash->tiles->surfaces[tile->surface].kind, *of_tile = neighbours + (size_t)i * STRIDE;
        rw_vec3 middle = rw_tile_parallelogram(tile).centre;
        for (int side = 0; side < SIDES; side++) {
            rw_vec3 vector = step_over(tile, side);
            of_tile[side] = find_half(hash, tile, adjacent_half(tile, side), rw_vec3_add(middle, vector),
                                      0.25 * rw_vec3_length(vector));
            if (of_tile[side] == RW_NO_TILE && ((kind == RW_TILE_WALL && !wall_goes_on(hash, tile, middle, side)) ||
                                                (kind != RW_TILE_WALL && !(kind == RW_TILE_GROUND && uneven) &&
                                                 claims_parallelogram(hash, tile, middle, side))))
                of_tile[side] = RW_TILE_CLAIMED;
        }
        uint32_t twin = RW_TILE_LOWER + RW_TILE_UPPER - tile->half;
        of_tile[SIDES] = tile->half == RW_TILE_PARALLELOGRAM
                             ? RW_NO_TILE
                             : find_half(hash, tile, twin, middle, 0.25 * rw_vec3_length(step_over(tile, 0)));
    }
}

/* Rows while they are widened: first counted, then written. */
typedef struct widening {
    rw_context *context;
    const rw_tile_sight_view *sight;
    const uint32_t *neighbours;
    size_t block_count;
    uint64_t *firsts;
    uint32_t *blocks, *masks; /* NULL: only counted */
    rw_failure failure;
} widening;

static void add_sight_row(const rw_tile_sight_view *sight, uint32_t tile, uint32_t *words)
{
    for (uint64_t i = sight->firsts[tile]; i < sight->firsts[tile + 1]; i++)
        words[sight->blocks[i]] |= sight->masks[i];
}

static void add_neighbours(const uint32_t *neighbours, uint32_t tile, uint32_t *words)
{
    for (int side = 0; side < STRIDE; side++) {
        uint32_t neighbour = neighbours[(size_t)tile * STRIDE + (size_t)side];
        if (neighbour < RW_TILE_CLAIMED)
            words[neighbour / RW_TILE_BLOCK] |= 1u << neighbour % RW_TILE_BLOCK;
    }
}

void rw_tile_words_widen(const rw_tile_wide *wide, const uint32_t *words, size_t block_count, uint32_t *widened)
{
    memcpy(widened, words, block_count * sizeof *words);
    for (size_t block = 0; block < block_count; block++)
        for (uint32_t word = words[block]; word; word &= word - 1u)
            add_neighbours(wide->neighbours, (uint32_t)block * RW_TILE_BLOCK + rw_lowest_bit(word), widened);
}

static void widen_row(const widening *to, uint32_t tile, uint32_t *words)
{
    const rw_tile_sight_view *sight = to->sight;
    add_sight_row(sight, tile, words);
    for (int side = 0; side < STRIDE; side++) {
        uint32_t neighbour = to->neighbours[(size_t)tile * STRIDE + (size_t)side];
        if (neighbour < RW_TILE_CLAIMED)
            add_sight_row(sight, neighbour, words);
    }
    for (uint64_t i = sight->firsts[tile]; i < sight->firsts[tile + 1]; i++)
        for (uint32_t mask = sight->masks[i]; mask; mask &= mask - 1u)
            add_neighbours(to->neighbours, sight->blocks[i] * RW_TILE_BLOCK + rw_lowest_bit(mask), words);
}

static void widen_rows(void *user, size_t begin, size_t end)
{
    widening *to = user;
    uint32_t *words;
    rw_status status = rw_array_create(to->context, to->block_count, sizeof *words, "rows of tiles", &words);
    if (status != RW_OK) {
        rw_failure_store(to->context, status, &to->failure);
        return;
    }
    for (size_t tile = begin; tile < end; tile++) {
        uint64_t at = to->blocks ? to->firsts[tile] : 0;
        widen_row(to, (uint32_t)tile, words);
        for (size_t block = 0; block < to->block_count; block++) {
            if (!words[block])
                continue;
            if (to->blocks) {
                to->blocks[at] = (uint32_t)block;
                to->masks[at] = words[block];
            }
            words[block] = 0;
            at++;
        }
        if (!to->blocks)
            to->firsts[tile] = at;
    }
    free(words);
}

static rw_status run_rows(widening *to)
{
    RW_TRY(rw_parallel(to->context, to->sight->tile_count, ROWS_AT_ONCE, widen_rows, to));
    return rw_failure_report(to->context, &to->failure);
}

static rw_status widen_sight_rows(const rw_tile_city *city, rw_tile_wide *wide)
{
    size_t count = city->tiles.view.tile_count;
    uint64_t sum = 0;
    widening to = {.context = city->context,
                   .sight = &city->sight.view,
                   .neighbours = wide->neighbours,
                   .block_count = city->world.view.block_count};
    RW_TRY(rw_array_create(city->context, count + 1, sizeof *to.firsts, "rows of tiles", &to.firsts));
    wide->sight.view = (rw_tile_sight_view){.firsts = to.firsts, .tile_count = (uint32_t)count};
    RW_TRY(run_rows(&to));
    for (size_t i = 0; i <= count; i++) {
        uint64_t words = i < count ? to.firsts[i] : 0;
        to.firsts[i] = sum;
        sum += words;
    }
    wide->sight.word_count = sum;
    RW_TRY(rw_array_create(city->context, sum, sizeof *to.masks, "rows of tiles", &to.masks));
    wide->sight.view.masks = to.masks;
    RW_TRY(rw_array_create(city->context, sum, sizeof *to.blocks, "rows of tiles", &to.blocks));
    wide->sight.view.blocks = to.blocks;
    return run_rows(&to);
}

static rw_status upload_tile_numbers(const rw_tile_wide *wide, rw_context *context, const uint32_t *numbers,
                                     size_t count, void **copy)
{
    RW_TRY(rw_device_alloc(context, wide->backend, (count + 1) * sizeof *numbers, "tiles", copy));
    return rw_device_upload(context, wide->backend, *copy, numbers, count * sizeof *numbers);
}

/* Neighbours the other way round: by each tile, those whose neighbour it is. */
static rw_status invert_neighbours(const rw_tile_city *city, rw_tile_wide *wide)
{
    rw_context *context = city->context;
    size_t tiles = city->tiles.view.tile_count, sides = tiles * STRIDE;
    uint32_t *firsts;
    RW_TRY(rw_array_create(context, tiles + 2, sizeof *firsts, "tiles", &firsts));
    wide->reverse_firsts = firsts;
    RW_TRY(rw_array_create(context, sides + 1, sizeof *wide->reverse_neighbours, "tiles", &wide->reverse_neighbours));
    for (size_t i = 0; i < sides; i++)
        if (wide->neighbours[i] < RW_TILE_CLAIMED)
            firsts[wide->neighbours[i] + 2]++;
    for (size_t i = 2; i < tiles + 2; i++)
        firsts[i] += firsts[i - 1];
    for (size_t i = 0; i < sides; i++)
        if (wide->neighbours[i] < RW_TILE_CLAIMED)
            wide->reverse_neighbours[firsts[wide->neighbours[i] + 1]++] = (uint32_t)(i / STRIDE);
    RW_TRY(upload_tile_numbers(wide, context, firsts, tiles + 1, &wide->device_reverse[0]));
    return upload_tile_numbers(wide, context, wide->reverse_neighbours, firsts[tiles], &wide->device_reverse[1]);
}

static rw_status build_wide_sight(const rw_tile_city *city, rw_tile_wide *wide)
{
    tile_hash hash = {0};
    size_t count = (size_t)city->tiles.view.tile_count * STRIDE;
    RW_TRY(rw_array_create(city->context, count + 1, sizeof *wide->neighbours, "tiles", &wide->neighbours));
    rw_status status = hash_tiles(city->context, &city->tiles, &hash);
    if (status == RW_OK)
        find_neighbours(&hash, city->world.view.grid.posts != NULL, wide->neighbours);
    free(hash.heads);
    free(hash.next);
    RW_TRY(status);
    RW_TRY(upload_tile_numbers(wide, city->context, wide->neighbours, count, &wide->device_neighbours));
    if (!city->sight.view.firsts)
        return invert_neighbours(city, wide);
    RW_TRY(widen_sight_rows(city, wide));
    return rw_tile_sight_upload(city->context, city->backend, &wide->sight, &wide->on_device);
}

static void destroy_wide_sight(void *value)
{
    rw_tile_wide *wide = value;
    rw_tile_sight_release(wide->backend, &wide->on_device);
    rw_tile_sight_destroy(&wide->sight);
    void *arrays[] = {wide->device_neighbours, wide->device_reverse[0], wide->device_reverse[1]};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        if (arrays[i])
            rw_device_free(wide->backend, arrays[i]);
    free(wide->reverse_firsts);
    free(wide->reverse_neighbours);
    free(wide->neighbours);
    free(wide);
}

static rw_status create_wide_sight(void *user, void **value)
{
    const rw_tile_city *city = user;
    rw_tile_wide *wide;
    RW_TRY(rw_array_create(city->context, 1, sizeof *wide, "tiles", &wide));
    wide->backend = city->backend;
    wide->scene = city->borrowed ? NULL : city->scene;
    rw_status status = build_wide_sight(city, wide);
    if (status == RW_OK)
        *value = wide;
    else
        destroy_wide_sight(wide);
    return status;
}

static const rw_cache_kind wide_kind = {"wide tiles", 1, destroy_wide_sight};

rw_status rw_tile_wide_acquire(const rw_tile_city *city, const rw_tile_wide **wide)
{
    void *value, *user = (void *)(uintptr_t)city;
    rw_tiling tiling = rw_tiling_of(&city->tiles.options);
    tiling.online = !city->sight.view.firsts;
    if (city->borrowed)
        RW_TRY(create_wide_sight(user, &value));
    else
        RW_TRY(
            rw_scene_cache_acquire(city->scene, &wide_kind, &tiling, sizeof tiling, create_wide_sight, user, &value));
    *wide = value;
    return RW_OK;
}

void rw_tile_wide_release(const rw_tile_wide *wide)
{
    if (!wide)
        return;
    if (wide->scene)
        rw_scene_cache_release(wide->scene, wide);
    else
        destroy_wide_sight((void *)(uintptr_t)wide);
}
