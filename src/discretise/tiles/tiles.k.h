/* The tiles of a scene as kernels see them: pieces of walls, roofs and ground, and the segments of edges between them.
 *
 * After Lu, Vitucci, Degli-Esposti and others (2019), section III.A. A tile is a flat parallelogram (a rectangle on
 * walls and roofs): centre, outward normal and two half sides; its corners are centre +- half_u +- half_v. Or it is one
 * of the two triangles that the diagonal from -half_u + half_v to half_u - half_v makes of a parallelogram. Coordinates
 * are those of the wall grid's frame; z is an altitude. Tiles are numbered so that neighbours of one orientation follow
 * each other: RW_TILE_BLOCK of them make a block, whose visibility from a tile is one word. */
#ifndef RW_DISCRETISE_TILES_TILES_K_H
#define RW_DISCRETISE_TILES_TILES_K_H

#include "base/kernel/qualifiers.h"
#include "base/maths/vector.h"
#include <stddef.h>

#define RW_NO_TILE UINT32_MAX
#define RW_TILE_BLOCK 32u

enum { RW_TILE_WALL, RW_TILE_ROOF, RW_TILE_GROUND, RW_TILE_MESH, RW_TILE_KINDS };
enum { RW_TILE_PARALLELOGRAM, RW_TILE_LOWER, RW_TILE_UPPER };
enum { RW_TILE_EDGE_CORNER, RW_TILE_EDGE_ROOF, RW_TILE_EDGE_GROUND, RW_TILE_EDGE_MESH, RW_TILE_EDGE_KINDS };

typedef struct rw_tile {
    rw_vec3 centre; /* on the surface */
    rw_vec3 normal; /* outward, of length 1 */
    float half_u[3], half_v[3];
    float area_m2;
    uint32_t surface; /* into surfaces: what it was cut from */
    uint32_t
        half; /* RW_TILE_PARALLELOGRAM: a parallelogram; RW_TILE_LOWER, _UPPER: the half of one at -u - v, at u + v */
} rw_tile;

/* What tiles were cut from: one side of a wall or of a plane of a mesh, a roof, or all of the ground. */
typedef struct rw_tile_surface {
    uint32_t kind;     /* RW_TILE_WALL, _ROOF, _GROUND or _MESH */
    uint32_t part;     /* of the scene; RW_NO_TILE: a free-standing wall, the ground or a mesh */
    uint32_t building; /* number of the building; 0 where there is none */
    uint32_t material; /* into the names of rw_tiles */
    uint32_t wall;     /* into the wall list; RW_NO_TILE: no wall */
    uint32_t back;     /* of a mesh: 1 where the last layer of its slab is on this side */
} rw_tile_surface;

/* A piece of an edge at which two faces meet with more than half of space outside. tiles are its parents: the border
 * tiles of both faces, of which a side is the edge (of a roof the nearest tile); what sees one of them sees the edge.
 * Between the faces there are exterior_rad of air, from face 0 to face 1. */
typedef struct rw_tile_edge {
    rw_vec3 from, to;
    rw_vec3 normals[2]; /* of the faces, outward, of length 1 */
    double exterior_rad;
    uint32_t tiles[2];
    uint32_t kind; /* RW_TILE_EDGE_CORNER, _ROOF, _GROUND or _MESH */
    /* Of meshes alone. Where a sheet ends, exterior_rad is 2 pi, and its sides are the faces. */
    uint32_t materials[2]; /* of the faces or, where a sheet ends, of the sheet and of what goes on in its plane;
                              RW_NO_TILE: nothing */
    uint32_t backs[2];     /* 1: normals show to the side of the last layer */
    rw_vec3 along;         /* into face 0, away from the edge, of length 1 */
} rw_tile_edge;

typedef struct rw_tiles_view {
    const rw_tile *tiles;
    const rw_tile_surface *surfaces;
    const rw_tile_edge *edges;
    const uint32_t *edge_firsts; /* tile_count + 1: the edges of tile t are tile_edges[edge_firsts[t]] to the next */
    const uint32_t *tile_edges;
    const uint32_t
        *face_firsts; /* surface_count + 1: the edges of surface s are face_edges[face_firsts[s]] to the next */
    const uint32_t *face_edges;
    uint32_t tile_count, surface_count, edge_count;
} rw_tiles_view;

/* The point of a tile that sees and is seen: its centre, moved off the surface so that the surface itself and what it
 * touches are not in its way. */
#define RW_TILE_OFFSET_M 0.01

RW_FN rw_vec3 rw_tile_point(const rw_tile *tile)
{
    return rw_vec3_add(tile->centre, rw_vec3_scale(tile->normal, RW_TILE_OFFSET_M));
}

/* How far the other point must be in front of a tile's plane for the tile to face it. Tiles of one plane, which
 * rounding puts a little before each other, do not. */
#define RW_TILE_FACING_M 1e-3

RW_FN int rw_tile_faces(const rw_tile *tile, rw_vec3 point)
{
    return rw_vec3_dot(tile->normal, rw_vec3_sub(point, tile->centre)) > RW_TILE_FACING_M;
}

/* From the middle of a triangle to that of its parallelogram: a third of half_u + half_v, forth or back. */
RW_FN double rw_tile_half_shift(const rw_tile *tile)
{
    return tile->half == RW_TILE_LOWER ? 1.0 / 3.0 : tile->half == RW_TILE_UPPER ? -1.0 / 3.0 : 0.0;
}

/* Corner 0 to 3, counter-clockwise as seen from outside. Of a triangle the middle of the diagonal stands for the corner
 * that it lacks: what divides two tiles then has the same place among the sides as between parallelograms. */
RW_FN rw_vec3 rw_tile_corner(const rw_tile *tile, int corner)
{
    double u = corner == 0 || corner == 3 ? -1 : 1, v = corner < 2 ? -1 : 1;
    if (tile->half != RW_TILE_PARALLELOGRAM) {
        double shift = rw_tile_half_shift(tile);
        int lacks = corner == (tile->half == RW_TILE_LOWER ? 2 : 0);
        u = (lacks ? 0.0 : u) + shift;
        v = (lacks ? 0.0 : v) + shift;
    }
    return rw_vec3_of(tile->centre.x + u * (double)tile->half_u[0] + v * (double)tile->half_v[0],
                      tile->centre.y + u * (double)tile->half_u[1] + v * (double)tile->half_v[1],
                      tile->centre.z + u * (double)tile->half_u[2] + v * (double)tile->half_v[2]);
}

/* The parallelogram that a tile is, or is half of. */
RW_FN rw_tile rw_tile_parallelogram(const rw_tile *tile)
{
    rw_tile parallelogram = *tile;
    double shift = rw_tile_half_shift(tile);
    parallelogram.centre.x += shift * ((double)tile->half_u[0] + (double)tile->half_v[0]);
    parallelogram.centre.y += shift * ((double)tile->half_u[1] + (double)tile->half_v[1]);
    parallelogram.centre.z += shift * ((double)tile->half_u[2] + (double)tile->half_v[2]);
    parallelogram.half = RW_TILE_PARALLELOGRAM;
    return parallelogram;
}

#endif
