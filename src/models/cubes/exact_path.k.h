/* A path of the cubes model from its pieces alone: exact points, length, loss, and whether each leg is free.
 *
 * Cubes only find which surfaces and edges a path may meet. Its points then follow from geometry: between two edges (or
 * an end and an edge) a wave is reflected by images, and the points on the edges are those of least length, each at
 * equal angles to its edge (Keller). The length is convex in the points on the edges, so that they are found one after
 * the other, in turn, until none of them moves. A path is valid if each point is on its surface or edge, each wave
 * bends round the solid of its edge, and each leg is a line of sight of the walls, meshes and terrain themselves, as in
 * the layer `los` of every model. Lengths are in cubes. */
#ifndef RW_MODELS_CUBES_EXACT_PATH_K_H
#define RW_MODELS_CUBES_EXACT_PATH_K_H

#include "models/cubes/interaction.k.h"
#include "visibility/los/march_walls.k.h"

#define RW_CUBES_INTERACTIONS_MAX (4 * RW_CUBE_KINDS)
#define RW_EXACT_SWEEPS_MAX 40
#define RW_EXACT_MOVE 1e-4f /* points on edges that move by less are found */

/* The cubes through which the world of lines of sight is seen: its walls, and where cube 0 is in its frame. */
typedef struct rw_cubes_world {
    rw_wall_grid_view grid;
    rw_vec3 corner_m;
    double res_m;
    double margin_m; /* a leg starts this far before its surface or edge: more than the rounding of its points */
} rw_cubes_world;

/* Pieces from the first interaction to the last, and the exact path over them; point 0 is the source, the last the
 * receiver. */
typedef struct rw_exact_path {
    int count; /* of interactions */
    uint32_t pieces[RW_CUBES_INTERACTIONS_MAX];
    float points[RW_CUBES_INTERACTIONS_MAX + 2][3];
    float cosines[RW_CUBES_INTERACTIONS_MAX]; /* of the changes of direction */
    float length;
} rw_exact_path;

RW_FN rw_vec3 rw_cubes_world_point(const rw_cubes_world *world, const float at[3])
{
    return rw_vec3_of(world->corner_m.x + (double)at[0] * world->res_m,
                      world->corner_m.y + (double)at[1] * world->res_m,
                      world->corner_m.z + (double)at[2] * world->res_m);
}

/* The same a little outside the solid, from a point of an element. */
RW_FN rw_vec3 rw_cubes_world_outside(const rw_cubes_world *world, const rw_cube_element *element, const float at[3])
{
    const float *out = element->kind == RW_CUBE_REFLECTION ? element->axis : element->inner;
    double margin_m = element->kind == RW_CUBE_REFLECTION ? world->margin_m : -world->margin_m;
    rw_vec3 point = rw_cubes_world_point(world, at);
    return rw_vec3_of(point.x + margin_m * (double)out[0], point.y + margin_m * (double)out[1],
                      point.z + margin_m * (double)out[2]);
}

/* Line of sight between two points; marched from the second, which should be the one nearer to obstacles. */
RW_FN int rw_cubes_world_clear(const rw_cubes_world *world, rw_vec3 from, rw_vec3 to)
{
    rw_sight sight = rw_sight_of(&world->grid, to, from);
    return rw_march_clear(&world->grid, &sight);
}

RW_FN void rw_exact_mirror(const rw_cube_element *element, const float point[3], float image[3])
{
    float height = 0.0f;
    for (int axis = 0; axis < 3; axis++)
        height += (point[axis] - element->at[axis]) * element->axis[axis];
    for (int axis = 0; axis < 3; axis++)
        image[axis] = point[axis] - 2.0f * height * element->axis[axis];
}

RW_FN const rw_cube_element *rw_exact_element(const rw_cubes_view *cubes, const rw_exact_path *path, int point)
{
    return &cubes->elements[cubes->items[path->pieces[point - 1]].element];
}

RW_FN int rw_exact_is_mirror(const rw_cubes_view *cubes, const rw_exact_path *path, int point)
{
    return point >= 1 && point <= path->count &&
           rw_exact_element(cubes, path, point)->kind == (uint32_t)RW_CUBE_REFLECTION;
}

/* The next end or edge from a point on in a direction, as its images in the surfaces between appear from there. */
RW_FN void rw_exact_neighbour(const rw_cubes_view *cubes, const rw_exact_path *path, int point, int step, float seen[3])
{
    int end = point + step;
    while (rw_exact_is_mirror(cubes, path, end))
        end += step;
    for (int axis = 0; axis < 3; axis++)
        seen[axis] = path->points[end][axis];
    for (int at = end - step; at != point; at -= step)
        rw_exact_mirror(rw_exact_element(cubes, path, at), seen, seen);
}

/* Moves the point on an edge to where the angles to the edge are equal on both sides; by how much it moved. */
RW_FN float rw_exact_move(const rw_cubes_view *cubes, rw_exact_path *path, int point)
{
    const rw_cube_item *item = &cubes->items[path->pieces[point - 1]];
    const rw_cube_element *element = &cubes->elements[item->element];
    float before[3], after[3], across[3], distance_before, distance_after, moved = 0.0f;
    rw_exact_neighbour(cubes, path, point, -1, before);
    rw_exact_neighbour(cubes, path, point, 1, after);
    float along_before = rw_edge_across(element, item, before, across, &distance_before);
    float along_after = rw_edge_across(element, item, after, across, &distance_after);
    float sum = distance_before + distance_after;
    float along = sum > 0.0f ? along_before + (along_after - along_before) * (distance_before / sum) : along_before;
    for (int axis = 0; axis < 3; axis++) {
        float at = item->from[axis] + along * element->axis[axis];
        moved += fabsf(at - path->points[point][axis]);
        path->points[point][axis] = at;
    }
    return moved;
}

RW_FN void rw_exact_find_edge_points(const rw_cubes_view *cubes, rw_exact_path *path)
{
    int edges = 0;
    for (int point = 1; point <= path->count; point++) {
        rw_item_middle(&cubes->items[path->pieces[point - 1]], path->points[point]);
        edges += !rw_exact_is_mirror(cubes, path, point);
    }
    for (int sweep = 0; sweep < RW_EXACT_SWEEPS_MAX && edges > 0; sweep++) {
        float moved = 0.0f;
        for (int point = 1; point <= path->count; point++)
            if (!rw_exact_is_mirror(cubes, path, point)) {
                float by = rw_exact_move(cubes, path, point);
                moved = by > moved ? by : moved;
            }
        if (edges == 1 || moved < RW_EXACT_MOVE)
            return;
    }
}

/* The points on the surfaces between two ends or edges: forwards the images of the first, then backwards from the last
 * to each image. */
RW_FN void rw_exact_find_mirror_points(const rw_cubes_view *cubes, rw_exact_path *path, int first, int last)
{
    for (int point = first + 1; point < last; point++)
        rw_exact_mirror(rw_exact_element(cubes, path, point), path->points[point - 1], path->points[point]);
    for (int point = last - 1; point > first; point--) {
        const rw_cube_element *element = rw_exact_element(cubes, path, point);
        float *image = path->points[point];
        const float *to = path->points[point + 1];
        float below = 0.0f, above = 0.0f;
        for (int axis = 0; axis < 3; axis++) {
            below -= (image[axis] - element->at[axis]) * element->axis[axis];
            above += (to[axis] - element->at[axis]) * element->axis[axis];
        }
        float fraction = below + above > 0.0f ? below / (below + above) : 0.0f;
        for (int axis = 0; axis < 3; axis++)
            image[axis] += fraction * (to[axis] - image[axis]);
    }
}

RW_FN int rw_exact_in_item(const rw_cube_item *item, const float at[3])
{
    int inside = 1;
    for (int axis = 0; axis < 3; axis++)
        inside &= at[axis] >= item->from[axis] - RW_CUBE_BORDER && at[axis] <= item->to[axis] + RW_CUBE_BORDER;
    return inside;
}

/* On an edge pieces go from one end to the other, whichever is larger. */
RW_FN int rw_exact_on_item(const rw_cubes_view *cubes, const rw_cube_item *item, const float at[3])
{
    const rw_cube_element *element = &cubes->elements[item->element];
    float across[3], distance, length = 0.0f;
    if (element->kind == (uint32_t)RW_CUBE_REFLECTION)
        return rw_exact_in_item(item, at);
    for (int axis = 0; axis < 3; axis++)
        length += (item->to[axis] - item->from[axis]) * element->axis[axis];
    float along = rw_edge_across(element, item, at, across, &distance);
    return along >= -RW_CUBE_BORDER && along <= length + RW_CUBE_BORDER;
}

/* The piece of an element that a point lies on, from one that is near it; 0: none, the element ends before. */
RW_FN int rw_exact_find_piece(const rw_cubes_view *cubes, const float at[3], uint32_t *piece)
{
    uint32_t element = cubes->items[*piece].element;
    if (rw_exact_on_item(cubes, &cubes->items[*piece], at))
        return 1;
    for (int corner = 0; corner < 8; corner++) {
        int cube[3];
        for (int axis = 0; axis < 3; axis++)
            cube[axis] = (int)floorf(at[axis] + (corner >> axis & 1 ? RW_CUBE_BORDER : -RW_CUBE_BORDER));
        if (!rw_cube_in_grid(cubes, cube[0], cube[1], cube[2]))
            continue;
        size_t word = rw_cube_word(cubes, cube[0], cube[1], cube[2]);
        if (!rw_cube_bit(cubes->source, word, cube[0]))
            continue;
        uint32_t source = rw_cube_source(cubes, word, cube[0]), end = cubes->first_item[source + 1];
        for (uint32_t n = cubes->first_item[source]; n < end; n++)
            if (cubes->items[n].element == element && rw_exact_on_item(cubes, &cubes->items[n], at)) {
                *piece = n;
                return 1;
            }
    }
    return 0;
}

/* Points, changes of direction and length of the path over its pieces, whose points may lie on neighbouring pieces;
 * 0: there is none. Points 0 and count + 1 are set. */
RW_FN int rw_exact_path_find(const rw_cubes_view *cubes, rw_exact_path *path)
{
    rw_exact_find_edge_points(cubes, path);
    for (int first = 0; first <= path->count;) {
        int last = first + 1;
        while (rw_exact_is_mirror(cubes, path, last))
            last++;
        rw_exact_find_mirror_points(cubes, path, first, last);
        first = last;
    }
    path->length = rw_distance3(path->points[path->count], path->points[path->count + 1]);
    for (int point = 1; point <= path->count; point++) {
        rw_cube_interaction interaction;
        if (!rw_exact_find_piece(cubes, path->points[point], &path->pieces[point - 1]))
            return 0;
        const rw_cube_item *item = &cubes->items[path->pieces[point - 1]];
        rw_interaction_start start =
            rw_interaction_start_of(&cubes->elements[item->element], item, path->points[point - 1]);
        if (!rw_cube_interaction_find(&start, path->points[point + 1], &interaction))
            return 0;
        path->cosines[point - 1] = interaction.cosine;
        path->length += rw_distance3(path->points[point - 1], path->points[point]);
    }
    return 1;
}

/* Whether nothing is in the path of the wave, from the receiver back. */
RW_FN int rw_exact_path_clear(const rw_cubes_view *cubes, const rw_cubes_world *world, const rw_exact_path *path)
{
    rw_vec3 to = rw_cubes_world_point(world, path->points[path->count + 1]);
    for (int point = path->count; point >= 0; point--) {
        rw_vec3 from = point == 0
                           ? rw_cubes_world_point(world, path->points[0])
                           : rw_cubes_world_outside(world, rw_exact_element(cubes, path, point), path->points[point]);
        if (!rw_cubes_world_clear(world, from, to))
            return 0;
        to = from;
    }
    return 1;
}

#endif
