/* Visibility of tiles while rays are followed, for comparison: every leg is tested when it is needed and nothing is
 * kept (section III.B of Lu et al. 2019: "online"). Answers are those of the matrix.
 *
 * A scene without rows (sight.firsts is NULL) is one without a matrix. Words of blocks are then found here, of the
 * tiles alone that a ray may reach. */
#ifndef RW_MODELS_TILES_ONLINE_SIGHT_K_H
#define RW_MODELS_TILES_ONLINE_SIGHT_K_H

#include "models/tiles/tile_ray.k.h"

/* The line of a pair is tested from its lower number, as in the matrix. */
RW_RARE_FN int rw_tiles_see_now(const rw_tile_geometry_view *geometry, uint32_t a, uint32_t b)
{
    const rw_tile_eye *first = geometry->eyes + (a < b ? a : b), *second = geometry->eyes + (a < b ? b : a);
    return a != b && rw_eyes_face(first, second) && rw_line_clear(geometry, rw_eye_point(first), rw_eye_point(second));
}

/* Whether a tile sees another, by the matrix where there is one. */
RW_FN int rw_rays_see(const rw_tile_scene *scene, const rw_tile_geometry_view *geometry, uint32_t a, uint32_t b)
{
    return scene->sight.firsts ? rw_tile_sees(&scene->sight, a, b) : rw_tiles_see_now(geometry, a, b);
}

/* Whether the wider row of a tile would have another: the tile or a neighbour sees it, or the tile sees one whose
 * neighbour it is. */
RW_RARE_FN int rw_tiles_see_wide_now(const rw_tile_scene *scene, const rw_tile_geometry_view *geometry, uint32_t tile,
                                     uint32_t other)
{
    if (rw_tiles_see_now(geometry, tile, other))
        return 1;
    for (int side = 0; side < RW_TILE_NEIGHBOURS; side++) {
        uint32_t neighbour = scene->neighbours[(size_t)tile * RW_TILE_NEIGHBOURS + (size_t)side];
        if (neighbour < RW_TILE_CLAIMED && rw_tiles_see_now(geometry, neighbour, other))
            return 1;
    }
    for (uint32_t i = scene->reverse_firsts[other]; i < scene->reverse_firsts[other + 1]; i++)
        if (rw_tiles_see_now(geometry, tile, scene->reverse_neighbours[i]))
            return 1;
    return 0;
}

/* Bits of the tiles of a block that exist. */
RW_FN uint32_t rw_block_bits(const rw_tile_geometry_view *geometry, uint32_t block)
{
    uint32_t rest = geometry->tile_count - block * RW_TILE_BLOCK;
    return rest < RW_TILE_BLOCK ? (1u << rest) - 1u : 0xffffffffu;
}

#endif
