#include "discretise/bvh/bvh.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

#define LEAF_SIZE 4

static void find_triangle_corner(const rw_scene *scene, size_t triangle, int which, rw_vec2 centre, double out[3])
{
    rw_vec3 vertex = scene->vertices.items[scene->triangles.items[3 * triangle + (size_t)which]];
    out[0] = vertex.x - centre.x;
    out[1] = vertex.y - centre.y;
    out[2] = vertex.z;
}

static int has_area(const rw_bvh_triangle *t)
{
    rw_vec3 ab = rw_vec3_of(t->b[0] - t->a[0], t->b[1] - t->a[1], t->b[2] - t->a[2]);
    rw_vec3 ac = rw_vec3_of(t->c[0] - t->a[0], t->c[1] - t->a[1], t->c[2] - t->a[2]);
    return rw_vec3_length(rw_vec3_cross(ab, ac)) > 1e-12;
}

static size_t gather_triangles(const rw_scene *scene, rw_vec2 centre, rw_bvh_triangle *triangles)
{
    size_t count = 0;
    for (size_t m = 0; m < scene->meshes.count; m++) {
        const rw_scene_mesh *mesh = &scene->meshes.items[m];
        for (size_t i = mesh->first_triangle; i < mesh->first_triangle + mesh->triangle_count; i++) {
            rw_bvh_triangle *bvh_triangle = &triangles[count];
            bvh_triangle->triangle = (uint32_t)i;
            bvh_triangle->mesh = (uint32_t)m;
            find_triangle_corner(scene, i, 0, centre, bvh_triangle->a);
            find_triangle_corner(scene, i, 1, centre, bvh_triangle->b);
            find_triangle_corner(scene, i, 2, centre, bvh_triangle->c);
            count += (size_t)has_area(bvh_triangle);
        }
    }
    return count;
}

static void set_boxes(const rw_bvh_triangle *triangles, size_t count, rw_box_arrays *arrays)
{
    for (size_t i = 0; i < count; i++) {
        const double *a = triangles[i].a, *b = triangles[i].b, *c = triangles[i].c;
        arrays->low[i] =
            rw_vec3_of(fmin(a[0], fmin(b[0], c[0])), fmin(a[1], fmin(b[1], c[1])), fmin(a[2], fmin(b[2], c[2])));
        arrays->high[i] =
            rw_vec3_of(fmax(a[0], fmax(b[0], c[0])), fmax(a[1], fmax(b[1], c[1])), fmax(a[2], fmax(b[2], c[2])));
        arrays->middles[i] = rw_vec3_of((a[0] + b[0] + c[0]) / 3, (a[1] + b[1] + c[1]) / 3, (a[2] + b[2] + c[2]) / 3);
    }
}

static rw_status build_triangle_bvh(rw_context *context, const rw_bvh_triangle *gathered, size_t count,
                                    rw_box_arrays *arrays, rw_bvh *bvh)
{
    rw_boxes boxes = {.count = count,
                      .low = arrays->low,
                      .high = arrays->high,
                      .middles = arrays->middles,
                      .split = RW_SPLIT_ALONG_CURVE,
                      .leaf_size = LEAF_SIZE,
                      .what = "the triangle tree"};
    RW_TRY(rw_array_create(context, count, sizeof *bvh->triangles, "mesh triangles", &bvh->triangles));
    RW_TRY(rw_array_create(context, 2 * count, sizeof *bvh->nodes, "the triangle tree", &bvh->nodes));
    set_boxes(gathered, count, arrays);
    RW_TRY(rw_bvh_build_nodes(context, &boxes, arrays->order, bvh->nodes, &bvh->node_count));
    for (size_t i = 0; i < count; i++)
        bvh->triangles[i] = gathered[arrays->order[i]];
    bvh->triangle_count = count;
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
    size_t count = gather_triangles(scene, centre, gathered);
    rw_box_arrays arrays = {0};
    rw_status status = count ? rw_box_arrays_create(scene->context, count, "the triangle tree", &arrays) : RW_OK;
    if (status == RW_OK && count)
        status = build_triangle_bvh(scene->context, gathered, count, &arrays, bvh);
    rw_box_arrays_destroy(&arrays);
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
