/* Rays through cubes: which of the cubes on the way hold something, several steps at a time.
 *
 * Places are 16.16 fixed point and all steps of a ray follow from the first, so a CPU looks at eight at once and a GPU
 * has eight loads on their way. Where a ray is above everything around it, it takes up to 65 steps at once. */
#ifndef RW_MODELS_CUBES_WALK_K_H
#define RW_MODELS_CUBES_WALK_K_H

#include "models/cubes/cone.k.h"

#define RW_WALK_LOOK 8 /* steps that are looked at together */

/* From a place above a column on, how far a bundle of rays is above everything: `low` is the height of its lowest ray
 * there, `down` what that loses a step, `beside` how far its outermost are from the middle 64 columns on. */
RW_FN float rw_walk_clear_steps(uint32_t clearance, float low, float down, float sideways)
{
    float clear_steps = 0.0f;
    for (int within = 8; within <= 64; within *= 2, clearance >>= 8) {
        float reach = (float)within - 1.0f - sideways, lowest = low - down * reach;
        uint32_t layer = clearance & 255u;
        if (layer == 255u || (lowest < low ? lowest : low) < (float)layer)
            break;
        clear_steps = reach;
    }
    return clear_steps;
}

/* Whether a ray and all that it splits into are above everything, from its first step to the end of the grid. open:
 * kinds of deflection that may follow. Rays that it splits into are at most two cubes off at its last step. */
RW_FN int rw_walk_in_sky(const rw_cube_search *search, uint32_t open, const rw_cone_rays *rays, int ray, int first,
                         int last)
{
    const rw_cubes_view *cubes = &search->cubes;
    const float start[3] = {rays->start[0][ray], rays->start[1][ray], rays->start[2][ray]};
    const float direction[3] = {rays->direction[0][ray], rays->direction[1][ray], rays->direction[2][ray]};
    float apart = 1.0f / (float)last, down = apart - direction[2], step = (float)first;
    if (!open && down <= 0.0f && start[2] - 2.0f - down * step >= (float)search->receiver_top)
        return 1; /* only receivers are wanted */
    for (int iteration = 0; iteration < 32; iteration++) {
        float low = start[2] - 2.0f - down * step, sideways = 2.0f + 2.0f * apart * (step + 64.0f), shift = 0.0f;
        int column[2];
        if (down <= 0.0f && low >= (float)cubes->layers)
            return 1;
        for (int axis = 0; axis < 2; axis++) {
            float at = start[axis] + direction[axis] * step, size = (float)(axis == 0 ? cubes->columns : cubes->rows);
            if (at < -sideways || at > size + sideways)
                return 1; /* beyond the grid, and farther on still */
            float inside = at < 0.0f ? 0.0f : at > size - 1.0f ? size - 1.0f : at;
            shift += fabsf(at - inside);
            column[axis] = (int)inside;
        }
        float clear_steps =
            rw_walk_clear_steps(search->clearance[column[1] * cubes->columns + column[0]], low, down, sideways + shift);
        if (clear_steps < 4.0f)
            return 0;
        step += clear_steps;
    }
    return 0;
}

/* How many steps from a place stay in the grid along one axis; most if all of them do. */
RW_FN int rw_walk_steps_within(int at, int direction, int size, int max_steps)
{
    int end = size << 16, there = at + (max_steps - 1) * direction;
    if (max_steps == 0 || at < 0 || at >= end) /* 0 already: off the grid along another axis */
        return 0;
    return there < 0 ? at / -direction + 1 : there >= end ? (end - 1 - at) / direction + 1 : max_steps;
}

/* Moves a ray on to a step; its steps are then those from there to the last that are in the grid. */
RW_FN void rw_walk_begin(const rw_cubes_view *cubes, rw_cube_ray *ray, int first, int last)
{
    const int sizes[3] = {cubes->columns, cubes->rows, cubes->layers};
    ray->steps = last - first + 1;
    for (int axis = 0; axis < 3; axis++) {
        ray->at[axis] += first * ray->direction[axis];
        ray->steps = rw_walk_steps_within(ray->at[axis], ray->direction[axis], sizes[axis], ray->steps);
    }
}

/* Word of the cube of a ray at a step, and its place along x. */
RW_FN uint32_t rw_walk_word(const rw_cubes_view *cubes, const rw_cube_ray *ray, int step, int *i)
{
    int j = (ray->at[1] + step * ray->direction[1]) >> 16, k = (ray->at[2] + step * ray->direction[2]) >> 16;
    *i = (ray->at[0] + step * ray->direction[0]) >> 16;
    return (uint32_t)((k * cubes->rows + j) * cubes->words + (*i >> 5));
}

/* Which of the next steps of a ray are in cubes with their bit set. Steps that it does not have are not. */
RW_FN uint32_t rw_walk_look(const rw_cubes_view *cubes, const uint32_t *bits, const rw_cube_ray *ray, int step)
{
    const int x = ray->at[0] + step * ray->direction[0], y = ray->at[1] + step * ray->direction[1];
    const int z = ray->at[2] + step * ray->direction[2], direction_x = ray->direction[0],
              direction_y = ray->direction[1], direction_z = ray->direction[2];
    const int rows = cubes->rows, words = cubes->words, left = ray->steps - step - 1;
    uint32_t met = 0;
#ifdef __CUDACC__
#pragma unroll
#endif
    RW_SIMD_OR(met)
    for (int ahead = 0; ahead < RW_WALK_LOOK; ahead++) {
        int to = ahead < left ? ahead : left;
        int i = (x + to * direction_x) >> 16, j = (y + to * direction_y) >> 16, k = (z + to * direction_z) >> 16;
        met |= (bits[(k * rows + j) * words + (i >> 5)] >> (i & 31) & 1u) << ahead;
    }
    return left + 1 < RW_WALK_LOOK ? met & ((1u << (left + 1)) - 1u) : met;
}

/* How many steps of a ray from here on are above everything within as many columns. */
RW_FN int rw_walk_free_steps(const rw_cube_search *search, const rw_cube_ray *ray, int step)
{
    int i = (ray->at[0] + step * ray->direction[0]) >> 16, j = (ray->at[1] + step * ray->direction[1]) >> 16;
    int z = ray->at[2] + step * ray->direction[2], down = ray->direction[2] < 0 ? ray->direction[2] : 0, free_steps = 0;
    uint32_t clearance = search->clearance[j * search->cubes.columns + i];
    for (int ahead = 8; ahead <= 64; ahead *= 2, clearance >>= 8) {
        uint32_t layer = clearance & 255u;
        if (layer == 255u || (z + ahead * down) >> 16 < (int)layer)
            break;
        free_steps = ahead + 1; /* and the step where it is */
    }
    return free_steps;
}

/* Whether a filled cube ends a ray at a step of it: the eighth of the cube that the ray is in is well inside a solid.
 */
RW_FN int rw_walk_ends(const rw_cube_search *search, const rw_cube_ray *ray, int step, uint32_t word, int i)
{
    uint32_t eighth = 0;
    if (!search->exact)
        return 1;
    for (int axis = 0; axis < 3; axis++)
        eighth |= ((uint32_t)(ray->at[axis] + step * ray->direction[axis]) >> 15 & 1u) << axis;
    return search->solid[(size_t)word * 32u + (uint32_t)(i & 31)] >> eighth & 1;
}

/* Bits of what rays are to meet if these kinds may follow, or that end them. */
RW_FN const uint32_t *rw_walk_occupied(const rw_cube_search *search, uint32_t open)
{
    const rw_cubes_view *cubes = &search->cubes;
    return search->occupied + (size_t)open * (size_t)cubes->words * (size_t)cubes->rows * (size_t)cubes->layers;
}

/* Rays that are followed after each other: as rw_cube_ray_along makes them. */
typedef struct rw_walk_rays {
    rw_cone_rays rays;
    int at[3][RW_CONE_TOGETHER], direction[3][RW_CONE_TOGETHER];
} rw_walk_rays;

RW_FN void rw_walk_set(const rw_cone *cone, const int counts[2], const uint32_t nodes[RW_CONE_TOGETHER],
                       rw_walk_rays *walk)
{
    const rw_cone_rays *rays = &walk->rays;
    float to_middle[RW_CONE_TOGETHER];
    rw_cone_set_rays(cone, counts, nodes, &walk->rays);
    RW_SIMD
    for (int n = 0; n < RW_CONE_TOGETHER; n++) {
        float longest = rays->direction[0][n], start = rays->start[0][n];
        int second = fabsf(rays->direction[1][n]) > fabsf(longest);
        longest = second ? rays->direction[1][n] : longest;
        start = second ? rays->start[1][n] : start;
        int third = fabsf(rays->direction[2][n]) > fabsf(longest);
        longest = third ? rays->direction[2][n] : longest;
        start = third ? rays->start[2][n] : start;
        float half = floorf(start) + 0.5f - start;
        to_middle[n] = longest < 0.0f ? -half : half;
    }
    for (int axis = 0; axis < 3; axis++) {
        RW_SIMD
        for (int n = 0; n < RW_CONE_TOGETHER; n++) {
            walk->at[axis][n] = rw_cube_fixed(rays->start[axis][n] + to_middle[n] * rays->direction[axis][n]);
            walk->direction[axis][n] = rw_cube_fixed(rays->direction[axis][n] + 7.6e-6f);
        }
    }
}

RW_FN rw_cube_ray rw_walk_one(const rw_walk_rays *walk, int number)
{
    rw_cube_ray ray;
    ray.steps = 0;
    for (int axis = 0; axis < 3; axis++) {
        ray.at[axis] = walk->at[axis][number];
        ray.direction[axis] = walk->direction[axis][number];
    }
    return ray;
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
