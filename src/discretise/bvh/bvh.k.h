/* Bounding volume hierarchy over triangles, surfaces or receivers, as kernels see it, and the walk through it. */
#ifndef RW_DISCRETISE_BVH_BVH_K_H
#define RW_DISCRETISE_BVH_BVH_K_H

#include "base/kernel/qualifiers.h"
#include "base/maths/vector.h"
#include <stddef.h>

/* Inner node (count 0): children first and first + 1. Leaf: triangles first to first + count - 1. */
typedef struct rw_bvh_node {
    float low[3], high[3];
    uint32_t first, count;
} rw_bvh_node;

/* Corners in the wall grid's frame. */
typedef struct rw_bvh_triangle {
    double a[3], b[3], c[3];
    uint32_t triangle; /* of the scene */
    uint32_t mesh;
} rw_bvh_triangle;

#define RW_BVH_STACK 64

RW_FN uint32_t rw_bvh_begin(uint32_t *stack, uint32_t root, size_t node_count)
{
    stack[0] = root;
    return node_count > 0 ? 1u : 0u;
}

/* The first child is visited after the second, or before it. Returns the new depth. */
RW_FN uint32_t rw_bvh_push(uint32_t *stack, uint32_t depth, uint32_t first, int first_before)
{
    stack[depth] = first_before ? first + 1u : first;
    stack[depth + 1u] = first_before ? first : first + 1u;
    return depth + 2u;
}

/* The one walk through such a tree. The statement that follows runs for each leaf below root, of which node->first and
 * node->count are the items; what is below a node for which `enters` is 0 is skipped. Tests of nodes are expressions of
 * node. `first_before`: whether the first child of the inner node is visited before the second. Neither break nor
 * continue ends the walk; return does. */
#define RW_BVH_EACH_SORTED(node, nodes, root, node_count, enters, first_before)                                        \
    for (uint32_t node##_stack[RW_BVH_STACK], node##_depth = rw_bvh_begin(node##_stack, root, node_count);             \
         node##_depth > 0u;)                                                                                           \
        for (const rw_bvh_node *node = (nodes) + node##_stack[--node##_depth]; node; node = 0)                         \
            if (!(enters)) {                                                                                           \
            } else if (node->count == 0u)                                                                              \
                node##_depth = rw_bvh_push(node##_stack, node##_depth, node->first, first_before);                     \
            else

#define RW_BVH_EACH(node, nodes, node_count, enters) RW_BVH_EACH_SORTED (node, nodes, 0u, node_count, enters, 0)

/* A line as boxes are tested against it: its start, and one over its direction. */
typedef struct rw_box_line {
    float from[3], inverse[3];
} rw_box_line;

RW_FN rw_box_line rw_box_line_of(rw_vec3 from, rw_vec3 direction)
{
    rw_box_line line;
    line.from[0] = (float)from.x;
    line.from[1] = (float)from.y;
    line.from[2] = (float)from.z;
    line.inverse[0] = direction.x != 0 ? (float)(1 / direction.x) : 1e30f;
    line.inverse[1] = direction.y != 0 ? (float)(1 / direction.y) : 1e30f;
    line.inverse[2] = direction.z != 0 ? (float)(1 / direction.z) : 1e30f;
    return line;
}

/* Where the line enters and leaves the box between *near_t and *far_t, which it narrows. */
RW_FN void rw_box_clip(const rw_bvh_node *node, const rw_box_line *line, float *near_t, float *far_t)
{
    for (int axis = 0; axis < 3; axis++) {
        float t0 = (node->low[axis] - line->from[axis]) * line->inverse[axis];
        float t1 = (node->high[axis] - line->from[axis]) * line->inverse[axis];
        float low = t0 < t1 ? t0 : t1, high = t0 < t1 ? t1 : t0;
        *near_t = low > *near_t ? low : *near_t;
        *far_t = high < *far_t ? high : *far_t;
    }
}

/* Does the segment from + t direction, t in [0, 1], meet the box? The box is widened by its builder beyond float
 * rounding. */
RW_FN int rw_segment_meets_box(const rw_bvh_node *node, const rw_box_line *line)
{
    float near_t = 0.0f, far_t = 1.0f;
    rw_box_clip(node, line, &near_t, &far_t);
    return near_t <= far_t * 1.000001f + 1e-7f;
}

/* Where a line whose direction has length 1 enters a box, in metres; 0 inside, infinite where it passes it. */
RW_FN float rw_box_distance(const rw_bvh_node *node, const rw_box_line *line)
{
    float near_t = 0.0f, far_t = 1e30f;
    rw_box_clip(node, line, &near_t, &far_t);
    return near_t <= far_t * 1.000001f + 1e-6f ? near_t : INFINITY;
}

#endif
