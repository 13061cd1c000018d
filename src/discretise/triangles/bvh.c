/* Triangles are sorted along a space-filling curve (Morton order); the tree halves that order, so its depth is
 * logarithmic and building is linear up to the sort. */
#include "discretise/triangles/bvh.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t leaf_size = 4;

typedef struct keyed {
    uint64_t code;
    uint32_t triangle;
} keyed;

/* Spreads the low 21 bits to every third bit. */
static uint64_t spread(uint64_t bits)
{
    bits &= 0x1fffff;
    bits = (bits | bits << 32) & 0x1f00000000ffffu;
    bits = (bits | bits << 16) & 0x1f0000ff0000ffu;
    bits = (bits | bits << 8) & 0x100f00f00f00f00fu;
    bits = (bits | bits << 4) & 0x10c30c30c30c30c3u;
    return (bits | bits << 2) & 0x1249249249249249u;
}

static int compare_keys(const void *a, const void *b)
{
    const keyed *first = a, *second = b;
    if (first->code != second->code)
        return first->code < second->code ? -1 : 1;
    return first->triangle < second->triangle ? -1 : first->triangle > second->triangle;
}

static void corner(const rw_scene *scene, size_t triangle, int which, rw_vec2 centre, double out[3])
{
    rw_vec3 vertex = scene->vertices.items[scene->triangles.items[3 * triangle + (size_t)which]];
    out[0] = vertex.x - centre.x;
    out[1] = vertex.y - centre.y;
    out[2] = vertex.z;
}

static int has_area(const rw_bvh_triangle *t)
{
    rw_vec3 ab = rw_vec3_make(t->b[0] - t->a[0], t->b[1] - t->a[1], t->b[2] - t->a[2]);
    rw_vec3 ac = rw_vec3_make(t->c[0] - t->a[0], t->c[1] - t->a[1], t->c[2] - t->a[2]);
    return rw_vec3_length(rw_vec3_cross(ab, ac)) > 1e-12;
}

static void box_of(const rw_bvh_triangle *triangles, size_t count, double low[3], double high[3])
{
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = INFINITY;
        high[axis] = -INFINITY;
        for (size_t i = 0; i < count; i++) {
            const rw_bvh_triangle *t = &triangles[i];
            low[axis] = fmin(low[axis], fmin(t->a[axis], fmin(t->b[axis], t->c[axis])));
            high[axis] = fmax(high[axis], fmax(t->a[axis], fmax(t->b[axis], t->c[axis])));
        }
    }
}

static void set_keys(const rw_bvh_triangle *triangles, size_t count, keyed *keys)
{
    double low[3], high[3];
    box_of(triangles, count, low, high);
    for (size_t i = 0; i < count; i++) {
        uint64_t code = 0;
        for (int axis = 0; axis < 3; axis++) {
            double middle = (triangles[i].a[axis] + triangles[i].b[axis] + triangles[i].c[axis]) / 3;
            double share = high[axis] > low[axis] ? (middle - low[axis]) / (high[axis] - low[axis]) : 0;
            code |= spread((uint64_t)(share * 2097151.0)) << axis;
        }
        keys[i] = (keyed){code, (uint32_t)i};
    }
}

/* Margin beyond the rounding of float coordinates and slopes in the box test. */
static void set_box(rw_bvh_node *node, const double low[3], const double high[3])
{
    for (int axis = 0; axis < 3; axis++) {
        double margin = 1e-4 + 2e-6 * fmax(fabs(low[axis]), fabs(high[axis]));
        node->low[axis] = (float)(low[axis] - margin);
        node->high[axis] = (float)(high[axis] + margin);
    }
}

static void build_node(rw_bvh *bvh, uint32_t at, uint32_t first, uint32_t count)
{
    rw_bvh_node *node = &bvh->nodes[at];
    if (count <= leaf_size) {
        double low[3], high[3];
        box_of(bvh->triangles + first, count, low, high);
        set_box(node, low, high);
        node->first = first;
        node->count = count;
        return;
    }
    uint32_t left = (uint32_t)bvh->node_count, half = count / 2;
    bvh->node_count += 2;
    node->first = left;
    node->count = 0;
    build_node(bvh, left, first, half);
    build_node(bvh, left + 1, first + half, count - half);
    for (int axis = 0; axis < 3; axis++) {
        node->low[axis] = fminf(bvh->nodes[left].low[axis], bvh->nodes[left + 1].low[axis]);
        node->high[axis] = fmaxf(bvh->nodes[left].high[axis], bvh->nodes[left + 1].high[axis]);
    }
}

static size_t gather(const rw_scene *scene, rw_vec2 centre, rw_bvh_triangle *triangles)
{
    size_t count = 0;
    for (size_t m = 0; m < scene->meshes.count; m++) {
        const rw_scene_mesh *mesh = &scene->meshes.items[m];
        for (size_t i = mesh->first_triangle; i < mesh->first_triangle + mesh->triangle_count; i++) {
            rw_bvh_triangle *made = &triangles[count];
            made->triangle = (uint32_t)i;
            made->mesh = (uint32_t)m;
            corner(scene, i, 0, centre, made->a);
            corner(scene, i, 1, centre, made->b);
            corner(scene, i, 2, centre, made->c);
            count += (size_t)has_area(made);
        }
    }
    return count;
}

static rw_status build(const rw_scene *scene, rw_bvh_triangle *gathered, size_t count, rw_bvh *bvh)
{
    rw_context *context = scene->context;
    keyed *keys;
    RW_TRY(rw_array_create(context, count, sizeof *bvh->triangles, "mesh triangles", &bvh->triangles));
    RW_TRY(rw_array_create(context, 2 * count, sizeof *bvh->nodes, "the triangle tree", &bvh->nodes));
    RW_TRY(rw_array_create(context, count, sizeof *keys, "the triangle tree", &keys));
    set_keys(gathered, count, keys);
    qsort(keys, count, sizeof *keys, compare_keys);
    for (size_t i = 0; i < count; i++)
        bvh->triangles[i] = gathered[keys[i].triangle];
    free(keys);
    bvh->triangle_count = count;
    bvh->node_count = 1;
    build_node(bvh, 0, 0, (uint32_t)count);
    return RW_OK;
}

rw_status rw_bvh_create(const rw_scene *scene, rw_vec2 centre, rw_bvh *bvh)
{
    *bvh = (rw_bvh){0};
    size_t all = scene->triangles.count / 3;
    if (all == 0)
        return RW_OK;
    rw_bvh_triangle *gathered;
    RW_TRY(rw_array_create(scene->context, all, sizeof *gathered, "mesh triangles", &gathered));
    size_t count = gather(scene, centre, gathered);
    rw_status status = count ? build(scene, gathered, count, bvh) : RW_OK;
    free(gathered);
    if (status != RW_OK)
        rw_bvh_destroy(bvh);
    return status;
}

void rw_bvh_destroy(rw_bvh *bvh)
{
    free(bvh->nodes);
    free(bvh->triangles);
    *bvh = (rw_bvh){0};
}
