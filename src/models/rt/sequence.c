/* One sequence of interactions: its path to a receiver by images and Keller's law, tested and with its field. */
#include "models/rt/rt.h"

#include "discretise/prepared.h"
#include "field/surfaces/material.k.h"

#include <math.h>

#define APART_M 1e-6 /* what is nearer to a plane or an edge lies on it */

static const rw_surface *surface_of(const rw_rt_geometry *geometry, uint32_t index)
{
    return &geometry->at->surfaces.surfaces[index];
}

int rw_rt_path_bends(const rw_rt_path *path)
{
    int bends = 0;
    for (int i = 0; i < path->count; i++)
        bends += path->steps[i].bends;
    return bends;
}

/* Shares of the edges at which the unfolded way bends; 0 where it does not. */
static int find_edge_fractions(const rw_rt_sequence *sequence, rw_vec3 receiver, double fractions[RW_RT_EDGES_MAX])
{
    const rw_edge_line *edges = sequence->edges;
    int found = 1;
    if (sequence->diffractions == 1)
        found = rw_keller_fraction(edges[0].from, edges[0].span, sequence->source, receiver, &fractions[0]);
    if (sequence->diffractions == 2)
        found = rw_edge_pair_solve(edges, sequence->source, receiver, fractions);
    for (int i = 0; i < sequence->diffractions && found; i++)
        found = fractions[i] >= 0 && fractions[i] < 1;
    return found;
}

/* Where the way from a vertex behind the mirror to a point before it meets the surface. */
static int meet_mirror(const rw_rt_geometry *geometry, uint32_t index, rw_vec3 behind, rw_vec3 before, rw_vec3 *point)
{
    const rw_surface *surface = surface_of(geometry, index);
    double from = rw_surface_height_m(surface, behind), to = rw_surface_height_m(surface, before);
    if (!(fabs(from) > APART_M) || !(fabs(to) > APART_M) || (from > 0) == (to > 0))
        return 0;
    *point = rw_vec3_add(before, rw_vec3_scale(rw_vec3_sub(behind, before), to / (to - from)));
    return rw_surface_holds(&geometry->at->surfaces, surface, *point);
}

/* Takes one mirror out of the images. */
static void remove_mirror(const rw_surface *surface, rw_rt_sequence *images)
{
    images->source = rw_mirrored(surface, images->source);
    for (int i = 0; i < images->diffractions; i++) {
        rw_edge_line *edge = &images->edges[i];
        rw_vec3 to = rw_mirrored(surface, rw_vec3_add(edge->from, edge->span));
        edge->from = rw_mirrored(surface, edge->from);
        edge->span = rw_vec3_sub(to, edge->from);
    }
}

/* Points from the receiver back to the source. */
static int find_path_points(const rw_rt_geometry *geometry, const rw_rt_sequence *sequence, rw_vec3 receiver,
                            const double fractions[RW_RT_EDGES_MAX], rw_rt_path *path)
{
    rw_rt_sequence images = *sequence;
    rw_vec3 at = receiver;
    for (int i = sequence->count - 1; i >= 0; i--) {
        int last = images.diffractions - 1;
        path->steps[i] = sequence->steps[i];
        if (sequence->steps[i].bends) {
            at = rw_edge_line_at(&images.edges[last], fractions[last]);
            images.diffractions--;
        } else {
            rw_vec3 behind = last >= 0 ? rw_edge_line_at(&images.edges[last], fractions[last]) : images.source;
            if (!meet_mirror(geometry, sequence->steps[i].index, behind, at, &at))
                return 0;
            remove_mirror(surface_of(geometry, sequence->steps[i].index), &images);
        }
        path->points[i] = at;
    }
    path->count = sequence->count;
    return 1;
}

static rw_vec3 find_path_vertex(const rw_rt_geometry *geometry, const rw_rt_path *path, rw_vec3 receiver, int index)
{
    return index < 0 ? geometry->at->source : index < path->count ? path->points[index] : receiver;
}

static rw_edge_frame building_edge_frame(const rw_building_edge *edge)
{
    rw_edge_frame frame = {edge->edge, edge->zero_along, edge->zero_normal, edge->exterior_over_pi};
    return frame;
}

/* Normal of a face of an edge, outward. */
static rw_vec3 face_normal(const rw_building_edge *edge, int face)
{
    double angle = edge->exterior_over_pi * RW_PI;
    if (face == RW_FACE_ZERO)
        return edge->zero_normal;
    return rw_vec3_add(rw_vec3_scale(edge->zero_along, sin(angle)), rw_vec3_scale(edge->zero_normal, -cos(angle)));
}

/* The face of an edge that a way from it runs in. */
static int face_of_direction(const rw_building_edge *edge, rw_vec3 direction)
{
    for (int face = RW_FACE_ZERO; face <= RW_FACE_FAR; face++) {
        rw_vec3 normal = face_normal(edge, face);
        rw_vec3 along = face == RW_FACE_ZERO ? rw_vec3_cross(normal, edge->edge) : rw_vec3_cross(edge->edge, normal);
        if (fabs(rw_vec3_dot(direction, normal)) < APART_M && rw_vec3_dot(direction, along) > APART_M)
            return face;
    }
    return RW_FACE_NONE;
}

/* The surface of an edge that has that normal. */
static const rw_surface *face_surface(const rw_rt_geometry *geometry, const rw_free_edge *edge, rw_vec3 normal)
{
    const rw_surface *first = surface_of(geometry, edge->surface);
    int is_first = edge->other == RW_NO_SURFACE || fabs(rw_vec3_dot(first->normal, normal)) > 1 - 1e-6;
    return is_first ? first : surface_of(geometry, edge->other);
}

/* Whether a place that is a little behind a face is in what the face is of: a building, or the ground. */
static int is_behind(const rw_rt_geometry *geometry, uint32_t part, rw_vec2 plan, double z_m)
{
    if (part == RW_NO_PART)
        return rw_scene_ground_m(geometry->scene, plan) > z_m;
    return rw_part_contains(geometry->scene, &geometry->scene->parts.items[part], plan);
}

/* Whether a straight way between two edges stays in the face of that normal: a little behind it is the building all
 * along, or the surface has it. */
static int stays_in_face(const rw_rt_geometry *geometry, uint32_t edge, rw_vec3 from, rw_vec3 to, rw_vec3 normal)
{
    const double behind_m = 1e-3;
    const rw_free_edge *sheet = rw_rt_sheet_edge(geometry, edge);
    rw_vec2 centre = geometry->scene->prepared->grid.centre;
    enum { samples = 32 };
    for (int i = 1; i < samples; i++) {
        rw_vec3 at = rw_vec3_add(from, rw_vec3_scale(rw_vec3_sub(to, from), (double)i / samples));
        rw_vec2 plan = {at.x + centre.x - behind_m * normal.x, at.y + centre.y - behind_m * normal.y};
        if (sheet ? !rw_surface_holds(&geometry->at->surfaces, face_surface(geometry, sheet, normal), at)
                  : !is_behind(geometry, geometry->edges[edge].part, plan, at.z - behind_m * normal.z))
            return 0;
    }
    return 1;
}

/* Whether two edges may be of one face: of one building, or of one surface. */
static int may_have_common_face(const rw_rt_geometry *geometry, uint32_t here, uint32_t there)
{
    const rw_free_edge *a = rw_rt_sheet_edge(geometry, here), *b = rw_rt_sheet_edge(geometry, there);
    if (!a || !b)
        return !a && !b && geometry->edges[here].part == geometry->edges[there].part;
    return a->surface == b->surface || a->other == b->surface || a->surface == b->other ||
           (a->other == b->other && a->other != RW_NO_SURFACE);
}

/* The face of the edge at index that the leg to the next edge runs in, where it is the next edge's as well; next: its
 * name there. */
static int face_ahead(const rw_rt_geometry *geometry, const rw_rt_path *path, int index, int *next)
{
    if (index < 0 || index + 1 >= path->count || !path->steps[index].bends || !path->steps[index + 1].bends)
        return RW_FACE_NONE;
    const rw_building_edge *here = &geometry->edges[path->steps[index].index];
    const rw_building_edge *there = &geometry->edges[path->steps[index + 1].index];
    rw_vec3 direction = rw_vec3_sub(path->points[index + 1], path->points[index]);
    int common = may_have_common_face(geometry, path->steps[index].index, path->steps[index + 1].index);
    int face = common ? face_of_direction(here, direction) : RW_FACE_NONE;
    *next = face == RW_FACE_NONE ? RW_FACE_NONE : face_of_direction(there, rw_vec3_scale(direction, -1));
    if (*next == RW_FACE_NONE || !(rw_vec3_dot(face_normal(here, face), face_normal(there, *next)) > 1 - 1e-9))
        return RW_FACE_NONE;
    return face;
}

/* Whether both legs at an edge run through the air round it and not through its building, or in a face of it to another
 * edge of that face. */
static int bends_outside(const rw_rt_geometry *geometry, const rw_rt_path *path, rw_vec3 receiver, int index)
{
    const rw_building_edge *edge = &geometry->edges[path->steps[index].index];
    rw_edge_frame frame = building_edge_frame(edge);
    double max_angle = edge->exterior_over_pi * RW_PI;
    rw_vec3 before = rw_vec3_sub(find_path_vertex(geometry, path, receiver, index - 1), path->points[index]);
    rw_vec3 after = rw_vec3_sub(find_path_vertex(geometry, path, receiver, index + 1), path->points[index]);
    int next, arrives = face_ahead(geometry, path, index - 1, &next), leaves = face_ahead(geometry, path, index, &next);
    return (arrives || rw_edge_angle_rad(&frame, before) < max_angle) &&
           (leaves || rw_edge_angle_rad(&frame, after) < max_angle);
}

/* A vertex at an edge of a mesh a little out into its open angle: vertices of meshes are off the planes by rounding. */
static rw_vec3 off_edge(const rw_rt_geometry *geometry, const rw_rt_path *path, int index, rw_vec3 at, double path_m)
{
    if (index < 0 || index >= path->count || !path->steps[index].bends ||
        !rw_rt_sheet_edge(geometry, path->steps[index].index))
        return at;
    const rw_building_edge *edge = &geometry->edges[path->steps[index].index];
    double middle = 0.5 * edge->exterior_over_pi * RW_PI;
    rw_vec3 out =
        rw_vec3_add(rw_vec3_scale(edge->zero_along, cos(middle)), rw_vec3_scale(edge->zero_normal, sin(middle)));
    return rw_vec3_add(at, rw_vec3_scale(out, path_m));
}

/* Whether nothing stands on a leg: in a face, a little before it. */
static int leg_is_free(const rw_rt_geometry *geometry, const rw_rt_path *path, int index, rw_vec3 from, rw_vec3 to,
                       uint32_t left, uint32_t met)
{
    const double before_m = 1e-4;
    int next, face = face_ahead(geometry, path, index - 1, &next);
    if (face) {
        const rw_building_edge *edge = &geometry->edges[path->steps[index - 1].index];
        rw_vec3 normal = face_normal(edge, face), off = rw_vec3_scale(normal, before_m);
        if (!stays_in_face(geometry, path->steps[index - 1].index, from, to, normal))
            return 0;
        from = rw_vec3_add(from, off);
        to = rw_vec3_add(to, off);
    } else {
        from = off_edge(geometry, path, index - 1, from, before_m);
        to = off_edge(geometry, path, index, to, before_m);
    }
    return !rw_surfaces_between(&geometry->at->surfaces, from, to, left, met);
}

static int path_is_free(const rw_rt_geometry *geometry, const rw_rt_path *path, rw_vec3 receiver)
{
    uint32_t left = RW_NO_SURFACE;
    for (int i = 0; i <= path->count; i++) {
        int mirror = i < path->count && !path->steps[i].bends;
        uint32_t met = mirror ? path->steps[i].index : RW_NO_SURFACE;
        if (!leg_is_free(geometry, path, i, find_path_vertex(geometry, path, receiver, i - 1),
                         find_path_vertex(geometry, path, receiver, i), left, met))
            return 0;
        left = met;
    }
    return 1;
}

int rw_rt_path_solve(const rw_rt_geometry *geometry, const rw_rt_sequence *sequence, rw_vec3 receiver, rw_rt_path *path)
{
    double fractions[RW_RT_EDGES_MAX] = {0};
    if (!find_edge_fractions(sequence, receiver, fractions) ||
        !find_path_points(geometry, sequence, receiver, fractions, path))
        return 0;
    for (int i = 0; i <= path->count; i++) {
        rw_vec3 leg = rw_vec3_sub(find_path_vertex(geometry, path, receiver, i),
                                  find_path_vertex(geometry, path, receiver, i - 1));
        if (!(rw_vec3_length(leg) > APART_M))
            return 0;
        if (i < path->count && path->steps[i].bends && !bends_outside(geometry, path, receiver, i))
            return 0;
    }
    return path_is_free(geometry, path, receiver);
}

/* The way from vertex index to the next edge or to the end. */
static double leg_after_m(const rw_rt_geometry *geometry, const rw_rt_path *path, rw_vec3 receiver, int index)
{
    double path_m = 0;
    for (int i = index;; i++) {
        path_m += rw_vec3_length(rw_vec3_sub(find_path_vertex(geometry, path, receiver, i + 1),
                                             find_path_vertex(geometry, path, receiver, i)));
        if (i + 1 >= path->count || path->steps[i + 1].bends)
            return path_m;
    }
}

static void diffract_at_step(const rw_rt_geometry *geometry, const rw_rt_path *path, int index, rw_vec3 direction,
                             double after_m, rw_wave *wave)
{
    uint32_t edge = path->steps[index].index;
    rw_edge_frame frame = building_edge_frame(&geometry->edges[edge]);
    rw_complex permittivity = geometry->permittivities[edge];
    rw_wedge_material faces = {permittivity, permittivity.im <= 0.5 * RW_PERMITTIVITY_CONDUCTOR_IM,
                               geometry->limits.holm};
    int here = RW_FACE_NONE, next, leaves = face_ahead(geometry, path, index, &next);
    int arrives = face_ahead(geometry, path, index - 1, &here) ? here : RW_FACE_NONE;
    const rw_free_edge *sheet = rw_rt_sheet_edge(geometry, edge);
    if (arrives || leaves)
        rw_wave_diffract_face(wave, &frame, direction, after_m, arrives, leaves, &faces, geometry->at->wavelength_m);
    else if (sheet)
        rw_wave_bend(wave, &frame, direction,
                     rw_diffract_at_edge(geometry->at, sheet, wave->amplitude, wave->direction, direction, wave->leg_m,
                                         after_m, 1));
    else
        rw_wave_diffract(wave, &frame, direction, after_m, &faces, geometry->at->wavelength_m, RW_WEDGE_REFERENCE);
}

rw_wave rw_rt_path_wave(const rw_rt_geometry *geometry, const rw_rt_path *path, rw_vec3 receiver)
{
    rw_wave wave = {0};
    for (int i = 0; i <= path->count; i++) {
        rw_vec3 leg = rw_vec3_sub(find_path_vertex(geometry, path, receiver, i),
                                  find_path_vertex(geometry, path, receiver, i - 1));
        double length_m = rw_vec3_length(leg);
        rw_vec3 direction = rw_vec3_scale(leg, 1 / length_m);
        if (i == 0) {
            wave = rw_wave_start(&geometry->at->transmitter, direction);
        } else if (path->steps[i - 1].bends) {
            diffract_at_step(geometry, path, i - 1, direction, leg_after_m(geometry, path, receiver, i - 1), &wave);
        } else {
            const rw_surface *surface = surface_of(geometry, path->steps[i - 1].index);
            double cosine = fabs(rw_vec3_dot(wave.direction, surface->normal));
            rw_wall_response wall = rw_ray_view_response(geometry->at, surface->kind, cosine);
            int back = rw_ray_from_back(surface, wave.direction);
            rw_wave_reflect(&wave, surface->normal, back ? wall.back : wall.front);
        }
        rw_wave_go(&wave, length_m);
    }
    return wave;
}
