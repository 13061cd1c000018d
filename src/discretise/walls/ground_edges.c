/* Ridges of the terrain: sides of its triangles (scene/terrain.c) at which the ground folds upwards.
 *
 * Pieces of one straight ridge between the same two planes become one edge. Folds of less than a degree do not
 * diffract, as for tiles. */
#include "discretise/walls/walls.h"

#include "discretise/prepared.h"

#include "base/maths/elementary.h"
#include "base/memory.h"

#include <math.h>

#define FOLD_MIN_RAD 0.0175

typedef struct ridge_search {
    const rw_scene *scene;
    rw_building_edge *edges;
    size_t count, capacity;
    size_t own; /* edges that were there before */
} ridge_search;

/* A post of the terrain in the frame of the wall grid. */
static rw_vec3 terrain_post(const rw_scene *scene, size_t column, size_t row)
{
    const rw_raster *terrain = &scene->terrain;
    rw_vec2 centre = scene->prepared->grid.centre;
    return rw_vec3_of(terrain->x0_m + (double)column * terrain->dx_m - centre.x,
                      terrain->y0_m + (double)row * terrain->dy_m - centre.y,
                      (double)terrain->values[row * terrain->columns + column]);
}

static rw_vec3 unit_in_space(rw_vec3 vector)
{
    return rw_vec3_scale(vector, 1 / rw_vec3_length(vector));
}

/* Upward normal of a triangle. */
static rw_vec3 normal_of(rw_vec3 a, rw_vec3 b, rw_vec3 c)
{
    rw_vec3 normal = unit_in_space(rw_vec3_cross(rw_vec3_sub(b, a), rw_vec3_sub(c, a)));
    return normal.z < 0 ? rw_vec3_scale(normal, -1) : normal;
}

/* Whether the last ridge that was found ends where a new one between the same planes begins. */
static int continues_ridge(const ridge_search *search, const rw_building_edge *next)
{
    const double same = 1e-9;
    if (search->count == search->own)
        return 0;
    const rw_building_edge *last = &search->edges[search->count - 1];
    return rw_vec3_length(rw_vec3_sub(last->to, next->from)) < same &&
           rw_vec3_length(rw_vec3_sub(last->edge, next->edge)) < same &&
           rw_vec3_length(rw_vec3_sub(last->zero_normal, next->zero_normal)) < same &&
           fabs(last->exterior_over_pi - next->exterior_over_pi) < same;
}

/* The side from one post to another; left and right are the third corners of the triangles beside it. */
static rw_status add_ridge_edge(ridge_search *search, rw_vec3 from, rw_vec3 to, rw_vec3 left, rw_vec3 right)
{
    rw_vec3 zero = normal_of(from, to, left), other = normal_of(from, to, right);
    double fold_rad = acos(fmin(1, rw_vec3_dot(zero, other)));
    if (fold_rad < FOLD_MIN_RAD || rw_vec3_dot(rw_vec3_sub(right, from), zero) >= 0)
        return RW_OK;
    rw_vec3 along = rw_vec3_cross(zero, unit_in_space(rw_vec3_sub(to, from)));
    if (rw_vec3_dot(along, rw_vec3_sub(left, from)) < 0)
        along = rw_vec3_scale(along, -1);
    rw_building_edge ridge = {.from = from,
                              .to = to,
                              .edge = rw_vec3_cross(along, zero),
                              .zero_along = along,
                              .zero_normal = zero,
                              .exterior_over_pi = 1 + fold_rad / RW_PI,
                              .part = RW_NO_PART};
    if (continues_ridge(search, &ridge)) {
        search->edges[search->count - 1].to = to;
        return RW_OK;
    }
    RW_TRY(rw_array_reserve(search->scene->context, &search->edges, &search->capacity, search->count + 1,
                            sizeof *search->edges, "edges"));
    search->edges[search->count++] = ridge;
    return RW_OK;
}

/* Line after line of sides, so that straight ridges come piece after piece: along x, along y, along the diagonals. The
 * outline of the terrain has one triangle only. */
static rw_status find_ridges(ridge_search *search)
{
    const rw_scene *scene = search->scene;
    size_t columns = scene->terrain.columns, rows = scene->terrain.rows;
    for (size_t row = 1; row + 1 < rows; row++)
        for (size_t column = 0; column + 1 < columns; column++)
            RW_TRY(add_ridge_edge(search, terrain_post(scene, column, row), terrain_post(scene, column + 1, row),
                                  terrain_post(scene, column + 1, row + 1), terrain_post(scene, column, row - 1)));
    for (size_t column = 1; column + 1 < columns; column++)
        for (size_t row = 0; row + 1 < rows; row++)
            RW_TRY(add_ridge_edge(search, terrain_post(scene, column, row), terrain_post(scene, column, row + 1),
                                  terrain_post(scene, column + 1, row + 1), terrain_post(scene, column - 1, row)));
    for (size_t line = 0; line + 3 < columns + rows; line++) {
        size_t first_row = line + 2 < rows ? rows - 2 - line : 0, first_column = line + 2 < rows ? 0 : line + 2 - rows;
        for (size_t row = first_row, column = first_column; row + 1 < rows && column + 1 < columns; row++, column++)
            RW_TRY(add_ridge_edge(search, terrain_post(scene, column, row), terrain_post(scene, column + 1, row + 1),
                                  terrain_post(scene, column, row + 1), terrain_post(scene, column + 1, row)));
    }
    return RW_OK;
}

rw_status rw_ground_edges_add(const rw_scene *scene, rw_building_edge **edges, size_t *count)
{
    ridge_search search = {.scene = scene, .edges = *edges, .count = *count, .capacity = *count, .own = *count};
    rw_status status = scene->terrain.values ? find_ridges(&search) : RW_OK;
    *edges = search.edges;
    *count = search.count;
    return status;
}
