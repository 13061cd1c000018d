/* First-level visibility: which tiles a transmitter sees. Kernel; one item a tile. */
#ifndef RW_VISIBILITY_TILES_SEE_SOURCE_K_H
#define RW_VISIBILITY_TILES_SEE_SOURCE_K_H

#include "visibility/tiles/tile_pairs.k.h"

struct rw_see_source_args {
    rw_tile_geometry_view geometry;
    rw_vec3 source; /* in the wall grid's frame */
    uint8_t *seen;  /* of each tile: 1 or 0 */
};

/* The tile faces the source, and the line from its point is free. */
RW_FN int rw_eye_sees(const rw_tile_geometry_view *geometry, const rw_tile_eye *eye, rw_vec3 source)
{
    return rw_vec3_dot(eye->normal, rw_vec3_sub(source, eye->centre)) > RW_TILE_FACING_M &&
           rw_line_clear(geometry, rw_eye_point(eye), source);
}

RW_FN void rw_see_source_item(const struct rw_see_source_args *args, size_t item)
{
    args->seen[item] = (uint8_t)rw_eye_sees(&args->geometry, args->geometry.eyes + item, args->source);
}

#endif
