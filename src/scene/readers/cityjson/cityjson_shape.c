/* Faces of a CityJSON geometry (MultiSurface, CompositeSurface, Solid, MultiSolid, CompositeSolid; CityJSON 1.0 to 2.0)
 * and which of them are the building's plan.
 *
 * First choice are faces with the semantics GroundSurface. Without any, faces that lie near flat in the lowest third of
 * the object. Without those (dormers and other pieces that models leave open below), the roof seen from above. */
#include "scene/readers/cityjson/cityjson.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FLAT_FRACTION 0.7   /* of the normal that is vertical: steeper than 45 degrees is no floor */
#define ROOF_FRACTION 0.1   /* steeper is a wall */
#define LOWEST_FRACTION 0.3 /* of the height, so that ground on a slope is found */

typedef enum face_kind { FACE_UNKNOWN, FACE_GROUND, FACE_ROOF, FACE_WALL } face_kind;

typedef struct face {
    face_kind kind;
    size_t first_edge, edge_count; /* in plan, the face to the left */
    double z_max_m;
    double vertical_fraction; /* of the normal */
} face;

typedef struct faces {
    rw_context *context;
    const rw_json *json;
    const rw_cityjson_vertices *vertices;
    face_kind *surface_kinds; /* of the semantics */
    size_t surface_count;
    const char *where;
    face *items;
    rw_face_edge *edges;
    size_t count, capacity, edge_count, edge_capacity;
    double z_min_m, z_max_m;
} faces;

static face_kind read_face_kind(const faces *all, const rw_json_value *number)
{
    if (!number || number->kind != RW_JSON_NUMBER || !(number->number >= 0) ||
        number->number >= (double)all->surface_count)
        return FACE_UNKNOWN;
    return all->surface_kinds[(size_t)number->number];
}

static rw_status read_surface_kinds(faces *all, const rw_json_value *surfaces)
{
    if (!surfaces)
        return RW_OK;
    RW_TRY(rw_array_create(all->context, surfaces->count, sizeof *all->surface_kinds, "surfaces", &all->surface_kinds));
    for (const rw_json_value *at = rw_json_first(all->json, surfaces); at; at = rw_json_next(all->json, at)) {
        const char *type = rw_json_string(rw_json_member(all->json, at, "type"), "");
        all->surface_kinds[all->surface_count++] = strcmp(type, "GroundSurface") == 0 ? FACE_GROUND
                                                   : strcmp(type, "RoofSurface") == 0 ? FACE_ROOF
                                                                                      : FACE_WALL;
    }
    return RW_OK;
}

static rw_status vertex_index(const faces *all, const rw_json_value *value, size_t *index)
{
    if (value->kind != RW_JSON_NUMBER || !(value->number >= 0) || value->number >= (double)all->vertices->count ||
        value->number != floor(value->number))
        return rw_fail(all->context, RW_BAD_INPUT,
                       "%s: line %u: a face names a vertex that is not among the %zu there are", all->where,
                       value->line, all->vertices->count);
    *index = (size_t)value->number;
    return RW_OK;
}

/* Newell's normal of a ring, added up edge by edge; numbers are taken from the first point on, which keeps digits. */
typedef struct ring_sum {
    rw_vec3 first, normal;
} ring_sum;

static void add_to_normal(ring_sum *sum, rw_vec3 a, rw_vec3 b)
{
    a = rw_vec3_sub(a, sum->first);
    b = rw_vec3_sub(b, sum->first);
    sum->normal = rw_vec3_add(sum->normal, rw_vec3_cross(a, b));
}

static rw_status add_face_edge(faces *all, rw_vec3 from, rw_vec3 to)
{
    RW_TRY(rw_array_reserve(all->context, &all->edges, &all->edge_capacity, all->edge_count + 1, sizeof *all->edges,
                            "the faces of a building"));
    rw_face_edge edge = {{from.x, from.y}, {to.x, to.y}};
    all->edges[all->edge_count++] = edge;
    return RW_OK;
}

static rw_vec3 read_face_vertex(const faces *all, size_t index)
{
    const rw_cityjson_vertices *vertices = all->vertices;
    return rw_vec3_of(vertices->xy[2 * index], vertices->xy[2 * index + 1], vertices->z[index]);
}

static rw_status add_face_ring(faces *all, const rw_json_value *ring, face *new_face, ring_sum *sum)
{
    size_t index = 0;
    const rw_json_value *value = rw_json_first(all->json, ring);
    if (!value)
        return RW_OK;
    RW_TRY(vertex_index(all, value, &index));
    rw_vec3 first = read_face_vertex(all, index), from = first;
    sum->first = first;
    for (;;) {
        new_face->z_max_m = fmax(new_face->z_max_m, from.z);
        all->z_min_m = fmin(all->z_min_m, from.z);
        all->z_max_m = fmax(all->z_max_m, from.z);
        value = rw_json_next(all->json, value);
        rw_vec3 to = first;
        if (value) {
            RW_TRY(vertex_index(all, value, &index));
            to = read_face_vertex(all, index);
        }
        RW_TRY(add_face_edge(all, from, to));
        add_to_normal(sum, from, to);
        if (!value)
            return RW_OK;
        from = to;
    }
}

/* Turns a ring so that the face lies to its left in plan: outlines counter-clockwise, holes clockwise. */
static void orient_ring(faces *all, size_t first_edge, double area, int is_hole)
{
    if ((area < 0) == is_hole)
        return;
    for (size_t i = first_edge; i < all->edge_count; i++) {
        rw_vec2 swapped = all->edges[i].from;
        all->edges[i].from = all->edges[i].to;
        all->edges[i].to = swapped;
    }
}

static rw_status add_face(faces *all, const rw_json_value *surface, face_kind kind)
{
    if (surface->kind != RW_JSON_ARRAY)
        return rw_fail(all->context, RW_BAD_INPUT, "%s: line %u: a face is a list of rings", all->where, surface->line);
    RW_TRY(rw_array_reserve(all->context, &all->items, &all->capacity, all->count + 1, sizeof *all->items,
                            "the faces of a building"));
    face new_face = {.kind = kind, .first_edge = all->edge_count, .z_max_m = -INFINITY};
    int is_hole = 0;
    for (const rw_json_value *ring = rw_json_first(all->json, surface); ring; ring = rw_json_next(all->json, ring)) {
        size_t first_edge = all->edge_count;
        ring_sum sum;
        memset(&sum, 0, sizeof sum);
        RW_TRY(add_face_ring(all, ring, &new_face, &sum));
        double length = rw_vec3_length(sum.normal);
        if (!is_hole)
            new_face.vertical_fraction = length > 0 ? fabs(sum.normal.z) / length : 0;
        orient_ring(all, first_edge, sum.normal.z, is_hole);
        is_hole = 1;
    }
    new_face.edge_count = all->edge_count - new_face.first_edge;
    all->items[all->count++] = new_face;
    return RW_OK;
}

/* Down to the surfaces: depth is the number of lists above them. values, the semantics, has the same lists. Of a
 * solid's shells, only the first is its outside. */
static rw_status add_faces(faces *all, const rw_json_value *boundaries, const rw_json_value *values, int depth)
{
    const rw_json_value *value = rw_json_first(all->json, values);
    for (const rw_json_value *at = rw_json_first(all->json, boundaries); at; at = rw_json_next(all->json, at)) {
        if (depth == 0)
            RW_TRY(add_face(all, at, read_face_kind(all, value)));
        else
            RW_TRY(add_faces(all, at, value, depth - 1));
        if (depth == 1)
            return RW_OK;
        value = rw_json_next(all->json, value);
    }
    return RW_OK;
}

static int face_is_chosen(const faces *all, const face *each, rw_outline_origin origin)
{
    if (origin == RW_OUTLINE_GROUND)
        return each->kind == FACE_GROUND && each->vertical_fraction > ROOF_FRACTION;
    if (origin == RW_OUTLINE_LOWEST)
        return each->kind == FACE_UNKNOWN && each->vertical_fraction > FLAT_FRACTION &&
               each->z_max_m <= all->z_min_m + LOWEST_FRACTION * (all->z_max_m - all->z_min_m);
    return (each->kind == FACE_ROOF || each->kind == FACE_UNKNOWN) && each->vertical_fraction > ROOF_FRACTION;
}

static rw_status trace_face_outline(const faces *all, rw_outline_origin origin, rw_cityjson_shape *shape)
{
    rw_face_edge *chosen;
    size_t count = 0;
    RW_TRY(rw_array_create(all->context, all->edge_count, sizeof *chosen, "the faces of a building", &chosen));
    for (size_t i = 0; i < all->count; i++)
        if (face_is_chosen(all, &all->items[i], origin)) {
            memcpy(chosen + count, all->edges + all->items[i].first_edge, all->items[i].edge_count * sizeof *chosen);
            count += all->items[i].edge_count;
        }
    rw_status status = rw_footprint_trace(all->context, chosen, count, &shape->footprint);
    free(chosen);
    RW_TRY(status);
    if (shape->footprint.ring_count > 0)
        shape->origin = origin;
    else
        rw_footprint_free(&shape->footprint);
    return RW_OK;
}

static rw_status build_city_shape(faces *all, const rw_json_value *geometry, int depth, rw_cityjson_shape *shape)
{
    const rw_json_value *semantics = rw_json_member(all->json, geometry, "semantics");
    RW_TRY(read_surface_kinds(all, rw_json_member(all->json, semantics, "surfaces")));
    RW_TRY(add_faces(all, rw_json_member(all->json, geometry, "boundaries"),
                     rw_json_member(all->json, semantics, "values"), depth));
    shape->z_min_m = all->z_min_m;
    shape->z_max_m = all->z_max_m;
    for (int origin = RW_OUTLINE_GROUND; origin <= RW_OUTLINE_ROOF && shape->origin == RW_OUTLINE_NONE; origin++)
        RW_TRY(trace_face_outline(all, (rw_outline_origin)origin, shape));
    return RW_OK;
}

rw_status rw_cityjson_shape_build(rw_context *context, const rw_json *json, const rw_json_value *geometry,
                                  const rw_cityjson_vertices *vertices, const char *where, rw_cityjson_shape *shape)
{
    const char *type = rw_json_string(rw_json_member(json, geometry, "type"), "");
    int depth = strcmp(type, "MultiSurface") == 0 || strcmp(type, "CompositeSurface") == 0 ? 0
                : strcmp(type, "Solid") == 0                                               ? 1
                : strcmp(type, "MultiSolid") == 0 || strcmp(type, "CompositeSolid") == 0   ? 2
                                                                                           : -1;
    memset(shape, 0, sizeof *shape);
    if (depth < 0)
        return RW_OK;
    faces all = {.context = context,
                 .json = json,
                 .vertices = vertices,
                 .where = where,
                 .z_min_m = INFINITY,
                 .z_max_m = -INFINITY};
    rw_status status = build_city_shape(&all, geometry, depth, shape);
    free(all.surface_kinds);
    free(all.items);
    free(all.edges);
    return status;
}
