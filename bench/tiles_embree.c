/* Embree on the lines that tile visibility asks: all pairs of a small city that face each other.
 *
 * Embree gets the lines ready made, in arrays, in the order of rows; ours finds them itself, from all pairs. Its scene
 * has two triangles a wall, down to below the ground, and no roofs, which no line needs (tile_pairs.k.h). Stated edge
 * cases: it decides in float, so lines that pass an edge within its rounding may differ. */
#include "base/memory.h"
#include "bench/groups.h"
#include "bench/bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char group[] = "tiles";

typedef struct line_list {
    RW_ARRAY(float) from; /* three a line */
    RW_ARRAY(float) to;
    size_t count;
} line_list;

static rw_status add_tile_line(rw_context *context, rw_vec3 from, rw_vec3 to, line_list *lines)
{
    const double ends[6] = {from.x, from.y, from.z, to.x, to.y, to.z};
    RW_TRY(RW_ARRAY_RESERVE(context, lines->from, 3, "lines"));
    RW_TRY(RW_ARRAY_RESERVE(context, lines->to, 3, "lines"));
    for (int axis = 0; axis < 3; axis++) {
        lines->from.items[lines->from.count++] = (float)ends[axis];
        lines->to.items[lines->to.count++] = (float)ends[3 + axis];
    }
    lines->count++;
    return RW_OK;
}

static rw_status list_lines(rw_context *context, const rw_cut_city *city, line_list *lines)
{
    const rw_tile *tiles = city->tiles.view.tiles;
    for (uint32_t a = 0; a < city->tiles.view.tile_count; a++)
        for (uint32_t b = a + 1; b < city->tiles.view.tile_count; b++)
            if (rw_tile_faces(&tiles[a], tiles[b].centre) && rw_tile_faces(&tiles[b], tiles[a].centre))
                RW_TRY(add_tile_line(context, rw_tile_point(&tiles[a]), rw_tile_point(&tiles[b]), lines));
    return RW_OK;
}

static rw_status build_wall_embree(rw_context *context, const rw_scene *scene, rw_embree **embree)
{
    const rw_wall_grid_view *grid = &scene->prepared->grid.view;
    float *vertices;
    uint32_t *triangles;
    RW_TRY(rw_array_create(context, 12 * grid->wall_count, sizeof *vertices, "triangles", &vertices));
    rw_status status = rw_array_create(context, 6 * grid->wall_count, sizeof *triangles, "triangles", &triangles);
    for (uint32_t i = 0; i < grid->wall_count && status == RW_OK; i++) {
        const rw_exact_wall *wall = &grid->exact[i];
        double bottom = fmax(wall->bottom, -100);
        const double corners[12] = {wall->x0, wall->y0, bottom,    wall->x1, wall->y1, bottom,
                                    wall->x1, wall->y1, wall->top, wall->x0, wall->y0, wall->top};
        const uint32_t numbers[6] = {0, 1, 2, 0, 2, 3};
        for (int k = 0; k < 12; k++)
            vertices[12 * i + (uint32_t)k] = (float)corners[k];
        for (int k = 0; k < 6; k++)
            triangles[6 * i + (uint32_t)k] = 4 * i + numbers[k];
    }
    if (status == RW_OK)
        status = rw_embree_create(context, vertices, 4 * grid->wall_count, triangles, 2 * grid->wall_count, embree);
    free(vertices);
    free(triangles);
    return status;
}

static rw_status time_embree(rw_context *context, rw_embree *embree, const line_list *lines, int packets,
                             uint8_t *clear, double *seconds)
{
    double start_s = rw_seconds();
    RW_TRY(rw_embree_clear(context, embree, lines->from.items, lines->to.items, lines->count, packets, clear));
    *seconds = fmin(*seconds, rw_seconds() - start_s);
    return RW_OK;
}

/* With horizons, which are made anew each time. */
static rw_status time_ours(const rw_cut_city *city, rw_tile_half *half, double *seconds)
{
    rw_tile_scan scan;
    rw_tile_half_free(half);
    double start_s = rw_seconds();
    RW_TRY(rw_tile_scan_create(city->scene, &city->tiles, RW_TILES_FAST, 0, &scan));
    rw_status status = rw_tile_scan_all(&scan, half);
    *seconds = fmin(*seconds, rw_seconds() - start_s);
    rw_tile_scan_destroy(&scan);
    return status;
}

/* Lines are in the order of rows, and so are the bits of words. */
static size_t count_embree_differences(const rw_cut_city *city, const rw_tile_half *half, const uint8_t *clear)
{
    const rw_tile *tiles = city->tiles.view.tiles;
    size_t line = 0, different = 0;
    for (uint32_t a = 0; a < half->row_count; a++) {
        uint64_t word = half->firsts.items[a], end = half->firsts.items[a + 1];
        for (uint32_t b = a + 1; b < half->row_count; b++) {
            if (!rw_tile_faces(&tiles[a], tiles[b].centre) || !rw_tile_faces(&tiles[b], tiles[a].centre))
                continue;
            while (word < end && half->blocks.items[word] < b / RW_TILE_BLOCK)
                word++;
            int ours = word < end && half->blocks.items[word] == b / RW_TILE_BLOCK &&
                       half->masks.items[word] >> b % RW_TILE_BLOCK & 1u;
            different += ours != clear[line++];
        }
    }
    return different;
}

static rw_status compare_embree_times(const rw_bench *out, rw_context *context, const rw_cut_city *city,
                                      rw_embree *embree)
{
    line_list lines = {0};
    rw_tile_half half = {0};
    uint8_t *clear = NULL;
    double single_s = INFINITY, packets_s = INFINITY, ours_s = INFINITY;
    rw_status status = list_lines(context, city, &lines);
    if (status == RW_OK)
        status = rw_array_create(context, lines.count, 1, "answers", &clear);
    for (int i = 0; i < 9 && status == RW_OK; i++) { /* in turn, so that a busy machine is busy for all */
        status = time_ours(city, &half, &ours_s);
        if (status == RW_OK)
            status = time_embree(context, embree, &lines, 0, clear, &single_s);
        if (status == RW_OK)
            status = time_embree(context, embree, &lines, 1, clear, &packets_s);
    }
    size_t different = status == RW_OK ? count_embree_differences(city, &half, clear) : 0;
    if (status == RW_OK && (double)different > 1e-4 * (double)lines.count)
        status =
            rw_fail(context, RW_INTERNAL, "%zu of %zu lines are answered otherwise by Embree", different, lines.count);
    if (status == RW_OK) {
        char note[200];
        snprintf(note, sizeof note,
                 "%zu lines: ours %.3g s with facing tests, Embree %.3g s one by one, %.3g s by sixteen; %zu differ",
                 lines.count, ours_s, single_s, packets_s, different);
        rw_bench_add_result(out, group, "times as fast as Embree, cpu", fmin(single_s, packets_s) / ours_s, "x", NAN, 2,
                            note);
    }
    free(lines.from.items);
    free(lines.to.items);
    free(clear);
    rw_tile_half_free(&half);
    return status;
}

rw_status rw_bench_tiles_embree(const rw_bench *out, rw_context *context, const rw_cut_city *city)
{
    rw_embree *embree;
    rw_status status = build_wall_embree(context, city->scene, &embree);
    if (status == RW_UNSUPPORTED)
        return RW_OK;
    RW_TRY(status);
    status = compare_embree_times(out, context, city, embree);
    rw_embree_destroy(embree);
    return status;
}
