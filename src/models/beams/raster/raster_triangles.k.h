/* The rasterisation pipeline: transformation, clipping and rasterisation of triangles.
 *
 * After section 4.1 of Schmitz and others (2011), in two launches as there: one item prepares one triangle, which
 * clipping makes one or two faces of; then one item (on a GPU a warp) is one block of the grid that shares a face
 * (raster_tiles.k.h). Triangles that share two corners leave no pixel between them out and none in both, also where
 * they are clipped: the new corner on a shared side is computed from the same numbers in the same order. Values run
 * straight over the screen. */
#ifndef RW_MODELS_BEAMS_RASTER_RASTER_TRIANGLES_K_H
#define RW_MODELS_BEAMS_RASTER_RASTER_TRIANGLES_K_H

#include "models/beams/raster/raster_target.k.h"
#include "models/beams/raster/raster_tiles.k.h"

struct rw_raster_face;

struct rw_raster_triangles_args {
    const double *vertices;    /* x, y, z of each */
    const float *values;       /* value_count of the target for each vertex */
    const uint32_t *triangles; /* three vertices each */
    double transform[16];      /* rows of a matrix, applied to (x, y, z, 1); x, y and z are then divided by w */
    double near_w;             /* what has a smaller w is cut away; above 0 */
    rw_raster_target target;
    rw_raster_method method;
    rw_raster_tiling tiling;
    struct rw_raster_face *faces; /* two of each triangle, prepared by the first launch */
};

/* A corner on its way: homogeneous, then divided. */
typedef struct rw_raster_corner {
    double x, y, z, w;
    double values[RW_RASTER_VALUES_MAX];
} rw_raster_corner;

RW_FN rw_raster_corner rw_raster_transform(const struct rw_raster_triangles_args *args, uint32_t vertex)
{
    const double *v = args->vertices + 3 * (size_t)vertex, *m = args->transform;
    rw_raster_corner corner;
    corner.x = m[0] * v[0] + m[1] * v[1] + m[2] * v[2] + m[3];
    corner.y = m[4] * v[0] + m[5] * v[1] + m[6] * v[2] + m[7];
    corner.z = m[8] * v[0] + m[9] * v[1] + m[10] * v[2] + m[11];
    corner.w = m[12] * v[0] + m[13] * v[1] + m[14] * v[2] + m[15];
    int count = args->target.value_count;
    for (int i = 0; i < RW_RASTER_VALUES_MAX; i++)
        corner.values[i] = i < count ? (double)args->values[(size_t)vertex * (size_t)count + (size_t)i] : 0.0;
    return corner;
}

/* Where the side from a corner inside to one outside meets the near plane: always computed from the inside. */
RW_FN rw_raster_corner rw_raster_meet(const rw_raster_corner *inside, const rw_raster_corner *outside, double near_w)
{
    double t = (near_w - inside->w) / (outside->w - inside->w);
    rw_raster_corner corner;
    corner.x = inside->x + t * (outside->x - inside->x);
    corner.y = inside->y + t * (outside->y - inside->y);
    corner.z = inside->z + t * (outside->z - inside->z);
    corner.w = near_w;
    for (int i = 0; i < RW_RASTER_VALUES_MAX; i++)
        corner.values[i] = inside->values[i] + t * (outside->values[i] - inside->values[i]);
    return corner;
}

/* Cuts away what is nearer than the near plane: three corners become none, three or four. */
RW_FN int rw_raster_clip(const rw_raster_corner corners[3], double near_w, rw_raster_corner clipped[4])
{
    int count = 0;
    for (int i = 0; i < 3; i++) {
        const rw_raster_corner *here = &corners[i], *next = &corners[(i + 1) % 3];
        int here_in = here->w >= near_w, next_in = next->w >= near_w;
        if (here_in)
            clipped[count++] = *here;
        if (here_in != next_in)
            clipped[count++] = here_in ? rw_raster_meet(here, next, near_w) : rw_raster_meet(next, here, near_w);
    }
    return count;
}

/* A triangle on the screen: its region, and each value and the third coordinate as a plane over it. */
typedef struct rw_raster_face {
    rw_raster_polygon polygon; /* without rows where there is no face */
    double x0, y0;
    double base[RW_RASTER_VALUES_MAX + 1], slope_x[RW_RASTER_VALUES_MAX + 1], slope_y[RW_RASTER_VALUES_MAX + 1];
} rw_raster_face;

RW_FN double rw_raster_attribute(const rw_raster_corner *corner, int index)
{
    return index == RW_RASTER_VALUES_MAX ? corner->z : corner->values[index];
}

/* Returns 0 for a triangle without area. */
RW_FN int rw_raster_face_init(const rw_raster_corner *a, const rw_raster_corner *b, const rw_raster_corner *c,
                              rw_raster_face *face)
{
    double area = (b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x);
    if (!(fabs(area) > 0) || !(fabs(area) < INFINITY))
        return 0;
    rw_region *region = &face->polygon.region;
    const rw_raster_corner *second = area > 0 ? b : c, *third = area > 0 ? c : b; /* counter-clockwise */
    rw_vec2 p = rw_vec2_of(a->x, a->y), q = rw_vec2_of(second->x, second->y), r = rw_vec2_of(third->x, third->y);
    region->borders[0] = rw_border_between(p, q);
    region->borders[1] = rw_border_between(q, r);
    region->borders[2] = rw_border_between(r, p);
    region->border_count = 3;
    region->west = fmin(p.x, fmin(q.x, r.x));
    region->east = fmax(p.x, fmax(q.x, r.x));
    region->south = fmin(p.y, fmin(q.y, r.y));
    region->north = fmax(p.y, fmax(q.y, r.y));
    face->x0 = a->x;
    face->y0 = a->y;
    for (int i = 0; i <= RW_RASTER_VALUES_MAX; i++) {
        double base = rw_raster_attribute(a, i);
        double to_b = rw_raster_attribute(b, i) - base, to_c = rw_raster_attribute(c, i) - base;
        face->base[i] = base;
        face->slope_x[i] = (to_b * (c->y - a->y) - to_c * (b->y - a->y)) / area;
        face->slope_y[i] = (to_c * (b->x - a->x) - to_b * (c->x - a->x)) / area;
    }
    return 1;
}

RW_FN void rw_raster_pixel(const struct rw_raster_triangles_args *args, const rw_raster_face *face, uint32_t primitive,
                           int column, int row)
{
    double dx = rw_pixel_x(&args->target.grid, column) - face->x0, dy = rw_pixel_y(&args->target.grid, row) - face->y0;
    double values[RW_RASTER_VALUES_MAX];
    int z = RW_RASTER_VALUES_MAX;
    for (int i = 0; i < args->target.value_count; i++)
        values[i] = face->base[i] + face->slope_x[i] * dx + face->slope_y[i] * dy;
    int layer = rw_raster_layer(&args->target, face->base[z] + face->slope_x[z] * dx + face->slope_y[z] * dy);
    if (layer >= 0)
        rw_raster_write_pixel(&args->target, column, row, layer, primitive, values);
}

struct rw_prepare_triangles_args {
    struct rw_raster_triangles_args all;
};

/* One item is one triangle. */
RW_FN void rw_prepare_triangles_item(const struct rw_prepare_triangles_args *all, size_t item)
{
    const struct rw_raster_triangles_args *args = &all->all;
    rw_raster_corner corners[3], clipped[4];
    for (int i = 0; i < 3; i++)
        corners[i] = rw_raster_transform(args, args->triangles[3 * item + (size_t)i]);
    int count = rw_raster_clip(corners, args->near_w, clipped);
    for (int i = 0; i < count; i++) {
        double over = 1.0 / clipped[i].w;
        clipped[i].x *= over;
        clipped[i].y *= over;
        clipped[i].z *= over;
    }
    for (int i = 2; i < 4; i++) {
        rw_raster_face *face = args->faces + 2 * item + (size_t)(i - 2);
        rw_raster_face raster_face;
        if (i < count && rw_raster_face_init(&clipped[0], &clipped[i - 1], &clipped[i], &raster_face)) {
            rw_raster_prepare(args->method, &args->target.grid, &raster_face.polygon);
            *face = raster_face;
        } else {
            face->polygon.rows.first = face->polygon.rows.end = 0;
            face->polygon.columns.first = face->polygon.columns.end = 0;
        }
    }
}

RW_FN void rw_raster_triangles_item(const struct rw_raster_triangles_args *args, size_t item)
{
    size_t index = item / (size_t)rw_lane_count(),
           blocks = (size_t)args->tiling.grid_columns * (size_t)args->tiling.grid_rows;
    const rw_raster_face *face = args->faces + index / blocks;
    rw_raster_walk walk =
        rw_raster_walk_begin(&face->polygon, &args->target.grid, args->method, &args->tiling, (int)(index % blocks));
    int column, row;
    while (rw_raster_walk_next(&walk, &column, &row))
        rw_raster_pixel(args, face, (uint32_t)(index / blocks / 2), column, row);
}

#endif
