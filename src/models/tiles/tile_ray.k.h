/* Rays between tiles: which interactions led where, what they may reach next, and the field they bring.
 *
 * After Lu, Vitucci, Degli-Esposti and others (2019), section III.C. A ray is the list of tiles at which it was
 * reflected and of edge segments at which it was bent, and the tile it has reached; it stands for all rays through its
 * last tile or segment. Whether it goes on to a point is decided there alone: the line from the image of the source
 * must pass through the tile, Keller's point must lie on the segment. The field is that of the exact path of the
 * sequence, from images and equation (4), so that tiles decide which paths there are and not what they are worth. */
#ifndef RW_MODELS_TILES_TILE_RAY_K_H
#define RW_MODELS_TILES_TILE_RAY_K_H

#include "field/paths/ray_sums.k.h"
#include "field/paths/ray_wave.k.h"
#include "field/surfaces/material.k.h"
#include "field/surfaces/scatter_balance.k.h"
#include "mechanisms/atmosphere/medium.k.h"
#include "models/rays/edge_path.k.h"
#include "models/rays/slab_edge.k.h"
#include "visibility/tiles/tile_pairs.k.h"
#include "visibility/tiles/tile_sight.k.h"

#define RW_TILE_DEPTH_MAX 6 /* interactions of a ray */
#define RW_TILE_BENDS_MAX 2 /* of them diffractions */

/* A step: a tile that reflects, or an edge that bends. */
#define RW_TILE_STEP(index, bends) ((uint32_t)(index) << 1 | (uint32_t)(bends))
#define RW_TILE_STEP_INDEX(step) ((step) >> 1)
#define RW_TILE_STEP_BENDS(step) ((int)((step)&1u))

/* What a ray has reached. */
enum { RW_END_TILE, RW_END_EDGE, RW_END_POINT };

/* 32 bytes, as there may be many. A scattered ray begins at a scatterer, which is its first step. */
typedef struct rw_tile_ray {
    uint32_t steps[RW_TILE_DEPTH_MAX];
    uint32_t end; /* number of a tile, edge or point */
    uint8_t count;
    uint8_t end_kind : 2, scattered : 1, dead : 1;
    uint8_t origin : 1;   /* a scatterer's own: the tile at its end is the scatterer */
    uint8_t gathered : 1; /* what it brings to its tile is in the sums already */
    uint8_t loose : 1;    /* leads to points alone: some tile of it was not reached by its middle */
    uint8_t astray : 1;   /* its exact path to the middle of its tile is not there, and brings nothing */
    uint8_t depth_left : 4, bends_left : 4;
    uint8_t mirrors_left;
} rw_tile_ray;

/* A tile that scatters what has reached it by rays with the same counts. */
typedef struct rw_tile_scatterer {
    uint32_t tile, group; /* rw_tile_group */
    double theta, phi;    /* sums over rays of |E|^2 at one metre, times rw_patch_side */
    double delay_s;       /* mean */
    rw_vec3 incoming;     /* direction of travel, times theta and phi */
} rw_tile_scatterer;

/* What rays are among; pointers are the backend's. */
typedef struct rw_tile_scene {
    rw_tiles_view tiles;
    rw_tile_sight_view sight; /* without rows: online_sight.k.h */
    const rw_tile_block *blocks;
    const rw_construction *walls; /* of each material */
    const rw_tile_scatterer *scatterers;
    const rw_vec3 *points;        /* receivers beside the tiles */
    const uint32_t *point_firsts; /* tile_count + 1: points that see tile t are tile_points from here on, rising */
    const uint32_t *tile_points;
    rw_pattern transmitter, receiver;
    rw_vec3 source;
    double wavelength_m;
    double radius_m;            /* of the largest tile */
    const rw_exact_wall *exact; /* of the wall grid */
    double reach_m;             /* no middle of an edge is farther from those of its parents */
    int holm;                   /* edges after Holm; 0: after Luebbers */
    rw_scatter_lobe lobe;
    /* For paths to points; NULL in both: tiles are seen by their middles alone. */
    rw_tile_sight_view wide; /* each row with those of the tile's neighbours and with the neighbours of what it sees */
    const uint32_t *neighbours; /* RW_TILE_NEIGHBOURS of each tile */
    const uint32_t *reverse_firsts,
        *reverse_neighbours; /* the tiles whose neighbour each tile is; NULL where there is a matrix */
    rw_medium medium;        /* of maps */
    rw_near_square near;     /* that local means at points are taken over */
} rw_tile_scene;

/* Sides of a tile: -u, +u, -v, +v. Beyond a side there is a neighbour, or nothing, or nothing that the tile claims: a
 * path that meets the surface there is the tile's. */
#define RW_TILE_SIDES 4
#define RW_TILE_NEIGHBOURS 5 /* behind those of the sides of its parallelogram, the other half of a triangle's */
#define RW_TILE_CLAIMED (RW_NO_TILE - 1u)

/* The source and the edges passed, mirrored by every mirror behind them: what the last leg comes straight from. */
typedef struct rw_tile_images {
    rw_vec3 source;
    rw_edge_line edges[RW_TILE_BENDS_MAX];
    int bends;
} rw_tile_images;

RW_FN int rw_tile_ray_first(const rw_tile_ray *ray)
{
    return ray->scattered ? 1 : 0;
}

RW_FN rw_vec3 rw_tile_mirrored(const rw_tile *tile, rw_vec3 point)
{
    double height = rw_vec3_dot(tile->normal, rw_vec3_sub(point, tile->centre));
    return rw_vec3_sub(point, rw_vec3_scale(tile->normal, 2.0 * height));
}

RW_FN void rw_tile_images_add(const rw_tile_scene *scene, uint32_t step, rw_tile_images *images)
{
    uint32_t index = RW_TILE_STEP_INDEX(step);
    if (RW_TILE_STEP_BENDS(step)) {
        const rw_tile_edge *edge = scene->tiles.edges + index;
        images->edges[images->bends].from = edge->from;
        images->edges[images->bends].span = rw_vec3_sub(edge->to, edge->from);
        images->bends++;
        return;
    }
    const rw_tile *mirror = scene->tiles.tiles + index;
    images->source = rw_tile_mirrored(mirror, images->source);
    for (int i = 0; i < images->bends; i++) {
        rw_edge_line *line = &images->edges[i];
        line->from = rw_tile_mirrored(mirror, line->from);
        line->span = rw_reflected_direction(line->span, mirror->normal);
    }
}

RW_FN rw_tile_images rw_tile_images_of(const rw_tile_scene *scene, const rw_tile_ray *ray)
{
    rw_tile_images images;
    images.source = ray->scattered ? scene->tiles.tiles[scene->scatterers[ray->steps[0]].tile].centre : scene->source;
    images.bends = 0;
    for (int i = rw_tile_ray_first(ray); i < ray->count; i++)
        rw_tile_images_add(scene, ray->steps[i], &images);
    return images;
}

/* Where on its edges the way to a point bends, in shares of the segments. */
RW_FN int rw_tile_edge_fractions(const rw_tile_images *images, rw_vec3 point, double fractions[RW_TILE_BENDS_MAX])
{
    if (images->bends == 0)
        return 1;
    if (images->bends == 1)
        return rw_keller_fraction(images->edges[0].from, images->edges[0].span, images->source, point, &fractions[0]);
    return rw_edge_pair_solve(images->edges, images->source, point, fractions);
}

/* The edge as fields see it. */
RW_FN rw_edge_frame rw_tile_edge_frame(const rw_tile_edge *edge)
{
    rw_edge_frame frame;
    rw_vec3 along = rw_vec3_cross(rw_vec3_unit(rw_vec3_sub(edge->to, edge->from)), edge->normals[0]);
    /* into face 0, which lies behind the plane of the other */
    frame.zero_along = rw_vec3_dot(along, edge->normals[1]) > 0 ? rw_vec3_scale(along, -1.0) : along;
    if (edge->kind == RW_TILE_EDGE_MESH)
        frame.zero_along = edge->along;
    frame.zero_normal = edge->normals[0];
    frame.edge = rw_vec3_cross(frame.zero_along, frame.zero_normal);
    frame.exterior_over_pi = edge->exterior_rad / RW_PI;
    return frame;
}

/* Whether an edge is where a sheet ends: both faces are sides of it. */
RW_FN int rw_tile_edge_ends(const rw_tile_edge *edge)
{
    return edge->exterior_rad > 2.0 * RW_PI - 1e-9;
}

/* Whether a direction away from the edge runs through the air round it: before one of its faces. Where a sheet ends
 * everything is, but the sheet. */
RW_FN int rw_tile_edge_open(const rw_tile_edge *edge, rw_vec3 direction)
{
    if (rw_tile_edge_ends(edge))
        return rw_vec3_dot(direction, edge->normals[0]) != 0 || rw_vec3_dot(direction, edge->along) < 0;
    return rw_vec3_dot(direction, edge->normals[0]) > 0 || rw_vec3_dot(direction, edge->normals[1]) > 0;
}

/* Whether a direction (unit) away from the edge runs in one of its faces; which: RW_FACE_ZERO or _FAR. */
RW_FN int rw_tile_edge_face(const rw_tile_edge *edge, rw_vec3 direction)
{
    if (rw_tile_edge_ends(edge))
        return fabs(rw_vec3_dot(direction, edge->normals[0])) < 1e-7 && rw_vec3_dot(direction, edge->along) > 1e-7
                   ? RW_FACE_ZERO
                   : RW_FACE_NONE;
    for (int face = 0; face < 2; face++)
        if (fabs(rw_vec3_dot(direction, edge->normals[face])) < 1e-7 &&
            rw_vec3_dot(direction, edge->normals[1 - face]) < -1e-7)
            return face ? RW_FACE_FAR : RW_FACE_ZERO;
    return RW_FACE_NONE;
}

/* The face that the ray from one edge to another runs in, where it is a face of both; there: its name at the other. */
RW_FN int rw_tile_face_between(const rw_tile_edge *here, const rw_tile_edge *other, rw_vec3 direction, int *there)
{
    int face = rw_tile_edge_face(here, direction);
    *there = rw_tile_edge_face(other, rw_vec3_scale(direction, -1.0));
    if (face == RW_FACE_NONE || *there == RW_FACE_NONE)
        return RW_FACE_NONE;
    rw_vec3 a = here->normals[face == RW_FACE_FAR], b = other->normals[*there == RW_FACE_FAR];
    return rw_vec3_dot(a, b) > 1.0 - 1e-9 ? face : RW_FACE_NONE;
}

/* The edge that a step or the end of a ray is, behind its last step; NULL: none. */
RW_FN const rw_tile_edge *rw_tile_ray_edge(const rw_tile_scene *scene, const rw_tile_ray *ray, int step)
{
    if (step < rw_tile_ray_first(ray) || step > ray->count)
        return 0;
    if (step == ray->count)
        return ray->end_kind == RW_END_EDGE ? scene->tiles.edges + ray->end : 0;
    return RW_TILE_STEP_BENDS(ray->steps[step]) ? scene->tiles.edges + RW_TILE_STEP_INDEX(ray->steps[step]) : 0;
}

/* The face that a ray runs in behind one of its steps; there: its name at the next. */
RW_FN int rw_tile_ray_face(const rw_tile_scene *scene, const rw_tile_ray *ray, int step, rw_vec3 direction, int *there)
{
    const rw_tile_edge *here = rw_tile_ray_edge(scene, ray, step), *other = rw_tile_ray_edge(scene, ray, step + 1);
    *there = RW_FACE_NONE;
    return here && other ? rw_tile_face_between(here, other, direction, there) : RW_FACE_NONE;
}

/* Where a place in the plane of a tile, given from its centre, is: in halves of the sides from the middle of its
 * parallelogram. */
RW_FN void rw_tile_coordinates(const rw_tile *tile, rw_vec3 at, double on[2])
{
    rw_vec3 u = rw_vec3_of((double)tile->half_u[0], (double)tile->half_u[1], (double)tile->half_u[2]);
    rw_vec3 v = rw_vec3_of((double)tile->half_v[0], (double)tile->half_v[1], (double)tile->half_v[2]);
    double uu = rw_vec3_dot(u, u), uv = rw_vec3_dot(u, v), vv = rw_vec3_dot(v, v);
    double au = rw_vec3_dot(at, u), av = rw_vec3_dot(at, v), determinant = uu * vv - uv * uv;
    on[0] = (au * vv - av * uv) / determinant - rw_tile_half_shift(tile);
    on[1] = (av * uu - au * uv) / determinant - rw_tile_half_shift(tile);
}

/* Whether a place of its parallelogram is on a tile's side of the diagonal. */
RW_FN int rw_tile_on_half(const rw_tile *tile, const double on[2])
{
    return tile->half == RW_TILE_PARALLELOGRAM || (on[0] + on[1] < 0) == (tile->half == RW_TILE_LOWER);
}

/* Whether the line from an image behind the tile to a point before it passes through the tile. */
RW_FN int rw_tile_passes(const rw_tile *tile, rw_vec3 image, rw_vec3 point)
{
    const double apart_m = 1e-6;
    rw_vec3 to_image = rw_vec3_sub(image, tile->centre), to_point = rw_vec3_sub(point, tile->centre);
    double behind = rw_vec3_dot(to_image, tile->normal), before = rw_vec3_dot(to_point, tile->normal);
    if (!(behind < -apart_m) || !(before > apart_m))
        return 0;
    double fraction = before / (before - behind);
    rw_vec3 at = rw_vec3_add(to_point, rw_vec3_scale(rw_vec3_sub(to_image, to_point), fraction));
    double on[2];
    rw_tile_coordinates(tile, at, on);
    return on[0] >= -1.0 && on[0] < 1.0 && on[1] >= -1.0 && on[1] < 1.0 && rw_tile_on_half(tile, on);
}

/* Whether a place of a tile's surface is on the tile's part of one side, as the tile and its neighbour there agree: the
 * lower number is asked. */
RW_FN int rw_tile_within(const rw_tile_scene *scene, uint32_t tile, const double own[2], int side, rw_vec3 point)
{
    uint32_t neighbour = scene->neighbours[(size_t)tile * RW_TILE_NEIGHBOURS + (size_t)side];
    int axis = side / 2, upper = side % 2;
    double on[2];
    if (neighbour >= RW_TILE_CLAIMED || neighbour > tile)
        return upper ? own[axis] < 1.0 : own[axis] >= -1.0;
    rw_tile_coordinates(scene->tiles.tiles + neighbour, rw_vec3_sub(point, scene->tiles.tiles[neighbour].centre), on);
    return upper ? on[axis] < -1.0 : on[axis] >= 1.0;
}

/* Whether a place of a surface is the tile's: within it, or beyond sides that it claims. Of a wall all that is beyond,
 * of a roof or level ground one tile's width straight on. No other tile says so of the same place. */
RW_FN int rw_tile_owns(const rw_tile_scene *scene, uint32_t tile, rw_vec3 point)
{
    const rw_tile *of = scene->tiles.tiles + tile;
    int wall = scene->tiles.surfaces[of->surface].kind == RW_TILE_WALL, beyond = 0;
    double own[2];
    rw_tile_coordinates(of, rw_vec3_sub(point, of->centre), own);
    for (int side = 0; side < RW_TILE_SIDES; side++) {
        if (rw_tile_within(scene, tile, own, side, point))
            continue;
        if (scene->neighbours[(size_t)tile * RW_TILE_NEIGHBOURS + (size_t)side] != RW_TILE_CLAIMED)
            return 0;
        beyond += wall ? 0 : fabs(own[side / 2]) < 3.0 ? 1 : 2;
    }
    return beyond < 2 && rw_tile_on_half(of, own);
}

/* A tile grown by what it claims of a roof or of the ground. */
RW_FN rw_tile rw_tile_grown(const rw_tile_scene *scene, uint32_t tile)
{
    rw_tile grown = scene->tiles.tiles[tile];
    if (scene->tiles.surfaces[grown.surface].kind == RW_TILE_WALL)
        return grown;
    grown = rw_tile_parallelogram(&grown);
    for (int side = 0; side < RW_TILE_SIDES; side++) {
        float *half = side < 2 ? grown.half_u : grown.half_v;
        const float *was = side < 2 ? scene->tiles.tiles[tile].half_u : scene->tiles.tiles[tile].half_v;
        double sign = side % 2 ? 1.0 : -1.0;
        if (scene->neighbours[(size_t)tile * RW_TILE_NEIGHBOURS + (size_t)side] != RW_TILE_CLAIMED)
            continue;
        grown.centre =
            rw_vec3_add(grown.centre, rw_vec3_of(sign * (double)was[0], sign * (double)was[1], sign * (double)was[2]));
        for (int axis = 0; axis < 3; axis++)
            half[axis] += was[axis];
    }
    return grown;
}

/* Whether a place in the plane of a wall is on it. */
RW_FN int rw_point_on_wall(const rw_exact_wall *wall, rw_vec3 point)
{
    const double slack_m = 1e-3;
    double dx = wall->x1 - wall->x0, dy = wall->y1 - wall->y0, length = sqrt(dx * dx + dy * dy);
    double along = ((point.x - wall->x0) * dx + (point.y - wall->y0) * dy) / length;
    return along > -slack_m && along < length + slack_m && point.z > wall->bottom - slack_m &&
           point.z < wall->top + slack_m;
}

/* From the middle of a tile to its farthest corner. */
RW_FN double rw_tile_radius_m(const rw_tile *tile)
{
    double radius_m = 0.0;
    for (int i = 0; i < (tile->half == RW_TILE_PARALLELOGRAM ? 2 : 4); i++)
        radius_m = fmax(radius_m, rw_vec3_length(rw_vec3_sub(rw_tile_corner(tile, i), tile->centre)));
    return radius_m;
}

/* Whether rays that leave their last step reach a point, if nothing is in the way. */
RW_FN int rw_tile_reaches(const rw_tile_scene *scene, const rw_tile_images *images, uint32_t last, rw_vec3 point)
{
    double fractions[RW_TILE_BENDS_MAX];
    int bend = images->bends - 1;
    if (!rw_tile_edge_fractions(images, point, fractions))
        return 0;
    rw_vec3 origin = bend >= 0 ? rw_edge_line_at(&images->edges[bend], fractions[bend]) : images->source;
    uint32_t index = RW_TILE_STEP_INDEX(last);
    if (!RW_TILE_STEP_BENDS(last))
        return rw_tile_passes(scene->tiles.tiles + index, origin, point);
    rw_vec3 before = bend > 0 ? rw_edge_line_at(&images->edges[0], fractions[0]) : images->source;
    return fractions[bend] >= 0 && fractions[bend] < 1 &&
           rw_tile_edge_open(scene->tiles.edges + index, rw_vec3_sub(point, origin)) &&
           (rw_tile_edge_open(scene->tiles.edges + index, rw_vec3_sub(before, origin)) ||
            (bend > 0 && rw_tile_edge_face(scene->tiles.edges + index, rw_vec3_unit(rw_vec3_sub(before, origin)))));
}

/* The legs of the exact path: real directions between steps, and lengths between edges. */
typedef struct rw_tile_legs {
    rw_vec3 directions[RW_TILE_DEPTH_MAX + 1];
    double lengths_m[RW_TILE_BENDS_MAX + 1];
} rw_tile_legs;

/* Walks back from the point, taking out one mirror after the other. 0 where two of its vertices coincide. */
RW_FN int rw_tile_legs_of(const rw_tile_scene *scene, const rw_tile_ray *ray, rw_vec3 point, rw_tile_legs *legs)
{
    rw_tile_images images = rw_tile_images_of(scene, ray);
    double fractions[RW_TILE_BENDS_MAX];
    rw_vec3 vertices[RW_TILE_BENDS_MAX + 2];
    if (!rw_tile_edge_fractions(&images, point, fractions))
        return 0;
    int first = rw_tile_ray_first(ray), piece = images.bends;
    vertices[0] = images.source;
    for (int i = 0; i < images.bends; i++)
        vertices[i + 1] = rw_edge_line_at(&images.edges[i], fractions[i]);
    vertices[piece + 1] = point;
    for (int i = 0; i <= piece; i++) {
        legs->lengths_m[i] = rw_vec3_length(rw_vec3_sub(vertices[i + 1], vertices[i]));
        if (!(legs->lengths_m[i] > 1e-6))
            return 0;
    }
    legs->directions[ray->count] = rw_vec3_scale(rw_vec3_sub(point, vertices[piece]), 1.0 / legs->lengths_m[piece]);
    for (int i = ray->count - 1; i >= first; i--) {
        uint32_t index = RW_TILE_STEP_INDEX(ray->steps[i]);
        if (RW_TILE_STEP_BENDS(ray->steps[i])) {
            piece--;
            legs->directions[i] =
                rw_vec3_scale(rw_vec3_sub(vertices[piece + 1], vertices[piece]), 1.0 / legs->lengths_m[piece]);
            continue;
        }
        const rw_tile *mirror = scene->tiles.tiles + index;
        legs->directions[i] = rw_reflected_direction(legs->directions[i + 1], mirror->normal);
        for (int j = 0; j <= piece; j++)
            vertices[j] = rw_tile_mirrored(mirror, vertices[j]);
    }
    return 1;
}

RW_FN const rw_construction *rw_tile_wall(const rw_tile_scene *scene, uint32_t tile)
{
    return scene->walls + scene->tiles.surfaces[scene->tiles.tiles[tile].surface].material;
}

/* Diffraction at an edge of a mesh, with the slabs of both faces. */
RW_RARE_FN void rw_tile_wave_bend(const rw_tile_scene *scene, const rw_tile_edge *edge, const rw_edge_frame *frame,
                                  rw_vec3 direction, double after_m, rw_wave *wave)
{
    rw_surface faces[2];
    rw_ray_view view;
    rw_free_edge free_edge;
    int ends = rw_tile_edge_ends(edge);
    for (int i = 0; i < 2; i++) {
        faces[i].normal = edge->normals[ends ? 0 : i];
        faces[i].kind = edge->materials[i];
        faces[i].turned = edge->backs[i];
    }
    view.surfaces.surfaces = faces;
    view.walls = scene->walls;
    view.responses = 0;
    view.wavelength_m = scene->wavelength_m;
    free_edge.along = edge->along;
    free_edge.normal = edge->normals[0];
    free_edge.exterior_over_pi = ends ? 2.0 : frame->exterior_over_pi;
    free_edge.surface = 0;
    free_edge.other = edge->materials[1] == RW_NO_TILE ? RW_NO_SURFACE : 1;
    rw_wave_bend(
        wave, frame, direction,
        rw_diffract_at_edge(&view, &free_edge, wave->amplitude, wave->direction, direction, wave->leg_m, after_m, 1));
}

/* What a tile reflects of a ray that meets it. */
RW_FN rw_te_tm rw_tile_reflection(const rw_tile_scene *scene, uint32_t tile, double cosine)
{
    rw_wall_response wall = rw_wall_response_exact(rw_tile_wall(scene, tile), cosine, scene->wavelength_m);
    return scene->tiles.surfaces[scene->tiles.tiles[tile].surface].back ? wall.back : wall.front;
}

/* Takes a wave from the start of the legs to their end. 0 where an interaction would be from inside. */
RW_FN int rw_tile_wave_along(const rw_tile_scene *scene, const rw_tile_ray *ray, const rw_tile_legs *legs,
                             rw_wave *wave)
{
    int piece = 0;
    for (int i = rw_tile_ray_first(ray); i < ray->count; i++) {
        uint32_t index = RW_TILE_STEP_INDEX(ray->steps[i]);
        if (RW_TILE_STEP_BENDS(ray->steps[i])) {
            const rw_tile_edge *edge = scene->tiles.edges + index;
            rw_edge_frame frame = rw_tile_edge_frame(edge);
            int arrives, next, leaves = rw_tile_ray_face(scene, ray, i, legs->directions[i + 1], &next);
            if (!rw_tile_ray_face(scene, ray, i - 1, legs->directions[i], &arrives))
                arrives = RW_FACE_NONE;
            if ((!leaves && !rw_tile_edge_open(edge, legs->directions[i + 1])) ||
                (!arrives && !rw_tile_edge_open(edge, rw_vec3_scale(legs->directions[i], -1.0))))
                return 0;
            rw_wave_go(wave, legs->lengths_m[piece]);
            rw_complex permittivity = rw_tile_wall(scene, edge->tiles[0])->layers[0].permittivity;
            rw_wedge_material faces = {permittivity, permittivity.im <= 0.5 * RW_PERMITTIVITY_CONDUCTOR_IM,
                                       scene->holm};
            if (arrives || leaves)
                rw_wave_diffract_face(wave, &frame, legs->directions[i + 1], legs->lengths_m[piece + 1], arrives,
                                      leaves, &faces, scene->wavelength_m);
            else if (edge->kind == RW_TILE_EDGE_MESH)
                rw_tile_wave_bend(scene, edge, &frame, legs->directions[i + 1], legs->lengths_m[piece + 1], wave);
            else
                rw_wave_diffract(wave, &frame, legs->directions[i + 1], legs->lengths_m[piece + 1], &faces,
                                 scene->wavelength_m, RW_WEDGE_FAST);
            piece++;
            continue;
        }
        rw_vec3 normal = scene->tiles.tiles[index].normal;
        double cosine = -rw_vec3_dot(legs->directions[i], normal);
        if (!(cosine > 0))
            return 0;
        rw_wave_reflect(wave, normal, rw_tile_reflection(scene, index, cosine));
    }
    rw_wave_go(wave, legs->lengths_m[piece]);
    return 1;
}

/* A wave of size 1 on theta or phi of its direction. */
RW_FN rw_wave rw_tile_wave_upright(rw_vec3 direction, int on_phi)
{
    rw_pattern antenna = {RW_PATTERN_ISOTROPIC,
                          {{0.0, 1.0, 0.0}, {-1.0, 0.0, 0.0}, {0.0, 0.0, 1.0}},
                          {{on_phi ? 0.0 : 1.0, 0.0}, {on_phi ? 1.0 : 0.0, 0.0}},
                          1.0,
                          NULL,
                          0};
    return rw_wave_start(&antenna, direction);
}

/* What a ray brings to a point. */
typedef struct rw_tile_arrival {
    rw_ray_arrival ray;
    double incident;   /* received over transmitted power, whatever the polarisation */
    double theta, phi; /* |E|^2 at one metre */
    double length_m;
} rw_tile_arrival;

RW_FN int rw_tile_arrive_direct(const rw_tile_scene *scene, const rw_tile_ray *ray, const rw_tile_legs *legs,
                                rw_tile_arrival *arrival)
{
    rw_wave wave = rw_wave_start(&scene->transmitter, legs->directions[0]);
    rw_complex theta, phi;
    if (!rw_tile_wave_along(scene, ray, legs, &wave))
        return 0;
    double spread = 1.0 / (wave.radius_across_m * wave.radius_along_m);
    arrival->ray.gain = rw_wave_gain(&wave, &scene->receiver, scene->wavelength_m);
    rw_theta_phi_components(wave.amplitude, wave.direction, &theta, &phi);
    arrival->theta = rw_complex_abs2(theta) * spread;
    arrival->phi = rw_complex_abs2(phi) * spread;
    arrival->length_m = wave.length_m;
    return 1;
}

/* A scattered ray: theta and phi of what the scatterer sends have nothing to do with each other. */
RW_FN int rw_tile_arrive_scattered(const rw_tile_scene *scene, const rw_tile_ray *ray, const rw_tile_legs *legs,
                                   rw_tile_arrival *arrival)
{
    const rw_tile_scatterer *from = scene->scatterers + ray->steps[0];
    const rw_construction *wall = rw_tile_wall(scene, from->tile);
    double cosine = rw_vec3_dot(legs->directions[1], scene->tiles.tiles[from->tile].normal), power = 0.0;
    if (!(cosine > 0))
        return 0;
    double sent = rw_patch_roughness(wall) * (double)scene->tiles.tiles[from->tile].area_m2 *
                  rw_patch_side(wall, cosine, scene->wavelength_m);
    sent *=
        rw_scatter_lobe_ratio(&scene->lobe, scene->tiles.tiles[from->tile].normal, from->incoming, legs->directions[1]);
    arrival->theta = arrival->phi = 0.0;
    for (int on_phi = 0; on_phi < 2; on_phi++) {
        double fraction = sent * (on_phi ? from->phi : from->theta);
        rw_wave wave = rw_tile_wave_upright(legs->directions[1], on_phi);
        rw_complex theta, phi;
        if (!(fraction > 0))
            continue;
        if (!rw_tile_wave_along(scene, ray, legs, &wave))
            return 0;
        double spread = fraction / (wave.radius_across_m * wave.radius_along_m);
        power += fraction * rw_complex_abs2(rw_wave_gain(&wave, &scene->receiver, scene->wavelength_m));
        rw_theta_phi_components(wave.amplitude, wave.direction, &theta, &phi);
        arrival->theta += rw_complex_abs2(theta) * spread;
        arrival->phi += rw_complex_abs2(phi) * spread;
        arrival->length_m = wave.length_m + from->delay_s * RW_SPEED_OF_LIGHT_M_S;
    }
    arrival->ray.gain = rw_complex_of(sqrt(power), 0.0);
    return arrival->theta + arrival->phi > 0;
}

RW_FN int rw_tile_arrive(const rw_tile_scene *scene, const rw_tile_ray *ray, rw_vec3 point, rw_tile_arrival *arrival)
{
    rw_tile_legs legs;
    if (!rw_tile_legs_of(scene, ray, point, &legs))
        return 0;
    if (!(ray->scattered ? rw_tile_arrive_scattered(scene, ray, &legs, arrival)
                         : rw_tile_arrive_direct(scene, ray, &legs, arrival)))
        return 0;
    double scale = scene->wavelength_m / (4.0 * RW_PI);
    arrival->incident = (arrival->theta + arrival->phi) * scale * scale;
    arrival->ray.delay_s = arrival->length_m / RW_SPEED_OF_LIGHT_M_S;
    arrival->ray.direction = legs.directions[ray->count];
    arrival->ray.diffuse = ray->scattered;
    return 1;
}

/* Where a ray ends: the middle of its tile or edge segment, or its point. */
RW_FN rw_vec3 rw_tile_ray_end(const rw_tile_scene *scene, const rw_tile_ray *ray)
{
    if (ray->end_kind == RW_END_POINT)
        return scene->points[ray->end];
    if (ray->end_kind == RW_END_TILE)
        return scene->tiles.tiles[ray->end].centre;
    const rw_tile_edge *edge = scene->tiles.edges + ray->end;
    return rw_vec3_scale(rw_vec3_add(edge->from, edge->to), 0.5);
}

#endif
