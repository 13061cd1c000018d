/* Rough surfaces cut into patches, and what reaches each. */
#include "models/rt/rt.h"

#include "base/memory.h"
#include "base/progress.h"
#include "discretise/prepared.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#define BEFORE_M 1e-3 /* patches stand this far before their surface */

static const rw_construction *wall_of(const rw_rt_geometry *geometry, uint32_t surface)
{
    return &geometry->at->walls[geometry->at->surfaces.surfaces[surface].kind];
}

/* The part of a surface that matters: of the ground, which goes on, what lies under the scene. */
static void bound_surface(const rw_scene *scene, const rw_surface *surface, double low[2], double high[2])
{
    rw_vec2 centre = scene->prepared->grid.centre, west_south = scene->box_min, east_north = scene->box_max;
    double under_low[2] = {INFINITY, INFINITY}, under_high[2] = {-INFINITY, -INFINITY};
    low[0] = surface->low_u;
    low[1] = surface->low_v;
    high[0] = surface->high_u;
    high[1] = surface->high_v;
    if (!(fmax(high[0] - low[0], high[1] - low[1]) >= RW_GROUND_BEYOND_M))
        return;
    for (int corner = 0; corner < 4; corner++) {
        double x = (corner & 1 ? east_north.x : west_south.x) - centre.x;
        double y = (corner & 2 ? east_north.y : west_south.y) - centre.y;
        double z = (surface->offset_m - surface->normal.x * x - surface->normal.y * y) / surface->normal.z;
        double on[2] = {rw_vec3_dot(surface->axis_u, rw_vec3_of(x, y, z)),
                        rw_vec3_dot(surface->axis_v, rw_vec3_of(x, y, z))};
        for (int axis = 0; axis < 2; axis++) {
            under_low[axis] = fmin(under_low[axis], on[axis]);
            under_high[axis] = fmax(under_high[axis], on[axis]);
        }
    }
    for (int axis = 0; axis < 2; axis++) {
        low[axis] = fmax(low[axis], under_low[axis]);
        high[axis] = fmin(high[axis], under_high[axis]);
    }
}

static rw_status append_surface_patches(const rw_rt_geometry *geometry, uint32_t index, double sign,
                                        rw_rt_patches *patches)
{
    const rw_surface *surface = &geometry->at->surfaces.surfaces[index];
    double low[2], high[2];
    bound_surface(geometry->scene, surface, low, high);
    if (!(high[0] > low[0] && high[1] > low[1]))
        return RW_OK;
    size_t columns = (size_t)ceil((high[0] - low[0]) / geometry->limits.patch_m);
    size_t rows = (size_t)ceil((high[1] - low[1]) / geometry->limits.patch_m);
    double step_u = (high[0] - low[0]) / (double)columns, step_v = (high[1] - low[1]) / (double)rows;
    for (size_t row = 0; row < rows; row++)
        for (size_t column = 0; column < columns; column++) {
            double u = low[0] + ((double)column + 0.5) * step_u, v = low[1] + ((double)row + 0.5) * step_v;
            rw_vec3 point = rw_vec3_add(rw_vec3_scale(surface->axis_u, u), rw_vec3_scale(surface->axis_v, v));
            point = rw_vec3_add(point, rw_vec3_scale(surface->normal, surface->offset_m));
            if (!rw_surface_holds(&geometry->at->surfaces, surface, point))
                continue;
            RW_TRY(rw_array_reserve(geometry->rays->context, &patches->items, &patches->capacity, patches->count + 1,
                                    sizeof *patches->items, "patches"));
            rw_rt_patch *patch = &patches->items[patches->count++];
            patch->normal = rw_vec3_scale(surface->normal, sign);
            patch->point = rw_vec3_add(point, rw_vec3_scale(patch->normal, BEFORE_M));
            patch->area_m2 = step_u * step_v;
            patch->surface = index;
        }
    return RW_OK;
}

/* Sums must not depend on who comes first: paths are kept and added in order. */
typedef struct lit_path {
    size_t patch;
    int kind; /* RW_RT_LIT_KIND */
    double theta, phi, delay_s;
    rw_vec3 incoming;
} lit_path;

typedef struct lighting {
    const rw_rt_geometry *geometry;
    const rw_rt_patches *patches;
    lit_path *found;
    size_t count, capacity;
    rw_failure failure;
    pthread_mutex_t lock; /* of what is found */
} lighting;

static void light_patch(void *user, const rw_rt_path *path, size_t index)
{
    lighting *light = user;
    const rw_rt_geometry *geometry = light->geometry;
    rw_context *context = geometry->rays->context;
    const rw_rt_patch *patch = &light->patches->items[index];
    rw_wave wave = rw_rt_path_wave(geometry, path, patch->point);
    rw_ray_arrival air = {.gain = {1, 0}};
    if (geometry->at->medium.counts)
        rw_ray_view_attenuate(geometry->at, path->points, path->count, patch->point, &air);
    double cosine = -rw_vec3_dot(wave.direction, patch->normal);
    if (!(cosine > 0))
        return;
    rw_complex theta, phi;
    rw_theta_phi_components(wave.amplitude, wave.direction, &theta, &phi);
    double weight = rw_complex_abs2(air.gain) *
                    rw_patch_side(wall_of(geometry, patch->surface), cosine, geometry->at->wavelength_m) /
                    (wave.radius_across_m * wave.radius_along_m);
    int bends = rw_rt_path_bends(path);
    lit_path new_path = {.patch = index,
                         .kind = RW_RT_LIT_KIND(path->count - bends, bends),
                         .theta = weight * rw_complex_abs2(theta),
                         .phi = weight * rw_complex_abs2(phi),
                         .delay_s = wave.length_m / RW_SPEED_OF_LIGHT_M_S,
                         .incoming = wave.direction};
    pthread_mutex_lock(&light->lock);
    if (light->failure.status == RW_OK)
        rw_failure_store(context,
                         rw_array_reserve(context, &light->found, &light->capacity, light->count + 1,
                                          sizeof *light->found, "paths to patches"),
                         &light->failure);
    if (light->failure.status == RW_OK)
        light->found[light->count++] = new_path;
    pthread_mutex_unlock(&light->lock);
}

static int compare_lit(const void *left, const void *right)
{
    const lit_path *a = left, *b = right;
    if (a->patch != b->patch)
        return a->patch < b->patch ? -1 : 1;
    if (a->kind != b->kind)
        return a->kind - b->kind;
    if (a->delay_s != b->delay_s)
        return a->delay_s < b->delay_s ? -1 : 1;
    return a->theta < b->theta ? -1 : a->theta > b->theta;
}

static rw_status light_patches(const rw_rt_geometry *geometry, rw_rt_patches *patches)
{
    rw_vec3 *positions;
    lighting light_all = {.geometry = geometry, .patches = patches, .lock = PTHREAD_MUTEX_INITIALIZER};
    RW_TRY(rw_array_create(geometry->rays->context, patches->count * RW_RT_LIT_KINDS, sizeof *patches->lit, "patches",
                           &patches->lit));
    RW_TRY(rw_array_create(geometry->rays->context, patches->count, sizeof *positions, "patches", &positions));
    for (size_t i = 0; i < patches->count; i++)
        positions[i] = patches->items[i].point;
    rw_progress_range before = rw_progress_narrow(1, 1); /* a part that is not counted */
    rw_status status =
        rw_rt_search(geometry, geometry->limits.depth - 1, positions, patches->count, light_patch, &light_all);
    rw_progress_range_set(before);
    free(positions);
    if (status != RW_OK) {
        free(light_all.found);
        return status;
    }
    rw_sort(light_all.found, light_all.count, sizeof *light_all.found, compare_lit);
    for (size_t i = 0; i < light_all.count; i++) {
        const lit_path *path = &light_all.found[i];
        rw_rt_lit *lit = &patches->lit[path->patch * RW_RT_LIT_KINDS + (size_t)path->kind];
        lit->theta += path->theta;
        lit->phi += path->phi;
        lit->delay += (path->theta + path->phi) * path->delay_s;
        lit->incoming = rw_vec3_add(lit->incoming, rw_vec3_scale(path->incoming, path->theta + path->phi));
    }
    free(light_all.found);
    return rw_failure_report(geometry->rays->context, &light_all.failure);
}

static rw_status build_rt_patches(const rw_rt_geometry *geometry, rw_rt_patches *patches)
{
    if (geometry->limits.scatterings == 0 || geometry->limits.depth == 0)
        return RW_OK;
    for (uint32_t i = 0; i < geometry->at->surfaces.surface_count; i++) {
        if (!(rw_patch_roughness(wall_of(geometry, i)) > 0))
            continue;
        RW_TRY(append_surface_patches(geometry, i, 1, patches));
        RW_TRY(append_surface_patches(geometry, i, -1, patches));
    }
    if (!patches->count && geometry->limits.must_scatter)
        rw_warn(geometry->rays->context, RW_NOTHING_SCATTERS);
    return patches->count ? light_patches(geometry, patches) : RW_OK;
}

rw_status rw_rt_patches_create(const rw_rt_geometry *geometry, rw_rt_patches *patches)
{
    *patches = (rw_rt_patches){0};
    rw_status status = build_rt_patches(geometry, patches);
    if (status != RW_OK)
        rw_rt_patches_destroy(patches);
    return status;
}

void rw_rt_patches_destroy(rw_rt_patches *patches)
{
    free(patches->items);
    free(patches->lit);
    *patches = (rw_rt_patches){0};
}
