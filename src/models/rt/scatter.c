/* Diffuse scattering: from the patches of rough surfaces to places, also by reflections and diffractions behind them.
 */
#include "models/rt/rt.h"

#include "base/parallel.h"
#include "base/progress.h"

#include <math.h>

typedef struct scattering {
    const rw_rt_geometry *geometry;
    const rw_rt_patches *patches;
    const rw_vec3 *positions;
    size_t count;
    rw_rt_scattered_fn on_scattered;
    void *user;
} scattering;

/* One patch as a source: two worlds that differ in what it sends, a wave of size 1 on theta or on phi. The two have
 * nothing to do with each other, and add by power. */
typedef struct sender {
    const scattering *all;
    size_t patch;
    rw_ray_view at[2];
    rw_rt_geometry geometries[2];
} sender;

static void begin_sender(const scattering *all, size_t patch, sender *from)
{
    from->all = all;
    from->patch = patch;
    for (int on_phi = 0; on_phi < 2; on_phi++) {
        from->at[on_phi] = *all->geometry->at;
        from->at[on_phi].source = all->patches->items[patch].point;
        from->at[on_phi].transmitter = (rw_pattern){RW_PATTERN_ISOTROPIC,
                                                    {{0.0, 1.0, 0.0}, {-1.0, 0.0, 0.0}, {0.0, 0.0, 1.0}},
                                                    {{on_phi ? 0.0 : 1.0, 0.0}, {on_phi ? 1.0 : 0.0, 0.0}},
                                                    1.0,
                                                    NULL,
                                                    0};
        from->geometries[on_phi] = *all->geometry;
        from->geometries[on_phi].at = &from->at[on_phi];
    }
}

/* What trees and air leave of the power from a patch to a place. Up to the patch they are in what has reached it. */
static double medium_power(const sender *from, const rw_rt_path *path, rw_vec3 position)
{
    const rw_ray_view *at = from->all->geometry->at;
    rw_vec3 here = from->at[0].source;
    rw_medium_path medium_path = {.length_m = rw_vec3_length(rw_vec3_sub(here, at->source))};
    for (int i = 0; i <= path->count; i++) {
        rw_vec3 next = i < path->count ? path->points[i] : position;
        rw_medium_go(&at->medium, &medium_path, here, next);
        here = next;
    }
    double straight_m = rw_vec3_length(rw_vec3_sub(position, at->source));
    return pow(10, -0.1 * rw_medium_loss_db(&at->medium, &medium_path, straight_m));
}

/* Whether what has reached a patch by those interactions may go on by these. */
static int within_limits(const rw_rt_limits *limits, int reflections, int diffractions, const rw_rt_path *path)
{
    int bends = rw_rt_path_bends(path);
    return reflections + path->count - bends <= limits->reflections && diffractions + bends <= limits->diffractions &&
           reflections + diffractions + path->count < limits->depth;
}

/* Sums over what has reached the patch and may go on by a path: power on theta and phi that leave in a direction, and
 * delay. */
static rw_rt_lit lit_for(const sender *from, const rw_rt_path *path, rw_vec3 direction)
{
    const rw_rt_limits *limits = &from->all->geometry->limits;
    const rw_rt_patch *patch = &from->all->patches->items[from->patch];
    const rw_rt_lit *lit = from->all->patches->lit + from->patch * RW_RT_LIT_KINDS;
    rw_rt_lit sum = {0};
    for (int bends = 0; bends <= RW_RT_EDGES_MAX; bends++)
        for (int mirrors = 0; mirrors <= RW_RT_DEPTH_MAX; mirrors++) {
            const rw_rt_lit *by = &lit[RW_RT_LIT_KIND(mirrors, bends)];
            if (!(by->theta + by->phi > 0) || !within_limits(limits, mirrors, bends, path))
                continue;
            double lobe = rw_scatter_lobe_ratio(&limits->lobe, patch->normal, by->incoming, direction);
            sum.theta += lobe * by->theta;
            sum.phi += lobe * by->phi;
            sum.delay += lobe * by->delay;
        }
    return sum;
}

static void scatter_to_point(void *user, const rw_rt_path *path, size_t index)
{
    const sender *from = user;
    const scattering *all = from->all;
    const rw_rt_patch *patch = &all->patches->items[from->patch];
    const rw_ray_view *at = all->geometry->at;
    rw_vec3 first = path->count ? path->points[0] : all->positions[index];
    rw_vec3 direction = rw_vec3_unit(rw_vec3_sub(first, patch->point));
    double cosine = rw_vec3_dot(direction, patch->normal), power = 0;
    if (!(cosine > 0))
        return;
    rw_rt_lit lit = lit_for(from, path, direction);
    if (!(lit.theta + lit.phi > 0))
        return;
    const rw_construction *wall = &at->walls[at->surfaces.surfaces[patch->surface].kind];
    double sent = rw_patch_roughness(wall) * patch->area_m2 * rw_patch_side(wall, cosine, at->wavelength_m);
    rw_wave wave = {0};
    for (int on_phi = 0; on_phi < 2; on_phi++) {
        wave = rw_rt_path_wave(&from->geometries[on_phi], path, all->positions[index]);
        power += sent * (on_phi ? lit.phi : lit.theta) *
                 rw_complex_abs2(rw_wave_gain(&wave, &at->receiver, at->wavelength_m));
    }
    if (at->medium.counts)
        power *= medium_power(from, path, all->positions[index]);
    rw_rt_scattered rt_scattered = {
        .patch = from->patch,
        .point = index,
        .path = path,
        .arrival = {.gain = {sqrt(power), 0},
                    .delay_s = lit.delay / (lit.theta + lit.phi) + wave.length_m / RW_SPEED_OF_LIGHT_M_S,
                    .direction = wave.direction,
                    .diffuse = 1}};
    all->on_scattered(all->user, &rt_scattered);
}

/* The fewest interactions by which something has reached a patch; -1: nothing has. */
static int min_interactions_before(const rw_rt_lit *lit)
{
    int fewest = -1;
    for (int bends = 0; bends <= RW_RT_EDGES_MAX; bends++)
        for (int mirrors = 0; mirrors <= RW_RT_DEPTH_MAX; mirrors++) {
            const rw_rt_lit *by = &lit[RW_RT_LIT_KIND(mirrors, bends)];
            if (by->theta + by->phi > 0 && (fewest < 0 || mirrors + bends < fewest))
                fewest = mirrors + bends;
        }
    return fewest;
}

static void send_from(void *user, size_t begin, size_t end)
{
    const scattering *all = user;
    for (size_t i = begin; i < end; i++) {
        sender from;
        int before = min_interactions_before(all->patches->lit + i * RW_RT_LIT_KINDS);
        if (before < 0)
            continue;
        begin_sender(all, i, &from);
        rw_rt_search_alone(&from.geometries[0], all->geometry->limits.depth - 1 - before, all->positions, all->count,
                           scatter_to_point, &from);
    }
}

/* Patches in parts, so that it can be stopped. */
#define SCATTER_CHUNKS 32

typedef struct scatter_chunk {
    scattering *all;
    size_t first;
} scatter_chunk;

static void send_chunk_from(void *user, size_t begin, size_t end)
{
    const scatter_chunk *chunk = user;
    send_from(chunk->all, chunk->first + begin, chunk->first + end);
}

rw_status rw_rt_scatter(const rw_rt_geometry *geometry, const rw_rt_patches *patches, const rw_vec3 *positions,
                        size_t count, rw_rt_scattered_fn on_scattered, void *user)
{
    rw_context *context = geometry->rays->context;
    scattering all = {geometry, patches, positions, count, on_scattered, user};
    size_t each = patches->count / SCATTER_CHUNKS + 1;
    rw_progress_range before = rw_progress_narrow(1, 1); /* a part that is not counted */
    rw_status status = RW_OK;
    for (scatter_chunk chunk = {&all, 0}; status == RW_OK && chunk.first < patches->count; chunk.first += each) {
        size_t now = patches->count - chunk.first < each ? patches->count - chunk.first : each;
        status = rw_parallel(context, now, 1, send_chunk_from, &chunk);
        if (status == RW_OK)
            status = rw_progress_within(context, (double)(chunk.first + now) / (double)patches->count, "predicting");
    }
    rw_progress_range_set(before);
    return status;
}
