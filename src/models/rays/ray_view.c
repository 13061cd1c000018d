#include "models/rays/ray_view.h"

#include "base/memory.h"
#include "discretise/prepared.h"
#include "discretise/scene_cache.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A slab that takes more than this share of the power is a mirror: 300 dB, as a perfect conductor. What its index would
 * make of a delay means nothing: deep in metal a wave is slow, and dead. */
#define THROUGH_MIN 1e-30
#define BOX_MARGIN_M 0.01 /* rounding of the boxes of surfaces to float, up to 100 km from the centre */

static double through_power(const rw_construction *wall, double wavelength_m)
{
    rw_te_tm through = rw_wall_response_exact(wall, 1, wavelength_m).through;
    return fmax(rw_complex_abs2(through.te), rw_complex_abs2(through.tm));
}

static rw_status find_constructions(const rw_scene *scene, double freq_hz, int straight, rw_ray_scene *ray_scene)
{
    size_t kinds = ray_scene->surfaces.kind_count;
    RW_TRY(rw_array_create(scene->context, kinds, sizeof *ray_scene->slabs, "constructions", &ray_scene->slabs));
    RW_TRY(rw_array_create(scene->context, kinds, sizeof *ray_scene->walls, "constructions", &ray_scene->walls));
    for (size_t i = 0; i < kinds; i++) {
        rw_construction *wall = &ray_scene->walls[i];
        rw_refractor *slab = &ray_scene->slabs[i];
        RW_TRY(rw_construction_find(scene, ray_scene->surfaces.kinds[i], freq_hz, wall));
        double through = through_power(wall, RW_SPEED_OF_LIGHT_M_S / freq_hz);
        slab->opaque = !(through > THROUGH_MIN);
        slab->through_db = -10 * log10(fmax(through, THROUGH_MIN));
        slab->straight = straight;
        slab->thickness_m = wall->thickness_m;
        ray_scene->reach_m = fmax(ray_scene->reach_m, 0.5 * wall->thickness_m + BOX_MARGIN_M);
        slab->layer_count = wall->layer_count;
        for (int j = 0; j < wall->layer_count; j++) {
            double index = rw_complex_sqrt(wall->layers[j].permittivity).re;
            slab->layer_m[j] = wall->layers[j].thickness_m;
            slab->index[j] = index < 1 ? 1 : index;
        }
    }
    return RW_OK;
}

static rw_status upload_construction_array(rw_ray_scene *ray_scene, int slot, const void *host, size_t bytes,
                                           const void *pointer_out)
{
    RW_TRY(rw_device_alloc(ray_scene->context, ray_scene->backend, bytes, "constructions", &ray_scene->copies[slot]));
    *(const void **)(uintptr_t)pointer_out = ray_scene->copies[slot];
    return rw_device_upload(ray_scene->context, ray_scene->backend, ray_scene->copies[slot], host, bytes);
}

static rw_status tabulate_responses(rw_ray_scene *ray_scene)
{
    size_t kinds = ray_scene->surfaces.kind_count, samples = RW_CONSTRUCTION_SAMPLES + 1;
    rw_wall_response *tables;
    RW_TRY(rw_array_create(ray_scene->context, kinds * samples, sizeof *tables, "constructions", &tables));
    for (size_t i = 0; i < kinds; i++)
        rw_construction_tabulate(ray_scene->context, &ray_scene->walls[i], ray_scene->view.wavelength_m,
                                 tables + i * samples);
    rw_status status =
        upload_construction_array(ray_scene, 2, tables, kinds * samples * sizeof *tables, &ray_scene->view.responses);
    free(tables);
    return status;
}

/* The plane surfaces of a scene on the host and on its backend, kept with it. */
typedef struct shared_surfaces {
    rw_backend backend;
    rw_surfaces surfaces;
    rw_device_surfaces device;
} shared_surfaces;

typedef struct surfaces_request {
    const rw_scene *scene;
    rw_surfaces_form form;
} surfaces_request;

static void destroy_surfaces(void *value)
{
    shared_surfaces *shared = value;
    rw_surfaces_release(shared->backend, &shared->device);
    rw_surfaces_destroy(&shared->surfaces);
    free(shared);
}

static const rw_cache_kind surfaces_kind = {"surfaces", 2, destroy_surfaces};

static rw_status make_surfaces(void *user, void **value)
{
    const surfaces_request *request = user;
    const rw_scene *scene = request->scene;
    rw_vec2 centre = scene->prepared->grid.centre;
    shared_surfaces *shared;
    RW_TRY(rw_array_create(scene->context, 1, sizeof *shared, "surfaces", &shared));
    shared->backend = scene->context->backend;
    rw_status status = rw_surfaces_create_as(scene, centre, request->form, &shared->surfaces);
    if (status == RW_OK)
        status = rw_surfaces_upload(scene->context, shared->backend, &shared->surfaces, &shared->device);
    if (status == RW_OK)
        *value = shared;
    else
        destroy_surfaces(shared);
    return status;
}

static rw_status borrow_surfaces(const rw_scene *scene, rw_surfaces_form form, rw_ray_scene *ray_scene)
{
    surfaces_request request = {scene, form};
    void *value;
    RW_TRY(rw_scene_cache_acquire(scene, &surfaces_kind, &form, sizeof form, make_surfaces, &request, &value));
    const shared_surfaces *shared = value;
    ray_scene->form = form;
    ray_scene->shared = value;
    ray_scene->surfaces = shared->surfaces;
    ray_scene->device = shared->device;
    return RW_OK;
}

static rw_status build_ray_scene(const rw_scene *scene, const rw_ray_scene_request *request, rw_ray_scene *ray_scene)
{
    RW_TRY(borrow_surfaces(scene, request->form, ray_scene));
    RW_TRY(find_constructions(scene, request->freq_hz, request->straight, ray_scene));
    for (size_t i = 0; request->adjust && i < ray_scene->surfaces.kind_count; i++)
        request->adjust(request->user, rw_construction_material(scene, ray_scene->surfaces.kinds[i]),
                        &ray_scene->walls[i]);
    size_t kinds = ray_scene->surfaces.kind_count;
    ray_scene->view.surfaces = ray_scene->device.view;
    ray_scene->view.wavelength_m = RW_SPEED_OF_LIGHT_M_S / request->freq_hz;
    ray_scene->view.receiver = rw_pattern_receiver();
    RW_TRY(upload_construction_array(ray_scene, 0, ray_scene->slabs, kinds * sizeof *ray_scene->slabs,
                                     &ray_scene->view.slabs));
    RW_TRY(upload_construction_array(ray_scene, 1, ray_scene->walls, kinds * sizeof *ray_scene->walls,
                                     &ray_scene->view.walls));
    ray_scene->host = ray_scene->view;
    ray_scene->host.surfaces = ray_scene->surfaces.view;
    ray_scene->host.slabs = ray_scene->slabs;
    ray_scene->host.walls = ray_scene->walls;
    return request->exact ? RW_OK : tabulate_responses(ray_scene);
}

rw_status rw_ray_scene_create_as(const rw_scene *scene, const rw_ray_scene_request *request, rw_ray_scene *ray_scene)
{
    *ray_scene = (rw_ray_scene){.scene = scene, .context = scene->context, .backend = scene->context->backend};
    rw_status status = build_ray_scene(scene, request, ray_scene);
    if (status != RW_OK)
        rw_ray_scene_destroy(ray_scene);
    return status;
}

rw_status rw_ray_scene_create(const rw_scene *scene, double freq_hz, int exact, rw_ray_scene *ray_scene)
{
    return rw_ray_scene_create_as(scene, &(rw_ray_scene_request){.freq_hz = freq_hz, .exact = exact}, ray_scene);
}

void rw_ray_scene_destroy(rw_ray_scene *ray_scene)
{
    for (int i = 0; i < 3; i++)
        if (ray_scene->copies[i])
            rw_device_free(ray_scene->backend, ray_scene->copies[i]);
    if (ray_scene->shared)
        rw_scene_cache_release(ray_scene->scene, ray_scene->shared);
    free(ray_scene->slabs);
    free(ray_scene->walls);
    rw_pattern_release(ray_scene->backend, &ray_scene->transmitter);
    rw_pattern_release(ray_scene->backend, &ray_scene->receiver);
    *ray_scene = (rw_ray_scene){0};
}

rw_status rw_ray_scene_set_transmitter(rw_ray_scene *ray_scene, const rw_antenna *antenna, const rw_transmitter *about,
                                       rw_vec3 source)
{
    ray_scene->view.source = ray_scene->host.source = source;
    return rw_pattern_upload(ray_scene->context, ray_scene->backend, antenna, about, &ray_scene->transmitter,
                             &ray_scene->host.transmitter, &ray_scene->view.transmitter);
}

/* Slabs that displace nothing are sheets: only a point on them is inside. */
static int slab_holds(const rw_ray_scene *ray_scene, uint32_t index, rw_vec3 point)
{
    const rw_surface *surface = &ray_scene->surfaces.surfaces[index];
    double height_m = rw_surface_height_m(surface, point);
    const rw_refractor *slab = &ray_scene->slabs[surface->kind];
    double half_m = slab->straight ? 1e-5 : fmax(0.5 * slab->thickness_m, 1e-5);
    rw_vec3 foot = rw_vec3_sub(point, rw_vec3_scale(surface->normal, height_m));
    return fabs(height_m) < half_m && rw_surface_holds(&ray_scene->surfaces.view, surface, foot);
}

static int box_holds(const rw_bvh_node *node, rw_vec3 point, double margin_m)
{
    return point.x > (double)node->low[0] - margin_m && point.x < (double)node->high[0] + margin_m &&
           point.y > (double)node->low[1] - margin_m && point.y < (double)node->high[1] + margin_m &&
           point.z > (double)node->low[2] - margin_m && point.z < (double)node->high[2] + margin_m;
}

uint32_t rw_ray_scene_inside(const rw_ray_scene *ray_scene, rw_vec3 point)
{
    const rw_surfaces_view *view = &ray_scene->surfaces.view;
    RW_BVH_EACH (node, view->nodes, view->node_count, box_holds(node, point, ray_scene->reach_m))
        for (uint32_t i = node->first; i < node->first + node->count; i++)
            if (slab_holds(ray_scene, i, point))
                return i;
    return RW_NO_SURFACE;
}
