/* The rt model: every sequence of reflections and diffractions outdoors, each path exact and in double, on the CPU.
 *
 * The reference that the tiles model is compared with (Lu et al. 2019, section IV, compare with such a ray tracer).
 * Paths come from images and Keller's law, are tested against every surface, and carry dyadic fields. Diffuse
 * scattering, where materials are rough, is summed over patches of the surfaces; interactions may come before and
 * behind it. Terrain is its triangles. Time grows with the number of sequences, so with (surfaces + edges) to the power
 * of the depth. */
#ifndef RW_MODELS_RT_H
#define RW_MODELS_RT_H

#include "field/edges/main_edges.k.h"
#include "field/surfaces/scatter_balance.k.h"
#include "discretise/surfaces/surfaces.h"
#include "discretise/walls/walls.h"
#include "field/paths/ray_wave.k.h"
#include "models/rays/rays.h"
#include "models/rays/edge_path.k.h"
#include "models/rays/slab_edge.k.h"

#define RW_RT_DEPTH_MAX 8
#define RW_RT_EDGES_MAX 2 /* diffractions of one path */

typedef struct rw_rt_limits {
    int depth; /* interactions of a path, all kinds together */
    int reflections, diffractions, scatterings;
    int must_scatter; /* 1: scattering was asked for, and where nothing is rough a warning says so */
    double loss_max_db;
    double patch_m; /* side of the patches that scatter */
    int holm;       /* edges after Holm; 0: after Luebbers */
    rw_scatter_lobe lobe;
} rw_rt_limits;

/* One interaction: a reflection at a surface, or a diffraction at an edge. */
typedef struct rw_rt_step {
    int bends;
    uint32_t index;
} rw_rt_step;

/* A sequence, and the images that belong to it: the source and its edges, mirrored by the reflections behind them. */
typedef struct rw_rt_sequence {
    int count, reflections, diffractions;
    rw_rt_step steps[RW_RT_DEPTH_MAX];
    rw_vec3 source;
    rw_edge_line edges[RW_RT_EDGES_MAX];
} rw_rt_sequence;

/* A path that exists: where each interaction is. */
typedef struct rw_rt_path {
    int count;
    rw_rt_step steps[RW_RT_DEPTH_MAX];
    rw_vec3 points[RW_RT_DEPTH_MAX];
} rw_rt_path;

/* What paths are among. */
typedef struct rw_rt_geometry {
    const rw_scene *scene;
    rw_ray_scene *rays;
    const rw_ray_view *at;   /* the host's view of rays */
    rw_building_edge *edges; /* of buildings and the ground, then of panels and meshes; RW_NO_PART: not a building */
    size_t edge_count, built_count;
    rw_free_edge *sheet_edges;  /* those of panels and meshes, with their surfaces */
    rw_complex *permittivities; /* of each edge's faces */
    rw_rt_limits limits;
} rw_rt_geometry;

extern const rw_model_option rw_rt_options[]; /* options.c, as the next */
void rw_rt_resolve(const rw_prediction *prediction, rw_rt_limits *limits);
rw_status rw_rt_geometry_create(const rw_scene *scene, rw_ray_scene *rays, const rw_rt_limits *limits,
                                rw_rt_geometry *geometry);
void rw_rt_geometry_destroy(rw_rt_geometry *geometry);

/* The surfaces behind an edge of a panel or mesh; NULL for one of a building. */
static inline const rw_free_edge *rw_rt_sheet_edge(const rw_rt_geometry *geometry, uint32_t edge)
{
    return edge < geometry->built_count ? NULL : &geometry->sheet_edges[edge - geometry->built_count];
}

/* sequence.c: the path of a sequence to a receiver, 0 where there is none; its field. */
int rw_rt_path_solve(const rw_rt_geometry *geometry, const rw_rt_sequence *sequence, rw_vec3 receiver,
                     rw_rt_path *path);
int rw_rt_path_bends(const rw_rt_path *path); /* its diffractions */
rw_wave rw_rt_path_wave(const rw_rt_geometry *geometry, const rw_rt_path *path, rw_vec3 receiver);

/* search.c: calls on_path for every path to every place; from several threads at once, or from this one. */
typedef void (*rw_rt_path_fn)(void *user, const rw_rt_path *path, size_t point);
rw_status rw_rt_search(const rw_rt_geometry *geometry, int depth, const rw_vec3 *positions, size_t count,
                       rw_rt_path_fn on_path, void *user);
void rw_rt_search_alone(const rw_rt_geometry *geometry, int depth, const rw_vec3 *positions, size_t count,
                        rw_rt_path_fn on_path, void *user);

/* patches.c: patches of rough surfaces, and what reaches each of them by paths of at most depth - 1 interactions. */
typedef struct rw_rt_patch {
    rw_vec3 point; /* a millimetre before the surface */
    rw_vec3 normal;
    double area_m2;
    uint32_t surface;
} rw_rt_patch;

/* Sums over the paths to a patch with the same counts of interactions: |E|^2 at one metre of what arrives on theta and
 * phi, times rw_patch_side. */
typedef struct rw_rt_lit {
    double theta, phi;
    double delay;     /* times both */
    rw_vec3 incoming; /* direction of travel, times both */
} rw_rt_lit;

/* Counts of interactions before a scattering: reflections and diffractions. */
#define RW_RT_LIT_KINDS ((RW_RT_DEPTH_MAX + 1) * (RW_RT_EDGES_MAX + 1))
#define RW_RT_LIT_KIND(reflections, diffractions) ((diffractions) * (RW_RT_DEPTH_MAX + 1) + (reflections))

typedef struct rw_rt_patches {
    rw_rt_patch *items;
    rw_rt_lit *lit; /* RW_RT_LIT_KINDS of each patch */
    size_t count, capacity;
} rw_rt_patches;

rw_status rw_rt_patches_create(const rw_rt_geometry *geometry, rw_rt_patches *patches);
void rw_rt_patches_destroy(rw_rt_patches *patches);

/* scatter.c: calls on_scattered for every path from every patch to every place, from several threads at once. The path
 * has what comes behind the patch. */
typedef struct rw_rt_scattered {
    size_t patch, point;
    const rw_rt_path *path;
    rw_ray_arrival arrival;
} rw_rt_scattered;

typedef void (*rw_rt_scattered_fn)(void *user, const rw_rt_scattered *scattered);
rw_status rw_rt_scatter(const rw_rt_geometry *geometry, const rw_rt_patches *patches, const rw_vec3 *positions,
                        size_t count, rw_rt_scattered_fn on_scattered, void *user);

/* solve.c: adds all paths of the transmitter at hand to the sums of the receivers. */
rw_status rw_rt_solve(rw_rays *rays);

/* rooftop.c: adds the path over the roofs of the transmitter at hand to the sums of receivers that do not see it, where
 * the options want it. */
rw_status rw_rt_add_over_roofs(rw_rays *rays);

/* The same one by one, without the medium. found: of each receiver, zeros. */
typedef struct rw_rt_roof_path {
    int there;
    int count;
    rw_vec3 points[RW_MAIN_EDGES]; /* where the string bends */
    rw_ray_arrival arrival;
} rw_rt_roof_path;
rw_status rw_rt_list_over_roofs(const rw_rays *rays, rw_rt_roof_path *found);

/* paths.c: appends them one by one. */
rw_status rw_rt_trace(rw_rays *rays, rw_paths *paths);

#endif
