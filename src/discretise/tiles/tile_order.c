/* Numbers tiles so that those of one block are near each other and look the same way: along a Hilbert curve through
 * cells of a dozen tiles, within a cell by orientation, within an orientation along the curve again. Blocks then fail a
 * facing test as a whole, and what sees a tile sees its neighbours in the block. */
#include "discretise/tiles/tile_builder.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

static const double cell_tiles = 12; /* side of a cell in sides of a tile */

typedef struct tile_sort_key {
    uint64_t key;
    uint32_t number;
} tile_sort_key;

static int compare_tile_keys(const void *a, const void *b)
{
    const tile_sort_key *first = a, *second = b;
    if (first->key != second->key)
        return first->key < second->key ? -1 : 1;
    return first->number < second->number ? -1 : first->number > second->number;
}

/* Distance along the Hilbert curve of order bits. */
static uint64_t find_hilbert_distance(uint32_t x, uint32_t y, int bits)
{
    uint64_t distance = 0;
    for (uint32_t side = 1u << (bits - 1); side > 0; side >>= 1) {
        uint32_t right = (x & side) != 0, upper = (y & side) != 0;
        distance += (uint64_t)side * side * ((3 * right) ^ upper);
        if (!upper) {
            if (right) {
                x = ~x;
                y = ~y;
            }
            uint32_t swap = x;
            x = y;
            y = swap;
        }
    }
    return distance;
}

/* Roofs, the ground, level meshes from above and from below, and walls by eighths of the compass. */
static uint64_t find_orientation(const rw_tile_maker *maker, const rw_tile *tile)
{
    uint32_t kind = maker->surfaces.items[tile->surface].kind;
    if (kind == RW_TILE_ROOF || kind == RW_TILE_GROUND)
        return kind == RW_TILE_ROOF ? 8 : 9;
    if (fabs(tile->normal.z) > 0.7)
        return tile->normal.z > 0 ? 10 : 11;
    double eighth = (atan2(tile->normal.y, tile->normal.x) + 3.14159265358979) * (8 / 6.283185307179586);
    return (uint64_t)eighth & 7u;
}

static uint64_t find_tile_key(const rw_tile_maker *maker, const rw_tile *tile)
{
    const rw_wall_grid_view *view = &maker->prepared->grid.view;
    double cell_m = cell_tiles * maker->side_m;
    double x = fmax(0, (tile->centre.x - (double)view->x0) / cell_m);
    double y = fmax(0, (tile->centre.y - (double)view->y0) / cell_m);
    double column = fmin(floor(x), 65535), row = fmin(floor(y), 65535);
    uint64_t cell = find_hilbert_distance((uint32_t)column, (uint32_t)row, 16);
    uint64_t within =
        find_hilbert_distance((uint32_t)fmin(15, (x - column) * 16), (uint32_t)fmin(15, (y - row) * 16), 4);
    return cell << 16 | find_orientation(maker, tile) << 8 | within;
}

static void renumber_tiles(rw_tile_maker *maker, const tile_sort_key *sort_keys, rw_tile *sorted, uint32_t *numbers)
{
    for (size_t i = 0; i < maker->tiles.count; i++) {
        sorted[i] = maker->tiles.items[sort_keys[i].number];
        numbers[sort_keys[i].number] = (uint32_t)i;
    }
    for (size_t i = 0; i < maker->edges.count; i++)
        for (int side = 0; side < 2; side++)
            maker->edges.items[i].tiles[side] = numbers[maker->edges.items[i].tiles[side]];
}

rw_status rw_tile_order(rw_tile_maker *maker)
{
    rw_context *context = maker->scene->context;
    size_t count = maker->tiles.count;
    tile_sort_key *sort_keys = NULL;
    rw_tile *sorted = NULL;
    uint32_t *numbers = NULL;
    rw_status status = rw_array_create(context, count + 1, sizeof *sort_keys, "the order of tiles", &sort_keys);
    if (status == RW_OK)
        status = rw_array_create(context, count + 1, sizeof *sorted, "tiles", &sorted);
    if (status == RW_OK)
        status = rw_array_create(context, count + 1, sizeof *numbers, "the order of tiles", &numbers);
    if (status == RW_OK) {
        for (size_t i = 0; i < count; i++)
            sort_keys[i] = (tile_sort_key){find_tile_key(maker, &maker->tiles.items[i]), (uint32_t)i};
        qsort(sort_keys, count, sizeof *sort_keys, compare_tile_keys);
        renumber_tiles(maker, sort_keys, sorted, numbers);
        free(maker->tiles.items);
        maker->tiles.items = sorted;
        sorted = NULL;
    }
    free(sort_keys);
    free(sorted);
    free(numbers);
    return status;
}
