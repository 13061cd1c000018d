#include "models/rays/ray_view.h"

#include "base/memory.h"
#include "discretise/prepared.h"
#include "discretise/scene_cache.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A slab that takes more than this share of the power is a mirror: 300 dB, as a perfect conductor. What its index would
 * make of a delay means nothing: deep in metal a wave is slow, and dead. */
#define THROUGH_LEAST 1e-30
#define BOX_MARGIN_M 0.01 /* rounding of the boxes of surfaces to float, up to 100 km from the centre */

static int lets_through(const rw_construction *wall, double wavelength_m)
{
    rw_te_tm through = rw_wall_response_exact(wall, 1, wavelength_m).through;
    return rw_complex_abs2(through.te) > THROUGH_LEAST || rw_complex_abs2(through.tm) > THROUGH_LEAST;
}

static rw_status find_constructions(const rw_scene *scene, double freq_hz, int straight, rw_ray_scene *made)
{
    size_t kinds = made->surfaces.kind_count;
    RW_TRY(rw_array_create(scene->context, kinds, sizeof *made->slabs, "constructions", &made->slabs));
    RW_TRY(rw_array_create(scene->context, kinds, sizeof *made->walls, "constructions", &made->walls));
    for (size_t i = 0; i < kinds; i++) {
        rw_construction *wall = &made->walls[i];
        rw_refractor *slab = &made->slabs[i];
        RW_TRY(rw_construction_find(scene, made->surfaces.kinds[i], freq_hz, wall));
        slab->opaque = !lets_through(wall, RW_SPEED_OF_LIGHT_M_S / freq_hz);
        slab->straight = straight;
        slab->thickness_m = wall->thickness_m;
        made->reach_m = fmax(made->reach_m, 0.5 * wall->thickness_m + BOX_MARGIN_M);
        slab->layer_count = wall->layer_count;
        for (int j = 0; j < wall->layer_count; j++) {
            double index = rw_complex_sqrt(wall->layers[j].permittivity).re;
            slab->layer_m[j] = wall->layers[j].thickness_m;
            slab->index[j] = index < 1 ? 1 : index;
        }
    }
    return RW_OK;
}

static rw_status copy(rw_ray_scene *made, int slot, const void *host, size_t bytes, const void *pointer_out)
{
    RW_TRY(rw_device_alloc(made->context, made->backend, bytes, "constructions", &made->copies[slot]));
    *(const void **)(uintptr_t)pointer_out = made->copies[slot];
    return rw_device_upload(made->context, made->backend, made->copies[slot], host, bytes);
}

static rw_status tabulate(rw_ray_scene *made)
{
    size_t kinds = made->surfaces.kind_count, samples = RW_CONSTRUCTION_SAMPLES + 1;
    rw_wall_response *tables;
    RW_TRY(rw_array_create(made->context, kinds * samples, sizeof *tables, "constructions", &tables));
    for (size_t i = 0; i < kinds; i++)
        rw_construction_tabulate(made->context, &made->walls[i], made->world.wavelength_m, tables + i * samples);
    rw_status status = copy(made, 2, tables, kinds * samples * sizeof *tables, &made->world.responses);
    free(tables);
    return status;
}

/* The plane surfaces of a scene on the host and on its backend, kept with it. */
typedef struct shared_surfaces {
    rw_backend backend;
    rw_surfaces surfaces;
    rw_placed_surfaces placed;
} shared_surfaces;

typedef struct surfaces_request {
    const rw_scene *scene;
    rw_surfaces_form form;
} surfaces_request;

static void destroy_surfaces(void *value)
{
    shared_surfaces *shared = value;
    rw_surfaces_remove(shared->backend, &shared->placed);
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
        status = rw_surfaces_place(scene->context, shared->backend, &shared->surfaces, &shared->placed);
    if (status == RW_OK)
        *value = shared;
    else
        destroy_surfaces(shared);
    return status;
}

static rw_status share_surfaces(const rw_scene *scene, rw_surfaces_form form, rw_ray_scene *made)
{
    surfaces_request request = {scene, form};
    void *value;
    RW_TRY(rw_scene_cache_share(scene, &surfaces_kind, &form, sizeof form, make_surfaces, &request, &value));
    const shared_surfaces *shared = value;
    made->shared = value;
    made->surfaces = shared->surfaces;
    made->placed = shared->placed;
    return RW_OK;
}

static rw_status fill(const rw_scene *scene, const rw_ray_scene_request *request, rw_ray_scene *made)
{
    RW_TRY(share_surfaces(scene, request->form, made));
    RW_TRY(find_constructions(scene, request->freq_hz, request->straight, made));
    for (size_t i = 0; request->adjust && i < made->surfaces.kind_count; i++)
        request->adjust(request->user, rw_construction_material(scene, made->surfaces.kinds[i]), &made->walls[i]);
    size_t kinds = made->surfaces.kind_count;
    made->world.surfaces = made->placed.view;
    made->world.wavelength_m = RW_SPEED_OF_LIGHT_M_S / request->freq_hz;
    made->world.receiver = rw_pattern_receiver();
    RW_TRY(copy(made, 0, made->slabs, kinds * sizeof *made->slabs, &made->world.slabs));
    RW_TRY(copy(made, 1, made->walls, kinds * sizeof *made->walls, &made->world.walls));
    made->host = made->world;
    made->host.surfaces = made->surfaces.view;
    made->host.slabs = made->slabs;
    made->host.walls = made->walls;
    return request->exact ? RW_OK : tabulate(made);
}

rw_status rw_ray_scene_create_as(const rw_scene *scene, const rw_ray_scene_request *request, rw_ray_scene *made)
{
    *made = (rw_ray_scene){.scene = scene, .context = scene->context, .backend = scene->context->backend};
    rw_status status = fill(scene, request, made);
    if (status != RW_OK)
        rw_ray_scene_destroy(made);
    return status;
}

rw_status rw_ray_scene_create(const rw_scene *scene, double freq_hz, int exact, rw_ray_scene *made)
{
    return rw_ray_scene_create_as(scene, &(rw_ray_scene_request){.freq_hz = freq_hz, .exact = exact}, made);
}

void rw_ray_scene_destroy(rw_ray_scene *made)
{
    for (int i = 0; i < 3; i++)
        if (made->copies[i])
            rw_device_free(made->backend, made->copies[i]);
    if (made->shared)
        rw_scene_cache_release(made->scene, made->shared);
    free(made->slabs);
    free(made->walls);
    rw_pattern_remove(made->backend, &made->transmitter);
    rw_pattern_remove(made->backend, &made->receiver);
    *made = (rw_ray_scene){0};
}

rw_status rw_ray_scene_place(rw_ray_scene *made, const rw_antenna *antenna, const rw_transmitter *about, rw_vec3 source)
{
    made->world.source = made->host.source = source;
    return rw_pattern_place(made->context, made->backend, antenna, about, &made->transmitter, &made->host.transmitter,
                            &made->world.transmitter);
}

static int slab_holds(const rw_ray_scene *made, uint32_t index, rw_vec3 point)
{
    const rw_surface *surface = &made->surfaces.surfaces[index];
    double height_m = rw_surface_height_m(surface, point);
    double half_m = fmax(0.5 * made->slabs[surface->kind].thickness_m, 1e-5);
    rw_vec3 foot = rw_vec3_sub(point, rw_vec3_scale(surface->normal, height_m));
    return fabs(height_m) < half_m && rw_surface_holds(&made->surfaces.view, surface, foot);
}

static int box_holds(const rw_bvh_node *node, rw_vec3 point, double margin_m)
{
    return point.x > (double)node->low[0] - margin_m && point.x < (double)node->high[0] + margin_m &&
           point.y > (double)node->low[1] - margin_m && point.y < (double)node->high[1] + margin_m &&
           point.z > (double)node->low[2] - margin_m && point.z < (double)node->high[2] + margin_m;
}

uint32_t rw_ray_scene_inside(const rw_ray_scene *made, rw_vec3 point)
{
    const rw_surfaces_view *view = &made->surfaces.view;
    uint32_t stack[RW_BVH_STACK];
    int depth = 0;
    if (view->node_count)
        stack[depth++] = 0;
    while (depth > 0) {
        const rw_bvh_node *node = view->nodes + stack[--depth];
        if (!box_holds(node, point, made->reach_m))
            continue;
        if (node->count == 0) {
            stack[depth++] = node->first;
            stack[depth++] = node->first + 1;
            continue;
        }
        for (uint32_t i = node->first; i < node->first + node->count; i++)
            if (slab_holds(made, i, point))
                return i;
    }
    return RW_NO_SURFACE;
}
