/* One sequence of interactions: its path to a receiver by images and Keller's law, tested and with its field. */
#include "models/rt/rt.h"

#include <math.h>

#define APART_M 1e-6 /* what is nearer to a plane or an edge lies on it */

static const rw_surface *surface_of(const rw_rt_world *world, uint32_t index)
{
    return &world->at->surfaces.surfaces[index];
}

/* Shares of the edges at which the unfolded way bends; 0 where it does not. */
static int find_shares(const rw_rt_sequence *sequence, rw_vec3 receiver, double shares[RW_RT_EDGES_MAX])
{
    const rw_edge_line *edges = sequence->edges;
    int found = 1;
    if (sequence->diffractions == 1)
        found = rw_keller_share(edges[0].from, edges[0].way, sequence->source, receiver, &shares[0]);
    if (sequence->diffractions == 2)
        found = rw_edge_pair_solve(edges, sequence->source, receiver, shares);
    for (int i = 0; i < sequence->diffractions && found; i++)
        found = shares[i] >= 0 && shares[i] < 1;
    return found;
}

/* Where the way from a vertex behind the mirror to a point before it meets the surface. */
static int meet(const rw_rt_world *world, uint32_t index, rw_vec3 behind, rw_vec3 before, rw_vec3 *point)
{
    const rw_surface *surface = surface_of(world, index);
    double from = rw_surface_height_m(surface, behind), to = rw_surface_height_m(surface, before);
    if (!(fabs(from) > APART_M) || !(fabs(to) > APART_M) || (from > 0) == (to > 0))
        return 0;
    *point = rw_vec3_add(before, rw_vec3_scale(rw_vec3_sub(behind, before), to / (to - from)));
    return rw_surface_holds(&world->at->surfaces, surface, *point);
}

/* Takes one mirror out of the images. */
static void unfold(const rw_surface *surface, rw_rt_sequence *images)
{
    images->source = rw_mirrored(surface, images->source);
    for (int i = 0; i < images->diffractions; i++) {
        rw_edge_line *edge = &images->edges[i];
        rw_vec3 to = rw_mirrored(surface, rw_vec3_add(edge->from, edge->way));
        edge->from = rw_mirrored(surface, edge->from);
        edge->way = rw_vec3_sub(to, edge->from);
    }
}

/* Points from the receiver back to the source. */
static int find_points(const rw_rt_world *world, const rw_rt_sequence *sequence, rw_vec3 receiver,
                       const double shares[RW_RT_EDGES_MAX], rw_rt_path *path)
{
    rw_rt_sequence images = *sequence;
    rw_vec3 at = receiver;
    for (int i = sequence->count - 1; i >= 0; i--) {
        int last = images.diffractions - 1;
        path->steps[i] = sequence->steps[i];
        if (sequence->steps[i].bends) {
            at = rw_edge_line_at(&images.edges[last], shares[last]);
            images.diffractions--;
        } else {
            rw_vec3 behind = last >= 0 ? rw_edge_line_at(&images.edges[last], shares[last]) : images.source;
            if (!meet(world, sequence->steps[i].index, behind, at, &at))
                return 0;
            unfold(surface_of(world, sequence->steps[i].index), &images);
        }
        path->points[i] = at;
    }
    path->count = sequence->count;
    return 1;
}

static rw_vec3 vertex(const rw_rt_world *world, const rw_rt_path *path, rw_vec3 receiver, int index)
{
    return index < 0 ? world->at->source : index < path->count ? path->points[index] : receiver;
}

static rw_edge_frame frame_of(const rw_building_edge *edge)
{
    rw_edge_frame frame = {edge->edge, edge->zero_along, edge->zero_normal, edge->exterior_over_pi};
    return frame;
}

/* Whether both legs at an edge run through the air round it and not through its building. */
static int bends_outside(const rw_rt_world *world, const rw_rt_path *path, rw_vec3 receiver, int index)
{
    const rw_building_edge *edge = &world->edges[path->steps[index].index];
    rw_edge_frame frame = frame_of(edge);
    double most = edge->exterior_over_pi * RW_PI;
    rw_vec3 before = rw_vec3_sub(vertex(world, path, receiver, index - 1), path->points[index]);
    rw_vec3 after = rw_vec3_sub(vertex(world, path, receiver, index + 1), path->points[index]);
    return rw_edge_angle_rad(&frame, before) < most && rw_edge_angle_rad(&frame, after) < most;
}

static int is_free(const rw_rt_world *world, const rw_rt_path *path, rw_vec3 receiver)
{
    uint32_t left = RW_NO_SURFACE;
    for (int i = 0; i <= path->count; i++) {
        int mirror = i < path->count && !path->steps[i].bends;
        uint32_t met = mirror ? path->steps[i].index : RW_NO_SURFACE;
        if (rw_surfaces_between(&world->at->surfaces, vertex(world, path, receiver, i - 1),
                                vertex(world, path, receiver, i), left, met))
            return 0;
        left = met;
    }
    return 1;
}

int rw_rt_path_solve(const rw_rt_world *world, const rw_rt_sequence *sequence, rw_vec3 receiver, rw_rt_path *path)
{
    double shares[RW_RT_EDGES_MAX] = {0};
    if (!find_shares(sequence, receiver, shares) || !find_points(world, sequence, receiver, shares, path))
        return 0;
    for (int i = 0; i <= path->count; i++) {
        rw_vec3 leg = rw_vec3_sub(vertex(world, path, receiver, i), vertex(world, path, receiver, i - 1));
        if (!(rw_vec3_length(leg) > APART_M))
            return 0;
        if (i < path->count && path->steps[i].bends && !bends_outside(world, path, receiver, i))
            return 0;
    }
    return is_free(world, path, receiver);
}

/* The way from vertex index to the next edge or to the end. */
static double way_after_m(const rw_rt_world *world, const rw_rt_path *path, rw_vec3 receiver, int index)
{
    double way_m = 0;
    for (int i = index;; i++) {
        way_m += rw_vec3_length(rw_vec3_sub(vertex(world, path, receiver, i + 1), vertex(world, path, receiver, i)));
        if (i + 1 >= path->count || path->steps[i + 1].bends)
            return way_m;
    }
}

rw_wave rw_rt_path_wave(const rw_rt_world *world, const rw_rt_path *path, rw_vec3 receiver)
{
    rw_wave wave = {0};
    for (int i = 0; i <= path->count; i++) {
        rw_vec3 leg = rw_vec3_sub(vertex(world, path, receiver, i), vertex(world, path, receiver, i - 1));
        double length_m = rw_vec3_length(leg);
        rw_vec3 direction = rw_vec3_scale(leg, 1 / length_m);
        if (i == 0) {
            wave = rw_wave_start(&world->at->transmitter, direction);
        } else if (path->steps[i - 1].bends) {
            uint32_t edge = path->steps[i - 1].index;
            rw_edge_frame frame = frame_of(&world->edges[edge]);
            rw_wedge_material faces = {world->permittivities[edge], 0, world->limits.holm};
            rw_wave_diffract(&wave, &frame, direction, way_after_m(world, path, receiver, i - 1), &faces,
                             world->at->wavelength_m, RW_WEDGE_REFERENCE);
        } else {
            const rw_surface *surface = surface_of(world, path->steps[i - 1].index);
            double cosine = fabs(rw_vec3_dot(wave.direction, surface->normal));
            rw_wall_response wall = rw_world_response(world->at, surface->kind, cosine);
            int back = rw_world_from_back(surface, wave.direction);
            rw_wave_reflect(&wave, surface->normal, back ? wall.back : wall.front);
        }
        rw_wave_go(&wave, length_m);
    }
    return wave;
}
