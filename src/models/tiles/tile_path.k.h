/* Whether the exact path of a ray is there: tiles only led to it.
 *
 * A ray is a list of tiles and edge segments, of which the last alone was asked exactly; those before it were asked for
 * the middle of the next. So each place of the exact path is asked here for its own wall, roof or edge, and each leg
 * for what stands in its way. A place may lie beside its tile: tiles of one surface have one mirror, and the path is
 * found by one list of tiles only. */
#ifndef RW_MODELS_TILES_TILE_PATH_K_H
#define RW_MODELS_TILES_TILE_PATH_K_H

#include "models/tiles/tile_ray.k.h"

/* Places of all steps, from the point back: where the line to the image meets each mirror. 0 where two coincide. */
RW_FN int rw_tile_ray_points(const rw_tile_scene *scene, const rw_tile_ray *ray, rw_vec3 point, rw_vec3 *points)
{
    rw_tile_images images = rw_tile_images_of(scene, ray);
    double fractions[RW_TILE_BENDS_MAX] = {0.0, 0.0};
    rw_vec3 vertices[RW_TILE_BENDS_MAX + 1], at = point;
    if (!rw_tile_edge_fractions(&images, point, fractions))
        return 0;
    int piece = images.bends;
    vertices[0] = images.source;
    for (int i = 0; i < images.bends; i++)
        vertices[i + 1] = rw_edge_line_at(&images.edges[i], fractions[i]);
    for (int i = ray->count - 1; i >= rw_tile_ray_first(ray); i--) {
        if (RW_TILE_STEP_BENDS(ray->steps[i])) {
            at = points[i] = vertices[piece--];
            continue;
        }
        const rw_tile *mirror = scene->tiles.tiles + RW_TILE_STEP_INDEX(ray->steps[i]);
        double before = rw_vec3_dot(mirror->normal, rw_vec3_sub(at, mirror->centre));
        double behind = rw_vec3_dot(mirror->normal, rw_vec3_sub(vertices[piece], mirror->centre));
        if (!(before > 0 && behind < 0))
            return 0;
        at = rw_vec3_add(at, rw_vec3_scale(rw_vec3_sub(vertices[piece], at), before / (before - behind)));
        points[i] = at;
        for (int j = 0; j <= piece; j++)
            vertices[j] = rw_tile_mirrored(mirror, vertices[j]);
    }
    if (ray->scattered)
        points[0] = scene->tiles.tiles[scene->scatterers[ray->steps[0]].tile].centre;
    return 1;
}

/* What trees and air leave of a ray's power, from its scatterer or the transmitter on. Up to a scatterer they are in
 * what has reached it. */
RW_RARE_FN double rw_tile_medium_gain(const rw_tile_scene *scene, const rw_tile_ray *ray, rw_vec3 point)
{
    rw_vec3 points[RW_TILE_DEPTH_MAX], from = scene->source;
    rw_medium_path path = rw_medium_start();
    if (!rw_tile_ray_points(scene, ray, point, points))
        return 1.0;
    if (ray->scattered) {
        from = points[0];
        path.length_m = rw_vec3_length(rw_vec3_sub(from, scene->source));
    }
    for (int i = rw_tile_ray_first(ray); i <= ray->count; i++) {
        rw_vec3 to = i < ray->count ? points[i] : point;
        rw_medium_go(&scene->medium, &path, from, to);
        from = to;
    }
    return pow(10.0,
               -0.1 * rw_medium_loss_db(&scene->medium, &path, rw_vec3_length(rw_vec3_sub(point, scene->source))));
}

/* The same with what the ray brings there. */
RW_FN void rw_tile_arrival_attenuate(const rw_tile_scene *scene, const rw_tile_ray *ray, rw_vec3 point,
                                     rw_tile_arrival *arrival)
{
    if (!scene->medium.counts)
        return;
    double gain = rw_tile_medium_gain(scene, ray, point);
    arrival->ray.gain = rw_complex_scale(arrival->ray.gain, sqrt(gain));
    arrival->incident *= gain;
    arrival->theta *= gain;
    arrival->phi *= gain;
}

/* Whether a place at the height of some roof is on it. */
RW_RARE_FN int rw_point_on_roof(const rw_tile_geometry_view *geometry, rw_vec3 point)
{
    rw_vec3 above = rw_vec3_of(point.x, point.y, point.z + 1e-3), below = rw_vec3_of(point.x, point.y, point.z - 1e-3);
    for (uint32_t i = 0; i < geometry->face_count; i++)
        if (rw_deck_blocks(geometry, geometry->faces + i, above, below))
            return 1;
    return 0;
}

/* Whether a place is within a tile of the ground. */
RW_FN int rw_point_in_tile(const rw_tile *tile, rw_vec3 point)
{
    return rw_tile_passes(tile, rw_vec3_sub(point, tile->normal), rw_vec3_add(point, tile->normal));
}

/* Whether a place in the plane of a mesh is on it. */
RW_RARE_FN int rw_point_on_mesh(const rw_tile_geometry_view *geometry, rw_vec3 point, rw_vec3 normal)
{
    rw_vec3 off = rw_vec3_scale(normal, 1e-3);
    return geometry->grid.node_count &&
           rw_cross_meshes(&geometry->grid, rw_vec3_add(point, off), rw_vec3_sub(point, off), 0) != 0;
}

/* Whether a place on the line of an edge of a mesh is on the edge: a little way into one of its faces the mesh is. */
RW_FN int rw_point_on_mesh_edge(const rw_tile_geometry_view *geometry, const rw_tile_edge *edge, rw_vec3 point)
{
    const double into_m = 2e-3;
    double angle = edge->exterior_rad;
    rw_vec3 other = rw_vec3_add(rw_vec3_scale(edge->along, cos(angle)), rw_vec3_scale(edge->normals[0], sin(angle)));
    return rw_point_on_mesh(geometry, rw_vec3_add(point, rw_vec3_scale(edge->along, into_m)), edge->normals[0]) ||
           rw_point_on_mesh(geometry, rw_vec3_add(point, rw_vec3_scale(other, into_m)), edge->normals[1]);
}

/* Whether a mirror or an edge is where a path meets it. On level ground any place will do: legs that end under a
 * building are not free. */
RW_FN int rw_tile_point_valid(const rw_tile_scene *scene, const rw_tile_geometry_view *geometry, uint32_t step,
                              rw_vec3 point)
{
    uint32_t index = RW_TILE_STEP_INDEX(step);
    const rw_tile *tile = scene->tiles.tiles + index;
    if (RW_TILE_STEP_BENDS(step)) {
        const rw_tile_edge *edge = scene->tiles.edges + index;
        if (edge->kind == RW_TILE_EDGE_GROUND)
            return 1;
        if (edge->kind == RW_TILE_EDGE_MESH)
            return rw_point_on_mesh_edge(geometry, edge, point);
        tile = scene->tiles.tiles + edge->tiles[0];
        if (scene->tiles.surfaces[tile->surface].kind != RW_TILE_WALL)
            tile = scene->tiles.tiles + edge->tiles[1];
    }
    const rw_tile_surface *surface = scene->tiles.surfaces + tile->surface;
    if (surface->kind == RW_TILE_WALL)
        return rw_point_on_wall(geometry->grid.exact + surface->wall, point);
    if (surface->kind == RW_TILE_ROOF)
        return rw_point_on_roof(geometry, point);
    if (surface->kind == RW_TILE_MESH)
        return rw_point_on_mesh(geometry, point, tile->normal);
    return geometry->grid.posts ? rw_point_in_tile(tile, point) : 1;
}

/* Whether a leg between two edges of a face holds: it begins on its own piece of the first edge, as all pieces are
 * tried, and stays in the face. A wall has no holes. */
RW_RARE_FN int rw_tile_face_holds(const rw_tile_geometry_view *geometry, const rw_tile_edge *edge, rw_vec3 from,
                                  rw_vec3 to, int face)
{
    const int samples = 8;
    rw_vec3 along = rw_vec3_sub(edge->to, edge->from);
    double fraction = rw_vec3_dot(rw_vec3_sub(from, edge->from), along) / rw_vec3_dot(along, along);
    if (!(fraction >= 0 && fraction < 1))
        return 0;
    rw_vec3 normal = edge->normals[face == RW_FACE_FAR];
    int mesh = edge->kind == RW_TILE_EDGE_MESH, roof = normal.z > 0.9;
    for (int i = 1; (roof || mesh) && i < samples; i++) {
        rw_vec3 at = rw_vec3_add(from, rw_vec3_scale(rw_vec3_sub(to, from), (double)i / samples));
        if (!(mesh ? rw_point_on_mesh(geometry, at, normal) : rw_point_on_roof(geometry, at)))
            return 0;
    }
    return 1;
}

/* All mirrors and edges of a path. */
RW_FN int rw_tile_points_valid(const rw_tile_scene *scene, const rw_tile_geometry_view *geometry,
                               const rw_tile_ray *ray, const rw_vec3 *points)
{
    for (int i = rw_tile_ray_first(ray); i < ray->count; i++) {
        if (!rw_tile_point_valid(scene, geometry, ray->steps[i], points[i]))
            return 0;
        if (i + 1 == ray->count || !RW_TILE_STEP_BENDS(ray->steps[i]) || !RW_TILE_STEP_BENDS(ray->steps[i + 1]))
            continue;
        rw_vec3 direction = rw_vec3_unit(rw_vec3_sub(points[i + 1], points[i]));
        int there, face = rw_tile_ray_face(scene, ray, i, direction, &there);
        if (face && !rw_tile_face_holds(geometry, rw_tile_ray_edge(scene, ray, i), points[i], points[i + 1], face))
            return 0;
    }
    return 1;
}

/* Whether each place is the own one of its tile, where more tiles were tried than those that middles lead to: the path
 * is then found by one list of tiles only. */
RW_FN int rw_tile_points_owned(const rw_tile_scene *scene, const rw_tile_ray *ray, const rw_vec3 *points)
{
    int mirrors = scene->neighbours && !ray->scattered;
    for (int i = 0; i < ray->count; i++)
        mirrors &= !RW_TILE_STEP_BENDS(ray->steps[i]);
    for (int i = 0; mirrors && i < ray->count; i++)
        if (!rw_tile_owns(scene, RW_TILE_STEP_INDEX(ray->steps[i]), points[i]))
            return 0;
    return 1;
}

/* A place a little off its surface, where lines of sight begin; 0 where it is on uneven ground, of which a tile is no
 * more than a mean. */
RW_FN int rw_tile_point_off_surface(const rw_tile_scene *scene, const rw_tile_geometry_view *geometry,
                                    const rw_tile_ray *ray, int step, rw_vec3 *point)
{
    uint32_t index = RW_TILE_STEP_INDEX(ray->steps[step]);
    rw_vec3 normal;
    int ground;
    if (step == 0 && ray->scattered)
        index = scene->scatterers[ray->steps[0]].tile;
    if (!(step == 0 && ray->scattered) && RW_TILE_STEP_BENDS(ray->steps[step])) {
        const rw_tile_edge *edge = scene->tiles.edges + index;
        normal = rw_tile_edge_ends(edge) ? rw_vec3_scale(edge->along, -1.0)
                                         : rw_vec3_unit(rw_vec3_add(edge->normals[0], edge->normals[1]));
        ground = edge->kind == RW_TILE_EDGE_GROUND;
    } else {
        normal = scene->tiles.tiles[index].normal;
        ground = scene->tiles.surfaces[scene->tiles.tiles[index].surface].kind == RW_TILE_GROUND;
    }
    *point = rw_vec3_add(*point, rw_vec3_scale(normal, RW_TILE_OFFSET_M));
    return !(ground && geometry->grid.posts);
}

/* Whether no wall or mesh is between two places; the ground is not asked. */
RW_RARE_FN int rw_line_clear_of_walls(const rw_tile_geometry_view *geometry, rw_vec3 from, rw_vec3 to)
{
    rw_tile_geometry_view bare = *geometry;
    bare.grid.posts = 0;
    return rw_line_clear(&bare, from, to);
}

/* Whether all legs are free. A leg that ends on uneven ground is tested for walls: its place may be under the ground.
 */
RW_RARE_FN int rw_tile_legs_free(const rw_tile_scene *scene, const rw_tile_geometry_view *geometry,
                                 const rw_tile_ray *ray, const rw_vec3 *points, rw_vec3 point)
{
    int first = rw_tile_ray_first(ray), off_before = 1;
    rw_vec3 from = scene->source;
    if (ray->scattered) {
        from = points[0];
        off_before = rw_tile_point_off_surface(scene, geometry, ray, 0, &from);
    }
    for (int i = first; i <= ray->count; i++) {
        rw_vec3 to = i < ray->count ? points[i] : point;
        int also = i < ray->count ? rw_tile_point_off_surface(scene, geometry, ray, i, &to) : 1;
        if (!(off_before && also ? rw_line_clear(geometry, to, from) : rw_line_clear_of_walls(geometry, to, from)))
            return 0;
        from = to;
        off_before = also;
    }
    return 1;
}

#endif
