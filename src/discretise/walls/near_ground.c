/* The highest terrain near each corner, as a bound on what stands between the corner and others. Posts are joined in
 * square blocks; the highest of the blocks around a corner, row by row and then column by column, costs the same for a
 * hundred corners as for a million. */
#include "discretise/walls/walls.h"

#include "base/memory.h"
#include "discretise/prepared.h"

#include <math.h>
#include <stdlib.h>

#define BLOCKS_PER_SIDE 512  /* at most */
#define BLOCKS_PER_REACH 8.0 /* at most */

typedef struct ground_blocks {
    size_t columns, rows;
    size_t posts_x, posts_y; /* of a block */
    size_t near_x, near_y;   /* blocks to each side that a corner's reach touches */
    float *highest, *in_rows;
} ground_blocks;

/* Posts of a block along one side: near_m has BLOCKS_PER_REACH blocks at most, and the raster BLOCKS_PER_SIDE. */
static size_t posts_per_block(size_t posts, double spacing_m, double near_m)
{
    double wanted = fmax(floor(near_m / (BLOCKS_PER_REACH * spacing_m)), 1);
    return (size_t)fmax(fmin(wanted, (double)posts), ceil((double)posts / BLOCKS_PER_SIDE));
}

static ground_blocks lay_out_blocks(const rw_raster *terrain, double near_m)
{
    ground_blocks blocks = {.posts_x = posts_per_block(terrain->columns, fabs(terrain->dx_m), near_m),
                            .posts_y = posts_per_block(terrain->rows, fabs(terrain->dy_m), near_m)};
    blocks.columns = (terrain->columns + blocks.posts_x - 1) / blocks.posts_x;
    blocks.rows = (terrain->rows + blocks.posts_y - 1) / blocks.posts_y;
    /* a post more, since between two posts the ground is as high as either */
    double reach_x = ceil((near_m / fabs(terrain->dx_m) + 1) / (double)blocks.posts_x),
           reach_y = ceil((near_m / fabs(terrain->dy_m) + 1) / (double)blocks.posts_y);
    blocks.near_x = (size_t)fmin(reach_x, (double)blocks.columns);
    blocks.near_y = (size_t)fmin(reach_y, (double)blocks.rows);
    return blocks;
}

static void find_highest_posts(const rw_raster *terrain, ground_blocks *blocks)
{
    for (size_t i = 0; i < blocks->columns * blocks->rows; i++)
        blocks->highest[i] = -INFINITY;
    for (size_t row = 0; row < terrain->rows; row++)
        for (size_t column = 0; column < terrain->columns; column++) {
            float *block = blocks->highest + row / blocks->posts_y * blocks->columns + column / blocks->posts_x;
            *block = fmaxf(*block, terrain->values[row * terrain->columns + column]);
        }
}

/* The highest of 2 near + 1 neighbours along one side, count of them, each stride after the last. */
static void spread_highest(const float *from, float *to, size_t count, size_t stride, size_t near)
{
    for (size_t i = 0; i < count; i++) {
        size_t first = i > near ? i - near : 0, last = i + near < count ? i + near : count - 1;
        float highest = from[first * stride];
        for (size_t k = first + 1; k <= last; k++)
            highest = fmaxf(highest, from[k * stride]);
        to[i * stride] = highest;
    }
}

static void spread_blocks(ground_blocks *blocks)
{
    for (size_t row = 0; row < blocks->rows; row++)
        spread_highest(blocks->highest + row * blocks->columns, blocks->in_rows + row * blocks->columns,
                       blocks->columns, 1, blocks->near_x);
    for (size_t column = 0; column < blocks->columns; column++)
        spread_highest(blocks->in_rows + column, blocks->highest + column, blocks->rows, blocks->columns,
                       blocks->near_y);
}

static size_t find_block(double at_m, double first_m, double spacing_m, size_t posts, size_t posts_of_block)
{
    double post = fmin(fmax((at_m - first_m) / spacing_m, 0), (double)(posts - 1));
    return (size_t)post / posts_of_block;
}

rw_status rw_find_near_ground(const rw_scene *scene, const struct rw_prepared *prepared, double near_m,
                              rw_corner_list *list)
{
    const rw_raster *terrain = &scene->terrain;
    if (list->count == 0)
        return RW_OK;
    ground_blocks blocks = lay_out_blocks(terrain, near_m);
    size_t count = blocks.columns * blocks.rows;
    rw_status status = rw_array_create(scene->context, count, sizeof(float), "ground", &blocks.highest);
    if (status == RW_OK)
        status = rw_array_create(scene->context, count, sizeof(float), "ground", &blocks.in_rows);
    if (status == RW_OK) {
        find_highest_posts(terrain, &blocks);
        spread_blocks(&blocks);
    }
    for (size_t i = 0; i < list->count && status == RW_OK; i++) {
        rw_corner *corner = &list->items[i];
        rw_vec2 at = rw_vec2_add(rw_vec2_of(corner->x, corner->y), prepared->grid.centre);
        size_t column = find_block(at.x, terrain->x0_m, terrain->dx_m, terrain->columns, blocks.posts_x);
        size_t row = find_block(at.y, terrain->y0_m, terrain->dy_m, terrain->rows, blocks.posts_y);
        corner->near_ground = blocks.highest[row * blocks.columns + column];
    }
    free(blocks.highest);
    free(blocks.in_rows);
    return status;
}
