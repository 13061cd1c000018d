/* Merging plane polygons into surfaces: polygons of one plane and one construction that touch become one surface, and
 * edges that two of them share disappear. n log n, but for many polygons of one plane side by side. */
#include "discretise/surfaces/surfaces.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NORMAL_STEP 1e-6 /* planes that differ by less are one */
#define OFFSET_STEP_M 1e-5
#define TOUCH_M 1e-5

typedef struct plane_key {
    int64_t quantised[4];
    size_t piece;
} plane_key;

typedef struct plane_axes {
    rw_vec3 normal, u, v;
    double offset_m;
} plane_axes;

/* A polygon in its plane. */
typedef struct flat_piece {
    double low_u, low_v, high_u, high_v;
    size_t piece, group; /* group: the first of those it was merged with */
    uint32_t kind;
    int turned; /* as in rw_piece */
    int apart;  /* 1: of a mesh, which is merged with meshes alone */
} flat_piece;

typedef struct merger {
    rw_context *context;
    const rw_pieces *pieces;
    rw_surfaces *made;
    plane_key *keys;
    flat_piece *flats; /* of one plane */
    rw_surface_edge *edges;
    size_t edge_capacity;
    rw_surfaces_form form;
} merger;

static int compare_plane_keys(const void *left, const void *right)
{
    const plane_key *a = left, *b = right;
    for (int i = 0; i < 4; i++)
        if (a->quantised[i] != b->quantised[i])
            return a->quantised[i] < b->quantised[i] ? -1 : 1;
    return a->piece < b->piece ? -1 : a->piece > b->piece;
}

static int same_plane(const plane_key *a, const plane_key *b)
{
    return memcmp(a->quantised, b->quantised, sizeof a->quantised) == 0;
}

static int compare_flats(const void *left, const void *right)
{
    const flat_piece *a = left, *b = right;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (a->turned != b->turned)
        return a->turned - b->turned;
    if (a->apart != b->apart)
        return a->apart - b->apart;
    if (a->low_u != b->low_u)
        return a->low_u < b->low_u ? -1 : 1;
    return a->piece < b->piece ? -1 : a->piece > b->piece;
}

static int compare_groups(const void *left, const void *right)
{
    const flat_piece *a = left, *b = right;
    if (a->group != b->group)
        return a->group < b->group ? -1 : 1;
    return a->piece < b->piece ? -1 : a->piece > b->piece;
}

/* u is level where the plane is not, so that v is how high. */
static plane_axes axes_of(const rw_piece *piece)
{
    rw_vec3 up = fabs(piece->normal.z) < 0.99 ? rw_vec3_of(0, 0, 1) : rw_vec3_of(0, 1, 0);
    rw_vec3 u = rw_vec3_cross(up, piece->normal);
    plane_axes axes = {.normal = piece->normal, .offset_m = piece->offset_m};
    axes.u = rw_vec3_scale(u, 1 / rw_vec3_length(u));
    axes.v = rw_vec3_cross(piece->normal, axes.u);
    return axes;
}

static flat_piece flatten_piece(const merger *merge, const plane_axes *axes, size_t index)
{
    const rw_piece *piece = &merge->pieces->list.items[index];
    flat_piece flat = {INFINITY,    INFINITY,      -INFINITY,
                       -INFINITY,   index,         0,
                       piece->kind, piece->turned, merge->form.apart && piece->mesh};
    for (size_t i = 0; i < piece->point_count; i++) {
        rw_vec3 point = merge->pieces->points.items[piece->first_point + i];
        double u = rw_vec3_dot(axes->u, point), v = rw_vec3_dot(axes->v, point);
        flat.low_u = fmin(flat.low_u, u);
        flat.high_u = fmax(flat.high_u, u);
        flat.low_v = fmin(flat.low_v, v);
        flat.high_v = fmax(flat.high_v, v);
    }
    return flat;
}

static size_t find_group_root(flat_piece *flats, size_t at)
{
    while (flats[at].group != at)
        at = flats[at].group = flats[flats[at].group].group;
    return at;
}

/* Boxes that share more than a corner. That boxes of triangles may touch where the triangles do not is no harm: a
 * surface may have several parts. */
static int flats_touch(const flat_piece *a, const flat_piece *b)
{
    double over_u = fmin(a->high_u, b->high_u) - fmax(a->low_u, b->low_u);
    double over_v = fmin(a->high_v, b->high_v) - fmax(a->low_v, b->low_v);
    return over_u > -TOUCH_M && over_v > -TOUCH_M && (over_u > TOUCH_M || over_v > TOUCH_M);
}

static int is_same_plane(const flat_piece *a, const flat_piece *b)
{
    return a->kind == b->kind && a->turned == b->turned && a->apart == b->apart;
}

/* Sorted by construction and from where they begin along u: each is compared with those that end behind its begin. */
static void join_touching(flat_piece *flats, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1; j < count && is_same_plane(&flats[j], &flats[i]); j++) {
            if (flats[j].low_u > flats[i].high_u + TOUCH_M)
                break;
            if (flats_touch(&flats[i], &flats[j])) {
                size_t first = find_group_root(flats, i), second = find_group_root(flats, j);
                flats[first > second ? first : second].group = first > second ? second : first;
            }
        }
}

/* coplanar: all of one construction are one group, wherever they lie in the plane. */
static void group_flats(flat_piece *flats, size_t count, int coplanar)
{
    qsort(flats, count, sizeof *flats, compare_flats);
    for (size_t i = 0; i < count; i++)
        flats[i].group = coplanar && i > 0 && is_same_plane(&flats[i], &flats[i - 1]) ? flats[i - 1].group : i;
    if (!coplanar)
        join_touching(flats, count);
    for (size_t i = 0; i < count; i++)
        flats[i].group = find_group_root(flats, i);
    qsort(flats, count, sizeof *flats, compare_groups);
}

static double ring_area_in_plane(const plane_axes *axes, const rw_vec3 *points, size_t count)
{
    double area = 0;
    for (size_t i = 0; i < count; i++) {
        rw_vec3 a = points[i], b = points[(i + 1) % count];
        area += rw_vec3_dot(axes->u, a) * rw_vec3_dot(axes->v, b) - rw_vec3_dot(axes->u, b) * rw_vec3_dot(axes->v, a);
    }
    return area;
}

static rw_surface_edge edge_of(const plane_axes *axes, rw_vec3 a, rw_vec3 b)
{
    return (rw_surface_edge){rw_vec3_dot(axes->u, a),
                             rw_vec3_dot(axes->v, a),
                             rw_vec3_dot(axes->u, b),
                             rw_vec3_dot(axes->v, b),
                             {(float)a.x, (float)a.y, (float)a.z},
                             {(float)b.x, (float)b.y, (float)b.z}};
}

/* Outer rings counter-clockwise, holes clockwise. */
static rw_status add_piece_edges(merger *merge, const plane_axes *axes, const rw_piece *piece)
{
    rw_surfaces_view *view = &merge->made->view;
    RW_TRY(rw_array_reserve(merge->context, &merge->edges, &merge->edge_capacity,
                            (size_t)view->edge_count + piece->point_count, sizeof *merge->edges, "edges of surfaces"));
    const rw_vec3 *points = merge->pieces->points.items + piece->first_point;
    for (size_t r = 0; r < piece->ring_count; r++) {
        size_t size = merge->pieces->ring_sizes.items[piece->first_ring + r];
        int reverse = (ring_area_in_plane(axes, points, size) < 0) != (r > 0);
        for (size_t i = 0; i < size; i++) {
            rw_vec3 a = points[i], b = points[(i + 1) % size];
            merge->edges[view->edge_count++] = reverse ? edge_of(axes, b, a) : edge_of(axes, a, b);
        }
        points += size;
    }
    return RW_OK;
}

static void set_extent(const rw_surface_edge *edges, rw_surface *surface)
{
    surface->low_u = surface->low_v = INFINITY;
    surface->high_u = surface->high_v = -INFINITY;
    for (uint32_t i = 0; i < surface->edge_count; i++) {
        const rw_surface_edge *edge = &edges[surface->first_edge + i];
        surface->low_u = fmin(surface->low_u, edge->u0);
        surface->high_u = fmax(surface->high_u, edge->u0);
        surface->low_v = fmin(surface->low_v, edge->v0);
        surface->high_v = fmax(surface->high_v, edge->v0);
    }
    double u = 0.5 * (surface->low_u + surface->high_u), v = 0.5 * (surface->low_v + surface->high_v);
    rw_vec3 middle = rw_vec3_add(rw_vec3_add(rw_vec3_scale(surface->axis_u, u), rw_vec3_scale(surface->axis_v, v)),
                                 rw_vec3_scale(surface->normal, surface->offset_m));
    surface->middle[0] = (float)middle.x;
    surface->middle[1] = (float)middle.y;
    surface->middle[2] = (float)middle.z;
    surface->radius_m =
        (float)(0.5 * hypot(surface->high_u - surface->low_u, surface->high_v - surface->low_v) * (1 + 1e-6) + 1e-5);
}

static rw_status add_merged_surface(merger *merge, const plane_axes *axes, const flat_piece *flats, size_t count)
{
    rw_surfaces_view *view = &merge->made->view;
    rw_surface *surface = &merge->made->surfaces[view->surface_count];
    *surface = (rw_surface){.normal = axes->normal,
                            .offset_m = axes->offset_m,
                            .axis_u = axes->u,
                            .axis_v = axes->v,
                            .first_edge = view->edge_count,
                            .kind = flats[0].kind,
                            .turned = (uint32_t)flats[0].turned,
                            .built = 1};
    for (size_t i = 0; i < count; i++) {
        const rw_piece *piece = &merge->pieces->list.items[flats[i].piece];
        surface->built &= (uint32_t)piece->built;
        surface->mesh |= (uint32_t)piece->mesh;
        RW_TRY(add_piece_edges(merge, axes, piece));
    }
    rw_surface_edges_tidy(merge->edges + surface->first_edge, view->edge_count - surface->first_edge, surface);
    view->edge_count = surface->first_edge + surface->edge_count;
    set_extent(merge->edges, surface);
    view->surface_count += surface->edge_count > 0;
    return RW_OK;
}

static rw_status merge_plane(merger *merge, const plane_key *keys, size_t count)
{
    size_t largest = 0;
    for (size_t i = 0; i < count; i++)
        if (merge->pieces->list.items[keys[i].piece].area_m2 > merge->pieces->list.items[keys[largest].piece].area_m2)
            largest = i;
    plane_axes axes = axes_of(&merge->pieces->list.items[keys[largest].piece]);
    for (size_t i = 0; i < count; i++)
        merge->flats[i] = flatten_piece(merge, &axes, keys[i].piece);
    group_flats(merge->flats, count, merge->form.coplanar);
    for (size_t first = 0, next; first < count; first = next) {
        for (next = first; next < count && merge->flats[next].group == merge->flats[first].group;)
            next++;
        RW_TRY(add_merged_surface(merge, &axes, merge->flats + first, next - first));
    }
    return RW_OK;
}

static rw_status merge_pieces(merger *merge)
{
    size_t count = merge->pieces->list.count;
    rw_surfaces *new_surfaces = merge->made;
    RW_TRY(rw_array_create(merge->context, count + 1, sizeof *new_surfaces->surfaces, "surfaces",
                           &new_surfaces->surfaces));
    RW_TRY(rw_array_create(merge->context, count + 1, sizeof *merge->keys, "surfaces", &merge->keys));
    RW_TRY(rw_array_create(merge->context, count + 1, sizeof *merge->flats, "surfaces", &merge->flats));
    for (size_t i = 0; i < count; i++) {
        const rw_piece *piece = &merge->pieces->list.items[i];
        merge->keys[i] = (plane_key){{llround(piece->normal.x / NORMAL_STEP), llround(piece->normal.y / NORMAL_STEP),
                                      llround(piece->normal.z / NORMAL_STEP), llround(piece->offset_m / OFFSET_STEP_M)},
                                     i};
    }
    qsort(merge->keys, count, sizeof *merge->keys, compare_plane_keys);
    for (size_t first = 0, next; first < count; first = next) {
        for (next = first; next < count && same_plane(&merge->keys[first], &merge->keys[next]);)
            next++;
        RW_TRY(merge_plane(merge, merge->keys + first, next - first));
    }
    return RW_OK;
}

static rw_status merge_scene_surfaces(const rw_scene *scene, rw_vec2 centre, rw_surfaces_form form,
                                      rw_surfaces *surfaces)
{
    rw_pieces pieces;
    RW_TRY(rw_pieces_create(scene, centre, form, surfaces, &pieces));
    surfaces->skipped_count = pieces.skipped_count;
    merger merge = {.context = scene->context, .pieces = &pieces, .made = surfaces, .form = form};
    rw_status status = merge_pieces(&merge);
    surfaces->edges = merge.edges;
    surfaces->view.edges = merge.edges;
    surfaces->view.surfaces = surfaces->surfaces;
    free(merge.keys);
    free(merge.flats);
    rw_pieces_destroy(&pieces);
    RW_TRY(status);
    return rw_surface_bvh_build(scene->context, surfaces);
}

rw_status rw_surfaces_create_as(const rw_scene *scene, rw_vec2 centre, rw_surfaces_form form, rw_surfaces *surfaces)
{
    *surfaces = (rw_surfaces){0};
    if (scene->terrain.values && !form.outdoors)
        return rw_fail(scene->context, RW_BAD_CALL,
                       "terrain is not a plane surface, and this model knows no other; use flat terrain");
    rw_status status = merge_scene_surfaces(scene, centre, form, surfaces);
    if (status == RW_OK && surfaces->view.surface_count == 0)
        status = rw_fail(scene->context, RW_BAD_INPUT, "the scene has no wall, floor or mesh of any area");
    if (status != RW_OK)
        rw_surfaces_destroy(surfaces);
    return status;
}

rw_status rw_surfaces_create(const rw_scene *scene, rw_vec2 centre, rw_surfaces *surfaces)
{
    return rw_surfaces_create_as(scene, centre, (rw_surfaces_form){0}, surfaces);
}

void rw_surfaces_destroy(rw_surfaces *surfaces)
{
    free(surfaces->surfaces);
    free(surfaces->edges);
    free(surfaces->nodes);
    free(surfaces->kinds);
    free(surfaces->one_sided);
    *surfaces = (rw_surfaces){0};
}

static rw_status upload_surface_array(rw_context *context, const void *host, size_t bytes, void **copy,
                                      const void **view)
{
    RW_TRY(rw_device_alloc(context, RW_BACKEND_CUDA, bytes, "surfaces", copy));
    *view = *copy;
    return rw_device_upload(context, RW_BACKEND_CUDA, *copy, host, bytes);
}

rw_status rw_surfaces_upload(rw_context *context, rw_backend backend, const rw_surfaces *surfaces,
                             rw_device_surfaces *device)
{
    *device = (rw_device_surfaces){.view = surfaces->view};
    if (backend == RW_BACKEND_CPU)
        return RW_OK;
    rw_surfaces_view *view = &device->view;
    rw_status status = upload_surface_array(context, view->surfaces, view->surface_count * sizeof *view->surfaces,
                                            &device->copies[0], (const void **)&view->surfaces);
    if (status == RW_OK)
        status = upload_surface_array(context, view->edges, view->edge_count * sizeof *view->edges, &device->copies[1],
                                      (const void **)&view->edges);
    if (status == RW_OK)
        status = upload_surface_array(context, view->nodes, view->node_count * sizeof *view->nodes, &device->copies[2],
                                      (const void **)&view->nodes);
    if (status != RW_OK)
        rw_surfaces_release(backend, device);
    return status;
}

void rw_surfaces_release(rw_backend backend, rw_device_surfaces *device)
{
    for (int i = 0; i < 3; i++)
        if (device->copies[i])
            rw_device_free(backend, device->copies[i]);
    *device = (rw_device_surfaces){0};
}
