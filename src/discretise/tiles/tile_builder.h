/* Shared by the files that cut a scene into tiles: what is made so far. */
#ifndef RW_DISCRETISE_TILES_TILE_BUILDER_H
#define RW_DISCRETISE_TILES_TILE_BUILDER_H

#include "discretise/prepared.h"
#include "discretise/tiles/tiles.h"

#include <math.h>

/* The side of a tile at an end of its wall, where the tiles of the next wall meet it. */
typedef struct rw_tile_side {
    double low_m, high_m;
    uint32_t wall, tile;
    int end; /* 0: where the wall begins, 1: where it ends */
} rw_tile_side;

typedef struct rw_tile_maker {
    const rw_scene *scene;
    const rw_prepared *prepared;
    rw_tile_options options;
    double side_m; /* wanted, equation (1) */
    RW_ARRAY(rw_tile) tiles;
    RW_ARRAY(rw_tile_surface) surfaces;
    RW_ARRAY(rw_tile_edge) edges;
    RW_ARRAY(rw_tile_side) sides;      /* in the order of walls */
    RW_ARRAY(uint32_t) tops;           /* tiles that end at the top of their wall */
    uint32_t *roof_first;              /* of each part: its roof's first tile; part count + 1 */
    uint32_t *cell_first, *cell_parts; /* tile_parts.c */
    uint32_t ground_material;
    size_t skipped_count;
    double skipped_m2;
} rw_tile_maker;

/* Into how many pieces a side is cut: equations (2) and (3); at least one. */
static inline size_t rw_tile_pieces(double length_m, double wanted_m)
{
    double full_count = floor(length_m / wanted_m), rest = length_m - full_count * wanted_m;
    double pieces = rest <= 0.5 * wanted_m ? full_count : full_count + 1;
    if (!(pieces >= 1)) /* NaN too: a damaged file may ask for anything, and is refused by its number of tiles */
        return 1;
    return pieces < 1e15 ? (size_t)pieces : (size_t)1e15;
}

/* Whether something between two corners of a box has tiles. */
static inline int rw_tile_is_wanted(const rw_tile_options *options, double west, double south, double east,
                                    double north)
{
    return east >= options->box[0] && north >= options->box[1] && west <= options->box[2] && south <= options->box[3];
}

static inline int rw_tile_wall_wanted(const rw_tile_options *options, const rw_wall *wall)
{
    return rw_tile_is_wanted(options, fmin(wall->p0.x, wall->p1.x), fmin(wall->p0.y, wall->p1.y),
                             fmax(wall->p0.x, wall->p1.x), fmax(wall->p0.y, wall->p1.y));
}

/* Appends a surface or a tile of the last surface; a tile's area is that of its parallelogram. */
rw_status rw_tile_add_surface(rw_tile_maker *maker, rw_tile_surface surface);
rw_status rw_tile_add(rw_tile_maker *maker, rw_vec3 centre, rw_vec3 half_u, rw_vec3 half_v);

/* From the scene's local frame to that of the tiles. */
static inline rw_vec3 rw_tile_frame(const rw_tile_maker *maker, rw_vec2 at, double z_m)
{
    rw_vec2 centre = maker->prepared->grid.centre;
    return rw_vec3_of(at.x - centre.x, at.y - centre.y, z_m);
}

/* Whether a part is at that altitude; one that stands on the ground goes down without end. */
static inline int rw_part_fills(const rw_part *part, double z_m)
{
    return z_m < part->top_m && (part->base_height_m <= 0 || z_m >= part->bottom_m);
}

/* tile_rectangle.c: the smallest rectangle round points of a plane; its lengths are 0 where they lie on a line. */
typedef struct rw_tile_rectangle {
    rw_vec2 corner, u, v; /* directions of length 1 */
    double length_u, length_v;
} rw_tile_rectangle;

rw_status rw_smallest_rectangle(rw_context *context, const rw_vec2 *points, size_t count, rw_tile_rectangle *made);

static inline rw_vec2 rw_rectangle_point(const rw_tile_rectangle *of, double u, double v)
{
    return rw_vec2_of(of->corner.x + u * of->u.x + v * of->v.x, of->corner.y + u * of->u.y + v * of->v.y);
}

/* tile_parts.c: lists the parts whose outline contains the point (local frame), at most most of them. */
rw_status rw_tile_index_parts(rw_tile_maker *maker);
size_t rw_tile_parts_over(const rw_tile_maker *maker, rw_vec2 at, uint32_t *parts, size_t max_count);

/* Whether a building stands at the point (local frame) and altitude. */
int rw_tile_filled(const rw_tile_maker *maker, rw_vec2 at, double z_m);

/* Whether something other than the part stands at the point (local frame). */
int rw_tile_covered(const rw_tile_maker *maker, rw_vec2 at, double z_m, uint32_t own_part);

/* tile_exposure.c: the rectangles of a wall before which nothing stands: along the wall from its first end, and
 * altitudes. */
typedef struct rw_wall_exposure {
    double start_m, end_m, low_m, high_m;
} rw_wall_exposure;

typedef RW_ARRAY(rw_wall_exposure) rw_wall_exposures;

/* The wall's own ends, or those exchanged for the back of a free-standing wall. */
rw_status rw_wall_expose(const rw_tile_maker *maker, const rw_wall *wall, rw_wall_exposures *exposures);

rw_status rw_tile_walls(rw_tile_maker *maker);     /* tile_walls.c */
rw_status rw_tile_roofs(rw_tile_maker *maker);     /* tile_roofs.c */
rw_status rw_tile_ground(rw_tile_maker *maker);    /* tile_ground.c, with its edges */
rw_status rw_tile_meshes(rw_tile_maker *maker);    /* tile_meshes.c */
rw_status rw_tile_edges(rw_tile_maker *maker);     /* tile_edges.c: corners and edges of roofs */
rw_status rw_tile_triangles(rw_tile_maker *maker); /* tile_triangles.c: cuts tiles in two, where asked for */
rw_status rw_tile_order(rw_tile_maker *maker);     /* tile_order.c: numbers tiles along a curve */

#endif
