/* Which tiles points in the air see: transmitters (first-level visibility, Lu et al. 2019, section II.B) and receivers.
 *
 * One item is a point and a block of tiles, and its answer one word. A tile is seen where it faces the point and the
 * line between the two is free, as for pairs of tiles (tile_pairs.k.h). Where there are many points, horizons say of
 * most blocks that they are hidden (tile_horizons.k.h). */
#ifndef RW_VISIBILITY_TILES_SEE_FROM_POINTS_K_H
#define RW_VISIBILITY_TILES_SEE_FROM_POINTS_K_H

#include "visibility/tiles/tile_pairs.k.h"

struct rw_see_from_points_args {
    rw_tile_geometry_view world;
    const rw_vec3 *points;
    const rw_tile_horizon *horizons; /* of each point; NULL: not known */
    const rw_tile *tiles;            /* a tile is seen where its middle or a corner is; NULL: its middle alone counts */
    float radius_m;                  /* of the largest of them */
    uint32_t *words;                 /* of each point and block */
};

/* Whether a point sees some corner of a tile, a little inside. */
RW_RARE_FN int rw_point_sees_corner(const rw_tile_geometry_view *geometry, rw_vec3 from, const rw_tile_horizon *horizon,
                                    const rw_tile *tile, uint32_t *likely)
{
    if (!rw_tile_faces(tile, from))
        return 0;
    for (int i = 0; i < 4; i++) {
        rw_vec3 offset = rw_vec3_sub(rw_tile_corner(tile, i), tile->centre);
        rw_vec3 at = rw_vec3_add(rw_tile_point(tile), rw_vec3_scale(offset, 0.95)), to = rw_vec3_sub(at, from);
        if (horizon && rw_horizon_hides_point(horizon, (float)to.x, (float)to.y, (float)to.z))
            continue;
        if (rw_line_clear_next(geometry, at, from, likely))
            return 1;
    }
    return 0;
}

/* Whether a point sees a tile; horizon may be NULL. */
RW_FN int rw_point_sees(const rw_tile_geometry_view *geometry, rw_vec3 from, const rw_tile_horizon *horizon,
                        uint32_t tile, uint32_t *likely)
{
    const rw_tile_eye *eye = geometry->eyes + tile;
    rw_vec3 at = rw_eye_point(eye), offset = rw_vec3_sub(at, from);
    if (!(rw_vec3_dot(eye->normal, rw_vec3_sub(from, eye->centre)) > RW_TILE_FACING_M))
        return 0;
    if (horizon && rw_horizon_hides_point(horizon, (float)offset.x, (float)offset.y, (float)offset.z))
        return 0;
    if (geometry->horizons &&
        rw_horizon_hides_point(geometry->horizons + tile, -(float)offset.x, -(float)offset.y, -(float)offset.z))
        return 0;
    return rw_line_clear_next(geometry, at, from, likely);
}

RW_FN void rw_see_from_points_item(const struct rw_see_from_points_args *args, size_t item)
{
    const rw_tile_geometry_view *geometry = &args->world;
    size_t point = item / geometry->block_count;
    uint32_t first = (uint32_t)(item - point * geometry->block_count) * RW_TILE_BLOCK, seen = 0;
    uint32_t likely = RW_NO_TRIANGLE;
    rw_vec3 from = args->points[point];
    const rw_tile_horizon *horizon = args->horizons ? args->horizons + point : 0;
    float margin_m = args->tiles ? RW_BLOCK_MARGIN_M + args->radius_m : RW_BLOCK_MARGIN_M;
    if (!horizon || !rw_block_hidden_round(horizon, from, geometry->blocks + first / RW_TILE_BLOCK, margin_m))
        for (uint32_t i = 0; i < RW_TILE_BLOCK && first + i < geometry->tile_count; i++)
            if (rw_point_sees(geometry, from, horizon, first + i, &likely) ||
                (args->tiles && rw_point_sees_corner(geometry, from, horizon, args->tiles + first + i, &likely)))
                seen |= 1u << i;
    args->words[item] = seen;
}

/* Whether a point in the air sees another: one item is one point. */
struct rw_see_between_args {
    rw_tile_geometry_view world;
    const rw_vec3 *points;
    rw_vec3 from;
    uint8_t *seen;
};

RW_FN void rw_see_between_item(const struct rw_see_between_args *args, size_t item)
{
    args->seen[item] = (uint8_t)rw_line_clear(&args->world, args->points[item], args->from);
}

#endif
