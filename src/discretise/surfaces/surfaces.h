/* Plane surfaces of a scene in full 3-D: from panels, mesh triangles and building parts, with coplanar neighbours of
 * one construction merged. */
#ifndef RW_DISCRETISE_SURFACES_SURFACES_H
#define RW_DISCRETISE_SURFACES_SURFACES_H

#include "device/device.h"
#include "discretise/surfaces/surfaces.k.h"
#include "scene/scene.h"
#include "discretise/surfaces/free_edges.k.h"

typedef struct rw_surfaces {
    rw_surfaces_view view; /* its arrays belong to this struct */
    rw_surface *surfaces;  /* in the order of the tree's leaves */
    rw_surface_edge *edges;
    rw_bvh_node *nodes;
    const char **kinds; /* name of the slab or material of each kind; the texts are the scene's */
    size_t kind_count;
    uint8_t *one_sided;   /* of each kind: 1 where the layers of its slab differ from one side to the other */
    size_t skipped_count; /* panels and triangles of no area */
} rw_surfaces;

/* The first layer of a slab is on the side from which a mesh triangle turns counter-clockwise, and on the right of a
 * panel from its first point to its second.
 *
 * Coordinates are those of the frame centred on centre. A floor plan (panels and nothing else) whose slab table names a
 * floor or a ceiling gets one, under or over all of its walls. Terrain is for the outdoors: RW_BAD_CALL. */
rw_status rw_surfaces_create(const rw_scene *scene, rw_vec2 centre, rw_surfaces *surfaces);

/* Forms of the same surfaces; all 0: as above. */
typedef struct rw_surfaces_form {
    int outdoors; /* 1: under the sky. Where rw_scene_lays_ground, level ground at altitude 0 is one more surface, which
                     goes on for 10 km beyond the scene; on terrain, its triangles, which go on level. It is of the
                     scene's material or slab "ground", and of medium dry ground where the scene has none: the last
                     kind. */
    int coplanar; /* 1: all parts of one plane and construction are one surface, also where they do not touch */
    int apart;    /* 1: meshes are merged among themselves alone, and terrain is left out */
} rw_surfaces_form;
rw_status rw_surfaces_create_as(const rw_scene *scene, rw_vec2 centre, rw_surfaces_form form, rw_surfaces *surfaces);
#define RW_GROUND_BEYOND_M 1e4

/* Name of what the ground is of. */
const char *rw_ground_surface(const rw_scene *scene);
void rw_surfaces_destroy(rw_surfaces *surfaces);

/* Where the kernels of a backend can read them: themselves on the CPU, a copy on a device. */
typedef struct rw_device_surfaces {
    rw_surfaces_view view;
    void *copies[3];
} rw_device_surfaces;

rw_status rw_surfaces_upload(rw_context *context, rw_backend backend, const rw_surfaces *surfaces,
                             rw_device_surfaces *device);
void rw_surfaces_release(rw_backend backend, rw_device_surfaces *device);

/* surface_pieces.c: the plane polygons of a scene before they are merged. Each has a plane of its own and rings in
 * space. */
typedef struct rw_piece {
    rw_vec3 normal; /* of length 1, its first component that is not zero positive */
    double offset_m, area_m2;
    size_t first_point, point_count; /* the rings, one after the other */
    size_t first_ring, ring_count;   /* into ring_sizes */
    uint32_t kind;
    int built;  /* 1: of a building, or the ground */
    int mesh;   /* 1: of a mesh */
    int turned; /* 1: its rings turn clockwise about the normal, and its slab is not the same from both sides */
} rw_piece;

typedef struct rw_pieces {
    RW_ARRAY(rw_piece) list;
    RW_ARRAY(rw_vec3) points;
    RW_ARRAY(size_t) ring_sizes;
    size_t skipped_count;
} rw_pieces;

rw_status rw_pieces_create(const rw_scene *scene, rw_vec2 centre, rw_surfaces_form form, rw_surfaces *kinds,
                           rw_pieces *pieces);
void rw_pieces_destroy(rw_pieces *pieces);

/* surface_edges.c: takes out what its polygons share, and sets the numbers of edges. */
void rw_surface_edges_tidy(rw_surface_edge *edges, uint32_t count, rw_surface *surface);

/* surface_bvh.c: brings surfaces into the order of a tree over them, and makes the tree. */
rw_status rw_surface_bvh_build(rw_context *context, rw_surfaces *surfaces);

/* Finds the edges of a scene's surfaces that diffract. */

/* All of them; free() them. An edge that diffracts in part is listed with those parts. */
rw_status rw_free_edges_find(rw_context *context, const rw_surfaces *surfaces, rw_free_edge **edges, size_t *count);

#endif
