/* Triangular tiles: each parallelogram is cut along a diagonal, after edges have found their parents. The paper names
 * triangles beside rectangles (Lu and others 2019, section III.A). */
#include "discretise/tiles/tile_builder.h"

#include "base/memory.h"

#include <math.h>

/* Share of the sum of both half sides at which a point lies from the middle of a parallelogram. */
static double along_diagonal(const rw_tile *tile, rw_vec3 point)
{
    rw_vec3 u = {(double)tile->half_u[0], (double)tile->half_u[1], (double)tile->half_u[2]};
    rw_vec3 v = {(double)tile->half_v[0], (double)tile->half_v[1], (double)tile->half_v[2]};
    rw_vec3 offset = rw_vec3_sub(point, tile->centre);
    double uu = rw_vec3_dot(u, u), uv = rw_vec3_dot(u, v), vv = rw_vec3_dot(v, v);
    double au = rw_vec3_dot(offset, u), av = rw_vec3_dot(offset, v);
    return (au * (vv - uv) + av * (uu - uv)) / (uu * vv - uv * uv);
}

/* The half of each parent that the edge is a side of. */
static void move_edges(rw_tile_maker *maker, size_t count)
{
    for (size_t i = 0; i < maker->edges.count; i++) {
        rw_tile_edge *edge = &maker->edges.items[i];
        rw_vec3 middle = rw_vec3_scale(rw_vec3_add(edge->from, edge->to), 0.5);
        for (int k = 0; k < 2; k++)
            if (along_diagonal(&maker->tiles.items[edge->tiles[k]], middle) >= 0)
                edge->tiles[k] += (uint32_t)count;
    }
}

static rw_tile halve_parallelogram(const rw_tile *parallelogram, uint32_t half)
{
    rw_tile tile = *parallelogram;
    double shift = half == RW_TILE_LOWER ? -1.0 / 3.0 : 1.0 / 3.0;
    tile.centre.x += shift * ((double)parallelogram->half_u[0] + (double)parallelogram->half_v[0]);
    tile.centre.y += shift * ((double)parallelogram->half_u[1] + (double)parallelogram->half_v[1]);
    tile.centre.z += shift * ((double)parallelogram->half_u[2] + (double)parallelogram->half_v[2]);
    tile.area_m2 *= 0.5f;
    tile.half = half;
    return tile;
}

rw_status rw_tile_triangles(rw_tile_maker *maker)
{
    size_t count = maker->tiles.count;
    if (!maker->options.triangles)
        return RW_OK;
    if (count >= UINT32_MAX / 4)
        return rw_fail(maker->scene->context, RW_TOO_LARGE, "more than 2^31 tiles; raise tile-area");
    RW_TRY(RW_ARRAY_RESERVE(maker->scene->context, maker->tiles, count, "tiles"));
    move_edges(maker, count);
    for (size_t i = 0; i < count; i++) {
        rw_tile parallelogram = maker->tiles.items[i];
        maker->tiles.items[i] = halve_parallelogram(&parallelogram, RW_TILE_LOWER);
        maker->tiles.items[count + i] = halve_parallelogram(&parallelogram, RW_TILE_UPPER);
    }
    maker->tiles.count = 2 * count;
    return RW_OK;
}
