/* Rays through cubes: which of the cubes on the way hold something, several steps at a time.
 *
 * Places are 16.16 fixed point and all steps of a ray follow from the first, so a CPU looks at eight at once and a GPU
 * has eight loads on their way. Where a ray is above everything around it, it takes up to 65 steps at once. */
#ifndef RW_MODELS_CUBES_WALK_K_H
#define RW_MODELS_CUBES_WALK_K_H

#include "models/cubes/cone.k.h"

#define RW_WALK_LOOK 8 /* steps that are looked at together */

/* Whether a rising ray and all that it splits into are above everything, from its first step to the end of the grid:
 * looked up in rectangles of doubling length, widened by what the split rays are apart. open: kinds of deflection that
 * may follow. */
RW_FN int rw_walk_in_sky(const rw_cube_search *search, uint32_t open, const float start[3], const float way[3],
                         int first, int last)
{
    const rw_cubes_view *cubes = &search->cubes;
    if (!(way[2] > 0.0f))
        return 0;
    if (!open && way[2] * (float)last >= 1.0f &&
        start[2] + way[2] * (float)first - 2.0f - (float)first / (float)last >= (float)search->receiver_top)
        return 1; /* only receivers are wanted */
    for (int step = first;; step *= 2) {
        float beside = 2.0f + 2.0f * (float)step / (float)last;
        float low = start[2] + way[2] * (float)step - 2.0f - (float)step / (float)last;
        int from[2], to[2];
        const int sizes[2] = {cubes->columns, cubes->rows};
        if (low >= (float)cubes->layers)
            return 1;
        if (low < (float)search->receiver_top)
            return 0;
        for (int axis = 0; axis < 2; axis++) {
            float here = start[axis] + way[axis] * (float)step, there = start[axis] + way[axis] * (float)(2 * step);
            from[axis] = (int)floorf(fminf(here, there) - beside);
            to[axis] = (int)floorf(fmaxf(here, there) + beside);
            if (from[axis] >= sizes[axis] || to[axis] < 0)
                return 1; /* beyond the grid, and farther on still */
            from[axis] = from[axis] < 0 ? 0 : from[axis];
            to[axis] = to[axis] >= sizes[axis] ? sizes[axis] - 1 : to[axis];
        }
        if (low < (float)rw_cube_top(cubes, from[0], from[1], to[0], to[1]))
            return 0;
    }
}

/* How many steps from a place stay in the grid along one axis; most if all of them do. */
RW_FN int rw_walk_steps_within(int at, int way, int size, int most)
{
    int end = size << 16, there = at + (most - 1) * way;
    if (at < 0 || at >= end)
        return 0;
    return there < 0 ? at / -way + 1 : there >= end ? (end - 1 - at) / way + 1 : most;
}

/* Moves a ray on to a step; its steps are then those from there to the last that are in the grid. */
RW_FN void rw_walk_begin(const rw_cubes_view *cubes, rw_cube_ray *ray, int first, int last)
{
    const int sizes[3] = {cubes->columns, cubes->rows, cubes->layers};
    ray->steps = last - first + 1;
    for (int axis = 0; axis < 3; axis++) {
        ray->at[axis] += first * ray->way[axis];
        ray->steps = rw_walk_steps_within(ray->at[axis], ray->way[axis], sizes[axis], ray->steps);
    }
}

/* Word of the cube of a ray at a step, and its place along x. */
RW_FN uint32_t rw_walk_word(const rw_cubes_view *cubes, const rw_cube_ray *ray, int step, int *i)
{
    int j = (ray->at[1] + step * ray->way[1]) >> 16, k = (ray->at[2] + step * ray->way[2]) >> 16;
    *i = (ray->at[0] + step * ray->way[0]) >> 16;
    return (uint32_t)((k * cubes->rows + j) * cubes->words + (*i >> 5));
}

/* Which of the next steps of a ray are in cubes with their bit set. Steps that it does not have are not. */
RW_FN uint32_t rw_walk_look(const rw_cubes_view *cubes, const uint32_t *bits, const rw_cube_ray *ray, int step)
{
    const int x = ray->at[0] + step * ray->way[0], y = ray->at[1] + step * ray->way[1];
    const int z = ray->at[2] + step * ray->way[2], way_x = ray->way[0], way_y = ray->way[1], way_z = ray->way[2];
    const int rows = cubes->rows, words = cubes->words, left = ray->steps - step - 1;
    uint32_t met = 0;
#ifdef __CUDACC__
#pragma unroll
#endif
    RW_SIMD_OR(met)
    for (int ahead = 0; ahead < RW_WALK_LOOK; ahead++) {
        int to = ahead < left ? ahead : left;
        int i = (x + to * way_x) >> 16, j = (y + to * way_y) >> 16, k = (z + to * way_z) >> 16;
        met |= (bits[(k * rows + j) * words + (i >> 5)] >> (i & 31) & 1u) << ahead;
    }
    return left + 1 < RW_WALK_LOOK ? met & ((1u << (left + 1)) - 1u) : met;
}

/* How many steps of a ray from here on are above everything within as many columns. */
RW_FN int rw_walk_free_steps(const rw_cube_search *search, const rw_cube_ray *ray, int step)
{
    int i = (ray->at[0] + step * ray->way[0]) >> 16, j = (ray->at[1] + step * ray->way[1]) >> 16;
    int z = ray->at[2] + step * ray->way[2], down = ray->way[2] < 0 ? ray->way[2] : 0, free_steps = 0;
    uint32_t clearance = search->clearance[j * search->cubes.columns + i];
    for (int ahead = 8; ahead <= 64; ahead *= 2, clearance >>= 8) {
        uint32_t layer = clearance & 255u;
        if (layer == 255u || (z + ahead * down) >> 16 < (int)layer)
            break;
        free_steps = ahead + 1; /* and the step where it is */
    }
    return free_steps;
}

/* Bits of what rays are to meet if these kinds may follow, or that end them. */
RW_FN const uint32_t *rw_walk_occupied(const rw_cube_search *search, uint32_t open)
{
    const rw_cubes_view *cubes = &search->cubes;
    return search->occupied + (size_t)open * (size_t)cubes->words * (size_t)cubes->rows * (size_t)cubes->layers;
}

/* A ray is a node: a stage in the highest bits, then its numbers along both parameters, 14 bits each. Its start and
 * direction. */
RW_FN void rw_walk_ray(const rw_cone *cone, const int counts[2], uint32_t node, float start[3], float way[3])
{
    uint32_t at_a = node >> 14 & 0x3fffu, at_b = node & 0x3fffu;
    int on_face = at_b == RW_CONE_FACE;
    float a = ((float)at_a + 0.5f) / (float)counts[0];
    float b = on_face ? 1.0f : ((float)at_b + 0.5f) / (float)counts[1];
    rw_cone_ray(cone, a, b, on_face ? RW_CUBE_BESIDE : 0.0f, start, way);
}

/* First and last step of a stage. */
RW_FN void rw_walk_steps(uint32_t stage, int *first, int *last)
{
    *last = RW_CONE_FIRST_STEPS << stage;
    *first = stage ? *last / 2 + 1 : 1;
}

/* Whatever a ray of one stage becomes in the next: a rectangle of numbers along both parameters. */
typedef struct rw_walk_children {
    uint32_t first_a, end_a, first_b, end_b;
} rw_walk_children;

RW_FN rw_walk_children rw_walk_children_of(uint32_t node, const int counts[2], const int next[2])
{
    uint32_t at_a = node >> 14 & 0x3fffu, at_b = node & 0x3fffu;
    rw_walk_children children;
    int on_face = at_b == RW_CONE_FACE;
    children.first_a = rw_cone_next(at_a, counts[0], next[0]);
    children.end_a = rw_cone_next(at_a + 1u, counts[0], next[0]);
    children.first_b = on_face ? RW_CONE_FACE : rw_cone_next(at_b, counts[1], next[1]);
    children.end_b = on_face ? RW_CONE_FACE + 1u : rw_cone_next(at_b + 1u, counts[1], next[1]);
    return children;
}

/* How many rays a cone starts with, and the node of one of them. */
RW_FN uint32_t rw_walk_root_count(const rw_cone *cone, const int counts[2])
{
    uint32_t fan = (uint32_t)(counts[0] * counts[1]);
    return fan + (cone->kind == RW_CUBE_REFLECTION ? 0u : (uint32_t)counts[0]);
}

RW_FN uint32_t rw_walk_root(const int counts[2], uint32_t ray)
{
    uint32_t along_b = (uint32_t)counts[1], fan = (uint32_t)counts[0] * along_b;
    return ray < fan ? ray / along_b << 14 | ray % along_b : (ray - fan) << 14 | RW_CONE_FACE;
}

#endif
